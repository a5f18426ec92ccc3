//! What sources say of pages between visits, and how far they are trusted.

use std::collections::BTreeMap;

use recrawl_estimate::GammaFilter;
use recrawl_model::{Explanation, Hint, HintKind, PageId, SiteId, Timestamp};

/// Visits that the collection's experience counts for in a site's.
pub(super) const COLLECTION_WEIGHT: f64 = 4.0;

/// Visits that "it says nothing" counts for in the collection's experience.
pub(super) const DOUBT: f64 = 20.0;

/// No source is trusted further than this share.
const MOST_TRUSTED: f64 = 0.98;

/// Keeps days finite where hardly anything is known of a page.
const MOST_EXPONENT: f64 = 20.0;

/// Kinds of hints.
const KINDS: usize = HintKind::ALL.len();

/// How a kind of hint and the content went together, in visits.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Experience {
    /// Pages that had changed: hinted at, and all.
    hinted_of_changed: f64,
    changed: f64,
    /// Pages that had not.
    hinted_of_unchanged: f64,
    unchanged: f64,
}

/// How often a source hints at pages that have changed and at those that have
/// not. Equal shares say nothing, whatever they are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Trust {
    pub(super) of_changed: f64,
    pub(super) of_unchanged: f64,
}

/// What the hints about a page amount to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Word {
    kind: HintKind,
    /// Whether it says that the page has changed since it was seen.
    hinted: bool,
    trust: Trust,
}

/// The hints heard, a byte a page from the first on, and what they were worth.
#[derive(Debug, Default)]
pub(super) struct Hints {
    /// A bit for each kind: whether it says that the page has changed since it
    /// was seen.
    pages: Vec<u8>,
    all: [Experience; KINDS],
    /// For each kind that has spoken of a page of the site. Its silence about
    /// the others counts too.
    sites: BTreeMap<SiteId, [Option<Experience>; KINDS]>,
}

impl Hints {
    /// Takes in a hint about a page last seen at `seen`.
    pub(super) fn hear(&mut self, page: PageId, site: SiteId, seen: Option<Timestamp>, hint: Hint) {
        let kind = hint.kind as usize;
        self.sites.entry(site).or_default()[kind].get_or_insert_default();
        if seen.is_none_or(|seen| hint.said_modified_at <= seen) {
            return; // nothing new
        }
        if self.pages.len() <= page.index() {
            self.pages.resize(page.index() + 1, 0);
        }
        self.pages[page.index()] |= 1 << kind;
    }

    /// Learns from a visit how far the sources are to be trusted; `changed` is
    /// `None` where there was nothing to compare with. The hints are used up.
    pub(super) fn visited(&mut self, page: PageId, site: SiteId, changed: Option<bool>) {
        let Some(of_site) = self.sites.get_mut(&site) else {
            return;
        };
        let marks = self.pages.get_mut(page.index()).map_or(0, std::mem::take);
        let Some(changed) = changed else {
            return;
        };
        for (kind, (all, of_site)) in self.all.iter_mut().zip(of_site).enumerate() {
            if let Some(of_site) = of_site {
                let hinted = marks & 1 << kind != 0;
                all.add(hinted, changed);
                of_site.add(hinted, changed);
            }
        }
    }

    /// The word that says most about a page; `None` where no source has ever
    /// spoken of its site.
    pub(super) fn about(&self, page: PageId, site: SiteId) -> Option<Word> {
        let of_site = self.sites.get(&site)?;
        let marks = self.pages.get(page.index()).copied().unwrap_or(0);
        let words = HintKind::ALL.into_iter().filter_map(|kind| {
            let experience = of_site[kind as usize]?;
            let all = self.all[kind as usize].trust(DOUBT, None);
            Some(Word {
                kind,
                hinted: marks & 1 << (kind as usize) != 0,
                trust: experience.trust(COLLECTION_WEIGHT, Some(all)),
            })
        });
        words.max_by(|one, other| one.strength().total_cmp(&other.strength()))
    }
}

impl Experience {
    /// Takes in a visit.
    pub(super) fn add(&mut self, hinted: bool, changed: bool) {
        let (hits, all) = if changed {
            (&mut self.hinted_of_changed, &mut self.changed)
        } else {
            (&mut self.hinted_of_unchanged, &mut self.unchanged)
        };
        *hits += f64::from(u8::from(hinted));
        *all += 1.0;
    }

    /// Shares, drawn towards those expected; without any, towards the share
    /// hinted at whether changed or not.
    pub(super) fn trust(self, weight: f64, expected: Option<Trust>) -> Trust {
        let hinted = self.hinted_of_changed + self.hinted_of_unchanged;
        let blind = (hinted + 1.0) / (self.changed + self.unchanged + 2.0);
        let expected = expected.unwrap_or(Trust {
            of_changed: blind,
            of_unchanged: blind,
        });
        let share = |hits: f64, all: f64, expected: f64| {
            let share = (hits + weight * expected) / (all + weight);
            share.clamp(1.0 - MOST_TRUSTED, MOST_TRUSTED)
        };
        Trust {
            of_changed: share(self.hinted_of_changed, self.changed, expected.of_changed),
            of_unchanged: share(
                self.hinted_of_unchanged,
                self.unchanged,
                expected.of_unchanged,
            ),
        }
    }
}

