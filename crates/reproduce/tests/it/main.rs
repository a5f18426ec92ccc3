//! Every experiment in a small version, and verdicts that break with their
//! inputs.
#![expect(clippy::expect_used, reason = "a test that cannot set up has failed")]

mod broken;
mod made;
mod small;
