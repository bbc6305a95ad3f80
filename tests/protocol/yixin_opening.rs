//! The choice of an opening in the dialect of Yixin-Board, and its balanced search.

use crate::manager::{Manager, square};

/// Returns the lines of `MESSAGE` with this word that the engine sends for a command, without the word.
fn said(engine: &mut Manager, lines: &str, tag: &str) -> Vec<String> {
    let before = engine.messages.len();
    // The next command is answered after it.
    engine.send(&format!("{lines}\nABOUT"));
    assert!(engine.reply().starts_with("name="));
    let start = format!("MESSAGE {tag} ");
    engine.messages[before..].iter().filter_map(|m| m.strip_prefix(&start).map(str::to_owned)).collect()
}

/// The two numbers of a line that begins with this word.
fn coordinates(line: &str, word: &str) -> (usize, usize) {
    let rest = line.strip_prefix(word).unwrap_or_else(|| panic!("{line:?} is not {word}"));
    let numbers: Vec<usize> = rest.split_whitespace().map(|n| n.parse().unwrap()).collect();
    assert!(numbers.len() >= 2 && numbers.iter().all(|&n| n < 15), "{line}");
    (numbers[0], numbers[1])
}

#[test]
fn yixin_swap2() {
    let mut engine = Manager::game(15, 1, 60);
    let stones = said(&mut engine, "yxswap2step1", "SWAP2");
    assert_eq!(stones.len(), 3);
    let [a, b, c] = [1, 2, 3].map(|i| coordinates(&stones[i - 1], &format!("MOVE{i}")));
    let three = format!("yxboard\n{},{},2\n{},{},1\n{},{},2\ndone\n", a.0, a.1, b.0, b.1, c.0, c.1);
    let reply = said(&mut engine, &format!("{three}yxswap2step2"), "SWAP2");
    let two = reply.len() == 2 && reply[0].starts_with("MOVE4 ") && reply[1].starts_with("MOVE5 ");
    assert!(two || reply == ["SWAP1 YES"] || reply == ["SWAP1 NO"], "{reply:?}");
    // Black's stones are in the corners: nobody would be Black.
    let bad = "yxboard\n0,0,2\n7,7,1\n14,14,2\ndone\nyxswap2step2";
    assert_eq!(said(&mut engine, bad, "SWAP2"), ["SWAP1 NO"]);
    let bad = "yxboard\n0,0,2\n7,7,1\n14,14,2\n8,8,1\n0,14,2\ndone\nyxswap2step3";
    assert_eq!(said(&mut engine, bad, "SWAP2"), ["SWAP2 NO"]);
    let good = "yxboard\n7,7,2\n0,0,1\n8,8,2\n0,14,1\n8,7,2\ndone\nyxswap2step3";
    assert_eq!(said(&mut engine, good, "SWAP2"), ["SWAP2 YES"]);
    engine.refused("yxboard\n7,7,2\ndone\nyxswap2step2");
    engine.end();
}

#[test]
fn yixin_soosorv() {
    let mut engine = Manager::game(15, 2, 60);
    let mut say = |lines: &str| said(&mut engine, lines, "SOOSORV");
    let stones = say("yxsoosorvstep1");
    let three: String = (1..)
        .zip(&stones)
        .map(|(i, line)| coordinates(line, &format!("MOVE{i}")))
        .map(|(x, y)| format!("{x},{y}\n"))
        .collect();
    assert_eq!(stones.len(), 3);
    let reply = say(&format!("yxsoosorvstep2\n{three}done"));
    assert!(reply == ["SWAP1 Y"] || reply == ["SWAP1 N"], "{reply:?}");
    let reply = say(&format!("yxsoosorvstep3\n{three}done"));
    let (x, y) = coordinates(&reply[0], "MOVE4");
    let number: usize = reply[0].rsplit(' ').next().unwrap().parse().unwrap();
    assert!((1..=8).contains(&number));
    let four = format!("{three}{x},{y}\n");
    let reply = say(&format!("yxsoosorvstep4 {number}\n{four}done"));
    assert!(reply == ["SWAP2 Y"] || reply == ["SWAP2 N"], "{reply:?}");
    let offer = say(&format!("yxsoosorvstep5 {number}\n{four}done"));
    assert_eq!(
        (offer.len(), offer[0].as_str(), offer[number + 1].as_str()),
        (number + 2, "MOVE5 REFRESH", "MOVE5 DONE")
    );
    let fifths: Vec<_> = offer[1..=number].iter().map(|line| coordinates(line, "MOVE5")).collect();
    let lines: String = fifths.iter().map(|(x, y)| format!("{x},{y}\n")).collect();
    let reply = say(&format!("yxsoosorvstep6\n{four}{lines}done"));
    assert!(fifths.contains(&coordinates(&reply[0], "MOVE5C")), "{reply:?}");
    engine.end();
}

#[test]
fn balanced_moves_are_played() {
    let mut engine = Manager::game(15, 0, 2000);
    engine.send("YXBOARD\n7,7,2\n8,8,1\n6,6,2\n9,7,1\nDONE\nYXBALANCETWO 0");
    let reply = engine.reply();
    let two: Vec<_> = reply.split(' ').map(|s| square(s).unwrap()).collect();
    assert!(two.len() == 2 && two[0] != two[1], "{reply}");
    assert!(engine.messages.iter().any(|m| m.starts_with("MESSAGE balance ev ")));
    engine.send(&format!("TURN {}", reply.split(' ').next().unwrap()));
    assert!(engine.reply().starts_with("ERROR "), "the stones are on the board");
    engine.ask("YXBALANCEONE -100");
    engine.ask("YXBALANCEONE");
    engine.refused("YXBALANCEONE x");
    engine.end();
}
