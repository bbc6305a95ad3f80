//! The examples of the documentation and of the help texts.
//!
//! In a block of `console` every `$ kagetsu …` with something below it is run, and must print that to the letter; `...` stands
//! for any lines, and times in JSON may differ. After a change of the search `UPDATE_EXAMPLES=1` writes what the commands print
//! now into the pages.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::cli::command;

/// Top of the repository.
fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The pages that people read.
fn pages() -> Vec<PathBuf> {
    let docs = fs::read_dir(top().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let docs = docs.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    let others = ["README.md", "CONTRIBUTING.md", "book/README.md"].map(|name| top().join(name));
    docs.chain(others).collect()
}

/// Returns the lines of the code blocks in these languages, without the fences, as ranges.
fn blocks(lines: &[String], languages: &[&str]) -> Vec<std::ops::Range<usize>> {
    let mut fences = (0..lines.len()).filter(|&i| lines[i].starts_with("```"));
    let mut blocks = Vec::new();
    while let (Some(open), Some(close)) = (fences.next(), fences.next()) {
        if languages.contains(&&lines[open][3..]) {
            blocks.push(open + 1..close);
        }
    }
    blocks
}

/// Returns the words of a command line. Single quotes keep blanks together; everything after the command is left out.
fn words(command: &str) -> Vec<String> {
    let end = [" # ", " | ", " < ", " > "].iter().filter_map(|&mark| command.find(mark)).min();
    let command = &command[..end.unwrap_or(command.len())];
    let parts = command.split('\'').enumerate().flat_map(|(i, part)| match i % 2 {
        1 => vec![part.to_owned()],
        _ => part.split_whitespace().map(str::to_owned).collect(),
    });
    parts.collect()
}

/// Runs `kagetsu` in a folder with the files of the examples. Returns its output, or else its errors.
fn run(words: &[String]) -> Result<String, String> {
    let folder = tempfile::tempdir().unwrap();
    let game = "tests/data/manager.binpack";
    fs::create_dir_all(folder.path().join("tests/data")).unwrap();
    fs::copy(top().join(game), folder.path().join(game)).unwrap();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let output = command(&words).current_dir(folder.path()).output().unwrap();
    match output.status.success() {
        true => Ok(String::from_utf8(output.stdout).unwrap()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

/// A line of JSON without its times.
fn timeless(line: &str) -> String {
    let mut text = line.to_owned();
    for key in ["\"ms\":", "\"nps\":"] {
        let mut parts = text.split(key);
        let first = parts.next().unwrap().to_owned();
        let is_number = |c: char| c.is_ascii_digit() || c == '.';
        text = parts.fold(first, |text, part| text + key + "_" + part.trim_start_matches(is_number));
    }
    text
}

/// Returns the output as a page with these lines would show it: the parts that `...` stands for are left out.
fn abridged(shown: &[String], printed: &str) -> Vec<String> {
    let printed: Vec<String> = printed.trim_end().lines().map(str::to_owned).collect();
    let Some(gap) = shown.iter().position(|line| line.trim() == "...") else { return printed };
    let after = shown.len() - gap - 1;
    if printed.len() < gap + after {
        return printed;
    }
    [&printed[..gap], &shown[gap..=gap], &printed[printed.len() - after..]].concat()
}

/// Replaces the output of commands in a page by their present output. Returns the examples that had to be replaced.
fn refresh(lines: &mut Vec<String>) -> Vec<String> {
    let mut wrong = Vec::new();
    // From the end, so that earlier ranges hold.
    for block in blocks(lines, &["console"]).into_iter().rev() {
        let mut end = block.end;
        for at in block.rev().filter(|&at| lines[at].starts_with("$ ")).collect::<Vec<_>>() {
            let shown = lines[at + 1..end].to_vec();
            let words = words(&lines[at]);
            if !shown.is_empty() && words[1] == "kagetsu" {
                let printed = run(&words[2..]).unwrap_or_else(|error| panic!("{}: {error}", lines[at]));
                let now = abridged(&shown, &printed);
                let times = |lines: &[String]| lines.iter().map(|line| timeless(line)).collect::<Vec<_>>();
                if times(&now) != times(&shown) {
                    wrong.push(format!("{}\n{}", lines[at], now.join("\n")));
                    lines.splice(at + 1..end, now);
                }
            }
            end = at;
        }
    }
    wrong
}

#[test]
fn documented_commands_print_what_the_pages_show() {
    let (mut wrong, update) = (Vec::new(), std::env::var_os("UPDATE_EXAMPLES").is_some());
    let mut examples = 0;
    for path in pages() {
        let mut lines: Vec<String> = fs::read_to_string(&path).unwrap().lines().map(str::to_owned).collect();
        examples += blocks(&lines, &["console"]).len();
        let found = refresh(&mut lines);
        if update && !found.is_empty() {
            fs::write(&path, lines.join("\n") + "\n").unwrap();
        }
        wrong.extend(found.into_iter().map(|example| format!("{}: {example}", path.display())));
    }
    assert!(examples > 4, "{examples} blocks of examples");
    assert!(update || wrong.is_empty(), "UPDATE_EXAMPLES=1 corrects the pages:\n{}", wrong.join("\n"));
}

#[test]
fn an_example_with_a_gap_is_compared_at_both_ends() {
    let shown = ["a", "  ...", "d"].map(String::from);
    assert_eq!(abridged(&shown, "a\nb\nc\nd\n"), shown);
    assert_eq!(abridged(&shown, "a\nb\nc\ne\n"), ["a", "  ...", "e"]);
    assert_eq!(abridged(&shown[..1], "a\nb\n"), ["a", "b"]);
    let json = r#"{"ms":0.07,"nodes":7,"nps":9}"#;
    assert_eq!(timeless(json), r#"{"ms":_,"nodes":7,"nps":_}"#);
    assert_eq!(words("$ kagetsu show 'h8 h9' -- # two stones"), ["$", "kagetsu", "show", "h8 h9", "--"]);
}

/// Adds the commands of `kagetsu` among these lines. A backslash or a deep indentation continues the line before.
fn add_commands<'a>(lines: impl Iterator<Item = &'a str>, commands: &mut Vec<String>) {
    let mut goes_on = false;
    for line in lines {
        let text = line.trim_start_matches("$ ").trim().trim_start_matches("./target/release/");
        if goes_on || (line.starts_with("      ") && !commands.is_empty()) {
            let last = commands.last_mut().unwrap();
            *last = format!("{} {text}", last.trim_end_matches('\\'));
        } else if text.starts_with("kagetsu ") {
            commands.push(text.to_owned());
        } else {
            continue;
        }
        goes_on = line.ends_with('\\');
    }
}

/// Adds the examples in the help of a command and of those below it.
fn add_help(command: &[String], commands: &mut Vec<String>) {
    let help = run(&[command, &["--help".into()]].concat()).unwrap();
    let examples = help.lines().skip_while(|line| !line.starts_with("Example"));
    add_commands(examples.skip(1).take_while(|line| line.starts_with("  ")), commands);
    let below = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    for line in below.take_while(|line| line.starts_with("  ")) {
        let name = line.split_whitespace().next().unwrap();
        let is_command = !line.starts_with("   ") && name != "help";
        if is_command {
            add_help(&[command, &[name.to_owned()]].concat(), commands);
        }
    }
}

/// Every command of the pages and of the help texts has flags and values that exist.
#[test]
fn documented_commands_are_understood() {
    let mut commands = Vec::new();
    add_help(&[], &mut commands);
    assert!(commands.len() > 20, "{commands:?}");
    for path in pages() {
        let lines: Vec<String> = fs::read_to_string(&path).unwrap().lines().map(str::to_owned).collect();
        for block in blocks(&lines, &["console", "sh"]) {
            let is_text = |line: &&str| !line.starts_with("      ") || line.trim_start().starts_with("--");
            add_commands(lines[block].iter().map(String::as_str).filter(is_text), &mut commands);
        }
    }
    for command in &commands {
        let words = words(command);
        let asked: Vec<String> = [&words[1..], &["--help".to_owned()]].concat();
        run(&asked).unwrap_or_else(|error| panic!("{command}: {error}"));
    }
}
