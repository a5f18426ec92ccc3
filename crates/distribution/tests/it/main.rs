//! Numbers from outside: the papers' and those derived in advance.

mod age_methods;
mod comparison_methods;
mod likelihood;
mod phase;
mod retained;
mod shapes;
mod simulated;
