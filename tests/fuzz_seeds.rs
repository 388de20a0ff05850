//! The checks of the fuzz targets without a fuzzer: the seeds under `fuzz/seeds`, and bytes made up from them.
//!
//! So what fuzzing once found stays tested on every machine: its input becomes a seed.

use std::{fs, path::Path};

use proptest::{
    prelude::*,
    test_runner::{Config, TestRunner},
};

#[path = "../fuzz/src/lib.rs"]
mod targets;

fn seeds(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds").join(target);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
    let mut files: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files.iter().map(|file| fs::read(file).expect("a seed")).collect()
}

#[test]
fn each_target_has_its_seeds_and_passes_them() {
    for (name, check) in targets::TARGETS {
        let seeds = seeds(name);
        assert!(seeds.len() >= 5, "{name} has {} seeds", seeds.len());
        for seed in seeds {
            check(&seed);
            // what is cut off must be an error or a value like any other
            for end in 0..seed.len().min(300) {
                check(&seed[..end]);
            }
        }
    }
}

#[test]
fn seeds_that_are_damaged_and_joined_pass() {
    for (name, check) in targets::TARGETS {
        let seed = prop::sample::select(seeds(name));
        let byte = prop_oneof![any::<u8>(), prop::sample::select(&b"\0\x01\xff\x7f\x80059+-.: eZ"[..])];
        let damage = prop::collection::vec((any::<prop::sample::Index>(), byte, 0..3_u8), 0..6);
        let inputs = (seed.clone(), seed, any::<prop::sample::Index>(), damage);
        let mut runner = TestRunner::new(Config {
            cases: Config::default().cases * 4,
            failure_persistence: None,
            ..Config::default()
        });
        let outcome = runner.run(&inputs, |(mut bytes, other, cut, damage)| {
            if cut.index(3) == 0 && !bytes.is_empty() {
                bytes.truncate(cut.index(bytes.len()));
                bytes.extend(other);
            }
            for (place, byte, how) in damage {
                let place = place.index(bytes.len() + 1);
                match how {
                    0 => bytes.insert(place, byte),
                    1 if place < bytes.len() => drop(bytes.remove(place)),
                    _ if place < bytes.len() => bytes[place] = byte,
                    _ => bytes.push(byte),
                }
            }
            check(&bytes);
            Ok(())
        });
        if let Err(failure) = outcome {
            panic!("{name}: {failure}");
        }
    }
}
