//! Numbers from outside: the papers' and those derived in advance.
#![expect(clippy::expect_used, reason = "a test that cannot set up has failed")]

mod age_methods;
mod comparison_methods;
mod likelihood;
mod phase;
mod retained;
mod shapes;
mod simulated;
