//! The server: connections in a bounded number, the page's files, and the way to the WebSocket.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use axum::Router;
use axum::body::Body;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{FromRequestParts, Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, SET_COOKIE,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Semaphore;
use tower::ServiceExt;

use crate::access::{Access, Refusal};
use crate::desk::Desk;
use crate::patience::Patience;
use crate::shared::{Options, Shared};
use crate::{assets, limits, socket};

/// A server that is bound to its port.
pub struct Server {
    runtime: Runtime,
    listener: TcpListener,
    shared: Arc<Shared>,
}

/// Threads that read and write: the engine has the other cores.
const WORKERS: usize = 2;
/// Threads that answer questions about positions and files.
const ANSWERERS: usize = 4;
/// Time before the next attempt to take in a connection after a failure.
const RETRY: Duration = Duration::from_millis(50);

/// Content security policy of the page: load its own scripts, styles and pictures, and talk to its own server. Texts do
/// not become markup even by mistake: scripts have no way to set HTML (`require-trusted-types-for`).
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
                      require-trusted-types-for 'script'; trusted-types 'none'";

impl Server {
    /// Binds the port.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn bind(options: Options) -> Result<Server> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(WORKERS)
            .max_blocking_threads(ANSWERERS)
            .enable_all()
            .build()
            .context("no threads for the server")?;
        let listener = runtime
            .block_on(TcpListener::bind(options.address))
            .with_context(|| format!("cannot listen on {}", options.address))?;
        let address = listener.local_addr().context("the address of the server")?;
        let access = Access::new(address).context("no random bytes for a token")?;
        let desk = Desk::new(options.threads, options.hash)?;
        let shared =
            Shared::new(access, desk, options).context("no random bytes for the id of this start")?;
        Ok(Server { runtime, listener, shared: Arc::new(shared) })
    }

    /// The address to open in a browser.
    pub fn link(&self) -> String {
        self.shared.access.link()
    }

    /// Serves until the process ends; calls `on_first_page` when a browser that knows the key gets the page.
    pub fn run(self, on_first_page: impl FnOnce() + Send + 'static) {
        let Server { runtime, listener, shared } = self;
        shared.expect_page(on_first_page);
        let router =
            Router::new().route("/socket", axum::routing::any(connect)).fallback(file).with_state(shared);
        runtime.block_on(accept(listener, router))
    }
}

/// Accepts connections, up to the number of places.
async fn accept(listener: TcpListener, router: Router) {
    let places = Arc::new(Semaphore::new(limits::CONNECTIONS));
    loop {
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(error) => {
                log::warn!("a connection failed: {error}");
                // Most likely the process has no free file handle; one becomes free soon.
                tokio::time::sleep(RETRY).await;
                continue;
            }
        };
        let Ok(place) = places.clone().try_acquire_owned() else { continue };
        let router = router.clone();
        tokio::spawn(async move {
            serve(stream, router, limits::SEND_TIME).await;
            drop(place);
        });
    }
}

/// Serves one connection, and closes it if the next request does not arrive in time, or if the client makes no room for an
/// answer within `patience`.
async fn serve(stream: TcpStream, router: Router, patience: Duration) {
    // Reports are small and frequent, and must be sent without delay.
    if let Err(error) = stream.set_nodelay(true) {
        log::debug!("cannot turn off delayed sending (TCP_NODELAY): {error}");
    }
    let service =
        TowerToHyperService::new(router.map_request(|request: hyper::Request<_>| request.map(Body::new)));
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(limits::HEAD_TIME).max_headers(64);
    let stream = TokioIo::new(Patience::new(stream, patience));
    let served = http.serve_connection(stream, service).with_upgrades().await;
    if let Err(error) = served {
        log::debug!("a connection ended: {error}");
    }
}

/// A page's file. The page itself needs the token; its scripts and styles are the same for everybody.
async fn file(State(shared): State<Arc<Shared>>, method: Method, uri: Uri, headers: HeaderMap) -> Response {
    if let Err(refusal) = shared.access.check_site(&headers) {
        return refused(refusal);
    }
    if method != Method::GET && method != Method::HEAD {
        return plain(StatusCode::METHOD_NOT_ALLOWED, "only GET");
    }
    let Some(asset) = assets::find(uri.path()) else {
        return plain(StatusCode::NOT_FOUND, "there is no such file");
    };
    let mut response = ([(CONTENT_TYPE, asset.mime)], asset.content).into_response();
    if asset.path == "/index.html" {
        if let Err(refusal) = shared.access.check_token(token(&uri), &headers) {
            return refused(refusal);
        }
        response.headers_mut().extend(shared.access.cookie().map(|cookie| (SET_COOKIE, cookie)));
        shared.greet();
    }
    protected(response)
}

/// The WebSocket of a page.
async fn connect(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let (mut parts, _) = request.into_parts();
    let access = &shared.access;
    let checked = access
        .check_socket(&parts.headers)
        .and_then(|()| access.check_token(token(&parts.uri), &parts.headers));
    if let Err(refusal) = checked {
        return refused(refusal);
    }
    let Ok(page) = shared.pages.clone().try_acquire_owned() else {
        return plain(StatusCode::SERVICE_UNAVAILABLE, "too many pages are open");
    };
    match WebSocketUpgrade::from_request_parts(&mut parts, &()).await {
        Err(rejection) => protected(rejection.into_response()),
        Ok(upgrade) => upgrade.max_message_size(limits::MESSAGE).max_frame_size(limits::MESSAGE).on_upgrade(
            async move |socket| {
                socket::talk(socket, shared).await;
                drop(page);
            },
        ),
    }
}

/// The token of an address.
fn token(uri: &Uri) -> Option<&str> {
    uri.query()?.split('&').find_map(|pair| pair.strip_prefix("token="))
}

fn refused(refusal: Refusal) -> Response {
    plain(refusal.status(), &refusal.to_string())
}

fn plain(status: StatusCode, text: &str) -> Response {
    protected((status, [(CONTENT_TYPE, "text/plain; charset=utf-8")], format!("{text}\n")).into_response())
}

/// Adds the headers that every answer has.
fn protected(mut response: Response) -> Response {
    let isolation = HeaderName::from_static("cross-origin-resource-policy");
    let opener = HeaderName::from_static("cross-origin-opener-policy");
    let headers = [
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (X_FRAME_OPTIONS, "DENY"),
        (REFERRER_POLICY, "no-referrer"),
        (CACHE_CONTROL, "no-cache"),
        (isolation, "same-origin"),
        (opener, "same-origin"),
    ];
    response.headers_mut().extend(headers.map(|(name, value)| (name, HeaderValue::from_static(value))));
    response
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::io::Write;

    use super::*;

    /// Larger than what the system takes in for a client that does not read.
    const LARGE: usize = 64 << 20;
    /// Time for anything to happen on a busy machine.
    const DEADLINE: Duration = Duration::from_secs(60);

    #[test]
    fn a_client_that_does_not_read_loses_its_place() {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let mut client = std::net::TcpStream::connect(listener.local_addr().unwrap()).unwrap();
            client.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
            let (stream, _) = listener.accept().await.unwrap();
            let router = Router::new().fallback(|| async { vec![0u8; LARGE] });
            let served = serve(stream, router, Duration::from_millis(100));
            assert!(tokio::time::timeout(DEADLINE, served).await.is_ok(), "the answer waits for ever");
        });
    }
}
