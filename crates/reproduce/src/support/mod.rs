//! What several experiments share.

pub(crate) mod binomial;
pub(crate) mod numbers;
pub(crate) mod visits;
