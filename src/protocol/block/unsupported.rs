//! The unsupported commands of Yixin-Board that lines follow, and where these lines end: they are no commands.

/// Lines after an unsupported command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lines {
    /// Lines up to `DONE`.
    UntilDone,
    /// The rest of a text, up to a quotation mark, and then lines up to `DONE`. The first of these begins behind the mark.
    TextUntilDone,
    /// One line, such as the name of a file.
    One,
}

/// Unsupported commands of Yixin-Board that are followed by squares up to `DONE`.
const WITH_SQUARES: [&str; 12] = [
    "YXQUERYDATABASEALL",
    "YXQUERYDATABASEALLT",
    "YXQUERYDATABASEONE",
    "YXQUERYDATABASETEXT",
    "YXSETBESTMOVEDATABASE",
    "YXCLEARBESTMOVEDATABASE",
    "YXEDITLABELDATABASE",
    "YXEDITTVDDATABASE",
    "YXDELETEDATABASEALL",
    "YXDELETEDATABASEONE",
    "YXBLOCKPATH",
    "YXBLOCKPATHUNDO",
];
/// Unsupported commands of Yixin-Board that are followed by a line with the name of a file.
const WITH_FILE: [&str; 10] = [
    "YXSETDATABASE",
    "YXHASHDUMP",
    "YXHASHLOAD",
    "YXDBTOPOS",
    "YXDBTOTXT",
    "YXDBTOTXTALL",
    "YXTXTTODB",
    "YXLIBTODB",
    "YXDBSPLIT",
    "YXDBMERGE",
];
/// The unsupported command of Yixin-Board that is followed by a text between quotation marks, and then by squares up to `DONE`.
const WITH_TEXT: &str = "YXEDITTEXTDATABASE";
/// Mark at both ends of that text.
const QUOTE: char = '\"';

impl Lines {
    /// Returns the lines that follow an unsupported command, given by its word in upper case and the rest of its line; `None`
    /// if none follow, and for other words.
    ///
    /// CITE: <https://github.com/accreator/Yixin-Board> and <https://github.com/dhbloo/Yixin-Board>, `main.c`.
    pub fn after(word: &str, rest: &str) -> Option<Lines> {
        match word {
            _ if WITH_SQUARES.contains(&word) => Some(Lines::UntilDone),
            _ if WITH_FILE.contains(&word) => Some(Lines::One),
            // The reader puts the second of these characters in place of a first line that is too long.
            WITH_TEXT => match rest.trim_start().strip_prefix([QUOTE, char::REPLACEMENT_CHARACTER]) {
                Some(text) => Lines::TextUntilDone.behind(text),
                None => Some(Lines::UntilDone),
            },
            _ => None,
        }
    }

    /// Returns the lines that are still to come after `line`, the next one of these; `None` if it is the
    /// last.
    pub(super) fn behind(self, line: &str) -> Option<Lines> {
        match self {
            Lines::One => None,
            Lines::UntilDone => (!is_done(line)).then_some(self),
            Lines::TextUntilDone => match behind_text(line) {
                Some(first) => Lines::UntilDone.behind(first),
                // The mark may be lost with the end of a line that was too long, so `DONE` ends a text too.
                None => (!is_done(line)).then_some(self),
            },
        }
    }
}

/// Returns the part of a line behind the quotation mark that ends a text. A backslash makes the character after it a part of the
/// text.
fn behind_text(line: &str) -> Option<&str> {
    let mut escaped = false;
    let end = line.find(|c: char| {
        let ends = c == QUOTE && !escaped;
        escaped = c == '\\' && !escaped;
        ends
    });
    line.get(end? + 1..)
}

/// Returns whether a line ends a block.
pub(super) fn is_done(line: &str) -> bool {
    line.trim().eq_ignore_ascii_case("DONE")
}
