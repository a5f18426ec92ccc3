//! A chart as SVG text.

use std::fmt::Write;

use super::raster::FAMILY;
use super::{Chart, Series, Stroke};

const WIDTH: f64 = 860.0;
const HEIGHT: f64 = 560.0;
/// The drawing area inside the picture: left, top, right, bottom.
const LEFT: f64 = 78.0;
const TOP: f64 = 66.0;
const RIGHT: f64 = WIDTH - 24.0;
const BOTTOM: f64 = HEIGHT - 62.0;
/// Height of a line of the legend.
const LEGEND_LINE: f64 = 21.0;
/// Rough width of a letter of the legend, to size its box.
const LETTER: f64 = 7.4;
/// Markers along a line.
const MARKERS: usize = 9;

/// How a series is drawn.
struct Look {
    colour: &'static str,
    dashes: &'static str,
    marker: Option<Marker>,
    /// Slant of the hatching of its band, degrees.
    hatching: i32,
}

#[derive(Clone, Copy)]
enum Marker {
    Circle,
    Square,
    Triangle,
}

/// Colours that stay apart for the colour-blind (Okabe and Ito).
fn look(stroke: Stroke) -> Look {
    let (colour, dashes, marker, hatching) = match stroke {
        Stroke::Solid => ("#0072b2", "", Some(Marker::Circle), 45),
        Stroke::Dashed => ("#d55e00", "9 5", Some(Marker::Square), -45),
        Stroke::Dotted => ("#555555", "2 4", None, 90),
        Stroke::DashDot => ("#00795c", "10 4 2 4", Some(Marker::Triangle), 0),
    };
    Look {
        colour,
        dashes,
        marker,
        hatching,
    }
}

