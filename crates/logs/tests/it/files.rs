//! Files by their names: formats, compression, several at once, none at all.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use recrawl_logs::{LogError, Progress, Silent, Source, read, total_bytes};
use recrawl_model::{HistorySet, Timestamp};
use tempfile::TempDir;

use crate::support::{LogRow, as_csv, as_ndjson, as_parquet, refusal, view};

fn sample() -> Vec<LogRow> {
    (0..30)
        .map(|n| LogRow {
            page: format!("https://s.org/{}", n % 4),
            at: Timestamp::from_seconds(n * 1000),
            changed: (n % 3 != 0).then_some(n % 2 == 0),
            last_modified: None,
            site: None,
            weight: None,
        })
        .collect()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 1).expect("memory")
}

fn folder(files: &[(&str, Vec<u8>)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, bytes) in files {
        fs::write(folder.path().join(name), bytes).expect("a file");
    }
    folder
}

fn read_files(folder: &Path, names: &[&str]) -> Result<HistorySet, LogError> {
    let sources: Vec<_> = names
        .iter()
        .map(|name| Source::parse(folder.join(name)))
        .collect();
    read(&sources, &Silent)
}

#[test]
fn formats_and_compressions_go_by_the_extension() {
    let rows = sample();
    let (csv, ndjson) = (as_csv(&rows), as_ndjson(&rows));
    let two_members = [gzip(&csv[..100]), gzip(&csv[100..])].concat();
    let files = [
        ("a.csv", csv.clone()),
        ("a.csv.gz", gzip(&csv)),
        ("members.csv.gz", two_members),
        ("a.csv.zst", zstd(&csv)),
        ("a.ndjson", ndjson.clone()),
        ("a.jsonl", ndjson.clone()),
        ("a.jsonl.gz", gzip(&ndjson)),
        ("a.ndjson.zst", zstd(&ndjson)),
        ("a.parquet", as_parquet(&rows, true)),
        ("a.PQ", as_parquet(&rows, false)),
    ];
    let folder = folder(&files);
    let expected = view(&read_files(folder.path(), &["a.csv"]).expect("a log"));
    for (name, _) in &files {
        let set = read_files(folder.path(), &[name]).unwrap_or_else(|refused| panic!("{refused}"));
        assert_eq!(view(&set), expected, "{name}");
    }
}

#[test]
fn a_page_may_be_spread_over_files_of_different_formats() {
    let rows = sample();
    let folder = folder(&[
        ("all.csv", as_csv(&rows)),
        ("1.ndjson", as_ndjson(&rows[..10])),
        ("2.csv.gz", gzip(&as_csv(&rows[10..17]))),
        ("none.csv", b"page,time,changed\n".to_vec()),
        ("empty.ndjson", Vec::new()),
        ("3.parquet", as_parquet(&rows[17..], true)),
    ]);
    let whole = read_files(folder.path(), &["all.csv"]).expect("a log");
    let pieces = [
        "3.parquet",
        "none.csv",
        "1.ndjson",
        "empty.ndjson",
        "2.csv.gz",
    ];
    let joined = read_files(folder.path(), &pieces).expect("logs");
    assert_eq!(view(&joined), view(&whole));
}

#[test]
fn a_duplicate_over_two_files_names_both_places() {
    let rows = sample();
    let folder = folder(&[
        ("1.csv", as_csv(&rows[..10])),
        ("2.parquet", as_parquet(&rows[7..], false)),
    ]);
    let message = refusal(read_files(folder.path(), &["1.csv", "2.parquet"]));
    let (first, second) = (folder.path().join("1.csv"), folder.path().join("2.parquet"));
    let expected = format!(
        "{} row 2: page `https://s.org/0` is observed at 1970-01-01T02:13:20Z a second time, \
         the first is {} line 10; keep one of the two",
        second.display(),
        first.display()
    );
    assert_eq!(message, expected);
}

#[test]
fn files_that_cannot_be_read_say_why() {
    let folder = folder(&[
        ("log.txt", b"page,time,changed\n".to_vec()),
        ("plain.csv.gz", b"page,time,changed\na,1,\n".to_vec()),
        ("plain.csv.zst", b"page,time,changed\na,1,\n".to_vec()),
        ("cut.csv.gz", gzip(&as_csv(&sample()))[..40].to_vec()),
        ("text.parquet", b"page,time,changed\na,1,\n".to_vec()),
        ("empty.parquet", Vec::new()),
        ("empty.csv", Vec::new()),
        ("header.csv", b"page,time,changed\n".to_vec()),
    ]);
    fs::create_dir(folder.path().join("logs.csv")).expect("a folder");
    let at = |name: &str| folder.path().join(name).display().to_string();
    let says = |name: &str| refusal(read_files(folder.path(), &[name]));
    assert_eq!(says("no.csv"), format!("`{}` does not exist", at("no.csv")));
    assert_eq!(
        says("logs.csv"),
        format!(
            "`{}` is a directory, name the log files in it instead",
            at("logs.csv")
        )
    );
    assert!(says("log.txt").contains("must end in .csv, .ndjson, .jsonl, .parquet or .pq"));
    for name in ["plain.csv.gz", "plain.csv.zst", "cut.csv.gz"] {
        let message = says(name);
        assert!(
            message.starts_with(&format!("{} cannot be read: ", at(name))),
            "{message}"
        );
    }
    for name in ["text.parquet", "empty.parquet"] {
        let message = says(name);
        let expected = format!("{} cannot be read as Parquet: ", at(name));
        assert!(message.starts_with(&expected), "{message}");
    }
    assert_eq!(
        says("empty.csv"),
        format!("no observations in {}", at("empty.csv"))
    );
    assert_eq!(
        refusal(read_files(folder.path(), &["empty.csv", "header.csv"])),
        format!(
            "no observations in {}, {}",
            at("empty.csv"),
            at("header.csv")
        )
    );
}

#[derive(Default)]
struct Sum(AtomicU64);

impl Progress for Sum {
    fn advance(&self, bytes: u64) {
        self.0.fetch_add(bytes, Ordering::Relaxed);
    }
}

#[test]
fn progress_adds_up_to_the_bytes_of_the_files() {
    let rows = sample();
    let files = [
        ("a.csv", as_csv(&rows[..10])),
        ("b.csv.gz", gzip(&as_csv(&rows[10..20]))),
        ("c.parquet", as_parquet(&rows[20..], true)),
    ];
    let folder = folder(&files);
    let sources: Vec<_> = files
        .iter()
        .map(|(name, _)| Source::parse(folder.path().join(name)))
        .collect();
    let sum = Sum::default();
    read(&sources, &sum).expect("logs");
    let total: usize = files.iter().map(|(_, bytes)| bytes.len()).sum();
    assert_eq!(total_bytes(&sources), Some(total as u64));
    assert_eq!(sum.0.into_inner(), total as u64);
    assert_eq!(total_bytes(&[Source::Stdin]), None);
}
