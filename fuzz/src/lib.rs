//! The fuzz targets: one function for each parser and for the scorers.
//!
//! A target takes arbitrary bytes. An error is a valid outcome; a panic, an overflow or a violated law is a
//! finding. Findings become tests beside the code, not files here.

use bolide::unstable::lexicon::{Lexicon, table_checksum};
use bolide::unstable::meteor15::paraphrase::{Compiler, Table};
use bolide::unstable::meteor15::{StemTable, SynonymFiles};
use bolide::unstable::text::Punkt;
use bolide::{DIALECTS, Metric, Resources, Segment, Text, unstable};
use bolide_cli::fuzzing::{self, Kind};
use bolide_store::{Source, Store};
use std::io::Write;
use std::path::PathBuf;
use std::sync::OnceLock;

/// The first byte and the rest.
fn first(data: &[u8]) -> (u8, &[u8]) {
    data.split_first().map_or((0, data), |(&byte, rest)| (byte, rest))
}

/// The folder for the files of this process: in memory if the system has such a folder.
fn folder() -> &'static PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let shared = PathBuf::from("/dev/shm");
        let base = if shared.is_dir() { shared } else { std::env::temp_dir() };
        let folder = base.join(format!("bolide-fuzz-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder for the inputs");
        folder
    })
}

/// Writes a file with these bytes. A process uses each name only once at a time.
fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder().join(name);
    std::fs::write(&path, bytes).expect("an input can be written");
    path
}

/// Removes the files of the targets, after the last one.
pub fn remove_files() {
    let _ = std::fs::remove_dir_all(folder());
}

/// Text, tables and JSON lines, plain or compressed, for the reader of the command.
pub fn inputs(data: &[u8]) {
    let (choice, data) = first(data);
    let kind = [Kind::Lines, Kind::Tsv, Kind::Csv, Kind::Jsonl][usize::from(choice % 4)];
    let plain = fuzzing::corpus(&file("input", data), kind);
    if let (Kind::Lines, Ok(rows)) = (kind, &plain)
        && !is_packed(data)
    {
        let text = std::str::from_utf8(data).expect("only valid text is read");
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let text = text.strip_suffix('\n').unwrap_or(text);
        let expected: Vec<&str> = match text {
            "" if data.is_empty() || data == [0xef, 0xbb, 0xbf] => Vec::new(),
            _ => text.split('\n').map(|row| row.strip_suffix('\r').unwrap_or(row)).collect(),
        };
        assert_eq!(rows, &expected);
    }
    if choice & 4 != 0 && !is_packed(data) {
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packer.write_all(data).expect("memory can be written");
        let packed = packer.finish().expect("memory can be written");
        let unpacked = fuzzing::corpus(&file("input", &packed), kind);
        assert_eq!(plain.ok(), unpacked.ok(), "packing changes what is read");
    }
}

/// Whether the reader may take the bytes for a compressed file.
fn is_packed(data: &[u8]) -> bool {
    data.starts_with(&[0x1f, 0x8b])
        || data.starts_with(&[0x28, 0xb5, 0x2f, 0xfd])
        || data.get(1..4) == Some(&[0x2a, 0x4d, 0x18])
}

/// Two SGML files, separated by a byte that no text contains.
pub fn sgml(data: &[u8]) {
    let mut parts = data.splitn(2, |&byte| byte == 0xff);
    let test = file("test", parts.next().unwrap_or_default());
    let reference = file("reference", parts.next().unwrap_or_default());
    let _ = fuzzing::sgml(&test, &reference);
}

/// Requests of the line protocol: every line gets at least one line as its answer.
pub fn stdio(data: &[u8]) {
    let answers = fuzzing::stdio(data).expect("the protocol has an answer for everything");
    let lines = answers.iter().filter(|&&byte| byte == b'\n').count();
    let text = String::from_utf8_lossy(data).replace("\r\n", "\n").replace('\r', "\n");
    assert!(lines >= text.lines().count(), "{lines} answers");
}

