//! The judgements of a game: sent as soon as they are known, and written into the game.

mod site;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use kagetsu_web::schema::game::{Entry, Game, Node, Note};
use kagetsu_web::schema::{Ask, Tell, board, tell};
use site::{Site, Socket, ask, next, run, send};

/// White does not stop the open three: the moves after it are lost.
const LOST: &str = "(;SZ[15]RU[freestyle];B[hh];W[aa]C[why];B[hi];W[oa];B[hj];W[oo];B[hk];W[ao];B[hl])";
/// Moves of that game.
const MOVES: u32 = 9;

async fn opened(page: &mut Socket, text: &str) -> Game {
    let load = Ask::Load { name: "a.sgf".into(), data: STANDARD.encode(text), number: None };
    match ask(page, 1, load).await {
        Tell::Loaded(loaded) => loaded.game,
        other => panic!("{other:?}"),
    }
}

/// Annotates a game, and stops when there are this many judgements.
async fn annotated(page: &mut Socket, game: &Game, ms: u32, enough: usize) -> Vec<tell::Judged> {
    let game = game.clone();
    let annotate = Ask::Annotate { game, rule: board::Rule::Freestyle, ends: board::Ends::Plain, ms };
    send(page, 2, annotate).await;
    let mut judged = Vec::new();
    loop {
        let reply = next(page).await.expect("the connection holds");
        match reply.tell {
            _ if reply.id != 2 => {}
            Tell::Judged(one) if one.entry.is_some() => {
                judged.push(one);
                if judged.len() == enough {
                    send(page, 3, Ask::Stop { job: 2 }).await;
                }
            }
            Tell::Judged(_) | Tell::Queued { .. } => {}
            Tell::Done => return judged,
            other => panic!("{other:?}"),
        }
    }
}

async fn written(page: &mut Socket, game: &Game, judged: &[tell::Judged]) -> Game {
    let entry = |one: &tell::Judged| (one.node, one.entry.clone().unwrap());
    let write = Ask::Write { game: game.clone(), entries: judged.iter().map(entry).collect() };
    match ask(page, 4, write).await {
        Tell::Written { game } => game,
        other => panic!("{other:?}"),
    }
}

fn comment(node: &Node) -> Option<&str> {
    node.notes.iter().find_map(|note| match note {
        Note::Comment { text } => Some(text.as_str()),
        _ => None,
    })
}

#[test]
fn a_game_is_judged_and_the_judgements_are_written_into_it() {
    let site = Site::new();
    run(async {
        let mut page = site.page().await;
        let game = opened(&mut page, LOST).await;
        let judged = annotated(&mut page, &game, 150, usize::MAX).await;
        assert!(judged.iter().map(|one| one.node).eq((1..=MOVES).rev()), "the last move comes first");
        assert_eq!(judged.last().unwrap().progress, (MOVES + 1, MOVES + 1));
        let after = written(&mut page, &game, &judged).await;
        for one in &judged {
            let own = if one.node == 2 { "why\n\n" } else { "" };
            let whole = format!("{own}{}", one.entry.as_ref().unwrap().comment);
            assert_eq!(comment(&after.nodes[one.node as usize]), Some(whole.as_str()));
        }
        let bad = judged.iter().find(|one| one.entry.as_ref().is_some_and(|entry| !entry.line.is_empty()));
        let bad = bad.expect("a move that has a better one");
        let Entry { line, properties, .. } = bad.entry.clone().unwrap();
        assert_eq!(properties[1].0, "BM", "a bad move");
        let variation = after.nodes.iter().rfind(|node| node.parent == Some(bad.node - 1)).unwrap();
        assert_eq!(variation.turn.as_deref(), Some(line[0].as_str()), "the better line begins there");
        assert!(written(&mut page, &after, &judged).await == after, "a second time changes nothing");
        let save = Ask::Save { game: after.clone(), format: "sgf".into(), lossy: false };
        let Tell::File { data, .. } = ask(&mut page, 5, save).await else { panic!("no file") };
        let text = String::from_utf8(STANDARD.decode(data).unwrap()).unwrap();
        assert!(text.contains("BM["), "{text}");
        assert!(opened(&mut page, &text).await.nodes == after.nodes, "{text}");
    });
}

/// The moves at the end of the game are judged first, and the judgements sent before the user stops are
/// complete.
#[test]
fn a_stopped_annotation_has_judgements() {
    let site = Site::new();
    run(async {
        let mut page = site.page().await;
        let game = opened(&mut page, LOST).await;
        let judged = annotated(&mut page, &game, 500, 2).await;
        assert!((2..MOVES as usize).contains(&judged.len()), "{}", judged.len());
        let after = written(&mut page, &game, &judged).await;
        let scored =
            |node: u32| comment(&after.nodes[node as usize]).is_some_and(|text| text.contains("Score "));
        assert!(scored(MOVES) && scored(MOVES - 1) && !scored(1));
        assert_eq!(comment(&after.nodes[2]), Some("why"));
    });
}
