//! The folder that experiments are written to.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use recrawl_reproduce::{EXPERIMENTS, Experiment, Findings, Finished, Row, report};
use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;

use super::record::RowRecord;

/// What an experiment was made from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Stamp {
    pub(super) version: String,
    pub(super) seed: u64,
    pub(super) data: String,
}

/// What is kept of a finished experiment beside its CSV and SVG.
#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    experiment: String,
    made_from: Stamp,
    rows: Vec<Row>,
    notes: Vec<String>,
}

/// Where tables, figures and the report go.
pub(super) struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Checks the path. The folder is made with the first file in it, so that
    /// a run that fails before leaves nothing behind.
    pub(super) fn open(path: &Path) -> anyhow::Result<Self> {
        if path.exists() && !path.is_dir() {
            bail!("--out {} is a file; name a folder", path.display());
        }
        Ok(Self {
            path: path.to_owned(),
        })
    }

    fn file(&self, experiment: &Experiment, ending: &str) -> PathBuf {
        self.path.join(format!("{}.{ending}", experiment.name))
    }

    /// A finished experiment; `None` if it is missing, incomplete or was made
    /// from something else.
    pub(super) fn read(&self, experiment: &Experiment, stamp: &Stamp) -> Option<Finished> {
        let text = std::fs::read_to_string(self.file(experiment, "json")).ok()?;
        let kept: Kept = serde_json::from_str(&text).ok()?;
        let svg = std::fs::read_to_string(self.file(experiment, "svg")).ok()?;
        let complete = self.file(experiment, "csv").is_file() && kept.made_from == *stamp;
        complete.then_some(Finished {
            name: kept.experiment,
            svg,
            rows: kept.rows,
            notes: kept.notes,
        })
    }

    /// Every finished experiment, also of runs before this one.
    pub(super) fn finished(&self, stamp: impl Fn(&Experiment) -> Stamp) -> Vec<Finished> {
        EXPERIMENTS
            .iter()
            .filter_map(|experiment| self.read(experiment, &stamp(experiment)))
            .collect()
    }

    /// Writes an experiment. The JSON comes last: with it the experiment is
    /// finished, however the run ends.
    pub(super) fn write(
        &self,
        experiment: &Experiment,
        findings: &Findings,
        stamp: Stamp,
    ) -> anyhow::Result<()> {
        let kept = Kept {
            experiment: experiment.name.to_owned(),
            made_from: stamp,
            rows: findings.rows.clone(),
            notes: findings.notes.clone(),
        };
        let json = self.file(experiment, "json");
        if json.exists() {
            // From here on it is not finished any more.
            std::fs::remove_file(&json)
                .with_context(|| format!("cannot write {}", json.display()))?;
        }
        put(
            &self.file(experiment, "csv"),
            findings.table.to_csv().as_bytes(),
        )?;
        put(
            &self.file(experiment, "svg"),
            findings.figure.to_svg().as_bytes(),
        )?;
        let mut text = serde_json::to_vec_pretty(&kept)?;
        text.push(b'\n');
        put(&json, &text)
    }

    /// Writes `report.html` and `verdicts.json` over everything finished.
    pub(super) fn write_report(
        &self,
        finished: &[Finished],
        provenance: &str,
    ) -> anyhow::Result<()> {
        let rows: Vec<RowRecord> = finished.iter().flat_map(RowRecord::of).collect();
        let mut text = serde_json::to_vec_pretty(&rows)?;
        text.push(b'\n');
        put(&self.path.join("verdicts.json"), &text)?;
        put(
            &self.path.join("report.html"),
            report(finished, provenance).as_bytes(),
        )
    }
}

/// Puts a file in place once it is complete, with the folders it is in.
fn put(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let cannot = || format!("cannot write {}", path.display());
    let parent = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(parent).with_context(|| format!("cannot make {}", parent.display()))?;
    let mut file = NamedTempFile::new_in(parent).with_context(cannot)?;
    file.write_all(bytes).with_context(cannot)?;
    crate::output::make_readable(file.as_file()).with_context(cannot)?;
    file.persist(path)
        .map_err(|error| error.error)
        .with_context(cannot)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use recrawl_reproduce::{Collections, Scale, Setup, find};

    fn stamp(seed: u64) -> Stamp {
        Stamp {
            version: "1".to_owned(),
            seed,
            data: "none".to_owned(),
        }
    }

    #[test]
    fn what_is_finished_reads_back_unless_it_was_made_from_something_else() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = Folder::open(&place.path().join("new/papers")).expect("made");
        let experiment = find("cho-gm/appendix").expect("known");
        let data = Collections::default();
        let setup = Setup {
            scale: Scale::Small,
            seed: 1,
            data: &data,
        };
        let findings = experiment.findings(&setup).expect("made");
        assert!(folder.read(experiment, &stamp(1)).is_none());
        folder
            .write(experiment, &findings, stamp(1))
            .expect("written");
        let read = folder.read(experiment, &stamp(1)).expect("finished");
        assert_eq!(read.rows, findings.rows);
        assert!(folder.read(experiment, &stamp(2)).is_none());
        std::fs::remove_file(folder.file(experiment, "svg")).expect("removed");
        assert!(folder.read(experiment, &stamp(1)).is_none(), "incomplete");
    }

    #[test]
    fn a_file_is_no_folder() {
        let place = tempfile::tempdir().expect("a folder");
        let file = place.path().join("out");
        std::fs::write(&file, "").expect("written");
        assert!(Folder::open(&file).is_err());
    }
}
