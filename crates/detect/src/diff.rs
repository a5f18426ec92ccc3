//! What differs, for people to read: [`Diff`].

use std::borrow::Cow;
use std::fmt;

use similar::udiff::UnifiedHunkHeader;
use similar::{Algorithm, DiffOp, DiffTag, capture_diff_slices, group_diff_ops};

/// Lines of each side that are compared; the rest is left out. Bounds the time:
/// two texts with nothing in common take the square of it in steps.
const MAX_LINES: usize = 5_000;

/// Longest text a diff may have, in bytes.
const MAX_BYTES: usize = 65_536;

/// Lines shown around a change.
const CONTEXT_LINES: usize = 2;

/// Characters of a line that are shown.
const MAX_LINE_CHARACTERS: usize = 400;

/// Words shown before and after what differs in a long line.
const CONTEXT_WORDS: usize = 8;

/// What differs between two versions of a page, as a unified diff of lines.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Diff {
    /// Lines with ` `, `-` or `+` before them, in hunks headed `@@ … @@`.
    pub text: String,
    /// Lines of the new version that the old one does not have.
    pub added: usize,
    /// Lines of the old version that the new one does not have.
    pub removed: usize,
    /// Whether something was left out: more than 5,000 lines were to be
    /// compared, or the text would pass 64 KiB.
    pub truncated: bool,
}

impl Diff {
    /// Whether the two are the same, as far as they were compared.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.added == 0 && self.removed == 0
    }

    pub(crate) fn of_texts(old: &str, new: &str) -> Self {
        let old: Vec<&str> = old.lines().take(MAX_LINES + 1).collect();
        let new: Vec<&str> = new.lines().take(MAX_LINES + 1).collect();
        let mut result = Self {
            truncated: old.len().max(new.len()) > MAX_LINES,
            ..Self::default()
        };
        let (old, new) = (first(&old), first(&new));
        let operations = capture_diff_slices(Algorithm::Myers, old, new);
        for hunk in group_diff_ops(operations, CONTEXT_LINES) {
            result.push(&format!("{}\n", UnifiedHunkHeader::new(&hunk)));
            for operation in hunk {
                result.push_operation(&operation, old, new);
            }
        }
        result
    }

    fn push_operation(&mut self, operation: &DiffOp, old: &[&str], new: &[&str]) {
        let (before, after) = (&old[operation.old_range()], &new[operation.new_range()]);
        if operation.tag() == DiffTag::Equal {
            for line in before {
                self.push(&shown(' ', line));
            }
            return;
        }
        self.removed += before.len();
        self.added += after.len();
        let pairs = before.len() == after.len();
        for (number, line) in before.iter().enumerate() {
            let other = if pairs { after[number] } else { "" };
            self.push(&shown('-', &around_the_difference(line, other)));
        }
        for (number, line) in after.iter().enumerate() {
            let other = if pairs { before[number] } else { "" };
            self.push(&shown('+', &around_the_difference(line, other)));
        }
    }

    fn push(&mut self, line: &str) {
        if self.text.len() + line.len() > MAX_BYTES {
            self.truncated = true;
        } else {
            self.text.push_str(line);
        }
    }
}

impl fmt::Display for Diff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)?;
        if self.truncated {
            f.write_str("… more was left out\n")?;
        }
        Ok(())
    }
}

fn first<'a, 'b>(lines: &'a [&'b str]) -> &'a [&'b str] {
    &lines[..lines.len().min(MAX_LINES)]
}

/// A line as it is shown: cut where it is long, and without characters that a
/// terminal would obey.
fn shown(sign: char, line: &str) -> String {
    let mut text = String::with_capacity(line.len() + 2);
    text.push(sign);
    let mut characters = line.chars();
    for character in characters.by_ref().take(MAX_LINE_CHARACTERS) {
        text.push(if character.is_control() {
            char::REPLACEMENT_CHARACTER
        } else {
            character
        });
    }
    if characters.next().is_some() {
        text.push('…');
    }
    text.push('\n');
    text
}

/// A long line without most of the words it shares with `other` at its ends.
fn around_the_difference<'a>(line: &'a str, other: &str) -> Cow<'a, str> {
    if line.chars().count() <= MAX_LINE_CHARACTERS {
        return Cow::Borrowed(line);
    }
    let words: Vec<&str> = line.split(' ').collect();
    let others: Vec<&str> = other.split(' ').collect();
    let same = |(one, two): &(&&str, &&str)| one == two;
    let start = words.iter().zip(&others).take_while(same).count();
    let shorter = words.len().min(others.len());
    let backwards = words.iter().rev().zip(others.iter().rev());
    let end = backwards.take(shorter - start).take_while(same).count();
    let from = start.saturating_sub(CONTEXT_WORDS);
    let until = words.len() - end.saturating_sub(CONTEXT_WORDS);
    let mark = |is_cut: bool| if is_cut { "…" } else { "" };
    Cow::Owned(format!(
        "{}{}{}",
        mark(from > 0),
        words[from..until].join(" "),
        mark(until < words.len())
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_lines_are_shown_with_what_surrounds_them() {
        let diff = Diff::of_texts("a\nb\nc\nd\ne\nf", "a\nb\nc\nD\ne\nf");
        assert_eq!(diff.text, "@@ -2,5 +2,5 @@\n b\n c\n-d\n+D\n e\n f\n");
        assert_eq!((diff.added, diff.removed, diff.truncated), (1, 1, false));
    }

    #[test]
    fn equal_texts_have_an_empty_diff() {
        assert!(Diff::of_texts("a\nb", "a\nb").is_empty());
        assert_eq!(Diff::of_texts("", "").to_string(), "");
    }

    #[test]
    fn of_a_long_paragraph_the_part_that_differs_is_shown() {
        let paragraph = |word: &str| format!("{}{word}{}", "so ".repeat(200), " on".repeat(200));
        let diff = Diff::of_texts(&paragraph("old"), &paragraph("new"));
        let context = ("so ".repeat(8), " on".repeat(8));
        let expected = format!(
            "@@ -1 +1 @@\n-…{0}old{1}…\n+…{0}new{1}…\n",
            context.0, context.1
        );
        assert_eq!(diff.text, expected);
    }

    #[test]
    fn large_diffs_are_cut_and_say_so() {
        let lines = |word: &str| format!("{word} with some more words\n").repeat(6_000);
        let diff = Diff::of_texts(&lines("old"), &lines("new"));
        assert!(diff.truncated && diff.text.len() <= MAX_BYTES);
        assert_eq!(diff.added, MAX_LINES);
        assert!(diff.to_string().ends_with("… more was left out\n"));
    }

    #[test]
    fn nothing_a_terminal_obeys_is_shown() {
        let diff = Diff::of_texts("", "\u{1b}[2Jgone\u{9b}x");
        assert_eq!(diff.text, "@@ -0,0 +1 @@\n+\u{fffd}[2Jgone\u{fffd}x\n");
    }
}
