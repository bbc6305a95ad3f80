//! Tells the program its commit, and gives the one for Windows its version and icon.

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=KAGETSU_COMMIT");
    println!("cargo:rustc-env=KAGETSU_COMMIT={}", commit());
    if env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("windows")
        && let Err(error) = resource()
    {
        println!("cargo:warning=the program has no version resource: {error}");
    }
}

/// Returns the commit of this build: from the environment or, for a release build, from git. Development builds do
/// without it, because every new commit would recompile the crate.
fn commit() -> String {
    if let Ok(named) = env::var("KAGETSU_COMMIT") {
        return named;
    }
    if env::var("PROFILE").as_deref() != Ok("release") {
        return "not named in a build for development".to_owned();
    }
    // A source that lies in another repository, such as that of a packager or of a home folder, is not of its commits.
    if git(&["ls-files", "--error-unmatch", "build.rs"]).is_none() {
        return "unknown".to_owned();
    }
    let Some(head) = git(&["rev-parse", "--git-path", "logs/HEAD"]) else { return "unknown".to_owned() };
    println!("cargo:rerun-if-changed={head}");
    git(&["rev-parse", "--short=12", "HEAD"]).unwrap_or_else(|| "unknown".to_owned())
}

/// Returns the output of git; `None` without git, and outside of a checkout.
fn git(arguments: &[&str]) -> Option<String> {
    let output =
        Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}

/// The resource of the program.
fn resource() -> std::io::Result<()> {
    // The icon is there in a checkout only: a package of cargo has no files outside of the crate's folder, so
    // the program built from one has no icon.
    const ICON: &str = "../../assets/kagetsu.ico";
    println!("cargo:rerun-if-changed={ICON}");
    let authors = env::var("CARGO_PKG_AUTHORS").unwrap_or_default();
    let mut resource = winresource::WindowsResource::new();
    resource
        .set("ProductName", "kagetsu")
        .set("FileDescription", "kagetsu, the command line of a gomoku and Renju engine")
        .set("OriginalFilename", "kagetsu.exe")
        .set("CompanyName", authors.split('<').next().unwrap_or_default().trim())
        .set("LegalCopyright", &env::var("CARGO_PKG_LICENSE").unwrap_or_default());
    if Path::new(ICON).exists() {
        resource.set_icon(ICON);
    }
    resource.compile_for("kagetsu")
}
