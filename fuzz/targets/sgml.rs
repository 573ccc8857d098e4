//! See `bolide_fuzz::sgml`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| bolide_fuzz::sgml(data));
