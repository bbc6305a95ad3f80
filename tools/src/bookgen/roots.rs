//! Finds the positions where a build starts: those that games begin from, and those of a user's files.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use crate::limits::{Limits, MOVES};
use crate::record::tree::Step;
use crate::record::{Charset, Format, Game, Games, ReadOptions};
use kagetsu::book::Key;
use kagetsu::game::openings26::OPENINGS;
use kagetsu::game::status::is_over;
use kagetsu::game::symmetry::Symmetry;
use kagetsu::game::{Move, Point, PointSet, Position, Reading, RuleKind, Size, notation};

/// Positions to begin with, each with moves to look at beside those that the search finds.
pub type Roots = BTreeMap<Key, Vec<Point>>;

/// Returns the empty board, first moves within two of the centre, and the 26 openings of Renju around the
/// centre of the board, which fit on the smallest board. Under other rules, swap openings lead to the same
/// positions.
pub fn natural(size: Size) -> Roots {
    let center = size.center();
    let old = Size::S15.center();
    let shifted = |p: Point| Point::new(p.x() + center.x() - old.x(), p.y() + center.y() - old.y());
    let openings = OPENINGS.iter().map(|o| o.moves.iter().map(|&p| shifted(p)).collect());
    let first = first_moves(size);
    let games = std::iter::once(Vec::new()).chain(first.iter().map(|p| vec![p])).chain(openings);
    let mut roots = Roots::new();
    for moves in games {
        // Adds the beginnings of an opening too: a player who cannot choose the opening still plays its first moves.
        for n in 0..=moves.len() {
            roots.insert(Key::of(&position(size, &moves[..n])).0, Vec::new());
        }
    }
    roots
}

/// First moves of the natural beginnings.
pub fn first_moves(size: Size) -> PointSet {
    let center = size.center();
    size.points().filter(|p| p.x().abs_diff(center.x()) <= 2 && p.y().abs_diff(center.y()) <= 2).collect()
}

fn position(size: Size, moves: &[Point]) -> Position {
    let mut position = Position::new(size);
    for &p in moves {
        position.push(Move::Place(p)).expect("an opening's stones are on the board and apart");
    }
    position
}

/// Adds the last positions of a file's games. It skips finished games, including those that ended by a foul.
///
/// # Errors
/// If the file cannot be read, or has no unfinished game.
pub fn ends(path: &Path, rule: RuleKind, size: Size, limits: Limits, roots: &mut Roots) -> Result<()> {
    let mut added = 0;
    read(path, rule, size, limits, &mut |game| {
        let position = game.main_position(None)?;
        if goes_on(&position, rule) {
            roots.entry(Key::of(&position).0).or_default();
            added += 1;
        }
        Ok(())
    })?;
    if added == 0 {
        bail!("{}: every game is over, or has a foul; expected beginnings", path.display());
    }
    Ok(())
}

/// Returns whether a position holds no foul and is not the end of a game.
fn goes_on(position: &Position, rule: RuleKind) -> bool {
    notation::validate(position, rule, Reading::Literal).is_ok() && !is_over(position, rule, Reading::Literal)
}

