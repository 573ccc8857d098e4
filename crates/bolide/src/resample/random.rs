//! The two generators of NumPy that published results depend on.
//!
//! [`Pcg64`] is `numpy.random.default_rng(seed)`: PCG64 with XSL-RR output, seeded through a SeedSequence.
//! sacreBLEU uses it. [`Mt19937`] is the legacy global generator after `numpy.random.seed(seed)`; rouge-score
//! uses it.

/// `numpy.random.default_rng(seed)`.
#[derive(Clone, Debug)]
pub struct Pcg64 {
    state: u128,
    increment: u128,
    /// The upper half of a 64-bit output, kept for the next 32-bit draw.
    kept: Option<u32>,
}

const MULTIPLIER: u128 = 0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645;

impl Pcg64 {
    /// Seeds the generator.
    pub fn new(seed: u64) -> Self {
        let [a, b, c, d] = seed_sequence(seed);
        let increment = (u128::from(c) << 64 | u128::from(d)) << 1 | 1;
        let mut generator = Pcg64 { state: 0, increment, kept: None };
        generator.step();
        generator.state = generator.state.wrapping_add(u128::from(a) << 64 | u128::from(b));
        generator.step();
        generator
    }

    /// The generator after NumPy has drawn this many random bits at once.
    pub fn after_bits(mut self, n_bits: usize) -> Self {
        for _ in 0..n_bits.div_ceil(32) {
            self.next_u32();
        }
        self
    }

    #[inline]
    fn step(&mut self) {
        self.state = self.state.wrapping_mul(MULTIPLIER).wrapping_add(self.increment);
    }

    /// The next 64 bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.step();
        let folded = (self.state >> 64) as u64 ^ self.state as u64;
        folded.rotate_right((self.state >> 122) as u32)
    }

    /// The next 32 bits: both halves of a 64-bit output in turn, the lower first.
    #[inline]
    pub fn next_u32(&mut self) -> u32 {
        if let Some(kept) = self.kept.take() {
            return kept;
        }
        let bits = self.next_u64();
        self.kept = Some((bits >> 32) as u32);
        bits as u32
    }

    /// A uniform number below `n`; 0 without drawing if `n` is 0 or 1.
    #[inline]
    pub fn below(&mut self, n: u32) -> u32 {
        if n <= 1 {
            return 0;
        }
        let n = u64::from(n);
        let mut product = u64::from(self.next_u32()) * n;
        if product & 0xffff_ffff < n {
            let threshold = ((1 << 32) - n) % n;
            while product & 0xffff_ffff < threshold {
                product = u64::from(self.next_u32()) * n;
            }
        }
        (product >> 32) as u32
    }
}

/// NumPy's SeedSequence: four 64-bit words from the seed.
fn seed_sequence(seed: u64) -> [u64; 4] {
    let mut constant = 0x43b0_d7e5_u32;
    let mut hash = |value: u32| {
        let value = value ^ constant;
        constant = constant.wrapping_mul(0x931e_8875);
        let value = value.wrapping_mul(constant);
        value ^ value >> 16
    };
    let mix = |x: u32, y: u32| {
        let mixed = 0xca01_f9dd_u32.wrapping_mul(x).wrapping_sub(0x4973_f715_u32.wrapping_mul(y));
        mixed ^ mixed >> 16
    };
    let mut pool = [seed as u32, (seed >> 32) as u32, 0, 0].map(&mut hash);
    for source in 0..4 {
        for target in (0..4).filter(|&target| target != source) {
            pool[target] = mix(pool[target], hash(pool[source]));
        }
    }
    let mut constant = 0x8b51_f9dd_u32;
    let mut next = 0;
    [(); 4].map(|()| {
        let mut half = || {
            let value = pool[next % 4] ^ constant;
            next += 1;
            constant = constant.wrapping_mul(0x58f3_8ded);
            let value = value.wrapping_mul(constant);
            u64::from(value ^ value >> 16)
        };
        let low = half();
        low | half() << 32
    })
}

/// `numpy.random` after `numpy.random.seed(seed)`.
#[derive(Clone, Debug)]
pub struct Mt19937 {
    state: Box<[u32; 624]>,
    next: usize,
}

impl Mt19937 {
    /// Seeds the generator.
    pub fn new(seed: u32) -> Self {
        let mut state = Box::new([0; 624]);
        let mut value = seed;
        for (at, word) in state.iter_mut().enumerate() {
            if at > 0 {
                value = 1_812_433_253_u32.wrapping_mul(value ^ value >> 30).wrapping_add(at as u32);
            }
            *word = value;
        }
        Mt19937 { state, next: 624 }
    }

    /// The next 32 bits.
    pub fn next_u32(&mut self) -> u32 {
        if self.next >= 624 {
            self.twist();
        }
        let mut value = self.state[self.next];
        self.next += 1;
        value ^= value >> 11;
        value ^= value << 7 & 0x9d2c_5680;
        value ^= value << 15 & 0xefc6_0000;
        value ^ value >> 18
    }

    fn twist(&mut self) {
        for at in 0..624 {
            let joined = self.state[at] & 0x8000_0000 | self.state[(at + 1) % 624] & 0x7fff_ffff;
            let odd = if joined & 1 == 1 { 0x9908_b0df } else { 0 };
            self.state[at] = self.state[(at + 397) % 624] ^ joined >> 1 ^ odd;
        }
        self.next = 0;
    }

    /// A number below `n`, as `numpy.random.choice` and `randint` draw it.
    pub fn below(&mut self, n: u32) -> u32 {
        let Some(largest) = n.checked_sub(1).filter(|&largest| largest > 0) else { return 0 };
        let mask = u32::MAX >> largest.leading_zeros();
        loop {
            let value = self.next_u32() & mask;
            if value <= largest {
                return value;
            }
        }
    }
}
