//! Where words end: the part of reading a page that looks at every byte.

#[cfg(target_arch = "x86_64")]
mod wide;

/// What ends a stretch of words beside white space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Within {
    /// Nothing.
    Text,
    /// Marks that begin tags and character references.
    Markup,
}

/// Bytes of the white space `text` begins with: 0 where it begins with a word.
/// A zero byte, which no reader sees, counts as white space.
pub(crate) fn space_width(text: &[u8]) -> usize {
    match text {
        [0 | b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c, ..] => 1,
        [0xc2, 0xa0 | 0x85, ..] => 2, // no-break space, next line
        [0xe2, 0x80, 0x80..=0x8b | 0xa8 | 0xa9 | 0xaf, ..] | [0xe3, 0x80, 0x80, ..] => 3,
        _ => 0,
    }
}

/// Bytes until the next mark or white space that is more than one space between
/// two words: what can be copied as it is. `text` begins with a word, so at
/// least one.
pub(crate) fn words_length(text: &[u8], within: Within) -> usize {
    #[cfg(target_arch = "x86_64")]
    if let Some(length) = wide::words_length(text, within) {
        return length;
    }
    words_length_by(text, within, next_end)
}

/// As [`words_length`], with a way to find what may end words.
#[expect(clippy::inline_always, reason = "compiled for what calls it")]
#[inline(always)]
fn words_length_by(
    text: &[u8],
    within: Within,
    next_end: impl Fn(&[u8], usize, Within) -> usize,
) -> usize {
    let mut at = 1;
    loop {
        at = next_end(text, at, within);
        let is_end = match text.get(at) {
            None | Some(b' ') => true,
            Some(b'<' | b'&') if within == Within::Markup => true,
            Some(_) => space_width(&text[at..]) > 0,
        };
        if is_end {
            // A space before it is not between two words.
            return at - usize::from(at > 1 && text[at - 1] == b' ');
        }
        at += 1;
    }
}

/// Bytes of a number that is looked at as a whole.
const WORD: usize = size_of::<u64>();

/// The next byte that may end words: a mark, the first of two spaces or what
/// may begin other white space. The end of `text` if there is none.
fn next_end(text: &[u8], mut at: usize, within: Within) -> usize {
    while let Some(&pairs) = text[at..].first_chunk::<{ WORD + 1 }>() {
        let [first, others @ ..] = pairs;
        let next = u64::from_le_bytes(others);
        let word = next << 8 | u64::from(first);
        let ends = ends_in(word, next, within);
        if ends != 0 {
            return at + ends.trailing_zeros() as usize / 8;
        }
        at += WORD;
    }
    let rest = &text[at..];
    let may_end = |place: &usize| {
        let (byte, next) = (rest[*place], rest.get(place + 1).copied());
        ends(byte, next.unwrap_or(0), within)
    };
    at + (0..rest.len()).find(may_end).unwrap_or(rest.len())
}

/// The highest bit of each byte of `word` that may end words; `next` are the
/// bytes after each. Only the lowest bit counts: those above it may be wrong.
fn ends_in(word: u64, next: u64, within: Within) -> u64 {
    const ONES: u64 = u64::MAX / 255;
    const HIGH: u64 = ONES << 7;
    let below = |word: u64, limit: u64| word.wrapping_sub(limit * ONES) & !word & HIGH;
    let is = |word: u64, byte: u8| below(word ^ (u64::from(byte) * ONES), 1);
    // Exact in every byte, where two are compared.
    let is_space = |word: u64| {
        let other = word ^ (u64::from(b' ') * ONES);
        !((other & !HIGH).wrapping_add(!HIGH) | other | !HIGH)
    };
    let ends = below(word, 0x20)
        | is(word, 0xc2)
        | is(word | ONES, 0xe3)
        | (is_space(word) & is_space(next));
    match within {
        Within::Text => ends,
        Within::Markup => ends | is(word, b'<') | is(word, b'&'),
    }
}

/// Whether a byte may end words, `next` being the one after it.
fn ends(byte: u8, next: u8, within: Within) -> bool {
    match byte {
        0..0x20 | 0xc2 | 0xe2 | 0xe3 => true,
        b' ' => next == b' ',
        b'<' | b'&' => within == Within::Markup,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_taken_together_end_words_where_single_ones_do() {
        // Every byte at every place of a word, before each kind of neighbour.
        for within in [Within::Text, Within::Markup] {
            for byte in 0..=u8::MAX {
                for next in [b'a', b' ', b'!', 0, 0xc2] {
                    for place in 0..8 {
                        let mut bytes = [b'x'; 9];
                        (bytes[place], bytes[place + 1]) = (byte, next);
                        let found = next_end(&bytes, 0, within);
                        let pairs = bytes.iter().zip(bytes.iter().skip(1).chain(&[0]));
                        let expected = pairs
                            .into_iter()
                            .position(|(&byte, &next)| ends(byte, next, within));
                        let expected = expected.unwrap_or(bytes.len());
                        assert_eq!(found, expected, "{bytes:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn words_end_where_they_do_byte_by_byte() {
        let one_by_one = |text: &[u8], at: usize, within| {
            let next = |at: usize| text.get(at + 1).copied().unwrap_or(0);
            let found = (at..text.len()).find(|&at| ends(text[at], next(at), within));
            found.unwrap_or(text.len())
        };
        // Every byte at every place of several wide words, before each kind of neighbour.
        for within in [Within::Text, Within::Markup] {
            for byte in 0..=u8::MAX {
                for next in [b'a', b' ', 0xa0] {
                    for place in 0..100 {
                        let mut text = b"of word".repeat(15);
                        (text[place + 1], text[place + 2]) = (byte, next);
                        let expected = words_length_by(&text, within, one_by_one);
                        assert_eq!(words_length(&text, within), expected, "{text:?}");
                        assert_eq!(words_length_by(&text, within, next_end), expected);
                    }
                }
            }
        }
    }

    #[test]
    fn words_end_at_marks_in_markup_only() {
        let text = "word ".repeat(40) + "& more <b>";
        assert_eq!(words_length(text.as_bytes(), Within::Text), text.len());
        assert_eq!(words_length(text.as_bytes(), Within::Markup), 199);
    }
}
