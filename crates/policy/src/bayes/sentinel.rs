//! Looks that tell whether a site has fallen silent.
//!
//! A page that has surely changed since it was seen tells nothing of silence: it did so
//! before or not. One that was seen when the site was last looked at does, once it should
//! have changed again. That page is the site's sentinel.

use recrawl_model::{PageId, SiteId};

use super::planner::BayesPlanner;
use super::probe::{Look, resolved};
use super::view::View;
use crate::Desk;

/// Chance that a site is silent from which on its pages are visited for their own sake.
const SURE: f64 = 0.9;

/// Share of the doubt that the next look at a page seen now will resolve, if it comes
/// when that page should have changed.
const RESOLVED_LATER: f64 = 0.8;

/// What it is worth to know that a site is silent.
#[derive(Debug, Clone, Copy)]
pub(super) struct Promise {
    /// Chance of it.
    pub(super) silent: f64,
    /// What is won by visiting its pages if it is.
    pub(super) gain: f64,
    /// How many it has.
    pub(super) pages: usize,
    /// Of those that stand for all, the one of the strongest claim.
    pub(super) best: Option<PageId>,
}

/// The look into a site that tells best whether it is silent, if it pays: at its
/// sentinel or, if the last look was too long ago to tell of most of the silence there
/// may be, at a page that is to be the next one. `price` is the claim that the last
/// affordable page has.
pub(super) fn look(
    planner: &BayesPlanner,
    desk: &Desk<'_>,
    site: SiteId,
    price: f64,
    promise: &Promise,
) -> Option<Look> {
    let followed = planner.knowledge.site(site)?;
    let activity = followed.activity?;
    if promise.silent > SURE {
        return None;
    }
    let sentinel = activity.sentinel.filter(|&page| desk.is_open(page));
    let is_watched = sentinel.is_some() && planner.knowledge.is_watched(followed);
    let is_new = activity.looked() == 0 && !is_watched;
    let page = if is_new { promise.best } else { sentinel }?;
    let view = View::new(planner, desk.collection(), page, desk.now)?;
    let worth = if is_new {
        RESOLVED_LATER * promise.silent * promise.gain - price
    } else {
        let loss = promise.pages as f64 * price;
        let changed = [
            view.changed_if_silent(),
            view.changed(activity.awake() as f32),
        ];
        let back_off = desk.collection().summary(page).back_off();
        back_off * promise.worth(changed.map(f64::from), loss)
    };
    let surplus = worth - (price - view.claim()).max(0.0);
    (surplus > 0.0).then_some(Look {
        surplus,
        page,
        site,
    })
}

impl Promise {
    /// What a look at a page is worth that has changed with these chances if the site is
    /// silent and if it is awake: the share of the gain whose doubt it resolves or, if
    /// that is more, what is won by visiting all pages at once if it has not changed,
    /// where `loss` is what that costs if the site is awake after all.
    fn worth(&self, changed: [f64; 2], loss: f64) -> f64 {
        let parts = [self.silent, 1.0 - self.silent];
        let [silent, awake] = [0, 1].map(|at| parts[at] * (1.0 - changed[at]));
        let at_once = silent * self.gain - awake * loss;
        let mean = parts[0] * changed[0] + parts[1] * changed[1];
        let square = parts[0] * changed[0] * changed[0] + parts[1] * changed[1] * changed[1];
        let share = resolved(mean as f32, square as f32);
        at_once.max(share * self.silent * self.gain)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROMISE: Promise = Promise {
        silent: 0.1,
        gain: 50.0,
        pages: 100,
        best: None,
    };

    #[test]
    fn a_page_that_has_surely_changed_tells_nothing_of_silence() {
        assert!(PROMISE.worth([1.0, 1.0], 1e9) < 1e-6);
    }

    #[test]
    fn one_that_should_have_changed_again_tells_all() {
        let told = PROMISE.worth([0.0, 0.999], 1e9);
        assert!((told - 5.0).abs() < 0.1, "{told}");
        // Where it may as well have been quiet by chance, hardly anything.
        assert!(PROMISE.worth([0.0, 0.05], 1e9) < 0.05);
    }

    #[test]
    fn pages_may_be_visited_at_once_where_little_is_lost() {
        assert!(PROMISE.worth([0.0, 0.5], 1.0) > 4.0);
    }
}
