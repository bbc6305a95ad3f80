//! `kagetsu play --opening-rule`: a person and the engine go through openings, line by line. The person here answers
//! whatever is asked, tries something wrong first at every step, and looks at the saved game in the end.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use kagetsu::game::{Color, Move, Point, Size};
use kagetsu_tools::record::{Format, Game};

use crate::{command, run};

/// A game in progress.
struct Terminal {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// The last output, down to the question.
    said: String,
}

impl Terminal {
    /// Begins a game, up to the first question.
    fn new(args: &[&str]) -> Terminal {
        let common =
            ["play", "--threads", "1", "--hash", "4M", "--level", "0", "--seed", "3", "--opening-rule"];
        let mut child = command(&[&common, args].concat()).stdin(Stdio::piped()).spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let mut table = Terminal { child, input, output, said: String::new() };
        table.listen();
        table
    }

    fn listen(&mut self) {
        self.said.clear();
        loop {
            let start = self.said.len();
            assert!(self.output.read_line(&mut self.said).unwrap() > 0, "no question: {}", self.said);
            let line = self.said[start..].trim_end();
            if line.starts_with("type ") || line == "your move" || line.starts_with("game over") {
                return;
            }
        }
    }

    /// Says a line, up to the next question.
    fn say(&mut self, line: &str) -> &str {
        writeln!(self.input, "{line}").unwrap();
        self.listen();
        &self.said
    }

    /// Returns whether the opening is over.
    fn is_over(&self) -> bool {
        self.said.ends_with("your move\n")
    }

    /// Returns the board and the state of the game: the text without the answer to the last line.
    fn state(&self) -> &str {
        // The board's fifteen lines, all equally long, stand above the letters.
        let letters = self.said.find("   a b c").unwrap();
        let width = " 1 . . . . . . . . . . . . . . .\n".len();
        &self.said[letters - 15 * width..]
    }

    /// Enters a line that must be refused, with these words, and must change nothing.
    #[track_caller]
    fn refused(&mut self, line: &str, words: &str) {
        let before = self.state().to_owned();
        let said = self.say(line);
        assert!(said.starts_with(|c: char| c != '1') && said.contains(words), "{line}: {said}");
        assert_eq!(self.state(), before, "{line}");
    }

    /// Says the first of these lines that is not refused.
    #[track_caller]
    fn try_all(&mut self, mut lines: impl Iterator<Item = String>) {
        let before = self.state().to_owned();
        let accepted = lines.any(|line| {
            self.say(&line);
            self.state() != before
        });
        assert!(accepted, "nothing is legal: {}", self.said);
    }

    /// Returns the part of the question between two texts.
    fn between(&self, start: &str, end: &str) -> Option<&str> {
        let from = self.said.find(start)? + start.len();
        self.said[from..].split_once(end).map(|(found, _)| found)
    }

    /// Goes through the rest of the opening, answering every choice of colours by `colors`.
    fn finish(&mut self, colors: &str) {
        while !self.is_over() {
            let declare = if self.said.contains("and declare") { " declare 2" } else { "" };
            self.refused("a0", "undo, hint, level N");
            self.refused("pass", "no pass is allowed");
            if let Some(offered) = self.between("you may choose stone 5 from ", " and put stone 6") {
                let fifth = offered.split(", ").last().unwrap().to_owned();
                self.refused(&format!("choose {fifth} {fifth}"), "is named twice");
                self.try_all(around_the_centre().map(|p| format!("choose {fifth} {p}")));
            } else if let Some(count) = self.between("you may offer ", " points for stone 5") {
                let count: usize = count.parse().unwrap();
                let more = fifths(count + 1).next().unwrap();
                self.refused(&more, &format!("expected {count} points"));
                self.refused("offer a1 a1", "a1 is named twice");
                self.try_all(fifths(count).map(|points| format!("offer {points}")));
            } else if self.said.contains("     or offer 5 points") && colors == "keep" {
                self.try_all(fifths(5));
            } else if self.said.contains("you may keep\n     or swap\n") {
                self.refused("g9", "you may keep, or swap; not put a stone");
                self.say(colors);
            } else if self.said.contains("you may put stones 1 to 3") {
                self.refused(&format!("h8 h9{declare}"), "not put 2 stones");
                self.say(&format!("h8 h9 i9{declare}"));
            } else if self.said.contains("you may put stones 4 to 5") {
                self.try_all(around_the_centre().map(|p| format!("{p} l12")));
            } else {
                self.refused("h8 h9 i9 i10", "not ");
                self.try_all(around_the_centre().map(|p| p + declare));
            }
        }
    }

    /// Saves the game, ends the program and reads the game.
    fn end(mut self) -> Game {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.sgf");
        let said = self.say(&format!("save {}", path.display()));
        assert!(said.contains("saved to "), "{said}");
        writeln!(self.input, "quit").unwrap();
        assert!(self.child.wait().unwrap().success());
        let bytes = std::fs::read(path).unwrap();
        Format::Sgf.read(&bytes, &Default::default()).unwrap().remove(0)
    }
}

