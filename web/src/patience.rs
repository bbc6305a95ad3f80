//! A connection whose client must read: a write for which it makes no room fails after a time.

use std::io::{Error, ErrorKind, IoSlice, Result};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// A stream that waits only so long for room to write.
pub struct Patience<S> {
    stream: S,
    longest: Duration,
    /// The time that is left, while a write waits for room.
    wait: Option<Pin<Box<Sleep>>>,
}

impl<S> Patience<S> {
    /// A stream on which a write may wait no longer than `longest`.
    pub fn new(stream: S, longest: Duration) -> Patience<S> {
        Patience { stream, longest, wait: None }
    }

    /// Returns the result of an attempt to write: an error once attempts have waited for too long.
    fn bounded(&mut self, attempt: Poll<Result<usize>>, cx: &mut Context<'_>) -> Poll<Result<usize>> {
        if attempt.is_ready() {
            self.wait = None;
            return attempt;
        }
        let longest = self.longest;
        let wait = self.wait.get_or_insert_with(|| Box::pin(sleep(longest)));
        ready!(wait.as_mut().poll(cx));
        self.wait = None;
        Poll::Ready(Err(Error::new(ErrorKind::TimedOut, "the client does not read")))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Patience<S> {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_read(cx, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Patience<S> {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<Result<usize>> {
        let this = self.get_mut();
        let attempt = Pin::new(&mut this.stream).poll_write(cx, bytes);
        this.bounded(attempt, cx)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<Result<usize>> {
        let this = self.get_mut();
        let attempt = Pin::new(&mut this.stream).poll_write_vectored(cx, parts);
        this.bounded(attempt, cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    // Streams of TCP flush and shut down at once: the system sends what it has taken in.
    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::future::poll_fn;

    use super::*;

    /// The time counts from the first attempt since there was room.
    #[test]
    fn room_ends_the_wait() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(poll_fn(|cx| {
            let mut stream = Patience::new((), Duration::from_secs(3600));
            assert!(stream.bounded(Poll::Pending, cx).is_pending() && stream.wait.is_some());
            assert!(matches!(stream.bounded(Poll::Ready(Ok(1)), cx), Poll::Ready(Ok(1))));
            assert!(stream.wait.is_none());
            Poll::Ready(())
        }));
    }
}
