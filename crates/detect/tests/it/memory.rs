//! Memories are small, come back as they were, and are refused where damaged.

use proptest::prelude::*;
use recrawl_detect::{Memory, MemoryError};

use crate::{detector, first, html};

fn words(count: usize, seed: usize) -> String {
    let word = |word: usize| {
        let start = if word.is_multiple_of(12) { "<p>" } else { "" };
        format!("{start}word{} ", word * 31 + seed)
    };
    (0..count).map(word).collect()
}

#[test]
fn a_memory_comes_back_as_it_was() {
    let detector = detector();
    let page = words(300, 0);
    let memory = first(&detector, &page);
    let again = page
        .replace("word31 ", "word32 ")
        .replace("<p>word744", "<p>x <p>y word744");
    let masked = detector.learn_noise(&memory, &html(&page), &html(&again));
    assert!(masked.masked_parts() >= 2);
    let carried = detector.compare(&masked, &html(&words(310, 5))).memory;
    for memory in [memory, masked, carried] {
        assert_eq!(Memory::from_bytes(&memory.to_bytes()), Ok(memory));
    }
}

#[test]
fn memories_are_small() {
    let detector = detector();
    let page = words(1_000, 0);
    let memory = first(&detector, &page);
    assert!(
        memory.to_bytes().len() <= 512,
        "{}",
        memory.to_bytes().len()
    );
    let rested = detector.compare(&memory, &html(&page)).memory;
    assert!(
        rested.to_bytes().len() <= 512,
        "{}",
        rested.to_bytes().len()
    );
    let huge = first(&detector, &words(300_000, 0));
    assert!(huge.to_bytes().len() <= 65_536, "{}", huge.to_bytes().len());
    assert_eq!(Memory::from_bytes(&huge.to_bytes()), Ok(huge));
}

#[test]
fn a_newer_format_is_named() {
    let mut bytes = first(&detector(), "<p>a</p>").to_bytes();
    bytes[0] = 9;
    assert_eq!(Memory::from_bytes(&bytes), Err(MemoryError::Newer(9)));
    assert_eq!(
        MemoryError::Newer(9).to_string(),
        "memory format 9 is newer than 2, the newest this program reads"
    );
}

#[test]
fn every_cut_and_every_flipped_bit_is_refused() {
    let bytes = first(&detector(), "<p>one two</p><p>three</p>").to_bytes();
    for length in 0..bytes.len() {
        assert!(Memory::from_bytes(&bytes[..length]).is_err(), "{length}");
    }
    for at in 1..bytes.len() {
        for bit in 0..8 {
            let mut flipped = bytes.clone();
            flipped[at] ^= 1 << bit;
            assert_eq!(Memory::from_bytes(&flipped), Err(MemoryError::Damaged));
        }
    }
}

/// Lists of a few words, so that blocks repeat, move and collide.
fn page() -> impl Strategy<Value = Vec<String>> {
    let block = prop::collection::vec(0u8..6, 1..5);
    let block = block.prop_map(|words| words.iter().map(|word| format!("w{word} ")).collect());
    prop::collection::vec(block, 0..14)
}

fn write(blocks: &[String]) -> String {
    let paragraphs: Vec<String> = blocks
        .iter()
        .map(|block| format!("<p>{block}</p>"))
        .collect();
    format!("<h1>t</h1>{}", paragraphs.concat())
}

proptest! {
    #[test]
    fn any_sequence_of_visits_keeps_the_laws(pages in prop::collection::vec((page(), any::<bool>()), 2..8)) {
        let detector = detector();
        let mut before = write(&pages[0].0);
        let mut memory = first(&detector, &before);
        for (blocks, second) in &pages[1..] {
            let text = write(blocks);
            let had_masks = memory.masked_parts() > 0;
            let finding = detector.compare(&memory, &html(&text));
            if !had_masks {
                // Without masks the outcome is that of the text.
                prop_assert_eq!(finding.outcome, finding.levels.text);
            }
            memory = if *second {
                detector.learn_noise(&memory, &html(&before), &html(&text))
            } else {
                finding.memory
            };
            prop_assert_eq!(Memory::from_bytes(&memory.to_bytes()), Ok(memory.clone()));
            // What was just remembered fits itself.
            let same = detector.compare(&memory, &html(&format!("{text}<!-- other bytes -->")));
            if !second {
                prop_assert_eq!(same.outcome, recrawl_model::Outcome::Unchanged);
            }
            before = text;
        }
    }

    #[test]
    fn what_was_learned_fits_both_fetches(old in page(), new in page()) {
        let detector = detector();
        let memory = first(&detector, &write(&old));
        let learned = detector.learn_noise(&memory, &html(&write(&old)), &html(&write(&new)));
        if learned.masked_parts() > 0 {
            let finding = detector.compare(&learned, &html(&format!("{}<!-- -->", write(&new))));
            prop_assert_eq!(finding.outcome, recrawl_model::Outcome::Unchanged);
            let finding = detector.compare(&learned, &html(&write(&old)));
            prop_assert_eq!(finding.outcome, recrawl_model::Outcome::Unchanged);
        }
    }

    #[test]
    fn garbage_is_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(Memory::from_bytes(&bytes).is_err());
    }
}
