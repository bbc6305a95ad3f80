//! `kagetsu openings`: codes and names of every notation, JSON, pictures.

use serde_json::{Value, json};

use super::{failure, kagetsu, run_unread, wrong_usage};

#[test]
fn an_opening_is_found_by_any_code_or_name() {
    for name in
        ["D4", "4D", "4В", "4B", "Kagetsu", "kagetu", "花月", "flower moon", "květ", "h8i8i7", "h8h9i9 a1"]
    {
        let text = kagetsu(&["openings", name]);
        assert_eq!(text, "D4   h8h9i9   Kagetsu    花月  Flower Moon, Black wins\n", "{name}");
    }
    for (name, code) in [("4Д", "I4 "), ("4I", "I4 "), ("Comet", "I13 "), ("Shōgetsu", "D8 ")] {
        assert!(kagetsu(&["openings", name]).starts_with(code), "{name}");
    }
    assert!(kagetsu(&["openings", "4D", "--russian"]).starts_with("I4 "));
    assert!(kagetsu(&["openings", "D4", "--russian"]).starts_with("D4 "));
    let setup = "15/15/15/15/15/15/7ox6/7x7/15/15/15/15/15/15/15 o";
    assert!(kagetsu(&["openings", setup]).starts_with("D4 "));
    assert!(kagetsu(&["openings", "j10j11k11", "--size", "19"]).starts_with("D4 "));
    let text = failure(&["openings", "Kagetsuki"]);
    assert!(text.contains("'Kagetsuki' is neither a code or name of an opening nor a position"), "{text}");
    for asked in [&["h8h9i9"][..], &["Kagetsu"], &[]] {
        let text = failure(&[&["openings"][..], asked, &["--rule", "freestyle"]].concat());
        assert!(text.contains("those of Renju, not of freestyle"), "{text}");
    }
}

#[test]
fn openings_as_json() {
    let text = kagetsu(&["openings", "--json"]);
    let all: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(all.len(), 26);
    let one = kagetsu(&["openings", "Shogetsu", "--json"]);
    assert_eq!(
        serde_json::from_str::<Value>(&one).unwrap(),
        json!({
            "code": "D8", "russian_code": "8В", "moves": ["h8", "h9", "h7"], "romaji": "Shogetsu", "macron": "Shōgetsu",
            "kanji": "松月", "traditional": "松月", "english": "Pine Moon", "czech": "Borovice",
            "assessment": {"rif": "black_slight", "english": "black_slight", "chinese": "black_adv"},
        })
    );
    let published: Vec<Value> =
        serde_json::from_str(include_str!("../../../../tests/data/openings26.json")).unwrap();
    for (own, published) in all.iter().zip(&published) {
        assert_eq!(own["assessment"]["rif"], published["advantage_rif"]);
        assert_eq!((&own["code"], &own["moves"]), (&published["code"], &published["moves"]));
    }
}

#[test]
fn openings_as_pictures() {
    let folder = tempfile::tempdir().unwrap();
    let [svg, png] = ["a.svg", "a.png"].map(|name| folder.path().join(name));
    let [svg, png] = [svg.to_str().unwrap(), png.to_str().unwrap()];
    kagetsu(&["openings", "--svg", svg, "--png", png]);
    let text = std::fs::read_to_string(svg).unwrap();
    assert_eq!((text.matches("<circle").count(), text.matches("月</text>").count()), (3 * 26, 16));
    for label in [">D4 Kagetsu 花月<", ">I13 Suisei 彗星<", ">Flower Moon<", ">White wins<"] {
        assert!(text.contains(label), "{label}");
    }
    let header = |path: &str| {
        let bytes = std::fs::read(path).unwrap();
        assert_eq!(bytes[..8], *b"\x89PNG\r\n\x1a\n");
        [16, 20].map(|at| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap()))
    };
    assert_eq!(header(png), [7 * 232 + 28, 4 * 262 + 28]);
    assert!(
        failure(&["openings", "Comet", "--svg", svg]).contains("--force"),
        "a picture that is there stays"
    );
    kagetsu(&["openings", "Comet", "--svg", svg, "--png", png, "--scale", "2", "--force"]);
    assert_eq!(header(png), [2 * 260, 2 * 290]);
    assert_eq!(std::fs::read_to_string(svg).unwrap().matches("<circle").count(), 3);
    let text = wrong_usage(&["openings", "--png", "sheet.gif"]);
    assert!(text.contains("ends with .png"), "{text}");
}

#[test]
fn pictures_are_drawn_though_nobody_reads_the_text() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("all.svg");
    let output = run_unread(&["openings", "--svg", path.to_str().unwrap()], "");
    assert!(output.status.success() && path.exists(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Openings belong to Renju, however the stones came.
#[test]
fn openings_are_named_under_renju_only() {
    let setup = "15/15/15/15/15/15/7ox6/7x7/15/15/15/15/15/15/15 o";
    for position in ["h8h9i9", setup] {
        assert!(kagetsu(&["show", position]).contains("opening: D4 Kagetsu"), "{position}");
        assert!(!kagetsu(&["show", position, "--rule", "standard"]).contains("opening:"), "{position}");
    }
    assert!(kagetsu(&["show", "j10j11k11", "--size", "19"]).contains("opening: D4 Kagetsu"));
}
