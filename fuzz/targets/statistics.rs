//! See `bolide_fuzz::statistics`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| bolide_fuzz::statistics(data));
