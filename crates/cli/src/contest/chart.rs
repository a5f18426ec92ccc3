//! ChangeRatio and freshness by cycle, drawn as SVG in two panels.

use std::fmt::Write;

use recrawl_simulate::{Score, Standing};

use super::WorldRecord;

const WIDTH: f64 = 900.0;
/// Sides of both panels.
const LEFT: f64 = 70.0;
const RIGHT: f64 = WIDTH - 24.0;
/// Height of a panel, and the top of the first.
const PANEL: f64 = 230.0;
const TOP: f64 = 66.0;
/// Room between panels, for the ticks and the title of the second.
const BETWEEN: f64 = 58.0;
/// Height of a line of the legend, and of the room above it.
const LEGEND_LINE: f64 = 20.0;
const LEGEND_ROOM: f64 = 56.0;
/// Lines of grid across a panel.
const STEPS: u32 = 5;
/// Most labels and most markers along a panel.
const MOST_LABELS: usize = 12;
const MOST_MARKERS: usize = 12;

/// Colours that stay apart for the colour-blind (Okabe and Ito), with dashes,
/// so that eight policies can be told apart without colour too.
const LOOKS: [(&str, &str); 8] = [
    ("#0072b2", ""),
    ("#d55e00", "9 5"),
    ("#009e73", "10 4 2 4"),
    ("#cc79a7", "3 3"),
    ("#000000", "14 4"),
    ("#e69f00", "2 4"),
    ("#56b4e9", "8 3 2 3 2 3"),
    ("#7a7a7a", "1 3"),
];

