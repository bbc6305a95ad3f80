//! The engine ends when its parent process has died, although its input is still open.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

/// Time in which a parent that only starts the engine has ended, with a margin.
const LAUNCH: Duration = Duration::from_secs(5);
const PATIENCE: Duration = Duration::from_secs(60);

/// A shell, which does not outlive its test.
struct Shell(Child);

impl Drop for Shell {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A shell that starts the engine on its own pipes and then runs this command; the lines of output.
fn start(then: &str) -> (Shell, ChildStdin, Receiver<String>) {
    // A background program of a shell has no input unless one is named.
    let script = format!("exec 3<&0; \"$0\" <&3 3<&- & exec 3<&-; {then}");
    let mut shell = Command::new("sh")
        .args(["-c", &script, env!("CARGO_BIN_EXE_pbrain-kagetsu")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .env_remove("KAGETSU_LOG")
        .spawn()
        .unwrap();
    let (input, output) = (shell.stdin.take().unwrap(), shell.stdout.take().unwrap());
    (Shell(shell), input, lines(output))
}

/// Returns a channel with the lines of the output, which closes at its end.
fn lines(output: ChildStdout) -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        BufReader::new(output.take(1 << 20)).lines().map_while(Result::ok).try_for_each(|l| sender.send(l))
    });
    receiver
}

#[test]
fn an_engine_ends_with_its_manager() {
    let (mut shell, mut input, output) = start("exec sleep 1000");
    input.write_all(b"START 15\n").unwrap();
    assert_eq!(output.recv_timeout(PATIENCE).as_deref(), Ok("OK"));
    thread::sleep(LAUNCH);
    input.write_all(b"ABOUT\n").unwrap();
    assert!(output.recv_timeout(PATIENCE).is_ok_and(|line| line.starts_with("name=")), "it is alive");
    shell.0.kill().unwrap();
    shell.0.wait().unwrap();
    // Only the engine can still write, so the end of the output is the end of the engine.
    assert_eq!(output.recv_timeout(PATIENCE), Err(mpsc::RecvTimeoutError::Disconnected));
    drop(input);
}

#[test]
fn a_program_that_only_starts_it_may_end() {
    let (mut shell, mut input, output) = start("exit");
    assert!(shell.0.wait().unwrap().success());
    thread::sleep(LAUNCH);
    input.write_all(b"ABOUT\nEND\n").unwrap();
    assert!(output.recv_timeout(PATIENCE).is_ok_and(|line| line.starts_with("name=")));
    assert_eq!(output.recv_timeout(PATIENCE), Err(mpsc::RecvTimeoutError::Disconnected));
}
