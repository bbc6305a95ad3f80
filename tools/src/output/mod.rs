//! Permission to write: the one decision for every file that a command makes ([`Target`]); and drafts, by
//! which a file appears in its place only when it is complete ([`draft`]).
//!
//! A new file may be made. A file that exists stays as it is unless `force` is given, it is unchanged since the caller wrote
//! it ([`Stamp`]), or it belongs to the work in progress ([`Permit::Own`]). A replacement keeps the mode and, where that is
//! permitted, owner and group; symbolic links are followed. Otherwise a file with several names (hard links) is refused;
//! with `force` it is written in place, and [`Written::InPlace`] says so. Devices, pipes and open descriptors
//! (`/dev/stdout`) are appended to.

mod draft;

use std::fs::{self, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use kagetsu::disk;

pub use draft::{Draft, remove_named_drafts};

/// Reason why nothing is written.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Something has this name.
    #[error("it exists already")]
    Exists,
    /// The file was written by the same work and has been changed by somebody since.
    #[error("it exists already, and was changed since it was written")]
    Changed,
    /// It is a directory.
    #[error("it is a directory")]
    Directory,
    /// The folder that the file is to be in does not exist.
    #[error("the folder {} does not exist", .0.display())]
    NoFolder(PathBuf),
    /// The file has several names, and a replacement would keep only this one.
    #[error("it exists already, and has {0} names (hard links)")]
    Links(u64),
    /// Reading or writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl Error {
    /// Returns whether `force` would have allowed it.
    pub fn yields_to_force(&self) -> bool {
        matches!(self, Error::Exists | Error::Changed | Error::Links(_))
    }
}

/// The way a file was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Written {
    /// It appeared at once, whole.
    Whole,
    /// It has several names, so that its content was exchanged byte by byte: an interruption leaves a part.
    InPlace,
    /// It went to a device, a pipe or a descriptor.
    Stream,
}

/// Fingerprint of a file when it was written: its length and the CRC-32 of its bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Stamp {
    /// Bytes.
    pub len: u64,
    /// CRC-32 of them all.
    pub crc: u32,
}

impl Stamp {
    /// Returns the stamp of these bytes.
    pub fn of(bytes: &[u8]) -> Stamp {
        Stamp { len: bytes.len() as u64, crc: crc32fast::hash(bytes) }
    }

    /// Returns the stamp of a file.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn at(path: &Path) -> io::Result<Stamp> {
        let (mut file, mut stamper) = (fs::File::open(path)?, Stamper::default());
        io::copy(&mut file, &mut stamper)?;
        Ok(stamper.stamp())
    }

    /// Returns whether a file has the content of which the stamp was made. A file of another length is not read.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn is_of(self, path: &Path) -> io::Result<bool> {
        Ok(fs::metadata(path)?.len() == self.len && Stamp::at(path)? == self)
    }
}

/// Makes the stamp of what is written to it.
#[derive(Default)]
pub struct Stamper {
    len: u64,
    crc: crc32fast::Hasher,
}

impl Stamper {
    /// Returns the stamp.
    pub fn stamp(self) -> Stamp {
        Stamp { len: self.len, crc: self.crc.finalize() }
    }
}

impl Write for Stamper {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.len += bytes.len() as u64;
        self.crc.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Permission to replace an existing file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Permit {
    /// Never replace.
    #[default]
    New,
    /// Replace a file written by the same work, if nobody has changed it since.
    Unchanged(Stamp),
    /// Replace a file of the work that is going on. If it has several names, the others keep the old content: they may be
    /// somebody's backup.
    Own,
    /// Anything: somebody has asked for it.
    Force,
}

impl Permit {
    /// Anything with `force`, else nothing.
    pub fn force(force: bool) -> Permit {
        if force { Permit::Force } else { Permit::New }
    }
}

/// Destination of the bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Destination {
    /// A new file: the name is free.
    New(PathBuf),
    /// An existing file with this one name.
    Old(PathBuf),
    /// A file of several names.
    Linked(PathBuf),
    /// A device, a pipe or an open descriptor: written directly, not replaced.
    Stream(PathBuf),
}

/// A file that may be written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    place: Destination,
    permit: Permit,
}

