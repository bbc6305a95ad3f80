//! Flags for the ends of a game other than a row, a foul and a full board.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use kagetsu::game::{EndSet, Endings, RuleKind};

/// Description of the sets, for the help of commands that have these flags.
pub const SETS: &str = "\
Ends of games besides a row, a foul and a full board (--ends):
  plain     a draw by two passes in a row, when neither side can make a row any
            more, and when Black has only fouls left; under Renju passes from
            the sixth stone on
  rif       as plain, with passes under every rule and draws by agreement; Black
            with only fouls left passes
  gomocup   no passes; Black with only fouls left loses; under Renju a draw after
            200 moves
--passes, --stones and --draw-after each change one of these ends.";

/// Ends of the game besides a row, a foul and a full board.
#[derive(Args, Clone, Debug, Default)]
pub struct EndArgs {
    /// Set the ends of games other than a row, a foul and a full board
    #[arg(long, value_name = "SET", default_value = "plain", ignore_case = true, value_parser = sets())]
    ends: EndSet,
    /// Allow passes once N stones are on the board, or 'never' [default: the set's]
    #[arg(long, value_name = "N", value_parser = passes)]
    passes: Option<Passes>,
    /// Draw the game when the side to move has placed N stones (over the board: 50)
    #[arg(long, value_name = "N", value_parser = limit)]
    stones: Option<usize>,
    /// Draw the game after N moves, including those of the opening and setup stones
    #[arg(long, value_name = "N", value_parser = limit)]
    draw_after: Option<usize>,
}

impl EndArgs {
    /// The ends under a rule.
    pub fn endings(&self, rule: RuleKind) -> Endings {
        let set = self.ends.endings(rule);
        Endings {
            passes: self.passes.map_or(set.passes, |Passes(from)| from),
            stones: self.stones.or(set.stones),
            moves: self.draw_after.or(set.moves),
            // If passes are allowed, two of them end the game.
            two_passes: set.two_passes || self.passes.is_some_and(|Passes(from)| from.is_some()),
            ..set
        }
    }
}

/// Number of stones on the board from which passes are allowed; `None` if they never are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Passes(Option<usize>);

fn passes(text: &str) -> Result<Passes, String> {
    match text {
        "never" => Ok(Passes(None)),
        _ => text.parse().map(|n| Passes(Some(n))).map_err(|_| "expected a number, or never".into()),
    }
}

fn limit(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|&n| n > 0).ok_or_else(|| "expected a number above 0".into())
}

fn sets() -> impl TypedValueParser<Value = EndSet> {
    PossibleValuesParser::new(EndSet::ALL.map(EndSet::name)).try_map(|name| name.parse())
}

#[cfg(test)]
mod tests {
    use clap::{Command, FromArgMatches};

    use super::*;

    fn endings(flags: &str) -> Result<Endings, String> {
        let command = EndArgs::augment_args(Command::new("play").no_binary_name(true));
        let matches = command.try_get_matches_from(flags.split_whitespace()).map_err(|e| e.to_string())?;
        let args = EndArgs::from_arg_matches(&matches).map_err(|e| e.to_string())?;
        Ok(args.endings(RuleKind::Renju))
    }

    #[test]
    fn flags_change_the_set() {
        let plain = EndSet::Plain.endings(RuleKind::Renju);
        assert_eq!(endings(""), Ok(plain));
        for rif in ["--ends rif", "--ends RIF"] {
            assert_eq!(endings(rif), Ok(EndSet::Rif.endings(RuleKind::Renju)));
        }
        assert_eq!(endings("--passes never"), Ok(Endings { passes: None, ..plain }));
        let gomocup = EndSet::Gomocup.endings(RuleKind::Renju);
        assert_eq!(
            endings("--ends gomocup --passes 0 --stones 50 --draw-after 100"),
            Ok(Endings { passes: Some(0), two_passes: true, stones: Some(50), moves: Some(100), ..gomocup })
        );
        for wrong in ["--ends fide", "--passes some", "--stones 0", "--draw-after -1"] {
            assert!(endings(wrong).is_err(), "{wrong}");
        }
    }
}
