//! Tests of a game's course: moves, clocks, undo, openings, offers.

use super::*;
use kagetsu::game::{Draw, Size, notation};

const fn s(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// Returns a timing of this many seconds for the game, and a second after each move.
fn timing(seconds: u64) -> Option<Timing> {
    Some(Timing { main: s(seconds), increment: s(1), ..Timing::default() })
}

/// Returns the time left for both sides.
fn left(session: &Session, now: u64) -> [Duration; 2] {
    session.clock(s(now)).unwrap().map(|reading| reading.main)
}

fn session(position: &str, timing: Option<Timing>) -> Session {
    let position = notation::parse(position, Some(Size::S15)).unwrap();
    Session::new(Terms { timing, ..Terms::of(RuleKind::Renju) }, position, Color::Black, s(0))
}

fn play(session: &mut Session, action: &str, now: u64) -> Result<(), Invalid> {
    session.act(&Action::parse(action, Size::S15).unwrap(), s(now))
}

fn choosing(regulation: &str, human: Color, timing: Option<Timing>) -> Session {
    let opening = regulation.parse::<Regulation>().unwrap().start(Size::S15).unwrap();
    Session::with_opening(Terms { timing, ..Terms::of(RuleKind::Renju) }, opening, human, s(0))
}

#[test]
fn only_legal_moves_are_played() {
    let mut session = session("f8a1g8a3h9a5h10a7", None);
    assert_eq!(play(&mut session, "h8", 0), Err("h8 is a foul for black (33)".into()));
    assert_eq!(play(&mut session, "a1", 0), Err("a1 is occupied".into()));
    assert_eq!(play(&mut session, "k10", 0), Ok(()));
    assert!(session.is_engines_turn());
}

#[test]
fn a_row_ends_the_game() {
    let mut session = session("d4a1e4a2f4a3g4a4", None);
    play(&mut session, "h4", 0).unwrap();
    assert_eq!(session.end(), Some(End::Rule(Outcome::Row(Color::Black))));
    assert!(!session.is_engines_turn());
    assert_eq!(play(&mut session, "o15", 0), Err("the game is over: black wins by a row".into()));
    session.undo(s(0)).unwrap();
    assert_eq!((session.end(), session.position().moves().len()), (None, 8));
    assert!(session.undo(s(0)).is_err(), "the moves that were given stay");
    assert_eq!(End::Rule(Outcome::Draw(Draw::FullBoard)).winner(), None);
}

#[test]
fn undo_returns_to_the_persons_turn() {
    let mut session = session("", None);
    for name in ["h8", "h9", "i9"] {
        play(&mut session, name, 0).unwrap();
    }
    session.undo(s(0)).unwrap();
    assert_eq!(notation::moves::print(session.position().moves()), "h8h9");
    session.undo(s(0)).unwrap();
    assert_eq!(session.position().moves().len(), 0);
    assert!(session.undo(s(0)).is_err());
    let mut second = Session::new(Terms::of(RuleKind::Renju), Position::new(Size::S15), Color::White, s(0));
    assert!(second.is_engines_turn());
    play(&mut second, "h8", 0).unwrap();
    assert!(second.undo(s(0)).is_err(), "the engine's first move is not the person's");
}

#[test]
fn clocks_run_and_go_back() {
    let mut session = session("", timing(10));
    assert_eq!(left(&session, 3), [s(7), s(10)]);
    play(&mut session, "h8", 4).unwrap();
    assert_eq!(left(&session, 6), [s(7), s(8)]);
    play(&mut session, "h9", 6).unwrap();
    session.undo(s(20)).unwrap();
    assert_eq!(left(&session, 21), [s(9), s(10)]);
    session.tick(s(29));
    assert_eq!(session.end(), None);
    session.tick(s(30));
    assert_eq!(session.end(), Some(End::Time(Color::Black)));
    assert_eq!(session.end().unwrap().to_string(), "white wins: black's time is up");
}

#[test]
fn clocks_stand_still_at_the_end() {
    let mut session = session("", timing(10));
    play(&mut session, "h8", 4).unwrap();
    play(&mut session, "h9", 6).unwrap();
    session.tick(s(13));
    assert_eq!(session.end(), Some(End::Time(Color::Black)));
    assert_eq!(left(&session, 60), [s(0), s(9)]);
    session.undo(s(60)).unwrap();
    assert_eq!(left(&session, 61), [s(9), s(10)]);
    session.resign(s(64));
    assert_eq!(left(&session, 90), [s(6), s(10)]);
}

#[test]
fn two_people_play_undo_and_resign_in_turn() {
    let mut session = session("", timing(10)).for_two();
    for (p, now) in [("h8", 4), ("h9", 6), ("i9", 7)] {
        assert!(!session.is_engines_turn());
        play(&mut session, p, now).unwrap();
    }
    assert_eq!(left(&session, 7), [s(7), s(9)]);
    session.undo(s(8)).unwrap();
    assert_eq!((session.position().moves().len(), session.actor()), (2, Color::Black));
    play(&mut session, "i8", 8).unwrap();
    session.resign(s(9));
    assert_eq!(session.end(), Some(End::Resigned(Color::White)));
    let mut opening = choosing("swap", Color::Black, None).for_two();
    for action in ["h8 h9 i9", "swap", "g7"] {
        play(&mut opening, action, 0).unwrap();
    }
    assert_eq!((opening.opening().is_none(), opening.position().moves().len()), (true, 4));
}

#[test]
fn an_opening_leads_to_a_game() {
    let mut session = choosing("rif", Color::White, None);
    assert!(session.is_engines_turn());
    play(&mut session, "h8 h9 i9", 0).unwrap();
    assert_eq!(
        (session.human(), session.actor(), session.is_engines_turn()),
        (Color::White, Color::White, false)
    );
    let refusal = play(&mut session, "g9", 0).unwrap_err();
    assert_eq!(refusal.to_string(), "as white so far you may keep, or swap; not put a stone");
    play(&mut session, "swap", 0).unwrap();
    assert_eq!((session.human(), session.is_engines_turn()), (Color::Black, true));
    play(&mut session, "g9", 0).unwrap();
    assert_eq!(play(&mut session, "offer g8", 0), Err("expected 2 points for the fifth stone, not 1".into()));
    play(&mut session, "offer h10 i7", 0).unwrap();
    assert_eq!(
        (session.actor(), session.is_engines_turn()),
        (Color::White, true),
        "White chooses Black's stone"
    );
    play(&mut session, "choose i7 g7", 0).unwrap();
    assert!(session.opening().is_none() && !session.is_engines_turn());
    assert_eq!(play(&mut session, "swap", 0), Err("expected a point or pass, not 'swap'".into()));
    assert_eq!(play(&mut session, "h8", 0), Err("h8 is occupied".into()));
    play(&mut session, "h10", 0).unwrap();
    assert_eq!(notation::moves::print(session.position().moves()), "h8h9i9g9i7g7h10");
}

#[test]
fn undo_goes_back_into_the_opening() {
    let mut session = choosing("rif", Color::White, None);
    for action in ["h8 h9 i9", "swap", "g9", "offer h10 i7", "choose i7 g7", "h10"] {
        play(&mut session, action, 0).unwrap();
    }
    session.undo(s(0)).unwrap();
    assert!(session.opening().is_none() && session.position().moves().len() == 6);
    session.undo(s(0)).unwrap();
    assert_eq!((session.position().moves().len(), session.human()), (4, Color::Black));
    play(&mut session, "offer h10 g8", 0).unwrap();
    session.undo(s(0)).unwrap();
    session.undo(s(0)).unwrap();
    assert_eq!((session.position().moves().len(), session.human()), (3, Color::White));
    assert!(session.undo(s(0)).is_err(), "the engine's stones are not the person's");
    play(&mut session, "keep", 0).unwrap();
    assert_eq!((session.human(), session.is_engines_turn()), (Color::White, false));
}

#[test]
fn clocks_stay_with_the_players_when_colours_are_exchanged() {
    let mut session = choosing("swap2", Color::White, timing(100));
    play(&mut session, "h8 h9 a1", 10).unwrap();
    assert_eq!(left(&session, 15), [s(91), s(95)]);
    play(&mut session, "swap", 15).unwrap();
    // The person is Black now and has used 5 s; the engine is to move.
    assert_eq!((session.human(), session.actor()), (Color::Black, Color::White));
    assert_eq!(left(&session, 18), [s(96), s(88)]);
    session.undo(s(20)).unwrap();
    assert_eq!(left(&session, 20), [s(91), s(100)]);
    // The player who keeps has to act next, and gets no increment for keeping. The one who puts two stones hands the
    // choice over.
    play(&mut session, "a15 o15", 22).unwrap();
    assert_eq!((session.human(), session.actor()), (Color::Black, Color::White));
    assert_eq!(left(&session, 22), [s(99), s(91)]);
    let mut keeps = choosing("swap", Color::White, timing(50));
    play(&mut keeps, "h8 h9 a1", 10).unwrap();
    play(&mut keeps, "keep", 12).unwrap();
    assert_eq!(left(&keeps, 12), [s(41), s(48)]);
    keeps.tick(s(60));
    assert_eq!(keeps.end(), Some(End::Time(Color::White)));
}
#[test]
fn controls_and_byoyomi_run_for_each_side() {
    let timing = Timing {
        main: s(10),
        control: "2/20s".parse().ok(),
        byoyomi: "2x5s".parse().ok(),
        ..Timing::default()
    };
    let mut session = session("", Some(timing)).for_two();
    play(&mut session, "h8", 8).unwrap();
    play(&mut session, "h9", 8).unwrap();
    let black = session.clock(s(12)).unwrap()[0];
    assert_eq!(
        (black.is_byoyomi(), black.in_hand, black.periods, black.to_control),
        (true, s(3), 2, Some(1))
    );
    play(&mut session, "i9", 16).unwrap();
    assert_eq!(left(&session, 16), [s(20), s(10)], "the control; one period is gone");
    play(&mut session, "i10", 16).unwrap();
    assert_eq!(session.clock(s(16)).unwrap()[0].periods, 1);
    session.tick(s(40));
    assert_eq!(session.end(), None);
    session.undo(s(40)).unwrap();
    session.undo(s(40)).unwrap();
    assert_eq!(session.clock(s(40)).unwrap()[0].periods, 2, "the clocks go back");
    session.tick(s(52));
    assert_eq!(session.end(), Some(End::Time(Color::Black)));
}

#[test]
fn draws_are_offered_accepted_and_refused() {
    let endings = Endings { agreement: true, ..Endings::default() };
    let terms = Terms { endings, ..Terms::of(RuleKind::Renju) };
    let mut session = Session::new(terms, Position::new(Size::S15), Color::Black, s(0));
    assert!(session.answer_offer(true, s(0)).is_err(), "nobody has offered");
    session.offer_draw().unwrap();
    assert_eq!(session.offer(), Some(Color::Black));
    assert!(session.offer_draw().is_err());
    session.answer_offer(false, s(0)).unwrap();
    assert!(session.offer_draw().unwrap_err().to_string().contains("after your next move"));
    play(&mut session, "h8", 0).unwrap();
    play(&mut session, "h9", 0).unwrap();
    session.offer_by_engine();
    assert_eq!(session.offer(), Some(Color::White));
    play(&mut session, "i9", 0).unwrap();
    assert_eq!((session.offer(), session.end()), (None, None), "who plays on refuses");
    play(&mut session, "i8", 0).unwrap();
    session.offer_draw().unwrap();
    session.answer_offer(true, s(0)).unwrap();
    assert_eq!(session.end(), Some(End::Rule(Outcome::Draw(Draw::Agreement))));
    session.undo(s(0)).unwrap();
    assert_eq!((session.end(), session.offer()), (None, None));
    let mut plain = Session::new(Terms::of(RuleKind::Renju), Position::new(Size::S15), Color::Black, s(0));
    assert!(plain.offer_draw().unwrap_err().to_string().contains("--agreement"));
    let opening = "rif".parse::<Regulation>().unwrap().start(Size::S15).unwrap();
    let mut opened = Session::with_opening(terms, opening, Color::Black, s(0));
    assert!(opened.offer_draw().unwrap_err().to_string().contains("the opening is not over"));
}
