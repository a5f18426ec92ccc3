//! Numbers of pages side by side: [`Columns`].

use pulp::{Arch, NullaryFnOnce};
use recrawl_estimate::GammaFilter;
use recrawl_model::{PageId, Timestamp};

use super::calendar::days_between;
use super::elementary::exp;
use super::knowledge::Knowledge;
use super::neighbours::{Around, Neighbours};
use super::shown_columns::{Beliefs, ShownColumns};
use super::waited::Waited;
use crate::Collection;

/// Pages worked on together: their numbers stay in the nearest cache.
pub(super) const BLOCK: usize = 128;

/// Pages reckoned with side by side, whatever the machine.
pub(super) const LANES: usize = 8;

/// What [`super::view::View`] has of one page, of many. Rows beyond the last page
/// hold numbers of no meaning that are safe to reckon with.
pub(super) struct Columns {
    pages: [PageId; BLOCK],
    len: usize,
    collection_changes: f32,
    /// What is believed of each.
    pub(super) beliefs: Beliefs,
    /// Busy days since each was seen that are settled, days whose activity is
    /// open, and how busy its site is believed to be in them.
    pub(super) past: [f32; BLOCK],
    pub(super) open: [f32; BLOCK],
    pub(super) level: [f32; BLOCK],
    /// What the pages around each show.
    around: [Around; BLOCK],
    /// How pages change their ways; if they do not, the next four say nothing.
    turning: Option<Turning>,
    /// Chance that each has kept its ways, before [`Self::reckon`] days since it
    /// was seen; what its second reading has shown; shape and weight of what is
    /// believed of it if it has not.
    pub(super) kept: [f32; BLOCK],
    shown_since: ShownColumns,
    turned_shape: [f32; BLOCK],
    turned_weight: [f32; BLOCK],
    /// Chance of each one's second reading.
    second: [f32; BLOCK],
    /// Importance, halved for each failed visit.
    pub(super) stake: [f32; BLOCK],
}

impl Columns {
    /// No pages.
    pub(super) fn new(knowledge: &Knowledge) -> Self {
        Self {
            collection_changes: knowledge.collection_changes() as f32,
            pages: [PageId(0); BLOCK],
            len: 0,
            beliefs: Beliefs::default(),
            past: [1.0; BLOCK],
            open: [1.0; BLOCK],
            level: [1.0; BLOCK],
            around: [Around::UNASKED; BLOCK],
            turning: knowledge.turning(),
            kept: [1.0; BLOCK],
            shown_since: ShownColumns::default(),
            turned_shape: [1.0; BLOCK],
            turned_weight: [1.0; BLOCK],
            second: [0.0; BLOCK],
            stake: [1.0; BLOCK],
        }
    }

    /// Adds a page as it is at `now`, unless its site is not known yet. There
    /// must be room.
    pub(super) fn push(
        &mut self,
        knowledge: &Knowledge,
        collection: &Collection,
        page: PageId,
        now: Timestamp,
    ) {
        let summary = collection.summary(page);
        let Some(site) = knowledge.site(summary.site()) else {
            return;
        };
        let from = summary.last().unwrap_or_else(|| knowledge.calendar.at(0));
        let recency = knowledge.recency_of(knowledge.telling(site, summary.quiet()), from, now);
        let mut wait = site.wait(&knowledge.calendar, from, now).times(recency);
        let evidence = knowledge.evidence(page);
        let [shape, weight] = site.quick_page_prior(self.collection_changes);
        let level = site.busy();
        if let Some(word) = knowledge.hints.about(page, summary.site()) {
            let [shape, weight] = evidence.shown().added_to(shape, weight);
            if let Ok(belief) = GammaFilter::new(f64::from(shape), f64::from(weight)) {
                wait.listen(word, belief, level);
            }
        }
        let at = self.len;
        self.beliefs.set_law(at, [shape, weight], evidence);
        self.pages[at] = page;
        self.past[at] = wait.past as f32;
        self.open[at] = wait.open as f32;
        self.level[at] = level as f32;
        self.around[at] = knowledge.around(collection, page, from, now);
        if self.may_turn() {
            let second = knowledge.second(page);
            self.kept[at] = days_between(from, now).max(0.0) as f32;
            self.shown_since.set(at, second.evidence);
            self.second[at] = second.chance;
        }
        self.stake[at] = (collection.weight(page) * summary.back_off()) as f32;
        self.len += 1;
    }

    /// Whether pages may have changed their ways.
    pub(super) const fn may_turn(&self) -> bool {
        self.turning.is_some()
    }

    /// Makes what is reckoned for all pages together, once they are all there.
    pub(super) fn reckon(&mut self, knowledge: &Knowledge) {
        self.beliefs.reckon(self.len);
        if knowledge.neighbours.is_heeded() {
            self.heed(&knowledge.neighbours);
        }
        if let Some(turning) = self.turning {
            Arch::new().dispatch(MayTurn {
                columns: self,
                turning,
            });
        }
    }

