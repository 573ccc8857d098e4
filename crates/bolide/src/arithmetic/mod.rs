//! Placeholder of the scaffold.

/// Stands in until the portable module lands.
#[allow(clippy::disallowed_methods)]
pub fn pow(x: f64, y: f64) -> f64 {
    x.powf(std::hint::black_box(y))
}
