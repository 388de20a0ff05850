use super::*;
use crate::{naive::values::date_time, text::pool::BLOCK_BYTES};
use proptest::prelude::*;

/// The same by the block, with anything behind it.
fn block_agrees(text: &[u8], whole: &Option<DateTime>, parse: impl Fn(&[u8; BLOCK_BYTES], usize) -> Option<DateTime>) {
    for behind in [0, b'0', b'9', b'.', b'+', 0xff] {
        let mut block = [behind; BLOCK_BYTES];
        let Some(place) = block.get_mut(..text.len()) else { return };
        place.copy_from_slice(text);
        let read = parse(&block, text.len());
        assert!(same_time(&read, whole), "{text:?} by the block: {read:?} is not {whole:?}");
    }
}

fn same_time(a: &Option<DateTime>, b: &Option<DateTime>) -> bool {
    matches!((a, b), (Some(DateTime::Millis(a)), Some(DateTime::Millis(b))) if a.is_nan() && b.is_nan()) || a == b
}

fn zoned(text: &str) -> Option<f64> {
    block_agrees(text.as_bytes(), &parse_zoned(text.as_bytes()), parse_zoned_block);
    match parse_zoned(text.as_bytes())? {
        DateTime::Millis(millis) => Some(millis),
        infinite => panic!("{text:?} gave {infinite:?}"),
    }
}

fn local(text: &str) -> Option<f64> {
    block_agrees(text.as_bytes(), &parse_local(text.as_bytes()), parse_local_block);
    match parse_local(text.as_bytes())? {
        DateTime::Millis(millis) => Some(millis),
        infinite => panic!("{text:?} gave {infinite:?}"),
    }
}

fn agrees(text: &str) {
    let clip = |millis: i64, most: i64| if millis.abs() <= most { millis as f64 } else { f64::NAN };
    let (expected_zoned, expected_local) = match date_time(text) {
        None => (None, None),
        Some((wall, None)) => (None, Some(clip(wall, MAX_MILLIS + 2 * DAY_MILLIS))),
        Some((wall, Some(offset))) => {
            (Some(clip(wall, MAX_MILLIS) + clip(wall - offset * 1000, MAX_MILLIS) - clip(wall, MAX_MILLIS)), None)
        }
    };
    let same = |a: Option<f64>, b: Option<f64>| {
        a.map(f64::to_bits) == b.map(f64::to_bits) || a.zip(b).is_some_and(|(a, b)| a.is_nan() && b.is_nan())
    };
    assert!(same(zoned(text), expected_zoned), "{text:?}: {:?} is not {expected_zoned:?}", zoned(text));
    assert!(same(local(text), expected_local), "{text:?}: {:?} is not {expected_local:?}", local(text));
}

#[test]
fn f32_infinities_are_apart_and_what_a_date_cannot_hold_is_nan() {
    for parse in [parse_zoned, parse_local] {
        assert_eq!(parse(b"infinity"), Some(DateTime::Infinity));
        assert_eq!(parse(b"-infinity"), Some(DateTime::NegInfinity));
        for text in [&b""[..], b"inf", b"Infinity", b"infinity ", b"+infinity", b"-infinity BC"] {
            assert_eq!(parse(text), None);
        }
    }
    assert_eq!(zoned("275760-09-13 00:00:00+00"), Some(8.64e15));
    assert!(zoned("275760-09-13 00:00:00.001+00").unwrap().is_nan());
    assert!(zoned("294276-12-31 23:59:59.999999+00").unwrap().is_nan());
    // the moment is possible, but on its way stock makes a date of the wall clock
    assert!(zoned("275760-09-13 05:30:00+05:30").unwrap().is_nan());
    assert!(zoned("275760-09-12 23:00:00-02").unwrap().is_nan());
    assert!(local("5874897-12-31").unwrap().is_nan());
    assert_eq!(local("275760-09-13"), Some(8.64e15));
    assert_eq!(zoned("4714-11-24 00:00:00+00 BC"), Some(-210_866_803_200_000.0));
}

#[test]
fn f34_microseconds_are_cut_towards_the_past() {
    assert_eq!(zoned("1969-12-31 23:59:59.999999+00"), Some(-1.0));
    assert_eq!(zoned("1969-12-31 23:59:59.0005+00"), Some(-1000.0));
    assert_eq!(zoned("1970-01-01 00:00:00.0009+00"), Some(0.0));
    assert_eq!(zoned("1970-01-01 00:00:00.242999+00"), Some(242.0));
    assert_eq!(zoned("1970-01-01 00:00:00.57+00"), Some(570.0));
    assert_eq!(zoned("1970-01-01 00:00:00.1+00"), Some(100.0));
    assert_eq!(zoned("1970-01-01 00:00:00.019+00"), Some(19.0));
    assert_eq!(zoned("1883-11-18 12:00:00.1239+00"), Some(-2_717_668_799_877.0));
}

