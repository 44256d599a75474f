//! Tests of accounts. Different spellings of one account share one lock. Duplicates are detected
//! even between different accounts.

use crate::journal::money::samples::*;
use crate::trade::withdrawal::{Blocker, ClashKind, Decision, NotDone};
use crate::trade::{Account, Agreement, Money, Origin, Wall};

fn account_at(origin: &str, identity: &str) -> Account {
    Account {
        origin: Origin(origin.into()),
        identity: identity.into(),
    }
}

/// Two different spellings of the same sample account.
fn spellings() -> [Account; 2] {
    [
        account_at("https://PAY.example.:443", "ana"),
        account_at("https://pay.example", " Ana "),
    ]
}

/// Two different accounts: another login, and the same login at another port.
fn other_accounts() -> [Account; 2] {
    [
        account_at("https://pay.example", "bia"),
        account_at("https://pay.example:8443", "ana"),
    ]
}

#[test]
fn same_open_is_refused_under_any_spelling() {
    let (_dir, mut journal) = new_journal();
    prepare_and_attempt(&mut journal, 1, 100, timed_out());
    for account in spellings() {
        let repeat = Agreement {
            account,
            ..agreement(2, 100)
        };
        let result = journal.prepare(repeat, retyped_amount(100, &[1]));
        assert_eq!(bare(result), Err(conflict_error(ClashKind::SameOpen, 1)));
    }
}

#[test]
fn same_open_elsewhere_requires_amount_retyped() {
    for (n, account) in (2..).zip(other_accounts()) {
        let (_dir, mut journal) = new_journal();
        prepare_and_attempt(&mut journal, 1, 100, timed_out());
        let repeat = Agreement {
            account,
            ..agreement(n, 100)
        };
        let result = journal.prepare(repeat.clone(), None);
        assert_eq!(
            bare(result),
            Err(conflict_error(ClashKind::SameOpenElsewhere, 1))
        );
        let other_amount = Agreement {
            amount: Money::from_centavos(200),
            ..repeat.clone()
        };
        assert!(
            journal
                .prepare(
                    Agreement {
                        key: key(9),
                        ..other_amount
                    },
                    None
                )
                .is_ok()
        );
        assert!(journal.prepare(repeat, retyped_amount(100, &[1])).is_ok());
        assert_eq!(
            begin_attempt(&mut journal, n, 5),
            Ok(1),
            "the seller knew of it"
        );
    }
}

#[test]
fn prepared_is_not_sent_while_same_open_elsewhere() {
    let (_dir, mut journal) = new_journal();
    let [bia, _] = other_accounts();
    journal
        .prepare(
            Agreement {
                account: bia,
                ..agreement(2, 100)
            },
            None,
        )
        .unwrap();
    prepare_and_attempt(&mut journal, 1, 100, timed_out());
    assert_eq!(
        begin_attempt(&mut journal, 2, 5),
        Err(conflict_error(ClashKind::SameOpenElsewhere, 1))
    );
}

#[test]
fn repeat_within_a_day_is_retyped_under_any_login() {
    let (_dir, mut journal) = new_journal();
    prepare_and_attempt(&mut journal, 1, 100, confirmed());
    let destination = agreement(1, 100).destination;
    let similar =
        journal.similar_decided(Money::from_centavos(100), destination.as_ref(), Wall(2_000));
    assert_eq!(similar.unwrap().len(), 1);
    for (n, account) in (2..).zip(spellings().into_iter().chain(other_accounts())) {
        let repeat = Agreement {
            account,
            ..agreement(n, 100)
        };
        let result = journal.prepare(repeat.clone(), None);
        assert_eq!(bare(result), Err(conflict_error(ClashKind::SameDecided, 1)));
        assert!(journal.prepare(repeat, retyped_amount(100, &[1])).is_ok());
    }
}

#[test]
fn mismatch_locks_own_account_and_warns_others() {
    let (_dir, mut journal) = new_journal();
    prepare_and_attempt(&mut journal, 1, 100, wrong_destination());
    for account in spellings() {
        let other = Agreement {
            account,
            ..agreement(2, 200)
        };
        assert_eq!(
            bare(journal.prepare(other, None)),
            Err(conflict_error(ClashKind::Mismatch, 1))
        );
    }
    let [bia, _] = other_accounts();
    let other = Agreement {
        account: bia.clone(),
        ..agreement(2, 200)
    };
    assert!(journal.prepare(other, None).is_ok());
    let same = Agreement {
        account: bia,
        ..agreement(3, 100)
    };
    assert_eq!(
        bare(journal.prepare(same, None)),
        Err(conflict_error(ClashKind::SameOpenElsewhere, 1))
    );
}

#[test]
fn owner_spellings_share_a_single_attempt_in_flight() {
    let (_dir, mut journal) = new_journal();
    let accounts = spellings()
        .into_iter()
        .chain([account("ana")])
        .chain(other_accounts());
    for (n, account) in (1..).zip(accounts) {
        let agreement = Agreement {
            account,
            ..agreement(n, 100 * n as i64)
        };
        journal.prepare(agreement, None).unwrap();
    }
    let lock = journal.lock(key(1)).unwrap();
    for n in [2, 3] {
        assert_eq!(
            journal.lock(key(n)).unwrap_err(),
            NotDone::Blocked(Blocker::Busy)
        );
    }
    for n in [4, 5] {
        assert!(
            journal.lock(key(n)).is_ok(),
            "another account is another matter"
        );
    }
    drop(lock);
    assert!(journal.lock(key(2)).is_ok());
}

#[test]
fn undecided_can_be_decided_under_any_login() {
    let (_dir, mut journal) = new_journal();
    for (n, account) in (1..).zip(other_accounts()) {
        let agreement = Agreement {
            account,
            ..agreement(n, 100 * n as i64)
        };
        journal.prepare(agreement, None).unwrap();
    }
    make_attempt(&mut journal, 1, 3, timed_out());
    assert!(
        journal
            .decide(key(1), Decision::FoundPaid, &clocks(4), &WINDOW)
            .is_ok()
    );
    assert!(
        journal
            .decide(key(2), Decision::Discarded, &clocks(4), &WINDOW)
            .is_ok()
    );
}
