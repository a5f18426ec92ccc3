//! How series are told from each other.

use std::fmt::Write;

/// How a series is told from the others. Each has its own dashes, marker,
/// hatching and colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stroke {
    /// Unbroken, circles, blue.
    Solid,
    /// Dashed, squares, orange.
    Dashed,
    /// Dotted, no marker, grey.
    Dotted,
    /// Dash and dot, triangles, green.
    DashDot,
    /// Short dashes, diamonds, purple.
    ShortDashed,
    /// Long dashes, upside-down triangles, black.
    LongDashed,
    /// Dash and two dots, crosses, yellow.
    DashDotDot,
    /// Sparse dots, bars, sky blue.
    Sparse,
}

impl Stroke {
    /// Every stroke in the order series take them; the dotted one, which has
    /// no marker, is for references and comes last.
    pub const ALL: [Self; 8] = [
        Self::Solid,
        Self::Dashed,
        Self::DashDot,
        Self::ShortDashed,
        Self::LongDashed,
        Self::DashDotDot,
        Self::Sparse,
        Self::Dotted,
    ];

    /// The stroke of the n-th series, counted from 0.
    #[must_use]
    pub const fn nth(number: usize) -> Self {
        Self::ALL[number % Self::ALL.len()]
    }
}

/// How a series is drawn.
pub(crate) struct Look {
    pub(crate) colour: &'static str,
    pub(crate) dashes: &'static str,
    pub(crate) marker: Option<Marker>,
    /// Slant of the hatching of its band or bars, degrees.
    pub(crate) hatching: i32,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Marker {
    Circle,
    Square,
    Triangle,
    Diamond,
    Downward,
    Cross,
    Bar,
}

/// The colour of what the papers print.
pub(crate) const PUBLISHED: &str = "#b00020";

/// Colours that stay apart for the colour-blind (Okabe and Ito).
pub(crate) fn look(stroke: Stroke) -> Look {
    let (colour, dashes, marker, hatching) = match stroke {
        Stroke::Solid => ("#0072b2", "", Some(Marker::Circle), 45),
        Stroke::Dashed => ("#d55e00", "9 5", Some(Marker::Square), -45),
        Stroke::Dotted => ("#555555", "2 4", None, 90),
        Stroke::DashDot => ("#00795c", "10 4 2 4", Some(Marker::Triangle), 0),
        Stroke::ShortDashed => ("#a6558a", "4 4", Some(Marker::Diamond), 20),
        Stroke::LongDashed => ("#000000", "16 5", Some(Marker::Downward), -20),
        Stroke::DashDotDot => ("#a87900", "9 3 2 3 2 3", Some(Marker::Cross), 70),
        Stroke::Sparse => ("#2b8cbe", "2 7", Some(Marker::Bar), -70),
    };
    Look {
        colour,
        dashes,
        marker,
        hatching,
    }
}

/// Draws a marker with its middle at (x, y).
pub(crate) fn draw_marker(svg: &mut String, marker: Marker, colour: &str, (x, y): (f64, f64)) {
    let style = format!(r##"fill="#ffffff" stroke="{colour}" stroke-width="2""##);
    let corners = match marker {
        Marker::Circle => {
            let _ = writeln!(svg, r#"<circle cx="{x:.1}" cy="{y:.1}" r="4.5" {style}/>"#);
            return;
        }
        Marker::Square => vec![(-4.0, -4.0), (4.0, -4.0), (4.0, 4.0), (-4.0, 4.0)],
        Marker::Triangle => vec![(0.0, -5.5), (-5.0, 4.0), (5.0, 4.0)],
        Marker::Diamond => vec![(0.0, -6.0), (6.0, 0.0), (0.0, 6.0), (-6.0, 0.0)],
        Marker::Downward => vec![(0.0, 5.5), (-5.0, -4.0), (5.0, -4.0)],
        Marker::Cross => vec![
            (-4.0, -4.0),
            (4.0, 4.0),
            (0.0, 0.0),
            (4.0, -4.0),
            (-4.0, 4.0),
            (0.0, 0.0),
        ],
        Marker::Bar => vec![(-5.0, -1.5), (5.0, -1.5), (5.0, 1.5), (-5.0, 1.5)],
    };
    let corners: Vec<String> = corners
        .into_iter()
        .map(|(dx, dy)| format!("{:.1},{:.1}", x + dx, y + dy))
        .collect();
    let _ = writeln!(svg, r#"<polygon points="{}" {style}/>"#, corners.join(" "));
}

/// What the papers print: a larger diamond, so that ours inside it stays
/// visible.
pub(crate) fn draw_published(svg: &mut String, (x, y): (f64, f64)) {
    let _ = writeln!(
        svg,
        r#"<path d="M{:.1} {y:.1}L{x:.1} {:.1}L{:.1} {y:.1}L{x:.1} {:.1}Z" fill="none" stroke="{PUBLISHED}" stroke-width="2.2"/>"#,
        x - 8.0,
        y - 8.0,
        x + 8.0,
        y + 8.0
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_strokes_share_dashes_or_colour() {
        for (place, one) in Stroke::ALL.into_iter().enumerate() {
            for other in Stroke::ALL.into_iter().skip(place + 1) {
                assert_ne!(look(one).dashes, look(other).dashes);
                assert_ne!(look(one).colour, look(other).colour);
            }
        }
    }
}
