//! Bytes to text, whatever they are written in.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// Bytes searched for a declared encoding, as browsers do.
const DECLARED_WITHIN: usize = 1_024;

/// Bytes an encoding is guessed from.
const GUESSED_FROM: usize = 65_536;

/// Decodes a body. The byte order mark counts before the header, the header
/// before what the document declares; valid UTF-8 needs none of them; the last
/// resort is a guess by frequency. What cannot be decoded becomes U+FFFD, the
/// same for the same bytes.
pub(crate) fn decode<'a>(bytes: &'a [u8], content_type: Option<&str>) -> Cow<'a, str> {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return encoding.decode_without_bom_handling(&bytes[mark..]).0;
    }
    let declared = content_type
        .and_then(charset_of_header)
        .or_else(|| charset_of_document(&bytes[..bytes.len().min(DECLARED_WITHIN)]));
    if declared.is_none_or(|encoding| encoding == UTF_8)
        && let Ok(text) = simdutf8::basic::from_utf8(bytes)
    {
        return Cow::Borrowed(text); // nearly all pages
    }
    let encoding = declared.unwrap_or_else(|| guess(bytes));
    encoding.decode_without_bom_handling(bytes).0
}

fn charset_of_header(content_type: &str) -> Option<&'static Encoding> {
    let (_, parameters) = content_type.split_once(';')?;
    parameters.split(';').find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        if !name.trim().eq_ignore_ascii_case("charset") {
            return None;
        }
        Encoding::for_label(value.trim().trim_matches(['"', '\'']).as_bytes())
    })
}

/// `<meta charset=…>`, `<meta … content="…; charset=…">` or `<?xml …
/// encoding="…"?>`: the label after the first of these words.
fn charset_of_document(start: &[u8]) -> Option<&'static Encoding> {
    let lower = start.to_ascii_lowercase();
    let is_xml = lower.trim_ascii_start().starts_with(b"<?xml");
    let word: &[u8] = if is_xml { b"encoding" } else { b"charset" };
    let mut rest = &lower[..];
    while let Some(found) = memchr::memmem::find(rest, word) {
        rest = &rest[found + word.len()..];
        let Some(value) = rest.trim_ascii_start().strip_prefix(b"=") else {
            continue;
        };
        let value = value.trim_ascii_start();
        let value = value.strip_prefix(b"\"").unwrap_or(value);
        let value = value.strip_prefix(b"'").unwrap_or(value);
        let end = value
            .iter()
            .position(|byte| b"\"'>;/ \t\r\n?".contains(byte))
            .unwrap_or(value.len());
        if let Some(encoding) = Encoding::for_label(&value[..end]) {
            // Found as ASCII, so it cannot be what it says.
            let is_wide = encoding == UTF_16LE || encoding == UTF_16BE;
            return Some(if is_wide { UTF_8 } else { encoding });
        }
    }
    None
}

fn guess(bytes: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    let part = &bytes[..bytes.len().min(GUESSED_FROM)];
    detector.feed(part, part.len() == bytes.len());
    detector.guess(None, Utf8Detection::Allow)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_word_is_read_from_every_encoding() {
        let word = "Gruß";
        let (latin, utf16) = (b"Gru\xdf", b"\xff\xfeG\0r\0u\0\xdf\0");
        assert_eq!(decode(word.as_bytes(), None), word);
        assert_eq!(decode(latin, Some("text/plain; charset=ISO-8859-1")), word);
        assert_eq!(decode(latin, Some("text/plain; Charset=\"latin1\"")), word);
        assert_eq!(decode(utf16, Some("text/plain; charset=utf-8")), word);
    }

    #[test]
    fn what_the_document_declares_is_believed_without_a_header() {
        for head in [
            &b"<meta charset=windows-1252>"[..],
            b"<META http-equiv=x content='text/html; CHARSET = \"windows-1252\"'>",
            b"<?xml version=\"1.0\" encoding='windows-1252'?>",
        ] {
            let text = [head, b"\x80"].concat();
            assert!(decode(&text, Some("text/html")).ends_with('€'), "{head:?}");
        }
        let wide = "<meta charset=utf-16>ß";
        assert_eq!(decode(wide.as_bytes(), None), wide);
    }

    #[test]
    fn an_undeclared_encoding_is_guessed() {
        let text = b"Les \xe9l\xe8ves fran\xe7ais pr\xe9f\xe8rent \xeatre libres le mercredi";
        assert!(decode(text, None).contains("élèves français préfèrent être"));
    }

    #[test]
    fn invalid_bytes_decode_the_same_every_time() {
        let broken = b"a\xff\xfe\xc3(b\xf0\x9f\0c";
        let utf8 = Some("text/plain; charset=utf-8");
        assert_eq!(decode(broken, utf8), decode(broken, utf8));
        assert!(decode(broken, utf8).contains('\u{fffd}'));
    }
}
