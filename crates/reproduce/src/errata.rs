//! What the papers print wrong, as far as we found: [`ERRATA`].

use crate::Paper;

/// Something a paper prints that does not hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Erratum {
    /// The paper.
    pub paper: Paper,
    /// Where, in a few words.
    pub place: &'static str,
    /// What is printed, what holds instead and why.
    pub text: &'static str,
    /// The experiment whose numbers show it.
    pub shown_by: &'static str,
}

/// Every erratum, in order of papers.
pub const ERRATA: [Erratum; 6] = [
    Erratum {
        paper: Paper::Singh,
        place: "section 3.2, the rate called bar",
        text: "The text corrects the maximum-likelihood rate by (n-3)/2; it must be (n-3)/n.",
        shown_by: "singh/corrections",
    },
    Erratum {
        paper: Paper::Singh,
        place: "section 3.2, “unbiased”",
        text: "At the last of n points the expected rates are, relative to the truth, n²/((n-1)(n-2)) for hat, \
               n/(n-1) for tilde and n(n-3)/((n-1)(n-2)) for check and bar: unbiased only as n grows. The exact \
               factor on hat is (n-1)(n-2)/n². An unbiased rate is not an unbiased mean time between updates \
               either: with four points check halves the rate and doubles the time.",
        shown_by: "singh/corrections",
    },
    Erratum {
        paper: Paper::Singh,
        place: "section 3.2, the log-likelihood",
        text: "The last term must read (b-1) Σ ln t_i; the logarithm is missing in print.",
        shown_by: "singh/corrections",
    },
    Erratum {
        paper: Paper::ChoNtoulas,
        place: "theorem 2, the best sample size",
        text: "Printed is sqrt(N r f(ρ_t) / (6 (ρ̄_r - ρ̄))). The objective it maximises has the sign of f/(6s) \
               wrong and loses r. Keeping the budget, changes a site are s ρ̄ + (N r - s)(ρ̄_r - f v/(2 r s)) with \
               v = ρ_t (1 - ρ_t), hence s = sqrt(N f(ρ_t) v / (2 (ρ̄_r - ρ̄))), without r. The curve is flat near \
               its top, so that the paper's rule of thumb sqrt(N r) loses little.",
        shown_by: "cho-ntoulas/theorem2",
    },
    Erratum {
        paper: Paper::Li,
        place: "section V-C, E[D4] = 1.63",
        text: "For Pareto updates (α = 3, β = 1) and Δ = 1 the exact value is Σ (1+n)^-2 = π²/6 = 1.645. Ages have \
               infinite variance, so that a simulation of any length tends to stay below it.",
        shown_by: "li/table1",
    },
    Erratum {
        paper: Paper::Li,
        place: "section VI-B, the uniform law of visits",
        text: "Uniform S is on [0, 2/λ], not on [0, 2λ]: its mean must be 1/λ.",
        shown_by: "li/fig15",
    },
];
