//! Integers in binary format.

/// The most characters that an int8 has.
pub const INT8_CHARS: usize = 20;

/// An int2.
///
/// ```
/// use pg_protocol_native::binary::int::int2;
/// assert_eq!(int2(b"\xff\xfe"), Some(-2));
/// assert_eq!(int2(b"\0\0\0\x01"), None);
/// ```
#[inline]
#[must_use]
pub fn int2(bytes: &[u8]) -> Option<i16> {
    bytes.try_into().ok().map(i16::from_be_bytes)
}

/// An int4.
///
/// ```
/// use pg_protocol_native::binary::int::int4;
/// assert_eq!(int4(b"\x80\0\0\0"), Some(i32::MIN));
/// ```
#[inline]
#[must_use]
pub fn int4(bytes: &[u8]) -> Option<i32> {
    bytes.try_into().ok().map(i32::from_be_bytes)
}

/// An OID, which has no sign: stock reads those above 2147483647 as negative numbers here, though not as text.
///
/// ```
/// use pg_protocol_native::binary::int::oid;
/// assert_eq!(oid(b"\xff\xff\xff\xff"), Some(u32::MAX));
/// ```
#[inline]
#[must_use]
pub fn oid(bytes: &[u8]) -> Option<u32> {
    bytes.try_into().ok().map(u32::from_be_bytes)
}

/// An int8. `pg-types` makes a string of it: [`decimal`] writes that.
///
/// ```
/// use pg_protocol_native::binary::int::int8;
/// assert_eq!(int8(b"\x80\0\0\0\0\0\0\0"), Some(i64::MIN));
/// ```
#[inline]
#[must_use]
pub fn int8(bytes: &[u8]) -> Option<i64> {
    bytes.try_into().ok().map(i64::from_be_bytes)
}

/// Writes an integer in decimal and gives the part of `out` that it takes.
///
/// ```
/// use pg_protocol_native::binary::int::{INT8_CHARS, decimal};
/// assert_eq!(decimal(i64::MIN, &mut [0; INT8_CHARS]), b"-9223372036854775808");
/// ```
#[inline]
pub fn decimal(value: i64, out: &mut [u8; INT8_CHARS]) -> &[u8] {
    let mut rest = value.unsigned_abs();
    let mut at = INT8_CHARS;
    loop {
        at -= 1;
        out[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if value < 0 {
        at -= 1;
        out[at] = b'-';
    }
    &out[at..]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::naive::values::twos_complement;
    use proptest::prelude::*;

    #[test]
    fn f48_another_size_is_no_integer() {
        for size in [0, 1, 2, 3, 4, 5, 7, 8, 9] {
            let bytes = &[0x81; 9][..size];
            assert_eq!(int2(bytes).is_some(), size == 2);
            assert_eq!(int4(bytes).is_some(), size == 4);
            assert_eq!(oid(bytes).is_some(), size == 4);
            assert_eq!(int8(bytes).is_some(), size == 8);
        }
    }

    proptest! {
        #[test]
        fn f37_integers_are_exact(bytes: [u8; 8]) {
            prop_assert_eq!(int2(&bytes[..2]).map(i128::from), Some(twos_complement(&bytes[..2])));
            prop_assert_eq!(int4(&bytes[..4]).map(i128::from), Some(twos_complement(&bytes[..4])));
            prop_assert_eq!(int8(&bytes).map(i128::from), Some(twos_complement(&bytes)));
            let unsigned = twos_complement(&[&[0], &bytes[..4]].concat());
            prop_assert_eq!(oid(&bytes[..4]).map(i128::from), Some(unsigned));
        }

        #[test]
        fn f37_decimals_are_exact(value in prop_oneof![any::<i64>(), -1000..1000_i64, any::<i32>().prop_map(i64::from)]) {
            let mut out = [0xff; INT8_CHARS];
            prop_assert_eq!(String::from_utf8_lossy(decimal(value, &mut out)), value.to_string());
        }
    }

    #[test]
    fn powers_of_ten_have_all_their_digits() {
        for power in 0..=18 {
            for value in [10_i64.pow(power) - 1, 10_i64.pow(power), -(10_i64.pow(power))] {
                assert_eq!(decimal(value, &mut [0xff; INT8_CHARS]), value.to_string().as_bytes());
            }
        }
        assert_eq!(decimal(i64::MAX, &mut [0xff; INT8_CHARS]), b"9223372036854775807");
    }
}
