//! Input that ends when the process is told to end: a read of a pipe or a terminal goes on waiting by itself, and what was
//! done would be lost.

use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// Time between two looks at the flag.
const TICK: Duration = Duration::from_millis(100);
/// Bytes read at once.
const CHUNK: usize = 4096;

/// Another input up to the moment when a flag is set.
pub struct Interruptible<'a> {
    chunks: Receiver<io::Result<Vec<u8>>>,
    /// Bytes that were read from the input and not yet returned.
    rest: Vec<u8>,
    stop: &'a AtomicBool,
}

impl<'a> Interruptible<'a> {
    /// Reads `input` on a thread of its own, which ends with the input or with the process.
    ///
    /// # Errors
    /// If the system refuses the thread.
    pub fn new(mut input: impl Read + Send + 'static, stop: &'a AtomicBool) -> io::Result<Self> {
        let (sender, chunks) = mpsc::sync_channel(1);
        thread::Builder::new().spawn(move || {
            loop {
                let mut chunk = vec![0; CHUNK];
                let read = match input.read(&mut chunk) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    read => read,
                };
                let is_last = !matches!(read, Ok(1..));
                let read = read.map(|length| {
                    chunk.truncate(length);
                    chunk
                });
                if sender.send(read).is_err() || is_last {
                    return;
                }
            }
        })?;
        Ok(Interruptible { chunks, rest: Vec::new(), stop })
    }
}

impl Read for Interruptible<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.rest.is_empty() {
            if self.stop.load(Ordering::Relaxed) {
                return Ok(0);
            }
            match self.chunks.recv_timeout(TICK) {
                Ok(chunk) => self.rest = chunk?,
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
            }
            if self.rest.is_empty() {
                return Ok(0);
            }
        }
        let length = self.rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&self.rest[..length]);
        self.rest.drain(..length);
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Never has anything to read, and never ends.
    struct Silence;

    impl Read for Silence {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            loop {
                thread::park();
            }
        }
    }

    #[test]
    fn everything_is_handed_on() {
        let bytes: Vec<u8> = (0..3 * CHUNK + 5).map(|i| (i % 251) as u8).collect();
        let stop = AtomicBool::new(false);
        let mut input = Interruptible::new(io::Cursor::new(bytes.clone()), &stop).unwrap();
        let mut read = Vec::new();
        input.read_to_end(&mut read).unwrap();
        assert_eq!(read, bytes);
    }

    #[test]
    fn a_flag_ends_the_wait() {
        let stop = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(2 * TICK);
                stop.store(true, Ordering::Relaxed);
            });
            let mut input = Interruptible::new(Silence, &stop).unwrap();
            assert_eq!(input.read(&mut [0; 8]).unwrap(), 0);
        });
    }
}
