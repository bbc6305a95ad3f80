#![no_main]

// Bytes beyond these make a conversation longer, and no other.
libfuzzer_sys::fuzz_target!(|data: &[u8]| kagetsu_fuzz::conversation::talk(&data[..data.len().min(400)]));