/// Partial signatures: a metric that can be built prints a signature that builds the same metric.
pub fn signatures(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(metric) = Metric::build(text, resources()) else { return };
    let signature = metric.signature().to_string();
    let again = Metric::build(&signature, resources()).expect("a signature can be read back");
    assert_eq!(again.signature().to_string(), signature);
}

/// Compiled tables, tables to be compiled, and the archives they come in.
pub fn tables(data: &[u8]) {
    let (choice, data) = first(data);
    match choice % 8 {
        0 => {
            // The real table with damage, and a matching checksum.
            let mut bytes = bolide_data::WORDNET.to_vec();
            for change in data.chunks_exact(4) {
                let at = usize::from(change[0]) << 16
                    | usize::from(change[1]) << 8
                    | usize::from(change[2]);
                let len = bytes.len();
                bytes[at % len] = change[3];
            }
            let sum = table_checksum(&bytes);
            bytes[32..40].copy_from_slice(&sum.to_le_bytes());
            let Ok(lexicon) = Lexicon::from_bytes(bytes) else { return };
            let mut found = Vec::new();
            for word in ["good", "was", "geese", "run", "physician's", ""] {
                found.clear();
                lexicon.synsets(word, &mut found);
                lexicon.synsets_named(word, &mut found);
                for &id in &found {
                    if let Some(synset) = lexicon.synset(id) {
                        assert!(synset.lemmas().take(1000).count() <= 1000);
                        let _ = synset.to_string();
                    }
                }
            }
        }
        1 => {
            let Ok(model) = Punkt::from_bytes(data.to_vec()) else { return };
            let mut sentences = Vec::new();
            let text = "Dr. Smith went to Washington, D.C. He came back. Really? e.g. no.";
            model.sentences(text, &mut Default::default(), &mut sentences);
        }
        2 => {
            let Ok(table) = Table::from_bytes(data.to_vec()) else { return };
            let _ = (table.verify(), table.id(), table.len());
            score_with(
                Resources::embedded()
                    .with_paraphrases(bolide::unstable::meteor15::Language::English, table),
            );
        }
        3 => {
            let Ok(table) = StemTable::open(std::sync::Arc::new(data.to_vec())) else { return };
            let _ = (table.verify(), table.id(), table.len(), table.stem(0), table.stem(-1));
            score_with(
                Resources::embedded()
                    .with_stem_table(bolide::unstable::meteor15::Language::Arabic, table),
            );
        }
        4 => {
            let Ok(text) = std::str::from_utf8(data) else { return };
            let Ok(bytes) = StemTable::compile(text, [0; 32]) else { return };
            let table =
                StemTable::open(std::sync::Arc::new(bytes)).expect("what was compiled opens");
            table.verify().expect("what was compiled is whole");
        }
        5 => {
            let Ok(text) = std::str::from_utf8(data) else { return };
            let mut compiler = Compiler::new();
            let mut lines = text.lines();
            while let (Some(a), Some(b)) = (lines.next(), lines.next()) {
                compiler.add(a, b);
            }
            let Ok(bytes) = compiler.finish("english", [0; 32]) else { return };
            let table = Table::from_bytes(bytes).expect("what was compiled opens");
            table.verify().expect("what was compiled is whole");
        }
        6 => {
            let Ok(text) = std::str::from_utf8(data) else { return };
            let (synsets, exceptions) = text.split_once("\n\n").unwrap_or((text, ""));
            let Ok(files) = SynonymFiles::parse(synsets, exceptions) else { return };
            files.synsets("word", &mut Vec::new());
        }
        _ => {
            let (choice, data) = first(data);
            let name =
                ["t.whl", "t.jar", "paraphrase-en.gz", "paraphrase-en"][usize::from(choice % 4)];
            let path = file(name, data);
            let store = Store::at(path.with_file_name("store"));
            let _ = store.import(&Source::guess(&path, None));
        }
    }
}

fn score_with(resources: Resources) {
    for name in ["meteor:1.5", "meteor:1.5|lang:ar"] {
        let Ok(metric) = Metric::build(name, &resources) else { continue };
        let references = [Text::Raw("the house is big and red"), Text::Raw("كتاب")];
        let segment =
            Segment::new(Text::Raw("the home is large"), &references).expect("references");
        let _ = metric.scorer().score(segment);
    }
}

