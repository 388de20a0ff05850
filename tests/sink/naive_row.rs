//! Rows as the naive twins read them, and messages to read.

use super::*;

pub fn message(tag: u8, body: &[u8]) -> Vec<u8> {
    let mut bytes = vec![tag];
    bytes.extend((body.len() as u32 + 4).to_be_bytes());
    bytes.extend(body);
    bytes
}

pub fn data_row(cells: &Bytes) -> Vec<u8> {
    let mut body = (cells.len() as u16).to_be_bytes().to_vec();
    for cell in cells {
        body.extend(cell.as_ref().map_or(-1, |cell| cell.len() as i32).to_be_bytes());
        body.extend(cell.iter().flatten());
    }
    message(b'D', &body)
}

/// A cell by the naive twins; `None` where the row is malformed.
pub fn naive_cell(kind: Kind, bytes: Option<&[u8]>) -> Option<Value> {
    let Some(bytes) = bytes else { return Some(Value::Null) };
    let text = String::from_utf8_lossy(bytes);
    let left = || Value::Text(bytes.to_vec());
    let digits = text.strip_prefix('-').unwrap_or(&text);
    let is_integer = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let whole = |most: usize| (is_integer && digits.len() <= most).then(|| text.parse::<i128>().ok()).flatten();
    let time = || values::date_time(&text);
    let sized = |size: usize| (bytes.len() == size).then(|| values::twos_complement(bytes));
    let infinity = match &*text {
        "infinity" => Some(1),
        "-infinity" => Some(-1),
        _ => None,
    };
    let clip = |millis: i64, most: i64| if millis.abs() <= most { millis as f64 } else { f64::NAN };
    Some(match kind {
        Kind::Text => left(),
        Kind::Binary => Value::Binary(bytes.to_vec()),
        Kind::Int => whole(10)
            .filter(|value| *value != 0 || !text.starts_with('-'))
            .and_then(|value| i32::try_from(value).ok())
            .map_or_else(left, Value::Int),
        Kind::Int8 => whole(19)
            .and_then(|value| i64::try_from(value).ok())
            .filter(|value| value.to_string() == text)
            .map_or_else(left, Value::Int8),
        Kind::Oid => match whole(1000) {
            Some(value) if value == 0 && text.starts_with('-') => left(),
            Some(value) => u32::try_from(value).map_or_else(|_| left(), Value::Oid),
            None => left(),
        },
        Kind::Float => pg_protocol_native::text::float::parse(bytes)
            .map(|value| {
                assert!(value.to_bits() == values::parse_float(&text).to_bits() || value.is_nan());
                Value::Float(value)
            })
            .unwrap_or_else(left),
        Kind::Bool => Value::Bool(["t", "true", "TRUE", "y", "yes", "on", "1"].contains(&&*text)),
        Kind::ZonedMillis | Kind::LocalMillis if infinity.is_some() => {
            Value::Millis(f64::INFINITY * f64::from(infinity?))
        }
        Kind::ZonedMicros | Kind::LocalMicros if infinity.is_some() => {
            Value::Micros(if infinity? == 1 { i64::MAX } else { i64::MIN })
        }
        Kind::ZonedMillis => match time() {
            Some((wall, Some(offset))) => {
                let (wall, time) =
                    (clip(wall, 8_640_000_000_000_000), clip(wall - offset * 1000, 8_640_000_000_000_000));
                Value::Millis(if wall.is_nan() { wall } else { time })
            }
            _ => left(),
        },
        Kind::LocalMillis => match time() {
            Some((wall, None)) => Value::Millis(clip(wall, 8_640_000_000_000_000 + 2 * 86_400_000)),
            _ => left(),
        },
        Kind::ZonedMicros | Kind::LocalMicros => {
            let Some((wall, offset)) = time().filter(|(_, offset)| offset.is_some() == (kind == Kind::ZonedMicros))
            else {
                return Some(left());
            };
            let fraction: String =
                text.split_once('.').map_or("", |(_, rest)| rest).chars().take_while(char::is_ascii_digit).collect();
            let beyond: i64 = format!("{fraction:0<6}")[3..6].parse().unwrap();
            Value::Micros((wall - offset.unwrap_or(0) * 1000) * 1000 + beyond)
        }
        Kind::Bytea => match text.strip_prefix("\\x") {
            None => left(),
            Some(hex) => {
                let digits: Option<Vec<u32>> = hex.chars().map(|char| char.to_digit(16)).collect();
                let digits = digits.filter(|digits| digits.len() % 2 == 0)?;
                Value::Binary(digits.chunks(2).map(|pair| (pair[0] * 16 + pair[1]) as u8).collect())
            }
        },
        Kind::BinaryInt2 => Value::Int(sized(2)? as i32),
        Kind::BinaryInt4 => Value::Int(sized(4)? as i32),
        Kind::BinaryInt8 => Value::Int8(sized(8)? as i64),
        Kind::BinaryOid => Value::Oid(sized(4)? as u32),
        Kind::BinaryFloat4 => Value::Float(values::ieee754(sized(4)? as u64 & 0xffff_ffff, 8, 23)),
        Kind::BinaryFloat8 => Value::Float(values::ieee754(sized(8)? as u64, 11, 52)),
        Kind::BinaryBool => Value::Bool(match bytes {
            [0] => false,
            [1] => true,
            _ => return None,
        }),
        Kind::BinaryMillis | Kind::BinaryMicros => {
            let micros = sized(8)?;
            let extreme = [i64::MAX, i64::MIN].contains(&(micros as i64));
            let since_1970 = micros + if extreme { 0 } else { 946_684_800_000_000 };
            if kind == Kind::BinaryMicros {
                i64::try_from(since_1970).map_or_else(|_| Value::Binary(bytes.to_vec()), Value::Micros)
            } else if extreme {
                Value::Millis(if micros > 0 { f64::INFINITY } else { f64::NEG_INFINITY })
            } else {
                Value::Millis(clip(since_1970.div_euclid(1000) as i64, 8_640_000_000_000_000))
            }
        }
        Kind::BinaryNumeric => Value::Float(pg_protocol_native::binary::numeric::parse(bytes)?),
        Kind::BinaryNumericText => {
            // has tests of its own
            let mut text = Vec::new();
            pg_protocol_native::binary::numeric::print(bytes, &mut text)?;
            Value::Text(text)
        }
        Kind::BinaryDate => Value::Millis(match sized(4)? {
            days if days == i128::from(i32::MAX) => f64::INFINITY,
            days if days == i128::from(i32::MIN) => f64::NEG_INFINITY,
            days => clip((days as i64 + 10_957) * 86_400_000, 8_640_000_000_000_000 + 2 * 86_400_000),
        }),
        Kind::BinaryUuid => {
            sized(16)?;
            let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            let parts = [0..8, 8..12, 12..16, 16..20, 20..32].map(|range| &hex[range]);
            Value::Text(parts.join("-").into_bytes())
        }
        Kind::BinaryJsonb => Value::Text(bytes.strip_prefix(b"\x01")?.to_vec()),
    })
}

/// A row by the naive twins; `None`: malformed.
pub fn naive_row(plan: &[Kind], body: &[u8]) -> Option<Row> {
    let cells = naive::cells(body)?;
    if !plan.is_empty() && cells.len() != plan.len() {
        return None;
    }
    let kinds = plan.iter().copied().chain(std::iter::repeat(Kind::Text));
    cells.iter().zip(kinds).map(|(cell, kind)| naive_cell(kind, cell.as_deref())).collect()
}
