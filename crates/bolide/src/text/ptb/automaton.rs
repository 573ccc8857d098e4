//! A lexer's automaton: the longest match of many patterns at once, and among equally long ones the first pattern.
//!
//! Patterns are regular expressions over UTF-16 units, with named parts and sets (`{NAME}`). Letters match both
//! cases, except between square brackets. Patterns become a
//! nondeterministic automaton when it is built, whose sets of states become states of a deterministic one when a
//! text first needs them. What the patterns mean is in [`super::rules`].

use rustc_hash::{FxHashMap, FxHashSet};

/// A range of UTF-16 units, both ends included.
type Range = (u16, u16);

/// A state of the nondeterministic automaton.
#[derive(Clone, Copy, Debug)]
enum Node {
    /// Reads a unit of a set and goes on.
    Read { set: u32, next: u32 },
    /// Goes on at both.
    Split(u32, u32),
    /// Matches a pattern.
    Accept(u32),
}

/// What follows is not known yet.
const LATER: u32 = u32::MAX;
/// No state: nothing can match any more.
const DEAD: u32 = 0;
/// A transition that has not been computed.
const UNKNOWN: u32 = u32::MAX;
/// More states than any text needs; when there are more, they are computed again.
const MAX_STATES: usize = 20_000;
/// Reading on in vain is remembered after this many units. Less is cheaper to repeat.
const FAR: usize = 64;

/// Matches many patterns at once.
#[derive(Clone, Debug)]
pub(super) struct Automaton {
    nodes: Vec<Node>,
    /// For each set and each class of units, whether the set has it.
    members: Vec<Vec<bool>>,
    /// The class of each unit: units of a class are in the same sets.
    classes: Vec<u16>,
    n_classes: usize,
    start: u32,
    states: FxHashMap<Vec<u32>, u32>,
    sets: Vec<Vec<u32>>,
    accepts: Vec<Option<u32>>,
    /// By state and class.
    transitions: Vec<u32>,
    /// Places of the text, with a state, from which nothing more matches. Without them, a text in which every
    /// token could begin an address would be read to its end for every token.
    dead_ends: FxHashSet<(usize, u32)>,
}

