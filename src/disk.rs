//! The steps by which files change: opening, writing, cutting, synchronising, linking, renaming.
//!
//! Every part of the program that writes files uses this module, so that a test can make the n-th step fail
//! ([`faults`]), for every n, as SQLite tests its file layer. Without an armed fault a step costs two reads
//! of memory. CITE: <https://sqlite.org/testing.html>, "I/O error testing" and "Crash testing".

use std::fs::{self, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// A file whose changes count as steps. Reading does not count.
#[derive(Debug)]
pub struct File(fs::File);

impl File {
    /// Wraps an open file.
    pub fn of(file: fs::File) -> File {
        File(file)
    }

    /// Opens a file for reading and writing; creates an empty one if there is none.
    ///
    /// # Errors
    /// If it cannot be opened, or is a device or a pipe.
    pub fn update(path: &Path) -> io::Result<File> {
        faults::step()?;
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        // A device or a pipe may have no end, so that a reader of the whole file would never return.
        if !file.metadata()?.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "a regular file was expected"));
        }
        Ok(File(file))
    }

    /// Opens an existing file for writing.
    ///
    /// # Errors
    /// If there is none, or it cannot be opened.
    pub fn overwrite(path: &Path) -> io::Result<File> {
        faults::step()?;
        OpenOptions::new().write(true).open(path).map(File)
    }

    /// Opens an existing file, device or pipe, to append to it.
    ///
    /// # Errors
    /// If there is none, or it cannot be opened.
    pub fn append(path: &Path) -> io::Result<File> {
        faults::step()?;
        OpenOptions::new().append(true).open(path).map(File)
    }

    /// Returns the file of the standard library, to lock it or to read its metadata.
    pub fn inner(&self) -> &fs::File {
        &self.0
    }

    /// Cuts or lengthens the file.
    ///
    /// # Errors
    /// If that cannot be done.
    pub fn set_len(&mut self, len: u64) -> io::Result<()> {
        faults::step()?;
        self.0.set_len(len)
    }

    /// Waits until the device has the content and the metadata.
    ///
    /// # Errors
    /// If the device does not take it.
    pub fn sync_all(&mut self) -> io::Result<()> {
        faults::step()?;
        self.0.sync_all()
    }

    /// Waits until the device has the content.
    ///
    /// # Errors
    /// If the device does not take it.
    pub fn sync_data(&mut self) -> io::Result<()> {
        faults::step()?;
        self.0.sync_data()
    }
}

impl Read for File {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl Seek for File {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}

impl Write for File {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match faults::write(bytes.len()) {
            Ok(len) => self.0.write(&bytes[..len]),
            Err(error) => Err(error),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Does one step for which the standard library has no wrapper here, such as a link or a rename.
///
/// # Errors
/// The error of the step.
pub fn step<T, E: From<io::Error>>(work: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
    faults::step()?;
    work()
}

/// Waits until the device has the file names of a folder. Does nothing on systems that cannot open folders.
///
/// # Errors
/// If the device does not take it.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) {
        faults::step()?;
        // Some network file systems cannot synchronise folders. Ignore their error: it loses no data.
        match fs::File::open(folder)?.sync_all() {
            Err(error)
                if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => {}
            done => done?,
        }
    }
    Ok(())
}

/// Makes steps of this thread, or of all threads, fail: for tests.
pub mod faults {
    use std::cell::Cell;
    use std::io;
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// The way a step fails.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Fault {
        /// The step alone fails, with nothing done.
        Once,
        /// The step fails, and every later one: as on a full disk.
        Lasting,
        /// The first failing step, if it is a write, does half of it; other steps fail as a whole. Every later step
        /// fails too, as after a kill.
        Torn,
    }

    thread_local! {
        static ARMED: Cell<Option<(u64, Fault)>> = const { Cell::new(None) };
        static TAKEN: Cell<u64> = const { Cell::new(0) };
    }
    static OF_ALL: OnceLock<(u64, Fault)> = OnceLock::new();
    static TAKEN_BY_ALL: AtomicU64 = AtomicU64::new(0);

    /// Makes the n-th step of the whole process fail, counted from 1 and from now on, for as long as it runs. Threads that
    /// are [armed](arm) themselves take no part. A second call changes nothing.
    pub fn arm_all(step: u64, fault: Fault) {
        let _ = OF_ALL.set((step, fault));
    }

    /// Returns how many steps all threads together have asked for since [`arm_all`].
    pub fn taken_by_all() -> u64 {
        TAKEN_BY_ALL.load(Ordering::Relaxed)
    }

    /// Makes the n-th step from now on fail, counted from 1.
    pub fn arm(step: u64, fault: Fault) {
        ARMED.set(Some((step, fault)));
        TAKEN.set(0);
    }

    /// Lets all steps succeed again; returns how many were asked for since [`arm`].
    pub fn disarm() -> u64 {
        ARMED.set(None);
        TAKEN.replace(0)
    }

    /// Counts a step.
    pub(super) fn step() -> io::Result<()> {
        write(0).map(|_| ())
    }

    /// Counts a write of `len` bytes; returns how many of them are to be written.
    pub(super) fn write(len: usize) -> io::Result<usize> {
        let (step, (at, fault)) = if let Some(armed) = ARMED.get() {
            TAKEN.set(TAKEN.get() + 1);
            (TAKEN.get(), armed)
        } else if let Some(&armed) = OF_ALL.get() {
            (TAKEN_BY_ALL.fetch_add(1, Ordering::Relaxed) + 1, armed)
        } else {
            return Ok(len);
        };
        if step == at && fault == Fault::Torn && len > 1 {
            return Ok(len / 2);
        }
        if step == at || step > at && fault != Fault::Once {
            return Err(io::Error::new(io::ErrorKind::StorageFull, "no space is left (injected)"));
        }
        Ok(len)
    }
}

#[cfg(test)]
mod tests {
    use super::faults::Fault;
    use super::*;

    /// Opens, writes ten bytes and synchronises.
    fn work(path: &Path) -> io::Result<()> {
        let mut file = File::update(path)?;
        file.write_all(b"0123456789")?;
        file.sync_data()
    }

    #[test]
    fn the_step_that_was_asked_for_fails() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        let left = |step, fault| {
            let _ = fs::remove_file(&path);
            faults::arm(step, fault);
            let failed = work(&path).is_err();
            let steps = faults::disarm();
            (failed, steps, fs::read(&path).map_or(0, |bytes| bytes.len()))
        };
        assert_eq!(left(1, Fault::Once), (true, 1, 0));
        assert_eq!(left(2, Fault::Once), (true, 2, 0));
        assert_eq!(left(2, Fault::Torn), (true, 3, 5));
        assert_eq!(left(3, Fault::Lasting), (true, 3, 10));
        assert_eq!(left(4, Fault::Lasting), (false, 3, 10));
        assert!(work(&path).is_ok(), "nothing fails without being asked to");
    }
}
