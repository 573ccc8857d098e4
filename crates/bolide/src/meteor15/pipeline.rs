//! One configured METEOR 1.5: from two texts to an alignment and its counts.

use super::config::{Configuration, Normalization};
use super::groups::{self, Groups};
use super::language::Module;
use super::lowercase::lowercase;
use super::matches::{Candidates, Match};
use super::normalize::{Buffers, Normalizer};
use super::paraphrase::{Table, View};
use super::search::{self, Preference, Search};
use super::statistics::Stats;
use super::stems::Stems;
use super::synonyms::SynonymFiles;
use super::word_lists::FunctionWords;
use super::words::{Id, Word, Words};
use crate::lexicon::Lexicon;
use crate::segment::Text;
use crate::stop::Stop;
use crate::text::vocabulary::HEAD;
use std::sync::Arc;

/// Everything that a configuration needs to score text. Shared by all workers.
#[derive(Debug)]
pub(super) struct Pipeline {
    pub(super) configuration: Configuration,
    pub(super) normalizer: Option<Normalizer>,
    pub(super) stems: Stems,
    pub(super) synonyms: Synonyms,
    pub(super) function_words: FunctionWords,
    pub(super) table: Option<Table>,
    pub(super) resolution: Resolution,
}

/// How an alignment is chosen from the proposals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// The jar's beam search.
    Beam(Preference),
    /// The optimal one.
    #[cfg(feature = "meteor15-optimal")]
    Optimal,
}

/// The source of synsets.
#[derive(Clone, Debug)]
pub(super) enum Synonyms {
    /// No module needs them.
    None,
    WordNet(Arc<Lexicon>),
    Files(Arc<SynonymFiles>),
}

impl Synonyms {
    /// Sets `out` to the synsets of a word.
    pub(super) fn synsets(&self, word: &str, out: &mut Vec<u32>) {
        out.clear();
        match self {
            Synonyms::None => {}
            Synonyms::WordNet(lexicon) => lexicon.meteor15_synsets(word, out),
            Synonyms::Files(files) => files.synsets(word, out),
        }
    }
}

/// One side of a pair, prepared for matching.
#[derive(Debug, Default)]
pub(super) struct Side {
    text: String,
    spans: Vec<(u32, u32)>,
    /// The tokenizer's buffer.
    pieces: Vec<(u32, u32)>,
    ids: Vec<Id>,
}

impl Side {
    pub(super) fn tokens(&self) -> impl ExactSizeIterator<Item = &str> {
        self.spans.iter().map(|&(start, end)| &self.text[start as usize..end as usize])
    }
}

/// The buffers and caches of one worker.
#[derive(Debug, Default)]
pub struct Scratch {
    /// The owner of the cached words. Holding it prevents its address from being reused.
    pipeline: Option<Arc<Pipeline>>,
    words: Words,
    buffers: Buffers,
    lower: String,
    pub(super) hypothesis: Side,
    pub(super) reference: Side,
    candidates: Candidates,
    groups: Groups,
    search: Search,
    halves: Vec<u32>,
    /// Warnings of beams that keep nothing; the jar prints one for each.
    pub(super) warnings: usize,
}

impl Scratch {
    /// Forgets the words if they belong to another metric or have become too many.
    pub(super) fn attach(&mut self, pipeline: &Arc<Pipeline>) {
        if !self.pipeline.as_ref().is_some_and(|known| Arc::ptr_eq(known, pipeline)) {
            self.pipeline = Some(Arc::clone(pipeline));
            self.words.clear();
            self.candidates.forget_table();
            self.groups.forget_table();
        }
        self.words.make_room();
    }

    /// A word of the last pair.
    pub(super) fn word(&self, id: Id) -> &Word {
        self.words.get(id)
    }

    /// The words of the last pair: of the hypothesis and of the reference.
    pub(super) fn ids(&self) -> (&[Id], &[Id]) {
        (&self.hypothesis.ids, &self.reference.ids)
    }

