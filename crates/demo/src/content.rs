//! What pages of the demo say: [`response`].

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::world::{Manner, State, World};

/// An answer of the demo's server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) content_type: &'static str,
    pub(crate) etag: Option<String>,
    pub(crate) last_modified: Option<String>,
    pub(crate) body: String,
}

/// Words pages are made of.
const WORDS: [&str; 16] = [
    "river", "stone", "window", "garden", "letter", "market", "winter", "bridge", "harbour",
    "morning", "paper", "copper", "signal", "orchard", "timber", "lantern",
];

/// Advertisements, which mean nothing.
const ADVERTS: [&str; 5] = [
    "Buy two umbrellas, get one",
    "The warmest socks in town",
    "Learn the accordion in a week",
    "Bread as it used to be",
    "Your old bicycle, as new",
];

/// What a page answers at `day`; `visit` tells one request from another.
pub(crate) fn response(
    world: &World,
    page: usize,
    began: Duration,
    day: f64,
    visit: u64,
) -> Response {
    let site = world.site(page);
    let state = world.state(page, day);
    if state.gone && site.manner == Manner::Dying {
        return Response {
            status: 404,
            content_type: "text/plain",
            etag: None,
            last_modified: None,
            body: "gone\n".to_owned(),
        };
    }
    let changed = http_date(began, state.changed);
    let (content_type, body) = match site.manner {
        Manner::Json => ("application/json", json(page, state, visit)),
        Manner::Feed => ("application/rss+xml", feed(page, state)),
        Manner::Advertising => ("text/html", html(page, state, Some((visit, day)))),
        _ => ("text/html", html(page, state, None)),
    };
    let etag = match site.manner {
        Manner::Honest | Manner::Dying => Some(format!("\"{page}-{}\"", state.version)),
        _ => None,
    };
    let last_modified = match site.manner {
        Manner::Lying => Some(http_date(began, day)),
        Manner::Honest | Manner::Dying => Some(changed),
        _ => None,
    };
    Response {
        status: 200,
        content_type,
        etag,
        last_modified,
        body,
    }
}

fn http_date(began: Duration, day: f64) -> String {
    let at = began + Duration::from_secs_f64(day.max(0.0) * 86_400.0);
    httpdate::fmt_http_date(UNIX_EPOCH.checked_add(at).unwrap_or(SystemTime::UNIX_EPOCH))
}

/// A sentence that is the same for the same numbers.
fn sentence(page: usize, version: usize, line: usize) -> String {
    let mut mix = (page as u64) << 40 ^ (version as u64) << 8 ^ line as u64;
    let mut words = Vec::new();
    for _ in 0..9 {
        mix = (mix ^ (mix >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        words.push(WORDS[(mix >> 60) as usize]);
    }
    words.join(" ")
}

fn html(page: usize, state: State, advert: Option<(u64, f64)>) -> String {
    let mut body = format!("<!doctype html><title>Page {page}</title><h1>Page {page}</h1>\n");
    let paragraphs = (0..6).map(|line| {
        // One paragraph is new in each version, the others stay.
        let newest = line == state.version % 6;
        let version = if newest { state.version } else { 0 };
        format!("<p>{}.</p>\n", sentence(page, version, line))
    });
    body.extend(paragraphs);
    if let Some((visit, day)) = advert {
        let advert = ADVERTS[visit as usize % ADVERTS.len()];
        let minutes = (day * 1_440.0) as u64;
        body.extend([format!(
            "<div class=\"advert\">{advert}</div>\n<p>Visitors so far: {visit}</p>\n<p>Minute {minutes} of this server</p>\n"
        )]);
    }
    body
}

fn json(page: usize, state: State, visit: u64) -> String {
    let price = 100 + (page * 7 + state.version * 13) % 900;
    let (name, note) = (sentence(page, 0, 0), sentence(page, state.version, 1));
    if visit.is_multiple_of(2) {
        format!("{{\"name\": \"{name}\", \"price\": {price}, \"note\": \"{note}\"}}")
    } else {
        format!("{{\"note\":\"{note}\",\"price\":{price},\"name\":\"{name}\"}}")
    }
}

fn feed(page: usize, state: State) -> String {
    let items = (state.version.saturating_sub(4)..=state.version).map(|version| {
        let title = sentence(page, version, 0);
        format!("<item><guid>{page}-{version}</guid><title>{title}</title></item>")
    });
    let items: String = items.collect();
    format!(
        "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>Bulletin {page}</title><link>http://bulletin.demo.test/</link><description>On the beat</description>{items}</channel></rss>"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_says_the_same_until_it_changes() {
        let world = World::new(1);
        for page in 0..world.pages() {
            let manner = world.site(page).manner;
            if matches!(manner, Manner::Advertising | Manner::Json | Manner::Lying) {
                continue;
            }
            let at = |day: f64| response(&world, page, Duration::ZERO, day, 1);
            for step in 0..50 {
                let (one, other) = (f64::from(step), f64::from(step) + 0.9);
                let (before, after) = (world.state(page, one), world.state(page, other));
                let same = before == after || (before.gone && after.gone);
                assert_eq!(at(one) == at(other), same, "page {page}, day {step}");
            }
        }
    }
}
