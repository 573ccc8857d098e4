//! Lists of word numbers in one buffer: the references of a segment, the sentences of a text.

/// Several lists in one buffer.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lists {
    items: Vec<u32>,
    ends: Vec<usize>,
}

impl Lists {
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

    /// Adds items to the list that is being written.
    pub(crate) fn extend(&mut self, items: &[u32]) {
        self.items.extend_from_slice(items);
    }

    /// Ends the list that is being written.
    pub(crate) fn close(&mut self) {
        self.ends.push(self.items.len());
    }

    /// The lists that have been ended, in order.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = &[u32]> + Clone {
        self.ends.iter().enumerate().map(|(idx, &end)| {
            let start = if idx == 0 { 0 } else { self.ends[idx - 1] };
            &self.items[start..end]
        })
    }
}
