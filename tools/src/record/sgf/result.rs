//! The result of a game as a text, `RE`: who has won, and perhaps how.

use crate::record::GameResult;
use kagetsu::game::Color;

/// The result that a text says.
pub fn parse(text: &str) -> Option<GameResult> {
    let text = text.trim();
    let (side, how) = text.split_once('+').map_or((text, None), |(side, how)| (side, Some(how)));
    match (side, how) {
        // Games of a server that RenLib supports state a draw in this way.
        ("B" | "W", Some(how)) if how.eq_ignore_ascii_case("draw") => Some(GameResult::Draw),
        ("B", Some(_)) => Some(GameResult::Win(Color::Black)),
        ("W", Some(_)) => Some(GameResult::Win(Color::White)),
        ("0" | "Draw" | "draw" | "Jigo", _) => Some(GameResult::Draw),
        _ => None,
    }
}

/// Returns whether a text states a result and nothing more; resignation and time belong to the result.
pub fn is_plain(text: &str) -> bool {
    let how = text.trim().split_once('+').map_or("", |(_, how)| how);
    parse(text).is_some() && ["", "1"].contains(&how)
}

/// A text that says a result and nothing more.
pub fn print(result: GameResult) -> &'static str {
    match result {
        GameResult::Draw => "0",
        GameResult::Win(Color::Black) => "B+1",
        GameResult::Win(Color::White) => "W+1",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_and_what_else_is_said() {
        let (black, white) = (Some(GameResult::Win(Color::Black)), Some(GameResult::Win(Color::White)));
        let texts = [
            ("B+1", black, true),
            (" W+ ", white, true),
            ("W+R", white, false),
            ("B+Time", black, false),
            ("W+2", white, false),
            ("0", Some(GameResult::Draw), true),
            ("Draw", Some(GameResult::Draw), true),
            // RenLib takes the first of these for a draw too.
            ("B+Draw", Some(GameResult::Draw), false),
            ("W+DRAW", Some(GameResult::Draw), false),
            ("Void", None, false),
            ("?", None, false),
            ("B", None, false),
        ];
        for (text, result, plain) in texts {
            assert_eq!((parse(text), is_plain(text)), (result, plain), "{text}");
        }
        for result in [GameResult::Draw, GameResult::Win(Color::Black), GameResult::Win(Color::White)] {
            assert_eq!((parse(print(result)), is_plain(print(result))), (Some(result), true));
        }
    }
}
