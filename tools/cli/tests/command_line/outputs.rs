//! The contract of outputs: no command replaces a file that it has not made, and a refusal leaves everything unchanged.
//! Every command with an output is tested against every kind of thing that its path can name.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Output;

use crate::common::cli::command;

/// A command that makes a finished file.
struct Maker {
    /// With `IN` for the folder of inputs and `OUT` for the file to make.
    line: &'static str,
    extension: &'static str,
    /// The same line again changes nothing and is not an error: the state file beside the output identifies it.
    continues: bool,
}

const fn maker(line: &'static str, extension: &'static str) -> Maker {
    Maker { line, extension, continues: false }
}

const MAKERS: [Maker; 12] = [
    maker("convert IN/game.sgf OUT --lossy", "txt"),
    maker("convert IN/game.sgf OUT --lossy", "lib"),
    maker("analyze IN/game.sgf --nodes 50 --threads 1 --hash 4M --sgf OUT", "sgf"),
    maker("analyze IN/game.sgf --nodes 50 --threads 1 --hash 4M --svg OUT", "svg"),
    maker("analyze IN/game.sgf --nodes 50 --threads 1 --hash 4M --png OUT", "png"),
    maker("show h8h9 --svg OUT", "svg"),
    maker("show h8h9 --png OUT", "png"),
    maker("play h8h9 --level 0 --threads 1 --hash 4M --save OUT", "sgf"),
    maker("book merge OUT IN/caro.part", "book"),
    maker("book export OUT --book IN/caro.book --rule caro --size 9", "sgf"),
    maker("selfplay merge OUT IN/caro.games", "games"),
    Maker { line: "prove h8a1h9a2 --nodes 3000 --out OUT", extension: "lib", continues: true },
];

/// The inputs of all commands, and a file of each kind that a path can name.
struct Bench {
    dir: tempfile::TempDir,
}

