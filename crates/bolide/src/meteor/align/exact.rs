//! Fewest chunks among all maximum one-to-one matches of two sequences of classes.
//!
//! Words of one class match each other and nothing else; for the exact stage a class is a word.
//! Any partial match of a class extends to a maximum one, so the fewest chunks are the number of
//! matches minus the largest conflict-free set of duos. This module lists the duos, sends them to
//! the right solver, and completes the result. What a class is, is decided by the caller.

use super::Budget;
use super::duo::{Duo, Grid, NONE, WordMap};
use super::intern::Interner;
use super::mis64::Mis64;
use super::search::{Search, link};
use super::tiling::tile;

/// Two sequences of classes and the buffers to align them with.
#[derive(Default)]
pub(super) struct ClassAligner {
    /// Class of every word, [`NONE`] where it has no partner on the other side.
    pub(super) hypothesis: Vec<u32>,
    pub(super) reference: Vec<u32>,
    /// How many classes there are; every class is below this.
    pub(super) n_classes: usize,
    /// The result: the reference word of every hypothesis word and the other way round.
    pub(super) partner: Vec<u32>,
    pub(super) owner: Vec<u32>,
    count_h: Vec<u32>,
    count_r: Vec<u32>,
    start_r: Vec<u32>,
    places_r: Vec<u32>,
    next: Vec<u32>,
    duos: Vec<Duo>,
    table: Interner,
    mis64: Mis64,
    map: WordMap,
    prices: Vec<i64>,
    hint: Vec<u32>,
    numbers: [Vec<u32>; 2],
}

/// What is known about an alignment besides its pairs.
pub(super) struct Known {
    pub(super) chunks: u32,
    pub(super) lower_bound: u32,
    pub(super) nodes: u64,
    /// Whether the classes were cut up to fix one optimum of constrained parts.
    pub(super) frozen: bool,
}

impl ClassAligner {
    /// Aligns `hypothesis` and `reference`, leaving the pairs in `partner` and `owner`.
    pub(super) fn align(&mut self, budget: &Budget) -> Known {
        let matches = self.index();
        if matches == 0 {
            return Known { chunks: 0, lower_bound: 0, nodes: 0, frozen: false };
        }
        let (certain, effort) = self.pair_unique();
        let mut nodes = 0;
        let adjacencies = if effort > 16 * (self.hypothesis.len() + self.reference.len()) as u64
            || effort > budget.duos as u64
        {
            let groups = self.group();
            if groups.duos - certain > budget.duos as u64 {
                self.tile();
                groups.clipped
            } else {
                self.list_grouped(&groups);
                certain + self.solve(budget, &mut nodes)
            }
        } else {
            self.list();
            certain + self.solve(budget, &mut nodes)
        };
        self.complete(|_| true);
        self.known(u64::from(matches), adjacencies, nodes)
    }

    /// Counts the chunks of the pairs found; no alignment has more adjacencies than `bound`.
    pub(super) fn known(&self, matches: u64, bound: u64, nodes: u64) -> Known {
        let chunks = self.count_chunks();
        // A clipped count of bigrams can reach the number of matches; one chunk is the least.
        let least = u32::try_from(matches.saturating_sub(bound)).unwrap_or(u32::MAX);
        let lower_bound = least.max(u32::from(matches > 0)).min(chunks);
        Known { chunks, lower_bound, nodes, frozen: false }
    }

    /// Every duo inside the classes, certain ones too, unless finding them costs over `limit`.
    pub(super) fn merged_duos(&mut self, limit: u64) -> Option<Vec<Duo>> {
        self.index();
        let effort: u64 = (0..self.hypothesis.len())
            .filter_map(|i| self.bigram(i))
            .map(|(a, b)| u64::from(self.count_r[a as usize].min(self.count_r[b as usize])))
            .sum();
        if effort > limit {
            return None;
        }
        self.list();
        Some(self.duos.clone())
    }

    /// A bound on adjacencies that needs no duos: common bigrams, as often as the scarcer side
    /// has them.
    pub(super) fn clipped_bigrams(&mut self) -> u64 {
        self.index();
        self.group().clipped
    }

    /// How often a class occurs on each side.
    pub(super) fn copies(&self, class: u32) -> (u32, u32) {
        (self.count_h[class as usize], self.count_r[class as usize])
    }

    /// Forgets all pairs.
    pub(super) fn begin_pairs(&mut self) {
        self.partner.fill(NONE);
        self.owner.fill(NONE);
    }

