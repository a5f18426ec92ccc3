//! What is remembered of a page: [`Memory`].

use crate::mask::Element;
use crate::page::Page;

/// What the fingerprints and blocks of a memory were made from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Basis {
    /// The bytes as they came.
    Raw,
    /// The visible text of an HTML page.
    Html,
    /// What include and exclude selectors leave of an HTML page.
    Selected,
    /// The main content of an HTML page.
    Main,
    /// The values of a JSON document.
    Json,
    /// The entries of a feed.
    Feed,
    /// The lines of a text.
    Lines,
}

impl Basis {
    const ALL: [Self; 7] = [
        Self::Raw,
        Self::Html,
        Self::Selected,
        Self::Main,
        Self::Json,
        Self::Feed,
        Self::Lines,
    ];

    /// Of two fingerprints the one of this basis; none for bytes.
    pub(crate) const fn watched(self, text: Option<u64>, main: Option<u64>) -> Option<u64> {
        match self {
            Self::Raw => None,
            Self::Main => main,
            Self::Html | Self::Selected | Self::Json | Self::Feed | Self::Lines => text,
        }
    }

    /// The basis written as that number.
    pub(crate) fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }
}

/// What a detector remembers of a page between two visits: fingerprints of its
/// bytes, its text and its main content, a fingerprint of each block, and the
/// mask of what differs by itself.
///
/// [`to_bytes`](Self::to_bytes) takes a few hundred bytes for most pages and
/// never more than 64 KiB.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Memory {
    /// The version of the detector that made it.
    pub(crate) detector: u64,
    /// What `elements` were made from.
    pub(crate) basis: Basis,
    /// Fingerprint of the body.
    pub(crate) bytes: u128,
    /// Fingerprint of the text.
    pub(crate) text: Option<u64>,
    /// Fingerprint of the main content.
    pub(crate) main: Option<u64>,
    /// When second looks are worth their cost.
    pub(crate) looks: Looks,
    /// Blocks that went lately, newest last.
    pub(crate) gone: Gone,
    /// The blocks and masks of the page in order.
    pub(crate) elements: Vec<Element>,
}

impl Memory {
    /// Parts of the page that are masked as noise.
    ///
    /// ```
    /// use recrawl_detect::{Body, Detector, Settings};
    /// let detector = Detector::new(&Settings::default())?;
    /// let seen = Body::new(b"it is 12:00:01", Some("text/plain"));
    /// let memory = detector.first(&seen)?;
    /// assert_eq!(memory.masked_parts(), 0);
    /// let again = Body::new(b"it is 12:00:03", Some("text/plain"));
    /// let memory = detector.learn_noise(&memory, &seen, &again);
    /// assert_eq!(memory.masked_parts(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn masked_parts(&self) -> usize {
        self.elements.iter().filter(|part| part.is_mask()).count()
    }

    /// Fingerprint of what its blocks were made from, if that is not the bytes.
    pub(crate) const fn watched(&self) -> Option<u64> {
        self.basis.watched(self.text, self.main)
    }

    /// The blocks are as they were: masks have been still for one visit more,
    /// and nothing is new.
    pub(crate) fn rest(&mut self, visits: u8) {
        for element in &mut self.elements {
            element.rest(visits);
        }
    }
}

/// The blocks of a page nothing is known about yet.
pub(crate) fn fresh(page: &Page<'_>) -> Vec<Element> {
    let all = 0..page.hashes().len();
    all.map(|block| Element::fresh(page, block)).collect()
}

/// Fingerprints of blocks that went lately, newest last. A block that comes
/// back is more likely one of a few advertisements than an edit undone.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Gone(Vec<u32>);

impl Gone {
    /// Blocks remembered.
    pub(crate) const MAX: usize = 8;

    /// The newest of these.
    pub(crate) fn new(mut hashes: Vec<u32>) -> Self {
        let surplus = hashes.len().saturating_sub(Self::MAX);
        hashes.drain(..surplus);
        Self(hashes)
    }

    /// Whether one of these went lately.
    pub(crate) fn has_any(&self, hashes: &[u32]) -> bool {
        hashes.iter().any(|hash| self.0.contains(hash))
    }

    /// Those that went, with some that went now.
    pub(crate) fn and(&self, now: &[u32]) -> Self {
        Self::new([&self.0, now].concat())
    }

    /// All of them.
    pub(crate) fn hashes(&self) -> &[u32] {
        &self.0
    }
}

/// When a second look is worth its cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Looks {
    /// Whether the last eight comparisons found a change, newest lowest.
    pub(crate) changed: u8,
    /// Comparisons counted in `changed`.
    pub(crate) compared: u8,
    /// Changes to let pass before the next look.
    pub(crate) wait: u8,
    /// Looks in a row that taught nothing.
    pub(crate) fruitless: u8,
}

impl Looks {
    /// Looks counted: 64 changes pass at most, so that noise that begins is
    /// still found.
    const MAX_FRUITLESS: u8 = 7;

    /// Counts a comparison and says whether its change is worth a second look:
    /// `small` if few blocks differ.
    pub(crate) fn note(&mut self, changed: bool, small: bool) -> bool {
        self.changed = self.changed << 1 | u8::from(changed);
        self.compared = (self.compared + 1).min(8);
        if !changed {
            return false;
        }
        if self.wait > 0 {
            self.wait -= 1;
            return false;
        }
        small || self.changes_nearly_always()
    }

    /// Noise is known to be about: the next look does not wait.
    pub(crate) fn expect_noise(&mut self) {
        self.wait = 0;
    }

    /// Noise may be about: the next look comes four times as soon.
    pub(crate) fn suspect_noise(&mut self) {
        self.wait /= 4;
    }

    /// A second look found noise, or did not.
    pub(crate) fn looked(&mut self, found: bool) {
        self.fruitless = if found {
            0
        } else {
            (self.fruitless + 1).min(Self::MAX_FRUITLESS)
        };
        self.wait = if found { 0 } else { 1 << (self.fruitless - 1) };
    }

    /// At least three of four comparisons found a change, of three at least.
    fn changes_nearly_always(self) -> bool {
        self.compared >= 3 && self.changed.count_ones() * 4 >= u32::from(self.compared) * 3
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_change_is_looked_at_only_where_changes_are_the_rule() {
        let mut looks = Looks::default();
        let asked: Vec<bool> = (0..5).map(|_| looks.note(true, false)).collect();
        assert_eq!(asked, [false, false, true, true, true]);
        assert!(Looks::default().note(true, true));
        assert!(!Looks::default().note(false, true));
    }

    #[test]
    fn looks_that_teach_nothing_become_rare_and_one_that_does_makes_them_quick() {
        let mut looks = Looks::default();
        let mut gaps = Vec::new();
        let mut waited = 0;
        while gaps.len() < 9 {
            if looks.note(true, true) {
                looks.looked(false);
                gaps.push(waited);
                waited = 0;
            } else {
                waited += 1;
            }
        }
        assert_eq!(gaps, [0, 1, 2, 4, 8, 16, 32, 64, 64]);
        looks.looked(true);
        assert!(looks.note(true, true));
    }
}