impl Bench {
    fn new() -> Bench {
        let bench = Bench { dir: tempfile::tempdir().unwrap() };
        fs::create_dir(bench.path("in")).unwrap();
        fs::create_dir(bench.path("work")).unwrap();
        fs::write(bench.path("in/game.sgf"), "(;GM[4]SZ[15]RU[0];B[hh];W[gh];B[hg])").unwrap();
        for line in [
            "book build IN/caro.part --rule caro --size 9 --nodes 40 --positions 8 --threads 1",
            "book merge IN/caro.book IN/caro.part",
            "selfplay make IN/caro.games --rule caro --size 9 --games 2 --nodes 40 --threads 1",
        ] {
            let output = bench.run(line, Path::new(""));
            assert!(output.status.success(), "{line}: {}", said(&output));
        }
        bench
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn run(&self, line: &str, out: &Path) -> Output {
        let (inputs, out) = (self.path("in"), out.to_str().unwrap());
        let words =
            line.split(' ').map(|word| word.replace("IN", inputs.to_str().unwrap()).replace("OUT", out));
        let words: Vec<String> = words.collect();
        super::run(&words.iter().map(String::as_str).collect::<Vec<_>>(), "quit\n")
    }

    /// Names and contents of the folder of outputs.
    fn work(&self) -> Vec<(String, Vec<u8>)> {
        let entries = fs::read_dir(self.path("work")).unwrap().map(Result::unwrap);
        let name = |entry: &fs::DirEntry| entry.file_name().into_string().unwrap();
        // Devices, which a link may lead to, are not read: some have no end.
        let content = |path: PathBuf| {
            let is_file = fs::metadata(&path).is_ok_and(|at| at.is_file());
            is_file.then(|| fs::read(&path).ok()).flatten().unwrap_or_default()
        };
        let mut found: Vec<_> = entries.map(|entry| (name(&entry), content(entry.path()))).collect();
        found.sort();
        found
    }

    /// An empty folder of outputs.
    fn clear(&self) {
        fs::remove_dir_all(self.path("work")).unwrap();
        fs::create_dir(self.path("work")).unwrap();
    }
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Runs a line that must be refused with a reason, and must change nothing.
fn refused(bench: &Bench, line: &str, out: &Path, reason: &str) {
    let before = bench.work();
    let output = bench.run(line, out);
    let message = said(&output);
    assert_eq!(output.status.code(), Some(1), "{line}: {message}");
    assert!(message.contains(reason), "{line}: {message}");
    assert_eq!(bench.work(), before, "{line}");
}

fn made(bench: &Bench, line: &str, out: &Path) -> Output {
    let output = bench.run(line, out);
    assert!(output.status.success(), "{line}: {}", said(&output));
    output
}

#[test]
fn finished_files_are_replaced_only_by_force() {
    let bench = Bench::new();
    for Maker { line, extension, continues } in MAKERS {
        bench.clear();
        let out = bench.path("work").join("out").with_extension(extension);
        let forced = format!("{line} --force");
        // New, then its own.
        made(&bench, line, &out);
        let own = fs::read(&out).unwrap();
        assert!(!own.is_empty(), "{line}");
        if continues {
            made(&bench, line, &out);
            assert_eq!(fs::read(&out).unwrap(), own, "{line}");
        } else {
            assert_eq!(bench.work().len(), 1, "{line} leaves something beside its output");
            refused(&bench, line, &out, "it exists already: expected a new name, or --force to replace it");
        }
        // Foreign.
        fs::write(&out, "a diary").unwrap();
        refused(&bench, line, &out, "it exists already");
        made(&bench, &forced, &out);
        assert_eq!(fs::read(&out).unwrap(), own, "{line}");
        // A directory.
        let folder = bench.path("work").join("folder").with_extension(extension);
        fs::create_dir(&folder).unwrap();
        refused(&bench, &forced, &folder, "it is a directory");
    }
}

#[cfg(unix)]
#[test]
fn modes_links_and_hard_links() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let bench = Bench::new();
    for Maker { line, extension, .. } in MAKERS {
        bench.clear();
        let at = |name: &str| bench.path("work").join(name).with_extension(extension);
        let forced = format!("{line} --force");
        let out = at("out");
        fs::write(&out, "old").unwrap();
        fs::set_permissions(&out, fs::Permissions::from_mode(0o600)).unwrap();
        made(&bench, &forced, &out);
        assert_eq!(fs::metadata(&out).unwrap().permissions().mode() & 0o777, 0o600, "{line}");
        // A link is followed, be there something or not.
        let link = at("link");
        symlink(&out, &link).unwrap();
        refused(&bench, line, &link, "it exists already");
        made(&bench, &forced, &link);
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink(), "{line}");
        // A second name of a file.
        let other = at("other");
        fs::write(&out, "old").unwrap();
        fs::hard_link(&out, &other).unwrap();
        refused(&bench, line, &out, "it exists already, and has 2 names (hard links)");
        let output = made(&bench, &forced, &out);
        assert!(said(&output).contains("written in place"), "{line}: {}", said(&output));
        assert_eq!(fs::read(&out).unwrap(), fs::read(&other).unwrap(), "{line}");
        assert_ne!(fs::read(&out).unwrap(), b"old", "{line}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn full_disks_and_places_that_cannot_be_written_to() {
    use std::os::unix::fs::symlink;

    let bench = Bench::new();
    for Maker { line, extension, .. } in MAKERS {
        bench.clear();
        let full = bench.path("work").join("full").with_extension(extension);
        symlink("/dev/full", &full).unwrap();
        let output = bench.run(line, &full);
        // `play` cannot write to the device but still saves the game, to an SGF file beside it.
        if line.starts_with("play") {
            assert!(output.status.success() && said(&output).is_empty(), "{}", said(&output));
            assert!(bench.path("work/full.sgf.sgf").exists());
        } else {
            assert_eq!(output.status.code(), Some(1), "{line}");
            assert!(said(&output).contains("No space left on device"), "{line}: {}", said(&output));
        }
        for place in ["/proc/out", "/no/such/folder/out"] {
            let place = Path::new(place).with_extension(extension);
            refused(&bench, line, &place, "cannot write /");
        }
    }
}

/// The input is missing or wrong: the output stays unchanged, even with `--force`.
#[test]
fn a_failed_input_changes_nothing() {
    let bench = Bench::new();
    fs::write(bench.path("in/empty.txt"), "# no game\n").unwrap();
    fs::write(bench.path("in/bad.sgf"), "(;SZ[15];B[hh];W[hh])").unwrap();
    for (line, extension, reason) in [
        ("convert IN/none.sgf OUT", "txt", "cannot read"),
        ("convert IN/bad.sgf OUT", "txt", "is occupied"),
        ("convert IN/bad.sgf OUT --skip-bad", "txt", "there is no game to write"),
        ("convert IN/empty.txt OUT", "sgf", "there is no game to write"),
        ("analyze IN/bad.sgf --sgf OUT", "sgf", "is occupied"),
        ("show IN/bad.sgf --svg OUT", "svg", "is occupied"),
        ("book merge OUT IN/caro.part IN/none.part", "book", "none.part"),
        ("book merge OUT IN/caro.part IN/bad.sgf", "book", "bad.sgf"),
        ("book export OUT --book IN/bad.sgf --rule caro --size 9", "sgf", "bad.sgf"),
        ("selfplay merge OUT IN/caro.games IN/bad.sgf", "games", "bad.sgf"),
    ] {
        bench.clear();
        let out = bench.path("work").join("out").with_extension(extension);
        refused(&bench, line, &out, reason);
        fs::write(&out, "a diary").unwrap();
        refused(&bench, &format!("{line} --force"), &out, reason);
    }
}

/// A forgotten name: the part takes the place of the book.
#[test]
fn a_forgotten_name_costs_nothing() {
    let bench = Bench::new();
    for line in ["book merge IN/caro.part IN/caro.part", "selfplay merge IN/caro.games IN/caro.games"] {
        let inputs = |name: &str| fs::read(bench.path("in").join(name)).unwrap();
        let before = [inputs("caro.part"), inputs("caro.games")];
        refused(&bench, line, Path::new(""), "to make, as the first argument");
        assert_eq!([inputs("caro.part"), inputs("caro.games")], before);
    }
}

/// A file that a command would continue stays unchanged if it is of another format or another kind.
#[test]
fn only_files_of_the_same_kind_are_added_to() {
    let bench = Bench::new();
    let states = [
        ("book build OUT --rule caro --size 9 --nodes 40 --positions 8 --threads 1", "caro.part"),
        ("selfplay make OUT --rule caro --size 9 --games 2 --nodes 40 --threads 1", "caro.games"),
        ("prove h8a1h9a2 --nodes 3000 --state OUT", "none"),
    ];
    for (line, own) in states {
        bench.clear();
        let out = bench.path("work/state");
        for (name, foreign) in [
            (
                "a text",
                b"a diary, which has more bytes than the beginning of any file of these commands: ".repeat(9),
            ),
            ("a book", fs::read(bench.path("in/caro.book")).unwrap()),
            ("a part", fs::read(bench.path("in/caro.part")).unwrap()),
            ("games", fs::read(bench.path("in/caro.games")).unwrap()),
        ] {
            if bench.path("in").join(own).exists() && fs::read(bench.path("in").join(own)).unwrap() == foreign
            {
                continue;
            }
            fs::write(&out, &foreign).unwrap();
            let output = bench.run(line, &out);
            assert_eq!(output.status.code(), Some(1), "{line}, {name}: {}", said(&output));
            assert_eq!(fs::read(&out).unwrap(), foreign, "{line}, {name}");
        }
        fs::remove_file(&out).unwrap();
        made(&bench, line, &out);
        let whole = fs::read(&out).unwrap();
        made(&bench, line, &out);
        assert_eq!(fs::read(&out).unwrap(), whole, "{line}: nothing is left to add");
    }
    // One of another question.
    let out = bench.path("work/state");
    refused(&bench, "prove h8a1h9a3 --nodes 3000 --state OUT", &out, "another proof");
    let before = bench.work();
    let output = bench.run("prove h8a1h9a2 --nodes 3000 --state OUT --out OUT", &out);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("--out and --state: expected two files"), "{}", said(&output));
    assert_eq!(bench.work(), before);
}

/// Following such links would never end.
#[cfg(unix)]
#[test]
fn links_in_a_circle_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    for (link, target) in [("a.lib", "a.lib"), ("b.lib", "c.lib"), ("c.lib", "b.lib")] {
        std::os::unix::fs::symlink(target, at(link)).unwrap();
    }
    for link in ["a.lib", "b.lib"] {
        let output = command(&["prove", "h8a1h9a2", "--nodes", "3000", "--out", &at(link)]).output().unwrap();
        assert!(
            output.status.code() == Some(1) && said(&output).contains("cannot write"),
            "{}",
            said(&output)
        );
    }
}

