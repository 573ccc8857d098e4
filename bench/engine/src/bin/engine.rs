//! bolide and its Rust peers on text in memory, one thread; bench/run.py asks and does the statistics.
//!
//! Arguments: a hypothesis file, a reference file, and a second system's file for the paired tests. Requests
//! come as lines on standard input, fields separated by tabs, and each is answered by one line:
//!
//! | request | answer |
//! |---|---|
//! | `time PROGRAM TASK SECONDS` | processor seconds of one pass, the mean over at least so many seconds; the result |
//! | `steady METRIC SECONDS` | the same for bolide with buffers and caches kept from pass to pass |
//! | `segments METRIC` | the score of every segment |
//! | `proofs METRIC` | how many alignments are proven, their chunks, and the least that they could have |
//!
//! Numbers that are results are printed as the bits of a double, in hexadecimal, so that nothing is rounded.

use bolide::resample::{Sample, bootstrap};
use bolide::{Metric, Resources, Scorer, Segment, Statistics, Text};
use cpu_time::ProcessTime;
use std::io::BufRead;

const USAGE: &str = "arguments: hypotheses references other-hypotheses";

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, hypotheses, references, others] = &arguments[..] else { panic!("{USAGE}") };
    let corpus = Corpus {
        hypotheses: lines(hypotheses),
        references: lines(references),
        others: lines(others),
        resources: Resources::embedded(),
    };
    for request in std::io::stdin().lock().lines() {
        let request = request.expect("a request");
        let fields: Vec<&str> = request.split('\t').collect();
        match fields[..] {
            ["time", program, task, seconds] => {
                let least = seconds.parse().expect("seconds");
                let (seconds, result) = corpus.time(program, task, least);
                println!("{seconds}\t{:016x}", result.to_bits());
            }
            ["steady", metric, seconds] => {
                let least = seconds.parse().expect("seconds");
                let mut scorer = corpus.metric(metric).scorer();
                corpus.score(&mut scorer);
                let (seconds, result) = repeat(least, || corpus.score(&mut scorer));
                println!("{seconds}\t{:016x}", result.to_bits());
            }
            ["segments", metric] => {
                let metric = corpus.metric(metric);
                let stats = corpus.statistics(&metric, &corpus.hypotheses);
                let value = |stats| metric.segment_value(stats).expect("its own statistics");
                let scores = stats.iter().map(|stats| value(stats).to_bits());
                println!(
                    "{}",
                    scores.map(|bits| format!("{bits:016x}")).collect::<Vec<_>>().join("\t")
                );
            }
            ["proofs", metric] => {
                let [proven, chunks, bound] = corpus.proofs(&corpus.metric(metric));
                println!("{proven}\t{chunks}\t{bound}");
            }
            _ => panic!("unknown request '{request}'"),
        }
    }
}

struct Corpus {
    hypotheses: Vec<String>,
    references: Vec<String>,
    others: Vec<String>,
    resources: Resources,
}

impl Corpus {
    /// The time and the result of one task by one program.
    fn time(&self, program: &str, task: &str, least: f64) -> (f64, f64) {
        match (program, task.strip_suffix(" paired bootstrap")) {
            ("bolide", Some(metric)) => {
                let metric = self.metric(metric);
                repeat(least, || self.paired_bootstrap(&metric))
            }
            ("bolide", None) => {
                let metric = || self.metric(task);
                // A scorer that was dropped leaves its buffers warm for the next: a new metric has none.
                repeat(least, || self.score(&mut metric().scorer()))
            }
            ("sacrebleu-rs", _) => {
                let streams = [self.references.clone()];
                let given = &self.hypotheses;
                match task {
                    "bleu" => repeat(least, || {
                        sacrebleu_rs::Bleu::default().corpus_score(given, &streams).score
                    }),
                    "chrf" => repeat(least, || {
                        sacrebleu_rs::Chrf::default().corpus_score(given, &streams).score
                    }),
                    "ter" => repeat(least, || {
                        sacrebleu_rs::Ter::default().corpus_score(given, &streams).score
                    }),
                    _ => panic!("sacrebleu-rs has no {task}"),
                }
            }
            ("bleuscore", None) => {
                let nested: Vec<Vec<String>> =
                    self.references.iter().map(|line| vec![line.clone()]).collect();
                let length = || bleuscore::RefLenMethod::Closest;
                // A share of one; sacreBLEU counts in hundredths.
                repeat(least, || {
                    100.0
                        * bleuscore::compute_score(&nested, &self.hypotheses, 4, false, length())
                            .bleu
                })
            }
            _ => panic!("no program '{program}' for '{task}'"),
        }
    }

    /// A metric with the tables it asks for; those of METEOR 1.5 are in the user's folder.
    fn metric(&self, name: &str) -> Metric {
        Metric::build(name, &self.resources).unwrap_or_else(|_| {
            let store = bolide_store::Store::of_user().expect("a folder of data");
            let resources = store.load(Resources::embedded());
            Metric::build(name, &resources).unwrap_or_else(|error| panic!("{name}: {error}"))
        })
    }

    fn statistics(&self, metric: &Metric, hypotheses: &[String]) -> Vec<Statistics> {
        let mut scorer = metric.scorer();
        let pairs = hypotheses.iter().zip(&self.references);
        pairs.map(|(hypothesis, reference)| segment(&mut scorer, hypothesis, reference)).collect()
    }

    fn score(&self, scorer: &mut Scorer) -> f64 {
        let mut corpus = scorer.metric().corpus();
        for (hypothesis, reference) in self.hypotheses.iter().zip(&self.references) {
            let references = [Text::Raw(reference)];
            let segment = Segment::new(Text::Raw(hypothesis), &references);
            let segment = segment.expect("there is a reference");
            scorer.push(segment, &mut corpus).expect("its own corpus");
        }
        corpus.score().expect("no facts are asked for").value
    }

    fn proofs(&self, metric: &Metric) -> [u64; 3] {
        let mut sums = [0; 3];
        for (hypothesis, reference) in self.hypotheses.iter().zip(&self.references) {
            let why = metric.explain(hypothesis, &[reference]).expect("a metric with an alignment");
            sums[0] += u64::from(why.proven == Some(true));
            sums[1] += why.chunks;
            sums[2] += why.chunks_lower_bound.unwrap_or(0);
        }
        sums
    }

    fn paired_bootstrap(&self, metric: &Metric) -> f64 {
        let stats = [&self.hypotheses, &self.others].map(|system| self.statistics(metric, system));
        let samples = stats.each_ref().map(|stats| Sample::new(metric, stats).expect("its own statistics"));
        let scores = bootstrap(&samples, 1000, 12345);
        scores[1].p_value(&scores[0], samples[0].score() - samples[1].score())
    }
}

fn segment(scorer: &mut Scorer, hypothesis: &str, reference: &str) -> Statistics {
    let references = [Text::Raw(reference)];
    let segment = Segment::new(Text::Raw(hypothesis), &references);
    scorer.statistics(segment.expect("there is a reference"))
}

/// The mean time of a pass over at least so many seconds of processor time, and the result.
fn repeat(least: f64, mut work: impl FnMut() -> f64) -> (f64, f64) {
    let start = ProcessTime::now();
    let mut n_passes = 0.0;
    loop {
        let result = work();
        n_passes += 1.0;
        let taken = start.elapsed().as_secs_f64();
        if taken >= least {
            return (taken / n_passes, result);
        }
    }
}

fn lines(path: &str) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{path}: {e}"));
    text.lines().map(str::to_owned).collect()
}
