//! Single values as text: times, answers, weights.

use recrawl_model::{Outcome, TimeError, Timestamp};

use crate::{Column, RowProblem};

/// Digits before the point that stay below the reach of [`Timestamp`] in
/// microseconds, so that the quick way cannot overflow.
const QUICK_WHOLE_DIGITS: usize = 12;
/// Digits after the point that a microsecond can hold.
const QUICK_FRACTION_DIGITS: usize = 6;
/// Characters of a value shown in a message; enough to find it by.
const SHOWN: usize = 80;

/// A moment: RFC 3339 or seconds since 1970.
#[inline]
pub(crate) fn time(column: Column, text: &[u8]) -> Result<Timestamp, RowProblem> {
    match quick_seconds(text) {
        Some(at) => Ok(at),
        None => any_time(column, text),
    }
}

/// Plain decimal seconds, nearly every time there is: `-?d+(.d+)?`.
#[inline]
fn quick_seconds(text: &[u8]) -> Option<Timestamp> {
    let (negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        _ => (false, text),
    };
    let mut value = 0i64;
    let mut whole = 0;
    while let Some(digit) = digits.get(whole).filter(|byte| byte.is_ascii_digit()) {
        value = value.wrapping_mul(10) + i64::from(digit - b'0');
        whole += 1;
        if whole > QUICK_WHOLE_DIGITS {
            return None;
        }
    }
    if whole == 0 {
        return None;
    }
    let mut micros = value * 1_000_000;
    match &digits[whole..] {
        [] => {}
        [b'.', fraction @ ..]
            if !fraction.is_empty() && fraction.len() <= QUICK_FRACTION_DIGITS =>
        {
            let mut unit = 100_000;
            for byte in fraction {
                if !byte.is_ascii_digit() {
                    return None;
                }
                micros += i64::from(byte - b'0') * unit;
                unit /= 10;
            }
        }
        _ => return None,
    }
    Some(Timestamp::from_micros(if negative {
        -micros
    } else {
        micros
    }))
}

#[cold]
fn any_time(column: Column, text: &[u8]) -> Result<Timestamp, RowProblem> {
    let text = String::from_utf8_lossy(text);
    if text.trim().is_empty() {
        return Err(empty(column));
    }
    Timestamp::parse(&text).map_err(|refused| time_problem(column, &refused))
}

/// A cell problem from a refused time, its value shortened.
pub(crate) fn time_problem(column: Column, refused: &TimeError) -> RowProblem {
    let reason = match refused {
        TimeError::Malformed(value) => TimeError::Malformed(shown(value)),
        TimeError::OutOfRange(value) => TimeError::OutOfRange(shown(value)),
    };
    bad(column, reason.to_string())
}

/// An answer to "had it changed?"; empty says that nobody knows.
#[inline]
pub(crate) fn changed(text: &[u8]) -> Result<Outcome, RowProblem> {
    match text {
        b"1" => Ok(Outcome::Changed),
        b"0" => Ok(Outcome::Unchanged),
        _ => changed_in_words(text),
    }
}

#[cold]
fn changed_in_words(text: &[u8]) -> Result<Outcome, RowProblem> {
    match text.trim_ascii() {
        b"" => Ok(Outcome::Unknown),
        b"1" | b"1.0" | b"true" | b"True" | b"TRUE" => Ok(Outcome::Changed),
        b"0" | b"0.0" | b"false" | b"False" | b"FALSE" => Ok(Outcome::Unchanged),
        other => Err(not_an_answer(&String::from_utf8_lossy(other))),
    }
}

/// The problem of a `changed` that answers nothing.
pub(crate) fn not_an_answer(value: &str) -> RowProblem {
    let value = shown(value);
    bad(
        Column::Changed,
        format!("`{value}` is none of 1, 0, true, false or empty (unknown)"),
    )
}

/// An importance; `None` where the cell is empty.
pub(crate) fn weight(text: &[u8]) -> Result<Option<f64>, RowProblem> {
    let text = String::from_utf8_lossy(text.trim_ascii());
    if text.is_empty() {
        return Ok(None);
    }
    match text.parse() {
        Ok(value) => checked_weight(value).map(Some),
        Err(_) => Err(not_a_weight(&text)),
    }
}

/// Refuses weights that are negative or not finite.
pub(crate) fn checked_weight(value: f64) -> Result<f64, RowProblem> {
    if value.is_finite() && value >= 0.0 {
        Ok(value)
    } else {
        Err(not_a_weight(&value.to_string()))
    }
}

