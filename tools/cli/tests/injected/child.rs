//! The command line in a process of its own, with a fault in it.

use std::path::Path;
use std::process::{Command, ExitCode, Output, Stdio};

use kagetsu::disk::faults::{self, Fault};

use crate::allocator;

/// Names the fault for the child: `step N KIND`, `allocation N` or `nothing FILE`, which counts and writes its counts
/// there.
pub const VARIABLE: &str = "KAGETSU_TEST_INJECTED";

/// Fault injected into a child.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Injected {
    /// A step of a file.
    Step(u64, Fault),
    /// An allocation.
    Allocation(u64),
    /// Nothing; the counts go to this file.
    Nothing(String),
}

/// Counts of a command in which nothing fails.
#[derive(Clone, Copy, Debug)]
pub struct Whole {
    /// Steps of files.
    pub steps: u64,
    /// Allocations.
    pub allocations: u64,
    /// Numbers of the first and the last allocation between the first step and the last.
    pub between: (u64, u64),
}

impl Injected {
    fn text(&self) -> String {
        match self {
            Injected::Step(number, fault) => format!("step {number} {fault:?}"),
            Injected::Allocation(number) => format!("allocation {number}"),
            Injected::Nothing(file) => format!("nothing {file}"),
        }
    }
}

/// Returns the fault to inject into this process; `None` if it is not a child.
pub fn injected() -> Option<Injected> {
    let text = std::env::var(VARIABLE).ok()?;
    let words: Vec<&str> = text.splitn(3, ' ').collect();
    Some(match words[..] {
        ["step", number, kind] => {
            let kinds = [Fault::Once, Fault::Lasting, Fault::Torn];
            let kind = kinds.into_iter().find(|fault| format!("{fault:?}") == kind).unwrap();
            Injected::Step(number.parse().unwrap(), kind)
        }
        ["allocation", number] => Injected::Allocation(number.parse().unwrap()),
        ["nothing", file] => Injected::Nothing(file.to_owned()),
        _ => panic!("{VARIABLE}: {text}"),
    })
}

/// The child: the arguments of this process are those of the command line.
pub fn run(injected: Injected) -> ExitCode {
    let (step, fault) = match injected {
        Injected::Step(step, fault) => (step, fault),
        _ => (u64::MAX, Fault::Once),
    };
    let number = if let Injected::Allocation(number) = injected { number } else { 0 };
    faults::arm_all(step, fault);
    allocator::arm(number);
    let code = kagetsu_cli::run();
    if let Injected::Nothing(file) = injected {
        let [allocations, first, last] = allocator::counts();
        let text = format!("{} {allocations} {first} {last}", faults::taken_by_all());
        std::fs::write(file, text).unwrap();
    }
    code
}

/// Starts a child and waits for its end.
pub fn start(words: &[String], injected: &Injected) -> Output {
    let program = std::env::current_exe().unwrap();
    let mut command = Command::new(program);
    command.args(words).env(VARIABLE, injected.text()).env_remove("RUST_LOG").env_remove("RUST_BACKTRACE");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.output().unwrap()
}

/// Counts reported by a child.
pub fn counts(file: &Path) -> Whole {
    let text = std::fs::read_to_string(file).unwrap();
    let numbers: Vec<u64> = text.split(' ').map(|number| number.parse().unwrap()).collect();
    let [steps, allocations, first, last] = numbers[..] else { panic!("{text}") };
    Whole { steps, allocations, between: (first, last) }
}
