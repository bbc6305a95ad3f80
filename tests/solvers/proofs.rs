//! Every win on the puzzles has a proof that the verifier accepts, and that files keep.

use crate::common::puzzle::{Puzzle, puzzles};
use kagetsu::game::{Board, Color, Freestyle, Point, Renju, Rule};
use kagetsu::solve::proof::{After, Proof, TurnId, Turns};
use kagetsu::solve::proof_io::{Flat, ReadError, from_sgf, to_sgf};
use kagetsu::solve::verify::{Broken, Flaw};
use kagetsu::solve::{Budget, Vcf, Vct, Verdict};
use kagetsu::with_rule;

fn verify<R: Rule>(board: &mut Board<R>, attacker: Color, proof: &Proof) -> Result<(), Broken> {
    kagetsu::solve::verify::verify(board, attacker, proof, &mut Budget::unlimited())
}

fn vcf_proof<R: Rule>(puzzle: &Puzzle, shortest: bool) -> (Board<R>, Proof) {
    let board = Board::<R>::from_position(&puzzle.position()).unwrap();
    let mut vcf = Vcf::new(1 << 20);
    let mut budget = Budget::unlimited();
    let verdict = if shortest {
        vcf.shortest(&board, puzzle.side(), &mut budget).0
    } else {
        vcf.solve(&board, puzzle.side(), &mut budget)
    };
    assert_eq!(verdict, Verdict::Win, "{}", puzzle.id);
    let proof = vcf.proof(&board, puzzle.side(), &mut budget).unwrap();
    (board, proof)
}

fn check_vcf<R: Rule>(puzzle: &Puzzle) {
    let (mut board, proof) = vcf_proof::<R>(puzzle, false);
    assert_eq!(verify(&mut board, puzzle.side(), &proof), Ok(()), "{}", puzzle.id);
    let (mut board, proof) = vcf_proof::<R>(puzzle, true);
    assert_eq!(verify(&mut board, puzzle.side(), &proof), Ok(()), "{}", puzzle.id);
    assert_eq!(Some(proof.length()), puzzle.win_len, "{}", puzzle.id);
    check_files(puzzle, &proof);
}

fn check_files(puzzle: &Puzzle, proof: &Proof) {
    let flat = serde_json::to_string(&Flat::of(proof)).unwrap();
    assert_eq!(serde_json::from_str::<Flat>(&flat).unwrap().proof().as_ref(), Ok(proof));
    let sgf = to_sgf(proof, &puzzle.position(), puzzle.side());
    assert_eq!(from_sgf(&sgf, puzzle.position().size(), puzzle.side()).as_ref(), Ok(proof));
}

/// False if the win is too hard for these limits; a run without limits finds it.
fn check_vct<R: Rule>(puzzle: &Puzzle) -> bool {
    let mut board = Board::<R>::from_position(&puzzle.position()).unwrap();
    let mut vct = Vct::new(1 << 24);
    let mut budget = Budget::nodes(500_000);
    match vct.solve(&board, puzzle.side(), &mut budget) {
        Verdict::Win => {}
        Verdict::Unknown => return false,
        Verdict::NoWin => panic!("{}", puzzle.id),
    }
    let proof = vct.proof(&mut Budget::unlimited()).unwrap();
    assert_eq!(verify(&mut board, puzzle.side(), &proof), Ok(()), "{}", puzzle.id);
    check_files(puzzle, &proof);
    true
}

#[test]
fn wins_by_fours_are_proven() {
    for puzzle in puzzles().iter().filter(|p| p.kind == "vcf") {
        with_rule!(puzzle.rule(), R => check_vcf::<R>(puzzle));
    }
}

#[test]
fn wins_by_threats_are_proven() {
    let puzzles = puzzles();
    let wins: Vec<_> = puzzles.iter().filter(|p| p.kind == "vct").collect();
    let proven = wins.iter().filter(|p| with_rule!(p.rule(), R => check_vct::<R>(p))).count();
    assert!(2 * proven > wins.len(), "{proven} of {}", wins.len());
}

/// Returns a proof of the same turns with another first turn.
fn begun(proof: &Proof, point: Point, after: After) -> Proof {
    let mut turns = proof.turns().clone();
    let root = turns.push(point, after);
    Proof::new(turns, root)
}