/// Draws a chart.
pub(super) fn draw(chart: &Chart) -> String {
    let mut svg = String::new();
    // Writing to a string cannot fail.
    let _ = write!(
        svg,
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="'{FAMILY}', sans-serif" font-size="13" role="img" aria-label="{title}">
<title>{title}</title>
<rect width="100%" height="100%" fill="#ffffff"/>
<defs><clipPath id="area"><rect x="{LEFT}" y="{TOP}" width="{width}" height="{height}"/></clipPath>
"##,
        title = escape(&chart.title),
        width = RIGHT - LEFT,
        height = BOTTOM - TOP,
    );
    for (number, series) in chart.series.iter().enumerate() {
        hatching(&mut svg, number, series);
    }
    let _ = writeln!(svg, "</defs>");
    frame(&mut svg, chart);
    let _ = writeln!(svg, r#"<g clip-path="url(#area)">"#);
    for (number, series) in chart.series.iter().enumerate() {
        band(&mut svg, chart, number, series);
    }
    for series in &chart.series {
        line(&mut svg, chart, series);
    }
    let _ = writeln!(svg, "</g>");
    legend(&mut svg, chart);
    let _ = writeln!(svg, "</svg>");
    svg
}

fn hatching(svg: &mut String, number: usize, series: &Series) {
    let look = look(series.stroke);
    let _ = writeln!(
        svg,
        r#"<pattern id="hatching{number}" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate({})"><rect width="7" height="7" fill="{colour}" fill-opacity="0.10"/><line x1="0" y1="0" x2="0" y2="7" stroke="{colour}" stroke-opacity="0.35" stroke-width="1.2"/></pattern>"#,
        look.hatching,
        colour = look.colour,
    );
}

/// Title, axes, grid and labels.
fn frame(svg: &mut String, chart: &Chart) {
    let _ = writeln!(
        svg,
        r##"<text x="{LEFT}" y="28" font-size="17" font-weight="bold">{}</text>
<text x="{LEFT}" y="49" fill="#444444">{}</text>"##,
        escape(&chart.title),
        escape(&chart.subtitle)
    );
    for tick in chart.x.ticks() {
        let x = across(chart, tick.at);
        let strong = tick.label.is_some();
        grid_line(svg, (x, TOP), (x, BOTTOM), strong);
        if let Some(label) = tick.label {
            let y = BOTTOM + 19.0;
            let _ = writeln!(
                svg,
                r#"<text x="{x:.1}" y="{y}" text-anchor="middle">{label}</text>"#
            );
        }
    }
    for tick in chart.y.ticks() {
        let y = down(chart, tick.at);
        let strong = tick.label.is_some();
        grid_line(svg, (LEFT, y), (RIGHT, y), strong);
        if let Some(label) = tick.label {
            let (x, y) = (LEFT - 8.0, y + 4.5);
            let _ = writeln!(
                svg,
                r#"<text x="{x}" y="{y:.1}" text-anchor="end">{label}</text>"#
            );
        }
    }
    let _ = writeln!(
        svg,
        r##"<rect x="{LEFT}" y="{TOP}" width="{width}" height="{height}" fill="none" stroke="#222222"/>
<text x="{middle}" y="{below}" text-anchor="middle">{x_label}</text>
<text transform="translate(20 {centre}) rotate(-90)" text-anchor="middle">{y_label}</text>"##,
        width = RIGHT - LEFT,
        height = BOTTOM - TOP,
        middle = f64::midpoint(LEFT, RIGHT),
        below = HEIGHT - 18.0,
        centre = f64::midpoint(TOP, BOTTOM),
        x_label = escape(&chart.x.label),
        y_label = escape(&chart.y.label),
    );
}

fn grid_line(svg: &mut String, from: (f64, f64), to: (f64, f64), strong: bool) {
    let colour = if strong { "#cfcfcf" } else { "#eeeeee" };
    let _ = writeln!(
        svg,
        r#"<line x1="{:.1}" y1="{:.1}" x2="{:.1}" y2="{:.1}" stroke="{colour}"/>"#,
        from.0, from.1, to.0, to.1
    );
}

fn band(svg: &mut String, chart: &Chart, number: usize, series: &Series) {
    if series.band.is_empty() {
        return;
    }
    let there = series.band.iter().map(|&(x, _, high)| (x, high));
    let back = series.band.iter().rev().map(|&(x, low, _)| (x, low));
    let corners = path(chart, there.chain(back));
    let _ = writeln!(
        svg,
        r#"<polygon points="{corners}" fill="url(#hatching{number})" stroke="none"/>"#
    );
}

fn line(svg: &mut String, chart: &Chart, series: &Series) {
    let look = look(series.stroke);
    // A curve that fell below the axis ends where it leaves it.
    let end = series.points.iter().position(|point| point.1 < chart.y.low);
    let shown = &series.points[..end.map_or(series.points.len(), |end| end + 1)];
    let corners = path(chart, shown.iter().copied());
    let _ = writeln!(
        svg,
        r#"<polyline points="{corners}" fill="none" stroke="{}" stroke-width="2.4" stroke-dasharray="{}"/>"#,
        look.colour, look.dashes
    );
    let Some(marker) = look.marker else { return };
    // Evenly along the axis, not along the points, which crowd on one side.
    let mut next = 0.03;
    for &(x, y) in shown.iter().filter(|point| point.1 >= chart.y.low) {
        if chart.x.place(x) >= next {
            draw_marker(svg, marker, look.colour, (across(chart, x), down(chart, y)));
            next = chart.x.place(x) + 1.0 / MARKERS as f64;
        }
    }
}

fn draw_marker(svg: &mut String, marker: Marker, colour: &str, (x, y): (f64, f64)) {
    let style = format!(r##"fill="#ffffff" stroke="{colour}" stroke-width="2""##);
    let _ = match marker {
        Marker::Circle => writeln!(svg, r#"<circle cx="{x:.1}" cy="{y:.1}" r="4.5" {style}/>"#),
        Marker::Square => writeln!(
            svg,
            r#"<rect x="{:.1}" y="{:.1}" width="8" height="8" {style}/>"#,
            x - 4.0,
            y - 4.0
        ),
        Marker::Triangle => writeln!(
            svg,
            r#"<polygon points="{x:.1},{:.1} {:.1},{low:.1} {:.1},{low:.1}" {style}/>"#,
            y - 5.5,
            x - 5.0,
            x + 5.0,
            low = y + 4.0
        ),
    };
}

/// A box in the upper right corner, where falling curves are not.
fn legend(svg: &mut String, chart: &Chart) {
    let longest = chart.series.iter().map(|s| s.label.chars().count()).max();
    let width = 76.0 + LETTER * longest.unwrap_or(0) as f64;
    let height = 12.0 + LEGEND_LINE * chart.series.len() as f64;
    let (left, top) = (RIGHT - width - 10.0, TOP + 10.0);
    let _ = writeln!(
        svg,
        r##"<rect x="{left:.1}" y="{top}" width="{width:.1}" height="{height}" fill="#ffffff" fill-opacity="0.92" stroke="#bbbbbb"/>"##
    );
    for (number, series) in chart.series.iter().enumerate() {
        let look = look(series.stroke);
        let y = top + 6.0 + LEGEND_LINE * (number as f64 + 0.5);
        let (start, end) = (left + 10.0, left + 58.0);
        let _ = writeln!(
            svg,
            r#"<line x1="{start:.1}" y1="{y:.1}" x2="{end:.1}" y2="{y:.1}" stroke="{}" stroke-width="2.4" stroke-dasharray="{}"/>"#,
            look.colour, look.dashes
        );
        if let Some(marker) = look.marker {
            draw_marker(svg, marker, look.colour, (f64::midpoint(start, end), y));
        }
        let _ = writeln!(
            svg,
            r#"<text x="{:.1}" y="{:.1}">{}</text>"#,
            end + 8.0,
            y + 4.5,
            escape(&series.label)
        );
    }
}

fn path(chart: &Chart, points: impl Iterator<Item = (f64, f64)>) -> String {
    points
        .map(|(x, y)| format!("{:.1},{:.1}", across(chart, x), down(chart, y)))
        .collect::<Vec<_>>()
        .join(" ")
}

fn across(chart: &Chart, x: f64) -> f64 {
    LEFT + chart.x.place(x) * (RIGHT - LEFT)
}

fn down(chart: &Chart, y: f64) -> f64 {
    BOTTOM - chart.y.place(y) * (BOTTOM - TOP)
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::super::{Axis, Scale};
    use super::*;

    fn chart() -> Chart {
        let axis = |label: &str, low, high| Axis {
            label: label.to_owned(),
            scale: Scale::Logarithmic,
            low,
            high,
        };
        let series = |label: &str, stroke, points: &[(f64, f64)]| Series {
            label: label.to_owned(),
            points: points.to_vec(),
            band: points.iter().map(|&(x, y)| (x, y / 2.0, y * 1.5)).collect(),
            stroke,
        };
        Chart {
            title: "tails of <page> & \"site\"".to_owned(),
            subtitle: String::new(),
            x: axis("x", 0.1, 10.0),
            y: axis("y", 0.01, 1.0),
            series: vec![
                series(
                    "ages",
                    Stroke::Solid,
                    &[(0.1, 0.9), (1.0, 0.5), (10.0, 0.001)],
                ),
                series("lifetimes", Stroke::Dashed, &[(0.1, 0.8), (1.0, 0.3)]),
            ],
        }
    }

    #[test]
    fn names_are_escaped_and_series_differ_without_colour() {
        let svg = draw(&chart());
        assert!(svg.contains("tails of &lt;page&gt; &amp; &quot;site&quot;"));
        assert!(
            svg.contains(r#"stroke-dasharray="""#) && svg.contains(r#"stroke-dasharray="9 5""#)
        );
        assert!(
            svg.contains("<circle") && svg.contains("rotate(45)") && svg.contains("rotate(-45)")
        );
    }

    #[test]
    fn the_drawing_becomes_a_png_with_its_text_in_our_own_font() {
        let png = super::super::raster::render(&draw(&chart())).expect("a picture");
        assert!(png.starts_with(b"\x89PNG"));
        // Text leaves dark pixels: without glyphs the title line would be bare.
        let mut bare = chart();
        bare.title.clear();
        let without = super::super::raster::render(&draw(&bare)).expect("a picture");
        assert!(png.len() > without.len() + 500);
    }
}
