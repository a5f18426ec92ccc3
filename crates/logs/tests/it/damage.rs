//! No bytes, however damaged, bring the reader down.

use proptest::prelude::*;
use recrawl_logs::Format;

use crate::formats::rows;
use crate::support::{as_csv, as_ndjson, as_parquet, read_bytes};

const FORMATS: [Format; 3] = [Format::Csv, Format::Ndjson, Format::Parquet];

proptest! {
    #[test]
    fn arbitrary_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for format in FORMATS {
            let _ = read_bytes(&bytes, format);
        }
    }

    #[test]
    fn text_that_looks_like_a_log_is_read_or_refused(
        text in "(page,time,changed\n)?([a1,\"\n\r{}: .-]|\"page\"|\"time\"|true|1970-01-01T00:00:00Z){0,60}",
    ) {
        for format in FORMATS {
            let _ = read_bytes(text.as_bytes(), format);
        }
    }

    #[test]
    fn a_damaged_log_is_read_or_refused(
        rows in rows(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        cut in any::<prop::sample::Index>(),
    ) {
        for (mut bytes, format) in [
            (as_csv(&rows), Format::Csv),
            (as_ndjson(&rows), Format::Ndjson),
            (as_parquet(&rows, true), Format::Parquet),
        ] {
            for (place, byte) in &damage {
                let place = place.index(bytes.len());
                bytes[place] = *byte;
            }
            let _ = read_bytes(&bytes, format);
            bytes.truncate(cut.index(bytes.len()));
            let _ = read_bytes(&bytes, format);
        }
    }
}

#[test]
fn parquet_with_a_damaged_footer_or_page_is_refused() {
    let text = "page,time,changed\na,1,\na,2,1\n";
    let message = read_bytes(text.as_bytes(), Format::Parquet)
        .expect_err("no Parquet")
        .to_string();
    assert!(
        message.starts_with("log cannot be read as Parquet: "),
        "{message}"
    );
    let rows = [];
    let bytes = as_parquet(&rows, true);
    for cut in [0, 3, bytes.len() / 2, bytes.len() - 1] {
        assert!(
            read_bytes(&bytes[..cut], Format::Parquet).is_err(),
            "cut at {cut}"
        );
    }
}
