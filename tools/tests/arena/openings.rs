//! Openings that engines play by a regulation, and who decides for engines that do not know the commands.

use super::*;

/// Returns the decisions in a game, and the names of Black and White.
fn opening(played: &Played, game: u64) -> (Vec<&str>, [&str; 2]) {
    let record = &played.games[&game];
    let decisions = &record.regulation.as_ref().unwrap().decisions;
    (decisions.iter().map(|d| d.action.as_str()).collect(), [&record.black, &record.white])
}

/// The same openings as the engines' answers, converted by hand: row 0 is row 15.
pub fn swap2() {
    let plan = Plan {
        format: Format::RoundRobin,
        openings: Vec::new(),
        opening_rule: Some("swap2".into()),
        ..plan(&["swaps", "keeps", "leaves"])
    };
    let played = play(&plan, 2);
    let three = "d12 m10 j11";
    let (two, sixth) = ("b2 n14", "i7");
    // In games 1 and 2 swaps and keeps begin in turn, then swaps and leaves, then keeps and leaves.
    for (game, decisions, colors) in [
        (1, vec![three, sixth], ["swaps", "keeps"]),
        (2, vec![three, "swap"], ["swaps", "keeps"]),
        (3, vec![three, two, "swap"], ["swaps", "leaves"]),
        (4, vec![three, "swap"], ["swaps", "leaves"]),
        (5, vec![three, two, sixth], ["leaves", "keeps"]),
        (6, vec![three, sixth], ["leaves", "keeps"]),
    ] {
        assert_eq!(opening(&played, game), (decisions, colors), "game {game}");
    }
    let game = &played.games[&5];
    assert_eq!((game.start.as_str(), game.end), ("d12m10j11b2n14i7", End::Five), "{game:?}");
    let record = game.regulation.as_ref().unwrap();
    assert_eq!((record.opener.as_str(), record.chooser.as_deref()), ("keeps", Some("keeps")));
    let mut standings = Standings::default();
    played.games.values().for_each(|record| standings.add(&plan, record));
    let tally = standings.tally();
    assert_eq!((tally.chooser.games(), tally.chooser_black, tally.left), (6, 3, 2));
    assert_eq!(tally.opener.games(), 6);
}

/// The project's own engine plays openings by every regulation whose steps all have commands.
pub fn every_regulation() {
    for name in Regulation::SPELLINGS {
        let regulation: Regulation = name.split('[').next().unwrap().parse().unwrap();
        let mut plan = Plan {
            openings: Vec::new(),
            opening_rule: Some(regulation.to_string()),
            rule: "renju".into(),
            endings: Endings { moves: Some(12), ..Endings::default() },
            ..plan(&["kagetsu", "kagetsu-2"])
        };
        plan.contestants.iter_mut().for_each(|contestant| contestant.time.nodes = Some(200));
        if !asking::is_complete(regulation) {
            let said = plan.terms().unwrap_err().to_string();
            assert!(said.contains("no command asks engines for all of its steps"), "{regulation}: {said}");
            continue;
        }
        for record in play(&plan, 2).games.values() {
            assert!(!matches!(record.end, End::Fault(_)), "{regulation}: {record:?}");
            let opening = record.regulation.as_ref().unwrap();
            let mut replayed = regulation.start(Size::S15).unwrap();
            for decision in &opening.decisions {
                assert_eq!(decision.engine == opening.opener, replayed.seat() == Seat::P1, "{record:?}");
                replayed.apply(&Action::parse(&decision.action, Size::S15).unwrap()).unwrap();
            }
            assert!(replayed.is_over());
            assert_eq!(
                record.black == opening.opener,
                replayed.holder(Color::Black) == Seat::P1,
                "{record:?}"
            );
            let stones = notation::print(replayed.position());
            assert!(record.start.starts_with(&stones), "{record:?}");
            // At most the first free move, which is named by an answer that keeps the colours at the end of the
            // opening.
            assert!(
                notation::parse(&record.start, None).unwrap().moves().len()
                    <= replayed.position().moves().len() + 1
            );
        }
    }
}

