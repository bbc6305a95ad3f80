//! Conversations of random commands with the player in this process, on a clock of the test, against a small model of
//! the protocol: each command with an answer gets one, no square is used twice, Black plays no foul.
//!
//! The bytes that choose the commands come from a generator, or from the fuzzer of `fuzz/` ([`talk`]).

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use kagetsu::book::Shelf;
use kagetsu::clock::Clock;
use kagetsu::game::{Board, Color, Move, Point, Position, Renju, Size};
use kagetsu::protocol;

/// Long enough for any answer on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// A clock that advances a little at each reading, the same in every run.
struct Ticking(AtomicU64);

impl Clock for Ticking {
    fn now(&self) -> Duration {
        Duration::from_micros(self.0.fetch_add(20, Ordering::Relaxed))
    }
}

/// An input whose bytes come from a channel.
struct Fed(Receiver<Vec<u8>>, Vec<u8>);

impl Read for Fed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.1.is_empty() {
            // The sender is gone: this is the end of the input.
            self.1 = self.0.recv().unwrap_or_default();
        }
        let len = self.1.len().min(buffer.len());
        buffer[..len].copy_from_slice(&self.1[..len]);
        self.1.drain(..len);
        Ok(len)
    }
}

/// An output that sends its lines to a channel.
struct Heard(Sender<String>, String);

impl Write for Heard {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.1.push_str(std::str::from_utf8(bytes).expect("replies are UTF-8"));
        while let Some((line, rest)) = self.1.split_once('\n') {
            // The receiver may be gone.
            let _ = self.0.send(line.to_owned());
            self.1 = rest.to_owned();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A source of choices: numbers from bytes, which come to an end.
struct Choices<'a>(&'a [u8]);

impl Choices<'_> {
    /// A number below `end`, at most 256; 0 when nothing is left.
    fn below(&mut self, end: usize) -> usize {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        usize::from(first) % end
    }

    fn one_of<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.below(texts.len())]
    }
}

/// Model of the conversation: what a manager knows of the game, and its channels to the player.
struct Model {
    feed: Sender<Vec<u8>>,
    said: Receiver<String>,
    size: Option<usize>,
    rule: u32,
    /// The stones in order; `None` once a stone was taken back, because the colours are then unknown.
    moves: Option<Vec<(usize, usize)>>,
    taken: Vec<(usize, usize)>,
    history: Vec<String>,
}

impl Model {
    fn send(&mut self, text: &str) {
        self.history.push(text.to_owned());
        self.feed.send(format!("{text}\n").into_bytes()).unwrap();
    }

    /// The next line that is not a message.
    #[track_caller]
    fn reply(&mut self) -> String {
        loop {
            let line = self.said.recv_timeout(PATIENCE);
            let line = line.unwrap_or_else(|error| panic!("{error} after {:?}", self.tail()));
            if !line.starts_with("MESSAGE") {
                return line;
            }
        }
    }

    fn tail(&self) -> &[String] {
        &self.history[self.history.len().saturating_sub(12)..]
    }

    #[track_caller]
    fn ask(&mut self, text: &str, is_right: impl Fn(&str) -> bool) {
        self.send(text);
        let reply = self.reply();
        assert!(is_right(&reply), "'{reply}' after {:?}", self.tail());
    }

    fn refused(&mut self, text: &str) {
        self.ask(text, |reply| reply.starts_with("ERROR ") || reply.starts_with("UNKNOWN "));
    }

    fn start(&mut self, size: usize) {
        self.ask(&format!("START {size}"), |reply| reply == "OK");
        (self.size, self.moves, self.taken) = (Some(size), Some(Vec::new()), Vec::new());
    }

    fn is_full(&self) -> bool {
        self.size.is_some_and(|size| self.taken.len() == size * size)
    }

    fn add(&mut self, square: (usize, usize)) {
        self.taken.push(square);
        self.moves.iter_mut().for_each(|moves| moves.push(square));
    }

    /// Waits for a move, and checks it.
    #[track_caller]
    fn hear_move(&mut self) {
        let reply = self.reply();
        let Some(size) = self.size.filter(|_| !self.is_full()) else {
            assert!(reply.starts_with("ERROR "), "'{reply}' after {:?}", self.tail());
            return;
        };
        let square = reply.split_once(',').and_then(|(x, y)| Some((x.parse().ok()?, y.parse().ok()?)));
        let square: (usize, usize) = square.unwrap_or_else(|| panic!("'{reply}' after {:?}", self.tail()));
        assert!(square.0 < size && square.1 < size, "'{reply}' after {:?}", self.tail());
        assert!(!self.taken.contains(&square), "'{reply}' is occupied, after {:?}", self.tail());
        if self.rule == 4
            && let Some(moves) = &self.moves
        {
            assert!(!is_foul(size, moves, square), "'{reply}' is a foul, after {:?}", self.tail());
        }
        self.add(square);
    }
}

/// Returns whether a stone on `square` is a foul although there are legal points.
fn is_foul(size: usize, moves: &[(usize, usize)], square: (usize, usize)) -> bool {
    let point = |(x, y): (usize, usize)| Point::new(x, size - 1 - y);
    let mut position = Position::new(Size::new(size).unwrap());
    moves.iter().for_each(|&m| position.push(Move::Place(point(m))).unwrap());
    let board = Board::<Renju>::from_position(&position).unwrap();
    let all_are = || board.empty().iter().all(|p| board.is_foul(p, Color::Black));
    position.side() == Color::Black && board.is_foul(point(square), Color::Black) && !all_are()
}

