#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| kagetsu_fuzz::attacks::proof(data));
