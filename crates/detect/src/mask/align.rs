//! Which remembered blocks stand where on a new page: [`align`].

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::Element;
use crate::page::Page;

/// Part of two versions of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    /// Elements of the old version.
    pub(super) old: Range<usize>,
    /// Blocks of the new one.
    pub(super) new: Range<usize>,
    /// Whether they are the same, one by one.
    pub(super) same: bool,
}

/// Cuts two versions into parts that are the same and parts that are not, in
/// order and without holes. Patterns are the same as a block that fits; gaps
/// are the same as nothing.
pub(super) fn align(elements: &[Element], page: &Page<'_>) -> Vec<Part> {
    let old: Vec<u64> = (0u64..)
        .zip(elements)
        .map(|(number, element)| match element {
            Element::Plain { hash, .. } => u64::from(*hash),
            Element::Pattern { .. } | Element::Gap { .. } => mask_name(number),
        })
        .collect();
    let new = names_of_blocks(elements, page);
    // At most 2,048 blocks a side: the worst case is a few million steps.
    let mut parts: Vec<Part> = Vec::new();
    for operation in capture_diff_slices(Algorithm::Myers, &old, &new) {
        let same = matches!(operation, DiffOp::Equal { .. });
        match parts.last_mut() {
            Some(last) if !same && !last.same => {
                last.old.end = operation.old_range().end;
                last.new.end = operation.new_range().end;
            }
            _ => parts.push(Part {
                old: operation.old_range(),
                new: operation.new_range(),
                same,
            }),
        }
    }
    parts
}

/// Names of masks differ from those of blocks, which are below 2^32.
const fn mask_name(number: u64) -> u64 {
    1 << 32 | number
}

/// The fingerprint of each block, or the name of the pattern it fits.
fn names_of_blocks(elements: &[Element], page: &Page<'_>) -> Vec<u64> {
    let mut plain: Vec<u32> = Vec::new();
    let mut patterns = Vec::new();
    for (number, element) in (0u64..).zip(elements) {
        match element {
            Element::Plain { hash, .. } => plain.push(*hash),
            Element::Pattern { pattern, .. } => patterns.push((number, pattern)),
            Element::Gap { .. } => {}
        }
    }
    plain.sort_unstable();
    let name = |block: usize, hash: u32| {
        if patterns.is_empty() || plain.binary_search(&hash).is_ok() {
            return u64::from(hash);
        }
        let tokens = page.token_hashes(block);
        let fitting = patterns.iter().find(|(_, pattern)| pattern.fits(&tokens));
        fitting.map_or(u64::from(hash), |&(number, _)| mask_name(number))
    };
    let hashes = page.hashes().iter().enumerate();
    hashes.map(|(block, &hash)| name(block, hash)).collect()
}
