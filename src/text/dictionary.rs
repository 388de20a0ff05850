//! Short texts that come again and again: statuses, codes, categories.
//!
//! The simple version makes a new string of each. Here a text that was met before is told by the number of its slot, and
//! JavaScript takes the string that it keeps for the slot: nothing to make, to collect or to keep. Both sides have the same
//! slots because JavaScript makes the strings of a batch's new texts, all of them and in order, before it reads a row.
//!
//! A slot that a cell of the present batch points to keeps its text until the next batch: what finds it occupied goes to a
//! pool like any other. So the dictionary is bounded, and a column of ever new texts pushes nobody out for long: it is
//! given up ([`Luck`]) and tried again after a while.

/// How many texts are kept.
pub const SLOTS: usize = 512;
/// The longest text that is kept: what is longer points into its pool and is not copied.
pub const MOST_BYTES: usize = 12;
/// How many new texts a batch may bring.
pub const MOST_NEW: usize = 128;

/// A text of up to [`MOST_BYTES`] ASCII bytes, with its length, as one number.
type Key = u128;

/// The key of the first `length` bytes of a block, of a `length` from 1 to [`MOST_BYTES`].
#[inline]
#[must_use]
pub fn key(block: u128, length: usize) -> Key {
    (block & ((1 << (8 * length)) - 1)) | (length as u128) << 120
}

/// What the dictionary says of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// It is in this slot.
    Known(usize),
    /// It was not known and is in this slot from now on; [`Dictionary::learn`] has to be told where its characters are.
    New(usize),
    /// It is not known, and there is no room for it in this batch.
    NoRoom,
}

/// A new text of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct New {
    /// Where it is kept.
    pub slot: usize,
    /// Where its characters begin in the pool.
    pub start: usize,
    /// Where they end.
    pub end: usize,
}

#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    /// 0, which is no key, where there is none.
    text: Key,
    /// The last batch in which a cell pointed here.
    batch: u32,
}

/// The texts that are kept.
#[derive(Debug)]
pub struct Dictionary {
    slots: Box<[Slot]>,
    batch: u32,
    new: Vec<New>,
}

impl Default for Dictionary {
    fn default() -> Self {
        Self { slots: vec![Slot::default(); SLOTS].into(), batch: 0, new: Vec::with_capacity(MOST_NEW) }
    }
}

impl Dictionary {
    /// Begins a batch: what the last one pointed to may be replaced.
    pub fn begin(&mut self) {
        // Where the number comes round, a slot may look as if it were of this batch; it then keeps its text for longer.
        self.batch = self.batch.wrapping_add(1).max(1);
        self.new.clear();
    }

    /// The texts that this batch brought, in the order in which they came.
    #[must_use]
    pub fn new_texts(&self) -> &[New] {
        &self.new
    }

    /// Looks a text up and finds a slot for it if it is not there.
    #[inline]
    pub fn find(&mut self, text: Key) -> Found {
        let folded = text as u64 ^ ((text >> 64) as u64).rotate_left(29);
        let index = (folded.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 55) as usize % SLOTS;
        let slot = &mut self.slots[index];
        if slot.text == text {
            slot.batch = self.batch;
            return Found::Known(index);
        }
        if slot.batch == self.batch || self.new.len() == MOST_NEW {
            return Found::NoRoom;
        }
        *slot = Slot { text, batch: self.batch };
        Found::New(index)
    }

    /// Remembers where the characters of a new text are.
    pub fn learn(&mut self, new: New) {
        self.new.push(new);
    }

    /// Gives a slot up again that [`Dictionary::find`] has just found.
    pub fn forget(&mut self, slot: usize) {
        self.slots[slot].text = 0;
    }

    /// Takes back what was learnt since there were `length` new texts: their characters are in no pool any more.
    pub fn truncate(&mut self, length: usize) {
        while self.new.len() > length
            && let Some(New { slot, .. }) = self.new.pop()
        {
            self.forget(slot);
        }
    }
}

/// Whether it is worth looking up the texts of a column.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Luck {
    /// Hits less misses, within bounds.
    balance: i8,
    /// How often the column was given up in a row.
    losses: u8,
    /// How many texts to let pass before the next try.
    rest: u16,
}