/// The problem of a `weight` that is none.
pub(crate) fn not_a_weight(value: &str) -> RowProblem {
    let value = shown(value);
    bad(
        Column::Weight,
        format!("`{value}` is not a finite number of at least 0"),
    )
}

/// The problem of a cell that must not be empty.
#[cold]
pub(crate) fn empty(column: Column) -> RowProblem {
    bad(column, "empty, but every row needs one".to_owned())
}

/// The problem of a text that is not UTF-8.
#[cold]
pub(crate) fn not_utf8(column: Column, text: &[u8]) -> RowProblem {
    let value = shown(&String::from_utf8_lossy(text));
    bad(
        column,
        format!("`{value}` is not UTF-8, convert the file first"),
    )
}

/// A problem of a cell.
pub(crate) fn bad(column: Column, reason: String) -> RowProblem {
    RowProblem::Cell { column, reason }
}

/// A value fit for a one-line message: control characters escaped, cut short.
pub(crate) fn shown(value: &str) -> String {
    let mut text = String::new();
    for (count, character) in value.chars().enumerate() {
        if count == SHOWN {
            text.push('…');
            break;
        }
        if character.is_control() {
            text.extend(character.escape_default());
        } else {
            text.push(character);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read_time(text: &str) -> Result<Timestamp, RowProblem> {
        time(Column::Time, text.as_bytes())
    }

    #[test]
    fn times_are_read_the_quick_way_or_the_thorough_one() {
        for (text, micros) in [
            ("0", 0),
            ("-1", -1_000_000),
            ("1700000000", 1_700_000_000_000_000),
            ("1700000000.25", 1_700_000_000_250_000),
            ("-0.000001", -1),
            ("1.0000004", 1_000_000),
            (" 5 ", 5_000_000),
            ("1e3", 1_000_000_000),
            ("1970-01-01T00:00:01Z", 1_000_000),
        ] {
            assert_eq!(
                read_time(text),
                Ok(Timestamp::from_micros(micros)),
                "{text}"
            );
        }
    }

    #[test]
    fn what_is_no_time_is_refused_with_its_value() {
        for text in [
            "",
            " ",
            "-",
            ".",
            "1.",
            "1.2.3",
            "--1",
            "1-",
            "NaN",
            "inf",
            "soon",
            "99999999999999",
        ] {
            // `1.` is a number to Rust; it is one here too.
            if text == "1." {
                assert!(read_time(text).is_ok());
                continue;
            }
            let message = read_time(text).expect_err(text).to_string();
            assert!(message.contains(text.trim()), "{message}");
            assert!(message.starts_with("column `time`: "), "{message}");
        }
    }

    #[test]
    fn answers_are_numbers_words_or_nothing() {
        for text in ["1", "true", "True", "TRUE", "1.0", " 1"] {
            assert_eq!(changed(text.as_bytes()), Ok(Outcome::Changed), "{text}");
        }
        for text in ["0", "false", "False", "FALSE", "0.0"] {
            assert_eq!(changed(text.as_bytes()), Ok(Outcome::Unchanged), "{text}");
        }
        assert_eq!(changed(b""), Ok(Outcome::Unknown));
        for text in ["2", "yes", "tRUE", "-1", "10"] {
            let message = changed(text.as_bytes()).expect_err(text).to_string();
            assert!(
                message.contains(&format!("`{text}` is none of")),
                "{message}"
            );
        }
    }

    #[test]
    fn weights_are_finite_and_not_negative() {
        assert_eq!(weight(b""), Ok(None));
        assert_eq!(weight(b" 2.5 "), Ok(Some(2.5)));
        assert_eq!(weight(b"0"), Ok(Some(0.0)));
        for text in ["-1", "NaN", "inf", "heavy"] {
            let message = weight(text.as_bytes()).expect_err(text).to_string();
            assert!(message.contains(text), "{message}");
        }
    }

    #[test]
    fn long_and_unprintable_values_stay_one_short_line() {
        assert_eq!(shown("a\nb"), "a\\nb");
        assert_eq!(shown(&"x".repeat(500)).chars().count(), SHOWN + 1);
    }

    proptest! {
        #[test]
        fn the_quick_way_agrees_with_the_thorough_one(
            seconds in -4_000_000_000i64..4_000_000_000,
            fraction in prop::option::of("[0-9]{1,6}"),
        ) {
            let text = match fraction {
                Some(fraction) => format!("{seconds}.{fraction}"),
                None => seconds.to_string(),
            };
            let quick = quick_seconds(text.as_bytes());
            prop_assert_eq!(quick, Timestamp::parse(&text).ok());
        }
    }
}
