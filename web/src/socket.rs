//! One page's connection: reads its requests, has them answered, and sends the answers in order. When the connection
//! ends, the engine's jobs for it end too.

use std::sync::Arc;

use axum::extract::ws::{Message, WebSocket};
use serde::Deserialize;
use serde_json::from_str;
use tokio::sync::mpsc::Receiver;
use tokio::time::MissedTickBehavior;

use crate::answer::{self, Answer};
use crate::desk::Client;
use crate::limits::{self, Bucket};
use crate::outlet::{Outlet, Queue};
use crate::schema::{Ask, Reply, Request, Tell};
use crate::shared::Shared;

/// The number of a message in which none could be read.
const UNREAD: u32 = 0;

/// A message of which nothing but its number is read.
#[derive(Deserialize)]
struct Numbered {
    id: u32,
}

/// Talks with a page until it goes, or does not read its answers.
pub async fn talk(socket: WebSocket, shared: Arc<Shared>) {
    let (queue, answers) = Queue::of_length(limits::ANSWERS);
    let client = shared.desk.client();
    let page = Page { shared: &shared, client: &client, queue: &queue };
    let welcome = answer::welcome(&shared.options, shared.start.clone());
    queue.push(Reply { id: 0, tell: Tell::Welcome(welcome) });
    tokio::select! {
        () = exchange(socket, answers, &page) => {}
        () = queue.overrun() => log::warn!("a page does not read its answers"),
    }
    shared.desk.leave(&client);
}

/// State of one page.
struct Page<'a> {
    shared: &'a Arc<Shared>,
    client: &'a Client,
    queue: &'a Queue,
}

/// Passes messages in both directions until one of the sides closes.
async fn exchange(mut socket: WebSocket, mut answers: Receiver<Reply>, page: &Page<'_>) {
    let mut bucket = Bucket::new();
    let mut alive = true;
    let mut life = tokio::time::interval(limits::PING);
    // After an answer that took long, the page has the whole time to answer the next ping.
    life.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            reply = answers.recv() => {
                let Some(text) = reply.and_then(|reply| serde_json::to_string(&reply).ok()) else { return };
                if !send(&mut socket, Message::text(text)).await {
                    return;
                }
            }
            message = socket.recv() => match message {
                Some(Ok(Message::Text(text))) => {
                    alive = true;
                    if !bucket.take() {
                        // A person does not send requests this fast.
                        return refuse(socket, "too many messages").await;
                    }
                    page.receive(text.as_str()).await;
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => alive = true,
                Some(Ok(Message::Binary(_))) => return refuse(socket, "messages are texts").await,
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
            },
            _ = life.tick() => {
                if !std::mem::take(&mut alive) || !send(&mut socket, Message::Ping(Default::default())).await {
                    return;
                }
            }
        }
    }
}

/// Sends the reason and closes the connection.
async fn refuse(mut socket: WebSocket, why: &str) {
    let reply = Reply { id: UNREAD, tell: Tell::Error { message: why.into() } };
    if let Ok(text) = serde_json::to_string(&reply) {
        send(&mut socket, Message::text(text)).await;
    }
}

/// Sends a message; `false` if the page is gone or does not read.
async fn send(socket: &mut WebSocket, message: Message) -> bool {
    let sent = tokio::time::timeout(limits::SEND_TIME, socket.send(message)).await;
    matches!(sent, Ok(Ok(())))
}

impl Page<'_> {
    async fn receive(&self, text: &str) {
        match from_str::<Request>(text) {
            Ok(Request { id, ask }) => self.answer(id, ask).await,
            Err(error) => {
                // The page waits for an answer with the number that it has sent.
                let id = from_str::<Numbered>(text).map_or(UNREAD, |message| message.id);
                self.tell(id, Tell::Error { message: format!("not a request: {error}") });
            }
        }
    }

    /// Answers a request on a blocking thread, or queues it for the engine.
    async fn answer(&self, id: u32, ask: Ask) {
        if let Ask::Stop { job } = ask {
            self.shared.desk.stop(self.client, job);
            return;
        }
        let answered = tokio::task::spawn_blocking(move || answer::answer(ask)).await;
        match answered {
            Ok(Ok(Answer::Now(tell))) => self.tell(id, *tell),
            Ok(Ok(Answer::Job(job))) => {
                let outlet = Outlet::new(id, self.queue.clone());
                if let Err(message) = self.shared.desk.submit(self.client, job, outlet) {
                    self.tell(id, Tell::Error { message });
                }
            }
            Ok(Err(error)) => self.tell(id, Tell::Error { message: format!("{error:#}") }),
            Err(error) => {
                log::error!("an answer failed: {error}");
                self.tell(id, Tell::Error { message: "the answer failed; please report this".into() });
            }
        }
    }

    fn tell(&self, id: u32, tell: Tell) {
        // Only the task that runs this empties the queue, so waiting for room here would be a deadlock.
        self.queue.push(Reply { id, tell });
    }
}
