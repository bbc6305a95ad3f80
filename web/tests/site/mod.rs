//! A server for a test, and the connection of a page to it.

use std::net::SocketAddr;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use tokio::runtime::Runtime;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use kagetsu_web::schema::{Ask, Reply, Request, Tell, VERSION};
use kagetsu_web::{Options, Server};

pub type Socket = WebSocketStream<MaybeTlsStream<tokio::net::TcpStream>>;

/// Time for anything of a test to happen on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A server of its own, which ends with the test's process.
pub struct Site {
    pub address: SocketAddr,
    pub token: String,
}

impl Site {
    pub fn new() -> Site {
        let address = "127.0.0.1:0".parse().unwrap();
        let server = Server::bind(Options { address, threads: 1, hash: 4 << 20, game: None }).unwrap();
        let link = server.link();
        std::thread::spawn(move || server.run(|| {}));
        let (host, token) = link.strip_prefix("http://").unwrap().split_once("/?token=").unwrap();
        Site { address: host.parse().unwrap(), token: token.into() }
    }

    /// A WebSocket from a page of `origin`.
    pub async fn socket(
        &self,
        token: &str,
        origin: Option<&str>,
        host: Option<&str>,
    ) -> Result<Socket, Error> {
        let mut request = format!("ws://{}/socket?token={token}", self.address).into_client_request()?;
        let headers = request.headers_mut();
        if let Some(origin) = origin {
            headers.insert("origin", origin.parse().unwrap());
        }
        if let Some(host) = host {
            headers.insert("host", host.parse().unwrap());
        }
        Ok(connect_async(request).await?.0)
    }

    /// A WebSocket of the own page, its welcome read.
    pub async fn page(&self) -> Socket {
        let mut socket =
            self.socket(&self.token, Some(&format!("http://{}", self.address)), None).await.unwrap();
        let welcome = next(&mut socket).await.unwrap();
        assert!(matches!(welcome.tell, Tell::Welcome(welcome) if welcome.version == VERSION));
        socket
    }
}

/// The next reply; `None` when the connection has ended.
pub async fn next(socket: &mut Socket) -> Option<Reply> {
    loop {
        let message = tokio::time::timeout(PATIENCE, socket.next()).await.expect("an answer in time");
        match message {
            Some(Ok(Message::Text(text))) => return Some(serde_json::from_str(text.as_str()).unwrap()),
            Some(Ok(Message::Close(_)) | Err(_)) | None => return None,
            Some(Ok(_)) => {}
        }
    }
}

/// Sends a request.
pub async fn send(socket: &mut Socket, id: u32, ask: Ask) {
    let text = serde_json::to_string(&Request { id, ask }).unwrap();
    socket.send(Message::text(text)).await.unwrap();
}

/// Sends a request, and gives its first answer that is no report.
pub async fn ask(socket: &mut Socket, id: u32, ask: Ask) -> Tell {
    send(socket, id, ask).await;
    loop {
        let reply = next(socket).await.expect("the connection holds");
        if reply.id == id && !matches!(reply.tell, Tell::Queued { .. } | Tell::Study(_)) {
            return reply.tell;
        }
    }
}

/// Runs to the end.
pub fn run<T>(work: impl Future<Output = T>) -> T {
    Runtime::new().unwrap().block_on(work)
}
