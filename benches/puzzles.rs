//! The solvers on the puzzles of `tests/data/puzzles.jsonl`: processor time inside the solver, median of five runs.
//!
//! `cargo bench --bench puzzles` asks for a first win by fours, `-- shortest` for a proven shortest one, `-- vct` for wins
//! by threats. It prints a line for every puzzle that takes long or is answered wrongly (for `vct` every puzzle), then the
//! sum. The times to make and to verify the proof of a win by threats are given apart.

use kagetsu::game::{Board, Color, Point, Position, Rule, RuleKind, Size};
use kagetsu::solve::verify::verify;
use kagetsu::solve::{Budget, Vcf, Vct, Verdict};
use kagetsu::with_rule;
use serde_json::Value;

const RUNS: usize = 5;
/// A puzzle that takes longer is run once.
const LONG: f64 = 1.0;
/// Puzzles that take longer get a line of their own.
const NOTABLE: f64 = 1e-3;

/// Returns the seconds of processor time that this thread has used. Other programs hardly disturb this measure.
#[cfg(unix)]
fn seconds() -> f64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    now.tv_sec as f64 + now.tv_nsec as f64 * 1e-9
}

/// Seconds that have passed: here the machine should be idle.
#[cfg(not(unix))]
fn seconds() -> f64 {
    use kagetsu::clock::{Clock, SystemClock};
    static CLOCK: std::sync::LazyLock<SystemClock> = std::sync::LazyLock::new(SystemClock::new);
    CLOCK.now().as_secs_f64()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Question {
    FirstWin,
    Shortest,
    Threats,
}

struct Puzzle {
    id: String,
    kind: String,
    rule: RuleKind,
    win_len: Option<usize>,
    position: Position,
}

/// Result of one run, and its cost.
struct Run {
    verdict: Verdict,
    /// Plies to the five, for wins by fours.
    length: usize,
    nodes: u64,
    seconds: f64,
    /// Seconds to make the proof of a win by threats, and to check it.
    proof: [f64; 2],
}

fn point(name: &str) -> Point {
    let x = (name.as_bytes()[0] - b'a') as usize;
    Point::new(x, name[1..].parse::<usize>().unwrap() - 1)
}

fn puzzle(line: &str) -> Puzzle {
    let row: Value = serde_json::from_str(line).unwrap();
    let text = |key: &str| row[key].as_str().unwrap().to_string();
    let size = Size::new(row["size"].as_u64().unwrap() as usize).unwrap();
    let of = |key: &str, color: Color| -> Vec<(Point, Color)> {
        row[key].as_array().unwrap().iter().map(|p| (point(p.as_str().unwrap()), color)).collect()
    };
    let stones = [of("black", Color::Black), of("white", Color::White)].concat();
    Puzzle {
        id: text("id"),
        kind: text("kind"),
        rule: text("rule").parse().unwrap(),
        win_len: row["win_len"].as_u64().map(|n| n as usize),
        position: Position::from_stones(size, stones, text("side").parse().unwrap()).unwrap(),
    }
}

fn run<R: Rule>(question: Question, position: &Position) -> Run {
    let board = Board::<R>::from_position(position).unwrap();
    let attacker = position.side();
    if question == Question::Threats {
        let mut vct = Vct::<R>::new(1 << 25);
        let mut budget = Budget::nodes(10_000_000);
        let start = seconds();
        let verdict = vct.solve(&board, attacker, &mut budget);
        let solved = seconds();
        let nodes = budget.used();
        let proof = (verdict == Verdict::Win).then(|| vct.proof(&mut Budget::unlimited())).flatten();
        let proven = seconds();
        if let Some(proof) = proof {
            let checked = verify(&mut board.clone(), attacker, &proof, &mut Budget::unlimited());
            assert_eq!(checked, Ok(()));
        }
        let proof = [proven - solved, seconds() - proven];
        return Run { verdict, length: 0, nodes, seconds: solved - start, proof };
    }
    let mut vcf = Vcf::<R>::new(1 << 20);
    let mut budget = Budget::unlimited();
    let start = seconds();
    let verdict = match question {
        Question::Shortest => vcf.shortest(&board, attacker, &mut budget).0,
        _ => vcf.solve(&board, attacker, &mut budget),
    };
    let seconds = seconds() - start;
    Run { verdict, length: vcf.line().len() + 2, nodes: budget.used(), seconds, proof: [0.0; 2] }
}

/// The run of median time.
fn median_run(question: Question, puzzle: &Puzzle) -> Run {
    let mut runs: Vec<Run> = Vec::new();
    while runs.len() < RUNS && runs.first().is_none_or(|run| run.seconds < LONG) {
        runs.push(with_rule!(puzzle.rule, R => run::<R>(question, &puzzle.position)));
    }
    runs.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
    runs.swap_remove(runs.len() / 2)
}

fn is_right(question: Question, puzzle: &Puzzle, run: &Run) -> bool {
    let wins = question == Question::Threats || puzzle.kind == "vcf";
    let expected = if wins { Verdict::Win } else { Verdict::NoWin };
    run.verdict == expected && (question != Question::Shortest || !wins || puzzle.win_len == Some(run.length))
}

fn main() {
    let asked = |word: &str| std::env::args().any(|argument| argument == word);
    let question = match (asked("vct"), asked("shortest")) {
        (true, _) => Question::Threats,
        (_, true) => Question::Shortest,
        _ => Question::FirstWin,
    };
    let of_threats = question == Question::Threats;
    let (mut total, mut renju, mut nodes, mut worst) = (0.0, 0.0, 0, (0.0, String::new()));
    let mut proofs = [0.0; 2];
    for puzzle in include_str!("../tests/data/puzzles.jsonl").lines().map(puzzle) {
        if of_threats && puzzle.kind != "vct" {
            continue;
        }
        let run = median_run(question, &puzzle);
        let right = is_right(question, &puzzle, &run);
        if of_threats || !right || run.seconds > NOTABLE {
            let (ms, wrong) = (run.seconds * 1e3, if right { "" } else { " WRONG" });
            println!("{} {} {ms:.2} ms, {} nodes{wrong}", puzzle.id, puzzle.rule, run.nodes);
        }
        if of_threats {
            let [made, checked] = run.proof.map(|s| s * 1e3);
            println!("    proof made in {made:.2} ms, checked in {checked:.2} ms");
            proofs = [0, 1].map(|i| proofs[i] + run.proof[i]);
        }
        // For wins by fours, only the puzzles that have one count in the sum.
        if of_threats || puzzle.kind == "vcf" {
            total += run.seconds;
            nodes += run.nodes;
            renju += if puzzle.rule == RuleKind::Renju { run.seconds } else { 0.0 };
            if run.seconds > worst.0 {
                worst = (run.seconds, puzzle.id);
            }
        }
    }
    if of_threats {
        let [made, checked] = proofs.map(|s| s * 1e3);
        println!("proofs made in {made:.2} ms and checked in {checked:.2} ms in all");
    }
    println!(
        "{:.2} ms in all, {:.2} ms of it in Renju, worst {:.2} ms ({}), {:.2} M nodes/s",
        total * 1e3,
        renju * 1e3,
        worst.0 * 1e3,
        worst.1,
        nodes as f64 / total / 1e6
    );
}
