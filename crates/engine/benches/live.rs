//! What scheduling costs a live driver with a million pages:
//! `cargo bench -p recrawl-engine --bench live`.
//!
//! A million pages on a thousand sites, changing at the rate of their site, three
//! observations of each run through the scheduler as at start, then cycles of an
//! hour with a budget of a million visits a day, every visit waiting in the queue
//! of its host and observed on its own, as the watcher does. CPU time of the
//! process, since shared machines make wall time meaningless; even that differs
//! by half from run to run there, so the median of three is told with all of them.
//! `RECRAWL_BENCH_PAGES` asks for another number of pages,
//! `RECRAWL_BENCH_SITE_PAGES` for so many on each site: with 12, sites are just
//! large enough for their activity to be followed.

#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a benchmark reports, and stops if it cannot run"
)]

mod draw;

use std::time::Duration;

use recrawl_engine::{Answered, HostId, Hosts, Manners, Scheduler};
use recrawl_model::{Budget, Observation, Outcome, PageId, SiteId, Timestamp, Weight};
use recrawl_policy::Summary;
use rustix::time::{ClockId, clock_gettime};

use draw::chance;

const PAGES: u32 = 1_000_000;
const SITE_PAGES: u32 = 1_000;
const CYCLES: u32 = 12;
const RUNS: usize = 3;

fn cpu_seconds() -> f64 {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    now.tv_sec as f64 + now.tv_nsec as f64 * 1e-9
}

/// What a visit finds so many days after the one before it.
fn outcome(page: PageId, turn: u32, sites: u32, days: f64) -> Outcome {
    let rate = 0.02 + 0.3 * f64::from(page.0 % sites) / f64::from(sites);
    if chance(page.0, turn) < -(-rate * days).exp_m1() {
        Outcome::Changed
    } else {
        Outcome::Unchanged
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "a benchmark may be told its size"
)]
fn asked_for(name: &str, usual: u32) -> u32 {
    let asked = std::env::var(name).ok();
    let asked = asked.and_then(|text| text.parse().ok()).unwrap_or(usual);
    asked.max(1)
}

fn main() {
    let pages = asked_for("RECRAWL_BENCH_PAGES", PAGES);
    let site_pages = asked_for("RECRAWL_BENCH_SITE_PAGES", SITE_PAGES);
    let sites = (pages / site_pages).max(1);
    for policy in ["round-robin", "frequency", "bayes"] {
        let mut runs = [(); RUNS].map(|()| measure(policy, pages, sites));
        let all = runs.map(|run| format!("{:.2}", run.scheduled)).join(" ");
        runs.sort_by(|one, other| one.scheduled.total_cmp(&other.scheduled));
        let Run {
            replayed,
            scheduled,
            visits,
        } = runs[RUNS / 2];
        println!(
            "{policy:<12} {pages} pages on {sites} sites: {replayed:.0} ns an observation replayed, {scheduled:.2} us a visit scheduled ({visits} visits in {CYCLES} cycles; runs {all})",
        );
    }
}

/// CPU of one run.
#[derive(Clone, Copy)]
struct Run {
    /// Nanoseconds an observation.
    replayed: f64,
    /// Microseconds a visit.
    scheduled: f64,
    visits: u64,
}

fn measure(name: &str, pages: u32, sites: u32) -> Run {
    let policy = recrawl_policy::parse(name).expect("a policy");
    let hour = |hours: i64| Timestamp::from_seconds(1_800_000_000 + hours * 3_600);
    let mut scheduler = Scheduler::new(policy.as_ref(), 1);
    scheduler.reserve(pages as usize);
    let start = cpu_seconds();
    for page in 0..pages {
        scheduler.add_page(SiteId(page % sites), Weight::ONE);
    }
    for turn in 0..3u32 {
        let begin = hour(i64::from(turn) * 24);
        let begun = scheduler.begin_cycle(Budget::downloads(0), begin);
        begun.expect("a cycle");
        for page in (0..pages).map(PageId) {
            let seen = match turn {
                0 => Outcome::First,
                _ => outcome(page, turn, sites, 1.0),
            };
            let at = begin.after(Duration::from_millis(u64::from(page.0)));
            scheduler
                .record(page, Observation::new(at, seen))
                .expect("in order");
        }
    }
    let replayed = cpu_seconds() - start;
    let budget = u64::from(pages) / 24;
    let (mut visits, mut turn) = (0, 3); // the turns before were replayed
    let start = cpu_seconds();
    for cycle in 0..CYCLES {
        let now = hour(100 + i64::from(cycle));
        turn += 1;
        visits += one_cycle(&mut scheduler, now, budget, turn, sites);
    }
    let spent = cpu_seconds() - start;
    Run {
        replayed: replayed / f64::from(pages) / 3.0 * 1e9,
        scheduled: spent / visits as f64 * 1e6,
        visits,
    }
}

/// One cycle as the watcher has it; returns how many visits were made.
fn one_cycle(scheduler: &mut Scheduler, now: Timestamp, budget: u64, turn: u32, sites: u32) -> u64 {
    let manners = Manners {
        gap: Duration::ZERO,
        ..Manners::default()
    };
    let mut hosts: Hosts<PageId> = Hosts::new(manners);
    scheduler
        .begin_cycle(Budget::downloads(budget), now)
        .expect("a cycle");
    let mut visits = 0;
    loop {
        let asked = scheduler.decide(now).pages.to_vec();
        if asked.is_empty() {
            return visits;
        }
        for page in asked {
            let site = page.0 % sites;
            let host = hosts.intern(&format!("{site}.example"), now, str::to_owned);
            hosts.enqueue(host, page);
        }
        let mut at = now;
        while let Some((host, page)) = next(&mut hosts, &mut at) {
            let last = scheduler.summary(page).and_then(Summary::last);
            let days = at.days_since(last.expect("held"));
            let seen = Observation::new(at, outcome(page, turn, sites, days));
            scheduler.observe(page, seen).expect("asked for");
            hosts.done(host, at, Answered::Well);
            visits += 1;
        }
    }
}

/// The next visit, as soon as its host is ready.
fn next(hosts: &mut Hosts<PageId>, at: &mut Timestamp) -> Option<(HostId, PageId)> {
    *at = hosts.wake()?.max(*at);
    hosts.next(*at)
}
