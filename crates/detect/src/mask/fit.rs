//! Whether a page fits what is remembered: [`fit`] and [`settle`].

use std::ops::Range;

use super::Element;
use crate::page::Page;

/// Ways to fit followed at once; a page that needs more has changed. Only pages
/// made of gaps and equal blocks have many.
const MAX_WAYS: usize = 256;

/// One block taken by one element.
#[derive(Clone, Copy)]
struct Step {
    element: usize,
    /// Blocks a gap has taken.
    taken: u16,
    /// The step before it, in the list of all steps.
    before: usize,
}

/// The blocks each element stands for on this page, or none if the page does
/// not fit.
///
/// All ways to fit are followed side by side, so the time is that of the blocks
/// times the ways, and gaps may be anywhere.
pub(crate) fn fit(elements: &[Element], page: &Page<'_>) -> Option<Vec<Range<usize>>> {
    const START: usize = usize::MAX;
    let mut steps: Vec<Step> = Vec::with_capacity(page.hashes().len());
    let mut ways: Vec<usize> = Vec::new();
    for block in 0..page.hashes().len() {
        let mut next: Vec<usize> = Vec::with_capacity(ways.len() + 1);
        let mut tokens = None;
        let origins = if block == 0 { &[START][..] } else { &ways[..] };
        for &origin in origins {
            for (element, taken) in continuations(elements, steps.get(origin)) {
                if !takes(&elements[element], taken, page, block, &mut tokens) {
                    continue;
                }
                let rival = next.iter().find(|&&way| steps[way].element == element);
                if let Some(&rival) = rival {
                    if taken + 1 < steps[rival].taken {
                        steps[rival].taken = taken + 1;
                        steps[rival].before = origin;
                    }
                    continue;
                }
                next.push(steps.len());
                steps.push(Step {
                    element,
                    taken: taken + 1,
                    before: origin,
                });
            }
        }
        if next.is_empty() || next.len() > MAX_WAYS {
            return None;
        }
        ways = next;
    }
    let last = ways
        .iter()
        .copied()
        .find(|&way| only_gaps(&elements[steps[way].element + 1..]))
        .or_else(|| (page.hashes().is_empty() && only_gaps(elements)).then_some(START))?;
    Some(ranges(elements.len(), &steps, last, page.hashes().len()))
}

/// The elements that may take the block after a step, each with what it has
/// taken so far: the same gap again, then the next elements up to one that has
/// to take a block.
fn continuations<'a>(
    elements: &'a [Element],
    step: Option<&Step>,
) -> impl Iterator<Item = (usize, u16)> + 'a {
    let again = step
        .filter(|step| matches!(elements[step.element], Element::Gap { .. }))
        .map(|step| (step.element, step.taken));
    let from = step.map_or(0, |step| step.element + 1);
    let rest = &elements[from..];
    let skipped = rest
        .iter()
        .take_while(|element| matches!(element, Element::Gap { .. }))
        .count();
    let until = (from + skipped + 1).min(elements.len());
    again.into_iter().chain((from..until).map(|next| (next, 0)))
}

fn takes(
    element: &Element,
    taken: u16,
    page: &Page<'_>,
    block: usize,
    tokens: &mut Option<Vec<u32>>,
) -> bool {
    match element {
        Element::Plain { hash, .. } => *hash == page.hashes()[block],
        Element::Pattern { pattern, .. } => {
            pattern.fits(tokens.get_or_insert_with(|| page.token_hashes(block)))
        }
        Element::Gap { limit, .. } => taken < *limit,
    }
}

fn only_gaps(elements: &[Element]) -> bool {
    elements
        .iter()
        .all(|element| matches!(element, Element::Gap { .. }))
}

