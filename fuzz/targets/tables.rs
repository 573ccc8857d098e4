//! See `bolide_fuzz::tables`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| bolide_fuzz::tables(data));
