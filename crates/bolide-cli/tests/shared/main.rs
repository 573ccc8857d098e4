//! The command beside the stored runs in `../shared`.
//!
//! Not part of `cargo test`, because `../shared` is not part of the repository: `scripts/test shared` runs it. Here
//! a file or a table that is absent is a failure.

mod meteor15;
#[allow(dead_code, reason = "the other target uses more of it")]
#[path = "../it/program.rs"]
mod program;
