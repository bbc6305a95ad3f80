//! The engine as managers of the Gomocup protocol start it: without arguments, on pipes. `--net FILE`, once for each
//! rule, replaces a built-in net; `--book FILE` replaces the opening book, `--no-book` removes it. Yixin-Board on Windows
//! gives `--force-utf8`, and ends if its engine refuses that. CITE: <https://github.com/dhbloo/Yixin-Board>, `load_engine`
//! and `childexit_watch` in `main.c`.
//!
//! It writes replies to standard output. It writes nothing to standard error while it runs, because Piskvork reads that
//! as replies; only wrong arguments are reported there, with exit status 2. The log goes to the file that `KAGETSU_LOG`
//! names: the version, both sides of the dialogue, settings and errors, each with its time; `RUST_LOG` chooses levels as
//! usual, all but `trace` without it. Built with the feature `tune`, it takes search parameters as arguments, such as
//! `late_base=4`.

use std::env;
use std::fs::OpenOptions;
use std::io::{self, IsTerminal, Write};
use std::panic;
use std::path::PathBuf;
use std::process::{self, ExitCode};
use std::sync::Arc;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use kagetsu::book::Shelf;
use kagetsu::clock::SystemClock;
use kagetsu::engine::{LARGEST_BOOK, max_threads};
use kagetsu::eval::nets;
use kagetsu::parent;
use kagetsu::protocol::{self, INTRODUCTION};

/// Describes the arguments. The builder of clap, not its derive, keeps the engine's dependencies few.
fn command() -> Command {
    let file = |name: &'static str| {
        Arg::new(name).long(name).value_name("FILE").value_parser(value_parser!(PathBuf))
    };
    let command = Command::new("kagetsu").bin_name("pbrain-kagetsu").version(env!("CARGO_PKG_VERSION")).about(INTRODUCTION).args([
        file("net").action(ArgAction::Append).help(
            "Use this net instead of the built-in one of its rule; repeat for several rules; 'hand' names the hand-set weights",
        ),
        file("book").help("Use this opening book instead of the built-in one"),
        Arg::new("no-book")
            .long("no-book")
            .action(ArgAction::SetTrue)
            .conflicts_with("book")
            .help("Play without an opening book"),
        Arg::new("force-utf8")
            .long("force-utf8")
            .action(ArgAction::SetTrue)
            .help("Change nothing: Yixin-Board gives this option, and all text is in UTF-8 anyway"),
    ]);
    #[cfg(feature = "tune")]
    let command = command.arg(
        Arg::new("parameters")
            .value_name("NAME=VALUE")
            .action(ArgAction::Append)
            .value_parser(tune)
            .help("Search parameters"),
    );
    command
}

/// Returns the source of the book.
fn shelf(args: &ArgMatches) -> Shelf {
    if args.get_flag("no-book") {
        return Shelf::Empty;
    }
    args.get_one::<PathBuf>("book").cloned().map_or(Shelf::BuiltIn, Shelf::File)
}

fn main() -> ExitCode {
    arrange_heap();
    if let Err(why) = log_to_file() {
        say(&format!("MESSAGE {why}; running without a log"));
    }
    log::info!("kagetsu {}, {}, {} threads", env!("CARGO_PKG_VERSION"), env::consts::ARCH, max_threads());
    panic::set_hook(Box::new(|panic| log::error!("{panic}")));
    log::info!("arguments: {:?}", env::args_os().skip(1).collect::<Vec<_>>());
    let args = command().get_matches();
    if let Err(why) =
        args.get_many::<PathBuf>("net").into_iter().flatten().try_for_each(|path| nets::install(path))
    {
        say(&format!("ERROR {why}"));
        return ExitCode::FAILURE;
    }
    let mut shelf = shelf(&args);
    // The built-in book is opened in the first game that needs it; a book that was asked for is opened now, before the
    // manager has set a limit, to report errors.
    let named = shelf.clone();
    if matches!(named, Shelf::File(_))
        && let Err(why) = shelf.open(LARGEST_BOOK)
    {
        say(&format!("MESSAGE {}; playing without a book", named.explain(&why)));
    }
    if io::stdin().is_terminal() {
        say(&format!("MESSAGE {INTRODUCTION}"));
    } else {
        end_with_the_manager();
    }
    let clock = Arc::new(SystemClock::new());
    match protocol::run(io::stdin(), io::stdout(), clock, shelf) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => {
            log::warn!("the manager is gone: {e}");
            ExitCode::SUCCESS
        }
        Err(e) => {
            log::error!("{e}");
            ExitCode::FAILURE
        }
    }
}

/// Ends this program when its parent process ends. That loses no data: the program writes no file but its
/// log.
fn end_with_the_manager() {
    let end = || {
        log::warn!("the manager has ended");
        process::exit(0);
    };
    if let Err(e) = parent::on_end(end) {
        log::warn!("not told when the manager ends: {e}");
    }
}

/// Sets a search parameter.
#[cfg(feature = "tune")]
fn tune(argument: &str) -> Result<(), kagetsu::invalid::Invalid> {
    let (name, value) = argument.split_once('=').ok_or("expected name=value")?;
    let value = value.parse().map_err(|_| format!("{name}: '{value}' is not a whole number"))?;
    kagetsu::search::params::set(name, value)
}

/// Size in bytes from which `malloc` maps a block by itself and returns it to the system when it is freed.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const OWN_PAGES: libc::c_int = 1 << 20;

/// Makes all threads allocate from one heap, and large blocks come from the system by themselves. The GNU C library reserves
/// 64 MiB of addresses for each thread's heap, which counts against a limit such as that of `ulimit -v`; and once a table
/// below 32 MiB was freed, it takes the next one from the heap, where the freed memory stays: with a new rule the process
/// exceeded limits of 60 MB. The search does not allocate, so that one heap is as fast.
/// CITE: mallopt(3), `M_ARENA_MAX` and `M_MMAP_THRESHOLD`.
fn arrange_heap() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: there are no other threads yet, and the call changes nothing but where the allocator takes memory from.
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, 1);
        libc::mallopt(libc::M_MMAP_THRESHOLD, OWN_PAGES);
    }
}

/// Prints a text in one line; does nothing if the output is closed.
fn say(text: &str) {
    if let Err(e) = writeln!(io::stdout(), "{}", protocol::one_line(text)) {
        log::warn!("{e}");
    }
}

/// Appends the log to the file named by `KAGETSU_LOG`; does nothing without it.
///
/// # Errors
/// If the file cannot be written.
fn log_to_file() -> Result<(), String> {
    let Some(path) = env::var_os("KAGETSU_LOG").filter(|path| !path.is_empty()) else { return Ok(()) };
    let file = OpenOptions::new().create(true).append(true).open(&path);
    let file = file.map_err(|why| format!("cannot write the log {}: {why}", path.display()))?;
    let mut builder = env_logger::Builder::new();
    builder
        .filter_level(log::LevelFilter::Debug)
        .format_timestamp_millis()
        .target(env_logger::Target::Pipe(Box::new(file)));
    // RUST_LOG replaces that level. The logger would report an error in it on standard error.
    let filters = env::var("RUST_LOG").unwrap_or_default();
    let checked = env_filter::Builder::new().try_parse(&filters).map(drop);
    if checked.is_ok() {
        builder.parse_filters(&filters);
    }
    builder.init();
    if let Err(why) = checked {
        log::warn!("RUST_LOG is ignored: {why}");
    }
    Ok(())
}