    /// Counts classes and lists the reference places of each; returns the number of matches.
    fn index(&mut self) -> u32 {
        let classes = self.n_classes;
        // Words without a class are counted behind the others: whether a word has one cannot be
        // guessed, and so is not asked.
        for (counts, side) in
            [(&mut self.count_h, &self.hypothesis), (&mut self.count_r, &self.reference)]
        {
            counts.clear();
            counts.resize(classes + 1, 0);
            for &class in side {
                counts[(class as usize).min(classes)] += 1;
            }
        }
        self.start_r.clear();
        self.next.clear();
        let (mut total, mut matches) = (0, 0);
        for (&in_h, &in_r) in self.count_h.iter().zip(&self.count_r) {
            self.start_r.push(total);
            self.next.push(total);
            total += in_r;
            matches += in_h.min(in_r);
        }
        matches -= self.count_h[classes].min(self.count_r[classes]);
        self.places_r.clear();
        self.places_r.resize(self.reference.len(), 0);
        for (j, &class) in self.reference.iter().enumerate() {
            let slot = &mut self.next[(class as usize).min(classes)];
            self.places_r[*slot as usize] = j as u32;
            *slot += 1;
        }
        // Nothing matches them.
        self.count_h[classes] = 0;
        self.count_r[classes] = 0;
        self.partner.clear();
        self.partner.resize(self.hypothesis.len(), NONE);
        self.owner.clear();
        self.owner.resize(self.reference.len(), NONE);
        matches
    }

    fn is_unique(&self, class: u32) -> bool {
        let class = (class as usize).min(self.n_classes);
        (self.count_h[class] == 1) & (self.count_r[class] == 1)
    }

    /// The classes of hypothesis words `i` and `i + 1` if both can have duos.
    fn bigram(&self, i: usize) -> Option<(u32, u32)> {
        let (a, b) = (self.hypothesis[i], *self.hypothesis.get(i + 1)?);
        let in_reference = |class: u32| self.count_r[(class as usize).min(self.n_classes)] > 0;
        (in_reference(a) & in_reference(b)).then_some((a, b))
    }

    /// Pairs classes that occur once on each side. Returns how many duos are certain because of
    /// that (both words unique: nothing can conflict) and the cost of listing the others.
    fn pair_unique(&mut self) -> (u64, u64) {
        for i in 0..self.hypothesis.len() {
            let class = self.hypothesis[i];
            if self.is_unique(class) {
                let j = self.places_r[self.start_r[class as usize] as usize];
                self.partner[i] = j;
                self.owner[j as usize] = i as u32;
            }
        }
        let (mut certain, mut effort) = (0, 0);
        for i in 0..self.hypothesis.len() {
            if let Some((a, b)) = self.bigram(i) {
                if self.partner[i] != NONE && self.partner[i + 1] != NONE {
                    certain += u64::from(self.partner[i] + 1 == self.partner[i + 1]);
                } else {
                    effort += u64::from(self.count_r[a as usize].min(self.count_r[b as usize]));
                }
            }
        }
        (certain, effort)
    }

    fn places(&self, class: u32) -> &[u32] {
        let range =
            self.start_r[class as usize] as usize..self.start_r[class as usize + 1] as usize;
        &self.places_r[range]
    }

    /// Lists the uncertain duos through the places of the rarer word.
    fn list(&mut self) {
        let mut duos = std::mem::take(&mut self.duos);
        duos.clear();
        for i in 0..self.hypothesis.len() {
            let Some((a, b)) = self.bigram(i) else { continue };
            if self.partner[i] != NONE && self.partner[i + 1] != NONE {
                continue;
            }
            if self.count_r[a as usize] <= self.count_r[b as usize] {
                for &j in self.places(a) {
                    if self.reference.get(j as usize + 1) == Some(&b) {
                        duos.push(Duo { i: i as u32, j });
                    }
                }
            } else {
                for &next in self.places(b) {
                    if next > 0 && self.reference[next as usize - 1] == a {
                        duos.push(Duo { i: i as u32, j: next - 1 });
                    }
                }
            }
        }
        self.duos = duos;
    }

