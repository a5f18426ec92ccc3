//! Recrawl detection: two responses to changed, unchanged or unknown.
