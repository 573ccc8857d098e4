//! A corpus as its own statistics, for metrics that weigh a match by all segments (`nist:nltk`, `cider:coco`).
//!
//! Such statistics cannot be sums: all work is done at the end.

use crate::definition::Mergeable;
use crate::record::Record;
use crate::segment::{Segment, Text};
use crate::text::vocabulary::Vocabulary;
use crate::text::{Tokens, whitespace};

/// The tokens of all segments, split at white space, in order. They are as large as the corpus.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WholeCorpus {
    text: String,
    /// The byte length of every token: hypothesis, then references, segment by segment.
    token_lengths: Vec<u32>,
    /// The number of tokens of every side.
    side_lengths: Vec<u32>,
    /// The number of sides of every segment.
    n_sides: Vec<u32>,
}

impl Record for WholeCorpus {
    fn write(&self, numbers: &mut Vec<u64>) {
        self.text.write(numbers);
        self.token_lengths.write(numbers);
        self.side_lengths.write(numbers);
        self.n_sides.write(numbers);
    }

    /// The lengths must be consistent, because they delimit the tokens in the text.
    fn read(numbers: &mut &[u64]) -> Option<Self> {
        let stats = WholeCorpus {
            text: String::read(numbers)?,
            token_lengths: Vec::read(numbers)?,
            side_lengths: Vec::read(numbers)?,
            n_sides: Vec::read(numbers)?,
        };
        let mut end = 0;
        let are_tokens = stats.token_lengths.iter().all(|&length| {
            end += length as usize;
            stats.text.is_char_boundary(end)
        });
        let sum = |lengths: &[u32]| lengths.iter().map(|&n| n as usize).sum::<usize>();
        let fits = are_tokens
            && end == stats.text.len()
            && sum(&stats.side_lengths) == stats.token_lengths.len()
            && sum(&stats.n_sides) == stats.side_lengths.len();
        fits.then_some(stats)
    }

    /// None: the tokens themselves are needed, and they cannot be added.
    fn write_counts(&self, _counts: &mut Vec<i64>) -> Option<()> {
        None
    }

    fn read_counts(_counts: &mut &[i64]) -> Option<Self> {
        None
    }
}

impl Mergeable for WholeCorpus {
    fn merge(&mut self, other: &Self) {
        self.text.push_str(&other.text);
        self.token_lengths.extend_from_slice(&other.token_lengths);
        self.side_lengths.extend_from_slice(&other.side_lengths);
        self.n_sides.extend_from_slice(&other.n_sides);
    }
}

impl WholeCorpus {
    /// The tokens of one segment.
    pub(crate) fn of_segment(segment: Segment<'_>, tokens: &mut Tokens) -> Self {
        let mut corpus = Self::default();
        let sides =
            std::iter::once(segment.hypothesis()).chain(segment.references().iter().copied());
        for text in sides {
            tokens.clear();
            match text {
                Text::Raw(text) => whitespace::tokenize(text, tokens),
                Text::Tokens(given) => tokens.extend_given(given),
            }
            corpus.push(tokens);
        }
        corpus.n_sides.push(1 + segment.references().len() as u32);
        corpus
    }

    fn push(&mut self, tokens: &Tokens) {
        for token in tokens.iter() {
            self.text.push_str(token);
            self.token_lengths.push(token.len() as u32);
        }
        self.side_lengths.push(tokens.len() as u32);
    }

    /// Numbers all tokens: one list for each side of each segment, the hypothesis first.
    pub(crate) fn segments(&self) -> Vec<Vec<Vec<u32>>> {
        self.segments_with(&mut Vocabulary::default())
    }

    /// The same, with the vocabulary that has the words.
    pub(crate) fn segments_with(&self, vocabulary: &mut Vocabulary) -> Vec<Vec<Vec<u32>>> {
        let mut rest = self.text.as_str();
        let mut words = self.token_lengths.iter().map(|&length| {
            let (word, behind) = rest.split_at_checked(length as usize).unwrap_or((rest, ""));
            rest = behind;
            vocabulary.intern(word)
        });
        let mut sides = self.side_lengths.iter();
        let mut segment = |&n_sides: &u32| {
            let sides = sides.by_ref().take(n_sides as usize);
            sides.map(|&length| words.by_ref().take(length as usize).collect()).collect()
        };
        self.n_sides.iter().map(&mut segment).collect()
    }
}
