#![no_main]

// More bytes only make the conversation longer.
libfuzzer_sys::fuzz_target!(|data: &[u8]| kagetsu_fuzz::conversation::talk(&data[..data.len().min(400)]));
