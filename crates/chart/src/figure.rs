//! A whole picture: [`Figure`].

use std::fmt::Write;

use crate::Panel;
use crate::legend;
use crate::look::look;
use crate::panel::Frame;

/// The family every text asks for.
pub const FONT_FAMILY: &str = "DejaVu Sans";

const WIDTH: f64 = 900.0;
/// Room left of a panel for its numbers and label.
const LEFT: f64 = 74.0;
/// Room right of a panel.
const RIGHT: f64 = 22.0;
/// Top of the first panel, below title and subtitle.
const TOP: f64 = 62.0;
/// Room above a panel that has a title.
const PANEL_TITLE: f64 = 24.0;
/// Room below a panel for numbers and label.
const BELOW: f64 = 52.0;

/// How panels are arranged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// One above the other.
    Stacked,
    /// In rows of two.
    SideBySide,
}

/// A picture of one or several panels with one legend.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// In bold above everything.
    pub title: String,
    /// In small print below the title.
    pub subtitle: String,
    /// How the panels are arranged.
    pub layout: Layout,
    /// The panels, in order of reading.
    pub panels: Vec<Panel>,
}

impl Figure {
    /// The picture as SVG.
    #[must_use]
    pub fn to_svg(&self) -> String {
        let frames = self.frames();
        let bottom = frames.iter().map(|frame| frame.bottom).fold(TOP, f64::max) + BELOW;
        let entries = legend::entries(&self.panels);
        let rows = legend::rows(&entries, WIDTH - LEFT - RIGHT);
        let height = bottom + legend::height(&rows) + 8.0;
        let prefix = self.prefix();
        let title = escape(&self.title);
        let mut svg = String::new();
        // Writing to a string cannot fail.
        let _ = writeln!(
            svg,
            r##"<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" font-family="'{FONT_FAMILY}', sans-serif" font-size="13" role="img" aria-label="{title}">
<title>{title}</title>
<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>
<text x="{LEFT}" y="26" font-size="17" font-weight="bold">{title}</text>
<text x="{LEFT}" y="47" fill="#444444">{}</text>"##,
            escape(&self.subtitle)
        );
        self.definitions(&mut svg, &frames, &prefix);
        for (number, (panel, frame)) in self.panels.iter().zip(&frames).enumerate() {
            panel.draw(&mut svg, frame, &format!("{prefix}{number}"));
        }
        legend::draw(&mut svg, &rows, (LEFT, bottom), &format!("{prefix}0"));
        svg.push_str("</svg>\n");
        svg
    }

    /// Where each panel lies.
    fn frames(&self) -> Vec<Frame> {
        let columns = match self.layout {
            Layout::SideBySide if self.panels.len() > 1 => 2,
            _ => 1,
        };
        let height = match (self.panels.len(), columns) {
            (1, _) => 400.0,
            (_, 1) => 230.0,
            _ => 300.0,
        };
        let titled = self.panels.iter().any(|panel| !panel.title.is_empty());
        let above = if titled { PANEL_TITLE } else { 4.0 };
        let width = WIDTH / f64::from(columns);
        (0..self.panels.len())
            .map(|number| {
                let (row, column) = (number / columns as usize, number % columns as usize);
                let left = LEFT + column as f64 * width;
                let top = TOP + above + row as f64 * (height + BELOW + above);
                Frame {
                    left,
                    right: left + width - LEFT - RIGHT,
                    top,
                    bottom: top + height,
                }
            })
            .collect()
    }

    /// Areas that curves are cut to, and hatchings.
    fn definitions(&self, svg: &mut String, frames: &[Frame], prefix: &str) {
        let _ = writeln!(svg, "<defs>");
        for (number, (panel, frame)) in self.panels.iter().zip(frames).enumerate() {
            let _ = writeln!(
                svg,
                r#"<clipPath id="{prefix}{number}area"><rect x="{}" y="{}" width="{}" height="{}"/></clipPath>"#,
                frame.left,
                frame.top,
                frame.right - frame.left,
                frame.bottom - frame.top
            );
            for (place, series) in panel.series.iter().enumerate() {
                let look = look(series.stroke);
                let _ = writeln!(
                    svg,
                    r#"<pattern id="{prefix}{number}hatching{place}" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate({})"><rect width="7" height="7" fill="{colour}" fill-opacity="0.12"/><line x1="0" y1="0" x2="0" y2="7" stroke="{colour}" stroke-opacity="0.45" stroke-width="1.4"/></pattern>"#,
                    look.hatching,
                    colour = look.colour,
                );
            }
        }
        let _ = writeln!(svg, "</defs>");
    }

    /// Names inside the picture start with this, so that several pictures can
    /// stand in one page: 32 bits of FNV-1a over the title.
    fn prefix(&self) -> String {
        let hash = self.title.bytes().fold(0x811c_9dc5_u32, |hash, byte| {
            (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
        });
        format!("f{hash:08x}p")
    }
}

/// Text as it may stand in SVG and HTML.
#[must_use]
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Axis, Series, Stroke};

    fn figure(title: &str, panels: usize) -> Figure {
        let panel = Panel {
            title: String::new(),
            x: Axis::logarithmic("x", 0.1, 10.0),
            y: Axis::linear("y", 0.0, 1.0),
            series: vec![
                Series::line("ages", Stroke::Solid, vec![(0.1, 0.9), (10.0, 0.1)]),
                Series::line("lifetimes", Stroke::Dashed, vec![(0.1, 0.8), (1.0, 0.3)]),
                Series::published("print", vec![(1.0, 0.5)]),
            ],
        };
        Figure {
            title: title.to_owned(),
            subtitle: String::new(),
            layout: Layout::SideBySide,
            panels: vec![panel; panels],
        }
    }

    #[test]
    fn names_are_escaped_and_series_differ_without_colour() {
        let svg = figure("tails of <page> & \"site\"", 1).to_svg();
        assert!(svg.contains("tails of &lt;page&gt; &amp; &quot;site&quot;"));
        assert!(
            svg.contains(r#"stroke-dasharray="""#) && svg.contains(r#"stroke-dasharray="9 5""#)
        );
        assert!(svg.contains("rotate(45)") && svg.contains("rotate(-45)"));
    }

    #[test]
    fn two_figures_in_one_page_share_no_name() {
        let (one, other) = (figure("one", 2).to_svg(), figure("other", 2).to_svg());
        for id in one.split(" id=\"").skip(1) {
            let id = id.split('"').next().expect("a name");
            assert!(!other.contains(id), "{id}");
        }
    }

    #[test]
    fn panels_side_by_side_lie_inside_the_picture_and_apart() {
        let frames = figure("three", 3).frames();
        assert!(frames[0].right < frames[1].left && frames[1].right < WIDTH);
        assert!(frames[2].top > frames[0].bottom);
    }

    #[test]
    fn the_same_figure_gives_the_same_bytes() {
        assert_eq!(figure("one", 2).to_svg(), figure("one", 2).to_svg());
    }
}