/// Sends a command and checks the answer.
fn command(model: &mut Model, choices: &mut Choices<'_>) {
    let side = model.size.unwrap_or(15);
    let which = choices.below(30);
    let square = (choices.below(side), choices.below(side));
    let text = format!("{},{}", square.0, square.1);
    let is_free = !model.taken.contains(&square);
    match which {
        0 => model.start([5, 6, 7, 8, 9, 15, 15, 20, 22][choices.below(9)]),
        1 if model.size.is_some() => {
            model.ask("RESTART", |reply| reply == "OK");
            (model.moves, model.taken) = (Some(Vec::new()), Vec::new());
        }
        1 => model.refused("RESTART"),
        2 => model.ask("ABOUT", |reply| reply.starts_with("name=\"kagetsu\"")),
        3 => {
            let rule = [0, 1, 4, 8, 9][choices.below(5)];
            model.send(&format!("INFO rule {rule}"));
            model.rule = rule;
        }
        4 => {
            let keys = [
                "timeout_turn",
                "timeout_match",
                "time_left",
                "game_type",
                "nonsense",
                "folder",
                "max_memory",
            ];
            let values = ["0", "5", "1000", "-1", "x", "", "99999999999999999999", "1e3", "50000000"];
            model.send(&format!("INFO {} {}", choices.one_of(&keys), choices.one_of(&values)));
            // The time settings may allow a long search: limit the next one.
            model.send("INFO timeout_turn 20");
            model.send("INFO game_type 0");
        }
        5 => model.refused(choices.one_of(&[
            "\u{1b}[2J",
            "TURN",
            "TURN 7",
            "TURN a,b",
            "TURN 99,99",
            "START 99",
            "FOO",
            "FOO 1",
            "PLAY",
        ])),
        6 => model.send(choices.one_of(&["", "   ", "\r"])),
        7 => take_back(model, &text, square, is_free),
        8 => model.send(choices.one_of(&["STOP", "YXSTOP"])),
        9 if model.size.is_some() => board(model, choices, side),
        10 | 11 if model.size.is_some() => {
            model.send("BEGIN");
            model.hear_move();
        }
        _ if model.size.is_none() => model.refused(&format!("TURN {text}")),
        _ if !is_free => model.refused(&format!("TURN {text}")),
        _ => {
            model.send(&format!("TURN {text}"));
            model.add(square);
            model.hear_move();
        }
    }
}

fn take_back(model: &mut Model, text: &str, square: (usize, usize), is_free: bool) {
    model.send(&format!("TAKEBACK {text}"));
    let reply = model.reply();
    if is_free || model.size.is_none() {
        assert!(reply.starts_with("ERROR "), "'{reply}' after {:?}", model.tail());
    } else {
        assert_eq!(reply, "OK", "after {:?}", model.tail());
        model.taken.retain(|&taken| taken != square);
        model.moves = None;
    }
}

/// A board of stones in turn, the opponent's last. A board with repeated squares is not valid.
fn board(model: &mut Model, choices: &mut Choices<'_>, side: usize) {
    let mut stones: Vec<(usize, usize)> = Vec::new();
    for _ in 0..choices.below(10) {
        let stone = (choices.below(side), choices.below(side));
        if !stones.contains(&stone) {
            stones.push(stone);
        }
    }
    model.send("BOARD");
    for (i, (x, y)) in stones.iter().enumerate() {
        let own = (stones.len() - i).is_multiple_of(2);
        model.send(&format!("{x},{y},{}", if own { 1 } else { 2 }));
    }
    model.send("DONE");
    (model.taken, model.moves) = (stones.clone(), Some(stones));
    model.hear_move();
}

/// Holds a conversation whose commands these bytes choose.
pub fn talk(bytes: &[u8]) {
    let (feed, fed) = channel();
    let (heard, said) = channel();
    let clock = Arc::new(Ticking(AtomicU64::new(0)));
    let player = std::thread::spawn(move || {
        protocol::run(Fed(fed, Vec::new()), Heard(heard, String::new()), clock, Shelf::BuiltIn)
    });
    let mut model = Model {
        feed,
        said,
        size: None,
        rule: 0,
        moves: Some(Vec::new()),
        taken: Vec::new(),
        history: Vec::new(),
    };
    for setting in
        ["INFO max_node 200", "INFO timeout_turn 20", "INFO max_memory 40000000", "INFO thread_num 1"]
    {
        model.send(setting);
    }
    let mut choices = Choices(bytes);
    while !choices.0.is_empty() {
        command(&mut model, &mut choices);
    }
    model.send("END");
    player.join().unwrap().unwrap();
    let rest: Vec<String> = model.said.iter().filter(|line| !line.starts_with("MESSAGE")).collect();
    assert!(rest.is_empty(), "{rest:?} is more than was asked for");
}

#[test]
fn random_conversations_are_answered_as_the_model_says() {
    use kagetsu::random::{Random, RngExt, SeedableRng};

    for seed in 0..6 {
        let mut bytes = [0; 1400];
        Random::seed_from_u64(seed).fill(&mut bytes[..]);
        talk(&bytes);
    }
}
