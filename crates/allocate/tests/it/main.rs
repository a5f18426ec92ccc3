//! The laws of the optimum, whatever the measure.

mod extremes;
mod optimality;
mod reference;
mod replan;
mod sites;
mod support;
