//! Property tests that randomly damage one of the journal's two files, `money.db` and `money.head`.
//! Either the damage is detected, or nothing is lost.
//!
//! The journal contains withdrawals in every state. Opening it after the damage must either report
//! the damage and change no file, or return every withdrawal unchanged. The tests never replace
//! both files with older versions. Such a change cannot be detected from inside the directory.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use proptest::prelude::*;
use proptest::sample::Index;

use crate::journal::money::Files;
use crate::journal::money::samples::*;
use crate::journal::money::{MoneyJournal, ReadOnlyJournal};
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
struct UndamagedJournal {
    moments: Vec<(TwoFiles, i64)>,
    withdrawals: Vec<Withdrawal>,
}

impl UndamagedJournal {
    fn create() -> UndamagedJournal {
        let classes = [
            Class::NotSent(NotSent::Dns),
            Class::Unauthorized,
            Class::Throttled { retry_after: None },
            timed_out(),
            Class::Unclear(Unclear::OtherSuccess),
            Class::Unclear(Unclear::EchoDiffers(wrong_destination_alarm())),
            confirmed(),
            Class::DefiniteNo,
            Class::Redirected,
            wrong_destination(),
            says_failed(),
        ];
        let (dir, mut journal) = new_journal();
        let mut moments = vec![(read_files(dir.path()), 0)];
        let mut record = |journal: &MoneyJournal| {
            moments.push((read_files(dir.path()), journal.events()));
        };
        for n in 1..=40_u128 {
            if n == 20 {
                assert!(journal.purge(Wall(90_000_000), Wall(90_000_000)).unwrap() > 0);
            }
            journal.prepare(agreement_of_own_account(n), None).unwrap();
            record(&journal);
            let at = n as i64;
            match n as usize % (classes.len() + 5) {
                0 => {}
                1 => drop(begin_attempt(&mut journal, n, at).unwrap()),
                2 => {
                    make_attempt(&mut journal, n, at, timed_out());
                    make_attempt(&mut journal, n, at + 40, confirmed());
                }
                3 => {
                    make_attempt(&mut journal, n, at, timed_out());
                    record(&journal);
                    make_attempt(&mut journal, n, at + 40, Class::KeyReused);
                }
                4 => {
                    make_attempt(&mut journal, n, at, Class::Redirected);
                    let choice =
                        [Decision::FoundPaid, Decision::StatedNotPaid][n as usize / 16 % 2];
                    journal
                        .decide(key(n), choice, &clocks(900), &WINDOW)
                        .unwrap();
                }
                end => make_attempt(&mut journal, n, at, classes[end - 5].clone()),
            }
            record(&journal);
        }
        // Write a single event last, so that the previous `money.head` is exactly one event behind.
        journal
            .decide(key(32), Decision::Discarded, &clocks(900), &WINDOW)
            .unwrap();
        record(&journal);
        let withdrawals = read_all(&mut journal).unwrap();
        let state = |withdrawal: &Withdrawal| withdrawal.state(&clocks(60), &WINDOW, false).name();
        let states: BTreeSet<_> = withdrawals.iter().map(state).collect();
        assert_eq!(states.len(), 9, "every state but sending: {states:?}");
        UndamagedJournal {
            moments,
            withdrawals,
        }
    }

    /// Damages one file, and returns the content of both files. The flag is true if the damage must
    /// be detected. If it is false, the damage may be harmless.
    fn damaged(&self, file: usize, damage: &Damage) -> (TwoFiles, bool) {
        let (last, events) = self.moments.last().unwrap();
        let mut files = last.clone();
        let bytes = &mut files[file];
        let must_be_detected = match damage {
            Damage::Flip { at, bit } => {
                bytes[at.index(last[file].len())] ^= 1 << bit;
                false
            }
            Damage::Cut { at } => {
                bytes.truncate(at.index(last[file].len()));
                true
            }
            Damage::Old { moment } => {
                let (old, events_then) = &self.moments[moment.index(self.moments.len() - 1)];
                bytes.clone_from(&old[file]);
                // A `money.head` that is one event behind is not damage. It occurs if the process
                // is killed between the two writes.
                !(file == HEAD && events_then + 1 == *events)
            }
        };
        (files, must_be_detected)
    }

    /// True if reading reported the damage. Otherwise, asserts that no withdrawal changed.
    fn is_reported(&self, result: Result<Vec<Withdrawal>, JournalTrouble>) -> bool {
        match result {
            Ok(result) => {
                assert!(result == self.withdrawals, "it opens, and is another one");
                false
            }
            // A flipped bit in the schema version makes the file look like a journal of another
            // version.
            Err(JournalTrouble::Damaged(_) | JournalTrouble::OtherVersion { .. }) => true,
            Err(other) => panic!("{other:?}"),
        }
    }
}

fn wrong_destination_alarm() -> crate::trade::withdrawal::Alarm {
    match wrong_destination() {
        Class::Alarm(alarm) => alarm,
        other => panic!("{other:?}"),
    }
}

/// The agreement of withdrawal `n`. Each withdrawal has its own account, because withdrawals of the
/// same account could conflict.
fn agreement_of_own_account(n: u128) -> Agreement {
    Agreement {
        account: account(&format!("seller {n}")),
        ..agreement(n, 1_000 + n as i64)
    }
}

fn read_all(journal: &mut MoneyJournal) -> Result<Vec<Withdrawal>, JournalTrouble> {
    Ok(journal.page(None, "", 0, 1_000)?.rows.to_vec())
}

#[test]
fn damage_is_detected_or_loses_nothing() {
    let undamaged = UndamagedJournal::create();
    let dir = tempfile::tempdir().unwrap();
    let config = ProptestConfig {
        cases: 300,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    proptest!(config, |(file in 0..FILES.len(), damage in damage())| {
        let (files, must_be_detected) = undamaged.damaged(file, &damage);
        for entry in fs::read_dir(dir.path()).unwrap() {
            fs::remove_file(entry.unwrap().path()).unwrap();
        }
        for (name, bytes) in FILES.iter().zip(&files) {
            fs::write(dir.path().join(name), bytes).unwrap();
        }
        let opened = MoneyJournal::open_to_read(&Files::new(dir.path()), JournalTrouble::Missing);
        let is_reported =
            undamaged.is_reported(opened.and_then(|mut opened| read_all(&mut opened.journal)));
        let overview = ReadOnlyJournal::open(&Files::new(dir.path()));
        let listed = overview.and_then(|opened| opened.journal.withdrawals().collect());
        prop_assert_eq!(undamaged.is_reported(listed), is_reported);
        prop_assert!(read_files(dir.path()) == files, "looking changed the files");
        let opened = MoneyJournal::open(Files::new(dir.path()), true);
        let read = opened.and_then(|mut journal| read_all(&mut journal));
        let is_reported = undamaged.is_reported(read);
        prop_assert!(is_reported || !must_be_detected, "it was not seen");
        prop_assert!(!is_reported || read_files(dir.path()) == files, "damaged files were changed");
    });
}