/// Drops the answer to one reply at a time and changes moves; the verifier must notice each change.
#[test]
fn damaged_proofs_are_refused() {
    let all = puzzles();
    let puzzle = all.iter().find(|p| p.kind == "vcf" && p.win_len >= Some(11)).unwrap();
    with_rule!(puzzle.rule(), R => {
        let (mut board, proof) = vcf_proof::<R>(puzzle, true);
        let (point, after) = (proof.first().point, proof.first().after.clone());
        let After::Replies { mut listed, otherwise } = after.clone() else { panic!() };
        let (reply, answer) = listed.remove(0);
        let cut = begun(&proof, point, After::Replies { listed, otherwise });
        assert_eq!(verify(&mut board, puzzle.side(), &cut).unwrap_err().flaw, Flaw::Unanswered(reply));
        let occupied = puzzle.position().stones().next().unwrap().0;
        let moved = begun(&proof, occupied, after);
        assert_eq!(verify(&mut board, puzzle.side(), &moved).unwrap_err().flaw, Flaw::NotFree(occupied));
        let claimed = begun(&proof, point, After::Five);
        assert_eq!(verify(&mut board, puzzle.side(), &claimed).unwrap_err().flaw, Flaw::NoFive(point));
        // The answer's stones belong to another position: played at once they prove nothing.
        let answer = Proof::new(proof.turns().clone(), answer);
        assert!(verify(&mut board, puzzle.side(), &answer).is_err());
        assert_eq!(verify(&mut board, puzzle.side(), &proof), Ok(()));
    });
}

/// A turn depends on its stones: that it holds after one reply proves nothing for another.
#[test]
fn shared_turns_are_checked_with_all_their_stones() {
    // Black's open three in row 8 and, far away, White's closed three in column 1.
    let three = "15/15/15/15/15/15/15/6xxx6/15/15/15/o14/o14/o14/x14 x";
    let position = kagetsu::game::notation::setup::parse(three).unwrap();
    let p = crate::common::data::point;
    let proof = |shared: bool| {
        let mut turns = Turns::default();
        let five = |turns: &mut Turns, name| turns.push(p(name), After::Five);
        let (right, left) = (five(&mut turns, "k8"), five(&mut turns, "f8"));
        // The straight four g8-j8 wins if either end is stopped, but not by a five at the stopped end.
        let listed = vec![(p("f8"), right), (p("k8"), if shared { right } else { left })];
        let root = turns.push(p("j8"), After::Replies { listed, otherwise: None });
        Proof::new(turns, root)
    };
    let mut board = Board::<Renju>::from_position(&position).unwrap();
    assert_eq!(verify(&mut board, Color::Black, &proof(false)), Ok(()));
    let broken = verify(&mut board, Color::Black, &proof(true)).unwrap_err();
    assert_eq!(broken, Broken { path: vec![p("j8"), p("k8")], flaw: Flaw::NotFree(p("k8")) });
}

/// The last stone of a board is not a win, and neither is a stone after the other side's five.
#[test]
fn an_end_without_a_five_is_no_proof() {
    let last = |stones: &str, p: &str| {
        let position = kagetsu::game::notation::setup::parse(stones).unwrap();
        let mut board = Board::<Freestyle>::from_position(&position).unwrap();
        let mut turns = Turns::default();
        let after = After::Replies { listed: Vec::new(), otherwise: None };
        let root = turns.push(crate::common::data::point(p), after);
        verify(&mut board, Color::Black, &Proof::new(turns, root)).unwrap_err()
    };
    let path = vec![crate::common::data::point("a1")];
    assert_eq!(last("xxoox/ooxxo/xxoox/ooxxo/1xoox x", "a1"), Broken { path, flaw: Flaw::NothingFollows });
    let won = last("ooooo/xxxx1/5/5/5 x", "e4");
    assert_eq!(won, Broken { path: Vec::new(), flaw: Flaw::Over });
}

/// Black's three in row 8 becomes a straight four by k8, if White has nothing better than to stop one of its ends.
#[test]
fn replies_that_cannot_be_and_a_five_of_the_defender_are_flaws() {
    let p = crate::common::data::point;
    let verdict = |corner: &str, replies: &[(&str, &str)]| {
        let text = format!("15/15/15/15/15/15/15/7xxx5/15/15/15/15/15/15/{corner} x");
        let position = kagetsu::game::notation::setup::parse(&text).unwrap();
        let mut board = Board::<Freestyle>::from_position(&position).unwrap();
        let mut turns = Turns::default();
        let listed: Vec<_> =
            replies.iter().map(|&(reply, five)| (p(reply), turns.push(p(five), After::Five))).collect();
        let root = turns.push(p("k8"), After::Replies { listed, otherwise: None });
        verify(&mut board, Color::Black, &Proof::new(turns, root))
    };
    let both = [("g8", "l8"), ("l8", "g8")];
    let flaw = |flaw| Err(Broken { path: vec![p("k8")], flaw });
    assert_eq!(verdict("15", &both), Ok(()));
    // White has four in a row, and makes the five.
    assert_eq!(verdict("oooo11", &both), flaw(Flaw::DefenderWins(p("e1"))));
    assert_eq!(verdict("15", &[("h8", "g8"), both[0], both[1]]), flaw(Flaw::NoReply(p("h8"))));
    assert_eq!(verdict("15", &[both[0], both[1], both[0]]), flaw(Flaw::NoReply(p("g8"))));
}

