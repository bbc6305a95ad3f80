//! Answers on their way to a page: they wait in a queue of bounded length until its connection takes them.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use tokio::sync::Notify;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::mpsc::{self, Receiver, Sender};

use crate::schema::{Reply, Tell};

/// Time between two attempts of the engine to give an answer to a page that reads slowly.
const PAUSE: Duration = Duration::from_millis(20);
/// Number of these attempts: two seconds in all, for which other pages wait too.
const ATTEMPTS: u32 = 100;
/// One place in this number is kept free of reports and of answers of the engine, for answers that cannot wait.
const SPARED: usize = 4;

/// The queue of the answers to one page. A page would wait for ever for an answer that was dropped, so its connection ends
/// if an answer finds no room. The page then connects again, and knows that its requests are lost.
#[derive(Clone, Debug)]
pub struct Queue {
    sender: Sender<Reply>,
    overrun: Arc<Notify>,
}

impl Queue {
    /// Creates a queue for this number of answers, and the end from which they are taken.
    pub fn of_length(length: usize) -> (Queue, Receiver<Reply>) {
        let (sender, answers) = mpsc::channel(length);
        (Queue { sender, overrun: Arc::new(Notify::new()) }, answers)
    }

    /// Adds an answer, or ends the connection if there is no room for it.
    pub fn push(&self, reply: Reply) {
        // After the end of the connection the channel is closed, and nobody waits for the answer.
        if let Err(TrySendError::Full(_)) = self.sender.try_send(reply) {
            self.overrun.notify_one();
        }
    }

    /// Adds a report or an answer of the engine; gives it back if there is no room for it.
    fn try_push(&self, reply: Reply) -> Option<Reply> {
        if self.sender.capacity() <= self.sender.max_capacity() / SPARED {
            return Some(reply);
        }
        match self.sender.try_send(reply) {
            Ok(()) | Err(TrySendError::Closed(_)) => None,
            Err(TrySendError::Full(reply)) => Some(reply),
        }
    }

    /// Waits until an answer has found no room.
    pub async fn overrun(&self) {
        self.overrun.notified().await;
    }
}

/// The route of the answers to a request to its page.
#[derive(Clone, Debug)]
pub struct Outlet {
    /// The request's number.
    pub id: u32,
    queue: Queue,
}

impl Outlet {
    /// Creates the route to the page that sent request `id`.
    pub fn new(id: u32, queue: Queue) -> Outlet {
        Outlet { id, queue }
    }

    /// Sends a report, or drops it if the page is behind.
    pub fn report(&self, tell: Tell) {
        // A page that misses this report gets a later one.
        let _ = self.queue.try_push(Reply { id: self.id, tell });
    }

    /// Sends an answer of the engine: waits a little for a page that is slow to read, then takes a place that was kept free, or
    /// ends the connection.
    pub fn tell(&self, tell: Tell) {
        let mut reply = Reply { id: self.id, tell };
        for _ in 0..ATTEMPTS {
            match self.queue.try_push(reply) {
                None => return,
                Some(back) => reply = back,
            }
            thread::sleep(PAUSE);
        }
        self.queue.push(reply);
    }

    /// Sends an answer at once, or ends the connection if there is no room for it.
    pub fn tell_now(&self, tell: Tell) {
        self.queue.push(Reply { id: self.id, tell });
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::pin::pin;
    use std::task::{Context, Waker};

    use super::*;

    fn is_overrun(queue: &Queue) -> bool {
        let overrun = pin!(queue.overrun());
        overrun.poll(&mut Context::from_waker(Waker::noop())).is_ready()
    }

    fn answer(id: u32) -> Reply {
        Reply { id, tell: Tell::Done }
    }

    #[test]
    fn reports_leave_room_for_answers() {
        let (queue, mut answers) = Queue::of_length(8);
        let outlet = Outlet::new(1, queue.clone());
        (0..100).for_each(|ahead| outlet.report(Tell::Queued { ahead }));
        queue.push(answer(2));
        queue.push(answer(3));
        assert!(!is_overrun(&queue));
        let ids: Vec<u32> = std::iter::from_fn(|| answers.try_recv().ok()).map(|reply| reply.id).collect();
        assert!(ids.starts_with(&[1]) && ids.ends_with(&[1, 2, 3]), "{ids:?}");
    }

    #[test]
    fn an_answer_of_the_engine_waits_for_the_page() {
        let (queue, mut answers) = Queue::of_length(8);
        let outlet = Outlet::new(1, queue.clone());
        (0..100).for_each(|ahead| outlet.report(Tell::Queued { ahead }));
        // The places that are kept free are taken, too.
        (2..4).for_each(|id| queue.push(Reply { id, tell: Tell::Queued { ahead: 0 } }));
        let telling = thread::spawn(move || outlet.tell(Tell::Done));
        while !matches!(answers.blocking_recv().unwrap().tell, Tell::Done) {}
        telling.join().unwrap();
        assert!(!is_overrun(&queue));
    }

    #[test]
    fn an_answer_without_room_ends_the_connection() {
        let (queue, answers) = Queue::of_length(1);
        queue.push(answer(1));
        assert!(!is_overrun(&queue));
        queue.push(answer(2));
        assert!(is_overrun(&queue));
        drop(answers);
        queue.push(answer(3));
        assert!(!is_overrun(&queue), "the connection has ended");
    }
}
