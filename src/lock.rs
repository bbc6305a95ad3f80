//! Files that one process writes at a time.

use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind};
use std::thread;
use std::time::Duration;

/// Most attempts to take a lock that another process holds, with a pause after each.
const TRIES: u32 = 50;
const PAUSE: Duration = Duration::from_millis(20);

/// Locks a file as [`acquire`] does, but goes on with a warning where it cannot be locked.
pub fn acquire_if_possible(file: &File) -> bool {
    acquire(file).unwrap_or_else(|error| {
        log::warn!("a file cannot be locked: {error}");
        true
    })
}

/// Locks a file as long as it is open; returns false if another process has locked it, after a second. Others can still read
/// it. Some file systems, such as those of some clusters, have no locks; there nothing is locked.
///
/// The wait covers a process that was killed while it started another program: the new process holds the lock until
/// that program runs.
///
/// # Errors
/// If the system cannot lock the file.
pub fn acquire(file: &File) -> io::Result<bool> {
    for _ in 0..TRIES {
        match try_lock(file) {
            Ok(()) => return Ok(true),
            Err(TryLockError::WouldBlock) => thread::sleep(PAUSE),
            Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => return Ok(true),
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
    Ok(false)
}

#[cfg(not(windows))]
fn try_lock(file: &File) -> Result<(), TryLockError> {
    file.try_lock()
}

/// On Windows nobody can read bytes that another process has locked, and [`File::try_lock`] locks the whole file. So
/// this locks one byte, far behind all data.
#[cfg(windows)]
fn try_lock(file: &File) -> Result<(), TryLockError> {
    use std::io::Error;
    use std::os::windows::io::AsRawHandle;

    use windows_sys::Win32::Foundation::ERROR_LOCK_VIOLATION;
    use windows_sys::Win32::Storage::FileSystem::{
        LOCKFILE_EXCLUSIVE_LOCK, LOCKFILE_FAIL_IMMEDIATELY, LockFileEx,
    };
    use windows_sys::Win32::System::IO::OVERLAPPED;

    let mut place = OVERLAPPED::default();
    place.Anonymous.Anonymous.Offset = 0;
    place.Anonymous.Anonymous.OffsetHigh = 0x4000_0000;
    let flags = LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY;
    // SAFETY: the handle is that of an open file, which was not opened for overlapped work, so that nobody uses `place`
    // after the call.
    let locked = unsafe { LockFileEx(file.as_raw_handle(), flags, 0, 1, 0, &raw mut place) };
    if locked != 0 {
        return Ok(());
    }
    let error = Error::last_os_error();
    if error.raw_os_error() == Some(ERROR_LOCK_VIOLATION as i32) {
        Err(TryLockError::WouldBlock)
    } else {
        Err(TryLockError::Error(error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn a_file_is_locked_once_until_it_is_closed() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        let first = File::create(&path).unwrap();
        let second = File::open(&path).unwrap();
        assert!(acquire(&first).unwrap());
        assert!(!acquire(&second).unwrap());
        drop(first);
        assert!(acquire(&second).unwrap());
    }

    #[test]
    fn a_lock_that_is_soon_released_is_waited_for() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        let first = File::create(&path).unwrap();
        assert!(acquire(&first).unwrap());
        let holder = thread::spawn(move || {
            thread::sleep(2 * PAUSE);
            drop(first);
        });
        assert!(acquire(&File::open(&path).unwrap()).unwrap());
        holder.join().unwrap();
    }

    #[test]
    fn a_locked_file_can_be_read() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        let mut file = File::create(&path).unwrap();
        file.write_all(b"before ").unwrap();
        assert!(acquire(&file).unwrap());
        file.write_all(b"and after").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"before and after");
    }
}
