//! Which remembered blocks stand where on a new page: [`align`].

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::{Element, Pattern};
use crate::page::Page;

/// Part of two versions of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    /// Elements of the old version.
    pub(super) old: Range<usize>,
    /// Blocks of the new one.
    pub(super) new: Range<usize>,
    /// How they relate.
    pub(super) relation: Relation,
}

/// How part of a page relates to what was there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Relation {
    /// The same, one by one.
    Same,
    /// Something else.
    Other,
    /// Something else, in which blocks changed places.
    Shuffled,
}

impl Part {
    /// Whether they are the same, one by one.
    pub(super) fn is_same(&self) -> bool {
        self.relation == Relation::Same
    }
}

/// Cuts two versions into parts that are the same and parts that are not, in
/// order and without holes. Patterns are the same as a block that fits; gaps
/// are the same as nothing.
pub(super) fn align(elements: &[Element], page: &Page<'_>) -> Vec<Part> {
    let old: Vec<u64> = elements
        .iter()
        .map(|element| match element {
            Element::Plain { hash, .. } => u64::from(*hash),
            Element::Pattern { pattern, .. } => mask_name(pattern.fingerprint()),
            Element::Gap { .. } => GAP_NAME,
        })
        .collect();
    let new = names_of_blocks(elements, page);
    let mut parts: Vec<Part> = Vec::new();
    let (mut old_end, mut new_end) = (0, 0);
    for (old, new) in counterparts(&old, &new) {
        match parts.last_mut() {
            Some(last) if (old, new) == (old_end, new_end) && last.is_same() => {
                last.old.end += 1;
                last.new.end += 1;
            }
            _ => {
                other(&mut parts, old_end..old, new_end..new);
                parts.push(Part {
                    old: old..old + 1,
                    new: new..new + 1,
                    relation: Relation::Same,
                });
            }
        }
        (old_end, new_end) = (old + 1, new + 1);
    }
    other(&mut parts, old_end..old.len(), new_end..new.len());
    parts
}

fn other(parts: &mut Vec<Part>, old: Range<usize>, new: Range<usize>) {
    if !old.is_empty() || !new.is_empty() {
        parts.push(Part {
            old,
            new,
            relation: Relation::Other,
        });
    }
}

/// Which names of the old version are which of the new one, in order. Names
/// that only one version has are set aside first: on a page with a new text they
/// are nearly all, and the time of the search grows with their square.
fn counterparts(old: &[u64], new: &[u64]) -> Vec<(usize, usize)> {
    let (old_places, old) = shared(old, new);
    let (new_places, new) = shared(new, &old);
    let mut pairs = Vec::with_capacity(old.len());
    // At most 2,048 blocks a side: the worst case is a few million steps.
    for operation in capture_diff_slices(Algorithm::Myers, &old, &new) {
        if let DiffOp::Equal { .. } = operation {
            let both = operation.old_range().zip(operation.new_range());
            pairs.extend(both.map(|(old, new)| (old_places[old], new_places[new])));
        }
    }
    pairs
}

/// The names that others have as well, with their places.
fn shared(names: &[u64], others: &[u64]) -> (Vec<usize>, Vec<u64>) {
    let others = Names::new(others);
    let names = names.iter().copied().enumerate();
    names.filter(|(_, name)| others.has(*name)).unzip()
}

/// A set of names, which are fingerprints: they need not be mixed to be found.
struct Names {
    /// Each name plus one stands in the first place free from its own on.
    places: Vec<u64>,
}

impl Names {
    fn new(names: &[u64]) -> Self {
        let mut set = Self {
            places: vec![0; (4 * names.len()).next_power_of_two()],
        };
        for &name in names {
            let place = set.place(name);
            set.places[place] = name + 1;
        }
        set
    }

    fn has(&self, name: u64) -> bool {
        self.places[self.place(name)] != 0
    }

    /// Where a name is, or would be.
    fn place(&self, name: u64) -> usize {
        let last = self.places.len() - 1;
        let mut place = name as usize & last;
        while self.places[place] != 0 && self.places[place] != name + 1 {
            place = (place + 1) & last;
        }
        place
    }
}

/// No block has this name: those of blocks are below 2^32, and those of
/// patterns below 2^33.
const GAP_NAME: u64 = 1 << 33;

/// Patterns that are the same have the same name, as rows of a table do in
/// which one column is masked.
fn mask_name(fingerprint: u32) -> u64 {
    1 << 32 | u64::from(fingerprint)
}

/// The fingerprint of each block, or the name of the pattern it fits.
fn names_of_blocks(elements: &[Element], page: &Page<'_>) -> Vec<u64> {
    let mut patterns: Vec<(u64, &Pattern)> = elements
        .iter()
        .filter_map(|element| match element {
            Element::Pattern { pattern, .. } => Some((mask_name(pattern.fingerprint()), pattern)),
            _ => None,
        })
        .collect();
    if patterns.is_empty() {
        return page.hashes().iter().map(|&hash| u64::from(hash)).collect();
    }
    patterns.sort_by_key(|(name, _)| *name);
    patterns.dedup_by_key(|(name, _)| *name);
    let mut plain: Vec<u32> = elements
        .iter()
        .filter_map(|element| match element {
            Element::Plain { hash, .. } => Some(*hash),
            _ => None,
        })
        .collect();
    plain.sort_unstable();
    let name = |block: usize, hash: u32| {
        if plain.binary_search(&hash).is_ok() {
            return u64::from(hash);
        }
        let tokens = page.token_hashes(block);
        let fitting = patterns.iter().find(|(_, pattern)| pattern.fits(&tokens));
        fitting.map_or(u64::from(hash), |&(name, _)| name)
    };
    let hashes = page.hashes().iter().enumerate();
    hashes.map(|(block, &hash)| name(block, hash)).collect()
}
