//! Draws by agreement: whether the engine takes a draw that is offered.

use anyhow::{Result, ensure};

use super::convert;
use crate::schema::Tell;
use crate::schema::board::{self, Ends};
use kagetsu::engine::agreement::Expectations;

/// Answers an offer by the search of the engine's last move, as the engine does elsewhere.
///
/// # Errors
/// If the rules have no draws by agreement, or the position is impossible.
pub fn answer(given: &board::Position, ends: Ends, win_rate: Option<f64>) -> Result<Tell> {
    let (position, _) = convert::position(given)?;
    ensure!(convert::endings(ends, given.rule).agreement, "nobody may offer a draw in this game");
    let mut chances = Expectations::default();
    win_rate.into_iter().for_each(|chance| chances.add(chance));
    Ok(Tell::Draw { accepted: chances.accept_draw(&position) })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;
    use crate::schema::board::Rule;
    use kagetsu::game::notation;

    /// Whether the engine takes a draw on a board of 5x5 with this number of stones.
    fn takes(stones: usize, ends: Ends, win_rate: Option<f64>) -> Result<bool> {
        let moves = ["a1", "c1", "e1", "a3", "c3", "e3", "a5", "c5", "e5"][..stones].concat();
        let position = notation::parse(&moves, Some(convert::size(5)?)).unwrap();
        let given = convert::of_position(&position, Rule::Freestyle);
        let Tell::Draw { accepted } = answer(&given, ends, win_rate)? else { panic!("a draw is answered") };
        Ok(accepted)
    }

    #[test]
    fn a_draw_is_answered_by_the_last_search() {
        for (stones, win_rate, accepted) in [
            (2, None, false),
            (2, Some(0.4), true),
            (2, Some(0.41), false),
            (8, Some(0.52), false),
            (9, Some(0.52), true),
            (9, Some(0.53), false),
        ] {
            assert_eq!(takes(stones, Ends::Rif, win_rate).unwrap(), accepted, "{stones} {win_rate:?}");
        }
    }

    #[test]
    fn rules_without_agreement_have_no_offers() {
        for ends in [Ends::Plain, Ends::Gomocup] {
            assert!(takes(9, ends, Some(0.0)).is_err(), "{ends:?}");
        }
    }
}
