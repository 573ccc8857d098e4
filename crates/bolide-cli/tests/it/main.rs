//! Tests through the real binary, one module per topic.

mod docs;
mod explain;
mod manners;
mod mistakes;
mod program;
mod score;
mod streams;
mod which;
