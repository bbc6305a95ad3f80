//! A study in progress, shown on a terminal: the board beside the best lines, redrawn in place on stderr and removed
//! when the answer is printed. Without a terminal nothing is shown.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use std::{io, thread};

use anstream::{AutoStream, ColorChoice};
use console::{Term, measure_text_width, pad_str, truncate_str};

use super::text::{self, Subject};
use kagetsu::clock::{Clock, SystemClock};
use kagetsu::game::Color;
use kagetsu::search::{Beat, Pulse};
use kagetsu_console::draw;
use kagetsu_console::terminal::Picture;
use kagetsu_tools::study::Study;

/// Cells of the bar that shows who is better.
const BAR: usize = 24;
/// Blanks between the board and what stands beside it.
const GAP: usize = 3;
/// Least number of columns that the text beside the board needs. With fewer left, only the board is shown.
const NARROW: usize = 30;

/// Time between two redraws: seven a second, which is fast enough to be read as continuous.
const TICK: Duration = Duration::from_millis(140);

/// The display of one study.
pub struct Live<'a> {
    subject: &'a Subject,
    picture: Picture,
    term: Term,
    colors: bool,
    clock: SystemClock,
    pulse: Arc<Pulse>,
    known: Mutex<Study>,
}

impl<'a> Live<'a> {
    /// A display on stderr.
    pub fn new(subject: &'a Subject) -> Live<'a> {
        let colors = AutoStream::choice(&io::stderr()) != ColorChoice::Never;
        Live {
            subject,
            picture: Picture::on_stderr(),
            term: Term::stderr(),
            colors,
            clock: SystemClock::new(),
            pulse: Arc::default(),
            known: Mutex::default(),
        }
    }

    /// Returns whether the display is drawn: stderr is a terminal.
    pub fn is_visible(&self) -> bool {
        self.picture.is_visible()
    }

    /// Runs a study, which calls its second argument with every new state of knowledge and writes its progress to the
    /// pulse. Meanwhile time, nodes and the current move are redrawn several times a second.
    pub fn during<T>(&self, work: impl FnOnce(Arc<Pulse>, &mut dyn FnMut(&Study)) -> T) -> T {
        let mut watch = |study: &Study| self.known().clone_from(study);
        if !self.is_visible() {
            return work(self.pulse.clone(), &mut watch);
        }
        let (over, wait) = mpsc::channel::<()>();
        thread::scope(|scope| {
            let tick = move || {
                while wait.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                    self.redraw();
                }
            };
            if let Err(error) = thread::Builder::new().spawn_scoped(scope, tick) {
                log::warn!("no live display: {error}");
            }
            let result = work(self.pulse.clone(), &mut watch);
            drop(over);
            result
        })
    }

    fn known(&self) -> MutexGuard<'_, Study> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn redraw(&self) {
        let mut study = self.known().clone();
        if study.lines.is_empty() {
            return;
        }
        let beat = self.pulse.read();
        study.elapsed = self.clock.now();
        study.nodes = study.nodes.max(beat.nodes);
        let width = usize::from(self.term.size().1);
        self.picture.draw(frame(self.subject, &study, &beat, width, self.colors));
    }
}

/// One picture, no line wider than `width`.
fn frame(subject: &Subject, study: &Study, beat: &Beat, width: usize, colors: bool) -> String {
    let board = draw::lines(&subject.diagram(study), colors);
    let left = board.iter().map(|line| measure_text_width(line)).max().unwrap_or(0) + GAP;
    let room = width.saturating_sub(left + 1);
    let lines: Vec<String> = if room < NARROW {
        board.into_iter().chain(panel(subject, study, beat, width.max(NARROW))).collect()
    } else {
        let panel = panel(subject, study, beat, room);
        let rows = board.len().max(panel.len());
        let cell = |lines: &[String], i: usize| lines.get(i).cloned().unwrap_or_default();
        let row = |i| {
            format!("{}{}", pad_str(&cell(&board, i), left, console::Alignment::Left, None), cell(&panel, i))
        };
        (0..rows).map(row).collect()
    };
    lines
        .iter()
        .map(|line| truncate_str(line, width.saturating_sub(1), "…").into_owned())
        .collect::<Vec<_>>()
        .join("\n")
}

