//! What an experiment is, what it is given and what it finds.

use recrawl_chart::Figure;
use recrawl_simulate::Histories;

use crate::{Judge, Paper, ReproduceError, Row, Table};

/// How large experiments are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scale {
    /// As in the papers, where a minute allows it.
    #[default]
    Full,
    /// A fraction of it, for tests: the same code in a second.
    Small,
}

impl Scale {
    /// `full`, or `small` in the small version.
    #[must_use]
    pub fn pick<T>(self, full: T, small: T) -> T {
        match self {
            Self::Full => full,
            Self::Small => small,
        }
    }
}

/// Update histories of one kind.
#[derive(Debug, Clone)]
pub struct Collection {
    /// What the kind is called: `docs`, `terms` or `periodic`.
    pub name: &'static str,
    /// What happened.
    pub histories: Histories,
}

/// Real pages, in place of data sets that cannot be had any more.
#[derive(Debug, Clone, Default)]
pub struct Collections {
    /// By kind.
    pub all: Vec<Collection>,
}

/// The kinds of real histories, by the name of their folder.
pub const COLLECTIONS: [&str; 3] = ["docs", "terms", "periodic"];

impl Collections {
    /// The histories of a kind.
    ///
    /// # Errors
    /// [`ReproduceError::NoCollection`] if they were not given.
    pub fn get(&self, name: &'static str) -> Result<&Histories, ReproduceError> {
        let found = self.all.iter().find(|collection| collection.name == name);
        found
            .map(|collection| &collection.histories)
            .ok_or(ReproduceError::NoCollection(name))
    }
}

/// What an experiment is given.
#[derive(Debug, Clone, Copy)]
pub struct Setup<'a> {
    /// How large it is.
    pub scale: Scale,
    /// Where its chance comes from.
    pub seed: u64,
    /// Real pages.
    pub data: &'a Collections,
}

/// What an experiment found.
#[derive(Debug, Clone, PartialEq)]
pub struct Findings {
    /// The data of the figure or table.
    pub table: Table,
    /// The figure, in the paper's form.
    pub figure: Figure,
    /// Ours beside the published numbers.
    pub rows: Vec<Row>,
    /// What a reader must know to judge them.
    pub notes: Vec<String>,
}

impl Findings {
    /// What the points of a figure are the data of.
    #[must_use]
    pub fn of(figure: Figure, judge: Judge, notes: Vec<String>) -> Self {
        Self {
            table: Table::of(&figure),
            figure,
            rows: judge.rows(),
            notes,
        }
    }
}

/// What an experiment rests on besides chance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// Nothing: formulas and synthetic pages.
    Nothing,
    /// Real histories.
    Histories,
}

/// One table or figure of a paper: a plain function from set-up to findings.
#[derive(Debug, Clone, Copy)]
pub struct Experiment {
    /// `paper/figure`, as on the command line.
    pub name: &'static str,
    /// What it shows, in a line.
    pub about: &'static str,
    /// What it rests on.
    pub needs: Needs,
    /// Makes it.
    pub run: fn(&Setup<'_>) -> Result<Findings, ReproduceError>,
}

impl Experiment {
    /// The paper it belongs to.
    #[must_use]
    pub fn paper(&self) -> Paper {
        Paper::of(self.name)
    }

    /// The seed of its paper: figures of one paper see the same worlds,
    /// whichever others run.
    #[must_use]
    pub fn seed(&self, seed: u64) -> u64 {
        self.paper()
            .name()
            .bytes()
            .fold(seed ^ 0xcbf2_9ce4_8422_2325, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
            })
    }

    /// Runs it with the seed of its paper, made from the set-up's.
    ///
    /// # Errors
    /// [`ReproduceError`] where a world cannot be made or data are missing.
    pub fn findings(&self, setup: &Setup<'_>) -> Result<Findings, ReproduceError> {
        let own = Setup {
            seed: self.seed(setup.seed),
            ..*setup
        };
        (self.run)(&own)
    }
}
