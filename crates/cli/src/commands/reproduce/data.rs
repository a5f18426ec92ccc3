//! Where the real pages come from.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use recrawl_histories::{Files, Grouping};
use recrawl_reproduce::{COLLECTIONS, Collection, Collections, Experiment, Needs};

/// The tables of one kind, by the name of the file without its ending.
const TABLES: [&str; 3] = ["pages", "updates", "sites"];

/// A file of the sample: its kind and table, and what it holds.
type Carried = (&'static str, &'static str, &'static [u8]);

macro_rules! carried {
    ($kind:literal, $table:literal) => {
        (
            $kind,
            $table,
            include_bytes!(concat!(
                "../../../../../data/sample/",
                $kind,
                "/",
                $table,
                ".parquet"
            )) as &[u8],
        )
    };
}

/// The sample of `data/sample`, carried so that it is there wherever the
/// program runs.
const SAMPLE: [Carried; 9] = [
    carried!("docs", "pages"),
    carried!("docs", "updates"),
    carried!("docs", "sites"),
    carried!("terms", "pages"),
    carried!("terms", "updates"),
    carried!("terms", "sites"),
    carried!("periodic", "pages"),
    carried!("periodic", "updates"),
    carried!("periodic", "sites"),
];

/// Real pages: a folder's, or the sample's.
pub(super) enum Source {
    Folder {
        path: PathBuf,
        files: Vec<(&'static str, Files)>,
        fingerprint: u64,
    },
    Sample,
}

impl Source {
    /// Checks that a folder has what is needed, before anything is made.
    pub(super) fn open(folder: Option<&Path>) -> anyhow::Result<Self> {
        let Some(path) = folder else {
            return Ok(Self::Sample);
        };
        if !path.is_dir() {
            bail!("--data {} is no folder", path.display());
        }
        let mut files = Vec::new();
        let mut hash = Hash::new();
        for kind in COLLECTIONS {
            let found = files_of(path, kind)?;
            for file in [
                Some(&found.pages),
                Some(&found.updates),
                found.sites.as_ref(),
            ] {
                let Some(file) = file else { continue };
                let bytes = std::fs::read(file)
                    .with_context(|| format!("cannot read {}", file.display()))?;
                hash.add(&bytes);
            }
            files.push((kind, found));
        }
        Ok(Self::Folder {
            path: path.to_owned(),
            files,
            fingerprint: hash.0,
        })
    }

    /// The histories, if one of the experiments needs them.
    pub(super) fn read(&self, experiments: &[&Experiment]) -> anyhow::Result<Collections> {
        if experiments.iter().all(|one| one.needs == Needs::Nothing) {
            return Ok(Collections::default());
        }
        match self {
            Self::Folder { files, .. } => read(files),
            Self::Sample => {
                let folder = tempfile::tempdir().context("cannot unpack the sample")?;
                for (kind, table, bytes) in SAMPLE {
                    let into = folder.path().join(kind);
                    std::fs::create_dir_all(&into)?;
                    std::fs::write(into.join(format!("{table}.parquet")), bytes)?;
                }
                let files: Vec<_> = COLLECTIONS
                    .into_iter()
                    .map(|kind| Ok((kind, files_of(folder.path(), kind)?)))
                    .collect::<anyhow::Result<_>>()?;
                read(&files)
            }
        }
    }

    /// What an experiment's data are known by; the same for all that need none.
    pub(super) fn fingerprint_for(&self, experiment: &Experiment) -> String {
        match (experiment.needs, self) {
            (Needs::Nothing, _) => "none".to_owned(),
            (Needs::Histories, Self::Folder { fingerprint, .. }) => format!("{fingerprint:016x}"),
            (Needs::Histories, Self::Sample) => {
                let mut hash = Hash::new();
                for (_, _, bytes) in SAMPLE {
                    hash.add(bytes);
                }
                format!("{:016x}", hash.0)
            }
        }
    }

    /// What the report says about the data. The folder's whole path is nobody
    /// else's business; its last part tells enough.
    pub(super) fn describe(&self) -> String {
        match self {
            Self::Folder {
                path, fingerprint, ..
            } => {
                let name = path.file_name().unwrap_or(path.as_os_str());
                format!(
                    "the real update histories of `{}` (fingerprint {fingerprint:016x})",
                    name.to_string_lossy()
                )
            }
            Self::Sample => "the small sample of real update histories it carries".to_owned(),
        }
    }
}

fn read(files: &[(&'static str, Files)]) -> anyhow::Result<Collections> {
    let mut all = Vec::new();
    for (name, files) in files {
        all.push(Collection {
            name,
            histories: recrawl_histories::read(files, &Grouping::Site)?,
        });
    }
    Ok(Collections { all })
}

/// The tables of one kind in a folder; `sites` may be missing.
fn files_of(folder: &Path, kind: &str) -> anyhow::Result<Files> {
    let inside = folder.join(kind);
    if !inside.is_dir() {
        bail!(
            "--data {} has no folder `{kind}`; it needs {}",
            folder.display(),
            COLLECTIONS.join(", ")
        );
    }
    let [pages, updates, sites] = TABLES.map(|table| {
        ["parquet", "csv"]
            .map(|ending| inside.join(format!("{table}.{ending}")))
            .into_iter()
            .find(|file| file.is_file())
    });
    let needed = |file: Option<PathBuf>, table: &str| {
        file.with_context(|| {
            format!(
                "{} has neither {table}.parquet nor {table}.csv",
                inside.display()
            )
        })
    };
    Ok(Files {
        pages: needed(pages, "pages")?,
        updates: needed(updates, "updates")?,
        sites,
    })
}

/// FNV-1a over all bytes: to see that data are others, not to guard them.
struct Hash(u64);

impl Hash {
    const fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sample_is_small_and_reads() {
        let bytes: usize = SAMPLE.iter().map(|(_, _, bytes)| bytes.len()).sum();
        assert!(bytes < 300_000, "{bytes}");
        let needing: Vec<&Experiment> = recrawl_reproduce::EXPERIMENTS
            .iter()
            .filter(|one| one.needs == Needs::Histories)
            .take(1)
            .collect();
        let data = Source::Sample.read(&needing).expect("readable");
        assert_eq!(data.all.len(), COLLECTIONS.len());
        assert!(data.all.iter().all(|one| !one.histories.is_empty()));
    }
}
