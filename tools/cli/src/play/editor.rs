//! The keyboard: a cursor on the board and a line of text, and what a key does to them.

use crossterm::event::{KeyCode, KeyModifiers};

use super::command::{self, Command};
use kagetsu::game::regulation::Opening;
use kagetsu::game::{Point, Size};

/// What the player is about to say.
pub struct Editor {
    size: Size,
    cursor: Point,
    input: String,
    /// The text that was read last.
    entered: String,
}

impl Editor {
    /// A cursor in the middle and no text.
    pub fn new(size: Size) -> Editor {
        Editor { size, cursor: size.center(), input: String::new(), entered: String::new() }
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

    /// Puts back the text that was read last, so that it can be put right.
    pub fn restore(&mut self) {
        self.input = std::mem::take(&mut self.entered);
    }

    /// Takes a key; a whole command, or what is wrong with it, comes back. In an `opening`, which may ask for several
    /// points, the blank writes the cursor's point, and enter reads what is written.
    pub fn key(
        &mut self,
        code: KeyCode,
        modifiers: KeyModifiers,
        opening: Option<&Opening>,
    ) -> Option<Result<Command, String>> {
        if modifiers.contains(KeyModifiers::CONTROL) {
            return match code {
                KeyCode::Char('c' | 'd') => Some(Ok(Command::Quit)),
                KeyCode::Char('z') => Some(Ok(Command::Undo)),
                _ => None,
            };
        }
        match code {
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
            KeyCode::Esc => self.input.clear(),
            KeyCode::Tab => return Some(Ok(Command::Hint)),
            KeyCode::Enter if self.input.trim().is_empty() => return Some(Ok(Command::Play(self.cursor))),
            KeyCode::Enter => {
                self.entered = std::mem::take(&mut self.input);
                return Some(command::parse(&self.entered, self.size, opening));
            }
            _ => {}
        }
        None
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

    fn keys(editor: &mut Editor, codes: &[KeyCode]) -> Option<Result<Command, String>> {
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
        keys(&mut editor, &typed("zz"));
        assert_eq!(keys(&mut editor, &[KeyCode::Esc, KeyCode::Tab]), Some(Ok(Command::Hint)));
        assert_eq!(editor.key(KeyCode::Char('z'), KeyModifiers::CONTROL, None), Some(Ok(Command::Undo)));
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
        editor.restore();
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
