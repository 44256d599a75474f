//! Any damage to one of the two files: it is seen, or nothing is lost.
//!
//! The journal has withdrawals in every state. Opening a damaged journal either reports the damage
//! and leaves both files as they are, or finds every withdrawal and every byte as they were. Both
//! files brought back together from an earlier day are a snapshot of the machine, which nothing
//! inside the directory can show.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use proptest::prelude::*;
use proptest::sample::Index;

use crate::journal::disk::OsDisk;
use crate::journal::money::MoneyJournal;
use crate::journal::money::samples::*;
use crate::trade::withdrawal::{Class, Decision, NotSent, Unclear};
use crate::trade::{Agreement, JournalTrouble, Wall, Withdrawal};

const FILES: [&str; 2] = ["money.db", "money.head"];
const HEAD: usize = 1;

/// The damage that is done to one of the two files.
#[derive(Debug, Clone)]
enum Damage {
    /// A bit of a byte is flipped.
    Flip { at: Index, bit: u32 },
    /// The file ends early.
    Cut { at: Index },
    /// The file is brought back from an earlier moment.
    Old { moment: Index },
}

fn damage() -> impl Strategy<Value = Damage> {
    prop_oneof![
        3 => (any::<Index>(), 0..8_u32).prop_map(|(at, bit)| Damage::Flip { at, bit }),
        2 => any::<Index>().prop_map(|at| Damage::Cut { at }),
        1 => any::<Index>().prop_map(|moment| Damage::Old { moment }),
    ]
}

type TwoFiles = [Vec<u8>; 2];

fn read_files(dir: &Path) -> TwoFiles {
    FILES.map(|name| fs::read(dir.join(name)).unwrap())
}

/// The whole journal, and its files at each moment with the number of events then.
struct Whole {
    moments: Vec<(TwoFiles, i64)>,
    withdrawals: Vec<Withdrawal>,
}

impl Whole {
    fn make() -> Whole {
        let ends = [
            Class::NotSent(NotSent::Dns),
            Class::Unauthorized,
            Class::Throttled { retry_after: None },
            lost(),
            Class::Unclear(Unclear::OtherSuccess),
            Class::Unclear(Unclear::EchoDiffers(alarm_of_destination())),
            confirmed(),
            Class::DefiniteNo,
            Class::Redirected,
            alarm(),
            says_failed(),
        ];
        let (dir, mut journal) = fresh();
        let mut moments = vec![(read_files(dir.path()), 0)];
        let mut keep = |journal: &MoneyJournal| {
            moments.push((read_files(dir.path()), journal.events()));
        };
        for n in 1..=40_u128 {
            if n == 20 {
                assert!(journal.purge(Wall(90_000_000), Wall(90_000_000)).unwrap() > 0);
            }
            journal.prepare(of_own_account(n), None).unwrap();
            keep(&journal);
            let at = n as i64;
            match n as usize % (ends.len() + 5) {
                0 => {}
                1 => drop(begin(&mut journal, n, at).unwrap()),
                2 => {
                    attempt(&mut journal, n, at, lost());
                    attempt(&mut journal, n, at + 40, confirmed());
                }
                3 => {
                    attempt(&mut journal, n, at, lost());
                    keep(&journal);
                    attempt(&mut journal, n, at + 40, Class::KeyReused);
                }
                4 => {
                    attempt(&mut journal, n, at, Class::Redirected);
                    let choice =
                        [Decision::FoundPaid, Decision::StatedNotPaid][n as usize / 16 % 2];
                    journal.decide(key(n), choice, &clocks(900), &WINDOW).unwrap();
                }
                end => attempt(&mut journal, n, at, ends[end - 5].clone()),
            }
            keep(&journal);
        }
        // A single event at the end: its head is one event ahead of the moment before.
        journal.decide(key(32), Decision::Discarded, &clocks(900), &WINDOW).unwrap();
        keep(&journal);
        let withdrawals = everything(&mut journal).unwrap();
        let state = |one: &Withdrawal| one.state(&clocks(60), &WINDOW, false).name();
        let states: BTreeSet<_> = withdrawals.iter().map(state).collect();
        assert_eq!(states.len(), 9, "every state but sending: {states:?}");
        Whole { moments, withdrawals }
    }

    /// The damaged files, and whether the damage must be seen; it may be harmless otherwise.
    fn damaged(&self, file: usize, damage: &Damage) -> (TwoFiles, bool) {
        let (last, events) = self.moments.last().unwrap();
        let mut files = last.clone();
        let bytes = &mut files[file];
        let must_be_seen = match damage {
            Damage::Flip { at, bit } => {
                bytes[at.index(last[file].len())] ^= 1 << bit;
                false
            }
            Damage::Cut { at } => {
                bytes.truncate(at.index(last[file].len()));
                true
            }
            Damage::Old { moment } => {
                let (old, then) = &self.moments[moment.index(self.moments.len() - 1)];
                bytes.clone_from(&old[file]);
                // A head one event behind is what a kill between the two writes leaves.
                !(file == HEAD && then + 1 == *events)
            }
        };
        (files, must_be_seen)
    }

    /// Returns true if the damage was reported; a journal that opens must be the whole one.
    fn is_seen(&self, read: Result<Vec<Withdrawal>, JournalTrouble>) -> bool {
        match read {
            Ok(read) => {
                assert!(read == self.withdrawals, "it opens, and is another one");
                false
            }
            // A flipped bit of the schema number is another schema.
            Err(JournalTrouble::Damaged(_) | JournalTrouble::OtherVersion { .. }) => true,
            Err(other) => panic!("{other:?}"),
        }
    }
}

fn alarm_of_destination() -> crate::trade::withdrawal::Alarm {
    match alarm() {
        Class::Alarm(alarm) => alarm,
        other => panic!("{other:?}"),
    }
}

/// One account each: no withdrawal stands in the way of another.
fn of_own_account(n: u128) -> Agreement {
    Agreement { account: account(&format!("seller {n}")), ..agreement(n, 1_000 + n as i64) }
}

fn everything(journal: &mut MoneyJournal) -> Result<Vec<Withdrawal>, JournalTrouble> {
    Ok(journal.page(None, "", 0, 1_000)?.rows.to_vec())
}

#[test]
fn damage_is_seen_or_loses_nothing() {
    let whole = Whole::make();
    let dir = tempfile::tempdir().unwrap();
    let config =
        ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |(file in 0..FILES.len(), damage in damage())| {
        let (files, must_be_seen) = whole.damaged(file, &damage);
        for entry in fs::read_dir(dir.path()).unwrap() {
            fs::remove_file(entry.unwrap().path()).unwrap();
        }
        for (name, bytes) in FILES.iter().zip(&files) {
            fs::write(dir.path().join(name), bytes).unwrap();
        }
        let look = MoneyJournal::open_to_read(dir.path(), JournalTrouble::Missing);
        whole.is_seen(look.and_then(|mut look| everything(&mut look.journal)));
        prop_assert!(read_files(dir.path()) == files, "looking changed the files");
        let opened = MoneyJournal::open(dir.path(), OsDisk, true);
        let seen = whole.is_seen(opened.and_then(|mut journal| everything(&mut journal)));
        prop_assert!(seen || !must_be_seen, "it was not seen");
        prop_assert!(!seen || read_files(dir.path()) == files, "damaged files were changed");
    });
}
