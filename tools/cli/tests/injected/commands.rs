//! The commands, and what their files say.

use std::path::Path;

use kagetsu::book::Book;
use kagetsu_tools::selfplay::store::Reader;

/// A command that writes.
pub struct Command {
    pub name: &'static str,
    /// With `IN` for the folder of inputs and `OUT` for that of outputs.
    pub line: &'static str,
    /// The line that continues after a failure, if it is another one.
    pub resumed: Option<&'static str>,
    /// Whether the command continues with the files that a failure left. Otherwise they must be unchanged, or whole.
    pub continues: bool,
    /// Whether `--force` makes it replace files.
    pub takes_force: bool,
    /// Part of a file's content that must be the same in the end; an unfinished file has a part of that.
    pub content: fn(&Path) -> Vec<String>,
}

const fn finished(name: &'static str, line: &'static str) -> Command {
    Command { name, line, resumed: None, continues: false, takes_force: true, content: bytes }
}

const fn continuing(name: &'static str, line: &'static str, content: fn(&Path) -> Vec<String>) -> Command {
    Command { name, line, resumed: None, continues: true, takes_force: false, content }
}

pub const COMMANDS: &[Command] = &[
    continuing(
        "book build",
        "book build OUT/caro.part --rule caro --size 9 --nodes 40 --positions 8 --threads 1",
        entries,
    ),
    continuing(
        "selfplay make",
        "selfplay make OUT/caro.games --rule caro --size 9 --games 4 --nodes 20 --threads 1 --save-every 0ms",
        games,
    ),
    continuing("prove", "prove h8a1h9a2 --nodes 3000 --out OUT/proof.lib", bytes_of_libraries),
    Command {
        resumed: Some("match --resume OUT/match --psq"),
        ..continuing(
            "match",
            "match --engine name=a:/bin/false --engine name=b:/bin/false --games 4 --time 1s --rule caro --psq --out OUT/match",
            results,
        )
    },
    finished("convert", "convert IN/game.sgf OUT/game.lib --lossy"),
    finished("show", "show h8h9 --svg OUT/board.svg --png OUT/board.png"),
    finished("analyze", "analyze IN/game.sgf --nodes 20 --threads 1 --hash 4M --svg OUT/course.svg"),
    finished("book merge", "book merge OUT/caro.book IN/caro.part"),
    finished("book export", "book export OUT/caro.sgf --book IN/caro.book --rule caro --size 9"),
    finished("selfplay merge", "selfplay merge OUT/all.games IN/caro.games"),
];

/// The whole file.
fn bytes(path: &Path) -> Vec<String> {
    vec![format!("{:?}", std::fs::read(path).unwrap())]
}

/// The whole file if it is a library; nothing of the state file, whose order may differ after an interruption.
fn bytes_of_libraries(path: &Path) -> Vec<String> {
    if path.extension().is_some_and(|name| name == "lib") { bytes(path) } else { Vec::new() }
}

/// The entries of a part, however many blocks they are in.
fn entries(path: &Path) -> Vec<String> {
    let bytes = std::fs::read(path).unwrap();
    let Ok((book, _)) = Book::from_part(&bytes) else { return Vec::new() };
    let sections = book.sections().flat_map(|(_, section)| &section.entries);
    sections.map(|entry| format!("{entry:?}")).collect()
}

/// The games of a set up to where it is cut off.
fn games(path: &Path) -> Vec<String> {
    let Ok(reader) = Reader::open(path) else { return Vec::new() };
    reader.map_while(Result::ok).map(|game| format!("{game:?}")).collect()
}

/// The games of a journal up to the last whole line, by number and without the dates; nothing of other files. Games that run
/// beside each other may end in another order.
fn results(path: &Path) -> Vec<String> {
    if path.extension().is_none_or(|name| name != "jsonl") {
        return Vec::new();
    }
    let text = std::fs::read_to_string(path).unwrap();
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let result = |line: &str| {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        (value["game"].as_u64().unwrap(), format!("{} {} {}", value["game"], value["black"], value["result"]))
    };
    let mut games: Vec<(u64, String)> = whole.lines().map(result).collect();
    games.sort();
    games.into_iter().map(|(_, text)| text).collect()
}