#[test]
fn f34_every_fraction_is_cut_as_javascript_cuts_it() {
    for length in 1..=6 {
        for fraction in 0..10_u32.pow(length) {
            let text = format!("{fraction:0width$}", width = length as usize);
            let javascript = (1000.0 * format!(".{text}").parse::<f64>().unwrap()).trunc();
            let (millis, read) = fraction_millis(text.as_bytes()).unwrap();
            assert_eq!((f64::from(millis), read), (javascript, length as usize), "{text}");
        }
    }
}

/// Microseconds by the fraction's digits, padded to six.
fn naive_micros(text: &str) -> Option<i128> {
    let (wall, offset) = date_time(text)?;
    let fraction: String =
        text.split_once('.').map_or("", |(_, rest)| rest).chars().take_while(char::is_ascii_digit).collect();
    let micros: i128 = format!("{fraction:0<6}").parse().unwrap();
    Some(i128::from(wall - offset.unwrap_or(0) * 1000) * 1000 + micros % 1000)
}

fn micros_agree(text: &str) {
    let expected = naive_micros(text).and_then(|micros| i64::try_from(micros).ok());
    let is_zoned = date_time(text).is_some_and(|(_, offset)| offset.is_some());
    let (found, millis) = if is_zoned {
        (parse_zoned_micros(text.as_bytes()), zoned(text))
    } else {
        (parse_local_micros(text.as_bytes()), local(text))
    };
    assert!(found == expected || found.is_none() && millis.is_none_or(f64::is_nan), "{text}: {found:?}, {expected:?}");
    if let Some(found) = found {
        let cut = found.div_euclid(1000) as f64;
        assert!(millis.is_some_and(|millis| millis == cut || millis.is_nan() && cut.abs() > 8.64e15), "{text}");
    }
}

#[test]
fn f34_microseconds_are_kept_where_they_are_asked_for() {
    for text in [
        "1970-01-01 00:00:00+00",
        "1970-01-01 00:00:00.1+00",
        "1970-01-01 00:00:00.0001+00",
        "1970-01-01 00:00:00.00012+00",
        "1970-01-01 00:00:00.000123+00",
        "1969-12-31 23:59:59.999999",
        "0044-03-15 12:00:00.000001 BC",
        "0044-03-15 12:00:00.000001+01:02:03 BC",
        "4714-11-24 00:00:00+00 BC",
        "12345-01-01 00:00:00.654321+00",
        "275760-09-13 00:00:00.000999+00",
        "275760-09-14 00:00:00.000001+00",
        "290000-01-01 00:00:00.000001",
        "290000-01-01 00:00:00.000001+05:30",
        "294276-12-31 23:59:59.999999",
        "294276-12-31 23:59:59.999999+00",
        "2024-02-29",
    ] {
        micros_agree(text);
    }
    assert!(parse_zoned_micros(b"290000-01-01 00:00:00.000001+05:30").is_some());
    assert!(parse_local_micros(b"290000-01-01 00:00:00.000001").is_some());
    // stock's date is invalid here, though the moment is possible
    assert_eq!(parse_zoned_micros(b"275760-09-13 05:30:00+05:30"), None);
    assert_eq!(parse_zoned_micros(b"infinity"), Some(i64::MAX));
    assert_eq!(parse_local_micros(b"-infinity"), Some(i64::MIN));
    assert_eq!(parse_zoned_micros(b"1970-01-01 00:00:00"), None);
}

#[test]
fn zones_have_minutes_and_seconds() {
    for (zone, millis) in [
        ("+00", 0.0),
        ("-00", 0.0),
        ("Z", 0.0),
        ("+02", -7_200_000.0),
        ("-05", 18_000_000.0),
        ("+05:30", -19_800_000.0),
        ("-03:30", 12_600_000.0),
        ("-00:01:15", 75_000.0),
        ("+00:19:32", -1_172_000.0),
        ("+15:59:59", -57_599_000.0),
    ] {
        assert_eq!(zoned(&format!("1970-01-01 00:00:00{zone}")), Some(millis), "{zone}");
        assert_eq!(zoned(&format!("1970-01-01 00:00:00.5{zone}")), Some(millis + 500.0), "{zone}");
        assert_eq!(local(&format!("1970-01-01 00:00:00{zone}")), None);
    }
    for zone in [
        "+0",
        "+",
        "z",
        "UTC",
        " +00",
        "+00 ",
        "+000",
        "+0530",
        "+05:3",
        "+05:30:",
        "+05:30:1",
        "+05:30:15:00",
        "+0a",
        "+05-30",
        "+:30",
    ] {
        assert_eq!(zoned(&format!("1970-01-01 00:00:00{zone}")), None, "{zone}");
    }
}

