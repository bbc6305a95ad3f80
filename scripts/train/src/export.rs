//! From floating point to the engine's integers.

use kagetsu::eval::arch::{
    CHANNELS, EMBEDDING_ONE, HIDDEN, INPUT_ONE, INPUTS, LINEAR_ONE, LOGIT_ONE, MOVE_ONE, WEIGHT_ONE,
};
use kagetsu::eval::codes::CODES;
use kagetsu::eval::net::{Head, Info, Net, Row};

use crate::data::Data;
use crate::history::Epoch;
use crate::layout::Layout;
use crate::training::Options;

fn narrow(x: f32, one: i32) -> i16 {
    (x * one as f32).round().clamp(f32::from(i16::MIN), f32::from(i16::MAX)) as i16
}

fn wide(x: f32, one: i32) -> i32 {
    (x * one as f32).round() as i32
}

/// The net for the engine. Where colours share their weights, White's are Black's with the halves exchanged.
pub fn quantize(
    layout: &Layout,
    params: &[f32],
    options: &Options,
    data: &Data,
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
    let info = Info::new(options.rule, scale, data.games, data.samples.len() as u64, made);
    let mut net = Net::zero(info);
    for color in 0..2 {
        for code in 0..CODES {
            let table = if layout.tied { 0 } else { color * CODES };
            let row = &params[(table + code) * CHANNELS..][..CHANNELS];
            let swap = layout.tied && color == 1;
            net.embedding[color][code] =
                Row(std::array::from_fn(|c| narrow(row[exchange(c, swap)], EMBEDDING_ONE)));
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
        net.heads[side] = quantize_head(layout, params, head, layout.tied && side == 1);
    }
    net
}

fn exchange(channel: usize, swap: bool) -> usize {
    if swap { (channel + CHANNELS / 2) % CHANNELS } else { channel }
}

fn quantize_head(layout: &Layout, params: &[f32], head: usize, swap: bool) -> Head {
    let mut q = Head::zero();
    for j in 0..HIDDEN {
        for i in 0..INPUTS {
            let from = i / CHANNELS * CHANNELS + exchange(i % CHANNELS, swap);
            q.w1[j * INPUTS + i] =
                narrow(params[layout.w1 + (head * HIDDEN + j) * INPUTS + from], WEIGHT_ONE);
        }
        // The engine does not take the means from its inputs.
        let row = &params[layout.w1 + (head * HIDDEN + j) * INPUTS..][..INPUTS];
        let means: f32 = row.iter().zip(&params[layout.mean..]).map(|(w, m)| w * m).sum();
        q.b1[j] = wide(params[layout.b1 + head * HIDDEN + j] - means, INPUT_ONE * WEIGHT_ONE);
        for i in 0..HIDDEN {
            q.w2[j][i] = narrow(params[layout.w2 + (head * HIDDEN + j) * HIDDEN + i], WEIGHT_ONE);
        }
        q.b2[j] = wide(params[layout.b2 + head * HIDDEN + j], LOGIT_ONE);
        q.w3[j] = narrow(params[layout.w3 + head * HIDDEN + j], WEIGHT_ONE);
    }
    q.b3 = wide(params[layout.b3 + head], LOGIT_ONE);
    let mv = &params[layout.move_vector + head * CHANNELS..][..CHANNELS];
    q.move_vector = Row(std::array::from_fn(|c| narrow(mv[exchange(c, swap)], WEIGHT_ONE)));
    q
}

#[cfg(test)]
mod tests {
    use kagetsu::eval::Evaluator;
    use kagetsu::eval::accumulator::Sums as EngineSums;
    use kagetsu::game::{Board, Color, Point, Renju, Rule, Size, Standard};
    use kagetsu::random::Random;

    use super::*;
    use crate::data::{is_symmetric, sample_of};
    use crate::model::tests::random_params;
    use crate::model::{Loss, logit};
    use crate::optimizer::Rates;

    /// The engine's integers give the trainer's logit, for both sides to move.
    fn check<R: Rule>() {
        let layout = Layout::new(is_symmetric(R::KIND));
        let mut params = random_params(&layout, 5);
        // As small as trained weights are, so that sums of 200 points stay in range.
        params[..layout.move_vector].iter_mut().for_each(|p| *p *= 0.1);
        let options = Options {
            rule: R::KIND,
            epochs: 1,
            batch: 1,
            rates: Rates { embedding: 0.0, linear: 0.0, moves: 0.0, rest: 0.0, decay: 0.0 },
            loss: Loss { score_share: 1.0, scale: 1000.0, moves: 0.0 },
            seed: 1,
            checkpoint_every: std::time::Duration::MAX,
        };
        let net = Box::leak(Box::new(quantize(&layout, &params, &options, &Data::default(), None)));
        let evaluator = Evaluator::new(net);
        let mut random = Random::new(7);
        let mut board = Board::<R>::new(Size::S15);
        for _ in 0..40 {
            let empty: Vec<Point> = board.empty().iter().collect();
            board.play(empty[random.below(empty.len())]);
            let data = sample_of(&board);
            let expected = 1000.0 * logit(&layout, &params, &data, &data.samples[0]);
            let found = evaluator.score_of(&EngineSums::of(net, &board), board.side());
            let tolerance = 60.0 + 0.05 * expected.abs();
            assert!((expected - found as f32).abs() < tolerance, "{} {expected} {found}", R::KIND);
        }
        assert!(board.side() == Color::Black);
    }

    #[test]
    fn integers_give_the_same_logit() {
        check::<Renju>();
        check::<Standard>();
    }
}
