//! Arbitrary bytes as a segment of the store: as they are, or cut into records
//! with right checksums, made after `docs/store.md`.

#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use recrawl_store::segment_damage;

/// Bytes of a segment's header.
const HEADER: usize = 20;

fuzz_target!(|bytes: &[u8]| -> Corpus {
    let Some((&choice, rest)) = bytes.split_first() else {
        return Corpus::Reject;
    };
    let segment = if choice % 2 == 0 {
        rest.to_vec()
    } else {
        records(rest)
    };
    let as_last = segment_damage(&segment, 1, true);
    let as_other = segment_damage(&segment, 1, false);
    assert!(as_last.len() <= as_other.len(), "the last is judged milder");
    let ends = segment.len() as u64;
    assert!(as_other.iter().all(|&(offset, _)| offset <= ends));
    if choice % 2 == 1 {
        // Checksums are right: only what stands in records can be wrong.
        let wrong = |(_, what): &(u64, String)| what.starts_with("a record cannot be understood");
        assert!(as_other.iter().all(wrong), "{as_other:?}");
    }
    Corpus::Keep
});

/// A segment of records made of pieces of `bytes`.
fn records(mut bytes: &[u8]) -> Vec<u8> {
    let mut segment = b"rcrwlseg".to_vec();
    segment.extend(1u32.to_le_bytes());
    segment.extend(1u32.to_le_bytes());
    segment.extend(crc32fast::hash(&segment).to_le_bytes());
    debug_assert_eq!(segment.len(), HEADER);
    while let Some((&length, rest)) = bytes.split_first() {
        let (body, rest) = rest.split_at(rest.len().min(usize::from(length)));
        bytes = rest;
        if body.is_empty() {
            continue;
        }
        let length = (body.len() as u32).to_le_bytes();
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&(segment.len() as u64).to_le_bytes());
        hasher.update(&length);
        hasher.update(body);
        segment.extend(length);
        segment.extend(hasher.finalize().to_le_bytes());
        segment.extend(body);
    }
    segment
}
