//! Character references: `&amp;`, `&#38;`, `&#x26;`.

use html5ever::data::{C1_REPLACEMENTS, NAMED_ENTITIES};

/// Longest name of a character reference, with its semicolon.
const LONGEST_NAME: usize = 33;

/// Gives the characters of the reference at the start of `text`, which begins
/// with `&`, to `sink` and returns its length; 0 if it is no reference.
pub(super) fn decode_reference(text: &[u8], mut sink: impl FnMut(char)) -> usize {
    let rest = &text[1..];
    if rest.first() == Some(&b'#') {
        return numeric(&rest[1..], &mut sink).map_or(0, |length| length + 2);
    }
    let window = &rest[..rest.len().min(LONGEST_NAME)];
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric();
    let length = window.iter().take_while(|byte| is_part(byte)).count();
    let with_mark = length + usize::from(rest.get(length) == Some(&b';'));
    let Ok(name) = std::str::from_utf8(&rest[..with_mark]) else {
        return 0;
    };
    match NAMED_ENTITIES.get(name) {
        // Beginnings of names are in the table too, as 0.
        None | Some((0, _)) => 0,
        Some(&(first, second)) => {
            let characters = [first, second].into_iter().filter(|&code| code != 0);
            characters.filter_map(char::from_u32).for_each(sink);
            with_mark + 1
        }
    }
}

/// The length of what follows `&#`, if it is a number.
fn numeric(rest: &[u8], sink: &mut impl FnMut(char)) -> Option<usize> {
    let (radix, prefix) = match rest.first()? {
        b'x' | b'X' => (16, 1),
        _ => (10, 0),
    };
    let digits = rest[prefix..]
        .iter()
        .take_while(|&&byte| char::from(byte).is_digit(radix))
        .count();
    if digits == 0 {
        return None;
    }
    let code = rest[prefix..prefix + digits]
        .iter()
        .fold(0u32, |code, &byte| {
            let digit = char::from(byte).to_digit(radix).unwrap_or(0);
            code.saturating_mul(radix).saturating_add(digit)
        });
    let replaced = code
        .checked_sub(0x80)
        .and_then(|at| *C1_REPLACEMENTS.get(at as usize)?);
    let plain = char::from_u32(code).filter(|&character| character != '\0');
    sink(replaced.or(plain).unwrap_or(char::REPLACEMENT_CHARACTER));
    let end = prefix + digits;
    Some(end + usize::from(rest.get(end) == Some(&b';')))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(text: &str) -> (String, usize) {
        let mut characters = String::new();
        let length = decode_reference(text.as_bytes(), |character| characters.push(character));
        (characters, length)
    }

    #[test]
    fn references_decode_as_in_browsers() {
        assert_eq!(decoded("&amp;x"), ("&".into(), 5));
        assert_eq!(decoded("&amp x"), ("&".into(), 4));
        assert_eq!(decoded("&eacute;"), ("é".into(), 8));
        assert_eq!(decoded("&#233;"), ("é".into(), 6));
        assert_eq!(decoded("&#xE9x"), ("é".into(), 5));
        assert_eq!(decoded("&#x80;"), ("€".into(), 6));
        assert_eq!(decoded("&NotEqualTilde;"), ("≂\u{338}".into(), 15));
    }

    #[test]
    fn what_is_no_character_is_replaced() {
        assert_eq!(decoded("&#0;"), ("\u{fffd}".into(), 4));
        assert_eq!(decoded("&#xD800;"), ("\u{fffd}".into(), 8));
        assert_eq!(decoded("&#99999999999999;"), ("\u{fffd}".into(), 17));
    }

    #[test]
    fn what_is_no_reference_stays_text() {
        for text in ["&", "& ", "&;", "&#;", "&#x;", "&nosuchname;", "&am;"] {
            assert_eq!(decoded(text), (String::new(), 0), "{text}");
        }
    }
}