#[test]
fn years_before_christ_and_leap_days() {
    assert_eq!(local("0001-02-29 BC"), Some(-62_162_121_600_000.0), "the leap day of the year 0");
    assert_eq!(local("0001-03-01 BC"), Some(-62_162_035_200_000.0));
    assert_eq!(local("0004-02-29"), Some(-62_035_891_200_000.0));
    assert_eq!(local("0005-02-29 BC"), Some(-62_288_352_000_000.0));
    for text in
        ["0002-02-29 BC", "1900-02-29", "2023-02-29", "0100-02-29", "0101-02-29 BC", "0000-01-01", "0000-01-01 BC"]
    {
        assert_eq!(local(text), None, "{text}");
    }
    assert_eq!(local("2000-02-29"), Some(951_782_400_000.0));
}

#[test]
fn f35_other_styles_and_fields_out_of_range_are_left_to_javascript() {
    for text in [
        "18.08.2026 00:00:00 UTC",
        "18.08.2026",
        "08/18/2026",
        "Tue Aug 18 00:00:00 2026 UTC",
        "2026-00-18",
        "2026-13-18",
        "2026-08-00",
        "2026-08-32",
        "2026-04-31",
        "2026-08-18 24:00:00",
        "2026-08-18 23:60:00",
        "2026-08-18 23:59:60",
        "2026-08-18T00:00:00",
        "2026-08-18  00:00:00",
        "2026-08-18 00:00",
        "2026-08-18 00:00:00.",
        "2026-08-18 00:00:00.1234567",
        "2026-08-18 00:00:00 BC BC",
        "2026-08-18 BC ",
        "2026-08-18BC",
        " 2026-08-18",
        "+2026-08-18",
        "-2026-08-18",
        "202-08-18",
        "20260818-08-18",
        "2026-8-18",
        "2026-08-1",
        "2026",
        "",
    ] {
        for text in [text.to_string(), format!("{text}+00")] {
            assert_eq!((zoned(&text), local(&text)), (None, None), "{text}");
        }
    }
}

#[test]
fn each_place_holds_its_own_kind_of_byte_only() {
    let text = *b"2024-05-06 07:08:09.123456+01:02:03";
    for place in 0..text.len() {
        for byte in 0..=u8::MAX {
            let mut text = text;
            text[place] = byte;
            if let Ok(text) = std::str::from_utf8(&text) {
                agrees(text);
            } else {
                assert_eq!(parse_zoned(&text), None);
            }
        }
        agrees(std::str::from_utf8(&text[..place]).unwrap());
    }
}

#[test]
fn every_day_of_eight_centuries_follows_the_one_before() {
    let mut day = days_from_epoch(-401, 1, 1).unwrap();
    for year in -401..=401 {
        for month in 1..=12 {
            for date in 1..=days_of(year, month) {
                assert_eq!(days_from_epoch(year, month, date), Some(day));
                day += 1;
            }
            assert_eq!(days_from_epoch(year, month, days_of(year, month) + 1), None);
        }
    }
}

fn a_year() -> impl Strategy<Value = i32> {
    prop_oneof![1..=9999, 1..=120, 1..=5_874_897]
}

proptest! {
    #[test]
    fn what_postgresql_prints_is_read_as_the_naive_twin_reads_it(
        year in a_year(), month in 1..=12, day in 1..=31,
        time in prop_oneof![
            Just(String::new()),
            " ([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,6})?([-+](0[0-9]|1[0-5])(:[0-5][0-9](:[0-5][0-9])?)?|Z)?",
        ],
        bc in prop_oneof![Just(""), Just(" BC")]
    ) {
        let text = format!("{year:04}-{month:02}-{day:02}{time}{bc}");
        agrees(&text);
        micros_agree(&text);
        prop_assert_eq!(day > 28 || zoned(&text).is_some() || local(&text).is_some(), true);
    }

    #[test]
    fn what_is_almost_a_date_is_read_as_the_naive_twin_reads_it(
        text in "[0-9]{3,8}-[01][0-9]-[0-3][0-9]( [0-2][0-9]:[0-9]{1,2}:[0-9]{1,2}(\\.[0-9]{0,7})?([-+Z][0-9]{0,3}(:[0-9]{1,2}){0,3})?)?( BC)?",
        cut in 0usize..40, place in 0usize..80, byte in 32u8..127
    ) {
        agrees(&text);
        let mut text = text.into_bytes();
        text.truncate(cut.max(8));
        if let Some(old) = text.get_mut(place) {
            *old = byte;
        }
        agrees(std::str::from_utf8(&text).unwrap());
    }
}
