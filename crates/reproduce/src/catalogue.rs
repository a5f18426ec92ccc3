//! Every experiment by name: [`EXPERIMENTS`].

use crate::Needs::{Histories, Nothing};
use crate::{Experiment, Findings, Needs, ReproduceError, Setup, cho_gm, singh};

const fn experiment(
    name: &'static str,
    about: &'static str,
    needs: Needs,
    run: fn(&Setup<'_>) -> Result<Findings, ReproduceError>,
) -> Experiment {
    Experiment {
        name,
        about,
        needs,
        run,
    }
}

/// Every experiment, in the order of papers and figures.
pub const EXPERIMENTS: [Experiment; 18] = [
    experiment(
        "cho-gm/fig1",
        "intervals between changes against the exponential law",
        Histories,
        cho_gm::fig1::run,
    ),
    experiment(
        "cho-gm/fig3",
        "bias of the naive estimator over changes per visit",
        Nothing,
        cho_gm::fig3::run,
    ),
    experiment(
        "cho-gm/fig4",
        "spread of the naive estimator over the number of visits",
        Nothing,
        cho_gm::fig4::run,
    ),
    experiment(
        "cho-gm/fig5",
        "bias of the log estimator over changes per visit",
        Nothing,
        cho_gm::fig5::run,
    ),
    experiment(
        "cho-gm/fig6",
        "visits and changes per visit at which the log estimator is unbiased",
        Nothing,
        cho_gm::fig6::run,
    ),
    experiment(
        "cho-gm/fig7",
        "spread of the log estimator over changes per visit",
        Nothing,
        cho_gm::fig7::run,
    ),
    experiment(
        "cho-gm/fig10",
        "bias of the first last-modified estimator",
        Nothing,
        cho_gm::fig10::run,
    ),
    experiment(
        "cho-gm/fig12",
        "bias of the final last-modified estimator",
        Nothing,
        cho_gm::fig12::run,
    ),
    experiment(
        "cho-gm/fig13",
        "spread of the final last-modified estimator",
        Nothing,
        cho_gm::fig13::run,
    ),
    experiment(
        "cho-gm/fig14",
        "pages classified monthly over their rate, by number of visits",
        Nothing,
        cho_gm::fig14::run,
    ),
    experiment(
        "cho-gm/fig15",
        "pages classified monthly over their rate, by visit interval",
        Nothing,
        cho_gm::fig15::run,
    ),
    experiment(
        "cho-gm/appendix",
        "the constant that keeps the log estimator finite, over visits",
        Nothing,
        cho_gm::appendix::run,
    ),
    experiment(
        "singh/table1",
        "updates of the pages in the data sets",
        Histories,
        singh::table1::run,
    ),
    experiment(
        "singh/table2",
        "error of four estimators by kind of consistent window",
        Histories,
        singh::table2::run,
    ),
    experiment(
        "singh/table3",
        "share of windows in which one estimator beats another",
        Histories,
        singh::table3::run,
    ),
    experiment(
        "singh/fig1",
        "error of four estimators over the size of the window",
        Histories,
        singh::fig1::run,
    ),
    experiment(
        "singh/table4",
        "visits scheduled by each estimator's prediction",
        Histories,
        singh::table4::run,
    ),
    experiment(
        "singh/corrections",
        "how far the corrected Weibull rates are from unbiased (erratum)",
        Nothing,
        singh::corrections::run,
    ),
];

/// The experiment of that name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Experiment> {
    EXPERIMENTS
        .iter()
        .find(|experiment| experiment.name == name)
}
