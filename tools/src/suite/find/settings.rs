//! The settings on which the hard positions of a run depend.

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};

use crate::sift::settings::Pair;
use kagetsu::eval::nets;
use kagetsu::game::{RuleKind, Size};

/// The origin of positions and the way they are judged; saved with the positions found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// Name of the rule.
    pub rule: String,
    /// Side of the board.
    pub size: usize,
    /// The openings.
    pub openings: Vec<String>,
    /// Nodes for each move of the two sides.
    pub games: Pair,
    /// The effort of the searches.
    pub effort: Effort,
    /// Name of the net of the searches.
    pub net: String,
}

/// The effort of the searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Effort {
    /// A position that is proven by this number of nodes is not hard.
    pub short: u64,
    /// Nodes of the search for a proof.
    pub long: u64,
    /// The search for a proof goes on beyond the short one while one side is ahead by this.
    pub promise: i32,
    /// Nodes of the search that compares the two best moves; 0 for none.
    pub compare: u64,
    /// Bytes of the search's tables.
    pub hash: u64,
}

impl Settings {
    /// Returns the rule.
    ///
    /// # Errors
    /// If the settings name none.
    pub fn rule(&self) -> Result<RuleKind> {
        Ok(self.rule.parse()?)
    }

    /// Returns the size of the board.
    ///
    /// # Errors
    /// If it is impossible.
    pub fn size(&self) -> Result<Size> {
        Ok(Size::new(self.size)?)
    }

    /// Returns the number of games: all openings, and again with the numbers of nodes exchanged.
    pub fn game_count(&self) -> u64 {
        2 * self.openings.len() as u64
    }

    /// Returns the number of the opening of a game, from 0, and the nodes of Black and White there.
    pub fn game(&self, number: u64) -> (usize, [u64; 2]) {
        let [first, second] = self.games.both();
        let openings = self.openings.len().max(1) as u64;
        let nodes = if number < openings { [first, second] } else { [second, first] };
        ((number % openings) as usize, nodes)
    }

    /// Checks the settings, and that this program has the net with which earlier games were played.
    ///
    /// # Errors
    /// If rule or size are impossible, the efforts do not grow, or the net is another one.
    pub fn check(&self) -> Result<()> {
        self.size()?;
        let Effort { short, long, .. } = self.effort;
        if long <= short {
            bail!("--long {long}: expected more nodes than --short {short}");
        }
        let net = nets::net(self.rule()?).name();
        if net != self.net {
            bail!(
                "the games were played with the net {}, and this program has {net}; expected --net with that net",
                self.net
            );
        }
        Ok(())
    }

    /// Returns the command that makes the list.
    pub fn command(&self, wanted: usize) -> String {
        let Settings { rule, size, games, effort, .. } = self;
        let Effort { short, long, promise, compare, hash } = effort;
        format!(
            "kagetsu bench find {wanted} --rule {rule} --size {size} --openings FILE --games {games} --short {short} --long \
             {long} --promise {promise} --compare {compare} --hash {hash}"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> Settings {
        Settings {
            rule: "caro".into(),
            size: 9,
            openings: vec!["a1".into(), "b2".into()],
            games: Pair { first: 3, second: 4 },
            effort: Effort { short: 10, long: 20, promise: 0, compare: 0, hash: 1 },
            net: nets::net(RuleKind::Caro).name(),
        }
    }

    #[test]
    fn each_opening_is_played_with_both_numbers_of_nodes() {
        let settings = settings();
        let games: Vec<_> = (0..settings.game_count()).map(|number| settings.game(number)).collect();
        assert_eq!(games, [(0, [3, 4]), (1, [3, 4]), (0, [4, 3]), (1, [4, 3])]);
    }

    #[test]
    fn impossible_settings_are_refused() {
        let settings = settings();
        assert!(settings.check().is_ok());
        let refused = |settings: Settings| settings.check().unwrap_err().to_string();
        let effort = Effort { long: 10, ..settings.effort };
        assert!(
            refused(Settings { effort, ..settings.clone() })
                .contains("--long 10: expected more nodes than --short 10")
        );
        assert!(refused(Settings { size: 4, ..settings.clone() }).contains("board size 4"));
        assert!(refused(Settings { net: "other".into(), ..settings }).contains("with the net other"));
    }
}
