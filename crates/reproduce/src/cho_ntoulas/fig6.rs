//! Fig. 6: the policies over five cycles.

use recrawl_chart::{Axis, Figure, Layout, Panel, Series, Stroke};

use super::{CYCLES, POLICIES, USUAL, because, change_ratio, note, real, stand_in};
use crate::support::arena::{Arena, PAPER_PAGES, Terms};
use crate::support::figures::at_places;
use crate::{COLLECTIONS, Findings, Grounds, Judge, ReproduceError, Setup};

/// ChangeRatio of greedy and adaptive in the text.
const PUBLISHED: f64 = 0.75;

/// Five-cycle means on the stand-in, and on each kind of real pages with as
/// many downloads as pages change, as in the paper; on `docs` also with the
/// paper's share of all pages.
pub(crate) fn run(setup: &Setup<'_>) -> Result<Findings, ReproduceError> {
    let mut arenas = vec![stand_in(setup, 24)?];
    for name in COLLECTIONS {
        arenas.extend(real(setup, name, 8)?);
    }
    let mut judge = Judge::new();
    let mut panels = vec![contest(&mut judge, &arenas[0], arenas[0].name, USUAL)?];
    if let Some(docs) = arenas.iter().find(|arena| arena.name == "docs") {
        panels.push(contest(&mut judge, docs, "docs, 28 % of pages", USUAL)?);
    }
    for arena in &arenas[1..] {
        // The paper's 100,000 downloads are about what changes in a cycle.
        let terms = Terms {
            downloads: PAPER_PAGES * changed_pages(arena),
            ..USUAL
        };
        panels.push(contest(&mut judge, arena, arena.name, terms)?);
    }
    let figure = Figure {
        title: "ChangeRatio of the policies over five cycles".to_owned(),
        subtitle: "downloads a cycle: about as many as pages change, as in the paper, unless said"
            .to_owned(),
        layout: Layout::SideBySide,
        panels,
    };
    let notes = vec![
        note(&arenas),
        "Frequency visits every page once before it uses what it learned. Where that takes longer than five cycles it \
         is round robin."
            .to_owned(),
    ];
    Ok(Findings::of(figure, judge, notes))
}

/// Runs the policies and judges them.
fn contest(
    judge: &mut Judge,
    arena: &Arena,
    name: &str,
    terms: Terms,
) -> Result<Panel, ReproduceError> {
    let texts = POLICIES.map(|(_, text)| text);
    let ratios: Vec<f64> = arena.run(&texts, terms)?.iter().map(change_ratio).collect();
    rows(judge, name, &ratios, because(arena));
    let title = format!("{name}: {} pages, {} sites", arena.pages, arena.sites);
    Ok(panel(title, &ratios))
}

/// Share of all pages that change in a cycle, at least a hundredth.
fn changed_pages(arena: &Arena) -> f64 {
    let mut world = arena.world(0);
    let pages = world.population().len() as f64;
    let mut changed = 0;
    for _ in 0..CYCLES {
        let mut own: Vec<u32> = world
            .next_cycle()
            .changes
            .iter()
            .map(|change| change.page.0)
            .collect();
        own.sort_unstable();
        own.dedup();
        changed += own.len();
    }
    (changed as f64 / pages / f64::from(CYCLES)).max(0.01)
}

fn rows(judge: &mut Judge, name: &str, ratios: &[f64], because: &str) {
    let [_, frequency, proportional, greedy, adaptive] = *ratios else {
        return;
    };
    let level = Grounds {
        tolerance: 0.03,
        basis: "within 0.03",
        because,
    };
    let ahead: Vec<bool> = [greedy, adaptive]
        .iter()
        .flat_map(|ahead| ratios[..3].iter().map(move |behind| ahead > behind))
        .collect();
    let in_order = ahead.iter().all(|&holds| holds);
    for (policy, ours) in [("greedy", greedy), ("adaptive", adaptive)] {
        let quantity = format!("{name}: ChangeRatio of {policy}");
        judge.level(quantity, PUBLISHED, ours, in_order, level);
    }
    let ratio = Grounds {
        tolerance: 0.3,
        basis: "within 0.3: the text says almost twice",
        because,
    };
    judge.published(
        format!("{name}: greedy / frequency (“almost twice”)"),
        2.0,
        Some(greedy / frequency),
        ratio,
    );
    let alike = Grounds {
        tolerance: 0.2,
        basis: "within 0.2: the text says similar",
        because,
    };
    judge.published(
        format!("{name}: proportional / frequency (“similar”)"),
        1.0,
        Some(proportional / frequency),
        alike,
    );
    judge.claim(
        format!("{name}: greedy and adaptive are ahead of round robin, frequency and proportional"),
        &ahead,
        "sampling whole sites does not pay on these pages",
    );
}

fn panel(title: String, ratios: &[f64]) -> Panel {
    let labels = POLICIES.map(|(label, _)| label);
    let points = at_places(ratios);
    Panel {
        title,
        x: Axis::names("policy", &labels),
        y: Axis::linear("ChangeRatio", 0.0, 1.0),
        series: vec![
            Series::bars("five-cycle mean", Stroke::Solid, points),
            Series::published(
                "published (greedy and adaptive)",
                vec![(3.0, PUBLISHED), (4.0, PUBLISHED)],
            ),
        ],
    }
}
