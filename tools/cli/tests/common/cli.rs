//! `kagetsu` as a child process.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};

use serde_json::Value;

/// The engine for managers, which another package of the workspace builds: beside the program of the command line.
pub fn engine() -> PathBuf {
    let name = format!("pbrain-kagetsu{}", std::env::consts::EXE_SUFFIX);
    let path = PathBuf::from(env!("CARGO_BIN_EXE_kagetsu")).with_file_name(name);
    assert!(path.exists(), "{} is not built: run `cargo build` with the same profile first", path.display());
    path
}

/// Writes a script that starts this engine. In a version of its own it is another program of the same name.
#[cfg(unix)]
pub fn write_script(path: &std::path::Path, version: &str) {
    use std::os::unix::fs::PermissionsExt;

    let text = format!("#!/bin/sh\n# {version}\nexec '{}' \"$@\"\n", engine().display());
    std::fs::write(path, text).unwrap();
    std::fs::set_permissions(path, PermissionsExt::from_mode(0o755)).unwrap();
}

/// Variables of the environment that change the log, the colours or the width of the help.
const ASIDE: [&str; 5] = ["RUST_LOG", "CLICOLOR", "CLICOLOR_FORCE", "NO_COLOR", "COLUMNS"];

/// Keeps the caller's environment out of what a command prints.
pub fn unaffected(command: &mut Command) {
    for variable in ASIDE {
        command.env_remove(variable);
    }
}

pub fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kagetsu"));
    command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    unaffected(&mut command);
    command
}

/// Starts the command's process with this action on a signal. Without it the process has that of the test.
#[cfg(unix)]
pub fn act_on(command: &mut Command, signal: libc::c_int, action: libc::sighandler_t) {
    use std::os::unix::process::CommandExt;

    // SAFETY: the closure runs between fork and exec and calls nothing but `signal`, which is async-signal-safe.
    unsafe {
        command.pre_exec(move || match libc::signal(signal, action) {
            libc::SIG_ERR => Err(std::io::Error::last_os_error()),
            _ => Ok(()),
        });
    }
}

pub fn run(args: &[&str]) -> Output {
    command(args).output().unwrap()
}

pub fn run_with_input(args: &[&str], input: &[u8]) -> Output {
    let mut child = command(args).stdin(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // A thread of its own writes the input, because both pipes may fill up.
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    output
}

/// Returns the output of a successful command.
pub fn printed(args: &[&str]) -> String {
    let output = run(args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Exit status and message of a command that fails.
pub fn failure(args: &[&str]) -> (i32, String) {
    let output = run(args);
    assert!(output.stdout.is_empty(), "{args:?} prints results");
    (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
}

pub fn objects(output: &Output) -> Vec<Value> {
    let text = std::str::from_utf8(&output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A batch that is fed line by line.
pub struct Conversation {
    child: Child,
    input: ChildStdin,
    answers: BufReader<ChildStdout>,
    asked: usize,
}

impl Conversation {
    pub fn start(mut command: Command) -> Conversation {
        let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
        let input = child.stdin.take().unwrap();
        let answers = BufReader::new(child.stdout.take().unwrap());
        Conversation { child, input, answers, asked: 0 }
    }

    /// Asks about a position and waits for the answer. The test hangs if the answer waits for the end of the input.
    pub fn ask(&mut self, position: &str) {
        self.input.write_all(format!("{position}\n").as_bytes()).unwrap();
        let mut line = String::new();
        self.answers.read_line(&mut line).unwrap();
        self.asked += 1;
        assert!(line.starts_with(&format!("{{\"id\":{},", self.asked)), "{line}");
    }

    /// Ends the input. Returns the program's stderr, if that is a pipe.
    pub fn end(self) -> Vec<u8> {
        drop(self.input);
        let output = self.child.wait_with_output().unwrap();
        assert!(output.status.success());
        output.stderr
    }
}
