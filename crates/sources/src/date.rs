//! Dates of sitemaps: [`w3c_date`].

use recrawl_model::Timestamp;

/// Reads a date as sitemaps write it (W3C date and time): `2026`, `2026-01`,
/// `2026-01-12`, `2026-01-12T10:00Z`, with seconds, fractions and offsets. The
/// start of the day, month or year where no time is given, UTC where no zone
/// is. None for anything else: it is a hint only.
pub(crate) fn w3c_date(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    if !text.is_ascii() {
        return None;
    }
    let (date, time) = match text.find(['T', 't', ' ']) {
        Some(at) => (&text[..at], &text[at + 1..]),
        None => (text, ""),
    };
    let date = match date.len() {
        4 => format!("{date}-01-01"),
        7 => format!("{date}-01"),
        10 => date.to_owned(),
        _ => return None,
    };
    let (clock, zone) = match time.find(['Z', 'z', '+', '-']) {
        Some(at) => time.split_at(at),
        None => (time, "Z"),
    };
    let clock = match clock.len() {
        0 => "00:00:00".to_owned(),
        5 => format!("{clock}:00"),
        _ => clock.to_owned(),
    };
    Timestamp::parse(&format!("{date}T{clock}{zone}")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_the_w3c_names_its_first_moment() {
        for (text, seconds) in [
            ("2026", 1_767_225_600),
            ("2026-01", 1_767_225_600),
            ("2026-01-12", 1_768_176_000),
            ("2026-01-12T10:00Z", 1_768_212_000),
            ("2026-01-12T10:00+01:00", 1_768_208_400),
            ("2026-01-12T10:00:30-05:00", 1_768_230_030),
            (" 2026-01-12 10:00:30 ", 1_768_212_030),
        ] {
            assert_eq!(
                w3c_date(text),
                Some(Timestamp::from_seconds(seconds)),
                "{text}"
            );
        }
        let fraction = w3c_date("2026-01-12T10:00:30.25Z").expect("a date");
        assert_eq!(fraction.micros(), 1_768_212_030_250_000);
    }

    #[test]
    fn anything_else_is_no_hint() {
        for text in [
            "",
            "yesterday",
            "2026-13",
            "2026-02-30",
            "20260112",
            "12/01/2026",
            "2026-01-12T",
        ] {
            let expected = (text == "2026-01-12T").then(|| Timestamp::from_seconds(1_768_176_000));
            assert_eq!(w3c_date(text), expected, "{text}");
        }
    }
}