impl Target {
    /// Decides whether a path may be written to. Call this before the work whose result goes there; it writes nothing
    /// yet.
    ///
    /// # Errors
    /// If the path must not be written to, or its state cannot be read.
    pub fn new(path: &Path, permit: Permit) -> Result<Target, Error> {
        let known = match fs::metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let place = end_of_links(path);
                check_folder(&place)?;
                return Ok(Target { place: Destination::New(place), permit });
            }
            known => known?,
        };
        if known.is_dir() {
            return Err(Error::Directory);
        }
        if is_stream(path) {
            return Ok(Target { place: Destination::Stream(path.to_owned()), permit });
        }
        let place = end_of_links(path);
        match (permit, links(&place, &known)?) {
            (Permit::New, 0..=1) => Err(Error::Exists),
            (Permit::Unchanged(stamp), 0..=1) if !stamp.is_of(&place)? => Err(Error::Changed),
            (Permit::New | Permit::Unchanged(_), links @ 2..) => Err(Error::Links(links)),
            (Permit::Force, 2..) => Ok(Target { place: Destination::Linked(place), permit }),
            _ => Ok(Target { place: Destination::Old(place), permit }),
        }
    }

    /// Begins to write. The file is invisible until [`Draft::finish`].
    ///
    /// # Errors
    /// If no file can be made there.
    pub fn draft(&self) -> Result<Draft, Error> {
        Draft::new(self.place.clone(), self.permit)
    }

    /// Writes everything.
    ///
    /// # Errors
    /// If it cannot be written, or the file there has changed so that it must not be replaced.
    pub fn write(&self, bytes: &[u8]) -> Result<Written, Error> {
        let mut draft = self.draft()?;
        draft.file().write_all(bytes)?;
        draft.finish()
    }
}

/// Decides and writes at once.
///
/// # Errors
/// The errors of [`Target::new`] and [`Target::write`].
pub fn write(path: &Path, bytes: &[u8], permit: Permit) -> Result<Written, Error> {
    Target::new(path, permit)?.write(bytes)
}

/// Passes on the result of writing to standard output, unless whoever read it has seen enough (`| head`).
///
/// # Errors
/// If the output could not be written for another reason.
pub fn unless_unread(written: io::Result<()>) -> anyhow::Result<()> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written.context("cannot write to standard output"),
    }
}

/// Returns the path of a file without links and dots: two names may stand for one file. It need not exist, and a link may
/// lead to where it is to be.
pub fn resolved(path: &Path) -> PathBuf {
    let beside = || {
        let place = end_of_links(path);
        Some(folder(&place).canonicalize().ok()?.join(place.file_name()?))
    };
    path.canonicalize().ok().or_else(beside).unwrap_or_else(|| path.to_owned())
}

/// Returns whether two paths lead to one file: by links and dots, or because it has both names (hard links).
pub fn is_same(one: &Path, other: &Path) -> bool {
    resolved(one) == resolved(other) || identity(one).is_some_and(|file| identity(other) == Some(file))
}

/// Returns the device or volume of a file that exists, and its number there: together they identify it.
#[cfg(unix)]
fn identity(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;

    let known = fs::metadata(path).ok()?;
    Some((known.dev(), known.ino()))
}

#[cfg(windows)]
fn identity(path: &Path) -> Option<(u64, u64)> {
    use winapi_util::{Handle, file};

    let known = file::information(Handle::from_path(path).ok()?).ok()?;
    Some((known.volume_serial_number(), known.file_index()))
}

#[cfg(not(any(unix, windows)))]
fn identity(_: &Path) -> Option<(u64, u64)> {
    None
}

/// Checks that the folder exists, before the work begins.
fn check_folder(path: &Path) -> Result<(), Error> {
    match fs::metadata(folder(path)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Err(Error::NoFolder(folder(path).to_owned()))
        }
        known => Ok(known.map(|_| ())?),
    }
}

/// The folder of a path.
fn folder(path: &Path) -> &Path {
    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Returns the number of names that a file has (hard links).
#[cfg(unix)]
fn links(_: &Path, known: &Metadata) -> io::Result<u64> {
    Ok(std::os::unix::fs::MetadataExt::nlink(known))
}

#[cfg(windows)]
fn links(path: &Path, _: &Metadata) -> io::Result<u64> {
    use winapi_util::{Handle, file};

    Ok(file::information(Handle::from_path(path)?)?.number_of_links())
}

#[cfg(not(any(unix, windows)))]
fn links(_: &Path, _: &Metadata) -> io::Result<u64> {
    Ok(1)
}

/// Returns whether a path leads to a device, a pipe or an open descriptor: what is written there is appended to it.
pub fn is_stream(path: &Path) -> bool {
    // Links in a circle have no metadata, and following them would not end.
    fs::metadata(path).is_ok_and(|known| !known.is_dir() && (!known.is_file() || is_descriptor(path)))
}

/// Returns whether a path leads to an open descriptor, as `/dev/stdout` does. It may be a file to which others write
/// too.
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

/// Follows links to the file that a path leads to, whether or not it exists. Links in a circle end somewhere on it.
fn end_of_links(path: &Path) -> PathBuf {
    const MOST: usize = 64;
    let mut place = path.to_owned();
    for _ in 0..MOST {
        let Ok(next) = fs::read_link(&place) else { break };
        place = place.parent().unwrap_or(Path::new("")).join(next);
    }
    place
}

#[cfg(test)]
mod tests;
