//! What differs by itself is masked, and nothing else is.

use recrawl_detect::{Body, Detector, Level, Memory, Settings};
use recrawl_model::Outcome;

use crate::{detector, first, html, visit};

/// A page with news, a noisy part and a footer.
fn page(news: &str, noise: &str) -> String {
    format!(
        "<html><head><title>Mill Lane</title></head><body><h1>{news}</h1>\
         <p>The mill stands by the river.</p><p>It was built long ago.</p>\
         <section>{noise}</section><p>Open from nine to five.</p>\
         <p>Closed on Sundays.</p><footer>Mill Lane 1</footer></body></html>"
    )
}

/// What two fetches with these noisy parts teach.
fn learned(one: &str, two: &str) -> (Detector, Memory) {
    let detector = detector();
    let memory = first(&detector, &page("Nothing new", one));
    let (one, two) = (page("Nothing new", one), page("Nothing new", two));
    let memory = detector.learn_noise(&memory, &html(&one), &html(&two));
    (detector, memory)
}

/// After two fetches with the first two noisy parts, pages that differ in that
/// part only are unchanged, a real edit is found, and the mask survives it.
fn assert_masked(noise: &[&str]) {
    let (detector, mut memory) = learned(noise[0], noise[1]);
    for part in &noise[2..] {
        let finding = detector.compare(&memory, &html(&page("Nothing new", part)));
        assert_eq!(finding.outcome, Outcome::Unchanged, "{part}");
        assert_eq!(finding.levels.text, Outcome::Changed, "{part}");
        memory = finding.memory;
    }
    let finding = detector.compare(&memory, &html(&page("Shop sold", noise[0])));
    assert_eq!(finding.outcome, Outcome::Changed);
    let finding = detector.compare(&finding.memory, &html(&page("Shop sold", noise[1])));
    assert_eq!(finding.outcome, Outcome::Unchanged, "the mask was lost");
}

#[test]
fn a_counter_is_masked() {
    assert_masked(&[
        "<p>Visitors today: 1041</p>",
        "<p>Visitors today: 1042</p>",
        "<p>Visitors today: 1977</p>",
        "<p>Visitors today: 12</p>",
    ]);
}

#[test]
fn a_clock_is_masked_also_after_midnight() {
    assert_masked(&[
        "<p>Page made Mon, 12 Jan 2026 10:22:01 for you</p>",
        "<p>Page made Mon, 12 Jan 2026 10:22:04 for you</p>",
        "<p>Page made Mon, 12 Jan 2026 23:00:00 for you</p>",
        "<p>Page made Tue, 13 Jan 2026 00:11:22 for you</p>",
    ]);
}

#[test]
fn a_block_that_is_a_number_and_nothing_else_is_masked() {
    assert_masked(&["<p>1041</p>", "<p>1042</p>", "<p>5</p>"]);
}

#[test]
fn advertisements_in_turn_are_masked() {
    assert_masked(&[
        "<div>Buy these shoes today</div>",
        "<div>Rent a fast car</div><div>Now cheaper</div>",
        "<div>Learn to swim in a week</div>",
        "",
        "<div>Sleep well</div><div>On our new pillows</div>",
    ]);
}

#[test]
fn links_in_random_order_are_masked() {
    assert_masked(&[
        "<ul><li>alpha<li>beta<li>gamma<li>delta<li>epsilon</ul>",
        "<ul><li>delta<li>beta<li>epsilon<li>alpha<li>gamma</ul>",
        "<ul><li>gamma<li>epsilon<li>delta<li>beta<li>alpha</ul>",
        "<ul><li>epsilon<li>alpha<li>beta<li>gamma<li>delta</ul>",
    ]);
}

#[test]
fn a_random_sample_of_links_is_masked() {
    assert_masked(&[
        "<ul><li>alpha<li>beta<li>gamma</ul>",
        "<ul><li>zeta<li>eta<li>alpha</ul>",
        "<ul><li>iota<li>kappa<li>lambda</ul>",
        "<ul><li>beta<li>kappa<li>nu</ul>",
    ]);
}

