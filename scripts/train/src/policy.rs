//! The moves in floating point: their logits, and the gradient of their loss.
//!
//! The policy has an embedding of its own. From the inputs of the value's first layer a hidden layer computes a weight
//! for each of its channels in this position, a score for each region, and one for each place relative to the last move
//! and to the one before it. The logit of a move is the sum of these for its point and of two linear weights of its
//! codes. The policy's gradient stops at those inputs: when it also trained the value's vectors, the value got worse.

// Loops over channels and neurons read as the formulas do.
#![allow(clippy::needless_range_loop)]

use kagetsu::eval::arch::{
    INPUTS, POLICY_CHANNELS, POLICY_HIDDEN, POLICY_LIMIT, POLICY_OUTPUTS, REGIONS, RELATIONS,
};

use crate::arithmetic::{combine, dot, slope, turned};
use crate::data::Cell;
use crate::layout::{Layout, exchange};
use crate::sums::Sums;

/// The loss of moves alone does not fix the level of their logits: with this much of the square of their logarithmic sum
/// added, they come to be logarithms of probabilities, which the search may compare from one position to the next.
pub const LEVEL: f32 = 1e-3;

/// A position whose best move is to be learned.
pub struct Position<'a> {
    pub cells: &'a [Cell],
    pub head: u8,
    /// The cell of the best move.
    pub best: u16,
    /// The symmetry under which it is seen.
    pub symmetry: u8,
    /// Inputs of the first layers.
    pub inputs: &'a [f32; INPUTS],
}

/// The candidates of a position, reused: cell, vector and logit.
#[derive(Default)]
pub struct Moves(Vec<(usize, [f32; POLICY_CHANNELS], f32)>);

/// Outputs of the head that a cell's logit uses besides its channels: its region and two relations.
fn places(cell: &Cell, symmetry: u8) -> [usize; 3] {
    let relations = POLICY_CHANNELS + REGIONS;
    let [last, before] = cell.relations.map(usize::from);
    [POLICY_CHANNELS + turned(cell.region, symmetry), relations + last, relations + RELATIONS + before]
}

/// The beginnings of a head's weights: first layer, second layer.
struct Weights {
    w1: usize,
    b1: usize,
    w2: usize,
    b2: usize,
}

impl Weights {
    fn of(layout: &Layout, head: u8) -> Weights {
        let head = usize::from(head);
        Weights {
            w1: layout.policy_w1 + head * POLICY_HIDDEN * INPUTS,
            b1: layout.policy_b1 + head * POLICY_HIDDEN,
            w2: layout.policy_w2 + head * POLICY_OUTPUTS * POLICY_HIDDEN,
            b2: layout.policy_b2 + head * POLICY_OUTPUTS,
        }
    }
}

/// Computes the loss of the move, and adds its gradient. The policy shares no weight with the value, so the two losses
/// need no relative weight.
pub fn learn(
    layout: &Layout,
    params: &[f32],
    position: &Position<'_>,
    moves: &mut Moves,
    gradient: Option<&mut [f32]>,
) -> Sums {
    let at = Weights::of(layout, position.head);
    let hidden = hidden(params, &at, position.inputs);
    let outputs = outputs(params, &at, &hidden);
    rate(layout, params, position, &outputs, moves);
    let most = moves.0.iter().map(|m| m.2).fold(f32::MIN, f32::max);
    let share = |cell: &Cell, logit: f32| f32::from(cell.candidates) * (logit - most).exp();
    let all: f32 = moves.0.iter().map(|m| share(&position.cells[m.0], m.2)).sum();
    let best = usize::from(position.best);
    let logit = moves.0.iter().find(|m| m.0 == best).map_or(most, |m| m.2);
    let sum = all.ln() + most;
    if let Some(g) = gradient {
        let mut d_outputs = [0.0; POLICY_OUTPUTS];
        for (i, v, logit) in &moves.0 {
            let cell = &position.cells[*i];
            let part = share(cell, *logit) / all;
            let d = part * (1.0 + 2.0 * LEVEL * sum) - f32::from(u8::from(*i == best));
            g[Layout::weight(layout.moves, position.head, false, cell.codes[0])] += d;
            g[Layout::weight(layout.moves, position.head, true, cell.codes[1])] += d;
            places(cell, position.symmetry).iter().for_each(|&o| d_outputs[o] += d);
            for c in 0..POLICY_CHANNELS {
                d_outputs[c] += d * v[c];
            }
            spread(layout, cell, v, |c| d * outputs[c], g);
        }
        backward(params, &at, position.inputs, &hidden, &d_outputs, g);
    }
    Sums {
        moves: f64::from(sum - logit + LEVEL * sum * sum),
        hits: f64::from(u8::from(logit >= most)),
        move_count: 1.0,
        ..Sums::default()
    }
}

fn hidden(params: &[f32], at: &Weights, inputs: &[f32; INPUTS]) -> [f32; POLICY_HIDDEN] {
    std::array::from_fn(|j| {
        (dot(&params[at.w1 + j * INPUTS..][..INPUTS], inputs) + params[at.b1 + j]).clamp(0.0, 1.0)
    })
}

