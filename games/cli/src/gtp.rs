//! `kagetsu gtp`: the Go Text Protocol, so that boards and clients for Go can play these games.

use std::io::{self, Write};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::Result;

use crate::args::{GameArgs, LimitArgs};
use kagetsu::clock::SystemClock;
use kagetsu_console::Status;
use kagetsu_console::lines::{Lines, STDIN, is_too_long};
use kagetsu_games::gtp::{Reply, Session};

/// Time for a move if neither the client nor the flags set a limit.
const MOVE: Duration = Duration::from_secs(2);

/// The help of `--time`.
const TIME_HELP: &str =
    "Limit the time for each move, e.g. 5s, 1m30s, 200ms [default without another limit: 2s]";

/// Speak the Go Text Protocol, for GoGui and other clients
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  kagetsu gtp --game reversi\n  gogui -program 'kagetsu gtp --game connect6 --time 2s'\n\n\
    Columns have no I. Connect6 is two plays of one colour. kagetsu-bomb COLOUR POINT\n\
    plays the bomb of Atomic Renju; kagetsu-genmove may answer with a bomb.",
    mut_arg("time", |time| time.help(TIME_HELP))
)]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    limits: LimitArgs,
}

/// Runs the subcommand until the client quits.
///
/// # Errors
/// If input or output fails.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<Status> {
    let (clock, stop) = (SystemClock::new(), AtomicBool::new(false));
    let (options, limits) = (args.game.options()?, args.limits.limits(1, MOVE));
    args.limits.warn_of_hash(args.game.game);
    let mut session = Session::new(options, limits, args.limits.hash, &clock, &stop);
    let mut lines = Lines::new(STDIN, io::stdin().lock());
    loop {
        let reply = match lines.next_line() {
            Ok(None) => break,
            Ok(Some((_, line))) => session.answer(&line),
            Err(error) if is_too_long(&error) => {
                Some(Reply { text: format!("? {error:#}\n\n"), quit: false })
            }
            Err(error) => return Err(error),
        };
        let Some(reply) = reply else { continue };
        out.write_all(reply.text.as_bytes())?;
        out.flush()?;
        if reply.quit {
            break;
        }
    }
    Ok(Status::Done)
}
