//! A block with some tokens masked: [`Pattern`].

use super::clock::mask_dates_beside_clocks;
use crate::page::hash_of_hashes;

/// Two blocks are versions of one if at least one token in so many is the same.
const SAME_ONE_IN: usize = 2;

/// One place in a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Item {
    /// This token.
    Token(u32),
    /// Any one token.
    Any,
    /// Any tokens, none included. At most one in a pattern.
    Run,
}

/// The tokens of a block, some of them masked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pattern {
    items: Vec<Item>,
}

impl Pattern {
    /// The pattern of these items, if it masks something, keeps something and
    /// has one run at most.
    pub(crate) fn new(items: Vec<Item>) -> Option<Self> {
        let tokens = items
            .iter()
            .filter(|item| matches!(item, Item::Token(_)))
            .count();
        let runs = items.iter().filter(|&&item| item == Item::Run).count();
        (tokens > 0 && tokens < items.len() && runs <= 1).then_some(Self { items })
    }

    /// Its places in order.
    pub(crate) fn items(&self) -> &[Item] {
        &self.items
    }

    /// The same number for the same pattern.
    pub(crate) fn fingerprint(&self) -> u32 {
        let numbers = self.items.iter().flat_map(|item| match item {
            Item::Token(token) => [0, *token],
            Item::Any => [1, 0],
            Item::Run => [2, 0],
        });
        hash_of_hashes(&numbers.collect::<Vec<_>>())
    }

    /// What two fetches of a block have in common: fingerprints of the tokens of
    /// one, the tokens of the other and theirs. None if it is too little.
    pub(crate) fn between(old: &[u32], new: &[&[u8]], hashes: &[u32]) -> Option<Self> {
        let is_same = |at: usize, token: &u32| old.get(at) == Some(token);
        if old.len() == hashes.len() {
            let place = |(at, token): (usize, &u32)| {
                if is_same(at, token) {
                    Item::Token(*token)
                } else {
                    Item::Any
                }
            };
            let mut items: Vec<Item> = hashes.iter().enumerate().map(place).collect();
            let masked = items.iter().filter(|&&item| item == Item::Any).count();
            if (items.len() - masked) * SAME_ONE_IN < items.len() {
                return None;
            }
            let strict = Self::new(items.clone())?;
            mask_dates_beside_clocks(&mut items, new);
            return Some(Self::new(items).unwrap_or(strict));
        }
        let shorter = old.len().min(hashes.len());
        let start = (0..shorter)
            .take_while(|&at| is_same(at, &hashes[at]))
            .count();
        let end = (0..shorter - start)
            .take_while(|&at| is_same(old.len() - 1 - at, &hashes[hashes.len() - 1 - at]))
            .count();
        if (start + end) * SAME_ONE_IN < old.len().max(hashes.len()) {
            return None;
        }
        Self::new(with_run(&hashes[..start], &hashes[hashes.len() - end..]))
    }

    /// Whether a block with these tokens fits.
    pub(crate) fn fits(&self, tokens: &[u32]) -> bool {
        let fits = |items: &[Item], tokens: &[u32]| {
            items.len() == tokens.len()
                && items.iter().zip(tokens).all(|(item, token)| match item {
                    Item::Token(expected) => expected == token,
                    Item::Any | Item::Run => true,
                })
        };
        match self.items.iter().position(|&item| item == Item::Run) {
            None => fits(&self.items, tokens),
            Some(run) => {
                let after = self.items.len() - run - 1;
                tokens.len() >= run + after
                    && fits(&self.items[..run], &tokens[..run])
                    && fits(&self.items[run + 1..], &tokens[tokens.len() - after..])
            }
        }
    }

    /// The same masks over a block whose other tokens were edited; none if it
    /// looks like another block altogether.
    pub(crate) fn moved_to(&self, tokens: &[u32]) -> Option<Self> {
        self.merge(tokens, Item::Token)
    }

    /// A pattern that also fits a block with these tokens; none if that leaves
    /// too little.
    pub(crate) fn widened_to(&self, tokens: &[u32]) -> Option<Self> {
        self.merge(tokens, |_| Item::Any)
    }

    fn merge(&self, tokens: &[u32], differing: impl Fn(u32) -> Item) -> Option<Self> {
        if self.items.contains(&Item::Run) || self.items.len() != tokens.len() {
            return None;
        }
        let is_token = |item: &&Item| matches!(item, Item::Token(_));
        let tokens_before = self.items.iter().filter(is_token).count();
        let is_same = |(item, token): &(&Item, &u32)| **item == Item::Token(**token);
        let same = self.items.iter().zip(tokens).filter(is_same).count();
        if same * SAME_ONE_IN < tokens_before {
            return None;
        }
        let items = self
            .items
            .iter()
            .zip(tokens)
            .map(|(&item, &token)| match item {
                Item::Token(expected) if expected != token => differing(token),
                other => other,
            });
        Self::new(items.collect())
    }
}

fn with_run(start: &[u32], end: &[u32]) -> Vec<Item> {
    let token = |&token: &u32| Item::Token(token);
    let mut items: Vec<Item> = start.iter().map(token).collect();
    items.push(Item::Run);
    items.extend(end.iter().map(token));
    items
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::hash;

    fn hashes(text: &str) -> Vec<u32> {
        text.split(' ')
            .map(|token| hash(token.as_bytes()))
            .collect()
    }

    fn between(old: &str, new: &str) -> Option<Pattern> {
        let tokens: Vec<&[u8]> = new.split(' ').map(str::as_bytes).collect();
        Pattern::between(&hashes(old), &tokens, &hashes(new))
    }

    #[test]
    fn only_the_tokens_that_differ_are_masked() {
        let pattern = between("Visitors today: 1041", "Visitors today: 1042").expect("alike");
        assert!(pattern.fits(&hashes("Visitors today: 2000")));
        assert!(!pattern.fits(&hashes("Guests today: 1042")));
        assert!(!pattern.fits(&hashes("Visitors today: 2000 people")));
    }

    #[test]
    fn a_text_of_varying_length_is_masked_between_its_ends() {
        let pattern = between(
            "Quote of the day: no pain no gain - the editors",
            "Quote of the day: time is money, they say - the editors",
        )
        .expect("alike");
        assert!(pattern.fits(&hashes("Quote of the day: silence - the editors")));
        assert!(pattern.fits(&hashes("Quote of the day: - the editors")));
        assert!(!pattern.fits(&hashes("Word of the day: silence - the editors")));
    }

    #[test]
    fn blocks_with_little_in_common_are_no_pattern() {
        assert_eq!(between("1041", "1042"), None);
        assert_eq!(between("buy these shoes now", "rent a fast car"), None);
        assert_eq!(between("same text", "same text"), None);
    }

    #[test]
    fn an_edit_moves_a_mask_and_noise_widens_it() {
        let pattern = between("Visitors today: 1041", "Visitors today: 1042").expect("alike");
        let moved = pattern
            .moved_to(&hashes("Visitors yesterday: 7"))
            .expect("alike");
        assert!(moved.fits(&hashes("Visitors yesterday: 8")));
        assert!(!moved.fits(&hashes("Visitors today: 8")));
        let widened = pattern
            .widened_to(&hashes("Visitors yesterday: 7"))
            .expect("alike");
        assert!(widened.fits(&hashes("Visitors tomorrow: 8")));
        assert_eq!(pattern.moved_to(&hashes("Something else entirely")), None);
    }
}
