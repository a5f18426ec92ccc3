//! What sources say of pages between visits.

use recrawl_engine::{ObserveError, Scheduler};
use recrawl_model::{
    Budget, Hint, HintKind, Observation, Outcome, PageId, SiteId, Timestamp, Weight,
};

fn day(n: i64) -> Timestamp {
    Timestamp::from_seconds(n * 86_400)
}

fn sitemap(modified: Timestamp) -> Hint {
    Hint {
        kind: HintKind::Sitemap,
        said_modified_at: modified,
        heard_at: modified,
    }
}

/// Forty pages of one site that each change every eighth day, which their
/// sitemap says, or else says of all pages every day.
fn watched(honest: bool) -> Scheduler {
    let policy = recrawl_policy::parse("bayes").expect("a policy");
    let mut scheduler = Scheduler::new(policy.as_ref(), 1);
    for _ in 0..40 {
        scheduler.add_held_page(SiteId(0), Weight::ONE, day(0));
    }
    for now in 1..30 {
        let start = Budget::downloads(0);
        scheduler.begin_cycle(start, day(now)).expect("a cycle");
        for page in 0..40 {
            let changed = (page + now) % 8 == 0;
            let id = PageId(page as u32);
            if changed || !honest {
                scheduler.hint(id, sitemap(day(now))).expect("a page");
            }
            let outcome = if changed {
                Outcome::Changed
            } else {
                Outcome::Unchanged
            };
            let seen = Observation::new(day(now), outcome);
            scheduler.record(id, seen).expect("in order");
        }
    }
    scheduler
}

#[test]
fn a_page_that_a_trusted_sitemap_names_comes_first() {
    for (honest, first) in [(true, true), (false, false)] {
        let mut scheduler = watched(honest);
        let now = day(30);
        scheduler.hint(PageId(7), sitemap(now)).expect("a page");
        scheduler
            .begin_cycle(Budget::downloads(1), now)
            .expect("a cycle");
        let claim = |page| scheduler.explain(PageId(page), now).expect("a page");
        let ahead = claim(7).value > 1.5 * claim(8).value;
        assert_eq!(ahead, first, "{}", claim(7));
        assert!(claim(7).to_string().contains("sitemap"), "{}", claim(7));
    }
}

#[test]
fn a_hint_about_nobody_is_refused() {
    let page = PageId(99);
    let refused = watched(true).hint(page, sitemap(day(1)));
    assert_eq!(refused, Err(ObserveError::NoSuchPage { page }));
}
