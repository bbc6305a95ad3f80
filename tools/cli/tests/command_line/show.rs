//! `kagetsu show` with pictures and marks.

use super::{failure, kagetsu, wrong_usage};
use crate::common::cli::run;

#[test]
fn pictures_hold_what_was_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let [svg, png] = ["a.svg", "a.png"].map(|name| folder.path().join(name));
    let [svg, png] = [svg.to_str().unwrap(), png.to_str().unwrap()];
    kagetsu(&["show", "f8a1g8a3h9a5h10a7", "--fouls", "--mark", "c3=Q", "--svg", svg, "--png", png]);
    let text = std::fs::read_to_string(svg).unwrap();
    // Coordinates, the numbers of the stones, the foul and the mark.
    for label in [">a<", ">o<", ">15<", ">8<", ">33<", ">Q<"] {
        assert!(text.contains(label), "{label}");
    }
    assert_eq!(text.matches("<circle").count(), 5 + 8 + 2, "star points, stones, and two points made empty");
    let bytes = std::fs::read(png).unwrap();
    assert_eq!(bytes[..8], *b"\x89PNG\r\n\x1a\n");
    // Width and height of the header: 14 cells of 32 units and the margins, two pixels each.
    assert_eq!(bytes[16..24], [0, 0, 4, 12, 0, 0, 4, 12]);
    kagetsu(&["show", "h8", "--force", "--png", png, "--no-numbers", "--no-coordinates", "--scale", "0.5"]);
    assert_eq!(std::fs::read(png).unwrap()[16..24], [0, 0, 0, 248, 0, 0, 0, 248]);
}

#[test]
fn candidates_and_heat() {
    let folder = tempfile::tempdir().unwrap();
    let svg = folder.path().join("a.svg");
    let svg = svg.to_str().unwrap();
    let limits = ["--nodes", "3000", "--threads", "1", "--hash", "4M"];
    let text = kagetsu(&[&["show", "D4 g9", "--candidates", "3", "--svg", svg], &limits[..]].concat());
    assert!([" 1 ", " 2 ", " 3 "].iter().all(|sign| text.contains(sign)), "{text}");
    let drawn = std::fs::read_to_string(svg).unwrap();
    assert!([">A<", ">B<", ">C<"].iter().all(|label| drawn.contains(label)) && !drawn.contains(">D<"));
    kagetsu(&[&["show", "D4 g9", "--heat", "5", "--force", "--svg", svg], &limits[..]].concat());
    let heat = std::fs::read_to_string(svg).unwrap();
    assert_eq!(heat.matches("<circle").count(), 5 + 4 + 5);
}

/// The same moves with Black first would be an opening.
#[test]
fn moves_that_white_begins_are_shown_as_stones() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("white.sgf");
    std::fs::write(&path, "(;GM[4]SZ[15];W[hh];B[hg];W[ih])").unwrap();
    let empty = format!("{} o", ["15"; 15].join("/"));
    for position in [path.to_str().unwrap(), &empty] {
        let text = kagetsu(&["show", position]);
        assert!(
            text.contains("\nsetup: ") && !text.contains("moves:") && !text.contains("opening:"),
            "{text}"
        );
    }
}

#[test]
fn wrong_marks_and_names_are_refused() {
    for (args, message) in
        [(["--mark", "h8=A"], "h8 is occupied"), (["--svg", "/no/such/folder/a.svg"], "cannot write")]
    {
        let text = failure(&[&["show", "h8"], &args[..]].concat());
        assert!(text.contains(message), "{text}");
    }
    for (args, message) in [
        (["--mark", "h9"], "expected POINT=TEXT"),
        (["--mark", "h9=much too long"], "one to three characters"),
        (["--png", "board.jpg"], "ends with .png"),
    ] {
        let text = wrong_usage(&[&["show", "h8"], &args[..]].concat());
        assert!(text.contains(message), "{text}");
    }
}

/// The font of PNG pictures has ASCII alone.
#[test]
fn letters_that_a_picture_lacks_are_told() {
    let folder = tempfile::tempdir().unwrap();
    for (flag, name, mark, expected) in [
        ("--png", "a.png", "a1=五", true),
        ("--svg", "a.svg", "a1=五", false),
        ("--png", "b.png", "a1=A", false),
    ] {
        let path = folder.path().join(name);
        let output = run(&["show", "h8", "--mark", mark, flag, path.to_str().unwrap()]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success() && said.contains("question marks") == expected, "{name}: {said}");
    }
}
