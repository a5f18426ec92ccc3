//! Update histories in CSV and Parquet, good and bad.

#![expect(clippy::expect_used, reason = "helpers of tests fail like tests")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow::array::{ArrayRef, Int64Array, RecordBatch, StringArray, UInt32Array};
use parquet::arrow::ArrowWriter;
use recrawl_histories::{Files, Grouping, read};
use recrawl_model::{PageId, Timestamp};
use recrawl_simulate::{Histories, World};
use tempfile::TempDir;

const PAGES: &str = "page_id,site,path,born,died\n\
                     10,a,x/1,100,\n\
                     11,a,y/2,1970-01-01T00:01:40Z,500\n\
                     12,b,x/3,150.5,\n";
const UPDATES: &str = "page_id,t\n12,300\n10,200\n10,180\n";

fn files(folder: &TempDir, pages: &str, updates: &str, sites: Option<&str>) -> Files {
    let write = |name: &str, text: &str| -> PathBuf {
        let path = folder.path().join(name);
        fs::write(&path, text).expect("a temporary file");
        path
    };
    Files {
        pages: write("pages.csv", pages),
        updates: write("updates.csv", updates),
        sites: sites.map(|text| write("sites.csv", text)),
    }
}

fn read_text(pages: &str, updates: &str, sites: Option<&str>) -> Result<Histories, String> {
    let folder = TempDir::new().expect("a temporary folder");
    let files = files(&folder, pages, updates, sites);
    read(&files, &Grouping::Site).map_err(|error| {
        let place = folder.path().display().to_string();
        error.to_string().replace(&format!("{place}/"), "")
    })
}

fn at(second: i64) -> Timestamp {
    Timestamp::from_seconds(second)
}

#[test]
fn rows_in_any_order_become_histories_in_order_of_time() {
    let histories = read_text(PAGES, UPDATES, None).expect("good files");
    assert_eq!(histories.len(), 3);
    assert_eq!(histories.updates(PageId(0)), [at(180), at(200)]);
    assert_eq!(histories.updates(PageId(1)), []);
    assert_eq!(histories.updates(PageId(2)), [at(300)]);
    assert_eq!(histories.span(), Some((at(100), at(500))));
}

#[test]
fn sites_say_where_histories_end() {
    let sites = Some("site,end\na,400\nb,450\n");
    let histories = read_text(PAGES, UPDATES, sites).expect("good files");
    assert_eq!(histories.span(), Some((at(100), at(450))));
}

#[test]
fn parquet_reads_like_csv() {
    let folder = TempDir::new().expect("a temporary folder");
    let write = |name: &str, columns: Vec<(&str, ArrayRef)>| -> PathBuf {
        let path = folder.path().join(name);
        let batch = RecordBatch::try_from_iter_with_nullable(
            columns
                .into_iter()
                .map(|(name, column)| (name, column, true)),
        )
        .expect("columns of one length");
        let file = fs::File::create(&path).expect("a temporary file");
        let mut writer = ArrowWriter::try_new(file, batch.schema(), None).expect("a schema");
        writer.write(&batch).expect("a batch");
        writer.close().expect("a footer");
        path
    };
    let pages: Vec<(&str, ArrayRef)> = vec![
        ("page_id", Arc::new(UInt32Array::from(vec![10, 11]))),
        ("site", Arc::new(StringArray::from(vec!["a", "b"]))),
        ("path", Arc::new(StringArray::from(vec!["x", "y"]))),
        ("born", Arc::new(Int64Array::from(vec![100, 100]))),
        ("died", Arc::new(Int64Array::from(vec![None, Some(500)]))),
    ];
    let updates: Vec<(&str, ArrayRef)> = vec![
        ("page_id", Arc::new(UInt32Array::from(vec![10, 10]))),
        ("t", Arc::new(Int64Array::from(vec![180, 200]))),
    ];
    let files = Files {
        pages: write("pages.parquet", pages),
        updates: write("updates.parquet", updates),
        sites: None,
    };
    let histories = read(&files, &Grouping::Site).expect("good files");
    assert_eq!(histories.updates(PageId(0)), [at(180), at(200)]);
    assert_eq!(histories.span(), Some((at(100), at(500))));
}

#[test]
fn pages_can_be_grouped_by_directory_or_by_a_column() {
    use recrawl_simulate::{Membership, RecordedWorld, Window};
    let folder = TempDir::new().expect("a temporary folder");
    let pages = PAGES.replace("born,died\n", "born,died,topic\n");
    let pages = pages.replace(",100,\n", ",100,,news\n");
    let pages = pages.replace(",500\n", ",500,shop\n");
    let pages = pages.replace("150.5,\n", "150.5,,news\n");
    let files = files(&folder, &pages, UPDATES, None);
    let groups = |grouping: Grouping| {
        let histories = read(&files, &grouping).expect("good files");
        let window = Window {
            start: at(160),
            cycle: std::time::Duration::from_secs(100),
            cycles: 1,
        };
        let world = RecordedWorld::new(&histories, window, Membership::Everyone);
        world.expect("pages").population().site_of_page().to_vec()
    };
    assert_eq!(groups(Grouping::Site), [0, 0, 1]);
    assert_eq!(groups(Grouping::Directory), [0, 1, 2]); // x/ of a is not x/ of b
    assert_eq!(groups(Grouping::Column("topic".to_owned())), [0, 1, 0]);
}

