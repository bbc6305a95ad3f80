//! A self-play game as data, and its bytes.
//!
//! A game has its number, rule, size, result and plies: points and, for those the engine chose, the score of the search
//! and how the move was chosen. It takes about five bytes a ply before compression. Features are not stored: training
//! computes them from the moves.

use kagetsu::game::{Board, Color, MAX_SIZE, Point, Rule, RuleKind, Size};
use kagetsu::invalid::Invalid;
use kagetsu::search::Score;
use kagetsu::with_rule;

/// The way a move was chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Choice {
    /// Part of the random opening; no search was made.
    Opening,
    /// The best move of the search.
    Best,
    /// Not the best move, for variety: the score is that of the best move.
    Varied,
}

/// Exploration sample: the search's result on a position off the line of play, which random moves made from one of the game
/// or which a search of the game's position evaluated.
///
/// Games contain good moves only, but a search evaluates mostly positions after bad ones.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exploration {
    /// The moves to it, 1 to [`LONGEST_WALK`].
    pub moves: Vec<Point>,
    /// The search's move after them; `None` in games recorded before this was stored.
    pub best: Option<Point>,
    /// Score of the search after them, from the view of the side then to move.
    pub score: i16,
}

/// Most moves to an exploration sample.
pub const LONGEST_WALK: usize = 64;

/// One stone of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ply {
    /// The point.
    pub point: Point,
    /// Score of the search before the move, from the mover's view; 0 in the opening.
    pub score: i16,
    /// The way it was chosen.
    pub choice: Choice,
    /// Exploration samples from the position before the move, at most [`MOST_SAMPLES`].
    pub samples: Vec<Exploration>,
}

/// Most exploration samples of a position.
pub const MOST_SAMPLES: usize = 255;

/// Most bytes of a game ([`Game::encode`]): each point of the largest board has a stone, and each position
/// all samples after the longest walks.
pub(super) const LARGEST_GAME: usize = {
    let sample = 1 + 2 * LONGEST_WALK + 2 + 2;
    let ply = 2 + 1 + 2 + 1 + MOST_SAMPLES * sample;
    14 + MAX_SIZE * MAX_SIZE * ply
};

/// Reason of a game's end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Ending {
    /// The search proved a win.
    Proven,
    /// A five was made.
    Five,
    /// The board is full, or only foul points are left.
    Full,
    /// Late in the game nobody had an advantage for many moves.
    Adjudicated,
}

/// A finished game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// Its number in its set; with the recipe it decides everything about the game.
    pub number: u64,
    /// The rule.
    pub rule: RuleKind,
    /// The board.
    pub size: Size,
    /// The winner, `None` for a draw.
    pub winner: Option<Color>,
    /// Reason of the end.
    pub ending: Ending,
    /// The stones in order, Black first.
    pub plies: Vec<Ply>,
}

const OUTCOMES: [Option<Color>; 3] = [None, Some(Color::Black), Some(Color::White)];
const ENDINGS: [Ending; 4] = [Ending::Proven, Ending::Five, Ending::Full, Ending::Adjudicated];
const CHOICES: [Choice; 3] = [Choice::Opening, Choice::Best, Choice::Varied];
/// Most moves of an exploration sample whose number is in the first byte of its ply.
const SHORT: usize = 2;
/// Added to that number where the search's move after them follows.
const SHORT_WITH_BEST: u8 = 4;
/// Added to the number of moves, up to seven, in a sample's own byte where the search's move follows. A larger number is
/// doubled, and the search's move adds one.
const WITH_BEST: u8 = 8;
/// Stands in the first byte of a ply for samples that have a byte of their own each.
const SEVERAL: u8 = 8;

impl Game {
    /// Number of random stones at the start.
    pub fn opening_len(&self) -> usize {
        self.plies.iter().take_while(|p| p.choice == Choice::Opening).count()
    }

