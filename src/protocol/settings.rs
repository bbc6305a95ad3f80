//! Settings of `INFO`: one key and value becomes a [`Setting`], and all together become the engine's options and
//! limits.
//!
//! Settings outlive games. Unused keys (`folder`, `evaluate`, `vcthread` and the rest) and invalid values are ignored,
//! because the protocol has no reply to `INFO`.

use super::square::number;
use super::time_control::TimeControl;
use crate::engine::skill::FULL;
use crate::engine::{self, Options};
use crate::game::RuleKind;
use crate::search::Limits;

/// A key of `INFO` with its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Setting {
    /// `timeout_turn`, milliseconds for each move; 0 for as fast as possible.
    TurnTime(i64),
    /// `timeout_match`, milliseconds for the game; 0 for no limit.
    MatchTime(i64),
    /// `time_left`, milliseconds for the rest of the game.
    TimeLeft(i64),
    /// `time_increment`, milliseconds won by each move.
    Increment(i64),
    /// `max_memory`, bytes; 0, by which managers mean no limit, leaves the default.
    MaxMemory(i64),
    /// `rule`, a sum of bits.
    Rule(i64),
    /// `hash_size`, KiB.
    HashSize(i64),
    /// `game_type`: 0 against a person, 1 against an engine, 2 and 3 in a tournament.
    GameType(i64),
    /// `pondering`; above 0 to think while the opponent does.
    Pondering(i64),
    /// `thread_num`; 0 for the engine's choice.
    Threads(i64),
    /// `max_depth`, plies; 99 and more for no limit.
    MaxDepth(i64),
    /// `max_node`; -1 for no limit, and 1,000,000,000 and more where there is a limit of time.
    MaxNodes(i64),
    /// `strength`, 0 to 100.
    Strength(i64),
    /// `book`, and `usedatabase` of the Yixin-Board dialect; above 0 to play from the opening book.
    Book(i64),
    /// `show_detail`; above 0 for lines that a board draws from.
    ShowDetail(i64),
}

impl Setting {
    /// Parses the key and the value of an `INFO` line; `None` if they have no effect.
    pub fn parse(text: &str) -> Option<Setting> {
        let (key, value) = text.trim().split_once(|c: char| c.is_ascii_whitespace())?;
        let (_, setting) = KEYS.iter().find(|(name, _)| name.eq_ignore_ascii_case(key))?;
        number(value).map(setting)
    }
}

/// A setting of a value.
type ToSetting = fn(i64) -> Setting;

/// The keys of `INFO` that have an effect, each with its setting.
static KEYS: [(&str, ToSetting); 16] = [
    ("timeout_turn", Setting::TurnTime),
    ("timeout_match", Setting::MatchTime),
    ("time_left", Setting::TimeLeft),
    ("time_increment", Setting::Increment),
    ("max_memory", Setting::MaxMemory),
    ("rule", Setting::Rule),
    ("hash_size", Setting::HashSize),
    ("game_type", Setting::GameType),
    ("pondering", Setting::Pondering),
    ("thread_num", Setting::Threads),
    ("max_depth", Setting::MaxDepth),
    ("max_node", Setting::MaxNodes),
    ("strength", Setting::Strength),
    ("book", Setting::Book),
    ("usedatabase", Setting::Book),
    ("show_detail", Setting::ShowDetail),
];

/// Returns the keys of `INFO` that have an effect.
pub fn info_keys() -> impl Iterator<Item = &'static str> {
    KEYS.iter().map(|(key, _)| *key)
}

/// Bits of `rule`.
const EXACTLY_FIVE: i64 = 1;
const CONTINUOUS: i64 = 2;
const RENJU: i64 = 4;
const CARO: i64 = 8;
const CARO_EXACTLY_FIVE: i64 = CARO + EXACTLY_FIVE;

/// Depths from this one on mean no limit: boards send 99 or 100 with every move where their user has set none.
const UNLIMITED_DEPTH: u32 = 99;
/// Nodes from this number on mean no limit, likewise.
const UNLIMITED_NODES: u64 = 1_000_000_000;

