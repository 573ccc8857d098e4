//! Compares the command with the stored runs in `../shared`.
//!
//! `../shared` is not part of the repository, so `cargo test` leaves this out: `scripts/test shared` runs it. A
//! missing file or table is a failure.

mod meteor15;
#[allow(dead_code, reason = "the other target uses more of it")]
#[path = "../it/program.rs"]
mod program;
