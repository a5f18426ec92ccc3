//! The claims of many pages at once.

use pulp::{Arch, NullaryFnOnce};
use recrawl_model::{PageId, Timestamp};

use super::columns::{BLOCK, Columns, LANES};
use super::planner::BayesPlanner;
use super::view::View;
use crate::{Collection, Objective};

/// Tells the claim of each of these pages at `now`, as [`View::claim`] has it.
pub(super) fn claims_of(
    planner: &BayesPlanner,
    collection: &Collection,
    now: Timestamp,
    pages: impl Iterator<Item = PageId>,
    mut tell: impl FnMut(PageId, f32),
) {
    if planner.objective != Objective::Changes {
        for page in pages {
            let view = View::new(planner, collection, page, now);
            tell(page, view.map_or(0.0, |view| view.claim()) as f32);
        }
        return;
    }
    let mut columns = Columns::new(&planner.knowledge);
    let mut flush = |columns: &mut Columns| {
        columns.reckon(&planner.knowledge);
        let claims = at_mean(planner, columns).claims;
        for (&page, claim) in columns.pages().iter().zip(claims) {
            tell(page, claim);
        }
        columns.clear();
    };
    for page in pages {
        columns.push(&planner.knowledge, collection, page, now);
        if columns.is_full() {
            flush(&mut columns);
        }
    }
    flush(&mut columns);
}

/// Claims of a block of pages.
pub(super) struct Claims {
    pub(super) claims: [f32; BLOCK],
    /// The part of each that is worth knowing the page better, before its stake.
    pub(super) worth: [f32; BLOCK],
}

/// The claims of a block of pages if their sites are as busy as believed.
pub(super) fn at_mean(planner: &BayesPlanner, columns: &Columns) -> Claims {
    Arch::new().dispatch(AtMean { planner, columns })
}

/// The reckoning of [`at_mean`], made for the widest vectors the machine has.
struct AtMean<'a> {
    planner: &'a BayesPlanner,
    columns: &'a Columns,
}

impl NullaryFnOnce for AtMean<'_> {
    type Output = Claims;

    #[expect(
        clippy::inline_always,
        reason = "is made for a machine's vectors only inside what asks for them"
    )]
    #[inline(always)]
    fn call(self) -> Claims {
        let Self { planner, columns } = self;
        let (mut claims, mut worth) = ([0.0; BLOCK], [0.0; BLOCK]);
        let rows = columns.rows();
        if planner.exploration.is_ready() {
            let (shapes, _) = columns.beliefs.shape[..rows].as_chunks::<LANES>();
            let (weights, _) = columns.beliefs.weight[..rows].as_chunks::<LANES>();
            let (worths, _) = worth[..rows].as_chunks_mut::<LANES>();
            for ((worths, shapes), weights) in worths.iter_mut().zip(shapes).zip(weights) {
                *worths = planner.exploration.of_knowing(shapes, weights);
            }
        }
        for index in 0..rows {
            let own = columns.waited(index, columns.level[index]);
            claims[index] = own.urgency;
            worth[index] *= columns.kept[index] * own.resolved();
        }
        if columns.may_turn() {
            for (index, claim) in claims[..rows].iter_mut().enumerate() {
                let turned = columns.turned(index, columns.level[index]);
                let kept = columns.kept[index];
                *claim = kept * *claim + (1.0 - kept) * turned.urgency;
            }
        }
        for (index, claim) in claims[..rows].iter_mut().enumerate() {
            let staked = columns.stake[index] * (*claim + worth[index]);
            *claim = if staked > 0.0 { staked } else { 0.0 };
        }
        Claims { claims, worth }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bayes::planner::tests::after_cycles;

    #[test]
    fn the_claims_of_many_pages_are_those_of_each() {
        let (planner, collection, now) = after_cycles(4);
        let pages = (0..collection.slots() as u32).map(PageId);
        let mut told = 0;
        claims_of(&planner, &collection, now, pages, |page, claim| {
            let view = View::new(&planner, &collection, page, now).expect("a cycle has begun");
            let careful = view.claim();
            let off = (f64::from(claim) - careful).abs();
            assert!(off < 1e-5 + 1e-3 * careful, "{page:?}: {claim} {careful}");
            told += 1;
        });
        assert_eq!(told, collection.slots());
    }
}
