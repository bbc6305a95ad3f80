//! The table at which both players sit: the game, the engine as opponent, the clock, and the last message to the
//! player. It carries out commands and knows no terminal.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::bail;

use super::command::{self, Command};
use super::opponent::Opponent;
use super::save::{self, Header};
use super::session::Session;
use super::wording;
use crate::output::{Permit, Stamp};
use crate::record::today;
use crate::timing::Reading;
use kagetsu::clock::Clock;
use kagetsu::decide::Decision;
use kagetsu::game::regulation::Action;
use kagetsu::game::{Point, RuleKind};
use kagetsu::invalid::Invalid;
use kagetsu::search::Score;

/// Writes a file if that is permitted, or returns why it cannot be written, in words for the player.
pub type WriteFile = fn(&Path, &[u8], Permit) -> anyhow::Result<()>;

/// A game in progress.
pub struct Table {
    /// The game.
    pub session: Session,
    /// The engine.
    pub opponent: Opponent,
    /// The last thing said to the player.
    pub message: String,
    hint: Option<Point>,
    clock: Box<dyn Clock>,
    /// The day of the game.
    date: String,
    /// Files written and their contents: these files may be written again.
    saved: BTreeMap<String, Stamp>,
    /// The name of a file that may be replaced.
    replaceable: Option<String>,
    write: WriteFile,
}

/// Contents of the screen while the engine thinks.
pub struct Seen<'a> {
    /// The game.
    pub session: &'a Session,
    /// The engine's level.
    pub level: u8,
    /// A move that was recommended.
    pub hint: Option<Point>,
    /// The last thing said to the player.
    pub message: &'a str,
    clock: &'a dyn Clock,
}

impl Seen<'_> {
    /// Returns the clock's reading.
    pub fn now(&self) -> Duration {
        self.clock.now()
    }

    fn game_clock(&self) -> Option<[Reading; 2]> {
        self.session.clock(self.now())
    }
}

/// The engine, about to move.
pub struct Mover<'a>(&'a mut Opponent);

impl Mover<'_> {
    /// Returns the engine's action; `stop` makes it finish soon.
    pub fn choose(&mut self, seen: &Seen<'_>, stop: &AtomicBool) -> Option<Action> {
        self.0.reply(seen.session, seen.game_clock(), stop)
    }
}

impl Table {
    /// Creates a table with a game that begins now, whose files are written by `write`.
    pub fn new(session: Session, opponent: Opponent, clock: Box<dyn Clock>, write: WriteFile) -> Table {
        let (saved, replaceable) = (BTreeMap::new(), None);
        Table {
            session,
            opponent,
            message: String::new(),
            hint: None,
            clock,
            date: today(),
            saved,
            replaceable,
            write,
        }
    }

    /// Returns the table with permission to replace the file of this name, although it existed before.
    #[must_use]
    pub fn replacing(self, name: Option<String>) -> Table {
        Table { replaceable: name, ..self }
    }

