//! The required tests of the aligner: every output is recounted, small inputs are compared with
//! the definition, larger ones with other code paths and stored optima.

mod brief;
mod capacities;
mod crossings;
mod documents;
mod exact;
mod general;
mod heaviest;
mod random;

use super::{Aligner, Budget, Settings};

/// An aligner with this budget and otherwise the defaults.
fn aligner(budget: Budget) -> Aligner {
    Aligner::new(Settings { budget, ..Settings::default() })
}
