//! Recrawl sources: URL lists, sitemaps and feeds to pages with hints.
