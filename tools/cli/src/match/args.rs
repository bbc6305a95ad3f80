//! The flags of `kagetsu match`.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::PossibleValuesParser;

use kagetsu::game::regulation::Regulation;
use kagetsu_console::args::{BoardArgs, engine_memory};
use kagetsu_console::ends::{EndArgs, SETS};
use kagetsu_tools::arena::game::ScoreRule;
use kagetsu_tools::arena::openings::Notation;
use kagetsu_tools::arena::plan::{GAMES, MOST_SIDE_BY_SIDE, ROUNDS};
use kagetsu_tools::timing::{Byoyomi, Control, duration};

const HELP: &str = "\
An engine is a command with its arguments, quoted as for a shell. On Windows a backslash is
a part of a path, and single or double quotes keep blanks together:
--engine \"'C:\\Program Files\\pbrain-a.exe'\". Words KEY=VALUE before the command set
conditions for this engine alone: name, dir (working directory), time, game-time,
increment, control, byoyomi, nodes, depth, tolerance, memory, threads, and info.KEY for
any INFO key of the protocol. Without dir an engine runs in the folder in which the match
was begun, wherever it is resumed.

An engine passes, where that is allowed, by the move -1,-1; the other is then sent the
whole board. The protocol has no offers of a draw, so that --ends rif adds none here:
--draw-score ends a game that both engines consider even.

Clocks: --game-time is for the whole game. --control 40/1h adds an hour after each 40
moves of a side, and without --game-time there is one at the start. With --byoyomi 3x30s a
side that has used up all other time has three periods of 30 s: a move within 30 s costs
nothing, each whole 30 s used costs a period, and with the last one the game is lost.
No time is longer than a day.
time_left tells engines the time before they lose a period or the game. In byo-yomi
timeout_turn is at most a period. time_increment is the increment plus a period.

Results of two engines are printed with their statistics, those of more as a table of
ratings. Beside it stands a cross table where the line has room for it: on a terminal its
width, elsewhere 160 characters. The last event of --json has all encounters.

--resume refuses to go on if the file of an engine's program has changed since the start,
as after a new build: the results of two programs would be added up. It looks at the first
word of the command alone. Behind a script, an interpreter or wine, and in a net or another
file that an engine reads, it sees no change.

The dialogue of a game that an engine loses by a failure is kept in the folder failed of
--out, or else in a temporary one. All of them take 64 MiB at most: when little is left,
long ones are left out.

Examples:
  kagetsu match --engine './pbrain-kagetsu' --engine 'name=old nodes=5000 ./old/pbrain-kagetsu' \\
      --rule freestyle --time 500ms --openings book/openings/freestyle-15.txt --games 20
  kagetsu match --engine ./new --engine ./old --nodes 5000 --rule freestyle \\
      --openings book/openings/freestyle-15.txt --transform --sprt elo0=0 elo1=10 --out sprt1
  kagetsu match --engine ./new --engine ./old --rule freestyle --opening-rule swap2 --games 20
  kagetsu match --resume sprt1";

/// The flags of a new tournament. A continued one takes all of them from its directory.
const OF_A_NEW_RUN: [&str; 37] = [
    "engines",
    "rule",
    "size",
    "games",
    "rounds",
    "gauntlet",
    "time",
    "game_time",
    "increment",
    "control",
    "byoyomi",
    "nodes",
    "depth",
    "tolerance",
    "patience",
    "startup",
    "memory",
    "check_memory",
    "threads",
    "file",
    "format",
    "regulation",
    "fallback",
    "plies",
    "seed",
    "transform",
    "ends",
    "passes",
    "stones",
    "draw_after",
    "resign",
    "draw_score",
    "sprt",
    "suspend",
    "send_board",
    "restart",
    "out",
];

/// The flags of a list of openings. Those of openings that the engines play conflict with each of them: by a
/// conflict with `file` alone clap would drop the requirement of `file`, and the others would do nothing.
const OF_A_LIST: [&str; 5] = ["file", "format", "plies", "seed", "transform"];

/// Printed below the flags.
fn help() -> String {
    format!("{HELP}\n\n{SETS}")
}

