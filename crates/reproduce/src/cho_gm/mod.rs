//! Cho, Garcia-Molina: Estimating Frequency of Change. The numbers of its
//! figures are lost in the text we have, so that ours are compared with exact
//! values. Figures are numbered by order of appearance.

pub(crate) mod appendix;
pub(crate) mod fig1;
pub(crate) mod fig10;
pub(crate) mod fig12;
pub(crate) mod fig13;
pub(crate) mod fig14;
pub(crate) mod fig15;
pub(crate) mod fig3;
pub(crate) mod fig4;
pub(crate) mod fig5;
pub(crate) mod fig6;
pub(crate) mod fig7;

mod classes;

use recrawl_chart::{Series, Stroke};

use crate::Grounds;

/// Changes per visit, as the papers' axes show them.
const RATIO_LABEL: &str = "r, changes per visit";

/// Accesses n of the figures' curves.
const ACCESSES: [u64; 3] = [3, 10, 50];

/// The exact curve and the simulated points of the `number`-th setting.
fn exact_and_simulated(
    setting: &str,
    number: usize,
    exact: Vec<(f64, f64)>,
    ours: Vec<(f64, f64)>,
) -> [Series; 2] {
    [
        Series::line("exact", Stroke::Dotted, exact),
        Series::points(&format!("simulated, {setting}"), Stroke::nth(number), ours),
    ]
}

/// Four standard errors: what chance alone does to a simulated mean.
fn chance(error: f64) -> Grounds<'static> {
    Grounds {
        tolerance: crate::rounded(4.0 * error),
        basis: "within four standard errors of the simulation",
        because: "farther off than chance allows",
    }
}
