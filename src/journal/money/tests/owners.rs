//! Tests of accounts. Different spellings of one account share one lock. Duplicates are detected
//! even between different accounts.

use crate::journal::money::WriteRefused;
use crate::journal::money::samples::*;
use crate::trade::withdrawal::{ClashKind, Decision};
use crate::trade::{Account, Agreement, Money, Origin, Wall};

fn place(origin: &str, identity: &str) -> Account {
    Account { origin: Origin(origin.into()), identity: identity.into() }
}

/// Returns two different spellings of the same sample account.
fn spellings() -> [Account; 2] {
    [place("https://PAY.example.:443", "ana"), place("https://pay.example", " Ana ")]
}

/// Returns two different accounts: another login, and the same login at another port.
fn others() -> [Account; 2] {
    [place("https://pay.example", "bia"), place("https://pay.example:8443", "ana")]
}

#[test]
fn same_open_is_refused_under_any_spelling() {
    let (_dir, mut journal) = fresh();
    attempted(&mut journal, 1, 100, lost());
    for account in spellings() {
        let again = Agreement { account, ..agreement(2, 100) };
        let refused = journal.prepare(again, typed_again(100, &[1]));
        assert_eq!(refused, Err(against(ClashKind::SameOpen, 1)));
    }
}

#[test]
fn same_open_elsewhere_requires_amount_retyped() {
    for (n, account) in (2..).zip(others()) {
        let (_dir, mut journal) = fresh();
        attempted(&mut journal, 1, 100, lost());
        let again = Agreement { account, ..agreement(n, 100) };
        let refused = journal.prepare(again.clone(), None);
        assert_eq!(refused, Err(against(ClashKind::SameOpenElsewhere, 1)));
        let another = Agreement { amount: Money::from_centavos(200), ..again.clone() };
        assert!(journal.prepare(Agreement { key: key(9), ..another }, None).is_ok());
        assert!(journal.prepare(again, typed_again(100, &[1])).is_ok());
        assert_eq!(begin(&mut journal, n, 5), Ok(1), "the seller knew of it");
    }
}

#[test]
fn prepared_is_not_sent_while_same_open_elsewhere() {
    let (_dir, mut journal) = fresh();
    let [bia, _] = others();
    journal.prepare(Agreement { account: bia, ..agreement(2, 100) }, None).unwrap();
    attempted(&mut journal, 1, 100, lost());
    assert_eq!(begin(&mut journal, 2, 5), Err(against(ClashKind::SameOpenElsewhere, 1)));
}

#[test]
fn repeat_within_a_day_is_retyped_under_any_login() {
    let (_dir, mut journal) = fresh();
    attempted(&mut journal, 1, 100, confirmed());
    let to = agreement(1, 100).destination;
    let similar = journal.similar_decided(Money::from_centavos(100), to.as_ref(), Wall(2_000));
    assert_eq!(similar.unwrap().len(), 1);
    for (n, account) in (2..).zip(spellings().into_iter().chain(others())) {
        let again = Agreement { account, ..agreement(n, 100) };
        let refused = journal.prepare(again.clone(), None);
        assert_eq!(refused, Err(against(ClashKind::SameDecided, 1)));
        assert!(journal.prepare(again, typed_again(100, &[1])).is_ok());
    }
}

#[test]
fn mismatch_locks_own_account_and_warns_others() {
    let (_dir, mut journal) = fresh();
    attempted(&mut journal, 1, 100, alarm());
    for account in spellings() {
        let other = Agreement { account, ..agreement(2, 200) };
        assert_eq!(journal.prepare(other, None), Err(against(ClashKind::Mismatch, 1)));
    }
    let [bia, _] = others();
    let other = Agreement { account: bia.clone(), ..agreement(2, 200) };
    assert!(journal.prepare(other, None).is_ok());
    let same = Agreement { account: bia, ..agreement(3, 100) };
    assert_eq!(journal.prepare(same, None), Err(against(ClashKind::SameOpenElsewhere, 1)));
}

#[test]
fn owner_spellings_share_a_single_attempt_in_flight() {
    let (_dir, mut journal) = fresh();
    let accounts = spellings().into_iter().chain([account("ana")]).chain(others());
    for (n, account) in (1..).zip(accounts) {
        let agreement = Agreement { account, ..agreement(n, 100 * n as i64) };
        journal.prepare(agreement, None).unwrap();
    }
    let held = journal.lock(key(1)).unwrap();
    for n in [2, 3] {
        assert_eq!(journal.lock(key(n)).unwrap_err(), WriteRefused::Busy);
    }
    for n in [4, 5] {
        assert!(journal.lock(key(n)).is_ok(), "another account is another matter");
    }
    drop(held);
    assert!(journal.lock(key(2)).is_ok());
}

#[test]
fn undecided_can_be_decided_under_any_login() {
    let (_dir, mut journal) = fresh();
    for (n, account) in (1..).zip(others()) {
        let agreement = Agreement { account, ..agreement(n, 100 * n as i64) };
        journal.prepare(agreement, None).unwrap();
    }
    attempt(&mut journal, 1, 3, lost());
    assert!(journal.decide(key(1), Decision::FoundPaid, &clocks(4), &WINDOW).is_ok());
    assert!(journal.decide(key(2), Decision::Discarded, &clocks(4), &WINDOW).is_ok());
}
