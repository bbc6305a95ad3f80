#![no_main]

use kagetsu_tools::record::Format;

const FORMATS: [Format; 7] =
    [Format::Psq, Format::Rec, Format::Pos, Format::Sav, Format::Txt, Format::Offset, Format::PosTop];

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if let Some((&which, data)) = data.split_first() {
        kagetsu_fuzz::check(FORMATS[usize::from(which) % FORMATS.len()], data);
    }
});
