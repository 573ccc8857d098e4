//! The required tests of the aligner: every output is recounted, small inputs are compared with
//! the definition, larger ones with other code paths and stored optima.

mod exact;
mod general;
mod random;
