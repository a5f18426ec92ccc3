//! What folders and names of pages tell of their rates, learned.
//!
//! Pages of one folder of a site are alike, and so are pages of one name in different
//! folders or on different sites: all privacy policies, the same document in other
//! languages. Each folder and each name makes its pages so many times as likely to
//! change as their site does. How much folders, and names, differ is learned; where
//! they say nothing they are not heeded.

use recrawl_model::Kin;
use statrs::function::gamma::ln_gamma;

/// Folders or names there can be.
const SLOTS: usize = 1 << 16;

/// How alike folders, or names, may be: shapes of the gamma law of mean 1 that their
/// factors follow.
const SHAPES: [f64; 8] = [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0];

/// By how much, in logarithms, they must make what pages have shown likelier before
/// they are heeded: what is a hundred and fifty times as likely is no chance.
const HEEDED: f64 = 5.0;

/// Most times as likely, or as unlikely, a folder or a name makes a change.
const MOST: f64 = 20.0;

/// Intervals after which it is learned anew: one in so many more.
const NEWS: u64 = 4;

/// By what pages are alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    Folder,
    Name,
}

impl By {
    pub(super) const ALL: [Self; 2] = [Self::Folder, Self::Name];

    /// The number of the page's folder or name, 0 where it has none.
    #[inline]
    pub(super) fn slot(self, kin: Kin) -> usize {
        usize::from(match self {
            Self::Folder => kin.folder(),
            Self::Name => kin.name(),
        })
    }
}

/// What pages of one folder, or of one name, have shown.
#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    pages: u32,
    /// Changes, as they count, and how many their sites made expect.
    found: f32,
    expected: f32,
}

impl Sum {
    /// What it says of a page: as much as all pages of it but one have shown. A page
    /// that is alone says nothing but of itself.
    fn told(self) -> Option<[f64; 2]> {
        let others = 1.0 - 1.0 / f64::from(self.pages.max(1));
        let told = [self.found, self.expected].map(|sum| others * f64::from(sum));
        (self.pages > 1).then_some(told)
    }
}

/// What pages have shown, by folder or by name.
pub(super) struct Sums(Vec<Sum>);

impl Sums {
    /// Nothing yet.
    pub(super) fn new() -> Self {
        Self(vec![Sum::default(); SLOTS])
    }

    /// Adds a page that showed so many changes in what counts for `expected` of its
    /// site, which has pages of that shape.
    ///
    /// The longer a page was seen, the more it says of itself and the less of others:
    /// its changes vary by `expected (1 + expected/shape)`, and it counts for as many
    /// as would vary by themselves.
    #[inline]
    pub(super) fn add(&mut self, slot: usize, found: f32, expected: f32, shape: f32) {
        let part = shape / (shape + expected);
        let sum = &mut self.0[slot];
        sum.pages += 1;
        sum.found += part * found;
        sum.expected += part * expected;
    }

    /// The likeliest shape of the law that factors follow; `None` if they are better
    /// taken for 1. With x changes found and m expected of a folder, shape a:
    /// `ln G(a+x) - ln G(a) + a ln a - (a+x) ln(a+m)`, against `-m`.
    fn shape(&self) -> Option<f64> {
        let told: Vec<[f64; 2]> = self.0[1..].iter().filter_map(|sum| sum.told()).collect();
        let without: f64 = told.iter().map(|[_, expected]| -expected).sum();
        let better = SHAPES.map(|shape| {
            let own = shape * shape.ln() - ln_gamma(shape);
            let with = told.iter().map(|[found, expected]| {
                ln_gamma(shape + found) + own - (shape + found) * (shape + expected).ln()
            });
            with.sum::<f64>() - without
        });
        let candidates = SHAPES.into_iter().zip(better);
        let best = candidates.max_by(|one, other| one.1.total_cmp(&other.1))?;
        (best.1 > HEEDED).then_some(best.0)
    }
}

/// How many times as likely folders and names make changes.
#[derive(Debug, Default)]
pub(super) struct Kinship {
    /// Of folders and of names; empty where they are not heeded.
    factors: [Vec<f32>; 2],
    /// Intervals seen so far, and when it was learned.
    intervals: u64,
    learned_at: u64,
}

impl Kinship {
    /// Counts an interval.
    pub(super) const fn count(&mut self) {
        self.intervals += 1;
    }

    /// Whether enough was seen to learn it anew; from then on it counts as learned.
    pub(super) const fn is_due(&mut self) -> bool {
        let due = self.intervals - self.learned_at > self.learned_at / NEWS;
        if due {
            self.learned_at = self.intervals;
        }
        due
    }

    /// Whether folders or names are heeded.
    #[inline]
    pub(super) fn is_heeded(&self) -> bool {
        self.factors.iter().any(|factors| !factors.is_empty())
    }

    /// Times as likely as others of its site such a page is to change.
    #[inline]
    pub(super) fn factor(&self, kin: Kin) -> f32 {
        self.factor_by(By::Folder, kin) * self.factor_by(By::Name, kin)
    }

    /// The part of its folder or name in that.
    #[inline]
    pub(super) fn factor_by(&self, by: By, kin: Kin) -> f32 {
        let factors = &self.factors[by as usize];
        factors.get(by.slot(kin)).copied().unwrap_or(1.0)
    }

    /// Learns what folders, or names, tell.
    pub(super) fn learn(&mut self, by: By, sums: &Sums) {
        let factors = &mut self.factors[by as usize];
        factors.clear();
        if let Some(shape) = sums.shape() {
            factors.extend(sums.0.iter().map(|sum| {
                let [found, expected] = sum.told().unwrap_or_default();
                let factor = (shape + found) / (shape + expected);
                factor.clamp(1.0 / MOST, MOST) as f32
            }));
            factors[0] = 1.0; // pages without a name have nothing in common
        }
    }
}
