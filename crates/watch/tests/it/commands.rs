//! What others ask of a watcher while it runs, and of a store nobody watches.

use std::io::Write;
use std::sync::Arc;

use recrawl_model::{Outcome, PageId, Timestamp, Weight};
use recrawl_store::{MemoryStore, Standing, Store};
use recrawl_testkit::{Reply, Server};
use recrawl_watch::{
    Attendant, Command, CommandError, Commander, Event, Learned, Settings, Sources, SystemClock,
    Watcher, ask, commands,
};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio_util::sync::CancellationToken;

use crate::support::{clock_after, pages, settings, watch};

async fn serve() -> Server {
    Server::start(|request| match request.path.as_str() {
        "/robots.txt" => Reply::status(404),
        _ => Reply::page("text"),
    })
    .await
}

/// Watches while somebody sends commands and hears of each visit's page; ends
/// when that somebody is done.
async fn watch_while<F: Future<Output = ()>>(
    settings: Settings,
    store: MemoryStore,
    sources: &Sources,
    meanwhile: impl FnOnce(Commander, UnboundedReceiver<String>) -> F,
) -> Watcher<MemoryStore> {
    let clock = clock_after(&store);
    let mut watcher = Watcher::open(settings, clock, store, sources).expect("a watcher");
    let (commander, commands) = commands();
    watcher.listen(commands);
    let (visited, visits) = unbounded_channel();
    let stop = CancellationToken::new();
    let mut tell = |event: Event<'_>| {
        if let Event::Visited(seen) = event {
            let _ = visited.send(seen.page.clone());
        }
    };
    let meanwhile = async {
        meanwhile(commander, visits).await;
        stop.cancel();
    };
    let (watched, ()) = tokio::join!(watcher.run(&stop, &mut tell), meanwhile);
    watched.expect("a watch");
    watcher
}

async fn add(commander: &Commander, url: String) -> PageId {
    let pages = vec![(url, None)];
    let added = ask(commander, |reply| Command::Add { pages, reply }).await;
    added.expect("added").pages[0]
}

async fn set(commander: &Commander, page: PageId, standing: Standing) {
    let weight = Weight::new(3.0).ok();
    let standing = Some(standing);
    let command = |reply| Command::Set {
        page,
        standing,
        weight,
        reply,
    };
    ask(commander, command).await.expect("set");
}

/// Waits for a visit of a page.
async fn visit_of(visits: &mut UnboundedReceiver<String>, url: &str) {
    while visits.recv().await.expect("the watch goes on") != url {}
}

#[tokio::test]
async fn a_page_added_while_watching_is_visited_and_outlives_edits_of_the_list() {
    let server = serve().await;
    let mut list = tempfile::NamedTempFile::new().expect("a file");
    writeln!(list, "{}", server.url("/listed")).expect("written");
    let mut sources = Sources::new();
    sources
        .add(&list.path().display().to_string())
        .expect("a list");
    let mut endless = settings(9, 1);
    endless.stop_after_cycles = None;
    let url = server.url("/added");
    let watcher = watch_while(
        endless,
        MemoryStore::new(),
        &sources,
        async |commander, mut visits| {
            add(&commander, url.clone()).await;
            visit_of(&mut visits, &url).await;
        },
    )
    .await;
    std::fs::write(list.path(), server.url("/other")).expect("written");
    let (_, seen, store) = watch(settings(9, 2), watcher.into_store(), &sources).await;
    assert!(
        seen.iter().any(|visited| visited.page == url),
        "it is still watched"
    );
    let standing = |path: &str| {
        let page = store
            .find(&server.url(path))
            .expect("a store")
            .expect("known");
        let row = store.rows(&[page]).expect("rows").pop().flatten();
        row.expect("a row").standing
    };
    assert_eq!(standing("/added"), Standing::Watched);
    assert_eq!(
        standing("/listed"),
        Standing::Paused,
        "the list names it no longer"
    );
}

