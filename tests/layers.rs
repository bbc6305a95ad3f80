//! The layers of the workspace: each uses only itself and those above it. A use in the wrong direction fails here.
//! Cargo checks the order of the crates; this test checks the order inside a crate, and between layers of different
//! crates.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// From the top down: the engine's, those of the tools, the command line.
const LAYERS: &[&str] = &[
    "invalid",
    "clock",
    "random",
    "lock",
    "parent",
    "disk",
    "game",
    "eval",
    "solve",
    "book",
    "search",
    "engine",
    "decide",
    "protocol",
    "jobs",
    "limits",
    "untrusted",
    "words",
    "output",
    "runs",
    "timing",
    "record",
    "picture",
    "study",
    "table",
    "review",
    "prove",
    "bookgen",
    "bench",
    "arena",
    "selfplay",
    "sift",
    "suite",
    "games",
    "web",
    "console",
    "games_cli",
    "cli",
];

/// The source folders of the workspace's crates, from its top, and the layer of all files there, if it is one.
const CRATES: [(&str, Option<&str>); 7] = [
    ("src", None),
    ("tools/src", None),
    ("games/src", Some("games")),
    ("web/src", Some("web")),
    ("tools/console/src", Some("console")),
    ("games/cli/src", Some("games_cli")),
    ("tools/cli/src", Some("cli")),
];

/// The names by which layers call the crates' roots.
const ROOTS: [&str; 3] = ["crate::", "kagetsu::", "kagetsu_tools::"];

/// The crates of one layer, by the names that others have for them.
const OF_ONE_LAYER: [(&str, &str); 4] = [
    ("kagetsu_games", "games"),
    ("kagetsu_web", "web"),
    ("kagetsu_console", "console"),
    ("kagetsu_games_cli", "games_cli"),
];

/// Layers that a layer must not use although they stand before it.
const FORBIDDEN: &[(&str, &[&str])] = &[
    ("game", &["clock"]),
    ("eval", &["clock"]),
    ("runs", &["clock", "game", "eval", "solve", "book", "search", "engine", "decide", "protocol"]),
    ("timing", &["clock", "game", "eval", "solve", "book", "search", "engine", "decide", "protocol"]),
    ("record", &["eval", "solve", "book", "search", "engine", "decide", "protocol"]),
    ("picture", &["eval", "solve", "book", "search", "engine", "decide", "protocol", "record"]),
    ("study", &["protocol", "record", "picture"]),
    ("table", &["protocol", "picture"]),
    ("review", &["protocol", "table"]),
    ("prove", &["protocol", "picture", "study", "table", "review"]),
    ("bookgen", &["protocol", "picture", "study", "table", "review", "prove"]),
    (
        "arena",
        &[
            "eval", "solve", "book", "search", "engine", "decide", "picture", "study", "review", "prove",
            "bookgen", "bench",
        ],
    ),
    ("selfplay", &["protocol", "picture", "study", "review", "bookgen", "arena"]),
    ("sift", &["decide", "protocol", "picture", "study", "table", "review", "prove", "bookgen", "bench"]),
    ("suite", &["decide", "protocol", "picture", "table", "review", "prove", "bookgen", "bench"]),
    (
        "games",
        &[
            "protocol", "record", "picture", "study", "review", "prove", "bookgen", "arena", "selfplay",
            "sift", "suite",
        ],
    ),
    ("web", &["protocol", "prove", "bookgen", "arena", "selfplay", "sift", "suite", "games"]),
    (
        "console",
        &[
            "solve", "eval", "decide", "protocol", "study", "table", "review", "prove", "bookgen", "bench",
            "arena", "selfplay", "sift", "suite", "games", "web",
        ],
    ),
    (
        "games_cli",
        &[
            "eval", "solve", "book", "search", "decide", "protocol", "record", "table", "review", "prove",
            "bookgen", "arena", "selfplay", "sift", "suite",
        ],
    ),
];

/// Macros and functions that write to the standard streams of the process.
const PRINTING: [&str; 4] = ["print!(", "println!(", "dbg!(", "stderr()"];

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

/// A source file.
struct Source {
    layer: String,
    path: PathBuf,
    /// Number of modules between it and the crate root, including itself.
    depth: usize,
    text: String,
}

/// The source files of all layers.
fn sources() -> Vec<Source> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let found: Vec<_> =
        CRATES.iter().flat_map(|(folder, layer)| crate_sources(&top.join(folder), *layer)).collect();
    for layer in LAYERS.iter().copied() {
        assert!(found.iter().any(|source| source.layer == layer), "no source file of {layer} is found");
    }
    found
}