/// Returns the lines beside the board.
fn panel(subject: &Subject, study: &Study, beat: &Beat, width: usize) -> Vec<String> {
    let mut lines = subject.title();
    lines.push(String::new());
    lines.extend(balance(subject, study));
    lines.extend(wrapped(&text::effort(study), width));
    // This line is always there, so that the lines below it do not jump.
    lines.push(at_work(study, beat).unwrap_or_default());
    lines.push(String::new());
    for (i, found) in study.lines.iter().enumerate() {
        lines.push(truncate_str(&text::line(i + 1, subject.rule, found), width, "…").into_owned());
    }
    lines.push(String::new());
    lines.extend(subject.facts(study).iter().flat_map(|fact| wrapped(fact, width)));
    lines.push("ctrl-c stops and gives the answer".into());
    lines
}

/// The move of the iteration that is not finished yet.
fn at_work(study: &Study, beat: &Beat) -> Option<String> {
    let (number, p) = beat.root_move.filter(|_| beat.depth > study.depth)?;
    Some(format!("searching depth {}, move {number}: {p}", beat.depth))
}

/// The two sides' chances as a bar.
fn balance(subject: &Subject, study: &Study) -> Option<String> {
    let own = study.score()?.win_rate(subject.rule);
    let black = if subject.position.side() == Color::Black { own } else { 1.0 - own };
    let cells = (black * BAR as f64).round() as usize;
    Some(format!("black {:>3.0} % {}{} white", 100.0 * black, "█".repeat(cells), "░".repeat(BAR - cells)))
}

/// A text in lines of at most `width` columns, broken at blanks.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.last_mut().expect("never empty");
        if last.is_empty() {
            last.push_str(word);
        } else if measure_text_width(last) + 1 + measure_text_width(word) <= width {
            last.push(' ');
            last.push_str(word);
        } else {
            lines.push(format!("  {word}"));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use kagetsu::game::{Point, RuleKind, notation};
    use kagetsu::search::Score;
    use kagetsu_tools::study::Line;

    const BEAT: Beat = Beat { nodes: 500, depth: 10, root_move: Some((3, Point::new(7, 7))) };

    fn known(subject: &Subject) -> Study {
        let p = |name| notation::parse_point(name, subject.position.size()).ok();
        let moves = ["i10", "g7", "j10", "k10"].iter().cycle().take(40).map(|name| p(name)).collect();
        let lines = vec![Line { score: Score(120), moves }];
        Study { lines, depth: 9, seldepth: 20, hash_permille: Some(123), ..Study::default() }
    }

    #[test]
    fn no_line_is_wider_than_the_terminal() {
        for (size, position) in [(15, "D4 g9"), (20, "h8h9i9g9")] {
            let position = notation::parse(position, kagetsu::game::Size::new(size).ok()).unwrap();
            let subject = Subject::new(position, RuleKind::Renju).unwrap();
            for width in [20, 50, 80, 200] {
                let frame = frame(&subject, &known(&subject), &BEAT, width, true);
                assert!(frame.lines().all(|line| measure_text_width(line) < width.max(2)), "{frame}");
                assert!(frame.lines().count() > size);
            }
        }
    }

    #[test]
    fn the_board_stands_beside_the_lines() {
        let subject = Subject::new(notation::parse("D4 g9", None).unwrap(), RuleKind::Renju).unwrap();
        let frame = frame(&subject, &known(&subject), &BEAT, 100, false);
        assert!(!frame.contains('\u{1b}'));
        let first = frame.lines().next().unwrap();
        assert_eq!(first, "15 . . . . . . . . . . . . . . .   renju, 15x15, black to move");
        let ten = frame.lines().nth(5).unwrap();
        assert!(ten.starts_with("10 . . . . . . . . 1 . ."), "{ten}");
        let black = Score(120).win_rate(RuleKind::Renju);
        assert!(frame.contains(&format!("black {:>3.0} % █", 100.0 * black)), "{frame}");
        let cells = |sign: char| frame.chars().filter(|&c| c == sign).count() as f64;
        assert!((cells('█') / (cells('█') + cells('░')) - black).abs() < 0.03, "{frame}");
        assert!(frame.contains("hash 12.3 %"), "{frame}");
        assert!(frame.contains("searching depth 10, move 3: h8"), "{frame}");
    }

    #[test]
    fn long_texts_are_broken_at_blanks() {
        assert_eq!(wrapped("one two three", 8), ["one two", "  three"]);
        assert_eq!(wrapped("", 8), [""]);
    }
}
