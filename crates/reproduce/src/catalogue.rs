//! Every experiment by name: [`EXPERIMENTS`].

use crate::Needs::{Histories, Nothing};
use crate::{Experiment, Findings, Needs, ReproduceError, Setup, cho_gm, cho_ntoulas, li, singh};

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
pub const EXPERIMENTS: [Experiment; 41] = [
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
    experiment(
        "cho-ntoulas/fig1",
        "expected ChangeRatio over the sample size, two sites",
        Nothing,
        cho_ntoulas::fig1::run,
    ),
    experiment(
        "cho-ntoulas/theorem2",
        "the best sample size of greedy, as printed and corrected (erratum)",
        Nothing,
        cho_ntoulas::theorem2::run,
    ),
    experiment(
        "cho-ntoulas/fig5",
        "how many pages of a site change in a month",
        Histories,
        cho_ntoulas::fig5::run,
    ),
    experiment(
        "cho-ntoulas/fig6",
        "the policies over five cycles",
        Histories,
        cho_ntoulas::fig6::run,
    ),
    experiment(
        "cho-ntoulas/fig7",
        "greedy and proportional over the sample size",
        Histories,
        cho_ntoulas::fig7::run,
    ),
    experiment(
        "cho-ntoulas/fig8",
        "oracle, greedy and round robin over the budget",
        Histories,
        cho_ntoulas::fig8::run,
    ),
    experiment(
        "cho-ntoulas/fig9",
        "greedy and subset sampling with few downloads",
        Histories,
        cho_ntoulas::fig9::run,
    ),
    experiment(
        "cho-ntoulas/fig10",
        "frequency against greedy over many cycles",
        Histories,
        cho_ntoulas::fig10::run,
    ),
    experiment(
        "cho-ntoulas/fig11",
        "adaptive sampling over the samples a round",
        Histories,
        cho_ntoulas::fig11::run,
    ),
    experiment(
        "cho-ntoulas/fig12",
        "adaptive sampling over its confidence",
        Histories,
        cho_ntoulas::fig12::run,
    ),
    experiment(
        "cho-ntoulas/fig13",
        "fairness of greedy",
        Histories,
        cho_ntoulas::fig13::run,
    ),
    experiment(
        "cho-ntoulas/fig14",
        "visits of greedy over the changes of a page",
        Histories,
        cho_ntoulas::fig14::run,
    ),
    experiment(
        "cho-ntoulas/fig15",
        "the policies where sites follow a normal law",
        Nothing,
        cho_ntoulas::fig15::run,
    ),
    experiment(
        "li/fig4",
        "share of visits that see a change over their rate",
        Nothing,
        li::fig4::run,
    ),
    experiment(
        "li/fig5",
        "what M1 measures, of Pareto and of Poisson updates",
        Nothing,
        li::fig5::run,
    ),
    experiment(
        "li/fig6",
        "M1 between lifetimes and ages",
        Nothing,
        li::fig6::run,
    ),
    experiment("li/fig7", "M2 measures ages", Nothing, li::fig7::run),
    experiment(
        "li/fig8",
        "mean update and update law by M2",
        Nothing,
        li::fig8::run,
    ),
    experiment(
        "li/fig9",
        "error of the mean age over time and visits",
        Nothing,
        li::fig9::run,
    ),
    experiment(
        "li/fig12",
        "M5 measures ages at whole visit intervals",
        Nothing,
        li::fig12::run,
    ),
    experiment(
        "li/table1",
        "convergence of M4 and M5, and the means of section V (erratum)",
        Nothing,
        li::table1::run,
    ),
    experiment(
        "li/fig14",
        "G-M4 is biased where visits are random",
        Nothing,
        li::fig14::run,
    ),
    experiment(
        "li/fig15",
        "M6 measures ages whatever the visits",
        Nothing,
        li::fig15::run,
    ),
];

/// The experiment of that name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Experiment> {
    EXPERIMENTS
        .iter()
        .find(|experiment| experiment.name == name)
}
