//! Reads logs and prints how many pages and observations they hold; run it
//! under a profiler or `time` to measure the reader by itself:
//!
//! ```text
//! cargo build --release -p recrawl-logs --example read
//! time target/release/examples/read log.csv log.parquet
//! ```

#![expect(clippy::print_stdout, reason = "an example prints")]

use std::process::ExitCode;

use recrawl_logs::{LogError, Silent, Source, read};

fn main() -> ExitCode {
    let sources: Vec<Source> = std::env::args_os().skip(1).map(Source::parse).collect();
    match count(&sources) {
        Ok((pages, observations)) => {
            println!("{pages} pages, {observations} observations");
            ExitCode::SUCCESS
        }
        Err(refused) => {
            println!("{refused}");
            ExitCode::from(2)
        }
    }
}

fn count(sources: &[Source]) -> Result<(usize, usize), LogError> {
    let set = read(sources, &Silent)?;
    Ok((set.len(), set.observations()))
}