fn resources() -> &'static Resources {
    static RESOURCES: OnceLock<Resources> = OnceLock::new();
    RESOURCES.get_or_init(Resources::embedded)
}

/// Every dialect that can be built, and some with other keys.
fn metrics() -> &'static [Metric] {
    static METRICS: OnceLock<Vec<Metric>> = OnceLock::new();
    METRICS.get_or_init(|| {
        let more = [
            "meteor|tok:space|case:mixed",
            "meteor|match:exact",
            "meteor|objective:crossings",
            "meteor:1.5-nopara|lang:fr",
            "meteor:1.5-nopara|lang:cz",
            "bleu|tok:intl",
            "bleu|tok:zh",
            "bleu|tok:char|smooth:floor",
            "chrf|nw:2",
            "ter|asian:yes|norm:yes",
        ];
        let names = DIALECTS.iter().map(|dialect| dialect.name).chain(more);
        names.filter_map(|name| Metric::build(name, resources()).ok()).collect()
    })
}

/// Arbitrary text for every metric: scoring cannot fail, and all ways to compute a score agree.
pub fn scorers(data: &[u8]) {
    let (choice, data) = first(data);
    let text = String::from_utf8_lossy(data);
    let mut lines = text.split('\n').take(4);
    let hypothesis = Text::Raw(lines.next().unwrap_or_default());
    let mut references: Vec<Text<'_>> = lines.map(Text::Raw).collect();
    if references.is_empty() {
        references.push(hypothesis);
    }
    let segment = Segment::new(hypothesis, &references).expect("there is a reference");
    let metric = &metrics()[usize::from(choice) % metrics().len()];
    let mut scorer = metric.scorer();
    let bits = scorer.score(segment).value.to_bits();
    let stats = scorer.statistics(segment);
    assert_eq!(metric.segment_value(&stats).expect("its own").to_bits(), bits);
    assert_eq!(scorer.value(segment).to_bits(), bits, "buffers matter");
    let mut corpus = metric.corpus();
    scorer.push(segment, &mut corpus).expect("its own");
    let kept = metric.corpus_from_bytes(&corpus.to_bytes()).expect("a corpus can be read back");
    let kept = metric.segment_value(&kept.statistics()).expect("its own");
    assert_eq!(kept.to_bits(), bits, "bytes lose something");
    if let Ok(explanation) = metric.explain_segment(segment) {
        assert_eq!(explanation.score.to_bits(), bits, "an explanation of another number");
        let n = explanation.tokens.hypothesis.len();
        assert!(explanation.pairs.iter().all(|pair| pair.hypothesis + pair.hypothesis_tokens <= n));
    }
    corpus.push_statistics(&stats, references.len()).expect("its own");
    let _ = corpus.score();
}

/// Arbitrary bytes, numbers and rows read back as statistics.
pub fn statistics(data: &[u8]) {
    let (choice, data) = first(data);
    let metric = &metrics()[usize::from(choice >> 1) % metrics().len()];
    assert!(metric.corpus_from_bytes(data).is_err(), "no checksum fits by chance");
    let metric = unstable::any(metric);
    let numbers: Vec<u64> = data.chunks(8).map(number).collect();
    if choice & 1 == 0 {
        if let Some(mut stats) = metric.stats_from_record(&numbers) {
            assert_eq!(stats.to_record(), numbers, "a record is read as something else");
            let _ = metric.finish_segment(&stats);
            stats.merge(&stats.clone());
            let _ = metric.finish(&stats);
        }
    } else if let Some(rows) = metric.rows() {
        let mut row: Vec<f64> = numbers.iter().map(|&number| f64::from_bits(number)).collect();
        row.resize(rows.columns().count, 0.0);
        let _ = rows.finish_row(&row);
        let small: Vec<f32> = row.iter().map(|&x| x as f32).collect();
        let _ = rows.score_row(&small);
    }
}

/// Up to eight bytes as a number.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}
