//! Learns the weights from self-play: each round plays games with the current weights, then fits the weights to the
//! results.
//!
//! Each game begins with random moves. Then each side plays the move with the best evaluation after it, sometimes a
//! random one. The last squares are played perfectly. Every position is labelled with the final margin of the side to
//! move. The fit is stochastic gradient descent on the squared error of the sum of weights; mirror images of a pattern
//! share their weight.

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use kagetsu::random::{Random, RngExt, SeedableRng, SliceRandom};

use super::{MAGIC, Numbers, PLACES, SHAPES, STAGES, WEIGHTS, Weights, offsets, stage};
use crate::game::Effort;
use crate::reversi::bits::Bits;
use crate::reversi::frame::Frame;
use crate::reversi::solver::{Counting, Question, solve};

/// The settings of the learning.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Rounds of games and fits.
    pub rounds: usize,
    /// Number of games in a round.
    pub games: usize,
    /// Epochs: passes over the positions of a round.
    pub epochs: usize,
    /// Decides all random choices.
    pub seed: u64,
}

/// Result of a round.
#[derive(Clone, Copy, Debug)]
pub struct Round {
    /// Its number, from 1.
    pub number: usize,
    /// Positions.
    pub positions: usize,
    /// Held-out loss: root mean squared error in discs on positions that were not used to learn.
    pub error: f64,
}

/// From this number of empty squares on, both sides play perfectly.
const PERFECT: u32 = 9;
/// One move in this number is random.
const RANDOM: usize = 16;
/// Random moves at the beginning, at most.
const OPENING: usize = 16;
/// One position in this number is held out to measure the error.
const HELD_OUT: usize = 20;
/// Learning rate: the share of the error that all weights of a position correct together.
const RATE: f32 = 0.06;

/// A position with the final margin of the side to move.
type Sample = (u64, u64, i8);

/// Learns weights, starting from zero.
pub fn learn(plan: &Plan, on_round: &mut dyn FnMut(&Round)) -> Weights {
    let mut random = Random::seed_from_u64(plan.seed);
    let mut fitted = vec![0f32; STAGES * WEIGHTS];
    let canonical = canonical();
    let mut weights = quantised(&fitted, &canonical);
    let mut kept: Vec<Sample> = Vec::new();
    for number in 1..=plan.rounds {
        // The games of the first rounds are weak, so only those of the last two rounds are used.
        let mut samples = Vec::new();
        for _ in 0..plan.games {
            play(&weights, &mut random, &mut samples);
        }
        let mut all = kept;
        all.extend_from_slice(&samples);
        kept = samples;
        all.shuffle(&mut random);
        let (held, learned) = all.split_at(all.len() / HELD_OUT);
        for epoch in 0..plan.epochs {
            let rate = RATE / (1.0 + epoch as f32 * 0.5);
            learned.iter().for_each(|sample| step(&mut fitted, &canonical, sample, rate));
        }
        weights = quantised(&fitted, &canonical);
        on_round(&Round { number, positions: all.len(), error: error(&weights, held) });
    }
    weights
}

/// One step of the descent.
fn step(fitted: &mut [f32], canonical: &[u32], &(own, other, margin): &Sample, rate: f32) {
    let first = stage((own | other).count_ones()) * WEIGHTS;
    let indices = Numbers::get().indices(own, other).map(|i| first + canonical[i as usize] as usize);
    let sum: f32 = indices.iter().map(|&i| fitted[i]).sum();
    let share = rate * (f32::from(margin) * 100.0 - sum) / PLACES as f32;
    indices.iter().for_each(|&i| fitted[i] += share);
}

fn error(weights: &Weights, samples: &[Sample]) -> f64 {
    let square = |&(own, other, margin): &Sample| {
        (f64::from(weights.value(own, other)) / 100.0 - f64::from(margin)).powi(2)
    };
    (samples.iter().map(square).sum::<f64>() / samples.len().max(1) as f64).sqrt()
}

/// For each weight of a stage, the weight that it shares its value with: the pattern's own or that of its mirror image.
fn canonical() -> Vec<u32> {
    let mut all = Vec::with_capacity(WEIGHTS);
    for (shape, offset) in SHAPES.iter().zip(offsets().0) {
        for number in 0..3usize.pow(shape.squares.len() as u32) {
            let digit = |i: usize| number / 3usize.pow(i as u32) % 3;
            let mirrored: usize =
                shape.mirror.iter().enumerate().map(|(i, &from)| digit(from) * 3usize.pow(i as u32)).sum();
            all.push((offset + number.min(mirrored)) as u32);
        }
    }
    all
}

