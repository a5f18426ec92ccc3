//! Recrawl fetching: one bounded, polite, conditional request.
