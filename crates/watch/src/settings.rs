//! How to watch: [`Settings`].

use std::time::Duration;

use recrawl_engine::{Allowance, AllowanceError, Manners};

/// Everything the watcher can be told. `recrawl.toml` and the flags of
/// `recrawl watch` end up here.
#[derive(Debug, Clone)]
pub struct Settings {
    /// What may be spent.
    pub allowance: Allowance,
    /// The policy, as in `--policy`.
    pub policy: String,
    /// Seed of the policies that draw.
    pub seed: u64,
    /// How hosts are treated.
    pub manners: Manners,
    /// Most visits of one site in a period of the budget.
    pub site_cap: Option<u64>,
    /// Visits at a time, over all hosts.
    pub connections: usize,
    /// What bounds a request.
    pub fetch: recrawl_fetch::Settings,
    /// What counts as a change.
    pub detect: recrawl_detect::Settings,
    /// Versions kept of a page; two show the last change.
    pub keep: usize,
    /// Largest share of visits spent on second looks, to learn noise.
    pub second_looks: f64,
    /// How often sitemaps and feeds are read again.
    pub sources_every: Duration,
    /// End by itself after this time.
    pub stop_after: Option<Duration>,
    /// End by itself after so many cycles are over.
    pub stop_after_cycles: Option<u64>,
}

/// Part of the visits that second looks may take at most. They are asked for
/// ever more rarely where they teach nothing; a page whose noise is taken for
/// news draws many more visits than its second looks do.
pub const SECOND_LOOKS: f64 = 0.2;

impl Settings {
    /// Settings for a budget, everything else as it is by default.
    #[must_use]
    pub fn new(allowance: Allowance) -> Self {
        Self {
            allowance,
            policy: recrawl_policy::DEFAULT_POLICY.to_owned(),
            seed: 1,
            manners: Manners::default(),
            site_cap: None,
            connections: 64,
            fetch: recrawl_fetch::Settings::default(),
            detect: recrawl_detect::Settings::default(),
            keep: 2,
            second_looks: SECOND_LOOKS,
            sources_every: Duration::from_secs(6 * 3_600),
            stop_after: None,
            stop_after_cycles: None,
        }
    }

    /// Most visits of one site in cycle `number`: what the settings say, and no
    /// more than its host can be visited in that time.
    pub(crate) fn cap_of(&self, number: u64) -> Option<u32> {
        let length = self.allowance.cycle_length().as_micros();
        let fit = length.checked_div(self.manners.gap.as_micros());
        let fit = fit.map(|gaps| u32::try_from(gaps).unwrap_or(u32::MAX).saturating_add(1));
        let cap = self.site_cap.map(|cap| self.allowance.part_of(cap, number));
        let cap = cap.map(|cap| u32::try_from(cap).unwrap_or(u32::MAX));
        match (cap, fit) {
            (Some(cap), Some(fit)) => Some(cap.min(fit)),
            (cap, fit) => cap.or(fit),
        }
    }

    /// The default budget: polite for a laptop's forty pages or a few thousand.
    ///
    /// # Errors
    /// None today.
    pub fn default_allowance() -> Result<Allowance, AllowanceError> {
        Allowance::parse("1000/d")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_gets_no_more_visits_a_cycle_than_its_host_has_gaps_for() {
        let hour = Duration::from_secs(3_600);
        let mut settings = Settings::new(Allowance::at_once(1_000, hour).expect("a budget"));
        settings.manners.gap = Duration::from_secs(60);
        assert_eq!(settings.cap_of(0), Some(61));
        settings.site_cap = Some(10);
        assert_eq!(settings.cap_of(0), Some(10));
        settings.manners.gap = Duration::ZERO;
        assert_eq!(settings.cap_of(0), Some(10));
        settings.site_cap = None;
        assert_eq!(settings.cap_of(0), None);
    }
}
