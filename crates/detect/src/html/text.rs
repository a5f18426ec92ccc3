//! The text a reader sees: [`visible_text`].

use memchr::memchr;

use super::elements::{Name, Role};
use super::entities::decode_reference;
use super::scan::{Attributes, Markup, markup, plain_content};
use crate::lines::{Collapsed, Lines};

/// The visible text of a page as lines of words, a line a block.
///
/// Left out are scripts, styles, templates, `noscript`, frames, comments and
/// elements with the attribute `hidden`; of the head the title counts. What
/// style sheets hide is not known. Takes time in proportion to the page,
/// whatever is in it.
pub(crate) fn visible_text(html: &[u8]) -> Lines {
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

impl Scanner<'_> {
    fn run(&mut self) {
        while self.at < self.html.len() {
            self.push_text_to_mark();
            let rest = &self.html[self.at..];
            let Some((markup, length)) = markup(rest) else {
                let mark = rest.len().min(1); // it is text
                self.text.text(&rest[..mark]);
                self.at += mark;
                continue;
            };
            self.at += length;
            match markup {
                Markup::Unseen => {}
                Markup::End(name) => self.end(name),
                Markup::Start(name, attributes) => self.start(name, attributes),
            }
        }
    }

    fn end(&mut self, name: Name<'_>) {
        if name.is("svg") {
            self.in_picture = false;
        }
        if name.role() != Role::Inline {
            self.text.end_block();
        }
    }

    fn start(&mut self, name: Name<'_>, attributes: Attributes<'_>) {
        let role = name.role();
        if role != Role::Inline {
            self.text.end_block();
        }
        let closes_itself = self.in_picture && attributes.close_their_tag();
        if name.is_void() || closes_itself {
            return;
        }
        if name.is("svg") {
            self.in_picture = !attributes.close_their_tag();
        }
        let is_hidden = attributes.hide();
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

    /// Gives the text up to the next `<` out, references decoded.
    fn push_text_to_mark(&mut self) {
        loop {
            let length = self.text.text_in_markup(&self.html[self.at..]);
            self.at += length;
            if length > 0 {
                continue;
            }
            match self.html.get(self.at) {
                Some(b'&') => self.push_reference(self.html.len()),
                _ => return,
            }
        }
    }

    /// Gives the text up to `end` out, in which only references are markup.
    fn push_text(&mut self, end: usize) {
        while let Some(found) = memchr(b'&', &self.html[self.at..end]) {
            self.text.text(&self.html[self.at..self.at + found]);
            self.at += found;
            self.push_reference(end);
        }
        self.text.text(&self.html[self.at..end]);
        self.at = end;
    }

    /// Gives the character reference that begins here out, or its `&` if it is
    /// none.
    fn push_reference(&mut self, end: usize) {
        let text = &mut self.text;
        let length = decode_reference(&self.html[self.at..end], |character| {
            text.text(character.encode_utf8(&mut [0; 4]).as_bytes());
        });
        if length == 0 {
            self.text.text(b"&");
        }
        self.at += length.max(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(html: &str) -> String {
        String::from_utf8(visible_text(html.as_bytes()).text).expect("text")
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
