//! Fewest crossings: as a tie-break among alignments with the fewest chunks, or as the objective.
//!
//! Two pairs that may exchange their partners never need to cross: uncrossing them removes that
//! crossing and adds none. So with crossings as the objective an optimum is monotone inside each
//! class, and what is left to choose is which copies of the more frequent side stay unmatched.
//! As a tie-break the same holds for pairs that are part of no adjacency. The choice is branch and
//! bound over the words of the scarcer side, each bounded by its cheapest partner against the
//! pairs decided so far. Exponential for very frequent words; the budget ends it with a bound.

use super::Budget;
use super::capacity::Capacities;
use super::duo::{Duo, Grid, NONE};
use super::exact::ClassAligner;
use super::mis64::Mis64;
use super::parts::Parts;
use super::small::link;
use super::stages::Stages;

/// What the search is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    /// Fewest crossings among alignments with at least this many adjacencies.
    Adjacencies(u32),
    /// Fewest crossings, then most adjacencies.
    Crossings,
}

/// What the search knows at its end.
pub(super) struct Settled {
    /// No alignment that meets the goal has fewer crossings.
    pub(super) crossings_lower_bound: u64,
    /// Whether the search ran to its end: the crossings are the fewest, and for
    /// [`Goal::Crossings`] the adjacencies the most among those.
    pub(super) complete: bool,
    pub(super) nodes: u64,
}

/// Pairs in opposite order on the two sides, in the order of `partner`.
pub(super) fn count(partner: &[u32], owner_len: usize) -> u64 {
    let matched = partner.iter().filter(|&&j| j != NONE);
    if owner_len <= 64 {
        let mut seen = 0u64;
        let mut crossings = 0;
        for &j in matched {
            // Most texts agree in most of their order.
            let right = seen >> j;
            if right != 0 {
                crossings += u64::from(right.count_ones());
            }
            seen |= 1 << j;
        }
        return crossings;
    }
    // Earlier partners as bits, and a Fenwick tree over their words.
    let mut bits = vec![0u64; owner_len / 64 + 1];
    let mut tree = vec![0u32; bits.len() + 1];
    let mut end = 0;
    let mut crossings = 0;
    for (before, &j) in matched.enumerate() {
        let (word, bit) = (j as usize / 64, 1u64 << (j % 64));
        // To the right of all before it, a partner crosses none.
        if j < end {
            let mut not_right = (bits[word] & (bit - 1)).count_ones();
            let mut at = word;
            while at > 0 {
                not_right += tree[at];
                at &= at - 1;
            }
            crossings += before as u64 - u64::from(not_right);
        }
        end = end.max(j);
        bits[word] |= bit;
        let mut at = word + 1;
        while at < tree.len() {
            tree[at] += 1;
            at += at & at.wrapping_neg();
        }
    }
    crossings
}

/// Improves the pairs in `classes` towards the goal. They are an optimum of the stage counts, and
/// for [`Goal::Adjacencies`] they have the adjacencies asked for.
pub(super) fn settle(
    stages: &Stages,
    classes: &mut ClassAligner,
    goal: Goal,
    budget: &Budget,
) -> Settled {
    if goal == Goal::Crossings {
        straighten(stages, classes);
    }
    let Some(mut search) = Untangling::new(stages, classes, goal, budget) else {
        let forced = forced_crossings(stages, classes, goal);
        let found = count(&classes.partner, classes.owner.len());
        return Settled {
            crossings_lower_bound: forced,
            complete: found == 0 && goal != Goal::Crossings,
            nodes: 0,
        };
    };
    search.visit();
    let complete = !search.exhausted;
    let lower_bound = if complete { search.best.0 } else { search.root_bound.min(search.best.0) };
    let nodes = search.nodes;
    if let Some(partner) = search.best_partner.take() {
        classes.partner.copy_from_slice(&partner);
        classes.owner.fill(NONE);
        for (i, &j) in partner.iter().enumerate() {
            if j != NONE {
                classes.owner[j as usize] = i as u32;
            }
        }
    }
    Settled { crossings_lower_bound: lower_bound, complete, nodes }
}

