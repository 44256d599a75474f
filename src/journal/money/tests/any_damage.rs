//! Property tests that randomly damage one of the journal's two files, `money.db` and `money.head`.
//! Either the damage is detected, or nothing is lost.
//!
//! The journal contains withdrawals in every state. Opening it after the damage must either report
//! the damage and change no file, or return every withdrawal unchanged. The tests never replace
//! both files with older ones, because nothing inside the directory can reveal that.

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

/// A random change to one of the journal's two files.
#[derive(Debug, Clone)]
enum Damage {
    /// A single bit is flipped.
    Flip { at: Index, bit: u32 },
    /// The file is truncated at this position.
    Cut { at: Index },
    /// The file is replaced with the content that it had at an earlier moment.
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

/// The undamaged journal. `moments` contains the content of both files after each write, and the
/// number of events at that time.
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
        // Write a single event last, so that the previous `money.head` is exactly one event behind.
        journal.decide(key(32), Decision::Discarded, &clocks(900), &WINDOW).unwrap();
        keep(&journal);
        let withdrawals = everything(&mut journal).unwrap();
        let state = |one: &Withdrawal| one.state(&clocks(60), &WINDOW, false).name();
        let states: BTreeSet<_> = withdrawals.iter().map(state).collect();
        assert_eq!(states.len(), 9, "every state but sending: {states:?}");
        Whole { moments, withdrawals }
    }

    /// Damages one file, and returns the content of both files. The flag is true if the damage must
    /// be detected. If it is false, the damage may be harmless.
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
                // A `money.head` that is one event behind is not damage. It occurs if the process
                // is killed between the two writes.
                !(file == HEAD && then + 1 == *events)
            }
        };
        (files, must_be_seen)
    }

    /// Returns true if the damage was reported. If the journal could be read, asserts that no
    /// withdrawal changed.
    fn is_seen(&self, read: Result<Vec<Withdrawal>, JournalTrouble>) -> bool {
        match read {
            Ok(read) => {
                assert!(read == self.withdrawals, "it opens, and is another one");
                false
            }
            // A flipped bit in the schema version makes the file look like a journal of another
            // version.
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

/// Returns the agreement of withdrawal `n`. Each has its own account, because withdrawals of one
/// account could conflict.
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
