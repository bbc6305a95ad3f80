//! Runs a whole proof: searches, verifies all results, and writes them as a library; verifies written proofs.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, Result};

use super::library::{self, Claim, Entry};
use super::order::Beginning;
use super::search::{self, End, Ended, State, search};
use super::store::{self, Known, Store};
use super::survey::Survey;
use super::tree::Tree;
use super::{Question, assemble};
use crate::output::{Permit, Stamp, Target, Written};
use crate::record::{Charset, Game, renlib};
use crate::words;
use kagetsu::clock::{Clock, SystemClock};
use kagetsu::game::{Board, Color, Position, Reading, Rule, RuleKind, notation};
use kagetsu::solve::Budget;
use kagetsu::solve::proof::Proof;
use kagetsu::solve::verify::{Broken, Flaw, verify};
use kagetsu::with_rule;

/// Limits of a proof, and its files.
#[derive(Clone, Copy, Debug)]
pub struct ProofSettings<'a> {
    /// Positions to work at side by side.
    pub threads: usize,
    /// Bytes for the solvers' tables of all threads together, and as many for the tree.
    pub hash: usize,
    /// Largest number of stones put on the board, including those of earlier runs.
    pub nodes: Option<u64>,
    /// Time of the search at most.
    pub time: Option<Duration>,
    /// The file that keeps all answers; without one, a temporary file does.
    pub state: Option<&'a Path>,
    /// The library to write: another file than the state.
    pub library: Option<Library<'a>>,
}

/// A RenLib library to write: a new file, or one that this proof has written and nobody has changed since.
#[derive(Clone, Copy, Debug)]
pub struct Library<'a> {
    /// The file.
    pub path: &'a Path,
    /// Whether any file may be replaced.
    pub force: bool,
}

impl Library<'_> {
    /// Decides whether the library may be written, by what the proof has written before.
    fn target(&self, saved: &[Stamp]) -> Result<Target> {
        let own = saved.iter().find(|stamp| stamp.is_of(self.path).unwrap_or(false));
        let own = own.map_or(Permit::New, |stamp| Permit::Unchanged(*stamp));
        let permit = if self.force { Permit::Force } else { own };
        Target::new(self.path, permit).with_context(|| format!("cannot write {}", self.path.display()))
    }
}

/// News of a proof at work.
#[derive(Clone, Copy, Debug)]
pub enum Event {
    /// The search has come so far.
    Searching(State),
    /// This proof is being verified, counted from 1.
    Verifying(usize),
}

/// A proof, and whether the verifier has gone through it.
#[derive(Clone, Debug)]
pub struct Verified {
    /// The proof with its position.
    pub entry: Entry,
    /// Turns of the proof.
    pub turns: usize,
    /// False if the check was interrupted.
    pub valid: bool,
}

/// The outcome of a search for a proof.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Reason of the end.
    pub end: End,
    /// Whether an interrupt ended the search.
    pub interrupted: bool,
    /// Progress of the search.
    pub state: State,
    /// Proven and open positions.
    pub survey: Survey,
    /// The root's proof, or those of the proven positions, in the order of the survey.
    pub verified: Vec<Verified>,
    /// Time of the search.
    pub time: Duration,
    /// Time of the check.
    pub check: Duration,
}

/// Searches for a proof of the question, then has everything found verified. Setting `stop` ends the search; setting it
/// again breaks off the check.
///
/// # Errors
/// If the file cannot be used, or the verifier refuses a proof.
pub fn prove(
    question: &Question,
    beginning: &Beginning,
    settings: &ProofSettings<'_>,
    stop: &AtomicBool,
    watch: &mut dyn FnMut(Event),
) -> Result<Outcome> {
    with_rule!(question.rule, R => of_rule::<R>(question, beginning, settings, stop, watch))
}

fn of_rule<R: Rule>(
    question: &Question,
    beginning: &Beginning,
    settings: &ProofSettings<'_>,
    stop: &AtomicBool,
    watch: &mut dyn FnMut(Event),
) -> Result<Outcome> {
    let clock = SystemClock::new();
    let (mut store, known, target) = open(question, settings)?;
    let mut tree = Tree::new(question);
    let over = Arc::new(AtomicBool::new(false));
    let limits = search::SearchLimits {
        threads: settings.threads,
        tables: settings.hash,
        memory: settings.hash,
        nodes: settings.nodes.unwrap_or(u64::MAX),
        deadline: settings.time,
        clock: &clock,
        stop: Arc::clone(&over),
    };
    let mut report = |state: State| {
        if stop.load(Ordering::Relaxed) {
            over.store(true, Ordering::Relaxed);
        }
        watch(Event::Searching(state));
    };
    let named = |error| named(error, settings.state);
    let ended = search::<R>(question, &mut tree, (&mut store, known), &limits, &mut report);
    let Ended { end, state, replayed } = ended.map_err(named)?;
    store.sync().map_err(named)?;
    let time = clock.now();
    // Another interrupt breaks off the check.
    let interrupted = stop.swap(false, Ordering::Relaxed) && end == End::Stopped;
    let survey = Survey::of(&tree, question);
    let mut verified = Vec::new();
    for entry in entries(beginning, &survey, &tree, &mut store)? {
        watch(Event::Verifying(verified.len() + 1));
        let moves = notation::print(&entry.position);
        let confirmed = confirm::<R>(question.attacker, entry, stop);
        verified.push(confirmed.with_context(|| {
            format!("the win found after {moves} does not pass the verifier; please report this")
        })?);
    }
    let outcome = Outcome { end, interrupted, state, survey, verified, time, check: clock.now() - time };
    if let Some(target) = target.filter(|_| replayed) {
        let bytes = renlib::write(&outcome.library(question), Charset::default())?;
        // The state has the stamp of the library that is about to be written, so that a later run recognises it.
        store.append_saved(Stamp::of(&bytes)).map_err(named)?;
        if target.write(&bytes).context("cannot write the library")? == Written::InPlace {
            log::warn!("the library was written in place, for its file has other names (hard links), too");
        }
    } else if settings.library.is_some() {
        log::warn!(
            "the library is left as it was: the tree has no room for all answers of earlier runs; expected more --hash"
        );
    }
    Ok(outcome)
}

