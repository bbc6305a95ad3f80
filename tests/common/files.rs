//! Test files that several suites use.

/// The built-in net for caro in a file that says it is for Renju, with a matching checksum.
pub fn caro_net_for_renju() -> Vec<u8> {
    let bytes = include_bytes!("../../src/eval/nets/caro.net");
    let (old, new) = (&b"\"rule\":\"caro\""[..], &b"\"rule\":\"renju\""[..]);
    let at = bytes.windows(old.len()).position(|part| part == old).unwrap();
    [&bytes[..at], new, &bytes[at + old.len()..]].concat()
}
