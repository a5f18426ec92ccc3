//! Where words end: the part of reading a page that looks at every byte.

use pulp::Arch;

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
    let mut at = 1;
    let mut are_near = false;
    loop {
        let from = at;
        if !are_near && text.len() - at > LONG_STRETCH {
            at += plain_length(&text[at..], within);
        }
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
        are_near = at - from < LONG_STRETCH; // then so is the next, as a rule
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
#[expect(
    clippy::needless_bitwise_bool,
    clippy::inline_always,
    reason = "without branches and calls many bytes are looked at together"
)]
#[inline(always)]
fn ends(byte: u8, next: u8, within: Within) -> bool {
    (byte < 0x20)
        | (byte == 0xc2)
        | (byte | 1 == 0xe3)
        | ((byte == b' ') & (next == b' '))
        | ((within == Within::Markup) & ((byte == b'<') | (byte == b'&')))
}

/// Bytes looked at together; compilers turn the loop into a few instructions.
const LONG_STRETCH: usize = 64;

/// Bytes of the long stretches `text` begins with in which no byte may end
/// words. Runs on the widest vectors the machine has.
fn plain_length(text: &[u8], within: Within) -> usize {
    Arch::new().dispatch(
        #[inline(always)]
        || match within {
            Within::Text => plain_stretches(text, Within::Text),
            Within::Markup => plain_stretches(text, Within::Markup),
        },
    )
}

#[expect(clippy::inline_always, reason = "compiled for what calls it")]
#[inline(always)]
fn plain_stretches(text: &[u8], within: Within) -> usize {
    let mut at = 0;
    while let Some(stretch) = text[at..].first_chunk::<{ LONG_STRETCH + 1 }>() {
        let mut found = false;
        for place in 0..LONG_STRETCH {
            found |= ends(stretch[place], stretch[place + 1], within);
        }
        if found {
            break;
        }
        at += LONG_STRETCH;
    }
    at
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
    fn words_end_at_marks_in_markup_only() {
        let text = "word ".repeat(40) + "& more <b>";
        assert_eq!(words_length(text.as_bytes(), Within::Text), text.len());
        assert_eq!(words_length(text.as_bytes(), Within::Markup), 199);
    }
}
