//! Parts of a page by CSS selector: [`Selection`].

use ego_tree::iter::Edge;
use memchr::memchr;
use scraper::{ElementRef, Html, Node, Selector};

use super::elements::{Name, Role};
use super::scan::{Markup, markup};
use crate::SettingsError;
use crate::blocks::Collapsed;

/// Largest page a tree is built of, in bytes of its text.
const MAX_TREE_BYTES: usize = 4 << 20;

/// Deepest nesting of a page a tree is built of. The time browsers' rules take
/// grows with the square of it; real pages stay below a hundred.
const MAX_TREE_DEPTH: usize = 512;

/// Whether building a tree of a page could take too long.
pub(crate) fn too_large_for_a_tree(html: &str) -> bool {
    html.len() > MAX_TREE_BYTES || is_deeper_than(html.as_bytes(), MAX_TREE_DEPTH)
}

fn is_deeper_than(html: &[u8], limit: usize) -> bool {
    let mut depth = 0usize;
    let mut at = 0;
    while let Some(found) = memchr(b'<', &html[at..]) {
        at += found;
        let Some((markup, length)) = markup(&html[at..]) else {
            at += 1;
            continue;
        };
        at += length;
        let counts = |name: Name<'_>| !name.is_void() && !name.ends_at_its_like();
        match markup {
            Markup::Start(name, _) if counts(name) => depth += 1,
            Markup::End(name) if counts(name) => depth = depth.saturating_sub(1),
            Markup::Start(..) | Markup::End(_) | Markup::Unseen => {}
        }
        if depth > limit {
            return true;
        }
    }
    false
}

/// Include and exclude selectors, compiled.
#[derive(Debug)]
pub(crate) struct Selection {
    include: Vec<Selector>,
    exclude: Vec<Selector>,
}

impl Selection {
    /// Compiles the selectors.
    pub(crate) fn new(include: &[String], exclude: &[String]) -> Result<Self, SettingsError> {
        Ok(Self {
            include: compile("include", include)?,
            exclude: compile("exclude", exclude)?,
        })
    }

    /// Whether it selects the whole of every page.
    pub(crate) const fn is_everything(&self) -> bool {
        self.include.is_empty() && self.exclude.is_empty()
    }

    /// The visible text of what is selected, as lines of words; none if no
    /// element matches what is to be included.
    pub(crate) fn text(&self, html: &str) -> Option<Vec<u8>> {
        let document = Html::parse_document(html);
        let mut text = Collapsed::with_capacity(html.len() / 2);
        let mut included = usize::from(self.include.is_empty());
        let mut excluded = 0usize;
        let mut found = included > 0;
        for edge in document.tree.root().traverse() {
            let (node, opens) = match edge {
                Edge::Open(node) => (node, true),
                Edge::Close(node) => (node, false),
            };
            if let Some(element) = ElementRef::wrap(node) {
                if role(&element) != Role::Inline {
                    text.end_block();
                }
                let is_included = any(&self.include, &element);
                let is_excluded = is_unseen(&element) || any(&self.exclude, &element);
                found |= is_included;
                let count = |number: usize, by: bool| {
                    if opens {
                        number + usize::from(by)
                    } else {
                        number - usize::from(by)
                    }
                };
                included = count(included, is_included);
                excluded = count(excluded, is_excluded);
            } else if let Node::Text(content) = node.value()
                && opens
                && included > 0
                && excluded == 0
            {
                text.text(content.as_bytes());
            }
        }
        found.then(|| text.finish())
    }
}

fn compile(list: &'static str, selectors: &[String]) -> Result<Vec<Selector>, SettingsError> {
    let compiled = selectors.iter().map(|selector| {
        Selector::parse(selector).map_err(|error| SettingsError::Selector {
            list,
            selector: selector.clone(),
            reason: error.to_string(),
        })
    });
    compiled.collect()
}

fn any(selectors: &[Selector], element: &ElementRef<'_>) -> bool {
    selectors.iter().any(|selector| selector.matches(element))
}

fn role(element: &ElementRef<'_>) -> Role {
    Name::new(element.value().name().as_bytes()).role()
}

fn is_unseen(element: &ElementRef<'_>) -> bool {
    matches!(role(element), Role::Unseen | Role::UnseenMarkup) || element.attr("hidden").is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "<html><head><title>T</title></head><body><nav>menu</nav>\
        <main><p>one <b>bold</b></p><aside>ad</aside><p hidden>h</p><p>two</p></main>\
        <script>s</script><footer>foot</footer></body></html>";

    fn selected(include: &[&str], exclude: &[&str]) -> Option<String> {
        let owned =
            |list: &[&str]| -> Vec<String> { list.iter().map(ToString::to_string).collect() };
        let selection = Selection::new(&owned(include), &owned(exclude)).expect("selectors");
        let text = selection.text(PAGE)?;
        Some(String::from_utf8(text).expect("text"))
    }

    #[test]
    fn only_what_is_included_counts() {
        assert_eq!(
            selected(&["main"], &[]).as_deref(),
            Some("one bold\nad\ntwo")
        );
        assert_eq!(
            selected(&["b", "footer"], &[]).as_deref(),
            Some("bold\nfoot")
        );
        assert_eq!(selected(&["#none"], &[]), None);
    }

    #[test]
    fn what_is_excluded_does_not_count() {
        assert_eq!(
            selected(&[], &["nav, aside", "footer"]).as_deref(),
            Some("T\none bold\ntwo")
        );
        assert_eq!(
            selected(&["main"], &["aside"]).as_deref(),
            Some("one bold\ntwo")
        );
        assert_eq!(selected(&["main"], &["body"]).as_deref(), Some(""));
    }

    #[test]
    fn a_selection_of_everything_is_the_visible_text() {
        let everything = selected(&[], &["#none"]).expect("a page");
        let scanned = super::super::visible_text(PAGE.as_bytes());
        assert_eq!(everything.as_bytes(), scanned);
    }

    #[test]
    fn a_bad_selector_is_named() {
        let error = Selection::new(&["p >> q[".to_owned()], &[]).expect_err("no selector");
        assert!(
            error.to_string().starts_with("`p >> q[` in `include`"),
            "{error}"
        );
    }

    #[test]
    fn deep_pages_are_told_from_long_ones() {
        assert!(is_deeper_than("<div>".repeat(600).as_bytes(), 512));
        assert!(!is_deeper_than(
            "<div></div><p>x<br>".repeat(600).as_bytes(),
            512
        ));
    }
}
