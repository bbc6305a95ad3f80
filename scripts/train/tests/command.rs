//! The trainer from outside: continuing from a net, and its errors.

mod common;

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use common::{beside, games, train};
use kagetsu::eval::{Net, nets};
use kagetsu::game::RuleKind;

/// Runs a training to its end. Returns its output and standard error.
fn run(command: &mut Command) -> (Output, String) {
    let output = command.stderr(Stdio::piped()).output().unwrap();
    let said = String::from_utf8(output.stderr.clone()).unwrap();
    (output, said)
}

/// Returns the error of a training that fails.
fn refusal(command: &mut Command) -> String {
    let (output, said) = run(command);
    assert_eq!(output.status.code(), Some(1), "{said}");
    said
}

fn net(path: &Path) -> Net {
    Net::from_bytes(&fs::read(path).unwrap()).unwrap()
}

/// Without an epoch the given net comes out unchanged, except for the rounding of biases; after one epoch it has
/// learned.
#[test]
fn a_training_goes_on_from_a_net() {
    let dir = tempfile::tempdir().unwrap();
    let games = games(dir.path());
    let [given, same, further, anew] =
        ["given", "same", "further", "anew"].map(|name| dir.path().join(name).with_extension("net"));
    assert!(run(&mut train(&games, &given, 1)).0.status.success());
    let from = |from: &Path, out: &Path, epochs| {
        let (output, said) = run(train(&games, out, epochs).arg("--from").arg(from));
        assert!(output.status.success(), "{said}");
        net(out)
    };
    // The same command finds the training finished.
    let (output, said) = run(&mut train(&games, &given, 1));
    assert!(output.status.success(), "{said}");
    let told = [" and 1 whole epoch\n".to_owned(), format!("finished: the net is {}\n", given.display())];
    assert!(told.iter().all(|line| said.contains(line)), "{said}");
    let first = net(&given);
    let second = from(&given, &same, 0);
    assert_eq!(second.info.rule, "caro");
    assert!(second.embedding == first.embedding && second.policy == first.policy);
    assert!(second.linear == first.linear && second.moves == first.moves);
    for (a, b) in first.heads.iter().zip(&second.heads) {
        assert!(a.w1 == b.w1 && a.w2 == b.w2 && a.b2 == b.b2 && a.w3 == b.w3 && a.b3 == b.b3);
    }
    assert!(from(&given, &further, 1).embedding != first.embedding);
    // Without a net it would have random weights.
    let said = refusal(&mut train(&games, &anew, 0));
    assert!(said.contains("--epochs 0 without --from") && !anew.exists(), "{said}");
    assert!(!beside(&anew, "checkpoint").exists());

    let other = dir.path().join("renju.net");
    fs::write(&other, nets::net(RuleKind::Renju).to_bytes()).unwrap();
    let said = refusal(train(&games, &further, 1).arg("--from").arg(&other));
    assert!(
        said.contains("renju.net") && said.contains("the net is for renju; expected one for caro"),
        "{said}"
    );
}

/// The losses of a net are those of its training's end, but for the rounding of its weights. Nothing is written.
#[test]
fn a_net_is_judged_without_training() {
    let dir = tempfile::tempdir().unwrap();
    let games = games(dir.path());
    let out = dir.path().join("caro.net");
    assert!(run(&mut train(&games, &out, 2)).0.status.success());
    let log = fs::read_to_string(beside(&out, "log")).unwrap();
    let last: serde_json::Value = serde_json::from_str(log.lines().last().unwrap()).unwrap();
    let files = || fs::read_dir(dir.path()).unwrap().count();
    let before = files();
    let output = judge(&out, &games, "20");
    assert!(output.status.success(), "{output:?}");
    let expected = last["validation"].as_f64().unwrap();
    assert!((loss(&output) - expected).abs() < 0.005, "{output:?}; expected {expected}");
    assert_eq!(files(), before);

    let other = dir.path().join("renju.net");
    fs::write(&other, nets::net(RuleKind::Renju).to_bytes()).unwrap();
    let said = String::from_utf8(judge(&other, &games, "20").stderr).unwrap();
    assert!(said.contains("the net is for renju; expected one for caro"), "{said}");
}

