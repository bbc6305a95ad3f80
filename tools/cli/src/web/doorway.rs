//! A file that leads a browser to the board.
//!
//! The address of the board holds its key, and every user of a machine can read the arguments of all programs. So the
//! browser gets the path of a file that only its owner can read, and the file forwards it to the address.

use std::env;
use std::io::{Result, Write};
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, TempPath};

/// A page that forwards to an address; deleted when dropped.
#[derive(Debug)]
pub struct Doorway(TempPath);

impl Doorway {
    /// Writes a page that forwards to this address, which needs no escaping in HTML.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn to(link: &str) -> Result<Doorway> {
        let mut file = empty(home_of_snaps().as_deref())?;
        write!(
            file,
            "<!doctype html>\n<meta charset=\"utf-8\">\n<meta name=\"referrer\" content=\"no-referrer\">\n\
             <meta http-equiv=\"refresh\" content=\"0; url={link}\">\n\
             <title>kagetsu</title>\n<p><a href=\"{link}\">To the board</a></p>\n"
        )?;
        Ok(Doorway(file.into_temp_path()))
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

/// Returns the home folder if the browser may be a snap, such as Ubuntu's Firefox. A snap cannot read the folder of temporary
/// files, but files of the home folder that are not hidden. Without a screen no such browser starts, and the file would stay.
fn home_of_snaps() -> Option<PathBuf> {
    let screen = ["WAYLAND_DISPLAY", "DISPLAY"].iter().any(|name| env::var_os(name).is_some());
    env::home_dir().filter(|_| screen && Path::new("/snap/bin").is_dir())
}

/// Makes a file in this home folder if it can, otherwise in that of temporary files. Others may not read it: mode 0600 where
/// there are modes.
fn empty(home: Option<&Path>) -> Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix("kagetsu-").suffix(".html");
    let made = home.filter(|home| home.is_absolute()).and_then(|home| builder.tempfile_in(home).ok());
    made.map_or_else(|| builder.tempfile(), Ok)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_lies_in_the_home_folder_if_there_is_one() {
        let home = tempfile::tempdir().unwrap();
        assert_eq!(empty(Some(home.path())).unwrap().path().parent(), Some(home.path()));
        let missing = home.path().join("missing");
        for home in [None, Some(missing.as_path()), Some(Path::new(""))] {
            let file = empty(home).unwrap();
            assert!(file.path().is_absolute() && !file.path().starts_with(&missing), "{file:?}");
        }
    }
}
