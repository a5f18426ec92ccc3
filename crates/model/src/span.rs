//! Lengths of time as people write them: `90s`, `15m`, `6h`, `7d`, `2w`.

use std::time::Duration;

use thiserror::Error;

const SECONDS_PER_DAY: f64 = 86_400.0;

/// Units a span may be written in, longest first, with their seconds.
const SUFFIXES: [(char, f64); 5] = [
    ('w', 604_800.0),
    ('d', SECONDS_PER_DAY),
    ('h', 3_600.0),
    ('m', 60.0),
    ('s', 1.0),
];

/// A text that names no span.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is no span of time; write a positive number and a unit: 90s, 15m, 6h, 7d or 2w")]
pub struct SpanError(pub String);

/// Days in `span`.
#[must_use]
pub fn days(span: Duration) -> f64 {
    span.as_secs_f64() / SECONDS_PER_DAY
}

/// The span of so many days; `None` if negative, NaN or beyond what a
/// [`Duration`] holds.
#[must_use]
pub fn from_days(days: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(days * SECONDS_PER_DAY).ok()
}

/// Reads `90s`, `15m`, `6h`, `7d`, `2w`; fractions are allowed. Zero is not, nor
/// is less than a microsecond, the least by which moments differ.
///
/// # Errors
/// [`SpanError`] carries the text.
pub fn parse_span(text: &str) -> Result<Duration, SpanError> {
    let refuse = || SpanError(text.to_owned());
    let (number, seconds) = SUFFIXES
        .iter()
        .find_map(|&(suffix, seconds)| Some((text.trim().strip_suffix(suffix)?, seconds)))
        .ok_or_else(refuse)?;
    let count: f64 = number.parse().map_err(|_| refuse())?;
    let span = Duration::try_from_secs_f64(count * seconds).map_err(|_| refuse())?;
    if span.as_micros() == 0 {
        Err(refuse())
    } else {
        Ok(span)
    }
}

/// Counts up to which a span is told exactly rather than rounded in a larger
/// unit: `365d`, but `1.19w` rather than `200h`.
const MOST_DAYS: f64 = 999.0;
const MOST_PARTS_OF_A_DAY: f64 = 99.0;

/// Writes a span as people do: in the largest unit that counts it exactly
/// (`36h`, `30d`), or with up to three digits where none does.
#[must_use]
pub fn format_span(span: Duration) -> String {
    let seconds = span.as_secs_f64();
    let exact = |&(_, unit): &(char, f64)| {
        let count = seconds / unit;
        let most = if unit < SECONDS_PER_DAY {
            MOST_PARTS_OF_A_DAY
        } else {
            MOST_DAYS
        };
        count.fract() == 0.0 && (1.0..=most).contains(&count)
    };
    let largest = |&(_, unit): &(char, f64)| seconds >= unit;
    let chosen = SUFFIXES.into_iter().find(exact);
    let (suffix, unit) = chosen
        .or_else(|| SUFFIXES.into_iter().find(largest))
        .unwrap_or(('s', 1.0));
    let count = seconds / unit;
    let decimals = match count {
        100.0.. => 0,
        10.0.. => 1,
        _ => 2,
    };
    let text = format!("{count:.decimals$}");
    let short = if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        &text
    };
    format!("{short}{suffix}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_read_in_each_unit() {
        for (text, seconds) in [
            ("90s", 90),
            ("15m", 900),
            ("6h", 21_600),
            ("7d", 604_800),
            ("2w", 1_209_600),
            ("1.5h", 5_400),
        ] {
            assert_eq!(parse_span(text), Ok(Duration::from_secs(seconds)), "{text}");
        }
    }

    #[test]
    fn a_span_without_unit_zero_or_negative_is_refused() {
        for text in [
            "7",
            "",
            "d",
            "0d",
            "0.0000001s",
            "-3h",
            "NaNs",
            "infd",
            "7 years",
        ] {
            assert_eq!(parse_span(text), Err(SpanError(text.to_owned())));
        }
    }

    #[test]
    fn spans_are_written_short() {
        for (seconds, text) in [
            (90, "90s"),
            (86_400 * 3, "3d"),
            (86_400 * 30, "30d"),
            (86_400 * 14, "2w"),
            (3_600 * 36, "36h"),
            (86_400 * 365, "365d"),
            (3_600 * 200, "1.19w"),
            (0, "0s"),
            (1_234_567, "2.04w"),
            (604_800 * 100, "100w"),
        ] {
            assert_eq!(format_span(Duration::from_secs(seconds)), text);
        }
    }
}
