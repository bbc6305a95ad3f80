//! The shell scripts, with programs that only note how they were called.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

/// Notes its call, and makes the file that the real program would make.
const NOTES: &str = r#"#!/usr/bin/env bash
echo "${0##*/} $*" >>"$CALLS"
while [ $# -gt 0 ]; do
    case $1 in
    make | combine | --out) : >>"$2" ;;
    explore) : >>"$3" ;;
    verify) echo "$2: 40 games, all right" ;;
    esac
    shift
done
"#;

/// Fails if it has the name that is to fail.
const FAILS: &str = r#"#!/usr/bin/env bash
if [ "${0##*/}" = "$FAILING" ]; then
    echo "the disk is full" >&2
    exit 3
fi
"#;

/// Plays a match of 20 games, which the first engine wins, if there is the file of that engine. A match of 100 nodes has ten
/// games only, and waits for the file `go`.
const PLAYS: &str = r#"#!/usr/bin/env bash
engine='' nodes='' folder=''
while [ $# -gt 0 ]; do
    case $1 in
    --engine) engine=${engine:-$2} ;;
    --nodes) nodes=$2 ;;
    --out | --resume) folder=$2 ;;
    esac
    shift
done
: >"$folder/plan.json"
if [ -n "$engine" ]; then
    eval "words=($engine)"
    [ -f "${words[1]}" ] || exit 1
fi
echo '{"event":"start","engines":["kagetsu","other"]}'
games=20
if [ "$nodes" = 100 ]; then
    games=10
    : >"$SIGNS/begun"
    until [ -e "$SIGNS/go" ] || [ ! -e "$SIGNS/begun" ]; do sleep 0.01; done
fi
for ((i = 0; i < games; i++)); do echo '{"event":"game"}'; done
counts="{\"wins\":$games,\"draws\":0,\"losses\":0}"
echo "{\"event\":\"end\",\"counts\":$counts,\"pairs\":[0,0,0,0,$((games / 2))],\"one_coloured\":{\"of\":$((games / 2)),\"pairs\":3}}"
"#;

/// As `kagetsu` it plays four games without a fault if there are the programs of all engines. As `cargo` it builds it, and as
/// an engine it ends at once.
const NEEDS_ENGINES: &str = r#"#!/usr/bin/env bash
case ${0##*/} in
pbrain-kagetsu) exit ;;
cargo)
    mkdir -p "$CARGO_TARGET_DIR/release"
    cp "$KAGETSU" "$CARGO_TARGET_DIR/release/kagetsu"
    : >"$CARGO_TARGET_DIR/release/pbrain-kagetsu"
    exit
    ;;
esac
folder=''
while [ $# -gt 0 ]; do
    case $1 in
    --engine)
        words=()
        eval "words=($2)"
        [ -f "${words[1]}" ] || exit 1
        ;;
    --out) folder=$2 ;;
    esac
    shift
done
[ -n "$folder" ] || exit 0
mkdir -p "$folder"
: >"$folder/plan.json"
: >"$folder/games.jsonl"
echo '{"event":"end","games":4,"faults":[]}'
"#;

/// Builds without end, until a signal comes or there is no file `begun` any more.
const BUILDS: &str = r#"#!/usr/bin/env bash
: >"$SIGNS/begun"
while [ -e "$SIGNS/begun" ]; do sleep 0.01; done
"#;

/// Makes a folder of programs with these names.
fn install(dir: &Path, names: &[&str], text: &str) -> PathBuf {
    let (programs, draft) = (dir.join("programs"), dir.join("draft"));
    fs::create_dir(&programs).unwrap();
    fs::write(&draft, text).unwrap();
    for name in names {
        // A program cannot start while a process has it open for writing. If this process wrote it, children of other
        // tests could have it open, too.
        let mut command = Command::new("install");
        assert!(command.args(["-m", "755"]).arg(&draft).arg(programs.join(name)).status().unwrap().success());
    }
    programs
}

fn script(name: &str) -> Command {
    Command::new(Path::new(env!("CARGO_MANIFEST_DIR")).join(name))
}