/// All points, the nearest to the centre first.
fn around_the_centre() -> impl Iterator<Item = String> {
    let mut points: Vec<Point> = Size::S15.points().collect();
    points.sort_by_key(|&p| from_centre(p));
    points.into_iter().map(|p| p.to_string())
}

/// Lists of this number of points, in most of which no two are symmetric.
fn fifths(count: usize) -> impl Iterator<Item = String> {
    let points: Vec<Point> = Size::S15.points().collect();
    let list = move |first: usize| {
        let names: Vec<String> = (0..count).map(|i| points[(first + 13 * i) % 225].to_string()).collect();
        names.join(" ")
    };
    (0..200).map(list)
}

fn from_centre(p: Point) -> usize {
    p.x().abs_diff(7).max(p.y().abs_diff(7))
}

/// Distances of the stones from the centre.
fn distances(game: &Game) -> Vec<usize> {
    let position = game.main_position(None).unwrap();
    position.moves().iter().filter_map(|m: &Move| m.point()).map(from_centre).collect()
}

/// The person's colour as the file has it.
fn human(game: &Game) -> Color {
    let [black, white] = ["PB", "PW"].map(|key| game.property(key).unwrap());
    assert_eq!([black, white].iter().filter(|name| **name == "human").count(), 1);
    if black == "human" { Color::Black } else { Color::White }
}

/// Plays an opening to its end from both sides, keeping and swapping. Checks the colours in each game: they are those
/// of the start unless the number of swaps is odd.
fn games(rule: &str) -> Vec<Game> {
    let mut games = Vec::new();
    for side in [Color::Black, Color::White] {
        for colors in ["keep", "swap"] {
            let mut table = Terminal::new(&[rule, "--side", &side.to_string()]);
            table.finish(colors);
            let shown = table.between("you are ", " (").unwrap().to_owned();
            let game = table.end();
            let swaps = game.property("SWAP").unwrap_or_default().matches('R').count();
            assert_eq!(
                human(&game),
                if swaps.is_multiple_of(2) { side } else { !side },
                "{rule} {side} {colors}"
            );
            assert_eq!(shown, human(&game).to_string());
            games.push(game);
        }
    }
    games
}

#[test]
fn rif_from_both_sides() {
    for game in games("RIF") {
        let distances = distances(&game);
        assert!(distances.len() >= 6 && distances[0] == 0 && distances[1] == 1 && distances[2] <= 2);
        assert_eq!(game.property("RU"), Some("rif"));
        assert_eq!(game.property("SWAP").unwrap().len(), 1);
        // One of two fifth moves was chosen.
        let fifth = game.main_position(None).unwrap().moves()[4].point().unwrap().to_string();
        let other = game.property("ALT").unwrap();
        assert!(other != fifth && !other.contains(' '), "{other}");
    }
}

#[test]
fn yamaguchi_from_both_sides() {
    for (i, game) in games("yamaguchi").iter().enumerate() {
        assert!(distances(game).len() >= 6 && game.property("RU") == Some("yamaguchi"));
        let others = game.property("ALT").unwrap_or_default().split_whitespace().count();
        // The person declares two.
        assert!(i >= 2 || others == 1, "{others}");
    }
}

#[test]
fn taraguchi_from_both_sides() {
    for game in games("Taraguchi-5") {
        let distances = distances(&game);
        let offered = game.property("ALT").is_some();
        assert!(distances[..4].iter().zip([0, 1, 2, 3]).all(|(&d, most)| d <= most), "{distances:?}");
        assert!(offered || distances[4] <= 4, "{distances:?}");
        // After each of five stones, or after four.
        assert_eq!(game.property("SWAP").unwrap().len(), if offered { 4 } else { 5 });
    }
}

/// Under these regulations only a swap exchanges the colours.
#[test]
fn other_regulations_from_both_sides() {
    for (rule, stones) in [
        ("soosorv:3", 6),
        ("swap-renju", 6),
        ("tarannikov", 5),
        ("sakata", 5),
        ("swap", 3),
        ("swap1", 1),
        ("swap5", 5),
    ] {
        for game in games(rule) {
            assert!(distances(&game).len() >= stones, "{rule}");
            assert!(game.property("SWAP").is_some(), "{rule}");
        }
    }
}

#[test]
fn super_sakata_from_both_sides() {
    for side in ["black", "white"] {
        let mut table = Terminal::new(&["super-sakata", "--side", side]);
        table.finish("");
        let distances = distances(&table.end());
        assert!(distances.len() >= 5 && distances[3] <= 3 && distances[4] <= 4, "{distances:?}");
    }
}

#[test]
fn pro_from_both_sides() {
    for side in ["black", "white"] {
        let mut table = Terminal::new(&["pro", "--rule", "freestyle", "--side", side]);
        if side == "black" {
            table.refused("a1", "stone 1 must be put in the centre: a1 is not allowed");
            table.say("h8");
            table.refused("f10", "stone 3 must be put outside the central 5x5: f10 is not allowed");
        }
        table.finish("");
        let game = table.end();
        let distances = distances(&game);
        assert!(distances[0] == 0 && distances[2] > 2, "{distances:?}");
        assert_eq!((game.property("SWAP"), human(&game).to_string()), (None, side.to_string()));
    }
}

