//! The keyboard: a cursor on the board and a line of text, and the effect of each key on them.

use crossterm::event::{KeyCode, KeyModifiers};

use kagetsu::game::regulation::Opening;
use kagetsu::game::{Point, Size};
use kagetsu::invalid::Invalid;
use kagetsu_tools::table::command::{self, Command};

/// Line editor of the player's input.
pub struct Editor {
    size: Size,
    cursor: Point,
    input: String,
    /// The texts entered, the oldest first, without repetitions in a row.
    history: Vec<String>,
    /// Index of the entry shown; the number of entries while the line shows a new text.
    shown: usize,
}

/// Texts that are remembered.
const REMEMBERED: usize = 100;

impl Editor {
    /// A cursor in the middle and no text.
    pub fn new(size: Size) -> Editor {
        Editor { size, cursor: size.center(), input: String::new(), history: Vec::new(), shown: 0 }
    }

    /// The cursor's point.
    pub fn cursor(&self) -> Point {
        self.cursor
    }

    /// The text so far.
    pub fn input(&self) -> &str {
        &self.input
    }

    /// Puts the cursor on a point.
    pub fn move_to(&mut self, p: Point) {
        self.cursor = p;
    }

    /// Takes a key; returns a whole command, or what is wrong with it. In both cases the line is empty afterwards, and
    /// the text can be fetched back: by ctrl-p and ctrl-n, or by the arrows up and down while the line holds a text. In
    /// an `opening`, which may need several points, the arrows always move the cursor, the space bar writes its point,
    /// and enter reads the line.
    pub fn key(
        &mut self,
        code: KeyCode,
        modifiers: KeyModifiers,
        opening: Option<&Opening>,
    ) -> Option<Result<Command, Invalid>> {
        // Windows reports AltGr as ctrl with alt: it types a character.
        if modifiers.contains(KeyModifiers::CONTROL) && !modifiers.contains(KeyModifiers::ALT) {
            return match code {
                KeyCode::Char('c' | 'd') => Some(Ok(Command::Quit)),
                KeyCode::Char('z') => Some(Ok(Command::Undo)),
                other => {
                    match other {
                        KeyCode::Char('u') => self.clear(),
                        KeyCode::Char('w') => self.drop_word(),
                        KeyCode::Char('p') => self.recall(self.shown.checked_sub(1)),
                        KeyCode::Char('n') => self.recall(Some(self.shown + 1)),
                        _ => {}
                    }
                    None
                }
            };
        }
        match code {
            KeyCode::Up if opening.is_none() && !self.input.is_empty() => {
                self.recall(self.shown.checked_sub(1))
            }
            KeyCode::Down if opening.is_none() && !self.input.is_empty() => self.recall(Some(self.shown + 1)),
            KeyCode::Left => self.step(-1, 0),
            KeyCode::Right => self.step(1, 0),
            KeyCode::Up => self.step(0, 1),
            KeyCode::Down => self.step(0, -1),
            KeyCode::Char(' ')
                if opening.is_some() && (self.input.is_empty() || self.input.ends_with(' ')) =>
            {
                self.input += &format!("{} ", self.cursor);
            }
            KeyCode::Char(c) if !c.is_control() && (c != ' ' || !self.input.is_empty()) => self.input.push(c),
            KeyCode::Char(' ') => return Some(Ok(Command::Play(self.cursor))),
            KeyCode::Backspace => drop(self.input.pop()),
            KeyCode::Esc => self.clear(),
            KeyCode::Tab => return Some(Ok(Command::Hint)),
            KeyCode::Enter if self.input.trim().is_empty() => return Some(Ok(Command::Play(self.cursor))),
            KeyCode::Enter => {
                let text = std::mem::take(&mut self.input);
                let command = command::parse(&text, self.size, opening);
                self.remember(text);
                return Some(command);
            }
            _ => {}
        }
        None
    }

    fn clear(&mut self) {
        self.input.clear();
        self.shown = self.history.len();
    }

    /// Takes the last word off the line, with the blanks after it.
    fn drop_word(&mut self) {
        let rest = self.input.trim_end();
        let end = rest.rfind(char::is_whitespace).map_or(0, |at| at + 1);
        self.input.truncate(end);
    }

    fn remember(&mut self, text: String) {
        if self.history.last() != Some(&text) {
            self.history.push(text);
        }
        if self.history.len() > REMEMBERED {
            self.history.remove(0);
        }
        self.shown = self.history.len();
    }

    /// Shows an earlier text; after the newest one comes an empty line.
    fn recall(&mut self, number: Option<usize>) {
        let Some(number) = number.filter(|&number| number <= self.history.len()) else { return };
        self.shown = number;
        self.input = self.history.get(number).cloned().unwrap_or_default();
    }

