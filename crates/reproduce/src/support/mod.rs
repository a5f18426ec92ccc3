//! What several experiments share.

pub(crate) mod arena;
pub(crate) mod binomial;
pub(crate) mod blind;
pub(crate) mod counting;
pub(crate) mod figures;
pub(crate) mod numbers;
pub(crate) mod visits;