#[test]
fn a_bad_file_is_refused_with_file_row_and_column() {
    for (pages, updates, sites, expected) in [
        (
            "page_id,site,path,died\n1,a,x,\n",
            UPDATES,
            None,
            "pages.csv has no column `born`; it has page_id, site, path, died",
        ),
        (
            PAGES,
            "page_id,t\n10,99\n",
            None,
            "updates.csv line 2: page 10 is updated at 1970-01-01T00:01:39Z, not after it was \
             born at 1970-01-01T00:01:40Z",
        ),
        (
            PAGES,
            "page_id,t\n11,501\n",
            None,
            "updates.csv line 2: page 11 is updated at 1970-01-01T00:08:21Z, after it died at \
             1970-01-01T00:08:20Z",
        ),
        (
            PAGES,
            "page_id,t\n10,200\n99,200\n",
            None,
            "updates.csv line 3: page_id 99 is not in pages.csv",
        ),
        (
            PAGES,
            "page_id,t\n10,200\n10,200\n",
            None,
            "updates.csv line 3: page 10 is updated at 1970-01-01T00:03:20Z twice",
        ),
        (
            "page_id,site,path,born,died\n1,a,x,soon,\n",
            UPDATES,
            None,
            "pages.csv line 2: column `born`: `soon` is neither an RFC 3339 time \
             (2026-01-31T12:00:00Z) nor a number of seconds since 1970",
        ),
        (
            "page_id,site,path,born,died\n1,a,x,5,\n1,a,x,5,\n",
            UPDATES,
            None,
            "pages.csv line 3: page_id 1 stands in pages.csv twice",
        ),
        (
            PAGES,
            UPDATES,
            Some("site,end\na,400\n"),
            "pages.csv line 4: site `b` is not in sites.csv",
        ),
        (
            "page_id,site,path,born,died\n",
            "page_id,t\n",
            None,
            "pages.csv holds no page",
        ),
    ] {
        let refused = read_text(pages, updates, sites).expect_err("a bad file");
        assert_eq!(refused, expected);
    }
}

/// The folder with the real histories, where somebody has them.
#[expect(
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "real data is found by the environment, and missing it is said loudly"
)]
fn real_data() -> Option<PathBuf> {
    let folder = std::env::var("RECRAWL_DATA").ok();
    if folder.is_none() {
        eprintln!("SKIPPED: set RECRAWL_DATA to the folder with docs, terms and periodic");
    }
    folder.map(PathBuf::from)
}

fn real_files(folder: &Path, set: &str, sites: bool) -> Files {
    let file = |name: &str| folder.join(set).join(name);
    Files {
        pages: file("pages.parquet"),
        updates: file("updates.parquet"),
        sites: sites.then(|| file("sites.parquet")),
    }
}

#[test]
fn real_histories_are_read_whole() {
    let Some(folder) = real_data() else { return };
    for (set, pages) in [("docs", 165_941), ("terms", 1_419), ("periodic", 2_675)] {
        let histories = read(&real_files(&folder, set, true), &Grouping::Site);
        assert_eq!(histories.expect("good files").len(), pages);
    }
}

#[test]
fn policies_on_real_terms_score_as_the_reference_simulation_did() {
    // ALGORITHMS 7.5: weekly cycles, the last 104 weeks, 10 % of 864 pages on
    // 362 sites alive throughout; ChangeRatio of an independent version.
    use recrawl_simulate::{
        CycleBudget, Divergence, Membership, Nobody, Reading, RecordedWorld, Score, Settings, run,
    };
    let Some(folder) = real_data() else { return };
    let histories = read(&real_files(&folder, "terms", false), &Grouping::Site);
    let histories = histories.expect("good files");
    let week = std::time::Duration::from_secs(7 * 86_400);
    let window = histories.window(None, week, 104).expect("two years");
    let world = RecordedWorld::new(&histories, window, Membership::AliveThroughout);
    let world = world.expect("pages that stay");
    assert_eq!(
        (world.population().len(), world.population().sites()),
        (864, 362)
    );
    let settings = Settings {
        start: window.start,
        cycle: week,
        cycles: 104,
        budget: CycleBudget::Ratio(0.1),
        reading: Reading::SinceLast,
        divergence: Divergence::UpdatesMissed,
    };
    for (policy, expected) in [
        ("round-robin", 0.235),
        ("greedy", 0.191),
        ("nutch-adaptive", 0.322),
        ("rate-oracle", 0.417),
        ("oracle", 0.521),
    ] {
        let named = recrawl_policy::parse(policy).expect("a policy");
        let cycles = run(&mut world.clone(), &*named, &settings, 1, &Nobody);
        let ratio = Score::ChangeRatio.of_run(&cycles.expect("it runs"));
        let ratio = ratio.expect("downloads");
        assert!(
            (ratio - expected).abs() < 0.01,
            "{policy}: {ratio} against {expected}"
        );
    }
}
