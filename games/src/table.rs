//! A game at a table, in words: a person against the search, or two people.

use kagetsu::game::Color;

use crate::diagram;
use crate::game::{Game, Move};
use crate::kind::Kind;
use crate::notation;
use crate::players::{Player, Searcher};

/// Table: a game with its players.
pub struct Table<'a> {
    game: Box<dyn Game>,
    player: Searcher<'a>,
    /// The side of the search; `None` if two people play.
    engine: Option<Color>,
}

/// Reply of the table to a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Said {
    /// The text, with the board if it changed.
    pub text: String,
    /// Whether the game goes on.
    pub goes_on: bool,
}

impl<'a> Table<'a> {
    /// Creates a table at which the search plays `engine`'s side, or none.
    pub fn new(game: Box<dyn Game>, player: Searcher<'a>, engine: Option<Color>) -> Table<'a> {
        Table { game, player, engine }
    }

    /// Prints the board at the beginning, after the move of the search if the search begins.
    pub fn begin(&mut self) -> Said {
        let moves = self.engine_moves();
        self.shown(&moves)
    }

    /// The moves so far, since the position at the beginning.
    pub fn moves(&self) -> String {
        notation::moves(&*self.game)
    }

    /// The position on the board as a setup string.
    pub fn setup(&self) -> String {
        notation::print_setup(&*self.game)
    }

    /// Returns the words that a person may type in this game. The example is a legal move, as h8 is off small boards.
    pub fn help(&self) -> String {
        let example = self.game.legal().iter().find_map(|m| m.point());
        let mut text = example.map_or_else(|| "a move".to_owned(), |p| format!("a move as {p}"));
        match self.game.kind() {
            Kind::Atomic => {
                text.push_str(&example.map_or_else(String::new, |p| format!(", @{p} for a bomb")))
            }
            Kind::Reversi => text.push_str(", pass"),
            _ => {}
        }
        text + "; undo, hint, moves, rules, quit"
    }

    /// Carries out a line that a person typed.
    pub fn answer(&mut self, line: &str) -> Said {
        let say = |text: String| Said { text, goes_on: true };
        let word = line.trim();
        match word.to_ascii_lowercase().as_str() {
            "quit" | "q" | "exit" => Said { text: String::new(), goes_on: false },
            "" | "help" | "?" => say(self.help()),
            "rules" => say(self.game.kind().about().rules.to_owned()),
            "moves" => {
                let list: Vec<String> = self.game.legal().iter().map(Move::to_string).collect();
                say(list.join(" "))
            }
            "hint" | "h" => say(format!("hint: {}", self.player.choose(&*self.game))),
            "undo" | "u" => self.undo(),
            _ => self.play(word).unwrap_or_else(say),
        }
    }

    /// Takes back the person's last move and the answers to it.
    fn undo(&mut self) -> Said {
        let person = |table: &Table<'_>, color: Color| table.engine != Some(color);
        let history = self.game.history();
        let Some(last) = history.iter().rposition(|&(color, m)| person(self, color) && m != Move::Pass)
        else {
            return Said { text: "there is no move to take back".into(), goes_on: true };
        };
        for _ in last..history.len() {
            self.game.undo();
        }
        self.shown(&[])
    }

    fn play(&mut self, text: &str) -> Result<Said, String> {
        let m = notation::parse_move(text, self.game.size())
            .map_err(|error| format!("{error}; type {}", self.help()))?;
        self.game.check(m).map_err(|reason| reason.to_string())?;
        self.game.play(m);
        let moves = self.engine_moves();
        Ok(self.shown(&moves))
    }

    /// Lets the search move as long as it is its turn.
    fn engine_moves(&mut self) -> Vec<Move> {
        let mut moves = Vec::new();
        while self.game.outcome().is_none() && self.engine == Some(self.game.side()) {
            let m = self.player.choose(&*self.game);
            self.game.play(m);
            moves.push(m);
        }
        moves
    }

    fn shown(&self, moves: &[Move]) -> Said {
        let game = &*self.game;
        let mut text = String::new();
        if !moves.is_empty() {
            let names: Vec<String> = moves.iter().map(Move::to_string).collect();
            text.push_str(&format!("kagetsu plays {}\n\n", names.join(" ")));
        }
        text.push_str(&diagram::draw(game, &[]));
        game.notes().iter().for_each(|note| text.push_str(&format!("{note}\n")));
        match game.outcome() {
            Some(outcome) => text.push_str(&format!("game over: {outcome}")),
            None if game.check(Move::Pass).is_ok() => text.push_str(&format!("{} must pass", game.side())),
            None => text.push_str(&format!("{} to move", game.side())),
        }
        Said { text, goes_on: game.outcome().is_none() }
    }
}