#[test]
fn a_nonce_in_an_attribute_is_no_text() {
    let detector = detector();
    let memory = first(&detector, "<p data-nonce=17>text</p>");
    let finding = detector.compare(&memory, &html("<p data-nonce=18>text</p>"));
    assert_eq!(finding.outcome, Outcome::Unchanged);
    assert_eq!(finding.levels.bytes, Outcome::Changed);
    assert_eq!(finding.levels.text, Outcome::Unchanged);
}

#[test]
fn words_of_a_masked_block_still_count() {
    let (detector, memory) = learned("<p>Visitors today: 10</p>", "<p>Visitors today: 11</p>");
    let edited = page("Nothing new", "<p>Guests today: 12</p>");
    let finding = detector.compare(&memory, &html(&edited));
    assert_eq!(finding.outcome, Outcome::Changed);
    let later = page("Nothing new", "<p>Guests today: 13</p>");
    let finding = detector.compare(&finding.memory, &html(&later));
    assert_eq!(
        finding.outcome,
        Outcome::Unchanged,
        "the mask follows the edit"
    );
}

#[test]
fn masks_hold_where_blocks_come_and_go_around_them() {
    let (detector, memory) = learned("<p>Visitors today: 10</p>", "<p>Visitors today: 11</p>");
    let longer = page(
        "Nothing new</h1><p>A new paragraph.</p><p>And one more.</p><h1>",
        "<p>Visitors today: 12</p>",
    );
    let finding = detector.compare(&memory, &html(&longer));
    assert_eq!(finding.outcome, Outcome::Changed);
    let later = longer.replace("today: 12", "today: 13");
    let finding = detector.compare(&finding.memory, &html(&later));
    assert_eq!(finding.outcome, Outcome::Unchanged);
}

#[test]
fn more_than_an_advertisement_in_its_place_is_a_change() {
    let (detector, memory) = learned("<p>Buy shoes</p>", "<p>Rent cars</p>");
    let many: String = (0..9).map(|_| "<p>Real news</p>").collect();
    let finding = detector.compare(&memory, &html(&page("Nothing new", &many)));
    assert_eq!(finding.outcome, Outcome::Changed);
}

#[test]
fn two_fetches_with_nothing_in_common_teach_nothing() {
    let detector = detector();
    let list = |word: &str| -> String {
        (0..20)
            .map(|n| format!("<p>{word}{n} is {word}</p>"))
            .collect()
    };
    let memory = first(&detector, &list("one"));
    let after = detector.learn_noise(&memory, &html(&list("one")), &html(&list("two")));
    assert_eq!(after.masked_parts(), 0);
    let finding = detector.compare(&after, &html(&list("two")));
    assert_eq!(finding.outcome, Outcome::Changed);
}

#[test]
fn a_small_change_asks_for_a_second_look_and_a_large_one_does_not() {
    let detector = detector();
    let list = |word: &str| -> String { (0..40).map(|n| format!("<p>{word} {n}</p>")).collect() };
    let memory = first(&detector, &format!("{}<p>seen 1</p>", list("a")));
    let small = detector.compare(&memory, &html(&format!("{}<p>seen 2</p>", list("a"))));
    assert!(small.outcome == Outcome::Changed && small.worth_a_second_look);
    let large = detector.compare(&memory, &html(&list("b")));
    assert!(large.outcome == Outcome::Changed && !large.worth_a_second_look);
}

#[test]
fn a_watcher_that_looks_twice_is_soon_quiet_about_noise_and_finds_every_edit() {
    let detector = detector();
    let adverts = [
        "Buy shoes",
        "Rent cars and drive",
        "Swim",
        "Buy hats and coats",
    ];
    let noisy = |news: &str, step: usize| {
        let advert = adverts[(step * 7 + step / 3) % adverts.len()];
        page(
            news,
            &format!(
                "<div>{advert}</div><p>Visitors: {}</p><p>Read at 10:{:02}:01</p>",
                900 + step * 13,
                step % 60
            ),
        )
    };
    let mut memory = first(&detector, &noisy("Nothing new", 0));
    let (mut false_alarms, mut looks, mut found) = (0, 0, 0);
    for step in 1..60 {
        let news = format!("Edition {}", step / 10);
        let edited = step % 10 == 0;
        let finding = visit(
            &detector,
            &memory,
            &noisy(&news, 2 * step),
            &noisy(&news, 2 * step + 1),
        );
        looks += usize::from(finding.worth_a_second_look);
        match (edited, finding.outcome) {
            (true, Outcome::Changed) => found += 1,
            (true, _) => panic!("edit at {step} was missed"),
            (false, Outcome::Changed) => false_alarms += 1,
            (false, _) => {}
        }
        memory = finding.memory;
    }
    assert_eq!(found, 5);
    assert!(false_alarms <= 3, "{false_alarms} false alarms");
    assert!(looks <= 8, "{looks} second looks");
}