/// Judges a net on one game in `hold`.
fn judge(net: &Path, games: &Path, hold: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kagetsu-train"));
    command.arg("--judge").arg(net).arg(games).args(["--hold", hold]).output().unwrap()
}

/// Returns the loss of the value that a judgement prints.
fn loss(output: &Output) -> f64 {
    let said = str::from_utf8(&output.stdout).unwrap();
    said.split_whitespace().nth(2).unwrap().parse().unwrap()
}

/// Nobody learns from the games that a net is judged on, so that all of them can be held back. A training
/// needs some.
#[test]
fn a_net_is_judged_on_all_games() {
    let dir = tempfile::tempdir().unwrap();
    let games = games(dir.path());
    let out = dir.path().join("caro.net");
    assert!(run(&mut train(&games, &out, 1)).0.status.success());
    // Games and positions to learn from, and cells of each; games, positions and repeated positions held
    // back; the scale.
    let numbers = |output: &Output| -> Vec<u64> {
        let said = str::from_utf8(&output.stderr).unwrap();
        let line = said.lines().find(|line| line.contains(" held back, without ")).unwrap();
        line.split(|c: char| !c.is_ascii_digit()).filter_map(|number| number.parse().ok()).collect()
    };
    let [some, all] = ["20", "1"].map(|hold| judge(&out, &games, hold));
    assert!(some.status.success() && all.status.success(), "{some:?} {all:?}");
    let [of_some, of_all] = [&some, &all].map(numbers);
    assert_eq!(of_all[..3], [0, 0, 0], "{of_all:?}");
    assert_eq!(of_all[3], of_some[0] + of_some[3], "{of_some:?} {of_all:?}");
    assert_eq!(of_all[4], of_some[1] + of_some[4] + of_some[5], "{of_some:?} {of_all:?}");
    assert_eq!(of_all[5], 0);
    assert!((20..=1000).contains(&of_all[6]) && loss(&all).is_finite(), "{all:?}");

    let said = refusal(train(&games, &dir.path().join("other.net"), 1).args(["--hold", "1"]));
    assert!(said.contains(" 0 to learn from") && said.contains("expected some of both"), "{said}");
}

/// With `2>&1 | head` the reader is gone after some lines: neither the training nor its net is lost by that.
#[test]
fn a_training_that_nobody_reads_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let games = games(dir.path());
    let out = dir.path().join("caro.net");
    let mut training = train(&games, &out, 2).stderr(Stdio::piped()).spawn().unwrap();
    drop(training.stderr.take());
    let status = training.wait().unwrap();
    assert!(status.success() && out.exists(), "{status}");
    assert_eq!(fs::read_to_string(beside(&out, "log")).unwrap().lines().count(), 2);

    let mut judge = Command::new(env!("CARGO_BIN_EXE_kagetsu-train"));
    judge.arg("--judge").arg(&out).arg(&games).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut judge = judge.spawn().unwrap();
    drop((judge.stdout.take(), judge.stderr.take()));
    let status = judge.wait().unwrap();
    assert!(status.success(), "{status}");
}

/// Reading, expanding and learning use all threads; the net is the same with one and with three. It depends
/// on the order of positions: with another buffer the net is another one.
#[test]
fn the_net_does_not_depend_on_the_number_of_threads() {
    let dir = tempfile::tempdir().unwrap();
    let games = games(dir.path());
    let trained = |name: &str, threads: &str, buffer: &str| {
        let out = dir.path().join(name);
        let (output, said) =
            run(train(&games, &out, 2).args(["--threads", threads, "--buffer", buffer, "--hold", "5"]));
        assert!(output.status.success(), "{said}");
        (fs::read(&out).unwrap(), fs::read(beside(&out, "log")).unwrap())
    };
    let one = trained("one.net", "1", "1500");
    assert!(trained("three.net", "3", "1500") == one);
    assert!(trained("other.net", "3", "100000") != one);
}

