#![no_main]

use kagetsu::record::Format;

libfuzzer_sys::fuzz_target!(|data: &[u8]| kagetsu_fuzz::check(Format::Db, data));
