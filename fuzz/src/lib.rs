//! Contract of every reader of game files for any bytes: it must answer soon, without a panic, with memory in
//! proportion to the input; and a game that it has read must be the same after writing and reading it again.
//!
//! `scripts/fuzz.sh` builds and runs the targets, one a reader; `games` and `samples` have several, chosen by the first byte.
//! The readers have no unsafe code, so that a sanitizer would find no more and take much time. [`attacks`]
//! are for the files of the engine and the tools: nets, books, proofs, self-play, matches, lists; they repair
//! checksums. [`conversation`] is for the protocol.

#[path = "../../tools/tests/mutated/attacks.rs"]
pub mod attacks;
#[path = "../../tests/protocol/conversation.rs"]
pub mod conversation;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::io::Read;

use flate2::bufread::MultiGzDecoder;
use kagetsu_tools::record::{Charset, Format, Game, ReadOptions, WriteError};
use lz4_flex::frame::FrameDecoder;
use rustix::time::{ClockId, clock_gettime};

/// Bytes that a reader may have allocated at a time for each byte of input: a node is 16 bytes, may take one byte of a
/// file, and exists three times while the array of the nodes grows.
const PER_BYTE: usize = 96;
/// Bytes that any reader may have allocated.
const FIXED: usize = 2 << 20;
/// Two blocks of the largest size that an LZ4 frame may ask for: 8 MiB each in a frame of the legacy format.
const LZ4_BLOCKS: usize = 17 << 20;
/// Bytes of a packed file's content that are counted.
const LONGEST: u64 = 1 << 24;
/// Processor time for an input, in seconds.
const SECONDS: i64 = 5;

/// Counts the memory of this thread.
struct Counting;

thread_local! {
    static LIVE: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

fn count(bytes: isize) {
    LIVE.set(LIVE.get() + bytes);
    PEAK.set(PEAK.get().max(LIVE.get()));
}

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Reads any bytes in a format, and reads again what it writes.
pub fn check(format: Format, data: &[u8]) {
    let options = ReadOptions::default();
    let seconds = || clock_gettime(ClockId::ThreadCPUTime).tv_sec;
    let start = seconds();
    let before = LIVE.get();
    PEAK.set(before);
    // The games are read one after the other, so their number has no limit.
    if let Ok(games) = format.games(data, &options) {
        games.for_each(drop);
    }
    let used = (PEAK.get() - before) as usize;
    let allowed = allowed(data);
    assert!(
        used <= allowed,
        "{format}: {used} bytes for {} of input, where {allowed} are allowed",
        data.len()
    );
    assert!(seconds() - start <= SECONDS, "{format}: {} s for {} bytes", seconds() - start, data.len());
    let games = format.games(data, &options).into_iter().flatten().flatten();
    for game in games.take(20) {
        let _ = game.main_position(None);
        same(Format::Sgf, &game);
        if format != Format::Sgf {
            same(format, &game);
        }
    }
}

fn allowed(data: &[u8]) -> usize {
    unpacked(data)
        .map_or(FIXED + PER_BYTE * data.len(), |content| FIXED + LZ4_BLOCKS + PER_BYTE * content.len())
}

/// Returns the content of a packed file, or of one that looks like it, as far as it can be read, with a bound.
fn unpacked(mut data: &[u8]) -> Option<Vec<u8>> {
    let mut content = Vec::new();
    if data.starts_with(&[0x1f, 0x8b, 0x08]) {
        let _ = MultiGzDecoder::new(data).take(LONGEST).read_to_end(&mut content);
        return Some(content);
    }
    if !data.starts_with(&[0x04, 0x22, 0x4d, 0x18]) {
        return None;
    }
    while !data.is_empty() && (content.len() as u64) < LONGEST {
        if FrameDecoder::new(&mut data).take(LONGEST).read_to_end(&mut content).is_err() {
            break;
        }
    }
    Some(content)
}

/// Checks that everything a format can hold survives a round trip.
fn same(format: Format, game: &Game) {
    let write = |game| format.write(std::slice::from_ref(game), Charset::AUTO, true);
    let Ok(bytes) = write(game) else { return };
    let options = ReadOptions { size: Some(game.size), ..ReadOptions::default() };
    let games = format.read(&bytes, &options).unwrap_or_else(|error| {
        panic!("{format}: {error} in what it wrote: {}", String::from_utf8_lossy(&bytes));
    });
    let again: Result<Vec<u8>, WriteError> = format.write(&games, Charset::AUTO, true);
    let same = match &again {
        // Equal points of a symmetric position may change places.
        Ok(again) if format == Format::Db => again.len() == bytes.len(),
        again => again.as_ref() == Ok(&bytes),
    };
    assert!(same, "{format}: {again:?} is not {bytes:?}");
}
