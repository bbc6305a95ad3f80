//! Standard error: the log, wrong usage and the last error. All of it goes through the gate for text of others.

use std::io::{self, Write};
use std::process::ExitCode;

use kagetsu_tools::untrusted;

/// Logs warnings, or what `RUST_LOG` asks for.
pub fn init_log() {
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("warn"))
        .format(|out, record| {
            let (level, style) = (record.level(), out.default_level_style(record.level()));
            let (time, target) = (out.timestamp_seconds(), record.target());
            let text = record.args().to_string();
            writeln!(out, "[{time} {style}{level:<5}{style:#} {target}] {}", untrusted::lines(&text))
        })
        .init();
}

/// Says what was wrong with the arguments. Coloured, unless they hold what a terminal would obey.
pub fn usage(error: &clap::Error) -> ExitCode {
    let text = error.render().to_string();
    if untrusted::is_safe(&text) {
        error.exit();
    }
    // With stderr closed as well there is nobody left to tell.
    let _ = write!(io::stderr(), "{}", untrusted::lines(&text));
    ExitCode::from(2)
}

/// Says why a command failed.
pub fn failure(error: &anyhow::Error) -> ExitCode {
    let _ = writeln!(io::stderr(), "kagetsu: {}", untrusted::lines(&format!("{error:#}")));
    ExitCode::FAILURE
}
