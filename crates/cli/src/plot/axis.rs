//! Places and ticks on an axis.

use super::{Axis, Scale};

/// A tick, with a label or without.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tick {
    pub(super) at: f64,
    pub(super) label: Option<String>,
}

impl Axis {
    /// Where `value` lies between the ends, 0 to 1, held to them.
    pub(super) fn place(&self, value: f64) -> f64 {
        let share = match self.scale {
            Scale::Logarithmic => {
                let low = self.low.ln();
                (value.max(self.low).ln() - low) / (self.high.ln() - low)
            }
        };
        share.clamp(0.0, 1.0)
    }

    /// Ticks from low to high.
    pub(super) fn ticks(&self) -> Vec<Tick> {
        match self.scale {
            Scale::Logarithmic => self.log_ticks(),
        }
    }

    /// Every digit of every decade; labelled are the decades, and 2 and 5 as
    /// well where there are few.
    fn log_ticks(&self) -> Vec<Tick> {
        let decades = (self.high / self.low).log10();
        let mut ticks = Vec::new();
        let first = self.low.log10().floor() as i32;
        let last = self.high.log10().ceil() as i32;
        for decade in first..=last {
            for digit in 1..10 {
                let at = f64::from(digit) * 10f64.powi(decade);
                if at < self.low * (1.0 - 1e-9) || at > self.high * (1.0 + 1e-9) {
                    continue;
                }
                let labelled = digit == 1 || (decades < 3.0 && matches!(digit, 2 | 5));
                ticks.push(Tick {
                    at,
                    label: labelled.then(|| plain(at)),
                });
            }
        }
        ticks
    }
}

/// A number as people write it on an axis.
fn plain(number: f64) -> String {
    if (1e-4..1e6).contains(&number) {
        // The shortest text that reads back as the number rounded to it.
        let rounded: f64 = format!("{number:.6e}").parse().unwrap_or(number);
        rounded.to_string()
    } else {
        format!("{number:.0e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(low: f64, high: f64) -> Axis {
        Axis {
            label: String::new(),
            scale: Scale::Logarithmic,
            low,
            high,
        }
    }

    #[test]
    fn decades_are_labelled_and_two_and_five_where_there_is_room() {
        let labels = |axis: Axis| -> Vec<String> {
            axis.ticks()
                .into_iter()
                .filter_map(|tick| tick.label)
                .collect()
        };
        assert_eq!(
            labels(axis(0.1, 10.0)),
            ["0.1", "0.2", "0.5", "1", "2", "5", "10"]
        );
        assert_eq!(
            labels(axis(1e-4, 1.0)),
            ["0.0001", "0.001", "0.01", "0.1", "1"]
        );
    }

    #[test]
    fn places_grow_with_the_logarithm_and_stay_inside() {
        let axis = axis(0.01, 100.0);
        assert!((axis.place(1.0) - 0.5).abs() < 1e-12);
        assert_eq!(axis.place(0.0), 0.0);
        assert_eq!(axis.place(1e9), 1.0);
    }
}
