//! Downloads shared out in proportion to claims, no site over what it has.

/// Shares `total` in proportion to `claims`, no part over its capacity; what a
/// full part cannot take is shared among the others. Without a claim that can
/// take more, capacities are the claims. Parts add up to the smaller of
/// `total` and the sum of capacities.
#[must_use]
pub fn proportional_parts(total: f64, claims: &[f64], capacities: &[f64]) -> Vec<f64> {
    let mut parts = vec![0.0; claims.len()];
    let mut left = total.min(capacities.iter().sum());
    let mut claims = claims.to_vec();
    while left > 0.0 {
        let open = |part: usize| parts[part] < capacities[part];
        let mut claimed: f64 = (0..parts.len())
            .filter(|&part| open(part))
            .map(|part| claims[part])
            .sum();
        if claimed <= 0.0 {
            if !(0..parts.len()).any(open) {
                break;
            }
            claims.copy_from_slice(capacities);
            claimed = (0..parts.len())
                .filter(|&part| open(part))
                .map(|part| claims[part])
                .sum();
        }
        // Fill the parts that would overflow; without one, all is shared out.
        let level = left / claimed;
        let mut filled = false;
        for part in 0..parts.len() {
            let room = capacities[part] - parts[part];
            if room > 0.0 && claims[part] * level >= room {
                parts[part] = capacities[part];
                left -= room;
                filled = true;
            }
        }
        if !filled {
            for part in 0..parts.len() {
                if parts[part] < capacities[part] {
                    parts[part] += claims[part] * level;
                }
            }
            break;
        }
    }
    parts
}

/// [`proportional_parts`] in whole downloads: rounded down, and the downloads
/// left given one each to the largest remainders.
pub(crate) fn share_out(total: u64, claims: &[f64], capacities: &[u32]) -> Vec<u32> {
    let room: Vec<f64> = capacities.iter().map(|&pages| f64::from(pages)).collect();
    let parts = proportional_parts(total as f64, claims, &room);
    let mut whole: Vec<u32> = parts.iter().map(|&part| part as u32).collect();
    let given: u64 = whole.iter().map(|&part| u64::from(part)).sum();
    let pages: u64 = capacities.iter().map(|&pages| u64::from(pages)).sum();
    let left = total.min(pages).saturating_sub(given);
    let mut by_remainder: Vec<usize> = (0..parts.len())
        .filter(|&part| whole[part] < capacities[part])
        .collect();
    by_remainder.sort_by(|&a, &b| parts[b].fract().total_cmp(&parts[a].fract()));
    for &part in by_remainder.iter().take(left as usize) {
        whole[part] += 1;
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn example_2_shares_80_downloads_as_printed() {
        // Cho & Ntoulas, Example 2: 7 and 2 changed samples, 90 pages left each.
        let parts = proportional_parts(80.0, &[7.0, 2.0], &[90.0, 90.0]);
        assert!((parts[0] - 62.2).abs() < 0.05 && (parts[1] - 17.8).abs() < 0.05);
        assert_eq!(share_out(80, &[7.0, 2.0], &[90, 90]), [62, 18]);
    }

    #[test]
    fn what_a_full_site_cannot_take_goes_to_the_others() {
        assert_eq!(
            share_out(100, &[8.0, 1.0, 1.0], &[20, 90, 90]),
            [20, 40, 40]
        );
        assert_eq!(share_out(50, &[1.0, 0.0], &[10, 90]), [10, 40]);
    }

    #[test]
    fn without_a_changed_sample_sites_share_by_their_pages() {
        assert_eq!(share_out(30, &[0.0, 0.0], &[20, 40]), [10, 20]);
    }

    proptest! {
        #[test]
        fn all_that_fits_is_shared_out_and_no_site_overflows(
            total in 0u64..500,
            sites in proptest::collection::vec((0u32..20, 0u32..100), 0..20),
        ) {
            let claims: Vec<f64> = sites.iter().map(|&(claim, _)| f64::from(claim)).collect();
            let rest: Vec<u32> = sites.iter().map(|&(_, rest)| rest).collect();
            let parts = share_out(total, &claims, &rest);
            prop_assert!(parts.iter().zip(&rest).all(|(part, rest)| part <= rest));
            let pages: u64 = rest.iter().map(|&pages| u64::from(pages)).sum();
            let given: u64 = parts.iter().map(|&part| u64::from(part)).sum();
            prop_assert_eq!(given, total.min(pages));
        }
    }
}