impl Luck {
    const MOST: i8 = 16;
    const LEAST: i8 = -16;

    /// Whether to look the next text up.
    #[inline]
    pub fn is_worth_a_try(&mut self) -> bool {
        if self.rest == 0 {
            return true;
        }
        self.rest -= 1;
        false
    }

    /// The text was known.
    #[inline]
    pub fn hit(&mut self) {
        self.balance += i8::from(self.balance < Self::MOST);
        self.losses = 0;
    }

    /// The text was not known.
    #[inline]
    pub fn miss(&mut self) {
        self.balance -= 1;
        if self.balance <= Self::LEAST {
            self.balance = 0;
            self.rest = 1 << (9 + self.losses.min(6));
            self.losses = self.losses.saturating_add(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key_of(text: &str) -> Key {
        let mut block = [0xff; 16];
        block[..text.len()].copy_from_slice(text.as_bytes());
        key(u128::from_le_bytes(block), text.len())
    }

    fn find(dictionary: &mut Dictionary, text: &str) -> Found {
        let found = dictionary.find(key_of(text));
        if let Found::New(slot) = found {
            dictionary.learn(New { slot, start: 0, end: text.len() });
        }
        found
    }

    #[test]
    fn keys_are_told_apart_by_length_and_by_every_byte() {
        let mut block = [0; 16];
        assert_ne!(key(u128::from_le_bytes(block), 3), key(u128::from_le_bytes(block), 4));
        for place in 0..MOST_BYTES {
            let before = key(u128::from_le_bytes(block), MOST_BYTES);
            block[place] = 1;
            assert_ne!(key(u128::from_le_bytes(block), MOST_BYTES), before);
        }
        assert_eq!(key_of("open"), key(u128::from_le_bytes(*b"open, and others"), 4));
        assert_ne!(key_of("a"), 0);
    }

    #[test]
    fn a_text_is_known_from_its_second_time_on() {
        let mut dictionary = Dictionary::default();
        dictionary.begin();
        let Found::New(slot) = find(&mut dictionary, "pending") else { panic!("it is new") };
        assert_eq!(find(&mut dictionary, "pending"), Found::Known(slot));
        dictionary.begin();
        assert_eq!(find(&mut dictionary, "pending"), Found::Known(slot));
        assert!(dictionary.new_texts().is_empty());
    }

    #[test]
    fn what_a_batch_points_to_stays_until_the_next_one() {
        let mut dictionary = Dictionary::default();
        let texts: Vec<String> = (0..10_000).map(|number| format!("text {number}")).collect();
        for batch in texts.chunks(1000) {
            dictionary.begin();
            let mut strings = std::collections::HashMap::new();
            for text in batch {
                match find(&mut dictionary, text) {
                    Found::New(slot) => assert!(strings.insert(slot, text).is_none()),
                    Found::Known(_) => panic!("no text comes twice"),
                    Found::NoRoom => {}
                }
            }
            assert_eq!(dictionary.new_texts().len(), MOST_NEW);
            for (slot, text) in strings {
                assert_eq!(find(&mut dictionary, text), Found::Known(slot));
            }
        }
    }

    #[test]
    fn what_is_taken_back_is_new_again() {
        let mut dictionary = Dictionary::default();
        dictionary.begin();
        find(&mut dictionary, "kept");
        find(&mut dictionary, "lost");
        dictionary.truncate(1);
        assert_eq!(dictionary.new_texts().len(), 1);
        assert!(matches!(find(&mut dictionary, "kept"), Found::Known(_)));
        dictionary.begin();
        assert!(matches!(find(&mut dictionary, "lost"), Found::New(_)));
    }

    #[test]
    fn a_column_without_luck_is_given_up_for_longer_each_time() {
        let mut luck = Luck::default();
        let mut tries = 0;
        for _ in 0..100_000 {
            if luck.is_worth_a_try() {
                tries += 1;
                luck.miss();
            }
        }
        assert!((100..300).contains(&tries), "{tries}");
        for _ in 0..1 << 15 {
            luck.is_worth_a_try();
        }
        for _ in 0..1000 {
            assert!(luck.is_worth_a_try());
            luck.hit();
            luck.hit();
            luck.miss();
        }
    }
}
