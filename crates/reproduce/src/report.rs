//! Everything on one page that needs no network: [`report`].

use std::fmt::Write;

use recrawl_chart::escape;

use crate::{ERRATA, EXPERIMENTS, LEFT_OUT, Paper, Row, Verdict, number};

/// A finished experiment as the page shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct Finished {
    /// `paper/figure`.
    pub name: String,
    /// The figure.
    pub svg: String,
    /// Ours beside the published numbers.
    pub rows: Vec<Row>,
    /// What a reader must know.
    pub notes: Vec<String>,
}

const STYLE: &str = "\
body{font:16px/1.5 system-ui,sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a;background:#fff}\
h1{margin-bottom:.2rem}h2{margin-top:3rem;border-bottom:2px solid #ddd}h3{margin-top:2.5rem}\
table{border-collapse:collapse;width:100%;font-size:.86rem}th,td{padding:.25rem .5rem;text-align:left;vertical-align:top;border-bottom:1px solid #e4e4e4}\
td.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}thead th{position:sticky;top:0;background:#f5f5f5}\
svg{max-width:100%;height:auto;border:1px solid #e4e4e4}nav ul{columns:2}\
.m{color:#00632f}.s{color:#7a5300}.d{color:#a30016}.v{font-weight:600;white-space:nowrap}\
.box{overflow-x:auto}.small{color:#555;font-size:.9rem}";

/// The page: verdicts on top, contents, figures, errata and what is left out.
/// `provenance` says in a sentence what it was made from.
#[must_use]
pub fn report(finished: &[Finished], provenance: &str) -> String {
    let mut page = String::new();
    // Writing to a string cannot fail.
    let _ = write!(
        page,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
         <title>Recrawl: the papers reproduced</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <h1>The papers reproduced</h1>\n<p class=\"small\">{}</p>\n",
        escape(provenance)
    );
    summary(&mut page, finished);
    verdicts(&mut page, finished);
    contents(&mut page, finished);
    figures(&mut page, finished);
    errata(&mut page, finished);
    left_out(&mut page);
    page.push_str("</body>\n</html>\n");
    page
}

fn summary(page: &mut String, finished: &[Finished]) {
    let rows: Vec<&Row> = finished.iter().flat_map(|one| &one.rows).collect();
    let counts: Vec<String> = Verdict::ALL
        .into_iter()
        .map(|verdict| {
            let count = rows.iter().filter(|row| row.verdict == verdict).count();
            format!(
                "<span class=\"{}\">{count} {}</span>",
                class(verdict),
                verdict.name()
            )
        })
        .collect();
    let _ = writeln!(
        page,
        "<p>{} experiments, {} numbers: {}. Where the print is lost, ours is compared with the exact value of the formula.</p>",
        finished.len(),
        rows.len(),
        counts.join(", ")
    );
}

const HEADER: &str = "<th>quantity</th><th>published</th><th>exact</th><th>ours</th><th>tolerance</th><th>verdict</th><th>reason</th></tr></thead>\n<tbody>\n";

fn verdicts(page: &mut String, finished: &[Finished]) {
    let _ = write!(
        page,
        "<h2 id=\"verdicts\">Verdicts</h2>\n<div class=\"box\"><table>\n<thead><tr><th>experiment</th>{HEADER}"
    );
    for one in finished {
        for row in &one.rows {
            let name = escape(&one.name);
            let _ = write!(page, "<tr><td><a href=\"#{name}\">{name}</a></td>");
            cells(page, row);
        }
    }
    page.push_str("</tbody></table></div>\n");
}

fn cells(page: &mut String, row: &Row) {
    let told = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), number);
    let _ = writeln!(
        page,
        "<td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>\
         <td class=\"v {}\">{}</td><td>{}</td></tr>",
        escape(&row.quantity),
        told(row.published),
        told(row.exact),
        told(row.ours),
        number(row.tolerance),
        class(row.verdict),
        row.verdict.name(),
        escape(&row.reason)
    );
}

const fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Matches => "m",
        Verdict::SameOrdering => "s",
        Verdict::DoesNotMatch => "d",
    }
}

