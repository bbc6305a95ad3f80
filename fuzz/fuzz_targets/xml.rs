#![no_main]

use kagetsu_tools::record::Format;

libfuzzer_sys::fuzz_target!(|data: &[u8]| kagetsu_fuzz::check(Format::Xml, data));
