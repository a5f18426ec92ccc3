//! What pages have shown, and what is believed of them, side by side.

use pulp::{Arch, NullaryFnOnce};
use recrawl_estimate::GammaFilter;

use super::columns::BLOCK;
use super::elementary::exp;
use super::evidence::{Evidence, Prior};
use super::posterior::Shown;

/// Rows reckoned with side by side at most, whatever the machine.
const LANES: usize = 16;

/// Rows that are worth reckoning with where so many are set.
#[inline]
pub(super) const fn whole_vectors(len: usize) -> usize {
    let rows = len.next_multiple_of(LANES);
    if rows < BLOCK { rows } else { BLOCK }
}

/// What pages have shown, side by side: [`Shown`].
pub(super) struct ShownColumns {
    changes: [f32; BLOCK],
    log_interval: [f32; BLOCK],
    days: [f32; BLOCK],
}

impl Default for ShownColumns {
    fn default() -> Self {
        Self {
            changes: [0.0; BLOCK],
            log_interval: [0.0; BLOCK],
            days: [0.0; BLOCK],
        }
    }
}

impl ShownColumns {
    /// Sets what one has shown.
    pub(super) fn set(&mut self, at: usize, evidence: Evidence) {
        let [changes, log_interval, days] = evidence.parts();
        self.changes[at] = changes;
        self.log_interval[at] = log_interval;
        self.days[at] = days;
    }

    /// What one has shown.
    #[expect(
        clippy::inline_always,
        reason = "is made of vector instructions only inside a loop"
    )]
    #[inline(always)]
    pub(super) fn at(&self, index: usize) -> Shown {
        Shown {
            changes: self.changes[index],
            interval: exp(self.log_interval[index]),
            days: self.days[index],
        }
    }
}

/// Priors and what pages have shown; after [`Self::reckon`] beliefs. Rows that were
/// not set hold numbers of no meaning that are safe to reckon with.
pub(super) struct Beliefs {
    shown: ShownColumns,
    pub(super) shape: [f32; BLOCK],
    pub(super) weight: [f32; BLOCK],
}

impl Default for Beliefs {
    fn default() -> Self {
        Self {
            shown: ShownColumns::default(),
            shape: [1.0; BLOCK],
            weight: [1.0; BLOCK],
        }
    }
}

impl Beliefs {
    /// Sets the prior of one page and what it has shown.
    pub(super) fn set(&mut self, at: usize, prior: Prior, evidence: Evidence) {
        self.set_law(at, [prior.shape as f32, prior.weight() as f32], evidence);
    }

    /// The same, the prior told by shape and weight (days).
    #[inline]
    pub(super) fn set_law(&mut self, at: usize, [shape, weight]: [f32; 2], evidence: Evidence) {
        self.shown.set(at, evidence);
        self.shape[at] = shape;
        self.weight[at] = weight;
    }

    /// Makes beliefs of the first so many.
    pub(super) fn reckon(&mut self, len: usize) {
        Arch::new().dispatch(Believe { beliefs: self, len });
    }

    /// The belief about one page; `None` if its numbers make none.
    pub(super) fn at(&self, at: usize) -> Option<GammaFilter> {
        GammaFilter::new(f64::from(self.shape[at]), f64::from(self.weight[at])).ok()
    }
}

/// Makes beliefs for the widest vectors the machine has.
struct Believe<'a> {
    beliefs: &'a mut Beliefs,
    len: usize,
}

impl NullaryFnOnce for Believe<'_> {
    type Output = ();

    #[expect(
        clippy::inline_always,
        reason = "is made for a machine's vectors only inside what asks for them"
    )]
    #[inline(always)]
    fn call(self) {
        let Self { beliefs, len } = self;
        for index in 0..whole_vectors(len) {
            let shown = beliefs.shown.at(index);
            let belief = shown.added_to(beliefs.shape[index], beliefs.weight[index]);
            [beliefs.shape[index], beliefs.weight[index]] = belief;
        }
    }
}