    /// The chosen matches of the last pair, in the order of the reference.
    pub(super) fn chosen(&self) -> &[Match] {
        &self.search.chosen
    }
}

/// As many blanks as the vocabulary reads past the start of a word.
const PADDING: &str = "                ";
const _: () = assert!(PADDING.len() == HEAD);

impl Pipeline {
    /// Prepares one side: tokenizer, lower-casing, words.
    fn prepare(
        &self,
        text: Text<'_>,
        side: &mut Side,
        buffers: &mut Buffers,
        lower: &mut String,
        words: &mut Words,
        table: Option<&View<'_>>,
    ) {
        side.text.clear();
        side.spans.clear();
        let fold = self.configuration.normalization != Normalization::None;
        match text {
            Text::Raw(text) => {
                let quick = self.configuration.normalization == Normalization::Norm
                    && self.normalizer.as_ref().is_some_and(|normalizer| {
                        normalizer.tokenize_ascii(
                            text,
                            &mut side.pieces,
                            &mut side.text,
                            &mut side.spans,
                        )
                    });
                if !quick {
                    match &self.normalizer {
                        Some(normalizer) => normalizer.normalize(text, buffers, &mut side.text),
                        None => side.text.push_str(text),
                    }
                    if fold {
                        lowercase(&mut side.text, lower);
                    }
                    split(&side.text, &mut side.spans);
                }
            }
            Text::Tokens(tokens) => {
                for token in tokens {
                    let start = side.text.len();
                    if fold && !token.is_ascii() {
                        let mut word = (*token).to_owned();
                        lowercase(&mut word, lower);
                        side.text.push_str(&word);
                    } else {
                        side.text.push_str(token);
                        if fold {
                            side.text[start..].make_ascii_lowercase();
                        }
                    }
                    side.spans.push((start as u32, side.text.len() as u32));
                }
            }
        }
        // With padding after the last word, words are looked up without a branch on their length.
        side.text.push_str(PADDING);
        side.ids.clear();
        for &(start, end) in &side.spans {
            side.ids.push(words.id(&side.text, start, end, self, table));
        }
    }

    /// Prepares the hypothesis of a segment.
    pub(super) fn read_hypothesis(&self, text: Text<'_>, scratch: &mut Scratch) {
        let Scratch { words, buffers, lower, hypothesis, .. } = scratch;
        let view = self.table.as_ref().map(Table::view);
        self.prepare(text, hypothesis, buffers, lower, words, view.as_ref());
    }

    /// Aligns the hypothesis in the scratch with a reference and counts.
    pub(super) fn pair(&self, reference: Text<'_>, scratch: &mut Scratch, stop: Stop<'_>) -> Stats {
        let view = self.table.as_ref().map(Table::view);
        let Scratch { words, buffers, lower, reference: side, .. } = scratch;
        self.prepare(reference, side, buffers, lower, words, view.as_ref());
        let (n_hypothesis, n_reference) =
            (scratch.hypothesis.ids.len(), scratch.reference.ids.len());
        let proven = if groups::is_long(n_hypothesis, n_reference) {
            self.align_long(scratch, view.as_ref(), stop)
        } else {
            self.align(scratch, view.as_ref(), stop)
        };
        let Scratch { words, hypothesis, reference, search, .. } = scratch;
        self.count(&hypothesis.ids, &reference.ids, words, &search.chosen, proven)
    }

    /// Chooses an alignment from all proposals. Returns whether it is proven to be optimal.
    fn align(&self, scratch: &mut Scratch, table: Option<&View<'_>>, stop: Stop<'_>) -> bool {
        let Scratch { words, hypothesis, reference, candidates, search, halves, warnings, .. } =
            scratch;
        let modules = &self.configuration.modules;
        candidates.collect(&hypothesis.ids, &reference.ids, modules, words, table);
        match self.resolution {
            Resolution::Beam(preference) => {
                halves.clear();
                halves.extend(modules.iter().map(|&module| half_words(module, preference)));
                let beam = self.configuration.beam;
                *warnings += search.run(candidates, halves, preference, beam, stop);
                false
            }
            #[cfg(feature = "meteor15-optimal")]
            Resolution::Optimal => {
                search.run_optimal(candidates, hypothesis.ids.len(), reference.ids.len(), stop)
            }
        }
    }

