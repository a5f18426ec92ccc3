//! What a policy takes to learn an observation and to decide a cycle:
//! `cargo bench -p recrawl-engine --bench cycle`.
//!
//! A million pages on a thousand sites, held since the first day, whose rates
//! differ between sites and within them. Each day a cycle visits 28 % of them in
//! batches. Learning is taking in the batches and opening the next cycle, which
//! draws the conclusions; deciding is asking for batches. CPU and wall time of the
//! scheduler alone: outcomes are drawn while the clocks stand.
//! `RECRAWL_BENCH_PAGES`, `RECRAWL_BENCH_SITE_PAGES` and `RECRAWL_BENCH_POLICY` ask
//! for other worlds and policies.

#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a benchmark reports, reads clocks, may be told its size, and stops if it cannot run"
)]

mod draw;

use std::time::{Duration, Instant};

use recrawl_engine::Scheduler;
use recrawl_model::{Budget, Outcome, PageId, SiteId, Timestamp, Weight};
use recrawl_policy::Summary;
use rustix::time::{ClockId, clock_gettime};

use draw::chance;

const PAGES: u32 = 1_000_000;
const SITE_PAGES: u32 = 1_000;
const VISITED: f64 = 0.28;

/// Cycles that are not counted, in which every page is met, and that are.
const WARM: u32 = 2;
const COUNTED: u32 = 8;

fn cpu_time() -> Duration {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

/// CPU and wall time spent so far.
#[derive(Clone, Copy, Default)]
struct Spent {
    cpu: Duration,
    wall: Duration,
}

impl Spent {
    /// Does something and counts its time.
    fn on<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let (wall, cpu) = (Instant::now(), cpu_time());
        let made = work();
        self.cpu += cpu_time().saturating_sub(cpu);
        self.wall += wall.elapsed();
        made
    }
}

fn asked_for(name: &str, usual: u32) -> u32 {
    let asked = std::env::var(name).ok();
    let asked = asked.and_then(|text| text.parse().ok()).unwrap_or(usual);
    asked.max(1)
}

/// Changes a day: a rate of the site, and a factor of the page.
fn rate(page: PageId, sites: u32) -> f64 {
    let site = (4.0 * chance(page.0 % sites, 1 << 18) - 5.0).exp();
    site * (3.0 * chance(page.0, 1 << 19) - 1.5).exp()
}

fn day(n: u32) -> Timestamp {
    Timestamp::from_seconds(i64::from(n) * 86_400)
}

/// The most memory the process has held, where the system tells.
fn peak_bytes() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kibibytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kibibytes * 1_024.0)
}

fn main() {
    let pages = asked_for("RECRAWL_BENCH_PAGES", PAGES);
    let sites = (pages / asked_for("RECRAWL_BENCH_SITE_PAGES", SITE_PAGES)).max(1);
    let name = std::env::var("RECRAWL_BENCH_POLICY").unwrap_or_else(|_| "bayes".to_owned());
    let policy = recrawl_policy::parse(&name).expect("a policy");
    let mut scheduler = Scheduler::new(policy.as_ref(), 1);
    scheduler.reserve(pages as usize);
    for page in 0..pages {
        scheduler.add_held_page(SiteId(page % sites), Weight::ONE, day(0));
    }
    let budget = (f64::from(pages) * VISITED) as u64;
    let mut outcomes = Vec::new();
    let (mut opened, mut learned, mut decided) =
        (Spent::default(), Spent::default(), Spent::default());
    let mut visits = 0u64;
    for cycle in 1..=WARM + COUNTED {
        if cycle == WARM + 1 {
            (opened, learned, decided) = Default::default();
            visits = 0;
        }
        let now = day(cycle);
        opened
            .on(|| scheduler.begin_cycle(Budget::downloads(budget), now))
            .expect("a cycle");
        loop {
            let asked = decided.on(|| scheduler.decide(now).pages.to_vec());
            if asked.is_empty() {
                break;
            }
            visits += asked.len() as u64;
            outcomes.clear();
            outcomes.extend(asked.iter().map(|&page| {
                let last = scheduler.summary(page).and_then(Summary::last);
                let days = now.days_since(last.expect("held"));
                if chance(page.0, cycle) < -(-rate(page, sites) * days).exp_m1() {
                    Outcome::Changed
                } else {
                    Outcome::Unchanged
                }
            }));
            learned
                .on(|| scheduler.observe_batch(now, &outcomes))
                .expect("in order");
        }
    }
    let cycles = f64::from(COUNTED);
    println!("{name}: {pages} pages on {sites} sites, {visits} visits in {COUNTED} cycles");
    for (what, spent) in [
        ("opening", opened),
        ("observing", learned),
        ("deciding", decided),
    ] {
        println!(
            "  {what:<10} {:6.3} s CPU, {:6.3} s wall a cycle; {:5.0} ns a visit",
            spent.cpu.as_secs_f64() / cycles,
            spent.wall.as_secs_f64() / cycles,
            spent.cpu.as_secs_f64() / visits as f64 * 1e9,
        );
    }
    if let Some(bytes) = peak_bytes() {
        println!("  {:.1} bytes a page at most", bytes / f64::from(pages));
    }
}
