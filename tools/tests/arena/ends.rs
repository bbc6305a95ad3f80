//! Ends of games: by the rules, passes, reported scores and time.

use super::*;

pub fn rules() {
    for (rule, size) in
        [("freestyle", 20), ("standard", 15), ("renju", 15), ("caro", 15), ("caro6", 22), ("freestyle", 5)]
    {
        let plan = Plan {
            rule: rule.into(),
            size,
            openings: Vec::new(),
            format: Format::RoundRobin,
            send_board: size == 20,
            suspend: rule == "renju",
            restart: rule == "caro",
            ..plan(&["good", "crlf", "suggests"])
        };
        for record in play(&plan, 2).games.values() {
            assert!(!matches!(record.end, End::Fault(_)), "{record:?}");
        }
    }
}

/// From its third move on, an engine passes. Seven stones are on the board then.
pub fn passes() {
    let renju = |kinds: &[&str], passes: Option<usize>| {
        let mut plan = Plan { rule: "renju".into(), ..plan(kinds) };
        plan.endings.passes = passes;
        play(&plan, 2)
    };
    for record in renju(&["passes", "passes"], Some(5)).games.values() {
        assert_eq!((record.end, &*record.result), (End::TwoPasses, "1/2-1/2"), "{record:?}");
        let moves: Vec<&str> = record.moves.iter().map(|m| m.point.as_str()).collect();
        assert_eq!(moves[4..], ["--", "--"], "{record:?}");
        assert!(kagetsu_tools::arena::export::sgf(record, &[]).unwrap().contains(";B[]"), "{record:?}");
    }
    // The other engine learns of a pass by a whole board, and wins.
    for record in renju(&["good", "passes"], Some(5)).games.values() {
        let winner = if record.result == "1-0" { &record.black } else { &record.white };
        assert_eq!((record.end, winner.as_str()), (End::Five, "good"), "{record:?}");
    }
    for record in renju(&["good", "passes"], None).games.values() {
        assert_eq!(record.end, End::Fault(FaultKind::IllegalMove), "{record:?}");
        assert_eq!(record.detail, "-1,-1 is a pass, and none is allowed here");
    }
}

/// From its third move on, an engine reports a score of -12. One stone is on the board before its first.
pub fn scores() {
    let by = |kinds: &[&str], resign: Option<i32>, draw_score: Option<i32>, moves: usize| {
        let rule = |score| ScoreRule { score, moves };
        let adjudication = Adjudication { resign: resign.map(rule), draw_score: draw_score.map(rule) };
        play(&Plan { adjudication, ..plan(kinds) }, 2)
    };
    let (one, both) = (["good", "talks"], ["talks", "talks"]);
    // White moves first. The fifth move of the one that reports a score is the third with it.
    for record in by(&one, Some(12), None, 3).games.values() {
        let (winner, moves) = if record.white == "talks" { ("1-0", 9) } else { ("0-1", 10) };
        assert_eq!((record.end, &*record.result), (End::Resigned, winner), "{record:?}");
        assert_eq!(record.moves.len(), moves, "{record:?}");
    }
    // Both have reported it twice after four moves each.
    for record in by(&both, None, Some(12), 2).games.values() {
        assert_eq!((record.end, &*record.result), (End::DrawScore, "1/2-1/2"), "{record:?}");
        assert_eq!(record.moves.len(), 8, "{record:?}");
    }
    // The score is not so low, not so near to even, or that of one side alone.
    for (kinds, resign, draw) in [(one, Some(13), None), (both, None, Some(11)), (one, None, Some(12))] {
        for record in by(&kinds, resign, draw, 1).games.values() {
            assert_eq!(record.end, End::Five, "{record:?}");
        }
    }
}

/// An engine with 10 ms before byo-yomi thinks longer than that.
pub fn byoyomi() {
    let mut plan = plan(&["good", "thinks"]);
    plan.games = Some(1);
    let time = &mut plan.contestants[1].time;
    (time.turn, time.game) = (None, Some(Duration::from_millis(10)));
    time.byoyomi = "2x60s".parse().ok();
    let played = play(&plan, 1);
    assert_eq!(played.games[&1].end, End::Fault(FaultKind::Crash));
    assert!(played.games[&1].date.as_ref().is_some_and(|date| date.len() == 10));
    let told: Vec<&str> = played.dialogues[&1]
        .lines()
        .skip_while(|line| !line.contains("BLACK") && !line.contains("WHITE"))
        .filter_map(|line| line.split_once("INFO ").map(|(_, setting)| setting))
        .filter(|setting| setting.starts_with("time"))
        .collect();
    let own = told.iter().position(|setting| setting.contains("60010")).unwrap();
    let own = &told[own..];
    let expected = [
        "timeout_turn 60010",
        "timeout_match 60010",
        "time_increment 60000",
        "time_left 60010",
        "timeout_turn 60000",
        "time_left 60000",
        "time_left 60000",
    ];
    assert!(own.starts_with(&expected), "{told:?}");
}
