//! A file that leads a browser to the board.
//!
//! The address of the board holds its key, and every user of a machine can read the arguments of all programs. So the
//! browser gets the path of a file that only its owner can read, and the file forwards it to the address.

use std::io::{Result, Write};
use std::path::Path;

use tempfile::TempPath;

/// A page that forwards to an address; deleted when dropped.
#[derive(Debug)]
pub struct Doorway(TempPath);

impl Doorway {
    /// Writes a page that forwards to this address, which needs no escaping in HTML.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn to(link: &str) -> Result<Doorway> {
        // Others may not read it: mode 0600 where there are modes.
        let mut file = tempfile::Builder::new().prefix("kagetsu-").suffix(".html").tempfile()?;
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
