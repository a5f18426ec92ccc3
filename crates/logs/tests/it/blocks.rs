//! Where blocks are cut is no matter.

use recrawl_logs::{Format, ReadSettings, read_from};

use crate::support::{refusal, view};

fn settings(block_bytes: usize) -> ReadSettings {
    ReadSettings {
        block_bytes,
        ..ReadSettings::default()
    }
}

/// Pages whose quoted names hold line ends, commas and quotes.
fn quoted_log() -> String {
    let mut log = "page,time,changed,note\n".to_owned();
    for visit in 0..40 {
        for page in [
            "plain",
            "\"two\nlines\"",
            "\"a \"\"quote\"\", and\r\n\nmore\"",
        ] {
            log += &format!("{page},{visit},{},\"n\n,\"\n", visit % 2);
        }
    }
    log
}

#[test]
fn blocks_of_any_size_read_the_same_rows() {
    let log = quoted_log();
    let read = |block_bytes| {
        let set = read_from(log.as_bytes(), Format::Csv, "log", &settings(block_bytes));
        view(&set.expect("a log"))
    };
    let whole = read(1 << 20);
    assert_eq!(whole.len(), 3);
    for block_bytes in (1..200).chain([500, 1000]) {
        assert_eq!(read(block_bytes), whole, "blocks of {block_bytes}");
    }
}

#[test]
fn lines_are_counted_alike_in_blocks_of_any_size() {
    let good = quoted_log();
    let bad_line = good.matches('\n').count() + 1;
    let log = good + "\"late\",never,1,\n";
    for block_bytes in (1..120).chain([1 << 20]) {
        let read = read_from(log.as_bytes(), Format::Csv, "log", &settings(block_bytes));
        let message = refusal(read);
        assert!(
            message.starts_with(&format!("log line {bad_line}: ")),
            "{block_bytes}: {message}"
        );
    }
}

#[test]
fn both_rows_of_a_duplicate_are_named_in_blocks_of_any_size() {
    let good = quoted_log();
    let line = good.matches('\n').count() + 1;
    let log = good + "plain,0,1,\n";
    for block_bytes in (1..120).chain([1 << 20]) {
        let read = read_from(log.as_bytes(), Format::Csv, "log", &settings(block_bytes));
        let expected = format!(
            "log line {line}: page `plain` is observed at 1970-01-01T00:00:00Z a second time, \
             the first is log line 2; keep one of the two"
        );
        assert_eq!(refusal(read), expected, "blocks of {block_bytes}");
    }
}

#[test]
fn many_pages_in_many_blocks_keep_their_rows_apart() {
    let mut log = "time,page,changed\n".to_owned();
    for visit in 0..5 {
        for page in 0..3000u32 {
            let page = page * 7919 % 3000; // all of them, out of order
            log += &format!("{visit},https://site{}.example/{page},1\n", page % 7);
        }
    }
    let set = read_from(log.as_bytes(), Format::Csv, "log", &settings(4096)).expect("a log");
    assert_eq!((set.len(), set.observations()), (3000, 15_000));
    assert_eq!(set.sites().len(), 7);
    assert!(view(&set).iter().all(|page| page.3.len() == 5));
}
