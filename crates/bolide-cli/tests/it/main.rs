//! Tests through the real binary, one module per topic.

mod mistakes;
mod program;
mod score;
