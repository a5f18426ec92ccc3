//! Recrawl test servers: scripted and hostile.