/// The settings in force.
#[derive(Clone, Default, Debug)]
pub struct Settings {
    /// Time limits and the time used.
    pub time: TimeControl,
    rule: i64,
    /// Whether the manager speaks the Yixin-Board dialect, in which some numbers of rules mean others.
    pub yixin: bool,
    max_memory: Option<u64>,
    hash: Option<u64>,
    game_type: Option<i64>,
    pondering: bool,
    threads: Option<usize>,
    level: Option<u8>,
    without_book: bool,
    depth: Option<u32>,
    nodes: Option<u64>,
    /// Whether lines that a board draws from are wanted.
    pub detail: bool,
    /// Number of games begun. It makes a weaker level play differently from game to game.
    pub games: u64,
}

impl Settings {
    /// Takes a setting over.
    pub fn apply(&mut self, setting: Setting) {
        match setting {
            Setting::TurnTime(ms) => self.time.set_turn(ms),
            Setting::MatchTime(ms) => self.time.set_match(ms),
            Setting::TimeLeft(ms) => self.time.set_left(ms),
            Setting::Increment(ms) => self.time.set_increment(ms),
            Setting::MaxMemory(bytes) => self.max_memory = positive(bytes),
            Setting::Rule(rule) => self.rule = rule,
            Setting::HashSize(kib) => self.hash = positive(kib).map(|kib| kib.saturating_mul(1024)),
            Setting::GameType(kind) => self.game_type = Some(kind),
            Setting::Pondering(level) => self.pondering = level > 0,
            Setting::Threads(threads) => {
                self.threads = usize::try_from(threads).ok().filter(|&n| n > 0);
            }
            Setting::MaxDepth(depth) => {
                self.depth = positive(depth).map(|d| u32::try_from(d).unwrap_or(u32::MAX));
            }
            Setting::MaxNodes(nodes) => self.nodes = positive(nodes),
            Setting::Strength(level) => self.level = u8::try_from(level).ok().filter(|&l| l < FULL),
            Setting::Book(wanted) => self.without_book = wanted <= 0,
            Setting::ShowDetail(level) => {
                self.yixin = true;
                self.detail = level > 0;
            }
        }
    }

    /// The bytes of the tables, if the manager has set them.
    pub fn hash(&self) -> Option<u64> {
        self.hash
    }

    /// Returns the rule.
    ///
    /// # Errors
    /// If the number is not a rule; the text says so.
    pub fn rule(&self) -> Result<RuleKind, String> {
        let number = self.rule;
        if self.yixin {
            // Yixin-Board: 5 and 6 are freestyle with opening rules that the board itself takes care of.
            match number {
                2 => return Ok(RuleKind::Renju),
                5 | 6 => return Ok(RuleKind::Freestyle),
                _ => {}
            }
        }
        // The bit for continuous games does not change the rule of a game.
        let rule = match number & !CONTINUOUS {
            0 => RuleKind::Freestyle,
            EXACTLY_FIVE => RuleKind::Standard,
            RENJU => RuleKind::Renju,
            CARO => RuleKind::Caro6,
            CARO_EXACTLY_FIVE => RuleKind::Caro,
            _ => {
                let rules = if self.yixin { "0, 1, 2, 4, 5, 6, 8 or 9" } else { "0, 1, 4, 8 or 9" };
                return Err(format!("rule {number} is not supported: expected {rules}"));
            }
        };
        Ok(rule)
    }

    /// The engine's options under a rule.
    pub fn options(&self, rule: RuleKind) -> Options {
        Options {
            rule,
            max_memory: self.max_memory,
            hash: self.hash,
            level: self.level.unwrap_or(FULL),
            book: !self.without_book,
            seed: self.games,
            ..Options::default()
        }
    }

    /// Returns the limits of a search for a move. Without a limit of time, the number of nodes that otherwise stands for no
    /// limit is one: dhbloo's Yixin-Board has a level of 1,000,000,000 nodes and no limit of time.
    ///
    /// CITE: <https://github.com/dhbloo/Yixin-Board>, `set_level` in `main.c`.
    pub fn move_limits(&self) -> Limits {
        let limits = self.limits();
        let timed = limits.turn.is_some() || limits.left.is_some();
        let nodes = if timed { limits.nodes } else { self.nodes };
        Limits { nodes, ..limits }
    }