impl Word {
    /// How much likelier the word is from a page that has changed.
    fn ratio(self) -> f64 {
        let Trust {
            of_changed,
            of_unchanged,
        } = self.trust;
        if self.hinted {
            of_changed / of_unchanged
        } else {
            (1.0 - of_changed) / (1.0 - of_unchanged)
        }
    }

    fn strength(self) -> f64 {
        self.ratio().ln().abs()
    }

    /// The chance that the page has not changed, which was `survival` without
    /// the word: by Bayes' rule `s / (s + (1-s) r)`, r the ratio of the
    /// chances to hear it from a page that has changed and from one that has not.
    pub(super) fn survival(self, survival: f64) -> f64 {
        survival / (survival + (1.0 - survival) * self.ratio())
    }

    /// The days after which a page of that belief would be as likely to have
    /// changed as it is after so many `days` and the word. A gamma law of shape a
    /// and weight b survives t days with chance `S = (b/(b+t))^a`.
    pub(super) fn as_days(self, belief: GammaFilter, days: f64) -> f64 {
        let (shape, weight) = (belief.shape(), belief.weight());
        let survival = (-shape * (days / weight).ln_1p()).exp();
        let exponent = -self.survival(survival).ln() / shape;
        weight * exponent.min(MOST_EXPONENT).exp_m1()
    }

    /// What was heard and how far it is trusted.
    pub(super) fn explain(self) -> Explanation {
        let says = if self.hinted {
            "times as likely to have changed: a source says it has"
        } else {
            "times as likely to have changed: no source says it has"
        };
        Explanation::new(self.ratio(), format!("{says} ({})", self.kind.name()))
            .because(Explanation::new(
                self.trust.of_changed,
                "share of changed pages of its site that were hinted at",
            ))
            .because(Explanation::new(
                self.trust.of_unchanged,
                "share of unchanged pages of its site that were hinted at",
            ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(n: i64) -> Timestamp {
        Timestamp::from_seconds(n * 86_400)
    }

    fn say(hints: &mut Hints, page: u32, kind: HintKind, seen: i64, modified: i64) {
        let hint = Hint {
            kind,
            said_modified_at: day(modified),
            heard_at: day(modified),
        };
        hints.hear(PageId(page), SiteId(0), Some(day(seen)), hint);
    }

    /// A source that hints at so many of ten pages that have changed, and of
    /// ten that have not, for so many visits each.
    fn after(changed: u32, unchanged: u32, visits: u32) -> Hints {
        let mut hints = Hints::default();
        for visit in 0..visits {
            for (page, share, content) in [(0, changed, true), (1, unchanged, false)] {
                let modified = if visit % 10 < share { 2 } else { 0 };
                say(&mut hints, page, HintKind::Sitemap, 1, modified);
                hints.visited(PageId(page), SiteId(0), Some(content));
            }
        }
        hints
    }

    /// The chance of page 0 to have changed, half without a word.
    fn chance(hints: &mut Hints, hinted: bool) -> f64 {
        say(hints, 0, HintKind::Sitemap, 1, if hinted { 2 } else { 0 });
        let word = hints.about(PageId(0), SiteId(0)).expect("a word");
        1.0 - word.survival(0.5)
    }

    #[test]
    fn an_honest_source_is_believed_when_it_speaks_and_when_it_is_silent() {
        assert!(chance(&mut after(10, 0, 100), true) > 0.95);
        assert!(chance(&mut after(10, 0, 100), false) < 0.1);
    }

    #[test]
    fn a_source_that_says_the_same_of_all_pages_is_ignored() {
        for share in [10, 5] {
            let hints = &mut after(share, share, 100);
            let chance = chance(hints, true);
            assert!((chance - 0.5).abs() < 0.02, "{share}: {chance}");
        }
    }

    #[test]
    fn a_word_makes_the_wait_longer_or_shorter() {
        let belief = GammaFilter::new(2.0, 10.0).expect("positive");
        let mut honest = after(10, 0, 100);
        say(&mut honest, 0, HintKind::Sitemap, 1, 2);
        let word = honest.about(PageId(0), SiteId(0)).expect("a word");
        let days = word.as_days(belief, 3.0);
        let expected = word.survival(1.0 - belief.change_probability(3.0));
        assert!(days > 20.0, "{days}");
        assert!((1.0 - belief.change_probability(days) - expected).abs() < 1e-9);
        let silent = honest.about(PageId(1), SiteId(0)).expect("a word");
        assert!(silent.as_days(belief, 3.0) < 0.5);
    }

    #[test]
    fn nothing_is_believed_before_it_was_tried() {
        assert_eq!(chance(&mut Hints::default(), true), 0.5);
        assert_eq!(Hints::default().about(PageId(7), SiteId(0)), None);
    }

    #[test]
    fn a_visit_uses_up_what_was_said_before_it() {
        let mut hints = after(10, 0, 100);
        say(&mut hints, 0, HintKind::Sitemap, 1, 2);
        hints.visited(PageId(0), SiteId(0), None);
        let word = hints.about(PageId(0), SiteId(0)).expect("its silence");
        assert!(!word.hinted);
    }
}