fn outputs(params: &[f32], at: &Weights, hidden: &[f32; POLICY_HIDDEN]) -> [f32; POLICY_OUTPUTS] {
    std::array::from_fn(|o| {
        dot(&params[at.w2 + o * POLICY_HIDDEN..][..POLICY_HIDDEN], hidden) + params[at.b2 + o]
    })
}

/// The logit of the best move.
#[cfg(test)]
pub fn logit(layout: &Layout, params: &[f32], position: &Position<'_>) -> f32 {
    let at = Weights::of(layout, position.head);
    let outputs = outputs(params, &at, &hidden(params, &at, position.inputs));
    let mut moves = Moves::default();
    rate(layout, params, position, &outputs, &mut moves);
    moves.0.iter().find(|m| m.0 == usize::from(position.best)).map_or(f32::NAN, |m| m.2)
}

/// Lists the candidates with their vectors and logits.
fn rate(
    layout: &Layout,
    params: &[f32],
    position: &Position<'_>,
    outputs: &[f32; POLICY_OUTPUTS],
    moves: &mut Moves,
) {
    moves.0.clear();
    for (i, cell) in position.cells.iter().enumerate().filter(|(_, cell)| cell.candidates > 0) {
        let row = |second, code| &params[layout.policy_row(second, code)..][..POLICY_CHANNELS];
        let v: [f32; POLICY_CHANNELS] =
            combine(layout, row(false, cell.codes[0]), row(true, cell.codes[1]), POLICY_LIMIT);
        let linear = |second, code| params[Layout::weight(layout.moves, position.head, second, code)];
        let logit = dot(&v, &outputs[..POLICY_CHANNELS])
            + places(cell, position.symmetry).iter().map(|&o| outputs[o]).sum::<f32>()
            + linear(false, cell.codes[0])
            + linear(true, cell.codes[1]);
        moves.0.push((i, v, logit));
    }
}

/// Backpropagates the gradient of a cell's vector to the embedding.
fn spread(
    layout: &Layout,
    cell: &Cell,
    v: &[f32; POLICY_CHANNELS],
    dv: impl Fn(usize) -> f32,
    g: &mut [f32],
) {
    let masked: [f32; POLICY_CHANNELS] =
        std::array::from_fn(|c| if v[c] > 0.0 && v[c] < POLICY_LIMIT { dv(c) } else { 0.0 });
    let row = &mut g[layout.policy_row(false, cell.codes[0])..][..POLICY_CHANNELS];
    for c in 0..POLICY_CHANNELS {
        row[c] += masked[c];
    }
    let row = &mut g[layout.policy_row(true, cell.codes[1])..][..POLICY_CHANNELS];
    for c in 0..POLICY_CHANNELS {
        row[exchange::<POLICY_CHANNELS>(c, layout.tied)] += masked[c];
    }
}

/// Adds the gradient of the head's weights for that of its outputs.
fn backward(
    params: &[f32],
    at: &Weights,
    inputs: &[f32; INPUTS],
    hidden: &[f32; POLICY_HIDDEN],
    d_outputs: &[f32; POLICY_OUTPUTS],
    g: &mut [f32],
) {
    let mut d_hidden = [0.0; POLICY_HIDDEN];
    for (o, &d) in d_outputs.iter().enumerate() {
        g[at.b2 + o] += d;
        let w = &params[at.w2 + o * POLICY_HIDDEN..][..POLICY_HIDDEN];
        let gw = &mut g[at.w2 + o * POLICY_HIDDEN..][..POLICY_HIDDEN];
        for h in 0..POLICY_HIDDEN {
            gw[h] += d * hidden[h];
            d_hidden[h] += d * w[h];
        }
    }
    for j in 0..POLICY_HIDDEN {
        let dz = d_hidden[j] * slope(hidden[j]);
        g[at.b1 + j] += dz;
        let gw = &mut g[at.w1 + j * INPUTS..][..INPUTS];
        for i in 0..INPUTS {
            gw[i] += dz * inputs[i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Eight candidates with zero weights are all equal. The best of them gains as much as the others lose, except for
    /// the pull towards logarithms of probabilities.
    #[test]
    fn the_level_is_a_part_of_the_loss() {
        let layout = Layout::new(true);
        let cell =
            |region, candidates| Cell { codes: [1, 2], relations: [0, 1], region, count: 9, candidates };
        let cells = [cell(0, 3), cell(1, 5), cell(2, 0)];
        let position = Position { cells: &cells, head: 0, best: 1, symmetry: 0, inputs: &[0.0; INPUTS] };
        let mut gradient = vec![0.0; layout.len];
        let params = vec![0.0; layout.len];
        let sums = learn(&layout, &params, &position, &mut Moves::default(), Some(&mut gradient));
        let sum = 8.0f32.ln();
        assert!((sums.moves - f64::from(sum + LEVEL * sum * sum)).abs() < 1e-5, "{sums:?}");
        assert_eq!((sums.hits, sums.move_count), (1.0, 1.0));
        let pulled = 1.0 + 2.0 * LEVEL * sum;
        let expected = [0.375 * pulled, 0.625 * pulled - 1.0, 0.0];
        for (found, expected) in gradient[layout.policy_b2 + POLICY_CHANNELS..].iter().zip(expected) {
            assert!((found - expected).abs() < 1e-6, "{found}; expected {expected}");
        }
    }
}