/// Opens the file of the proof in progress, and decides about the library. If the library cannot be written, nothing is
/// begun.
fn open(question: &Question, settings: &ProofSettings<'_>) -> Result<(Store, Known, Option<Target>)> {
    let target = |saved: &[Stamp]| settings.library.map(|library| library.target(saved)).transpose();
    let Some(path) = settings.state else {
        let target = target(&[])?;
        return Ok((Store::nameless(question)?, Known::new(), target));
    };
    let is_new = !path.exists();
    if is_new {
        target(&[])?;
    }
    let name =
        || if is_new { format!("cannot write {}", path.display()) } else { path.display().to_string() };
    let (store, known) = Store::open(path, question).with_context(name)?;
    let target = target(store.saved())?;
    Ok((store, known, target))
}

/// Names the file of the proof in progress in an error of the system.
fn named(error: store::Error, state: Option<&Path>) -> anyhow::Error {
    if !matches!(error, store::Error::Io(_)) {
        return error.into();
    }
    let name = state.map_or("the temporary file of the search".to_owned(), |path| path.display().to_string());
    anyhow::Error::from(error).context(format!("cannot write {name}"))
}

/// The proofs of what the survey says is proven.
fn entries(beginning: &Beginning, survey: &Survey, tree: &Tree, store: &mut Store) -> Result<Vec<Entry>> {
    let entry = |position: Position, proof| Entry { position, proof, statement: String::new() };
    if survey.whole {
        let Beginning { position, played } = beginning;
        let proof = match *played {
            None => assemble::of_turn(tree, store, position)?,
            Some(p) => assemble::of_move(tree, store, position, p)?,
        };
        return Ok(proof.map(|proof| entry(position.clone(), proof)).into_iter().collect());
    }
    let mut found = Vec::new();
    for won in &survey.won {
        let proof = assemble::of_turn(tree, store, &won.position)?;
        found.extend(proof.map(|proof| entry(won.position.clone(), proof)));
    }
    Ok(found)
}

/// Has a proof verified; one whose check was interrupted is not valid.
///
/// # Errors
/// The first flaw.
fn confirm<R: Rule>(attacker: Color, mut entry: Entry, stop: &AtomicBool) -> Result<Verified> {
    let mut board = Board::<R>::from_position(&entry.position)?;
    let mut budget = Budget::unlimited().stopped_by(stop);
    let valid = match verify(&mut board, attacker, &entry.proof, &mut budget) {
        Ok(()) => true,
        Err(Broken { flaw: Flaw::Unfinished, .. }) => false,
        Err(broken) => return Err(broken.into()),
    };
    let turns = entry.proof.size();
    entry.statement = statement(attacker, &entry.proof, turns, valid);
    Ok(Verified { entry, turns, valid })
}

/// The statement of a proof.
fn statement(attacker: Color, proof: &Proof, turns: usize, valid: bool) -> String {
    let verified = if valid { "verified" } else { "not verified: interrupted" };
    let (length, turns) = (words::count(proof.length(), "ply"), words::count(turns, "turn"));
    format!("{attacker} wins within {length}, proof of {turns}, {verified}")
}

impl Outcome {
    /// Returns whether an interrupt ended the search or the verification of its results.
    pub fn is_broken_off(&self) -> bool {
        self.interrupted || self.verified.iter().any(|v| !v.valid)
    }

    /// The result in a few lines, with what this run did.
    pub fn summary(&self, question: &Question) -> String {
        let reason = match self.end {
            _ if self.interrupted => "the search was interrupted\n",
            End::Stopped => "the search ended at the limit of time or nodes\n",
            End::Memory => "the search ended because the memory for its tree is used up\n",
            End::Proven | End::Hopeless => "",
        };
        format!(
            "{}{reason}{} ({} from earlier runs), {}; search {:.1} s, check {:.1} s",
            self.verdict(question),
            words::count(self.state.asked + self.state.recalled, "answer"),
            self.state.recalled,
            words::count(self.state.nodes, "node"),
            self.time.as_secs_f64(),
            self.check.as_secs_f64()
        )
    }

