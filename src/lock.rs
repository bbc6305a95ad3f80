//! Files that one process writes at a time.

use std::fs::{File, TryLockError};
use std::io::ErrorKind;

/// Locks a file as long as it is open; false if another has locked it. Where a file system knows no locks, as those of
/// some clusters, there is none, and nothing to wait for.
pub fn acquire(file: &File) -> bool {
    match file.try_lock() {
        Ok(()) => true,
        Err(TryLockError::WouldBlock) => false,
        Err(TryLockError::Error(error)) => {
            if error.kind() != ErrorKind::Unsupported {
                log::warn!("a file cannot be locked: {error}");
            }
            true
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_locked_once_until_it_is_closed() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        let first = File::create(&path).unwrap();
        let second = File::open(&path).unwrap();
        assert!(acquire(&first));
        assert!(!acquire(&second));
        drop(first);
        assert!(acquire(&second));
    }
}