    /// Appends the game to `bytes`.
    ///
    /// Little-endian: number (8 bytes), rule as Gomocup counts (1), side (1), winner 0 none, 1 Black, 2 White (1),
    /// ending (1), plies (2); for each ply the point's index (2), the choice and 16 times `k` (1), and the score unless it
    /// is an opening stone (2). `k` is 0 without exploration samples; for one sample of one or two moves it is their
    /// number, with 4 more where the search's move after them is known, and the sample follows; otherwise it is 8, and
    /// there follow the number of samples (1) and, before each sample, the number of its moves, with 8 more where the
    /// search's move is known (1); a number above seven is doubled, with 1 more where it is known. A sample has
    /// the points of its moves (2 each), that move (2) and its score (2).
    pub fn encode(&self, bytes: &mut Vec<u8>) {
        let winner = OUTCOMES.iter().position(|&w| w == self.winner).unwrap_or(0);
        bytes.extend(self.number.to_le_bytes());
        bytes.extend([self.rule.gomocup() as u8, self.size.side() as u8, winner as u8, self.ending as u8]);
        bytes.extend((self.plies.len() as u16).to_le_bytes());
        for ply in &self.plies {
            encode_ply(ply, bytes);
        }
    }

    /// Reads the game at the start of `bytes` and moves `bytes` past it.
    ///
    /// # Errors
    /// Says what is wrong with the bytes.
    pub fn decode(bytes: &mut &[u8]) -> Result<Game, Invalid> {
        let number = u64::from_le_bytes(take(bytes)?);
        let [rule, side, winner, ending] = take(bytes)?;
        let rule = RuleKind::from_gomocup(rule.into()).ok_or_else(|| {
            format!("{rule} is not a rule: expected a number of Gomocup's, such as 0, 1 or 4")
        })?;
        let size = Size::new(side.into()).map_err(|e| e.to_string())?;
        let winner = *OUTCOMES
            .get(usize::from(winner))
            .ok_or_else(|| format!("{winner} is not an outcome: expected 0 to 2"))?;
        let ending = *ENDINGS
            .get(usize::from(ending))
            .ok_or_else(|| format!("{ending} is not an ending: expected 0 to 3"))?;
        let count = u16::from_le_bytes(take(bytes)?);
        if usize::from(count) > size.area() {
            return Err(format!("{count} stones: a {size} board has {} points", size.area()).into());
        }
        let plies = (0..count).map(|_| decode_ply(bytes, size)).collect::<Result<_, _>>()?;
        Ok(Game { number, rule, size, winner, ending, plies })
    }
}

impl Game {
    /// Replays the game.
    ///
    /// # Errors
    /// If a move was not legal, a stone follows the end, or the recorded end is wrong.
    pub fn check(&self) -> Result<(), Invalid> {
        Ok(with_rule!(self.rule, R => self.replay::<R>())?)
    }

    fn replay<R: Rule>(&self) -> Result<(), String> {
        let mut board = Board::<R>::new(self.size);
        for (i, ply) in self.plies.iter().enumerate() {
            if board.winner().is_some() {
                return Err(format!("stone {} follows a five", i + 1));
            }
            if !board.empty().contains(ply.point) || !board.is_legal(ply.point) {
                return Err(format!("stone {} on {} is not legal", i + 1, ply.point));
            }
            for sample in &ply.samples {
                check_sample(&mut board, sample).map_err(|why| format!("before stone {}: {why}", i + 1))?;
            }
            board.play(ply.point);
        }
        let five = board.winner();
        let right = match self.ending {
            // The last move of a proof may be the five itself, if the side before overlooked a four.
            Ending::Proven => {
                self.winner.is_some()
                    && self.winner == self.proven_winner()
                    && (five.is_none() || five == self.winner)
            }
            Ending::Five => self.winner.is_some() && self.winner == five,
            Ending::Full | Ending::Adjudicated => self.winner.is_none() && five.is_none(),
        };
        if right {
            Ok(())
        } else {
            Err(format!("the moves do not end as recorded: {:?}, winner {:?}", self.ending, self.winner))
        }
    }
}

impl Game {
    /// The winner, if the last score is a proven result.
    fn proven_winner(&self) -> Option<Color> {
        let plies = Score(self.plies.last()?.score.into()).mate()?;
        let mover = if self.plies.len() % 2 == 1 { Color::Black } else { Color::White };
        Some(if plies > 0 { mover } else { !mover })
    }
}

