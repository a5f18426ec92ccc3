//! What the series are called, below the panels.

use std::fmt::Write;

use crate::figure::escape;
use crate::look::{draw_marker, draw_published, look};
use crate::{Panel, Series, Shape};

/// Height of a line.
const LINE: f64 = 22.0;
/// Room for the sample of a line, and between two entries.
const SAMPLE: f64 = 50.0;
const BETWEEN: f64 = 26.0;
/// Rough width of a letter.
const LETTER: f64 = 7.1;

/// A series and its place in the first panel that has it, for its hatching.
pub(crate) struct Entry<'a> {
    series: &'a Series,
    place: usize,
}

/// The series by their labels, each once.
pub(crate) fn entries(panels: &[Panel]) -> Vec<Entry<'_>> {
    let mut entries: Vec<Entry<'_>> = Vec::new();
    for panel in panels {
        for (place, series) in panel.series.iter().enumerate() {
            if !entries
                .iter()
                .any(|known| known.series.label == series.label)
            {
                entries.push(Entry { series, place });
            }
        }
    }
    entries
}

fn width(entry: &Entry<'_>) -> f64 {
    SAMPLE + 6.0 + LETTER * entry.series.label.chars().count() as f64 + BETWEEN
}

/// The entries in rows no wider than `room`.
pub(crate) fn rows<'a>(entries: &'a [Entry<'a>], room: f64) -> Vec<Vec<&'a Entry<'a>>> {
    let mut rows: Vec<Vec<&Entry<'_>>> = Vec::new();
    let mut left = 0.0;
    for entry in entries {
        let needed = width(entry);
        if needed > left || rows.is_empty() {
            rows.push(Vec::new());
            left = room;
        }
        left -= needed;
        if let Some(row) = rows.last_mut() {
            row.push(entry);
        }
    }
    rows
}

pub(crate) fn height(rows: &[Vec<&Entry<'_>>]) -> f64 {
    LINE * rows.len() as f64
}

pub(crate) fn draw(
    svg: &mut String,
    rows: &[Vec<&Entry<'_>>],
    (left, top): (f64, f64),
    prefix: &str,
) {
    for (row, entries) in rows.iter().enumerate() {
        let y = top + LINE * (row as f64 + 0.5);
        let mut x = left;
        for entry in entries {
            sample(svg, entry, (x, y), prefix);
            let _ = writeln!(
                svg,
                r#"<text x="{:.1}" y="{:.1}">{}</text>"#,
                x + SAMPLE + 6.0,
                y + 4.5,
                escape(&entry.series.label)
            );
            x += width(entry);
        }
    }
}

fn sample(svg: &mut String, entry: &Entry<'_>, (x, y): (f64, f64), prefix: &str) {
    let look = look(entry.series.stroke);
    let (end, middle) = (x + SAMPLE, x + SAMPLE / 2.0);
    match entry.series.shape {
        Shape::Published => draw_published(svg, (middle, y)),
        Shape::Bars => {
            let _ = writeln!(
                svg,
                r#"<rect x="{x:.1}" y="{:.1}" width="{SAMPLE}" height="12" fill="url(#{prefix}hatching{})" stroke="{}"/>"#,
                y - 6.0,
                entry.place,
                look.colour
            );
        }
        Shape::Line | Shape::Points => {
            if entry.series.shape == Shape::Line {
                let _ = writeln!(
                    svg,
                    r#"<line x1="{x:.1}" y1="{y:.1}" x2="{end:.1}" y2="{y:.1}" stroke="{}" stroke-width="2.2" stroke-dasharray="{}"/>"#,
                    look.colour, look.dashes
                );
            }
            if let Some(marker) = look.marker {
                draw_marker(svg, marker, look.colour, (middle, y));
            }
        }
    }
}
