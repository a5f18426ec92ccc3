//! Pages that may have changed their ways: [`Ways`].

use recrawl_estimate::GammaFilter;
use recrawl_model::PageId;

use super::evidence::{Evidence, Interval, Prior};

/// Part of the interval in which a page changed its ways that it has shown the
/// new ones: it may have turned at any time in it.
const SINCE_TURNED: f64 = 0.5;

/// A second reading of a page's visits: that it changed its ways at some time,
/// and what it has shown since.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Second {
    pub(super) evidence: Evidence,
    /// How likely this reading is, the other being what its evidence says.
    pub(super) chance: f32,
}

/// Second readings of the pages that are watched for changing their ways.
#[derive(Debug)]
pub(super) struct Ways {
    /// One page in so many is watched.
    stride: usize,
    seconds: Vec<Second>,
}

impl Default for Ways {
    fn default() -> Self {
        Self {
            stride: 1,
            seconds: Vec::new(),
        }
    }
}

/// How likely a visit made each reading of a page: that all its visits belong
/// together, that it changed its ways when its second reading says, that it
/// changed them since the visit before.
#[derive(Debug, Clone, Copy)]
pub(super) struct Readings {
    pub(super) own: f64,
    pub(super) second: f64,
    pub(super) anew: f64,
}

impl Ways {
    /// The second reading of a page.
    #[inline]
    pub(super) fn of(&self, page: PageId) -> Second {
        let place = match self.stride {
            1 => page.index(), // a division for each of all pages would cost
            stride if page.index().is_multiple_of(stride) => page.index() / stride,
            _ => return Second::default(),
        };
        self.seconds.get(place).copied().unwrap_or_default()
    }

    /// Whether the page is among those watched.
    #[inline]
    pub(super) const fn is_watched(&self, page: PageId) -> bool {
        page.index().is_multiple_of(self.stride)
    }

    /// Watches one page in so many. What was read of those watched before is
    /// kept if all are watched now.
    pub(super) fn watch_every(&mut self, stride: usize) {
        if stride == self.stride {
            return;
        }
        let before = std::mem::take(&mut self.seconds);
        if stride == 1 {
            let last = before.len().saturating_sub(1) * self.stride;
            self.seconds.resize(last + 1, Second::default());
            for (index, second) in before.into_iter().enumerate() {
                self.seconds[index * self.stride] = second;
            }
        }
        self.stride = stride;
    }

    /// Takes in an interval, a visit having made the readings that likely. Of
    /// the three the least likely is dropped. Pages of which only their site is
    /// known follow the first law, those that changed their ways the second.
    pub(super) fn learn(
        &mut self,
        page: PageId,
        evidence: &mut Evidence,
        readings: Readings,
        laws: [Prior; 2],
        interval: Interval,
    ) {
        let Readings { own, second, anew } = readings;
        let as_told = self.read(page, *evidence, laws, interval);
        let (kept, other) = if anew <= own.min(second) {
            ((as_told.own(), own), (as_told.second(), second))
        } else if second <= own {
            ((as_told.own(), own), (as_told.anew(), anew))
        } else if second >= anew {
            ((as_told.second(), second), (as_told.anew(), anew))
        } else {
            ((as_told.anew(), anew), (as_told.second(), second))
        };
        *evidence = kept.0;
        self.note(page, other.0, other.1 / (kept.1 + other.1));
    }

    /// The same while pages are believed to keep their ways: what a page's
    /// visits say together is kept in any case.
    pub(super) fn try_out(
        &mut self,
        page: PageId,
        evidence: &mut Evidence,
        readings: Readings,
        laws: [Prior; 2],
        interval: Interval,
    ) {
        let Readings { own, second, anew } = readings;
        let as_told = self.read(page, *evidence, laws, interval);
        let other = if second >= anew {
            (as_told.second(), second)
        } else {
            (as_told.anew(), anew)
        };
        *evidence = as_told.own();
        self.note(page, other.0, other.1 / (own + other.1));
    }

    fn read(
        &self,
        page: PageId,
        evidence: Evidence,
        [law, any]: [Prior; 2],
        interval: Interval,
    ) -> Told {
        Told {
            evidence,
            second: self.of(page).evidence,
            law,
            any,
            interval,
        }
    }

    fn note(&mut self, page: PageId, evidence: Evidence, chance: f64) {
        let place = page.index() / self.stride;
        if self.seconds.len() <= place {
            self.seconds.resize(place + 1, Second::default());
        }
        let chance = if chance.is_finite() { chance } else { 0.0 };
        self.seconds[place] = Second {
            evidence,
            chance: chance as f32,
        };
    }

    /// Settles on the likelier reading of each page, all being watched: pages
    /// keep their ways again.
    pub(super) fn settle(&mut self, evidence: &mut [Evidence]) {
        for (own, second) in evidence.iter_mut().zip(self.seconds.drain(..)) {
            if second.chance > 0.5 {
                *own = second.evidence;
            }
        }
    }
}

/// What an interval says under each reading of a page.
struct Told {
    evidence: Evidence,
    second: Evidence,
    law: Prior,
    any: Prior,
    interval: Interval,
}

impl Told {
    fn own(&self) -> Evidence {
        self.evidence.taking(self.law, self.interval)
    }

