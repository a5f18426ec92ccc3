//! Parts of a page by CSS selector: [`Selection`].

use ego_tree::NodeId;
use ego_tree::iter::Edge;
use memchr::memchr;
use scraper::{ElementRef, Html, Node, Selector};

use super::elements::{Name, Role};
use super::scan::{Markup, attribute_names, markup};
use crate::SettingsError;
use crate::lines::{Collapsed, Lines};

/// Largest page a tree is built of, in bytes of its text.
const MAX_TREE_BYTES: usize = 4 << 20;

/// Deepest nesting of a page a tree is built of. The time browsers' rules take
/// grows with the square of it; real pages stay below a hundred.
const MAX_TREE_DEPTH: usize = 512;

/// Most tags of a page a tree is built of, start tags and end tags. Selectors
/// such as `a ~ b` take time that grows with the square of it.
const MAX_TREE_TAGS: usize = 60_000;

/// Most attributes of a tag on a page a tree is built of: each is compared with
/// those before it.
const MAX_ATTRIBUTES: usize = 256;

/// Whether building a tree of a page could take too long.
pub(crate) fn too_large_for_a_tree(html: &str) -> bool {
    html.len() > MAX_TREE_BYTES || !is_flat_and_short(html.as_bytes())
}

fn is_flat_and_short(html: &[u8]) -> bool {
    let (mut depth, mut tags) = (0usize, 0usize);
    let mut at = 0;
    while let Some(found) = memchr(b'<', &html[at..]) {
        at += found;
        let Some((markup, length)) = markup(&html[at..]) else {
            at += 1;
            continue;
        };
        at += length;
        let counts = |name: Name<'_>| !name.is_void() && !name.ends_at_its_like();
        tags += 1;
        match markup {
            Markup::Start(name, attributes) => {
                depth += usize::from(counts(name));
                let attributes = attributes.written();
                let names = attribute_names(attributes).take(MAX_ATTRIBUTES + 1);
                if attributes.len() > MAX_ATTRIBUTES && names.count() > MAX_ATTRIBUTES {
                    return false;
                }
            }
            Markup::End(name) => depth = depth.saturating_sub(usize::from(counts(name))),
            Markup::Unseen => {}
        }
        if depth > MAX_TREE_DEPTH || tags > MAX_TREE_TAGS {
            return false;
        }
    }
    true
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
    pub(crate) fn text(&self, html: &str) -> Option<Lines> {
        let document = Html::parse_document(html);
        let mut text = Collapsed::with_capacity(html.len() / 2);
        let included = matching(&self.include, &document);
        let excluded = matching(&self.exclude, &document);
        if included.is_empty() && !self.include.is_empty() {
            return None;
        }
        // Whether what is open is included, and not excluded.
        let mut open = vec![(self.include.is_empty(), true)];
        for edge in document.tree.root().traverse() {
            let (node, opens) = match edge {
                Edge::Open(node) => (node, true),
                Edge::Close(node) => (node, false),
            };
            let (is_included, is_kept) = open.last().copied().unwrap_or_default();
            if let Some(element) = ElementRef::wrap(node) {
                if role(&element) != Role::Inline {
                    text.end_block();
                }
                if opens {
                    let holds = |list: &[NodeId]| list.binary_search(&node.id()).is_ok();
                    open.push((
                        is_included || holds(&included),
                        is_kept && !is_unseen(&element) && !holds(&excluded),
                    ));
                } else {
                    open.pop();
                }
            } else if let Node::Text(content) = node.value()
                && opens
                && is_included
                && is_kept
            {
                text.text(content.as_bytes());
            }
        }
        Some(text.finish())
    }
}

/// The elements that one of the selectors matches, in order of their numbers.
/// Asking for all at once lets counting selectors count once.
fn matching(selectors: &[Selector], document: &Html) -> Vec<NodeId> {
    let found = selectors
        .iter()
        .flat_map(|selector| document.select(selector));
    let mut found: Vec<NodeId> = found.map(|element| element.id()).collect();
    found.sort_unstable();
    found
}

fn compile(list: &'static str, selectors: &[String]) -> Result<Vec<Selector>, SettingsError> {
    let compiled = selectors.iter().map(|selector| {
        Selector::parse(selector).map_err(|error| SettingsError::Selector {
            list,
            selector: selector.clone(),
            reason: told(&error.to_string()),
        })
    });
    compiled.collect()
}

/// The parser's reason: its last line, where it asks to be told of others.
fn told(reason: &str) -> String {
    reason.lines().last().unwrap_or_default().trim().to_owned()
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
        Some(String::from_utf8(text.text).expect("text"))
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
        assert_eq!(everything.as_bytes(), scanned.text);
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
        let is_too_large = |part: &str, times| too_large_for_a_tree(&part.repeat(times));
        assert!(is_too_large("<div>", 600));
        assert!(!is_too_large("<div></div><p>x<br>", 600));
        assert!(is_too_large("<br>", 70_000));
        let attributes: Vec<String> = (0..300).map(|number| format!(" a{number}=''")).collect();
        assert!(too_large_for_a_tree(&format!("<p{}>", attributes.concat())));
        assert!(is_too_large(" ", 5 << 20));
    }
}
