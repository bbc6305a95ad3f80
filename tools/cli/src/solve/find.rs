//! Looks for a win and has it verified.

use anyhow::{Result, bail, ensure};

use super::watch::Watch;
use super::{Args, Kind, Means, Question, Used};
use kagetsu::game::{Board, Color, FoulKinds, Point, Rule, Shape, Threat};
use kagetsu::solve::proof::{After, Proof};
use kagetsu::solve::verify::{Broken, Flaw, verify};
use kagetsu::solve::{Budget, Vcf, Vct, Verdict};

/// What was found.
pub struct Found {
    pub attacker: Color,
    pub verdict: Verdict,
    /// Present if the verdict is a win.
    pub win: Option<Win>,
    /// Whether the verdict is unknown because the limit was reached between finding a win and having it verified.
    pub unproven: bool,
}

/// A verified win.
pub struct Win {
    pub by: Kind,
    pub proof: Proof,
    /// Whether no win of this kind is shorter.
    pub shortest: bool,
    pub end: End,
}

/// What makes the last move of a line decisive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    Five,
    DoubleFour,
    StraightFour,
    /// The only block is forbidden to Black, for these reasons.
    Foul(Point, FoulKinds),
}

impl End {
    pub fn name(self) -> &'static str {
        match self {
            End::Five => "five",
            End::DoubleFour => "double_four",
            End::StraightFour => "straight_four",
            End::Foul(..) => "foul",
        }
    }
}

/// Memory for a first win by fours; proving more takes all there is.
pub const SMALL_TABLE: usize = 1 << 22;

/// A proof as the solver gave it, and whether its length is known to be the shortest.
struct Unverified {
    by: Kind,
    proof: Option<Proof>,
    shortest: bool,
}

pub fn search<R: Rule>(
    args: &Args,
    question: &Question,
    means: Means,
    watch: &Watch<'_>,
) -> Result<(Found, Used)> {
    let attacker = question.attacker;
    let mut board = Board::<R>::from_position(&question.position)?;
    let timer = watch.start();
    let mut budget = timer.budget(args);
    // The stones that the check puts on the board are no part of the search; its time is.
    let mut rest = timer.time_alone(args);
    let (mut verdict, found) = match args.kind {
        Kind::Vcf => by_fours(args.shortest, &board, attacker, means, &mut budget),
        Kind::Vct => by_threats(&board, attacker, means, &mut budget),
    };
    let mut win = None;
    if verdict == Verdict::Win {
        win = verified(&mut board, attacker, found, &budget, &mut rest)?;
    }
    if args.shortest && args.kind == Kind::Vct {
        // What is known already is not lost when the limit is reached on the way to something shorter.
        win = win.map(|win| shorter(win, &mut board, attacker, means, &mut budget, &mut rest)).transpose()?;
    }
    let nodes = budget.used();
    let unproven = verdict == Verdict::Win && win.is_none();
    if unproven {
        verdict = Verdict::Unknown;
    }
    let used = Used { nodes, time: timer.elapsed() };
    Ok((Found { attacker, verdict, win, unproven }, used))
}

/// A win by fours, the shortest if wanted.
fn by_fours<R: Rule>(
    shortest: bool,
    board: &Board<R>,
    attacker: Color,
    means: Means,
    budget: &mut Budget<'_>,
) -> (Verdict, Unverified) {
    let mut vcf = Vcf::<R>::new(if shortest { means.hash } else { means.hash.min(SMALL_TABLE) });
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
    means: Means,
    budget: &mut Budget<'_>,
) -> (Verdict, Unverified) {
    let (verdict, found) = by_fours(false, board, attacker, means, budget);
    if verdict == Verdict::Win || budget.is_exhausted() {
        return (verdict, found);
    }
    let mut vct = Vct::<R>::new(means.hash);
    let verdict = vct.solve(board, attacker, budget);
    let proof = (verdict == Verdict::Win).then(|| vct.proof(budget)).flatten();
    (verdict, Unverified { by: Kind::Vct, proof, shortest: false })
}

/// The shortest win by threats that can be found and verified, beginning with one that is known.
fn shorter<R: Rule>(
    known: Win,
    board: &mut Board<R>,
    attacker: Color,
    means: Means,
    budget: &mut Budget<'_>,
    rest: &mut Budget<'_>,
) -> Result<Win> {
    let mut vct = Vct::<R>::new(means.hash);
    let (proof, shortest) = vct.shorten(board, attacker, known.proof.clone(), budget);
    if proof.length() == known.proof.length() {
        return Ok(Win { shortest: known.shortest || shortest, ..known });
    }
    // Of two wins of one length, that by fours alone is easier to follow.
    let mut vcf = Vcf::<R>::new(means.hash.min(SMALL_TABLE));
    let found = match vcf.within(board, attacker, proof.length() / 2, budget) {
        Verdict::Win => {
            Unverified { by: Kind::Vcf, proof: vcf.proof(board, attacker, budget).or(Some(proof)), shortest }
        }
        _ => Unverified { by: Kind::Vct, proof: Some(proof), shortest },
    };
    Ok(verified(board, attacker, found, budget, rest)?.unwrap_or(known))
}

/// The win if it passes the verifier; `None` if one of the budgets, that of the proof or that of the check, ran out.
fn verified<R: Rule>(
    board: &mut Board<R>,
    attacker: Color,
    found: Unverified,
    spent: &Budget<'_>,
    budget: &mut Budget<'_>,
) -> Result<Option<Win>> {
    let Unverified { by, proof, shortest } = found;
    let Some(proof) = proof else {
        ensure!(spent.is_exhausted(), "the win found has no proof; please report this position");
        return Ok(None);
    };
    match verify(board, attacker, &proof, budget) {
        Ok(()) => {}
        Err(Broken { flaw: Flaw::Unfinished, .. }) => return Ok(None),
        Err(broken) => {
            bail!("the win found does not pass the verifier ({broken}); please report this position")
        }
    }
    let end = end_of(board.clone(), attacker, &proof);
    // Without a five at once no win is shorter than three plies.
    let shortest = shortest || proof.length() <= 3;
    Ok(Some(Win { by, proof, shortest, end }))
}

/// How the main line ends.
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
