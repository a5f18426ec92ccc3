//! A name service that says what a test wants: [`Names`].

use std::collections::BTreeMap;
use std::io;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

/// Scripted answers to look-ups of host names.
#[derive(Debug, Default)]
pub struct Names {
    scripts: Mutex<BTreeMap<String, Script>>,
}

#[derive(Debug, Default)]
struct Script {
    answers: Vec<Vec<IpAddr>>,
    asked: usize,
}

impl Names {
    /// No name has an address.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// With a name that has these addresses: the first list on the first look,
    /// and so on; the last one is repeated.
    #[must_use]
    pub fn with(self, name: &str, answers: &[&[IpAddr]]) -> Self {
        let answers = answers.iter().map(|list| list.to_vec()).collect();
        let script = Script { answers, asked: 0 };
        self.lock().insert(name.to_owned(), script);
        self
    }

    /// Looks a name up.
    ///
    /// # Errors
    /// [`io::ErrorKind::NotFound`] for a name without a script.
    pub fn look_up(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        let mut scripts = self.lock();
        let script = scripts.get_mut(name).ok_or(io::ErrorKind::NotFound)?;
        let answer = script.answers.get(script.asked).or(script.answers.last());
        script.asked += 1;
        answer
            .cloned()
            .ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// How often a name was looked up.
    #[must_use]
    pub fn asked(&self, name: &str) -> usize {
        self.lock().get(name).map_or(0, |script| script.asked)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, Script>> {
        self.scripts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_come_in_order_and_the_last_stays() {
        let (first, second) = (IpAddr::from([1, 1, 1, 1]), IpAddr::from([10, 0, 0, 1]));
        let names = Names::new().with("a.test", &[&[first], &[second]]);
        for expected in [first, second, second] {
            assert_eq!(names.look_up("a.test").expect("known"), [expected]);
        }
        assert_eq!(names.asked("a.test"), 3);
        assert!(names.look_up("b.test").is_err());
    }
}