impl Automaton {
    /// The automaton of these patterns, which may name `parts` and `sets` in braces, as parts may.
    pub(super) fn new(
        sets: &[(&'static str, Vec<Range>)],
        parts: &[(&'static str, &'static str)],
        patterns: &[&str],
    ) -> Self {
        let mut builder = Builder::default();
        let names =
            Names { parts: parts.iter().copied().collect(), sets: sets.iter().cloned().collect() };
        let starts: Vec<u32> = patterns
            .iter()
            .enumerate()
            .map(|(idx, pattern)| {
                let fragment = builder.parse(pattern, &names);
                let accept = builder.node(Node::Accept(idx as u32));
                builder.connect(&fragment, accept);
                fragment.start
            })
            .collect();
        let mut start = starts.last().copied().unwrap_or_default();
        for &other in starts.iter().rev().skip(1) {
            start = builder.node(Node::Split(other, start));
        }
        let (classes, n_classes) = classes(&builder.sets);
        let mut samples = vec![0_u16; n_classes];
        for unit in (0..=u16::MAX).rev() {
            samples[usize::from(classes[usize::from(unit)])] = unit;
        }
        let members = builder
            .sets
            .iter()
            .map(|set| samples.iter().map(|&unit| contains(set, unit)).collect())
            .collect();
        let mut automaton = Self {
            nodes: builder.nodes,
            members,
            classes,
            n_classes,
            start,
            states: FxHashMap::default(),
            sets: Vec::new(),
            accepts: Vec::new(),
            transitions: Vec::new(),
            dead_ends: FxHashSet::default(),
        };
        automaton.forget();
        automaton
    }

    /// Begins a new text.
    pub(super) fn begin(&mut self) {
        self.dead_ends.clear();
    }

    /// The longest match of the text that begins at `start`: the pattern and its length.
    pub(super) fn longest(&mut self, text: &[u16], start: usize) -> Option<(usize, usize)> {
        self.prepare();
        let mut state = 1;
        let mut best = None;
        // Where the best match ends, and what was read in vain far behind it.
        let mut end = start;
        let mut vain = Vec::new();
        for (at, &unit) in text.iter().enumerate().skip(start) {
            state = self.step(state, unit);
            if state == DEAD {
                break;
            }
            if let Some(pattern) = self.accepts[state as usize] {
                best = Some((pattern as usize, at + 1 - start));
                end = at + 1;
                vain.clear();
            } else if at - end >= FAR {
                if self.dead_ends.contains(&(at, state)) {
                    break;
                }
                vain.push((at, state));
            }
        }
        self.dead_ends.extend(vain);
        best
    }

    /// Passes the length of every match of the only pattern at the start of `units` to `each`, shortest first.
    pub(super) fn each_length(&mut self, units: &[u16], mut each: impl FnMut(usize)) {
        self.prepare();
        let mut state = 1;
        if self.accepts[1].is_some() {
            each(0);
        }
        for (at, &unit) in units.iter().enumerate() {
            state = self.step(state, unit);
            if state == DEAD {
                break;
            }
            if self.accepts[state as usize].is_some() {
                each(at + 1);
            }
        }
    }

    /// Empties the computed states if they have become too many.
    fn prepare(&mut self) {
        if self.sets.len() > MAX_STATES {
            self.forget();
        }
    }

    fn forget(&mut self) {
        self.dead_ends.clear();
        self.states.clear();
        self.sets.clear();
        self.accepts.clear();
        self.transitions.clear();
        self.state(Vec::new());
        let mut first = Vec::new();
        self.close(self.start, &mut first);
        self.state(first);
    }

    fn step(&mut self, state: u32, unit: u16) -> u32 {
        let class = usize::from(self.classes[usize::from(unit)]);
        let place = state as usize * self.n_classes + class;
        let known = self.transitions[place];
        if known != UNKNOWN {
            return known;
        }
        let mut next = Vec::new();
        for idx in 0..self.sets[state as usize].len() {
            if let Node::Read { set, next: after } =
                self.nodes[self.sets[state as usize][idx] as usize]
                && self.members[set as usize][class]
            {
                self.close(after, &mut next);
            }
        }
        let next = self.state(next);
        self.transitions[place] = next;
        next
    }

    /// Adds the reading and accepting nodes that are reached from `node` without reading.
    fn close(&self, node: u32, into: &mut Vec<u32>) {
        let mut seen: Vec<u32> = Vec::new();
        let mut waiting = vec![node];
        while let Some(node) = waiting.pop() {
            match self.nodes[node as usize] {
                Node::Split(first, second) => {
                    if !seen.contains(&node) {
                        seen.push(node);
                        waiting.extend([first, second]);
                    }
                }
                _ => {
                    if !into.contains(&node) {
                        into.push(node);
                    }
                }
            }
        }
    }

    /// The number of a set of nodes.
    fn state(&mut self, mut set: Vec<u32>) -> u32 {
        set.sort_unstable();
        if let Some(&number) = self.states.get(&set) {
            return number;
        }
        let number = self.sets.len() as u32;
        let accepted = set.iter().filter_map(|&node| match self.nodes[node as usize] {
            Node::Accept(pattern) => Some(pattern),
            _ => None,
        });
        self.accepts.push(accepted.min());
        self.transitions.resize(self.transitions.len() + self.n_classes, UNKNOWN);
        self.states.insert(set.clone(), number);
        self.sets.push(set);
        number
    }
}

/// Part of an automaton with one way in and several open ways out.
struct Fragment {
    start: u32,
    /// Nodes whose next node is not known yet; a split of `LATER` has it on its second way.
    open: Vec<u32>,
}

#[derive(Default)]
struct Builder {
    nodes: Vec<Node>,
    sets: Vec<Vec<Range>>,
    numbers: FxHashMap<Vec<Range>, u32>,
}

/// A pattern being read.
type Reader<'p> = std::iter::Peekable<std::str::Chars<'p>>;

/// What the patterns may name in braces.
struct Names<'p> {
    parts: FxHashMap<&'p str, &'p str>,
    sets: FxHashMap<&'p str, Vec<Range>>,
}

impl Builder {
    fn node(&mut self, node: Node) -> u32 {
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }

