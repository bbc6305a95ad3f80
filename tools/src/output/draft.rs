//! Files that stay invisible until they are complete.
//!
//! On Linux a draft has no name at all (`O_TMPFILE`), so that a kill leaves nothing of it. Elsewhere, and on file
//! systems that cannot do that, it is a hidden file beside its place. Code that ends the process early calls
//! [`remove_named_drafts`].

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use tempfile::{NamedTempFile, TempPath};

use super::{Destination, Error, Permit, Target, Written, disk, folder};

/// Prefix of a draft's name, where it has one.
const PREFIX: &str = ".kagetsu-";

/// Drafts of this process that have names.
static NAMED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Removes the drafts that have names, when the process ends without dropping them.
pub fn remove_named_drafts() {
    let mut named = NAMED.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    for path in std::mem::take(&mut *named) {
        // The process is ending: an error could not be reported.
        let _ = fs::remove_file(path);
    }
}

/// The name of a draft. The file is removed when this is dropped.
struct Name(Option<TempPath>);

impl Name {
    fn of(path: TempPath) -> Name {
        NAMED.lock().unwrap_or_else(std::sync::PoisonError::into_inner).insert(path.to_path_buf());
        Name(Some(path))
    }

    /// Returns the name, which then belongs to the caller.
    fn take(&mut self) -> io::Result<TempPath> {
        let path = self.0.take().ok_or(io::ErrorKind::NotFound)?;
        NAMED.lock().unwrap_or_else(std::sync::PoisonError::into_inner).remove(&*path);
        Ok(path)
    }
}

impl Drop for Name {
    fn drop(&mut self) {
        let _ = self.take();
    }
}

/// A file in work.
pub struct Draft {
    file: disk::File,
    /// None if the file has no name, or goes elsewhere when it is complete.
    name: Option<Name>,
    place: Destination,
    permit: Permit,
}

impl Draft {
    pub(super) fn new(place: Destination, permit: Permit) -> Result<Draft, Error> {
        let (file, name) = match &place {
            Destination::New(path) => beside(path, 0o666)?,
            // A secret file must be secret from the start.
            Destination::Old(path) => beside(path, 0o600)?,
            Destination::Linked(_) | Destination::Stream(_) => (disk::step(tempfile::tempfile)?, None),
        };
        Ok(Draft { file: disk::File::of(file), name, place, permit })
    }

    /// Returns whether the draft has a name, so that something is left of it if the process ends without dropping it.
    pub fn is_named(&self) -> bool {
        self.name.is_some()
    }

    /// Returns the file to write to.
    pub fn file(&mut self) -> &mut disk::File {
        &mut self.file
    }

    /// Puts the draft in its place. If that fails, the old file is still there.
    ///
    /// # Errors
    /// If it cannot be done, or if the file there has changed since the decision so that it must not be replaced.
    pub fn finish(mut self) -> Result<Written, Error> {
        // The file may have been changed, removed, made or linked to during the work.
        let place = match &self.place {
            Destination::Old(path) => Target::new(path, self.permit)?.place,
            Destination::New(path) if self.permit == Permit::Force => Target::new(path, self.permit)?.place,
            place => place.clone(),
        };
        match place {
            Destination::Stream(path) => {
                // Appended, because a descriptor may lead to a file with content.
                self.copy_to(&mut disk::File::append(&path)?)?;
                return Ok(Written::Stream);
            }
            Destination::Linked(path) => {
                let mut there = disk::File::overwrite(&path)?;
                let len = self.copy_to(&mut there)?;
                there.set_len(len)?;
                there.sync_all()?;
                return Ok(Written::InPlace);
            }
            Destination::New(path) => {
                self.file.sync_all()?;
                self.appear(&path)?;
                disk::sync_folder(folder(&path))?;
            }
            Destination::Old(path) => {
                self.take_over(&path)?;
                self.file.sync_all()?;
                self.replace(&path)?;
                disk::sync_folder(folder(&path))?;
            }
        }
        Ok(Written::Whole)
    }

