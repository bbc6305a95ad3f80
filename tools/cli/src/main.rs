//! The command line for people and scripts.

fn main() -> std::process::ExitCode {
    kagetsu_cli::run()
}
