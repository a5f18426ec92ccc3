//! The worlds of the papers, by name.

use super::laws::{NumberLaw, ShareLaw};
use super::spec::{PageLaw, TimeLaw, WorldSpec};

/// A world with a name, and the budget its paper gives it.
#[derive(Debug, Clone, Copy)]
pub struct NamedWorld {
    /// The name on the command line.
    pub name: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
    /// Downloads a cycle in the paper.
    pub budget: u64,
    recipe: fn() -> WorldSpec,
}

/// Every world that has a name.
pub const NAMED_WORLDS: [NamedWorld; 3] = [
    NamedWorld {
        name: "cho-ntoulas-two-sites",
        about: "two sites of 100 pages, of which exactly 70 and 20 change each cycle",
        budget: 100,
        recipe: two_sites,
    },
    NamedWorld {
        name: "cho-ntoulas-normal",
        about: "300 sites of 1,000 pages alike, rho normal(0.5, 0.3) truncated to [0, 1]",
        budget: 100_000,
        recipe: normal,
    },
    NamedWorld {
        name: "cho-ntoulas-v",
        about: "252 sites of 1,400 pages, rho V-shaped, pages Beta(2 rho, 2 (1 - rho))",
        budget: 100_000,
        recipe: v_shaped,
    },
];

impl NamedWorld {
    /// The world of that name.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        NAMED_WORLDS.into_iter().find(|world| world.name == name)
    }

    /// Its recipe.
    #[must_use]
    pub fn spec(&self) -> WorldSpec {
        (self.recipe)()
    }
}

fn plain(sites: u32, pages: f64, rho: ShareLaw, pages_law: PageLaw) -> WorldSpec {
    WorldSpec {
        sites,
        pages_per_site: NumberLaw::Fixed(pages),
        rho,
        pages: pages_law,
        time: TimeLaw::PerCycle,
        trend: None,
        rhythm: None,
        bursts: None,
        drift: None,
        liars: None,
        hints: None,
        weight: None,
        bytes: None,
    }
}

/// Cho & Ntoulas, Examples 1 and 2 and Fig. 1.
fn two_sites() -> WorldSpec {
    let values = vec![0.7, 0.2];
    plain(2, 100.0, ShareLaw::List { values }, PageLaw::Exact)
}

/// Section 4.8.
fn normal() -> WorldSpec {
    let rho = ShareLaw::Normal { mean: 0.5, sd: 0.3 };
    plain(300, 1_000.0, rho, PageLaw::Alike)
}

/// A stand-in for the data of section 4, which are lost: the histogram of
/// Fig. 5, pages of a site unlike each other.
fn v_shaped() -> WorldSpec {
    let weights = [0.35, 0.19, 0.10, 0.06, 0.04, 0.02, 0.02, 0.02, 0.02, 0.18];
    let pages = PageLaw::Beta { concentration: 2.0 };
    plain(252, 1_400.0, ShareLaw::Deciles { weights }, pages)
}