/// Two threes cross at h8.
#[test]
fn a_foul_of_the_attacker_is_a_flaw() {
    let position = kagetsu::game::notation::parse("f8a1g8a3h9a5h10a7", None).unwrap();
    let mut board = Board::<Renju>::from_position(&position).unwrap();
    let h8 = crate::common::data::point("h8");
    let mut turns = Turns::default();
    let root = turns.push(h8, After::Replies { listed: Vec::new(), otherwise: None });
    let broken = verify(&mut board, Color::Black, &Proof::new(turns, root)).unwrap_err();
    assert_eq!(broken, Broken { path: Vec::new(), flaw: Flaw::Foul(h8) });
}

/// Black's last stone made a double three, which ended the game.
#[test]
fn after_a_foul_nothing_is_proven() {
    let position = kagetsu::game::notation::parse("f8a1g8a3h9a5h10a7h8", None).unwrap();
    let mut board = Board::<Renju>::from_position(&position).unwrap();
    let mut turns = Turns::default();
    let after = After::Replies { listed: Vec::new(), otherwise: None };
    let root = turns.push(crate::common::data::point("i8"), after);
    let broken = verify(&mut board, Color::Black, &Proof::new(turns, root)).unwrap_err();
    assert_eq!(broken, Broken { path: Vec::new(), flaw: Flaw::Over });
}