    /// Returns the limits of a decision that compares many positions.
    pub fn limits(&self) -> Limits {
        // Drop limits that no search reaches: any depth or node limit turns off the book, varying seeds and the threads' vote.
        let depth = self.depth.filter(|&depth| depth < UNLIMITED_DEPTH);
        let nodes = self.nodes.filter(|&nodes| nodes < UNLIMITED_NODES);
        let bounded = depth.is_some() || nodes.is_some();
        Limits {
            turn: self.time.turn(bounded, self.yixin),
            left: self.time.left(),
            increment: self.time.increment(),
            nodes,
            depth,
            threads: self.threads(),
            ..Limits::default()
        }
    }

    /// Threads of the next search. Tournament hosts run several games at a time, and so may hosts that do not send
    /// `game_type`.
    pub fn threads(&self) -> usize {
        let default = if matches!(self.game_type, Some(0 | 1)) { usize::MAX } else { 1 };
        match self.threads.unwrap_or(default) {
            // Counting the processors reads several files, and this runs at every line of input.
            1 => 1,
            wanted => wanted.min(engine::max_threads()),
        }
    }

    /// Whether to ponder: only if asked for, at full strength, and not in a tournament.
    pub fn ponders(&self) -> bool {
        self.pondering && self.level.is_none() && !matches!(self.game_type, Some(2 | 3))
    }
}

