//! Tables of synonyms: imported from every format, named in signatures, used in scores; damaged, huge and hostile
//! files leave nothing behind.

use crate::program::{Folder, Ran};
use serde_json::Value;
use std::io::Write;

const OMW: &str = "# Finnish WordNet\tfin\thttp://example.org\tCC BY 3.0\n\
                   00001-n\tfin:lemma\ttalo\n00001-n\tfin:lemma\trakennus\n00001-n\tfin:def\t0\tnothing\n\
                   00002-n\tlemma\tkissa\n00002-n\tlemma\tkotikissa\n00002-n\tlemma\tiso kissa\n\
                   00003-n\tlemma\tyksin\n";

const MYTHES: &[u8] =
    b"ISO8859-1\nhaus|2\n-|Geb\xe4ude (geh.)|Bau|Ding (Oberbegriff)\n(noun)|Heim|Haus|ein Ort\n\
                        heim|1\n-|Haus\n";

const LMF: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE LexicalResource SYSTEM "http://globalwordnet.github.io/schemas/WN-LMF-1.1.dtd">
<LexicalResource xmlns:dc="https://globalwordnet.github.io/schemas/dc/">
  <Lexicon id="small" label="Small wordnet" language="de" email="a@b" license="https://example.org/licence" version="1">
    <LexicalEntry id="w1"><Lemma writtenForm="Haus" partOfSpeech="n"/><Form writtenForm="H&#xE4;user"/>
      <Sense id="s1" synset="a"/></LexicalEntry>
    <LexicalEntry id="w2"><Lemma writtenForm="Geb&#228;ude" partOfSpeech="n"></Lemma><Sense id="s2" synset="a"><Example>x &lt; y</Example></Sense></LexicalEntry>
    <Synset id="a" ili="i1" partOfSpeech="n" members="w1 w2"><Definition>house</Definition></Synset>
  </Lexicon>
  <Lexicon id="petit" label="Petit wordnet" language="fr" email="a@b" license="free" version="2">
    <LexicalEntry id="w3"><Lemma writtenForm="maison" partOfSpeech="n"/><Sense id="s3" synset="b"/></LexicalEntry>
    <LexicalEntry id="w4"><Lemma writtenForm="b&#226;timent" partOfSpeech="n"/><Sense id="s4" synset="b"/></LexicalEntry>
  </Lexicon>
</LexicalResource>
"#;

fn here(folder: &Folder, args: &[&str]) -> Ran {
    let data = folder.path("data").display().to_string();
    folder.bolide_with_env(args, b"", &[("BOLIDE_DATA", &data)])
}

fn import(folder: &Folder, args: &[&str]) -> Vec<String> {
    let ran = here(folder, &[&["data", "import"], args].concat());
    ran.fine().lines().map(|line| line.split('\t').take(2).collect::<Vec<_>>().join(" ")).collect()
}

fn explain(folder: &Folder, metric: &str, texts: [&str; 2]) -> Value {
    let args = ["explain", "--format", "json", "-m", metric, texts[0], texts[1]];
    serde_json::from_str(here(folder, &args).fine()).unwrap()
}

