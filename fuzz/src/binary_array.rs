//! Arrays in binary format, against a reader that takes them apart number by number.
//!
//! Input: the bytes of the cell.

use pg_protocol_native::binary::array::parse;

/// OID, sizes, elements.
type Array = (u32, Vec<u32>, Vec<Option<Vec<u8>>>);

pub fn check(bytes: &[u8]) {
    let found = parse(bytes).map(|array| {
        let elements = array.elements().map(|element| element.map(<[u8]>::to_vec)).collect();
        (array.element, array.sizes().to_vec(), elements)
    });
    assert_eq!(found, slowly(bytes));
}

fn slowly(bytes: &[u8]) -> Option<Array> {
    let mut rest = bytes.iter().copied();
    let mut number = || (0..4).try_fold(0_u64, |value, _| Some(value * 256 + u64::from(rest.next()?)));
    let (levels, nulls, oid) = (number()?, number()?, number()?);
    if levels > 6 || nulls > 1 {
        return None;
    }
    let mut sizes = Vec::new();
    for _ in 0..levels {
        sizes.push(number()?);
        number()?;
    }
    let mut count = u128::from(levels > 0);
    for &size in &sizes {
        count = count.saturating_mul(u128::from(size));
    }
    // an empty array has no levels, and no array has more elements than bytes
    if levels > 0 && count == 0 || count > bytes.len() as u128 {
        return None;
    }
    let mut elements = Vec::new();
    for _ in 0..count {
        let length = (0..4).try_fold(0_u64, |value, _| Some(value * 256 + u64::from(rest.next()?)))?;
        elements.push(if length == 0xffff_ffff {
            None
        } else {
            Some((0..length).map(|_| rest.next()).collect::<Option<Vec<u8>>>()?)
        });
    }
    if rest.next().is_some() {
        return None;
    }
    Some((oid as u32, sizes.into_iter().map(|size| size as u32).collect(), elements))
}
