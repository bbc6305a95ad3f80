//! `kagetsu web`: the address it prints, access to that address, and its errors before it serves.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Child;

use crate::common::cli::{command, failure};

/// The program at work, ended with the test.
struct Board {
    child: Child,
    link: String,
}

impl Board {
    fn start(args: &[&str]) -> Board {
        let options = ["web", "--no-open", "--port", "0", "--threads", "1", "--hash", "4M"];
        let mut child = command(&[&options, args].concat()).spawn().unwrap();
        let mut link = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut link).unwrap();
        Board { child, link: link.trim_end().to_owned() }
    }

    /// The status of the answer to a request for a path.
    fn get(&self, host: &str, path: &str) -> String {
        let mut stream = TcpStream::connect(host).unwrap();
        let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer.split(' ').nth(1).unwrap().to_owned()
    }
}

impl Drop for Board {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

#[test]
fn the_printed_address_opens_the_page() {
    for args in [&[][..], &["D4 g9"], &["--rule", "caro", "--size", "19", "a1b2"]] {
        let board = Board::start(args);
        let (host, path) = board.link.strip_prefix("http://").unwrap().split_at("127.0.0.1:".len());
        let (port, path) = path.split_once('/').unwrap();
        let host = format!("{host}{port}");
        assert_eq!(board.get(&host, &format!("/{path}")), "200");
        assert_eq!(board.get(&host, "/"), "403");
        assert_eq!(board.get(&host, "/app.js"), "200");
    }
}

#[test]
fn wrong_positions_and_ports_are_refused() {
    let (status, message) = failure(&["web", "--no-open", "--port", "0", "h8h8"]);
    assert!(status == 1 && message.contains("h8 is occupied"), "{message}");
    let (status, message) = failure(&["web", "--no-open", "--port", "0", "missing.sgf"]);
    assert!(status == 1 && message.contains("missing.sgf"), "{message}");
    let board = Board::start(&[]);
    let port = board.link.split(['/', ':']).nth(4).unwrap();
    let (status, message) = failure(&["web", "--no-open", "--port", port]);
    assert!(status == 1 && message.contains("cannot listen on 127.0.0.1"), "{message}");
}

/// The key to the board is not an argument of the browser, since every user can read arguments. It is in a file that
/// only this user can read, which is deleted once the page is loaded.
#[cfg(target_os = "linux")]
#[test]
fn the_browser_is_started_without_the_key() {
    use std::os::unix::fs::PermissionsExt;
    use std::path::PathBuf;
    use std::time::Duration;

    // Programs may not run from the folder for temporary files everywhere.
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let told = folder.path().join("arguments");
    let opener = folder.path().join("xdg-open");
    // Renamed when it is whole, so that it is read whole.
    let script = format!("#!/bin/sh\nprintf '%s\\n' \"$@\" >'{0}.new'\nmv '{0}.new' '{0}'\n", told.display());
    std::fs::write(&opener, script).unwrap();
    std::fs::set_permissions(&opener, PermissionsExt::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap());
    let mut start = command(&["web", "--port", "0", "--threads", "1", "--hash", "4M"]);
    let mut child = start.env("PATH", path).env("TMPDIR", folder.path()).spawn().unwrap();
    let mut link = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut link).unwrap();
    let board = Board { child, link: link.trim_end().to_owned() };

    let wait = |holds: &dyn Fn() -> bool| {
        let tries = std::iter::repeat_with(|| std::thread::sleep(Duration::from_millis(20))).take(3_000);
        assert!(tries.into_iter().any(|()| holds()), "in time");
    };
    wait(&|| told.exists());
    let arguments = std::fs::read_to_string(&told).unwrap();
    let (host, key) = board.link.strip_prefix("http://").unwrap().split_once("/?token=").unwrap();
    assert!(key.len() > 20 && !arguments.contains(key), "{arguments}");
    let page = PathBuf::from(arguments.trim_end());
    assert_eq!(page.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    let text = std::fs::read_to_string(&page).unwrap();
    assert!(text.contains(&format!("content=\"0; url={}\"", board.link)), "{text}");
    assert_eq!(board.get(host, "/?token=0"), "403");
    assert!(page.exists(), "a stranger's try does not take the file away");
    assert_eq!(board.get(host, &format!("/?token={key}")), "200");
    wait(&|| !page.exists());
}
