//! See `bolide_fuzz::stdio`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| bolide_fuzz::stdio(data));
