//! Figure 4: the share of visits that see a change.

use crate::simulated::{Law, visit};

#[test]
fn the_share_of_visits_that_see_a_change_is_that_of_figure_4() {
    // Rate of visits, p for constant and for exponential intervals:
    // 1 - (1 + 1/rate)^-2, and its mean over the intervals.
    for (rate, constant, exponential) in [
        (0.5, 0.889, 0.731),
        (1.0, 0.750, 0.596),
        (2.0, 0.556, 0.445),
        (5.0, 0.306, 0.261),
        (10.0, 0.174, 0.156),
    ] {
        let until = 40_000.0 / f64::min(rate, 2.0);
        let p = |visits| visit(Law::Pareto, visits, until, 4, false).retained();
        let regular = p(Law::Constant(1.0 / rate));
        let random = p(Law::Exponential(1.0 / rate));
        assert!((regular - constant).abs() < 0.008, "{rate}: {regular}");
        assert!((random - exponential).abs() < 0.008, "{rate}: {random}");
    }
}

#[test]
fn m5_needs_a_quarter_fewer_values_at_rate_one_and_five_sixths_fewer_at_ten() {
    for (rate, saved) in [(1.0, 0.25), (10.0, 0.83)] {
        let samples = visit(Law::Pareto, Law::Constant(1.0 / rate), 20_000.0, 5, false);
        assert!((1.0 - samples.retained() - saved).abs() < 0.01);
    }
}
