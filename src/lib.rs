//! kagetsu, a gomoku and Renju engine: exact rules, a search with nets, solvers of forced wins.
//!
//! **Rules.** A [`Position`](game::Position) is stones and moves; a [`Board`](game::Board) knows a rule.
//!
//! ```
//! use kagetsu::game::{Board, Freestyle, notation};
//!
//! let position = notation::parse("h8 a1 i8 a2 j8 a3 k8 a4 l8", None)?;
//! let board = Board::<Freestyle>::from_position(&position)?;
//! assert_eq!(board.winner(), Some(kagetsu::game::Color::Black));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Fouls, with reasons.** Two threes of Black's cross at h8, which Renju forbids.
//!
//! ```
//! use kagetsu::game::{Board, Renju, notation};
//!
//! let position = notation::parse("f8a1g8a3h9a5h10a7", None)?;
//! let board = Board::<Renju>::from_position(&position)?;
//! let h8 = notation::parse_point("h8", position.size())?;
//! assert!(board.is_foul(h8, position.side()));
//! assert!(board.explain(h8).to_string().starts_with("h8: foul 33"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Search.** An [`Engine`](engine::Engine) finds a move within limits.
//!
//! ```
//! use kagetsu::clock::{Clock, SystemClock};
//! use kagetsu::engine::Engine;
//! use kagetsu::game::notation;
//! use kagetsu::search::{Context, Limits};
//! use std::sync::atomic::AtomicBool;
//!
//! let mut engine = Engine::new();
//! engine.set_position(notation::parse("h8 h9 i8 g8 j8", None)?);
//! let (clock, stop) = (SystemClock::new(), AtomicBool::new(false));
//! // Limits of time count from `start`, so every search has a context of its own.
//! let context = Context { clock: &clock, start: clock.now(), stop: &stop };
//! let limits = Limits { nodes: Some(1_000), ..Limits::default() };
//! let (best, report) = engine.go(&limits, &context, &mut |_| {}).expect("an empty point");
//! assert_eq!(report.lines[0].moves[0], best);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **A solver's proof.** [`Vcf`](solve::Vcf) finds a win by continuous fours; the proof covers every reply, and
//! [`verify`](solve::verify::verify) checks it with the rules alone.
//!
//! ```
//! use kagetsu::game::{Board, Color, Freestyle, notation};
//! use kagetsu::solve::{Budget, Vcf, Verdict, verify::verify};
//!
//! let position = notation::parse("e8d8f8h4g8a1h5a3h6a5h7a7", None)?;
//! let mut board = Board::<Freestyle>::from_position(&position)?;
//! let (mut vcf, mut budget) = (Vcf::new(1 << 20), Budget::nodes(100_000));
//! assert_eq!(vcf.solve(&board, Color::Black, &mut budget), Verdict::Win);
//! let proof = vcf.proof(&board, Color::Black, &mut budget).expect("nodes enough");
//! assert!(verify(&mut board, Color::Black, &proof, &mut Budget::unlimited()).is_ok());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **The review of a game**, game files, matches, self-play and the building of books are in the library `kagetsu-tools`, the
//! command line in `kagetsu-cli`. `examples/` and `tools/examples/` show each of the five uses as a program,
//! and others.
//!
//! **Units.** A [`Point`](game::Point) has a column from the left and a row from the bottom, both from 0, so `h8` is
//! `Point::new(7, 7)`. A [`Score`](search::Score) is from the view of the side to move;
//! [`Score::win_rate`](search::Score::win_rate) makes an expected share of the points of it, and
//! [`Score::mate`](search::Score::mate) the plies to a proven end. Depths and lengths are in plies, nodes are moves made on the
//! board, memory is in bytes, and times are [`Duration`](std::time::Duration)s.
//!
//! **Errors.** Readers and builders return a `Result`, whose error says what was wrong and what was expected.
//! All of them are [`std::error::Error`]s; [`Invalid`](invalid::Invalid) is a text alone. A search and a
//! solver do not fail: [`Engine::go`](engine::Engine::go) gives a move as long as a point is empty, and a
//! solver whose budget is used up answers [`Verdict::Unknown`](solve::Verdict::Unknown).
//!
//! The layers of this crate, each using only itself and those above it:
//!
//! | layer | its job |
//! |---|---|
//! | [`invalid`] | says in words why a text or a value is not valid |
//! | [`clock`] | reads the time |
//! | [`random`] | seeded choices |
//! | [`lock`] | files that one process writes at a time |
//! | [`disk`] | the steps by which files change, which tests can make fail |
//! | [`parent`] | reports the end of the process that started this one |
//! | [`game`] | the rules: boards, shapes, fouls, winner, notation |
//! | [`eval`] | the net: from line shapes to a score, and priors of moves |
//! | [`solve`] | forced wins under a budget, proofs and their verifier |
//! | [`book`] | the opening book: positions, moves and their file |
//! | [`search`] | finds a move |
//! | [`engine`] | the façade: options, a position, a move for it |
//! | [`decide`] | decides in an opening: balanced stones, sides, fifth moves |
//! | [`protocol`] | speaks the Gomocup protocol |
#![deny(missing_docs)]
// Module docs are for readers of the source too, and lead them on to private modules.
#![allow(rustdoc::private_intra_doc_links)]

pub mod book;
pub mod clock;
pub mod decide;
pub mod disk;
pub mod engine;
pub mod eval;
pub mod game;
pub mod invalid;
pub mod lock;
pub mod parent;
pub mod protocol;
pub mod random;
pub mod search;
pub mod solve;
