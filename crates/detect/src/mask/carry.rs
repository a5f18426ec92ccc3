//! What to remember of a page that changed: [`carry`].

use std::ops::Range;

use super::align::{Part, align};
use super::{Element, Seen};
use crate::page::Page;

/// What to remember after a change, and how many blocks it touched.
#[derive(Debug)]
pub(crate) struct Carried {
    /// The new page, with the masks that still have a place.
    pub(crate) elements: Vec<Element>,
    /// Blocks added, removed or replaced, masked ones left out.
    pub(crate) touched: usize,
    /// Whether a mask lost its place, or hid what had settled and differs now:
    /// noise is known to be about.
    pub(crate) lost_a_mask: bool,
    /// Fingerprints of blocks that are no longer there.
    pub(crate) gone: Vec<u32>,
    /// Fingerprints of blocks that are new.
    pub(crate) came: Vec<u32>,
}

/// Makes the elements of a page that no longer fits. Masks stay where what
/// surrounds them is the same, or where their place can be told by counting.
pub(crate) fn carry(elements: &[Element], page: &Page<'_>) -> Carried {
    let mut carried = Carried {
        elements: Vec::with_capacity(page.hashes().len()),
        touched: 0,
        lost_a_mask: false,
        gone: Vec::new(),
        came: Vec::new(),
    };
    for part in align(elements, page) {
        let old = &elements[part.old.clone()];
        if part.is_same() {
            carried.keep(old, part.new.clone(), page);
        } else {
            carried.replace(old, &part, page);
        }
    }
    let masks = |elements: &[Element]| elements.iter().filter(|part| part.is_mask()).count();
    carried.lost_a_mask = masks(&carried.elements) < masks(elements);
    carried
}

impl Carried {
    fn keep(&mut self, old: &[Element], new: Range<usize>, page: &Page<'_>) {
        for (element, block) in old.iter().zip(new) {
            match element {
                Element::Pattern { pattern, seen } => {
                    let next = seen.next(page, block..block + 1, 1);
                    if seen.is_settled() && next.still == 0 {
                        self.fresh(block..block + 1, page);
                        self.touched += 1;
                    } else {
                        self.elements.push(Element::Pattern {
                            pattern: pattern.clone(),
                            seen: next,
                        });
                    }
                }
                Element::Plain { .. } | Element::Gap { .. } => {
                    self.elements.push(Element::known(page.hashes()[block]));
                }
            }
        }
    }

    fn replace(&mut self, old: &[Element], part: &Part, page: &Page<'_>) {
        let new = part.new.clone();
        if let [Element::Gap { limit, seen }] = old
            && new.len() <= usize::from(*limit)
        {
            let next = seen.next(page, new.clone(), 1);
            if !seen.is_settled() || next.still > 0 {
                self.gap(*limit, next);
                return;
            }
        }
        self.gone.extend(old.iter().filter_map(Element::plain_hash));
        self.came.extend(&page.hashes()[new.clone()]);
        let hidden: usize = old
            .iter()
            .filter(|element| matches!(element, Element::Gap { .. }))
            .map(Element::blocks)
            .sum();
        let was: usize = old.iter().map(Element::blocks).sum();
        self.touched += (was - hidden).max(new.len().saturating_sub(hidden)).max(1);
        match old {
            _ if was == new.len() => self.by_counting(old, new.start, page),
            [first @ Element::Gap { .. }, ..] => {
                let end = new.start + first.blocks().min(new.len());
                self.gap_over(first, new.start..end, page);
                self.fresh(end..new.end, page);
            }
            [.., last @ Element::Gap { .. }] => {
                let start = new.end - last.blocks().min(new.len());
                self.fresh(new.start..start, page);
                self.gap_over(last, start..new.end, page);
            }
            _ => self.fresh(new, page),
        }
    }

    /// As many blocks as before: each stands where it stood.
    fn by_counting(&mut self, old: &[Element], start: usize, page: &Page<'_>) {
        let mut block = start;
        for element in old {
            let range = block..block + element.blocks();
            block = range.end;
            match element {
                Element::Plain { .. } => self.fresh(range, page),
                Element::Gap { .. } => self.gap_over(element, range, page),
                Element::Pattern { pattern, .. } => {
                    match pattern.moved_to(&page.token_hashes(range.start)) {
                        None => self.fresh(range, page),
                        Some(pattern) => self.elements.push(Element::Pattern {
                            pattern,
                            seen: Seen::new(page, range),
                        }),
                    }
                }
            }
        }
    }

    fn fresh(&mut self, blocks: Range<usize>, page: &Page<'_>) {
        let blocks = blocks.map(|block| Element::fresh(page, block));
        self.elements.extend(blocks);
    }

    /// A gap in its old place; one that had settled and differs is lifted.
    fn gap_over(&mut self, gap: &Element, blocks: Range<usize>, page: &Page<'_>) {
        let Element::Gap { limit, seen } = gap else {
            return self.fresh(blocks, page);
        };
        let next = seen.next(page, blocks.clone(), 1);
        if seen.is_settled() && next.still == 0 {
            self.fresh(blocks, page);
        } else {
            self.gap(*limit, next);
        }
    }

    fn gap(&mut self, limit: u16, seen: Seen) {
        self.elements.push(Element::Gap { limit, seen });
    }
}
