//! CIDEr (Vedantam et al. 2015) in the variant CIDEr-D, as pycocoevalcap 1.2 has it.
//!
//! An n-gram weighs its count times ln(images) − ln(images whose references have it). For each order up to 4
//! the vectors of hypothesis and reference are compared by their cosine, with weights of the hypothesis clipped
//! to those of the reference, times a Gaussian of the difference of their lengths. The mean over orders and
//! references, times 10, is the score of an image, and the mean over images that of a corpus.
//!
//! CIDEr without the D has neither clipping nor Gaussian. The COCO tools, and so most papers, call CIDEr-D CIDEr.
//!
//! What an n-gram weighs depends on all images, so the statistics are the captions themselves, and a single image
//! scores 0. The work is linear in their words times the orders. Sums are in the order of pycocoevalcap: that in
//! which n-grams first stand in a text.

use crate::arithmetic::{exp, ln, numpy_mean, pow};
use crate::definition::Definition;
use crate::dialect::{Dialect, Family, Merging, References};
use crate::error::Result;
#[cfg(feature = "evidence")]
use crate::evidence::{Evidence, MOST_LISTED, Ngram, Order, Step, Words};
use crate::registry::AnyMetric;
use crate::resources::Resources;
use crate::score::Components;
use crate::segment::Segment;
use crate::signature::{Keys, Signature};
use crate::text::Tokens;
use crate::text::vocabulary::Vocabulary;
use crate::text::whitespace;
use crate::whole_corpus::WholeCorpus;
use rustc_hash::FxHashMap;

pub(crate) const FAMILY: Family = Family { name: "cider", title: "CIDEr", default: "cider:coco" };

/// `cider:coco`.
pub(crate) const COCO: Dialect = Dialect {
    name: "cider:coco",
    family: &FAMILY,
    aliases: &["cider", "cider-d"],
    reproduces: "pycocoevalcap 1.2, `Cider`",
    summary: "CIDEr-D of captions, which the COCO tools call CIDEr: n-grams that few images share weigh most",
    agreement: "bit for bit beside the package, on generated captions",
    decimals: 4,
    range: (0.0, 10.0),
    lower_is_better: false,
    references: References::Mean,
    merging: Merging::PartsInOrder,
    alignment: false,
    build,
};

fn build(keys: &mut Keys, _: &Resources) -> Result<AnyMetric> {
    let sigma = keys.number_that_is("sigma", 6.0, "above 0", |sigma| sigma > 0.0)?;
    Ok(AnyMetric::Cider(Cider { order: ORDERS, sigma }))
}

/// N-grams have at most so many words.
const ORDERS: usize = 4;

/// A configured CIDEr-D.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cider {
    /// The number of orders that a mean is over. pycocoevalcap counts n-grams of up to 4 words whatever it is told.
    pub order: usize,
    /// How far lengths may differ; 6 in pycocoevalcap.
    pub sigma: f64,
}

/// The texts of one image.
#[derive(Clone, Debug)]
pub struct Captions<'t> {
    /// The text to be scored.
    pub hypothesis: &'t str,
    /// The texts that people wrote.
    pub references: Vec<&'t str>,
}

/// The counted n-grams of a text, by order, each where it first stands.
type Counts = Vec<Vec<(u32, u32)>>;

/// The weighted n-grams of a text.
struct Vector {
    /// By order: the n-gram and its weight.
    weights: Vec<Vec<(u32, f64)>>,
    norms: Vec<f64>,
    /// The number of its bigrams, which stands for its length.
    length: f64,
}

/// Numbers n-grams.
#[derive(Default)]
struct Ngrams {
    /// An n-gram by the n-gram before its last word, and that word. Orders do not share numbers.
    numbers: FxHashMap<(u32, u32), u32>,
    /// Where the count of an n-gram is in the text being read, and which text that is.
    places: Vec<(u32, u32)>,
    n_texts: u32,
}

/// Stands for what is before a single word.
const NOTHING: u32 = u32::MAX;

impl Ngrams {
    fn number(&mut self, before: u32, word: u32) -> u32 {
        let next = self.numbers.len() as u32;
        let number = *self.numbers.entry((before, word)).or_insert(next);
        if number == next {
            self.places.push((0, 0));
        }
        number
    }