/// A recursive walk through such a proof would overflow the stack.
#[test]
fn a_proof_longer_than_any_game_is_not_read() {
    let read = |turns: usize| {
        let turn =
            |next| format!(r#"{{"move":"a1","five":false,"replies":[["b1",{next}]],"otherwise":null}}"#);
        let five = r#"{"move":"a1","five":true,"replies":[],"otherwise":null}"#.to_owned();
        let records: Vec<String> = (1..turns).map(turn).chain([five]).collect();
        serde_json::from_str::<Flat>(&format!("[{}]", records.join(","))).unwrap().proof()
    };
    assert_eq!(read(242).unwrap().length(), 483);
    assert_eq!(read(243), Err(ReadError::Long(485)));
    // In SGF a board bounds the variations inside each other. References join them: each of these parts has 101 turns and
    // ends in the one before it.
    let part = |name: u32, end: &str| {
        let turns = "(;W[ab];B[aa]".repeat(100);
        format!("(;W[ab];B[aa]N[{name}]{turns}(;W[ab];B[aa]C[{end}]{}", ")".repeat(102))
    };
    let read = |parts: &[String]| {
        let text = format!("(;PL[B]\n;B[aa]{})", parts.concat());
        from_sgf(&text, kagetsu::game::Size::S15, Color::Black)
    };
    let parts = [part(1, "five"), part(2, "see 1"), part(3, "see 2")];
    assert_eq!(read(&parts[..2]).unwrap().length(), 1 + 2 * (101 + 101 + 1));
    assert_eq!(read(&parts), Err(ReadError::Long(1 + 2 * (101 + 101 + 101 + 1))));
}

/// One of two answers to all other replies would be lost, and so would a second game.
#[test]
fn nothing_of_a_text_is_left_out() {
    let read = |text: &str| from_sgf(text, kagetsu::game::Size::S15, Color::Black);
    let five = |reply: &str| format!("(;W[{reply}];B[ii]C[five])");
    let proof = |replies: [&str; 3]| format!("(;PL[B]\n;B[hh]{})", replies.map(five).concat());
    let sound = proof(["ao", "bo", ""]);
    assert_eq!(read(&sound).unwrap().size(), 4);
    assert_eq!(read(&format!("{sound}\n \r\n")), read(&sound));
    let twice = proof(["", "ao", ""]);
    assert_eq!(read(&twice), Err(ReadError::Passes(twice.rfind(";W[]").unwrap())));
    for more in [")", "x", "\n(;PL[B];B[aa])"] {
        let at = sound.len() + more.len() - more.trim_start().len();
        assert_eq!(read(&format!("{sound}{more}")), Err(ReadError::Sgf(at)), "{more}");
    }
}

/// Errors end up on a terminal: what they quote is short and has no control characters.
#[test]
fn a_bad_point_is_quoted_like_other_bad_text() {
    let read = |point: &str| {
        let record = serde_json::json!([{"move": point, "five": true, "replies": [], "otherwise": null}]);
        serde_json::from_value::<Flat>(record).unwrap().proof().unwrap_err().to_string()
    };
    assert_eq!(read("w1"), "'w1' is not a point of the board");
    assert_eq!(read("\u{1b}[2J"), "'\\u{1b}[2J' is not a point of the board");
    assert!(read(&"h8".repeat(1000)).len() < 100);
}

/// The puzzle whose proof as a tree has half a million turns. With shared turns it is found, checked and written at
/// once.
#[test]
fn proofs_full_of_transpositions_stay_small() {
    let puzzle = puzzles().into_iter().find(|p| p.id == "P0016").unwrap();
    let mut board = Board::<Renju>::from_position(&puzzle.position()).unwrap();
    let mut vct = Vct::new(1 << 26);
    let mut budget = Budget::nodes(5_000_000);
    assert_eq!(vct.solve(&board, puzzle.side(), &mut budget), Verdict::Win);
    let proof = vct.proof(&mut budget).expect("a proof within the budget");
    assert_eq!(verify(&mut board, puzzle.side(), &proof), Ok(()));
    check_files(&puzzle, &proof);
    let written_out = tree_size(&proof);
    assert!(written_out > 20.0 * proof.size() as f64, "{written_out} turns, {} shared", proof.size());
    // A budget that does not suffice is reported.
    assert_eq!(vct.proof(&mut Budget::nodes(10)), None);
    let unfinished =
        kagetsu::solve::verify::verify(&mut board, puzzle.side(), &proof, &mut Budget::nodes(100));
    assert_eq!(unfinished.unwrap_err().flaw, Flaw::Unfinished);
    assert_eq!(verify(&mut board, puzzle.side(), &proof), Ok(()), "the board is as it was");
}

/// Returns the number of turns of a proof if each is written out at every occurrence.
fn tree_size(proof: &Proof) -> f64 {
    let mut sizes = std::collections::HashMap::<TurnId, f64>::new();
    for id in proof.order().into_iter().rev() {
        let size = match &proof.turns().get(id).after {
            After::Five => 0.0,
            After::Replies { listed, otherwise } => {
                listed.iter().map(|(_, turn)| turn).chain(otherwise).map(|turn| sizes[turn]).sum()
            }
        };
        sizes.insert(id, 1.0 + size);
    }
    sizes[&proof.root()]
}

/// References that lead nowhere, forward or in a circle are errors.
#[test]
fn bad_references_are_refused() {
    let record =
        |replies: &str| format!(r#"{{"move":"h8","five":false,"replies":[{replies}],"otherwise":null}}"#);
    let five = r#"{"move":"i8","five":true,"replies":[],"otherwise":null}"#;
    let read = |text: String| serde_json::from_str::<Flat>(&text).unwrap().proof();
    assert_eq!(read(format!("[{},{five}]", record(r#"["a1",1],["b1",1]"#))).unwrap().size(), 2);
    assert!(read(format!("[{},{five}]", record(r#"["a1",2]"#))).is_err());
    assert!(read(format!("[{},{five}]", record(r#"["a1",0]"#))).is_err());
    assert!(read("[]".into()).is_err());
    let sgf = |answer: &str| {
        format!("(;SZ[15]PL[B]\n;B[hh](;W[ao];B[ii]N[1](;W[ba];B[ji]C[five]))(;W[bo]{answer}))")
    };
    let size = kagetsu::game::Size::S15;
    let read = |answer| from_sgf(&sgf(answer), size, Color::Black);
    assert_eq!(read(";B[ii]C[see 1]").unwrap().size(), 3);
    for bad in [";B[ii]C[see 2]", ";B[ij]C[see 1]", ";B[ii]C[see ]", ";B[ii]C[see 99999999999]"] {
        assert!(read(bad).is_err(), "{bad}");
    }
    assert_eq!(read(";B[ii]N[2](;W[ba];B[ji]C[five])").unwrap().size(), 5);
    assert_eq!(read(";B[ii]N[1](;W[ba];B[ji]C[five])"), Err(ReadError::Name(1)));
    // Deeper than any board.
    let deep = "(;W[ao];B[ii]".repeat(100_000);
    assert!(from_sgf(&format!("(;PL[B];B[hh]{deep}"), size, Color::Black).is_err());
}
