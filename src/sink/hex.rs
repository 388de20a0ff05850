//! A `bytea` in hex form: two digits a byte, upper or lower case.
//!
//! The simple version looks up one digit after the other. Here a block of digits is decoded without a branch, which the
//! compiler makes vectors of; whether all of them were digits is asked once per block.

use super::Destination;

/// So many bytes are decoded at once, by way of the stack: they stay in the nearest cache.
const BLOCK: usize = 1024;

/// Decodes `text` into `out` and tells whether all of it was digits.
///
/// ```
/// use pg_protocol_native::sink::hex::decode;
/// let mut out = [0; 2];
/// assert!(decode(b"00fF", &mut out));
/// assert_eq!(out, [0, 255]);
/// assert!(!decode(b"0g00", &mut out));
/// ```
///
/// # Panics
/// If there are not two digits for each byte of `out`.
#[inline]
pub fn decode(text: &[u8], out: &mut [u8]) -> bool {
    assert_eq!(text.len(), 2 * out.len(), "two digits a byte");
    let (blocks, text) = text.as_chunks::<LANES>();
    let (bytes, out) = out.as_chunks_mut::<{ LANES / 2 }>();
    let mut worst = 0;
    for (digits, bytes) in blocks.iter().zip(bytes) {
        let values = digits.map(digit);
        worst |= values.iter().fold(0, |worst, value| worst | value);
        *bytes = join(&values);
    }
    for ([high, low], byte) in text.as_chunks::<2>().0.iter().zip(out) {
        let (high, low) = (digit(*high), digit(*low));
        worst |= high | low;
        *byte = high << 4 | low & 0xf;
    }
    worst <= 0xf
}

/// So many digits at once make whole vectors on every machine.
const LANES: usize = 32;

/// Pairs of values to bytes. As numbers of 16 bits: the first of a pair is the lower half, and has to go up.
#[inline]
fn join(values: &[u8; LANES]) -> [u8; LANES / 2] {
    let mut bytes = [0; LANES / 2];
    for (pair, byte) in values.as_chunks::<2>().0.iter().zip(&mut bytes) {
        let pair = u16::from_le_bytes(*pair);
        *byte = (pair << 4 | pair >> 8) as u8;
    }
    bytes
}

/// The value of a digit; above 15 for what is none. Written for vectors of bytes: both ranges are looked at, and a mask of
/// ones or zeros chooses.
#[inline]
fn digit(byte: u8) -> u8 {
    let decimal = byte.wrapping_sub(b'0');
    let letter = (byte | 0x20).wrapping_sub(b'a');
    let is_decimal = 0_u8.wrapping_sub(u8::from(decimal < 10));
    let is_letter = 0_u8.wrapping_sub(u8::from(letter < 6));
    decimal & is_decimal | letter.wrapping_add(10) & is_letter | 0x80 & !(is_decimal | is_letter)
}

/// A value whose digits arrive piece by piece.
#[derive(Debug, Default)]
pub struct HexDecoder {
    /// The first digit of a byte whose second one has not come.
    odd: Option<u8>,
}

/// A character that is no hex digit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoDigit;

impl HexDecoder {
    /// How many bytes so many more digits make.
    #[must_use]
    pub fn bytes_of(&self, digits: usize) -> usize {
        (digits + usize::from(self.odd.is_some())) / 2
    }

    /// Decodes as much of `text` as `out` has room for; gives the number of digits taken.
    ///
    /// # Errors
    /// [`NoDigit`] where one of them is none. What was put into `out` before is of no use.
    pub fn decode(&mut self, text: &[u8], out: &mut Destination<'_>) -> Result<usize, NoDigit> {
        let mut at = 0;
        let mut block = [0; BLOCK];
        if let (Some(first), Some(&second)) = (self.odd, text.first())
            && out.room() > 0
        {
            at = self.put(&[first, second], &mut block, out)? - 1;
            self.odd = None;
        }
        while self.odd.is_none() {
            let bytes = ((text.len() - at) / 2).min(out.room()).min(BLOCK);
            if bytes == 0 {
                break;
            }
            at += self.put(&text[at..at + 2 * bytes], &mut block, out)?;
        }
        if at + 1 == text.len() && self.odd.is_none() {
            self.odd = Some(text[at]);
            at += 1;
        }
        Ok(at)
    }

    fn put(&self, text: &[u8], block: &mut [u8; BLOCK], out: &mut Destination<'_>) -> Result<usize, NoDigit> {
        let bytes = &mut block[..text.len() / 2];
        if !decode(text, bytes) {
            return Err(NoDigit);
        }
        let put = out.put(bytes);
        debug_assert_eq!(put, bytes.len());
        Ok(text.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_character_is_a_digit_or_none() {
        for byte in 0..=u8::MAX {
            let expected = char::from(byte).to_digit(16);
            let mut out = [0];
            assert_eq!(decode(&[byte, b'0'], &mut out).then_some(u32::from(out[0] >> 4)), expected);
            assert_eq!(decode(&[b'0', byte], &mut out).then_some(u32::from(out[0])), expected);
            assert_eq!(decode(&[byte, byte], &mut out), expected.is_some());
        }
    }

    /// Feeds the pieces, each as often as there is room of `room` bytes.
    fn in_pieces(text: &[u8], size: usize, room: usize) -> Option<(Vec<u8>, bool)> {
        let mut decoder = HexDecoder::default();
        let mut value = Vec::new();
        for mut piece in text.chunks(size) {
            while !piece.is_empty() {
                let taken = decoder.decode(piece, &mut Destination::of_vec(&mut value, room)).ok()?;
                assert!(taken > 0);
                piece = &piece[taken..];
            }
        }
        Some((value, decoder.odd.is_some()))
    }

    fn naive(text: &[u8]) -> Option<(Vec<u8>, bool)> {
        let digits: Vec<u32> = text.iter().map(|&byte| char::from(byte).to_digit(16)).collect::<Option<_>>()?;
        let value = digits.chunks_exact(2).map(|pair| (pair[0] * 16 + pair[1]) as u8).collect();
        Some((value, digits.len() % 2 == 1))
    }

    proptest! {
        #[test]
        fn digits_in_pieces_are_what_they_are_together(text in "[0-9a-fA-F]{0,200}", size in 1..40_usize, room in 1..30_usize) {
            prop_assert_eq!(in_pieces(text.as_bytes(), size, room), naive(text.as_bytes()));
        }

        #[test]
        fn no_other_character_is_taken_for_a_digit(
            text in prop::collection::vec(prop_oneof![50 => prop::sample::select(b"0123456789abcdefABCDEF".to_vec()), 1 => any::<u8>()], 0..100),
            size in 1..40_usize
        ) {
            // The last digit of an odd number has not been looked at yet.
            let even = &text[..text.len() / 2 * 2];
            let found = in_pieces(&text, size, 7);
            prop_assert_eq!(found.map(|(value, _)| value), naive(even).map(|(value, _)| value));
        }
    }

    #[test]
    fn long_values_take_several_blocks() {
        let value: Vec<u8> = (0..100_000_u32).map(|i| (i * 7 + i / 300) as u8).collect();
        let text: String = value.iter().map(|byte| format!("{byte:02x}")).collect();
        for size in [1, 999, 2048, 65_537, 200_000] {
            assert_eq!(in_pieces(text.as_bytes(), size, 3000), Some((value.clone(), false)));
        }
    }
}
