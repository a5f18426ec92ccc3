//! What an article is about: [`main_content`].

use dom_smoothie::{Config, Readability, TextMode};

use crate::lines::{Collapsed, Lines};

/// Elements of a page whose main content is looked for.
const MAX_ELEMENTS: usize = 100_000;

/// The main content of a page as lines of words, by the rules of readers' views
/// in browsers; none if there is none.
///
/// The caller makes sure that a tree can be built of the page.
pub(crate) fn main_content(html: &str) -> Option<Lines> {
    let config = Config {
        max_elements_to_parse: MAX_ELEMENTS,
        disable_json_ld: true,
        text_mode: TextMode::Formatted,
        ..Config::default()
    };
    let article = Readability::new(html, None, Some(config))
        .ok()?
        .parse()
        .ok()?;
    let mut text = Collapsed::with_capacity(article.text_content.len());
    text.lines(article.title.as_bytes());
    text.lines(article.text_content.as_bytes());
    Some(text.finish()).filter(|lines| !lines.text.is_empty())
}
