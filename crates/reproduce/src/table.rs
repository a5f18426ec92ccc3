//! The data of a figure or table: [`Table`].

use recrawl_chart::{Axis, Figure, Scale};

/// Digits that are told: more would be noise, and last bits differ between
/// machines.
const DIGITS: i32 = 6;

/// Columns with names and rows of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// Names of the columns.
    pub columns: Vec<String>,
    /// Rows, each as long as the columns.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows.
    #[must_use]
    pub fn new(columns: &[&str]) -> Self {
        Self {
            columns: columns.iter().map(|&name| name.to_owned()).collect(),
            rows: Vec::new(),
        }
    }

    /// Every point of a figure: panel, series, x and y.
    #[must_use]
    pub fn of(figure: &Figure) -> Self {
        let mut table = Self::new(&["panel", "series", "x", "y"]);
        for panel in &figure.panels {
            for series in &panel.series {
                for &(x, y) in &series.points {
                    table.rows.push(vec![
                        panel.title.clone(),
                        series.label.clone(),
                        place(&panel.x, x),
                        number(y),
                    ]);
                }
            }
        }
        table
    }

    /// The table as CSV with a header.
    #[must_use]
    pub fn to_csv(&self) -> String {
        let mut text = String::new();
        for row in std::iter::once(&self.columns).chain(&self.rows) {
            let cells: Vec<String> = row.iter().map(|cell| quoted(cell)).collect();
            text.push_str(&cells.join(","));
            text.push('\n');
        }
        text
    }
}

/// The name at a place of an axis of names, else the number.
fn place(axis: &Axis, x: f64) -> String {
    match &axis.scale {
        Scale::Names(names) => names
            .get(x.round().max(0.0) as usize)
            .cloned()
            .unwrap_or_else(|| number(x)),
        _ => number(x),
    }
}

/// A number to six significant digits, the shortest text for it; empty if it
/// is none.
#[must_use]
pub fn number(value: f64) -> String {
    if !value.is_finite() {
        return String::new();
    }
    rounded(value).to_string()
}

/// A number to six significant digits.
#[must_use]
pub fn rounded(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    let text = format!("{value:.*e}", (DIGITS - 1) as usize);
    text.parse().unwrap_or(value)
}

/// A cell, quoted where commas, quotes or line ends ask for it.
fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_six_digits_and_no_noise() {
        assert_eq!(number(0.1 + 0.2), "0.3");
        assert_eq!(number(1_234_567.0), "1234570");
        assert_eq!(number(f64::NAN), "");
        assert_eq!(number(-1.0 / 3.0), "-0.333333");
    }

    #[test]
    fn cells_with_commas_are_quoted() {
        let mut table = Table::new(&["a", "b"]);
        table.rows.push(vec!["x, y".to_owned(), "1".to_owned()]);
        assert_eq!(table.to_csv(), "a,b\n\"x, y\",1\n");
    }
}
