//! The player's view as lines of text: the board with the cursor, and beside it the state of the game.

use std::time::Duration;

use anstyle::Style;

use kagetsu::game::openings26::Opening;
use kagetsu::game::regulation::Choice;
use kagetsu::game::{Color, Diagram, Point};
use kagetsu_console::draw;
use kagetsu_tools::table::play::Seen;
use kagetsu_tools::table::session::{Session, Turn};
use kagetsu_tools::table::wording;
use kagetsu_tools::timing::Reading;
use kagetsu_tools::untrusted;
use kagetsu_tools::words;

/// The game and the state around it that the picture shows.
pub struct View<'a> {
    /// The game.
    pub session: &'a Session,
    /// The engine's level.
    pub level: u8,
    /// The point of the cursor, if there is one.
    pub cursor: Option<Point>,
    /// A move that was recommended.
    pub hint: Option<Point>,
    /// The last thing that was said to the player.
    pub message: &'a str,
    /// The clock's reading.
    pub now: Duration,
}

/// Half the moves that are listed.
const LISTED: usize = 5;
/// Turns of an opening that are listed.
const TURNS: usize = 6;
/// Smallest width at which lines are broken.
const NARROWEST: usize = 20;

impl<'a> View<'a> {
    /// The present view of a table, with a cursor where there is one.
    pub fn of(seen: &Seen<'a>, cursor: Option<Point>) -> View<'a> {
        let Seen { session, level, hint, message, .. } = *seen;
        View { session, level, cursor, hint, message, now: seen.now() }
    }

    /// The board; every cell two columns wide, coloured where `colors`.
    pub fn board(&self, colors: bool) -> Vec<String> {
        let mut diagram = Diagram::of(self.session.position());
        self.choices().iter().for_each(|choice| {
            if let Choice::Choose { fifths, .. } = choice {
                fifths.iter().for_each(|&p| diagram.mark(p, draw::POINT));
            }
        });
        self.hint.into_iter().for_each(|p| diagram.mark(p, draw::FIVE));
        let side = self.session.position().size().side();
        let text = diagram.to_string();
        let row = |(i, line): (usize, &str)| {
            let cursor = self.cursor.filter(|p| i < side && side - 1 - i == p.y());
            // Below the rows stand the letters of the columns.
            if i < side { paint(line, cursor.map(|p| 3 + 2 * p.x()), colors) } else { line.to_owned() }
        };
        text.lines().enumerate().map(row).collect()
    }

    /// Returns the choices in an opening.
    fn choices(&self) -> Vec<Choice> {
        self.session.opening().map_or_else(Vec::new, |opening| opening.choices())
    }

    /// Returns the state of the game, in lines of at most this width, broken between words where possible.
    pub fn panel(&self, width: usize) -> Vec<String> {
        let position = self.session.position();
        let human = self.session.human();
        let so_far = if self.session.opening().is_some() { " so far" } else { "" };
        let sign = |color| if color == Color::Black { 'x' } else { 'o' };
        let rule = self.session.rule();
        let actor = self.session.actor();
        let mut lines = match self.session.is_for_two() {
            true => {
                vec![format!("{rule}, {}", position.size()), format!("{actor} ({}) to move", sign(actor))]
            }
            false => vec![
                format!("{rule}, {}, level {}", position.size(), self.level),
                format!("you are {human} ({}){so_far}", sign(human)),
            ],
        };
        lines.extend(Opening::of_position(position).map(|o| format!("{} {} {}", o.code, o.romaji, o.kanji)));
        if let Some(clock) = self.session.clock(self.now) {
            lines.push(String::new());
            for color in Color::BOTH {
                lines.push(format!("{:6}{}", color.to_string(), shown(&clock[color.index()])));
            }
        }
        lines.push(String::new());
        let told = self.opening_turns();
        lines.extend(if told.is_empty() { self.moves() } else { told });
        lines.push(String::new());
        match self.session.end() {
            Some(end) => lines.push(format!("game over: {end}")),
            None if self.session.is_engines_turn() => lines.push("the engine is thinking".into()),
            None => lines.extend(self.question()),
        }
        if let Some(side) = self.session.offer() {
            lines.push(format!("{side} offers a draw: accept, refuse or play on"));
        }
        lines.extend(untrusted::lines(self.message).lines().map(str::to_owned));
        let width = width.max(NARROWEST);
        lines.iter().flat_map(|line| wrapped(line, width)).collect()
    }

    /// Returns the question to the person.
    fn question(&self) -> Vec<String> {
        let choices = self.choices();
        if choices.is_empty() {
            return vec!["your move".into()];
        }
        let mut lines = wording::question("you may", &choices);
        lines.push(format!("type {}", wording::forms(&choices)));
        lines
    }

    /// Returns the regulation and the actions so far, until both players have seen the opening's last turn.
    fn opening_turns(&self) -> Vec<String> {
        let turns = self.session.turns();
        let is_opening =
            self.session.opening().is_some() || turns.last().is_some_and(|t| t.opening.is_some());
        let Some((regulation, _)) = self.session.regulation().filter(|_| is_opening) else {
            return Vec::new();
        };
        let line = |turn: &Turn| format!("{:>6}: {}", self.player(turn), turn.action);
        let mut lines = vec![format!("opening rule {regulation}")];
        lines.extend(turns[turns.len().saturating_sub(TURNS)..].iter().map(line));
        lines
    }

    /// Returns the word for the player who took a turn.
    fn player(&self, turn: &Turn) -> &'static str {
        match (self.session.is_for_two(), turn.by_human) {
            (false, true) => "you",
            (false, false) => "engine",
            (true, true) => "first",
            (true, false) => "second",
        }
    }

