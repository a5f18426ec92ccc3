//! How long a page has not changed, in two bytes: [`Quiet`].

/// Days from the last visit that saw a change to the last visit, to a part in two
/// thousand: the exponent and the first digits of a float.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Quiet(u16);

/// The float that the smallest number stands for, without the digits that are not
/// kept: 2^-20 days, a twelfth of a second. The largest is beyond eleven years.
const LEAST: u32 = (127 - 20) << 11;
const DROPPED: u32 = 12;

impl Quiet {
    /// No visit has seen a change.
    pub(crate) const NEVER_CHANGED: Self = Self(u16::MAX);
    /// The last visit saw one.
    pub(crate) const JUST_CHANGED: Self = Self(0);
    const LONGEST: u16 = u16::MAX - 1;

    /// The days; `None` if no visit has seen a change.
    #[inline]
    pub(crate) fn days(self) -> Option<f32> {
        match self {
            Self::NEVER_CHANGED => None,
            Self::JUST_CHANGED => Some(0.0),
            Self(number) => Some(f32::from_bits((LEAST + u32::from(number)) << DROPPED)),
        }
    }

    /// After so many more days without a change.
    pub(crate) fn longer(self, days: f32) -> Self {
        let Some(before) = self.days() else {
            return self;
        };
        let half = 1 << (DROPPED - 1);
        let kept = ((before + days).to_bits() + half) >> DROPPED;
        Self(kept.saturating_sub(LEAST).min(u32::from(Self::LONGEST)) as u16)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_add_up_over_years_of_visits() {
        let mut daily = Quiet::JUST_CHANGED;
        for day in 1..=1_000 {
            daily = daily.longer(1.0);
            let days = daily.days().expect("has changed");
            assert!((days / day as f32 - 1.0).abs() < 2e-3, "{days} {day}");
        }
        let second = Quiet::JUST_CHANGED.longer(1.0 / 86_400.0);
        let second = second.days().expect("has changed");
        assert!((second * 86_400.0 - 1.0).abs() < 1e-3, "{second}");
    }

    #[test]
    fn the_longest_stays_the_longest_and_never_stays_never() {
        let longest = Quiet::JUST_CHANGED.longer(1e9);
        assert_eq!(longest, longest.longer(1.0));
        assert!(longest.days() > Some(4_000.0));
        assert_eq!(Quiet::NEVER_CHANGED.longer(3.0).days(), None);
    }
}