/// Whether a class leaves no choice: one copy a side, or under the crossing objective as many
/// copies on both sides.
fn is_forced(goal: Goal, copies_h: u32, copies_r: u32) -> bool {
    match goal {
        Goal::Adjacencies(_) => copies_h == 1 && copies_r == 1,
        Goal::Crossings => copies_h == copies_r,
    }
}

/// Crossings among the pairs that every candidate shares: a bound when nothing is searched.
fn forced_crossings(stages: &Stages, classes: &ClassAligner, goal: Goal) -> u64 {
    let mut partner = classes.partner.clone();
    for (slot, &class) in partner.iter_mut().zip(&classes.hypothesis) {
        let forced = class != NONE && stages.part_of_class(class) == NONE && {
            let (h, r) = classes.copies(class);
            is_forced(goal, h, r)
        };
        if !forced {
            *slot = NONE;
        }
    }
    count(&partner, classes.owner.len())
}

/// Pairs the copies of every free class in order, the chosen ones of the larger side near the
/// place that corresponds: a fair start, and the result where there is too much to search.
fn straighten(stages: &Stages, classes: &mut ClassAligner) {
    let places = |words: &[u32]| {
        let mut places = vec![Vec::new(); classes.n_classes];
        for (at, &class) in words.iter().enumerate() {
            if class != NONE && stages.part_of_class(class) == NONE {
                places[class as usize].push(at as u32);
            }
        }
        places
    };
    let (places_h, places_r) = (places(&classes.hypothesis), places(&classes.reference));
    let (m, n) = (classes.hypothesis.len() as u64, classes.reference.len() as u64);
    for (hs, rs) in places_h.iter().zip(&places_r) {
        if hs.is_empty() || rs.is_empty() {
            continue;
        }
        for &i in hs {
            classes.partner[i as usize] = NONE;
        }
        for &j in rs {
            classes.owner[j as usize] = NONE;
        }
        let turned = hs.len() > rs.len();
        let (few, many) = if turned { (rs, hs) } else { (hs, rs) };
        let (scale_few, scale_many) = if turned { (m, n) } else { (n, m) };
        let mut next = 0;
        for (at, &word) in few.iter().enumerate() {
            // The copies after this one need places too.
            let last = many.len() - (few.len() - at);
            let distance =
                |k: usize| (u64::from(word) * scale_few).abs_diff(u64::from(many[k]) * scale_many);
            while next < last && distance(next + 1) <= distance(next) {
                next += 1;
            }
            let (i, j) = if turned { (many[next], word) } else { (word, many[next]) };
            classes.partner[i as usize] = j;
            classes.owner[j as usize] = i;
            next += 1;
        }
    }
}

/// The search recurses once per undecided word; more of them would never be searched through.
const DEEPEST: usize = 512;

/// A pair that may be chosen.
struct Candidate {
    i: u32,
    j: u32,
    /// Crossings with the pairs decided so far.
    cost: u64,
    /// Whether some duo contains the pair.
    in_duo: bool,
}

/// A word that has to find its partner, and its candidates.
struct Decider {
    first: usize,
    end: usize,
    /// Whether it may also stay unmatched.
    optional: bool,
    class: u32,
}

/// A pair that was chosen or leaves no choice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Decided {
    i: u32,
    j: u32,
    class: u32,
    in_duo: bool,
}

/// The duos of one connected component, and how many of them any alignment has at most.
struct Component {
    duos: Vec<Duo>,
    most: u32,
}

struct Untangling<'a> {
    stages: &'a Stages,
    parts: Option<Parts<'a>>,
    goal: Goal,
    candidates: Vec<Candidate>,
    deciders: Vec<Decider>,
    open: Vec<u32>,
    partner: Vec<u32>,
    owner: Vec<u32>,
    /// Pairs decided, forced ones included, and the crossings among them.
    decided: Vec<Decided>,
    crossings: u64,
    components: Vec<Component>,
    /// Fewest crossings and most adjacencies found, with the pairs if better than the start.
    best: (u64, u32),
    best_partner: Option<Vec<u32>>,
    root_bound: u64,
    nodes: u64,
    nodes_left: u64,
    visits: u64,
    exhausted: bool,
}

