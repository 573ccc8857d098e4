//! Writes the WordNet table. `bolide::unstable::lexicon::table` describes the layout and reads it. The two
//! share no code, so reading the table back tests both.

use super::source::WordNet;
use anyhow::{Context, Result, ensure};
use std::collections::{BTreeMap, BTreeSet};

const NAMES_PER_BLOCK: usize = 16;
const SYNSETS_PER_START: usize = 32;
const LINK_BITS: u32 = 18;
const NO_BASE: u32 = (1 << LINK_BITS) - 1;
const MAX_NAME: usize = 120;
const FREQUENT: [(u8, usize, usize); 7] = [
    (LOWER, 1, 0),
    (LOWER, 0, 1),
    (FIRST, 1, 0),
    (FIRST, 0, 1),
    (MASK, 0, 1),
    (LOWER, 2, 0),
    (WORDS, 0, 1),
];
const LOWER: u8 = 0;
const FIRST: u8 = 1;
const WORDS: u8 = 2;
const MASK: u8 = 3;

/// Encodes everything. The same sources give the same bytes.
pub fn encode(wordnet: &WordNet) -> Result<Vec<u8>> {
    let names = Names::new(wordnet)?;

    let mut synsets: Vec<_> = wordnet.synsets.iter().collect();
    let led_by = |names: &Names, synset: &super::source::Synset| names.id(&synset.names[0]);
    synsets.sort_by_key(|synset| (led_by(&names, synset), pos_code(synset.pos), synset.offset));
    ensure!(synsets.len() < 1 << LINK_BITS, "too many synsets for a link");

    let mut n_led = vec![0usize; names.list.len()];
    let mut memberships = vec![Vec::new(); names.list.len()];
    let (mut records, mut starts, mut members) = (Vec::new(), Vec::new(), Vec::new());
    for (id, synset) in synsets.iter().enumerate() {
        if id % SYNSETS_PER_START == 0 {
            put_u32(&mut starts, members.len())?;
        }
        ensure!(synset.offset < 1 << 24, "an offset above 24 bits");
        ensure!((1..32).contains(&synset.names.len()), "a synset with too many members");
        let record = synset.offset << 8 | pos_code(synset.pos) << 5 | synset.names.len() as u32;
        records.extend(record.to_le_bytes());
        n_led[led_by(&names, synset) as usize] += 1;
        for name in &synset.names[1..] {
            members.push(names.id(name));
            memberships[names.id(name) as usize].push(id as u32);
        }
    }

    let exceptions = exceptions(wordnet, &names);
    let inflected: BTreeSet<u32> = exceptions.iter().map(|(form, _)| *form).collect();
    let (mut blocks, mut heads, mut text) = (Vec::new(), Vec::new(), Vec::new());
    let (mut led_before, mut links_before) = (0, 0);
    let mut before = String::new();
    for (id, name) in names.list.iter().enumerate() {
        let lower = name.to_ascii_lowercase();
        let mut shared = 0;
        if id % NAMES_PER_BLOCK == 0 {
            put_u32(&mut blocks, text.len())?;
            put_u32(&mut blocks, led_before)?;
            put_u32(&mut blocks, links_before)?;
            heads.extend((0..8).map(|i| lower.as_bytes().get(i).copied().unwrap_or(0)));
        } else {
            let common = lower.bytes().zip(before.bytes()).take_while(|(a, b)| a == b).count();
            // A name that differs from the previous one only in capitals still needs one byte to mark.
            shared = common.min(lower.len() - 1);
        }
        let n_links = memberships[id].len();
        put_name(
            &mut text,
            name,
            &lower,
            shared,
            n_led[id],
            n_links,
            inflected.contains(&(id as u32)),
        )?;
        led_before += n_led[id];
        links_before += n_links;
        before = lower;
    }

    let mut table = b"BOLIDEWN".to_vec();
    let n_links = members.len();
    for count in [1, names.list.len(), synsets.len(), n_links, exceptions.len(), text.len()] {
        put_u32(&mut table, count)?;
    }
    table.extend([0; 8]);
    table.extend(blocks);
    table.extend(heads);
    table.extend(records);
    table.extend(starts);
    table.extend(pack(members.into_iter()));
    table.extend(pack(memberships.into_iter().flatten()));
    for (form, base) in exceptions {
        table.extend(form.to_le_bytes());
        table.extend(base.to_le_bytes());
    }
    table.extend(text);
    let sum = bolide::unstable::lexicon::table_checksum(&table);
    table[32..40].copy_from_slice(&sum.to_le_bytes());
    Ok(table)
}

/// All names, and inflected forms that are not names, in the order of the table.
struct Names {
    list: Vec<String>,
    ids: BTreeMap<String, u32>,
    /// The first name with a lower-case form.
    ids_lower: BTreeMap<String, u32>,
}

