//! The `bolide` command.
#![forbid(unsafe_code)]
fn main() {}