/// Engines without the commands: a list decides, by the pair of games, or the runner's engine if there is one.
pub fn fallback() {
    let lines = ["D4; keep; g9; offer h10 i7; choose i7 a1", "I7; swap; a1; offer c3 d5; choose c3 o15"];
    let plan = Plan {
        openings: Vec::new(),
        opening_rule: Some("rif".into()),
        fallback: Some(Fallback::List(lines.map(str::to_owned).to_vec())),
        games: Some(4),
        ..plan(&["good", "crlf"])
    };
    let played = play(&plan, 1);
    for (game, start, swapped) in [
        (1, "h8h9i9g9i7a1", false),
        (2, "h8h9i9g9i7a1", false),
        (3, "h8i9i7a1c3o15", true),
        (4, "h8i9i7a1c3o15", true),
    ] {
        let record = &played.games[&game];
        assert_eq!(record.start, start, "{record:?}");
        let opener = &record.regulation.as_ref().unwrap().opener;
        assert_eq!(*opener == record.white, swapped, "{record:?}");
    }
    let told = |record: &GameRecord| record.warnings.iter().any(|w| w.contains("decided by the runner"));
    assert!(told(&played.games[&1]), "{:?}", played.games[&1].warnings);
    let plan = Plan { fallback: Some(Fallback::Runner), opening_rule: Some("sakata".into()), ..plan };
    let error = tournament::run(&plan, &HashSet::new(), |_| Ok(Wish::Continue)).unwrap_err();
    assert!(error.to_string().contains("but the caller gave none"), "{error}");
    let games = play_with_runner(&plan);
    assert_eq!(games.len(), 4);
    for record in &games {
        assert!(!matches!(record.end, End::Fault(_)), "{record:?}");
        assert_eq!(notation::parse(&record.start, None).unwrap().moves().len(), 5, "{record:?}");
    }
    assert_eq!(games[0].start, games[1].start, "both games of a pair have one opening");
}

/// In Super Sakata the players may add stones until Black has a row: f6 g7 h8 i9 j10. Nobody is asked for a move then.
pub fn ended() {
    let plan = Plan {
        openings: Vec::new(),
        opening_rule: Some("super-sakata".into()),
        fallback: Some(Fallback::List(vec!["D4; g9 g7; a1 f6; a2 j10; swap".into()])),
        games: Some(1),
        ..plan(&["good", "crlf"])
    };
    let played = play(&plan, 1);
    let record = &played.games[&1];
    assert_eq!(record.start, "h8h9i9g9g7a1f6a2j10", "{record:?}");
    assert_eq!((record.end, record.result.as_str(), record.moves.len()), (End::Five, "1-0", 0), "{record:?}");
}

/// Plays a plan whose runner decides at random where the engines cannot.
fn play_with_runner(plan: &Plan) -> Vec<GameRecord> {
    let runner = |pair| -> Box<dyn Chooser> { Box::new(RandomChooser::new(pair)) };
    let mut games = Vec::new();
    tournament::run_with(plan, &HashSet::new(), Some(&runner), |event| {
        if let Event::Game(record, _) = event {
            games.push(*record);
        }
        Ok(Wish::Continue)
    })
    .unwrap();
    games
}

pub fn swap2_faults() {
    let plan = Plan {
        openings: Vec::new(),
        opening_rule: Some("swap2".into()),
        ..plan(&["keeps", "opens-twice", "greedy", "no-swap2"])
    };
    let played = play(&plan, 2);
    // keeps begins the games of odd numbers.
    for (game, kind, loser, detail) in [
        (2, FaultKind::IllegalMove, "opens-twice", "in the opening: d12 is occupied"),
        (3, FaultKind::IllegalMove, "greedy", "not to put 3 stones"),
        (5, FaultKind::OpeningRefused, "no-swap2", "UNKNOWN command"),
        (6, FaultKind::OpeningRefused, "no-swap2", "UNKNOWN command"),
    ] {
        let record = &played.games[&game];
        assert_eq!(record.end, End::Fault(kind), "{record:?}");
        assert!(record.detail.contains(detail), "{record:?}");
        let lost =
            if record.winner() == Some(kagetsu::game::Color::White) { &record.black } else { &record.white };
        assert_eq!(lost, loser, "game {game}");
        assert_eq!(record.regulation.as_ref().unwrap().chooser, None);
    }
    assert_eq!(played.games[&1].end, End::Five);
}

