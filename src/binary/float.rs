//! Floating-point numbers in binary format. Stock reads subnormal numbers and -0 as 0, NaN as infinity, and the infinities of
//! float4 as large numbers; these are read as what they are.

/// A float4, which JavaScript has as the double of the same value.
///
/// ```
/// use pg_protocol_native::binary::float::float4;
/// assert_eq!(float4(&0.1_f32.to_be_bytes()), Some(0.10000000149011612));
/// assert_eq!(float4(b""), None);
/// ```
#[inline]
#[must_use]
pub fn float4(bytes: &[u8]) -> Option<f64> {
    bytes.try_into().ok().map(|bytes| one_nan(f64::from(f32::from_be_bytes(bytes))))
}

/// A float8.
///
/// ```
/// use pg_protocol_native::binary::float::float8;
/// assert_eq!(float8(&0.1_f64.to_be_bytes()), Some(0.1));
/// assert_eq!(float8(&0.1_f32.to_be_bytes()), None);
/// ```
#[inline]
#[must_use]
pub fn float8(bytes: &[u8]) -> Option<f64> {
    bytes.try_into().ok().map(|bytes| one_nan(f64::from_be_bytes(bytes)))
}

/// Some patterns of NaN mean something to JavaScript engines: the server must not choose one.
#[inline]
fn one_nan(value: f64) -> f64 {
    if value.is_nan() { f64::NAN } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::naive::values::ieee754;
    use proptest::prelude::*;

    #[test]
    fn what_stock_misreads_is_read() {
        assert_eq!(float4(&f32::INFINITY.to_be_bytes()), Some(f64::INFINITY));
        assert_eq!(float4(&f32::NEG_INFINITY.to_be_bytes()), Some(f64::NEG_INFINITY));
        assert_eq!(float8(&f64::NEG_INFINITY.to_be_bytes()), Some(f64::NEG_INFINITY));
        assert_eq!(float8(&5e-324_f64.to_be_bytes()), Some(5e-324));
        assert_eq!(float4(&1e-45_f32.to_be_bytes()), Some(1.401_298_464_324_817e-45));
        assert_eq!(float8(&(-0.0_f64).to_be_bytes()).map(f64::to_bits), Some((-0.0_f64).to_bits()));
        for bits in [0x7ff0_0000_0000_0001_u64, 0x7fff_ffff_ffff_ffff, 0xfff8_0000_0000_0000, 0xffff_ffff_ffff_ffff] {
            assert_eq!(float8(&bits.to_be_bytes()).map(f64::to_bits), Some(f64::NAN.to_bits()));
        }
        assert_eq!(float4(&0xffff_ffff_u32.to_be_bytes()).map(f64::to_bits), Some(f64::NAN.to_bits()));
    }

    #[test]
    fn f48_another_size_is_no_number() {
        for size in [0, 1, 2, 3, 5, 6, 7, 9] {
            assert_eq!((float4(&[0x40; 9][..size]), float8(&[0x40; 9][..size])), (None, None));
        }
        assert_eq!((float4(&[0x40; 8]), float8(&[0x40; 4])), (None, None));
    }

    proptest! {
        #[test]
        fn every_pattern_is_what_the_standard_says(bytes: [u8; 8]) {
            let same = |read: Option<f64>, value: f64| {
                read.is_some_and(|read| read.to_bits() == value.to_bits() || read.is_nan() && value.is_nan())
            };
            prop_assert!(same(float8(&bytes), ieee754(u64::from_be_bytes(bytes), 11, 52)));
            let bits = u64::from(u32::from_be_bytes(*bytes.first_chunk().unwrap()));
            prop_assert!(same(float4(&bytes[..4]), ieee754(bits, 8, 23)));
        }
    }
}
