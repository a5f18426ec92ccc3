//! Sites: [`Sites`].

use std::collections::BTreeMap;

use recrawl_model::Outcome;

/// What became of a site's pages.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Site {
    /// Pages watched now.
    pub(crate) pages: u32,
    pub(crate) visits: u64,
    /// Visits that compared two versions.
    pub(crate) compared: u64,
    pub(crate) changes: u64,
    pub(crate) errors: u64,
}

/// All sites by number.
#[derive(Debug, Default)]
pub(crate) struct Sites {
    names: Vec<String>,
    numbers: BTreeMap<String, u32>,
    rows: Vec<Site>,
}

impl Sites {
    pub(crate) fn number(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.names.len() as u32;
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        self.rows.push(Site::default());
        number
    }

    pub(crate) fn find(&self, name: &str) -> Option<u32> {
        self.numbers.get(name).copied()
    }

    pub(crate) fn name(&self, number: u32) -> &str {
        self.names.get(number as usize).map_or("", String::as_str)
    }

    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    pub(crate) fn rows(&self) -> impl Iterator<Item = (u32, &str, Site)> {
        let named = self.names.iter().zip(&self.rows);
        (0..)
            .zip(named)
            .map(|(number, (name, row))| (number, name.as_str(), *row))
    }

    pub(crate) fn join(&mut self, site: u32) {
        self.rows[site as usize].pages += 1;
    }

    pub(crate) fn leave(&mut self, site: u32) {
        self.rows[site as usize].pages -= 1;
    }

    pub(crate) fn count(&mut self, site: u32, outcome: Outcome, error: bool) {
        let row = &mut self.rows[site as usize];
        row.visits += 1;
        row.errors += u64::from(error);
        row.changes += u64::from(outcome == Outcome::Changed);
        row.compared += u64::from(matches!(outcome, Outcome::Changed | Outcome::Unchanged));
    }
}
