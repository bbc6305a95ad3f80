//! Stamps of the lists that a run writes into its directory: by them it tells its own lists from those that somebody has
//! edited since.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use crate::output::{Error, Permit, Stamp, Stamper, Target, write};
use crate::{limits, untrusted};

/// Bytes of a list that are collected before they are written.
const BUFFER: usize = 1 << 16;
/// File of the stamps.
pub const FILE: &str = "stamps.json";

/// Stamps by the name of the list. A list that is being replaced has two: a kill leaves the old one or the new one.
#[derive(Default, Serialize, Deserialize)]
#[serde(transparent)]
struct Stamps(BTreeMap<String, Vec<Stamp>>);

/// Writes a list of a run into its directory, and returns its path. It replaces what the run has written last. A list
/// without a stamp, of a version that kept none, is replaced if `is_own` finds nothing else in it than the run has.
///
/// # Errors
/// If somebody else has made or edited the list, which stays as it is, or it cannot be written.
pub fn write_list(
    directory: &Path,
    name: &str,
    text: &str,
    is_own: impl FnOnce(&str) -> bool,
) -> Result<PathBuf> {
    write_list_by(directory, name, &|out| Ok(out.write_all(text.as_bytes())?), is_own)
}

/// Writes a list of a run as [`write_list`] does, but piece by piece. `content` writes it, twice, and the
/// same each time.
///
/// # Errors
/// The errors of [`write_list`], and those of `content`.
pub fn write_list_by(
    directory: &Path,
    name: &str,
    content: &dyn Fn(&mut dyn Write) -> Result<()>,
    is_own: impl FnOnce(&str) -> bool,
) -> Result<PathBuf> {
    let path = directory.join(name);
    let cannot = || format!("cannot write {}", path.display());
    let mut stamps = Stamps::read(directory)?;
    let mut stamper = Stamper::default();
    content(&mut stamper)?;
    let new = stamper.stamp();
    if !stamps.0.contains_key(name) {
        stamps.adopt(&path, name, is_own);
    }
    let permit = match stamps.permit(&path, name, new) {
        Err(Error::Changed) => bail!(
            "{}: it was edited since the run wrote it; expected it under another name: then --resume {} writes the list \
             again",
            cannot(),
            directory.display()
        ),
        permit => permit.with_context(cannot)?,
    };
    let old = if let Permit::Unchanged(old) = permit { Some(old) } else { None };
    let both: Vec<Stamp> = old.filter(|&old| old != new).into_iter().chain([new]).collect();
    // The new stamp comes first: if it came after the list, a kill between them would make the list look edited.
    if stamps.0.insert(name.to_owned(), both.clone()) != Some(both) {
        stamps.write(directory)?;
    }
    write_by(&path, content, permit).with_context(cannot)?;
    Ok(path)
}

/// Writes a file piece by piece. It appears when it is whole.
fn write_by(path: &Path, content: &dyn Fn(&mut dyn Write) -> Result<()>, permit: Permit) -> Result<()> {
    let mut draft = Target::new(path, permit)?.draft()?;
    let mut out = BufWriter::with_capacity(BUFFER, draft.file());
    content(&mut out)?;
    out.flush()?;
    drop(out);
    draft.finish()?;
    Ok(())
}

/// A list of a run.
pub struct List {
    /// Name of its file.
    pub name: &'static str,
    /// Two lines that say what it is.
    pub head: [String; 2],
    /// The entries, one a line.
    pub entries: Vec<String>,
}

impl List {
    /// Returns the content of the file.
    pub fn text(&self) -> String {
        let head = self.head.iter().map(|line| format!("# {}\n", untrusted::line(line)));
        head.chain(self.entries.iter().map(|entry| format!("{entry}\n"))).collect()
    }
}

/// Returns whether the text of a [`List`] has a head and then the first entries of a longer one, and nothing else. Heads
/// depend on the length of the list and on the version.
pub fn is_beginning(list: &str, longer: &str) -> bool {
    let body = |text: &str| -> Option<String> {
        let mut lines = text.split_inclusive('\n');
        let has_head = lines.by_ref().take(2).all(|line| line.starts_with("# "));
        has_head.then(|| lines.collect())
    };
    let is_whole = list.is_empty() || list.ends_with('\n');
    is_whole && body(list).zip(body(longer)).is_some_and(|(list, longer)| longer.starts_with(&list))
}

