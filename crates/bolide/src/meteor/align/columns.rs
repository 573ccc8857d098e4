//! The columns of every group with their prices, and the cheapest of each.
//!
//! In a sweep prices change all the time, and every row asks for the cheapest column of its group. Each group has a block of
//! eight keys: prices with the place in the block in their lowest bits, so that the least key says what is cheapest
//! and where. Comparing eight takes less time than knowing how many there are. In a group of more columns, a *crowd*,
//! each key stands for the cheapest of several.

use super::bigrams::Bigrams;
use super::duo::NONE;

/// The keys of a block.
const BLOCK: usize = 8;

/// The bits of a place in a block.
const PLACE: u32 = BLOCK.trailing_zeros();

/// The key where no column stands.
const NOTHING: i32 = i32::MAX;

/// Marks the number of a crowded column.
const CROWDED: u32 = 1 << 31;

/// The columns of a group that has more than a block has keys.
struct Crowd {
    group: u32,
    /// Its columns among all crowded ones, and how many share a key.
    start: u32,
    end: u32,
    shared: u32,
}

/// The columns of all groups, with prices.
pub(super) struct Columns {
    /// The keys of every group, and a block that nobody looks at.
    blocks: Vec<[i32; BLOCK]>,
    /// The column of each key; in a crowd, its number.
    of_key: Vec<[u32; BLOCK]>,
    /// The columns that have a key of their own, and the number of the key.
    single: Vec<(u32, u32)>,
    crowds: Vec<Crowd>,
    /// Price, column and crowd of the others.
    crowded: Vec<(i32, u32, u32)>,
    /// Where each reference word has its price, as the first word of a column and as the second: a key or a crowded column.
    places: Vec<[u32; 2]>,
}

impl Columns {
    /// The columns of these groups among `n_words` reference words, without prices.
    pub(super) fn new(bigrams: &Bigrams, n_words: usize) -> Self {
        let nowhere = (bigrams.len() * BLOCK) as u32;
        let mut columns = Columns {
            blocks: vec![[NOTHING; BLOCK]; bigrams.len() + 1],
            of_key: vec![[NONE; BLOCK]; bigrams.len()],
            single: Vec::with_capacity(bigrams.columns.len()),
            crowds: Vec::new(),
            crowded: Vec::new(),
            places: vec![[nowhere; 2]; n_words + 1],
        };
        columns.blocks[bigrams.len()] = [0; BLOCK];
        for group in 0..bigrams.len() as u32 {
            let members = bigrams.of(group);
            let first = if members.len() <= BLOCK {
                let key = group * BLOCK as u32;
                columns.single.extend(members.iter().copied().zip(key..));
                columns.of_key[group as usize][..members.len()].copy_from_slice(members);
                key
            } else {
                let start = columns.crowded.len() as u32;
                let end = start + members.len() as u32;
                let shared = members.len().div_ceil(BLOCK) as u32;
                let crowd = columns.crowds.len() as u32;
                columns.crowds.push(Crowd { group, start, end, shared });
                columns.crowded.extend(members.iter().map(|&j| (0, j, crowd)));
                columns.of_key[group as usize].fill(CROWDED | crowd);
                CROWDED | start
            };
            for (&j, place) in members.iter().zip(first..) {
                columns.places[j as usize][0] = place;
                columns.places[j as usize + 1][1] = place;
            }
        }
        columns
    }

    /// Reads all prices again.
    pub(super) fn read(&mut self, prices: &[i32]) {
        let price = |j: u32| prices[j as usize] + prices[j as usize + 1];
        for &(j, key) in &self.single {
            let (block, place) = (key as usize / BLOCK, key as usize % BLOCK);
            self.blocks[block][place] = price(j) << PLACE | place as i32;
        }
        for column in &mut self.crowded {
            column.0 = price(column.1);
        }
        for crowd in 0..self.crowds.len() {
            for place in 0..BLOCK as u32 {
                self.read_key(crowd, place);
            }
        }
    }

    /// The price of the cheapest column of a group.
    #[inline]
    pub(super) fn least(&self, group: u32) -> i64 {
        i64::from(least(&self.blocks[group as usize]) >> PLACE)
    }

    /// The cheapest column of a group, the first of equals.
    pub(super) fn cheapest(&self, group: u32) -> u32 {
        let place = least(&self.blocks[group as usize]) as usize % BLOCK;
        let column = self.of_key[group as usize][place];
        if column & CROWDED == 0 {
            return column;
        }
        let crowd = &self.crowds[(column & !CROWDED) as usize];
        let cheapest = self.part(crowd, place as u32).iter().min_by_key(|column| column.0);
        cheapest.map_or(NONE, |column| column.1)
    }

    /// Makes a word dearer.
    #[inline]
    pub(super) fn raise(&mut self, word: u32, step: i32) {
        for place in self.places[word as usize] {
            if place & CROWDED == 0 {
                self.blocks[place as usize / BLOCK][place as usize % BLOCK] += step << PLACE;
            } else {
                self.raise_crowded((place & !CROWDED) as usize, step);
            }
        }
    }

    fn raise_crowded(&mut self, at: usize, step: i32) {
        let column = &mut self.crowded[at];
        let (price, _, number) = *column;
        column.0 += step;
        let crowd = &self.crowds[number as usize];
        let place = (at as u32 - crowd.start) / crowd.shared;
        // A key tells of the cheapest only.
        if self.blocks[crowd.group as usize][place as usize] >> PLACE == price {
            self.read_key(number as usize, place);
        }
    }

    /// The columns that share a key of a crowd.
    fn part(&self, crowd: &Crowd, place: u32) -> &[(i32, u32, u32)] {
        let start = crowd.end.min(crowd.start + place * crowd.shared);
        let end = crowd.end.min(start + crowd.shared);
        &self.crowded[start as usize..end as usize]
    }

    /// Finds the cheapest of the columns that share a key.
    fn read_key(&mut self, crowd: usize, place: u32) {
        let crowd = &self.crowds[crowd];
        let group = crowd.group as usize;
        let least = self.part(crowd, place).iter().map(|column| column.0).min();
        self.blocks[group][place as usize] =
            least.map_or(NOTHING, |price| price << PLACE | place as i32);
    }
}

/// The least key of a block.
#[inline]
fn least(block: &[i32; BLOCK]) -> i32 {
    let four: [i32; 4] = std::array::from_fn(|at| block[at].min(block[at + 4]));
    let two = [four[0].min(four[2]), four[1].min(four[3])];
    two[0].min(two[1])
}