fn encode_ply(ply: &Ply, bytes: &mut Vec<u8>) {
    bytes.extend((ply.point.index() as u16).to_le_bytes());
    let in_first = match &ply.samples[..] {
        [] => Some(0),
        [sample] if sample.moves.len() <= SHORT => {
            Some(sample.moves.len() as u8 + if sample.best.is_some() { SHORT_WITH_BEST } else { 0 })
        }
        _ => None,
    };
    bytes.push(ply.choice as u8 | in_first.unwrap_or(SEVERAL) << 4);
    if ply.choice != Choice::Opening {
        bytes.extend(ply.score.to_le_bytes());
    }
    if in_first.is_none() {
        bytes.push(ply.samples.len() as u8);
    }
    for sample in &ply.samples {
        if in_first.is_none() {
            let (count, known) = (sample.moves.len() as u8, u8::from(sample.best.is_some()));
            bytes.push(if count < WITH_BEST { count + known * WITH_BEST } else { count << 1 | known });
        }
        sample.moves.iter().chain(&sample.best).for_each(|p| bytes.extend((p.index() as u16).to_le_bytes()));
        bytes.extend(sample.score.to_le_bytes());
    }
}

/// Checks that the moves of an exploration sample from the board's position are legal; leaves the board as it is.
fn check_sample<R: Rule>(board: &mut Board<R>, sample: &Exploration) -> Result<(), String> {
    let mut played = 0;
    let mut result = Ok(());
    for &p in sample.moves.iter().chain(&sample.best) {
        if !board.empty().contains(p) || !board.is_legal(p) {
            result = Err(format!("the exploration move on {p} is not legal"));
            break;
        }
        board.play(p);
        played += 1;
    }
    for _ in 0..played {
        board.undo();
    }
    result
}

fn decode_ply(bytes: &mut &[u8], size: Size) -> Result<Ply, String> {
    let point = decode_point(bytes, size)?;
    let [first] = take(bytes)?;
    let (choice, kind) = (first & 15, first >> 4);
    let choice = *CHOICES
        .get(usize::from(choice))
        .ok_or_else(|| format!("{choice} is not a choice: expected 0 to 2"))?;
    let score = if choice == Choice::Opening { 0 } else { i16::from_le_bytes(take(bytes)?) };
    let samples = match kind {
        0 => Vec::new(),
        SEVERAL => {
            let [count] = take(bytes)?;
            let sample = |_| {
                let [kind] = take(bytes)?;
                let (count, known) = if kind < 2 * WITH_BEST {
                    (kind % WITH_BEST, kind >= WITH_BEST)
                } else {
                    (kind >> 1, kind & 1 == 1)
                };
                decode_sample(bytes, size, (count, LONGEST_WALK), known)
            };
            (0..count).map(sample).collect::<Result<_, _>>()?
        }
        kind => {
            let (count, known) = (kind & !SHORT_WITH_BEST, kind & SHORT_WITH_BEST != 0);
            vec![decode_sample(bytes, size, (count, SHORT), known)?]
        }
    };
    Ok(Ply { point, score, choice, samples })
}

/// Reads an exploration sample of `count` moves, at most `most`; `known` says that the search's move follows.
fn decode_sample(
    bytes: &mut &[u8],
    size: Size,
    (count, most): (u8, usize),
    known: bool,
) -> Result<Exploration, String> {
    let count = usize::from(count);
    if !(1..=most).contains(&count) {
        return Err(format!("exploration sample of {count} moves: expected 1 to {most}"));
    }
    let moves = (0..count).map(|_| decode_point(bytes, size)).collect::<Result<_, _>>()?;
    let best = known.then(|| decode_point(bytes, size)).transpose()?;
    Ok(Exploration { moves, best, score: i16::from_le_bytes(take(bytes)?) })
}

