//! What a watch prints while it runs.

use std::io::{self, Write};

use recrawl_watch::{Event, Totals, Visited};
use tokio_util::sync::CancellationToken;

use super::in_words;
use crate::args::OutputFormat;

/// Prints visits on standard output, everything else on standard error.
pub(super) struct Lines {
    format: OutputFormat,
    terminal: bool,
    began: bool,
    failed: Option<io::Error>,
}

impl Lines {
    pub(super) fn new(format: OutputFormat, terminal: bool) -> Self {
        Self {
            format,
            terminal,
            began: false,
            failed: None,
        }
    }

    /// Tells an event. A reader that went away ends the watch.
    pub(super) fn tell(&mut self, event: Event<'_>, stop: &CancellationToken) {
        if self.failed.is_some() {
            return;
        }
        if let Err(error) = self.try_tell(event) {
            self.failed = Some(error);
            stop.cancel();
        }
    }

    fn try_tell(&mut self, event: Event<'_>) -> io::Result<()> {
        match event {
            Event::Visited(visited) => self.visit(visited),
            Event::Cycle {
                number,
                budget,
                spent,
                resumed,
                ..
            } => {
                let left = (budget - spent).in_downloads();
                let word = if resumed { "resumed" } else { "begins" };
                talk(&format!("cycle {} {word}: {left} visits", number + 1))
            }
            Event::Pages {
                added,
                back,
                paused,
            } => talk(&format!("pages: {added} new, {back} back, {paused} paused")),
            Event::HostHeld { host, until } => talk(&format!("{host} is left alone until {until}")),
            Event::Disallowed { url } => talk(&format!("not visited, robots.txt disallows: {url}")),
            Event::Note(text) => talk(text),
        }
    }

    fn visit(&mut self, visited: &Visited) -> io::Result<()> {
        let mut out = io::stdout().lock();
        match self.format {
            OutputFormat::Table => {
                let reason = visited.reason.as_deref();
                let reason = reason
                    .map(|reason| format!("  {reason}"))
                    .unwrap_or_default();
                let time = visited.time.to_string();
                writeln!(
                    out,
                    "{time:<27}  {:<9}  {:>3}  {}{reason}",
                    visited.outcome.name(),
                    visited.status,
                    visited.page
                )?;
            }
            OutputFormat::Ndjson => {
                serde_json::to_writer(&mut out, visited)?;
                out.write_all(b"\n")?;
            }
            OutputFormat::Csv => {
                let mut writer = csv::WriterBuilder::new()
                    .has_headers(!self.began)
                    .from_writer(&mut out);
                writer
                    .serialize(Row::from(visited))
                    .map_err(io::Error::other)?;
                writer.flush()?;
            }
            OutputFormat::Json => {}
        }
        self.began = true;
        if !self.terminal {
            out.flush()?; // whoever reads hears of a visit when it counts
        }
        Ok(())
    }

    /// Ends the output.
    pub(super) fn end(self, totals: &Totals) -> anyhow::Result<()> {
        if let Some(error) = self.failed {
            return Err(error.into());
        }
        if self.format == OutputFormat::Json {
            let mut out = io::stdout().lock();
            serde_json::to_writer(&mut out, totals)?;
            out.write_all(b"\n")?;
        }
        talk(&in_words(totals))?;
        Ok(())
    }
}

/// A visit as a row of a table.
#[derive(serde::Serialize)]
struct Row<'a> {
    visit: u64,
    time: String,
    page: &'a str,
    site: &'a str,
    outcome: &'static str,
    status: u16,
    reason: Option<&'a str>,
    bytes: u32,
    millis: u32,
    location: Option<&'a str>,
}

impl<'a> From<&'a Visited> for Row<'a> {
    fn from(visited: &'a Visited) -> Self {
        Self {
            visit: visited.visit,
            time: visited.time.to_string(),
            page: &visited.page,
            site: &visited.site,
            outcome: visited.outcome.name(),
            status: visited.status,
            reason: visited.reason.as_deref(),
            bytes: visited.bytes,
            millis: visited.millis,
            location: visited.location.as_deref(),
        }
    }
}

fn talk(text: &str) -> io::Result<()> {
    writeln!(io::stderr(), "{text}")
}
