//! SVG to PNG with a font of our own.

use std::sync::Arc;

use anyhow::{Context, anyhow};
use recrawl_chart::FONT_FAMILY;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};

/// Pixels for one unit of the drawing: sharp on a dense screen.
const DENSITY: f32 = 2.0;

/// Draws `svg` as PNG. System fonts are never looked at: the picture is the
/// same everywhere, also where there are none.
pub(super) fn render(svg: &str) -> anyhow::Result<Vec<u8>> {
    let mut fonts = fontdb::Database::new();
    fonts.load_font_data(dejavu::sans::regular().to_vec());
    fonts.load_font_data(dejavu::sans::bold().to_vec());
    fonts.set_sans_serif_family(FONT_FAMILY);
    let options = Options {
        font_family: FONT_FAMILY.to_owned(),
        fontdb: Arc::new(fonts),
        ..Options::default()
    };
    let tree = Tree::from_str(svg, &options).context("the drawing is not valid SVG")?;
    let size = tree.size().to_int_size();
    let scaled = |length: u32| (length as f32 * DENSITY) as u32;
    let mut pixels = Pixmap::new(scaled(size.width()), scaled(size.height()))
        .ok_or_else(|| anyhow!("a picture of no size"))?;
    resvg::render(
        &tree,
        Transform::from_scale(DENSITY, DENSITY),
        &mut pixels.as_mut(),
    );
    pixels.encode_png().context("cannot encode the picture")
}

#[cfg(test)]
mod tests {
    use super::*;
    use recrawl_chart::{Figure, Layout};

    #[test]
    fn the_drawing_becomes_a_png_with_its_text_in_our_own_font() {
        let titled = |title: &str| Figure {
            title: title.to_owned(),
            subtitle: String::new(),
            layout: Layout::Stacked,
            panels: Vec::new(),
        };
        let png = render(&titled("ages and lifetimes").to_svg()).expect("a picture");
        assert!(png.starts_with(b"\x89PNG"));
        // Text leaves dark pixels: without glyphs the title line would be bare.
        let without = render(&titled("").to_svg()).expect("a picture");
        assert!(png.len() > without.len() + 500);
    }
}
