#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| pg_protocol_native_fuzz::framing::check(bytes));
