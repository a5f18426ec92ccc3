//! Recrawl store: pages, visits and versions in one directory, nothing lost.
