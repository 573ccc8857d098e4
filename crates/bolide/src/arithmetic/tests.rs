//! Compares the results with glibc's. On Linux with glibc, every value below is compared with the C library
//! itself; on every platform, a checksum over the same values is compared with the checksum of that run.
//!
//! The values are those that metrics produce: all fractions up to a denominator of 2,000 raised to the
//! exponents in use, logarithms of all such precisions as fractions and per cent, exponentials of their
//! averages and of brevity arguments, and random bit patterns.

use std::hint::black_box;

use super::fused::in_doubles;
use super::*;

const LARGEST_DENOMINATOR: u32 = 2000;
const EXPONENTS: [f64; 8] = [3.0, 2.5, 2.0, 1.0, 0.5, 0.2, 0.6, 1.4];

/// Receives a value computed here, and a call that computes it on the platform.
trait Judge {
    fn exp(&mut self, x: f64);
    fn ln(&mut self, x: f64);
    fn pow(&mut self, x: f64, y: f64);
}

/// FNV-1a over the bits, so that any different bit changes it.
struct Checksum(u64);

impl Checksum {
    fn add(&mut self, value: f64) {
        // NaN has many bit patterns, and none of them is guaranteed.
        let bits = if value.is_nan() { 0 } else { value.to_bits() };
        self.0 = (self.0 ^ bits).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23);
    }
}

impl Judge for Checksum {
    fn exp(&mut self, x: f64) {
        self.add(exp(x));
    }
    fn ln(&mut self, x: f64) {
        self.add(ln(x));
    }
    fn pow(&mut self, x: f64, y: f64) {
        self.add(pow(x, y));
    }
}

/// The C library. Arguments go through `black_box`, because the compiler would fold calls with known
/// arguments.
#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
#[derive(Default)]
struct Platform {
    compared: u64,
}

#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
#[expect(clippy::disallowed_methods, reason = "the platform's functions are what we compare with")]
mod platform {
    use super::*;

    impl Platform {
        fn same(&mut self, ours: f64, theirs: f64, call: impl FnOnce() -> String) {
            self.compared += 1;
            let same = ours.to_bits() == theirs.to_bits() || (ours.is_nan() && theirs.is_nan());
            assert!(same, "{}: {ours:e} here, {theirs:e} from the platform", call());
        }
    }

    impl Judge for Platform {
        fn exp(&mut self, x: f64) {
            self.same(exp(x), black_box(x).exp(), || format!("exp({x:e})"));
        }
        fn ln(&mut self, x: f64) {
            self.same(ln(x), black_box(x).ln(), || format!("ln({x:e})"));
        }
        fn pow(&mut self, x: f64, y: f64) {
            self.same(pow(x, y), black_box(x).powf(black_box(y)), || format!("pow({x:e}, {y:e})"));
        }
    }
}

/// A pseudo-random stream: xorshift is good enough to scatter test values.
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
    /// In [0, 1).
    fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / 9_007_199_254_740_992.0
    }
    /// In 1 to `most`.
    fn up_to(&mut self, most: u64) -> u64 {
        self.bits() % most + 1
    }
}

fn fractions(mut visit: impl FnMut(f64, f64)) {
    for denominator in 1..=LARGEST_DENOMINATOR {
        for numerator in 1..=denominator {
            visit(f64::from(numerator), f64::from(denominator));
        }
    }
}

fn visit_powers(judge: &mut impl Judge, exponent: f64) {
    fractions(|numerator, denominator| judge.pow(numerator / denominator, exponent));
}

fn visit_logarithms(judge: &mut impl Judge) {
    fractions(|numerator, denominator| {
        judge.ln(numerator / denominator);
        judge.ln(100.0 * numerator / denominator);
        judge.ln(denominator / numerator);
    });
}

fn visit_exponentials(judge: &mut impl Judge) {
    // Brevity penalties: the reference is at least as long as the hypothesis.
    fractions(|numerator, denominator| judge.exp(1.0 - denominator / numerator));
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for _ in 0..1_500_000 {
        // Four precisions, each of an order with fewer n-grams and fewer matches than the last.
        let mut total = random.up_to(200) + 3;
        let mut correct = random.up_to(total);
        let (mut fractional, mut per_cent) = (0.0, 0.0);
        for _ in 0..4 {
            let precision = correct as f64 / total as f64;
            fractional += 0.25 * ln(precision);
            per_cent += ln(100.0 * precision);
            total -= 1;
            correct = random.up_to(correct).min(total.max(1));
        }
        judge.exp(fractional);
        judge.exp(per_cent / 4.0);
    }
}

