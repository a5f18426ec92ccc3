//! What one more visit wins at a page, in units of its rate, and the inverse.
//!
//! x = λt is the number of changes expected between two visits, t the time
//! between them. Both gains rise from 0, so each level is reached once.

/// Below this the closed forms lose digits and their series are used.
const SERIES_BELOW: f64 = 0.5;

/// Above this exp(-x) is below the last bit of everything it is added to.
const FLAT_ABOVE: f64 = 800.0;

/// Terms of the series: 0.5^15/15! is below the last bit.
const TERMS: usize = 15;

/// `(-1)^n/(n! (n+2))`: what integrating `x (-x)^n/n!` gives.
const COEFFICIENTS: [f64; TERMS] = {
    let mut coefficients = [0.0; TERMS];
    let (mut n, mut sign_over_factorial) = (0, 1.0);
    while n < TERMS {
        coefficients[n] = sign_over_factorial / (n as f64 + 2.0);
        n += 1;
        sign_over_factorial /= -(n as f64);
    }
    coefficients
};

/// `Σ (-1)^n x^n/(n! (n+2))` over the given coefficients.
fn series(x: f64, coefficients: &[f64]) -> f64 {
    let terms = coefficients.iter().rev();
    terms.fold(0.0, |sum, coefficient| sum * x + coefficient)
}

/// `g(x) = 1 - (1 + x) exp(-x)`: h of Cho & Garcia-Molina (2003).
///
/// Freshness at regular intervals, `F = (1 - e^-x)/x`, grows by g(x)/λ for each
/// visit more per unit of time; changes caught, `f (1 - e^-x)`, by g(x).
/// Rises from 0 to 1, exact to a few units in the last place.
#[must_use]
pub fn freshness_gain(x: f64) -> f64 {
    if x < SERIES_BELOW {
        x * x * series(x, &COEFFICIENTS)
    } else {
        let x = x.min(FLAT_ABOVE);
        1.0 - (1.0 + x) * (-x).exp()
    }
}

/// `x^2/2 + x exp(-x) - (1 - exp(-x))`: the mean age of a copy visited at
/// regular intervals (Cho & Garcia-Molina 2003),
/// `A = (1/f)(1/2 - 1/x + (1 - e^-x)/x^2)`, falls by this over λ^2 for each
/// visit more per unit of time. Rises from 0 without bound.
#[must_use]
pub fn age_gain(x: f64) -> f64 {
    if x < SERIES_BELOW {
        -x * x * x * series(x, &COEFFICIENTS[1..])
    } else {
        x * x / 2.0 + x.min(FLAT_ABOVE) * (-x).exp() + (-x).exp_m1()
    }
}

/// Steps of Newton's method: it doubles digits each time from a start that is
/// good to a few per cent.
const STEPS: u32 = 12;

/// The x with `1/g(x) = 1 + excess`, g = [`freshness_gain`]: infinite where
/// `excess` is 0, for g reaches 1 nowhere.
///
/// With η^2/2 = -ln(1 - g) = ln(1 + 1/excess) this is `x - ln(1 + x) = η^2/2`,
/// `x = η + η^2/3 + η^3/36 - η^4/270 + ...` for small η (the branch W₋₁ of
/// Lambert's function about its end, -1 - x = W₋₁(-(1-g)/e)), else Newton's
/// method on a convex equation.
#[must_use]
pub fn inverse_freshness_gain(excess: f64) -> f64 {
    const SMALL: f64 = 0.02;
    let level = excess.recip().ln_1p();
    let eta = (2.0 * level).sqrt();
    let near = eta * (1.0 + eta * (1.0 / 3.0 + eta * (1.0 / 36.0 - eta / 270.0)));
    if eta < SMALL {
        return near + eta.powi(5) / 4320.0;
    }
    if level.is_infinite() {
        return f64::INFINITY;
    }
    let mut x = if eta < 2.0 {
        near
    } else {
        level + (1.0 + level + eta).ln()
    };
    for _ in 0..STEPS {
        let step = (x - x.ln_1p() - level) * (1.0 + x) / x;
        x -= step;
        if step.abs() <= 1e-15 * x {
            break;
        }
    }
    x
}

/// The x with [`age_gain`] equal to `1/worth`: infinite where `worth` is 0.
#[must_use]
pub fn inverse_age_gain(worth: f64) -> f64 {
    const SMALL: f64 = 1e-4;
    let gain = worth.recip();
    let root = (3.0 * gain).cbrt();
    let near = root * (1.0 + root * (0.125 + root * 13.0 / 960.0));
    if root < SMALL || gain.is_infinite() {
        return near;
    }
    let mut x = if gain < 1.0 {
        near
    } else {
        (2.0 * gain + 2.0).sqrt()
    };
    for _ in 0..STEPS {
        let step = (age_gain(x) - gain) / (-x * (-x).exp_m1());
        x -= step;
        if step.abs() <= 1e-15 * x {
            break;
        }
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn series_and_closed_forms_meet() {
        for x in [0.499_999_9, 0.500_000_1] {
            let closed = 1.0 - (1.0 + x) * f64::exp(-x);
            assert!((freshness_gain(x) / closed - 1.0).abs() < 1e-14);
            let closed = x * x / 2.0 + x * f64::exp(-x) + f64::exp_m1(-x);
            assert!((age_gain(x) / closed - 1.0).abs() < 1e-13);
        }
    }

    #[test]
    fn small_gains_keep_their_digits() {
        // The leading terms x^2/2 and x^3/3.
        assert!((freshness_gain(1e-9) / 0.5e-18 - 1.0).abs() < 1e-8);
        assert!((age_gain(1e-9) / (1e-27 / 3.0) - 1.0).abs() < 1e-8);
    }

    #[test]
    fn a_page_expected_to_change_once_between_visits_gains_1_minus_2_over_e() {
        assert!((freshness_gain(1.0) - 0.264_241_117_657_115_3).abs() < 1e-15);
        assert!((age_gain(1.0) - 0.235_758_882_342_884_65).abs() < 1e-15);
    }

    #[test]
    fn inverses_undo_the_gains_over_sixty_orders_of_magnitude() {
        for tenth in -300..=25 {
            let x = 10f64.powf(f64::from(tenth) / 10.0);
            // 1/g - 1 without the cancellation of g near 1.
            let rest = (1.0 + x) * (-x).exp();
            let excess = if rest < 0.5 {
                rest / (1.0 - rest)
            } else {
                freshness_gain(x).recip() - 1.0
            };
            let back = inverse_freshness_gain(excess);
            assert!((back / x - 1.0).abs() < 1e-12, "{x} {back}");
            let back = inverse_age_gain(age_gain(x).recip());
            assert!((back / x - 1.0).abs() < 1e-12, "{x} {back}");
        }
    }

    #[test]
    fn a_page_never_visited_gains_all_there_is_from_a_first_visit() {
        assert_eq!(freshness_gain(f64::INFINITY), 1.0);
        assert_eq!(age_gain(f64::INFINITY), f64::INFINITY);
    }

    #[test]
    fn what_is_worth_nothing_is_never_visited() {
        assert_eq!(inverse_freshness_gain(0.0), f64::INFINITY);
        assert_eq!(inverse_age_gain(0.0), f64::INFINITY);
    }
}
