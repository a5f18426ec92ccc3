//! Settings as people write them: `NAME:key=value,key=value`.

use std::time::Duration;

use recrawl_model::{Cost, parse_span};
use thiserror::Error;

/// A setting a policy takes.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    /// What stands before `=`.
    pub name: &'static str,
    /// Its value where it is not given.
    pub default: &'static str,
    /// What it sets, in a few words.
    pub meaning: &'static str,
}

/// Why a text names no policy.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PolicyError {
    /// No policy of that name.
    #[error("no policy is called `{name}`; choose one of {valid}")]
    UnknownPolicy {
        /// What was asked for.
        name: String,
        /// The names there are.
        valid: String,
    },
    /// The policy has no such key.
    #[error("policy `{policy}` has no key `{key}`; it takes {valid}")]
    UnknownKey {
        /// The policy.
        policy: String,
        /// The key.
        key: String,
        /// The keys there are.
        valid: String,
    },
    /// A part of the settings is not `key=value`.
    #[error("`{text}` of policy `{policy}` is not key=value")]
    NotAPair {
        /// The policy.
        policy: String,
        /// The part.
        text: String,
    },
    /// The same key twice.
    #[error("policy `{policy}` is given the key `{key}` twice")]
    Twice {
        /// The policy.
        policy: String,
        /// The key.
        key: String,
    },
    /// A value the key does not take.
    #[error("`{value}` is no value for `{key}` of policy `{policy}`: {expected}")]
    BadValue {
        /// The policy.
        policy: String,
        /// The key.
        key: String,
        /// The value.
        value: String,
        /// What it takes.
        expected: String,
    },
    /// A bound asked for where nobody knows the truth.
    #[error("policy `{policy}` knows what only a simulation knows; use it with simulate or replay")]
    NeedsTruth {
        /// The policy.
        policy: String,
    },
}

/// The keys and values given to a policy, taken one by one.
#[derive(Debug, Clone)]
pub struct Arguments {
    policy: String,
    pairs: Vec<(String, String)>,
}

impl Arguments {
    /// Splits `NAME:key=value,…` into its name and its pairs.
    ///
    /// # Errors
    /// [`PolicyError::NotAPair`] or [`PolicyError::Twice`].
    pub fn split(text: &str) -> Result<Self, PolicyError> {
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        let policy = name.trim().to_owned();
        let mut pairs: Vec<(String, String)> = Vec::new();
        for part in rest.split(',').filter(|part| !part.trim().is_empty()) {
            let Some((key, value)) = part.split_once('=') else {
                let text = part.trim().to_owned();
                return Err(PolicyError::NotAPair { policy, text });
            };
            let (key, value) = (key.trim().to_owned(), value.trim().to_owned());
            if pairs.iter().any(|(known, _)| *known == key) {
                return Err(PolicyError::Twice { policy, key });
            }
            pairs.push((key, value));
        }
        Ok(Self { policy, pairs })
    }

    /// The policy's name.
    #[must_use]
    pub fn policy(&self) -> &str {
        &self.policy
    }

    /// Takes all that is left, for a policy of another name.
    pub(crate) fn take_all(&mut self, name: &str) -> Self {
        Self {
            policy: name.to_owned(),
            pairs: std::mem::take(&mut self.pairs),
        }
    }

    /// Takes the text of a key out, if it was given.
    pub fn take(&mut self, key: &str) -> Option<String> {
        let at = self.pairs.iter().position(|(known, _)| known == key)?;
        Some(self.pairs.remove(at).1)
    }

    /// Takes a number for which `holds`; `default` where it was not given.
    ///
    /// # Errors
    /// [`PolicyError::BadValue`] that says what is `expected`.
    pub fn number(
        &mut self,
        key: &str,
        default: f64,
        expected: &str,
        holds: impl Fn(f64) -> bool,
    ) -> Result<f64, PolicyError> {
        let Some(text) = self.take(key) else {
            return Ok(default);
        };
        match text.parse::<f64>() {
            Ok(number) if holds(number) => Ok(number),
            _ => Err(self.refuse(key, &text, expected)),
        }
    }

    /// Takes a span of time; `default` where it was not given.
    ///
    /// # Errors
    /// [`PolicyError::BadValue`].
    pub fn span(&mut self, key: &str, default: Duration) -> Result<Duration, PolicyError> {
        let Some(text) = self.take(key) else {
            return Ok(default);
        };
        parse_span(&text).map_err(|_| self.refuse(key, &text, "a span such as 90s, 15m, 6h or 7d"))
    }

    /// Takes one of a few words; the first where it was not given.
    ///
    /// # Errors
    /// [`PolicyError::BadValue`] that lists the words.
    pub fn choice<T: Copy>(&mut self, key: &str, words: &[(&str, T)]) -> Result<T, PolicyError> {
        let text = self.take(key).unwrap_or_else(|| words[0].0.to_owned());
        let found = words.iter().find(|(word, _)| *word == text);
        found.map(|&(_, value)| value).ok_or_else(|| {
            let valid: Vec<&str> = words.iter().map(|&(word, _)| word).collect();
            self.refuse(key, &text, &format!("one of {}", valid.join(", ")))
        })
    }

    /// Takes `sample-cost`: what a sample costs, in downloads.
    ///
    /// # Errors
    /// [`PolicyError::BadValue`].
    pub fn sample_cost(&mut self) -> Result<Cost, PolicyError> {
        let expected = "a part of a download, above 0 and at most 1";
        let text = self.take("sample-cost").unwrap_or_else(|| "1".to_owned());
        let part = text.parse::<f64>().unwrap_or(f64::NAN);
        Cost::part(part).map_err(|_| self.refuse("sample-cost", &text, expected))
    }

    /// The error for a value a key does not take.
    #[must_use]
    pub fn refuse(&self, key: &str, value: &str, expected: &str) -> PolicyError {
        PolicyError::BadValue {
            policy: self.policy.clone(),
            key: key.to_owned(),
            value: value.to_owned(),
            expected: expected.to_owned(),
        }
    }

    /// Ends the reading: nothing may be left.
    ///
    /// # Errors
    /// [`PolicyError::UnknownKey`] that lists the valid keys.
    pub fn finish(self, keys: &[Key]) -> Result<(), PolicyError> {
        let Some((key, _)) = self.pairs.into_iter().next() else {
            return Ok(());
        };
        let valid: Vec<&str> = keys.iter().map(|key| key.name).collect();
        Err(PolicyError::UnknownKey {
            policy: self.policy,
            key,
            valid: if valid.is_empty() {
                "none".to_owned()
            } else {
                valid.join(", ")
            },
        })
    }
}
