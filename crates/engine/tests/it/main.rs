//! The engine against scripted worlds and random drivers.

#[cfg(test)]
mod budget;
#[cfg(test)]
mod hints;
#[cfg(test)]
mod laws;
#[cfg(test)]
mod memory;
#[cfg(test)]
mod neighbours;
#[cfg(test)]
mod plan;
#[cfg(test)]
mod policies;
#[cfg(test)]
mod replay;
#[cfg(test)]
mod silence;
#[cfg(test)]
mod spells;
#[cfg(test)]
mod ways;
#[cfg(test)]
mod world;