/// Returns whether something happens within ten seconds or so.
fn soon(mut happens: impl FnMut() -> bool) -> bool {
    (0..2000).any(|_| {
        std::thread::sleep(Duration::from_millis(5));
        happens()
    })
}

/// Runs the pipeline in a folder. Returns its output, and all calls of programs for this folder so far.
fn pipeline(programs: &Path, dir: &Path, numbers: &[&str]) -> (Output, Vec<String>) {
    let calls = dir.with_extension("calls");
    let mut command = script("pipeline.sh");
    let output =
        command.arg(dir).args(numbers).env("PROGRAMS", programs).env("CALLS", &calls).output().unwrap();
    let calls = fs::read_to_string(&calls).unwrap_or_default();
    (output, calls.lines().map(str::to_owned).collect())
}

/// Returns the standard error of a pipeline that must fail.
fn refusal(output: &Output) -> String {
    let said = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    said
}

/// Returns the call of the trainer for a net, up to `--out`.
fn training<'a>(calls: &'a [String], net: &str) -> &'a str {
    let end = format!("/{net}");
    let makes_it = |rest: &str| rest.split(' ').next().is_some_and(|out| out.ends_with(&end));
    let mut calls = calls.iter().filter_map(|call| call.split_once(" --out "));
    calls.find(|(_, rest)| makes_it(rest)).unwrap().0
}

#[test]
fn the_number_of_games_decides_how_a_net_is_trained() {
    const USUAL: &str = "kagetsu-train";
    const LOW: &str = "kagetsu-train --epochs 5 --rate 1.5e-3";
    let dir = tempfile::tempdir().unwrap();
    let programs = install(dir.path(), &["kagetsu", "kagetsu-train"], NOTES);
    let calls = |games: &str| {
        let (output, calls) = pipeline(&programs, &dir.path().join(games), &["4", games]);
        assert!(output.status.success(), "{output:?}");
        calls
    };
    // Freestyle has games on two boards, and the second generation learns from those of the first, too.
    let few = calls("2000");
    let nets = [("gen1-renju.net", USUAL), ("gen1-freestyle.net", LOW), ("gen2-renju.net", LOW)];
    for (net, expected) in nets {
        assert_eq!(training(&few, net), expected, "{net}");
    }
    // The fourth learns from its own games alone: few continue the net before, many begin anew.
    let continued = training(&few, "gen4-renju.net");
    assert!(continued.contains("--from ") && continued.contains("/gen3-renju.net "), "{continued}");
    assert_eq!(training(&calls("10000"), "gen4-renju.net"), LOW);
}

#[test]
fn sets_of_other_numbers_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let programs = install(dir.path(), &["kagetsu", "kagetsu-train"], NOTES);
    let nets = dir.path().join("nets");
    let said = refusal(&pipeline(&programs, &nets, &["1", "4O", "50"]).0);
    assert!(said.contains("'4O': expected a whole number") && !nets.exists(), "{said}");

    let (output, calls) = pipeline(&programs, &nets, &["1", "40", "50"]);
    assert!(output.status.success() && !calls.is_empty(), "{output:?}");
    for numbers in [["1", "60", "50"], ["1", "40", "60"]] {
        let (output, after) = pipeline(&programs, &nets, &numbers);
        let said = refusal(&output);
        assert!(said.contains("its sets have 40 games, 50 nodes a move"), "{said}");
        assert_eq!(after, calls);
    }
    let (output, after) = pipeline(&programs, &nets, &["2", "40", "50"]);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(training(&after, "gen2-caro.net"), "kagetsu-train");
}

/// The files that a set was made of take as much room as the set.
#[test]
fn files_of_a_set_that_has_its_samples_can_be_removed() {
    let dir = tempfile::tempdir().unwrap();
    let programs = install(dir.path(), &["kagetsu", "kagetsu-train"], NOTES);
    let nets = dir.path().join("nets");
    let (output, calls) = pipeline(&programs, &nets, &["1", "40", "50"]);
    assert!(output.status.success() && !calls.is_empty(), "{output:?}");
    for file in ["gen0-renju-15.games", "gen0-renju-15-walks.games", "gen0-renju-15-tree.games"] {
        fs::remove_file(nets.join(file)).unwrap();
    }
    let (output, after) = pipeline(&programs, &nets, &["1", "40", "50"]);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(after, calls);
}