impl Decided {
    fn crosses(&self, i: u32, j: u32) -> bool {
        (self.i < i && self.j > j) || (self.i > i && self.j < j)
    }
}

/// How many of the pairs cross the pair (`i`, `j`).
fn crossed(decided: &[Decided], i: u32, j: u32) -> u64 {
    decided.iter().filter(|pair| pair.crosses(i, j)).count() as u64
}

impl<'a> Untangling<'a> {
    /// Sets the search up; nothing when the candidates alone exceed the budget.
    fn new(
        stages: &'a Stages,
        classes: &ClassAligner,
        goal: Goal,
        budget: &Budget,
    ) -> Option<Self> {
        let (m, n) = (classes.hypothesis.len(), classes.reference.len());
        let found = (count(&classes.partner, n), adjacencies(&classes.partner));
        let mut search = Untangling {
            stages,
            parts: (stages.n_parts > 0).then(|| Parts::new(stages)),
            goal,
            candidates: Vec::new(),
            deciders: Vec::new(),
            open: Vec::new(),
            partner: vec![NONE; m],
            owner: vec![NONE; n],
            decided: Vec::new(),
            crossings: 0,
            components: Vec::new(),
            best: found,
            best_partner: None,
            root_bound: 0,
            nodes: 0,
            nodes_left: budget.nodes,
            // Only an explanation asks for crossings, one segment at a time.
            visits: budget.visits.saturating_mul(5),
            exhausted: false,
        };
        search.list(classes)?;
        search.list_duos(budget);
        for (at, pair) in search.decided.iter().enumerate() {
            search.crossings += crossed(&search.decided[..at], pair.i, pair.j);
        }
        for candidate in &mut search.candidates {
            candidate.cost = crossed(&search.decided, candidate.i, candidate.j);
        }
        search.open = (0..search.deciders.len() as u32).collect();
        search.root_bound = search.crossings + search.cheapest().map_or(0, |(sum, _)| sum);
        Some(search)
    }

    fn list(&mut self, classes: &ClassAligner) -> Option<()> {
        let stages = self.stages;
        let mut places_h = vec![Vec::new(); classes.n_classes];
        let mut places_r = vec![Vec::new(); classes.n_classes];
        let mut total = 0u64;
        for (places, words) in
            [(&mut places_h, &classes.hypothesis), (&mut places_r, &classes.reference)]
        {
            for (at, &class) in words.iter().enumerate() {
                if class != NONE {
                    places[class as usize].push(at as u32);
                }
            }
        }
        for class in 0..classes.n_classes as u32 {
            let (hs, rs) = (&places_h[class as usize], &places_r[class as usize]);
            let constrained = stages.part_of_class(class) != NONE;
            if !constrained && is_forced(self.goal, hs.len() as u32, rs.len() as u32) {
                for (&i, &j) in hs.iter().zip(rs) {
                    self.partner[i as usize] = j;
                    self.owner[j as usize] = i;
                    self.decided.push(Decided { i, j, class, in_duo: false });
                }
                continue;
            }
            total += (hs.len() * rs.len()) as u64;
            // Setting up costs every candidate against every pair, a node the same again.
            if total * (classes.hypothesis.len() as u64) > self.visits {
                return None;
            }
            let turned = !constrained && hs.len() > rs.len();
            let (few, many) = if turned { (rs, hs) } else { (hs, rs) };
            if many.is_empty() {
                continue;
            }
            for &word in few {
                let first = self.candidates.len();
                for &other in many {
                    let (i, j) = if turned { (other, word) } else { (word, other) };
                    let fits = !constrained
                        || stages
                            .compatible(stages.types_h[i as usize], stages.types_r[j as usize]);
                    if fits {
                        self.candidates.push(Candidate { i, j, cost: 0, in_duo: false });
                    }
                }
                let optional =
                    constrained && !stages.must_h[stages.types_h[word as usize] as usize];
                let end = self.candidates.len();
                self.deciders.push(Decider { first, end, optional, class });
            }
        }
        self.decided.sort_unstable();
        let forced = self.decided.len() as u64;
        (forced * forced <= self.visits && self.deciders.len() <= DEEPEST).then_some(())
    }

