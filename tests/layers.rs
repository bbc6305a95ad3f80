//! The layers of the library: each uses only itself and those above it. An arrow that runs the wrong way fails here.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// From the top down.
const LAYERS: [&str; 16] = [
    "clock", "random", "lock", "game", "record", "eval", "solve", "book", "search", "engine", "decide",
    "prove", "protocol", "arena", "selfplay", "cli",
];

/// What a layer must not know although it is above.
const FORBIDDEN: [(&str, &[&str]); 4] = [
    ("game", &["clock"]),
    ("eval", &["clock", "record"]),
    ("arena", &["eval", "solve", "book", "search", "engine", "decide", "prove"]),
    ("selfplay", &["protocol", "arena"]),
];

/// Macros of the crate root, and the layer they belong to.
const MACROS: [(&str, &str); 1] = [("with_rule", "game")];

fn rust_files(dir: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, files);
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push(path);
        }
    }
}

/// The source files below the layers, each with its layer.
fn sources() -> Vec<(String, PathBuf)> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    rust_files(&src, &mut files);
    let layer_of = |path: &PathBuf| {
        let first = path.strip_prefix(&src).unwrap().components().next().unwrap();
        first.as_os_str().to_str().unwrap().trim_end_matches(".rs").to_string()
    };
    let mut found: Vec<_> = files.into_iter().map(|path| (layer_of(&path), path)).collect();
    found.retain(|(layer, _)| layer != "lib" && layer != "bin");
    assert!(found.len() > 20, "the sources are where this test looks");
    found
}

/// A source text without comments; links in documentation are no use of what they name.
fn code(text: &str) -> String {
    text.lines().map(|line| line.find("//").map_or(line, |i| &line[..i])).collect::<Vec<_>>().join("\n")
}

/// The modules of the crate root that a source text names.
fn uses(text: &str) -> BTreeSet<String> {
    let code = code(text);
    let mut found = BTreeSet::new();
    for (i, _) in code.match_indices("crate::") {
        let rest = &code[i + "crate::".len()..];
        match rest.strip_prefix('{') {
            None => {
                found.insert(identifier(rest));
            }
            Some(group) => found.extend(first_names(group)),
        }
    }
    found.retain(|name| !name.is_empty());
    found
}

fn identifier(text: &str) -> String {
    text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

/// The first name of each entry of a `use` group, whose opening brace was read.
fn first_names(group: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut depth = 0;
    let mut entry = true;
    for (i, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => entry = true,
            _ if entry && c.is_alphabetic() => {
                names.push(identifier(&group[i..]));
                entry = false;
            }
            _ => {}
        }
    }
    names
}

/// Whether a layer may use a module of the crate root.
fn allowed(layer: &str, used: &str) -> bool {
    let used = MACROS.iter().find(|(name, _)| *name == used).map_or(used, |(_, home)| home);
    let place = |name: &str| LAYERS.iter().position(|l| *l == name);
    let (Some(own), Some(other)) = (place(layer), place(used)) else { return false };
    let forbidden = FORBIDDEN.iter().any(|(l, names)| *l == layer && names.contains(&used));
    other <= own && !forbidden
}

#[test]
fn layers_use_only_those_above() {
    let mut wrong = Vec::new();
    for (layer, path) in sources() {
        assert!(LAYERS.contains(&layer.as_str()), "{} belongs to no layer", path.display());
        for used in uses(&fs::read_to_string(&path).unwrap()) {
            if !allowed(&layer, &used) {
                wrong.push(format!("{}: {layer} must not use {used}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Only the clock reads the time, and only the outermost layers print.
#[test]
fn concerns_have_one_home() {
    let mut wrong = Vec::new();
    for (layer, path) in sources() {
        let text = code(&fs::read_to_string(&path).unwrap());
        let mut refuse = |word: &str, homes: &[&str]| {
            if text.contains(word) && !homes.contains(&layer.as_str()) {
                wrong.push(format!("{}: {word}", path.display()));
            }
        };
        for clock in ["Instant", "SystemTime"] {
            refuse(clock, &["clock"]);
        }
        for print in ["print!(", "println!(", "dbg!("] {
            refuse(print, &["protocol", "cli"]);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn uses_are_found() {
    let text = "
        use crate::game::{Board, Point};
        use crate::{clock::Clock, search::{Limits, tt}, with_rule};
        //! [`crate::protocol`] speaks.
        fn f() -> crate::eval::Score { 1 } // crate::cli
    ";
    let names: Vec<_> = uses(text).into_iter().collect();
    assert_eq!(names, ["clock", "eval", "game", "search", "with_rule"]);
}

#[test]
fn wrong_arrows_are_refused() {
    assert!(allowed("search", "game") && allowed("game", "game") && allowed("game", "with_rule"));
    assert!(!allowed("game", "search") && !allowed("game", "clock") && !allowed("search", "protocol"));
    assert!(!allowed("cli", "nothing"), "names that are no layer");
}
