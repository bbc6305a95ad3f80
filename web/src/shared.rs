//! State that all pages of a server share: its settings, the engine's desk, and the access check.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::Semaphore;

use crate::access::Access;
use crate::desk::Desk;
use crate::limits;
use kagetsu_tools::record::Game;

/// Settings of a server.
#[derive(Clone, Debug)]
pub struct Options {
    /// The address to listen on.
    pub address: SocketAddr,
    /// Threads of a search.
    pub threads: usize,
    /// Bytes for the tables of searches and solvers.
    pub hash: u64,
    /// A game to show, and the name of its file.
    pub game: Option<(String, Game)>,
}

/// State that all pages share.
pub struct Shared {
    /// The access check.
    pub access: Access,
    /// The engine.
    pub desk: Desk,
    /// Settings of the server.
    pub options: Options,
    /// Random id of this start of the server.
    pub start: String,
    /// One permit for each page.
    pub pages: Arc<Semaphore>,
    /// Called when the page is served for the first time.
    on_first_page: Mutex<Option<Box<dyn FnOnce() + Send>>>,
}

impl Shared {
    /// The state of a server that starts now.
    ///
    /// # Errors
    /// If the system gives no random bytes.
    pub fn new(access: Access, desk: Desk, options: Options) -> Result<Shared, getrandom::Error> {
        // Pages store it, so it must not be a part of the token.
        let start = format!("{:016x}", getrandom::u64()?);
        let pages = Arc::new(Semaphore::new(limits::PAGES));
        Ok(Shared { access, desk, options, start, pages, on_first_page: Mutex::new(None) })
    }

    /// Sets `on_first_page`, which is called when the page is served for the first time.
    pub fn expect_page(&self, on_first_page: impl FnOnce() + Send + 'static) {
        *self.on_first_page.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(on_first_page));
    }

    /// Calls `on_first_page`, once.
    pub fn greet(&self) {
        let on_first_page = self.on_first_page.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(on_first_page) = on_first_page {
            on_first_page();
        }
    }
}