    /// Every possible adjacency, by component, with the most each component can give.
    fn list_duos(&mut self, budget: &Budget) {
        let mut pairs: Vec<(u32, u32)> = self.candidates.iter().map(|c| (c.i, c.j)).collect();
        pairs.extend(self.decided.iter().map(|pair| (pair.i, pair.j)));
        pairs.sort_unstable();
        let mut duos = Vec::new();
        for &(i, j) in &pairs {
            if pairs.binary_search(&(i + 1, j + 1)).is_ok() {
                duos.push(Duo { i, j });
            }
        }
        let in_duo = |i: u32, j: u32| {
            let before = i > 0 && j > 0 && duos.binary_search(&Duo { i: i - 1, j: j - 1 }).is_ok();
            before || duos.binary_search(&Duo { i, j }).is_ok()
        };
        for candidate in &mut self.candidates {
            candidate.in_duo = in_duo(candidate.i, candidate.j);
        }
        for pair in &mut self.decided {
            pair.in_duo = in_duo(pair.i, pair.j);
        }
        let mut mis64 = Mis64::default();
        for duos in Grid::new(duos, &Capacities::default()).components(&Capacities::default()) {
            let most = if duos.len() <= 64 {
                link(&mut mis64, &duos);
                let all = if duos.len() == 64 { u64::MAX } else { (1u64 << duos.len()) - 1 };
                mis64.solve(all, budget.nodes).bound
            } else {
                duos.chunk_by(|a, b| a.i == b.i).count() as u32
            };
            self.components.push(Component { duos, most });
        }
    }

    /// Whether the candidate's words are free and no exchange rule speaks against it.
    fn is_valid(&self, candidate: &Candidate, class: u32) -> bool {
        let (i, j) = (candidate.i, candidate.j);
        if self.partner[i as usize] != NONE || self.owner[j as usize] != NONE {
            return false;
        }
        let constrained = self.stages.part_of_class(class) != NONE;
        let types = |i: u32, j: u32| {
            self.stages.compatible(self.stages.types_h[i as usize], self.stages.types_r[j as usize])
        };
        !self.decided.iter().any(|pair| {
            pair.class == class
                && pair.crosses(i, j)
                && (self.goal == Goal::Crossings || !(candidate.in_duo || pair.in_duo))
                && (!constrained || (types(pair.i, j) && types(i, pair.j)))
        })
    }

    /// The sum over open words of their cheapest candidate, and the word with the fewest; nothing
    /// when some word has none left.
    fn cheapest(&self) -> Option<(u64, Option<usize>)> {
        let mut sum = 0;
        let mut fewest = (usize::MAX, None);
        for (at, &number) in self.open.iter().enumerate() {
            let decider = &self.deciders[number as usize];
            let mut least = None;
            let mut valid = usize::from(decider.optional);
            for candidate in &self.candidates[decider.first..decider.end] {
                if self.is_valid(candidate, decider.class) {
                    valid += 1;
                    least = Some(least.map_or(candidate.cost, |l: u64| l.min(candidate.cost)));
                }
            }
            if valid == 0 {
                return None;
            }
            if !decider.optional {
                sum += least.unwrap_or(0);
            }
            if valid < fewest.0 {
                fewest = (valid, Some(at));
            }
        }
        Some((sum, fewest.1))
    }

    /// No completion of the decided pairs has more adjacencies than this.
    fn most_adjacencies(&self) -> u32 {
        let fits = |i: u32, j: u32| {
            let there = self.partner[i as usize];
            there == j || (there == NONE && self.owner[j as usize] == NONE)
        };
        self.components
            .iter()
            .map(|component| {
                let rows = component.duos.chunk_by(|a, b| a.i == b.i).filter(|row| {
                    row.iter().any(|duo| fits(duo.i, duo.j) && fits(duo.i + 1, duo.j + 1))
                });
                (rows.count() as u32).min(component.most)
            })
            .sum()
    }

