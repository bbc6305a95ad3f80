//! Settings by which candidates are made and judged.

use std::fmt;
use std::str::FromStr;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use crate::arena::contestant::Contestant;
use crate::selfplay::openings::Recipe;
use kagetsu::eval::nets;
use kagetsu::game::quote::quoted;
use kagetsu::game::{RuleKind, Size};
use kagetsu::invalid::Invalid;

/// The settings on which a verdict depends; saved with the candidates.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// Name of the rule.
    pub rule: String,
    /// Side of the board.
    pub size: usize,
    /// The origin of candidates.
    pub source: Source,
    /// Nodes of the long search.
    pub nodes: u64,
    /// The score that counts as even, from Black's view.
    pub even: i32,
    /// Largest accepted distance from it.
    pub bias: i32,
    /// Nodes in the quick pair of games, which the first engine plays.
    pub quick: Pair,
    /// Nodes in the long pair of games of each engine.
    pub long: Pair,
    /// The engines, each of which plays against itself.
    pub engines: Vec<Contestant>,
    /// Name of the net of the searches.
    pub net: String,
}

/// The origin of candidates.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// Random stones, balanced by a short search.
    Random {
        /// Every seed is another list.
        seed: u64,
        /// Nodes of the short search.
        nodes: u64,
        /// Fewest and most stones.
        stones: (usize, usize),
    },
    /// A list: moves or setup strings.
    List(Vec<String>),
}

/// Nodes for each move of the two sides of a game, which are exchanged for the second one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Pair {
    /// Nodes of one side.
    pub first: u64,
    /// Nodes of the other.
    pub second: u64,
}

impl Pair {
    /// The number of nodes of each side.
    pub fn both(self) -> [u64; 2] {
        [self.first, self.second]
    }
}

/// `A:B`, as in `40000:50000`.
impl FromStr for Pair {
    type Err = Invalid;

    fn from_str(s: &str) -> Result<Pair, Invalid> {
        let wrong =
            || Invalid::from(format!("{}: expected two numbers of nodes above 0, as 40000:50000", quoted(s)));
        let (first, second) = s.split_once(':').ok_or_else(wrong)?;
        let number = |text: &str| text.parse().ok().filter(|&n: &u64| n > 0).ok_or_else(wrong);
        let pair = Pair { first: number(first)?, second: number(second)? };
        if pair.first == pair.second {
            let why = "with equal numbers of nodes both games of a pair would be the same";
            return Err(format!("{}: {why}", quoted(s)).into());
        }
        Ok(pair)
    }
}

impl fmt::Display for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.first, self.second)
    }
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

    /// Returns the recipe of random candidates, if they are random.
    ///
    /// # Errors
    /// If rule or size are impossible.
    pub fn recipe(&self) -> Result<Option<Recipe>> {
        let Source::Random { seed, nodes, stones } = self.source else { return Ok(None) };
        let (rule, size) = (self.rule()?, self.size()?);
        let Settings { even, bias, .. } = *self;
        Ok(Some(Recipe { rule, size, stones, nodes, even, bias, seed }))
    }

    /// Checks the settings, and that this program has the net with which earlier candidates were judged. It does not check
    /// the version, or that the engines are there.
    ///
    /// # Errors
    /// If there is no engine, rule, size or a time of an engine are impossible, or the net is another one.
    pub fn check(&self) -> Result<()> {
        if self.engines.is_empty() {
            bail!("expected an engine that plays the games");
        }
        self.size().context("the size of the board")?;
        self.engines.iter().try_for_each(|engine| engine.time.check())?;
        let net = nets::net(self.rule()?).name();
        if net != self.net {
            bail!(
                "the candidates were judged with the net {}, and this program has {net}; expected --net with that net",
                self.net
            );
        }
        Ok(())
    }

    /// Returns the flags that these lists depend on. They are no command: engines are given by their names.
    pub fn flags(&self) -> String {
        let Settings { rule, size, nodes, even, bias, quick, long, .. } = self;
        let source = match &self.source {
            Source::Random { seed, nodes, stones: (fewest, most) } => {
                format!("--seed {seed} --candidate-nodes {nodes} --stones {fewest} {most}")
            }
            Source::List(_) => "--candidates FILE".into(),
        };
        let limit = |engine: &Contestant| engine.memory.unwrap_or(0);
        let memory = self.engines.first().map_or(0, limit);
        let engine = |engine: &Contestant| match limit(engine) {
            own if own == memory => format!(" --engine {}", engine.name),
            own => format!(" --engine 'memory={own} {}'", engine.name),
        };
        let engines: String = self.engines.iter().map(engine).collect();
        format!(
            "--rule {rule} --size {size} {source} --nodes {nodes} --even {even} --bias {bias} --quick {quick} --long {long} \
             --memory {memory}{engines}"
        )
    }
}

/// Settings for tests: freestyle on 9x9, the present net.
#[cfg(test)]
pub(super) fn example(engines: Vec<Contestant>) -> Settings {
    use kagetsu::eval::nets;
    use kagetsu::game::RuleKind;

    Settings {
        rule: "freestyle".into(),
        size: 9,
        source: Source::Random { seed: 1, nodes: 1, stones: (1, 2) },
        nodes: 1,
        even: 2,
        bias: 3,
        quick: Pair { first: 4, second: 5 },
        long: Pair { first: 6, second: 7 },
        engines,
        net: nets::net(RuleKind::Freestyle).name(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An engine plays other games with another memory limit.
    #[test]
    fn the_flags_have_the_memory_of_each_engine() {
        let engine = |name: &str, memory| Contestant {
            name: name.into(),
            memory,
            ..Contestant::new("e".into(), Vec::new())
        };
        for (engines, end) in [
            (vec![engine("a", Some(4096)), engine("b", Some(4096))], "--memory 4096 --engine a --engine b"),
            (vec![engine("a", None)], "--memory 0 --engine a"),
            (vec![engine("a", Some(9)), engine("b", None)], "--memory 9 --engine a --engine 'memory=0 b'"),
        ] {
            let flags = example(engines).flags();
            assert!(flags.ends_with(&format!(" --quick 4:5 --long 6:7 {end}")), "{flags}");
        }
    }

    /// Settings may have been edited: the end of such a time could not be computed.
    #[test]
    fn times_that_no_flags_give_are_refused() {
        let mut engine = Contestant::new("e".into(), Vec::new());
        assert!(example(vec![engine.clone()]).check().is_ok());
        engine.time.patience = std::time::Duration::MAX;
        let said = example(vec![engine]).check().unwrap_err().to_string();
        assert!(said.contains("expected at most a day"), "{said}");
    }

    #[test]
    fn pairs_have_two_different_numbers() {
        assert_eq!("40000:50000".parse(), Ok(Pair { first: 40_000, second: 50_000 }));
        for bad in ["5", "5:5", "0:5", "5:0", "a:b", "1:2:3", ""] {
            assert!(bad.parse::<Pair>().is_err(), "{bad}");
        }
    }
}
