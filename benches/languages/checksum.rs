//! What the contenders of all languages are compared by. `benchmark/languages/checksum.js` is the same.

/// FNV-1a of 64 bits.
pub struct Checksum(u64);

impl Checksum {
    pub fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// A cell and what ends it; the two marks are bytes that occur in no UTF-8.
    pub fn cell(&mut self, cell: Option<&[u8]>) {
        match cell {
            None => self.bytes(&[0xff]),
            Some(bytes) => {
                self.bytes(bytes);
                self.bytes(&[0xfe]);
            }
        }
    }

    pub fn hex(&self) -> String {
        format!("{:016x}", self.0)
    }
}
