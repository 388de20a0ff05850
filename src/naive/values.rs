//! What JavaScript's own functions make of a value in text format, after ECMA-262.

/// Whitespace and line ends in the sense of JavaScript.
fn trim_start(text: &str) -> &str {
    text.trim_start_matches(|c: char| (c.is_whitespace() && c != '\u{85}') || c == '\u{feff}')
}

fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

/// `parseInt(text, 10)`. Twin of [`crate::text::int::parse`].
#[must_use]
pub fn parse_int(text: &str) -> f64 {
    let text = trim_start(text);
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    match unsigned[..digits(unsigned)].parse::<f64>() {
        Ok(value) if text.starts_with('-') => -value,
        Ok(value) => value,
        Err(_) => f64::NAN,
    }
}

/// `parseFloat(text)`. Twin of [`crate::text::float::parse`].
#[must_use]
pub fn parse_float(text: &str) -> f64 {
    let text = trim_start(text);
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let sign = if text.starts_with('-') { -1.0 } else { 1.0 };
    if unsigned.starts_with("Infinity") {
        return sign * f64::INFINITY;
    }
    let whole = digits(unsigned);
    let mut length = whole;
    if unsigned[length..].starts_with('.') {
        let fraction = digits(&unsigned[length + 1..]);
        if whole + fraction == 0 {
            return f64::NAN;
        }
        length += 1 + fraction;
    }
    if length == 0 {
        return f64::NAN;
    }
    if let Some(power) = unsigned[length..].strip_prefix(['e', 'E']) {
        let signs = usize::from(power.starts_with(['-', '+']));
        let power = digits(&power[signs..]);
        if power > 0 {
            length += 1 + signs + power;
        }
    }
    sign * unsigned[..length].parse::<f64>().expect("a decimal literal")
}
