//! The table of people: the same bytes as `benchmark/languages/people.js` makes, which a hash shows.

/// Rows of the table as it is measured.
pub const ROWS: usize = 20_000;

/// A read of a socket gives at most so many bytes.
pub const PIECE_BYTES: usize = 64 << 10;

/// The columns, with the OIDs of their types.
const COLUMNS: [(&str, u32); 5] = [("id", 23), ("name", 25), ("balance", 20), ("note", 25), ("active", 16)];

const ALPHABET: &str = "abcdefghijklmnopqrstuvwxyz";

/// What the server sends for `select * from people`: the description, the rows, the end.
pub fn people(rows: usize) -> Vec<u8> {
    let mut stream = description();
    for i in 0..rows {
        stream.extend(row(&cells(i)));
    }
    stream.extend(message(b'C', format!("SELECT {rows}\0").as_bytes()));
    stream.extend(message(b'Z', b"I"));
    stream
}

/// The cells of row `i`, in text format.
pub fn cells(i: usize) -> [Option<String>; 5] {
    [
        Some((i + 1).to_string()),
        Some(if i.is_multiple_of(7) { format!("zoë-{i}") } else { format!("user-{i}") }),
        Some((i as i64 * 1_000_003 - (1 << 40)).to_string()),
        if i.is_multiple_of(5) { None } else { Some(ALPHABET.repeat(2)[..i % 40].to_owned()) },
        Some(if i.is_multiple_of(3) { "f" } else { "t" }.to_owned()),
    ]
}

/// A DataRow message.
pub fn row<T: AsRef<str>>(cells: &[Option<T>]) -> Vec<u8> {
    let mut body = (cells.len() as u16).to_be_bytes().to_vec();
    for cell in cells {
        match cell {
            None => body.extend((-1_i32).to_be_bytes()),
            Some(text) => {
                let text = text.as_ref();
                body.extend((text.len() as u32).to_be_bytes());
                body.extend(text.as_bytes());
            }
        }
    }
    message(b'D', &body)
}

fn description() -> Vec<u8> {
    let mut body = (COLUMNS.len() as u16).to_be_bytes().to_vec();
    for (i, (name, oid)) in COLUMNS.iter().enumerate() {
        body.extend(name.as_bytes());
        body.push(0);
        body.extend(16_385_u32.to_be_bytes());
        body.extend((i as u16 + 1).to_be_bytes());
        body.extend(oid.to_be_bytes());
        body.extend((-1_i16).to_be_bytes());
        body.extend((-1_i32).to_be_bytes());
        body.extend([0, 0]);
    }
    message(b'T', &body)
}

fn message(tag: u8, body: &[u8]) -> Vec<u8> {
    let mut bytes = vec![tag];
    bytes.extend((body.len() as u32 + 4).to_be_bytes());
    bytes.extend(body);
    bytes
}