    /// Numbers the common bigrams and counts duos without listing them.
    fn group(&mut self) -> Groups {
        let (m, n) = (self.hypothesis.len(), self.reference.len());
        self.table.begin(m);
        let mut row_group = vec![NONE; m];
        let mut rows: Vec<u32> = Vec::new();
        for (i, group) in row_group.iter_mut().enumerate() {
            if let Some((a, b)) = self.bigram(i) {
                *group = self.table.insert(u64::from(a) << 32 | u64::from(b));
                if *group as usize == rows.len() {
                    rows.push(0);
                }
                rows[*group as usize] += 1;
            }
        }
        let mut start = vec![0u32; rows.len() + 1];
        let mut column_group = vec![NONE; n];
        for j in 1..n {
            let (a, b) = (self.reference[j - 1], self.reference[j]);
            let key = u64::from(a) << 32 | u64::from(b);
            if a != NONE
                && b != NONE
                && let Some(group) = self.table.get(key)
            {
                column_group[j - 1] = group;
                start[group as usize + 1] += 1;
            }
        }
        let (mut duos, mut clipped) = (0, 0);
        for (group, &in_h) in rows.iter().enumerate() {
            let in_r = start[group + 1];
            duos += u64::from(in_h) * u64::from(in_r);
            clipped += u64::from(in_h.min(in_r));
            start[group + 1] += start[group];
        }
        let mut next = start.clone();
        let mut columns = vec![0; start[rows.len()] as usize];
        for (j, &group) in column_group.iter().enumerate() {
            if group != NONE {
                let slot = &mut next[group as usize];
                columns[*slot as usize] = j as u32;
                *slot += 1;
            }
        }
        Groups { row_group, start, columns, duos, clipped }
    }

    fn list_grouped(&mut self, groups: &Groups) {
        let mut duos = std::mem::take(&mut self.duos);
        duos.clear();
        for (i, &group) in groups.row_group.iter().enumerate() {
            if group == NONE || (self.partner[i] != NONE && self.partner[i + 1] != NONE) {
                continue;
            }
            let range =
                groups.start[group as usize] as usize..groups.start[group as usize + 1] as usize;
            duos.extend(groups.columns[range].iter().map(|&j| Duo { i: i as u32, j }));
        }
        self.duos = duos;
    }

    /// Chooses among the listed duos, records their pairs and returns a bound on their number.
    fn solve(&mut self, budget: &Budget, nodes: &mut u64) -> u64 {
        match self.duos.len() {
            0 => 0,
            1 => {
                let duo = self.duos[0];
                self.record(duo);
                1
            }
            count if count <= 64 => {
                link(&mut self.mis64, &self.duos);
                let all = if count == 64 { u64::MAX } else { (1u64 << count) - 1 };
                // Most segments need no search, and then the order of the duos does not matter.
                if let Some(chosen) = self.mis64.solve_without_search(all) {
                    self.record_all(chosen, false);
                    return u64::from(chosen.count_ones());
                }
                let turned = self.is_turned();
                if turned {
                    self.turn_duos();
                    link(&mut self.mis64, &self.duos);
                }
                let solved = self.mis64.solve(all, budget.nodes);
                *nodes += solved.nodes;
                self.record_all(solved.chosen, turned);
                u64::from(solved.bound)
            }
            _ => self.solve_many(budget, nodes),
        }
    }

    fn turn_duos(&mut self) {
        for duo in &mut self.duos {
            *duo = Duo { i: duo.j, j: duo.i };
        }
        self.duos.sort_unstable();
    }

    fn record_all(&mut self, mut chosen: u64, turned: bool) {
        while chosen != 0 {
            let duo = self.duos[chosen.trailing_zeros() as usize];
            chosen &= chosen - 1;
            self.record(if turned { Duo { i: duo.j, j: duo.i } } else { duo });
        }
    }

    /// Records the two pairs of a duo.
    pub(super) fn record(&mut self, duo: Duo) {
        for step in 0..2 {
            self.partner[(duo.i + step) as usize] = duo.j + step;
            self.owner[(duo.j + step) as usize] = duo.i + step;
        }
    }

    fn solve_many(&mut self, budget: &Budget, nodes: &mut u64) -> u64 {
        let turned = self.is_turned();
        let (mut m, mut n) = (self.hypothesis.len(), self.reference.len());
        if turned {
            self.turn_duos();
            std::mem::swap(&mut m, &mut n);
        }
        self.map.begin(m, n);
        let components = Grid::new(self.duos.clone()).components();
        self.prices.clear();
        self.prices.resize(n + 1, 0);
        self.hint.clear();
        self.hint.resize(m + 1, NONE);
        let mut bound = 0;
        let mut chosen = Vec::new();
        let mut left = (budget.nodes, budget.visits);
        for component in components {
            if component.len() > 64 {
                let ceiling = self.clipped(&component, turned);
                let greedy = Grid::new(component.clone()).longest_runs(&mut self.map);
                if greedy.len() == ceiling {
                    chosen.extend(greedy);
                    bound += ceiling;
                    continue;
                }
                let mut search = self.search(left, budget);
                let found = search.solve(component, greedy.len(), 0);
                left = (search.nodes, search.visits);
                *nodes += search.nodes_used;
                bound += found.bound.clamp(greedy.len(), ceiling);
                chosen.extend(if found.chosen.len() > greedy.len() {
                    found.chosen
                } else {
                    greedy
                });
            } else {
                let mut search = self.search(left, budget);
                let found = search.small(&component);
                left = (search.nodes, search.visits);
                *nodes += search.nodes_used;
                bound += found.bound;
                chosen.extend(found.chosen);
            }
        }
        for duo in chosen {
            self.record(if turned { Duo { i: duo.j, j: duo.i } } else { duo });
        }
        bound as u64
    }