    /// Moves the cursor, within the board.
    fn step(&mut self, dx: isize, dy: isize) {
        let to = |at: usize, by: isize| at.saturating_add_signed(by).min(self.size.side() - 1);
        self.cursor = Point::new(to(self.cursor.x(), dx), to(self.cursor.y(), dy));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kagetsu::game::regulation::{Action, Regulation};

    fn keys(editor: &mut Editor, codes: &[KeyCode]) -> Option<Result<Command, Invalid>> {
        codes.iter().map(|&code| editor.key(code, KeyModifiers::NONE, None)).last().flatten()
    }

    #[test]
    fn the_cursor_stays_on_the_board() {
        let mut editor = Editor::new(Size::S15);
        let played = keys(&mut editor, &[KeyCode::Right, KeyCode::Up, KeyCode::Up, KeyCode::Enter]);
        assert_eq!(played, Some(Ok(Command::Play(Point::new(8, 9)))));
        keys(&mut editor, &[KeyCode::Right; 30]);
        keys(&mut editor, &[KeyCode::Down; 30]);
        assert_eq!(editor.cursor(), Point::new(14, 0));
    }

    #[test]
    fn typed_moves_and_words() {
        let mut editor = Editor::new(Size::S15);
        let typed = |text: &str| text.chars().map(KeyCode::Char).collect::<Vec<_>>();
        keys(&mut editor, &typed("h9"));
        assert_eq!(keys(&mut editor, &[KeyCode::Backspace, KeyCode::Char('8')]), None);
        assert_eq!(editor.input(), "h8");
        assert_eq!(keys(&mut editor, &[KeyCode::Enter]), Some(Ok(Command::Play(Point::new(7, 7)))));
        assert_eq!(editor.input(), "");
        keys(&mut editor, &typed("save a b.sgf"));
        assert_eq!(keys(&mut editor, &[KeyCode::Enter]), Some(Ok(Command::Save("a b.sgf".into()))));
        keys(&mut editor, &typed("zz"));
        assert!(matches!(keys(&mut editor, &[KeyCode::Enter]), Some(Err(_))));
        assert_eq!(editor.input(), "", "a refused word leaves the line");
        keys(&mut editor, &typed("zz"));
        assert_eq!(keys(&mut editor, &[KeyCode::Esc, KeyCode::Tab]), Some(Ok(Command::Hint)));
        assert_eq!(editor.key(KeyCode::Char('z'), KeyModifiers::CONTROL, None), Some(Ok(Command::Undo)));
    }

    #[test]
    fn a_line_is_edited_and_fetched_back() {
        let mut editor = Editor::new(Size::S15);
        let enter = |editor: &mut Editor, text: &str| {
            text.chars().for_each(|c| drop(editor.key(KeyCode::Char(c), KeyModifiers::NONE, None)));
            editor.key(KeyCode::Enter, KeyModifiers::NONE, None)
        };
        let control = |editor: &mut Editor, c| editor.key(KeyCode::Char(c), KeyModifiers::CONTROL, None);
        for text in ["level 5", "nonsense", "nonsense", "h8"] {
            enter(&mut editor, text);
        }
        let seen: Vec<String> = ["p", "p", "p", "p", "n", "n", "n", "n"]
            .iter()
            .map(|key| {
                assert_eq!(control(&mut editor, key.chars().next().unwrap()), None);
                editor.input().to_owned()
            })
            .collect();
        assert_eq!(seen, ["h8", "nonsense", "level 5", "level 5", "nonsense", "h8", "", ""]);
        control(&mut editor, 'p');
        keys(&mut editor, &[KeyCode::Up, KeyCode::Up]);
        assert_eq!(editor.input(), "level 5");
        control(&mut editor, 'w');
        assert_eq!(editor.input(), "level ");
        control(&mut editor, 'w');
        assert_eq!(editor.input(), "");
        keys(&mut editor, &[KeyCode::Up]);
        assert_eq!(editor.cursor(), Point::new(7, 8), "on an empty line the arrows move the cursor");
        keys(&mut editor, &[KeyCode::Char('a'), KeyCode::Char('b')]);
        control(&mut editor, 'u');
        assert_eq!(editor.input(), "");
    }

    #[test]
    fn an_opening_takes_several_points() {
        let opening = Regulation::Swap.start(Size::S15).unwrap();
        let mut editor = Editor::new(Size::S15);
        let press = |editor: &mut Editor, codes: &[KeyCode]| {
            codes.iter().map(|&code| editor.key(code, KeyModifiers::NONE, Some(&opening))).last().flatten()
        };
        let blank = KeyCode::Char(' ');
        press(&mut editor, &[blank, KeyCode::Up, blank, KeyCode::Right, blank]);
        assert_eq!(editor.input(), "h8 h9 i9 ");
        let act = |text| Some(Ok(Command::Act(Action::parse(text, Size::S15).unwrap())));
        assert_eq!(press(&mut editor, &[KeyCode::Enter]), act("h8 h9 i9"));
        assert_eq!(editor.input(), "");
        editor.key(KeyCode::Char('p'), KeyModifiers::CONTROL, Some(&opening));
        assert_eq!(editor.input(), "h8 h9 i9 ");
        press(&mut editor, &[KeyCode::Esc]);
        press(&mut editor, &"offer".chars().map(KeyCode::Char).collect::<Vec<_>>());
        assert_eq!(
            press(&mut editor, &[blank, blank, KeyCode::Down, blank, KeyCode::Enter]),
            act("offer i9 i8")
        );
        assert_eq!(press(&mut editor, &[KeyCode::Enter]), Some(Ok(Command::Play(Point::new(8, 7)))));
    }
}
