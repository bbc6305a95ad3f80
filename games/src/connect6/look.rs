//! Static evaluation by the windows of six points. A window without an opponent's stone is worth more the more own
//! stones it has; one with four or more is a threat, which a turn of two stones can complete.
//!
//! Threats decide: the side to move wins if it can complete one in this turn, and loses if no stones of this turn stop
//! all of the opponent's (CITE: Wu, Huang, "A New Family of k-in-a-row Games", 2005, on single, double and triple
//! threats).

use kagetsu::game::{Point, PointSet};

use super::stops::{needed, stops};
use super::windows::THREAT;
use super::{Connect6, ROW};
use crate::game::{Look, Move};

/// Largest number of moves searched at a node.
const WIDEST: usize = 24;
/// Number of moves searched where no stones stop the opponent's threats.
const HOPELESS: usize = 3;
/// Score of a turn that wins, and of threats that cannot all be stopped.
const DECIDED: i32 = 12_000;
/// Worth of a threat that takes a stone to stop.
const TEMPO: i32 = 120;

/// Move ordering bonus of attacks: larger than the worth of any point.
const ATTACK: i32 = 100_000;

/// Looks at a position that is not over.
pub fn look(game: &Connect6, list: &mut Vec<(Move, i32)>) -> Look {
    list.clear();
    let occupied = game.occupied();
    if occupied.is_empty() {
        list.push((Move::Place(game.size.center()), 0));
        return Look::default();
    }
    let (windows, side, left) = (&game.windows, game.side, game.left);
    let empty = PointSet::full(game.size).without(&occupied);
    // Least number of stones in a window that this turn can complete.
    let nearly = ROW - usize::from(left);
    let wins = (nearly..ROW).any(|stones| windows.open(side, stones) > 0);
    let threatened = !wins && windows.has_threat(!side);
    let mut threats = Vec::new();
    if threatened {
        windows.threats(!side, |p| empty.contains(p), &mut threats);
    }
    let stops = if threatened { stops(&threats, left) } else { PointSet::EMPTY };
    let lost = threatened && stops.is_empty();
    let points = if wins {
        empty.iter().filter(|&p| windows.promise(side, p).has(nearly)).collect()
    } else if lost {
        threats.iter().flatten().copied().collect()
    } else if threatened {
        stops
    } else {
        occupied.dilate().dilate() & empty
    };
    let forced = wins || threatened;
    // An attack makes a threat, alone or together with the second stone of the turn.
    let attack = THREAT - usize::from(left);
    let is_attack = |p: Point| !forced && windows.promise(side, p).has(attack);
    let score = |p: Point| 2 * (windows.promise(side, p).worth() + windows.promise(!side, p).worth());
    list.extend(points.iter().map(|p| (Move::Place(p), score(p) + if is_attack(p) { ATTACK } else { 0 })));
    if list.is_empty() {
        list.extend(empty.iter().map(|p| (Move::Place(p), score(p))));
    }
    list.sort_unstable_by_key(|&(m, score)| (-score, m));
    list.truncate(if lost { HOPELESS } else { WIDEST });
    let attacks = list.iter().take_while(|&&(_, score)| score >= ATTACK).count();
    list[..attacks].iter_mut().for_each(|(_, score)| *score -= ATTACK);
    let own_tempo = 1 + i32::from(left);
    let value = windows.worth(side) * (4 + own_tempo) / 6 - windows.worth(!side);
    let value = match () {
        () if wins => value + DECIDED,
        () if lost => value - DECIDED,
        () => value - if threatened { TEMPO * needed(&threats).min(i32::from(left)) } else { 0 },
    };
    Look { value: value.clamp(-Look::MOST, Look::MOST), forced, attacks }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Kind, Options, notation};

    fn seen(position: &str) -> (Look, Vec<String>) {
        let game = notation::parse(position, &Options::new(Kind::Connect6)).expect("a position");
        let mut list = Vec::new();
        let look = game.look(&mut list);
        let mut moves: Vec<String> = list.iter().map(|(m, _)| m.to_string()).collect();
        moves.sort();
        (look, moves)
    }

    /// Four in a row with room for six at one end alone: one stone on either of two points stops it.
    #[test]
    fn only_stops_are_tried() {
        let (look, moves) = seen("9/9/9/9/xoooo4/9/9/9/x8 x");
        assert!(look.forced && look.value > -DECIDED / 2);
        // f5 and g5 stop it alone; no other point leaves a stop with the stone after it but these.
        assert!(moves.contains(&"f5".into()) && moves.contains(&"g5".into()), "{moves:?}");
        let (look, moves) = seen("9/9/9/9/xoooo4/9/9/9/x8 x left=1");
        assert!(look.forced && look.value > -DECIDED / 2);
        assert_eq!(moves, ["f5", "g5"]);
    }

    /// Three separate threats of the opponent are lost, unless the side to move can win first.
    #[test]
    fn three_threats_are_lost() {
        let three = "11/xoooo6/11/xoooo6/11/xoooo6/11/11/11/11/11";
        assert!(seen(&format!("{three} x")).0.value < -DECIDED / 2);
        let (look, moves) = seen("11/xoooo6/11/xoooo6/11/xoooo6/11/xxxx7/11/11/11 x");
        assert!(look.value > DECIDED / 2);
        assert_eq!(moves, ["e4", "f4"]);
    }
}
