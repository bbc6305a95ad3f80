//! Game files on the command line: `kagetsu convert`, and files as positions.

use std::fs;
use std::io::Write;
use std::ops::Deref;
use std::path::Path;

use crate::common::cli::command;

const OPENINGS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/openings26.lib");

/// A folder of its own for each test.
struct Folder(tempfile::TempDir);

fn folder() -> Folder {
    Folder(tempfile::tempdir().unwrap())
}

impl Deref for Folder {
    type Target = Path;

    fn deref(&self) -> &Path {
        self.0.path()
    }
}

/// Exit status, stdout and stderr.
fn run(folder: &Path, args: &[&str]) -> (i32, String, String) {
    let output = command(args).current_dir(folder).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn entries(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.collect();
    names.sort();
    names
}

#[test]
fn a_library_goes_through_sgf_unchanged() {
    let folder = folder();
    assert_eq!(run(&folder, &["convert", OPENINGS, "a.sgf"]), (0, String::new(), String::new()));
    assert_eq!(run(&folder, &["convert", "a.sgf", "b.lib"]), (0, String::new(), String::new()));
    assert!(fs::read(folder.join("b.lib")).unwrap() == fs::read(OPENINGS).unwrap());
    assert_eq!(entries(&folder), ["a.sgf", "b.lib"]);
}

#[test]
fn another_size_than_that_of_the_board_is_refused() {
    let folder = folder();
    fs::write(folder.join("a.psq"), "Piskvorky 15x15, 11:11, 0\n8,8,0\n-1\n").unwrap();
    let refusal = "kagetsu: a.psq: game 1: the board is 15x15, but size 20 was asked for\n".to_owned();
    assert_eq!(run(&folder, &["convert", "a.psq", "a.txt", "--size", "20"]), (1, String::new(), refusal));
    assert_eq!(run(&folder, &["convert", "a.psq", "a.txt", "--size", "15"]).0, 0);
}

/// The bytes of a Chinese character in GBK.
#[test]
fn texts_of_another_encoding_are_announced() {
    let folder = folder();
    let game = |declared: &str| [&b"(;"[..], declared.as_bytes(), b"PB[\xce\xe5];B[hh])"].concat();
    for (declared, flags, said) in [
        ("", &[][..], "a text is not UTF-8, and is read as windows-1252"),
        ("CA[UTF-8]", &[], "a text is not UTF-8, as the file or --charset says"),
        ("", &["--charset", "gbk"], ""),
    ] {
        fs::write(folder.join("a.sgf"), game(declared)).unwrap();
        let (status, _, message) = run(&folder, &[&["convert", "a.sgf", "b.sgf", "--force"], flags].concat());
        assert_eq!(status, 0, "{message}");
        assert!(message.contains(said) && (said.is_empty() == message.is_empty()), "{declared}: {message}");
    }
    assert!(fs::read_to_string(folder.join("b.sgf")).unwrap().contains("PB[\u{4e94}]"));
}

#[test]
fn features_that_a_format_lacks_are_refused_and_nothing_is_written() {
    let folder = folder();
    let (status, _, message) = run(&folder, &["convert", OPENINGS, "a.psq"]);
    let refusal =
        "kagetsu: psq: it cannot hold variations, comments, board texts (--lossy leaves that out)\n";
    assert_eq!((status, message.as_str()), (1, refusal));
    assert!(entries(&folder).is_empty());
    assert_eq!(run(&folder, &["convert", OPENINGS, "a.psq", "--lossy"]).0, 0);
    let psq = "Piskvorky 15x15, 11:11, 0\n8,8,0\n8,7,0\n8,6,0\n-1\n";
    assert_eq!(fs::read_to_string(folder.join("a.psq")).unwrap(), psq);

    fs::write(folder.join("list.txt"), "h8h9\nh8--i8\n").unwrap();
    let (status, _, message) = run(&folder, &["convert", "list.txt", "a.psq", "--force"]);
    assert_eq!(
        (status, message.as_str()),
        (1, "kagetsu: psq: it holds one game, and there are 2: choose one with --game\n")
    );
    let (_, _, message) = run(&folder, &["convert", "list.txt", "a.psq", "--force", "--game", "2"]);
    assert_eq!(message, "kagetsu: psq: it cannot hold passes\n");
    let (_, _, message) = run(&folder, &["convert", "list.txt", "a.psq", "--force", "--game", "3"]);
    assert_eq!(message, "kagetsu: list.txt: game 3 does not exist: the file holds 2\n");
    assert_eq!(fs::read_to_string(folder.join("a.psq")).unwrap(), psq, "the old file is untouched");

    fs::write(folder.join("broken.sgf"), "(;B[hh]\n;W[hh])").unwrap();
    let (status, _, message) = run(&folder, &["convert", "broken.sgf", "a.psq", "--force"]);
    assert_eq!((status, message.as_str()), (1, "kagetsu: broken.sgf: line 2: h8 is occupied\n"));
    assert!(run(&folder, &["convert", "list.txt", "somewhere"]).2.contains("or --to psq|"));
}

/// Standard output gets the same bytes as a file: binary data, text in another encoding, or text with unusual
/// characters.
#[test]
fn every_byte_goes_to_stdout() {
    let folder = folder();
    let text = "(;CA[UTF-8]SZ[15]PB[啊];B[hh];W[hi]C[a\u{1b}[1mb\u{7f}])";
    fs::write(folder.join("a.sgf"), text).unwrap();
    for (input, to, more) in [
        (OPENINGS, "lib", &[][..]),
        (OPENINGS, "db", &["--rule", "renju"]),
        ("a.sgf", "pos", &["--lossy"]),
        ("a.sgf", "psq", &["--lossy", "--charset", "gbk"]),
        ("a.sgf", "sgf", &[]),
    ] {
        let args = |out| [&["convert", input, out, "--force", "--to", to], more].concat();
        assert_eq!(run(&folder, &args("file")).0, 0, "{to}");
        let output = command(&args("-")).current_dir(&*folder).output().unwrap();
        assert!(output.status.success() && output.stdout == fs::read(folder.join("file")).unwrap(), "{to}");
    }
}

/// A file may replace another file, but never a pipe or a link.
#[cfg(unix)]
#[test]
fn pipes_and_links_stay() {
    use std::os::unix::fs::{FileTypeExt, symlink};
    use std::process::Command;

    let folder = folder();
    fs::write(folder.join("a.sgf"), "(;SZ[15];B[hh])").unwrap();
    fs::write(folder.join("old.txt"), "h8h9\n").unwrap();
    for (link, file) in [("to-old.txt", "old.txt"), ("to-new.txt", "new.txt")] {
        symlink(file, folder.join(link)).unwrap();
        assert_eq!(run(&folder, &["convert", "a.sgf", link, "--force"]), (0, String::new(), String::new()));
        assert!(fs::symlink_metadata(folder.join(link)).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(folder.join(file)).unwrap(), "h8\n");
    }
    let pipe = folder.join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let path = pipe.clone();
    let reader = std::thread::spawn(move || fs::read_to_string(path).unwrap());
    assert_eq!(run(&folder, &["convert", "a.sgf", "pipe", "--to", "txt"]).0, 0);
    assert!(fs::symlink_metadata(&pipe).unwrap().file_type().is_fifo());
    assert_eq!(reader.join().unwrap(), "h8\n");
    assert_eq!(entries(&folder), ["a.sgf", "new.txt", "old.txt", "pipe", "to-new.txt", "to-old.txt"]);
}

/// The standard output of the process may be a file that others write too.
#[cfg(target_os = "linux")]
#[test]
fn an_open_file_as_output_is_appended_to() {
    let folder = folder();
    fs::write(folder.join("a.sgf"), "(;SZ[15];B[hh])").unwrap();
    let all = folder.join("all.txt");
    fs::write(&all, "h9\n").unwrap();
    let output = fs::OpenOptions::new().append(true).open(&all).unwrap();
    let mut command = command(&["convert", "a.sgf", "/dev/stdout", "--to", "txt"]);
    assert!(command.current_dir(&*folder).stdout(output).status().unwrap().success());
    assert_eq!(fs::read_to_string(&all).unwrap(), "h9\nh8\n");
}

/// Any format may be packed for reading: the name and the first bytes show it.
#[test]
fn packed_files_are_read_and_none_is_written() {
    let folder = folder();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(b"(;SZ[15];B[hh])").unwrap();
    fs::write(folder.join("a.sgf.gz"), packed.finish().unwrap()).unwrap();
    assert_eq!(run(&folder, &["convert", "a.sgf.gz", "-", "--to", "txt"]), (0, "h8\n".into(), String::new()));
    for name in ["b.sgf.gz", "b.db.LZ4"] {
        let (status, _, message) = run(&folder, &["convert", "a.sgf.gz", name, "--rule", "renju"]);
        let (_, extension) = name.rsplit_once('.').unwrap();
        let problem = format!("{name}: files are written unpacked: expected a name without .{extension}");
        assert_eq!((status, message), (2, format!("kagetsu: {problem}\n")));
    }
    assert_eq!(entries(&folder), ["a.sgf.gz"]);
}

#[test]
fn a_game_that_was_picked_keeps_its_number() {
    let folder = folder();
    fs::write(folder.join("a.sgf"), "(;SZ[15];B[hh])(;SZ[15];B[ah])(;SZ[15];B[ai]C[good])").unwrap();
    let (status, _, message) = run(&folder, &["convert", "a.sgf", "b.txt", "--game", "3"]);
    let problem = "kagetsu: txt: game 3: it cannot hold comments (--lossy leaves that out)\n";
    assert_eq!((status, message.as_str()), (1, problem));
}

/// Formats that do not state their encoding are written in the given one.
#[test]
fn texts_are_written_in_the_encoding_that_was_given() {
    let folder = folder();
    let names = b"\xce\xe5\nb\n";
    let psq = [&b"Piskvorky 15x15, 11:11, 0\n8,8,0\n"[..], names, b"-1\n"].concat();
    let rec = [&names[..], b"7,7,0\n-1\n"].concat();
    for (format, bytes) in [("psq", psq), ("rec", rec)] {
        let (from, to) = (format!("a.{format}"), format!("b.{format}"));
        fs::write(folder.join(&from), &bytes).unwrap();
        assert_eq!(run(&folder, &["convert", &from, &to, "--charset", "gbk"]).0, 0);
        assert!(fs::read(folder.join(&to)).unwrap() == bytes, "{format}");
    }
    fs::write(folder.join("a.sgf"), "(;CA[UTF-8]PB[五];B[hh])").unwrap();
    let (status, _, message) = run(&folder, &["convert", "a.sgf", "c.psq", "--charset", "windows-1252"]);
    let problem = "kagetsu: psq: a text has characters that windows-1252 lacks\n";
    assert_eq!((status, message.as_str()), (1, problem));
}

/// A list does not state the board size of its games; only setup strings do.
#[test]
fn sizes_are_not_lost_in_silence() {
    let folder = folder();
    fs::write(folder.join("a.sgf"), "(;SZ[20];B[hh])(;SZ[20];B[ah])").unwrap();
    fs::write(folder.join("b.sgf"), "(;SZ[15];B[hh])(;SZ[20];B[hh])").unwrap();
    fs::write(folder.join("c.sgf"), "(;SZ[15];B[hh])(;SZ[5]AB[aa]PL[W])").unwrap();
    for format in ["txt", "offset", "pos-top"] {
        let (status, _, message) = run(&folder, &["convert", "a.sgf", "-", "--to", format]);
        let problem = "game 1: it cannot hold the board's size (--lossy leaves that out)";
        assert_eq!((status, message), (1, format!("kagetsu: {format}: {problem}\n")));
        let (status, _, message) = run(&folder, &["convert", "b.sgf", "-", "--to", format, "--lossy"]);
        let problem =
            "game 2: it cannot hold games on 15x15 and on 20x20 in one file that does not say their sizes";
        assert_eq!((status, message), (1, format!("kagetsu: {format}: {problem}\n")));
    }
    let (status, list, message) = run(&folder, &["convert", "a.sgf", "-", "--to", "txt", "--lossy"]);
    assert_eq!((status, list.as_str()), (0, "h13\na13\n"));
    assert!(message.contains("txt cannot hold the board's size: left out"), "{message}");
    let (status, list, message) = run(&folder, &["convert", "c.sgf", "-", "--to", "txt"]);
    assert_eq!((status, list.as_str(), message.as_str()), (0, "h8\nx4/5/5/5/5 o\n", ""));
    // Other formats say it, or have one size alone.
    for format in ["binpack", "sgf", "db"] {
        let out = format!("out.{format}");
        assert_eq!(run(&folder, &["convert", "b.sgf", &out, "--rule", "renju"]).0, 0, "{format}");
    }
    for format in ["psq", "sav", "rec"] {
        assert_eq!(run(&folder, &["convert", "a.sgf", "-", "--to", format, "--game", "1"]).0, 0, "{format}");
    }
}

/// Features of the other lines are dropped with them; on the main line they are refused.
#[test]
fn passes_beside_the_main_line_are_left_out_with_their_lines() {
    let folder = folder();
    fs::write(folder.join("a.sgf"), "(;SZ[15];B[hh](;W[hg])(;W[];B[gg];B[ff])(;AW[aa]))").unwrap();
    let (status, _, message) = run(&folder, &["convert", "a.sgf", "a.psq"]);
    let problem = "it cannot hold variations (--lossy leaves that out)";
    assert_eq!((status, message), (1, format!("kagetsu: psq: {problem}\n")));
    assert_eq!(run(&folder, &["convert", "a.sgf", "a.psq", "--lossy"]).0, 0);
    let text = fs::read_to_string(folder.join("a.psq")).unwrap();
    assert_eq!(text, "Piskvorky 15x15, 11:11, 0\n8,8,0\n8,7,0\n-1\n");
    fs::write(folder.join("b.sgf"), "(;SZ[15];B[hh](;W[];B[gg])(;W[hg]))").unwrap();
    let (status, _, message) = run(&folder, &["convert", "b.sgf", "b.psq", "--lossy"]);
    assert_eq!((status, message.as_str()), (1, "kagetsu: psq: it cannot hold passes\n"));
    // A library holds them.
    assert_eq!(run(&folder, &["convert", "b.sgf", "b.lib"]).0, 0);
}

#[test]
fn files_are_positions() {
    let folder = folder();
    fs::write(folder.join("two.sgf"), "(;SZ[15];B[hh];W[hg])(;SZ[5];B[aa];W[bb];B[cc])").unwrap();
    let (status, text, _) = run(&folder, &["show", "two.sgf", "--game", "2", "--move", "2"]);
    assert_eq!(status, 0);
    assert!(text.ends_with("moves: a5b4\nsetup: x4/1o3/5/5/5 x\n"), "{text}");
    let failure = |args: &[&str]| {
        let (status, _, message) = run(&folder, args);
        assert_eq!(status, 1);
        message
    };
    assert!(failure(&["show", "two.sgf", "--move", "3"]).contains("no move 3: the last one is move 2, "));
    assert!(
        failure(&["show", "two.sgf", "--game", "2", "--size", "15"])
            .contains("the board is 5x5, but size 15")
    );
    assert!(failure(&["show", "none.lib"]).contains("cannot read none.lib: "));
    let (status, _, message) = run(&folder, &["show", "h8h9", "--move", "1"]);
    assert_eq!(status, 2);
    assert!(message.contains("expected a game file"), "{message}");
}

#[test]
fn a_database_goes_to_sgf_and_back() {
    let folder = folder();
    let data = |name: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data").join(name);
    let database = data("rapfi-values.db");
    assert_eq!(
        run(&folder, &["convert", database.to_str().unwrap(), "a.sgf"]),
        (0, String::new(), String::new())
    );
    assert_eq!(run(&folder, &["convert", "a.sgf", "b.db"]), (0, String::new(), String::new()));
    let (written, read) = (fs::read(folder.join("b.db")).unwrap(), fs::read(database).unwrap());
    // One record has its texts in another order.
    assert_eq!(written.len(), read.len());
    assert_eq!(run(&folder, &["convert", "b.db", "c.sgf"]).0, 0);
    assert!(fs::read(folder.join("c.sgf")).unwrap() == fs::read(folder.join("a.sgf")).unwrap());
    // A library has no rule of its own.
    let (status, _, message) = run(&folder, &["convert", OPENINGS, "o.db"]);
    let problem =
        "db: game 1: the format stores only these rules: freestyle, standard or renju (--rule says which)";
    assert_eq!((status, message), (1, format!("kagetsu: {problem}\n")));
    let (status, _, message) = run(&folder, &["convert", OPENINGS, "o.xml", "--lossy"]);
    let only_renju = "xml: game 1: the format stores only these rules: renju (--rule says which)";
    assert_eq!((status, message), (1, format!("kagetsu: {only_renju}\n")));
    assert_eq!(run(&folder, &["convert", OPENINGS, "o.db", "--rule", "renju"]).0, 0);
    assert!(fs::read(folder.join("o.db")).unwrap() == fs::read(data("rapfi.db")).unwrap());
    assert_eq!(entries(&folder), ["a.sgf", "b.db", "c.sgf", "o.db"]);
    // The file states the rule: another one would make another game of it.
    fs::write(folder.join("caro.sgf"), "(;SZ[15]RU[caro];B[hh])").unwrap();
    let (status, _, message) = run(&folder, &["convert", "caro.sgf", "caro.db"]);
    let problem = problem.trim_end_matches(" (--rule says which)");
    assert_eq!((status, message), (1, format!("kagetsu: {problem}\n")));
}

#[test]
fn a_rule_that_is_given_wins_and_what_is_left_out_is_told() {
    let folder = folder();
    fs::write(folder.join("a.sgf"), "(;RU[4]C[hi];B[hh])(;RU[0];B[hg])").unwrap();
    let (status, _, message) = run(&folder, &["convert", "a.sgf", "a.bin", "--lossy", "--rule", "renju"]);
    assert_eq!(status, 0);
    assert!(message.contains("a.sgf: games that say another rule than renju: 1"), "{message}");
    assert!(message.contains("bin cannot hold comments: left out"), "{message}");
    assert_eq!(run(&folder, &["convert", "a.bin", "b.sgf"]).0, 0);
    let text = fs::read_to_string(folder.join("b.sgf")).unwrap();
    assert_eq!((text.matches("RU[4]").count(), text.matches("RU[").count()), (2, 2));
}

/// A made-up database of games: the second of them is wrong.
const GAMES: &str = "<database><players><player id='1' name='A' surname='B'/></players><games>\
<game id='5' black='1'><move>h8 h9</move></game>\n<game id='6'><move>h8 h8</move></game>\n\
<game id='7'><move>a1</move></game></games></database>";

#[test]
fn wrong_games_can_be_left_out() {
    let folder = folder();
    fs::write(folder.join("a.rif"), GAMES).unwrap();
    let (status, _, message) = run(&folder, &["convert", "a.rif", "a.sgf"]);
    let at = GAMES.find("<game id='6'").unwrap();
    assert_eq!(
        (status, message),
        (1, format!("kagetsu: a.rif: byte {at}: game 6: move 2: h8 is occupied\n"))
    );
    assert_eq!(entries(&folder), ["a.rif"]);
    let (status, _, message) = run(&folder, &["convert", "a.rif", "a.txt", "--skip-bad", "--lossy"]);
    assert_eq!(status, 0);
    assert!(message.contains("game 6: move 2: h8 is occupied: left out"), "{message}");
    assert_eq!(fs::read_to_string(folder.join("a.txt")).unwrap(), "h8h9\na1\n");
    assert_eq!(run(&folder, &["convert", "a.rif", "c.xml", "--game", "1"]).0, 0);
    assert!(fs::read_to_string(folder.join("c.xml")).unwrap().contains("<move>h8 h9</move>"));
    // Nothing can be read after the end, and no part may be left out.
    fs::write(folder.join("a.rif"), &GAMES[..GAMES.len() - 11]).unwrap();
    let (status, _, message) = run(&folder, &["convert", "a.rif", "b.sgf", "--skip-bad"]);
    assert_eq!(status, 1);
    assert!(message.contains("the file ends where </database> was expected"), "{message}");
    assert_eq!(entries(&folder), ["a.rif", "a.txt", "c.xml"]);
}

/// Truncated files, points that are on the board only if rows and columns change places, boards of a wrong size, two
/// stones on a point: each with the place and what is wrong.
#[test]
fn bad_files_say_where_and_leave_nothing_behind() {
    const SIZES: &[u8] = b"\x01\0\0\0\x05\0\x02\x0f\x0e\x07\x07\0\0";
    let bad: [(&str, &[u8], &str); 40] = [
        ("psq", b"Piskvorky 15x15, 1:1, 0\n8,8,0\n8,", "line 3: '8,' where a move, a name or a result"),
        (
            "psq",
            b"Piskvorky 15x15, 1:1, 0\n8,16,0\n",
            "line 2: 8,16 is off the 15x15 board: expected 1 to 15",
        ),
        ("psq", b"Piskvorky 15x20, 1:1, 0\n", "line 1: a 15x20 board: only square boards"),
        ("psq", b"Piskvorky 15x15, 1:1, 0\n8,8,0\n8,8,0\n", "line 3: h8 is occupied"),
        ("rec", b"a\n", "line 2: '' where a player's name was expected"),
        ("rec", b"a\nb\n3,20,0\n-1\n", "line 3: 3,20 is off the 20x20 board: expected 0 to 19"),
        ("rec", b"a\nb\n3,3,0\n3,3,0\n", "line 4: d17 is occupied"),
        ("sgf", b"(;B[hh]\n;W[hg]", "line 2: the file ends where ')' was expected"),
        ("sgf", b"(;B[hh]\n;W[8h])", "line 2: "),
        ("sgf", b"(;SZ[4];B[aa])", "line 1: SZ[4]: board size 4 is not supported: expected 5 to 22"),
        ("sgf", b"(;B[hh]\n;W[hh])", "line 2: h8 is occupied"),
        ("lib", b"\xffRenLib\xff\x03\x04\xff\xff", "byte 12: the file ends within the header of 20 bytes"),
        ("lib", b"\x78\x00\x70\x40", "byte 2: 0x70 is not a point: expected a column 1-15 and a row 0-14"),
        ("lib", b"\x78\x00\x78\x40", "byte 2: h8 is occupied"),
        ("pos", b"\x02\x70", "byte 2: 1 bytes of moves where 2 were expected"),
        ("pos", b"\x01\xe1", "byte 1: row 15, column 0 is off the 15x15 board"),
        ("pos", b"\x02\x70\x70", "byte 2: h8 is occupied"),
        ("sav", b"15\n15\n2\n7 7\n", "line 5: the file ends after 1 of 2 moves"),
        ("sav", b"15\n15\n1\n15 7\n", "line 4: row 15, column 7 is off the 15x15 board"),
        ("sav", b"15\n20\n0\n", "line 2: a 20x15 board: only square boards"),
        ("sav", b"15\n15\n2\n7 7\n7 7\n", "line 5: h8 is occupied"),
        ("txt", b"h8h9\nh8h", "line 2: "),
        ("txt", b"h8\nh16\n", "line 2: "),
        ("txt", b"5/5/5/5/4 x\n", "line 1: "),
        ("txt", b"h8h9h8\n", "line 1: move 3: h8 is occupied"),
        ("offset", b"0,0, 1\n", "line 1: "),
        ("offset", b"0,0, 0,8\n", "line 1: "),
        ("offset", b"0,0, 0,0\n", "line 1: move 2: h8 is occupied"),
        ("pos-top", b"h8h8\n", "line 1: move 2: h8 is occupied"),
        ("bin", b"\x05\x78\x3c", "byte 3: the file ends where a rule and a move was expected"),
        ("bin", b"\x01\x78\xfc\xff", "byte 2: row 31, column 31 is off the 15x15 board"),
        ("bin", b"\x01\x20\x04\0", "byte 0: board size 4 is not supported: expected 5 to 22"),
        ("binpack", b"\x8f\0\0\0\0", "byte 5: the file ends where the number of moves was expected"),
        ("db", b"\x01\0\0\0\x05\0\x02", "byte 7: the file ends where the rest of a key was expected"),
        ("db", SIZES, "byte 7: a 15x14 board: only square boards"),
        (
            "db",
            b"\x01\0\0\0\x05\0\x02\x0f\x0f\x07\x0f\0\0",
            "byte 9: row 15, column 7 is off the 15x15 board",
        ),
        ("db", b"\x01\0\0\0\x07\0\x02\x0f\x0f\x07\x07\x07\x07\0\0", "byte 11: h8 is occupied"),
        ("xml", b"<database><game id='1'><move>h8", "byte 31: the file ends where </database> was expected"),
        ("xml", b"<database><game id='1'><move>8h</move></game></database>", "byte 10: game 1: move 1: "),
        (
            "xml",
            b"<database><game id='1'><move>h8 h8</move></game></database>",
            "byte 10: game 1: move 2: h8",
        ),
    ];
    let folder = folder();
    fs::write(folder.join("kept.sgf"), "kept").unwrap();
    for (format, bytes, problem) in bad {
        let name = format!("bad.{format}");
        fs::write(folder.join(&name), bytes).unwrap();
        let (status, out, message) = run(&folder, &["convert", &name, "kept.sgf", "--force"]);
        assert_eq!((status, out.as_str()), (1, ""), "{format}: {message}");
        assert!(message.starts_with(&format!("kagetsu: {name}: {problem}")), "{message}");
        fs::remove_file(folder.join(&name)).unwrap();
    }
    assert_eq!(entries(&folder), ["kept.sgf"]);
    assert_eq!(fs::read_to_string(folder.join("kept.sgf")).unwrap(), "kept");
}

/// A file may go on after a foul; a position of a file ends with it.
#[test]
fn fouls_in_files() {
    let folder = folder();
    fs::write(folder.join("foul.txt"), "i8a1j8a3h9a5h10o1h8c1\n").unwrap();
    assert_eq!(run(&folder, &["convert", "foul.txt", "foul.sgf"]).0, 0);
    let (status, _, message) = run(&folder, &["show", "foul.sgf"]);
    assert_eq!(status, 1);
    assert!(message.starts_with("kagetsu: foul.sgf: move 10: ") && message.contains("33"), "{message}");
    assert_eq!(run(&folder, &["show", "foul.sgf", "--move", "9"]).0, 0);
    assert_eq!(run(&folder, &["show", "foul.sgf", "--rule", "standard"]).0, 0);
}