    fn count(&mut self, words: &[u32], order: usize) -> Counts {
        self.n_texts += 1;
        let mut prefixes = vec![NOTHING; words.len()];
        let mut counts = Vec::with_capacity(order);
        for n in 0..order {
            let mut of_order: Vec<(u32, u32)> = Vec::new();
            for (start, prefix) in prefixes.iter_mut().enumerate() {
                let Some(&last) = words.get(start + n) else { break };
                *prefix = self.number(*prefix, last);
                let number = *prefix;
                let place = &mut self.places[number as usize];
                if place.0 == self.n_texts {
                    of_order[place.1 as usize].1 += 1;
                } else {
                    *place = (self.n_texts, of_order.len() as u32);
                    of_order.push((number, 1));
                }
            }
            counts.push(of_order);
        }
        counts
    }
}

/// How many documents have each n-gram, counted elsewhere: the COCO tools' `coco-val-df`.
pub struct Frequencies<'f> {
    /// The number of documents.
    pub documents: f64,
    /// The number of those that have an n-gram, by its words; 0 if none has it.
    pub of: &'f mut dyn FnMut(&[&str]) -> f64,
}

impl Cider {
    /// The score of each image, with the given document frequencies instead of those of the references.
    pub fn scores_given(
        &self,
        images: &[Captions<'_>],
        frequencies: &mut Frequencies<'_>,
    ) -> Vec<f64> {
        let (images, vocabulary) = words_of(images);
        let (counts, ngrams) = self.counts(&images);
        // A number is larger than that of the n-gram before its last word.
        let mut numbered: Vec<((u32, u32), u32)> =
            ngrams.numbers.iter().map(|(&ngram, &number)| (ngram, number)).collect();
        numbered.sort_unstable_by_key(|&(_, number)| number);
        let all = ln(frequencies.documents);
        let rarity = numbered.iter().map(|&(mut ngram, _)| {
            let mut words = vec![vocabulary.word(ngram.1)];
            while let Some(&(before, _)) = numbered.get(ngram.0 as usize) {
                ngram = before;
                words.push(vocabulary.word(ngram.1));
            }
            words.reverse();
            all - ln((frequencies.of)(&words).max(1.0))
        });
        let rarity: Vec<f64> = rarity.collect();
        self.scores_of_counts(&counts, &rarity)
    }

    /// The score of each image, among all of them. An image without references scores NaN, and so do all if no
    /// reference has a word: pycocoevalcap raises an exception then.
    pub fn scores(&self, images: &[Captions<'_>]) -> Vec<f64> {
        self.scores_of_words(&words_of(images).0)
    }

    /// The score of each image, whose first list of words is the hypothesis.
    fn scores_of_words(&self, images: &[Vec<Vec<u32>>]) -> Vec<f64> {
        let (counts, ngrams) = self.counts(images);
        if !counts.iter().flat_map(|image| &image.1).flatten().any(|of_order| !of_order.is_empty())
        {
            return vec![f64::NAN; counts.len()];
        }
        self.scores_of_counts(&counts, &rarities(&counts, ngrams.numbers.len()))
    }

    /// The n-grams of each image: those of the hypothesis, and those of each reference.
    fn counts(&self, images: &[Vec<Vec<u32>>]) -> (Vec<(Counts, Vec<Counts>)>, Ngrams) {
        let mut ngrams = Ngrams::default();
        let mut read = |words: &Vec<u32>| ngrams.count(words, self.order.min(ORDERS));
        let counts = images
            .iter()
            .filter_map(|sides| sides.split_first())
            .map(|(hypothesis, references)| {
                (read(hypothesis), references.iter().map(&mut read).collect())
            })
            .collect();
        (counts, ngrams)
    }

    fn scores_of_counts(&self, counts: &[(Counts, Vec<Counts>)], rarity: &[f64]) -> Vec<f64> {
        let mut of_reference = vec![0.0; rarity.len()];
        counts
            .iter()
            .map(|(hypothesis, references)| {
                let hypothesis = self.vector(hypothesis, rarity);
                let mut sums = vec![0.0; self.order];
                for reference in references {
                    let reference = self.vector(reference, rarity);
                    self.add_similarity(&hypothesis, &reference, &mut of_reference, &mut sums);
                }
                numpy_mean(&sums) / references.len() as f64 * 10.0
            })
            .collect()
    }

    /// The score of a corpus from those of its images.
    pub fn mean(scores: &[f64]) -> f64 {
        numpy_mean(scores)
    }

    fn vector(&self, counts: &Counts, rarity: &[f64]) -> Vector {
        let mut norms = vec![0.0; self.order];
        let weigh = |(of_order, norm): (&Vec<(u32, u32)>, &mut f64)| {
            let weighed = of_order.iter().map(|&(ngram, count)| {
                let weight = f64::from(count) * rarity[ngram as usize];
                *norm += pow(weight, 2.0);
                (ngram, weight)
            });
            weighed.collect()
        };
        let weights = counts.iter().zip(&mut norms).map(weigh).collect();
        norms.iter_mut().for_each(|norm| *norm = norm.sqrt());
        let bigrams = counts.get(1).map_or(&[][..], Vec::as_slice);
        let length = bigrams.iter().map(|&(_, count)| f64::from(count)).sum();
        Vector { weights, norms, length }
    }

    /// Adds the similarity of two vectors, by order. `of_reference` is all zeros, before and afterwards.
    fn add_similarity(
        &self,
        hypothesis: &Vector,
        reference: &Vector,
        of_reference: &mut [f64],
        sums: &mut [f64],
    ) {
        let delta = hypothesis.length - reference.length;
        let nearness = pow(exp(1.0), -pow(delta, 2.0) / (2.0 * pow(self.sigma, 2.0)));
        let weights = hypothesis.weights.iter().zip(&reference.weights);
        for (n, (sum, (ours, theirs))) in sums.iter_mut().zip(weights).enumerate() {
            for &(ngram, weight) in theirs {
                of_reference[ngram as usize] = weight;
            }
            let mut value = 0.0;
            for &(ngram, weight) in ours {
                let other = of_reference[ngram as usize];
                value += weight.min(other) * other;
            }
            for &(ngram, _) in theirs {
                of_reference[ngram as usize] = 0.0;
            }
            if hypothesis.norms[n] != 0.0 && reference.norms[n] != 0.0 {
                value /= hypothesis.norms[n] * reference.norms[n];
            }
            *sum += value * nearness;
        }
    }
}

impl Definition for Cider {
    type Stats = WholeCorpus;
    type Score = f64;
    type Scratch = Tokens;

    fn needs_spaces(&self, _: &str) -> bool {
        true
    }

    fn weighs_by_corpus(&self) -> bool {
        true
    }

    fn segment(&self, segment: Segment<'_>, tokens: &mut Tokens) -> WholeCorpus {
        WholeCorpus::of_segment(segment, tokens)
    }

    fn finish(&self, stats: &WholeCorpus) -> f64 {
        Self::mean(&self.scores_of_words(&stats.segments()))
    }

    fn value(&self, score: &f64) -> f64 {
        *score
    }

    fn components(&self, _: &f64) -> Components {
        Components::default()
    }

    /// The n-grams that the texts share, and why they count for nothing: a segment is a corpus of one image.
    #[cfg(feature = "evidence")]
    fn evidence(&self, segment: Segment<'_>) -> Option<Evidence> {
        let stats = self.segment(segment, &mut Tokens::default());
        let score = self.finish(&stats);
        let mut vocabulary = Vocabulary::default();
        let images = stats.segments_with(&mut vocabulary);
        let (hypothesis, references) = images.first()?.split_first()?;
        let lists: Vec<&[u32]> = references.iter().map(Vec::as_slice).collect();
        let is_listed =
            lists.iter().chain([&hypothesis.as_slice()]).all(|l| l.len() <= MOST_LISTED);
        let order = |n| {
            let ngrams = Ngram::of_words(n, &vocabulary, hypothesis, &lists, false);
            Order {
                unit: "word",
                n,
                hypothesis: ngrams.iter().map(|ngram| ngram.hypothesis).sum(),
                reference: None,
                matches: ngrams.iter().map(|ngram| ngram.matches).sum(),
                precision: None,
                recall: None,
                smoothed: false,
                ngrams,
            }
        };
        let reason = match score {
            0.0 => "0: CIDEr weighs n-grams over a corpus; score all its images together",
            _ if lists.iter().all(|list| list.is_empty()) => "NaN: no reference has a word",
            _ => "NaN: sigma is too small",
        };
        let weight = "0: an n-gram weighs ln(images / images that have it), for one image ln(1/1)";
        Some(Evidence {
            words: Words::of(&vocabulary, hypothesis, lists.iter().copied()),
            orders: if is_listed { (1..=ORDERS).map(order).collect() } else { Vec::new() },
            steps: vec![Step::new("weight", weight, 0.0), Step::new("score", reason, score)],
            ..Evidence::default()
        })
    }

    fn signature(&self) -> Signature {
        Signature::new("cider:coco").with("sigma", self.sigma)
    }
}

/// The words of each image, hypothesis first, as numbers of a vocabulary.
fn words_of(images: &[Captions<'_>]) -> (Vec<Vec<Vec<u32>>>, Vocabulary) {
    let mut vocabulary = Vocabulary::default();
    let mut read = |text: &str| {
        let mut words = Vec::new();
        whitespace::each_token(text, |word| words.push(vocabulary.intern(word)));
        words
    };
    let texts = |image: &Captions<'_>| {
        let texts = std::iter::once(image.hypothesis).chain(image.references.iter().copied());
        texts.map(&mut read).collect()
    };
    let images = images.iter().map(texts).collect();
    (images, vocabulary)
}

/// ln(images) − ln(images whose references have it), of each n-gram.
fn rarities(counts: &[(Counts, Vec<Counts>)], n_ngrams: usize) -> Vec<f64> {
    let mut n_images = vec![0_u32; n_ngrams];
    let mut last_seen = vec![0_usize; n_ngrams];
    for (idx, (_, references)) in counts.iter().enumerate() {
        for &(ngram, _) in references.iter().flatten().flatten() {
            let seen = &mut last_seen[ngram as usize];
            if *seen != idx + 1 {
                *seen = idx + 1;
                n_images[ngram as usize] += 1;
            }
        }
    }
    let all = ln(counts.len() as f64);
    n_images.iter().map(|&n| all - ln(f64::from(n.max(1)))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn captions<'t>(hypothesis: &'t str, references: &[&'t str]) -> Captions<'t> {
        Captions { hypothesis, references: references.to_vec() }
    }

    #[test]
    fn the_words_of_the_references_are_what_counts() {
        let images = [
            captions("a cat sat on a mat", &["a cat sat on a mat"]),
            captions("a cat sat on a mat", &["the dog barked at me", "a dog"]),
        ];
        let scores = Cider { order: 4, sigma: 6.0 }.scores(&images);
        // Its own reference, word for word; and one word of two that stands in both images.
        assert_eq!(scores, [10.0, 0.0]);
        assert_eq!(Cider::mean(&scores), 5.0);
    }

    #[test]
    fn given_frequencies_are_asked_for_by_words() {
        let images = [captions("a cat sat", &["a cat", "cat sat"])];
        let mut asked = Vec::new();
        let mut of = |words: &[&str]| {
            asked.push(words.join(" "));
            if words == ["a"] { 10.0 } else { 1.0 }
        };
        let mut frequencies = Frequencies { documents: 10.0, of: &mut of };
        let cider = Cider { order: 4, sigma: 6.0 };
        let scores = cider.scores_given(&images, &mut frequencies);
        asked.sort();
        assert_eq!(asked, ["a", "a cat", "a cat sat", "cat", "cat sat", "sat"]);
        assert!(scores[0] > 0.0 && scores[0] < 10.0);
        // The references' own frequencies are those of one image: no word is rare.
        assert_eq!(cider.scores(&images), [0.0]);
        // With the counts of the references, both ways agree.
        let images = [captions("a b", &["a b c"]), captions("a d", &["d a"])];
        let mut of = |words: &[&str]| if words == ["a"] { 2.0 } else { 1.0 };
        let mut frequencies = Frequencies { documents: 2.0, of: &mut of };
        assert_eq!(cider.scores_given(&images, &mut frequencies), cider.scores(&images));
    }

    #[test]
    fn one_image_has_no_rare_words() {
        let scores = Cider { order: 4, sigma: 6.0 }.scores(&[captions("a", &[" "])]);
        assert!(scores.len() == 1 && scores[0].is_nan());
        let scores = Cider { order: 4, sigma: 6.0 }.scores(&[captions("a b", &["a b"])]);
        assert_eq!(scores, [0.0]);
        assert!(Cider { order: 4, sigma: 6.0 }.scores(&[]).is_empty());
    }
}
