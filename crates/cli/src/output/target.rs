//! Where an answer goes and in which shape.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde::Serialize;
use tempfile::NamedTempFile;

use super::{Columns, RecordWriter};
use crate::args::{OutputArgs, OutputFormat};

/// The shape an answer is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    Table,
    Json,
    Ndjson,
    Csv,
    Parquet,
}

impl Shape {
    /// Whether records keep their structure; the other shapes are flat.
    pub(crate) const fn is_nested(self) -> bool {
        matches!(self, Self::Json | Self::Ndjson)
    }
}

/// Standard output, or a file that appears only once it is complete.
pub(crate) enum Target {
    Stdout(BufWriter<io::Stdout>),
    File {
        writer: BufWriter<NamedTempFile>,
        path: PathBuf,
    },
}

/// An answer about to be written.
pub(crate) struct Output {
    shape: Shape,
    target: Target,
}

impl Output {
    /// Checks the arguments and opens the target. Called before the work
    /// starts, so that a bad path is told at once.
    pub(crate) fn open(args: &OutputArgs) -> anyhow::Result<Self> {
        let shape = shape(args)?;
        let target = match &args.output {
            None => Target::Stdout(BufWriter::new(io::stdout())),
            Some(path) => Target::create(path)?,
        };
        Ok(Self { shape, target })
    }

    pub(crate) const fn shape(&self) -> Shape {
        self.shape
    }

    /// Writes one document and puts it where it belongs; for nested shapes.
    pub(crate) fn document(mut self, value: &impl Serialize) -> anyhow::Result<()> {
        if self.shape == Shape::Ndjson {
            serde_json::to_writer(&mut self.target, value)?;
        } else {
            serde_json::to_writer_pretty(&mut self.target, value)?;
        }
        self.target.write_all(b"\n")?;
        self.target.finish()
    }

    /// Writes text as it is, in front of records or in place of them; for
    /// tables.
    pub(crate) fn text(&mut self, text: &str) -> anyhow::Result<()> {
        Ok(self.target.write_all(text.as_bytes())?)
    }

    /// Puts text where it belongs; for answers without records.
    pub(crate) fn finish(self) -> anyhow::Result<()> {
        self.target.finish()
    }

    /// Writes records one after the other, in whatever shape was asked for.
    pub(crate) fn records<R: Serialize + Sync>(
        self,
        columns: Columns<R>,
    ) -> anyhow::Result<RecordWriter<R>> {
        RecordWriter::begin(self.shape, self.target, columns)
    }
}

fn shape(args: &OutputArgs) -> anyhow::Result<Shape> {
    if let Some(format) = args.format {
        return Ok(match format {
            OutputFormat::Table => Shape::Table,
            OutputFormat::Json => Shape::Json,
            OutputFormat::Ndjson => Shape::Ndjson,
            OutputFormat::Csv => Shape::Csv,
        });
    }
    let Some(path) = &args.output else {
        return Ok(Shape::Table);
    };
    Ok(
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("json") => Shape::Json,
            Some("ndjson" | "jsonl") => Shape::Ndjson,
            Some("csv") => Shape::Csv,
            Some("parquet") => Shape::Parquet,
            Some("txt") => Shape::Table,
            _ => bail!(
                "{}: its extension tells no format; end it in .json, .ndjson, .csv, .parquet or .txt, or say --format",
                path.display()
            ),
        },
    )
}

impl Target {
    fn create(path: &Path) -> anyhow::Result<Self> {
        if path.is_dir() {
            bail!("{} is a directory; name a file", path.display());
        }
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        if !folder.is_dir() {
            bail!(
                "cannot write {}: there is no folder {}",
                path.display(),
                folder.display()
            );
        }
        let file = NamedTempFile::new_in(folder)
            .with_context(|| format!("cannot write in {}", folder.display()))?;
        Ok(Self::File {
            writer: BufWriter::with_capacity(1 << 20, file),
            path: path.to_owned(),
        })
    }

    /// Puts everything where it belongs.
    pub(crate) fn finish(self) -> anyhow::Result<()> {
        match self {
            Self::Stdout(mut writer) => writer.flush()?,
            Self::File { writer, path } => {
                let file = writer
                    .into_inner()
                    .map_err(io::IntoInnerError::into_error)?;
                make_readable(file.as_file())?;
                file.persist(&path)
                    .map_err(|error| error.error)
                    .with_context(|| format!("cannot write {}", path.display()))?;
            }
        }
        Ok(())
    }
}

/// Temporary files are private; an answer has the rights of any new file.
pub(crate) fn make_readable(file: &File) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        file.set_permissions(std::fs::Permissions::from_mode(0o644))?;
    }
    #[cfg(not(unix))]
    let _ = file;
    Ok(())
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stdout(writer) => writer.write(bytes),
            Self::File { writer, .. } => writer.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stdout(writer) => writer.flush(),
            Self::File { writer, .. } => writer.flush(),
        }
    }
}
