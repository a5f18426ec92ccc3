//! The text a reader sees: [`visible_text`].

use memchr::memchr;

use super::elements::{Name, Role};
use super::entities::decode_reference;
use super::scan::{Markup, is_hidden, markup, plain_content};
use crate::blocks::Collapsed;

/// The visible text of a page as lines of words, a line a block.
///
/// Left out are scripts, styles, templates, `noscript`, frames, comments and
/// elements with the attribute `hidden`; of the head the title counts. What
/// style sheets hide is not known. Takes time in proportion to the page,
/// whatever is in it.
pub(crate) fn visible_text(html: &[u8]) -> Vec<u8> {
    let mut scanner = Scanner {
        html,
        at: 0,
        text: Collapsed::with_capacity(html.len()),
        in_picture: false,
    };
    scanner.run();
    scanner.text.finish()
}

struct Scanner<'a> {
    html: &'a [u8],
    at: usize,
    text: Collapsed,
    /// Within `svg`, where every tag may close itself.
    in_picture: bool,
}

impl<'a> Scanner<'a> {
    fn run(&mut self) {
        while let Some(found) = memchr(b'<', &self.html[self.at..]) {
            let mark = self.at + found;
            let Some((markup, length)) = markup(&self.html[mark..]) else {
                self.push_text(mark + 1); // a mark that is text
                continue;
            };
            self.push_text(mark);
            self.at = mark + length;
            match markup {
                Markup::Unseen => {}
                Markup::End(name) => self.end(name),
                Markup::Start(name, attributes) => self.start(name, attributes),
            }
        }
        self.push_text(self.html.len());
    }

    fn end(&mut self, name: Name<'_>) {
        if name.is("svg") {
            self.in_picture = false;
        }
        if name.role() != Role::Inline {
            self.text.end_block();
        }
    }

    fn start(&mut self, name: Name<'_>, attributes: &[u8]) {
        let role = name.role();
        if role != Role::Inline {
            self.text.end_block();
        }
        let closes_itself = self.in_picture && attributes.ends_with(b"/>");
        if name.is_void() || closes_itself {
            return;
        }
        if name.is("svg") {
            self.in_picture = !attributes.ends_with(b"/>");
        }
        let is_hidden = is_hidden(attributes);
        match role {
            Role::Unseen => self.at += plain_content(&self.html[self.at..], name.written()),
            Role::PlainText => {
                let end = self.at + plain_content(&self.html[self.at..], name.written());
                if is_hidden {
                    self.at = end;
                } else {
                    self.push_text(end);
                }
            }
            Role::UnseenMarkup => self.skip_element(name),
            Role::Inline | Role::Block if is_hidden => self.skip_element(name),
            Role::Inline | Role::Block => {}
        }
    }

    /// Passes over the content of an element, elements of the same name within
    /// it counted, to its end tag or to what ends it without one.
    fn skip_element(&mut self, name: Name<'_>) {
        let mut depth = 1;
        while depth > 0 {
            let Some(found) = memchr(b'<', &self.html[self.at..]) else {
                self.at = self.html.len();
                return;
            };
            let mark = self.at + found;
            let Some((markup, length)) = markup(&self.html[mark..]) else {
                self.at = mark + 1;
                continue;
            };
            match markup {
                Markup::Start(other, _) if other.is_same(name) => {
                    if name.ends_at_its_like() {
                        self.at = mark;
                        return;
                    }
                    depth += 1;
                }
                Markup::End(other) if other.is_same(name) => depth -= 1,
                Markup::Start(other, _) if other.role() == Role::Unseen => {
                    let content = mark + length;
                    self.at = content + plain_content(&self.html[content..], other.written());
                    continue;
                }
                Markup::Start(..) | Markup::End(_) | Markup::Unseen => {}
            }
            self.at = mark + length;
        }
    }

    /// Gives the text up to `end` out, references decoded.
    fn push_text(&mut self, end: usize) {
        let mut rest: &'a [u8] = &self.html[self.at..end];
        self.at = end;
        while let Some(found) = memchr(b'&', rest) {
            self.text.text(&rest[..found]);
            let text = &mut self.text;
            let length = decode_reference(&rest[found..], |character| {
                text.text(character.encode_utf8(&mut [0; 4]).as_bytes());
            });
            if length == 0 {
                self.text.text(b"&");
            }
            rest = &rest[found + length.max(1)..];
        }
        self.text.text(rest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(html: &str) -> String {
        String::from_utf8(visible_text(html.as_bytes())).expect("text")
    }

    #[test]
    fn blocks_are_lines_and_inline_elements_are_not() {
        assert_eq!(
            text("<h1>Mill  Lane</h1>\n<p>A <b>bo</b>ld\nword<br>and more</p><ul><li>x<li>y</ul>"),
            "Mill Lane\nA bold word\nand more\nx\ny"
        );
    }

    #[test]
    fn what_browsers_do_not_show_is_left_out() {
        let html = "<head><title>T &amp; U</title><style>p{}</style><meta name=x></head>\
            <!-- c <p>d</p> --><script>if (a<b) document.write('<p>no</p>')</script>\
            <noscript><p>none</p></noscript><template><p>t</p><template>u</template></template>\
            <p hidden>h</p><div hidden>a<div>b</div>c</div><p>seen</p>";
        assert_eq!(text(html), "T & U\nseen");
    }

    #[test]
    fn hidden_items_end_at_the_next_one() {
        assert_eq!(text("<ul><li hidden>a<li>b</ul>"), "b");
        assert_eq!(text("<input hidden>seen"), "seen");
    }

    #[test]
    fn pictures_do_not_swallow_the_page() {
        assert_eq!(
            text("<svg><style/><path/></svg>seen<svg/><p>too"),
            "seen\ntoo"
        );
    }

    #[test]
    fn attributes_never_show() {
        assert_eq!(text("<p title='a > b' data-nonce=\"17\">seen</p>"), "seen");
    }

    #[test]
    fn broken_markup_is_read_to_the_end() {
        assert_eq!(text("a < b <3 <p>c<"), "a < b <3\nc<");
        assert_eq!(text("<div>a<p>b<div>c"), "a\nb\nc");
        assert_eq!(text("a<script>never closed"), "a");
        assert_eq!(text("a\0b &lt;p&gt; &copy 2026"), "a b <p> © 2026");
    }
}
