//! See `bolide_fuzz::scorers`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| bolide_fuzz::scorers(data));