    /// The last moves, two a line.
    fn moves(&self) -> Vec<String> {
        let moves = self.session.position().moves();
        let name = |m: &kagetsu::game::Move| m.point().map_or("pass".to_string(), |p| p.to_string());
        let pairs: Vec<String> = moves
            .chunks(2)
            .enumerate()
            .map(|(i, two)| {
                let names: Vec<String> = two.iter().map(|m| format!("{:5}", name(m))).collect();
                format!("{:>3}. {}", 2 * i + 1, names.concat().trim_end())
            })
            .collect();
        pairs[pairs.len().saturating_sub(LISTED)..].to_vec()
    }
}

/// A line broken where it is too wide; the further lines begin two columns further right.
fn wrapped(line: &str, width: usize) -> Vec<String> {
    if line.chars().count() <= width {
        return vec![line.to_owned()];
    }
    let start = line.chars().take_while(|&c| c == ' ').count();
    let mut lines = vec![" ".repeat(start)];
    let mut is_empty = true;
    for word in line.split_whitespace() {
        let wide = lines.last().map_or(0, |l| l.chars().count()) + 1 + word.chars().count() > width;
        if wide && !is_empty {
            lines.push(" ".repeat(start + 2));
            is_empty = true;
        }
        if let Some(last) = lines.last_mut() {
            *last += if is_empty { "" } else { " " };
            *last += word;
        }
        is_empty = false;
    }
    lines
}

/// A line of a diagram with its colours; the character at `cursor` is shown in reverse.
fn paint(line: &str, cursor: Option<usize>, colors: bool) -> String {
    let mut text = String::new();
    let mut last_move = false;
    for (i, sign) in line.chars().enumerate() {
        last_move |= sign == '[';
        let style = match sign {
            _ if !colors => Style::new(),
            'x' if i > 2 => Style::new().bold(),
            'o' if i > 2 => draw::DOUBTFUL.bold(),
            _ if last_move => Style::new().bold(),
            _ => draw::style(sign),
        };
        last_move &= sign != ']';
        // The cursor has to be seen without colours too.
        let style = if cursor == Some(i) { style.invert() } else { style };
        text += &format!("{style}{sign}{style:#}");
    }
    text
}

/// Returns a clock as text: the time, the moves to the next control, and in byo-yomi the periods left.
fn shown(clock: &Reading) -> String {
    let mut text = minutes(if clock.is_byoyomi() { clock.in_hand } else { clock.main });
    if clock.is_byoyomi() {
        text += &format!(" byo-yomi, {}", words::count(clock.periods, "period"));
    } else if let Some(moves) = clock.to_control {
        text += &format!(" for {}", words::count(moves, "move"));
    }
    text
}

