//! The file of an engine's program, by whose content a run that goes on, such as a tournament, tells a
//! program from another one of the same name.
//!
//! A script, an interpreter and wine are programs of their own: what they start is not looked at, nor is any
//! file that an engine reads.

use std::env;
use std::path::{Path, PathBuf};

use crate::output::Stamp;

/// Returns whether a program is given by its name alone, which is looked for on the search path.
pub fn is_bare(program: &Path) -> bool {
    program.components().count() <= 1
}

/// Returns the stamp of a program's file; `None` if it is not found or cannot be read.
pub fn stamp(program: &Path) -> Option<Stamp> {
    Stamp::at(&file(program, &search_path())?).ok()
}

/// Returns the folders in which the system looks for a program, in order.
fn search_path() -> Vec<PathBuf> {
    let mut folders = Vec::new();
    // Windows looks beside the program that starts the other one first.
    if cfg!(windows)
        && let Ok(own) = env::current_exe()
    {
        folders.extend(own.parent().map(Path::to_owned));
    }
    if let Some(path) = env::var_os("PATH") {
        folders.extend(env::split_paths(&path));
    }
    folders
}

/// Returns the file that is started as a program, if there is one.
fn file(program: &Path, search_path: &[PathBuf]) -> Option<PathBuf> {
    let here = [PathBuf::new()];
    let folders = if is_bare(program) { search_path } else { &here[..] };
    folders.iter().flat_map(|folder| names(folder.join(program))).find(|path| is_program(path))
}

/// Returns the names that a program of this name may have: its suffix can be left out on Windows.
fn names(path: PathBuf) -> [PathBuf; 2] {
    let mut with_suffix = path.clone().into_os_string();
    with_suffix.push(env::consts::EXE_SUFFIX);
    [with_suffix.into(), path]
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;

    path.metadata().is_ok_and(|known| known.is_file() && known.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    /// The first folder has a file of that name which cannot be started.
    #[test]
    fn a_name_alone_is_the_first_program_on_the_search_path() {
        let top = tempfile::tempdir().unwrap();
        let folders = ["1", "2", "3"].map(|name| top.path().join(name));
        for (folder, mode) in folders.iter().zip([0o644, 0o755, 0o755]) {
            fs::create_dir(folder).unwrap();
            fs::write(folder.join("engine"), folder.to_str().unwrap()).unwrap();
            fs::set_permissions(folder.join("engine"), fs::Permissions::from_mode(mode)).unwrap();
        }
        let of = |program: &Path| file(program, &folders);
        assert_eq!(of(Path::new("engine")), Some(folders[1].join("engine")));
        assert_eq!(of(&folders[2].join("engine")), Some(folders[2].join("engine")));
        assert_eq!((of(Path::new("other")), of(&folders[2])), (None, None));
    }

    #[test]
    fn a_program_is_told_by_its_content_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("engine");
        let stamp_of = |text: &str| {
            let _ = fs::remove_file(&path);
            fs::write(&path, text).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
            stamp(&path).unwrap()
        };
        let old = stamp_of("version 1");
        assert_ne!(stamp_of("version 2"), old, "it is as long");
        assert_eq!(stamp_of("version 1"), old, "it was built again");
        fs::remove_file(&path).unwrap();
        assert_eq!(stamp(&path), None);
    }
}
