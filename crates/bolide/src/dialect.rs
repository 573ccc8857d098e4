//! Named configurations: the only registry of metrics, and the enum over all of them.
//!
//! A new metric is one module, one entry in [`DIALECTS`] and one line in the `metrics!` list. The
//! doors find everything here and never list metrics themselves.

use crate::error::{Error, ErrorKind, Result};
use crate::explanation::Explanation;
use crate::metric::{Metric, Segment, Statistics, Text};
use crate::record::Record;
use crate::report::Report;
use crate::resample::Columns;
use crate::resources::Resources;
use crate::signature::{Key, Keys, Signature};

/// One named configuration and what people should know about it.
#[derive(Clone, Copy, Debug)]
pub struct Dialect {
    /// `family:dialect`, the name that signatures start with.
    pub name: &'static str,
    /// Other names for it; the bare family name marks the family's default.
    pub aliases: &'static [&'static str],
    /// The program and version, or the definition, that it reproduces.
    pub reproduces: &'static str,
    /// One line on what it does.
    pub summary: &'static str,
    /// How its agreement with the original was measured.
    pub agreement: &'static str,
    /// Decimals that tables print unless told otherwise: scores in 0..1 have 4, in 0..100 have 2.
    pub decimals: usize,
    /// Whether a smaller score is better (an error rate).
    pub lower_is_better: bool,
    /// Reads the keys of a partial signature.
    pub(crate) build: fn(&mut Keys, &Resources) -> Result<AnyMetric>,
}

impl Dialect {
    /// The keys that a partial signature of this dialect may have when all others are left at
    /// their defaults. It is found by building one, so it cannot fall behind the code. Without a
    /// table that the defaults need, the keys that were asked for before it was missed.
    pub fn keys(&self, resources: &Resources) -> Result<Vec<Key>> {
        let mut keys = Keys::parse(self.name)?;
        match (self.build)(&mut keys, resources) {
            Err(problem)
                if !matches!(problem.kind(), ErrorKind::Unavailable | ErrorKind::InvalidTable) =>
            {
                Err(problem)
            }
            _ => Ok(keys.asked().to_vec()),
        }
    }
}

/// All dialects, in the order they are listed to people.
pub const DIALECTS: &[Dialect] = &[
    crate::meteor::CLASSIC,
    crate::meteor::TEXTBOOK,
    crate::meteor::NLTK,
    crate::meteor::HF,
    crate::meteor::NLTK_362,
    crate::meteor15::JAR,
    crate::meteor15::NO_PARAPHRASES,
    #[cfg(feature = "meteor15-optimal")]
    crate::meteor15::OPTIMAL,
    crate::bleu::sacrebleu::SACREBLEU,
    crate::bleu::nltk::NLTK,
    crate::bleu::hf::HF,
    crate::bleu::unigram::UNIGRAM,
    crate::bleu::coco::COCO,
    crate::chrf::CHRF,
    crate::chrf::CHRF_PLUS_PLUS,
    crate::ter::TER,
    crate::rouge::ROUGE1,
    crate::rouge::ROUGE2,
    crate::rouge::ROUGE_L,
    crate::rouge::ROUGE_LSUM,
    crate::rouge::ROUGE_N,
    crate::rouge::coco::COCO,
    crate::gleu::NLTK,
    crate::gleu::HF,
    crate::nist::NLTK,
    crate::chrf_nltk::NLTK,
    crate::ribes::NLTK,
];

