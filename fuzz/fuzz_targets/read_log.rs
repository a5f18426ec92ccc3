//! Arbitrary bytes as an observation log: the first byte picks the format and
//! how small the blocks are, the rest is the file.

#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use recrawl_logs::{Format, ReadSettings, read_from};

fuzz_target!(
    init: {
        // The reader turns panics of the Parquet decoder into errors. Only a
        // panic that leaves the reader is a finding, and that one ends the run
        // whatever the hook does.
        std::panic::set_hook(Box::new(|_| {}));
    },
    |bytes: &[u8]| -> Corpus {
        let Some((&choice, file)) = bytes.split_first() else {
            return Corpus::Reject;
        };
        let format = match choice % 3 {
            0 => Format::Csv,
            1 => Format::Ndjson,
            _ => Format::Parquet,
        };
        let settings = ReadSettings {
            block_bytes: 1 << (choice / 3 % 12),
            batch_rows: 1 << (choice / 3 % 12),
            longest_row: 1 << 16,
        };
        if let Err(refused) = read_from(file, format, "log", &settings) {
            // A message is one line, whatever the file holds.
            assert!(!refused.to_string().contains('\n'));
        }
        Corpus::Keep
    }
);
