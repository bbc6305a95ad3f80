//! Tells the engine who made it, and gives the program for Windows its version and icon.

use std::env;
use std::path::Path;

fn main() {
    println!("cargo:rerun-if-changed=Cargo.toml");
    println!("cargo:rustc-env=KAGETSU_COUNTRY={}", country());
    if env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("windows")
        && let Err(error) = resource()
    {
        println!("cargo:warning=the program has no version resource: {error}");
    }
}

/// `country` of `package.metadata.about` in the manifest.
fn country() -> String {
    let manifest = std::fs::read_to_string("Cargo.toml").expect("a package has a manifest");
    let value = manifest.lines().find_map(|line| line.strip_prefix("country = \"")?.strip_suffix('"'));
    value.expect("a country in package.metadata.about").to_owned()
}

/// The resource of the program.
fn resource() -> std::io::Result<()> {
    const ICON: &str = "assets/kagetsu.ico";
    println!("cargo:rerun-if-changed={ICON}");
    let authors = env::var("CARGO_PKG_AUTHORS").unwrap_or_default();
    let mut resource = winresource::WindowsResource::new();
    resource
        .set("ProductName", "kagetsu")
        .set("FileDescription", "kagetsu, a gomoku and Renju engine for managers")
        .set("OriginalFilename", "pbrain-kagetsu.exe")
        .set("CompanyName", authors.split('<').next().unwrap_or_default().trim())
        .set("LegalCopyright", &env::var("CARGO_PKG_LICENSE").unwrap_or_default());
    if Path::new(ICON).exists() {
        resource.set_icon(ICON);
    }
    resource.compile_for("pbrain-kagetsu")
}
