//! Every table and figure of the papers, made by the product's own code, beside
//! the published number.
//!
//! An [`Experiment`] is a plain function from a [`Setup`] (size, seed, real
//! histories) to [`Findings`]: the data as a [`Table`], the figure in the
//! paper's form, and [`Row`]s that judge ours against the print. One experiment
//! a file. [`report()`] puts many of them on one page.
//!
//! ```
//! use recrawl_reproduce::{Collections, Scale, Setup, find};
//!
//! let data = Collections::default();
//! let setup = Setup { scale: Scale::Small, seed: 1, data: &data };
//! let findings = find("cho-gm/fig3").expect("it is there").findings(&setup)?;
//! assert!(findings.rows.iter().all(|row| row.verdict.name() == "matches"));
//! # Ok::<(), recrawl_reproduce::ReproduceError>(())
//! ```

mod catalogue;
mod cho_gm;
mod cho_ntoulas;
mod errata;
mod error;
mod experiment;
mod li;
mod paper;
mod report;
mod singh;
mod support;
mod table;
mod verdict;

pub use catalogue::{EXPERIMENTS, find};
pub use errata::{ERRATA, Erratum};
pub use error::ReproduceError;
pub use experiment::{
    COLLECTIONS, Collection, Collections, Experiment, Findings, Needs, Scale, Setup,
};
pub use paper::{LEFT_OUT, LeftOut, Paper};
pub use report::{Finished, report};
pub use table::{Table, number, rounded};
pub use verdict::{Grounds, Judge, Member, Row, Verdict};
