//! The watcher over real HTTP on loopback, with clocks that run fast.

#[cfg(test)]
mod budget;
#[cfg(test)]
mod commands;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod pages;
#[cfg(test)]
mod sources;
#[cfg(test)]
mod support;
#[cfg(test)]
mod visits;
