//! The files of a training: its net, and beside it the checkpoint, the log and the plot.
//!
//! Without `--force` a training replaces no net, log or plot that somebody else has put there or edited. The
//! checkpoint has [`Stamps`] of the training's own files. The stamp of new content is saved before the
//! content: a kill between the two leaves the old content or the new one, and both have stamps. The log needs
//! no stamp: it is locked and written in place, so a kill may leave any beginning of it, which is recognised
//! by its text, and a loss of power zeros in place of the rest.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use kagetsu::eval::Net;
use kagetsu::eval::net::file;
use kagetsu_tools::output::{Permit, Stamp, Target, is_same};
use serde::{Deserialize, Serialize};

/// Paths of the files of a training.
pub struct Files {
    pub net: PathBuf,
    pub checkpoint: PathBuf,
    pub log: PathBuf,
    pub plot: PathBuf,
}

impl Files {
    /// Returns the paths of the files of the training of a net.
    pub fn of(net: &Path) -> Files {
        let beside = |extension: &str| {
            let mut name = net.as_os_str().to_owned();
            name.push(".");
            name.push(extension);
            PathBuf::from(name)
        };
        Files {
            net: net.to_owned(),
            checkpoint: beside("checkpoint"),
            log: beside("log"),
            plot: beside("svg"),
        }
    }

    /// Fails if a file that the training writes is one of its games, whatever the names: `--force` would destroy it.
    pub fn refuse_games(&self, games: &[PathBuf]) -> Result<()> {
        let Files { net, checkpoint, log, plot } = self;
        let is_games = |path: &Path| games.iter().any(|games| is_same(games, path));
        match [net, checkpoint, log, plot].into_iter().find(|path| is_games(path)) {
            None => Ok(()),
            Some(path) => bail!(
                "{}: it is one of the files of games: expected another name for the net",
                path.display()
            ),
        }
    }

    /// Fails if the net cannot be written, since that error must not come at the end of a training. Fails too
    /// if files would be replaced and there is no checkpoint that tells whether they belong to this training.
    pub fn check(&self, force: bool) -> Result<()> {
        let Files { net, checkpoint, log, plot } = self;
        Target::new(net, Permit::Own).with_context(|| net.display().to_string())?;
        if force || checkpoint.try_exists().with_context(|| checkpoint.display().to_string())? {
            return Ok(());
        }
        let is_empty = |path: &Path| path.metadata().is_ok_and(|known| known.is_file() && known.len() == 0);
        // A kill may have come between the log and the first checkpoint.
        match [net, log, plot].into_iter().find(|path| path.exists() && !is_empty(path)) {
            None => Ok(()),
            Some(other) => {
                bail!("{}: it exists already: expected a new name for the net, or --force", other.display())
            }
        }
    }
}

/// Contents of the files that a training may replace.
#[derive(Serialize, Deserialize, PartialEq, Clone, Default, Debug)]
pub struct Stamps {
    pub net: Own,
    pub plot: Own,
    /// The log that was there when the training began. The beginnings of its own log need no stamp.
    pub log: Own,
}

impl Stamps {
    /// Returns the stamps of the files that are there when a training begins: they are empty, or `--force` lets the training
    /// replace them.
    pub fn found(files: &Files) -> Result<Stamps> {
        Ok(Stamps { net: Own::at(&files.net)?, plot: Own::at(&files.plot)?, log: Own::at(&files.log)? })
    }

    /// Returns the stamps of the files of an earlier version, which kept none: a net and a plot may be the training's.
    pub fn adopted(files: &Files) -> Result<Stamps> {
        let Stamps { mut net, mut plot, .. } = Stamps::found(files)?;
        net.0.retain(|_| file::read(&files.net).is_ok_and(|bytes| Net::from_bytes(&bytes).is_ok()));
        plot.0.retain(|_| fs::read(&files.plot).is_ok_and(|bytes| bytes.starts_with(b"<svg")));
        Ok(Stamps { net, plot, log: Own::default() })
    }

