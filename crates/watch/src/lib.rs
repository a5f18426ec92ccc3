//! Recrawl live driver: the engine on real pages.
