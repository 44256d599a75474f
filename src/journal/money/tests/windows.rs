//! Tests with several processes ("windows") that use the same journal.

use std::sync::Barrier;

use crate::journal::money::samples::*;
use crate::trade::Money;
use crate::trade::withdrawal::{Blocker, ClashKind, NotDone, Retyped, Settled, settle};

#[test]
fn each_window_sees_what_the_other_wrote() {
    let dir = tempfile::tempdir().unwrap();
    let mut left = open(dir.path());
    let mut right = open(dir.path());
    prepare_and_attempt(&mut left, 1, 100, timed_out());
    assert_eq!(
        bare(right.prepare(agreement(2, 100), None)),
        Err(conflict_error(ClashKind::SameOpen, 1))
    );
    make_attempt(&mut right, 1, 2, confirmed());
    assert_eq!(left.catch_up(), Ok(true));
    assert_eq!(left.catch_up(), Ok(false));
    assert_eq!(left.get(key(1)).unwrap(), right.get(key(1)).unwrap());
    assert_eq!(left.open_withdrawals(), Ok(vec![]));
    assert_eq!(left.verify(), Ok(5));
}

#[test]
fn page_locks_once_and_account_is_checked_once() {
    let dir = tempfile::tempdir().unwrap();
    let disk = LyingDisk::default();
    let mut journal = disk.open(dir.path());
    for n in 1..=8 {
        prepare_and_attempt(&mut journal, n, 100 * n as i64, confirmed());
    }
    // Make three attempts for the account "ana" without recording their outcomes. The last one
    // counts as being sent, because the account's lock is taken below.
    for n in 9..=11 {
        journal
            .prepare(agreement(n, 100 * n as i64), retyped_beside_open(n))
            .unwrap();
        let lock = journal.lock(key(n)).unwrap();
        drop(
            journal
                .begin(lock, key(n), None, &clocks(n as i64), &WINDOW)
                .unwrap(),
        );
    }
    let _sending = journal
        .storage
        .lock_account(&account("ana").normalized())
        .unwrap()
        .unwrap();
    disk.take_locks();
    let page = journal.page(None, "", 0, 200).unwrap();
    assert_eq!(page.rows.len(), 11);
    let once = Locks {
        transactions: 1,
        ..Locks::default()
    };
    assert_eq!(disk.take_locks(), once);
    assert_eq!(journal.in_flight(&account("ana")), Ok(Some(key(11))));
    assert_eq!(
        disk.take_locks(),
        Locks {
            account_checks: 1,
            ..Locks::default()
        }
    );
}

/// The amount of withdrawal `n` that the seller typed again after a warning about the earlier open
/// withdrawals.
fn retyped_beside_open(n: u128) -> Option<Retyped> {
    let amount = Money::from_centavos(100 * n as i64);
    Some(Retyped {
        amount,
        shown_keys: (9..n).map(key).collect(),
    })
}

#[test]
fn account_has_a_single_attempt_in_flight() {
    let dir = tempfile::tempdir().unwrap();
    let mut left = open(dir.path());
    let mut right = open(dir.path());
    left.prepare(agreement(1, 100), None).unwrap();
    left.prepare(agreement(2, 200), None).unwrap();
    let lock = left.lock(key(1)).unwrap();
    assert_eq!(
        right.lock(key(2)).err(),
        Some(NotDone::Blocked(Blocker::Busy))
    );
    let permit = left.begin(lock, key(1), None, &clocks(3), &WINDOW).unwrap();
    assert_eq!(
        right.lock(key(2)).err(),
        Some(NotDone::Blocked(Blocker::Busy))
    );
    assert_eq!(right.in_flight(&account("ana")), Ok(Some(key(1))));
    assert_eq!(right.in_flight(&account("bia")), Ok(None));
    left.settle(permit.spend().0, &attempt_end(4, confirmed()))
        .unwrap();
    assert_eq!(right.in_flight(&account("ana")), Ok(None));
    let lock = right.lock(key(2)).unwrap();
    assert!(right.begin(lock, key(2), None, &clocks(5), &WINDOW).is_ok());
}

#[test]
fn lock_of_another_account_begins_no_attempt() {
    let (_dir, mut journal) = new_journal();
    journal.prepare(agreement(1, 100), None).unwrap();
    let mut bia = agreement(2, 100);
    bia.account = account("bia");
    journal.prepare(bia, None).unwrap();
    let lock = journal.lock(key(2)).unwrap();
    let result = journal.begin(lock, key(1), None, &clocks(3), &WINDOW);
    assert_eq!(result.err(), Some(NotDone::Blocked(Blocker::Busy)));
}

#[test]
fn windows_that_begin_and_write_at_once_lose_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let start = Barrier::new(4);
    std::thread::scope(|scope| {
        for window in 0..4 {
            let dir = dir.path();
            let start = &start;
            scope.spawn(move || {
                start.wait();
                let mut journal = open(dir);
                // Use only a few rounds. Otherwise, a thread could reach the lock's timeout on a
                // slow disk.
                for i in 0..3 {
                    let n = window * 100 + i + 1;
                    let mut agreement = agreement(n, n as i64);
                    agreement.account = account(&format!("seller {window}"));
                    journal.prepare(agreement, None).unwrap();
                    make_attempt(&mut journal, n, n as i64, confirmed());
                }
            });
        }
    });
    let mut journal = open(dir.path());
    let rows = journal.page(None, "", 0, 99).unwrap().rows;
    let accepted = rows
        .iter()
        .filter(|withdrawal| settle(&withdrawal.attempts) == Settled::Accepted)
        .count();
    assert_eq!((rows.len(), accepted), (12, 12));
    assert_eq!(journal.verify(), Ok(36));
}
