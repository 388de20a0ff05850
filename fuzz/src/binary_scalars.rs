//! Integers, OIDs, floating-point numbers, booleans and timestamps in binary format, against their definitions bit by bit
//! ([`naive::values`](pg_protocol_native::naive::values)).
//!
//! Input: the bytes of the cell.

use pg_protocol_native::{
    binary::{
        boolean,
        datetime::{self, Timestamp},
        float,
        int::{self, INT8_CHARS},
    },
    naive::values::{ieee754, twos_complement},
    text::datetime::DateTime,
};

use super::same;

pub fn check(bytes: &[u8]) {
    let of_size = |size: usize| (bytes.len() == size).then_some(bytes);
    let integer = |size| of_size(size).map(twos_complement);
    assert_eq!(int::int2(bytes).map(i128::from), integer(2));
    assert_eq!(int::int4(bytes).map(i128::from), integer(4));
    assert_eq!(int::int8(bytes).map(i128::from), integer(8));
    assert_eq!(int::oid(bytes).map(i128::from), of_size(4).map(|bytes| twos_complement(&[&[0], bytes].concat())));
    if let Some(value) = integer(8) {
        let mut digits = [0xff; INT8_CHARS];
        assert_eq!(int::decimal(value as i64, &mut digits), value.to_string().as_bytes());
    }

    let bits = |bytes: &[u8]| bytes.iter().fold(0, |bits, &byte| bits << 8 | u64::from(byte));
    assert!(same(float::float4(bytes), of_size(4).map(|bytes| ieee754(bits(bytes), 8, 23))));
    assert!(same(float::float8(bytes), of_size(8).map(|bytes| ieee754(bits(bytes), 11, 52))));
    for nan in [float::float4(bytes), float::float8(bytes)].into_iter().flatten().filter(|value| value.is_nan()) {
        assert_eq!(nan.to_bits(), f64::NAN.to_bits(), "the server chooses no NaN");
    }

    assert_eq!(boolean::parse(bytes), of_size(1).filter(|bytes| bytes[0] < 2).map(|bytes| bytes[0] == 1));
    assert_timestamp(datetime::parse(bytes), integer(8));
}

fn assert_timestamp(found: Option<Timestamp>, micros: Option<i128>) {
    let Some(micros) = micros else {
        assert_eq!(found, None);
        return;
    };
    let found = found.expect("eight bytes are a timestamp");
    let infinite = match micros {
        0x7fff_ffff_ffff_ffff => Some(DateTime::Infinity),
        -0x8000_0000_0000_0000 => Some(DateTime::NegInfinity),
        _ => None,
    };
    if let Some(time) = infinite {
        assert_eq!(found, Timestamp { time, micros: 0 });
        return;
    }
    let since_1970 = micros + 946_684_800_000_000;
    let rest = since_1970.rem_euclid(1000);
    let millis = (since_1970 - rest) / 1000;
    assert_eq!(i128::from(found.micros), rest);
    let DateTime::Millis(time) = found.time else { panic!("{micros}: {found:?}") };
    let possible = millis.abs() <= 8_640_000_000_000_000;
    assert!(same(Some(time), Some(if possible { millis as f64 } else { f64::NAN })), "{micros}: {found:?}");
}
