//! What two fetches seconds apart teach: [`learn`].

use std::cmp::Ordering;
use std::ops::Range;

use super::align::{Part, Relation, align};
use super::fit::{fit, settle};
use super::{Element, Pattern, Seen};
use crate::page::Page;

/// Visits that being the same in both of two fetches counts for. They are
/// seconds apart: what moves every hour is the same in both.
const SAME_TWICE_COUNTS: u8 = 3;

/// A gap may grow to this many times what it hid, so that a longer list fits.
const GAP_ROOM: usize = 2;

/// Blocks of a list in random order that may stand together by chance. More in
/// a row are what stands between two lists.
const LIST_RUN: usize = 5;

/// Pages of fewer blocks may be masked as a whole.
const SMALL_PAGE: usize = 8;

/// What a second look taught.
#[derive(Debug)]
pub(crate) enum Lesson {
    /// Nothing differs that is not masked already.
    Nothing(Vec<Element>),
    /// More is masked now.
    Noise(Vec<Element>),
    /// The two differ in most of the page: masking it would hide everything.
    TooMuch,
}

/// Compares a page with what was remembered of it seconds before: what differs
/// differs by itself and is masked. `before` is the page it was remembered from.
pub(crate) fn learn(elements: &[Element], before: &Page<'_>, page: &Page<'_>) -> Lesson {
    let settled =
        fit(elements, page).and_then(|ranges| settle(elements, &ranges, page, SAME_TWICE_COUNTS));
    if let Some(settled) = settled {
        return Lesson::Nothing(settled);
    }
    let mut learned = Learned {
        elements: Vec::new(),
        before,
    };
    for part in join_moves(align(elements, page), elements, page) {
        let old = &elements[part.old.clone()];
        match part.relation {
            Relation::Same => learned.keep(old, part.new.clone(), page),
            Relation::Other => learned.mask(old, part.new.clone(), page),
            Relation::Shuffled => learned.gap(old, part.new.clone(), page),
        }
    }
    learned.spread(page);
    let blocks = page.hashes().len();
    let hidden: usize = learned
        .elements
        .iter()
        .filter(|element| matches!(element, Element::Gap { .. }))
        .map(Element::blocks)
        .sum();
    if blocks >= SMALL_PAGE && hidden * 2 > blocks {
        return Lesson::TooMuch;
    }
    Lesson::Noise(learned.elements)
}

/// Joins parts between the two places of a block that moved: lists in random
/// order are one part, although some of their members stand where they stood.
/// What is long and the same is no such list.
fn join_moves(parts: Vec<Part>, elements: &[Element], page: &Page<'_>) -> Vec<Part> {
    // Blocks without a counterpart, by fingerprint, with the part they stand in.
    let mut gone: Vec<(u32, usize)> = Vec::new();
    for (number, part) in parts.iter().enumerate().filter(|(_, part)| !part.is_same()) {
        for element in &elements[part.old.clone()] {
            if let Element::Plain { hash, .. } = element {
                gone.push((*hash, number));
            }
        }
    }
    gone.sort_unstable();
    // For each part the last part it has to be joined with.
    let mut joined: Vec<usize> = (0..parts.len()).collect();
    for (number, part) in parts.iter().enumerate().filter(|(_, part)| !part.is_same()) {
        for hash in &page.hashes()[part.new.clone()] {
            let first = gone.partition_point(|(other, _)| other < hash);
            let same = gone[first..].iter().take_while(|(other, _)| other == hash);
            // The nearest: the same list may stand on a page twice.
            let nearest = same.min_by_key(|(_, from)| from.abs_diff(number));
            if let Some(&(_, from)) = nearest {
                let (first, last) = (from.min(number), from.max(number));
                let is_list = |part: &Part| !part.is_same() || part.new.len() <= LIST_RUN;
                if parts[first..last].iter().all(is_list) {
                    joined[first] = joined[first].max(last);
                }
            }
        }
    }
    for (number, three) in parts.windows(3).enumerate() {
        if is_chance(&three[0], &three[1], &three[2]) {
            joined[number] = joined[number].max(number + 2);
        }
    }
    let mut result: Vec<Part> = Vec::with_capacity(parts.len());
    let mut until = 0;
    for (number, part) in parts.into_iter().enumerate() {
        match result.last_mut() {
            Some(last) if number <= until => {
                last.old.end = part.old.end;
                last.new.end = part.new.end;
                last.relation = Relation::Shuffled;
            }
            _ => result.push(part),
        }
        until = until.max(joined[number]);
    }
    result
}

