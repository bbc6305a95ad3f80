#![no_main]

use kagetsu_tools::record::Format;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if let Some((&which, data)) = data.split_first() {
        kagetsu_fuzz::check(if which % 2 == 0 { Format::Bin } else { Format::Binpack }, data);
    }
});
