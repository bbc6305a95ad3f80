//! Facts that a saved game has besides its moves: the date, the opening's code, the kind of win.

use std::time::{Duration, UNIX_EPOCH};

use super::game::{Game, GameResult};
use kagetsu::clock::since_1970;
use kagetsu::game::openings26::Opening;
use kagetsu::game::{Color, RuleKind};

/// Kind of a win; unused for draws.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum How {
    /// By a row or a foul, or in a way that SGF has no letter for.
    Rule,
    /// The loser gave up.
    Resignation,
    /// The loser's time ran out.
    Time,
    /// The loser stopped playing or broke the rules of conduct.
    Forfeit,
}

impl Game {
    /// Adds the kind of win, as `RE[W+T]`. Set the result before.
    pub fn add_how(&mut self, how: How) {
        let Some(GameResult::Win(winner)) = self.result else { return };
        let letter = match how {
            How::Rule => return,
            How::Resignation => 'R',
            How::Time => 'T',
            How::Forfeit => 'F',
        };
        let side = if winner == Color::Black { 'B' } else { 'W' };
        self.add_property("RE", &format!("{side}+{letter}"));
    }

    /// Adds the code of a Renju game's opening, as `ON[D4]`, if it is one of the 26. Set the rule and moves before.
    pub fn add_opening(&mut self) {
        let position = self.main_position(None).ok().filter(|_| self.rule == Some(RuleKind::Renju));
        if let Some(opening) = position.as_ref().and_then(Opening::of_position) {
            self.add_property("ON", opening.code);
        }
    }
}

/// The present day, as `2026-11-24` (UTC).
pub fn today() -> String {
    day(since_1970())
}

/// The day at a time after the beginning of 1970.
fn day(since_1970: Duration) -> String {
    let text = humantime::format_rfc3339_seconds(UNIX_EPOCH + since_1970).to_string();
    text.chars().take_while(|&c| c != 'T').collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use kagetsu::game::{Size, notation};

    fn game(moves: &str, rule: RuleKind, result: GameResult) -> Game {
        let position = notation::moves::parse(moves, Size::S15).unwrap();
        Game { rule: Some(rule), result: Some(result), ..Game::of_position(&position) }
    }

    #[test]
    fn days_are_the_calendars() {
        let days = |n: u64| day(Duration::from_secs(n * 86_400));
        assert_eq!(
            (days(0), days(11_016), days(20_781)),
            ("1970-01-01".into(), "2000-02-29".into(), "2026-11-24".into())
        );
        assert!(today().len() == 10 && *today() > *"2026", "{}", today());
    }

    #[test]
    fn wins_are_told_with_their_reason() {
        for (how, winner, text) in [
            (How::Time, Color::White, Some("W+T")),
            (How::Resignation, Color::Black, Some("B+R")),
            (How::Forfeit, Color::Black, Some("B+F")),
            (How::Rule, Color::Black, None),
        ] {
            let mut game = game("h8", RuleKind::Renju, GameResult::Win(winner));
            game.add_how(how);
            assert_eq!(game.property("RE"), text);
        }
        let mut drawn = game("h8", RuleKind::Renju, GameResult::Draw);
        drawn.add_how(How::Time);
        assert_eq!(drawn.property("RE"), None);
    }

    #[test]
    fn openings_have_codes_under_renju_alone() {
        for (moves, rule, code) in [
            ("h8h9i9", RuleKind::Renju, Some("D4")),
            ("h8g8g9a1", RuleKind::Renju, Some("D4")),
            ("h8j9i10", RuleKind::Renju, None),
            ("h8h9i9", RuleKind::Freestyle, None),
            ("h8h9", RuleKind::Renju, None),
        ] {
            let mut game = game(moves, rule, GameResult::Draw);
            game.add_opening();
            assert_eq!(game.property("ON"), code, "{moves} {rule}");
        }
    }
}