fn quantised(fitted: &[f32], canonical: &[u32]) -> Weights {
    let weight = |i: usize| fitted[i / WEIGHTS * WEIGHTS + canonical[i % WEIGHTS] as usize];
    Weights((0..fitted.len()).map(|i| weight(i).round().clamp(-30_000.0, 30_000.0) as i16).collect())
}

/// Plays a game and adds its positions.
fn play(weights: &Weights, random: &mut Random, samples: &mut Vec<Sample>) {
    let frame = Frame::<u64>::new(8, None);
    let (mut own, mut other) = (0x0000_0008_1000_0000u64, 0x0000_0010_0800_0000u64);
    let opening = random.random_range(4..=OPENING);
    // The positions, and whether the side to move is the first of the game.
    let mut seen: Vec<(u64, u64, bool)> = Vec::new();
    let mut is_first = true;
    let mut perfect: Option<std::vec::IntoIter<Option<usize>>> = None;
    loop {
        let moves = frame.moves(own, other);
        if moves == 0 {
            if frame.moves(other, own) == 0 {
                break;
            }
            if let Some(line) = &mut perfect {
                line.next();
            }
        } else {
            seen.push((own, other, is_first));
            if perfect.is_none() && (own | other).count_zeros() <= PERFECT {
                perfect = solved(&frame, own, other);
            }
            let square = match perfect.as_mut().and_then(|line| line.next().flatten()) {
                Some(square) => square,
                None if seen.len() <= opening || random.random_range(..RANDOM) == 0 => {
                    moves.iter().nth(random.random_range(..moves.count_ones() as usize)).unwrap_or(0)
                }
                None => best(&frame, weights, own, other, moves),
            };
            let turned = frame.turned(own, other, square);
            (own, other) = (own | turned | 1 << square, other & !turned);
        }
        (own, other) = (other, own);
        is_first = !is_first;
    }
    let margin = own.count_ones() as i32 - other.count_ones() as i32;
    let margin = if is_first { margin } else { -margin };
    samples.extend(
        seen.into_iter().map(|(own, other, first)| (own, other, if first { margin } else { -margin } as i8)),
    );
}

/// The move with the best static evaluation after it.
fn best(frame: &Frame<u64>, weights: &Weights, own: u64, other: u64, moves: u64) -> usize {
    let value = |&square: &usize| {
        let turned = frame.turned(own, other, square);
        let (mine, theirs) = (own | turned | 1 << square, other & !turned);
        // Without weights, moves that leave few replies are preferred.
        weights.value(theirs, mine) + 30 * frame.moves(theirs, mine).count_ones() as i32
    };
    moves.iter().min_by_key(value).unwrap_or(0)
}

/// Perfect play to the end.
fn solved(frame: &Frame<u64>, own: u64, other: u64) -> Option<std::vec::IntoIter<Option<usize>>> {
    let question = Question { frame: *frame, own, other, counting: Counting::default() };
    let effort = Effort {
        hash: 1,
        threads: 1,
        nodes: u64::MAX,
        most_empty: PERFECT,
        empties_to_winner: false,
        stop: &|| false,
        on_bound: &|_, _, _| {},
    };
    solve(&question, 0, &effort).ok().map(|answer| answer.line.into_iter())
}

/// Returns the bytes of a file of weights.
///
/// # Errors
/// If compressing fails.
pub fn file(weights: &Weights) -> std::io::Result<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(MAGIC.to_vec(), Compression::best());
    for weight in &weights.0 {
        encoder.write_all(&weight.to_le_bytes())?;
    }
    encoder.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Learning from a few games predicts results better than no learning, and equal seeds give equal weights.
    #[test]
    fn errors_fall() {
        let plan = Plan { rounds: 2, games: 60, epochs: 4, seed: 1 };
        let mut errors = Vec::new();
        let weights = learn(&plan, &mut |round| errors.push(round.error));
        let nothing = Weights(vec![0; STAGES * WEIGHTS]);
        let mut samples = Vec::new();
        (0..40).for_each(|i| play(&weights, &mut Random::seed_from_u64(100 + i), &mut samples));
        assert!(error(&weights, &samples) < error(&nothing, &samples), "{errors:?}");
        assert_eq!(learn(&plan, &mut |_| {}), weights);
        assert_eq!(Weights::read(&file(&weights).unwrap()), Some(weights));
    }
}
