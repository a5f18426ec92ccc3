//! What detection costs a visit of a 20 KB HTML page, in CPU time of one
//! thread, beside building a tree of the page: `cargo bench -p recrawl-detect`.

use std::hint::black_box;
use std::time::Duration;

use recrawl_detect::{Body, Detector, Level, Memory, Settings};
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
fn page(nonce: u32, counter: u32, news: &str) -> Vec<u8> {
    let mut html = format!(
        "<!doctype html><html lang=en><head><meta charset=utf-8><title>Mill Lane</title>\
         <script nonce=\"{nonce}\">window.start = function (a) {{ return a < 3 && a > 1; }};</script>\
         <style>.card {{ overflow: hidden }}</style></head><body><nav class=\"menu main\"><ul>"
    );
    for item in 0..12 {
        html += &format!("<li class=\"item\"><a href=\"/section/{item}\">Section {item}</a></li>");
    }
    html += &format!("</ul></nav><main><h1>{news}</h1>");
    let mut paragraph = 0;
    while html.len() < PAGE_BYTES - 200 {
        paragraph += 1;
        html += &format!(
            "<div class=\"card card--wide\" data-id=\"{paragraph}\"><h2 class=\"title\">Paragraph {paragraph}</h2>\n\
             <p>The mill stands by the river &amp; has stood there for {paragraph} hundred years, \
             as <a href=\"/archive/{paragraph}\" title=\"see the archive\">the archive</a> tells; \
             nobody remembers <em>why</em> it was built so far from the village.</p>\n\
             <img src=\"/images/{paragraph}.jpg\" alt=\"mill\" style=\"overflow:hidden\"></div>\n"
        );
    }
    html += &format!("</main><footer><p>Visitors today: {counter}</p></footer></body></html>");
    html.into_bytes()
}

fn body(bytes: &[u8]) -> Body<'_> {
    Body::new(bytes, Some("text/html; charset=utf-8"))
}

fn detector(level: Level, exclude: &[&str]) -> Detector {
    let settings = Settings {
        level,
        exclude: exclude.iter().map(ToString::to_string).collect(),
        ..Settings::default()
    };
    match Detector::new(&settings) {
        Ok(detector) => detector,
        Err(error) => unreachable!("{error}"),
    }
}

fn first(detector: &Detector, bytes: &[u8]) -> Memory {
    match detector.first(&body(bytes)) {
        Ok(memory) => memory,
        Err(error) => unreachable!("{error}"),
    }
}

#[expect(clippy::print_stdout, reason = "a benchmark reports")]
fn main() {
    let text = detector(Level::Text, &[]);
    let old = page(1, 1041, "Nothing new");
    let memory = first(&text, &old);
    let masked = text.learn_noise(&memory, &body(&page(2, 1042, "Nothing new")));
    let report = |name: &str, microseconds: f64| println!("{microseconds:9.2} µs  {name}");
    println!("CPU of one thread, a page of {} bytes:", old.len());
    let compare = |name: &str, detector: &Detector, memory: &Memory, new: &[u8], calls: usize| {
        let cost = microseconds(calls, || {
            black_box(detector.compare(black_box(memory), &body(black_box(new))));
        });
        report(name, cost);
    };
    compare("the same bytes", &text, &memory, &old, 5_000);
    compare(
        "the same text, another nonce",
        &text,
        &memory,
        &page(2, 1041, "Nothing new"),
        2_000,
    );
    compare(
        "noise that is masked",
        &text,
        &masked,
        &page(2, 1977, "Nothing new"),
        2_000,
    );
    compare(
        "a headline changed",
        &text,
        &memory,
        &page(2, 1041, "Shop closed"),
        2_000,
    );
    let cost = microseconds(2_000, || {
        drop(black_box(text.first(&body(black_box(&old)))))
    });
    report("first visit", cost);
    let raw = detector(Level::Bytes, &[]);
    compare(
        "level bytes, another nonce",
        &raw,
        &first(&raw, &old),
        &page(2, 1041, "Nothing new"),
        500,
    );
    let selecting = detector(Level::Text, &[".menu"]);
    compare(
        "with a selector, so with a tree",
        &selecting,
        &first(&selecting, &old),
        &page(2, 1041, "Nothing new"),
        200,
    );
    let main = detector(Level::Main, &[]);
    compare(
        "level main",
        &main,
        &first(&main, &old),
        &page(2, 1041, "Nothing new"),
        50,
    );
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
        {
            let rested = text.compare(&memory, &body(&old)).memory;
            rested.to_bytes().len()
        }
    );
}
