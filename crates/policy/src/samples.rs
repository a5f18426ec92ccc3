//! How many pages to sample of each site: [`Samples`], and what the samples
//! say: [`SiteSample`].

use recrawl_model::{Outcome, SiteId};

use crate::arguments::{Arguments, Key, PolicyError};
use crate::{Collection, Desk, Seen, sample_size};

/// How the sample size of a site is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Samples {
    /// `sqrt(N r)`: N pages a site, r of them affordable a cycle.
    #[default]
    Auto,
    /// So many, or all pages of a smaller site.
    Fixed(u32),
    /// Theorem 2 of Cho & Ntoulas, corrected, on what the last cycle's samples
    /// said; `Auto` in the first cycle.
    Theorem2,
    /// Theorem 2 as printed, likewise.
    Theorem2Printed,
}

pub(crate) const SAMPLES_KEY: Key = Key {
    name: "samples",
    default: "auto",
    meaning: "pages sampled of each site: a number, auto, theorem2 or theorem2-printed",
};

pub(crate) const SAMPLE_COST_KEY: Key = Key {
    name: "sample-cost",
    default: "1",
    meaning: "cost of a sample in downloads; below 1 a changed sample is downloaded as well",
};

impl Samples {
    /// Takes `samples`.
    pub(crate) fn take(arguments: &mut Arguments) -> Result<Self, PolicyError> {
        let Some(text) = arguments.take(SAMPLES_KEY.name) else {
            return Ok(Self::default());
        };
        match text.as_str() {
            "auto" => Ok(Self::Auto),
            "theorem2" => Ok(Self::Theorem2),
            "theorem2-printed" => Ok(Self::Theorem2Printed),
            _ => match text.parse::<u32>() {
                Ok(count) if count > 0 => Ok(Self::Fixed(count)),
                _ => Err(arguments.refuse(
                    SAMPLES_KEY.name,
                    &text,
                    "a whole number above 0, auto, theorem2 or theorem2-printed",
                )),
            },
        }
    }

    /// The sample size for `sites` sites with `pages` pages in all, of which
    /// `downloads` are affordable, after samples with the shares `before`.
    pub(crate) fn size(self, sites: usize, pages: u64, downloads: u64, before: &[f64]) -> u32 {
        let per_site = pages as f64 / sites.max(1) as f64;
        let affordable = (downloads as f64 / pages.max(1) as f64).min(1.0);
        let size = match self {
            Self::Fixed(count) => return count,
            Self::Auto => None,
            Self::Theorem2 => sample_size::spread(before, affordable)
                .and_then(|spread| sample_size::corrected(per_site, &spread)),
            Self::Theorem2Printed => sample_size::spread(before, affordable)
                .and_then(|spread| sample_size::printed(per_site, affordable, &spread)),
        };
        let size = size.unwrap_or_else(|| sample_size::rule_of_thumb(per_site, affordable));
        // Samples beyond the budget would only say who is not sampled.
        let most = (per_site * affordable).max(1.0);
        size.round().clamp(1.0, most) as u32
    }
}

/// What the samples of one site said in this cycle.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct SiteSample {
    /// Pages of the site drawn in this cycle.
    pub(crate) drawn: u32,
    /// Samples that told something.
    pub(crate) told: u32,
    /// Samples that saw a change.
    pub(crate) changed: u32,
    /// The weights of `told`.
    pub(crate) told_weight: f64,
    /// The weights of `changed`.
    pub(crate) changed_weight: f64,
}

impl SiteSample {
    /// Weighted share of the samples that saw a change; `None` without one
    /// that told.
    pub(crate) fn share(&self) -> Option<f64> {
        (self.told_weight > 0.0).then(|| self.changed_weight / self.told_weight)
    }
}

/// The samples of all sites.
#[derive(Debug, Default)]
pub(crate) struct SampleTable {
    sites: Vec<SiteSample>,
}

impl SampleTable {
    pub(crate) fn clear(&mut self, sites: usize) {
        self.sites.clear();
        self.sites.resize(sites, SiteSample::default());
    }

    pub(crate) fn get(&self, site: SiteId) -> SiteSample {
        self.sites.get(site.index()).copied().unwrap_or_default()
    }

    pub(crate) fn drawn_mut(&mut self, site: SiteId) -> &mut u32 {
        &mut self.sites[site.index()].drawn
    }

    /// Asks for samples of the sites from `place` on until each has `goal`
    /// pages drawn or the batch is full; returns the place to go on at.
    pub(crate) fn draw_up_to(
        &mut self,
        desk: &mut Desk<'_>,
        sites: &[SiteId],
        mut place: usize,
        goal: u32,
    ) -> usize {
        while let Some(&site) = sites.get(place) {
            if desk.room() == 0 {
                break;
            }
            let drawn = &mut self.sites[site.index()].drawn;
            desk.draw(site, drawn, goal.saturating_sub(*drawn));
            if *drawn < goal.min(desk.collection().site_size(site)) {
                break; // cut short by the end of the batch: go on here
            }
            place += 1;
        }
        place
    }

    /// Counts samples. First and failed visits tell nothing about change.
    pub(crate) fn count(&mut self, collection: &Collection, seen: &Seen<'_>) {
        for (&page, &outcome) in seen.pages.iter().zip(seen.outcomes) {
            let changed = match outcome {
                Outcome::Changed => true,
                Outcome::Unchanged => false,
                Outcome::First | Outcome::Unknown => continue,
            };
            let weight = collection.weight(page);
            let site = collection.summary(page).site();
            if let Some(sample) = self.sites.get_mut(site.index()) {
                sample.told += 1;
                sample.told_weight += weight;
                if changed {
                    sample.changed += 1;
                    sample.changed_weight += weight;
                }
            }
        }
    }

    /// The shares of the sites whose samples told something.
    pub(crate) fn shares(&self) -> Vec<f64> {
        self.sites.iter().filter_map(SiteSample::share).collect()
    }

    /// Share over all samples, 0 without any: what is expected of a site whose
    /// samples told nothing.
    pub(crate) fn pooled_share(&self) -> f64 {
        let told: f64 = self.sites.iter().map(|site| site.told_weight).sum();
        let changed: f64 = self.sites.iter().map(|site| site.changed_weight).sum();
        if told > 0.0 { changed / told } else { 0.0 }
    }
}