/// Let engines play against each other
#[derive(clap::Args)]
#[command(after_help = help())]
pub struct Args {
    /// Add an engine by its command; repeat for each engine
    #[arg(long = "engine", value_name = "COMMAND", required_unless_present = "resume")]
    pub engines: Vec<String>,
    #[command(flatten)]
    pub board: BoardArgs,
    /// Play N games of each encounter in a round, an even number with --sprt or several rounds [default: 2, or with --sprt until it has
    /// decided]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(GAMES))]
    pub games: Option<u64>,
    /// Play N rounds, each with all encounters; with --sprt they need --games
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(ROUNDS))]
    pub rounds: u64,
    /// Play the first engine against all others, instead of all against all
    #[arg(long)]
    pub gauntlet: bool,
    /// Play N games side by side [default: 1; of a continued tournament, as many as before]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=i64::from(MOST_SIDE_BY_SIDE)))]
    pub concurrency: Option<u16>,
    #[command(flatten)]
    pub limits: Limits,
    #[command(flatten)]
    pub openings: Openings,
    #[command(flatten)]
    pub ends: EndArgs,
    /// Make an engine lose if it reports -SCORE or less for MOVES of its moves in a row
    #[arg(long, value_name = "SCORE:MOVES")]
    pub resign: Option<ScoreRule>,
    /// Draw the game when both engines report scores within SCORE of zero for MOVES moves each in a row
    #[arg(long, value_name = "SCORE:MOVES")]
    pub draw_score: Option<ScoreRule>,
    /// Test strength and stop when decided: elo0=0 elo1=5 alpha=0.05 beta=0.05 model=logistic|normalized
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..=5)]
    pub sprt: Vec<String>,
    /// Freeze the engine that is not to move, as the Gomocup judge does
    #[arg(long)]
    pub suspend: bool,
    /// Send the whole position for each move
    #[arg(long)]
    pub send_board: bool,
    /// Start a new process for each game, instead of telling the old one RESTART
    #[arg(long)]
    pub restart: bool,
    /// Keep the games, and what is needed to continue, in this new directory
    #[arg(long, value_name = "DIR", group = "kept")]
    pub out: Option<PathBuf>,
    /// Continue the tournament of this directory; only --changed-engines, --concurrency, --psq and --json may
    /// be given besides
    #[arg(long, value_name = "DIR", group = "kept", conflicts_with_all = OF_A_NEW_RUN)]
    pub resume: Option<PathBuf>,
    /// Go on although the program of an engine has changed since the tournament began
    // Without the conflict clap would drop the requirement: `--engine` conflicts with `--resume`.
    #[arg(long, requires = "resume", conflicts_with = "engines")]
    pub changed_engines: bool,
    /// Write each game as a PSQ file too
    #[arg(long, requires = "kept")]
    pub psq: bool,
    /// Print one JSON object a line for each event
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args)]
pub struct Limits {
    /// Limit the time for each move, e.g. 500ms [default: 1s without another limit]
    #[arg(long, value_parser = duration)]
    pub time: Option<Duration>,
    /// Limit the time for all moves of a game, e.g. 3m [default: no limit]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub game_time: Option<Duration>,
    /// Add this time to a side's game time after each of its moves, e.g. 2s [default: none]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub increment: Option<Duration>,
    /// Control points: add TIME to a side's game time after each MOVES of its moves, e.g. 40/1h
    #[arg(long, value_name = "MOVES/TIME")]
    pub control: Option<Control>,
    /// Byo-yomi: set the time for each move once the game's time is used up, e.g. 30s or 3x30s
    #[arg(long, value_name = "[PERIODSx]TIME")]
    pub byoyomi: Option<Byoyomi>,
    /// Limit the nodes for each move (engines that know the key max_node) [default: no limit]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Limit the depth of each search, in plies (engines that know the key max_depth) [default: no limit]
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: Option<u32>,
    /// Forgive moves that are late by at most this time
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "1s")]
    pub tolerance: Duration,
    /// Without a time limit, treat an engine as hung after this time of silence
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "2m")]
    pub patience: Duration,
    /// Fail an engine that does not answer START within this time
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "10s")]
    pub startup: Duration,
    /// Tell each engine this memory limit, e.g. 350M; 0 for no limit
    #[arg(long, value_name = "SIZE", default_value = "350M", value_parser = engine_memory)]
    pub memory: u64,
    /// Make an engine lose if it uses more memory, measured as by the Gomocup judge (Linux only)
    #[arg(long)]
    pub check_memory: bool,
    /// Set the threads of each engine (those that know the key thread_num) [default: the engine's choice]
    #[arg(long, value_name = "T")]
    pub threads: Option<u32>,
}

#[derive(clap::Args)]
pub struct Openings {
    /// Start from these positions: a list, one a line, or the main lines of the games of an SGF or PSQ file
    #[arg(long = "openings", value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Set the notation of the openings; auto goes by extension and content, pos-top counts rows from the top
    #[arg(long = "openings-format", value_name = "FORMAT", default_value = "auto", requires = "file",
          ignore_case = true, value_parser = PossibleValuesParser::new(Notation::NAMES))]
    pub format: String,
    /// Let the engines play the opening by this regulation, e.g. swap2 or soosorv:8 ('kagetsu openings walk --help' lists
    /// them); they are asked by SWAP2BOARD and AlphaGomoku's commands
    #[arg(long = "opening-rule", value_name = "REGULATION", conflicts_with_all = OF_A_LIST)]
    pub regulation: Option<Regulation>,
    /// Choose who decides for engines that do not know such a command, and at steps without a command: 'runner' is this
    /// program's own engine; each line of FILE is an opening for a pair of games, e.g. 'D4; swap; g9; offer h10 i7; choose
    /// h10 a1' [default: nobody; such an engine loses the game]
    #[arg(long = "opening-fallback", value_name = "runner|FILE", requires = "regulation",
          conflicts_with_all = OF_A_LIST)]
    pub fallback: Option<PathBuf>,
    /// Take only the first N moves of each opening, as needed with finished games; setup stones stay
    #[arg(long = "opening-plies", value_name = "N", requires = "file")]
    pub plies: Option<usize>,
    /// Shuffle the openings by this seed [default: the order of the file]
    #[arg(long, value_name = "N", requires = "file")]
    pub seed: Option<u64>,
    /// Use the openings again, turned and mirrored, after all were used; each position once before any comes
    /// again
    #[arg(long, requires = "file")]
    pub transform: bool,
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_continued_tournament_refuses_all_flags_of_a_new_one() {
        let command = <Args as clap::Args>::augment_args(clap::Command::new("match"));
        let of_any = ["resume", "changed_engines", "concurrency", "psq", "json"];
        let flags = command.get_arguments().map(|flag| flag.get_id().as_str());
        let flags: BTreeSet<&str> = flags.filter(|flag| !of_any.contains(flag)).collect();
        assert_eq!(flags, BTreeSet::from(OF_A_NEW_RUN));
    }
}