    fn connect(&mut self, fragment: &Fragment, to: u32) {
        for &open in &fragment.open {
            match &mut self.nodes[open as usize] {
                Node::Read { next, .. } => *next = to,
                Node::Split(first, second) => {
                    if *second == LATER {
                        *second = to;
                    } else if *first == LATER {
                        *first = to;
                    }
                }
                Node::Accept(_) => {}
            }
        }
    }

    fn parse(&mut self, pattern: &str, names: &Names<'_>) -> Fragment {
        let mut reader = pattern.chars().peekable();
        self.alternatives(&mut reader, names)
    }

    fn alternatives(&mut self, reader: &mut Reader<'_>, names: &Names<'_>) -> Fragment {
        let mut whole = self.sequence(reader, names);
        while reader.next_if_eq(&'|').is_some() {
            let other = self.sequence(reader, names);
            let start = self.node(Node::Split(whole.start, other.start));
            whole.start = start;
            whole.open.extend(other.open);
        }
        whole
    }

    /// Reads nothing.
    fn empty(&mut self) -> Fragment {
        let start = self.node(Node::Split(LATER, LATER));
        // Both ways lead to the same place.
        Fragment { start, open: vec![start, start] }
    }

    fn sequence(&mut self, reader: &mut Reader<'_>, names: &Names<'_>) -> Fragment {
        let mut whole = self.empty();
        while !matches!(reader.peek(), None | Some('|' | ')')) {
            let next = self.repeated(reader, names);
            self.connect(&whole, next.start);
            whole.open = next.open;
        }
        whole
    }

    fn repeated(&mut self, reader: &mut Reader<'_>, names: &Names<'_>) -> Fragment {
        let before = reader.clone();
        let fragment = self.atom(reader, names);
        match reader.peek().copied() {
            Some('*') => {
                reader.next();
                self.repeat(fragment)
            }
            Some('+') => {
                reader.next();
                let start = fragment.start;
                let mut repeat = self.repeat(fragment);
                repeat.start = start;
                repeat
            }
            Some('?') => {
                reader.next();
                self.optional(fragment)
            }
            Some('{') if counted(reader) => {
                reader.next();
                let (least, most) = counts(reader);
                // The fragment just read is only a trial: every copy is read from the pattern again.
                let mut whole = self.empty();
                for n in 0..most {
                    let mut again = before.clone();
                    let mut copy = self.atom(&mut again, names);
                    if n >= least {
                        copy = self.optional(copy);
                    }
                    self.connect(&whole, copy.start);
                    whole.open = copy.open;
                }
                whole
            }
            _ => fragment,
        }
    }

    fn repeat(&mut self, fragment: Fragment) -> Fragment {
        let again = self.node(Node::Split(fragment.start, LATER));
        self.connect(&fragment, again);
        Fragment { start: again, open: vec![again] }
    }

    fn optional(&mut self, mut fragment: Fragment) -> Fragment {
        let start = self.node(Node::Split(fragment.start, LATER));
        fragment.start = start;
        fragment.open.push(start);
        fragment
    }

