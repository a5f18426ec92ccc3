//! From two responses to changed, unchanged or unknown.
//!
//! A [`Detector`] is made once from [`Settings`]. It turns a [`Body`] into a
//! [`Memory`], a few hundred bytes of fingerprints, and compares later bodies
//! with it. Nothing here reads a clock, a file or the network.
//!
//! A page that shows a clock, a counter or an advertisement differs at every
//! visit and yet says nothing new. Two fetches seconds apart show which parts
//! differ by themselves; [`Detector::learn_noise`] masks those until they settle.
//!
//! ```
//! use recrawl_detect::{Body, Detector, Settings};
//! use recrawl_model::Outcome;
//!
//! let page = |visitors: u32, news: &str| {
//!     format!("<h1>Mill Lane</h1><p>{news}</p><p>Visitors today: {visitors}</p>")
//! };
//! let html = |text: &str| -> Vec<u8> { text.as_bytes().to_vec() };
//! let detector = Detector::new(&Settings::default())?;
//!
//! let first = html(&page(1041, "Nothing new"));
//! let first = Body::new(&first, Some("text/html"));
//! let memory = detector.first(&first)?;
//! let again = html(&page(1042, "Nothing new")); // a second later
//! let memory = detector.learn_noise(&memory, &first, &Body::new(&again, Some("text/html")));
//!
//! let later = html(&page(1977, "Nothing new"));
//! let finding = detector.compare(&memory, &Body::new(&later, Some("text/html")));
//! assert_eq!(finding.outcome, Outcome::Unchanged);
//!
//! let news = html(&page(2013, "Shop closed on Monday"));
//! let finding = detector.compare(&finding.memory, &Body::new(&news, Some("text/html")));
//! assert_eq!(finding.outcome, Outcome::Changed);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod body;
mod codec;
mod detector;
mod diff;
mod document;
mod encoding;
mod feed;
mod finding;
mod html;
mod json;
mod kind;
mod lines;
mod mask;
mod memory;
mod page;
mod settings;
mod words;

pub use body::{Body, Unreadable};
pub use codec::MemoryError;
pub use detector::Detector;
pub use diff::Diff;
pub use finding::{Finding, Levels};
pub use memory::Memory;
pub use settings::{Level, Settings, SettingsError};
