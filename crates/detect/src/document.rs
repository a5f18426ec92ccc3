//! A body read as far as the settings ask: [`Document`].

use std::borrow::Cow;

use crate::detector::Detector;
use crate::encoding::decode;
use crate::feed::feed_text;
use crate::html::{main_content, too_large_for_a_tree, visible_text};
use crate::json::json_text;
use crate::kind::{Kind, kind_of};
use crate::lines::{Collapsed, Lines};
use crate::memory::Basis;
use crate::page::Page;
use crate::{Body, Level, Unreadable};

/// A body as a page of what counts, with fingerprints of each level.
#[derive(Debug)]
pub(crate) struct Document<'a> {
    /// What `page` is made from.
    pub(crate) basis: Basis,
    /// Fingerprint of the text, if it was looked at.
    pub(crate) text: Option<u64>,
    /// Fingerprint of the main content, if it was looked at.
    pub(crate) main: Option<u64>,
    /// What decides.
    pub(crate) page: Page<'a>,
    /// Why something else decides than asked for.
    pub(crate) note: Option<&'static str>,
}

impl<'a> Document<'a> {
    /// Reads a body for the given detector.
    pub(crate) fn read(detector: &Detector, body: &Body<'a>) -> Result<Self, Unreadable> {
        if body.bytes.is_empty() {
            return Err(Unreadable::Empty);
        }
        let kind = kind_of(body.bytes, body.content_type);
        if detector.level == Level::Bytes || kind == Kind::Binary {
            return Ok(Self {
                basis: Basis::Raw,
                text: None,
                main: None,
                page: Page::raw(body.bytes),
                note: None,
            });
        }
        let text = decode(body.bytes, body.content_type);
        let (basis, text) = match kind {
            Kind::Html => return Self::read_html(detector, &text),
            Kind::Json => json_text(&text)
                .map_or_else(|| (Basis::Lines, lines(&text)), |text| (Basis::Json, text)),
            Kind::Feed => feed_text(body.bytes)
                .map_or_else(|| (Basis::Lines, lines(&text)), |text| (Basis::Feed, text)),
            Kind::Lines | Kind::Binary => (Basis::Lines, lines(&text)),
        };
        Ok(Self::of_text(basis, detector.page(text), None))
    }

    fn read_html(detector: &Detector, html: &str) -> Result<Self, Unreadable> {
        let mut note = None;
        let wants_tree = detector.level == Level::Main || !detector.selection.is_everything();
        let has_tree = wants_tree && !too_large_for_a_tree(html);
        if wants_tree && !has_tree {
            note = Some(
                "the page is too large or too deep for selectors and main content, its text decides",
            );
        } else if !detector.selection.is_everything() {
            let text = detector
                .selection
                .text(html)
                .ok_or(Unreadable::NothingSelected)?;
            return Ok(Self::of_text(Basis::Selected, detector.page(text), None));
        }
        let text = detector.page(visible_text(html.as_bytes()));
        if has_tree {
            if let Some(main) = main_content(html) {
                let main = detector.page(main);
                return Ok(Self {
                    basis: Basis::Main,
                    text: Some(text.fingerprint()),
                    main: Some(main.fingerprint()),
                    page: main,
                    note: None,
                });
            }
            note = Some("no main content found, the text decides");
        }
        Ok(Self::of_text(Basis::Html, text, note))
    }

    fn of_text(basis: Basis, page: Page<'a>, note: Option<&'static str>) -> Self {
        Self {
            basis,
            text: Some(page.fingerprint()),
            main: None,
            page,
            note,
        }
    }

    /// Fingerprint of what decides, if that is not the bytes.
    pub(crate) const fn watched(&self) -> Option<u64> {
        self.basis.watched(self.text, self.main)
    }
}

impl Detector {
    /// Lines of words without what the settings ignore.
    fn page<'a>(&self, lines: Lines) -> Page<'a> {
        if self.ignore.is_empty() {
            return Page::words(lines);
        }
        let mut kept = Collapsed::with_capacity(lines.text.len());
        for line in lines.text.split(|&byte| byte == b'\n') {
            let mut line = Cow::Borrowed(line);
            for pattern in &self.ignore {
                if let Cow::Owned(replaced) = pattern.replace_all(&line, &b""[..]) {
                    line = Cow::Owned(replaced);
                }
            }
            kept.text(&line);
            kept.end_block();
        }
        Page::words(kept.finish())
    }
}

fn lines(text: &str) -> Lines {
    let mut collapsed = Collapsed::with_capacity(text.len());
    collapsed.lines(text.as_bytes());
    collapsed.finish()
}