    /// Results and settings, the same whatever the number of runs.
    fn findings(&self, question: &Question) -> String {
        let State { asked, recalled, nodes, .. } = self.state;
        let (answers, nodes) = (words::count(asked + recalled, "answer"), words::count(nodes, "node"));
        format!("{}{answers}, {nodes}", self.verdict(question))
    }

    /// Summary of the proof, in whole lines.
    fn verdict(&self, question: &Question) -> String {
        let Question { rule, position, attacker } = question;
        let mut text = format!("{rule}, {attacker} to win after {}\n", notation::print(position));
        match self.verified.first() {
            Some(first) if self.survey.whole => {
                let _ = writeln!(text, "the whole is proven: {}", first.entry.statement);
            }
            Some(first) => {
                let (stones, entry) = (first.entry.position.stones().count(), &first.entry);
                let _ = writeln!(
                    text,
                    "open; proven on the way: {}, the first with {}, {attacker} to move: {}\n{}",
                    words::count(self.verified.len(), "position"),
                    words::count(stones, "stone"),
                    notation::print(&entry.position),
                    entry.statement
                );
            }
            None if self.end == End::Hopeless => {
                let _ =
                    writeln!(text, "{attacker} does not win: every move is met by fours or leads to a draw");
            }
            None => text.push_str("open; nothing is proven yet\n"),
        }
        text
    }

    /// The library of what is proven and what is open.
    pub fn library(&self, question: &Question) -> Game {
        let entries: Vec<Entry> = self.verified.iter().map(|v| v.entry.clone()).collect();
        library::write(question, &self.survey, &entries, &self.findings(question))
    }
}

/// Verifies proofs that were read from a library, under a rule. `watch` is called after each one; `None` if `stop` was set.
///
/// # Errors
/// The first proof that does not hold, or whose position cannot come about because its moves go on after the end of a game.
pub fn check(
    claims: Vec<Claim>,
    rule: RuleKind,
    stop: &AtomicBool,
    watch: &mut dyn FnMut(),
) -> Result<Option<Vec<Verified>>> {
    let mut verified = Vec::new();
    for Claim { position, attacker, proof } in claims {
        let moves = notation::print(&position);
        notation::validate(&position, rule, Reading::Literal)
            .with_context(|| format!("the moves to the proof after {moves} cannot be played under {rule}"))?;
        let entry = Entry { position, proof, statement: String::new() };
        let checked = with_rule!(rule, R => confirm::<R>(attacker, entry, stop))
            .with_context(|| format!("the proof after {moves} does not hold under {rule}"))?;
        if !checked.valid {
            return Ok(None);
        }
        verified.push(checked);
        watch();
    }
    Ok(Some(verified))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{NodeId, Note};
    use kagetsu::game::Size;

    /// Black's fifth stone is a double three and ends the game; it stands in a straight four two moves later.
    #[test]
    fn a_proof_after_the_end_of_the_game_is_refused() {
        let line = notation::parse("f8a1g8a3h9a5h10a7h8a9i8", None).unwrap();
        let mut game = Game::new(Size::S15);
        let mut node = NodeId::ROOT;
        for (i, &m) in line.moves().iter().enumerate() {
            node = game.tree.add(node, Some((Color::BOTH[i % 2], m)));
        }
        game.tree.annotate(node, [Note::Comment("proven")]);
        let check = |rule| {
            let claims = library::read(&game).unwrap();
            check(claims, rule, &AtomicBool::new(false), &mut || {}).map(|found| found.map(|all| all.len()))
        };
        let refused = format!("{:#}", check(RuleKind::Renju).unwrap_err());
        assert!(refused.ends_with("move 10: the game is over: white wins by black's foul (33)"), "{refused}");
        assert_eq!(check(RuleKind::Freestyle).unwrap(), Some(1));
    }

    /// The disk is full once, at each step of this thread in turn.
    #[test]
    fn an_error_names_the_file_that_cannot_be_written() {
        use kagetsu::disk::faults::{self, Fault};

        let position = notation::parse("h8a1h9a2", None).unwrap();
        let question = Question { rule: RuleKind::Renju, position, attacker: Color::Black };
        let beginning = Beginning::of(&question).unwrap();
        for step in 1.. {
            let folder = tempfile::tempdir().unwrap();
            let [state, library] = ["proof.state", "proof.lib"].map(|name| folder.path().join(name));
            let settings = ProofSettings {
                threads: 1,
                hash: 4 << 20,
                nodes: Some(3000),
                time: None,
                state: Some(&state),
                library: Some(Library { path: &library, force: false }),
            };
            faults::arm(step, Fault::Once);
            let proven = prove(&question, &beginning, &settings, &AtomicBool::new(false), &mut |_| {});
            let taken = faults::disarm();
            if step > taken {
                assert!(proven.is_ok() && taken > 6, "{taken} steps");
                break;
            }
            let said = format!("{:#}", proven.unwrap_err());
            assert!(said.contains("proof.state: ") || said.contains("the library: "), "{step}: {said}");
        }
    }
}
