//! Where pages come from.

use std::io::Write;
use std::time::Duration;

use recrawl_store::{MemoryStore, Store};
use recrawl_testkit::{Reply, Server};
use recrawl_watch::{Event, Sources, Watcher};
use tokio_util::sync::CancellationToken;

use crate::support::{BEGAN, clock_after, settings, watch};

async fn serve() -> Server {
    Server::start(|request| {
        let host = request.header("host").unwrap_or_default().to_owned();
        match request.path.as_str() {
            "/robots.txt" => Reply::status(404),
            "/sitemap.xml" => Reply::page(format!(
                "<?xml version=\"1.0\"?><sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><sitemap><loc>http://{host}/pages.xml</loc></sitemap></sitemapindex>"
            )),
            "/pages.xml" => Reply::page(format!(
                "<?xml version=\"1.0\"?><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>http://{host}/a</loc><lastmod>2026-01-01</lastmod></url><url><loc>http://{host}/b</loc></url></urlset>"
            )),
            "/feed" => Reply::page(format!(
                "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>t</title><link>http://{host}/</link><description>d</description><item><link>http://{host}/entry</link><guid>1</guid></item></channel></rss>"
            )),
            _ => Reply::page("text"),
        }
    })
    .await
}

#[tokio::test]
async fn a_sitemap_and_its_children_name_pages() {
    let server = serve().await;
    let mut sources = Sources::new();
    sources.add(&server.url("/sitemap.xml")).expect("a sitemap");
    let (totals, mut seen, _) = watch(settings(9, 1), MemoryStore::new(), &sources).await;
    assert_eq!(totals.visits, 2);
    seen.sort_by(|one, other| one.page.cmp(&other.page));
    assert_eq!(seen[0].page, server.url("/a"));
    assert_eq!(seen[1].page, server.url("/b"));
}

#[tokio::test]
async fn between_the_sitemaps_of_an_index_the_host_has_its_gap() {
    let server = serve().await;
    let mut sources = Sources::new();
    sources.add(&server.url("/sitemap.xml")).expect("a sitemap");
    let mut settings = settings(9, 1);
    settings.manners.gap = Duration::from_secs(4 * 3_600);
    let (_, seen, _) = watch(settings, MemoryStore::new(), &sources).await;
    let first = seen.iter().map(|seen| seen.time).min();
    assert!(first.expect("visits") >= BEGAN.after(Duration::from_secs(4 * 3_600)));
}

#[tokio::test]
async fn a_feed_is_a_page_and_names_those_of_its_entries() {
    let server = serve().await;
    let mut sources = Sources::new();
    sources
        .add(&format!("feed:{}", server.url("/feed")))
        .expect("a feed");
    let (totals, seen, _) = watch(settings(9, 1), MemoryStore::new(), &sources).await;
    assert_eq!(totals.visits, 2);
    assert!(seen.iter().any(|seen| seen.page == server.url("/entry")));
}

#[tokio::test]
async fn a_list_names_what_is_watched_and_the_rest_of_the_store_pauses() {
    let server = serve().await;
    let mut list = tempfile::NamedTempFile::new().expect("a file");
    writeln!(
        list,
        "# mine\n{}\n{} weight=2",
        server.url("/a"),
        server.url("/b")
    )
    .expect("written");
    let mut sources = Sources::new();
    sources
        .add(&list.path().display().to_string())
        .expect("a list");
    let (totals, _, store) = watch(settings(9, 1), MemoryStore::new(), &sources).await;
    assert_eq!(totals.visits, 2);
    std::fs::write(
        list.path(),
        format!("{}\n{}\n", server.url("/b"), server.url("/c")),
    )
    .expect("written");
    // Pages that join wait for the next cycle.
    let (_, seen, store) = watch(settings(9, 2), store, &sources).await;
    let mut paths: Vec<_> = seen.iter().map(|seen| seen.page.clone()).collect();
    paths.sort();
    assert_eq!(paths, [server.url("/b"), server.url("/c")]);
    assert_eq!(
        store.resume().next_page,
        3,
        "a paused page keeps its number"
    );
    let (_, seen, _) = watch(settings(9, 2), store, &Sources::new()).await;
    assert_eq!(seen.len(), 2, "without a list, what was watched goes on");
}

#[tokio::test]
async fn a_list_edited_while_watching_is_read_again() {
    let server = serve().await;
    let list = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(list.path(), server.url("/a")).expect("written");
    let mut sources = Sources::new();
    sources
        .add(&list.path().display().to_string())
        .expect("a list");
    let mut settings = settings(9, 1);
    settings.stop_after_cycles = None;
    let store = MemoryStore::new();
    let clock = clock_after(&store);
    let mut watcher = Watcher::open(settings, clock, store, &sources).expect("a watcher");
    let stop = CancellationToken::new();
    let mut edited = false;
    let mut later = Vec::new();
    let mut tell = |event: Event<'_>| match event {
        Event::Visited(_) if !edited => {
            edited = true;
            std::fs::write(list.path(), format!("{}\n", server.url("/longer"))).expect("written");
        }
        Event::Pages { added, paused, .. } => assert_eq!((added, paused), (1, 1)),
        Event::Visited(seen) if seen.page.ends_with("/longer") => {
            later.push(seen.page.clone());
            stop.cancel();
        }
        _ => {}
    };
    watcher.run(&stop, &mut tell).await.expect("a watch");
    assert_eq!(later, [server.url("/longer")]);
}

#[tokio::test]
async fn what_is_neither_an_address_nor_a_file_is_refused() {
    let mut sources = Sources::new();
    let error = sources.add("no/such/file.txt").expect_err("nothing there");
    assert!(error.to_string().contains("no/such/file.txt"), "{error}");
    assert!(sources.add("https://").is_err());
}