/// The searches of samples have three tenths of the nodes of a move, and no search has none.
#[test]
fn searches_of_few_nodes_have_one_at_least() {
    let dir = tempfile::tempdir().unwrap();
    let programs = install(dir.path(), &["kagetsu", "kagetsu-train"], NOTES);
    for (nodes, expected) in [("3", "--tree 3 --nodes 1"), ("2000", "--tree 2000 --nodes 600")] {
        let (output, calls) = pipeline(&programs, &dir.path().join(nodes), &["1", "40", nodes]);
        assert!(output.status.success(), "{output:?}");
        assert!(calls.iter().any(|call| call.ends_with(expected)), "{calls:?}");
    }
}

#[test]
fn shards_without_numbers_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    for numbers in [["1e5", "40"], ["100", "0"], ["100", "x"]] {
        let mut command = script("many.sh");
        let output = command.current_dir(&dir).arg("caro.games").args(numbers).arg(":").output().unwrap();
        assert!(refusal(&output).contains(": expected a whole number above 0"), "{output:?}");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    }
}

/// An earlier version left no file with the numbers.
#[test]
fn the_sets_of_an_earlier_version_tell_their_numbers() {
    let dir = tempfile::tempdir().unwrap();
    let programs = install(dir.path(), &["kagetsu", "kagetsu-train"], NOTES);
    let nets = dir.path().join("nets");
    fs::create_dir(&nets).unwrap();
    fs::write(nets.join("gen0-renju-15.games"), "{\"size\":15,\"nodes\":50,\"seed\":1}\n").unwrap();
    fs::write(nets.join("gen0-renju-15-all.games"), "").unwrap();
    let others = [
        (["1", "60", "50"], "gen0-renju-15-all.games: 40 games; expected"),
        (["1", "40", "60"], "gen0-renju-15.games: 50 nodes a move; expected"),
    ];
    for (numbers, expected) in others {
        let said = refusal(&pipeline(&programs, &nets, &numbers).0);
        assert!(said.contains(expected), "{said}");
    }
    // A set without samples may be unfinished, but it has no game too many.
    fs::write(nets.join("gen0-caro-15.games"), "{\"size\":15,\"nodes\":50,\"seed\":1}\n").unwrap();
    fs::remove_file(nets.join("gen0-renju-15-all.games")).unwrap();
    let said = refusal(&pipeline(&programs, &nets, &["1", "30", "50"]).0);
    assert!(said.contains("gen0-caro-15.games: 40 games; expected"), "{said}");
    // Its options are not those of this version.
    let begun = nets.join("gen1-renju.net.checkpoint");
    fs::write(&begun, "").unwrap();
    let said = refusal(&pipeline(&programs, &nets, &["1", "60", "50"]).0);
    assert!(
        said.contains("gen1-renju.net.checkpoint is of a training with the options of an earlier"),
        "{said}"
    );
    fs::remove_file(&begun).unwrap();
    let (output, _) = pipeline(&programs, &nets, &["1", "60", "50"]);
    assert!(output.status.success(), "{output:?}");
}

/// Status 3 would mean that there is nothing to compare with.
#[test]
fn the_comparison_with_the_gpu_tells_why_a_program_failed() {
    let dir = tempfile::tempdir().unwrap();
    let programs = install(dir.path(), &["kagetsu", "kagetsu-train", "python3"], FAILS);
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    let check = |failing: &str| {
        let mut command = script("gpu-check.sh");
        command.env("PATH", &path).env("PROGRAMS", &programs).env("FAILING", failing).output().unwrap()
    };
    for failing in ["kagetsu", "kagetsu-train"] {
        let said = refusal(&check(failing));
        assert!(said.contains("the disk is full") && said.contains(&format!("/{failing} ")), "{said}");
    }
    let output = check("");
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn screenshots_go_where_the_folder_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let programs = install(dir.path(), &["node", "npm", "chromium", "kagetsu"], "#!/usr/bin/env bash\n");
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    let mut command = script("../web-test.sh");
    command.args(["--screenshots", "shots"]).current_dir(&dir).env("PATH", path);
    command.env("CHROMIUM", programs.join("chromium")).env("KAGETSU", programs.join("kagetsu"));
    let output = command.output().unwrap();
    assert!(output.status.success() && dir.path().join("shots").is_dir(), "{output:?}");
}

