//! Files that nobody sees before they are complete.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use tempfile::NamedTempFile;

/// A file in work.
pub enum Draft {
    /// It takes its place beside which it is written.
    File(NamedTempFile, PathBuf),
    /// The content goes to something that cannot be replaced: a device or a pipe.
    Stream(File, PathBuf),
}

impl Draft {
    /// For what is at a path, or is to be. Of a link, that is where it leads to.
    ///
    /// # Errors
    /// If it is a directory, or no file can be made there.
    pub fn of(path: &Path) -> Result<Draft> {
        match fs::metadata(path) {
            Ok(known) if known.is_dir() => bail!("it is a directory"),
            Ok(known) if !known.is_file() || is_descriptor(path) => {
                Ok(Draft::Stream(tempfile::tempfile()?, path.to_owned()))
            }
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error.into()),
            _ => {
                let place = end_of_links(path);
                Ok(Draft::File(beside(&place)?, place))
            }
        }
    }

    /// Returns the file to write to.
    pub fn file(&mut self) -> &mut File {
        match self {
            Draft::File(file, _) => file.as_file_mut(),
            Draft::Stream(file, _) => file,
        }
    }

    /// Puts it in its place.
    ///
    /// # Errors
    /// If that cannot be written.
    pub fn finish(self) -> Result<()> {
        match self {
            Draft::File(file, place) => {
                file.persist(place)?;
            }
            Draft::Stream(mut file, place) => {
                file.rewind()?;
                // Behind what is there: a descriptor may be that of a file.
                io::copy(&mut file, &mut OpenOptions::new().append(true).open(place)?)?;
            }
        }
        Ok(())
    }
}

/// Writes a file at once.
///
/// # Errors
/// As [`Draft::of`] and [`Draft::finish`].
pub fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut draft = Draft::of(path)?;
    draft.file().write_all(bytes)?;
    draft.finish()
}

/// A temporary file in the folder of another.
///
/// # Errors
/// If it cannot be made.
pub fn beside(path: &Path) -> Result<NamedTempFile> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    // The error of the library names the temporary file, which is nobody's concern.
    let plain = |error: io::Error| error.raw_os_error().map_or(error, io::Error::from_raw_os_error);
    Ok(builder.prefix(".kagetsu-").tempfile_in(folder).map_err(plain)?)
}

/// Whether a path leads to what is open already, as `/dev/stdout` does: that may be a file which others write, too.
fn is_descriptor(path: &Path) -> bool {
    let mut place = path.to_owned();
    loop {
        let folder = place.parent().unwrap_or(Path::new("")).to_owned();
        if folder == Path::new("/dev/fd") || folder.starts_with("/proc") && folder.ends_with("fd") {
            return true;
        }
        let Ok(next) = fs::read_link(&place) else { return false };
        place = folder.join(next);
    }
}

/// Follows a path to its target, whether or not it exists. The system has followed the links before, so they end.
fn end_of_links(path: &Path) -> PathBuf {
    let mut place = path.to_owned();
    while let Ok(next) = fs::read_link(&place) {
        place = place.parent().unwrap_or(Path::new("")).join(next);
    }
    place
}
