//! Rows, cuts and bodies that nobody thought of.

use super::{columns::check_columns, *};

prop_compose! {
    fn column()(kind in prop::sample::select(Kind::ALL.to_vec()))(
        kind in Just(kind),
        cells in prop::collection::vec(prop_oneof![
            4 => prop::sample::select(samples(kind)),
            1 => prop::option::of(prop::collection::vec(any::<u8>(), 0..60)),
            1 => "[0-9a-f]{0,40}".prop_map(|hex| Some(format!("\\x{hex}{hex}").into_bytes())),
        ], 12)
    ) -> (Kind, Vec<Option<Vec<u8>>>) {
        (kind, cells)
    }
}

fn pieces_of<'a>(stream: &'a [u8], cuts: &[usize]) -> Vec<&'a [u8]> {
    let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut % (stream.len() + 1)).collect();
    cuts.extend([0, stream.len()]);
    cuts.sort_unstable();
    cuts.windows(2).map(|pair| &stream[pair[0]..pair[1]]).collect()
}

proptest! {
    #[test]
    fn any_rows_by_any_way_are_what_the_naive_reading_has(
        columns in prop::collection::vec(column(), 1..6), rows in 1..12_usize,
        damage in prop::option::weighted(0.3, (any::<usize>(), any::<u8>())),
        cuts in prop::collection::vec(any::<usize>(), 0..8),
        destination in prop::option::of(1..40_usize), borrows: bool
    ) {
        let plan: Vec<Kind> = columns.iter().map(|(kind, _)| *kind).collect();
        let mut stream = Vec::new();
        for row in 0..rows {
            let mut message = data_row(&columns.iter().map(|(_, cells)| cells[row].clone()).collect());
            if let Some((place, byte)) = damage && place % rows == row {
                // The frame stays whole: what is wrong is within the row.
                let place = 5 + place % (message.len() - 5);
                message[place] = byte;
            }
            stream.extend(message);
        }
        let pieces = pieces_of(&stream, &cuts);
        check(&plan, &stream, &pieces, Ways { destination, borrows });
        check_columns(&plan, &stream, &pieces);
    }

    #[test]
    fn any_bodies_are_rows_or_are_not(
        bodies in prop::collection::vec(prop::collection::vec(prop_oneof![3 => Just(0), 1 => 1u8..6, 1 => Just(0xff), 1 => any::<u8>()], 0..40), 1..8),
        plan in prop::collection::vec(prop::sample::select(Kind::ALL.to_vec()), 0..3),
        cuts in prop::collection::vec(any::<usize>(), 0..8), destination in prop::option::of(1..5_usize)
    ) {
        let stream: Vec<u8> = bodies.iter().flat_map(|body| message(b'D', body)).collect();
        check(&plan, &stream, &pieces_of(&stream, &cuts), Ways { destination, borrows: false });
    }
}
