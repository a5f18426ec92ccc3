//! Rows of CSV as nearly all of them are: no quotes, whole seconds, 0 or 1.

use memchr::memchr2;
use recrawl_model::{Outcome, Timestamp};

use crate::Column;
use crate::batch::Row;

use super::header::Header;

const PAGE: u8 = Column::Page as u8;
const TIME: u8 = Column::Time as u8;
const CHANGED: u8 = Column::Changed as u8;

/// Digits of a time taken at once, and so the fewest.
const FEWEST_DIGITS: usize = 8;
/// The most digits, far below what a [`Timestamp`] holds.
const MOST_DIGITS: usize = 12;

impl Header {
    /// The page and all else of the row that begins at `start`, and where the next
    /// row begins; `None` if anything about the row asks for care. Only for headers
    /// without optional columns.
    #[inline]
    pub(super) fn quick_row<'a>(
        &self,
        text: &'a str,
        start: usize,
    ) -> Option<(&'a str, Row<'static>, usize)> {
        let bytes = text.as_bytes();
        let (mut page, mut seconds, mut outcome) = ("", 0, Outcome::Unknown);
        let mut at = start;
        let last = self.slots.len() - 1;
        for (index, &slot) in self.slots.iter().enumerate() {
            let separator = if index == last { b'\n' } else { b',' };
            match slot {
                TIME => (seconds, at) = whole_seconds(bytes, at)?,
                CHANGED => match *bytes.get(at)? {
                    answer @ (b'0' | b'1') => {
                        outcome = if answer == b'1' {
                            Outcome::Changed
                        } else {
                            Outcome::Unchanged
                        };
                        at += 1;
                    }
                    _ => outcome = Outcome::Unknown, // if the cell ends here
                },
                _ => {
                    let end = at + memchr2(b',', b'\n', &bytes[at..])?;
                    let field = text.get(at..end)?;
                    if field.starts_with('"') || field.ends_with('\r') {
                        return None;
                    }
                    if slot == PAGE {
                        page = field;
                    }
                    at = end;
                }
            }
            if *bytes.get(at)? != separator {
                return None;
            }
            at += 1;
        }
        let row = Row {
            at: Timestamp::from_seconds(seconds),
            outcome,
            last_modified: None,
            site: None,
            weight: None,
        };
        (!page.is_empty()).then_some((page, row, at))
    }
}

/// The digits from `start` on as a number, and where they end, if there are as many
/// as in the times of our age.
#[inline]
fn whole_seconds(bytes: &[u8], start: usize) -> Option<(i64, usize)> {
    let word = u64::from_le_bytes(*bytes[start..].first_chunk()?);
    if !are_digits(word) {
        return None;
    }
    let (mut value, mut end) = (eight_digits(word), start + FEWEST_DIGITS);
    while let Some(digit) = bytes.get(end).map(|byte| byte.wrapping_sub(b'0'))
        && digit <= 9
    {
        value = value * 10 + u64::from(digit);
        end += 1;
        if end - start > MOST_DIGITS {
            return None;
        }
    }
    Some((value as i64, end))
}

/// Whether all eight bytes are decimal digits: 0x30 to 0x39, to which adding 6
/// leaves the upper half of the byte as it is.
const fn are_digits(word: u64) -> bool {
    const UPPER_HALVES: u64 = 0xF0F0_F0F0_F0F0_F0F0;
    const DIGITS: u64 = 0x3030_3030_3030_3030;
    word & UPPER_HALVES == DIGITS
        && word.wrapping_add(0x0606_0606_0606_0606) & UPPER_HALVES == DIGITS
}

/// The number eight digits stand for, the first in the lowest byte: neighbours are
/// joined to numbers of two digits, then of four, then of eight.
const fn eight_digits(word: u64) -> u64 {
    let ones = word & 0x0F0F_0F0F_0F0F_0F0F;
    let twos = (ones.wrapping_mul(10) + (ones >> 8)) & 0x00FF_00FF_00FF_00FF;
    let fours = (twos.wrapping_mul(100) + (twos >> 16)) & 0x0000_FFFF_0000_FFFF;
    (fours.wrapping_mul(10_000) + (fours >> 32)) & 0xFFFF_FFFF
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn header(slots: &[u8]) -> Header {
        Header {
            slots: slots.to_vec(),
            has_optional: false,
        }
    }

    #[test]
    fn plain_rows_are_taken_in_any_order_of_columns() {
        let (page, row, end) = header(&[PAGE, TIME, CHANGED])
            .quick_row("x\n,a b,1700000000,1\nrest", 3)
            .expect("plain");
        assert_eq!((page, end), ("a b", 20));
        assert_eq!(row.at, Timestamp::from_seconds(1_700_000_000));
        assert_eq!(row.outcome, Outcome::Changed);
        let ignored = Column::ALL.len() as u8;
        let (page, row, _) = header(&[CHANGED, ignored, TIME, PAGE])
            .quick_row(",,20000000,\u{e9}\n", 0)
            .expect("plain");
        assert_eq!((page, row.outcome), ("\u{e9}", Outcome::Unknown));
    }

    #[test]
    fn what_asks_for_care_is_left_to_others() {
        let header = header(&[PAGE, TIME, CHANGED]);
        for text in [
            "",
            "\n",
            "a",
            "a,1700000000",
            "a,1700000000,1",
            "a,1700000000,1\r\n",
            "a,1700000000,true\n",
            "a,1700000000,1,\n",
            "a,1700000000\n",
            "a\n1700000000,1\n",
            "\"a\",1700000000,1\n",
            "a,17000000x0,1\n",
            "a,-17000000,1\n",
            "a,1700000000.5,1\n",
            "a,1234567,1\n",
            "a,1234567890123,1\n",
            ",1700000000,1\n",
        ] {
            assert!(header.quick_row(text, 0).is_none(), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn digits_are_the_number_they_spell(number in 10_000_000i64..1_000_000_000_000, after in "[,\n.]?") {
            let digits = number.to_string();
            let text = format!("{digits}{after}");
            prop_assert_eq!(whole_seconds(text.as_bytes(), 0), Some((number, digits.len())));
        }

        #[test]
        fn only_digits_are_digits(bytes: [u8; 8]) {
            let word = u64::from_le_bytes(bytes);
            prop_assert_eq!(are_digits(word), bytes.iter().all(u8::is_ascii_digit));
        }
    }
}
