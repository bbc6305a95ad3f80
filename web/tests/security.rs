//! The server under attack: other sites, other hosts, wrong keys, paths, floods, and texts that try to be markup.

mod site;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use futures_util::SinkExt;
use tokio_tungstenite::tungstenite::{Error, Message};

use kagetsu_web::schema::{Ask, Request, Tell, board, game};
use site::{PATIENCE, Site, ask, next, run};

impl Site {
    /// Sends a request as it is written and reads the whole answer.
    fn send(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    }

    fn get(&self, path: &str, headers: &str) -> String {
        let host = self.address;
        self.send(&format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{headers}\r\n"))
    }

    fn with_token(&self, path: &str) -> String {
        format!("{path}?token={}", self.token)
    }
}

fn status(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or("")
}

fn empty_board() -> board::Position {
    board::Position {
        size: 15,
        rule: board::Rule::Renju,
        setup: Vec::new(),
        first: board::Color::Black,
        moves: Vec::new(),
    }
}

#[test]
fn the_page_needs_the_token_and_is_protected() {
    let site = Site::new();
    let page = site.get(&site.with_token("/"), "");
    assert_eq!(status(&page), "200");
    let head = page.split("\r\n\r\n").next().unwrap().to_ascii_lowercase();
    for header in [
        "content-security-policy: default-src 'none'; script-src 'self'",
        "require-trusted-types-for 'script'",
        "frame-ancestors 'none'",
        "x-content-type-options: nosniff",
        "referrer-policy: no-referrer",
        "cross-origin-resource-policy: same-origin",
        "httponly; samesite=strict",
    ] {
        assert!(head.contains(header), "{header} is not in {head}");
    }
    assert!(!head.contains("access-control-allow"), "no other site may read it");
    assert_eq!(status(&site.get("/", "")), "403");
    assert_eq!(status(&site.get("/?token=", "")), "403");
    assert_eq!(status(&site.get(&format!("/?token={}0", site.token), "")), "403");
    let cookie = format!("Cookie: kagetsu-{}={}\r\n", site.address.port(), site.token);
    assert_eq!(status(&site.get("/", &cookie)), "200", "a reload has the cookie");
    assert_eq!(status(&site.get("/", &cookie.replace("kagetsu-", "kagetsu-1"))), "403");
}

#[test]
fn foreign_hosts_and_origins_are_refused() {
    let site = Site::new();
    let path = site.with_token("/");
    for host in ["evil.example", "evil.example:80", "127.0.0.1", "127.0.0.1:1", "192.168.1.1:80"] {
        let answer = site.send(&format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"));
        assert_eq!(status(&answer), "421", "{host}");
    }
    let rebound = format!("rebound.example:{}", site.address.port());
    let answer = site.send(&format!("GET {path} HTTP/1.1\r\nHost: {rebound}\r\nConnection: close\r\n\r\n"));
    assert_eq!(status(&answer), "421");
    for origin in ["http://evil.example", "null", "https://127.0.0.1"] {
        assert_eq!(status(&site.get(&path, &format!("Origin: {origin}\r\n"))), "403", "{origin}");
    }
    let no_host = site.send(&format!("GET {path} HTTP/1.0\r\n\r\n"));
    assert!(["400", "421"].contains(&status(&no_host)), "{no_host}");
}

#[test]
fn sockets_of_others_are_refused() {
    let site = Site::new();
    let own = format!("http://{}", site.address);
    let rebound = format!("rebound.example:{}", site.address.port());
    run(async {
        let wrong = [
            ("", Some(own.as_str()), None),
            ("0000", Some(own.as_str()), None),
            (site.token.as_str(), Some("http://evil.example"), None),
            (site.token.as_str(), None, None),
            (site.token.as_str(), Some(own.as_str()), Some(rebound.as_str())),
        ];
        for (token, origin, host) in wrong {
            let refused = site.socket(token, origin, host).await;
            assert!(
                matches!(&refused, Err(Error::Http(answer)) if !answer.status().is_success()),
                "{origin:?} {host:?}"
            );
        }
        site.page().await;
    });
}

#[test]
fn no_path_leads_to_a_file() {
    let site = Site::new();
    for path in [
        "/../Cargo.toml",
        "/..%2fCargo.toml",
        "/%2e%2e/%2e%2e/etc/passwd",
        "//etc/passwd",
        "/page/../../Cargo.toml",
        "/app.js/../../../etc/passwd",
        "/schema.d.ts",
        "/C:/Windows/win.ini",
        "/..\\Cargo.toml",
    ] {
        let answer = site.get(path, "");
        assert!(["400", "404"].contains(&status(&answer)), "{path}: {answer}");
        assert!(!answer.contains("[package]") && !answer.contains("root:"), "{path}");
    }
    let post = format!(
        "POST / HTTP/1.1\r\nHost: {}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        site.address
    );
    assert_eq!(status(&site.send(&post)), "405");
    run(async {
        let mut page = site.page().await;
        for name in ["/etc/passwd", "../../Cargo.toml", "file:///etc/passwd", "a.sgf\0.png"] {
            let data = String::new();
            let answer = ask(&mut page, 1, Ask::Load { name: name.into(), data, number: None }).await;
            assert!(matches!(&answer, Tell::Error { message } if !message.contains("root:")), "{answer:?}");
        }
    });
}

/// A message of 100 MB ends its connection; the server goes on.
#[test]
fn huge_messages_are_refused() {
    let site = Site::new();
    run(async {
        let mut page = site.page().await;
        let huge = "x".repeat(100 << 20);
        // The server may hang up before it has read all of it.
        let _ = page.send(Message::text(huge)).await;
        while let Some(reply) = next(&mut page).await {
            assert!(matches!(reply.tell, Tell::Error { .. }));
        }
        let mut other = site.page().await;
        let facts =
            ask(&mut other, 1, Ask::Facts { position: empty_board(), ends: board::Ends::Plain }).await;
        assert!(matches!(facts, Tell::Facts(_)));
    });
}

#[test]
fn nonsense_is_answered_and_floods_end_the_connection() {
    let site = Site::new();
    run(async {
        let mut page = site.page().await;
        for (id, text) in [
            (0, ""),
            (0, "{"),
            (0, "[]"),
            (0, "null"),
            (7, r#"{"id":7,"type":"shell","command":"ls"}"#),
            (0, r#"{"id":-1,"type":"puzzles"}"#),
        ] {
            page.send(Message::text(text)).await.unwrap();
            let reply = next(&mut page).await.unwrap();
            assert!(reply.id == id && matches!(reply.tell, Tell::Error { .. }), "{text}: {reply:?}");
        }
        let deep = "[".repeat(100_000);
        page.send(Message::text(deep)).await.unwrap();
        assert!(matches!(next(&mut page).await.unwrap().tell, Tell::Error { .. }));
        for _ in 0..20_000 {
            if page.send(Message::text(r#"{"id":1,"type":"stop","job":1}"#)).await.is_err() {
                break;
            }
        }
        let mut last = None;
        while let Some(reply) = next(&mut page).await {
            last = Some(reply.tell);
        }
        assert!(
            last.is_none_or(|tell| matches!(tell, Tell::Error { message } if message == "too many messages"))
        );
        site.page().await;
    });
}

/// A page beyond the number of `limits::PAGES` is refused until another one is closed.
#[test]
fn the_number_of_pages_is_limited() {
    let site = Site::new();
    run(async {
        let origin = format!("http://{}", site.address);
        // At once: a page that answers no ping for 20 seconds gives its place back.
        let mut pages = futures_util::future::join_all((0..32).map(|_| site.page())).await;
        let refused = site.socket(&site.token, Some(&origin), None).await;
        assert!(matches!(refused, Err(Error::Http(response)) if response.status() == 503));
        pages.pop().unwrap().close(None).await.unwrap();
        let again = async {
            while site.socket(&site.token, Some(&origin), None).await.is_err() {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(PATIENCE, again).await.expect("the closed page has given its place back");
    });
}

#[test]
fn messages_of_bytes_are_refused() {
    let site = Site::new();
    run(async {
        let mut page = site.page().await;
        page.send(Message::binary(vec![1, 2, 3])).await.unwrap();
        let reply = next(&mut page).await.unwrap();
        assert!(matches!(reply.tell, Tell::Error { message } if message == "messages are texts"));
        assert_eq!(next(&mut page).await.map(|reply| reply.id), None, "the connection is closed");
    });
}

/// Hundreds of silent connections: most are closed at once, and afterwards a page is still served. Both their ends are files of
/// this process, and many systems allow 1024.
#[test]
fn hundreds_of_connections_do_not_end_the_service() {
    let site = Site::new();
    let mut open = Vec::new();
    for _ in 0..400 {
        if let Ok(stream) = TcpStream::connect(site.address) {
            open.push(stream);
        }
    }
    assert!(open.len() > 300);
    let closed = open.iter_mut().map(|stream| {
        stream.set_read_timeout(Some(Duration::from_millis(20))).unwrap();
        matches!(stream.read(&mut [0]), Ok(0)) || stream.write_all(b"G").is_err()
    });
    let refused = closed.filter(|&closed| closed);
    assert!(refused.count() > 150, "the number served at a time is limited");
    drop(open);
    let deadline = std::iter::repeat_with(|| {
        std::thread::sleep(Duration::from_millis(100));
        TcpStream::connect(site.address).ok().and_then(|mut stream| {
            let request = format!(
                "GET {} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
                site.with_token("/"),
                site.address
            );
            stream.write_all(request.as_bytes()).ok()?;
            let mut answer = String::new();
            stream.read_to_string(&mut answer).ok()?;
            (status(&answer) == "200").then_some(())
        })
    });
    assert!(deadline.take(300).any(|served| served.is_some()), "the page is served again");
}

/// Every text of every format comes to the page as a JSON string and goes back into files unchanged.
#[test]
fn texts_stay_texts() {
    let evil = "</script><img src=x onerror=alert(1)>&\"'];(;B[aa]\u{202e}";
    let note = |note| vec![note];
    let notes: Vec<game::Note> = [
        game::Note::Comment { text: evil.into() },
        game::Note::BoardText { text: evil.into() },
        game::Note::Label { point: "a1".into(), text: evil.into() },
        game::Note::Property { key: "XX".into(), value: evil.into() },
    ]
    .into();
    let stone = game::Node {
        parent: Some(0),
        color: Some(board::Color::Black),
        turn: Some("h8".into()),
        notes: notes.clone(),
    };
    let root = game::Node { parent: None, color: None, turn: None, notes: note(notes[0].clone()) };
    let keys = ["PB", "PW", "EV", "DT", "RO", "GN", "TE", "US", "AN", "PC", "GC"];
    let game = game::Game {
        size: 15,
        rule: None,
        result: None,
        setup: Vec::new(),
        first: board::Color::Black,
        properties: keys.iter().map(|key| (key.to_string(), evil.to_string())).collect(),
        nodes: vec![root, stone],
    };
    let site = Site::new();
    run(async {
        let mut page = site.page().await;
        let mut saved = Vec::new();
        for format in ["sgf", "psq", "rec", "lib", "sav", "txt", "xml", "db"] {
            // RenjuNet's database has games of Renju alone.
            let rule = (format == "xml").then_some(board::Rule::Renju);
            let game = game::Game { rule, ..game.clone() };
            let save = Ask::Save { game, format: format.into(), lossy: true };
            let Tell::File { data, .. } = ask(&mut page, 1, save).await else { continue };
            saved.push(format);
            let load = Ask::Load { name: format!("a.{format}"), data, number: None };
            let loaded = ask(&mut page, 2, load).await;
            let Tell::Loaded(loaded) = loaded else { panic!("{format}: {loaded:?}") };
            let moves: Vec<_> = loaded.game.nodes.iter().filter_map(|node| node.turn.as_deref()).collect();
            assert_eq!(moves, ["h8"], "{format}: the texts are no moves");
            if format == "sgf" {
                assert_eq!(
                    loaded.game.properties.iter().filter(|(_, value)| value == evil).count(),
                    keys.len()
                );
                assert!(loaded.game.nodes[1].notes.contains(&notes[0]), "{:?}", loaded.game.nodes[1].notes);
            }
        }
        // REC holds only 20x20 boards, and a database of positions needs a rule.
        assert_eq!(saved, ["sgf", "psq", "lib", "sav", "txt", "xml"]);
        // An unknown extension, and no such game: both errors name the file.
        for (name, number) in [(evil.to_owned(), None), (format!("{evil}.sgf"), Some(7))] {
            let load = Ask::Load { name, data: "KDtTWlsxNV07QltoaF0p".into(), number };
            let Tell::Error { message } = ask(&mut page, 3, load).await else {
                panic!("{number:?} is loaded")
            };
            assert!(message.contains(r"\u{202e}") && !message.contains('\u{202e}'), "{message}");
        }
    });
}

/// Several pages at once: each gets its answers, and one that leaves takes its search with it.
#[test]
fn pages_share_the_engine() {
    let site = Site::new();
    run(async {
        let mut first = site.page().await;
        let mut second = site.page().await;
        let analyze = |id| Request { id, ask: Ask::Analyze { position: empty_board(), lines: 1, ms: None } };
        first.send(Message::text(serde_json::to_string(&analyze(1)).unwrap())).await.unwrap();
        while !matches!(next(&mut first).await.unwrap().tell, Tell::Study(_)) {}
        let clock = board::Clock::Move { ms: 200 };
        let wanted =
            Ask::Move { position: empty_board(), ends: board::Ends::Plain, level: 20, clock, seed: 1 };
        assert!(matches!(ask(&mut second, 1, wanted.clone()).await, Tell::Moved { .. }));
        second.send(Message::text(serde_json::to_string(&analyze(2)).unwrap())).await.unwrap();
        while !matches!(next(&mut second).await.unwrap().tell, Tell::Study(_)) {}
        drop(first);
        drop(second);
        let mut third = site.page().await;
        assert!(matches!(ask(&mut third, 1, wanted).await, Tell::Moved { .. }));
    });
}
