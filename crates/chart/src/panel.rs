//! One coordinate system with its series: [`Panel`].

use std::fmt::Write;

use crate::figure::escape;
use crate::look::{draw_marker, draw_published, look};
use crate::{Axis, Scale, Stroke};

/// Markers along a line of many points.
const MARKERS: usize = 9;

/// Points up to which a line has a marker at each.
const ALL_MARKED: usize = 16;

/// Part of the room for one place that its bars fill.
const BARS_FILL: f64 = 0.8;

/// What the points of a series are drawn as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// A line with markers.
    Line,
    /// Markers alone.
    Points,
    /// Bars from the bottom; several series share the room of each place.
    Bars,
    /// What a paper prints: large diamonds in one colour of their own.
    Published,
}

/// One line or set of points, with a band around it if there is one.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// Its name in the legend; series of one name share an entry.
    pub label: String,
    /// x and y.
    pub points: Vec<(f64, f64)>,
    /// x, low and high.
    pub band: Vec<(f64, f64, f64)>,
    /// How it is told from the others.
    pub stroke: Stroke,
    /// What it is drawn as.
    pub shape: Shape,
}

impl Series {
    /// A line.
    #[must_use]
    pub fn line(label: &str, stroke: Stroke, points: Vec<(f64, f64)>) -> Self {
        Self::new(label, stroke, Shape::Line, points)
    }

    /// Markers.
    #[must_use]
    pub fn points(label: &str, stroke: Stroke, points: Vec<(f64, f64)>) -> Self {
        Self::new(label, stroke, Shape::Points, points)
    }

    /// Bars.
    #[must_use]
    pub fn bars(label: &str, stroke: Stroke, points: Vec<(f64, f64)>) -> Self {
        Self::new(label, stroke, Shape::Bars, points)
    }

    /// What a paper prints.
    #[must_use]
    pub fn published(label: &str, points: Vec<(f64, f64)>) -> Self {
        Self::new(label, Stroke::LongDashed, Shape::Published, points)
    }

    fn new(label: &str, stroke: Stroke, shape: Shape, points: Vec<(f64, f64)>) -> Self {
        Self {
            label: label.to_owned(),
            points,
            band: Vec::new(),
            stroke,
            shape,
        }
    }
}

/// One coordinate system.
#[derive(Debug, Clone, PartialEq)]
pub struct Panel {
    /// Above the panel; may be empty.
    pub title: String,
    /// The axis to the right.
    pub x: Axis,
    /// The axis upwards.
    pub y: Axis,
    /// What is drawn, in order.
    pub series: Vec<Series>,
}

/// Where a panel lies in the picture.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frame {
    pub(crate) left: f64,
    pub(crate) right: f64,
    pub(crate) top: f64,
    pub(crate) bottom: f64,
}