/// The games are read again in every epoch. If the file was cut meanwhile, the training ends with an error, and no net is
/// written.
#[test]
fn games_that_are_cut_during_the_training_are_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let games = games(dir.path());
    let net = dir.path().join("caro.net");
    let mut command = train(&games, &net, 100_000);
    command.args(["--buffer", "1000", "--checkpoint-every", "0s"]).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    while !beside(&net, "checkpoint").exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let len = fs::metadata(&games).unwrap().len();
    fs::OpenOptions::new().write(true).open(&games).unwrap().set_len(len - 1).unwrap();
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains(&format!("{}: changed at byte ", games.display())), "{said}");
    assert!(!net.exists());
}

#[test]
fn a_file_given_twice_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let games = games(dir.path());
    let copy = dir.path().join("copy.games");
    fs::copy(&games, &copy).unwrap();
    let net = dir.path().join("caro.net");
    for again in [&games, &copy] {
        let said = refusal(train(&games, &net, 1).arg(again));
        assert!(said.contains(&format!("{}: game 0 was read before", again.display())), "{said}");
    }
    assert!(!net.exists());
}

#[test]
fn games_that_are_all_held_back_are_too_few() {
    let dir = tempfile::tempdir().unwrap();
    let games = games(dir.path());
    let net = dir.path().join("caro.net");
    let said = refusal(train(&games, &net, 1).args(["--hold", "1"]));
    assert!(said.contains("0 to learn from, 60 held back: expected some of both"), "{said}");
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "{said}");
}

/// A training cannot continue from damaged weights: the error names the checkpoint and says what to do with it.
#[test]
fn a_damaged_checkpoint_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let games = games(dir.path());
    let net = dir.path().join("caro.net");
    let checkpoint = beside(&net, "checkpoint");
    assert!(run(&mut train(&games, &net, 1)).0.status.success());
    let mut bytes = fs::read(&checkpoint).unwrap();
    let weights = bytes.iter().position(|&b| b == b'\n').unwrap() + 1;
    bytes[weights] ^= 1;
    fs::write(&checkpoint, bytes).unwrap();
    let said = refusal(&mut train(&games, &net, 1));
    assert!(
        said.contains(&checkpoint.display().to_string()) && said.contains("--force begins anew"),
        "{said}"
    );
    assert!(said.contains("the checksum of its weights is wrong"), "{said}");
    assert!(run(train(&games, &net, 1).arg("--force")).0.status.success());
    // Without its checkpoint nothing tells whether the training wrote the net.
    fs::remove_file(&checkpoint).unwrap();
    let before = fs::read(&net).unwrap();
    let said = refusal(&mut train(&games, &net, 1));
    assert!(said.contains("caro.net: it exists already: expected a new name"), "{said}");
    assert_eq!(fs::read(&net).unwrap(), before);
}

/// A training replaces the files that it wrote itself and nothing else, whether it is finished or goes on.
#[test]
fn files_of_others_beside_the_net_stay() {
    let dir = tempfile::tempdir().unwrap();
    let games = games(dir.path());
    let net = dir.path().join("caro.net");
    let paths = [net.clone(), beside(&net, "log"), beside(&net, "svg")];
    let files = || paths.each_ref().map(|path| fs::read(path).unwrap());
    assert!(run(&mut train(&games, &net, 2)).0.status.success());
    let written = files();
    for path in &paths {
        let edited = [&fs::read(path).unwrap()[..], b"a remark\n"].concat();
        fs::write(path, &edited).unwrap();
        let said = refusal(&mut train(&games, &net, 2));
        let expected = format!("{}: somebody else has written or edited it", path.display());
        assert!(said.contains(&expected) && said.contains("under another name"), "{said}");
        assert!(fs::read(path).unwrap() == edited, "{said}");
        // A file that is not there is written again.
        fs::remove_file(path).unwrap();
        assert!(run(&mut train(&games, &net, 2)).0.status.success());
        assert!(files() == written, "{path:?}");
    }
    fs::write(&net, "a better net").unwrap();
    assert!(run(train(&games, &net, 2).arg("--force")).0.status.success());
    assert!(files() == written);
}