fn signature(folder: &Folder, metric: &str) -> String {
    explain(folder, metric, ["a", "a"])["signature"].as_str().unwrap().to_owned()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A zip archive of deflated files.
fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for (name, bytes) in files {
        let mut encoder =
            flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        let packed = encoder.finish().unwrap();
        let offset = out.len() as u32;
        let mut common = vec![20, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        common.extend((packed.len() as u32).to_le_bytes());
        common.extend((bytes.len() as u32).to_le_bytes());
        common.extend((name.len() as u16).to_le_bytes());
        common.extend([0, 0]);
        out.extend(b"PK\x03\x04");
        out.extend(&common);
        out.extend(name.as_bytes());
        out.extend(&packed);
        directory.extend(b"PK\x01\x02\x14\0");
        directory.extend(&common);
        directory.extend([0; 10]);
        directory.extend(offset.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let start = out.len() as u32;
    out.extend(&directory);
    out.extend(b"PK\x05\x06\0\0\0\0");
    out.extend([(files.len() as u16).to_le_bytes(), (files.len() as u16).to_le_bytes()].concat());
    out.extend((directory.len() as u32).to_le_bytes());
    out.extend(start.to_le_bytes());
    out.extend([0, 0]);
    out
}

#[test]
fn an_imported_table_is_used_and_named() {
    let folder = Folder::new().with("wn-data-fin.tab", OMW);
    let before = signature(&folder, "meteor|language:fi");
    assert!(before.contains("|match:exact+stem|"), "{before}");
    assert_eq!(import(&folder, &["wn-data-fin.tab"]), ["synonyms-omw-fi 2 records"]);

    let texts = ["Talot ovat kissalle", "rakennus kotikissa"];
    let explanation = explain(&folder, "meteor|language:fi", texts);
    let pairs = explanation["pairs"].as_array().unwrap();
    let stages: Vec<&str> = pairs.iter().map(|pair| pair["stage"].as_str().unwrap()).collect();
    assert_eq!(stages, ["synonym", "synonym"]);
    let after = explanation["signature"].as_str().unwrap();
    let (_, table) = after.split_once("|synonyms:").unwrap();
    let table = table.split('|').next().unwrap();
    assert!(table.starts_with("omw-fi-") && table.len() == 15, "{after}");
    assert!(after.contains("|match:exact+stem+synonym|"), "{after}");
    assert_eq!(pairs[0]["reason"], format!("synonyms in {table}: talo, rakennus"));

    // The signature chooses, in every length, and a signature of before means what it meant.
    let full = format!("meteor|language:fi|synonyms:{table}");
    for name in
        ["meteor|language:fi|synonyms:omw", "meteor|language:fi|synonyms:omw-fi", &full, after]
    {
        assert_eq!(signature(&folder, name), after);
    }
    for name in ["meteor|language:fi|synonyms:none", &before] {
        assert_eq!(signature(&folder, name), before);
    }
    for (name, problem) in [
        ("meteor|language:fi|synonyms:omw-fi-00000000", "which is not installed (omw-fi-"),
        ("meteor|language:fi|synonyms:wn", "which is not installed (there is no table wn-fi)"),
        ("meteor|language:de|synonyms:omw", "which is not installed (there is no table omw-de)"),
        ("meteor|language:fi|synonyms:dictionary", "synonyms is one of none, omw, wn, mythes"),
        ("meteor|language:fi|match:exact|synonyms:omw", "the key 'match' leaves it out"),
        ("meteor|language:fi|synonyms:none|match:exact+synonym", "Finnish has no synonyms here"),
        ("meteor:nltk|synonyms:omw", "has no key 'synonyms'"),
    ] {
        let ran = here(&folder, &["explain", "-m", name, "a", "a"]);
        assert!(ran.fails(2).contains(problem), "{name}: {}", ran.stderr());
    }
}

#[test]
fn languages_have_codes_of_three_letters() {
    let tab = "# Names\tx\tCC\n1\tlemma\tabcd\n1\tlemma\tefgh\n";
    for (three, code) in
        [("ukr", "uk"), ("kat", "ka"), ("vie", "vi"), ("msa", "ms"), ("zho", "zh"), ("lav", "lv")]
    {
        let name = format!("wn-wikt-{three}.tab");
        let folder = Folder::new().with(&name, tab);
        let imported = import(&folder, &[&name]);
        assert_eq!(imported, [format!("synonyms-omw-{code} 1 records")]);
    }
}

#[test]
fn english_keeps_wordnet_unless_the_key_chooses() {
    let tab = "# Made up\teng\n1\tlemma\tbig\n1\tlemma\tzorbly\n";
    let folder = Folder::new().with("wn-data-eng.tab", tab);
    let before = signature(&folder, "meteor");
    import(&folder, &["wn-data-eng.tab"]);
    assert_eq!(signature(&folder, "meteor"), before);
    let chosen = explain(&folder, "meteor|synonyms:omw", ["big", "zorbly"]);
    assert_eq!(chosen["pairs"][0]["stage"], "synonym");
    assert!(!chosen["signature"].as_str().unwrap().contains("data:wordnet"));
}

#[test]
fn every_format_is_read() {
    let database = include_bytes!("../../../bolide-store/testdata/wn.db");
    let zipped = zip(&[
        ("omw-1.4/fin/wn-data-fin.tab", OMW.as_bytes()),
        ("omw-1.4/nor/wn-data-nob.tab", b"# Norsk\tnob\n1\tlemma\thus\n1\tlemma\tbygning\n"),
        ("omw-1.4/nor/wn-data-nno.tab", b"# Norsk\tnno\n1\tlemma\tbygg\n"),
        ("omw-1.4/xyz/wn-data-xyz.tab", b"# Unknown\txyz\n1\tlemma\ta\n1\tlemma\tb\n"),
        ("omw-1.4/README", b"not a table"),
    ]);
    let folder = Folder::new()
        .with("omw-1.4.zip", zipped)
        .with("thesaurus.oxt", zip(&[("dict/th_de_DE_v2.dat", MYTHES), ("a.xml", b"<a/>")]))
        .with("th_de_AT_v2.dat", MYTHES)
        .with("small.xml", LMF)
        .with("small.xml.gz", gzip(LMF.as_bytes()))
        .with("wn.db", database);
    let two = ["synonyms-omw-fi 2 records", "synonyms-omw-no 1 records"];
    assert_eq!(import(&folder, &["omw-1.4.zip"]), two);
    assert_eq!(import(&folder, &["omw-1.4.zip", "--language", "nb"]), two[1..]);
    let de = "synonyms-mythes-de 2 records";
    assert_eq!(import(&folder, &["thesaurus.oxt"]), [de]);
    let of_extension = std::fs::read(folder.path("data/synonyms-mythes-de.bolide")).unwrap();
    assert_eq!(import(&folder, &["th_de_AT_v2.dat"]), [de]);
    let both = ["synonyms-wn-de 1 records", "synonyms-wn-fr 1 records"];
    for name in ["small.xml", "small.xml.gz"] {
        assert_eq!(import(&folder, &[name]), both);
    }
    let french = || signature(&folder, "meteor|language:fr");
    let of_lmf = french();
    assert_eq!(import(&folder, &["wn.db", "-l", "fr"]), both[1..]);
    // The same words have the same name, whatever file they come from.
    assert_eq!(french(), of_lmf);
    assert_eq!(import(&folder, &["wn.db"]), ["synonyms-wn-de 61 records", both[1]]);
    assert!(!of_extension.is_empty());

    // A wordnet comes before a thesaurus, and both are there.
    assert!(signature(&folder, "meteor|language:de").contains("|synonyms:wn-de-"));
    let texts = ["Das Heim", "Die Häuser"];
    let explanation = explain(&folder, "meteor|language:de|synonyms:mythes", texts);
    let reason = explanation["pairs"][0]["reason"].as_str().unwrap();
    assert!(reason.ends_with(": haus, heim"), "{reason}");

    let listed = here(&folder, &["languages", "--format", "json"]).fine().to_owned();
    let listed: Value = serde_json::from_str(&listed).unwrap();
    let of = |code: &str| {
        listed["languages"].as_array().unwrap().iter().find(|l| l["code"] == code).unwrap().clone()
    };
    assert_eq!(of("de")["tables"].as_array().unwrap().len(), 2);
    assert_eq!(of("de")["tables"][0]["source"], "Small wordnet 1");
    assert_eq!(of("fi")["tables"][0]["licence"], "CC BY 3.0");
    assert_eq!(of("en")["tables"], Value::Array(Vec::new()));
    let text = here(&folder, &["languages"]).fine().to_owned();
    assert!(text.contains("omw-fi-"), "{text}");
    assert_eq!(here(&folder, &["data", "verify"]).fine().lines().count(), 5);
    // All damaged tables are named, not only the first.
    let tables: Vec<_> = std::fs::read_dir(folder.path("data")).unwrap().flatten().collect();
    let kept: Vec<Vec<u8>> = tables.iter().map(|it| std::fs::read(it.path()).unwrap()).collect();
    for (table, kept) in tables.iter().zip(&kept) {
        std::fs::write(table.path(), &kept[..kept.len() - 1]).unwrap();
    }
    let ran = here(&folder, &["data", "verify"]);
    assert_eq!(ran.fails(1).matches("import it again").count(), 5, "{}", ran.stderr());
    for (table, kept) in tables.iter().zip(&kept) {
        std::fs::write(table.path(), kept).unwrap();
    }
    here(&folder, &["data", "remove", "synonyms-wn-de"]).fine();
    assert!(signature(&folder, "meteor|language:de").contains("|synonyms:mythes-de-"));
}

/// Imports a file that must fail, and returns the message.
fn refuse(name: &str, bytes: &[u8]) -> String {
    let folder = Folder::new().with(name, bytes);
    let ran = here(&folder, &["data", "import", name]);
    let message = ran.fails(1).to_owned();
    assert!(message.contains(name), "{message}");
    assert_eq!(message.lines().count(), 1, "{message}");
    let left = std::fs::read_dir(folder.path("data")).map_or(0, Iterator::count);
    assert_eq!(left, 0, "{name} leaves something behind");
    message
}

#[test]
fn hostile_files_are_refused_and_leave_nothing_behind() {
    let long = vec![b'x'; 100 << 20];
    let laughs = "<!DOCTYPE x [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;\">]><LexicalResource/>";
    let bomb = zip(&[("wn-data-fin.tab", &vec![b'x'; 300 << 20])]);
    let lines = zip(&[("wn-data-fin.tab", "1\tlemma\tx\n".repeat(20 << 20).as_bytes())]);
    let truncated = &LMF[..LMF.find("</Lexicon>").unwrap()];
    let database = include_bytes!("../../../bolide-store/testdata/wn.db");
    let packed = gzip(LMF.as_bytes());
    for (name, bytes, problem) in [
        ("wn-data-fin.tab", &long[..], "line 1 is longer than 1 MB"),
        ("th_de_DE.dat", &[b"UTF-8\n", &long[..]].concat(), "line 2 is longer than 1 MB"),
        ("long.xml", &[b"<LexicalResource a='", &long[..]].concat(), "a tag is longer than 1 MB"),
        ("laughs.xml", laughs.as_bytes(), "it declares entities of its own"),
        ("bomb.zip", &bomb, "line 1 is longer than 1 MB"),
        ("lines.zip", &lines, "more words than any work has"),
        ("cut.xml", truncated.as_bytes(), "it ends inside of <Lexicon>: it is truncated"),
        ("cut.xml.gz", &packed[..packed.len() / 2], "cut.xml.gz: "),
        ("packed.xml", b"\xfd7zXZ\0", "unpack it first with 'xz -dk FILE'"),
        ("page.xml", b"<html></html>", "this is not WN-LMF"),
        ("empty.xml", b"", "this is not XML"),
        ("wn-data-fin.tab", b"1\tlemma\n", "line 1: expected synset, type and word"),
        ("wn-data-fin.tab", b"1\tlemma\t\xff\n", "line 1: it is not UTF-8"),
        ("wn-data-fin.tab", b"1\tlemma\talone\n", "no set of two or more single words of Finnish"),
        ("words.tab", b"1\tlemma\ta\n", "give it with --language"),
        ("th_de_DE.dat", b"haus|1\n", "line 1 should name an encoding, got 'haus|1'"),
        ("th_de_DE.dat", b"UTF-8\nhaus|2\n-|bau\n", "it ends inside an entry, at line 3"),
        ("th_de_DE.dat", b"UTF-8\nhaus\n", "line 2: expected a word and its number of meanings"),
        ("th_de_DE.dat", b"UTF-8\nhaus|99999999999999\n-|bau\n", "it ends inside an entry"),
        ("wn.db", b"SQLite format 3\0", "the database is damaged"),
        ("wn.db", b"text", "this is not a database of SQLite"),
        ("wn.db", &database[..database.len() / 2], "the database is"),
        ("empty.zip", &zip(&[("a", b"b")]), "no wn-data-*.tab and no th_*.dat in it"),
    ] {
        let message = refuse(name, bytes);
        assert!(message.contains(problem), "{name}: {message}");
    }
}

#[test]
fn no_damage_to_a_database_or_archive_does_harm() {
    let database = include_bytes!("../../../bolide-store/testdata/wn.db");
    let zipped = zip(&[("wn-data-fin.tab", OMW.as_bytes())]);
    for (name, good) in [("wn.db", &database[..]), ("omw.zip", &zipped), ("a.xml", LMF.as_bytes())]
    {
        for at in (0..good.len()).step_by(good.len() / 24 + 1) {
            let mut bad = good.to_vec();
            bad[at] ^= 0xff;
            let folder = Folder::new().with(name, bad);
            // The bytes may be of no importance. If they are, there is one line and nothing else.
            let ran = here(&folder, &["data", "import", name]);
            if ran.code() != 0 {
                assert_eq!(ran.fails(1).lines().count(), 1, "{name}, byte {at}");
                assert_eq!(std::fs::read_dir(folder.path("data")).map_or(0, Iterator::count), 0);
            }
        }
    }
}

#[test]
fn a_damaged_table_is_an_error_and_no_other_score() {
    let folder = Folder::new().with("wn-data-fin.tab", OMW);
    import(&folder, &["wn-data-fin.tab"]);
    let table = folder.path("data/synonyms-omw-fi.bolide");
    let good = std::fs::read(&table).unwrap();
    for at in (8..good.len()).step_by(good.len() / 12) {
        let mut bad = good.clone();
        bad[at] ^= 0x10;
        std::fs::write(&table, &bad).unwrap();
        let args = ["explain", "-m", "meteor|language:fi", "talo", "rakennus"];
        let message = here(&folder, &args).fails(1).to_owned();
        assert!(message.contains("import it again"), "byte {at}: {message}");
        // What does not use the table does not look at it.
        for metric in
            ["meteor", "meteor|language:fi|synonyms:none", "meteor|language:fi|match:exact"]
        {
            here(&folder, &["explain", "-m", metric, "talo", "talo"]).fine();
        }
    }
}