    /// Fails if somebody else has written a file, or edited it. `log` is the text of the whole log.
    pub fn check(&self, files: &Files, log: &str) -> Result<()> {
        self.net.check(&files.net)?;
        self.plot.check(&files.plot)?;
        if is_beginning(&files.log, log).with_context(|| files.log.display().to_string())? {
            return Ok(());
        }
        self.log.check(&files.log)
    }
}

/// Stamps of the contents with which a file may be replaced.
#[derive(Serialize, Deserialize, PartialEq, Clone, Default, Debug)]
#[serde(transparent)]
pub struct Own(Vec<Stamp>);

impl Own {
    /// Returns the stamp of a file, if there is one. Devices and pipes have no content to lose.
    fn at(path: &Path) -> Result<Own> {
        let stamp = path.is_file().then(|| Stamp::at(path)).transpose();
        let stamp = stamp.with_context(|| path.display().to_string())?;
        Ok(Own(stamp.into_iter().collect()))
    }

    /// Adds the content that the file is about to get.
    pub fn add(&mut self, bytes: &[u8]) {
        let new = Stamp::of(bytes);
        self.0.retain(|&stamp| stamp != new);
        self.0.push(new);
    }

    /// Forgets all contents but that which was added last: the file has it now.
    pub fn settle(&mut self) {
        self.0.drain(..self.0.len().saturating_sub(1));
    }

    /// Fails if the file has another content.
    pub fn check(&self, path: &Path) -> Result<()> {
        if Own::at(path)?.0.iter().all(|found| self.0.contains(found)) {
            return Ok(());
        }
        bail!(
            "{}: somebody else has written or edited it: expected it under another name; then the same \
             command continues the training. --force begins anew and replaces it",
            path.display()
        )
    }
}

/// Returns whether a file has the beginning of a text, or all of it. Zeros at its end do not count: a loss of power leaves
/// them in place of bytes that were never written.
fn is_beginning(path: &Path, text: &str) -> io::Result<bool> {
    // A longer file need not be read.
    if !path.is_file() || path.metadata()?.len() > text.len() as u64 {
        return Ok(false);
    }
    let bytes = fs::read(path)?;
    let written = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    Ok(text.as_bytes().starts_with(&bytes[..written]))
}

#[cfg(test)]
mod tests {
    use kagetsu::disk::faults::{self, Fault};
    use kagetsu::eval::hand;
    use kagetsu::game::RuleKind;

    use super::*;
    use crate::data::Sets;
    use crate::export::tests::options;
    use crate::options::Options;

    /// A training without epochs and games: its net has the first weights.
    fn train(files: &Files, force: bool) -> Result<()> {
        let options = Options { epochs: 0, force, ..options(RuleKind::Standard) };
        crate::training::train(&files.net, &options, &Sets::default())
    }

    /// Returns the error of a training that must not go on.
    fn refusal(files: &Files) -> String {
        train(files, false).unwrap_err().to_string()
    }

    #[test]
    fn files_of_others_stay() {
        let dir = tempfile::tempdir().unwrap();
        let files = Files::of(&dir.path().join("net"));
        train(&files, false).unwrap();
        let net = fs::read(&files.net).unwrap();
        // Nothing has changed.
        train(&files, false).unwrap();
        for path in [&files.net, &files.log, &files.plot] {
            fs::write(path, "somebody's own").unwrap();
            let said = refusal(&files);
            assert!(said.starts_with(&format!("{}: somebody else has", path.display())), "{said}");
            assert_eq!(fs::read(path).unwrap(), b"somebody's own");
            fs::remove_file(path).unwrap();
            train(&files, false).unwrap();
            assert_eq!(fs::read(&files.net).unwrap(), net);
        }
        fs::write(&files.net, "somebody's own").unwrap();
        train(&files, true).unwrap();
        assert_eq!(fs::read(&files.net).unwrap(), net);
    }