/// Returns the positions of files from which a move leads to another position of the files, with these moves.
/// The moves are those of the files' trees, and those found by comparing the stones, since a file may reach a
/// position in another way. Positions in which the game is over or that hold a foul are skipped.
///
/// # Errors
/// If a file cannot be read, has games of other rules and sizes only, or lines longer than any game.
pub fn libraries(paths: &[PathBuf], rule: RuleKind, size: Size, limits: Limits) -> Result<Roots> {
    let mut roots = Roots::new();
    for path in paths {
        read(path, rule, size, limits, &mut |game| {
            let mut depth = 0;
            for step in game.tree.walk() {
                let Step::Enter(node) = step else {
                    depth -= 1;
                    continue;
                };
                depth += 1;
                ensure!(depth <= MOVES, "a line has more than {MOVES} nodes");
                let position = game.position(node)?;
                if !goes_on(&position, rule) {
                    continue;
                }
                let (key, symmetry): (Key, Symmetry) = Key::of(&position);
                let moves = game.tree.children(node).filter_map(|c| game.tree.point(c));
                roots.entry(key).or_default().extend(moves.map(|p| symmetry.apply(p, size)));
            }
            Ok(())
        })?;
    }
    let links = roots.keys().flat_map(|key| before(key, size));
    let links: Vec<_> = links.filter(|(key, _)| roots.contains_key(key)).collect();
    for (key, p) in links {
        roots.entry(key).or_default().push(p);
    }
    // The result does not depend on the order of moves in the files.
    roots.values_mut().for_each(|moves| {
        moves.sort_unstable();
        moves.dedup();
    });
    roots.retain(|_, moves| !moves.is_empty());
    Ok(roots)
}

/// Returns the predecessors of a position: for each stone of the side that moved last, the position without it, and that
/// stone in the predecessor's orientation.
fn before(key: &Key, size: Size) -> Vec<(Key, Point)> {
    let position = key.position(size);
    let mover = !key.side();
    let without = |p: Point| {
        let rest = position.stones().filter(|stone| stone.0 != p);
        let (key, symmetry) = Key::of(&Position::from_stones(size, rest, mover).ok()?);
        Some((key, symmetry.apply(p, size)))
    };
    position.stones().filter(|stone| stone.1 == mover).filter_map(|stone| without(stone.0)).collect()
}

