//! The API over real HTTP on loopback, with a store in memory.

#[cfg(test)]
mod access;
#[cfg(test)]
mod live;
#[cfg(test)]
mod page;
#[cfg(test)]
mod pages;
#[cfg(test)]
mod scheduler;
#[cfg(test)]
mod support;
