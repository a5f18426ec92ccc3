//! Progress bars, on a terminal only.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar that counts bytes read.
pub(crate) struct ByteBar(ProgressBar);

impl ByteBar {
    /// A bar up to `total`, or a spinner where it is not known. indicatif draws
    /// on stderr, and only if that is a terminal.
    pub(crate) fn new(verb: &'static str, total: Option<u64>) -> Self {
        let template = match total {
            Some(_) => "{msg} [{bar:30}] {bytes}/{total_bytes} {eta}",
            None => "{msg} {spinner} {bytes}",
        };
        Self(bar(verb, total, template))
    }

    pub(crate) fn finish(self) {
        self.0.finish_and_clear();
    }
}

impl recrawl_logs::Progress for ByteBar {
    fn advance(&self, bytes: u64) {
        self.0.inc(bytes);
    }
}

/// A bar that counts things done.
pub(crate) fn counting_bar(verb: &'static str, total: usize) -> ProgressBar {
    bar(
        verb,
        Some(total as u64),
        "{msg} [{bar:30}] {pos}/{len} {eta}",
    )
}

fn bar(verb: &'static str, total: Option<u64>, template: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr_with_hz(8));
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.with_message(verb)
}
