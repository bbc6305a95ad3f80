//! The page's files, which are embedded in the program.

/// A file of the page.
#[derive(Clone, Copy, Debug)]
pub struct Asset {
    /// Its path in the address.
    pub path: &'static str,
    /// The type of its content.
    pub mime: &'static str,
    /// The content.
    pub content: &'static str,
}

/// The files of the folder `page` by name.
macro_rules! assets {
    ($($mime:literal: $($name:literal)+;)+) => {
        &[$($(Asset {
            path: concat!("/", $name),
            mime: $mime,
            content: include_str!(concat!("../page/", $name)),
        }),+),+]
    };
}

/// All files of the page.
pub static ASSETS: &[Asset] = assets! {
    "text/html; charset=utf-8": "index.html";
    "text/css; charset=utf-8": "style.css" "dark.css" "board.css" "game.css" "dialogs.css" "panels.css";
    "image/svg+xml": "icon.svg";
    "text/javascript; charset=utf-8":
        "address.js" "advice.js" "analysis.js" "annotation.js" "app.js" "board.js" "clock.js" "connection.js"
        "controls.js" "dialogs.js" "dom.js" "drawing.js" "entry.js" "explain.js" "files.js" "game.js" "gamepanel.js"
        "graph.js" "judgements.js" "lines.js" "link.js" "match.js" "moves.js" "newgame.js" "openings.js" "play.js"
        "playactions.js" "players.js" "playpanel.js" "points.js" "presses.js" "proof.js" "puzzles.js" "referee.js"
        "regulation.js" "restore.js" "rules.js" "session.js" "settings.js" "setup.js" "share.js" "spoken.js"
        "stage.js" "storage.js" "store.js" "tabs.js" "tip.js" "transfer.js" "treelayout.js" "treeview.js" "turn.js"
        "view.js" "words.js";
};

/// Returns the file at a path; the page itself at `/`. Paths are compared as a whole, so no path leads out of a folder.
pub fn find(path: &str) -> Option<&'static Asset> {
    let path = if path == "/" { "/index.html" } else { path };
    ASSETS.iter().find(|asset| asset.path == path)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn every_file_of_the_page_is_carried() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
        for entry in std::fs::read_dir(folder).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            assert!(find(&format!("/{name}")).is_some() || name.ends_with(".d.ts"), "{name} is not carried");
        }
    }

    /// The page loads fast, and its source stays readable.
    #[test]
    fn the_page_is_small_and_plain() {
        let total: usize = ASSETS.iter().map(|asset| asset.content.len()).sum();
        assert!(total < 300_000, "{total} bytes");
        for asset in ASSETS {
            let longest = asset.content.lines().map(|line| line.chars().count()).max().unwrap_or(0);
            assert!(longest <= 120, "{}: a line of {longest} characters", asset.path);
        }
    }

    #[test]
    fn paths_lead_nowhere_else() {
        assert_eq!(find("/").map(|asset| asset.path), Some("/index.html"));
        for path in [
            "",
            "/..",
            "/../Cargo.toml",
            "/%2e%2e/Cargo.toml",
            "/page/app.js",
            "//app.js",
            "/app.js/",
            "/schema.d.ts",
        ] {
            assert!(find(path).is_none(), "{path}");
        }
    }
}