    fn second(&self) -> Evidence {
        self.second.taking(self.any, self.interval)
    }

    fn anew(&self) -> Evidence {
        let interval = self.interval.part(SINCE_TURNED);
        Evidence::default().taking(self.any, interval)
    }
}

/// What a page may be like that has changed its ways, and how likely it has not.
#[derive(Debug, Clone, Copy)]
pub(super) struct Turned {
    pub(super) belief: GammaFilter,
    pub(super) kept: f64,
}

impl Turned {
    /// A page that kept its ways since it was seen with chance `kept`, given its
    /// second reading and the law of all pages. Of the two ways to have turned,
    /// before it was seen or after, the likelier stands for both.
    #[inline]
    pub(super) fn new(second: Second, kept: f64, any: GammaFilter) -> Self {
        let chance = f64::from(second.chance);
        let before = kept * chance > 1.0 - kept;
        let shown = second.evidence.added_to(any).filter(|_| before);
        Self {
            belief: shown.unwrap_or(any),
            kept: kept * (1.0 - chance),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SLOW: Prior = Prior {
        mean: 0.02,
        shape: 2.0,
    };
    const ANY: Prior = Prior {
        mean: 0.5,
        shape: 0.2,
    };

    /// So many days, at whose end a change was seen.
    fn changed(days: f64) -> Interval {
        Interval {
            days,
            changed: true,
            since: None,
        }
    }

    fn slow_page() -> Evidence {
        Evidence::default().learn(SLOW, 60.0, false)
    }

    #[test]
    fn a_slow_page_found_changed_may_have_turned_and_is_believed_so_when_it_goes_on() {
        let (mut ways, mut evidence) = (Ways::default(), slow_page());
        let slow = evidence;
        let surprised = Readings {
            own: 0.7,
            second: 0.0,
            anew: 0.3,
        };
        ways.learn(
            PageId(0),
            &mut evidence,
            surprised,
            [SLOW, ANY],
            changed(20.0),
        );
        let second = ways.of(PageId(0));
        assert!((second.chance - 0.3).abs() < 1e-6, "{second:?}");
        assert_eq!(evidence, slow.learn(SLOW, 20.0, true));
        // It changes at the next visit too, which only the second reading foretold.
        let again = Readings {
            own: 0.1,
            second: 0.85,
            anew: 0.05,
        };
        ways.learn(PageId(0), &mut evidence, again, [SLOW, ANY], changed(1.0));
        let rate = |evidence: Evidence, prior| evidence.belief(prior).map(GammaFilter::mean);
        let fast = ways.of(PageId(0));
        assert!(fast.chance > 0.85, "{fast:?}");
        assert!(rate(fast.evidence, ANY) > Some(0.5), "{fast:?}");
        assert!(rate(evidence, SLOW) < Some(0.1), "{evidence:?}");
    }

    #[test]
    fn the_least_likely_reading_is_dropped() {
        let (mut ways, mut evidence) = (Ways::default(), slow_page());
        let readings = |own, second, anew| Readings { own, second, anew };
        let mut learn = |readings| {
            ways.learn(
                PageId(3),
                &mut evidence,
                readings,
                [SLOW, ANY],
                changed(1.0),
            );
            (evidence, ways.of(PageId(3)))
        };
        let (_, second) = learn(readings(0.6, 0.1, 0.3));
        assert_eq!(second.evidence, Evidence::default().learn(ANY, 0.5, true));
        let (own, other) = learn(readings(0.1, 0.6, 0.3));
        assert_eq!(own, second.evidence.learn(ANY, 1.0, true));
        assert!((other.chance - 1.0 / 3.0).abs() < 1e-6, "{other:?}");
    }

    #[test]
    fn what_was_read_of_some_pages_is_kept_when_all_are_watched() {
        let mut ways = Ways::default();
        ways.watch_every(3);
        assert!(ways.is_watched(PageId(6)) && !ways.is_watched(PageId(7)));
        let readings = Readings {
            own: 0.6,
            second: 0.1,
            anew: 0.3,
        };
        let mut evidence = slow_page();
        let slow = evidence;
        ways.try_out(
            PageId(6),
            &mut evidence,
            readings,
            [SLOW, ANY],
            changed(1.0),
        );
        assert_eq!(evidence, slow.learn(SLOW, 1.0, true));
        let read = ways.of(PageId(6));
        assert!((read.chance - 1.0 / 3.0).abs() < 1e-6, "{read:?}");
        ways.watch_every(1);
        assert_eq!(ways.of(PageId(6)).evidence, read.evidence);
        assert!(ways.of(PageId(7)).evidence.is_none());
        ways.settle(&mut [slow; 8]);
        assert!(ways.of(PageId(6)).evidence.is_none());
    }

    #[test]
    fn the_likelier_time_to_have_turned_stands_for_both() {
        let any = ANY.belief().expect("positive");
        let second = Second {
            evidence: Evidence::default().learn(ANY, 1.0, true),
            chance: 0.4,
        };
        let soon = Turned::new(second, 0.98, any);
        assert!(soon.belief.shape() > any.shape() && (soon.kept - 0.588).abs() < 1e-6);
        assert_eq!(Turned::new(second, 0.5, any).belief, any);
    }
}