fn about(name: &str) -> &'static str {
    let known = EXPERIMENTS
        .iter()
        .find(|experiment| experiment.name == name);
    known.map_or("", |experiment| experiment.about)
}

fn contents(page: &mut String, finished: &[Finished]) {
    page.push_str("<h2 id=\"contents\">Contents</h2>\n<nav>\n");
    for paper in Paper::ALL {
        let _ = writeln!(page, "<p>{}</p>\n<ul>", escape(paper.title()));
        for one in finished.iter().filter(|one| Paper::of(&one.name) == paper) {
            let name = escape(&one.name);
            let _ = writeln!(
                page,
                "<li><a href=\"#{name}\">{name}</a> {}</li>",
                escape(about(&one.name))
            );
        }
        page.push_str("</ul>\n");
    }
    page.push_str(
        "<p><a href=\"#errata\">Errata</a>, <a href=\"#left-out\">left out</a></p>\n</nav>\n",
    );
}

fn figures(page: &mut String, finished: &[Finished]) {
    for paper in Paper::ALL {
        let mut of_paper = finished
            .iter()
            .filter(|one| Paper::of(&one.name) == paper)
            .peekable();
        if of_paper.peek().is_none() {
            continue;
        }
        let _ = writeln!(page, "<h2>{}</h2>", escape(paper.title()));
        for one in of_paper {
            let name = escape(&one.name);
            let _ = writeln!(
                page,
                "<h3 id=\"{name}\">{name}</h3>\n<p>{}</p>\n{}<p class=\"small\">Data: <code>{name}.csv</code></p>",
                escape(about(&one.name)),
                one.svg
            );
            for note in &one.notes {
                let _ = writeln!(page, "<p>{}</p>", escape(note));
            }
            rows_of(page, one);
        }
    }
}

fn rows_of(page: &mut String, one: &Finished) {
    let _ = write!(page, "<div class=\"box\"><table>\n<thead><tr>{HEADER}");
    for row in &one.rows {
        page.push_str("<tr>");
        cells(page, row);
    }
    page.push_str("</tbody></table></div>\n");
}

fn errata(page: &mut String, finished: &[Finished]) {
    page.push_str("<h2 id=\"errata\">Errata</h2>\n<p>What we believe the papers print wrong, each with the experiment whose numbers show it.</p>\n");
    for erratum in ERRATA {
        let shown = if finished.iter().any(|one| one.name == erratum.shown_by) {
            format!("<a href=\"#{0}\">{0}</a>", erratum.shown_by)
        } else {
            format!("<code>recrawl reproduce {}</code>", erratum.shown_by)
        };
        let _ = writeln!(
            page,
            "<h3>{}: {}</h3>\n<p>{} Shown by {shown}.</p>",
            escape(erratum.paper.title().split(':').next().unwrap_or_default()),
            escape(erratum.place),
            escape(erratum.text)
        );
    }
}

fn left_out(page: &mut String) {
    page.push_str("<h2 id=\"left-out\">Left out</h2>\n<ul>\n");
    for one in LEFT_OUT {
        let _ = writeln!(page, "<li>{}: {}</li>", one.name, escape(one.reason));
    }
    page.push_str("</ul>\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_stands_alone_and_has_everything() {
        let one = Finished {
            name: "cho-gm/fig3".to_owned(),
            svg: "<svg></svg>".to_owned(),
            rows: vec![Row {
                quantity: "a < b".to_owned(),
                published: None,
                exact: Some(0.5),
                ours: Some(0.51),
                tolerance: 0.02,
                verdict: Verdict::Matches,
                reason: "noise".to_owned(),
            }],
            notes: vec!["a note".to_owned()],
        };
        let page = report(&[one], "seed 1");
        for part in [
            "1 matches",
            "a &lt; b",
            "<svg></svg>",
            "a note",
            "theorem 2",
            "id=\"left-out\"",
            "<a href=\"#cho-gm/fig3\">",
            "0 does not match",
        ] {
            assert!(page.contains(part), "{part}");
        }
        for outside in ["http:", "https:", "src="] {
            assert!(!page.contains(outside), "{outside}");
        }
    }
}
