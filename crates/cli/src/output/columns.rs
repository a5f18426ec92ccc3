//! What the flat formats show of a record.

/// One value of a flat format.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Cell {
    /// Text; empty and absent look alike.
    Text(String),
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

type Extract<R> = Box<dyn Fn(&R) -> Cell + Sync>;

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

    /// Adds a column of text.
    pub(crate) fn text(
        mut self,
        name: &'static str,
        value: impl Fn(&R) -> Option<String> + Sync + 'static,
    ) -> Self {
        let extract = move |record: &R| Cell::Text(value(record).unwrap_or_default());
        self.columns.push((name, Kind::Text, Box::new(extract)));
        self
    }

    /// Adds a column of numbers that may be absent.
    pub(crate) fn real(
        mut self,
        name: &'static str,
        value: impl Fn(&R) -> Option<f64> + Sync + 'static,
    ) -> Self {
        let extract = move |record: &R| Cell::Real(value(record));
        self.columns.push((name, Kind::Real, Box::new(extract)));
        self
    }

    /// Adds a column of counts.
    pub(crate) fn count(
        mut self,
        name: &'static str,
        value: impl Fn(&R) -> usize + Sync + 'static,
    ) -> Self {
        let extract = move |record: &R| Cell::Count(value(record) as u64);
        self.columns.push((name, Kind::Count, Box::new(extract)));
        self
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.columns.iter().map(|(name, _, _)| *name)
    }

    pub(crate) fn kinds(&self) -> impl Iterator<Item = Kind> + '_ {
        self.columns.iter().map(|(_, kind, _)| *kind)
    }

    /// The cells of one record, in order.
    pub(crate) fn cells(&self, record: &R) -> Vec<Cell> {
        self.columns
            .iter()
            .map(|(_, _, extract)| extract(record))
            .collect()
    }
}
