//! The detector: [`Detector`].

use std::hash::Hasher;

use recrawl_model::Outcome;
use regex::bytes::Regex;
use twox_hash::{XxHash3_64, XxHash3_128};

use crate::diff::Diff;
use crate::document::Document;
use crate::finding::{Finding, Levels};
use crate::html::Selection;
use crate::mask::{Element, Lesson, carry, fit, learn, settle};
use crate::memory::{Gone, Looks, Memory, fresh};
use crate::{Body, Level, Settings, SettingsError, Unreadable};

/// Counts up when the same body would give another memory.
const ALGORITHM_VERSION: u64 = 2;

/// Largest program a pattern of `ignore` may compile to, in bytes.
const MAX_PATTERN_BYTES: usize = 1 << 20;

/// A change of at most this share of a page's blocks may be noise.
const SMALL_CHANGE_ONE_IN: usize = 10;

/// A change of at most so many blocks may be noise on any page.
const SMALL_CHANGE_BLOCKS: usize = 6;

/// Tells changed from unchanged pages by its [`Settings`].
///
/// It holds settings only; what it knows of a page is in the page's
/// [`Memory`]. One detector serves any number of pages and threads.
#[derive(Debug)]
pub struct Detector {
    pub(crate) level: Level,
    pub(crate) selection: Selection,
    pub(crate) ignore: Vec<Regex>,
    version: u64,
}

impl Detector {
    /// Compiles the settings.
    ///
    /// # Errors
    /// [`SettingsError`] names the selector or pattern that cannot be used.
    pub fn new(settings: &Settings) -> Result<Self, SettingsError> {
        let ignore = settings.ignore.iter().map(|pattern| {
            regex::bytes::RegexBuilder::new(pattern)
                .size_limit(MAX_PATTERN_BYTES)
                .build()
                .map_err(|error| SettingsError::Pattern {
                    pattern: pattern.clone(),
                    reason: last_line(&error.to_string()),
                })
        });
        Ok(Self {
            level: settings.level,
            selection: Selection::new(&settings.include, &settings.exclude)?,
            ignore: ignore.collect::<Result<_, _>>()?,
            version: version_of(settings),
        })
    }

    /// A number for the settings and the method. Change rates learned with one
    /// version say little about another.
    #[must_use]
    pub const fn version(&self) -> u64 {
        self.version
    }

    /// What to remember of a page seen for the first time.
    ///
    /// # Errors
    /// [`Unreadable`] if there is nothing to remember.
    pub fn first(&self, body: &Body<'_>) -> Result<Memory, Unreadable> {
        let document = Document::read(self, body)?;
        Ok(self.remember_fresh(&document, XxHash3_128::oneshot(body.bytes)))
    }

    /// Compares a body with what is remembered of the one before.
    #[must_use]
    pub fn compare(&self, memory: &Memory, body: &Body<'_>) -> Finding {
        if memory.detector != self.version {
            return self.begin_again(memory, body);
        }
        if body.bytes.is_empty() {
            return unknown(memory, Unreadable::Empty, Outcome::Unknown);
        }
        let bytes = XxHash3_128::oneshot(body.bytes);
        if bytes == memory.bytes {
            let mut memory = memory.clone();
            memory.rest(1);
            memory.looks.note(false, false);
            return Finding {
                outcome: Outcome::Unchanged,
                levels: Levels::all(Outcome::Unchanged),
                memory,
                reason: None,
                worth_a_second_look: false,
            };
        }
        match Document::read(self, body) {
            Err(error) => unknown(memory, error, Outcome::Changed),
            Ok(document) => self.compare_documents(memory, &document, bytes),
        }
    }

    /// Learns from a second fetch, seconds after the one `memory` was made
    /// from, which is `seen`: what differs between the two differs by itself, and
    /// is masked until it settles. Where the two have too little in common, nothing
    /// is learned.
    #[must_use]
    pub fn learn_noise(&self, memory: &Memory, seen: &Body<'_>, again: &Body<'_>) -> Memory {
        let mut known = memory.clone();
        let document = match Document::read(self, again) {
            Ok(document) if memory.detector == self.version => document,
            _ => return known,
        };
        if document.basis != memory.basis {
            known.looks.looked(false);
            return known;
        }
        let Ok(before) = Document::read(self, seen) else {
            return known;
        };
        let lesson = learn(&memory.elements, &before.page, &document.page);
        let (elements, found) = match lesson {
            Lesson::TooMuch => {
                known.looks.looked(false);
                return known;
            }
            Lesson::Nothing(elements) => (elements, false),
            Lesson::Noise(elements) => (elements, true),
        };
        let mut learned = self.remember(&document, XxHash3_128::oneshot(again.bytes), elements);
        learned.looks = memory.looks;
        learned.gone = memory.gone.clone();
        learned.looks.looked(found);
        learned
    }

    /// What differs between two bodies, of what the detector looks at, for
    /// people to read. Noise is not left out: it is known to a page's memory
    /// only.
    #[must_use]
    pub fn diff(&self, old: &Body<'_>, new: &Body<'_>) -> Diff {
        let text = |body| match Document::read(self, body) {
            Ok(document) => document.page.readable().into_owned(),
            Err(_) => String::new(), // nothing the detector looks at
        };
        Diff::of_texts(&text(old), &text(new))
    }

