//! The score so far: every encounter by colour and opening pair, and every engine's faults.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use super::fault::FaultKind;
use super::plan::Plan;
use super::record::{End, GameRecord, OpeningRecord};
use super::stats::{Counts, Encounter, Estimate, Pairs, Rating, Sample, Sprt, SprtResult, ratings};
use kagetsu::game::Color;

/// Results of two engines against each other, from the first one's view.
#[derive(Clone, Debug, Default)]
pub struct Score {
    /// Games as Black and as White.
    pub by_color: [Counts; 2],
    /// Opening pairs.
    pub pairs: Pairs,
}

impl Score {
    /// All games.
    pub fn counts(&self) -> Counts {
        let mut all = self.by_color[0];
        all += self.by_color[1];
        all
    }

    /// Estimates the difference in strength: from pairs, or from games while there are no pairs.
    pub fn estimate(&self) -> Option<Estimate> {
        Estimate::of(&Sample::of(self.counts(), self.pairs))
    }
}

/// The state of a test.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TestState {
    /// Log-likelihood ratio.
    pub llr: f64,
    /// The verdict.
    pub verdict: SprtResult,
}

/// Tally of openings by a regulation, over games whose opening was completed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct OpeningTally {
    /// Results of the engines that began.
    pub opener: Counts,
    /// Results of the engines that took the last decision.
    pub chooser: Counts,
    /// Games in which the chooser is Black.
    pub chooser_black: u64,
    /// Games in which the opener was the chooser, because the opponent left the choice to it.
    pub left: u64,
}

/// Pairs of games in which one colour won both games. They show that an opening favours a colour, and nothing
/// about the engines.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct OneColored {
    /// Their number.
    pub pairs: u64,
    /// Number of all pairs.
    pub of: u64,
}

impl OpeningTally {
    fn add(&mut self, record: &GameRecord) {
        let Some(OpeningRecord { opener, chooser: Some(chooser), .. }) = &record.regulation else { return };
        let color = |name: &String| if *name == record.black { Color::Black } else { Color::White };
        self.opener.add(record.half_points(color(opener)));
        self.chooser.add(record.half_points(color(chooser)));
        self.chooser_black += u64::from(color(chooser) == Color::Black);
        self.left += u64::from(chooser == opener);
    }
}

/// All results of a tournament.
#[derive(Clone, Debug, Default)]
pub struct Standings {
    scores: BTreeMap<[usize; 2], Score>,
    /// Half points of the first engine and of Black in games whose pair is not complete.
    halves: HashMap<u64, [u8; 2]>,
    /// Black's results.
    black: Counts,
    one_colored: OneColored,
    tally: OpeningTally,
    ends: BTreeMap<End, u64>,
    faults: BTreeMap<(usize, FaultKind), u64>,
    games: u64,
}

impl Standings {
    /// Adds a game, if it is one of the plan.
    pub fn add(&mut self, plan: &Plan, record: &GameRecord) {
        let Some(pairing) = plan.pairing_of(record) else { return };
        let [a, b] = pairing.engines;
        let color = if record.black == plan.contestants[a].name { Color::Black } else { Color::White };
        let [points, of_black] = [color, Color::Black].map(|color| record.half_points(color));
        let score = self.scores.entry(pairing.engines).or_default();
        score.by_color[color.index()].add(points);
        match self.halves.remove(&pairing.pair) {
            Some([other, other_of_black]) => {
                score.pairs.add(other, points);
                let is_one_colored = of_black == other_of_black && record.winner().is_some();
                self.one_colored.pairs += u64::from(is_one_colored);
                self.one_colored.of += 1;
            }
            None => {
                self.halves.insert(pairing.pair, [points, of_black]);
            }
        }
        self.black.add(of_black);
        self.tally.add(record);
        *self.ends.entry(record.end).or_default() += 1;
        if let End::Fault(kind) = record.end {
            let loser = if points == 0 { a } else { b };
            *self.faults.entry((loser, kind)).or_default() += 1;
        }
        self.games += 1;
    }

    /// Number of games.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The score of an encounter.
    pub fn score(&self, encounter: [usize; 2]) -> Score {
        self.scores.get(&encounter).cloned().unwrap_or_default()
    }

    /// The results of one engine against another, whichever of them is first in the plan.
    pub fn against(&self, engine: usize, other: usize) -> Counts {
        if engine < other {
            self.score([engine, other]).counts()
        } else {
            self.score([other, engine]).counts().reversed()
        }
    }

    /// Returns the results of each engine against all others.
    pub fn totals(&self, engines: usize) -> Vec<Counts> {
        let mut totals = vec![Counts::default(); engines];
        for (&[first, second], score) in &self.scores {
            let counts = score.counts();
            totals[first] += counts;
            totals[second] += counts.reversed();
        }
        totals
    }

    /// Black's results in all games.
    pub fn black(&self) -> Counts {
        self.black
    }

    /// Returns how many pairs of games went to one colour twice.
    pub fn one_colored(&self) -> OneColored {
        self.one_colored
    }

    /// The results of openings by a regulation.
    pub fn tally(&self) -> OpeningTally {
        self.tally
    }

    /// Returns the number of games by their end.
    pub fn ends(&self) -> &BTreeMap<End, u64> {
        &self.ends
    }

