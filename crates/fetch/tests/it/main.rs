//! The fetcher against scripted and hostile servers on loopback.

#[cfg(test)]
mod guard;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod ordinary;
#[cfg(test)]
mod redirects;
#[cfg(test)]
mod robots;
#[cfg(test)]
mod support;
#[cfg(test)]
mod tls;