    /// Returns the present contents.
    pub fn seen(&self) -> Seen<'_> {
        Seen {
            session: &self.session,
            level: self.opponent.level(),
            hint: self.hint,
            message: &self.message,
            clock: &*self.clock,
        }
    }

    /// The engine and what is seen, to be used at the same time.
    pub fn split(&mut self) -> (Mover<'_>, Seen<'_>) {
        let level = self.opponent.level();
        let Table { session, opponent, message, hint, clock, .. } = self;
        (Mover(opponent), Seen { session, level, hint: *hint, message, clock: &**clock })
    }

    /// Looks at the clocks.
    pub fn tick(&mut self) {
        self.session.tick(self.clock.now());
    }

    /// Carries out a command; the message tells the result.
    pub fn obey(&mut self, command: Command) {
        let now = self.clock.now();
        // A command after the time has run out comes too late.
        self.session.tick(now);
        self.hint = None;
        self.message = match command {
            Command::Play(_) | Command::Act(_) if self.session.is_engines_turn() => {
                "it is the engine's turn".into()
            }
            Command::Play(p) => self.act(Action::place([p]), now),
            Command::Act(action) => self.act(action, now),
            Command::Undo => {
                self.opponent.expectations.clear();
                said(self.session.undo(now))
            }
            Command::Hint => self.look_for_hint(),
            Command::Level(level) => {
                self.opponent.set_level(level);
                format!("level {level}")
            }
            Command::Resign => {
                self.session.resign(now);
                String::new()
            }
            Command::Draw if self.session.offer().is_some() => said(self.session.answer_offer(true, now)),
            Command::Draw => self.offer_draw(now).unwrap_or_else(|error| error),
            Command::Answer(accepts) => said(self.session.answer_offer(accepts, now)),
            Command::Save(name) => self.save(&name).unwrap_or_else(|error| format!("{error:#}")),
            Command::Help | Command::Quit => command::help(self.session.opening()),
        };
    }

    /// Offers a draw; the engine answers at once.
    fn offer_draw(&mut self, now: Duration) -> Result<String, String> {
        self.session.offer_draw()?;
        if self.session.is_for_two() {
            return Ok(String::new());
        }
        let accepts = self.opponent.expectations.accept_draw(self.session.position());
        self.session.answer_offer(accepts, now)?;
        Ok(if accepts { "the engine accepts" } else { "the engine refuses" }.into())
    }

    /// Carries out the person's action. Returns the message.
    fn act(&mut self, written: Action, now: Duration) -> String {
        let action = match self.session.opening() {
            Some(opening) => wording::meant(written, opening),
            None => written,
        };
        said(self.session.act(&action, now))
    }

    /// Carries out the engine's decision; with `None` it has no move.
    pub fn engine_played(&mut self, answer: Option<Action>) {
        let now = self.clock.now();
        self.session.tick(now);
        self.hint = None;
        if !self.session.is_engines_turn() {
            return;
        }
        let played = answer.map(|action| self.session.act(&action, now));
        match played {
            Some(Ok(())) if self.opponent.expectations.offer_draw(self.session.position()) => {
                self.session.offer_by_engine();
            }
            Some(Ok(())) => {}
            Some(Err(error)) => {
                self.message = format!("the engine resigns: {error}");
                self.session.resign_engine(now);
            }
            None => {
                self.message = "the engine has no move".into();
                self.session.resign_engine(now);
            }
        }
    }

    fn look_for_hint(&mut self) -> String {
        let rule = self.session.rule();
        if let Some(end) = self.session.end() {
            return format!("the game is over: {end}");
        }
        if let Some(opening) = self.session.opening() {
            let advice = self.opponent.advice(&self.session, opening, &AtomicBool::new(false));
            return advice.map_or("there is nothing to be done".into(), |decision| advised(rule, &decision));
        }
        if self.session.has_only_fouls() {
            let must = if self.session.may_pass() { "must pass" } else { "loses by every move" };
            return format!("black has only fouls left and {must}");
        }
        match self.opponent.hint(&self.session, &AtomicBool::new(false)) {
            Err(error) => error.to_string(),
            Ok(study) => {
                self.hint = study.best();
                let line = study.lines.first();
                let moves = line.map(|line| line.names().join(" ")).unwrap_or_default();
                match study.score().and_then(|score| score.mate()) {
                    Some(n) if n > 0 => format!("you win in {n}: {moves}"),
                    Some(n) => format!("lost in {}: {moves}", -n),
                    None => {
                        let rate = study.score().map_or(0.0, |score| score.win_rate(rule));
                        format!("{:.0} %: {moves}", 100.0 * rate)
                    }
                }
            }
        }
    }

    /// Writes the game to a file when it ends. If the file's format cannot hold the game (a pass, for example), or
    /// another program has made the file meanwhile, the game goes to an SGF file beside it.
    ///
    /// # Errors
    /// Why it cannot be written.
    pub fn keep(&mut self, name: &str) -> anyhow::Result<String> {
        let Err(error) = self.save(name) else { return Ok(format!("saved to {name}")) };
        let numbered = (2..10).map(|number| format!("{name}.{number}.sgf"));
        let mut last = String::new();
        for other in std::iter::once(format!("{name}.sgf")).chain(numbered) {
            match self.save(&other) {
                Ok(said) => return Ok(format!("{error:#}; {said}")),
                Err(error) => last = format!("{error:#}"),
            }
        }
        bail!("{error:#}; {last}")
    }

    /// Writes the game to a file.
    ///
    /// # Errors
    /// Why it cannot be written.
    pub fn save(&mut self, name: &str) -> anyhow::Result<String> {
        let engine = format!("kagetsu level {}", self.opponent.level());
        let bytes = save::file(&self.session, name, &Header { engine: &engine, date: &self.date })?;
        let permit = match self.saved.get(name) {
            Some(&stamp) => Permit::Unchanged(stamp),
            None => Permit::force(self.replaceable.as_deref() == Some(name)),
        };
        (self.write)(Path::new(name), &bytes, permit)?;
        self.saved.insert(name.to_owned(), Stamp::of(&bytes));
        Ok(format!("saved to {name}"))
    }
}