    /// The same for a long pair.
    fn align_long(&self, scratch: &mut Scratch, table: Option<&View<'_>>, stop: Stop<'_>) -> bool {
        let Scratch { words, hypothesis, reference, groups, search, halves, warnings, .. } =
            scratch;
        let modules = &self.configuration.modules;
        groups.read((&hypothesis.ids, &reference.ids), modules, words, table);
        match self.resolution {
            Resolution::Beam(preference) => {
                halves.clear();
                halves.extend(modules.iter().map(|&module| half_words(module, preference)));
                let (mut listing, beam) = (groups.proposals(table), self.configuration.beam);
                *warnings += search.run_long(&mut listing, halves, preference, beam, stop);
                false
            }
            #[cfg(feature = "meteor15-optimal")]
            Resolution::Optimal => {
                if !groups.has_run_of(super::optimal::MOST_WORDS) {
                    return self.align(scratch, table, stop);
                }
                search.run_wide(&mut groups.proposals(table), stop);
                false
            }
        }
    }

    fn count(
        &self,
        hypothesis: &[Id],
        reference: &[Id],
        words: &Words,
        chosen: &[Match],
        proven: bool,
    ) -> Stats {
        let characters = self.configuration.characters;
        // The length of a run of words, that of its function words, and the number of words.
        let measure = |ids: &[Id]| {
            let (mut all, mut function) = (0, 0);
            for &id in ids {
                let word = words.get(id);
                let size = if characters { u64::from(word.length) } else { 1 };
                all += size;
                if word.is_function {
                    function += size;
                }
            }
            (all, function)
        };
        let mut stats = Stats { segments: 1, proven: u64::from(proven), ..Stats::default() };
        (stats.hypothesis_length, stats.hypothesis_function) = measure(hypothesis);
        (stats.reference_length, stats.reference_function) = measure(reference);
        let (mut hypothesis_matched, mut reference_matched) = (0, 0);
        for m in chosen {
            let Some(stage) = stats.stages.get_mut(m.module as usize) else { continue };
            let (start, length) = (m.hypothesis_start as usize, m.hypothesis_length as usize);
            let (all, function) = measure(&hypothesis[start..start + length]);
            stage.hypothesis_content += all - function;
            stage.hypothesis_function += function;
            hypothesis_matched += all;
            stats.hypothesis_matches += length as u64;
            let (start, length) = (m.start as usize, m.length as usize);
            let (all, function) = measure(&reference[start..start + length]);
            stage.reference_content += all - function;
            stage.reference_function += function;
            reference_matched += all;
            stats.reference_matches += length as u64;
        }
        stats.chunks = search::chunks(chosen);
        let perfect = stats.chunks == 1
            && hypothesis_matched == stats.hypothesis_length
            && reference_matched == stats.reference_length;
        stats.perfect = u64::from(perfect);
        stats
    }
}

/// The search's own weights, which cannot be changed by options.
fn half_words(module: Module, preference: Preference) -> u32 {
    match (preference, module) {
        (_, Module::Exact) => 2,
        (Preference::Coverage, _) => 1,
        (Preference::Accuracy, Module::Stem | Module::Synonym) => 2,
        (Preference::Accuracy, Module::Paraphrase) => 0,
    }
}

/// Splits at runs of the five ASCII blanks of Java's tokenizer.
fn split(text: &str, spans: &mut Vec<(u32, u32)>) {
    let mut start = None;
    for (at, byte) in text.bytes().enumerate() {
        let blank = matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0C);
        match (start, blank) {
            (None, false) => start = Some(at as u32),
            (Some(from), true) => {
                spans.push((from, at as u32));
                start = None;
            }
            _ => {}
        }
    }
    if let Some(from) = start {
        spans.push((from, text.len() as u32));
    }
}
