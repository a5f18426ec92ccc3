//! What every estimator promises, checked from outside.

mod coverage;
mod laws;
mod support;
