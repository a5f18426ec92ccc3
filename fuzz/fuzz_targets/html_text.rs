//! Two bodies of any kind through a detector of any level. The first byte picks
//! level and type, the first 0xFF after it ends the first body.

#![no_main]

use libfuzzer_sys::fuzz_target;
use recrawl_detect::{Body, Detector, Level, Memory, Settings};

const TYPES: [Option<&str>; 6] = [
    Some("text/html"),
    Some("text/html; charset=utf-8"),
    Some("application/json"),
    Some("application/rss+xml"),
    Some("text/plain; charset=shift_jis"),
    None,
];

fuzz_target!(|data: &[u8]| {
    let Some((&choice, rest)) = data.split_first() else {
        return;
    };
    let level = [Level::Text, Level::Main, Level::Bytes][usize::from(choice / 64) % 3];
    let exclude = if choice % 2 == 1 { vec!["b, .x > p".to_owned()] } else { vec![] };
    let settings = Settings {
        level,
        exclude,
        ..Settings::default()
    };
    let detector = Detector::new(&settings).expect("settings");
    let kind = TYPES[usize::from(choice / 2) % TYPES.len()];
    let cut = rest.iter().position(|&byte| byte == 0xff);
    let (old, new) = rest.split_at(cut.unwrap_or(rest.len()));
    let (old, new) = (Body::new(old, kind), Body::new(new, kind));
    let Ok(memory) = detector.first(&old) else {
        return;
    };
    let same = detector.compare(&memory, &old);
    assert_eq!(same.outcome.name(), "unchanged");
    let finding = detector.compare(&memory, &new);
    let learned = detector.learn_noise(&memory, &old, &new);
    if learned.masked_parts() > 0 {
        assert_eq!(detector.compare(&learned, &old).outcome.name(), "unchanged");
    }
    for memory in [memory, finding.memory, learned] {
        assert_eq!(Memory::from_bytes(&memory.to_bytes()), Ok(memory));
    }
    let _ = detector.diff(&old, &new);
});
