//! The laws of the optimum, whatever the measure.

#[cfg(test)]
mod extremes;
#[cfg(test)]
mod optimality;
#[cfg(test)]
mod reference;
#[cfg(test)]
mod replan;
#[cfg(test)]
mod sites;
#[cfg(test)]
mod support;
