//! METEOR 1.5 as the program `meteor-1.5.jar` computes it (Denkowski and Lavie, *Meteor Universal*, WMT
//! 2014), with its languages, tasks, modules, tokenizer and beam search.
//!
//! Text is tokenised ([`Normalizer`]), every module proposes matches (equal words, stems, synonyms,
//! paraphrases), a beam search chooses among them, and the counts ([`Stats`]) become a score ([`score`]).
//! With several references the best-scoring one counts; a corpus score is computed from summed counts.
//! Everything is reproduced digit for digit, except that the power in the penalty is always fdlibm's, while a
//! JVM may use its own. `meteor:1.5-optimal` takes the same proposals and chooses optimally: most covered
//! words, then fewest chunks, then smallest distance.
//!
//! Cost: matching is quadratic in words, the search linear in reference words times the beam. The proposals
//! of long pairs are listed on demand, so memory is linear in words (`groups`).

mod ascii;
mod beam;
mod config;
mod dialects;
#[cfg(feature = "evidence")]
mod evidence;
mod explain;
mod groups;
pub mod java;
mod language;
pub(crate) mod lowercase;
mod matches;
mod normalize;
#[cfg(feature = "meteor15-optimal")]
mod optimal;
mod packed;
pub mod paraphrase;
mod pipeline;
mod score;
mod search;
mod spans;
mod statistics;
mod stems;
mod synonyms;
mod task;
mod used;
mod word_classes;
mod word_lists;
mod words;

pub use config::{Configuration, MAX_MODULES, Normalization, Options};
#[cfg(feature = "meteor15-optimal")]
pub(crate) use dialects::OPTIMAL;
pub(crate) use dialects::{JAR, NO_PARAPHRASES};
pub use language::{Language, Module};
pub use matches::Match;
pub use normalize::{Buffers, Normalizer, Prefixes};
pub use pipeline::{Resolution, Scratch};
pub use score::{Score, score};
pub use search::Preference;
pub use statistics::{Stage, Stats, Totals};
pub use stems::StemTable;
pub use synonyms::SynonymFiles;
pub use task::Task;
pub use word_lists::{FunctionWords, WordLists};

use crate::definition::Definition;
use crate::error::{Error, ErrorKind, Result};
use crate::explanation::Explanation;
use crate::resources::Resources;
use crate::score::Components;
use crate::segment::Segment;
use crate::signature::Signature;
use pipeline::{Pipeline, Synonyms};
use std::sync::Arc;
use stems::Stems;

/// A configured METEOR 1.5. Cloning is cheap.
#[derive(Clone, Debug)]
pub struct Meteor15 {
    pipeline: Arc<Pipeline>,
    signature: Signature,
}

/// Tables from the caller that replace the usual ones.
#[derive(Clone, Debug, Default)]
pub struct Supplied {
    /// Function words (`-s`, `-new`). Without them the English ones are used for every language, as in the
    /// jar.
    pub function_words: Option<FunctionWords>,
    /// Paraphrases (`-a`, `-new`).
    pub paraphrases: Option<paraphrase::Table>,
    /// Synonyms (`-d`).
    pub synonyms: Option<Arc<SynonymFiles>>,
}

/// A score with its counts.
#[derive(Clone, Debug, PartialEq)]
pub struct Scored {
    /// The steps of the formula.
    pub score: Score,
    /// The counts.
    pub stats: Stats,
}

/// An alignment with the tokens it connects.
#[derive(Clone, Debug, PartialEq)]
pub struct Alignment {
    /// Tokens of the hypothesis as they were compared.
    pub hypothesis: Vec<String>,
    /// Tokens of the reference.
    pub reference: Vec<String>,
    /// The index of the reference.
    pub reference_idx: usize,
    /// The matches in the order of the reference.
    pub matches: Vec<Match>,
    /// Their counts.
    pub stats: Stats,
}

impl Meteor15 {
    /// Builds the metric of a configuration. Fails where the jar would crash, and if a table is missing.
    pub fn new(
        configuration: Configuration,
        resolution: Resolution,
        supplied: Supplied,
        resources: &Resources,
    ) -> Result<Self> {
        configuration.check()?;
        let language = configuration.language;
        let lists = || resources.meteor15_words().map(WordLists::new);
        let function_words = match supplied.function_words {
            Some(words) => words,
            None => lists()?.function_words(Language::English),
        };
        let keep_punctuation = configuration.normalization == Normalization::Norm;
        let normalizer = match configuration.normalization {
            Normalization::None | Normalization::Lower => None,
            _ => Normalizer::new(language, lists()?.prefixes(language), keep_punctuation),
        };
        let stems = match (configuration.uses(Module::Stem), language.stemmer()) {
            (false, _) => Stems::None,
            (true, Some(stemmer)) if stemmer.is_built_in() => Stems::Snowball(stemmer),
            (true, Some(_)) => {
                let message = format!(
                    "meteor:1.5 needs the stemmer for '{}', which this build leaves out",
                    language.short()
                );
                return Err(Error::new(ErrorKind::Unavailable, message));
            }
            (true, None) => Stems::Table(resources.stem_table(language)?),
        };
        let synonyms = if !configuration.uses(Module::Synonym) {
            Synonyms::None
        } else if let Some(files) = supplied.synonyms {
            Synonyms::Files(files)
        } else if language == Language::English {
            Synonyms::WordNet(resources.lexicon("meteor:1.5")?)
        } else {
            return Err(Error::new(
                ErrorKind::Unavailable,
                format!("there are no synonyms for the language {}", language.name()),
            ));
        };
        let table = match (configuration.uses(Module::Paraphrase), supplied.paraphrases) {
            (false, _) => None,
            (true, Some(table)) => Some(table),
            (true, None) => Some(resources.paraphrases(language)?),
        };
        let pipeline = Pipeline {
            configuration,
            normalizer,
            stems,
            synonyms,
            function_words,
            table,
            resolution,
        };
        let signature = dialects::signature(&pipeline, Language::English);
        Ok(Meteor15 { pipeline: Arc::new(pipeline), signature })
    }

