//! `scripts/release.sh`, with programs that only pretend to build.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// External programs that the script calls, other than git and those that every Linux system has.
const NAMES: [&str; 13] = [
    "cargo",
    "cargo-deb",
    "dpkg-deb",
    "dpkg-shlibdeps",
    "objcopy",
    "objdump",
    "pandoc",
    "rustc",
    "strip",
    "x86_64-w64-mingw32-objcopy",
    "x86_64-w64-mingw32-objdump",
    "x86_64-w64-mingw32-strip",
    "zip",
];

/// All of these in one program, and `scripts/windows.sh`. As `cargo` it lists the crate `thing` twice, and in colours unless
/// it is told not to.
const PRETENDS: &str = r#"#!/usr/bin/env bash
set -eu
last=${*: -1}
case ${0##*/} in
rustc) if [ "$1" = -V ]; then echo 'rustc 1.95.0'; else echo "$STAGE/sysroot"; fi ;;
windows.sh)
    made=$CARGO_TARGET_DIR/x86_64-pc-windows-gnu/release
    mkdir -p "$made"
    echo program | tee "$made/kagetsu.exe" >"$made/pbrain-kagetsu.exe"
    ;;
cargo)
    case $1 in
    build)
        made=$CARGO_TARGET_DIR/x86_64-unknown-linux-gnu/release
        mkdir -p "$made"
        for program in kagetsu pbrain-kagetsu; do install -m 755 /dev/null "$made/$program"; done
        ;;
    tree)
        mark=' (*)'
        case " $* " in *' --color never '*) ;; *) mark=$' \e[33m(*)\e[39m' ;; esac
        printf '%s\n' "kagetsu v0.1.0 ($PWD)|MIT" 'thing v1.2.3|MIT' "thing v1.2.3|MIT$mark"
        ;;
    deb) : >"$last" ;;
    esac
    ;;
dpkg-deb) echo "$DEPENDS" ;;
pandoc) cat "$last" ;;
zip) cat >"$last" ;;
strip | x86_64-w64-mingw32-strip) cp "$last" "$2" ;;
objcopy) cp "$2" "$3" ;;
x86_64-w64-mingw32-objcopy) cp "${*: -2:1}" "$last" ;;
objdump) echo GLIBC_2.34 ;;
x86_64-w64-mingw32-objdump) echo .rsrc ;;
esac
"#;

const CHANGELOG: &str = "## [Unreleased]\n\n## [0.1.0] - 2026-12-01\n";

/// Files of the repository besides scripts.
const FILES: [(&str, &str); 9] = [
    ("Cargo.toml", "[workspace.package]\nversion = \"0.1.0\"\n\n"),
    ("CHANGELOG.md", CHANGELOG),
    ("README.md", "# kagetsu\n"),
    ("LICENSE", "ours\n"),
    ("LICENSE-APACHE", "ours\n"),
    ("LICENSE-MIT", "ours\n"),
    ("assets/kagetsu-board.cmd", "@echo off\r\n"),
    ("book/openings/list.txt", "h8\n"),
    ("tools/src/picture/font-license.txt", "the font's\n"),
];

/// A repository with one commit, and programs. The folder of the repository has a space in its name.
struct Stage(TempDir);

