//! What sites and the collection teach of their pages' rates.

#[cfg(test)]
mod tests;

use pulp::{Arch, NullaryFnOnce};
use statrs::function::gamma::ln_gamma;

use super::elementary;
use super::evidence::Prior;
use super::members::Members;

/// Shapes a prior may have, from pages that differ by orders of magnitude to
/// pages alike.
const SHAPES: [f64; SHAPE_COUNT] = [0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 20.0, 200.0];
pub(super) const SHAPE_COUNT: usize = 8;

/// Sites are told apart by how often their pages change in a cycle, for how
/// alike pages are goes with it: classes of e^CLASS_WIDTH from e^CLASS_START on.
const CLASSES: usize = 6;
const CLASS_START: f64 = -5.0;
const CLASS_WIDTH: f64 = 1.5;

/// Sites that all classes together count for in each class.
const POOL_WEIGHT: f64 = 4.0;

/// Changes the first guess of the collection's rate counts for.
const GUESS_WEIGHT: f64 = 0.5;

/// Shape of a site's prior before its pages were seen twice.
const FIRST_SHAPE: f64 = 0.5;

/// Odds below which a shape is passed over.
const NEGLIGIBLE: f64 = 0.002;

/// Rounds in which a mean and the weights of its pages find each other.
const ROUNDS: usize = 3;

/// Rounds a cycle in which the shapes of sites and those of their classes find each
/// other. Small sites do not tell shapes for certain, and would be taken to if there
/// were many rounds.
const TURNS: usize = 2;

/// What a shape that makes a site's pages least likely still counts for.
const HARDLY: f32 = 1e-6;

/// How likely each shape makes a site's pages, to the one that makes them likeliest.
pub(super) type Likelihoods = [f32; SHAPE_COUNT];

/// What a site's pages tell, taken together.
#[derive(Debug, Clone, Copy)]
pub(super) struct Told {
    /// The law of their rates.
    pub(super) prior: Prior,
    /// Weighed changes and days of the pages.
    pub(super) sums: [f64; 2],
    pub(super) likely: Likelihoods,
}

/// What is known of all sites: gamma law of their means, and which shapes
/// their priors have.
#[derive(Debug, Clone)]
pub(super) struct Hierarchy {
    /// Mean of the sites' means, and how alike they are.
    pub(super) sites: Prior,
    /// Mean over sites of 1/shape.
    spread: f64,
    odds: [[f64; SHAPE_COUNT]; CLASSES],
    cycle_days: f64,
}

impl Hierarchy {
    /// Before anything is known: pages change about every other cycle of so
    /// many days, give or take a lot.
    pub(super) fn new(cycle_days: f64) -> Self {
        Self {
            sites: Prior {
                mean: std::f64::consts::LN_2 / cycle_days,
                shape: FIRST_SHAPE,
            },
            spread: 1.0 / FIRST_SHAPE,
            odds: [[1.0; SHAPE_COUNT]; CLASSES],
            cycle_days,
        }
    }

    /// The prior of a site of which nothing is known.
    pub(super) fn unknown_site(&self) -> Prior {
        Prior {
            mean: self.sites.mean,
            shape: FIRST_SHAPE,
        }
    }

    /// The law of pages of any site: what a page that changed its ways may be
    /// like.
    pub(super) fn any_page(&self) -> Prior {
        let between = 1.0 / self.sites.shape;
        Prior {
            mean: self.sites.mean,
            shape: 1.0 / (self.spread + between + self.spread * between),
        }
    }

