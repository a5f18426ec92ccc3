//! A mask is lifted when what it hides has settled.

use recrawl_model::Outcome;

use crate::{detector, first, html};

fn page(block: &str, nonce: u32) -> String {
    format!("<h1>Title</h1><p>{block}</p><p>Read on.</p><p>End.</p><!-- {nonce} -->")
}

#[test]
fn a_masked_part_counts_again_once_it_stood_still() {
    for (one, two, then) in [
        ("Visitors: 1", "Visitors: 2", "Visitors: 3"),
        ("shoes for you", "a car", "holidays"),
    ] {
        let detector = detector();
        let memory = first(&detector, &page(one, 0));
        let mut memory = detector.learn_noise(&memory, &html(&page(one, 0)), &html(&page(two, 0)));
        assert_eq!(memory.masked_parts(), 1);
        for visit in 0..8 {
            let finding = detector.compare(&memory, &html(&page(two, visit)));
            assert_eq!(finding.outcome, Outcome::Unchanged);
            memory = finding.memory;
        }
        let finding = detector.compare(&memory, &html(&page(then, 0)));
        assert_eq!(finding.outcome, Outcome::Changed, "{then}");
    }
}

#[test]
fn a_part_that_moves_now_and_then_stays_masked() {
    let detector = detector();
    let memory = first(&detector, &page("Visitors: 1", 0));
    let (one, two) = (page("Visitors: 1", 0), page("Visitors: 2", 0));
    let mut memory = detector.learn_noise(&memory, &html(&one), &html(&two));
    for visit in 0..60 {
        let text = page(&format!("Visitors: {}", visit / 6), visit);
        let finding = detector.compare(&memory, &html(&text));
        assert_eq!(finding.outcome, Outcome::Unchanged, "visit {visit}");
        memory = finding.memory;
    }
    assert_eq!(memory.masked_parts(), 1);
}

#[test]
fn second_looks_that_find_it_the_same_lift_a_mask_sooner() {
    let detector = detector();
    let memory = first(&detector, &page("Visitors: 1", 0));
    let (one, two) = (page("Visitors: 1", 0), page("Visitors: 2", 0));
    let mut memory = detector.learn_noise(&memory, &html(&one), &html(&two));
    for nonce in 0..3 {
        let again = page("Visitors: 2", nonce);
        memory = detector.learn_noise(&memory, &html(&two), &html(&again));
    }
    assert_eq!(memory.masked_parts(), 0);
    let finding = detector.compare(&memory, &html(&page("Visitors: 3", 0)));
    assert_eq!(finding.outcome, Outcome::Changed);
}

#[test]
fn a_settled_part_that_differs_beside_an_edit_is_a_change_and_no_mask() {
    let detector = detector();
    let memory = first(&detector, &page("Visitors: 1", 0));
    let (one, two) = (page("Visitors: 1", 0), page("Visitors: 2", 0));
    let mut memory = detector.learn_noise(&memory, &html(&one), &html(&two));
    for _ in 0..8 {
        memory = detector
            .compare(&memory, &html(&page("Visitors: 2", 0)))
            .memory;
    }
    let edited = page("Visitors: 9", 0).replace("Title", "Another title");
    let finding = detector.compare(&memory, &html(&edited));
    assert_eq!(finding.outcome, Outcome::Changed);
    assert_eq!(finding.memory.masked_parts(), 0);
}
