//! The only registry of metrics, and the enums over all of them.
//!
//! A new metric is one module and one line in the `metrics!` list below: its type and the dialects that
//! configure it. [`crate::dialect`] defines dialects.

use crate::definition::{Columns, Definition, Mergeable, Rows, sealed::Sealed};
use crate::dialect::Dialect;
use crate::error::Result;
#[cfg(feature = "evidence")]
use crate::evidence::Evidence;
use crate::explanation::Explanation;
use crate::language::Language;
use crate::metric::Metric;
use crate::record::Record;
use crate::resources::Resources;
use crate::score::Components;
use crate::segment::{Segment, Text};
use crate::signature::Signature;
use crate::token_batch::{Numbers, WordReader};

macro_rules! metrics {
    ($($(#[doc = $doc:literal])* $variant:ident: $metric:ty
        = [$($(#[$condition:meta])* $dialect:path),* $(,)?],)*) => {
        /// All dialects, in the order they are listed to people.
        ///
        /// ```
        /// assert_eq!(bolide::DIALECTS[0].name, "meteor:classic");
        /// ```
        pub const DIALECTS: &[Dialect] = &[$($($(#[$condition])* $dialect,)*)*];

        /// A configured metric of any kind.
        #[derive(Clone, Debug)]
        #[non_exhaustive]
        pub enum AnyMetric { $($(#[doc = $doc])* $variant($metric),)* }

        /// Statistics of any kind of metric.
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum AnyStats { $($(#[doc = $doc])* $variant(<$metric as Definition>::Stats),)* }

        // Boxed, because the buffers of some metrics are large and scorers are moved.
        enum Buffers { $($variant(Box<<$metric as Definition>::Scratch>),)* }

        $(impl Sealed for $metric {})*

        impl AnyMetric {
            /// The statistics of an empty corpus.
            pub fn empty(&self) -> AnyStats {
                match self { $(AnyMetric::$variant(_) => AnyStats::$variant(Default::default()),)* }
            }

            /// The buffers of a worker.
            pub fn scratch(&self) -> Scratch {
                Scratch(match self {
                    $(AnyMetric::$variant(_) => Buffers::$variant(Default::default()),)*
                })
            }

            /// Computes the statistics of one segment. Buffers of another kind of metric are replaced.
            pub fn segment(&self, segment: Segment<'_>, scratch: &mut Scratch) -> AnyStats {
                match (self, &mut scratch.0) {
                    $((AnyMetric::$variant(metric), Buffers::$variant(scratch)) =>
                        AnyStats::$variant(metric.segment(segment, scratch)),)*
                    #[allow(unreachable_patterns)]
                    _ => {
                        *scratch = self.scratch();
                        self.segment(segment, scratch)
                    }
                }
            }

            /// Adds the statistics of one segment to a sum: the same as merging the result of
            /// [`segment`](Self::segment), without copying it. Returns `false`, and leaves the sum unchanged,
            /// if it belongs to another kind of metric.
            pub fn add(
                &self,
                segment: Segment<'_>,
                scratch: &mut Scratch,
                total: &mut AnyStats,
            ) -> bool {
                match (self, &mut scratch.0, &mut *total) {
                    $((
                        AnyMetric::$variant(metric),
                        Buffers::$variant(scratch),
                        AnyStats::$variant(total),
                    ) => {
                        total.merge(&metric.segment(segment, scratch));
                        true
                    })*
                    #[allow(unreachable_patterns)]
                    _ => total.merge(&self.segment(segment, scratch)),
                }
            }

            /// The score of one segment: the same as [`value_of_segment`](Self::value_of_segment) of
            /// [`segment`](Self::segment), without copying the statistics.
            pub fn segment_value(&self, segment: Segment<'_>, scratch: &mut Scratch) -> f64 {
                match (self, &mut scratch.0) {
                    $((AnyMetric::$variant(metric), Buffers::$variant(scratch)) =>
                        metric.segment_value(segment, scratch),)*
                    #[allow(unreachable_patterns)]
                    _ => {
                        *scratch = self.scratch();
                        self.segment_value(segment, scratch)
                    }
                }
            }

            /// The score of one segment with its components.
            pub fn segment_score(
                &self,
                segment: Segment<'_>,
                scratch: &mut Scratch,
            ) -> (f64, Components) {
                match (self, &mut scratch.0) {
                    $((AnyMetric::$variant(metric), Buffers::$variant(scratch)) => {
                        let score = metric.finish_segment(&metric.segment(segment, scratch));
                        (metric.value(&score), metric.components(&score))
                    })*
                    #[allow(unreachable_patterns)]
                    _ => {
                        *scratch = self.scratch();
                        self.segment_score(segment, scratch)
                    }
                }
            }

            /// Prepares to number words; `None` if the metric needs more than that, or if the buffers are
            /// those of another kind of metric.
            pub fn word_reader<'s>(&self, scratch: &'s mut Scratch) -> Option<WordReader<'s>> {
                match (self, &mut scratch.0) {
                    $((AnyMetric::$variant(metric), Buffers::$variant(scratch)) =>
                        metric.word_reader(scratch),)*
                    #[allow(unreachable_patterns)]
                    _ => None,
                }
            }

            /// The statistics of a segment whose words were numbered with the same buffers.
            pub fn segment_of_numbers(
                &self,
                numbers: Numbers<'_>,
                scratch: &mut Scratch,
            ) -> AnyStats {
                match (self, &mut scratch.0) {
                    $((AnyMetric::$variant(metric), Buffers::$variant(scratch)) =>
                        AnyStats::$variant(metric.segment_of_numbers(numbers, scratch)),)*
                    #[allow(unreachable_patterns)]
                    _ => self.empty(),
                }
            }

            /// The score of a segment whose words were numbered with the same buffers.
            pub fn value_of_numbers(&self, numbers: Numbers<'_>, scratch: &mut Scratch) -> f64 {
                match (self, &mut scratch.0) {
                    $((AnyMetric::$variant(metric), Buffers::$variant(scratch)) =>
                        metric.value_of_numbers(numbers, scratch),)*
                    #[allow(unreachable_patterns)]
                    _ => 0.0,
                }
            }

            /// Scores every text against every text, itself included: `each` gets the hypothesis, the
            /// reference and the score.
            pub fn pairwise(
                &self,
                texts: &[Text<'_>],
                scratch: &mut Scratch,
                each: &mut dyn FnMut(usize, usize, f64),
            ) {
                match (self, &mut scratch.0) {
                    $((AnyMetric::$variant(metric), Buffers::$variant(scratch)) =>
                        metric.pairwise(texts, scratch, each),)*
                    #[allow(unreachable_patterns)]
                    _ => {
                        *scratch = self.scratch();
                        self.pairwise(texts, scratch, each);
                    }
                }
            }

            /// The score of a corpus; `None` if the statistics belong to another kind of metric.
            pub fn finish(&self, stats: &AnyStats) -> Option<(f64, Components)> {
                match (self, stats) {
                    $((AnyMetric::$variant(metric), AnyStats::$variant(stats)) => {
                        let score = metric.finish(stats);
                        Some((metric.value(&score), metric.components(&score)))
                    })*
                    #[allow(unreachable_patterns)]
                    _ => None,
                }
            }

            /// The score of a single segment; `None` if the statistics belong to another kind of metric.
            pub fn finish_segment(&self, stats: &AnyStats) -> Option<(f64, Components)> {
                match (self, stats) {
                    $((AnyMetric::$variant(metric), AnyStats::$variant(stats)) => {
                        let score = metric.finish_segment(stats);
                        Some((metric.value(&score), metric.components(&score)))
                    })*
                    #[allow(unreachable_patterns)]
                    _ => None,
                }
            }

            /// The value that [`finish`](Self::finish) returns.
            pub fn value_of_corpus(&self, stats: &AnyStats) -> Option<f64> {
                match (self, stats) {
                    $((AnyMetric::$variant(metric), AnyStats::$variant(stats)) =>
                        Some(metric.value(&metric.finish(stats))),)*
                    #[allow(unreachable_patterns)]
                    _ => None,
                }
            }

            /// The value that [`finish_segment`](Self::finish_segment) returns.
            pub fn value_of_segment(&self, stats: &AnyStats) -> Option<f64> {
                match (self, stats) {
                    $((AnyMetric::$variant(metric), AnyStats::$variant(stats)) =>
                        Some(metric.value(&metric.finish_segment(stats))),)*
                    #[allow(unreachable_patterns)]
                    _ => None,
                }
            }

            /// The statistics of a segment with one reference, from those of a configuration that differs in the
            /// formula only; `None` if they belong to another kind of metric.
            pub fn rescored(&self, stats: &AnyStats) -> Option<AnyStats> {
                match (self, stats) {
                    $((AnyMetric::$variant(metric), AnyStats::$variant(stats)) =>
                        Some(AnyStats::$variant(metric.rescored(stats))),)*
                    #[allow(unreachable_patterns)]
                    _ => None,
                }
            }

            /// Reads statistics that [`AnyStats::to_record`] wrote for the same kind of metric; `None` if the
            /// numbers are not such a record.
            pub fn stats_from_record(&self, mut record: &[u64]) -> Option<AnyStats> {
                let stats = match self {
                    $(AnyMetric::$variant(_) =>
                        AnyStats::$variant(Record::read(&mut record)?),)*
                };
                record.is_empty().then_some(stats)
            }

            /// Reads [`AnyStats::to_counts`] or a sum of such counts; `None` if they are something else.
            pub fn stats_from_counts(&self, mut counts: &[i64]) -> Option<AnyStats> {
                let stats = match self {
                    $(AnyMetric::$variant(_) =>
                        AnyStats::$variant(Record::read_counts(&mut counts)?),)*
                };
                counts.is_empty().then_some(stats)
            }

            /// Whether the tokenizer splits only at white space.
            pub fn splits_at_spaces(&self) -> bool {
                match self { $(AnyMetric::$variant(metric) => metric.splits_at_spaces(),)* }
            }

            /// Whether a text without spaces, in a language that has none, is one word.
            pub fn needs_spaces(&self, language: &str) -> bool {
                match self { $(AnyMetric::$variant(metric) => metric.needs_spaces(language),)* }
            }

            /// Whether words are of the letters a to z and digits only.
            pub fn keeps_ascii_only(&self) -> bool {
                match self { $(AnyMetric::$variant(metric) => metric.keeps_ascii_only(),)* }
            }

            /// Whether a segment alone has the score 0.
            pub fn weighs_by_corpus(&self) -> bool {
                match self { $(AnyMetric::$variant(metric) => metric.weighs_by_corpus(),)* }
            }

            /// The language that texts are taken to be in.
            pub fn language(&self) -> Option<&'static Language> {
                match self { $(AnyMetric::$variant(metric) => metric.language(),)* }
            }

            /// Its name as people write it, if that says more than the title of the family.
            pub fn title(&self) -> Option<String> {
                match self { $(AnyMetric::$variant(metric) => metric.title(),)* }
            }

            /// Whether the dialect's declared range holds for these parameters.
            pub fn keeps_range(&self) -> bool {
                match self { $(AnyMetric::$variant(metric) => metric.keeps_range(),)* }
            }

            /// The alignment and every step of the formula, for the metrics that have an alignment.
            pub fn explain(&self, segment: Segment<'_>) -> Option<Explanation> {
                match self { $(AnyMetric::$variant(metric) => Definition::explain(metric, segment),)* }
            }

            /// What the score of a segment is counted from, for the metrics that can show it.
            #[cfg(feature = "evidence")]
            pub fn evidence(&self, segment: Segment<'_>) -> Option<Evidence> {
                match self { $(AnyMetric::$variant(metric) => metric.evidence(segment),)* }
            }

            /// The full name.
            pub fn signature(&self) -> Signature {
                match self { $(AnyMetric::$variant(metric) => metric.signature(),)* }
            }

            /// The rows in which the metric's own program resamples, if it does.
            pub fn rows(&self) -> Option<Box<dyn AnyRows + '_>> {
                match self {
                    $(AnyMetric::$variant(metric) => {
                        fn stats(any: &AnyStats) -> Option<&<$metric as Definition>::Stats> {
                            match any {
                                AnyStats::$variant(stats) => Some(stats),
                                #[allow(unreachable_patterns)]
                                _ => None,
                            }
                        }
                        let rows = metric.rows()?;
                        Some(Box::new(RowsOf { metric, rows, stats }))
                    })*
                }
            }
        }

        impl AnyStats {
            /// The statistics as 64-bit numbers, for storage or another process.
            pub fn to_record(&self) -> Vec<u64> {
                let mut record = Vec::new();
                match self { $(AnyStats::$variant(stats) => stats.write(&mut record),)* }
                record
            }

            /// Integers that add up as the statistics merge, for engines that can only add. Their number is
            /// fixed for a metric. `None` if the statistics are not sums.
            pub fn to_counts(&self) -> Option<Vec<i64>> {
                let mut counts = Vec::new();
                match self { $(AnyStats::$variant(stats) => stats.write_counts(&mut counts)?,)* }
                Some(counts)
            }

            /// Adds the statistics of the segments that follow. Returns `false`, and adds nothing, if they
            /// belong to another kind of metric.
            pub fn merge(&mut self, other: &AnyStats) -> bool {
                match (self, other) {
                    $((AnyStats::$variant(stats), AnyStats::$variant(other)) => {
                        stats.merge(other);
                        true
                    })*
                    #[allow(unreachable_patterns)]
                    _ => false,
                }
            }
        }
    };
}

metrics! {
    /// METEOR with one alignment of single words.
    Meteor: crate::meteor::Meteor = [
        crate::meteor::CLASSIC, crate::meteor::TEXTBOOK, crate::meteor::NLTK, crate::meteor::HF,
        crate::meteor::NLTK_362,
    ],
    /// METEOR of 2026.
    Meteor2026: crate::meteor2026::Meteor2026 = [crate::meteor2026::DIALECT],
    /// METEOR 1.5, the jar's and the optimal one.
    Meteor15: crate::meteor15::Meteor15 = [
        crate::meteor15::JAR, crate::meteor15::NO_PARAPHRASES,
        #[cfg(feature = "meteor15-optimal")] crate::meteor15::OPTIMAL,
    ],
    /// BLEU as sacreBLEU computes it.
    SacreBleu: crate::bleu::sacrebleu::SacreBleu = [crate::bleu::sacrebleu::SACREBLEU],
    /// BLEU as NLTK computes it.
    BleuNltk: crate::bleu::nltk::Nltk = [crate::bleu::nltk::NLTK],
    /// BLEU as Hugging Face computes it.
    BleuHf: crate::bleu::hf::Hf = [crate::bleu::hf::HF],
    /// BLEU as courses define it.
    BleuUnigram: crate::bleu::unigram::Unigram = [crate::bleu::unigram::UNIGRAM],
    /// BLEU as the COCO caption tools compute it.
    BleuCoco: crate::bleu::coco::Coco = [crate::bleu::coco::COCO],
    /// chrF, chrF+ and chrF++.
    Chrf: crate::chrf::Chrf = [crate::chrf::CHRF, crate::chrf::CHRF_PLUS_PLUS],
    /// Translation edit rate.
    Ter: crate::ter::Ter = [crate::ter::TER],
    /// ROUGE-N, ROUGE-L and ROUGE-Lsum.
    Rouge: crate::rouge::Rouge = [
        crate::rouge::ROUGE1, crate::rouge::ROUGE2, crate::rouge::ROUGE_L, crate::rouge::ROUGE_LSUM,
        crate::rouge::ROUGE_N,
    ],
    /// ROUGE-L as the COCO caption tools compute it.
    RougeCoco: crate::rouge::coco::Coco = [crate::rouge::coco::COCO],
    /// CIDEr as the COCO caption tools compute it.
    Cider: crate::cider::Cider = [crate::cider::COCO],
    /// GLEU as NLTK and Hugging Face compute it.
    Gleu: crate::gleu::Gleu = [crate::gleu::NLTK, crate::gleu::HF],
    /// NIST as NLTK computes it.
    Nist: crate::nist::Nist = [crate::nist::NLTK],
    /// chrF as NLTK computes it.
    ChrfNltk: crate::chrf_nltk::ChrfNltk = [crate::chrf_nltk::NLTK],
    /// RIBES as NLTK computes it.
    Ribes: crate::ribes::Ribes = [crate::ribes::NLTK],
}

impl AnyMetric {
    /// The configuration that a partial signature names.
    pub fn build(name: &str, resources: &Resources) -> Result<Self> {
        Metric::build(name, resources).map(|metric| metric.any().clone())
    }
}

/// The buffers of one worker. They save time and never change a number.
pub struct Scratch(Buffers);

/// [`Rows`](crate::definition::Rows) of any kind of metric.
pub trait AnyRows: Send + Sync {
    /// How wide a row is.
    fn columns(&self) -> Columns;

    /// Writes statistics of this metric as a row.
    fn write_row(&self, stats: &AnyStats, row: &mut [f64]);

    /// The score of a sum of rows.
    fn finish_row(&self, row: &[f64]) -> f64;

    /// What that score is made of.
    fn components(&self, row: &[f64]) -> Components;

    /// The score of a sum of rows as the metric's own program computes it from 32-bit floats.
    fn score_row(&self, row: &[f32]) -> f64;

    /// Whether that program computes this score in 32 bits throughout.
    fn is_single(&self, row: &[f32], score: f64) -> bool;
}

struct RowsOf<'a, D: Definition> {
    metric: &'a D,
    rows: &'a dyn Rows<Stats = D::Stats>,
    /// The statistics, if they belong to this kind of metric; callers ensure that they do.
    stats: fn(&AnyStats) -> Option<&D::Stats>,
}

impl<D: Definition> AnyRows for RowsOf<'_, D> {
    fn columns(&self) -> Columns {
        self.rows.columns()
    }

    fn write_row(&self, stats: &AnyStats, row: &mut [f64]) {
        if let Some(stats) = (self.stats)(stats) {
            self.rows.write_row(stats, row);
        }
    }

    fn finish_row(&self, row: &[f64]) -> f64 {
        self.metric.value(&self.metric.finish(&self.rows.read_row(row)))
    }

    fn components(&self, row: &[f64]) -> Components {
        self.metric.components(&self.metric.finish(&self.rows.read_row(row)))
    }

    fn score_row(&self, row: &[f32]) -> f64 {
        self.rows.score_row(row)
    }

    fn is_single(&self, row: &[f32], score: f64) -> bool {
        self.rows.is_single(row, score)
    }
}

#[cfg(all(test, feature = "embedded"))]
mod tests {
    use super::*;
    use crate::signature::Expects;

    /// The embedded tables and small tables of the kinds that users import.
    #[allow(clippy::unwrap_used)]
    fn resources() -> Resources {
        use crate::lexicon::synonyms::{About, Compiler, ORIGINS, SynonymTable};
        use crate::meteor15::{Language, paraphrase};
        let mut compiler = paraphrase::Compiler::new();
        compiler.add("large", "big");
        let table = paraphrase::Table::from_bytes(compiler.finish("en", [1; 32]).unwrap());
        let resources = Resources::embedded().with_paraphrases(Language::English, table.unwrap());
        ORIGINS.into_iter().fold(resources, |resources, origin| {
            let mut compiler = Compiler::new(crate::language::find("en").unwrap());
            compiler.add(["large", "big"]).unwrap();
            let about = About { origin: origin.into(), ..About::default() };
            let bytes = compiler.finish(&about, |_| [1; 32]).unwrap();
            resources.with_synonyms(SynonymTable::from_bytes(bytes).unwrap())
        })
    }

    #[test]
    fn every_word_that_a_key_offers_is_accepted() {
        let resources = resources();
        let mut n_words = 0;
        for dialect in DIALECTS {
            for key in dialect.keys(&resources).unwrap() {
                let Expects::Word { words } = key.expects else { continue };
                for word in words {
                    let text = format!("{}|{}:{word}", dialect.name, key.name);
                    let built = Metric::build(&text, &resources);
                    // Some languages need dictionaries that this build may not have.
                    let lacks_words = |error: &crate::Error| {
                        !cfg!(feature = "dictionaries")
                            && error.kind() == crate::ErrorKind::Unavailable
                    };
                    assert!(built.as_ref().err().is_none_or(lacks_words), "{text}");
                    n_words += 1;
                }
            }
        }
        assert!(n_words > 2);
    }

    #[test]
    fn every_dialect_prints_a_signature_that_parses_back_to_itself() {
        let resources = resources();
        for dialect in DIALECTS {
            let metric = Metric::build(dialect.name, &resources).unwrap();
            let signature = metric.signature().to_string();
            let again = Metric::build(&signature, &resources).unwrap();
            assert_eq!(again.signature().to_string(), signature);
            assert_eq!(again.dialect().name, dialect.name);
        }
    }

    #[test]
    fn statistics_of_every_dialect_survive_as_records() {
        let references = [Text::Raw("the cat sat on a mat"), Text::Raw("a cat was there")];
        let segment = Segment::new(Text::Raw("the cats sat on the mat"), &references).unwrap();
        for dialect in DIALECTS {
            let Ok(metric) = dialect.name.parse::<Metric>() else { continue };
            let metric = metric.any();
            let mut stats = metric.segment(segment, &mut metric.scratch());
            assert!(stats.merge(&stats.clone()));
            let record = stats.to_record();
            let again = metric.stats_from_record(&record).unwrap();
            assert_eq!(format!("{again:?}"), format!("{stats:?}"), "{}", dialect.name);
            let cut = &record[..record.len() - 1];
            assert!(metric.stats_from_record(cut).is_none(), "{}", dialect.name);
        }
    }

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
            let Ok(metric) = dialect.name.parse::<Metric>() else { continue };
            let mut scorer = metric.scorer();
            let mut corpus = metric.corpus();
            let mut sums = metric.n_counts().map(|n| vec![0; n]);
            for (hypothesis, reference) in pairs {
                let references = [Text::Raw(reference)];
                let segment = Segment::new(Text::Raw(hypothesis), &references).unwrap();
                let stats = scorer.statistics(segment);
                corpus.push_statistics(&stats, 1).unwrap();
                assert!(sums.is_none() || stats.to_counts().is_some(), "{}", dialect.name);
                sums = sums.zip(stats.to_counts()).map(|(mut sums, counts)| {
                    assert_eq!(sums.len(), counts.len(), "{}", dialect.name);
                    sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
                    sums
                });
            }
            let Some(sums) = sums else { continue };
            let again = metric.statistics_from_counts(&sums).unwrap();
            let same = metric.finish(&again).unwrap().value;
            assert_eq!(same.to_bits(), corpus.score().unwrap().value.to_bits(), "{}", dialect.name);
            assert!(metric.statistics_from_counts(&sums[1..]).is_err(), "{}", dialect.name);
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