fn positive(n: i64) -> Option<u64> {
    u64::try_from(n).ok().filter(|&n| n > 0)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn with(lines: &[&str]) -> Settings {
        let mut settings = Settings::default();
        lines.iter().filter_map(|line| Setting::parse(line)).for_each(|s| settings.apply(s));
        settings
    }

    #[test]
    fn rules_of_both_dialects() {
        let rule = |lines: &[&str]| with(lines).rule().ok();
        let gomocup = [
            ("rule 0", RuleKind::Freestyle),
            ("rule 1", RuleKind::Standard),
            ("rule 2", RuleKind::Freestyle),
            ("rule 3", RuleKind::Standard),
            ("rule 4", RuleKind::Renju),
            ("rule 8", RuleKind::Caro6),
            ("rule 9", RuleKind::Caro),
            ("RULE 11", RuleKind::Caro),
        ];
        for (line, expected) in gomocup {
            assert_eq!(rule(&[line]), Some(expected), "{line}");
        }
        assert_eq!(rule(&["rule 2", "show_detail 1"]), Some(RuleKind::Renju));
        assert_eq!(rule(&["show_detail 0", "rule 6"]), Some(RuleKind::Freestyle));
        assert_eq!(rule(&["show_detail 0", "rule 4"]), Some(RuleKind::Renju));
        assert_eq!(rule(&["rule 12"]), None);
        assert_eq!(rule(&["rule -1"]), None);
        // An error names the rules of the dialect.
        for (dialect, count) in [("nothing", 5), ("show_detail 0", 8)] {
            let rule = |number: i64| with(&[dialect, &format!("rule {number}")]).rule();
            let error = rule(12).unwrap_err();
            let named = error.split_once("expected ").unwrap().1.split([',', ' ']);
            let numbers: Vec<i64> = named.filter_map(|word| word.parse().ok()).collect();
            assert!(numbers.len() == count && numbers.iter().all(|&number| rule(number).is_ok()), "{error}");
        }
        assert_eq!(rule(&["rule 4", "rule x", "rule"]), Some(RuleKind::Renju));
    }

    #[test]
    fn only_positive_numbers_are_bounds() {
        let settings = with(&["max_node -1", "max_depth 0", "max_memory 0", "hash_size -5"]);
        let (limits, options) = (settings.limits(), settings.options(RuleKind::Renju));
        assert_eq!((limits.nodes, limits.depth, options.max_memory, options.hash), (None, None, None, None));
        let settings = with(&["max_node 2000", "max_depth 98", "max_memory 83886080", "hash_size 1024"]);
        let (limits, options) = (settings.limits(), settings.options(RuleKind::Renju));
        assert_eq!((limits.nodes, limits.depth), (Some(2000), Some(98)));
        assert_eq!((options.max_memory, options.hash), (Some(83_886_080), Some(1 << 20)));
        assert_eq!(limits.turn, None, "a node limit alone bounds a search");
    }

    /// Boards send these with every move.
    #[test]
    fn bounds_that_no_search_reaches_are_none() {
        for lines in [
            ["max_depth 99", "max_node 1000000000"],
            ["max_depth 100", "max_node 5000000000"],
            ["max_depth 9999999999", "max_node 9223372036854775807"],
        ] {
            let limits = with(&lines).limits();
            assert_eq!((limits.depth, limits.nodes), (None, None), "{lines:?}");
            assert!(limits.turn.is_some(), "a search without any limit has the time of one");
        }
        assert_eq!(with(&["max_node 999999999"]).limits().nodes, Some(999_999_999));
    }

    /// A level of Yixin-Board has no limit of time.
    #[test]
    fn a_move_without_a_limit_of_time_ends_at_any_number_of_nodes() {
        let untimed = ["show_detail 3", "timeout_match 100000000", "timeout_turn 2000000"];
        let nodes = |more: &[&str]| with(&[&untimed[..], more].concat()).move_limits().nodes;
        let level = "max_node 1000000000";
        assert_eq!(nodes(&[level, "max_depth 225"]), Some(1_000_000_000));
        assert_eq!(nodes(&["max_node 500000000"]), Some(500_000_000));
        assert_eq!(nodes(&["max_node -1"]), None);
        for limit in ["timeout_turn 1999999", "time_left -1"] {
            assert_eq!(nodes(&[level, limit]), None, "{limit}");
        }
        assert_eq!(with(&[level]).move_limits().nodes, None, "in the other dialect a move has five seconds");
    }

    #[test]
    fn a_tournament_gets_one_thread_and_a_person_all() {
        let all = engine::max_threads();
        let threads = |lines: &[&str]| with(lines).limits().threads;
        assert_eq!(threads(&[]), 1);
        for (kind, expected) in [(0, all), (1, all), (2, 1), (3, 1), (4, 1), (-1, 1)] {
            assert_eq!(threads(&[&format!("game_type {kind}")]), expected, "{kind}");
            assert_eq!(threads(&[&format!("game_type {kind}"), "thread_num 1"]), 1);
            assert_eq!(threads(&["thread_num 2", &format!("game_type {kind}")]), 2.min(all));
            for none in ["thread_num 0", "thread_num -1"] {
                assert_eq!(threads(&["thread_num 2", none, &format!("game_type {kind}")]), expected);
            }
        }
        assert_eq!(threads(&["game_type 0", "game_type 3"]), 1, "the last one counts");
        assert_eq!(threads(&["thread_num 1000000"]), all);
    }

    #[test]
    fn strength_is_full_unless_a_lower_one_is_asked_for() {
        let level = |lines: &[&str]| with(lines).options(RuleKind::Renju).level;
        for (lines, expected) in [
            (&[][..], FULL),
            (&["strength 0"], 0),
            (&["strength 99"], 99),
            (&["strength 100"], FULL),
            (&["strength 20", "strength 300"], FULL),
            (&["strength -1"], FULL),
        ] {
            assert_eq!(level(lines), expected, "{lines:?}");
        }
        assert!(with(&["pondering 1"]).ponders() && !with(&["pondering 1", "strength 50"]).ponders());
    }

    #[test]
    fn the_book_is_used_unless_it_is_switched_off() {
        let book = |lines: &[&str]| with(lines).options(RuleKind::Renju).book;
        for (lines, expected) in [
            (&[][..], true),
            (&["book 0"], false),
            (&["usedatabase 0"], false),
            (&["book 0", "BOOK 1"], true),
            (&["book no"], true),
        ] {
            assert_eq!(book(lines), expected, "{lines:?}");
        }
    }

    #[test]
    fn values_may_hold_blanks_and_anything_else() {
        for text in ["folder C:\\Program Files\\x", "folder", "", "evaluate 3,4", "timeout_turn abc", "x"] {
            assert_eq!(Setting::parse(text), None, "{text}");
        }
        assert_eq!(Setting::parse("  Timeout_Turn   99  "), Some(Setting::TurnTime(99)));
    }
}