/// Git for Windows writes CRLF into text files unless it is told not to, and shells do not read such scripts. Other texts are
/// compared byte by byte. A source without its repository has nothing to check.
#[test]
fn a_checkout_has_the_same_bytes_on_every_system() {
    let mut command = Command::new("git");
    command.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let output =
        command.args(["check-attr", "text", "--", "scripts/pgo.sh", "web/page/app.js"]).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(!output.status.success() || said.lines().all(|line| line.ends_with(": text: unset")), "{said}");
}

#[test]
fn a_program_that_does_not_run_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let programs = install(dir.path(), &["wine", "engine"], FAILS);
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    let run = |name: &str, program: &Path| {
        let mut command = script(name);
        command.arg(program).env("PATH", &path).env("FAILING", "wine").env_remove("WINEPREFIX");
        command.env("CARGO_TARGET_DIR", dir.path().join("target")).output().unwrap()
    };
    let said = refusal(&run("../wine.sh", Path::new("program.exe")));
    assert!(said.contains("wine.sh: wine cannot prepare "), "{said}");
    // The measurement reads /proc.
    if cfg!(target_os = "linux") {
        // The pretended engine ends without an answer.
        let said = refusal(&run("../start-time.sh", &programs.join("engine")));
        assert!(said.contains("the program ended after 'START 20'"), "{said}");
        let output = run("../start-time.sh", &dir.path().join("none"));
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && said.contains("start-time.sh: no program "), "{said}");
    }
}

/// Calls of one script for the same folder, one of which ends while another one plays. The folder's name has a quote.
#[test]
fn matches_side_by_side_have_results_of_their_own() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("player's games");
    let programs = install(dir.path(), &["kagetsu"], PLAYS);
    let begin = |limit: &str| {
        // The engine of an earlier start: none is built.
        let folder = out.join(format!("renju-15-{limit}"));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("pbrain-kagetsu"), "").unwrap();
        let mut command = script("../against.sh");
        command.args([limit, "other"]).env("OUT", &out).env("RULES", "renju-15").env("SIGNS", dir.path());
        command.env("KAGETSU", programs.join("kagetsu")).env_remove("ENGINE").env_remove("OPENINGS");
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let row = |script: Child| -> Vec<String> {
        let output = script.wait_with_output().unwrap();
        let text = String::from_utf8(output.stdout.clone()).unwrap();
        let row = text.lines().find(|line| line.starts_with("renju-15 "));
        let row = row.unwrap_or_else(|| panic!("no row: {output:?}"));
        assert!(text.starts_with("against other\n"), "{text}");
        // Rule, limit and games, and pairs of one colour.
        let words: Vec<&str> = row.split_whitespace().collect();
        [&words[..3], &words[words.len() - 3..]].concat().into_iter().map(str::to_owned).collect()
    };
    let first = begin("100");
    assert!(soon(|| dir.path().join("begun").exists()));
    assert_eq!(row(begin("200")), ["renju-15", "200", "20", "3", "of", "10"]);
    // A second call for the match that is being played would write over its events.
    let mut again = begin("100");
    let ended = soon(|| again.try_wait().unwrap().is_some());
    fs::write(dir.path().join("go"), "").unwrap();
    let said = refusal(&again.wait_with_output().unwrap());
    assert!(ended && said.contains("another call plays this match"), "{said}");
    assert_eq!(row(first), ["renju-15", "100", "10", "3", "of", "5"]);
}

