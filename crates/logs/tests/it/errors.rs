//! Bad logs are refused with a sentence that leads to the spot.

use recrawl_logs::{Format, ReadSettings, read_from};

use crate::support::{read_bytes, read_csv, read_ndjson, refusal};

fn csv_refusal(log: &str) -> String {
    refusal(read_csv(log))
}

#[test]
fn a_bad_cell_is_named_by_line_column_and_value() {
    let cases = [
        (
            "page,time,changed\na,1,\n\na,soon,1\n",
            "log line 4: column `time`: `soon` is neither an RFC 3339 time (2026-01-31T12:00:00Z) nor a number of seconds since 1970",
        ),
        (
            "page,time,changed\na,NaN,1\n",
            "log line 2: column `time`: `NaN` is outside the times that can be held (finite, below 9e12 seconds from 1970)",
        ),
        (
            "page,time,changed\na,-inf,1\n",
            "log line 2: column `time`: `-inf` is outside the times that can be held (finite, below 9e12 seconds from 1970)",
        ),
        (
            "page,time,changed\na,,1\n",
            "log line 2: column `time`: empty, but every row needs one",
        ),
        (
            "page,time,changed\na,1,\nb,2,maybe\n",
            "log line 3: column `changed`: `maybe` is none of 1, 0, true, false or empty (unknown)",
        ),
        (
            "page,time,changed\n,1,\n",
            "log line 2: column `page`: empty, but every row needs one",
        ),
        (
            "page,time,changed,last_modified\na,1,,yesterday\n",
            "log line 2: column `last_modified`: `yesterday` is neither an RFC 3339 time (2026-01-31T12:00:00Z) nor a number of seconds since 1970",
        ),
        (
            "page,time,changed,weight\na,1,,-2\n",
            "log line 2: column `weight`: `-2` is not a finite number of at least 0",
        ),
        (
            "page,time,changed,weight\na,1,,inf\n",
            "log line 2: column `weight`: `inf` is not a finite number of at least 0",
        ),
        (
            "page,time,changed,weight\na,1,,much\n",
            "log line 2: column `weight`: `much` is not a finite number of at least 0",
        ),
        (
            "\"pa\nge\",page,time,changed\n\"\n\",a,1,\nx,a,2,\"no\nway\"\n",
            "log line 5: column `changed`: `no\\nway` is none of 1, 0, true, false or empty (unknown)",
        ),
    ];
    for (log, expected) in cases {
        assert_eq!(csv_refusal(log), expected, "{log:?}");
    }
}

#[test]
fn a_row_of_another_length_than_the_header_is_named() {
    assert_eq!(
        csv_refusal("page,time,changed\na,1,\na,2\n"),
        "log line 3: 2 fields where the header has 3"
    );
    assert_eq!(
        csv_refusal("page,time,changed\na,1,\nb,2,1,x\n"),
        "log line 3: 4 fields where the header has 3"
    );
    assert_eq!(
        csv_refusal("page,time,changed\na,1,\n \n"),
        "log line 3: 1 field where the header has 3"
    );
}

#[test]
fn broken_quotes_are_named_by_the_line_they_begin_on() {
    assert_eq!(
        csv_refusal("page,time,changed\na,1,\n\n\"b,2,1\nc,3,1\n"),
        "log line 4: a quoted field is opened and never closed"
    );
    assert_eq!(
        csv_refusal("\"page,time,changed\na,1,\n"),
        "log line 1: a quoted field is opened and never closed"
    );
    assert_eq!(
        csv_refusal("page,time,changed\n\"a\"b,2,1\n"),
        "log line 2: text after a closing quote, a quote inside a quoted field is written twice"
    );
    assert!(csv_refusal("\"page\"x,time,changed\n").starts_with("log line 1: text after"));
}

#[test]
fn a_missing_or_repeated_column_is_named_with_those_found() {
    assert_eq!(
        csv_refusal("page,when,changed\na,1,\n"),
        "log has no column `time`, the columns found are `page`, `when`, `changed`"
    );
    assert_eq!(
        csv_refusal("page;time;changed\na;1;\n"),
        "log has no column `page`, the columns found are `page;time;changed`, \
         separate columns with commas"
    );
    assert_eq!(
        csv_refusal("page,time,changed,page\n"),
        "log has two columns `page`, rename the one that is not meant"
    );
}

#[test]
fn a_log_without_rows_says_so() {
    for log in ["", "\n\n", "page,time,changed\n", "page,time,changed"] {
        assert_eq!(csv_refusal(log), "no observations in log", "{log:?}");
    }
    assert_eq!(refusal(read_ndjson(" \n\n")), "no observations in log");
}

#[test]
fn a_page_in_two_sites_is_named_with_both() {
    let log = "page,time,changed,site\na,1,,one\na,2,,\nb,2,,two\na,3,,two\n";
    let expected = "log line 5: page `a` is put in site `two`, but in site `one` before, \
                    a page belongs to one site";
    assert_eq!(csv_refusal(log), expected);
    let whole = read_from(log.as_bytes(), Format::Csv, "log", &ReadSettings::default());
    assert_eq!(refusal(whole), expected);
}