    fn copy_to(&mut self, there: &mut disk::File) -> io::Result<u64> {
        self.file.rewind()?;
        let len = io::copy(&mut self.file, there)?;
        there.flush()?;
        Ok(len)
    }

    /// Gives the draft a free name.
    fn appear(&mut self, path: &Path) -> Result<(), Error> {
        let linked = match self.name.take() {
            None => disk::step(|| link(&self.file, path)),
            Some(mut name) => {
                disk::step(|| name.take()?.persist_noclobber(path).map_err(|error| error.error))
            }
        };
        linked.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => Error::Exists,
            _ => error.into(),
        })
    }

    /// Gives the draft the name of a file.
    fn replace(&mut self, path: &Path) -> Result<(), Error> {
        let mut name = match self.name.take() {
            Some(name) => name,
            None => {
                let file = &self.file;
                let made = tempfile::Builder::new()
                    .prefix(PREFIX)
                    .make_in(folder(path), |name| disk::step(|| link(file, name)));
                Name::of(made?.into_temp_path())
            }
        };
        Ok(disk::step(|| name.take()?.persist(path).map_err(|error| error.error))?)
    }

    /// Gives the draft the mode of a file, and its owner and group where that is permitted.
    #[cfg(unix)]
    fn take_over(&self, path: &Path) -> io::Result<()> {
        use std::os::unix::fs::{MetadataExt, fchown};

        let (old, own) = (fs::metadata(path)?, self.file.inner().metadata()?);
        // One call each: a user may be allowed to set the group but not the owner.
        let owner = (old.uid() != own.uid()).then_some(old.uid());
        let group = (old.gid() != own.gid()).then_some(old.gid());
        let kept = fchown(self.file.inner(), None, group).is_ok();
        let _ = fchown(self.file.inner(), owner, None);
        let mut mode = old.permissions();
        if !kept {
            // Permissions of the old group must not pass to another group.
            use std::os::unix::fs::PermissionsExt;
            mode.set_mode(mode.mode() & !0o070);
        }
        disk::step(|| self.file.inner().set_permissions(mode))
    }

    #[cfg(not(unix))]
    fn take_over(&self, _: &Path) -> io::Result<()> {
        Ok(())
    }
}

/// Creates a temporary file in the folder of another, without a name where the system can do that.
fn beside(path: &Path, mode: u32) -> io::Result<(fs::File, Option<Name>)> {
    disk::step(|| match nameless(folder(path), mode) {
        Some(file) => Ok((file, None)),
        None => {
            let (file, name) = named(folder(path), mode)?.into_parts();
            Ok((file, Some(Name::of(name))))
        }
    })
}

/// A temporary file with a name. Unlike those of `tempfile_in`, errors do not name it: the user asked for another file.
#[cfg_attr(not(unix), expect(unused_variables))]
fn named(folder: &Path, mode: u32) -> io::Result<NamedTempFile> {
    let mut options = fs::OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, mode);
    tempfile::Builder::new().prefix(PREFIX).make_in(folder, |name| options.open(name))
}

/// Creates a file without a name, if the system and file system can do so and name it later.
#[cfg(target_os = "linux")]
fn nameless(folder: &Path, mode: u32) -> Option<fs::File> {
    use rustix::fs::{CWD, Mode, OFlags, openat};

    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    let file = openat(CWD, folder, flags, Mode::from_raw_mode(mode)).ok()?;
    Path::new("/proc/self/fd").exists().then(|| file.into())
}

#[cfg(not(target_os = "linux"))]
fn nameless(_: &Path, _: u32) -> Option<fs::File> {
    None
}

/// Gives a file without a name a free one.
#[cfg(target_os = "linux")]
fn link(file: &disk::File, path: &Path) -> io::Result<()> {
    use std::os::fd::AsRawFd;

    use rustix::fs::{AtFlags, CWD, linkat};

    let own = format!("/proc/self/fd/{}", file.inner().as_raw_fd());
    Ok(linkat(CWD, own, CWD, path, AtFlags::SYMLINK_FOLLOW)?)
}

#[cfg(not(target_os = "linux"))]
fn link(_: &disk::File, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
