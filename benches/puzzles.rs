//! The solver on the puzzles of `tests/data/puzzles.jsonl`: time of each, median of five runs, and nodes a second.
//!
//! `cargo bench --bench puzzles [-- shortest|vct]`. Time is wall time inside the solver, so the machine should be idle.

use std::time::Instant;

use kagetsu::game::{Board, Point, Position, RuleKind, Size};
use kagetsu::solve::{Budget, Vcf, Vct, Verdict};
use kagetsu::with_rule;
use serde_json::Value;

fn point(s: &str) -> Point {
    let x = (s.as_bytes()[0] - b'a') as usize;
    Point::new(x, s[1..].parse::<usize>().unwrap() - 1)
}

fn position(v: &Value) -> Position {
    use kagetsu::game::Color::{Black, White};
    let size = Size::new(v["size"].as_u64().unwrap() as usize).unwrap();
    let stones = [("black", Black), ("white", White)]
        .into_iter()
        .flat_map(|(key, c)| v[key].as_array().unwrap().iter().map(move |p| (point(p.as_str().unwrap()), c)));
    Position::from_stones(size, stones, v["side"].as_str().unwrap().parse().unwrap()).unwrap()
}

fn vct() {
    let (mut total, mut renju) = (0.0, 0.0);
    for text in include_str!("../tests/data/puzzles.jsonl").lines() {
        let v: Value = serde_json::from_str(text).unwrap();
        if v["kind"] != "vct" {
            continue;
        }
        let kind: RuleKind = v["rule"].as_str().unwrap().parse().unwrap();
        let position = position(&v);
        let mut runs = Vec::new();
        let mut last = None;
        for _ in 0..5 {
            with_rule!(kind, R => {
                let board = Board::<R>::from_position(&position).unwrap();
                let mut vct = Vct::<R>::new(1 << 25);
                let mut budget = Budget::nodes(10_000_000);
                let start = Instant::now();
                let verdict = vct.solve(&board, position.side(), &mut budget);
                runs.push(start.elapsed().as_secs_f64());
                last = Some((verdict, budget.used()));
            });
            if runs[0] > 1.0 {
                break;
            }
        }
        runs.sort_by(f64::total_cmp);
        let time = runs[runs.len() / 2];
        total += time;
        if kind == RuleKind::Renju {
            renju += time;
        }
        println!("{} {kind} {last:?} {:.2} ms", v["id"], time * 1e3);
    }
    println!("vct: {:.2} ms in all, {:.2} ms in Renju", total * 1e3, renju * 1e3);
}

fn main() {
    if std::env::args().any(|a| a == "vct") {
        return vct();
    }
    let shortest = std::env::args().any(|a| a == "shortest");
    let (mut total, mut nodes, mut worst) = (0.0, 0, (0.0, String::new()));
    for text in include_str!("../tests/data/puzzles.jsonl").lines() {
        let v: Value = serde_json::from_str(text).unwrap();
        let kind: RuleKind = v["rule"].as_str().unwrap().parse().unwrap();
        let position = position(&v);
        let mut runs = Vec::new();
        let mut used = 0;
        let mut verdict = Verdict::Unknown;
        let mut length = 0;
        for _ in 0..5 {
            with_rule!(kind, R => {
                let board = Board::<R>::from_position(&position).unwrap();
                let mut vcf = Vcf::<R>::new(1 << 20);
                let mut budget = Budget::unlimited();
                let start = Instant::now();
                verdict = if shortest {
                    vcf.shortest(&board, position.side(), &mut budget).0
                } else {
                    vcf.solve(&board, position.side(), &mut budget)
                };
                runs.push(start.elapsed().as_secs_f64());
                used = budget.used();
                length = vcf.line().len() + 2;
            });
        }
        runs.sort_by(f64::total_cmp);
        let expected = if v["kind"] == "vcf" { Verdict::Win } else { Verdict::NoWin };
        let right = verdict == expected
            && (!shortest || verdict != Verdict::Win || v["win_len"].as_u64() == Some(length as u64));
        let time = runs[2];
        if v["kind"] == "vcf" {
            total += time;
            nodes += used;
            if time > worst.0 {
                worst = (time, v["id"].to_string());
            }
        }
        if !right || time > 1e-3 {
            println!(
                "{} {kind} {verdict:?} {length} ({}) {:.2} ms, {used} nodes {}",
                v["id"],
                v["win_len"],
                time * 1e3,
                if right { "" } else { "WRONG" }
            );
        }
    }
    println!(
        "vcf: {:.2} ms in all, worst {:.2} ms ({}), {:.2} M nodes/s",
        total * 1e3,
        worst.0 * 1e3,
        worst.1,
        nodes as f64 / total / 1e6
    );
}
