//! Where the bytes of a value are wanted.

use std::mem::MaybeUninit;

/// A piece of a sink's memory that is filled from its beginning.
///
/// The memory need not have been written before: it may be the room behind a vector's elements, a file's buffer, or memory
/// that is not Rust's at all, which is why it is a slice. What was filled is counted at the place where the sink keeps the
/// count, with each byte that is put: a sink that reads no further than that reads only what was written.
///
/// ```
/// use std::mem::MaybeUninit;
/// use pg_protocol_native::sink::Destination;
///
/// let mut memory = [MaybeUninit::uninit(); 4];
/// let mut filled = 0;
/// let mut room = Destination::new(&mut memory, &mut filled);
/// assert_eq!(room.put(b"abc"), 3);
/// assert_eq!(room.put(b"def"), 1);
/// assert_eq!(room.room(), 0);
/// assert_eq!(filled, 4);
///
/// let mut vector = Vec::with_capacity(10);
/// Destination::of_vec(&mut vector, 2).put(b"xyz");
/// assert_eq!(vector, b"xy");
/// ```
#[derive(Debug)]
pub struct Destination<'a>(Place<'a>);

#[derive(Debug)]
enum Place<'a> {
    Slice { rest: &'a mut [MaybeUninit<u8>], filled: &'a mut usize },
    Vec { vector: &'a mut Vec<u8>, room: usize },
}

impl<'a> Destination<'a> {
    /// The bytes go into `memory`; `filled` is raised by their number.
    ///
    /// Nothing else writes `filled` as long as the destination lives, so that `memory` up to the number by which it was
    /// raised is initialised.
    #[inline]
    #[must_use]
    pub fn new(memory: &'a mut [MaybeUninit<u8>], filled: &'a mut usize) -> Self {
        Self(Place::Slice { rest: memory, filled })
    }

    /// The bytes go behind the elements of `vector`, at most `room` of them. Nothing is reallocated where the vector has
    /// the capacity.
    #[inline]
    #[must_use]
    pub fn of_vec(vector: &'a mut Vec<u8>, room: usize) -> Self {
        Self(Place::Vec { vector, room })
    }

    /// How many more bytes it takes.
    #[inline]
    #[must_use]
    pub fn room(&self) -> usize {
        match &self.0 {
            Place::Slice { rest, .. } => rest.len(),
            Place::Vec { room, .. } => *room,
        }
    }

    /// Puts as many of the bytes as there is room for; gives their number.
    #[inline]
    pub fn put(&mut self, bytes: &[u8]) -> usize {
        let taken = bytes.len().min(self.room());
        let bytes = &bytes[..taken];
        match &mut self.0 {
            Place::Slice { rest, filled } => {
                let (now, later) = std::mem::take(rest).split_at_mut(taken);
                for (place, byte) in now.iter_mut().zip(bytes) {
                    place.write(*byte);
                }
                *rest = later;
                **filled += taken;
            }
            Place::Vec { vector, room } => {
                vector.extend_from_slice(bytes);
                *room -= taken;
            }
        }
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_byte_lands_outside() {
        for size in 0..6 {
            let mut memory = [MaybeUninit::new(0xee_u8); 8];
            let mut filled = 10;
            let mut room = Destination::new(&mut memory[1..1 + size], &mut filled);
            let mut taken = 0;
            for piece in [&b"ab"[..], b"", b"cde", b"f"] {
                taken += room.put(piece);
            }
            assert_eq!((taken, room.room()), (size, 0));
            assert_eq!(filled, 10 + size);
            let mut expected = [0xee; 8];
            expected[1..1 + size].copy_from_slice(&b"abcdef"[..size]);
            // SAFETY: all of it was initialised above.
            assert_eq!(memory.map(|byte| unsafe { byte.assume_init() }), expected);
        }
    }

    #[test]
    fn a_vector_takes_no_more_than_was_said() {
        let mut vector = b"before".to_vec();
        let mut room = Destination::of_vec(&mut vector, 3);
        assert_eq!((room.put(b"ab"), room.put(b"cd"), room.put(b"e"), room.room()), (2, 1, 0, 0));
        assert_eq!(vector, b"beforeabc");
    }
}
