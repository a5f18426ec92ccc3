//! A page's claim to a visit, and what it is made from.

use recrawl_estimate::GammaFilter;
use recrawl_model::{Explanation, PageId, Timestamp};

use super::activity::Activity;
use super::evidence::Prior;
use super::followed::Followed;
use super::hints::Word;
use super::horizon::share_before;
use super::planner::BayesPlanner;
use super::site::Wait;
use super::waited::Waited;
use super::ways::Turned;
use crate::{Collection, Objective};

/// How many times what a visit wins it is worth, for freshness, to know a page's
/// rate: a page that is taken for too fast is never seen again.
const KNOWING: f64 = 1.5;

/// One page at one moment.
pub(super) struct View<'a> {
    planner: &'a BayesPlanner,
    site: Followed<'a>,
    belief: GammaFilter,
    prior: Prior,
    wait: Wait,
    /// Times as likely as at a steady rate a change is, so long after the last.
    recency: f32,
    /// Times as likely as believed, by what pages next to it show.
    told: f32,
    /// What sources say of it.
    word: Option<Word>,
    /// What it may be like if it changed its ways; `None` if pages keep them.
    turned: Option<Turned>,
    /// What the visit is worth for what it tells of the page, importance and
    /// failed visits reckoned in.
    bonus: f64,
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
        let knowledge = &planner.knowledge;
        let summary = collection.summary(page);
        let site = knowledge.site(summary.site())?;
        let from = summary.last().unwrap_or_else(|| knowledge.calendar.at(0));
        let prior = site.page_prior(knowledge.collection_changes());
        let belief = knowledge.evidence(page).belief(prior)?;
        let recency = knowledge.recency_of(knowledge.telling(site, summary.quiet()), from, now);
        let mut view = Self {
            planner,
            site,
            belief,
            prior,
            wait: site.wait(&knowledge.calendar, from, now).times(recency),
            recency,
            told: 1.0,
            word: knowledge.hints.about(page, summary.site()),
            turned: knowledge.turned(page, from, now),
            bonus: 0.0,
            stake: collection.weight(page) * summary.back_off(),
        };
        view.listen();
        let expected = view.belief.mean() * view.days(view.level());
        let around = knowledge.around(collection, page, from, now);
        view.told = knowledge.neighbours.factor(around, expected as f32);
        view.wait = view.wait.times(view.told);
        let resolved = view.own(view.level() as f32).resolved();
        if planner.objective == Objective::Freshness {
            view.bonus = KNOWING * f64::from(resolved) * view.urgency(view.level());
        } else if planner.exploration.is_ready() {
            let (shape, weight) = (belief.shape() as f32, belief.weight() as f32);
            let [known] = planner.exploration.of_knowing(&[shape], &[weight]);
            view.bonus = view.stake * view.kept() * f64::from(resolved * known);
        }
        Some(view)
    }

    /// Takes what sources say for a longer or shorter wait.
    fn listen(&mut self) {
        let level = self.level();
        if let Some(word) = self.word {
            self.wait.listen(word, self.belief, level);
        }
    }

    /// What the wait has done to the page if its site is that busy.
    fn waited(&self, level: f32) -> Waited {
        let own = self.own(level);
        let Some(turned) = self.turned else {
            return own;
        };
        let other = waited(turned.belief, self.wait, level);
        own.mixed(other, turned.kept as f32)
    }

    /// Chance that the page has kept its ways.
    fn kept(&self) -> f64 {
        self.turned.map_or(1.0, |turned| turned.kept)
    }

    /// The same if it has kept its ways.
    fn own(&self, level: f32) -> Waited {
        waited(self.belief, self.wait, level)
    }

    /// Chance that the page has changed, if its site is that busy.
    pub(super) fn changed(&self, level: f32) -> f32 {
        self.waited(level).changed
    }

    /// Busy days since the page was seen, if its site is that busy now.
    fn days(&self, level: f64) -> f64 {
        self.wait.days(level)
    }

    /// What the visit is worth by itself.
    fn urgency(&self, level: f64) -> f64 {
        if self.planner.objective == Objective::Changes {
            return self.stake * f64::from(self.waited(level as f32).urgency);
        }
        let days = self.days(level);
        let urgency = |belief: GammaFilter| {
            let all = self.planner.objective.expected_urgency(belief, days);
            all * self.before_horizon(belief.mean(), days)
        };
        let own = urgency(self.belief);
        let value = self.turned.map_or(own, |turned| {
            turned.kept * own + (1.0 - turned.kept) * urgency(turned.belief)
        });
        self.stake * value
    }

    /// The share of what a visit wins that counts.
    fn before_horizon(&self, rate: f64, days: f64) -> f64 {
        if self.planner.objective == Objective::Freshness {
            share_before(self.planner.knowledge.horizon(), rate, days)
        } else {
            1.0
        }
    }

    /// The claim if the site is that busy: what the visit is worth by itself and for
    /// what it tells.
    pub(super) fn claim_at(&self, level: f64) -> f64 {
        self.urgency(level) + self.bonus
    }

    /// The claim.
    ///
    /// Where only freshness counts, a page is left alone that changes too often: if its
    /// site has fallen silent, a visit makes it fresh for as long as anybody looks ahead.
    pub(super) fn claim(&self) -> f64 {
        let (silent, level) = (self.silent(), self.level());
        if silent > 0.0 {
            (1.0 - silent) * self.claim_at(level) + silent * self.claim_if_silent()
        } else {
            self.claim_at(level)
        }
    }

    /// The claim if its site is silent.
    pub(super) fn claim_if_silent(&self) -> f64 {
        self.stake * f64::from(self.changed_if_silent()) * self.planner.knowledge.horizon()
    }

    /// Chance that it has changed if its site is silent.
    pub(super) fn changed_if_silent(&self) -> f32 {
        self.changed(self.site.silence().level)
    }

    /// Chance that the site is silent, where that is reckoned with by itself.
    fn silent(&self) -> f64 {
        match self.planner.objective {
            Objective::Freshness => f64::from(self.site.silence().now),
            Objective::Changes | Objective::Age => 0.0,
        }
    }

    /// How busy the site is believed to be, but for silence that is reckoned with by
    /// itself.
    fn level(&self) -> f64 {
        match self.planner.objective {
            Objective::Freshness => self.site.awake(),
            Objective::Changes | Objective::Age => self.site.busy(),
        }
    }

    /// The claim and the numbers it was made from.
    pub(super) fn explain(&self, collection: &Collection, page: PageId) -> Explanation {
        let summary = collection.summary(page);
        let level = self.level();
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
            .because(self.explain_rate())
            .because(self.explain_ways());
        let awake = Explanation::new(
            self.claim_at(level),
            "claim = worth of the visit + worth of what it tells",
        )
        .because(urgency)
        .because(Explanation::new(
            self.bonus,
            "worth of knowing the page's rate better in the cycles ahead",
        ));
        if self.silent() > 0.0 {
            self.explain_silent(awake)
        } else {
            awake
        }
    }

    /// The claim, its site being silent or as `awake` says.
    fn explain_silent(&self, mut awake: Explanation) -> Explanation {
        awake.meaning.push_str(", if its site is awake");
        let silent = Explanation::new(
            self.claim_if_silent(),
            "claim = importance x P(changed) x days it would stay fresh, if its site is silent",
        )
        .because(Explanation::new(
            f64::from(self.changed_if_silent()),
            "P(changed) since it was seen, if its site is silent",
        ))
        .because(Explanation::new(
            self.planner.knowledge.horizon(),
            "days ahead that are looked at",
        ));
        Explanation::new(self.claim(), "claim, its site being silent or awake")
            .because(self.explain_silence())
            .because(silent)
            .because(awake)
    }

    fn explain_silence(&self) -> Explanation {
        let silent = f64::from(self.site.silence().now);
        Explanation::new(silent, "P(its site has fallen silent)")
    }

    fn explain_ways(&self) -> Explanation {
        let kept = Explanation::new(self.kept(), "P(the page has kept its ways)").because(
            Explanation::new(
                self.planner.knowledge.forgetting.chance(),
                "P(a page changes its ways in a cycle)",
            ),
        );
        match self.turned {
            Some(turned) => kept.because(Explanation::new(
                turned.belief.mean(),
                "changes a busy day if it has not, as believed",
            )),
            None => kept,
        }
    }

    fn explain_days(&self, level: f64) -> Explanation {
        let looked = self.site.activity.map_or(0, Activity::looked);
        let busy = Explanation::new(level, "times as busy as usual, the site now").because(
            Explanation::new(f64::from(looked), "looks into it in this cycle"),
        );
        let busy = if self.silent() > 0.0 {
            busy // told with the claim
        } else {
            busy.because(self.explain_silence())
        };
        let days = Explanation::new(self.days(level), "busy days since it was seen");
        let days = match self.word {
            Some(word) => days.because(word.explain()),
            None => days,
        };
        days.because(Explanation::new(
            f64::from(self.recency),
            "times as likely as at a steady rate, so long after its last change",
        ))
        .because(Explanation::new(
            f64::from(self.told),
            "times as likely as believed, by what pages next to it show",
        ))
        .because(Explanation::new(
            self.wait.past,
            "busy days that are settled",
        ))
        .because(Explanation::new(
            self.wait.open,
            "days since the site was looked at",
        ))
        .because(busy)
    }

    fn explain_rate(&self) -> Explanation {
        let prior = self.prior;
        let changes = self.belief.shape() - prior.shape;
        let days = self.belief.weight() - prior.weight();
        let site = Explanation::new(prior.mean, "changes a busy day of a page of its site")
            .because(Explanation::new(
                self.site
                    .changes(self.planner.knowledge.collection_changes()),
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

/// What a wait has done to a page of that belief if its site is that busy.
fn waited(belief: GammaFilter, wait: Wait, level: f32) -> Waited {
    let (shape, weight) = (belief.shape() as f32, belief.weight());
    let (past, open) = ((wait.past / weight) as f32, (wait.open / weight) as f32);
    Waited::new(shape, past + open * level)
}