#[test]
fn at_level_bytes_tokens_of_lines_are_masked() {
    let settings = Settings {
        level: Level::Bytes,
        ..Settings::default()
    };
    let detector = Detector::new(&settings).expect("settings");
    let file = |id: &str, text: &str| -> Vec<u8> {
        format!("%PDF-1.7\n/ID <{id}> /Producer (mill)\n\u{1}{text}\ntrailer\nstartxref\n9\n")
            .into_bytes()
    };
    let body = |bytes: &Vec<u8>| -> Memory {
        detector
            .first(&Body::new(bytes, Some("application/pdf")))
            .expect("a file")
    };
    let seen = file("aa11", "stream");
    let memory = body(&seen);
    let again = file("bb22", "stream");
    let memory = detector.learn_noise(&memory, &Body::new(&seen, None), &Body::new(&again, None));
    let same = file("cc33", "stream");
    let finding = detector.compare(&memory, &Body::new(&same, None));
    assert_eq!(finding.outcome, Outcome::Unchanged);
    assert_eq!(finding.levels.bytes, Outcome::Changed);
    let edited = file("dd44", "Stream");
    let finding = detector.compare(&finding.memory, &Body::new(&edited, None));
    assert_eq!(finding.outcome, Outcome::Changed);
}

#[test]
fn in_json_the_value_that_differs_is_masked() {
    let detector = detector();
    let json = |time: u32, price: u32| {
        format!(
            r#"{{"time": {time}, "items": [{{"price": {price}, "name": "mill"}}], "ok": true}}"#
        )
    };
    let (one, two) = (json(100, 7), json(101, 7));
    let body = |text: &str| -> Vec<u8> { text.as_bytes().to_vec() };
    let memory = detector
        .first(&Body::new(&body(&one), Some("application/json")))
        .expect("JSON");
    let kind = Some("application/json");
    let (seen, again) = (body(&one), body(&two));
    let memory = detector.learn_noise(&memory, &Body::new(&seen, kind), &Body::new(&again, kind));
    let compare = |text: &str| {
        detector
            .compare(&memory, &Body::new(&body(text), Some("application/json")))
            .outcome
    };
    assert_eq!(compare(&json(999, 7)), Outcome::Unchanged);
    assert_eq!(compare(&json(999, 8)), Outcome::Changed);
}

#[test]
fn the_example_of_the_documents_holds() {
    let detector = detector();
    let page =
        |news: &str, counter: &str| format!("<h1>Mill Lane</h1><p>{news}</p><p>{counter}</p>");
    let memory = first(&detector, &page("Nothing new", "Visitors today: 1041"));
    let seen = page("Nothing new", "Visitors today: 1377");
    let second = detector.compare(&memory, &html(&seen));
    assert!(second.outcome == Outcome::Changed && second.worth_a_second_look);
    let again = page("Nothing new", "Visitors today: 1378");
    let mut memory = detector.learn_noise(&second.memory, &html(&seen), &html(&again));
    for (news, counter, outcome) in [
        ("Nothing new", "Visitors today: 2013", Outcome::Unchanged),
        ("Closed on Monday", "Visitors today: 2155", Outcome::Changed),
        ("Closed on Monday", "Guests today: 2301", Outcome::Changed),
        ("Closed on Monday", "Guests today: 2302", Outcome::Unchanged),
    ] {
        let finding = detector.compare(&memory, &html(&page(news, counter)));
        assert_eq!(finding.outcome, outcome, "{news} / {counter}");
        assert_eq!(finding.memory.masked_parts(), 1);
        memory = finding.memory;
    }
}