    /// Learns a site's rate, `before` until now, from the evidence of some of
    /// its pages; `scale` pages stand behind each. `None` without any.
    pub(super) fn site(&self, before: Prior, pages: &mut Members, scale: f64) -> Option<Told> {
        if pages.is_empty() {
            return None;
        }
        let judged = Arch::new().dispatch(Judging {
            hierarchy: self,
            start: before.mean,
            pages,
            scale,
        });
        let fits = judged.map(|(fit, _)| fit);
        let scores = judged.map(|(_, score)| score);
        let best = scores.iter().copied().fold(f64::MIN, f64::max);
        let likely = scores.map(|score| (score - best).exp());
        let weights = normal(std::array::from_fn(|index| {
            likely[index] * self.odds[self.class(fits[index].mean)][index]
        }));
        let mean_of = |value: &dyn Fn(usize) -> f64| -> f64 {
            (0..SHAPE_COUNT)
                .map(|index| weights[index] * value(index))
                .sum()
        };
        let shape = mean_of(&|index| SHAPES[index].ln()).exp();
        let mut fit = Fit {
            mean: mean_of(&|index| fits[index].mean),
            sums: [
                mean_of(&|index| fits[index].sums[0]),
                mean_of(&|index| fits[index].sums[1]),
            ],
        };
        if pages.judges() > 1 {
            fit = Arch::new().dispatch(Fitting {
                sites: self.sites,
                start: fit,
                shape,
                pages,
                scale,
            });
        }
        Some(Told {
            prior: Prior {
                mean: fit.mean,
                shape,
            },
            sums: fit.sums,
            likely: likely.map(|likely| likely as f32),
        })
    }

    fn class(&self, mean: f64) -> usize {
        let place = ((mean * self.cycle_days).ln() - CLASS_START) / CLASS_WIDTH;
        place.clamp(0.0, CLASSES as f64 - 1.0) as usize
    }

    /// Learns the collection from its sites, in cycles of so many days.
    pub(super) fn learn(&mut self, known: &[Told], cycle_days: f64) {
        self.cycle_days = cycle_days;
        if known.is_empty() {
            return;
        }
        self.learn_odds(known);
        let spreads = known.iter().map(|site| 1.0 / site.prior.shape);
        self.spread = spreads.sum::<f64>() / known.len() as f64;
        self.learn_means(known);
    }

    /// The odds of the shapes in each class of sites: each round tells the sites' shapes
    /// by the odds of their class, and those by the sites' shapes.
    fn learn_odds(&mut self, known: &[Told]) {
        let classes = known.iter().map(|site| self.class(site.prior.mean));
        let classes: Vec<usize> = classes.collect();
        for _ in 0..TURNS {
            let mut sums = [[0.0; SHAPE_COUNT]; CLASSES];
            for (&class, site) in classes.iter().zip(known) {
                let shares = normal(std::array::from_fn(|shape| {
                    f64::from(site.likely[shape].max(HARDLY)) * self.odds[class][shape]
                }));
                for (sum, share) in sums[class].iter_mut().zip(shares) {
                    *sum += share;
                }
            }
            let pool = normal(std::array::from_fn(|shape| {
                0.5 + sums.iter().map(|class| class[shape]).sum::<f64>()
            }));
            self.odds = sums.map(|class| {
                normal(std::array::from_fn(|shape| {
                    class[shape] + POOL_WEIGHT * pool[shape]
                }))
            });
        }
    }

    /// The most likely gamma law of the sites' means.
    fn learn_means(&mut self, known: &[Told]) {
        let sums = known.iter().map(|site| site.sums);
        let sums: Vec<[f64; 2]> = sums.filter(|sums| sums[1] > 0.0).collect();
        let guess = self.sites.mean;
        let candidates = SHAPES.map(|shape| {
            let mut mean = guess;
            for _ in 0..=ROUNDS {
                let [changes, days] = weighed(&sums, mean / shape);
                mean = (GUESS_WEIGHT + changes) / (GUESS_WEIGHT / guess + days);
            }
            (log_likelihood(&sums, mean, shape), Prior { mean, shape })
        });
        let best = candidates
            .into_iter()
            .max_by(|one, other| one.0.total_cmp(&other.0));
        if let Some((_, law)) = best.filter(|_| !sums.is_empty()) {
            self.sites = law;
        }
    }
}

/// A site's mean under one shape, and the sums it comes from.
#[derive(Debug, Clone, Copy)]
struct Fit {
    mean: f64,
    sums: [f64; 2],
}

