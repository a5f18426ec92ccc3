//! The demo from end to end, over real HTTP on loopback.

use std::time::Duration;

use recrawl_demo::{Demo, DemoSettings};
use recrawl_store::MemoryStore;
use tokio_util::sync::CancellationToken;

#[tokio::test]
async fn a_short_demo_ends_by_itself_within_its_budget() {
    let settings = DemoSettings {
        seed: 1,
        length: Some(Duration::from_secs(3)),
    };
    let mut told = 0;
    let stop = CancellationToken::new();
    let (_commander, commands) = recrawl_watch::commands();
    let demo = Demo::new(settings);
    let summary = demo
        .run(MemoryStore::new(), commands, &stop, &mut |standing| {
            assert!(standing.ours.visits <= 60 * (standing.day as u64 + 2));
            told += 1;
        })
        .await
        .expect("the demo runs");
    eprintln!("{summary:?}");
    assert_eq!(summary.pages, 300);
    assert!(summary.visits > 0 && summary.visits <= summary.budget);
    assert!(summary.changes_caught <= summary.changes_true);
    assert!(told > 0);
}