    /// Takes what pages around show for longer or shorter waits.
    fn heed(&mut self, neighbours: &Neighbours) {
        for at in 0..self.len {
            let rate = self.beliefs.shape[at] / self.beliefs.weight[at];
            let expected = rate * self.days(at, self.level[at]);
            let told = neighbours.factor(self.around[at], expected);
            self.past[at] *= told;
            self.open[at] *= told;
        }
    }

    /// Whether there is no room for another page.
    pub(super) const fn is_full(&self) -> bool {
        self.len == BLOCK
    }

    /// Takes all pages out.
    pub(super) const fn clear(&mut self) {
        self.len = 0;
    }

    /// The pages, in the order they were added.
    pub(super) fn pages(&self) -> &[PageId] {
        &self.pages[..self.len]
    }

    /// Rows that are worth reckoning with: whole vectors.
    #[inline]
    pub(super) fn rows(&self) -> usize {
        self.len.next_multiple_of(LANES).min(BLOCK)
    }

    /// Busy days since a page was seen, if its site is that busy.
    #[expect(
        clippy::inline_always,
        reason = "is made of vector instructions only inside a loop"
    )]
    #[inline(always)]
    pub(super) fn days(&self, index: usize, level: f32) -> f32 {
        self.past[index] + self.open[index] * level
    }

    /// What the wait has done to a page if its site is that busy and it has kept
    /// its ways.
    #[expect(
        clippy::inline_always,
        reason = "is made of vector instructions only inside a loop"
    )]
    #[inline(always)]
    pub(super) fn waited(&self, index: usize, level: f32) -> Waited {
        let share = self.days(index, level) / self.beliefs.weight[index];
        Waited::new(self.beliefs.shape[index], share)
    }

    /// The same if it has changed them.
    #[expect(
        clippy::inline_always,
        reason = "is made of vector instructions only inside a loop"
    )]
    #[inline(always)]
    pub(super) fn turned(&self, index: usize, level: f32) -> Waited {
        let share = self.days(index, level) / self.turned_weight[index];
        Waited::new(self.turned_shape[index], share)
    }
}

/// How pages change their ways.
#[derive(Debug, Clone, Copy)]
pub(super) struct Turning {
    /// Chance a day, of pages nobody has looked at since.
    pub(super) a_day: f32,
    /// Shape and weight of what is believed of any page.
    pub(super) any: [f32; 2],
}

/// The reckoning of [`super::ways::Turned`] for a block of pages, made for the
/// widest vectors the machine has.
struct MayTurn<'a> {
    columns: &'a mut Columns,
    turning: Turning,
}

impl NullaryFnOnce for MayTurn<'_> {
    type Output = ();

    #[expect(
        clippy::inline_always,
        reason = "is made for a machine's vectors only inside what asks for them"
    )]
    #[inline(always)]
    fn call(self) {
        let Self { columns, turning } = self;
        let Turning {
            a_day,
            any: [shape, weight],
        } = turning;
        for index in 0..columns.rows() {
            let (kept, second) = (exp(-a_day * columns.kept[index]), columns.second[index]);
            let before = if kept * second > 1.0 - kept { 1.0 } else { 0.0 };
            columns.kept[index] = kept * (1.0 - second);
            let shown = columns.shown_since.at(index).added_to(shape, weight);
            columns.turned_shape[index] = shape + before * (shown[0] - shape);
            columns.turned_weight[index] = weight + before * (shown[1] - weight);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bayes::evidence::{Evidence, Prior};
    use crate::bayes::planner::tests::after_cycles;
    use crate::bayes::ways::{Second, Turned};

    const ANY: Prior = Prior {
        mean: 0.5,
        shape: 0.2,
    };

    #[test]
    fn many_pages_turn_as_each_does() {
        let (planner, _, _) = after_cycles(1);
        let any = ANY.belief().expect("positive");
        let turning = Turning {
            a_day: 0.01,
            any: [any.shape() as f32, any.weight() as f32],
        };
        let mut columns = Columns::new(&planner.knowledge);
        columns.turning = Some(turning);
        let mut pages = Vec::new();
        for (days, chance) in [(0.5, 0.0), (0.5, 0.3), (3.0, 0.02), (60.0, 0.4), (0.0, 0.9)] {
            let second = Second {
                evidence: Evidence::default().learn(ANY, 2.0, true),
                chance,
            };
            let at = columns.len;
            columns.kept[at] = days;
            columns.shown_since.set(at, second.evidence);
            columns.second[at] = chance;
            columns.len += 1;
            let kept = (-0.01 * f64::from(days)).exp();
            pages.push(Turned::new(second, kept, any));
        }
        columns.reckon(&planner.knowledge);
        let turned_before = |page: &Turned| page.belief.shape() > any.shape();
        assert!(pages.iter().any(turned_before) && !pages.iter().all(turned_before));
        for (at, page) in pages.iter().enumerate() {
            let near = |ours: f32, exact: f64| {
                let off = (f64::from(ours) - exact).abs();
                assert!(off < 1e-5 * exact.abs().max(1.0), "{at}: {ours} {exact}");
            };
            near(columns.kept[at], page.kept);
            near(columns.turned_shape[at], page.belief.shape());
            near(columns.turned_weight[at], page.belief.weight());
        }
    }
}
