//! A page's claim to a visit, and what it is made from.

use recrawl_estimate::GammaFilter;
use recrawl_model::{Explanation, PageId, Timestamp};

use super::planner::BayesPlanner;
use super::site::{Site, Wait};
use crate::{Collection, Objective};

/// One page at one moment.
pub(super) struct View<'a> {
    planner: &'a BayesPlanner,
    site: &'a Site,
    pub(super) belief: GammaFilter,
    wait: Wait,
    /// Chance that the page has kept its ways since it was seen.
    kept: f64,
    /// What the visit is worth for what it tells of the page, importance and
    /// failed visits reckoned in.
    pub(super) bonus: f64,
    /// Importance, halved for each failed visit.
    stake: f64,
}

impl<'a> View<'a> {
    /// `None` before the first cycle. A page never seen counts as one like the
    /// others of its site that was seen when the first cycle began.
    pub(super) fn new(
        planner: &'a BayesPlanner,
        collection: &Collection,
        page: PageId,
        now: Timestamp,
    ) -> Option<Self> {
        let summary = collection.summary(page);
        let site = planner.knowledge.sites.get(summary.site().index())?;
        let from = summary
            .last()
            .unwrap_or_else(|| planner.knowledge.calendar.at(0));
        let belief = planner.knowledge.evidence(page).belief(site.page_prior)?;
        let wait = site.wait(&planner.knowledge.calendar, from, now);
        let kept = if planner.knowledge.forgetting.is_needed() {
            let cycles = now.days_since(from) / planner.knowledge.cycle_days;
            planner.knowledge.forgetting.kept(cycles.max(0.0))
        } else {
            1.0
        };
        let mut view = Self {
            planner,
            site,
            belief,
            wait,
            kept,
            bonus: 0.0,
            stake: collection.weight(page) * summary.back_off(),
        };
        if planner.exploration.is_ready() {
            let worth = planner.exploration.worth(belief, view.days(view.busy()));
            view.bonus = view.stake * kept * worth;
        }
        Some(view)
    }

    /// How busy the page's site is believed to be.
    pub(super) fn busy(&self) -> f64 {
        self.site.busy()
    }

    /// Busy days since the page was seen, if its site is that busy now.
    pub(super) fn days(&self, level: f64) -> f64 {
        self.wait.past + self.wait.open * level
    }

    /// What the visit is worth by itself.
    pub(super) fn urgency(&self, level: f64) -> f64 {
        let days = self.days(level);
        let urgency = |belief| self.planner.objective.expected_urgency(belief, days);
        let own = urgency(self.belief);
        let value = match self.planner.knowledge.any {
            Some(any) if self.kept < 1.0 => self.kept * own + (1.0 - self.kept) * urgency(any),
            _ => own,
        };
        self.stake * value
    }

    /// The claim: what the visit is worth by itself and for what it tells.
    pub(super) fn claim(&self, level: f64) -> f64 {
        self.urgency(level) + self.bonus
    }

    /// The claim and the numbers it was made from.
    pub(super) fn explain(&self, collection: &Collection, page: PageId) -> Explanation {
        let summary = collection.summary(page);
        let level = self.busy();
        let what = match self.planner.objective {
            Objective::Changes => "changes found by a visit now, less what waiting would find",
            Objective::Freshness => "freshness won by a visit now, less what waiting would win",
            Objective::Age => "age saved by a visit now, less what waiting would save",
        };
        let urgency = Explanation::new(self.urgency(level), what)
            .because(Explanation::new(collection.weight(page), "importance"))
            .because(Explanation::new(
                summary.back_off(),
                "1/2 for each failed visit",
            ))
            .because(Explanation::new(
                self.belief.change_probability(self.days(level)),
                "P(changed) since it was seen",
            ))
            .because(self.explain_days(level))
            .because(self.explain_rate(page))
            .because(
                Explanation::new(self.kept, "P(the page has kept its ways since it was seen)")
                    .because(Explanation::new(
                        self.planner.knowledge.forgetting.chance(),
                        "P(a page changes its ways in a cycle)",
                    )),
            );
        Explanation::new(
            self.claim(level),
            "claim = worth of the visit + worth of what it tells",
        )
        .because(urgency)
        .because(Explanation::new(
            self.bonus,
            "worth of knowing the page's rate better in the cycles ahead",
        ))
    }

    fn explain_days(&self, level: f64) -> Explanation {
        let looked = self
            .site
            .activity
            .as_ref()
            .map_or(0, super::activity::Activity::looked);
        Explanation::new(self.days(level), "busy days since it was seen")
            .because(Explanation::new(
                self.wait.past,
                "busy days that are settled",
            ))
            .because(Explanation::new(
                self.wait.open,
                "days since the site was looked at",
            ))
            .because(
                Explanation::new(level, "times as busy as usual, the site now").because(
                    Explanation::new(f64::from(looked), "looks into it in this cycle"),
                ),
            )
    }

    fn explain_rate(&self, page: PageId) -> Explanation {
        let [changes, days] = self.planner.knowledge.evidence(page).numbers();
        let prior = self.site.page_prior;
        let site = Explanation::new(prior.mean, "changes a busy day of a page of its site")
            .because(Explanation::new(
                self.site.rate.changes,
                "changes it is known from",
            ))
            .because(Explanation::new(prior.shape, "how alike its pages are"));
        Explanation::new(self.belief.mean(), "changes a busy day, as believed")
            .because(Explanation::new(
                changes,
                "changes its own visits count for",
            ))
            .because(Explanation::new(days, "busy days its own visits count for"))
            .because(site)
    }
}
