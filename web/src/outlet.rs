//! Answers on their way to a page.

use std::thread;
use std::time::Duration;

use tokio::sync::mpsc::Sender;
use tokio::sync::mpsc::error::TrySendError;

use crate::schema::{Reply, Tell};

/// Time between two attempts to send an answer to a page that reads slowly, and their number.
const PATIENCE: (Duration, u32) = (Duration::from_millis(20), 100);

/// The route of the answers to a request to its page.
#[derive(Clone, Debug)]
pub struct Outlet {
    /// The request's number.
    pub id: u32,
    out: Sender<Reply>,
}

impl Outlet {
    /// To the page that asked request `id`.
    pub fn new(id: u32, out: Sender<Reply>) -> Outlet {
        Outlet { id, out }
    }

    /// Sends a report, or drops it if the page's channel is full.
    pub fn report(&self, tell: Tell) {
        // A page that is behind misses this report and gets a later one.
        let _ = self.out.try_send(Reply { id: self.id, tell });
    }

    /// Sends an answer; waits a while for a page that is slow to read.
    pub fn tell(&self, tell: Tell) {
        let mut reply = Reply { id: self.id, tell };
        for _ in 0..PATIENCE.1 {
            match self.out.try_send(reply) {
                Ok(()) | Err(TrySendError::Closed(_)) => return,
                Err(TrySendError::Full(back)) => reply = back,
            }
            thread::sleep(PATIENCE.0);
        }
    }
}