/// Returns the source files of a crate, without its root if it has more than one layer.
fn crate_sources(src: &Path, only_layer: Option<&str>) -> Vec<Source> {
    let mut files = Vec::new();
    rust_files(src, &mut files);
    let source = |path: PathBuf| {
        let parts: Vec<&str> =
            path.strip_prefix(src).unwrap().iter().map(|part| part.to_str().unwrap()).collect();
        let layer = only_layer.unwrap_or(parts[0].trim_end_matches(".rs")).to_string();
        let depth =
            parts.len() - usize::from(matches!(parts.last(), Some(&"mod.rs" | &"lib.rs" | &"main.rs")));
        let text = code(&fs::read_to_string(&path).unwrap());
        Source { layer, depth, text, path }
    };
    let mut found: Vec<_> = files.into_iter().map(source).collect();
    found.retain(|source| source.layer != "lib" && source.layer != "bin");
    found
}

/// Returns a source text without comments and without the content of strings, since neither uses the names in it. Of a
/// character or a string only the quotes are left.
fn code(text: &str) -> String {
    let mut code = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let skipped = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(hashes) = raw_string(rest) {
            let end = format!("\"{}", "#".repeat(hashes));
            let start = hashes + 2;
            code.push_str("\"\"");
            rest[start..].find(&end).map_or(rest.len(), |i| start + i + end.len())
        } else if c == '"' {
            code.push_str("\"\"");
            quoted(rest, '"')
        } else if is_character(rest) {
            code.push_str("''");
            quoted(rest, '\'')
        } else {
            code.push(c);
            c.len_utf8()
        };
        rest = &rest[skipped..];
    }
    code
}

/// The number of hashes of a raw string that begins here.
fn raw_string(text: &str) -> Option<usize> {
    let hashes = text.strip_prefix('r')?;
    let string = hashes.trim_start_matches('#');
    string.starts_with('"').then_some(hashes.len() - string.len())
}

/// Whether a character begins here, and no lifetime.
fn is_character(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next() == Some('\'') && (chars.next() == Some('\\') || chars.next() == Some('\''))
}

/// Returns the length of a text that begins with a quote, up to the next quote without a backslash before it.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (i, c) in text.char_indices().skip(1) {
        if c == quote && !escaped {
            return i + 1;
        }
        escaped = c == '\\' && !escaped;
    }
    text.len()
}

/// Returns whether a source text at this depth of modules reaches the crate root by `super::`.
fn climbs_to_the_root(code: &str, depth: usize) -> bool {
    code.match_indices("super::").any(|(i, _)| {
        let steps = code[i..].split("::").take_while(|part| *part == "super").count();
        steps >= depth + modules_open(&code[..i])
    })
}

/// Modules within a file that are not closed at the end of a part of its text.
fn modules_open(code: &str) -> usize {
    let mut braces = Vec::new();
    for (i, c) in code.char_indices() {
        match c {
            // The module's name stands before the brace, and the keyword before the name.
            '{' => braces.push(code[..i].split_whitespace().rev().nth(1) == Some("mod")),
            '}' => drop(braces.pop()),
            _ => {}
        }
    }
    braces.into_iter().filter(|&is_module| is_module).count()
}

/// The modules that a source text names from the roots of crates.
fn uses(code: &str, roots: &[&str]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for root in roots {
        for (i, _) in code.match_indices(root) {
            let rest = &code[i + root.len()..];
            match rest.strip_prefix('{') {
                None => {
                    found.insert(identifier(rest));
                }
                Some(group) => found.extend(first_names(group)),
            }
        }
    }
    found.retain(|name| !name.is_empty());
    found
}

/// The layers whose crates a source text names.
fn crates_named(code: &str) -> impl Iterator<Item = String> {
    let words: BTreeSet<&str> = code.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    OF_ONE_LAYER.into_iter().filter(move |(name, _)| words.contains(name)).map(|(_, layer)| layer.to_owned())
}