/// A proof on a device cannot be continued.
#[cfg(target_os = "linux")]
#[test]
fn a_proof_written_to_a_device_leaves_no_state() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    for (name, device) in [("null.lib", "/dev/null"), ("printed.lib", "/dev/stdout")] {
        let out = at(name);
        std::os::unix::fs::symlink(device, &out).unwrap();
        let mut command = command(&["prove", "h8a1h9a2", "--nodes", "3000", "--out", out.to_str().unwrap()]);
        let printed = fs::File::create(at("printed")).unwrap();
        let output = command.stdout(printed).output().unwrap();
        assert!(output.status.success(), "{device}: {}", said(&output));
        assert!(!out.with_extension("lib.state").exists(), "{device}");
    }
}

#[test]
fn manual_pages_and_tournaments_leave_what_is_there() {
    let bench = Bench::new();
    let pages = bench.path("work");
    made(&bench, "man OUT", &pages);
    assert!(bench.work().len() > 10);
    refused(&bench, "man OUT", &pages, "it exists already");
    fs::write(pages.join("kagetsu-play.1"), "a diary").unwrap();
    made(&bench, "man OUT --force", &pages);
    assert!(fs::read_to_string(pages.join("kagetsu-play.1")).unwrap().contains(".TH"));
    bench.clear();
    for name in ["plan.json", "games.jsonl", "games.sgf"] {
        bench.clear();
        fs::write(bench.path("work").join(name), "a diary").unwrap();
        let line = "match --engine cmd=/bin/false --engine cmd=/bin/true --games 2 --time 1s --out OUT";
        let before = bench.work();
        let output = bench.run(line, &bench.path("work"));
        assert!(!output.status.success(), "{name}: {}", said(&output));
        assert_eq!(bench.work(), before, "{name}");
    }
}

