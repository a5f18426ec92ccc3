//! Charts as SVG text, readable without colour.
//!
//! A [`Figure`] holds one or several [`Panel`]s, a panel its [`Series`]. Every
//! series has its own dash pattern, marker and hatching besides its colour; the
//! legend stands below the panels, where no curve runs. Drawing is a pure
//! function: the same figure gives the same bytes.
//!
//! ```
//! use recrawl_chart::{Axis, Figure, Layout, Panel, Series, Stroke};
//!
//! let figure = Figure {
//!     title: "Naive estimator".to_owned(),
//!     subtitle: String::new(),
//!     layout: Layout::Stacked,
//!     panels: vec![Panel {
//!         title: String::new(),
//!         x: Axis::logarithmic("changes per visit", 0.01, 10.0),
//!         y: Axis::linear("mean estimate / truth", 0.0, 1.0),
//!         series: vec![Series::line("naive", Stroke::Solid, vec![(0.01, 0.995), (10.0, 0.1)])],
//!     }],
//! };
//! assert!(figure.to_svg().starts_with("<svg"));
//! ```

mod axis;
mod figure;
mod legend;
mod look;
mod panel;

pub use axis::{Axis, Scale, Tick};
pub use figure::{FONT_FAMILY, Figure, Layout, escape};
pub use look::Stroke;
pub use panel::{Panel, Series, Shape};
