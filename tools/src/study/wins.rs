//! Looks for a forced win and has its proof verified.

use super::{Kind, Means, Used};
use kagetsu::game::{self, Board, Color, FoulKinds, Point, Position, Rule, RuleKind, Shape, Threat};
use kagetsu::solve::proof::{After, Proof};
use kagetsu::solve::verify::{Broken, Flaw, verify};
use kagetsu::solve::{Budget, Vcf, Vct, Verdict};
use kagetsu::with_rule;

/// A question for a forced win.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WinQuestion {
    /// The position. The attacker moves first, whoever is to move.
    pub position: Position,
    /// The rule.
    pub rule: RuleKind,
    /// The side that is to win.
    pub attacker: Color,
    /// The kind of win.
    pub kind: Kind,
    /// Whether to look for the shortest win of the kind.
    pub shortest: bool,
}

/// The answer to a question for a forced win.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The side that was to win.
    pub attacker: Color,
    /// Whether there is a win of the kind.
    pub verdict: Verdict,
    /// The win, if the verdict is one.
    pub win: Option<VerifiedWin>,
    /// Whether the verdict is unknown because a limit was reached between finding a win and having it verified.
    pub unproven: bool,
}

/// A forced win whose proof the verifier has accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifiedWin {
    /// The kind of win that was found: for a VCT it may be a VCF.
    pub by: Kind,
    /// The proof.
    pub proof: Proof,
    /// Whether no win of this kind is shorter.
    pub shortest: bool,
    /// The end of the main line.
    pub end: End,
}

/// The reason why the last move of a line decides the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// It is a five.
    Five,
    /// It makes two fours.
    DoubleFour,
    /// It makes a straight four.
    StraightFour,
    /// The only point that stops the four is forbidden to Black, for these reasons.
    Foul(Point, FoulKinds),
}

impl End {
    /// Its name in answers.
    pub const fn name(self) -> &'static str {
        match self {
            End::Five => "five",
            End::DoubleFour => "double_four",
            End::StraightFour => "straight_four",
            End::Foul(..) => "foul",
        }
    }
}

/// Reason why a question for a win has no answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WinError {
    /// The position is impossible.
    #[error(transparent)]
    Position(#[from] game::Error),
    /// A fault of the solver: it has found a win without a proof.
    #[error("the win found has no proof; please report this position")]
    NoProof,
    /// A fault of the solver: its proof is wrong.
    #[error("the win found does not pass the verifier ({0}); please report this position")]
    Refuted(Broken),
}

/// Memory for the table of a first win by fours. The search for the shortest win uses all the memory given.
pub(super) const SMALL_TABLE: usize = 1 << 22;

/// A proof as the solver gave it, and whether its length is known to be the shortest.
struct Unverified {
    by: Kind,
    proof: Option<Proof>,
    shortest: bool,
}

/// Looks for a forced win. Every win returned has passed the verifier, within the same time.
///
/// # Errors
/// If the position is impossible, or a solver is at fault.
pub fn find(question: &WinQuestion, means: &Means<'_>) -> Result<(Found, Used), WinError> {
    with_rule!(question.rule, R => of_board(&mut Board::<R>::from_position(&question.position)?, question, means))
}

fn of_board<R: Rule>(
    board: &mut Board<R>,
    question: &WinQuestion,
    means: &Means<'_>,
) -> Result<(Found, Used), WinError> {
    let &WinQuestion { attacker, kind, shortest, .. } = question;
    let timer = means.start();
    let mut budget = timer.budget();
    // The stones that the check puts on the board do not count as nodes of the search, but its time counts.
    let mut rest = timer.time_alone();
    let (mut verdict, found) = match kind {
        Kind::Vcf => by_fours(shortest, board, attacker, means.hash, &mut budget),
        Kind::Vct => by_threats(board, attacker, means.hash, &mut budget),
    };
    let mut win = None;
    if verdict == Verdict::Win {
        win = verified(board, attacker, found, &budget, &mut rest)?;
    }
    if shortest && kind == Kind::Vct {
        // A known win is not lost when the limit stops the search for a shorter one.
        win = match win {
            Some(win) => Some(shorter(win, board, attacker, means.hash, (&mut budget, &mut rest))?),
            None => None,
        };
    }
    let unproven = verdict == Verdict::Win && win.is_none();
    if unproven {
        verdict = Verdict::Unknown;
    }
    let used = timer.used(budget.used());
    Ok((Found { attacker, verdict, win, unproven }, used))
}

