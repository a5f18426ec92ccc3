//! Numbers from outside: the papers' and those derived in advance.

mod explore;
mod simulated;