macro_rules! metrics {
    ($($(#[$doc:meta])* $variant:ident: $metric:ty,)*) => {
        /// Any metric that a name can build.
        #[derive(Clone, Debug)]
        #[non_exhaustive]
        pub enum AnyMetric { $($(#[$doc])* $variant($metric),)* }

        /// Statistics of any metric. Those of different metrics do not merge.
        #[derive(Clone, Debug)]
        #[non_exhaustive]
        pub enum AnyStats { $($(#[$doc])* $variant(<$metric as Metric>::Stats),)* }

        // Boxed: the buffers of some metrics are many, and a scorer is moved about.
        enum AnyScratch { $($variant(Box<<$metric as Metric>::Scratch>),)* }

        impl AnyMetric {
            /// The statistics of an empty corpus.
            pub fn empty(&self) -> AnyStats {
                match self { $(AnyMetric::$variant(_) => AnyStats::$variant(Default::default()),)* }
            }

            /// The buffers of a worker, for callers that keep them apart from the metric.
            pub fn scratch(&self) -> Scratch {
                Scratch(match self {
                    $(AnyMetric::$variant(_) => AnyScratch::$variant(Default::default()),)*
                })
            }

            /// Reads one segment. Buffers that another kind of metric made are replaced.
            pub fn segment(&self, segment: Segment<'_>, scratch: &mut Scratch) -> AnyStats {
                match (self, &mut scratch.0) {
                    $((AnyMetric::$variant(metric), AnyScratch::$variant(scratch)) =>
                        AnyStats::$variant(metric.segment(segment, scratch)),)*
                    #[allow(unreachable_patterns)]
                    _ => {
                        *scratch = self.scratch();
                        self.segment(segment, scratch)
                    }
                }
            }

            /// Reads one segment and adds it to a sum: the same as merging what
            /// [`segment`](Self::segment) returns, without moving it about.
            pub fn add(&self, segment: Segment<'_>, scratch: &mut Scratch, total: &mut AnyStats) {
                match (self, &mut scratch.0, &mut *total) {
                    $((
                        AnyMetric::$variant(metric),
                        AnyScratch::$variant(scratch),
                        AnyStats::$variant(total),
                    ) => total.merge(&metric.segment(segment, scratch)),)*
                    #[allow(unreachable_patterns)]
                    _ => total.merge(&self.segment(segment, scratch)),
                }
            }

            /// Reads one segment and gives its score alone: the same as
            /// [`segment_score`](Self::segment_score) of what [`segment`](Self::segment) returns,
            /// without moving that about.
            pub fn score(&self, segment: Segment<'_>, scratch: &mut Scratch) -> f64 {
                match (self, &mut scratch.0) {
                    $((AnyMetric::$variant(metric), AnyScratch::$variant(scratch)) =>
                        Metric::score(metric, segment, scratch),)*
                    #[allow(unreachable_patterns)]
                    _ => self.segment_score(&self.segment(segment, scratch)),
                }
            }

            /// Whether a text is split at white space and nowhere else: whoever has the parts may then
            /// give these or the text, for the same score.
            pub fn splits_at_spaces(&self) -> bool {
                match self {
                    $(AnyMetric::$variant(metric) => metric.splits_at_spaces(),)*
                }
            }

            /// The score of a corpus.
            pub fn finish(&self, stats: &AnyStats) -> Report {
                match (self, stats) {
                    $((AnyMetric::$variant(metric), AnyStats::$variant(stats)) =>
                        metric.report(&metric.finish(stats)),)*
                    #[allow(unreachable_patterns)]
                    _ => Report::new(f64::NAN),
                }
            }

            /// The score of a single segment.
            pub fn finish_segment(&self, stats: &AnyStats) -> Report {
                match (self, stats) {
                    $((AnyMetric::$variant(metric), AnyStats::$variant(stats)) =>
                        metric.report(&metric.finish_segment(stats)),)*
                    #[allow(unreachable_patterns)]
                    _ => Report::new(f64::NAN),
                }
            }

            /// The flat form of the statistics in which the metric's own program resamples.
            pub fn columns(&self) -> Option<Columns> {
                match self { $(AnyMetric::$variant(metric) => metric.columns(),)* }
            }

            /// Writes statistics as a row of numbers. Those of another metric leave it as it is.
            pub fn write_row(&self, stats: &AnyStats, row: &mut [f64]) {
                match (self, stats) {
                    $((AnyMetric::$variant(metric), AnyStats::$variant(stats)) =>
                        metric.write_row(stats, row),)*
                    #[allow(unreachable_patterns)]
                    _ => debug_assert!(false, "statistics of another metric were written"),
                }
            }

            /// Reads a row, or a sum of rows, back.
            pub fn read_row(&self, row: &[f64]) -> AnyStats {
                match self {
                    $(AnyMetric::$variant(metric) => AnyStats::$variant(metric.read_row(row)),)*
                }
            }

            /// The score of a sum of rows of 32-bit floats.
            pub fn score_row(&self, row: &[f32]) -> f64 {
                match self { $(AnyMetric::$variant(metric) => metric.score_row(row),)* }
            }

            /// The score of a single segment without its components.
            pub fn segment_score(&self, stats: &AnyStats) -> f64 {
                match (self, stats) {
                    $((AnyMetric::$variant(metric), AnyStats::$variant(stats)) =>
                        metric.value(&metric.finish_segment(stats)),)*
                    #[allow(unreachable_patterns)]
                    _ => f64::NAN,
                }
            }

            /// Reads statistics that [`AnyStats::to_words`] wrote for the same metric; `None` if the
            /// words are something else.
            pub fn stats_from_words(&self, mut words: &[u64]) -> Option<AnyStats> {
                let stats = match self {
                    $(AnyMetric::$variant(_) =>
                        AnyStats::$variant(Record::read(&mut words)?),)*
                };
                words.is_empty().then_some(stats)
            }

            /// Reads [`AnyStats::to_counts`] or a sum of such; `None` if they are something else.
            pub fn stats_from_counts(&self, mut counts: &[i64]) -> Option<AnyStats> {
                let stats = match self {
                    $(AnyMetric::$variant(_) =>
                        AnyStats::$variant(Record::read_counts(&mut counts)?),)*
                };
                counts.is_empty().then_some(stats)
            }

            /// The full name.
            pub fn signature(&self) -> Signature {
                match self { $(AnyMetric::$variant(metric) => metric.signature(),)* }
            }
        }

        impl AnyStats {
            /// The statistics as plain words, for another process or for later.
            pub fn to_words(&self) -> Vec<u64> {
                let mut words = Vec::new();
                match self { $(AnyStats::$variant(stats) => stats.write(&mut words),)* }
                words
            }

            /// Integers that add up as the statistics merge, for engines that only know sums: always
            /// as many for one metric. `None` if the statistics are more than sums.
            pub fn to_counts(&self) -> Option<Vec<i64>> {
                let mut counts = Vec::new();
                match self { $(AnyStats::$variant(stats) => stats.write_counts(&mut counts)?,)* }
                Some(counts)
            }

            /// Adds the statistics of the segments that follow. Statistics of another metric are
            /// a mistake of the caller and are left out.
            pub fn merge(&mut self, other: &AnyStats) {
                match (self, other) {
                    $((AnyStats::$variant(stats), AnyStats::$variant(other)) => stats.merge(other),)*
                    #[allow(unreachable_patterns)]
                    _ => debug_assert!(false, "statistics of two different metrics were merged"),
                }
            }
        }

        impl Scorer<'_> {
            /// Scores every text against every other, and itself: `each` gets the hypothesis, the
            /// reference and the score.
            pub fn pairwise(
                &mut self,
                texts: &[Text<'_>],
                each: &mut dyn FnMut(usize, usize, f64),
            ) {
                match (self.metric, &mut self.scratch.0) {
                    $((AnyMetric::$variant(metric), AnyScratch::$variant(scratch)) =>
                        metric.pairwise(texts, scratch, each),)*
                    // The scratch was made from the metric, so the variants are equal.
                    #[allow(unreachable_patterns)]
                    _ => {}
                }
            }
        }
    };
}

metrics! {
    /// METEOR: textbook, classic, nltk, hf.
    Meteor: crate::meteor::Meteor,
    /// METEOR 1.5, the jar's and the optimal one.
    Meteor15: crate::meteor15::Meteor15,
    /// BLEU as sacreBLEU computes it.
    SacreBleu: crate::bleu::sacrebleu::SacreBleu,
    /// BLEU as NLTK has it.
    BleuNltk: crate::bleu::nltk::Nltk,
    /// BLEU as Hugging Face has it.
    BleuHf: crate::bleu::hf::Hf,
    /// BLEU as courses define it.
    BleuUnigram: crate::bleu::unigram::Unigram,
    /// BLEU as the COCO caption tools compute it.
    BleuCoco: crate::bleu::coco::Coco,
    /// GLEU as NLTK and Hugging Face compute it.
    Gleu: crate::gleu::Gleu,
    /// NIST as NLTK computes it.
    Nist: crate::nist::Nist,
    /// chrF as NLTK computes it.
    ChrfNltk: crate::chrf_nltk::ChrfNltk,
    /// RIBES as NLTK computes it.
    Ribes: crate::ribes::Ribes,
    /// chrF, chrF+ and chrF++.
    Chrf: crate::chrf::Chrf,
    /// Translation edit rate.
    Ter: crate::ter::Ter,
    /// ROUGE-N, ROUGE-L and ROUGE-Lsum.
    Rouge: crate::rouge::Rouge,
    /// ROUGE-L as the COCO caption tools compute it.
    RougeCoco: crate::rouge::coco::Coco,
}

/// The buffers of one worker. They make scoring quick and never move a number.
pub struct Scratch(AnyScratch);

/// A metric with the buffers of one worker. Threads each make their own.
pub struct Scorer<'a> {
    metric: &'a AnyMetric,
    scratch: Scratch,
}

impl Scorer<'_> {
    /// Reads one segment.
    pub fn segment(&mut self, segment: Segment<'_>) -> AnyStats {
        self.metric.segment(segment, &mut self.scratch)
    }

    /// Reads one segment and adds it to a sum of the same metric.
    pub fn add(&mut self, segment: Segment<'_>, total: &mut AnyStats) {
        self.metric.add(segment, &mut self.scratch, total);
    }
}

impl AnyMetric {
    /// A worker that scores segments one after the other with its own buffers.
    pub fn scorer(&self) -> Scorer<'_> {
        Scorer { metric: self, scratch: self.scratch() }
    }

    /// Whether a corpus may be summed up in parts. TER's peer adds fractions, the mean lengths of
    /// three references and more, one segment after the other; every other sum is the same for any
    /// parts that are merged in order.
    pub fn sums_in_parts(&self) -> bool {
        !matches!(self, AnyMetric::Ter(_))
    }

    /// Builds the metric of a partial signature with the embedded tables.
    #[cfg(feature = "embedded")]
    pub fn parse(text: &str) -> Result<Self> {
        Self::build(text, &Resources::embedded())
    }

    /// Builds the metric of a partial signature with the tables of the caller.
    pub fn build(text: &str, resources: &Resources) -> Result<Self> {
        let mut keys = Keys::parse(text)?;
        let dialect = find(keys.name())?;
        let metric = (dialect.build)(&mut keys, resources)?;
        keys.finish()?;
        Ok(metric)
    }

    /// The alignment and every step of the formula, for the metrics that have an alignment.
    pub fn explain(&self, segment: Segment<'_>) -> Option<Explanation> {
        #[allow(unreachable_patterns)]
        match self {
            AnyMetric::Meteor(metric) => Some(metric.explain(segment)),
            AnyMetric::Meteor15(metric) => Some(metric.explain(segment)),
            _ => None,
        }
    }

    /// The registry entry of this metric.
    pub fn dialect(&self) -> &'static Dialect {
        let signature = self.signature();
        find(signature.name()).unwrap_or(&DIALECTS[0])
    }
}

/// The dialect of a name or alias. The error lists close names.
pub fn find(name: &str) -> Result<&'static Dialect> {
    let known = |dialect: &&Dialect| dialect.name == name || dialect.aliases.contains(&name);
    DIALECTS.iter().find(known).ok_or_else(|| unknown(name))
}

fn unknown(name: &str) -> Error {
    let mut close: Vec<(usize, &str)> = DIALECTS
        .iter()
        .flat_map(|dialect| std::iter::once(dialect.name).chain(dialect.aliases.iter().copied()))
        .map(|known| (edit_distance(name, known), known))
        .filter(|&(distance, known)| distance <= 3 || known.starts_with(name))
        .collect();
    let mut names: Vec<&str> = Vec::new();
    while names.len() < 5
        && let Some(nearest) = close.iter().copied().min()
    {
        names.push(nearest.1);
        close.retain(|&other| other != nearest);
    }
    let lead = if names.is_empty() { "the metrics are" } else { "did you mean" };
    if names.is_empty() {
        names.extend(DIALECTS.iter().map(|dialect| dialect.name));
    }
    Error::new(
        ErrorKind::UnknownDialect,
        format!("there is no metric '{name}': {lead} {}", names.join(", ")),
    )
}

/// Levenshtein distance in characters. Names are short, so the plain table will do.
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let substitute = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = substitute.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(feature = "embedded")]
    use crate::signature::Expects;

    #[test]
    fn names_and_aliases_are_unique() {
        let mut names: Vec<&str> = DIALECTS
            .iter()
            .flat_map(|d| std::iter::once(d.name).chain(d.aliases.iter().copied()))
            .collect();
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn a_misspelt_name_gets_close_ones() {
        let error = find("meteor:textbok").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::UnknownDialect);
        assert!(error.to_string().contains("did you mean meteor:textbook"), "{error}");
    }

    /// The embedded tables and a small one of those that users bring.
    #[cfg(feature = "embedded")]
    fn resources() -> Resources {
        use crate::meteor15::{Language, paraphrase};
        let mut compiler = paraphrase::Compiler::new();
        compiler.add("large", "big");
        let table = paraphrase::Table::from_bytes(compiler.finish("en", [1; 32]).unwrap());
        Resources::embedded().with_paraphrases(Language::English, table.unwrap())
    }

    #[test]
    fn a_missing_table_does_not_hide_the_keys() {
        let keys = find("meteor").unwrap().keys(&Resources::none()).unwrap();
        assert_eq!(keys.first().map(|key| key.name), Some("match"));
    }

    #[cfg(feature = "embedded")]
    #[test]
    fn every_word_that_a_key_offers_is_accepted() {
        let resources = resources();
        let mut n_words = 0;
        for dialect in DIALECTS {
            for key in dialect.keys(&resources).unwrap() {
                let Expects::Word(words) = key.expects else { continue };
                for word in words {
                    let text = format!("{}|{}:{word}", dialect.name, key.name);
                    assert!(AnyMetric::build(&text, &resources).is_ok(), "{text}");
                    n_words += 1;
                }
            }
        }
        assert!(n_words > 2);
    }

    #[cfg(feature = "embedded")]
    #[test]
    fn every_dialect_prints_a_signature_that_parses_back_to_itself() {
        let resources = resources();
        for dialect in DIALECTS {
            let metric = AnyMetric::build(dialect.name, &resources).unwrap();
            let signature = metric.signature().to_string();
            let again = AnyMetric::build(&signature, &resources).unwrap();
            assert_eq!(again.signature().to_string(), signature);
            assert_eq!(again.dialect().name, dialect.name);
        }
    }

    #[cfg(feature = "embedded")]
    #[test]
    fn statistics_of_every_dialect_survive_as_words() {
        let references = [Text::Raw("the cat sat on a mat"), Text::Raw("a cat was there")];
        let segment = Segment::new(Text::Raw("the cats sat on the mat"), &references).unwrap();
        for dialect in DIALECTS {
            let Ok(metric) = AnyMetric::parse(dialect.name) else { continue };
            let mut stats = metric.scorer().segment(segment);
            stats.merge(&stats.clone());
            let words = stats.to_words();
            let again = metric.stats_from_words(&words).unwrap();
            assert_eq!(format!("{again:?}"), format!("{stats:?}"), "{}", dialect.name);
            let cut = &words[..words.len() - 1];
            assert!(metric.stats_from_words(cut).is_none(), "{}", dialect.name);
        }
    }

    #[cfg(feature = "embedded")]
    #[test]
    fn sums_of_counts_are_the_counts_of_the_corpus() {
        let pairs = [
            ("the cats sat on the mat", "a cat was there"),
            ("a dog", "the dog barked at the cat"),
            ("", "nothing here"),
            ("nothing here", "nothing here"),
        ];
        let mut with_counts = Vec::new();
        for dialect in DIALECTS {
            let Ok(metric) = AnyMetric::parse(dialect.name) else { continue };
            let mut scorer = metric.scorer();
            let mut corpus = metric.empty();
            let mut sums = metric.empty().to_counts();
            for (hypothesis, reference) in pairs {
                let references = [Text::Raw(reference)];
                let segment = Segment::new(Text::Raw(hypothesis), &references).unwrap();
                let stats = scorer.segment(segment);
                corpus.merge(&stats);
                sums = sums.zip(stats.to_counts()).map(|(mut sums, counts)| {
                    assert_eq!(sums.len(), counts.len(), "{}", dialect.name);
                    sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
                    sums
                });
            }
            let Some(sums) = sums else { continue };
            let again = metric.stats_from_counts(&sums).unwrap();
            assert_eq!(again.to_words(), corpus.to_words(), "{}", dialect.name);
            assert!(metric.stats_from_counts(&sums[1..]).is_none(), "{}", dialect.name);
            with_counts.push(dialect.name);
        }
        let expected = [
            "meteor:classic",
            "meteor:nltk",
            "meteor:1.5-nopara",
            "bleu:sacrebleu",
            "bleu:hf",
            "chrf:sacrebleu",
            "ter:sacrebleu",
            "gleu:nltk",
        ];
        for name in expected {
            assert!(with_counts.contains(&name), "{name} has no counts: {with_counts:?}");
        }
    }
}
