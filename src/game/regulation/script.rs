//! The regulations as sequences of steps.
//!
//! A step does not say who acts, because that follows from the stones: the holder of the colour whose turn it is,
//! except that White chooses among Black's offers. After the last step the game continues with free moves.

use super::Regulation;
use super::area::Area;

/// One step, or several ways on of which the player takes one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum ScriptStep {
    /// Stones, each in its area; and a number of fifth moves up to this one, if there is one.
    Place { areas: Vec<Area>, declare: Option<usize> },
    /// The colours stay.
    Keep,
    /// The colours are exchanged.
    Swap,
    /// Offer this number of points for the fifth stone, or the number declared before.
    Offer(Option<usize>),
    /// One of the points offered, and the sixth stone.
    Choose,
    /// Ways on, each beginning with a different kind of step.
    Either(Vec<Vec<ScriptStep>>),
    /// Super Sakata's choice, which may come again and again.
    Balance,
    /// Exchanges the colours, so that the opponent of whoever put the last stones is to move. Nobody acts.
    HandOver,
}

/// The steps of a regulation. `most` is the largest number of fifth moves that can be declared where the text sets none.
pub(super) fn steps(regulation: Regulation, most: usize) -> Vec<ScriptStep> {
    use Area::{Anywhere, Central, Outside, Third};
    match regulation {
        Regulation::Plain { free: true } => vec![],
        Regulation::Plain { free: false } => vec![put(Central(1))],
        Regulation::Rif => {
            vec![opening(None), colors(), put(Anywhere), ScriptStep::Offer(Some(2)), ScriptStep::Choose]
        }
        Regulation::SwapRenju { excluded } => vec![
            put(Central(1)),
            put(Central(3)),
            put(Third(excluded)),
            colors(),
            put(Anywhere),
            ScriptStep::Offer(Some(2)),
            ScriptStep::Choose,
        ],
        Regulation::Yamaguchi => {
            vec![opening(Some(most)), colors(), put(Anywhere), ScriptStep::Offer(None), ScriptStep::Choose]
        }
        Regulation::Soosorv(most) => {
            let fourth = ScriptStep::Place { areas: vec![Anywhere], declare: Some(most) };
            vec![opening(None), colors(), fourth, colors(), ScriptStep::Offer(None), ScriptStep::Choose]
        }
        Regulation::Tarannikov => [1, 3, 5, 7, 9]
            .into_iter()
            .flat_map(|side| [put(Central(side)), colors()])
            .chain([put(Anywhere)])
            .collect(),
        Regulation::Taraguchi(fifths) => taraguchi([3, 5, 7], fifths),
        Regulation::SuperTaraguchi(fifths) => taraguchi([5, 7, 9], fifths),
        Regulation::Sakata => vec![opening(None), colors(), put(Anywhere), put(Central(7))],
        Regulation::SuperSakata => {
            vec![opening(None), place([Central(7), Central(9)]), ScriptStep::HandOver, ScriptStep::Balance]
        }
        Regulation::LianHuan => vec![ScriptStep::Either(lianhuan(0))],
        Regulation::Swap => vec![place([Anywhere; 3]), colors()],
        Regulation::Swap1 => vec![put(Anywhere), colors()],
        Regulation::Swap2 => vec![place([Anywhere; 3]), swap2()],
        Regulation::Swap5 => (0..5).flat_map(|_| [put(Anywhere), colors()]).collect(),
        Regulation::Pro => vec![put(Central(1)), put(Anywhere), put(Outside(5))],
        Regulation::LongPro => vec![put(Central(1)), put(Anywhere), put(Outside(7))],
    }
}

/// One stone.
fn put(area: Area) -> ScriptStep {
    place([area])
}

fn place<const N: usize>(areas: [Area; N]) -> ScriptStep {
    ScriptStep::Place { areas: areas.to_vec(), declare: None }
}

/// One of the 26 openings at once.
fn opening(declare: Option<usize>) -> ScriptStep {
    ScriptStep::Place { areas: vec![Area::Central(1), Area::Central(3), Area::Central(5)], declare }
}

/// Keep or swap.
fn colors() -> ScriptStep {
    ScriptStep::Either(vec![vec![ScriptStep::Keep], vec![ScriptStep::Swap]])
}

/// The second to fourth stones in these squares; after the fourth a swap, or the fifth, or an offer without swap.
fn taraguchi(sides: [u8; 3], fifths: usize) -> Vec<ScriptStep> {
    let fifth_and_sixth = [put(Area::Central(9)), colors(), put(Area::Anywhere)];
    let swapped = [ScriptStep::Swap].into_iter().chain(fifth_and_sixth.clone()).collect();
    let [second, third, fourth] = sides.map(Area::Central);
    vec![
        put(Area::Central(1)),
        colors(),
        put(second),
        colors(),
        put(third),
        colors(),
        put(fourth),
        ScriptStep::Either(vec![
            swapped,
            fifth_and_sixth.to_vec(),
            vec![ScriptStep::Offer(Some(fifths)), ScriptStep::Choose],
        ]),
    ]
}

/// White with the fourth stone, Black, or two more stones and the opponent's choice.
fn swap2() -> ScriptStep {
    let take = || vec![vec![put(Area::Anywhere)], vec![ScriptStep::Swap]];
    let mut ways = take();
    ways.push(vec![place([Area::Anywhere; 2]), ScriptStep::HandOver, ScriptStep::Either(take())]);
    ScriptStep::Either(ways)
}

/// LianHuan's ways on with this number of stones on the board: one stone, after which the opponent goes on; or two, after which
/// the opponent goes on or leaves that to whoever put them. The first three stones are one of the 26 openings; two stones at
/// once do not go beyond the fifth.
///
/// CITE: renju.net, tournament 1278 ("2011 Christmas LianHuan Tournament", LianHuan-2011 rule).
fn lianhuan(stones: usize) -> Vec<Vec<ScriptStep>> {
    let area = |number| match number {
        1 => Area::Central(1),
        2 => Area::Central(3),
        3 => Area::Central(5),
        _ => Area::Anywhere,
    };
    let go_on = |stones| if stones < LIANHUAN { Some(ScriptStep::Either(lianhuan(stones))) } else { None };
    let mut ways = vec![[put(area(stones + 1))].into_iter().chain(go_on(stones + 1)).collect()];
    if stones + 2 <= LIANHUAN {
        let mut choice = match stones + 2 {
            LIANHUAN => vec![vec![put(Area::Anywhere)]],
            more => lianhuan(more),
        };
        choice.insert(1, [ScriptStep::Swap].into_iter().chain(go_on(stones + 2)).collect());
        ways.push(vec![
            place([area(stones + 1), area(stones + 2)]),
            ScriptStep::HandOver,
            ScriptStep::Either(choice),
        ]);
    }
    ways
}

/// Stones of LianHuan's opening.
const LIANHUAN: usize = 5;

/// The ways on from [`ScriptStep::Balance`]: White with the next stone, Black, or two more stones and the opponent's choice.
pub(super) fn balance() -> Vec<Vec<ScriptStep>> {
    vec![
        vec![put(Area::Anywhere)],
        vec![ScriptStep::Swap],
        vec![place([Area::Anywhere; 2]), ScriptStep::HandOver, ScriptStep::Balance],
    ]
}