    fn atom(&mut self, reader: &mut Reader<'_>, names: &Names<'_>) -> Fragment {
        match reader.next() {
            Some('(') => {
                let inside = self.alternatives(reader, names);
                reader.next();
                inside
            }
            Some('{') => {
                let mut name = String::new();
                while let Some(c) = reader.next_if(|&c| c != '}') {
                    name.push(c);
                }
                reader.next();
                if let Some(set) = names.sets.get(name.as_str()) {
                    return self.read(set.clone());
                }
                debug_assert!(names.parts.contains_key(name.as_str()), "{name}");
                let pattern = names.parts.get(name.as_str()).copied().unwrap_or_default();
                self.parse(pattern, names)
            }
            Some('[') => {
                let inverted = reader.next_if_eq(&'^').is_some();
                let mut set = Vec::new();
                while let Some(c) = reader.next_if(|&c| c != ']') {
                    let first = unit(c, reader);
                    let mut last = first;
                    if reader.peek() == Some(&'-') {
                        reader.next();
                        if let Some(c) = reader.next_if(|&c| c != ']') {
                            last = unit(c, reader);
                        } else {
                            set.push((first, first));
                            set.push((u16::from(b'-'), u16::from(b'-')));
                            continue;
                        }
                    }
                    set.push((first, last));
                }
                reader.next();
                if inverted {
                    set = invert(set);
                }
                self.read(set)
            }
            Some(c) => {
                let plain = unit(c, reader);
                let mut set = vec![(plain, plain)];
                if let Ok(byte) = u8::try_from(plain)
                    && byte.is_ascii_alphabetic()
                {
                    let other = u16::from(byte ^ 0x20);
                    set.push((other, other));
                }
                self.read(set)
            }
            None => self.empty(),
        }
    }

    fn read(&mut self, mut set: Vec<Range>) -> Fragment {
        set.sort_unstable();
        let next = self.sets.len() as u32;
        let number = *self.numbers.entry(set.clone()).or_insert(next);
        if number == next {
            self.sets.push(set);
        }
        let start = self.node(Node::Read { set: number, next: LATER });
        Fragment { start, open: vec![start] }
    }
}

/// The unit that a character of a pattern stands for; after a backslash, itself or its number.
fn unit(c: char, reader: &mut Reader<'_>) -> u16 {
    let c = match c {
        '\\' => match reader.next() {
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('u') => {
                let digits: String = reader.by_ref().take(4).collect();
                return u16::from_str_radix(&digits, 16).unwrap_or_default();
            }
            other => other.unwrap_or('\\'),
        },
        c => c,
    };
    u16::try_from(u32::from(c)).unwrap_or(0xfffd)
}

/// Whether a count such as `{1,2}` follows, not the name of a part.
fn counted(reader: &Reader<'_>) -> bool {
    reader.clone().nth(1).is_some_and(|c| c.is_ascii_digit())
}

/// The two numbers of `1,2}` or `2}`.
fn counts(reader: &mut Reader<'_>) -> (usize, usize) {
    let mut text = String::new();
    while let Some(c) = reader.next_if(|&c| c != '}') {
        text.push(c);
    }
    reader.next();
    let (least, most) = text.split_once(',').unwrap_or((&text, &text));
    (least.parse().unwrap_or_default(), most.parse().unwrap_or_default())
}

fn contains(set: &[Range], unit: u16) -> bool {
    set.iter().any(|&(first, last)| (first..=last).contains(&unit))
}

fn invert(mut set: Vec<Range>) -> Vec<Range> {
    set.sort_unstable();
    let mut inverted = Vec::new();
    let mut next = 0_u32;
    for (first, last) in set {
        if u32::from(first) > next {
            inverted.push((next as u16, first - 1));
        }
        next = next.max(u32::from(last) + 1);
    }
    if let Ok(next) = u16::try_from(next) {
        inverted.push((next, u16::MAX));
    }
    inverted
}

/// The class of each unit, and the number of classes: units in the same sets share one.
fn classes(sets: &[Vec<Range>]) -> (Vec<u16>, usize) {
    let ends = |&(first, last): &Range| [u32::from(first), u32::from(last) + 1];
    let mut borders: Vec<u32> = sets.iter().flatten().flat_map(ends).chain([0, 1 << 16]).collect();
    borders.sort_unstable();
    borders.dedup();
    let mut numbers: FxHashMap<Vec<bool>, u16> = FxHashMap::default();
    let mut classes = Vec::with_capacity(1 << 16);
    for between in borders.windows(2) {
        let member = sets.iter().map(|set| contains(set, between[0] as u16)).collect();
        let next = numbers.len() as u16;
        let class = *numbers.entry(member).or_insert(next);
        classes.resize(between[1] as usize, class);
    }
    (classes, numbers.len())
}
