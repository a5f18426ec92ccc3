//! Lists of URLs: [`url_list`].

use std::collections::HashMap;

use recrawl_model::Weight;
use thiserror::Error;
use url::Url;

use crate::address::{AddressError, page_url, shown};

/// What a line of a list names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EntryKind {
    /// A page to watch.
    Page,
    /// A sitemap whose pages are to be watched.
    Sitemap,
    /// A feed whose entries are to be watched.
    Feed,
}

/// One line of a list.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// What the address is of.
    pub kind: EntryKind,
    /// The address.
    pub url: Url,
    /// The importance of the page, or of every page of the source.
    pub weight: Weight,
    /// The line, counted from 1.
    pub line: usize,
}

/// Why a list cannot be used. The line is counted from 1.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ListError {
    /// The first word of a line is no address.
    #[error("line {line}: {error}")]
    Address {
        /// Where.
        line: usize,
        /// What is wrong with it.
        error: AddressError,
    },
    /// A weight that is none.
    #[error(
        "line {line}: `{value}` is not a weight: write a number that is not negative, as in weight=3"
    )]
    Weight {
        /// Where.
        line: usize,
        /// The text after `weight=`.
        value: String,
    },
    /// A word after the address that means nothing.
    #[error("line {line}: `{word}` means nothing after an address; only weight=… may follow it")]
    Word {
        /// Where.
        line: usize,
        /// The word.
        word: String,
    },
    /// One page with two weights.
    #[error("line {line}: `{url}` has another weight on line {first}")]
    TwoWeights {
        /// The later line.
        line: usize,
        /// The address.
        url: String,
        /// The earlier line.
        first: usize,
    },
}

/// Reads a list of URLs: one a line, `weight=3` after it if it matters more or
/// less than others, `sitemap:` or `feed:` before it if it is one. Empty lines
/// are skipped, and what follows a `#` at the start of a line or after a space.
/// A line that repeats an earlier one is left out.
///
/// # Errors
/// [`ListError`] names the line and the value.
pub fn url_list(text: &str) -> Result<Vec<Entry>, ListError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut entries: Vec<Entry> = Vec::new();
    let mut places: HashMap<(EntryKind, String), usize> = HashMap::new();
    for (line, text) in (1..).zip(text.lines()) {
        let mut words = text
            .split_whitespace()
            .take_while(|word| !word.starts_with('#'));
        let Some(address) = words.next() else {
            continue;
        };
        let entry = read_line(line, address, words)?;
        let key = (entry.kind, entry.url.as_str().to_owned());
        if let Some(&place) = places.get(&key) {
            let first = &entries[place];
            if first.weight != entry.weight {
                return Err(ListError::TwoWeights {
                    line,
                    url: shown(entry.url.as_str()),
                    first: first.line,
                });
            }
            continue;
        }
        places.insert(key, entries.len());
        entries.push(entry);
    }
    Ok(entries)
}

fn read_line<'a>(
    line: usize,
    address: &str,
    words: impl Iterator<Item = &'a str>,
) -> Result<Entry, ListError> {
    let kinds = [("sitemap:", EntryKind::Sitemap), ("feed:", EntryKind::Feed)];
    let prefixed = kinds.into_iter().find_map(|(prefix, kind)| {
        let rest = address.strip_prefix(prefix)?;
        Some((kind, rest))
    });
    let (kind, address) = prefixed.unwrap_or((EntryKind::Page, address));
    let url = page_url(address).map_err(|error| ListError::Address { line, error })?;
    let mut weight = Weight::ONE;
    for word in words {
        let Some(value) = word.strip_prefix("weight=") else {
            return Err(ListError::Word {
                line,
                word: shown(word),
            });
        };
        let number = value
            .parse()
            .ok()
            .and_then(|number| Weight::new(number).ok());
        weight = number.ok_or_else(|| ListError::Weight {
            line,
            value: shown(value),
        })?;
    }
    Ok(Entry {
        kind,
        url,
        weight,
        line,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_weights_and_sources_are_read() {
        let list = url_list(
            "\u{feff}# mine\r\n\n  https://A.org/x#part  weight=2.5 # why not\r\n\
             sitemap:https://a.org/sitemap.xml\nfeed:https://a.org/feed weight=0\n\
             https://a.org/#top\n",
        )
        .expect("a list");
        let read: Vec<_> = list
            .iter()
            .map(|entry| {
                (
                    entry.kind,
                    entry.url.as_str(),
                    entry.weight.get(),
                    entry.line,
                )
            })
            .collect();
        assert_eq!(
            read,
            [
                (EntryKind::Page, "https://a.org/x", 2.5, 3),
                (EntryKind::Sitemap, "https://a.org/sitemap.xml", 1.0, 4),
                (EntryKind::Feed, "https://a.org/feed", 0.0, 5),
                (EntryKind::Page, "https://a.org/", 1.0, 6),
            ]
        );
    }

    #[test]
    fn an_error_names_line_and_value() {
        let error = |text: &str| url_list(text).expect_err(text).to_string();
        assert_eq!(
            error("https://a.org\nwww.b.org\n"),
            "line 2: `www.b.org` has no scheme, write https:// before it"
        );
        assert_eq!(
            error("sitemap:ftp://a.org/s.xml"),
            "line 1: `ftp://a.org/s.xml` is not an http or https address"
        );
        assert_eq!(
            error("https://a.org weight=-1"),
            "line 1: `-1` is not a weight: write a number that is not negative, as in weight=3"
        );
        assert_eq!(
            error("https://a.org wait=3"),
            "line 1: `wait=3` means nothing after an address; only weight=… may follow it"
        );
    }

    #[test]
    fn a_page_named_twice_is_taken_once_unless_its_weights_differ() {
        let list = url_list("https://a.org\nhttps://A.org/\nfeed:https://a.org").expect("a list");
        assert_eq!(list.len(), 2);
        let error = url_list("https://a.org\nhttps://a.org weight=2").expect_err("two weights");
        assert_eq!(
            error.to_string(),
            "line 2: `https://a.org/` has another weight on line 1"
        );
    }
}
