//! What the flat formats show of a record.

use std::borrow::Cow;

/// One value of a flat format.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Cell<'r> {
    /// Text; empty and absent look alike.
    Text(Cow<'r, str>),
    /// A number, or none.
    Real(Option<f64>),
    /// A count.
    Count(u64),
}

/// What a column holds, for formats with types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// [`Cell::Text`].
    Text,
    /// [`Cell::Real`].
    Real,
    /// [`Cell::Count`].
    Count,
}

type Extract<R> = Box<dyn Fn(&R) -> Cell<'_> + Sync>;

/// Columns of records of type R, in order.
pub(crate) struct Columns<R> {
    columns: Vec<(&'static str, Kind, Extract<R>)>,
}

impl<R> Columns<R> {
    pub(crate) fn new() -> Self {
        Self {
            columns: Vec::new(),
        }
    }

    fn add(
        mut self,
        name: &'static str,
        kind: Kind,
        extract: impl Fn(&R) -> Cell<'_> + Sync + 'static,
    ) -> Self {
        self.columns.push((name, kind, Box::new(extract)));
        self
    }

    /// Adds a column of text that the record holds.
    pub(crate) fn held_text(
        self,
        name: &'static str,
        value: impl Fn(&R) -> Option<&str> + Sync + 'static,
    ) -> Self {
        self.add(name, Kind::Text, move |record| {
            Cell::Text(value(record).unwrap_or_default().into())
        })
    }

    /// Adds a column of text that is made for the purpose.
    pub(crate) fn text(
        self,
        name: &'static str,
        value: impl Fn(&R) -> Option<String> + Sync + 'static,
    ) -> Self {
        self.add(name, Kind::Text, move |record| {
            Cell::Text(value(record).unwrap_or_default().into())
        })
    }

    /// Adds a column of numbers that may be absent.
    pub(crate) fn real(
        self,
        name: &'static str,
        value: impl Fn(&R) -> Option<f64> + Sync + 'static,
    ) -> Self {
        self.add(name, Kind::Real, move |record| Cell::Real(value(record)))
    }

    /// Adds a column of counts.
    pub(crate) fn count(
        self,
        name: &'static str,
        value: impl Fn(&R) -> usize + Sync + 'static,
    ) -> Self {
        self.add(name, Kind::Count, move |record| {
            Cell::Count(value(record) as u64)
        })
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.columns.iter().map(|(name, _, _)| *name)
    }

    pub(crate) fn kinds(&self) -> impl Iterator<Item = Kind> + '_ {
        self.columns.iter().map(|(_, kind, _)| *kind)
    }

    /// The cells of one record, in order.
    pub(crate) fn cells<'r>(&self, record: &'r R) -> impl Iterator<Item = Cell<'r>> {
        let columns = self.columns.iter();
        columns.map(move |(_, _, extract)| extract(record))
    }
}