fn decode_point(bytes: &mut &[u8], size: Size) -> Result<Point, String> {
    let index = u16::from_le_bytes(take(bytes)?);
    Point::from_index(index.into())
        .filter(|p| size.contains(p.x(), p.y()))
        .ok_or_else(|| format!("{index} is not a point of a {size} board"))
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Result<[u8; N], String> {
    let (head, rest) = bytes.split_first_chunk::<N>().ok_or("the game ends too early")?;
    *bytes = rest;
    Ok(*head)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Numbers of samples of the plies.
    const SAMPLES: [u64; 5] = [0, 1, 0, 3, 1];

    /// A sample of 1 to 4 moves or of many, with and without a best one.
    fn walk(ply: usize, number: u64) -> Exploration {
        let count = [1, 2, 3, 4, 7, 8, 15, LONGEST_WALK][number as usize % 8];
        Exploration {
            moves: (0..count).map(|k| Point::new(14 - k % 15, (ply + k / 15) % 15)).collect(),
            best: number.is_multiple_of(2).then(|| Point::new(9, ply)),
            score: 50 - ply as i16,
        }
    }

    /// A game that uses every field; not one that was ever played.
    pub fn sample(number: u64) -> Game {
        let ply = |i: usize, choice| Ply {
            point: Point::new((i + number as usize) % 15, i % 15),
            score: if choice == Choice::Opening { 0 } else { i as i16 * 300 - 2000 },
            choice,
            samples: (0..SAMPLES[i % SAMPLES.len()]).map(|k| walk(i, number + k)).collect(),
        };
        Game {
            number,
            rule: RuleKind::Caro,
            size: Size::S15,
            winner: OUTCOMES[number as usize % 3],
            ending: ENDINGS[number as usize % 4],
            plies: (0..12).map(|i| ply(i, CHOICES[(i / 4).min(2)])).collect(),
        }
    }

    #[test]
    fn bytes_round_trip() {
        let games: Vec<Game> = (0..20).map(sample).collect();
        let mut bytes = Vec::new();
        games.iter().for_each(|g| g.encode(&mut bytes));
        let mut rest = &bytes[..];
        let read: Vec<Game> = (0..20).map(|_| Game::decode(&mut rest).unwrap()).collect();
        assert_eq!(read, games);
        assert!(rest.is_empty());
        assert_eq!(games[0].opening_len(), 4);
    }

    #[test]
    fn wrong_games_are_told() {
        let at =
            |x, y| Ply { point: Point::new(x, y), score: 0, choice: Choice::Opening, samples: Vec::new() };
        let aside = |p, best| vec![Exploration { moves: vec![p], best, score: 0 }];
        let right = Game {
            number: 1,
            rule: RuleKind::Freestyle,
            size: Size::S15,
            winner: None,
            ending: Ending::Adjudicated,
            plies: vec![
                at(7, 7),
                Ply { samples: aside(Point::new(3, 3), Some(Point::new(4, 4))), ..at(8, 8) },
            ],
        };
        assert_eq!(right.check(), Ok(()));
        let with = |change: fn(&mut Game)| {
            let mut game = right.clone();
            change(&mut game);
            game.check()
        };
        assert!(with(|g| g.plies[1].point = g.plies[0].point).is_err());
        assert!(with(|g| g.ending = Ending::Five).is_err());
        assert!(with(|g| g.winner = Some(Color::Black)).is_err());
        let illegal =
            |p: &Point| Err(format!("before stone 2: the exploration move on {p} is not legal").into());
        let set = |g: &mut Game, moves, best| g.plies[1].samples.push(Exploration { moves, best, score: 0 });
        // The point of an existing stone, as the random move and as the answer to another.
        let (there, free) = (Point::new(7, 7), Point::new(3, 3));
        for (moves, best, bad) in
            [(vec![there], None, there), (vec![free], Some(there), there), (vec![free, free], None, free)]
        {
            let mut game = right.clone();
            set(&mut game, moves, best);
            assert_eq!(game.check(), illegal(&bad));
        }
    }

    /// With hardly any nodes a side overlooks a four, and the proof that ends the game is a five.
    #[test]
    fn a_proof_may_be_the_five() {
        let at = |x, y, score| Ply {
            point: Point::new(x, y),
            score,
            choice: Choice::Opening,
            samples: Vec::new(),
        };
        let stones = (0..4).flat_map(|i| [at(i, 7, 0), at(2 * i, 0, 0)]);
        let mut game = Game {
            number: 1,
            rule: RuleKind::Freestyle,
            size: Size::S15,
            winner: Some(Color::Black),
            ending: Ending::Proven,
            plies: stones.chain([at(4, 7, (Score::MATE - 1) as i16)]).collect(),
        };
        assert_eq!(game.check(), Ok(()));
        game.winner = Some(Color::White);
        assert!(game.check().is_err());
    }

    #[test]
    fn damage_is_told() {
        let mut bytes = Vec::new();
        sample(1).encode(&mut bytes);
        for len in 0..bytes.len() {
            assert!(Game::decode(&mut &bytes[..len]).is_err(), "{len}");
        }
        for at in [8, 9, 10, 11, 16] {
            let mut bad = bytes.clone();
            bad[at] = 99;
            assert!(Game::decode(&mut &bad[..]).is_err(), "{at}");
        }
        let mut long = bytes.clone();
        long[12] = 226;
        let error = Game::decode(&mut &long[..]).unwrap_err();
        assert_eq!(error.to_string(), "226 stones: a 15x15 board has 225 points");
    }
}
