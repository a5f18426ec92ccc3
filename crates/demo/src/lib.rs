//! Recrawl demo: a synthetic web on loopback and the watcher on it.