/// With `--force` the net would replace its own games. A name may stand for them by a link.
#[test]
fn a_training_does_not_destroy_its_games() {
    let dir = tempfile::tempdir().unwrap();
    let games = games(dir.path());
    let net = dir.path().join("caro.net");
    let before = fs::read(&games).unwrap();
    let checkpoint = beside(&net, "checkpoint");
    fs::rename(&games, &checkpoint).unwrap();
    let mut names = vec![(checkpoint.clone(), checkpoint.clone()), (checkpoint.clone(), net.clone())];
    let around = dir.path().join("folder").join("..").join("caro.net.checkpoint");
    fs::create_dir(dir.path().join("folder")).unwrap();
    names.push((checkpoint.clone(), around));
    // The log is written in place.
    let other = dir.path().join("other.net");
    fs::hard_link(&checkpoint, beside(&other, "log")).unwrap();
    names.push((checkpoint.clone(), other));
    #[cfg(unix)]
    {
        let link = dir.path().join("link.games");
        std::os::unix::fs::symlink(&checkpoint, &link).unwrap();
        names.push((link, net));
    }
    for (games, out) in names {
        let said = refusal(train(&games, &out, 0).arg("--force"));
        assert!(said.contains("it is one of the files of games"), "{said}");
        assert!(fs::read(&checkpoint).unwrap() == before, "{out:?}");
    }
}

/// A training whose net could not be written does not begin.
#[test]
fn a_name_that_cannot_be_written_is_refused_first() {
    let dir = tempfile::tempdir().unwrap();
    let games = games(dir.path());
    let net = dir.path().join("caro.net");
    fs::create_dir(&net).unwrap();
    let said = refusal(train(&games, &net, 1).arg("--force"));
    assert!(said.contains("caro.net: it is a directory") && !said.contains("epoch 1"), "{said}");
    assert!(!beside(&net, "checkpoint").exists());
}

/// Reading the games may take minutes. Here it would fail, because the file is cut.
#[test]
fn names_are_refused_before_the_games_are_read() {
    let dir = tempfile::tempdir().unwrap();
    let games = games(dir.path());
    let bytes = fs::read(&games).unwrap();
    fs::write(&games, &bytes[..bytes.len() - 1]).unwrap();
    let [net, other, missing] = ["caro.net", "other.net", "missing.net"].map(|name| dir.path().join(name));
    let said = refusal(&mut train(&games, &net, 1));
    assert!(said.contains("caro.games: unfinished at byte "), "{said}");

    fs::write(&other, "somebody's net").unwrap();
    let said = refusal(&mut train(&games, &other, 1));
    assert!(said.contains("other.net: it exists already"), "{said}");
    let said = refusal(&mut train(&games, &dir.path().join("folder").join("caro.net"), 1));
    assert!(said.contains("the folder") && said.contains("does not exist"), "{said}");
    let said = refusal(train(&games, &net, 1).arg("--expand").arg(dir.path()));
    assert!(said.contains("expected a new folder"), "{said}");
    let said = refusal(train(&games, &net, 1).arg("--from").arg(&missing));
    assert!(said.contains("missing.net"), "{said}");
    let mut judge = Command::new(env!("CARGO_BIN_EXE_kagetsu-train"));
    let said = refusal(judge.arg("--judge").arg(&missing).arg(&games));
    assert!(said.contains("missing.net"), "{said}");
}

#[test]
fn impossible_rates_and_shares_are_refused() {
    for (flag, value) in [
        ("--score-share", "5"),
        ("--score-share", "nan"),
        ("--score-share=-0.1", ""),
        ("--rate", "inf"),
        ("--embedding-rate", "nan"),
        ("--linear-rate=-1", ""),
        ("--moves-rate", "x"),
        ("--decay", "inf"),
    ] {
        let mut command = train(Path::new("no.games"), Path::new("no.net"), 0);
        command.arg(flag).args(Some(value).filter(|value| !value.is_empty()));
        let (output, said) = run(&mut command);
        assert_eq!(output.status.code(), Some(2), "{flag} {value}: {said}");
        assert!(said.contains("expected a number"), "{flag} {value}: {said}");
    }
}

