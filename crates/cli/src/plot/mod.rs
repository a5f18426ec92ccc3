//! Charts as SVG or PNG files. PNG is drawn from the SVG with a font the
//! program carries, so that it looks the same on a machine without any.

mod raster;

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use recrawl_chart::Figure;
use tempfile::NamedTempFile;

/// A file a chart will be written to; its ending says how.
#[derive(Debug, Clone)]
pub(crate) struct PlotFile {
    path: PathBuf,
    raster: bool,
}

impl PlotFile {
    /// Checks the name, before any work is done for it.
    pub(crate) fn new(path: &Path) -> anyhow::Result<Self> {
        let ending = path.extension().and_then(|ending| ending.to_str());
        let raster = match ending.map(str::to_ascii_lowercase).as_deref() {
            Some("svg") => false,
            Some("png") => true,
            _ => bail!(
                "--plot {}: the file's ending must be .svg or .png",
                path.display()
            ),
        };
        if path.is_dir() {
            bail!("--plot {} is a directory; name a file", path.display());
        }
        let folder = folder(path);
        if !folder.is_dir() {
            bail!(
                "--plot {}: there is no folder {}",
                path.display(),
                folder.display()
            );
        }
        Ok(Self {
            path: path.to_owned(),
            raster,
        })
    }

    /// Draws a figure and puts it in place once it is complete.
    pub(crate) fn write(&self, figure: &Figure) -> anyhow::Result<()> {
        let text = figure.to_svg();
        let bytes = if self.raster {
            raster::render(&text)?
        } else {
            text.into_bytes()
        };
        let cannot = || format!("cannot write {}", self.path.display());
        let mut file = NamedTempFile::new_in(folder(&self.path)).with_context(cannot)?;
        file.write_all(&bytes).with_context(cannot)?;
        crate::output::make_readable(file.as_file()).with_context(cannot)?;
        file.persist(&self.path)
            .map_err(|error| error.error)
            .with_context(cannot)?;
        Ok(())
    }
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_tells_no_format_is_refused() {
        for name in ["tails", "tails.pdf", "no-such-folder/tails.svg"] {
            assert!(PlotFile::new(Path::new(name)).is_err(), "{name}");
        }
        assert!(PlotFile::new(Path::new("tails.PNG")).is_ok());
    }
}