    /// Failures by engine and kind.
    pub fn faults(&self) -> &BTreeMap<(usize, FaultKind), u64> {
        &self.faults
    }

    /// Returns the state of a sequential test on the first encounter.
    pub fn test(&self, sprt: &Sprt) -> TestState {
        let llr = sprt.llr(&self.score([0, 1]).pairs.sample());
        TestState { llr, verdict: sprt.verdict(llr) }
    }

    /// Ratings of all engines.
    pub fn ratings(&self, engines: usize) -> Vec<Rating> {
        let encounters: Vec<Encounter> = self
            .scores
            .iter()
            .map(|(&[first, second], score)| {
                let (counts, pairs) = (score.counts(), score.pairs);
                Encounter { first, second, counts, pairs }
            })
            .collect();
        ratings(engines, &encounters)
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{plan, record};
    use super::*;

    #[test]
    fn pairs_count_whatever_the_order_of_games() {
        let plan = plan(2, Some(6), 1);
        let mut standings = Standings::default();
        // Pair one: two wins of engine 0; pair two: a win and a loss; pair three: half done.
        for (game, winner) in [(2, Some(0)), (3, Some(0)), (1, Some(0)), (5, None), (4, Some(1))] {
            standings.add(&plan, &record(&plan, game, winner));
        }
        let score = standings.score([0, 1]);
        assert_eq!(score.pairs, Pairs([0, 0, 1, 0, 1]));
        assert_eq!(score.counts(), Counts { wins: 3, draws: 1, losses: 1 });
        assert_eq!(standings.against(1, 0), score.counts().reversed());
        assert_eq!(standings.totals(2), [score.counts(), score.counts().reversed()]);
        assert_eq!(standings.faults().iter().collect::<Vec<_>>(), [(&(0, FaultKind::Crash), &1)]);
        assert_eq!(standings.games(), 5);
        let stranger = GameRecord { black: "stranger".into(), ..record(&plan, 6, Some(0)) };
        standings.add(&plan, &stranger);
        assert_eq!(standings.games(), 5);
    }

    /// Each engine wins both games against the next one, and the second draws with the fourth.
    #[test]
    fn an_engine_has_the_results_of_all_its_encounters() {
        let plan = plan(4, Some(2), 1);
        let mut standings = Standings::default();
        let encounters: Vec<[usize; 2]> = plan.encounters().collect();
        for (i, encounter) in encounters.into_iter().enumerate() {
            let winner = match encounter {
                [first, second] if second == first + 1 => Some(first),
                [1, 3] => None,
                _ => continue,
            };
            for game in [2 * i + 1, 2 * i + 2] {
                standings.add(&plan, &record(&plan, game as u64, winner));
            }
        }
        let counts = |wins, draws, losses| Counts { wins, draws, losses };
        let expected = [counts(2, 0, 0), counts(2, 2, 2), counts(2, 0, 2), counts(0, 2, 2)];
        assert_eq!(standings.totals(4), expected);
    }

    /// An opening may have several pairs, which do not all go to one colour.
    #[test]
    fn one_colour_may_win_both_games_of_a_pair() {
        let plan = plan(2, Some(10), 1);
        let mut standings = Standings::default();
        // Engine 0 moves first in the first game of each pair, and engine 1 in the second one. The first and the fourth pair
        // have the same opening, and so have the second and the fifth.
        let (a, b, draw) = (Some(0), Some(1), None);
        let pairs = [[a, b], [a, a], [draw, draw], [a, draw], [b, a]];
        for (game, winner) in (1..).zip(pairs.concat()) {
            standings.add(&plan, &record(&plan, game, winner));
        }
        assert_eq!(standings.one_colored(), OneColored { pairs: 2, of: 5 });
        assert_eq!(standings.score([0, 1]).pairs, Pairs([0, 0, 3, 1, 1]));
    }

    #[test]
    fn openers_and_choosers_are_told_apart() {
        let plan = plan(2, Some(6), 1);
        let mut standings = Standings::default();
        let names: Vec<String> = plan.contestants.iter().map(|c| c.name.clone()).collect();
        // Engine 0 opens and engine 1 chooses Black and wins; engine 1 leaves the choice to engine 0, which takes White
        // and draws; in the third game somebody failed before the colours were settled.
        for (game, chooser, colors, result) in
            [(1, Some(1), [1, 0], "1-0"), (2, Some(0), [1, 0], "1/2-1/2"), (3, None, [0, 1], "1-0")]
        {
            let regulation = Some(OpeningRecord {
                rule: "swap2".into(),
                opener: names[0].clone(),
                chooser: chooser.map(|i: usize| names[i].clone()),
                decisions: Vec::new(),
            });
            let [black, white] = colors.map(|i: usize| names[i].clone());
            let result = result.to_string();
            let record = GameRecord { black, white, result, regulation, ..record(&plan, game, None) };
            standings.add(&plan, &record);
        }
        assert_eq!(
            standings.tally(),
            OpeningTally {
                opener: Counts { wins: 0, draws: 1, losses: 1 },
                chooser: Counts { wins: 1, draws: 1, losses: 0 },
                chooser_black: 1,
                left: 1,
            }
        );
    }
}