/// SlowRenju (`main.cpp`) and PentaZen (`protocol.cpp`) say nothing about a command that they do not know. They are asked
/// once. An engine that answers nothing else either has failed, and so has one whose answer comes too late.
pub fn ignored() {
    let plan = Plan {
        openings: Vec::new(),
        opening_rule: Some("swap2".into()),
        fallback: Some(Fallback::Runner),
        games: Some(4),
        ..plan(&["ignores-swap2", "ignores-swap2-too"])
    };
    let told = "SWAP2BOARD was not answered, but ABOUT was: decided by the runner";
    let warned = |record: &GameRecord| record.warnings.iter().filter(|w| w.contains(told)).count();
    for (i, record) in play_with_runner(&plan).iter().enumerate() {
        assert!(!matches!(record.end, End::Fault(_)), "{record:?}");
        assert_eq!(warned(record), if i == 0 { 2 } else { 0 }, "{record:?}");
    }
    for kind in ["hangs-in-swap2", "late-in-swap2"] {
        let contestants = [kind, "good"].map(contestant).to_vec();
        for record in play_with_runner(&Plan { contestants, games: Some(1), ..plan.clone() }) {
            assert_eq!(record.end, End::Fault(FaultKind::Silence), "{record:?}");
        }
    }
}

/// The first engine refuses the command of the opening, and must stand still while the other one ponders. If it runs on, it
/// plays off the board.
pub fn suspended_refusal() {
    if !cfg!(unix) {
        return;
    }
    let plan = Plan {
        openings: Vec::new(),
        opening_rule: Some("swap2".into()),
        fallback: Some(Fallback::Runner),
        games: Some(1),
        suspend: true,
        ..plan(&["runs-on", "ponders"])
    };
    let games = play_with_runner(&plan);
    let [record] = &games[..] else { panic!("{games:?}") };
    let decisions = &record.regulation.as_ref().unwrap().decisions;
    let engines: Vec<&str> = decisions.iter().map(|decision| decision.engine.as_str()).collect();
    assert_eq!(engines, ["runs-on", "ponders"], "{record:?}");
    assert!(decisions[1].ms >= 1000, "{record:?}");
    assert!(!matches!(record.end, End::Fault(_)), "{record:?}");
}

/// An engine that knows no settings reports this only when it is asked for its opening.
pub fn complaints() {
    let plan =
        Plan { openings: Vec::new(), opening_rule: Some("swap2".into()), ..plan(&["keeps", "complains"]) };
    for record in play(&plan, 2).games.values() {
        assert_eq!(record.end, End::Five, "{record:?}");
        assert!(record.warnings.iter().any(|w| w.contains("UNKNOWN setting")), "{record:?}");
    }
}

/// A complaint about a setting refuses no opening, whether or not the engine answers ABOUT. If the fallback decided in its
/// place, the engine's own answer would be a move out of turn.
pub fn complaints_with_fallback() {
    let plan = Plan {
        openings: Vec::new(),
        opening_rule: Some("swap2".into()),
        fallback: Some(Fallback::Runner),
        ..plan(&["keeps", "complains", "complains-always", "complains-silently"])
    };
    let games = play_with_runner(&plan);
    assert_eq!(games.len(), 6);
    for record in &games {
        assert_eq!(record.end, End::Five, "{record:?}");
        let said = |text: &str| record.warnings.iter().any(|warning| warning.contains(text));
        assert!(said("UNKNOWN setting") && !said("decided by the runner"), "{record:?}");
    }
}