/// Whether a part that is the same is so by chance: blocks came on one side of
/// it and as good as went on the other, as where a list shows some of many
/// links and one of them is shown in both fetches, at another place.
fn is_chance(before: &Part, same: &Part, after: &Part) -> bool {
    let size = |part: &Part| part.old.len().max(part.new.len());
    let order = |part: &Part| part.old.len().cmp(&part.new.len());
    same.is_same()
        && !before.is_same()
        && !after.is_same()
        && order(before) != Ordering::Equal
        && order(before) == order(after).reverse()
        && 2 * size(same) <= size(before).min(size(after))
}

/// The elements learned so far. Gaps never touch: two would have many ways to
/// share what is between their neighbours.
struct Learned<'a> {
    elements: Vec<Element>,
    /// The page before, whose tokens are compared.
    before: &'a Page<'a>,
}

impl Learned<'_> {
    fn keep(&mut self, old: &[Element], new: Range<usize>, page: &Page<'_>) {
        for (element, block) in old.iter().zip(new) {
            self.elements.push(match element {
                Element::Pattern { pattern, seen } => Element::Pattern {
                    pattern: pattern.clone(),
                    seen: seen.next(page, block..block + 1, SAME_TWICE_COUNTS),
                },
                Element::Plain { .. } | Element::Gap { .. } => element.clone(),
            });
        }
    }

    fn mask(&mut self, old: &[Element], new: Range<usize>, page: &Page<'_>) {
        if let [Element::Gap { limit, seen }] = old
            && new.len() <= usize::from(*limit)
        {
            self.elements.push(Element::Gap {
                limit: *limit,
                seen: seen.next(page, new, SAME_TWICE_COUNTS),
            });
            return;
        }
        let has_gap = old
            .iter()
            .any(|element| matches!(element, Element::Gap { .. }));
        if has_gap || old.len() != new.len() {
            self.gap(old, new, page);
            return;
        }
        for (element, block) in old.iter().zip(new) {
            self.mask_block(element, block, page);
        }
    }

    fn mask_block(&mut self, element: &Element, block: usize, page: &Page<'_>) {
        let hashes = page.token_hashes(block);
        let pattern = match element {
            Element::Plain { hash, is_new } => {
                let tokens = if *is_new {
                    self.before.token_hashes_of(*hash)
                } else {
                    Vec::new()
                };
                if tokens.is_empty() {
                    // It stood still until now. If it is noise, the next visit
                    // finds it changed, and the look after that learns its words.
                    self.elements.push(Element::fresh(page, block));
                    return;
                }
                Pattern::between(&tokens, &page.tokens(block), &hashes)
            }
            Element::Pattern { pattern, .. } => pattern.widened_to(&hashes),
            Element::Gap { .. } => None,
        };
        match pattern {
            Some(pattern) => self.elements.push(Element::Pattern {
                pattern,
                seen: Seen::new(page, block..block + 1),
            }),
            None => self.gap(std::slice::from_ref(element), block..block + 1, page),
        }
    }

    /// Masks neighbours of a masked block that have the same form: rows of a
    /// list whose number happened to be the same in both fetches.
    fn spread(&mut self, page: &Page<'_>) {
        let starts: Vec<usize> = self
            .elements
            .iter()
            .scan(0, |block, element| {
                let start = *block;
                *block += element.blocks();
                Some(start)
            })
            .collect();
        let last = self.elements.len().saturating_sub(1);
        let downwards = (0..last).map(|at| (at, at + 1));
        let upwards = (0..last).rev().map(|at| (at + 1, at));
        for (from, to) in downwards.chain(upwards) {
            let block = starts[to];
            if let (Element::Pattern { pattern, .. }, Element::Plain { .. }) =
                (&self.elements[from], &self.elements[to])
                && pattern.fits(&page.token_hashes(block))
            {
                self.elements[to] = Element::Pattern {
                    pattern: pattern.clone(),
                    seen: Seen::new(page, block..block + 1),
                };
            }
        }
    }

    fn gap(&mut self, old: &[Element], new: Range<usize>, page: &Page<'_>) {
        let was: usize = old.iter().map(Element::blocks).sum();
        let known = old.iter().map(|element| match element {
            Element::Gap { limit, .. } => usize::from(*limit),
            Element::Plain { .. } | Element::Pattern { .. } => 1,
        });
        let mut room = known.sum::<usize>().max(GAP_ROOM * was.max(new.len()));
        let mut range = new;
        if let Some(Element::Gap { limit, seen }) = self.elements.last() {
            room += usize::from(*limit);
            range.start -= usize::from(seen.blocks);
            self.elements.pop();
        }
        self.elements.push(Element::Gap {
            limit: u16::try_from(room).unwrap_or(u16::MAX),
            seen: Seen::new(page, range),
        });
    }
}
