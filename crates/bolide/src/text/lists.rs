//! Lists of word numbers in one buffer: the references of a segment, the sentences of a text.

/// Several lists in one buffer.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lists {
    items: Vec<u32>,
    ends: Vec<usize>,
}

impl Lists {
    /// No lists, with room for this many items.
    pub(crate) fn with_capacity(n_items: usize) -> Self {
        Lists { items: Vec::with_capacity(n_items), ends: Vec::new() }
    }

    /// Forgets all lists and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.items.clear();
        self.ends.clear();
    }

    /// Adds an item to the list that is being written.
    #[inline]
    pub(crate) fn push(&mut self, item: u32) {
        self.items.push(item);
    }

    /// The number of items of all lists, including the one that is being written.
    pub(crate) fn n_items(&self) -> usize {
        self.items.len()
    }

    /// Adds items to the list that is being written.
    pub(crate) fn extend(&mut self, items: &[u32]) {
        self.items.extend_from_slice(items);
    }

    /// The list that is being written, for adding items.
    pub(crate) fn items_mut(&mut self) -> &mut Vec<u32> {
        &mut self.items
    }

    /// Ends the list that is being written.
    pub(crate) fn close(&mut self) {
        self.ends.push(self.items.len());
    }

    /// The number of lists that have been ended.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// A list that has been ended; empty if there is none with this index.
    #[inline]
    pub(crate) fn get(&self, idx: usize) -> &[u32] {
        let start =
            idx.checked_sub(1).map_or(0, |before| self.ends.get(before).copied().unwrap_or(0));
        self.ends.get(idx).and_then(|&end| self.items.get(start..end)).unwrap_or_default()
    }

    /// The lists that have been ended, in order.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = &[u32]> + Clone {
        self.ends.iter().enumerate().map(|(idx, &end)| {
            let start = if idx == 0 { 0 } else { self.ends[idx - 1] };
            &self.items[start..end]
        })
    }
}
