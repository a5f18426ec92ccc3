//! What detection costs a visit of a 20 KB HTML page, in CPU time of one
//! thread, beside building a tree of the page: `cargo bench -p recrawl-detect`.

use std::error::Error;
use std::fmt::{self, Write};
use std::hint::black_box;
use std::time::Duration;

use recrawl_detect::{Body, Detector, Level, Memory, Settings, SettingsError};
use rustix::time::{ClockId, clock_gettime};

const REPEATS: usize = 9;
const PAGE_BYTES: usize = 20_000;

fn cpu_time() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

/// Median CPU microseconds of one call, from `REPEATS` batches after one more.
fn microseconds(calls: usize, mut call: impl FnMut()) -> f64 {
    let mut batches: Vec<f64> = (0..=REPEATS)
        .map(|_| {
            let start = cpu_time();
            for _ in 0..calls {
                call();
            }
            cpu_time().saturating_sub(start).as_secs_f64() * 1e6 / calls as f64
        })
        .skip(1)
        .collect();
    batches.sort_by(f64::total_cmp);
    batches[REPEATS / 2]
}

/// A page like those of shops and newspapers: half of it markup, a script, a
/// menu, paragraphs with links, a counter in the footer.
fn page(nonce: u32, counter: u32, news: &str) -> Result<Vec<u8>, fmt::Error> {
    let mut html = String::new();
    write!(
        html,
        "<!doctype html><html lang=en><head><meta charset=utf-8><title>Mill Lane</title>\
         <script nonce=\"{nonce}\">window.start = function (a) {{ return a < 3 && a > 1; }};</script>\
         <style>.card {{ overflow: hidden }}</style></head><body><nav class=\"menu main\"><ul>"
    )?;
    for item in 0..12 {
        write!(
            html,
            "<li class=\"item\"><a href=\"/section/{item}\">Section {item}</a></li>"
        )?;
    }
    write!(html, "</ul></nav><main><h1>{news}</h1>")?;
    let mut paragraph = 0;
    while html.len() < PAGE_BYTES - 200 {
        paragraph += 1;
        write!(
            html,
            "<div class=\"card card--wide\" data-id=\"{paragraph}\"><h2 class=\"title\">Paragraph {paragraph}</h2>\n\
             <p>The mill stands by the river &amp; has stood there for {paragraph} hundred years, \
             as <a href=\"/archive/{paragraph}\" title=\"see the archive\">the archive</a> tells; \
             nobody remembers <em>why</em> it was built so far from the village.</p>\n\
             <img src=\"/images/{paragraph}.jpg\" alt=\"mill\" style=\"overflow:hidden\"></div>\n"
        )?;
    }
    write!(
        html,
        "</main><footer><p>Visitors today: {counter}</p></footer></body></html>"
    )?;
    Ok(html.into_bytes())
}

/// A page of little but text: a menu, and paragraphs unlike those of other versions.
fn prose(version: usize) -> Result<Vec<u8>, fmt::Error> {
    let words: Vec<&str> = include_str!("visit.rs").split_whitespace().collect();
    let mut html = String::from("<!doctype html><title>Prose</title><nav><ul>");
    for item in 0..20 {
        write!(
            html,
            "<li class=\"item\"><a href=\"/p{item}\">to page {item}</a></li>"
        )?;
    }
    write!(html, "</ul></nav><main>")?;
    let mut start = version;
    while html.len() < PAGE_BYTES {
        start = (start + 60) % (words.len() - 60);
        let text = words[start..start + 60].join(" ");
        let text = text.replace('<', "(").replace('&', "and");
        writeln!(html, "<p class=\"text\">{text}</p>")?;
    }
    Ok(html.into_bytes())
}

fn body(bytes: &[u8]) -> Body<'_> {
    Body::new(bytes, Some("text/html; charset=utf-8"))
}

fn detector(level: Level, exclude: &[&str]) -> Result<Detector, SettingsError> {
    Detector::new(&Settings {
        level,
        exclude: exclude.iter().map(ToString::to_string).collect(),
        ..Settings::default()
    })
}

#[expect(clippy::print_stdout, reason = "a benchmark reports")]
fn report(name: &str, microseconds: f64) {
    println!("{microseconds:9.2} µs  {name}");
}

/// The cost of comparing `new` with what is remembered of `old`.
fn compare(name: &str, detector: &Detector, memory: &Memory, new: &[u8], calls: usize) {
    let cost = microseconds(calls, || {
        black_box(detector.compare(black_box(memory), &body(black_box(new))));
    });
    report(name, cost);
}

#[expect(clippy::print_stdout, reason = "a benchmark reports")]
fn main() -> Result<(), Box<dyn Error>> {
    let old = page(1, 1041, "Nothing new")?;
    let other_nonce = page(2, 1041, "Nothing new")?;
    println!("CPU of one thread, a page of {} bytes:", old.len());

    let text = detector(Level::Text, &[])?;
    let memory = text.first(&body(&old))?;
    let rested = text.compare(&memory, &body(&old)).memory;
    let masked = text.learn_noise(&memory, &body(&old), &body(&page(2, 1042, "Nothing new")?));
    compare("the same bytes", &text, &rested, &old, 5_000);
    compare(
        "the same text, another nonce",
        &text,
        &rested,
        &other_nonce,
        2_000,
    );
    let counted = page(2, 1977, "Nothing new")?;
    compare("noise that is masked", &text, &masked, &counted, 2_000);
    let changed = page(2, 1041, "Shop closed")?;
    compare("a headline changed", &text, &rested, &changed, 2_000);
    let cost = microseconds(2_000, || {
        let memory = text.first(&body(black_box(&old)));
        drop(black_box(memory));
    });
    report("first visit", cost);

    let (plain, other) = (prose(0)?, prose(7)?);
    let remembered = text.first(&body(&plain))?;
    compare("prose, all of it new", &text, &remembered, &other, 5_000);

    let bytes = detector(Level::Bytes, &[])?;
    let raw = bytes.first(&body(&old))?;
    compare(
        "level bytes, another nonce",
        &bytes,
        &raw,
        &other_nonce,
        500,
    );
    let selecting = detector(Level::Text, &[".menu"])?;
    let selected = selecting.first(&body(&old))?;
    compare(
        "with a selector, so with a tree",
        &selecting,
        &selected,
        &other_nonce,
        200,
    );
    let main = detector(Level::Main, &[])?;
    let content = main.first(&body(&old))?;
    compare("level main", &main, &content, &other_nonce, 50);
    let html = String::from_utf8_lossy(&old);
    let cost = microseconds(200, || {
        let tree = scraper::Html::parse_document(black_box(&html));
        black_box(tree.root_element().text().map(str::len).sum::<usize>());
    });
    report(
        "a tree alone, its text counted (scraper), for comparison",
        cost,
    );
    println!(
        "memory: {} bytes new, {} at rest",
        memory.to_bytes().len(),
        rested.to_bytes().len()
    );
    Ok(())
}
