//! `kagetsu web`: a board in the browser.

use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::Path;

use anyhow::{Context, Result};

mod doorway;

use self::doorway::Doorway;
use kagetsu::game::Reading;
use kagetsu_console::args::{self, BoardArgs, FileArgs, ThreadArgs};
use kagetsu_console::{Status, input};
use kagetsu_tools::record::Game;
use kagetsu_web::{Options, Server};

/// The usual port. A browser keeps games for each port, so it should be the same from day to day.
const PORT: u16 = 15_225;

/// Open a board in the browser: play, analyse, walk through games, solve puzzles
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  kagetsu web\n  kagetsu web game.sgf\n  kagetsu web 'D4 g9' --no-open\n\n\
    The page is served to this machine alone (unless --listen says otherwise), with a key in its\n\
    address, and needs no network. It keeps the game in the browser; files are opened and saved\n\
    there. If no browser comes up, open the printed address in one. Ctrl-C ends the program.",
    mut_arg("rule", |flag| flag.requires("position")),
    mut_arg("size", |flag| flag.requires("position"))
)]
pub struct Args {
    /// A game file or a position to show
    #[arg(value_name = "POS")]
    position: Option<String>,
    #[command(flatten)]
    board: BoardArgs,
    #[command(flatten)]
    file: FileArgs,
    /// Listen on this port, or on any free one if 0 [default: 15225, or any free one if it is taken]
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Listen on this address; with any other than the default, other machines that know the key can connect
    #[arg(long, value_name = "IP", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    listen: IpAddr,
    /// Print the address and open no browser
    #[arg(long)]
    no_open: bool,
    #[command(flatten)]
    threads: ThreadArgs,
    /// Set the memory of the search's tables, e.g. 256M or 2G; a search uses at most 64G
    #[arg(long, value_name = "SIZE", default_value = "256M", value_parser = args::bytes)]
    hash: u64,
}

/// Serves the board until it is stopped.
///
/// # Errors
/// If the position is wrong, or there is no port.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<Status> {
    if args.position.is_none() {
        input::without_file(&args.file)?;
    }
    let game = args.position.as_deref().map(|name| game(name, args)).transpose()?;
    if let Some((name, game)) = &game {
        kagetsu_web::check_game(game).with_context(|| name.clone())?;
    }
    args::warn_of_hash(args.hash);
    let server = bind(args, game)?;
    let link = server.link();
    writeln!(out, "{link}")?;
    out.flush()?;
    if !args.listen.is_loopback() {
        let there = if args.listen.is_unspecified() {
            ": on them, put this machine's address in the network in place of the loopback address"
        } else {
            ""
        };
        log::warn!("other machines can open this board if they know the key in its address{there}");
    }
    let doorway = if args.no_open { None } else { open(&link) };
    server.run(move || drop(doorway));
    Ok(Status::Done)
}

/// Starts a browser, which finds the board through the file returned.
fn open(link: &str) -> Option<Doorway> {
    match Doorway::to(link).and_then(|doorway| open::that_detached(doorway.path()).map(|()| doorway)) {
        Ok(doorway) => Some(doorway),
        Err(error) => {
            log::warn!("no browser could be started ({error}): open the address above in one");
            None
        }
    }
}

/// The game to show, and a name for it.
fn game(argument: &str, args: &Args) -> Result<(String, Game)> {
    if let Some(mut game) =
        input::record(argument, &args.board, &args.file)?.filter(|_| args.file.r#move.is_none())
    {
        game.rule = Some(input::rule(argument, &args.board, &game));
        return Ok((shown_name(argument), game));
    }
    let (position, rule) = input::position(argument, &args.board, &args.file, Reading::Literal)?;
    let mut game = Game::of_position(&position);
    game.rule = Some(rule);
    Ok((shown_name(argument), game))
}

/// The name of the game on the page: a file's name without its folders, or the position as it was given. A
/// setup string has slashes too, and is not cut at them.
fn shown_name(argument: &str) -> String {
    let file = Path::new(argument).file_name().filter(|_| Path::new(argument).exists());
    file.map_or_else(|| argument.to_owned(), |name| name.to_string_lossy().into_owned())
}

/// Returns a server on the requested port, or on the usual one, or on any free one.
fn bind(args: &Args, game: Option<(String, Game)>) -> Result<Server> {
    let at = |port| Options {
        address: SocketAddr::new(args.listen, port),
        threads: args.threads.count(),
        hash: args.hash,
        game: game.clone(),
    };
    match args.port {
        Some(port) => Server::bind(at(port)),
        None => Server::bind(at(PORT)).or_else(|error| {
            log::info!("{error:#}: listening on any free port instead");
            // If no port is free, the address is at fault, and the first error names what was asked for.
            Server::bind(at(0)).map_err(|_| error)
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_lose_their_folders_and_positions_keep_their_rows() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        for (argument, expected) in
            [(file, "Cargo.toml"), ("5/5/1xo2/5/5 x", "5/5/1xo2/5/5 x"), ("D4 g9", "D4 g9"), ("-", "-")]
        {
            assert_eq!(shown_name(argument), expected);
        }
    }
}