/// A command that is interrupted or killed while it reads leaves no draft, and the old file stays whole.
#[cfg(unix)]
#[test]
fn an_interrupted_conversion_leaves_nothing() {
    use crate::common::cli::act_on;
    use rustix::process::{Pid, Signal, kill_process};

    let bench = Bench::new();
    let out = bench.path("work/out.sgf");
    for signal in [Signal::INT, Signal::TERM, Signal::KILL] {
        fs::write(&out, "a diary").unwrap();
        let args = ["convert", "-", out.to_str().unwrap(), "--from", "txt", "--force"];
        let mut command = command(&args);
        // Shells start programs in the background with SIGINT ignored.
        act_on(&mut command, libc::SIGINT, libc::SIG_DFL);
        let mut child = command.stdin(std::process::Stdio::piped()).spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        // More than the pipe holds: when all of it is read, the command is at work.
        input.write_all(&b"h8h9\n".repeat(40_000)).unwrap();
        kill_process(Pid::from_child(&child), signal).unwrap();
        assert!(!child.wait().unwrap().success());
        assert_eq!(bench.work(), [("out.sgf".to_owned(), b"a diary".to_vec())], "{signal:?}");
    }
}

/// A dash is the name of standard input, and a file called so is written by mistake only.
#[test]
fn a_dash_names_no_file_to_write() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("game.sgf"), "(;GM[4]SZ[15];B[hh];W[ih])").unwrap();
    for (line, begin) in [
        ("analyze game.sgf --nodes 50 --sgf -", "cannot write -"),
        ("prove h8a1h9a2 --nodes 3000 --out -", "invalid value '-' for '--out <FILE.lib>'"),
        ("prove h8a1h9a2 --nodes 3000 --state -", "invalid value '-' for '--state <FILE>'"),
        ("book build - --rule caro --nodes 40 --positions 1", "invalid value '-' for '<PART>'"),
        ("book import - game.sgf --nodes 40", "invalid value '-' for '<PART>'"),
        ("selfplay make - --rule caro --size 9 --games 1 --nodes 5", "invalid value '-' for '<FILE>'"),
    ] {
        let mut command = command(&line.split(' ').collect::<Vec<_>>());
        let output = command.current_dir(folder.path()).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{line}");
        let expected = format!("{begin}: only convert writes to standard output; expected the name of");
        assert!(said(&output).contains(&expected), "{line}: {}", said(&output));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "{line}");
    }
}

/// Help and versions that cannot be written are failures, like all other output.
#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_written_is_a_failure() {
    let full = || fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let convert = ["convert", "../../tests/data/openings26.lib", "-", "--to", "sgf"];
    for args in [&["--help"][..], &["convert", "--help"], &["--version"], &["show", "h8"], &["man"], &convert]
    {
        let output = command(args).stdout(full()).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{args:?}");
        let said = said(&output);
        assert!(
            said.contains("cannot write to standard output: No space left on device"),
            "{args:?}: {said}"
        );
    }
}
