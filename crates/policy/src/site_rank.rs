//! Sites in order of what their samples said.

use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use recrawl_model::{Explanation, SiteId};

use crate::Collection;
use crate::samples::SampleTable;

/// The sites that have pages.
pub(crate) fn sites_with_pages(collection: &Collection) -> Vec<SiteId> {
    (0..collection.sites() as u32)
        .map(SiteId)
        .filter(|&site| collection.site_size(site) > 0)
        .collect()
}

/// Puts sites in a random order.
pub(crate) fn shuffle(sites: &mut [SiteId], chance: &mut Pcg64Mcg) {
    for last in (1..sites.len() as u32).rev() {
        let other = chance.random_range(0..=last);
        sites.swap(last as usize, other as usize);
    }
}

/// Orders sites by falling share of changed samples, ties at random. A site
/// whose samples told nothing stands where the mean of all samples stands.
pub(crate) fn rank_sites(sites: &mut [SiteId], table: &SampleTable, chance: &mut Pcg64Mcg) {
    let expected = table.pooled_share();
    shuffle(sites, chance);
    let share = |site: &SiteId| table.get(*site).share().unwrap_or(expected);
    sites.sort_by(|a, b| share(b).total_cmp(&share(a))); // stable: ties stay shuffled
}

/// What a site's samples of this cycle say.
pub(crate) fn explain(table: &SampleTable, site: SiteId) -> Explanation {
    let sample = table.get(site);
    match sample.share() {
        Some(share) => Explanation::new(share, "share of its site's samples that changed")
            .because(Explanation::new(
                sample.changed_weight,
                "weight of samples that changed this cycle",
            ))
            .because(Explanation::new(
                sample.told_weight,
                "weight of samples that told whether they changed",
            )),
        None => Explanation::new(
            table.pooled_share(),
            "share of all samples that changed, as none of its site told",
        ),
    }
}