impl Stage {
    fn new() -> Self {
        let stage = Self(tempfile::tempdir().unwrap());
        for (name, text) in FILES {
            stage.write(&format!("my repository/{name}"), text);
        }
        for name in ["release.sh", "manual.sh"] {
            let text = fs::read_to_string(scripts().join(name)).unwrap();
            stage.write(&format!("my repository/scripts/{name}"), &text);
        }
        stage.write("cargo/registry/src/index/thing-1.2.3/LICENSE", "the licence of thing\n");
        stage.write("sysroot/share/doc/rust/COPYRIGHT-library.html", "");
        stage.write("mingw", "");
        stage.write("draft", PRETENDS);
        fs::create_dir_all(stage.path("programs")).unwrap();
        let programs = NAMES.map(|name| format!("programs/{name}"));
        for program in programs.iter().map(String::as_str).chain(["my repository/scripts/windows.sh"]) {
            // A program cannot start while a process has it open for writing. If this process wrote it, children of
            // other tests could have it open, too.
            let mut command = Command::new("install");
            command.args(["-m", "755"]).arg(stage.path("draft")).arg(stage.path(program));
            assert!(command.status().unwrap().success());
        }
        let commit = ["-c", "user.name=n", "-c", "user.email=e", "-c", "commit.gpgsign=false", "commit"];
        stage.git(&["init", "--quiet"]);
        stage.git(&["add", "."]);
        stage.git(&[&commit[..], &["--quiet", "--no-verify", "--message=first"]].concat());
        stage
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn git(&self, arguments: &[&str]) {
        let mut command = Command::new("git");
        command.arg("-C").arg(self.path("my repository")).args(arguments);
        assert!(command.status().unwrap().success(), "{arguments:?}");
    }

    /// Makes the release 0.1.0 with the folder `out` below another folder than the repository, in which it is called.
    fn release(&self, depends: &str) -> Output {
        let elsewhere = self.path("elsewhere");
        fs::create_dir_all(&elsewhere).unwrap();
        let path = format!("{}:{}", self.path("programs").display(), std::env::var("PATH").unwrap());
        let mut command = Command::new("bash");
        command.arg(self.path("my repository/scripts/release.sh")).args(["0.1.0", "out"]);
        command.current_dir(elsewhere).env("PATH", path).env("DEPENDS", depends).env("STAGE", self.0.path());
        command.env("CARGO_HOME", self.path("cargo")).env("KAGETSU_RUST_SRC", self.path("std"));
        command.env("MINGW_COPYRIGHT", self.path("mingw")).output().unwrap()
    }

    /// The sorted names of the files in the folder `out`; none without that folder.
    fn made(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.path("elsewhere/out")) else { return Vec::new() };
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

/// The folder of the scripts.
fn scripts() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

#[test]
fn a_release_is_made_in_the_folder_that_is_named() {
    let stage = Stage::new();
    let output = stage.release("libc6 (>= 2.34)");
    assert!(output.status.success(), "{output:?}");
    let expected = [
        "SHA256SUMS",
        "kagetsu-0.1.0-line-tables.tar.gz",
        "kagetsu-0.1.0-linux-x64.tar.gz",
        "kagetsu-0.1.0-windows-x64.zip",
        "kagetsu64.zip",
        "kagetsu_0.1.0_amd64.deb",
    ];
    assert_eq!(stage.made(), expected);
    // A crate that several others use has its licence once.
    let mut command = Command::new("tar");
    command.arg("-xzOf").arg(stage.path("elsewhere/out/kagetsu-0.1.0-linux-x64.tar.gz"));
    let output = command.arg("kagetsu-0.1.0-linux-x64/LICENSES-of-crates.txt").output().unwrap();
    let licences = String::from_utf8(output.stdout).unwrap();
    assert!(licences.contains("\nthing 1.2.3 (MIT)\n\nthe licence of thing\n"), "{licences}");
    assert_eq!(licences.matches("thing 1.2.3").count(), 1, "{licences}");
}

/// cargo-deb makes a package without dependencies if it cannot find those of the programs.
#[test]
fn a_debian_package_that_depends_on_nothing_is_refused() {
    let stage = Stage::new();
    let output = stage.release("");
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("does not depend on libc6"), "{said}");
    assert!(stage.made().is_empty());
}

#[test]
fn texts_of_the_time_before_a_release_are_refused() {
    let stage = Stage::new();
    let refused = |name: &str, text: &str, expected: &str| {
        stage.write(&format!("my repository/{name}"), text);
        let output = stage.release("libc6");
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains(expected), "{said}");
    };
    let entry = "## [Unreleased]\n\n- More.\n\n## [0.1.0] - 2026-12-01\n";
    refused("CHANGELOG.md", entry, "[Unreleased] has entries");
    let promised = format!("{CHANGELOG}\nNothing has been released yet.\n");
    refused("CHANGELOG.md", &promised, "CHANGELOG.md says that nothing has been released");
    stage.write("my repository/CHANGELOG.md", CHANGELOG);
    let readme = "# kagetsu\nThere is no release to download yet.\n";
    refused("README.md", readme, "README.md says that there is no release to download");
}
