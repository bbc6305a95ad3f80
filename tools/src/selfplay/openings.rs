//! Random openings, balanced by search.
//!
//! A few stones fall at random into a small box somewhere on the board (under Renju on 15x15: after one of the 26
//! openings). Then short searches look for the replies after which the position is nearest to even, and the first of the
//! best four that a full search confirms completes the opening. Random stones make openings varied, the balance makes both
//! colours of a pair worth playing.

use std::collections::HashSet;
use std::time::Duration;

use anyhow::{Result, bail};

use super::scatter::{quiet, scatter};
use crate::jobs;
use kagetsu::clock::Clock;
use kagetsu::game::symmetry::Canonical;
use kagetsu::game::{Board, Color, Move, Point, PointSet, Position, Rule, RuleKind, Size};
use kagetsu::random::{Random, SeedableRng, SliceRandom};
use kagetsu::search::{Context, Limits, Search};
use kagetsu::with_rule;

/// Replies that are looked at.
const CANDIDATES: usize = 24;
/// Number of these replies that are searched in full.
const FINALISTS: usize = 4;
/// The first look at a reply costs this fraction of the full search.
const GLANCE: u64 = 20;
/// Multiple of the accepted imbalance above which the result of a first short search is final.
const GLANCE_MARGIN: i32 = 3;
/// The search's tables for one opening; small, since they are cleared for each.
const MEMORY: usize = 4 << 20;

/// Properties of the openings wanted.
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    /// The rule.
    pub rule: RuleKind,
    /// Board size.
    pub size: Size,
    /// Fewest and most stones, the balancing one included.
    pub stones: (usize, usize),
    /// Nodes of the search that decides.
    pub nodes: u64,
    /// The score that counts as even, from Black's view: not zero where an evaluation is known to favour a colour.
    pub even: i32,
    /// Largest accepted distance from it, for either side.
    pub bias: i32,
    /// Every seed is another list of openings.
    pub seed: u64,
}

impl Recipe {
    /// Returns the command that makes a list of so many openings.
    pub fn command(&self, wanted: usize) -> String {
        let Recipe { rule, size, stones: (fewest, most), nodes, even, bias, seed } = self;
        format!(
            "kagetsu openings --balanced {wanted} --rule {rule} --size {} --seed {seed} --nodes {nodes} --even {even} \
             --bias {bias} --stones {fewest} {most}",
            size.side()
        )
    }
}

/// A balanced opening.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Balanced {
    /// The moves.
    pub position: Position,
    /// Distance from even, by search.
    pub imbalance: i32,
}

/// Attempts of each thread before their openings are taken into a list.
const ATTEMPTS: u64 = 16;
/// From this number of attempts on, a list must have an opening for each thousand attempts.
const PATIENCE: u64 = 1000;

/// Returns the fewest and the most stones of an opening, as wished or by default.
///
/// # Errors
/// If no opening can have so few, the most is below the fewest, or so many fill the board.
pub fn stones(rule: RuleKind, size: Size, wished: Option<(usize, usize)>) -> Result<(usize, usize)> {
    // They begin with one of the 26 openings, and a balancing stone follows.
    let from_26 = rule == RuleKind::Renju && size == Size::S15;
    let (least, usual) = if from_26 { (4, 4) } else { (2, 3) };
    let (fewest, most) = wished.unwrap_or((usual, 9));
    if fewest < least || most < fewest {
        bail!("expected MIN of at least {least}, and MAX not below it");
    }
    if most >= size.area() {
        bail!("expected MAX below the {} points of the board", size.area());
    }
    Ok((fewest, most))
}

/// Makes a list of different openings, no two of them alike when turned or mirrored, and gives each to `take` in order. The
/// list depends on the recipe and on how many are wanted, not on the number of threads.
///
/// # Errors
/// If too few attempts give an opening, if the system refuses the threads, and those of `take`.
pub fn list(
    recipe: Recipe,
    wanted: usize,
    threads: usize,
    clock: impl Fn() -> Box<dyn Clock> + Sync,
    take: &mut dyn FnMut(&Position) -> Result<()>,
) -> Result<()> {
    let threads = threads.max(1);
    let batch = |numbers| attempt(recipe, numbers, threads, &clock);
    collect(wanted, ATTEMPTS * threads as u64, batch, take)
}