fn said(result: Result<(), Invalid>) -> String {
    result.err().map_or_else(String::new, String::from)
}

/// Returns the best action in an opening, with its worth to the player, as text.
fn advised(rule: RuleKind, decision: &Decision) -> String {
    let chances = |score: Score| format!("{:.0} %: ", 100.0 * score.win_rate(rule));
    decision.score.map_or(String::new(), chances) + &decision.action.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output;
    use crate::table::session::{End, Terms};
    use crate::timing::Timing;
    use kagetsu::clock::SystemClock;
    use kagetsu::game::regulation::Regulation;
    use kagetsu::game::{Color, Endings, Position, Size, notation};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    fn write(path: &Path, bytes: &[u8], permit: Permit) -> anyhow::Result<()> {
        output::write(path, bytes, permit)?;
        Ok(())
    }

    fn table(human: Color) -> Table {
        let session =
            Session::new(Terms::of(RuleKind::Freestyle), Position::new(Size::S15), human, Duration::ZERO);
        Table::new(session, Opponent::new(1, 0, 1, 4 << 20), Box::new(SystemClock::new()), write)
    }

    #[test]
    fn a_game_goes_back_and_forth() {
        let mut table = table(Color::Black);
        let center = Size::S15.center();
        table.obey(Command::Play(center));
        assert_eq!((table.message.as_str(), table.session.is_engines_turn()), ("", true));
        table.obey(Command::Play(Point::new(0, 0)));
        assert_eq!(table.message, "it is the engine's turn");
        let (mut engine, seen) = table.split();
        let answer = engine.choose(&seen, &AtomicBool::new(false));
        table.engine_played(answer);
        assert_eq!(table.session.position().moves().len(), 2);
        table.obey(Command::Play(center));
        assert_eq!(table.message, "h8 is occupied");
        table.obey(Command::Level(7));
        assert_eq!(table.opponent.level(), 7);
        table.obey(Command::Undo);
        assert_eq!(table.session.position().moves().len(), 0);
        table.obey(Command::Resign);
        assert!(table.session.end().is_some());
        table.obey(Command::Hint);
        assert!(table.message.starts_with("the game is over"), "{}", table.message);
    }

    #[test]
    fn an_opening_goes_back_and_forth() {
        let opening = "swap2".parse::<Regulation>().unwrap().start(Size::S15).unwrap();
        let session =
            Session::with_opening(Terms::of(RuleKind::Freestyle), opening, Color::White, Duration::ZERO);
        let mut table =
            Table::new(session, Opponent::new(1, 0, 1, 4 << 20), Box::new(SystemClock::new()), write);
        table.obey(Command::Act(Action::Swap));
        assert_eq!(table.message, "it is the engine's turn");
        let (mut engine, seen) = table.split();
        let answer = engine.choose(&seen, &AtomicBool::new(false));
        table.engine_played(answer);
        assert_eq!(table.session.position().moves().len(), 3);
        table.obey(Command::Act(Action::Keep));
        assert!(
            table.message.contains("or swap, or put stones 4 to 5 anywhere; not keep"),
            "{}",
            table.message
        );
        table.obey(Command::Help);
        assert!(table.message.starts_with("POINT, or swap, or POINT POINT; undo"), "{}", table.message);
        table.obey(Command::Act(Action::Swap));
        assert_eq!((table.message.as_str(), table.session.human()), ("", Color::Black));
        assert!(table.session.opening().is_none() && table.session.is_engines_turn());
    }

    #[test]
    fn draws_are_agreed_on() {
        let position = notation::parse("h8h9", None).unwrap();
        let endings = Endings { agreement: true, ..Endings::default() };
        let terms = Terms { endings, ..Terms::of(RuleKind::Freestyle) };
        let table = |two: bool| {
            let session = Session::new(terms, position.clone(), Color::Black, Duration::ZERO);
            let session = if two { session.for_two() } else { session };
            Table::new(session, Opponent::new(1, 0, 1, 4 << 20), Box::new(SystemClock::new()), write)
        };
        let mut with_engine = table(false);
        with_engine.obey(Command::Draw);
        assert_eq!(with_engine.message, "the engine refuses", "it has not looked at the game");
        with_engine.obey(Command::Answer(true));
        assert_eq!(with_engine.message, "nobody has offered a draw");
        let mut people = table(true);
        people.obey(Command::Draw);
        assert_eq!(people.session.offer(), Some(Color::Black));
        people.obey(Command::Answer(true));
        assert_eq!(people.session.end().unwrap().to_string(), "draw: both sides agreed");
    }

    /// A clock that the test sets, in seconds.
    #[derive(Clone, Default)]
    struct SetClock(Arc<AtomicU64>);

    impl Clock for SetClock {
        fn now(&self) -> Duration {
            Duration::from_secs(self.0.load(Ordering::Relaxed))
        }
    }

    #[test]
    fn no_draw_is_agreed_after_the_time_ran_out() {
        for command in [Command::Answer(true), Command::Draw, Command::Resign] {
            let clock = SetClock::default();
            let endings = Endings { agreement: true, ..Endings::default() };
            let timing = Some(Timing { main: Duration::from_secs(10), ..Timing::default() });
            let terms = Terms { endings, timing, ..Terms::of(RuleKind::Freestyle) };
            let position = notation::parse("h8h9", None).unwrap();
            let session = Session::new(terms, position, Color::Black, Duration::ZERO).for_two();
            let opponent = Opponent::new(1, 0, 1, 4 << 20);
            let mut table = Table::new(session, opponent, Box::new(clock.clone()), write);
            table.obey(Command::Draw);
            assert_eq!(table.session.offer(), Some(Color::Black));
            clock.0.store(11, Ordering::Relaxed);
            table.obey(command.clone());
            assert_eq!(table.session.end(), Some(End::Time(Color::Black)), "{command:?}");
            if command != Command::Resign {
                assert_eq!(table.message, "the game is over: white wins: black's time is up", "{command:?}");
            }
        }
    }

    #[test]
    fn an_engine_without_a_move_gives_up() {
        let mut table = table(Color::White);
        table.engine_played(None);
        assert_eq!(table.session.end().unwrap().to_string(), "white wins: black resigns");
    }

    #[test]
    fn games_are_saved() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.sgf");
        let mut table = table(Color::Black);
        table.obey(Command::Save(path.to_str().unwrap().into()));
        assert!(table.message.starts_with("saved to "), "{}", table.message);
        assert!(std::fs::read_to_string(&path).unwrap().contains("PW[kagetsu level 1]"));
        // A table may replace its own file, unless somebody has changed the file since.
        table.obey(Command::Save(path.to_str().unwrap().into()));
        assert!(table.message.starts_with("saved to "), "{}", table.message);
        std::fs::write(&path, "a diary").unwrap();
        table.obey(Command::Save(path.to_str().unwrap().into()));
        assert!(table.message.contains("was changed since it was written"), "{}", table.message);
        let said = table.keep(path.to_str().unwrap()).unwrap();
        assert!(said.ends_with("game.sgf.sgf"), "{said}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "a diary");
        table.obey(Command::Save("game.unknown".into()));
        assert!(table.message.contains("game.sgf"), "{}", table.message);
    }
}
