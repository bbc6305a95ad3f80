//! Converts a trained net from floating point to the engine's integers.

use kagetsu::eval::arch::{
    CHANNELS, EMBEDDING_ONE, HIDDEN, INPUT_ONE, INPUTS, LINEAR_ONE, LOGIT_ONE, MOVE_ONE, POLICY_CHANNELS,
    POLICY_HIDDEN, POLICY_ONE, POLICY_OUTPUTS, SECOND, WEIGHT_ONE,
};
use kagetsu::eval::net::{Head, Info, Net, PolicyHead, PolicyRow, Row};
use kagetsu::game::CODES;

use crate::data::Summary;
use crate::history::Epoch;
use crate::layout::{Layout, exchange};
use crate::options::Options;

fn narrow(x: f32, one: i32) -> i16 {
    (x * one as f32).round().clamp(f32::from(i16::MIN), f32::from(i16::MAX)) as i16
}

fn byte(x: f32, one: i32) -> i8 {
    (x * one as f32).round().clamp(f32::from(i8::MIN), f32::from(i8::MAX)) as i8
}

fn wide(x: f32, one: i32) -> i32 {
    (x * one as f32).round() as i32
}

/// Returns the net for the engine. If the colours share their weights, White's weights are Black's with the halves
/// exchanged.
pub fn quantize(
    layout: &Layout,
    params: &[f32],
    options: &Options,
    learned: &Summary,
    last: Option<&Epoch>,
) -> Net {
    let made = match last {
        Some(e) => format!(
            "kagetsu-train, {} epochs, value loss {:.4}, results {:.4}, best moves {:.1} % on games held back",
            e.epoch,
            e.validation,
            e.result,
            100.0 * e.hits
        ),
        None => "kagetsu-train, untrained".to_string(),
    };
    let scale = options.loss.scale.round() as i32;
    let info = Info::new(options.rule, scale, learned.games, learned.positions, made);
    let mut net = Net::zero(info);
    for color in 0..2 {
        for code in 0..CODES {
            let row = &params[layout.row(color == 1, code as u16)..][..CHANNELS];
            let swap = layout.tied && color == 1;
            net.embedding[color][code] =
                Row(std::array::from_fn(|c| narrow(row[exchange::<CHANNELS>(c, swap)], EMBEDDING_ONE)));
            let row = &params[layout.policy_row(color == 1, code as u16)..][..POLICY_CHANNELS];
            net.policy[color][code] = PolicyRow(std::array::from_fn(|c| {
                byte(row[exchange::<POLICY_CHANNELS>(c, swap)], POLICY_ONE)
            }));
            for side in 0..2 {
                // With shared weights the first colour is the mover, else it is Black.
                let (head, second) = if layout.tied { (0, color != side) } else { (side as u8, color == 1) };
                let at = |base| params[Layout::weight(base, head, second, code as u16)];
                net.linear[color][code][side] = narrow(at(layout.linear), LINEAR_ONE);
                net.moves[color][code][side] = narrow(at(layout.moves), MOVE_ONE);
            }
        }
    }
    for side in 0..2 {
        let head = if layout.tied { 0 } else { side };
        let swap = layout.tied && side == 1;
        net.heads[side] = quantize_head(layout, params, head, swap);
        net.policy_heads[side] = quantize_policy(layout, params, head, swap);
    }
    net
}

fn quantize_head(layout: &Layout, params: &[f32], head: usize, swap: bool) -> Head {
    let mut q = Head::zero();
    for j in 0..HIDDEN {
        let row = &params[layout.w1 + (head * HIDDEN + j) * INPUTS..][..INPUTS];
        let (weights, means) = quantize_row(layout, params, row, swap);
        q.w1[j * INPUTS..][..INPUTS].copy_from_slice(&weights);
        q.b1[j] = wide(params[layout.b1 + head * HIDDEN + j] - means, INPUT_ONE * WEIGHT_ONE);
        for i in 0..SECOND {
            q.w2[j][i] = narrow(params[layout.w2 + (head * HIDDEN + j) * SECOND + i], WEIGHT_ONE);
        }
        q.b2[j] = wide(params[layout.b2 + head * HIDDEN + j], LOGIT_ONE);
        q.w3[j] = narrow(params[layout.w3 + head * HIDDEN + j], WEIGHT_ONE);
    }
    q.b3 = wide(params[layout.b3 + head], LOGIT_ONE);
    q
}

fn quantize_policy(layout: &Layout, params: &[f32], head: usize, swap: bool) -> PolicyHead {
    let mut q = PolicyHead::zero();
    for j in 0..POLICY_HIDDEN {
        let row = &params[layout.policy_w1 + (head * POLICY_HIDDEN + j) * INPUTS..][..INPUTS];
        let (weights, means) = quantize_row(layout, params, row, swap);
        q.w1[j * INPUTS..][..INPUTS].copy_from_slice(&weights);
        q.b1[j] = wide(params[layout.policy_b1 + head * POLICY_HIDDEN + j] - means, INPUT_ONE * WEIGHT_ONE);
    }
    for o in 0..POLICY_OUTPUTS {
        let from = if o < POLICY_CHANNELS { exchange::<POLICY_CHANNELS>(o, swap) } else { o };
        let row = head * POLICY_OUTPUTS + from;
        for j in 0..POLICY_HIDDEN {
            q.w2[j / 2][o][j % 2] = narrow(params[layout.policy_w2 + row * POLICY_HIDDEN + j], WEIGHT_ONE);
        }
        q.b2[o] = wide(params[layout.policy_b2 + row], LOGIT_ONE);
    }
    q
}

