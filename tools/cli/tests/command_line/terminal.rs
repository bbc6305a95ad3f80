//! A terminal for the program under test.
#![cfg(target_os = "linux")]

use std::fs::File;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

/// Opens a terminal: the end of the person and the end of the program. It controls no process.
pub fn open() -> (File, File) {
    with_rows(40)
}

/// Opens a terminal with this number of rows.
pub fn with_rows(ws_row: u16) -> (File, File) {
    // The terminal would stay open in every child that inherits the person's end.
    let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
    let master = openpt(flags).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    tcsetwinsize(&master, Winsize { ws_row, ws_col: 120, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
    let name = ptsname(&master, Vec::new()).unwrap();
    let slave = File::options().read(true).write(true).open(name.to_str().unwrap()).unwrap();
    (File::from(master), slave)
}
