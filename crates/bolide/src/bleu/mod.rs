//! BLEU, one module per program whose numbers are reproduced.

pub mod sacrebleu;
