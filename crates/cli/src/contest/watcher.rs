//! Progress, Ctrl-C and the clock while worlds are simulated.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context;
use indicatif::ProgressBar;
use recrawl_simulate::Watcher;

use crate::progress::counting_bar;

/// What a shell reports of a program that Ctrl-C ended.
const ENDED_BY_INTERRUPT: i32 = 130;

/// Shows how far it is, and stops between two cycles after Ctrl-C. A second
/// Ctrl-C ends the program at once.
pub(super) struct Screen {
    bar: ProgressBar,
    total: usize,
    done: AtomicUsize,
    stop: Arc<AtomicBool>,
    begun: Instant,
}

impl Screen {
    pub(super) fn new(cycles: usize) -> anyhow::Result<Self> {
        let stop = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&stop);
        ctrlc::set_handler(move || {
            if flag.swap(true, Ordering::Relaxed) {
                std::process::exit(ENDED_BY_INTERRUPT);
            }
        })
        .context("cannot listen for Ctrl-C")?;
        Ok(Self {
            bar: counting_bar("simulating cycles", cycles),
            total: cycles,
            done: AtomicUsize::new(0),
            stop,
            begun: now(),
        })
    }

    /// Takes the bar away; if work was stopped, says how far it came.
    pub(super) fn finish(&self) -> Option<String> {
        self.bar.finish_and_clear();
        let done = self.done.load(Ordering::Relaxed);
        let stopped = self.stop.load(Ordering::Relaxed) && done < self.total;
        stopped.then(|| format!("{done} of {} cycles", self.total))
    }
}

impl Watcher for Screen {
    fn cycle_done(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
        self.bar.inc(1);
    }

    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn clock(&self) -> Duration {
        now().duration_since(self.begun)
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the command times what it drives"
)]
fn now() -> Instant {
    Instant::now()
}