    fn compare_documents(&self, memory: &Memory, document: &Document<'_>, bytes: u128) -> Finding {
        let levels = Levels {
            bytes: Outcome::Changed,
            text: compared(memory.text, document.text),
            main: compared(memory.main, document.main),
        };
        let found = |outcome, memory| Finding {
            outcome,
            levels,
            memory,
            reason: document.note,
            worth_a_second_look: false,
        };
        if document.basis != memory.basis {
            // Main content found once and not the next time, say: the text,
            // which both have, decides.
            let outcome = match levels.text {
                Outcome::Unchanged => Outcome::Unchanged,
                _ => Outcome::Changed,
            };
            let mut fresh = self.remember_fresh(document, bytes);
            fresh.looks = memory.looks;
            fresh.looks.note(outcome == Outcome::Changed, false);
            return found(outcome, fresh);
        }
        if memory.watched().is_some() && document.watched() == memory.watched() {
            let mut known = memory.clone();
            known.rest(1);
            known.looks.note(false, false);
            known.bytes = bytes;
            known.text = document.text;
            known.main = document.main;
            return found(Outcome::Unchanged, known);
        }
        let by_blocks = self.compare_blocks(memory, document, bytes);
        Finding {
            worth_a_second_look: by_blocks.worth_a_second_look,
            ..found(by_blocks.outcome, by_blocks.memory)
        }
    }

    /// Decides by blocks and masks.
    fn compare_blocks(&self, memory: &Memory, document: &Document<'_>, bytes: u128) -> ByBlocks {
        let elements = &memory.elements;
        let page = &document.page;
        let fitting = fit(elements, page).and_then(|ranges| settle(elements, &ranges, page, 1));
        let (mut looks, mut gone) = (memory.looks, memory.gone.clone());
        let (mut outcome, mut worth_a_second_look) = (Outcome::Unchanged, false);
        let elements = if let Some(elements) = fitting {
            looks.note(false, false);
            elements
        } else {
            let carried = carry(elements, page);
            if carried.lost_a_mask {
                looks.expect_noise();
            } else if gone.has_any(&carried.came) {
                looks.suspect_noise();
            }
            gone = gone.and(&carried.gone);
            let few = (page.hashes().len() / SMALL_CHANGE_ONE_IN).max(SMALL_CHANGE_BLOCKS);
            let may_be_noise = carried.lost_a_mask || carried.touched <= few;
            outcome = Outcome::Changed;
            worth_a_second_look = looks.note(true, may_be_noise);
            carried.elements
        };
        ByBlocks {
            outcome,
            memory: Memory {
                looks,
                gone,
                ..self.remember(document, bytes, elements)
            },
            worth_a_second_look,
        }
    }

    /// The memory is another detector's: nothing can be said this time.
    fn begin_again(&self, memory: &Memory, body: &Body<'_>) -> Finding {
        match self.first(body) {
            Err(error) => unknown(memory, error, Outcome::Unknown),
            Ok(memory) => Finding {
                outcome: Outcome::Unknown,
                levels: Levels::all(Outcome::Unknown),
                memory,
                reason: Some("what counts as a change was set anew since the last visit"),
                worth_a_second_look: false,
            },
        }
    }

    fn remember_fresh(&self, document: &Document<'_>, bytes: u128) -> Memory {
        let elements = fresh(&document.page);
        self.remember(document, bytes, elements)
    }

    fn remember(&self, document: &Document<'_>, bytes: u128, elements: Vec<Element>) -> Memory {
        Memory {
            detector: self.version,
            basis: document.basis,
            bytes,
            text: document.text,
            main: document.main,
            looks: Looks::default(),
            gone: Gone::default(),
            elements,
        }
    }
}

/// What blocks and masks say.
struct ByBlocks {
    outcome: Outcome,
    memory: Memory,
    worth_a_second_look: bool,
}

fn compared(old: Option<u64>, new: Option<u64>) -> Outcome {
    match (old, new) {
        (Some(old), Some(new)) if old == new => Outcome::Unchanged,
        (Some(_), Some(_)) => Outcome::Changed,
        _ => Outcome::Unknown,
    }
}

fn unknown(memory: &Memory, error: Unreadable, bytes: Outcome) -> Finding {
    Finding {
        outcome: Outcome::Unknown,
        levels: Levels {
            bytes,
            ..Levels::all(Outcome::Unknown)
        },
        memory: memory.clone(),
        reason: Some(error.reason()),
        worth_a_second_look: false,
    }
}

/// Each text is hashed with its length before it: lists cannot be confused.
fn version_of(settings: &Settings) -> u64 {
    let mut hasher = XxHash3_64::new();
    hasher.write(&ALGORITHM_VERSION.to_le_bytes());
    hasher.write(settings.level.name().as_bytes());
    for list in [&settings.include, &settings.exclude, &settings.ignore] {
        hasher.write(&(list.len() as u64).to_le_bytes());
        for text in list {
            hasher.write(&(text.len() as u64).to_le_bytes());
            hasher.write(text.as_bytes());
        }
    }
    hasher.finish()
}

/// Parsers of patterns draw pictures; their last line says what is wrong.
fn last_line(message: &str) -> String {
    let last = message.lines().last().unwrap_or(message);
    last.trim_start_matches("error: ").to_owned()
}