    fn search(&mut self, left: (u64, u64), budget: &Budget) -> Search<'_> {
        Search {
            small: 64,
            nodes: left.0,
            nodes_used: 0,
            visits: left.1,
            depth: budget.depth,
            prices: &mut self.prices,
            hint: &mut self.hint,
            map: &mut self.map,
            mis64: &mut self.mis64,
        }
    }

    /// Bigrams of the component, each counted as often as the scarcer side has it.
    fn clipped(&mut self, component: &[Duo], turned: bool) -> usize {
        let rows = if turned { &self.reference } else { &self.hypothesis };
        let key = |i: u32| u64::from(rows[i as usize]) << 32 | u64::from(rows[i as usize + 1]);
        self.table.begin(component.len());
        let mut counts: Vec<(u32, u32)> = Vec::new();
        let mut columns: Vec<(u32, u32)> = Vec::with_capacity(component.len());
        for row in component.chunk_by(|a, b| a.i == b.i) {
            let group = self.table.insert(key(row[0].i));
            if group as usize == counts.len() {
                counts.push((0, 0));
            }
            counts[group as usize].0 += 1;
            columns.extend(row.iter().map(|duo| (duo.j, group)));
        }
        columns.sort_unstable();
        columns.dedup();
        for (_, group) in columns {
            counts[group as usize].1 += 1;
        }
        counts.iter().map(|&(rows, columns)| rows.min(columns) as usize).sum()
    }

    /// Whether the long way should see the sides exchanged. Both orders of one pair agree on
    /// what to solve, so the number of chunks is the same even where nothing is proven.
    fn is_turned(&mut self) -> bool {
        let (m, n) = (self.hypothesis.len(), self.reference.len());
        if m != n {
            return m > n;
        }
        // Compare the two orders with classes numbered by first appearance: independent of the
        // class numbers, and usually decided after a few words.
        for numbers in &mut self.numbers {
            numbers.clear();
            numbers.resize(self.n_classes, NONE);
        }
        let mut counts = [0; 2];
        let order = self.hypothesis.iter().chain(&self.reference);
        let turned = self.reference.iter().chain(&self.hypothesis);
        for (&here, &there) in order.zip(turned) {
            let mut labels = [NONE; 2];
            for (way, class) in [here, there].into_iter().enumerate() {
                if class != NONE {
                    let slot = &mut self.numbers[way][class as usize];
                    if *slot == NONE {
                        *slot = counts[way];
                        counts[way] += 1;
                    }
                    labels[way] = *slot;
                }
            }
            if labels[0] != labels[1] {
                return labels[1] < labels[0];
            }
        }
        false
    }

    /// The greedy way for texts with too many duos.
    fn tile(&mut self) {
        if self.is_turned() {
            tile(
                &self.reference,
                &self.hypothesis,
                &mut self.owner,
                &mut self.partner,
                &mut self.table,
            );
        } else {
            tile(
                &self.hypothesis,
                &self.reference,
                &mut self.partner,
                &mut self.owner,
                &mut self.table,
            );
        }
    }

    /// Pairs the unused occurrences of every class that `applies` in order.
    pub(super) fn complete(&mut self, applies: impl Fn(u32) -> bool) {
        self.next.copy_from_slice(&self.start_r);
        for i in 0..self.hypothesis.len() {
            let class = self.hypothesis[i];
            if class == NONE || self.partner[i] != NONE || !applies(class) {
                continue;
            }
            let end = self.start_r[class as usize + 1];
            let next = &mut self.next[class as usize];
            while *next < end {
                let j = self.places_r[*next as usize];
                *next += 1;
                if self.owner[j as usize] == NONE {
                    self.partner[i] = j;
                    self.owner[j as usize] = i as u32;
                    break;
                }
            }
        }
    }

    /// Chunks of the pairs found.
    pub(super) fn count_chunks(&self) -> u32 {
        let mut chunks = 0;
        let mut expected = NONE;
        for &j in &self.partner {
            chunks += u32::from(j != NONE && j != expected);
            expected = if j == NONE { NONE } else { j + 1 };
        }
        chunks
    }
}

/// The common bigrams of two texts.
struct Groups {
    /// Group of the bigram at each hypothesis word.
    row_group: Vec<u32>,
    /// Reference places by group.
    start: Vec<u32>,
    columns: Vec<u32>,
    duos: u64,
    /// Each bigram counted as often as the scarcer side has it: no alignment has more adjacencies.
    clipped: u64,
}