fn visit_everything(judge: &mut impl Judge) {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    for _ in 0..400_000 {
        let (any, other) = (f64::from_bits(random.bits()), f64::from_bits(random.bits()));
        judge.exp(any);
        judge.exp(random.unit() * 1500.0 - 750.0);
        // Subnormal results and the last normal ones.
        judge.exp(random.unit() * 46.0 - 746.0);
        judge.ln(any.abs());
        judge.ln(0.93 + 0.14 * random.unit());
        judge.pow(any, other);
        judge.pow(any.abs(), random.unit() * 6.0 - 3.0);
        judge.pow(0.9 + 0.2 * random.unit(), random.unit() * 20_000.0 - 10_000.0);
        // The halfway points of the table's rows, and their neighbours.
        let row = (random.bits() % 2000) as f64 - 999.5;
        let halfway = row * (std::f64::consts::LN_2 / 128.0);
        judge.exp(f64::from_bits(halfway.to_bits() + random.bits() % 5 - 2));
    }
    let special = [
        0.0,
        -0.0,
        0.5,
        -0.5,
        1.0,
        -1.0,
        1.5,
        2.0,
        -2.0,
        3.0,
        -3.0,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        f64::MIN_POSITIVE,
        5e-324,
        -5e-324,
        f64::MAX,
        f64::MIN,
        1e-20,
        1e19,
        -1e19,
        9_007_199_254_740_991.0,
        9_007_199_254_740_992.0,
    ];
    for x in special {
        judge.exp(x);
        judge.ln(x);
        for y in special {
            judge.pow(x, y);
        }
    }
}

#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
#[test]
fn the_bits_are_those_of_the_c_library() {
    if !std::is_x86_feature_detected!("fma") {
        eprintln!("skipped: without fused multiply-add glibc takes another path");
        return;
    }
    let mut platform = Platform::default();
    for exponent in EXPONENTS {
        visit_powers(&mut platform, exponent);
    }
    visit_logarithms(&mut platform);
    visit_exponentials(&mut platform);
    visit_everything(&mut platform);
    assert!(platform.compared > 25_000_000, "only {} values were compared", platform.compared);
}

fn checksum(visit: impl FnOnce(&mut Checksum)) -> String {
    let mut checksum = Checksum(0xcbf2_9ce4_8422_2325);
    visit(&mut checksum);
    format!("{:016x}", checksum.0)
}

#[test]
fn the_bits_are_the_same_on_every_platform() {
    let powers = EXPONENTS.map(|exponent| checksum(|judge| visit_powers(judge, exponent)));
    let others =
        [checksum(visit_logarithms), checksum(visit_exponentials), checksum(visit_everything)];
    assert_eq!((powers, others), (POWERS.map(String::from), OTHERS.map(String::from)));
}

const POWERS: [&str; 8] = [
    "1130b8d4fe16d649",
    "72c2946d25adc555",
    "71f95f294bb32d70",
    "47dd631a22d28d46",
    "e402cb6e99cd9eff",
    "ef254f4867bf3b52",
    "3273ad11d2d3e0ff",
    "dfa8c94bbff5984d",
];
const OTHERS: [&str; 3] = ["028ee2324dc9dd5b", "1047f8664a4231cf", "f0da55795d9a8aa1"];

/// Products and sums of all relative sizes, many of them cancelling to the last bits.
#[test]
fn multiply_add_in_doubles_rounds_once() {
    let mut random = Random(0x1234_5678_9abc_def1);
    let mut any = |spread: u64| {
        let exponent = 1023 - spread / 2 + random.bits() % spread;
        let sign = random.bits() << 63;
        f64::from_bits(sign | exponent << 52 | random.bits() >> 12)
    };
    for i in 0..2_000_000_u32 {
        let (a, b) = (any(200), any(200));
        let c = match i % 4 {
            0 => any(400),
            1 => -(a * b),
            2 => f64::from_bits((-(a * b)).to_bits() ^ 1),
            _ => a * b * any(120),
        };
        let expected = black_box(a).mul_add(b, c);
        assert_eq!(in_doubles(a, b, c).to_bits(), expected.to_bits(), "{a:e} * {b:e} + {c:e}");
    }
    assert_eq!(in_doubles(0.0, 3.0, 1.5), 1.5);
    assert_eq!(in_doubles(2.0, 3.0, -6.0), 0.0);
}
