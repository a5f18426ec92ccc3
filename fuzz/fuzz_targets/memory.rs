//! Arbitrary bytes as the memory of a page. The checksum is put right, so that
//! what is behind it is reached.

#![no_main]

use libfuzzer_sys::fuzz_target;
use recrawl_detect::{Body, Detector, Memory, Settings};
use xxhash_rust::xxh3::xxh3_64;

fuzz_target!(|data: &[u8]| {
    let _ = Memory::from_bytes(data);
    let detector = Detector::new(&Settings::default()).expect("settings");
    let mut bytes = vec![2];
    bytes.extend(detector.version().to_le_bytes());
    bytes.extend(data);
    let checksum = xxh3_64(&bytes) as u32;
    bytes.extend(checksum.to_le_bytes());
    let Ok(memory) = Memory::from_bytes(&bytes) else {
        return;
    };
    assert_eq!(Memory::from_bytes(&memory.to_bytes()).as_ref(), Ok(&memory));
    for text in ["<p>a b c</p><p>d</p><p>e f</p>", "x", "<p>"] {
        let body = Body::new(text.as_bytes(), Some("text/html"));
        let finding = detector.compare(&memory, &body);
        assert_eq!(detector.compare(&finding.memory, &body).outcome.name(), "unchanged");
        let _ = detector.learn_noise(&memory, &body, &body);
    }
});