impl Fit {
    /// The mean under that shape that the members of one group in `stride` tell,
    /// `scale` pages standing behind each, found from this one.
    #[expect(
        clippy::inline_always,
        reason = "is made for a machine's vectors only inside what asks for them"
    )]
    #[inline(always)]
    fn improved(
        self,
        sites: Prior,
        shape: f64,
        pages: &mut Members,
        stride: usize,
        scale: f64,
    ) -> Self {
        let mut fit = self;
        pages.assume(stride, fit.mean, shape);
        for _ in 0..ROUNDS {
            let sums = pages.weighed(stride, fit.mean / shape);
            fit.sums = sums.map(|sum| sum * stride as f64 * scale);
            fit.mean = (sites.shape + fit.sums[0]) / (sites.weight() + fit.sums[1]);
        }
        fit
    }
}

/// Fits all shapes to some pages of a site and says how likely each makes them,
/// made for the widest vectors the machine has.
struct Judging<'a> {
    hierarchy: &'a Hierarchy,
    start: f64,
    pages: &'a mut Members,
    scale: f64,
}

impl NullaryFnOnce for Judging<'_> {
    type Output = [(Fit, f64); SHAPE_COUNT];

    #[expect(
        clippy::inline_always,
        reason = "is made for a machine's vectors only inside what asks for them"
    )]
    #[inline(always)]
    fn call(self) -> Self::Output {
        let nothing = Fit {
            mean: self.start,
            sums: [0.0; 2],
        };
        let mut judged = [(nothing, f64::MIN); SHAPE_COUNT];
        let odds = self.hierarchy.odds[self.hierarchy.class(self.start)];
        let (sites, stride) = (self.hierarchy.sites, self.pages.judges());
        for (((fit, likelihood), shape), odds) in judged.iter_mut().zip(SHAPES).zip(odds) {
            if odds < NEGLIGIBLE {
                continue;
            }
            *fit = fit.improved(sites, shape, self.pages, stride, self.scale);
            *likelihood = self.pages.log_likelihood(fit.mean, shape);
        }
        judged
    }
}

/// Fits one shape to all pages of a site, made for the widest vectors the machine
/// has.
struct Fitting<'a> {
    sites: Prior,
    start: Fit,
    shape: f64,
    pages: &'a mut Members,
    scale: f64,
}

impl NullaryFnOnce for Fitting<'_> {
    type Output = Fit;

    #[expect(
        clippy::inline_always,
        reason = "is made for a machine's vectors only inside what asks for them"
    )]
    #[inline(always)]
    fn call(self) -> Fit {
        let Self {
            sites,
            start,
            shape,
            pages,
            scale,
        } = self;
        start.improved(sites, shape, pages, 1, scale)
    }
}

/// Sums of changes and days, each member with weight `1/(1 + m e/k)`, e its days
/// and m/k the `ratio` of mean and shape.
fn weighed(members: &[[f64; 2]], ratio: f64) -> [f64; 2] {
    members.iter().fold([0.0; 2], |sums, &[changes, days]| {
        let weight = 1.0 / (1.0 + ratio * days);
        [sums[0] + weight * changes, sums[1] + weight * days]
    })
}

/// How likely the members are if their rates follow the gamma law of shape k
/// and weight b = k/mean: the sum over members, x changes in e days, of
/// `ln G(k+x) - ln G(k) + k ln(b/(b+e)) - x ln(b+e)`, G the gamma function.
fn log_likelihood(members: &[[f64; 2]], mean: f64, shape: f64) -> f64 {
    let weight = shape / mean;
    let alone = ln_gamma(shape);
    let of = |&[changes, days]: &[f64; 2]| {
        let waits = shape * f64::from(elementary::ln_1p((days / weight) as f32));
        if changes == 0.0 {
            return -waits;
        }
        let log_weight = f64::from(elementary::ln((weight + days) as f32));
        ln_gamma(shape + changes) - alone - waits - changes * log_weight
    };
    members.iter().map(of).sum()
}

fn normal(weights: [f64; SHAPE_COUNT]) -> [f64; SHAPE_COUNT] {
    let total: f64 = weights.iter().sum();
    weights.map(|weight| weight / total)
}