#[test]
fn engines_are_found_in_a_folder_with_a_quote() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("player's games");
    fs::create_dir(&folder).unwrap();
    let programs = install(&folder, &["kagetsu", "pbrain-kagetsu", "cargo"], NEEDS_ENGINES);
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    let run = |name: &str, arguments: &[&str]| {
        let mut command = script(name);
        command.args(arguments).env("PATH", &path).env("OUT", folder.join("test")).env_remove("OPENINGS");
        command.env("KAGETSU", programs.join("kagetsu")).env("PBRAIN", programs.join("pbrain-kagetsu"));
        command.env("CARGO_TARGET_DIR", folder.join("target")).output().unwrap()
    };
    let output = run("../self-match.sh", &[]);
    assert!(output.status.success(), "{output:?}");
    let output = run("../sprt.sh", &[".", "."]);
    assert!(output.status.success(), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains(". and . are the same engine"), "{output:?}");
    let said = refusal(&run("../sprt.sh", &[".", "."]));
    assert!(said.contains(r"/player'\''s games/test' continues it"), "{said}");
    // The soak reads /proc.
    if cfg!(target_os = "linux") {
        let soak = folder.join("soak");
        let said = refusal(&run("../soak.sh", &["0.001", soak.to_str().unwrap()]));
        let faults = fs::read_to_string(soak.join("faults.txt")).unwrap();
        assert!(faults.contains("\tthe engine is gone") && !faults.contains("\tmatch "), "{said}{faults}");
    }
}

#[test]
fn a_signal_ends_a_script_while_it_builds() {
    let dir = tempfile::tempdir().unwrap();
    let programs = install(dir.path(), &["cargo"], BUILDS);
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    let [begun, nets] = ["begun", "nets"].map(|name| dir.path().join(name));
    for (name, arguments) in [("pipeline.sh", &[&nets][..]), ("../build-book.sh", &[])] {
        let mut command = script(name);
        command.args(arguments).env("PATH", &path).env("SIGNS", dir.path());
        command.env_remove("PROGRAMS").env_remove("KAGETSU").stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        assert!(soon(|| begun.exists()), "{name}");
        let id = child.id().to_string();
        assert!(Command::new("sh").args(["-c", "kill -TERM $0", &id]).status().unwrap().success());
        let ended = soon(|| child.try_wait().unwrap().is_some());
        // A build that is still there ends now.
        fs::remove_file(&begun).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(ended && output.status.code() == Some(143), "{name}: {output:?}");
    }
}

/// Bash acts on a signal between two commands: here between the one that starts a program and the next one,
/// which is the first to name the program's process by `$!`.
#[test]
fn a_signal_ends_a_program_that_has_just_started() {
    const NAMES_ITSELF: &str = r#"#!/usr/bin/env bash
echo $$ >"$SIGNS/number"
mv "$SIGNS/number" "$SIGNS/begun"
while [ -e "$SIGNS/begun" ]; do sleep 0.01; done
"#;
    const STARTS: &str = r#"
set -euo pipefail -o functrace
. "$1"
signal() {
    until [ -e "$SIGNS/begun" ]; do sleep 0.01; done
    kill -TERM $$
    :
}
trap 'case $BASH_COMMAND in *"\$!"*) signal ;; esac' DEBUG
work "$2"
"#;
    let dir = tempfile::tempdir().unwrap();
    let program = install(dir.path(), &["program"], NAMES_ITSELF).join("program");
    let stoppable = Path::new(env!("CARGO_MANIFEST_DIR")).join("../stoppable.sh");
    let mut command = Command::new("bash");
    command.args(["-c", STARTS, "starts"]).arg(stoppable).arg(program).env("SIGNS", dir.path());
    // A program that is left running would keep pipes open.
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
    let number = fs::read_to_string(dir.path().join("begun")).unwrap();
    let lives = Command::new("sh").args(["-c", "kill -0 $0", number.trim()]).status().unwrap().success();
    // A program that is still there ends now.
    fs::remove_file(dir.path().join("begun")).unwrap();
    assert!(!lives && status.code() == Some(143), "{status}");
}