    /// The configuration.
    pub fn configuration(&self) -> &Configuration {
        &self.pipeline.configuration
    }

    /// The jar's own name for the configuration.
    pub fn eval_id(&self) -> String {
        self.configuration().eval_id()
    }

    /// Scores sums, which need not come from this metric; those of a statistics line work too.
    pub fn score(&self, totals: &Totals) -> Score {
        let Configuration { parameters, weights, .. } = self.configuration();
        score(totals, parameters, weights)
    }

    /// Aligns a hypothesis with the best of its references.
    pub fn align(&self, segment: Segment<'_>, scratch: &mut Scratch) -> Alignment {
        let mut best = None;
        self.each_reference(segment, scratch, |reference_idx, stats, scratch| {
            let owned = |side: &pipeline::Side| side.tokens().map(str::to_owned).collect();
            best = Some(Alignment {
                hypothesis: owned(&scratch.hypothesis),
                reference: owned(&scratch.reference),
                reference_idx,
                matches: scratch.chosen().to_vec(),
                stats: stats.clone(),
            });
        });
        // A segment has at least one reference, and the first is always accepted.
        best.unwrap_or_else(|| Alignment {
            hypothesis: Vec::new(),
            reference: Vec::new(),
            reference_idx: 0,
            matches: Vec::new(),
            stats: Stats::default(),
        })
    }

    /// The number of warnings that the jar would have printed since the last call: one for each reference
    /// position at which a beam below one kept nothing.
    pub fn take_warnings(scratch: &mut Scratch) -> usize {
        std::mem::take(&mut scratch.warnings)
    }

    /// Visits each reference that scores higher than all before it.
    fn each_reference(
        &self,
        segment: Segment<'_>,
        scratch: &mut Scratch,
        mut accept: impl FnMut(usize, &Stats, &Scratch),
    ) {
        scratch.attach(&self.pipeline);
        self.pipeline.read_hypothesis(segment.hypothesis(), scratch);
        let is_only = segment.references().len() == 1;
        let mut best = -1.0;
        for (at, reference) in segment.each_reference().enumerate() {
            let stats = self.pipeline.pair(reference, scratch, segment.stop());
            if !is_only {
                let score = self.score(&stats.segment_totals()).score;
                if score <= best {
                    continue;
                }
                best = score;
            }
            accept(at, &stats, scratch);
        }
    }
}

impl Definition for Meteor15 {
    type Stats = Stats;
    type Score = Scored;
    type Scratch = Scratch;

    fn needs_spaces(&self, _: &str) -> bool {
        // To the tokenizer, such characters are signs, each a word.
        matches!(
            self.pipeline.configuration.normalization,
            Normalization::None | Normalization::Lower
        )
    }

    fn language(&self) -> Option<&'static crate::language::Language> {
        let code = match self.pipeline.configuration.language {
            Language::Arabic | Language::Other => return None,
            Language::Czech => "cs",
            Language::Swedish => "sv",
            language => language.short(),
        };
        crate::language::LANGUAGES.iter().find(|language| language.code == code)
    }

    #[cfg(feature = "evidence")]
    fn evidence(&self, segment: Segment<'_>) -> Option<crate::Evidence> {
        Some(self.weights_shown(segment))
    }

    fn segment(&self, segment: Segment<'_>, scratch: &mut Scratch) -> Stats {
        let mut best = Stats::default();
        self.each_reference(segment, scratch, |_, stats, _| best.clone_from(stats));
        best
    }

    fn finish(&self, stats: &Stats) -> Scored {
        Scored { score: self.score(&stats.totals()), stats: stats.clone() }
    }

    fn value(&self, scored: &Scored) -> f64 {
        scored.score.score
    }

    fn components(&self, scored: &Scored) -> Components {
        let Scored { score, stats } = scored;
        let components = Components::default()
            .number("precision", score.precision)
            .number("recall", score.recall)
            .number("f1", score.f1)
            .number("fmean", score.fmean)
            .number("penalty", score.penalty)
            .count("chunks", stats.chunks)
            .count("hypothesis_matches", stats.hypothesis_matches)
            .count("reference_matches", stats.reference_matches)
            .count("hypothesis_length", stats.hypothesis_length)
            .count("reference_length", stats.reference_length);
        match self.pipeline.resolution {
            Resolution::Beam(_) => components,
            #[cfg(feature = "meteor15-optimal")]
            Resolution::Optimal => components.count("proven", stats.proven),
        }
    }

    fn explain(&self, segment: Segment<'_>) -> Option<Explanation> {
        Some(Meteor15::explain(self, segment))
    }

    fn signature(&self) -> Signature {
        self.signature.clone()
    }
}