/// Reads the games of a file. Games of another rule are left out and reported: a file may hold several rules.
fn read(
    path: &Path,
    rule: RuleKind,
    size: Size,
    limits: Limits,
    take: &mut dyn FnMut(&Game) -> Result<()>,
) -> Result<()> {
    let name = || path.display().to_string();
    let file = File::open(path).with_context(name)?;
    let format = Format::of_path(path).with_context(|| {
        format!(
            "{}: unknown format: expected one of the extensions that 'kagetsu convert --help' lists",
            name()
        )
    })?;
    let input = BufReader::new(file);
    let options = ReadOptions { charset: Charset::AUTO, size: Some(size), limits };
    let games: Games<'_> = format.games(input, &options).with_context(name)?;
    let (mut number, mut others) = (0, 0);
    for game in games {
        number += 1;
        let read = game.map_err(anyhow::Error::from).and_then(|game| {
            if game.rule.is_some_and(|said| said != rule) {
                others += 1;
                return Ok(());
            }
            if game.size != size {
                bail!("the board is {}, expected {size}", game.size);
            }
            take(&game)
        });
        read.with_context(|| format!("{}: game {number}", name()))?;
    }
    if number == 0 {
        bail!("{}: there is no game", name());
    }
    if others == number {
        bail!("{}: no game has the rule {rule}; expected such games or another --rule", name());
    }
    if others > 0 {
        log::warn!("{}: games that say another rule than {rule}: {others}, left out", name());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::after;
    use super::*;
    use kagetsu::game::{MAX_SIZE, MIN_SIZE};

    #[test]
    fn natural_beginnings() {
        let roots = natural(Size::S15);
        // The empty board; six first moves up to symmetry; two second moves; 26 openings.
        assert_eq!(roots.len(), 1 + 6 + 2 + 26);
        for side in MIN_SIZE..=MAX_SIZE {
            // Points around the middle of an even board are 1, 3 and 5 half steps away in each direction: again six
            // first moves.
            let other = natural(Size::new(side).unwrap());
            assert!(other.len() == roots.len() && other.keys().all(|key| key.stones() <= 3), "{side}");
        }
    }

    #[test]
    fn games_that_are_over_are_no_beginnings() {
        let dir = tempfile::tempdir().unwrap();
        let file = |games: &str| {
            let path = dir.path().join("games.txt");
            std::fs::write(&path, games).unwrap();
            let mut roots = Roots::new();
            ends(&path, RuleKind::Renju, Size::S15, Limits::default(), &mut roots).map(|()| roots.len())
        };
        let (five, foul) = ("h8a1i8a3j8a5k8a7l8", "f8a1g8a3h9a5h10a7h8");
        assert_eq!(file(&format!("{five}\n{foul}\nh8i9\n")).unwrap(), 1);
        assert!(file(&format!("{five}\n{foul}\n")).unwrap_err().to_string().contains("every game is over"));
    }

    #[test]
    fn games_of_other_rules_are_left_out() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("games.sgf");
        let [renju, freestyle, unsaid] =
            ["RU[renju];B[hh];W[hg]", "RU[freestyle];B[hh];W[gg]", ";B[hh];W[aa]"]
                .map(|game| format!("(;FF[4]GM[4]SZ[15]{game})"));
        let found = |games: &str, rule| {
            std::fs::write(&path, games).unwrap();
            let mut roots = Roots::new();
            let ends = ends(&path, rule, Size::S15, Limits::default(), &mut roots).map(|()| roots.len());
            let libraries = libraries(std::slice::from_ref(&path), rule, Size::S15, Limits::default())
                .map(|roots| roots.len());
            (ends.map_err(|e| e.to_string()), libraries.map_err(|e| e.to_string()))
        };
        let all = format!("{renju}{freestyle}{unsaid}");
        // Two lines begin on the empty board. It and the centre have moves.
        assert_eq!(found(&all, RuleKind::Renju), (Ok(2), Ok(2)));
        assert_eq!(found(&all, RuleKind::Caro), (Ok(1), Ok(2)));
        let (ends, libraries) = found(&freestyle, RuleKind::Renju);
        let refusal = "no game has the rule renju; expected such games or another --rule";
        assert!(ends.unwrap_err().contains(refusal) && libraries.unwrap_err().contains(refusal));
    }

    #[test]
    fn lines_without_end_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("long.sgf");
        let of = |nodes: usize| {
            std::fs::write(&path, format!("({})", ";".repeat(nodes))).unwrap();
            let paths = std::slice::from_ref(&path);
            let roots = libraries(paths, RuleKind::Renju, Size::S15, Limits::default());
            roots.map_err(|error| error.root_cause().to_string())
        };
        assert_eq!(of(1000), Ok(Roots::new()));
        assert_eq!(of(1001).unwrap_err(), "a line has more than 1000 nodes");
    }

    /// The second line reaches the third position of the first one by a move that the file does not have.
    #[test]
    fn moves_lead_to_positions_that_are_reached_in_other_ways() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("lines.sgf");
        std::fs::write(&path, "(;FF[4]GM[4]SZ[15](;B[hh];W[hg];B[jj])(;B[jj];W[hg]))").unwrap();
        let roots = libraries(&[path], RuleKind::Renju, Size::S15, Limits::default()).unwrap();
        let (h8, h9, j6) = (Point::new(7, 7), Point::new(7, 8), Point::new(9, 5));
        for (moves, next) in [(&[][..], &[h8, j6][..]), (&[h8, h9], &[j6]), (&[j6, h9], &[h8])] {
            let here = position(Size::S15, moves);
            let key_after = |position: &Position, p: Point| Key::of(&after(position, p).unwrap()).0;
            let key = Key::of(&here).0;
            let own = key.position(Size::S15);
            // Symmetric positions have their moves in several places.
            let found: BTreeSet<_> = roots[&key].iter().map(|&p| key_after(&own, p)).collect();
            let expected: BTreeSet<_> = next.iter().map(|&p| key_after(&here, p)).collect();
            assert_eq!(found, expected, "{moves:?}");
        }
        let last = Key::of(&position(Size::S15, &[h8, h9, j6])).0;
        assert!(roots.len() == 5 && !roots.contains_key(&last), "nothing follows the end");
    }
}
