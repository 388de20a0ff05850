//! The texts that are met all the time, out of a block of fixed size: the fast twin of the readers of [`super`].

use super::{DAY_MILLIS, DateTime, Digits, days_from_epoch, parse_local, parse_zoned};
use crate::text::pool::BLOCK_BYTES;

/// [`parse_zoned`] for the first `length` bytes of a block.
#[inline]
#[must_use]
pub fn parse_zoned_block(block: &[u8; BLOCK_BYTES], length: usize) -> Option<DateTime> {
    if let Some(wall_length) = length.checked_sub(3)
        && let Some(&[sign @ (b'+' | b'-'), h1, h2]) = block.get(wall_length..length)
        && let Some(wall) = wall_block(block, wall_length)
    {
        let mut digits = Digits::default();
        let offset = i64::from(digits.two([h1, h2])) * 3_600_000;
        if digits.all() {
            // Four digits of a year and a day of hours are always within what a `Date` can hold.
            return Some(DateTime::Millis((wall - if sign == b'-' { -offset } else { offset }) as f64));
        }
    }
    parse_zoned(&block[..length])
}

/// [`parse_local`] for the first `length` bytes of a block.
#[inline]
#[must_use]
pub fn parse_local_block(block: &[u8; BLOCK_BYTES], length: usize) -> Option<DateTime> {
    match wall_block(block, length) {
        Some(wall) => Some(DateTime::Millis(wall as f64)),
        None => parse_local(&block[..length]),
    }
}

/// The wall clock's milliseconds of the texts that are met all the time: `2024-02-29 12:34:56`, with or without a
/// fraction. `None`: the others' readers are to look at it, which take these texts too.
///
/// All its places are known but the fraction's length, which cannot be guessed: so the fraction is read at its full
/// length with what is behind it masked, and whether all is as it should be is asked once, in the end.
#[inline]
fn wall_block(block: &[u8; BLOCK_BYTES], length: usize) -> Option<i64> {
    let fraction_length = match length {
        19 => 0,
        21..=26 if block[19] == b'.' => length - 20,
        _ => return None,
    };
    let word = |start: usize| block[start..].first_chunk().map_or(0, |eight| u64::from_le_bytes(*eight));
    let date = word(0) ^ u64::from_le_bytes(*b"0000-00-");
    let time = word(8) ^ u64::from_le_bytes(*b"00 00:00");
    let seconds = (word(16) ^ u64::from_le_bytes(*b":00.....")) & 0xff_ffff;
    let fraction = (word(20) ^ u64::from_le_bytes([b'0'; 8])) & ((1 << (8 * fraction_length)) - 1);
    // What is no digit is above 9 now and what is no separator above 0, which adding shows in the top bits.
    let wrong = (date | date.wrapping_add(u64::from_le_bytes([0x76, 0x76, 0x76, 0x76, 0x7f, 0x76, 0x76, 0x7f])))
        | (time | time.wrapping_add(u64::from_le_bytes([0x76, 0x76, 0x7f, 0x76, 0x76, 0x7f, 0x76, 0x76])))
        | (seconds | seconds.wrapping_add(u64::from_le_bytes([0x7f, 0x76, 0x76, 0, 0, 0, 0, 0])))
        | (fraction | fraction.wrapping_add(u64::from_le_bytes([0x76; 8])));
    if wrong & 0x8080_8080_8080_8080 != 0 {
        return None;
    }
    let pair = |digits: u64, place: u32| ((digits * 10 + (digits >> 8)) >> (8 * place)) as u32 & 0xff;
    let (year, month, day) = (pair(date, 0) * 100 + pair(date, 2), pair(date, 5), pair(time, 0));
    let (hour, minute, second) = (pair(time, 3), pair(time, 6), pair(seconds, 1));
    let millis = pair(fraction, 0) * 10 + (fraction >> 16) as u32 % 256;
    if (year == 0) | (hour > 23) | (minute > 59) | (second > 59) {
        return None;
    }
    let days = days_from_epoch(year as i32, month as i32, day as i32)?;
    Some(days * DAY_MILLIS + i64::from((hour * 3600 + minute * 60 + second) * 1000 + millis))
}
