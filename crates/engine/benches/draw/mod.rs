//! Chance in the worlds of the benchmarks.

/// A number in 0 to 1 that is the same for the same number and turn: two rounds of
/// the finaliser of SplitMix64 (Steele, Lea & Flood 2014).
pub(crate) fn chance(number: u32, turn: u32) -> f64 {
    let mut bits = mixed(u64::from(number) << 32 | u64::from(turn));
    bits = mixed(bits);
    (bits >> 11) as f64 / (1u64 << 53) as f64
}

fn mixed(number: u64) -> u64 {
    let mut bits = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}
