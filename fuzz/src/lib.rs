//! What the fuzz targets check: a fast routine against its slow twin, errors included, for any bytes.
//!
//! Plain functions that panic where the two disagree. Three drive them: libFuzzer (`fuzz_targets/`), and in `npm test`
//! the seeds under `seeds/` and bytes made up from those (`tests/fuzz_seeds.rs`).

pub mod batch;
pub mod binary_array;
pub mod binary_numeric;
pub mod binary_scalars;
pub mod cells;
pub mod framing;
pub mod messages;
pub mod sinks;
pub mod text_dates;
pub mod text_numbers;
pub mod utf8;

/// A target: its name, which is also that of its folder of seeds, and its check.
pub type Target = (&'static str, fn(&[u8]));

/// All of them, in the order in which data passes what they check.
pub const TARGETS: [Target; 11] = [
    ("framing", framing::check),
    ("messages", messages::check),
    ("cells", cells::check),
    ("batch", batch::check),
    ("sinks", sinks::check),
    ("utf8", utf8::check),
    ("text_numbers", text_numbers::check),
    ("text_dates", text_dates::check),
    ("binary_scalars", binary_scalars::check),
    ("binary_numeric", binary_numeric::check),
    ("binary_array", binary_array::check),
];

/// Two results of which each may be missing: the same bits, of NaNs any.
pub fn same(found: Option<f64>, expected: Option<f64>) -> bool {
    match (found, expected) {
        (Some(found), Some(expected)) => found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan(),
        (None, None) => true,
        _ => false,
    }
}
