//! Arrays in binary format.
//!
//! ```text
//! | levels | has NULLs | element's OID | (size, lower bound) per level | (length, bytes) per element |
//! ```

/// PostgreSQL's `MAXDIM`.
pub const MAX_LEVELS: usize = 6;

/// An array whose every length has been checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Array<'a> {
    sizes: [u32; MAX_LEVELS],
    levels: usize,
    /// OID of the elements' type.
    pub element: u32,
    elements: Elements<'a>,
}

/// Reads an array. All lengths are checked here, and nothing is asked for by a number that was read.
///
/// ```
/// use pg_protocol_native::binary::array::parse;
/// let bytes = b"\0\0\0\x01\0\0\0\x01\0\0\0\x17\0\0\0\x02\0\0\0\x01\0\0\0\x04\0\0\0\x07\xff\xff\xff\xff";
/// let array = parse(bytes).unwrap();
/// assert_eq!((array.element, array.sizes()), (23, &[2][..]));
/// assert_eq!(array.elements().collect::<Vec<_>>(), [Some(&b"\0\0\0\x07"[..]), None]);
/// ```
#[must_use]
pub fn parse(bytes: &[u8]) -> Option<Array<'_>> {
    let (levels, rest) = word(bytes)?;
    let (nulls, rest) = word(rest)?;
    let (element, mut rest) = word(rest)?;
    let levels = usize::try_from(levels).ok()?;
    if levels > MAX_LEVELS || nulls > 1 {
        return None;
    }
    let mut sizes = [0; MAX_LEVELS];
    let mut count = usize::from(levels > 0);
    for size in &mut sizes[..levels] {
        (*size, rest) = word(rest)?;
        (_, rest) = word(rest)?;
        // an empty array has no levels; each element takes four bytes at least
        count = count.checked_mul(*size as usize).filter(|count| (1..=bytes.len() / 4).contains(count))?;
    }
    let elements = Elements { rest };
    for _ in 0..count {
        (_, rest) = cell(rest)?;
    }
    if rest.is_empty() { Some(Array { sizes, levels, element, elements }) } else { None }
}

impl<'a> Array<'a> {
    /// How many entries each level has, the outermost first; none for an empty array.
    #[must_use]
    pub fn sizes(&self) -> &[u32] {
        &self.sizes[..self.levels]
    }

    /// The elements of all levels in their order, `None` for NULL.
    #[must_use]
    pub fn elements(&self) -> Elements<'a> {
        self.elements
    }
}

/// The elements of an [`Array`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Elements<'a> {
    /// Whole elements only: [`parse`] has walked over them.
    rest: &'a [u8],
}

impl<'a> Iterator for Elements<'a> {
    type Item = Option<&'a [u8]>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let (element, rest) = cell(self.rest)?;
        self.rest = rest;
        Some(element)
    }
}

#[inline]
fn word(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let (word, rest) = bytes.split_first_chunk::<4>()?;
    Some((u32::from_be_bytes(*word), rest))
}

#[inline]
fn cell(bytes: &[u8]) -> Option<(Option<&[u8]>, &[u8])> {
    let (length, rest) = word(bytes)?;
    if length == u32::MAX {
        return Some((None, rest));
    }
    let (element, rest) = rest.split_at_checked(usize::try_from(length).ok()?)?;
    Some((Some(element), rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn wire(sizes: &[u32], element: u32, elements: &[Option<Vec<u8>>]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for word in [sizes.len() as u32, u32::from(elements.contains(&None)), element] {
            bytes.extend(word.to_be_bytes());
        }
        for size in sizes {
            bytes.extend(size.to_be_bytes());
            bytes.extend((-1_i32).to_be_bytes());
        }
        for element in elements {
            bytes.extend(element.as_ref().map_or(-1, |bytes| bytes.len() as i32).to_be_bytes());
            bytes.extend(element.iter().flatten());
        }
        bytes
    }

    #[test]
    fn an_empty_array_has_no_levels() {
        let bytes = wire(&[], 25, &[]);
        let array = parse(&bytes).unwrap();
        assert_eq!((array.element, array.sizes().len(), array.elements().count()), (25, 0, 0));
        assert_eq!(parse(&wire(&[0], 25, &[])), None);
        assert_eq!(parse(&wire(&[u32::MAX, 0], 25, &[])), None);
    }

    #[test]
    fn f48_huge_counts_and_lengths_are_refused() {
        let seven = [Some(vec![0, 0, 0, 7])];
        assert!(parse(&wire(&[1], 23, &seven)).is_some());
        assert_eq!(parse(&wire(&[2], 23, &seven)), None);
        assert_eq!(parse(&wire(&[1; 7], 23, &seven)), None);
        assert_eq!(parse(&wire(&[u32::MAX], 23, &seven)), None);
        assert_eq!(parse(&wire(&[u32::MAX; 6], 23, &seven)), None);
        assert_eq!(parse(&wire(&[0x8000_0000, 0x8000_0000, 4], 23, &seven)), None);
        let mut bytes = wire(&[1], 23, &seven);
        for levels in [7_u32, 0x7fff_ffff, u32::MAX] {
            bytes[..4].copy_from_slice(&levels.to_be_bytes());
            assert_eq!(parse(&bytes), None);
        }
        let mut bytes = wire(&[1], 23, &seven);
        for length in [3_u32, 5, 0x7fff_ffff, 0x8000_0000, u32::MAX - 1, u32::MAX] {
            bytes[20..24].copy_from_slice(&length.to_be_bytes());
            assert_eq!(parse(&bytes), None, "{length}");
        }
        let mut bytes = wire(&[1], 23, &seven);
        bytes[7] = 2;
        assert_eq!(parse(&bytes), None);
    }

    proptest! {
        #[test]
        fn elements_come_back_in_their_order(
            sizes in prop::collection::vec(1..4_u32, 1..=4), element: u32,
            values in prop::collection::vec(prop::option::of(prop::collection::vec(any::<u8>(), 0..6)), 81)
        ) {
            let count = sizes.iter().product::<u32>() as usize;
            let bytes = wire(&sizes, element, &values[..count]);
            let array = parse(&bytes).unwrap();
            prop_assert_eq!(array.sizes(), &sizes[..]);
            prop_assert_eq!(array.element, element);
            let found: Vec<_> = array.elements().map(|element| element.map(<[u8]>::to_vec)).collect();
            prop_assert_eq!(&found[..], &values[..count]);
            for end in 0..bytes.len() {
                prop_assert_eq!(parse(&bytes[..end]), None);
            }
            prop_assert!(parse(&[&bytes[..], &[0]].concat()).is_none());
        }

        #[test]
        fn any_bytes_are_an_array_or_none(bytes in prop::collection::vec(prop_oneof![0..3_u8, any::<u8>()], 0..80)) {
            if let Some(array) = parse(&bytes) {
                let count = array.sizes().iter().product::<u32>() as usize;
                prop_assert_eq!(array.elements().count(), if array.sizes().is_empty() { 0 } else { count });
            }
        }
    }
}
