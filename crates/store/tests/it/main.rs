//! The store in a directory against its twin, crashes, damage and time.

#![expect(
    clippy::expect_used,
    reason = "helpers of tests, which clippy does not know as such"
)]

mod crash;
mod damage;
mod format;
mod full_disk;
mod held;
mod histories;
mod place;
mod sealing;
mod support;
mod twins;