/// A win by fours, the shortest if wanted.
fn by_fours<R: Rule>(
    shortest: bool,
    board: &Board<R>,
    attacker: Color,
    hash: usize,
    budget: &mut Budget<'_>,
) -> (Verdict, Unverified) {
    let mut vcf = Vcf::<R>::new(if shortest { hash } else { hash.min(SMALL_TABLE) });
    let (verdict, shortest) = if shortest {
        vcf.shortest(board, attacker, budget)
    } else {
        (vcf.solve(board, attacker, budget), false)
    };
    let proof = (verdict == Verdict::Win).then(|| vcf.proof(board, attacker, budget)).flatten();
    (verdict, Unverified { by: Kind::Vcf, proof, shortest })
}

/// A win by fours, or else by threats.
fn by_threats<R: Rule>(
    board: &Board<R>,
    attacker: Color,
    hash: usize,
    budget: &mut Budget<'_>,
) -> (Verdict, Unverified) {
    let (verdict, found) = by_fours(false, board, attacker, hash, budget);
    if verdict == Verdict::Win {
        return (verdict, found);
    }
    if budget.is_exhausted() {
        // Without a VCF there may still be a VCT.
        return (Verdict::Unknown, found);
    }
    let mut vct = Vct::<R>::new(hash);
    let verdict = vct.solve(board, attacker, budget);
    let proof = (verdict == Verdict::Win).then(|| vct.proof(budget)).flatten();
    (verdict, Unverified { by: Kind::Vct, proof, shortest: false })
}

/// The shortest win by threats that can be found and verified, beginning with one that is known.
fn shorter<R: Rule>(
    known: VerifiedWin,
    board: &mut Board<R>,
    attacker: Color,
    hash: usize,
    (budget, rest): (&mut Budget<'_>, &mut Budget<'_>),
) -> Result<VerifiedWin, WinError> {
    let mut vct = Vct::<R>::new(hash);
    let (proof, shortest) = vct.shorten(board, attacker, known.proof.clone(), budget);
    if proof.length() == known.proof.length() {
        return Ok(VerifiedWin { shortest: known.shortest || shortest, ..known });
    }
    // If two wins have the same length, the one by fours alone is shown: it is easier to follow.
    let mut vcf = Vcf::<R>::new(hash.min(SMALL_TABLE));
    let fours = match vcf.within(board, attacker, proof.length() / 2, budget) {
        Verdict::Win => vcf.proof(board, attacker, budget),
        _ => None,
    };
    let by = if fours.is_some() { Kind::Vcf } else { Kind::Vct };
    let found = Unverified { by, proof: fours.or(Some(proof)), shortest };
    Ok(verified(board, attacker, found, budget, rest)?.unwrap_or(known))
}

/// Returns the win if it passes the verifier; `None` if the budget of the proof or that of the check ran out.
fn verified<R: Rule>(
    board: &mut Board<R>,
    attacker: Color,
    found: Unverified,
    spent: &Budget<'_>,
    budget: &mut Budget<'_>,
) -> Result<Option<VerifiedWin>, WinError> {
    let Unverified { by, proof, shortest } = found;
    let Some(proof) = proof else {
        return if spent.is_exhausted() { Ok(None) } else { Err(WinError::NoProof) };
    };
    match verify(board, attacker, &proof, budget) {
        Ok(()) => {}
        Err(Broken { flaw: Flaw::Unfinished, .. }) => return Ok(None),
        Err(broken) => return Err(WinError::Refuted(broken)),
    }
    let end = end_of(board.clone(), attacker, &proof);
    // Without a five at once no win is shorter than three plies.
    let shortest = shortest || proof.length() <= 3;
    Ok(Some(VerifiedWin { by, proof, shortest, end }))
}

/// Returns how the main line ends.
fn end_of<R: Rule>(mut board: Board<R>, attacker: Color, proof: &Proof) -> End {
    board.set_side(attacker);
    let line = proof.line();
    let Some((Some(last), before)) = line.split_last() else { return End::Five };
    if proof.first().after == After::Five {
        return End::Five;
    }
    for p in before {
        match p {
            Some(p) => board.play(*p),
            None => board.pass(),
        }
    }
    let straight = board.shapes(*last).directions(attacker).any(|(_, s)| s == Shape::StraightFour);
    board.play(*last);
    let fives = board.threats(attacker, Threat::Five);
    match fives.first() {
        Some(block) if fives.len() == 1 && board.is_foul(block, !attacker) => {
            End::Foul(block, board.foul_kinds(block))
        }
        _ if straight => End::StraightFour,
        _ => End::DoubleFour,
    }
}
