//! Columns for reading.

use std::io::{self, Write};

use super::Cell;
use super::columns::Kind;

/// Rows whose widths are looked at before any is printed. Later rows that are
/// wider push their column out; a table of a million rows is not held back.
const LOOKED_AT: usize = 1_000;

/// A table that streams: header first, then rows in blocks.
pub(super) struct Table {
    names: Vec<&'static str>,
    kinds: Vec<Kind>,
    widths: Vec<usize>,
    waiting: Vec<Vec<String>>,
    header_written: bool,
}

impl Table {
    pub(super) fn new(
        names: impl Iterator<Item = &'static str>,
        kinds: impl Iterator<Item = Kind>,
    ) -> Self {
        let names: Vec<_> = names.collect();
        let widths = names.iter().map(|name| name.len()).collect();
        let kinds = kinds.collect();
        Self {
            names,
            kinds,
            widths,
            waiting: Vec::new(),
            header_written: false,
        }
    }

    pub(super) fn push<'r>(
        &mut self,
        target: &mut impl Write,
        cells: impl IntoIterator<Item = Cell<'r>>,
    ) -> io::Result<()> {
        let row: Vec<String> = cells.into_iter().map(text).collect();
        for (width, cell) in self.widths.iter_mut().zip(&row) {
            *width = (*width).max(cell.chars().count());
        }
        self.waiting.push(row);
        if self.waiting.len() >= LOOKED_AT {
            self.flush(target)
        } else {
            Ok(())
        }
    }

    pub(super) fn flush(&mut self, target: &mut impl Write) -> io::Result<()> {
        if !self.header_written {
            let names: Vec<String> = self.names.iter().map(|&name| name.to_owned()).collect();
            self.line(target, &names)?;
            self.header_written = true;
        }
        for row in std::mem::take(&mut self.waiting) {
            self.line(target, &row)?;
        }
        Ok(())
    }

    /// Text to the left, numbers to the right, nothing after the last column.
    fn line(&self, target: &mut impl Write, row: &[String]) -> io::Result<()> {
        let mut line = String::new();
        for ((cell, &width), kind) in row.iter().zip(&self.widths).zip(&self.kinds) {
            if !line.is_empty() {
                line.push_str("  ");
            }
            let padding = " ".repeat(width.saturating_sub(cell.chars().count()));
            let (before, after) = match kind {
                Kind::Text => ("", padding.as_str()),
                Kind::Real | Kind::Count => (padding.as_str(), ""),
            };
            line.extend([before, cell, after]);
        }
        writeln!(target, "{}", line.trim_end())
    }
}

fn text(cell: Cell<'_>) -> String {
    match cell {
        Cell::Text(text) => text.replace(['\n', '\r', '\t'], " "),
        Cell::Real(Some(number)) => four_digits(number),
        Cell::Real(None) => "-".to_owned(),
        Cell::Count(count) => count.to_string(),
    }
}

/// Four significant digits, as a plain number where that is short.
pub(crate) fn four_digits(number: f64) -> String {
    let size = number.abs();
    if size == 0.0 {
        return "0".to_owned();
    }
    if !(1e-4..1e7).contains(&size) {
        return format!("{number:.3e}");
    }
    let before_point = size.log10().floor() as i32 + 1;
    let decimals = (4 - before_point).max(0) as usize;
    let digits = format!("{number:.decimals$}");
    if digits.contains('.') {
        digits
            .trim_end_matches('0')
            .trim_end_matches('.')
            .to_owned()
    } else {
        digits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_show_four_digits() {
        for (number, expected) in [
            (0.0, "0"),
            (0.356_674_9, "0.3567"),
            (12.0, "12"),
            (1_234.56, "1235"),
            (0.000_012_345, "1.234e-5"),
            (-2.5, "-2.5"),
            (99.999_9, "100"),
            (3e9, "3.000e9"),
        ] {
            assert_eq!(four_digits(number), expected);
        }
    }

    #[test]
    fn text_stands_left_and_numbers_right() {
        let mut table = Table::new(
            ["page", "rate"].into_iter(),
            [Kind::Text, Kind::Real].into_iter(),
        );
        let mut out = Vec::new();
        for (page, rate) in [("a", Some(1.5)), ("longer", None)] {
            table
                .push(&mut out, [Cell::Text(page.into()), Cell::Real(rate)])
                .expect("a vector");
        }
        table.flush(&mut out).expect("a vector");
        let text = String::from_utf8(out).expect("text");
        assert_eq!(text, "page    rate\na        1.5\nlonger     -\n");
    }
}
