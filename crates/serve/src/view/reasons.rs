//! Why visits taught nothing, grouped: [`Reasons`].

use std::collections::BTreeMap;

use recrawl_model::{Outcome, PageId, Timestamp};

/// Reasons told apart; what comes after them is "another reason".
const MOST: usize = 4_096;

/// What stands for reasons beyond those told apart.
const OTHER: &str = "another reason";

/// Whether a visit failed. A visit that was answered and taught nothing, such
/// as a second look, did not.
pub(crate) fn is_error(outcome: Outcome, status: u16) -> bool {
    outcome == Outcome::Unknown && !(200..400).contains(&status)
}

/// How often a reason came up.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tally {
    pub(crate) count: u64,
    pub(crate) first: Timestamp,
    pub(crate) last: Timestamp,
    /// The page it came up at last.
    pub(crate) example: PageId,
}

/// The words of all reasons, and how often they came up. Number 0 is none.
#[derive(Debug)]
pub(crate) struct Reasons {
    texts: Vec<String>,
    numbers: BTreeMap<String, u16>,
    tallies: Vec<Option<Tally>>,
}

impl Default for Reasons {
    fn default() -> Self {
        let mut reasons = Self {
            texts: Vec::new(),
            numbers: BTreeMap::new(),
            tallies: Vec::new(),
        };
        reasons.add("");
        reasons.add(OTHER);
        reasons
    }
}

impl Reasons {
    fn add(&mut self, text: &str) -> u16 {
        let number = self.texts.len() as u16;
        self.texts.push(text.to_owned());
        self.numbers.insert(text.to_owned(), number);
        self.tallies.push(None);
        number
    }

    /// The number of a reason.
    pub(crate) fn number(&mut self, text: &str) -> u16 {
        match self.numbers.get(text) {
            Some(&number) => number,
            None if self.texts.len() < MOST => self.add(text),
            None => 1,
        }
    }

    /// The words of a reason; `None` where there were none.
    pub(crate) fn text(&self, number: u16) -> Option<&str> {
        let text = self.texts.get(usize::from(number))?;
        (!text.is_empty()).then_some(text.as_str())
    }

    /// Counts a failed visit.
    pub(crate) fn count(&mut self, number: u16, at: Timestamp, example: PageId) {
        if let Some(slot) = self.tallies.get_mut(usize::from(number)) {
            let tally = slot.get_or_insert(Tally {
                count: 0,
                first: at,
                last: at,
                example,
            });
            tally.count += 1;
            tally.first = tally.first.min(at);
            tally.last = tally.last.max(at);
            tally.example = example;
        }
    }

    /// Reasons that came up, the most frequent first.
    pub(crate) fn by_count(&self) -> Vec<(&str, Tally)> {
        let rows = self.texts.iter().zip(&self.tallies);
        let mut rows: Vec<(&str, Tally)> = rows
            .filter_map(|(text, tally)| Some((text.as_str(), (*tally)?)))
            .collect();
        rows.sort_by_key(|&(text, tally)| (std::cmp::Reverse(tally.count), text));
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_grouped_and_bounded() {
        let mut reasons = Reasons::default();
        let at = Timestamp::from_seconds;
        for n in 0..10_000 {
            let number = reasons.number(&format!("reason {}", n.min(MOST + 9)));
            reasons.count(number, at(n as i64), PageId(7));
        }
        let rows = reasons.by_count();
        assert_eq!(rows.len(), MOST - 1);
        assert_eq!(rows[0].0, OTHER);
        assert_eq!(rows[0].1.count as usize, 10_000 - (MOST - 2));
        assert_eq!(reasons.text(0), None);
    }
}