impl Names {
    fn new(wordnet: &WordNet) -> Result<Self> {
        let mut list: Vec<String> =
            wordnet.synsets.iter().flat_map(|synset| &synset.names).cloned().collect();
        let lower: BTreeSet<String> = list.iter().map(|name| name.to_ascii_lowercase()).collect();
        let forms = wordnet.exceptions.iter().map(|exception| &exception.form);
        list.extend(forms.filter(|&form| !lower.contains(form)).cloned());
        list.sort_by_key(|name| (name.to_ascii_lowercase(), name.clone()));
        list.dedup();
        ensure!(list.len() < NO_BASE as usize, "too many names for a link");
        for name in &list {
            ensure!(name.is_ascii() && (1..=MAX_NAME).contains(&name.len()), "name {name:?}");
        }
        let ids = list.iter().cloned().zip(0..).collect();
        let mut ids_lower = BTreeMap::new();
        for (name, id) in list.iter().zip(0..) {
            ids_lower.entry(name.to_ascii_lowercase()).or_insert(id);
        }
        Ok(Names { list, ids, ids_lower })
    }

    fn id(&self, name: &str) -> u32 {
        self.ids[name]
    }
}

/// Pairs of an inflected form and a base with its part of speech, sorted by form; within a form the
/// parts of speech and the bases keep the order of the sources.
fn exceptions(wordnet: &WordNet, names: &Names) -> Vec<(u32, u32)> {
    let lemmas: BTreeSet<String> = wordnet
        .synsets
        .iter()
        .flat_map(|synset| &synset.names)
        .map(|name| name.to_ascii_lowercase())
        .collect();
    let mut pairs = Vec::new();
    for exception in &wordnet.exceptions {
        let form = names.ids_lower[&exception.form];
        let flags = pos_code(exception.pos) | u32::from(exception.is_replaced) << 3;
        for base in &exception.bases {
            let base = if lemmas.contains(base) { names.ids_lower[base] } else { NO_BASE };
            let pair = (form, base | flags << LINK_BITS);
            if !pairs.contains(&pair) {
                pairs.push(pair);
            }
        }
    }
    pairs.sort_by_key(|&(form, _)| form);
    pairs
}

fn put_name(
    text: &mut Vec<u8>,
    name: &str,
    lower: &str,
    shared: usize,
    n_led: usize,
    n_links: usize,
    is_inflected: bool,
) -> Result<()> {
    let casing = casing(name, lower);
    let frequent = FREQUENT.iter().position(|frequent| *frequent == (casing, n_led, n_links));
    let code = frequent.filter(|_| !is_inflected).unwrap_or(7) as u8;
    text.push((shared.min(31) as u8) << 3 | code);
    if shared >= 31 {
        text.push(u8::try_from(shared)?);
    }
    if code == 7 {
        let counts = (n_led.min(7) as u8) << 2 | n_links.min(3) as u8;
        text.push(casing << 6 | u8::from(is_inflected) << 5 | counts);
        if n_led >= 7 {
            text.push(u8::try_from(n_led).context("a name that leads too many synsets")?);
        }
        if n_links >= 3 {
            text.push(u8::try_from(n_links).context("a name in too many synsets")?);
        }
    }
    text.extend(&lower.as_bytes()[shared..]);
    if let Some(last) = text.last_mut() {
        *last |= 0x80;
    }
    if casing == MASK {
        for letters in name.as_bytes().chunks(8) {
            let capitals = letters.iter().enumerate().filter(|(_, byte)| byte.is_ascii_uppercase());
            text.push(capitals.fold(0, |mask, (i, _)| mask | 1 << i));
        }
    }
    Ok(())
}

fn casing(name: &str, lower: &str) -> u8 {
    let capitalized = |is_start: &dyn Fn(usize) -> bool| {
        let mut bytes = lower.as_bytes().to_vec();
        (0..bytes.len()).filter(|&i| is_start(i)).for_each(|i| bytes[i].make_ascii_uppercase());
        bytes == name.as_bytes()
    };
    if name == lower {
        LOWER
    } else if capitalized(&|i| i == 0) {
        FIRST
    } else if capitalized(&|i| i == 0 || lower.as_bytes()[i - 1] == b'_') {
        WORDS
    } else {
        MASK
    }
}

fn pos_code(pos: char) -> u32 {
    match pos {
        'n' => 0,
        'v' => 1,
        'a' => 2,
        's' => 3,
        _ => 4,
    }
}

/// Writes 18-bit numbers one after the other, and three more bytes so that the last one can be read as part
/// of a word.
fn pack(numbers: impl Iterator<Item = u32>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let (mut pending, mut n_bits) = (0u64, 0);
    for number in numbers {
        pending |= u64::from(number) << n_bits;
        n_bits += LINK_BITS;
        while n_bits >= 8 {
            bytes.push(pending as u8);
            pending >>= 8;
            n_bits -= 8;
        }
    }
    if n_bits > 0 {
        bytes.push(pending as u8);
    }
    bytes.extend([0; 3]);
    bytes
}

fn put_u32(bytes: &mut Vec<u8>, number: usize) -> Result<()> {
    bytes.extend(u32::try_from(number)?.to_le_bytes());
    Ok(())
}