/// Takes different openings from attempts, which are made in batches of this size, until there are as many as wanted. Each
/// attempt is judged in its turn, so that neither the list nor a failure depends on the size.
fn collect(
    wanted: usize,
    size: u64,
    mut batch: impl FnMut(std::ops::Range<u64>) -> Result<Vec<Option<Balanced>>>,
    take: &mut dyn FnMut(&Position) -> Result<()>,
) -> Result<()> {
    let (mut seen, mut attempts) = (HashSet::new(), 0);
    while seen.len() < wanted {
        for opening in batch(attempts..attempts + size)? {
            attempts += 1;
            if let Some(Balanced { position, .. }) = opening
                && seen.insert(Canonical::of_position(&position).key)
            {
                take(&position)?;
                if seen.len() >= wanted {
                    return Ok(());
                }
            } else if attempts > PATIENCE && seen.len() as u64 * PATIENCE < attempts {
                bail!("fewer than one attempt in a thousand gives an opening; try a larger --bias");
            }
        }
    }
    Ok(())
}

/// Makes the attempts of these numbers, and returns them in order.
fn attempt(
    recipe: Recipe,
    numbers: std::ops::Range<u64>,
    threads: usize,
    clock: &(impl Fn() -> Box<dyn Clock> + Sync),
) -> Result<Vec<Option<Balanced>>> {
    let new = || generator(recipe, clock());
    let work = |generator: &mut Box<dyn Generator>, number| Some((number, generator.attempt(number)));
    let mut made: Vec<(u64, Option<Balanced>)> =
        jobs::side_by_side(threads, numbers, new, work, |results| results.into_iter().collect())?;
    made.sort_by_key(|&(number, _)| number);
    Ok(made.into_iter().map(|(_, opening)| opening).collect())
}

/// Makes the openings of a recipe, by number.
pub trait Generator: Send {
    /// Returns the opening of this number; `None` if its stones could not be balanced. It depends only on the recipe
    /// and the number.
    fn attempt(&mut self, number: u64) -> Option<Balanced>;
}

/// A generator for a recipe.
pub fn generator(recipe: Recipe, clock: Box<dyn Clock>) -> Box<dyn Generator> {
    with_rule!(recipe.rule, R => Box::new(Maker::<R> { recipe, clock, search: Search::new(MEMORY) }))
}

struct Maker<R: Rule> {
    recipe: Recipe,
    clock: Box<dyn Clock>,
    search: Search<R>,
}

impl<R: Rule> Generator for Maker<R> {
    fn attempt(&mut self, number: u64) -> Option<Balanced> {
        let mut random = Random::seed_from_u64(self.recipe.seed << 32 ^ number);
        self.search.clear();
        let Recipe { size, stones: (fewest, most), .. } = self.recipe;
        let position = scatter::<R>(size, (fewest.max(2) - 1, most.max(2) - 1), &mut random)?;
        self.balance(position, &mut random)
    }
}

impl<R: Rule> Maker<R> {
    /// Adds the reply after which neither side is ahead, if there is one.
    fn balance(&mut self, mut position: Position, random: &mut Random) -> Option<Balanced> {
        let Recipe { size, nodes, bias, .. } = self.recipe;
        let board = Board::<R>::from_position(&position).ok()?;
        let near = position.stones().map(|(p, _)| p).collect::<PointSet>().dilate().dilate();
        let mut replies: Vec<Point> =
            (near & PointSet::full(size)).iter().filter(|&p| board.is_legal(p)).collect();
        replies.shuffle(random);
        replies.truncate(CANDIDATES);
        let mut judged: Vec<(i32, Point)> = replies
            .into_iter()
            .filter_map(|p| Some((self.imbalance(&board, p, nodes / GLANCE)?, p)))
            .filter(|&(imbalance, _)| imbalance <= bias.saturating_mul(GLANCE_MARGIN))
            .collect();
        judged.sort_unstable();
        for &(_, p) in judged.iter().take(FINALISTS) {
            if let Some(imbalance) = self.imbalance(&board, p, nodes).filter(|&i| i <= bias) {
                position.push(Move::Place(p)).ok()?;
                return Some(Balanced { position, imbalance });
            }
        }
        None
    }

