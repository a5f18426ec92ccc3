//! Places and ticks on an axis.

/// How lengths on an axis grow.
#[derive(Debug, Clone, PartialEq)]
pub enum Scale {
    /// With the value.
    Linear,
    /// With the logarithm of the value.
    Logarithmic,
    /// One place for each name, the first at 0.
    Names(Vec<String>),
}

/// One axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// What it shows, with the unit.
    pub label: String,
    /// How lengths grow.
    pub scale: Scale,
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

/// A tick, with a label or without.
#[derive(Debug, Clone, PartialEq)]
pub struct Tick {
    /// The value it stands at.
    pub at: f64,
    /// What is written beside it.
    pub label: Option<String>,
}

/// Intervals between ticks a linear axis aims at.
const STEPS: f64 = 6.0;

/// How far outside the ends a place may lie: lines that leave the area keep
/// their slope up to its edge, where they are cut.
const OUTSIDE: f64 = 4.0;

impl Axis {
    /// An axis whose lengths grow with the value.
    #[must_use]
    pub fn linear(label: &str, low: f64, high: f64) -> Self {
        Self::new(label, Scale::Linear, low, high)
    }

    /// An axis whose lengths grow with the logarithm of the value.
    #[must_use]
    pub fn logarithmic(label: &str, low: f64, high: f64) -> Self {
        Self::new(label, Scale::Logarithmic, low, high)
    }

    /// A place for each name; the n-th, counted from 0, stands at n.
    #[must_use]
    pub fn names(label: &str, names: &[&str]) -> Self {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        let high = names.len() as f64 - 0.5;
        Self::new(label, Scale::Names(names), -0.5, high)
    }

    /// A linear axis from 0 to a round number that holds every one of `values`.
    #[must_use]
    pub fn from_zero(label: &str, values: impl Iterator<Item = f64>) -> Self {
        let most = values.filter(|value| value.is_finite()).fold(0.0, f64::max);
        let step = round_step(most.max(f64::MIN_POSITIVE) / STEPS);
        let high = (most / step + 1e-9).ceil().max(1.0) * step;
        Self::linear(label, 0.0, high)
    }

    fn new(label: &str, scale: Scale, low: f64, high: f64) -> Self {
        Self {
            label: label.to_owned(),
            scale,
            low,
            high,
        }
    }

    /// Where `value` lies between the ends: 0 at the lower, 1 at the upper. On
    /// a logarithmic axis held to the ends.
    #[must_use]
    pub fn place(&self, value: f64) -> f64 {
        match self.scale {
            Scale::Logarithmic => {
                let low = self.low.ln();
                let share = (value.max(self.low).ln() - low) / (self.high.ln() - low);
                share.clamp(0.0, 1.0)
            }
            Scale::Linear | Scale::Names(_) => {
                let share = (value - self.low) / (self.high - self.low);
                share.clamp(-OUTSIDE, OUTSIDE)
            }
        }
    }

    /// Ticks from low to high.
    #[must_use]
    pub fn ticks(&self) -> Vec<Tick> {
        match &self.scale {
            Scale::Logarithmic => self.log_ticks(),
            Scale::Linear => self.linear_ticks(),
            Scale::Names(names) => (0..)
                .zip(names)
                .map(|(place, name)| Tick {
                    at: f64::from(place),
                    label: Some(name.clone()),
                })
                .collect(),
        }
    }

    fn linear_ticks(&self) -> Vec<Tick> {
        let step = round_step((self.high - self.low) / STEPS);
        let first = (self.low / step - 1e-9).ceil() as i64;
        let last = (self.high / step + 1e-9).floor() as i64;
        (first..=last)
            .map(|number| {
                let at = number as f64 * step;
                Tick {
                    at,
                    label: Some(plain(at)),
                }
            })
            .collect()
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

/// The least of 1, 2 or 5 times a power of ten that is no smaller.
fn round_step(step: f64) -> f64 {
    let power = 10f64.powf(step.log10().floor());
    [1.0, 2.0, 5.0]
        .into_iter()
        .map(|digit| digit * power)
        .find(|&rounded| rounded >= step * (1.0 - 1e-9))
        .unwrap_or(10.0 * power)
}

/// A number as people write it on an axis.
fn plain(number: f64) -> String {
    if number == 0.0 || (1e-4..1e5).contains(&number.abs()) {
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

    fn labels(axis: &Axis) -> Vec<String> {
        axis.ticks()
            .into_iter()
            .filter_map(|tick| tick.label)
            .collect()
    }

    #[test]
    fn decades_are_labelled_and_two_and_five_where_there_is_room() {
        assert_eq!(
            labels(&Axis::logarithmic("", 0.1, 10.0)),
            ["0.1", "0.2", "0.5", "1", "2", "5", "10"]
        );
        assert_eq!(
            labels(&Axis::logarithmic("", 1e-4, 1.0)),
            ["0.0001", "0.001", "0.01", "0.1", "1"]
        );
    }

    #[test]
    fn linear_ticks_are_round_numbers() {
        assert_eq!(
            labels(&Axis::linear("", 0.0, 1.0)),
            ["0", "0.2", "0.4", "0.6", "0.8", "1"]
        );
        assert_eq!(labels(&Axis::linear("", -30.0, 95.0)), ["0", "50"],);
    }

    #[test]
    fn an_axis_from_zero_ends_at_a_round_number_above_all_values() {
        let axis = Axis::from_zero("", [0.3, 0.83, f64::NAN].into_iter());
        assert_eq!((axis.low, axis.high), (0.0, 1.0));
        assert!(Axis::from_zero("", std::iter::empty()).high > 0.0);
    }

    #[test]
    fn places_grow_with_the_logarithm_and_stay_inside() {
        let axis = Axis::logarithmic("", 0.01, 100.0);
        assert!((axis.place(1.0) - 0.5).abs() < 1e-12);
        assert_eq!(axis.place(0.0), 0.0);
        assert_eq!(axis.place(1e9), 1.0);
    }

    #[test]
    fn names_stand_in_the_middle_of_their_places() {
        let axis = Axis::names("policy", &["RR", "Frq"]);
        assert_eq!((axis.place(0.0), axis.place(1.0)), (0.25, 0.75));
        assert_eq!(labels(&axis), ["RR", "Frq"]);
    }
}