/// Walks back from the last step; elements that took nothing get empty ranges.
fn ranges(elements: usize, steps: &[Step], last: usize, blocks: usize) -> Vec<Range<usize>> {
    let mut owner = vec![0; blocks];
    let mut at = last;
    for block in (0..blocks).rev() {
        owner[block] = steps[at].element;
        at = steps[at].before;
    }
    let mut ranges = Vec::with_capacity(elements);
    let mut block = 0;
    for element in 0..elements {
        let start = block;
        while block < blocks && owner[block] == element {
            block += 1;
        }
        ranges.push(start..block);
    }
    ranges
}

/// What to remember of a page that fits: masks with what they hide now, those
/// that settled lifted. None if a settled part is no longer what it was: that
/// is a change.
///
/// `visits` is what being the same now counts for.
pub(crate) fn settle(
    elements: &[Element],
    ranges: &[Range<usize>],
    page: &Page<'_>,
    visits: u8,
) -> Option<Vec<Element>> {
    let mut settled = Vec::with_capacity(elements.len());
    for (element, range) in elements.iter().zip(ranges) {
        let (Element::Pattern { seen, .. } | Element::Gap { seen, .. }) = element else {
            settled.push(Element::known(page.hashes()[range.start]));
            continue;
        };
        let next = seen.next(page, range.clone(), visits);
        if seen.is_settled() && next.still == 0 {
            return None;
        }
        if next.is_settled() {
            let blocks = range.clone();
            settled.extend(blocks.map(|block| Element::known(page.hashes()[block])));
            continue;
        }
        settled.push(match element {
            Element::Gap { limit, .. } => Element::Gap {
                limit: *limit,
                seen: next,
            },
            Element::Pattern { pattern, .. } => Element::Pattern {
                pattern: pattern.clone(),
                seen: next,
            },
            Element::Plain { .. } => continue, // not reached: plain ones are done above
        });
    }
    Some(settled)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lines::Lines;
    use crate::mask::Seen;
    use crate::page::hash;

    const NOTHING: Seen = Seen {
        content: 0,
        blocks: 0,
        still: 0,
    };

    fn element(text: &str) -> Element {
        match text.strip_prefix('*') {
            Some(limit) => Element::Gap {
                limit: limit.parse().expect("a number"),
                seen: NOTHING,
            },
            None => Element::known(hash(text.as_bytes())),
        }
    }

    fn fitted(elements: &str, page: &str) -> Option<Vec<Range<usize>>> {
        let elements: Vec<Element> = elements.split_whitespace().map(element).collect();
        let lines = Lines::of(page.replace(' ', "\n").into_bytes());
        fit(&elements, &Page::words(lines))
    }

    #[test]
    fn a_page_without_gaps_fits_only_itself() {
        assert_eq!(fitted("a b", "a b"), Some(vec![0..1, 1..2]));
        assert_eq!(fitted("a b", "a"), None);
        assert_eq!(fitted("a b", "a b b"), None);
        assert_eq!(fitted("a b", "b a"), None);
        assert_eq!(fitted("", ""), Some(vec![]));
        assert_eq!(fitted("a", ""), None);
    }

    #[test]
    fn a_gap_takes_any_blocks_up_to_its_limit() {
        assert_eq!(fitted("a *2 b", "a b"), Some(vec![0..1, 1..1, 1..2]));
        assert_eq!(fitted("a *2 b", "a x y b"), Some(vec![0..1, 1..3, 3..4]));
        assert_eq!(fitted("a *2 b", "a x y z b"), None);
        assert_eq!(fitted("*1 *1", ""), Some(vec![0..0, 0..0]));
        assert_eq!(fitted("*2 b *2", "x b y"), Some(vec![0..1, 1..2, 2..3]));
    }

    #[test]
    fn equal_blocks_inside_and_after_a_gap_are_told_apart() {
        assert_eq!(
            fitted("a *3 b c", "a b b b c"),
            Some(vec![0..1, 1..3, 3..4, 4..5])
        );
        assert_eq!(
            fitted("*1 b *1 b", "b b"),
            Some(vec![0..0, 0..1, 1..1, 1..2])
        );
    }
}