impl Stamps {
    /// Reads the stamps of a directory; none if it has no file of them.
    fn read(directory: &Path) -> Result<Stamps> {
        let path = directory.join(FILE);
        let file = match fs::File::open(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Stamps::default()),
            file => file,
        };
        let text = file.and_then(|file| limits::read_text(file, limits::FILE));
        let text = text.with_context(|| format!("cannot read {}", path.display()))?;
        serde_json::from_str(&text)
            .with_context(|| format!("{}: expected the stamps of the lists beside it", path.display()))
    }

    fn write(&self, directory: &Path) -> Result<()> {
        let path = directory.join(FILE);
        let text = serde_json::to_string_pretty(self)?;
        // Only this module writes it, and `read` has read it.
        write(&path, text.as_bytes(), Permit::Force)
            .with_context(|| format!("cannot write {}", path.display()))?;
        Ok(())
    }

    /// Takes a list without a stamp for the run's own if `is_own` does.
    fn adopt(&mut self, path: &Path, name: &str, is_own: impl FnOnce(&str) -> bool) {
        let text = fs::File::open(path).and_then(|file| limits::read_text(file, limits::FILE));
        if let Some(text) = text.ok().filter(|text| is_own(text)) {
            self.0.insert(name.to_owned(), vec![Stamp::of(text.as_bytes())]);
        }
    }

    /// Returns the permission to write a list, if it is new or has one of its stamps or that of the text to write.
    fn permit(&self, path: &Path, name: &str, new: Stamp) -> Result<Permit, Error> {
        let known = self.0.get(name).into_iter().flatten().copied().chain([new]);
        for permit in known.map(Permit::Unchanged) {
            match Target::new(path, permit) {
                Err(Error::Changed) => {}
                target => return target.map(|_| permit),
            }
        }
        Err(Error::Changed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes a list whose earlier form, without a stamp, was "old".
    fn write_text(directory: &Path, text: &str) -> Result<PathBuf> {
        write_list(directory, "list.txt", text, |text| text == "old")
    }

    #[test]
    fn an_edited_list_stays_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let (folder, list) = (folder.path(), folder.path().join("list.txt"));
        for text in ["one", "one and two", "one and two", "one"] {
            assert_eq!(write_text(folder, text).unwrap(), list);
            assert_eq!(fs::read_to_string(&list).unwrap(), text);
        }
        fs::write(&list, "one, and a remark").unwrap();
        let error = write_text(folder, "one and two").unwrap_err().to_string();
        assert!(error.contains("list.txt: it was edited since the run wrote it; expected "), "{error}");
        assert_eq!(fs::read_to_string(&list).unwrap(), "one, and a remark");
        fs::remove_file(&list).unwrap();
        write_text(folder, "one and two").unwrap();
        assert_eq!(fs::read_to_string(&list).unwrap(), "one and two");
    }

    /// The list is longer than what is collected before it is written.
    #[test]
    fn a_list_is_written_piece_by_piece() {
        let folder = tempfile::tempdir().unwrap();
        let line = |number: usize| format!("line {number}\n");
        let text = |count: usize| (0..count).map(line).collect::<String>();
        let write = |count: usize| {
            let pieces: Vec<String> = (0..count).map(line).collect();
            write_list_by(
                folder.path(),
                "list.txt",
                &|out| Ok(pieces.iter().try_for_each(|piece| out.write_all(piece.as_bytes()))?),
                |_| false,
            )
        };
        assert!(text(9_000).len() > BUFFER);
        for count in [9_000, 9_001] {
            let path = write(count).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text(count));
        }
        // A list written in pieces has the same stamp as one written at once.
        write_text(folder.path(), "short").unwrap();
        write(3).unwrap();
        // If the content fails, the old list stays.
        let failed = write_list_by(folder.path(), "list.txt", &|_| bail!("no content"), |_| true);
        assert_eq!(failed.unwrap_err().to_string(), "no content");
        assert_eq!(fs::read_to_string(folder.path().join("list.txt")).unwrap(), text(3));
    }

    #[test]
    fn a_list_without_a_stamp_is_replaced_if_it_is_the_runs_own() {
        for (before, is_replaced) in [("old", true), ("new", true), ("other", false)] {
            let folder = tempfile::tempdir().unwrap();
            fs::write(folder.path().join("list.txt"), before).unwrap();
            assert_eq!(write_text(folder.path(), "new").is_ok(), is_replaced, "{before}");
        }
    }

    #[test]
    fn a_shorter_list_has_nothing_else() {
        let longer = "# 3 openings\n# settings\nh8\nh8h9\nh8i9\n";
        for own in ["# 3 openings\n# settings\nh8\nh8h9\nh8i9\n", "# 1 opening\n# other\nh8\n", "# a\n# b\n"]
        {
            assert!(is_beginning(own, longer), "{own}");
        }
        let remark = "# 3 openings\n# settings\n# good ones\nh8\n";
        for other in [remark, "h8\nh8h9\n", "# a\n# b\nh8h9\n", "# a\n# b\nh8\nh8", "# a\n# b\nh8\nh8 !\n"] {
            assert!(!is_beginning(other, longer), "{other}");
        }
    }

    /// The run ends after each step of the disk in turn.
    #[test]
    fn a_list_that_a_kill_left_is_the_runs_own() {
        use kagetsu::disk::faults::{self, Fault};

        for step in 1.. {
            let folder = tempfile::tempdir().unwrap();
            write_text(folder.path(), "one").unwrap();
            faults::arm(step, Fault::Lasting);
            let written = write_text(folder.path(), "two");
            faults::disarm();
            write_text(folder.path(), "three").unwrap();
            if written.is_ok() {
                assert!(step > 4, "{step}");
                break;
            }
        }
    }
}