#[test]
fn the_first_problem_of_a_file_is_the_one_reported() {
    let log = "page,time,changed,site\na,1,,one\na,2,,two\na,bad,,\n";
    assert!(csv_refusal(log).starts_with("log line 3: page `a` is put in site `two`"));
    let log = "page,time,changed,site\na,1,,one\na,bad,,\na,2,,two\n";
    assert!(csv_refusal(log).starts_with("log line 3: column `time`"));
}

#[test]
fn text_that_is_not_utf8_is_refused_where_it_matters() {
    let latin = b"page,time,changed,remark\na,1,,caf\xe9\ncaf\xe9,1,,\n";
    assert_eq!(
        refusal(read_bytes(latin, Format::Csv)),
        "log line 3: column `page`: `caf\u{fffd}` is not UTF-8, convert the file first"
    );
    let ignored = b"page,time,changed,remark\na,1,,caf\xe9\n";
    assert!(read_bytes(ignored, Format::Csv).is_ok());
    let json = b"{\"page\":\"\xe9\",\"time\":1}\n";
    assert!(refusal(read_bytes(json, Format::Ndjson)).starts_with("log line 1: not a JSON object"));
}

#[test]
fn rows_beyond_the_longest_allowed_are_refused() {
    let settings = ReadSettings {
        block_bytes: 16,
        longest_row: 64,
        ..ReadSettings::default()
    };
    let read = |log: String, format| refusal(read_from(log.as_bytes(), format, "log", &settings));
    let endless = format!("page,time,changed\n{}", "x".repeat(500));
    let expected = "the row is longer than 64 bytes, is this a text file with line ends?";
    assert_eq!(
        read(endless, Format::Csv),
        format!("log line 2: {expected}")
    );
    let open = format!("page,time,changed\na,1,\n\"{}", "b,2,1\n".repeat(100));
    assert_eq!(read(open, Format::Csv), format!("log line 3: {expected}"));
    let header = format!("\"{}", "b,2,1\n".repeat(100));
    assert_eq!(read(header, Format::Csv), format!("log line 1: {expected}"));
    let json = format!("{{\"page\":\"a\",\"time\":1}}\n{}", "y".repeat(500));
    assert_eq!(
        read(json, Format::Ndjson),
        format!("log line 2: {expected}")
    );
}

#[test]
fn bad_json_is_named_by_line_and_key() {
    let cases = [
        (
            "{\"page\":\"a\",\"time\":1}\n{\"page\":\n",
            "log line 2: not a JSON object: EOF while parsing a value at byte 8",
        ),
        (
            "[\"a\",1,true]\n",
            "log line 1: not a JSON object: it begins `[\"a\",1,true]`",
        ),
        (
            "{\"time\":1}\n",
            "log line 1: column `page`: empty, but every row needs one",
        ),
        (
            "{\"page\":\"\",\"time\":1}\n",
            "log line 1: column `page`: empty, but every row needs one",
        ),
        (
            "{\"page\":\"a\"}\n",
            "log line 1: column `time`: empty, but every row needs one",
        ),
        (
            "{\"page\":\"a\",\"time\":\"\"}\n",
            "log line 1: column `time`: empty, but every row needs one",
        ),
        (
            "{\"page\":true,\"time\":1}\n",
            "log line 1: column `page`: `true` is not a string, write it in quotes",
        ),
        (
            "{\"page\":1e20,\"time\":1}\n",
            "log line 1: column `page`: `100000000000000000000` is not a string, write it in quotes",
        ),
        (
            "{\"page\":\"a\",\"time\":true}\n",
            "log line 1: column `time`: `true` is neither an RFC 3339 time (2026-01-31T12:00:00Z) nor a number of seconds since 1970",
        ),
        (
            "{\"page\":\"a\",\"time\":1e13}\n",
            "log line 1: column `time`: `10000000000000` is outside the times that can be held (finite, below 9e12 seconds from 1970)",
        ),
        (
            "{\"page\":\"a\",\"time\":1,\"changed\":2}\n",
            "log line 1: column `changed`: `2` is none of 1, 0, true, false or empty (unknown)",
        ),
        (
            "{\"page\":\"a\",\"time\":1,\"changed\":[1]}\n",
            "log line 1: column `changed`: `an array` is none of 1, 0, true, false or empty (unknown)",
        ),
        (
            "{\"page\":\"a\",\"time\":1,\"site\":{}}\n",
            "log line 1: column `site`: `an object` is not a string, write it in quotes",
        ),
        (
            "{\"page\":\"a\",\"time\":1,\"weight\":false}\n",
            "log line 1: column `weight`: `false` is not a finite number of at least 0",
        ),
    ];
    for (log, expected) in cases {
        assert_eq!(refusal(read_ndjson(log)), expected, "{log:?}");
    }
    let twice = "{\"page\":\"a\",\"time\":1,\"time\":2}\n";
    assert!(refusal(read_ndjson(twice)).contains("duplicate field `time`"));
}