/// Draws both panels.
pub(super) fn draw(policies: &[String], standings: &[Standing], world: &WorldRecord) -> String {
    let cycles = standings.iter().map(|s| s.summary.cycles()).max();
    let cycles = cycles.unwrap_or(0).max(1);
    let legend_top = TOP + 2.0 * PANEL + BETWEEN + LEGEND_ROOM;
    let height = legend_top + policies.len().div_ceil(2) as f64 * LEGEND_LINE + 8.0;
    let mut svg = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(
        svg,
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" font-family="'DejaVu Sans', sans-serif" font-size="13">
<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>
<text x="{LEFT}" y="26" font-size="17" font-weight="bold">{}</text>"##,
        escape(&title(world))
    );
    for (number, (score, name)) in [
        (
            Score::ChangeRatio,
            "ChangeRatio: share of downloads that found a change",
        ),
        (
            Score::Freshness,
            "Freshness: share of pages up to date, over the cycle",
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let panel = Panel {
            top: TOP + number as f64 * (PANEL + BETWEEN),
            cycles,
            score,
            high: highest(score, standings, cycles),
        };
        panel.draw(&mut svg, name, standings);
    }
    let below = TOP + 2.0 * PANEL + BETWEEN + 38.0;
    let _ = writeln!(
        svg,
        r#"<text x="{}" y="{below}" text-anchor="middle">cycle of {}</text>"#,
        f64::midpoint(LEFT, RIGHT),
        escape(&world.cycle)
    );
    legend(&mut svg, policies, legend_top);
    svg.push_str("</svg>\n");
    svg
}

fn title(world: &WorldRecord) -> String {
    let budget = match (world.budget, world.budget_ratio) {
        (Some(count), _) => format!("{count} visits a cycle"),
        (None, Some(share)) => format!("{}% of the pages visited a cycle", share * 100.0),
        (None, None) => String::new(),
    };
    let name = world.name.rsplit('/').next().unwrap_or_default();
    format!("{name}: {} pages, {budget}", world.pages)
}

/// The top of the axis: the next fifth or tenth above the largest value.
fn highest(score: Score, standings: &[Standing], cycles: usize) -> f64 {
    let values = standings.iter().flat_map(|standing| {
        (0..cycles).filter_map(move |cycle| standing.summary.cycle(cycle, score))
    });
    let largest = values.fold(0.0, f64::max);
    let rounded = [0.05, 0.1, 0.2, 0.5, 0.75, 1.0];
    rounded
        .into_iter()
        .find(|&top| largest <= top)
        .unwrap_or(1.0)
}

struct Panel {
    top: f64,
    cycles: usize,
    score: Score,
    high: f64,
}

impl Panel {
    fn across(&self, cycle: usize) -> f64 {
        // A single cycle stands in the middle.
        let share = match self.cycles {
            1 => 0.5,
            cycles => cycle as f64 / (cycles - 1) as f64,
        };
        LEFT + share * (RIGHT - LEFT)
    }

    fn down(&self, value: f64) -> f64 {
        self.top + PANEL * (1.0 - value / self.high)
    }

    fn draw(&self, svg: &mut String, name: &str, standings: &[Standing]) {
        let (top, above) = (self.top, self.top - 10.0);
        let _ = writeln!(svg, r#"<text x="{LEFT}" y="{above}">{name}</text>"#);
        for step in 0..=STEPS {
            let value = self.high * f64::from(step) / f64::from(STEPS);
            let y = self.down(value);
            let _ = writeln!(
                svg,
                r##"<line x1="{LEFT}" y1="{y:.1}" x2="{RIGHT}" y2="{y:.1}" stroke="#d8d8d8"/>
<text x="{}" y="{:.1}" text-anchor="end">{}</text>"##,
                LEFT - 8.0,
                y + 4.5,
                (value * 1_000.0).round() / 1_000.0
            );
        }
        let every = self.cycles.div_ceil(MOST_LABELS);
        for cycle in (0..self.cycles).step_by(every) {
            let _ = writeln!(
                svg,
                r#"<text x="{:.1}" y="{:.1}" text-anchor="middle">{}</text>"#,
                self.across(cycle),
                top + PANEL + 18.0,
                cycle + 1
            );
        }
        let _ = writeln!(
            svg,
            r##"<rect x="{LEFT}" y="{top}" width="{}" height="{PANEL}" fill="none" stroke="#222222"/>"##,
            RIGHT - LEFT
        );
        for (number, standing) in standings.iter().enumerate() {
            self.line(svg, number, standing);
        }
    }

    fn line(&self, svg: &mut String, number: usize, standing: &Standing) {
        let (colour, dashes) = LOOKS[number % LOOKS.len()];
        let points: Vec<(f64, f64)> = (0..self.cycles)
            .filter_map(|cycle| {
                let value = standing.summary.cycle(cycle, self.score)?;
                Some((self.across(cycle), self.down(value)))
            })
            .collect();
        let path: Vec<String> = points
            .iter()
            .map(|(x, y)| format!("{x:.1},{y:.1}"))
            .collect();
        let _ = writeln!(
            svg,
            r#"<polyline points="{}" fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dashes}"/>"#,
            path.join(" ")
        );
        let every = points.len().div_ceil(MOST_MARKERS).max(1);
        for (x, y) in points.iter().step_by(every) {
            let _ = writeln!(
                svg,
                r#"<circle cx="{x:.1}" cy="{y:.1}" r="3" fill="{colour}"/>"#
            );
        }
    }
}

/// Two columns of names below the panels.
fn legend(svg: &mut String, policies: &[String], top: f64) {
    for (number, policy) in policies.iter().enumerate() {
        let (colour, dashes) = LOOKS[number % LOOKS.len()];
        let x = LEFT + (number % 2) as f64 * (RIGHT - LEFT) / 2.0;
        let y = top + (number / 2) as f64 * LEGEND_LINE;
        let _ = writeln!(
            svg,
            r#"<line x1="{x}" y1="{y}" x2="{}" y2="{y}" stroke="{colour}" stroke-width="2" stroke-dasharray="{dashes}"/>
<circle cx="{}" cy="{y}" r="3" fill="{colour}"/><text x="{}" y="{}">{}</text>"#,
            x + 40.0,
            x + 20.0,
            x + 48.0,
            y + 4.5,
            escape(policy)
        );
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
