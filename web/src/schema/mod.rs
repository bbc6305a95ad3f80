//! The messages between the page and the server: JSON texts over one WebSocket, each with the number of its request.
//!
//! The page sends a [`Request`]; the server answers with [`Reply`]s of the same number. Most requests have one reply;
//! work of the engine has a [`Tell::Queued`] while it waits, then any number of reports, and at last an answer or
//! [`Tell::Done`]. The server opens with [`Tell::Welcome`], number 0, which names the [`VERSION`]. A change that an older
//! page would misread raises it.
//!
//! Points are names (`h8`), moves are names or `pass`, scores and win rates are those of the side to move, times are
//! milliseconds. [`ask`] has the requests, [`tell`] the answers, [`facts`] and [`library`] parts of them, [`board`] and
//! [`game`] the types that requests and answers use. The page's types, `web/page/schema.d.ts`, are generated from these; a
//! test fails if they differ.

pub mod ask;
pub mod board;
pub mod facts;
pub mod game;
pub mod library;
pub mod tell;

pub use ask::{Ask, Request};
pub use tell::{Reply, Tell};

/// The version of the messages.
pub const VERSION: u32 = 3;

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::path::Path;

    use ts_rs::TS;

    use super::*;

    const HEAD: &str = "// Generated from the Rust types of `web/src/schema`; do not edit. After a change there:\n\
                        // UPDATE_SCHEMA=1 cargo test -p kagetsu-web schema\n\n";

    /// The declarations of these types, sorted by name within one module.
    macro_rules! declarations {
        ($($type:ty),* $(,)?) => {{
            [$(format!("export {}\n", <$type as TS>::decl())),*].join("\n")
        }};
    }

    fn generated() -> String {
        use super::{ask::*, board::*, facts::*, game::*, library::*, tell::*};
        let declarations = declarations![
            Color,
            Rule,
            Ends,
            Stone,
            Position,
            Clock,
            Note,
            Mark,
            Entry,
            Node,
            Game,
            Request,
            Ask,
            SolveKind,
            PictureFormat,
            Figure,
            Reply,
            Tell,
            Welcome,
            RegulationName,
            Ended,
            Foul,
            Facts,
            Row,
            Four,
            Three,
            Extension,
            Explanation,
            Line,
            Threat,
            AtWork,
            Study,
            Turn,
            TurnReply,
            Proof,
            Zone,
            Choice,
            Opening,
            Summary,
            Loaded,
            Assessments,
            NamedOpening,
            BookMove,
            BookEntry,
            Puzzle,
            PuzzleSet,
            Trial,
            Judged,
        ];
        format!("{HEAD}export const VERSION: {VERSION};\n\n{declarations}")
    }

    #[test]
    fn the_pages_types_are_these() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("page/schema.d.ts");
        let generated = generated();
        if std::env::var_os("UPDATE_SCHEMA").is_some() {
            std::fs::write(&path, &generated).unwrap();
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            kept == generated,
            "{} is not what the Rust types say: run UPDATE_SCHEMA=1 cargo test -p kagetsu-web schema",
            path.display()
        );
    }

    #[test]
    fn the_page_speaks_this_version() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("page/connection.js");
        let text = std::fs::read_to_string(path).unwrap();
        assert!(text.contains(&format!("const VERSION = {VERSION};")));
    }

    #[test]
    fn a_request_is_one_flat_object() {
        let text = r#"{"id":7,"type":"stop","job":3}"#;
        let request: Request = serde_json::from_str(text).unwrap();
        assert!(request.id == 7 && matches!(request.ask, Ask::Stop { job: 3 }));
        let error = serde_json::from_str::<Request>(r#"{"id":7,"type":"read_file"}"#).err().unwrap();
        assert!(error.to_string().contains("unknown variant `read_file`"), "{error}");
        let reply = Reply { id: 7, tell: Tell::Error { message: "no".into() } };
        assert_eq!(serde_json::to_string(&reply).unwrap(), r#"{"id":7,"type":"error","message":"no"}"#);
    }
}