    fn visit(&mut self) {
        let cost = (self.candidates.len() * (4 + self.decided.len() / 8)) as u64;
        if self.nodes_left == 0 || self.visits < cost {
            self.exhausted = true;
            return;
        }
        self.nodes_left -= 1;
        self.visits -= cost;
        self.nodes += 1;
        let Some((sum, next)) = self.cheapest() else { return };
        let bound = self.crossings + sum;
        let most = self.most_adjacencies();
        let hopeless = match self.goal {
            Goal::Adjacencies(wanted) => most < wanted || bound >= self.best.0,
            Goal::Crossings => {
                (bound, std::cmp::Reverse(most)) >= (self.best.0, std::cmp::Reverse(self.best.1))
            }
        };
        if hopeless {
            return;
        }
        let Some(next) = next else {
            self.judge();
            return;
        };
        let number = self.open.swap_remove(next);
        let decider = &self.deciders[number as usize];
        let mut order: Vec<(u64, usize)> = (decider.first..decider.end)
            .filter(|&c| self.is_valid(&self.candidates[c], decider.class))
            .map(|c| (self.candidates[c].cost, c))
            .collect();
        order.sort_unstable();
        let (optional, class) = (decider.optional, decider.class);
        for (_, candidate) in order {
            let Candidate { i, j, in_duo, .. } = self.candidates[candidate];
            if self.fix(Decided { i, j, class, in_duo }) {
                self.visit();
            }
            self.release();
            if self.exhausted {
                break;
            }
        }
        if optional && !self.exhausted {
            self.visit();
        }
        // Back to where it was, so that the order of deciding stays the same for the caller.
        self.open.push(number);
        let last = self.open.len() - 1;
        self.open.swap(next, last);
    }

    /// Decides a pair; says whether the stage counts can still be met.
    fn fix(&mut self, pair: Decided) -> bool {
        let Decided { i, j, .. } = pair;
        self.crossings += crossed(&self.decided, i, j);
        self.decided.push(pair);
        self.partner[i as usize] = j;
        self.owner[j as usize] = i;
        for candidate in &mut self.candidates {
            candidate.cost += u64::from(pair.crosses(candidate.i, candidate.j));
        }
        let (h, r) = (self.stages.types_h[i as usize], self.stages.types_r[j as usize]);
        match &mut self.parts {
            Some(parts) if parts.of(h) != NONE => {
                parts.fix(h, r);
                parts.extends(parts.of(h))
            }
            _ => true,
        }
    }

    /// Takes the last [`Untangling::fix`] back.
    fn release(&mut self) {
        let Some(pair) = self.decided.pop() else { return };
        let Decided { i, j, .. } = pair;
        self.crossings -= crossed(&self.decided, i, j);
        self.partner[i as usize] = NONE;
        self.owner[j as usize] = NONE;
        for candidate in &mut self.candidates {
            candidate.cost -= u64::from(pair.crosses(candidate.i, candidate.j));
        }
        let (h, r) = (self.stages.types_h[i as usize], self.stages.types_r[j as usize]);
        if let Some(parts) = &mut self.parts
            && parts.of(h) != NONE
        {
            parts.release(h, r);
        }
    }

    /// A complete choice: keeps it when it is better and meets the stage counts.
    fn judge(&mut self) {
        let adjacencies = adjacencies(&self.partner);
        let better = match self.goal {
            Goal::Adjacencies(wanted) => adjacencies >= wanted && self.crossings < self.best.0,
            Goal::Crossings => {
                (self.crossings, std::cmp::Reverse(adjacencies))
                    < (self.best.0, std::cmp::Reverse(self.best.1))
            }
        };
        let met = self.parts.as_ref().is_none_or(Parts::is_done);
        if better && met {
            self.best = (self.crossings, adjacencies);
            self.best_partner = Some(self.partner.clone());
        }
    }
}

fn adjacencies(partner: &[u32]) -> u32 {
    partner.windows(2).filter(|two| two[0] != NONE && two[0] + 1 == two[1]).count() as u32
}