    /// Returns the distance from even of the position after a move, by a search; `None` where a side could win at once.
    fn imbalance(&mut self, board: &Board<R>, p: Point, nodes: u64) -> Option<i32> {
        let mut board = board.clone();
        board.play(p);
        if !quiet(&board) {
            return None;
        }
        let stop = std::sync::atomic::AtomicBool::new(false);
        let context = Context { clock: &*self.clock, start: Duration::ZERO, stop: &stop };
        let limits = Limits { nodes: Some(nodes.max(1)), ..Limits::default() };
        let (_, report) = self.search.go(&board, &limits, &context, &mut |_| {})?;
        let score = report.lines[0].score.0;
        let for_black = if board.side() == Color::Black { score } else { -score };
        Some((for_black - self.recipe.even).abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kagetsu::clock::SystemClock;
    use kagetsu::game::Reading;
    use kagetsu::game::notation::{parse, print, validate};
    use kagetsu::game::openings26::OPENINGS;

    fn recipe(rule: RuleKind, size: usize) -> Recipe {
        Recipe {
            rule,
            size: Size::new(size).unwrap(),
            stones: (4, 8),
            nodes: 2000,
            even: 0,
            bias: 60,
            seed: 5,
        }
    }

    fn made(recipe: Recipe, attempts: u64) -> Vec<Balanced> {
        let mut generator = generator(recipe, Box::new(SystemClock::new()));
        (0..attempts).filter_map(|n| generator.attempt(n)).collect()
    }

    #[test]
    fn openings_are_legal_quiet_and_as_long_as_asked() {
        for (rule, size) in
            [(RuleKind::Freestyle, 20), (RuleKind::Standard, 15), (RuleKind::Renju, 15), (RuleKind::Caro, 9)]
        {
            let openings = made(recipe(rule, size), 16);
            assert!(openings.len() >= 3, "{rule}: {}", openings.len());
            for Balanced { position, imbalance } in openings {
                validate(&position, rule, Reading::Literal).unwrap();
                assert!((4..=8).contains(&position.moves().len()), "{position:?}");
                assert!(imbalance <= 60);
                with_rule!(rule, R => assert!(quiet(&Board::<R>::from_position(&position).unwrap())));
            }
        }
    }

    #[test]
    fn renju_starts_from_the_26() {
        let classes: Vec<u64> = OPENINGS.iter().map(|o| key(&o.moves)).collect();
        let openings = made(recipe(RuleKind::Renju, 15), 8);
        assert!(!openings.is_empty());
        for opening in openings {
            let three: Vec<Point> =
                opening.position.moves().iter().take(3).filter_map(|m| m.point()).collect();
            assert!(classes.contains(&key(&three)), "{three:?}");
        }
    }

    fn key(moves: &[Point]) -> u64 {
        let colors = [Color::Black, Color::White, Color::Black];
        kagetsu::game::symmetry::Canonical::of(moves.iter().copied().zip(colors), Color::White, Size::S15).key
    }

    #[test]
    fn an_attempt_depends_on_its_number_alone() {
        let recipe = recipe(RuleKind::Freestyle, 15);
        let all = made(recipe, 6);
        let mut backwards = generator(recipe, Box::new(SystemClock::new()));
        let mut reversed: Vec<Balanced> = (0..6).rev().filter_map(|n| backwards.attempt(n)).collect();
        reversed.reverse();
        assert_eq!(all, reversed);
        assert_ne!(all, made(Recipe { seed: 6, ..recipe }, 6));
    }

    /// The size of a batch depends on the number of threads.
    #[test]
    fn a_list_is_made_or_given_up_whatever_the_size_of_the_batches() {
        let listed = |size, wanted| {
            let opening = |number| match number {
                3 => Some("h8h9"),
                900 => Some("h8i9"),
                // The first one, turned.
                901 => Some("h8i8"),
                2001 => Some("h8h10"),
                _ => None,
            };
            let balanced = |text| Balanced { position: parse(text, None).unwrap(), imbalance: 0 };
            let batch =
                |numbers: std::ops::Range<u64>| Ok(numbers.map(|n| opening(n).map(balanced)).collect());
            let mut list = Vec::new();
            let collected = collect(wanted, size, batch, &mut |position| {
                list.push(print(position));
                Ok(())
            });
            (list, collected.is_ok())
        };
        let openings = |texts: &[&str]| texts.iter().map(ToString::to_string).collect::<Vec<_>>();
        for size in [16, 5000] {
            for (wanted, expected, is_whole) in [
                (0, &[][..], true),
                (1, &["h8h9"], true),
                (2, &["h8h9", "h8i9"], true),
                // The attempt before the third opening is one too many.
                (3, &["h8h9", "h8i9"], false),
            ] {
                assert_eq!(listed(size, wanted), (openings(expected), is_whole), "{size} {wanted}");
            }
        }
    }
}
