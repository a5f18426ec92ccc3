//! What every estimator promises, checked from outside.

#[cfg(test)]
mod coverage;
#[cfg(test)]
mod laws;
#[cfg(test)]
mod support;
