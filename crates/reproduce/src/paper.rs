//! The papers: [`Paper`], and what of them is left out.

/// A paper whose tables and figures are reproduced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Paper {
    /// Estimating Frequency of Change.
    ChoGarciaMolina,
    /// Estimating the Rate of Web Page Updates.
    Singh,
    /// Effective Change Detection using Sampling.
    ChoNtoulas,
    /// Temporal Update Dynamics under Blind Sampling.
    Li,
}

impl Paper {
    /// Every paper, in the order of reproduction.
    pub const ALL: [Self; 4] = [
        Self::ChoGarciaMolina,
        Self::Singh,
        Self::ChoNtoulas,
        Self::Li,
    ];

    /// The part of an experiment's name before the slash.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ChoGarciaMolina => "cho-gm",
            Self::Singh => "singh",
            Self::ChoNtoulas => "cho-ntoulas",
            Self::Li => "li",
        }
    }

    /// Authors, title and place.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::ChoGarciaMolina => "Cho, Garcia-Molina: Estimating Frequency of Change",
            Self::Singh => "Singh: Estimating the Rate of Web Page Updates (IJCAI-07)",
            Self::ChoNtoulas => "Cho, Ntoulas: Effective Change Detection using Sampling (VLDB-02)",
            Self::Li => {
                "Li, Cline, Loguinov: Temporal Update Dynamics under Blind Sampling (INFOCOM-15)"
            }
        }
    }

    /// The paper of an experiment.
    pub(crate) fn of(experiment: &str) -> Self {
        let name = experiment.split('/').next().unwrap_or_default();
        Self::ALL
            .into_iter()
            .find(|paper| paper.name() == name)
            .unwrap_or(Self::Li)
    }
}

/// A figure or table that is not reproduced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeftOut {
    /// `paper/figure`.
    pub name: &'static str,
    /// What it shows and why it is left out.
    pub reason: &'static str,
}

/// Figures and tables without data.
pub const LEFT_OUT: [LeftOut; 15] = [
    left_out(
        "cho-gm/fig2",
        "a drawing of three possible densities of an estimator, without data",
    ),
    left_out(
        "cho-gm/fig8",
        "a drawing of accesses that miss changes, without data",
    ),
    left_out(
        "cho-gm/fig9",
        "pseudo-code of the first last-modified estimator; fig10 runs it",
    ),
    left_out(
        "cho-gm/fig11",
        "pseudo-code of the final last-modified estimator; fig12 runs it",
    ),
    left_out("cho-ntoulas/table1", "a table of notation"),
    left_out(
        "cho-ntoulas/fig2",
        "a drawing of a histogram, without data; fig5 is the real one",
    ),
    left_out(
        "cho-ntoulas/fig3",
        "pseudo-code of the adaptive policy; fig6, fig11 and fig12 run it",
    ),
    left_out(
        "cho-ntoulas/fig4",
        "a hypothetical curve, without data; fig8 measures it",
    ),
    left_out(
        "cho-ntoulas/fig16",
        "a drawing for the proof of theorem 2; see cho-ntoulas/theorem2",
    ),
    left_out("li/fig1", "a drawing of the notation"),
    left_out("li/fig2", "a drawing that orders the methods"),
    left_out("li/fig3", "a drawing of M1"),
    left_out("li/fig10", "a drawing of M3"),
    left_out("li/fig11", "a drawing of M3 missing updates"),
    left_out("li/fig13", "a drawing of G-M4"),
];

const fn left_out(name: &'static str, reason: &'static str) -> LeftOut {
    LeftOut { name, reason }
}