#[test]
fn numbers_out_of_range_are_refused() {
    let [games, net] = [Path::new("no.games"), Path::new("no.net")];
    let refused = |command: &mut Command, flag: &str| {
        let (output, said) = run(command);
        assert_eq!(output.status.code(), Some(2), "{flag}: {said}");
        assert!(said.contains("invalid value") && said.contains(flag), "{flag}: {said}");
    };
    // More positions of all epochs than a number holds.
    refused(&mut train(games, net, u64::MAX), "--epochs");
    for (flag, values) in [
        ("--threads", ["0", "1025"]),
        ("--buffer", ["0", "x"]),
        ("--hold", ["0", "x"]),
        ("--scale", ["0", "4097"]),
        ("--seed", ["x", "4294967296"]),
        ("--checkpoint-every", ["5", "x"]),
    ] {
        for value in values {
            refused(train(games, net, 1).args([flag, value]), flag);
        }
    }
}

/// Returns the bytes of a file of `--expand`.
fn flat(dir: &Path, name: &str) -> Vec<u8> {
    fs::read(dir.join(name)).unwrap()
}

/// The files have the records that the plan tells, and the training that a checkpoint of `--expand` begins gives the net that it
/// would have given anyway.
#[test]
fn positions_are_written_for_another_trainer() {
    let dir = tempfile::tempdir().unwrap();
    let games = games(dir.path());
    let [plain, other] = ["plain.net", "other.net"].map(|name| dir.path().join(name));
    let positions = dir.path().join("positions");
    let (output, said) = run(train(&games, &other, 1).arg("--expand").arg(&positions));
    assert!(output.status.success() && !other.exists(), "{said}");
    let next = format!("gpu.py {} {}\n", positions.display(), beside(&other, "checkpoint").display());
    assert!(said.ends_with(&next), "{said}");

    let plan: serde_json::Value = serde_json::from_slice(&flat(&positions, "plan.json")).unwrap();
    for set in ["training", "validation"] {
        let size = |of: &str| plan[set][of].as_u64().unwrap() as usize;
        let (samples, cells) =
            (flat(&positions, &format!("{set}.samples")), flat(&positions, &format!("{set}.cells")));
        assert_eq!((samples.len(), cells.len()), (16 * size("positions"), 10 * size("cells")), "{set}");
        let number = |record: &[u8; 16], at: usize| u16::from_le_bytes([record[at], record[at + 1]]);
        let records = samples.as_chunks::<16>().0;
        let of_samples: usize = records.iter().map(|record| usize::from(number(record, 8))).sum();
        assert_eq!(of_samples, size("cells"), "{set}");
        for record in records {
            let target = f32::from_le_bytes([record[0], record[1], record[2], record[3]]);
            let best = number(record, 10);
            assert!(
                (0.0..=1.0).contains(&target) && (best == u16::MAX || best < number(record, 8)),
                "{record:?}"
            );
        }
        // Every point of the board of 81 that is empty is in one cell; a game begins with few stones.
        let points: usize = cells.as_chunks::<10>().0.iter().map(|cell| usize::from(cell[7])).sum();
        assert!((30 * records.len()..81 * records.len()).contains(&points), "{set}: {points}");
    }
    let length = 4 * plan["offsets"]["end"].as_u64().unwrap() as usize;
    assert_eq!(
        (flat(&positions, "parity.gradient").len(), flat(&positions, "parity.weights").len()),
        (length, length)
    );

    // An existing folder is refused, also by the training that wrote it.
    let said = refusal(train(&games, &other, 1).arg("--expand").arg(&positions));
    assert!(said.contains("positions") && said.contains("expected a new folder"), "{said}");
    assert!(run(&mut train(&games, &other, 1)).0.status.success());
    assert!(run(&mut train(&games, &plain, 1)).0.status.success());
    let checkpoint = fs::read(beside(&other, "checkpoint")).unwrap();
    let anew = dir.path().join("anew");
    assert!(run(train(&games, &plain, 1).arg("--force").arg("--expand").arg(&anew)).0.status.success());
    assert_ne!(fs::read(beside(&plain, "checkpoint")).unwrap(), checkpoint, "--force begins anew");
    assert_eq!(fs::read(&other).unwrap(), fs::read(&plain).unwrap());
}