    /// The checkpoint of a finished training knows one net: the one before is somebody's again.
    #[test]
    fn a_net_that_was_replaced_by_force_is_replaced_once() {
        let dir = tempfile::tempdir().unwrap();
        let files = Files::of(&dir.path().join("net"));
        fs::write(&files.net, "an older net").unwrap();
        train(&files, true).unwrap();
        train(&files, false).unwrap();
        fs::write(&files.net, "an older net").unwrap();
        assert!(refusal(&files).contains("somebody else has written or edited it"));
        assert_eq!(fs::read(&files.net).unwrap(), b"an older net");
    }

    /// A training with `--force` ends at each step of the disk in turn. The same command without it goes on and replaces what
    /// the first one was to replace.
    #[test]
    fn files_that_a_kill_left_belong_to_the_training() {
        let dir = tempfile::tempdir().unwrap();
        let other = Files::of(&dir.path().join("other"));
        train(&other, false).unwrap();
        let expected = fs::read(&other.net).unwrap();
        let mut continued = 0;
        for step in 1.. {
            let dir = tempfile::tempdir().unwrap();
            let files = Files::of(&dir.path().join("net"));
            for path in [&files.net, &files.log, &files.plot] {
                fs::write(path, "of an older training").unwrap();
            }
            faults::arm(step, Fault::Lasting);
            let trained = train(&files, true);
            faults::disarm();
            // Before the first checkpoint nothing tells whose the files are.
            if files.checkpoint.exists() {
                train(&files, false).unwrap();
                assert!(fs::read(&files.net).unwrap() == expected, "{step}");
                continued += 1;
            } else {
                assert_eq!(fs::read(&files.net).unwrap(), b"of an older training", "{step}");
            }
            if trained.is_ok() {
                break;
            }
        }
        assert!(continued > 4, "{continued}");
    }

    /// The checkpoint of an earlier version has no stamps.
    #[test]
    fn a_net_without_a_stamp_is_the_trainings_own() {
        let dir = tempfile::tempdir().unwrap();
        let files = Files::of(&dir.path().join("net"));
        train(&files, false).unwrap();
        let net = fs::read(&files.net).unwrap();
        let checkpoint = fs::read(&files.checkpoint).unwrap();
        let end = checkpoint.iter().position(|&b| b == b'\n').unwrap();
        let mut head: serde_json::Value = serde_json::from_slice(&checkpoint[..end]).unwrap();
        assert!(head.as_object_mut().unwrap().remove("stamps").is_some());
        let earlier = [head.to_string().as_bytes(), &checkpoint[end..]].concat();
        for (found, is_replaced) in
            [(hand::net(RuleKind::Standard).to_bytes(), true), (b"somebody's own".to_vec(), false)]
        {
            fs::write(&files.checkpoint, &earlier).unwrap();
            fs::write(&files.net, &found).unwrap();
            assert_eq!(train(&files, false).is_ok(), is_replaced);
            let expected = if is_replaced { &net } else { &found };
            assert!(fs::read(&files.net).unwrap() == *expected, "{is_replaced}");
        }
    }

    /// A kill may leave a part of the log, and a loss of power zeros behind it. Whatever else comes behind it or differs from
    /// it is somebody else's.
    #[test]
    fn the_log_is_the_trainings_own_as_far_as_it_was_written() {
        let dir = tempfile::tempdir().unwrap();
        let files = Files::of(&dir.path().join("net"));
        let log = "{\"epoch\":1}\n{\"epoch\":2}\n";
        let check = || Stamps::default().check(&files, log);
        check().unwrap();
        for own in ["", "{\"ep", "{\"epoch\":1}\n", log, "\0\0\0", "{\"ep\0\0", "{\"epoch\":1}\n\0\0"] {
            fs::write(&files.log, own).unwrap();
            assert!(check().is_ok(), "{own}");
        }
        let others = [
            "{\"epoch\":1}\ngood",
            "{\"epoch\":1}\n{\"epoch\":2}\ngood\n",
            "{\"epoch\":2}\n",
            "{\"epoch\":1}\n\0\0good",
        ];
        for other in others {
            fs::write(&files.log, other).unwrap();
            assert!(check().is_err(), "{other}");
            assert!(Stamps::found(&files).unwrap().check(&files, log).is_ok(), "{other}");
        }
    }
}
