//! Tests through the real binary, one module per topic.

mod audit;
mod compare;
mod correlate;
mod docs;
mod doors;
mod explain;
mod faults;
mod golden;
mod habits;
mod manners;
mod mbr;
mod meteor15;
mod mistakes;
mod mutations;
mod outputs;
mod parquet;
mod program;
mod report;
mod sacrebleu;
mod schema;
mod score;
mod serve;
mod streams;
mod threads;
mod tune;
mod which;
