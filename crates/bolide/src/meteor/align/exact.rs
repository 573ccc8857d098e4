//! Fewest chunks among all maximum one-to-one matches of two sequences of classes.
//!
//! Words of one class match each other and nothing else; for the exact stage a class is a word.
//! Any partial match of a class extends to a maximum one, so the fewest chunks are the number of
//! matches minus the largest conflict-free set of duos. This module lists the duos, sends them to
//! the right solver, and completes the result. What a class is, is decided by the caller.

use super::Budget;
use super::bigrams::Bigrams;
use super::capacity::Capacities;
use super::document::Document;
use super::duo::{Duo, Grid, NONE, WordMap};
use super::extent::Extent;
use super::intern::Interner;
use super::mis64::Mis64;
use super::polish::{THOROUGH, polish_listed};
use super::search::Search;
use super::small;
use super::tiling::tile;

/// Up to this many duos are listed at once, and small components solved before any prices.
pub(super) const LISTED: u64 = 64;

/// Up to this many are listed if there are hardly more than rows: few conflict, and most can be decided one by one.
const SPARSE: u64 = 400;

/// The lists of a document with more duos than this are not kept for the next one: they take more than ten megabytes.
const KEPT: usize = 1 << 18;

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
    bigrams: Bigrams,
    document: Document,
    prices: Vec<i32>,
    hint: Vec<u32>,
    numbers: [Vec<u32>; 2],
    /// For tests: solves the smallest segment the way documents are solved.
    pub(super) long_way: bool,
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
        let mut nodes = 0;
        let adjacencies = self.choose(Matches::default(), budget, &mut nodes);
        self.complete(|_| true);
        self.known(u64::from(matches), adjacencies, nodes)
    }

    /// Chooses the duos and records their pairs; call after [`ClassAligner::index`]. Returns a
    /// bound on the adjacencies.
    pub(super) fn choose(&mut self, mut across: Matches, budget: &Budget, nodes: &mut u64) -> u64 {
        let (mut certain, effort) = self.pair_unique();
        across.drop_settled(&self.partner);
        let listed = if self.long_way { 0 } else { LISTED };
        if effort + across.duos.len() as u64 <= listed {
            self.list();
            return certain + self.solve(across, budget, nodes);
        }
        let turned = across.turned.unwrap_or_else(|| self.is_turned());
        certain += self.group(turned, &across.duos);
        across.drop_taken(turned, &self.partner, &self.owner);
        if !self.is_listed(across.duos.len()) {
            let more = self.bigrams.take_more(&across.duos, &mut self.table);
            certain += self.record_certain(&more, turned);
            across.drop_taken(turned, &self.partner, &self.owner);
        }
        if self.is_listed(across.duos.len()) {
            self.bigrams.list(&mut self.duos);
            if turned {
                self.turn_duos();
            }
            across.turned = Some(turned);
            return certain + self.solve(across, budget, nodes);
        }
        let most_linked = self.extent().most_linked(budget);
        if self.bigrams.link(most_linked, &mut self.table, &mut self.duos) {
            certain + self.solve_document(turned, across, budget, nodes)
        } else {
            self.tile(turned);
            certain + self.bigrams.clipped() + across.most_adjacencies()
        }
    }

    /// Groups the bigrams whose duos are not certain. Records the duos that conflict with none, and returns their number; of a
    /// long text none are taken yet.
    fn group(&mut self, turned: bool, others: &[Duo]) -> u64 {
        let (rows, columns, settled) = if turned {
            (&self.reference, &self.hypothesis, &self.owner)
        } else {
            (&self.hypothesis, &self.reference, &self.partner)
        };
        let settled = |i: usize| settled[i] != NONE && settled[i + 1] != NONE;
        let certain = self.bigrams.read_open((rows, columns), settled, others, &mut self.table);
        self.record_certain(&certain, turned)
    }

    /// Records duos that some largest set contains, and returns their number.
    fn record_certain(&mut self, certain: &[Duo], turned: bool) -> u64 {
        for &duo in certain {
            self.record(if turned { duo.turned() } else { duo });
        }
        certain.len() as u64
    }

    /// Whether the duos of the bigrams and so many others are few enough to be listed.
    fn is_listed(&self, others: usize) -> bool {
        let n_duos = self.bigrams.n_duos() + others as u64;
        let n_rows = u64::from(self.bigrams.rows.iter().sum::<u32>());
        !self.long_way && (n_duos <= LISTED || n_duos <= SPARSE.min(3 * n_rows / 2))
    }

    /// Counts the chunks of the pairs found; no alignment has more adjacencies than `bound`.
    pub(super) fn known(&self, matches: u64, bound: u64, nodes: u64) -> Known {
        let chunks = self.count_chunks();
        // A clipped count of bigrams can reach the number of matches; one chunk is the least.
        let least = u32::try_from(matches.saturating_sub(bound)).unwrap_or(u32::MAX);
        let lower_bound = least.max(u32::from(matches > 0)).min(chunks);
        Known { chunks, lower_bound, nodes, frozen: false }
    }

    /// A bound on adjacencies that needs no duos: common bigrams, as often as the scarcer side
    /// has them.
    pub(super) fn clipped_bigrams(&mut self) -> u64 {
        self.bigrams.read(&self.hypothesis, &self.reference, &mut self.table);
        self.bigrams.clipped()
    }

    /// Counts the classes again after they were changed under finished pairs.
    pub(super) fn recount(&mut self) {
        for (counts, side) in
            [(&mut self.count_h, &self.hypothesis), (&mut self.count_r, &self.reference)]
        {
            counts.clear();
            counts.resize(self.n_classes + 1, 0);
            for &class in side.iter().filter(|&&class| class != NONE) {
                counts[class as usize] += 1;
            }
        }
    }

    /// How often a class occurs on each side.
    pub(super) fn copies(&self, class: u32) -> (u32, u32) {
        (self.count_h[class as usize], self.count_r[class as usize])
    }

    /// Counts classes and lists the reference places of each; returns the number of matches.
    pub(super) fn index(&mut self) -> u32 {
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

    /// Chooses among the listed duos, records their pairs and returns a bound on their number.
    fn solve(&mut self, across: Matches, budget: &Budget, nodes: &mut u64) -> u64 {
        if !across.duos.is_empty() {
            return self.solve_across(across, budget, nodes);
        }
        match self.duos.len() {
            0 => 0,
            1 => {
                let duo = self.duos[0];
                self.record(duo);
                1
            }
            count if count <= 64 => {
                small::link(&mut self.mis64, &self.duos);
                let all = if count == 64 { u64::MAX } else { (1u64 << count) - 1 };
                // Most segments need no search, and then the order of the duos does not matter.
                if let Some(chosen) = self.mis64.solve_without_search(all) {
                    self.record_all(chosen, false);
                    return u64::from(chosen.count_ones());
                }
                let turned = self.is_turned();
                if turned {
                    self.turn_duos();
                    small::link(&mut self.mis64, &self.duos);
                }
                let solved = self.mis64.solve(all, budget.nodes);
                *nodes += solved.nodes;
                self.record_all(solved.chosen, turned);
                u64::from(solved.bound)
            }
            _ => {
                let turned = self.is_turned();
                if turned {
                    self.turn_duos();
                }
                self.solve_many(turned, Capacities::default(), budget, nodes)
            }
        }
    }

    /// The same with duos that match different words.
    fn solve_across(&mut self, across: Matches, budget: &Budget, nodes: &mut u64) -> u64 {
        let turned = across.turned.unwrap_or(false);
        if turned {
            self.turn_duos();
        }
        self.duos.extend(across.duos);
        self.duos.sort_unstable();
        self.duos.dedup();
        if self.duos.len() > 64 {
            return self.solve_many(turned, across.capacities, budget, nodes);
        }
        let solved = small::solve(&mut self.mis64, &self.duos, &across.capacities, budget.nodes);
        *nodes += solved.nodes;
        self.record_all(solved.chosen, turned);
        u64::from(solved.bound)
    }

    fn turn_duos(&mut self) {
        for duo in &mut self.duos {
            *duo = duo.turned();
        }
        self.duos.sort_unstable();
    }

    fn record_all(&mut self, mut chosen: u64, turned: bool) {
        while chosen != 0 {
            let duo = self.duos[chosen.trailing_zeros() as usize];
            chosen &= chosen - 1;
            self.record(if turned { duo.turned() } else { duo });
        }
    }

    /// Records the two pairs of a duo.
    pub(super) fn record(&mut self, duo: Duo) {
        for step in 0..2 {
            self.partner[(duo.i + step) as usize] = duo.j + step;
            self.owner[(duo.j + step) as usize] = duo.i + step;
        }
    }

    /// Prepares the buffers that a search works on.
    fn begin_search(&mut self, turned: bool, capacities: &Capacities) {
        let (mut m, mut n) = (self.hypothesis.len(), self.reference.len());
        if turned {
            std::mem::swap(&mut m, &mut n);
        }
        self.map.begin(m, n);
        self.prices.clear();
        self.prices.resize(n + 1 + capacities.len(), 0);
        self.hint.clear();
        self.hint.resize(m + 1, NONE);
    }

    /// Solves more than 64 listed duos, component by component.
    fn solve_many(
        &mut self,
        turned: bool,
        mut capacities: Capacities,
        budget: &Budget,
        nodes: &mut u64,
    ) -> u64 {
        self.begin_search(turned, &capacities);
        let duos = std::mem::take(&mut self.duos);
        let components = Grid::new(duos.clone(), &capacities).components(&capacities);
        let mut bound = 0;
        let mut chosen = Vec::new();
        let mut left = (budget.nodes, self.extent().visits(budget, duos.len() as u64));
        for component in components {
            let mut ceiling = component.len();
            let mut greedy = Vec::new();
            if component.len() > 64 && capacities.len() == 0 {
                ceiling = self.clipped(&component, turned);
                let grid = Grid::new(component.clone(), &capacities);
                greedy = grid.longest_runs(&mut self.map, &capacities);
                if greedy.len() == ceiling {
                    chosen.extend(greedy);
                    bound += ceiling;
                    continue;
                }
            }
            let mut search = self.search(left, &mut capacities, budget);
            let found = if component.len() <= 64 {
                search.small(&component)
            } else {
                search.solve(component, greedy.len(), 0)
            };
            left = (search.nodes, search.visits);
            *nodes += search.nodes_used;
            bound += found.bound.max(greedy.len()).min(ceiling);
            let better = found.chosen.len() > greedy.len();
            chosen.extend(if better { found.chosen } else { greedy });
        }
        if chosen.len() < bound {
            let size = (self.hint.len(), self.prices.len());
            chosen = polish_listed(&duos, &capacities, size, &chosen);
        }
        for duo in chosen {
            self.record(if turned { duo.turned() } else { duo });
        }
        bound as u64
    }

    /// Solves a document by groups of bigrams, of which the linked duos are listed; lists others when few are left. Records the
    /// chosen duos and returns a bound on their number.
    fn solve_document(
        &mut self,
        turned: bool,
        across: Matches,
        budget: &Budget,
        nodes: &mut u64,
    ) -> u64 {
        // Adjacencies of equal words, and those in which different words match.
        let ceiling = (self.bigrams.clipped() + across.most_adjacencies()) as usize;
        let Matches { duos: others, mut capacities, .. } = across;
        self.begin_search(turned, &capacities);
        let extent = self.extent();
        let may_cost = extent.visits(budget, self.bigrams.n_duos());
        let mut document = std::mem::take(&mut self.document);
        document.begin(
            std::mem::take(&mut self.bigrams),
            (&self.duos, &others),
            &capacities,
            &self.prices,
            extent.has_very_many_copies(),
        );
        let mut visits = may_cost;
        let mut kept = document.solve(ceiling, &mut self.map, &capacities, &mut visits);
        let mut bound = document.bound(ceiling).max(document.chosen.len());
        document.save(&mut self.prices);
        let mut left = extent.visits_of_search(may_cost, document.repeats);
        let mut left_nodes = budget.nodes;
        let is_searched = kept.is_some();
        while let Some(duos) = kept.take() {
            let known = document.chosen.len();
            let n_duos = duos.len();
            // A larger set leaves fewer duos to search, so half of the budget waits for it.
            let mut search = self.search((left_nodes, left / 2), &mut capacities, budget);
            search.remember(&document.chosen);
            let found = search.solve(duos, known, 0);
            *nodes += search.nodes_used;
            left -= left / 2 - search.visits;
            left_nodes = search.nodes;
            bound = bound.min(found.bound.max(known));
            if found.chosen.len() > known {
                document.chosen = found.chosen;
                if document.chosen.len() < bound {
                    kept = document.filter(document.chosen.len() + 1, n_duos);
                }
            }
        }
        if is_searched && document.chosen.len() < bound {
            document.polish(&capacities, THOROUGH);
        }
        if extent.has_many_copies() {
            document.free_regions(bound, extent.steps_of_regions(may_cost), &mut self.mis64);
        }
        for &duo in &document.chosen {
            self.record(if turned { duo.turned() } else { duo });
        }
        self.bigrams = std::mem::take(&mut document.bigrams);
        if document.duos.len() <= KEPT {
            self.document = document;
        }
        bound as u64
    }

    /// How long the texts are, and how often their words repeat.
    fn extent(&self) -> Extent {
        let words = self.hypothesis.len() + self.reference.len();
        Extent::new(words, [&self.count_h, &self.count_r])
    }

    fn search<'a>(
        &'a mut self,
        left: (u64, u64),
        capacities: &'a mut Capacities,
        budget: &Budget,
    ) -> Search<'a> {
        Search {
            small: if self.long_way { 0 } else { 64 },
            nodes: left.0,
            nodes_used: 0,
            visits: left.1,
            depth: budget.depth,
            capacities,
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
    pub(super) fn is_turned(&mut self) -> bool {
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
    fn tile(&mut self, turned: bool) {
        if turned {
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

/// Duos in which different words match, and the capacities they have to keep.
#[derive(Default)]
pub(super) struct Matches {
    /// Sorted, together with the duos diagonally beside them.
    pub(super) duos: Vec<Duo>,
    pub(super) capacities: Capacities,
    /// Whether the sides are exchanged in them, if that was decided.
    pub(super) turned: Option<bool>,
}

impl Matches {
    /// Drops the duos that are certain, being two pairs of words that occur once.
    fn drop_settled(&mut self, partner: &[u32]) {
        let turned = self.turned.unwrap_or(false);
        self.duos.retain(|&duo| {
            let Duo { i, .. } = if turned { duo.turned() } else { duo };
            partner[i as usize] == NONE || partner[i as usize + 1] == NONE
        });
    }

    /// Drops the duos that are taken already, and those that conflict with what is.
    fn drop_taken(&mut self, turned: bool, partner: &[u32], owner: &[u32]) {
        let (partner, owner) = if turned { (owner, partner) } else { (partner, owner) };
        self.duos.retain(|&Duo { i, j }| {
            let cells = [(i, j), (i + 1, j + 1)];
            let is_taken = |&(i, j): &(u32, u32)| partner[i as usize] == j;
            let is_open =
                |&(i, j): &(u32, u32)| partner[i as usize] == NONE && owner[j as usize] == NONE;
            cells.iter().all(|cell| is_taken(cell) || is_open(cell)) && !cells.iter().all(is_taken)
        });
    }

    /// How many adjacencies such duos can give.
    fn most_adjacencies(&self) -> u64 {
        self.duos.chunk_by(|a, b| a.i == b.i).count() as u64
    }
}
