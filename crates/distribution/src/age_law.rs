//! The distribution of a page's age as a thing to reckon with: [`AgeLaw`].

use crate::isotonic::concave_majorant;

/// The distribution `G_U` of a page's age at a time of no particular meaning,
/// which is also that of the time until its next update: what a policy needs
/// in place of a rate.
///
/// A rising concave curve through straight pieces, from 0 at 0 to at most 1.
/// Lengths count the unit the law was made in. With `U` the time between
/// updates and μ = 1/E(U), `G_U(x) = μ ∫_0^x P(U > y) dy`.
#[derive(Debug, Clone, PartialEq)]
pub struct AgeLaw {
    corners: Vec<Corner>,
    rate: f64,
}

/// A corner of the curve with the integrals of the curve up to it.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Corner {
    x: f64,
    /// `G(x)`.
    cdf: f64,
    /// Slope of the piece that starts here.
    slope: f64,
    /// `∫_0^x G`.
    once: f64,
    /// `∫_0^x ∫_0^a G`.
    twice: f64,
}

impl AgeLaw {
    /// The law whose curve is the least concave one above `points`, which
    /// rise in x above 0; values are held within 0 and 1. Beyond the last
    /// point the curve stays level. `rate` is the slope at zero, updates per
    /// unit; `None` takes that of the curve's first piece.
    #[must_use]
    pub fn through(points: &[(f64, f64)], rate: Option<f64>) -> Self {
        let mut all = vec![(0.0, 0.0)];
        let mut highest = 0.0;
        for &(x, cdf) in points {
            highest = cdf.clamp(highest, 1.0);
            if x > 0.0 {
                all.push((x, highest));
            }
        }
        let shape = concave_majorant(&all);
        let mut corners: Vec<Corner> = Vec::with_capacity(shape.len());
        for (place, &(x, cdf)) in shape.iter().enumerate() {
            let slope = match shape.get(place + 1) {
                Some(&(next, above)) => ((above - cdf) / (next - x)).max(0.0),
                None => 0.0,
            };
            let (once, twice) = corners.last().map_or((0.0, 0.0), |last| last.integrals(x));
            corners.push(Corner {
                x,
                cdf,
                slope,
                once,
                twice,
            });
        }
        let rate = rate.unwrap_or(corners[0].slope);
        Self { corners, rate }
    }

    /// The law of Poisson updates: `1 - exp(-rate x)`, in straight pieces
    /// that stay within 1e-5 of it.
    #[must_use]
    pub fn exponential(rate: f64) -> Self {
        /// Equal steps in x up to where 1e-9 of the curve is left.
        const PIECES: u32 = 2_400;
        const REACH: f64 = 20.8;
        let points: Vec<_> = (1..=PIECES)
            .map(|piece| {
                let x = REACH * f64::from(piece) / f64::from(PIECES);
                (x / rate, -(-x).exp_m1())
            })
            .collect();
        Self::through(&points, Some(rate))
    }

    /// Updates per unit of time: `g_U(0)`.
    #[must_use]
    pub const fn rate(&self) -> f64 {
        self.rate
    }

    /// `G_U(x)`: the chance that a copy made `x` ago is out of date.
    #[must_use]
    pub fn cdf(&self, x: f64) -> f64 {
        let corner = self.piece(x);
        (corner.cdf + corner.slope * (x.max(0.0) - corner.x)).min(1.0)
    }

    /// `g_U(x)`, the density just right of `x`.
    #[must_use]
    pub fn density(&self, x: f64) -> f64 {
        self.piece(x).slope
    }

    /// The largest length the law tells anything about.
    #[must_use]
    pub fn reach(&self) -> f64 {
        self.corners.last().map_or(0.0, |corner| corner.x)
    }

    /// `G_U` at the reach: below 1 if the data did not tell the tail.
    #[must_use]
    pub fn highest(&self) -> f64 {
        self.corners.last().map_or(0.0, |corner| corner.cdf)
    }

    /// `∫_0^x G_U` and `∫_0^x ∫_0^a G_U`.
    #[must_use]
    pub fn integrals(&self, x: f64) -> (f64, f64) {
        self.piece(x).integrals(x.max(0.0))
    }

    /// The corner at or before `x`.
    fn piece(&self, x: f64) -> &Corner {
        let after = self.corners.partition_point(|corner| corner.x <= x);
        &self.corners[after.max(1) - 1]
    }
}

impl Corner {
    /// The integrals up to `x` on this corner's piece.
    fn integrals(&self, x: f64) -> (f64, f64) {
        let d = x - self.x;
        let once = self.once + d * (self.cdf + self.slope * d / 2.0);
        let twice = self.twice + d * (self.once + d * (self.cdf / 2.0 + self.slope * d / 6.0));
        (once, twice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integrals_of_the_exponential_law_are_those_on_paper() {
        let law = AgeLaw::exponential(2.0);
        for x in [0.1_f64, 0.7, 3.0] {
            let gone = -(-2.0 * x).exp_m1();
            assert!((law.cdf(x) - gone).abs() < 1e-5);
            let (once, twice) = law.integrals(x);
            assert!((once - (x - gone / 2.0)).abs() < 2e-5);
            assert!((twice - (x * x / 2.0 - x / 2.0 + gone / 4.0)).abs() < 5e-5);
        }
    }

    #[test]
    fn a_uniform_age_has_a_straight_curve() {
        // U = 4 always: the age is uniform on 0 to 4.
        let law = AgeLaw::through(&[(4.0, 1.0)], None);
        assert_eq!(law.rate(), 0.25);
        assert_eq!(law.cdf(1.0), 0.25);
        assert_eq!(law.cdf(9.0), 1.0);
        assert_eq!(law.integrals(4.0), (2.0, 8.0 / 3.0));
        assert_eq!(law.cdf(-1.0), 0.0);
    }

    #[test]
    fn a_dent_is_filled() {
        let law = AgeLaw::through(&[(1.0, 0.1), (2.0, 0.8), (3.0, 1.0)], None);
        assert!((law.cdf(1.0) - 0.4).abs() < 1e-15);
    }
}