/// Returns a quantised row of a first layer, and the sum of its rounded weights times the means of their inputs. The
/// engine does not subtract the means, so the bias includes this sum: at mean inputs, rounding changes nothing.
fn quantize_row(layout: &Layout, params: &[f32], row: &[f32], swap: bool) -> (Vec<i16>, f32) {
    let from = |i: usize| i / CHANNELS * CHANNELS + exchange::<CHANNELS>(i % CHANNELS, swap);
    let rounded = |w: f32| f32::from(narrow(w, WEIGHT_ONE)) / WEIGHT_ONE as f32;
    let means = row.iter().zip(&params[layout.mean..]).map(|(&w, m)| rounded(w) * m).sum();
    ((0..INPUTS).map(|i| narrow(row[from(i)], WEIGHT_ONE)).collect(), means)
}

#[cfg(test)]
pub mod tests {
    use kagetsu::eval::Evaluator;
    use kagetsu::eval::features::Sums as EngineSums;
    use kagetsu::game::{Board, Color, Point, Renju, Rule, RuleKind, Size, Standard};
    use kagetsu::random::{IndexedRandom, Random, SeedableRng};

    use super::*;
    use crate::data::{Shuffle, is_symmetric, sample_of};
    use crate::model::tests::random_params;
    use crate::model::{Loss, logit, move_logit};
    use crate::optimizer::Rates;

    /// Returns the options of a net that is not trained.
    pub fn options(rule: RuleKind) -> Options {
        Options {
            rule,
            epochs: 1,
            shuffle: Shuffle { buffer: 1, batch: 1, seed: 1 },
            rates: Rates { embedding: 0.0, linear: 0.0, moves: 0.0, rest: 0.0, decay: 0.0 },
            loss: Loss { score_share: 1.0, scale: 1000.0 },
            checkpoint_every: std::time::Duration::MAX,
            force: false,
            from: None,
        }
    }

    /// The engine's integers give the trainer's logits, of the result and of moves, for both sides to move.
    fn check<R: Rule>() {
        let layout = Layout::new(is_symmetric(R::KIND));
        let mut params = random_params(&layout, 5);
        // Weights as small as trained ones, so that sums of 200 points stay in range.
        params[..layout.policy].iter_mut().for_each(|p| *p *= 0.1);
        let net =
            Box::leak(Box::new(quantize(&layout, &params, &options(R::KIND), &Summary::default(), None)));
        let evaluator = Evaluator::new(net);
        let mut random = Random::seed_from_u64(7);
        let mut board = Board::<R>::new(Size::S15);
        let mut moves = 0;
        for _ in 0..40 {
            let empty: Vec<Point> = board.empty().iter().collect();
            board.play(*empty.choose(&mut random).unwrap());
            let data = sample_of(&board, None);
            let expected = 1000.0 * logit(&layout, &params, &data, &data.samples[0]);
            let found = evaluator.score_of(&EngineSums::of(net, &board), board.side());
            let tolerance = 60.0 + 0.05 * expected.abs();
            assert!((expected - found as f32).abs() < tolerance, "{} {expected} {found}", R::KIND);
            for (p, found) in evaluator.rate(&board, board.empty()).into_iter().step_by(7) {
                let data = sample_of(&board, Some(p));
                // Points far from all stones are no candidates.
                let Some(expected) = move_logit(&layout, &params, &data, &data.samples[0]) else { continue };
                let found = found as f32 / MOVE_ONE as f32;
                assert!((expected - found).abs() < 0.15 + 0.05 * expected.abs(), "{p} {expected} {found}");
                moves += 1;
            }
        }
        assert!(board.side() == Color::Black && moves > 400, "{moves}");
    }

    /// With all inputs at their means, the sum of a neuron is its bias, however its weights are rounded.
    #[test]
    fn mean_inputs_give_the_bias() {
        let layout = Layout::new(false);
        let mut params = random_params(&layout, 5);
        let mean = 25.0;
        params[layout.mean..].fill(mean);
        let net = quantize(&layout, &params, &options(RuleKind::Renju), &Summary::default(), None);
        let input = mean as i32 * INPUT_ONE;
        let sum = |row: &[i16], bias: i32| row.iter().map(|&w| i32::from(w) * input).sum::<i32>() + bias;
        for head in 0..2 {
            let (value, policy) = (&net.heads[head], &net.policy_heads[head]);
            let value = value.w1.chunks(INPUTS).zip(value.b1).map(|(row, bias)| sum(row, bias));
            let policy = policy.w1.chunks(INPUTS).zip(policy.b1).map(|(row, bias)| sum(row, bias));
            let expected = params[layout.b1..layout.w2][head * HIDDEN..].iter().take(HIDDEN);
            let hidden = params[layout.policy_b1..layout.policy_w2][head * POLICY_HIDDEN..].iter();
            for (found, bias) in value.chain(policy).zip(expected.chain(hidden)) {
                let found = found as f32 / (INPUT_ONE * WEIGHT_ONE) as f32;
                assert!((found - bias).abs() < 1e-3, "{found} instead of {bias}");
            }
        }
    }

    #[test]
    fn integers_give_the_same_logits() {
        check::<Renju>();
        check::<Standard>();
    }
}