#[test]
fn swap2_as_the_first() {
    let mut table = Terminal::new(&["swap2", "--rule", "freestyle", "--time", "10m"]);
    table.refused("keep", "you may put stones 1 to 3 anywhere; not keep");
    table.refused("h8 h9 h8", "h8 is named twice");
    table.say("h8 h9 a1");
    // The test does not depend on the engine's choice.
    assert!(table.said.contains("   you: h8 h9 a1\nengine: "), "{}", table.said);
    let has_choice = table.said.contains("you may put stone 6, white's, anywhere\n     or swap\n");
    assert!(has_choice || table.is_over(), "{}", table.said);
    if has_choice {
        table.say("swap");
    }
    assert!(
        table.is_over() && table.said.contains("\nblack ") && table.said.contains("\nwhite "),
        "{}",
        table.said
    );
    let game = table.end();
    assert_eq!(game.property("SWAP").unwrap().len(), if has_choice { 2 } else { 1 });
}

#[test]
fn swap2_as_the_second() {
    let started = |choice: &str| {
        let mut table = Terminal::new(&["swap2", "--rule", "freestyle", "--side", "white"]);
        assert!(table.said.ends_with("type POINT, or swap, or POINT POINT\n"), "{}", table.said);
        table.refused("keep", "not keep");
        let taken = game_points(table.state());
        assert_eq!(taken.len(), 3);
        let free = Size::S15.points().filter(|p| !taken.contains(p)).map(|p| p.to_string());
        let free: Vec<String> = free.take(2).collect();
        let line = match choice {
            "swap" => "swap".to_owned(),
            "one" => free[0].clone(),
            _ => free.join(" "),
        };
        table.say(&line);
        table
    };
    let swapped = started("swap");
    assert!(swapped.is_over() && swapped.said.contains("you are black (x)\n"), "{}", swapped.said);
    let game = swapped.end();
    assert_eq!((game.property("SWAP"), distances(&game).len(), human(&game)), (Some("R"), 4, Color::Black));
    let kept = started("one");
    assert!(kept.is_over() && kept.said.contains("you are white (o)\n"), "{}", kept.said);
    let game = kept.end();
    assert_eq!((game.property("SWAP"), distances(&game).len(), human(&game)), (Some("-"), 5, Color::White));
    let left = started("two");
    assert!(left.is_over(), "{}", left.said);
    let shown = if left.said.contains("you are black (x)\n") { Color::Black } else { Color::White };
    let game = left.end();
    assert_eq!(human(&game), shown);
    // The engine took White and put the sixth stone, or took Black, and then the person moves as White.
    let expected = if shown == Color::Black { ("--", 6) } else { ("-R", 5) };
    assert_eq!((game.property("SWAP").unwrap(), distances(&game).len()), expected);
}

/// The points with stones in a drawn board.
fn game_points(drawn: &str) -> Vec<Point> {
    let rows = drawn.lines().take(15).enumerate();
    let stones = rows.flat_map(|(row, line)| {
        let signs: Vec<char> = line.chars().skip(3).step_by(2).collect();
        (0..15).filter(move |&x| "xo".contains(signs[x])).map(move |x| Point::new(x, 14 - row))
    });
    stones.collect()
}

#[test]
fn turns_of_an_opening_can_be_taken_back() {
    let mut table = Terminal::new(&["yamaguchi"]);
    let start = table.state().to_owned();
    table.refused("undo", "there is no move of yours to take back");
    table.say("h8 h9 i9 declare 2");
    assert!(table.said.contains("   you: h8 h9 i9 declare 2\nengine: "), "{}", table.said);
    table.say("undo");
    assert_eq!(table.state(), start);
    table.refused("h8 h9 i9", "the number of fifth moves must be declared with the stones");
    table.say("I7 declare 1");
    assert!(table.said.contains("   you: h8 i9 i7 declare 1\n"), "{}", table.said);
    table.say("resign");
    assert!(table.said.contains("game over: ") && table.said.contains(" resigns"), "{}", table.said);
}

#[test]
fn hints_are_legal() {
    let mut table = Terminal::new(&["yamaguchi"]);
    let said = table.say("hint").lines().next().unwrap().to_owned();
    let action = said.split_once("%: ").map_or(said.as_str(), |(_, action)| action);
    assert!(action.contains(" declare "), "{said}");
    table.say(action);
    assert!(table.said.contains(&format!("   you: {action}\nengine: ")), "{}", table.said);
}

#[test]
fn arguments_that_do_not_fit() {
    for (args, status, words) in [
        (&["--opening-rule", "swap3"][..], 2, "expected plain, plain:free, rif"),
        (&["D4", "--opening-rule", "rif"], 2, "cannot be used with"),
        (&["--opening-rule", "longpro", "--size", "7"], 2, "longpro cannot be played on a 7x7 board"),
    ] {
        let output = run(&[&["play"], args].concat(), "");
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(status), "{args:?}: {said}");
        assert!(said.contains(words), "{args:?}: {said}");
    }
}
