//! Every policy by name: [`parse`] and [`ENTRIES`].

use crate::arguments::{Arguments, Key, PolicyError};
use crate::{
    Policy, adaptive, bayes, changedetection, fixed, frequency, greedy, miniflux, mixed, nutch,
    optimal, oracle, proportional, random, rate_oracle, round_robin, stormcrawler, subset,
};

/// A policy that can be asked for by name.
#[derive(Clone, Copy)]
pub struct Entry {
    /// The name in `--policy`.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// The settings it takes.
    pub keys: &'static [Key],
    /// Makes it from what was given. Keys left over are refused by [`parse`].
    pub(crate) read: fn(&mut Arguments) -> Result<Box<dyn Policy>, PolicyError>,
}

/// Every policy, in the order they are told to people.
pub static ENTRIES: &[Entry] = &[
    bayes::ENTRY,
    round_robin::ENTRY,
    random::ENTRY,
    fixed::ENTRY,
    frequency::ENTRY,
    proportional::ENTRY,
    greedy::ENTRY,
    adaptive::ENTRY,
    subset::ENTRY,
    mixed::ENTRY,
    optimal::FRESHNESS,
    optimal::AGE,
    oracle::ENTRY,
    rate_oracle::ENTRY,
    nutch::ENTRY,
    stormcrawler::ENTRY,
    changedetection::ENTRY,
    miniflux::ENTRY,
];

/// The policy of a command that needs one where nobody names any.
pub const DEFAULT_POLICY: &str = "bayes";

/// The policy named by `NAME[:key=value,…]`.
///
/// # Errors
/// [`PolicyError`] names what is wrong and what would be right.
///
/// ```
/// let greedy = recrawl_policy::parse("greedy:samples=10")?;
/// assert_eq!(greedy.name(), "greedy");
/// let error = recrawl_policy::parse("greedily").err().map(|error| error.to_string());
/// assert!(error.is_some_and(|text| text.contains("round-robin")));
/// # Ok::<(), recrawl_policy::PolicyError>(())
/// ```
pub fn parse(text: &str) -> Result<Box<dyn Policy>, PolicyError> {
    read(Arguments::split(text)?)
}

/// The policy the arguments name.
pub(crate) fn read(mut arguments: Arguments) -> Result<Box<dyn Policy>, PolicyError> {
    let Some(entry) = ENTRIES
        .iter()
        .find(|entry| entry.name == arguments.policy())
    else {
        let names: Vec<&str> = ENTRIES.iter().map(|entry| entry.name).collect();
        return Err(PolicyError::UnknownPolicy {
            name: arguments.policy().to_owned(),
            valid: names.join(", "),
        });
    };
    let policy = (entry.read)(&mut arguments)?;
    arguments.finish(entry.keys)?;
    Ok(policy)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        match parse(text) {
            Ok(policy) => panic!("`{text}` was taken for {}", policy.name()),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn every_policy_is_found_by_its_name() {
        for entry in ENTRIES {
            let policy = parse(entry.name).expect("its own name");
            assert_eq!(policy.name(), entry.name);
        }
    }

    #[test]
    fn the_default_policy_plans_in_the_open() {
        let policy = parse(DEFAULT_POLICY).expect("a policy");
        assert!(!policy.needs_truth());
    }

    #[test]
    fn every_default_is_a_value_its_key_takes() {
        for entry in ENTRIES {
            for key in entry.keys {
                let text = format!("{}:{}={}", entry.name, key.name, key.default);
                parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
            }
        }
    }

    #[test]
    fn an_unknown_name_or_key_is_told_the_valid_ones() {
        assert!(error("nope").contains("round-robin, "));
        assert_eq!(
            error("round-robin:samples=3"),
            "policy `round-robin` has no key `samples`; it takes none"
        );
        assert!(error("greedy:sample=3").contains("it takes samples, sample-cost"));
    }

    #[test]
    fn a_bad_value_is_told_what_is_expected() {
        for text in [
            "greedy:samples=0",
            "greedy:samples=-1",
            "greedy:samples=2.5",
            "greedy:sample-cost=0",
            "greedy:sample-cost=2",
            "greedy:samples",
            "greedy:samples=1,samples=2",
        ] {
            let told = error(text);
            assert!(told.contains("greedy"), "{told}");
        }
    }
}