#[tokio::test]
async fn a_paused_page_is_left_alone_until_it_is_watched_again() {
    let server = serve().await;
    let sources = pages(&server, &["/a", "/b"]);
    let mut endless = settings(2, 1);
    endless.stop_after_cycles = None;
    let (a, b) = (server.url("/a"), server.url("/b"));
    let watcher = watch_while(
        endless,
        MemoryStore::new(),
        &sources,
        async |commander, mut visits| {
            visit_of(&mut visits, &a).await;
            visit_of(&mut visits, &b).await;
            set(&commander, PageId(0), Standing::Paused).await;
            // A visit that was on its way may still come; after the next cycle none does.
            for _ in 0..2 {
                visit_of(&mut visits, &b).await;
            }
            while visits.try_recv().is_ok() {}
            for _ in 0..2 {
                let next = visits.recv().await.expect("the watch goes on");
                assert_eq!(next, b, "the other page is paused");
            }
            set(&commander, PageId(0), Standing::Watched).await;
            visit_of(&mut visits, &a).await;
        },
    )
    .await;
    assert_eq!(watcher.scheduler().collection().weight(PageId(0)), 3.0);
    let asked = |path: &str| {
        server
            .requests()
            .iter()
            .filter(|one| one.path == path)
            .count()
    };
    assert!(asked("/b") > asked("/a"), "{} {}", asked("/b"), asked("/a"));
}

#[tokio::test]
async fn what_somebody_else_saw_is_known_to_the_engine_and_costs_nothing() {
    let server = serve().await;
    let sources = pages(&server, &["/a"]);
    let mut endless = settings(1, 1);
    endless.stop_after_cycles = None;
    let watcher = watch_while(
        endless,
        MemoryStore::new(),
        &sources,
        async |commander, _| {
            let seen = |n: i64, outcome| Learned {
                page: server.url("/elsewhere"),
                site: None,
                weight: None,
                at: Timestamp::from_seconds(1_700_000_000 + n * 86_400),
                outcome,
                last_modified: None,
                note: None,
            };
            let seen = vec![seen(0, Outcome::First), seen(1, Outcome::Changed)];
            let new = ask(&commander, |reply| Command::Learn { seen, reply }).await;
            assert_eq!(new, Ok(1));
        },
    )
    .await;
    let summary = watcher.scheduler().summary(PageId(1)).expect("it is known");
    assert_eq!((summary.intervals(), summary.changes()), (1, 1));
    let spent = watcher.scheduler().budget().spent().in_downloads();
    let cycle = watcher.store().resume().cycle.clone().expect("a cycle");
    assert_eq!(
        spent,
        cycle.visited.len() as f64,
        "only visits were paid for"
    );
}

#[tokio::test]
async fn a_number_never_given_is_told_and_the_watch_goes_on() {
    let server = serve().await;
    let sources = pages(&server, &["/a"]);
    watch_while(
        settings(1, 1),
        MemoryStore::new(),
        &sources,
        async |commander, _| {
            let page = PageId(7);
            let looked = ask(&commander, |reply| Command::Look { page, reply }).await;
            assert_eq!(looked.err(), Some(CommandError::NoSuchPage(7)));
            let status = ask(&commander, |reply| Command::Status { reply }).await;
            assert!(status.is_ok());
        },
    )
    .await;
}

#[tokio::test]
async fn a_store_nobody_watches_takes_the_same_commands() {
    let (commander, mut commands) = commands();
    let stop = CancellationToken::new();
    let mut attendant = Attendant::new(MemoryStore::new(), Arc::new(SystemClock));
    let asking = async {
        let page = add(&commander, "https://a.test/".to_owned()).await;
        set(&commander, page, Standing::Removed).await;
        let looked = ask(&commander, |reply| Command::Look { page, reply }).await;
        let row = looked.expect("it is there").row;
        assert_eq!((row.standing, row.weight.get()), (Standing::Removed, 3.0));
        stop.cancel();
    };
    tokio::join!(attendant.run(&mut commands, &stop), asking);
    drop(commands);
    let late = ask(&commander, |reply| Command::Status { reply }).await;
    assert_eq!(late.err(), Some(CommandError::Ended));
}

#[tokio::test]
async fn a_page_paused_while_it_waits_for_its_host_is_not_visited() {
    let server = serve().await;
    let sources = pages(&server, &["/a", "/b"]);
    let mut slow = settings(2, 1);
    slow.stop_after_cycles = None;
    slow.manners.gap = std::time::Duration::from_secs(12 * 3_600);
    watch_while(
        slow,
        MemoryStore::new(),
        &sources,
        async |commander, mut visits| {
            let first = visits.recv().await.expect("a visit");
            let (seen, other) = if first == server.url("/a") {
                ("/a", 1)
            } else {
                ("/b", 0)
            };
            set(&commander, PageId(other), Standing::Paused).await;
            for _ in 0..2 {
                visit_of(&mut visits, &server.url(seen)).await;
            }
        },
    )
    .await;
    let asked = |path: &str| {
        server
            .requests()
            .iter()
            .filter(|one| one.path == path)
            .count()
    };
    assert_eq!(
        asked("/a").min(asked("/b")),
        0,
        "one of them was never visited"
    );
}
