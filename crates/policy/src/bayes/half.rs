//! Numbers in two bytes: [`Half`].

/// The first half of an `f32`: good to four parts in a thousand, from no change at
/// all to more than any site sees.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Half(u16);

impl Half {
    /// The nearest to a positive number, or 0.
    pub(super) fn new(number: f32) -> Self {
        let rounded = number.to_bits().saturating_add(1 << 15);
        Self((rounded >> 16) as u16)
    }

    /// The number.
    #[inline]
    pub(super) fn get(self) -> f32 {
        f32::from_bits(u32::from(self.0) << 16)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_half_is_near_its_number_and_nothing_stays_nothing() {
        assert_eq!(Half::new(0.0).get(), 0.0);
        for number in [1e-9, 0.1, 0.5, 1.0, 3.7, 200.0, 12_345.6, 1e12f32] {
            let off = (Half::new(number).get() / number - 1.0).abs();
            assert!(off < 4e-3, "{number}: {off}");
        }
        assert_eq!(Half::new(0.5).get(), 0.5);
    }
}