/// Minutes and seconds, and tenths in the last minute.
fn minutes(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..60 => format!("{:>6.1}", time.as_secs_f64()),
        _ => format!("{:>3}:{:02}", seconds / 60, seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kagetsu::game::regulation::{Action, Regulation};
    use kagetsu::game::{Endings, RuleKind, Size, notation};
    use kagetsu_tools::table::session::Terms;
    use kagetsu_tools::timing::{SideClock, Timing};

    fn session() -> Session {
        let timing = Timing { main: Duration::from_secs(600), ..Timing::default() };
        let position = notation::parse("D4 g9", None).unwrap();
        let terms = Terms { timing: Some(timing), ..Terms::of(RuleKind::Renju) };
        Session::new(terms, position, Color::Black, Duration::ZERO)
    }

    #[test]
    fn the_cursor_is_shown_where_it_is() {
        let session = session();
        let cursor = notation::parse_point("c14", session.position().size()).ok();
        let view = View { session: &session, level: 5, cursor, hint: None, message: "", now: Duration::ZERO };
        let board = view.board(false);
        assert_eq!(board.len(), 16);
        assert!(board[1].contains("14 . . \u{1b}[7m.\u{1b}[0m . ."), "{:?}", board[1]);
        assert_eq!(board.iter().filter(|line| line.contains('\u{1b}')).count(), 1);
        assert_eq!(board[6], " 9 . . . . . .[o]o x . . . . . .");
    }

    #[test]
    fn the_panel_tells_the_state() {
        let session = session();
        let view = View {
            session: &session,
            level: 5,
            cursor: None,
            hint: None,
            message: "hello",
            now: Duration::from_millis(540_040),
        };
        let panel = view.panel(80).join("\n");
        for expected in [
            "renju, 15x15, level 5",
            "you are black (x)",
            "D4 Kagetsu",
            "black   60.0",
            "white  10:00",
            "  3. i9   g9",
            "your move\nhello",
        ] {
            assert!(panel.contains(expected), "{expected}: {panel}");
        }
    }

    #[test]
    fn clocks_show_periods_and_controls() {
        let s = Duration::from_secs;
        let timing = Timing { main: s(90), byoyomi: "2x30s".parse().ok(), ..Timing::default() };
        let clock = SideClock::new(timing);
        let at = |seconds: u64| shown(&clock.read(s(seconds)));
        assert_eq!(at(0).trim(), "1:30");
        assert_eq!(at(95).trim(), "25.0 byo-yomi, 2 periods");
        assert_eq!(at(125).trim(), "25.0 byo-yomi, 1 period");
        let control =
            SideClock::new(Timing { main: s(90), control: "40/1h".parse().ok(), ..Timing::default() });
        assert_eq!(shown(&control.read(s(1))).trim(), "1:29 for 40 moves");
    }

    #[test]
    fn an_opening_is_asked_for() {
        let opening = "rif".parse::<Regulation>().unwrap().start(Size::S15).unwrap();
        let mut session =
            Session::with_opening(Terms::of(RuleKind::Renju), opening, Color::White, Duration::ZERO);
        let mut panel = |action: &str, width: usize| {
            session.act(&Action::parse(action, Size::S15).unwrap(), Duration::ZERO).unwrap();
            let now = Duration::ZERO;
            let view = View { session: &session, level: 5, cursor: None, hint: None, message: "", now };
            (view.panel(width).join("\n"), view.board(false).concat())
        };
        let (asked, _) = panel("h8 h9 i9", 80);
        let expected = "opening rule rif\nengine: h8 h9 i9\n\nyou may keep\n     or swap\ntype keep, or swap";
        assert!(asked.contains("you are white (o) so far\n") && asked.ends_with(expected), "{asked}");
        panel("keep", 80);
        panel("g9", 80);
        let (asked, board) = panel("offer h10 i7", 30);
        let expected = "   you: g9\nengine: offer h10 i7\n\nyou may choose stone 5 from\n  h10, i7 and put stone 6\n  anywhere\n";
        assert!(asked.contains(expected), "{asked}");
        assert_eq!(board.matches('+').count(), 2, "the points offered");
        let (asked, board) = panel("choose h10 a1", 80);
        assert!(
            asked.contains("you are white (o)\n") && asked.ends_with("the engine is thinking"),
            "{asked}"
        );
        assert!(asked.contains("   you: choose h10 a1") && !board.contains('+'), "{asked}");
        let (asked, _) = panel("g7", 80);
        assert!(asked.contains("  7. g7") && asked.ends_with("your move"), "{asked}");
    }

    #[test]
    fn an_offer_is_shown() {
        let endings = Endings { agreement: true, ..Endings::default() };
        let terms = Terms { endings, ..Terms::of(RuleKind::Freestyle) };
        let position = notation::parse("h8h9", None).unwrap();
        let mut session = Session::new(terms, position, Color::Black, Duration::ZERO).for_two();
        session.offer_draw().unwrap();
        let now = Duration::ZERO;
        let view = View { session: &session, level: 5, cursor: None, hint: None, message: "", now };
        let panel = view.panel(80).join(" ");
        assert!(panel.contains("black offers a draw: accept, refuse or play on"), "{panel}");
    }

    #[test]
    fn long_lines_are_broken_between_words() {
        assert_eq!(wrapped("  one two three", 9), ["  one two", "    three"]);
        assert_eq!(wrapped("extraordinarily long", 5), ["extraordinarily", "  long"]);
        assert_eq!(wrapped("as it is", 8), ["as it is"]);
    }
}
