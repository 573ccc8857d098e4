//! The step from a phrase to a longer one, as a hash table inside the file.
//!
//! A step reads one bucket, and the node only if a tag fits. A bucket is sixteen little-endian numbers, as
//! long as a usual cache line: the low bits of each are a node, the high bits the tag, and 0 ends a bucket
//! that is not full. Entries that do not fit a full bucket are in one of the next.

use super::{Node, WordId, number};
use crate::error::{Error, ErrorKind, Result};

/// Entries of a bucket.
const WIDTH: usize = 16;
/// The average number of entries in a bucket.
const USUAL: usize = 11;
/// The largest number of buckets to search.
const NEAR: usize = 64;

/// The size of a table's section of edges.
pub(super) fn n_buckets(n_nodes: usize) -> usize {
    n_nodes / USUAL + 1
}

/// The bytes of a bucket.
pub(super) const BUCKET: usize = 4 * WIDTH;

/// The section of edges.
#[derive(Clone, Copy)]
pub(super) struct Edges<'t> {
    buckets: &'t [[u8; BUCKET]],
    /// The number of low bits that hold the node.
    node_bits: u32,
}

/// The number of bits that a node needs.
fn node_bits(n_nodes: usize) -> u32 {
    usize::BITS - n_nodes.leading_zeros()
}

/// A hash of a step.
fn hash(node: Node, word: WordId) -> u64 {
    let mixed = (u64::from(node) << 32 | u64::from(word)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed ^ mixed >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93)
}

/// The bucket to start at: the high half of the hash, scaled.
fn bucket(hash: u64, n_buckets: usize) -> usize {
    (((hash >> 32) * n_buckets as u64) >> 32) as usize
}

/// The tag, in the bits above the node. It comes from the low half of the hash.
fn tag(hash: u64, node_bits: u32) -> u32 {
    (hash as u32).checked_shl(node_bits).unwrap_or(0)
}

impl<'t> Edges<'t> {
    pub(super) fn new(section: &'t [u8], n_nodes: usize) -> Self {
        Edges { buckets: section.as_chunks().0, node_bits: node_bits(n_nodes) }
    }

    /// The node that a step leads to, if `is_it` confirms it; otherwise 0.
    #[inline]
    pub(super) fn find(
        &self,
        node: Node,
        word: WordId,
        mut is_it: impl FnMut(Node) -> bool,
    ) -> Node {
        let hash = hash(node, word);
        let tag = tag(hash, self.node_bits);
        let low = 1u32.checked_shl(self.node_bits).map_or(u32::MAX, |bit| bit - 1);
        let mut at = bucket(hash, self.buckets.len());
        for _ in 0..NEAR {
            let Some(bucket) = self.buckets.get(at) else { return 0 };
            for entry in 0..WIDTH {
                let entry = number(bucket, entry);
                if entry & !low == tag && entry != 0 && is_it(entry & low) {
                    return entry & low;
                }
            }
            if number(bucket, WIDTH - 1) == 0 {
                return 0;
            }
            at = if at + 1 == self.buckets.len() { 0 } else { at + 1 };
        }
        0
    }
}

/// Builds the section: `words` are the last words of the nodes, `first_child` the start of each node's
/// children.
pub(super) fn build(words: &[WordId], first_child: &[u32]) -> Result<Vec<u32>> {
    let n_nodes = words.len();
    let (n_buckets, node_bits) = (n_buckets(n_nodes), node_bits(n_nodes));
    let mut entries = vec![0; n_buckets * WIDTH];
    for (node, children) in first_child.windows(2).enumerate() {
        for child in children[0]..children[1] {
            let hash = hash(node as Node, words[child as usize]);
            let mut at = bucket(hash, n_buckets);
            let free = (0..NEAR).find_map(|_| {
                let start = at * WIDTH;
                at = (at + 1) % n_buckets;
                (start..start + WIDTH).find(|&entry| entries[entry] == 0)
            });
            let Some(free) = free else {
                let message = "the paraphrase table has too many phrases that are alike";
                return Err(Error::new(ErrorKind::InvalidTable, message));
            };
            entries[free] = child | tag(hash, node_bits);
        }
    }
    Ok(entries)
}