/// The roots from which a layer names others: the files of a crate with one layer name each other from their own.
fn roots(layer: &str) -> &'static [&'static str] {
    if ["games", "web", "console", "games_cli", "cli"].contains(&layer) { &ROOTS[1..] } else { &ROOTS }
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
    for Source { layer, path, text, .. } in sources() {
        assert!(LAYERS.contains(&layer.as_str()), "{} belongs to no layer", path.display());
        for used in uses(&text, roots(&layer)).into_iter().chain(crates_named(&text)) {
            if !allowed(&layer, &used) {
                wrong.push(format!("{}: {layer} must not use {used}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The packages of the workspace that a manifest names as dependencies.
fn siblings(manifest: &str) -> BTreeSet<String> {
    let keys = manifest.lines().map(|line| match line.split_once("dependencies.") {
        Some((table, name)) if table.starts_with('[') => name,
        _ => line,
    });
    let name = |key: &str| key.chars().take_while(|&c| c.is_alphanumeric() || c == '-' || c == '_').collect();
    keys.filter(|key| key.starts_with("kagetsu")).map(name).collect()
}

/// A package depends on those that stand before it in [`CRATES`] and on no other; nobody depends on the last.
#[test]
fn packages_depend_on_those_before() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut before = BTreeSet::new();
    for (folder, _) in CRATES {
        let path = top.join(folder).parent().unwrap().join("Cargo.toml");
        let manifest = fs::read_to_string(&path).unwrap();
        // The manifest at the top lists the members for all of them first.
        let package = &manifest[manifest.find("[package]").unwrap()..];
        let wrong: Vec<_> = siblings(package).difference(&before).cloned().collect();
        assert!(wrong.is_empty(), "{} must not need {wrong:?}", path.display());
        let name = package.lines().find_map(|line| line.strip_prefix("name = \"")).unwrap();
        before.insert(name.trim_end_matches('"').to_owned());
    }
    for manifest in [
        "kagetsu-cli.workspace = true\nlog.workspace = true",
        "kagetsu-cli = { path = \"tools/cli\" }",
        "[dev-dependencies.kagetsu-cli]\nworkspace = true",
    ] {
        assert_eq!(siblings(manifest), BTreeSet::from(["kagetsu-cli".to_owned()]), "{manifest}");
    }
}

/// The other tests read the names of layers after the root of a crate. So other layers must be named from
/// there: neither by another name of the crate, nor by `super::`.
#[test]
fn other_layers_are_named_from_the_root() {
    let mut wrong = Vec::new();
    for Source { layer, path, depth, text } in sources() {
        if !["games", "cli"].contains(&layer.as_str()) && climbs_to_the_root(&text, depth) {
            wrong.push(format!("{}: super:: up to the crate root", path.display()));
        }
        for word in ["use crate as", "use crate;", "use kagetsu as", "use kagetsu;", "use kagetsu_tools as"] {
            if text.contains(word) {
                wrong.push(format!("{}: {word}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Only the clock reads the time, and only the outermost layers print.
#[test]
fn concerns_have_one_home() {
    let mut wrong = Vec::new();
    for Source { layer, path, text, .. } in sources() {
        let mut refuse = |word: &str, homes: &[&str]| {
            if text.contains(word) && !homes.contains(&layer.as_str()) {
                wrong.push(format!("{}: {word}", path.display()));
            }
        };
        for clock in ["Instant", "SystemTime"] {
            refuse(clock, &["clock"]);
        }
        for print in PRINTING.into_iter().chain(["stdout()"]) {
            refuse(print, &["protocol", "console", "cli"]);
        }
        // The code of a protocol leaves the rules of the game to the engine.
        let others: Vec<&str> = LAYERS.iter().copied().filter(|layer| *layer != "protocol").collect();
        for rules in ["with_rule!", "Board::<"] {
            refuse(rules, &others);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Managers take standard error for replies, and a macro that prints panics if its output is closed.
#[test]
fn the_programs_print_nothing_by_macros() {
    for file in ["src/bin/pbrain-kagetsu.rs", "tools/cli/src/main.rs"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
        let text = code(&fs::read_to_string(&path).unwrap());
        assert!(!PRINTING.into_iter().any(|print| text.contains(print)), "{}", path.display());
    }
}

#[test]
fn uses_are_found() {
    let text = "
        use crate::game::{Board, Point};
        use crate::{clock::Clock, search::{Limits, tt}, with_rule};
        //! [`crate::protocol`] speaks.
        fn f() -> crate::eval::Score { 1 } // crate::cli
    ";
    let names: Vec<_> = uses(&code(text), &ROOTS).into_iter().collect();
    assert_eq!(names, ["clock", "eval", "game", "search", "with_rule"]);
    let named = |text: &str| crates_named(&code(text)).collect::<Vec<_>>();
    assert_eq!(
        named("use kagetsu_web::run; kagetsu_games_cli::run() // kagetsu_games"),
        ["web", "games_cli"]
    );
    assert!(!allowed("web", "games") && !allowed("console", "web") && allowed("cli", "games_cli"));
}

#[test]
fn strings_and_comments_are_no_code() {
    for (text, left) in [
        (r#"f("https://a", b) // c"#, r#"f("", b) "#),
        (r#"f("a\"//", '"', b)"#, r#"f("", '', b)"#),
        (r##"f(r#"a"//"#, b)"##, r#"f("", b)"#),
        (r"f('\'', '{', b)", r"f('', '', b)"),
        ("f::<'a>(b) // 'c\nd", "f::<'a>(b) \nd"),
    ] {
        assert_eq!(code(text), left, "{text}");
    }
}

#[test]
fn climbing_is_seen() {
    let text = "use super::a; mod tests { use super::super::b; fn f() {} } use super::c;";
    assert!(climbs_to_the_root(text, 1) && !climbs_to_the_root(text, 2));
    let text = "use self::a; mod tests { use super::*; mod deep { use super::super::*; } }";
    assert!(!climbs_to_the_root(text, 1));
    assert!(climbs_to_the_root("mod a {} use super::super::protocol;", 2));
}

#[test]
fn wrong_arrows_are_refused() {
    assert!(allowed("search", "game") && allowed("game", "game") && allowed("game", "with_rule"));
    assert!(!allowed("game", "search") && !allowed("game", "clock") && !allowed("search", "protocol"));
    assert!(
        allowed("cli", "decide") && !allowed("arena", "eval") && !allowed("cli", "nothing"),
        "names that are no layer"
    );
}
