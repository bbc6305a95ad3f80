//! Completions and manual pages.

use super::{failure, kagetsu};

#[test]
fn completions_know_the_subcommands() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = kagetsu(&["completions", shell]);
        for word in ["analyze", "multipv", "convert", "completions"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
}

#[test]
fn every_subcommand_has_a_page() {
    let folder = tempfile::tempdir().unwrap();
    kagetsu(&["man", folder.path().to_str().unwrap()]);
    for page in ["kagetsu.1", "kagetsu-analyze.1", "kagetsu-solve.1", "kagetsu-play.1"] {
        let text = std::fs::read_to_string(folder.path().join(page)).unwrap();
        assert!(text.contains(".TH") && text.contains("SYNOPSIS"), "{page}");
    }
    let page = kagetsu(&["man"]);
    assert!(page.contains("kagetsu\\-analyze"));
    assert!(!page.contains("kagetsu\\-help"), "there is no such page");
    let titles: Vec<&str> = page.lines().filter(|line| line.starts_with(".TH")).collect();
    let version = concat!("kagetsu ", env!("CARGO_PKG_VERSION"), "\"");
    assert!(titles.len() == 1 && titles[0].trim_end().ends_with(version), "{titles:?}");
    assert!(!page.contains("kernels: "), "{page}");
    assert!(failure(&["man", "no such folder"]).contains("expected an existing folder"));
}