impl Panel {
    pub(crate) fn draw(&self, svg: &mut String, frame: &Frame, prefix: &str) {
        self.axes(svg, frame);
        let _ = writeln!(svg, r#"<g clip-path="url(#{prefix}area)">"#);
        for (place, series) in self.series.iter().enumerate() {
            self.band(svg, frame, &format!("{prefix}hatching{place}"), series);
        }
        for (place, series) in self.series.iter().enumerate() {
            match series.shape {
                Shape::Line => self.line(svg, frame, series),
                Shape::Bars => self.bars(svg, frame, &format!("{prefix}hatching{place}"), series),
                Shape::Points | Shape::Published => {}
            }
        }
        let _ = writeln!(svg, "</g>");
        for series in &self.series {
            match series.shape {
                Shape::Points => self.markers(svg, frame, series),
                Shape::Published => {
                    for point in self.visible(series) {
                        draw_published(svg, self.at(frame, point));
                    }
                }
                Shape::Line | Shape::Bars => {}
            }
        }
        let _ = writeln!(
            svg,
            r##"<rect x="{:.1}" y="{:.1}" width="{:.1}" height="{:.1}" fill="none" stroke="#222222"/>"##,
            frame.left,
            frame.top,
            frame.right - frame.left,
            frame.bottom - frame.top
        );
    }

    /// Title, grid, numbers and labels.
    fn axes(&self, svg: &mut String, frame: &Frame) {
        let _ = writeln!(
            svg,
            r#"<text x="{:.1}" y="{:.1}" font-weight="bold">{}</text>"#,
            frame.left,
            frame.top - 8.0,
            escape(&self.title)
        );
        for tick in self.x.ticks() {
            let x = self.across(frame, tick.at);
            if !matches!(self.x.scale, Scale::Names(_)) {
                grid_line(svg, (x, frame.top), (x, frame.bottom), tick.label.is_some());
            }
            if let Some(label) = tick.label {
                let y = frame.bottom + 17.0;
                let _ = writeln!(
                    svg,
                    r#"<text x="{x:.1}" y="{y:.1}" text-anchor="middle">{}</text>"#,
                    escape(&label)
                );
            }
        }
        for tick in self.y.ticks() {
            let y = self.down(frame, tick.at);
            grid_line(svg, (frame.left, y), (frame.right, y), tick.label.is_some());
            if let Some(label) = tick.label {
                let (x, y) = (frame.left - 8.0, y + 4.5);
                let _ = writeln!(
                    svg,
                    r#"<text x="{x:.1}" y="{y:.1}" text-anchor="end">{}</text>"#,
                    escape(&label)
                );
            }
        }
        let _ = writeln!(
            svg,
            r#"<text x="{:.1}" y="{:.1}" text-anchor="middle">{}</text>
<text transform="translate({:.1} {:.1}) rotate(-90)" text-anchor="middle">{}</text>"#,
            f64::midpoint(frame.left, frame.right),
            frame.bottom + 37.0,
            escape(&self.x.label),
            frame.left - 54.0,
            f64::midpoint(frame.top, frame.bottom),
            escape(&self.y.label),
        );
    }

    fn band(&self, svg: &mut String, frame: &Frame, hatching: &str, series: &Series) {
        if series.band.is_empty() {
            return;
        }
        let there = series.band.iter().map(|&(x, _, high)| (x, high));
        let back = series.band.iter().rev().map(|&(x, low, _)| (x, low));
        let corners = self.path(frame, there.chain(back));
        let _ = writeln!(
            svg,
            r#"<polygon points="{corners}" fill="url(#{hatching})" stroke="none"/>"#
        );
    }

    fn line(&self, svg: &mut String, frame: &Frame, series: &Series) {
        let look = look(series.stroke);
        // A curve that fell below a logarithmic axis ends where it leaves it.
        let logarithmic = self.y.scale == Scale::Logarithmic;
        let below = |point: &(f64, f64)| logarithmic && point.1 < self.y.low;
        let end = series.points.iter().position(below);
        let shown = &series.points[..end.map_or(series.points.len(), |end| end + 1)];
        let corners = self.path(frame, shown.iter().copied());
        let _ = writeln!(
            svg,
            r#"<polyline points="{corners}" fill="none" stroke="{}" stroke-width="2.2" stroke-dasharray="{}"/>"#,
            look.colour, look.dashes
        );
        self.markers(svg, frame, series);
    }

    /// Markers evenly along the axis, not along the points, which crowd on one
    /// side; at every point where there are few.
    fn markers(&self, svg: &mut String, frame: &Frame, series: &Series) {
        let look = look(series.stroke);
        let Some(marker) = look.marker else { return };
        let all = series.shape == Shape::Points || series.points.len() <= ALL_MARKED;
        let mut next = if all { f64::NEG_INFINITY } else { 0.03 };
        for point in self.visible(series) {
            if all || self.x.place(point.0) >= next {
                draw_marker(svg, marker, look.colour, self.at(frame, point));
                next = self.x.place(point.0) + 1.0 / MARKERS as f64;
            }
        }
    }

    fn bars(&self, svg: &mut String, frame: &Frame, hatching: &str, series: &Series) {
        let look = look(series.stroke);
        let barred: Vec<&Series> = self
            .series
            .iter()
            .filter(|series| series.shape == Shape::Bars)
            .collect();
        let place = barred
            .iter()
            .position(|other| other.label == series.label)
            .unwrap_or(0);
        let step = self.across(frame, 1.0) - self.across(frame, 0.0);
        let width = step * BARS_FILL / barred.len() as f64;
        for point in self.visible(series) {
            let (x, y) = self.at(frame, point);
            let left = x - step * BARS_FILL / 2.0 + place as f64 * width;
            let _ = writeln!(
                svg,
                r#"<rect x="{left:.1}" y="{y:.1}" width="{width:.1}" height="{:.1}" fill="url(#{hatching})" stroke="{}"/>"#,
                (frame.bottom - y).max(0.0),
                look.colour
            );
        }
    }

    /// Points that lie within the axes.
    fn visible<'a>(&'a self, series: &'a Series) -> impl Iterator<Item = (f64, f64)> + 'a {
        let inside = |axis: &Axis, value: f64| {
            let slack = 1e-9 * axis.high.abs().max(axis.low.abs());
            value >= axis.low - slack && value <= axis.high + slack
        };
        series
            .points
            .iter()
            .copied()
            .filter(move |&(x, y)| inside(&self.x, x) && inside(&self.y, y))
    }

    fn path(&self, frame: &Frame, points: impl Iterator<Item = (f64, f64)>) -> String {
        points
            .filter(|(x, y)| x.is_finite() && y.is_finite())
            .map(|point| {
                let (x, y) = self.at(frame, point);
                format!("{x:.1},{y:.1}")
            })
            .collect::<Vec<_>>()
            .join(" ")
    }

    fn at(&self, frame: &Frame, (x, y): (f64, f64)) -> (f64, f64) {
        (self.across(frame, x), self.down(frame, y))
    }

    fn across(&self, frame: &Frame, x: f64) -> f64 {
        frame.left + self.x.place(x) * (frame.right - frame.left)
    }

    fn down(&self, frame: &Frame, y: f64) -> f64 {
        frame.bottom - self.y.place(y) * (frame.bottom - frame.top)
    }
}

fn grid_line(svg: &mut String, from: (f64, f64), to: (f64, f64), strong: bool) {
    let colour = if strong { "#d5d5d5" } else { "#eeeeee" };
    let _ = writeln!(
        svg,
        r#"<line x1="{:.1}" y1="{:.1}" x2="{:.1}" y2="{:.1}" stroke="{colour}"/>"#,
        from.0, from.1, to.0, to.1
    );
}
