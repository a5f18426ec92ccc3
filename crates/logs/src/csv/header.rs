//! Which field of a CSV row holds which column: [`Header`].

use crate::cell::shown;
use crate::{Column, LogError, RowProblem};

use super::records::{BlockText, Records, Step};

/// The columns of a CSV file.
pub(super) struct Header {
    /// For each field of a row, the slot it goes to: the column's place, or
    /// [`Header::IGNORED`].
    pub(super) slots: Vec<u8>,
    /// Whether there is a column that is known but not needed.
    pub(super) has_optional: bool,
}

impl Header {
    /// The slot of columns nobody asks for.
    const IGNORED: usize = Column::ALL.len();
    /// How many slots there are.
    pub(super) const SLOTS: usize = Self::IGNORED + 1;
}

/// What the start of a file holds.
pub(super) enum HeaderStep {
    /// The header, and the bytes and lines up to the first row.
    Found {
        header: Header,
        bytes: usize,
        lines: u64,
    },
    /// Only blank lines.
    Blank,
    /// A quoted name that goes on after the end.
    Unfinished,
    /// Not a row of CSV.
    Bad(RowProblem),
}

/// Reads the header at the start of `text`.
pub(super) fn parse(text: &[u8], file: &str) -> Result<HeaderStep, LogError> {
    let mut records = Records::new(text);
    let block = BlockText::new(text);
    let mut names = Vec::new();
    let step = records.next(|_, field| {
        let name = block.bytes(field);
        names.push(String::from_utf8_lossy(&name).trim().to_owned());
    });
    match step {
        Step::Record { .. } => {
            let (bytes, lines) = records.position();
            Ok(HeaderStep::Found {
                header: arrange(&names, file)?,
                bytes,
                lines,
            })
        }
        Step::End { .. } => Ok(HeaderStep::Blank),
        Step::Unfinished { .. } => Ok(HeaderStep::Unfinished),
        Step::Bad { problem, .. } => Ok(HeaderStep::Bad(problem)),
    }
}

fn arrange(names: &[String], file: &str) -> Result<Header, LogError> {
    let mut present = [false; Column::ALL.len()];
    let mut slots = Vec::with_capacity(names.len());
    for name in names {
        let Some(column) = Column::named(name) else {
            slots.push(Header::IGNORED as u8);
            continue;
        };
        if std::mem::replace(&mut present[column as usize], true) {
            return Err(LogError::RepeatedColumn {
                file: file.to_owned(),
                column,
            });
        }
        slots.push(column as u8);
    }
    if let Some(column) = Column::NEEDED
        .into_iter()
        .find(|&column| !present[column as usize])
    {
        return Err(missing(file, column, names));
    }
    let has_optional = present[Column::NEEDED.len()..].contains(&true);
    Ok(Header {
        slots,
        has_optional,
    })
}

fn missing(file: &str, column: Column, names: &[String]) -> LogError {
    let other_separator = names.len() == 1 && names[0].contains([';', '\t', '|']);
    let quoted: Vec<_> = names
        .iter()
        .map(|name| format!("`{}`", shown(name)))
        .collect();
    LogError::MissingColumn {
        file: file.to_owned(),
        column,
        found: quoted.join(", "),
        hint: if other_separator {
            ", separate columns with commas"
        } else {
            ""
        },
    }
}
