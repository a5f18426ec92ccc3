//! The watcher over real HTTP on loopback, with clocks that run fast.

mod budget;
mod hostile;
mod pages;
mod sources;
mod support;
mod visits;
