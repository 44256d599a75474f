//! Tests with a disk that changes the stored withdrawal just before sending. The withdrawal must
//! not be sent, because it differs from the confirmed one.

use std::sync::Mutex;

use super::{WINDOW, agreement, clocks, confirmed, key, open, run, watching_wire};
use crate::cashier::Report;
use crate::journal::DiskStep;
use crate::journal::money::samples::{Lie, LyingDisk};
use crate::trade::withdrawal::{Blocker, NotDone};
use crate::trade::{Agreement, JournalTrouble, PixKey, PixKeyKind};

fn change_amount(agreement: &mut Agreement) {
    let other = super::agreement(1, 90_000);
    (agreement.amount, agreement.quote) = (other.amount, other.quote);
    agreement.body = other.body;
}

fn change_destination(agreement: &mut Agreement) {
    let email = "mallory@evil.example";
    agreement.body = agreement.body.replace("ana@loja.example", email).into();
    agreement.destination = PixKey::parse(PixKeyKind::Email, email).ok();
}

const LIES: [(&str, Lie); 9] = [
    ("another amount", change_amount),
    ("another destination", change_destination),
    ("another amount to another destination", |agreement| {
        change_amount(agreement);
        change_destination(agreement);
    }),
    ("one byte of the body", |agreement| {
        agreement.body = agreement.body.replace(" , ", ", ").into();
    }),
    ("no body", |agreement| agreement.body = "".into()),
    // With a different idempotency key or URL, the service would accept the same body as a second
    // payment.
    ("another key on the wire", |agreement| {
        agreement.key_header = key(7).to_string().into()
    }),
    ("another header", |agreement| {
        agreement.key_header_name = "X-Other".into()
    }),
    ("another address", |agreement| {
        agreement.url = "https://pay.example/other".into()
    }),
    // The account's lock ignores upper and lower case, so it does not detect a login in other
    // letters. Only a comparison of the whole agreement detects it.
    ("the login in other letters", |agreement| {
        agreement.account.identity = agreement.account.identity.to_uppercase().into();
    }),
];

#[test]
fn nothing_sent_if_disk_returns_other_withdrawal() {
    // The journal reads the withdrawal from disk twice: before checking the attempt and after
    // storing it. If only the second reading is wrong, the attempt is already on disk. The next
    // process must then assume that it was sent.
    for (step, events, state) in [
        (DiskStep::Begin, 1, "prepared"),
        (DiskStep::Append, 2, "unknown"),
    ] {
        for (name, lie) in LIES {
            let dir = tempfile::tempdir().unwrap();
            let disk = LyingDisk::default();
            let mut journal = disk.open(dir.path());
            let confirmed_agreement = journal.prepare(agreement(1, 100), None).unwrap().agreement;
            let journal = Mutex::new(journal);
            let wire = watching_wire(dir.path(), confirmed());
            disk.lie_after(step, lie);
            let reports = run(&journal, &wire, 2);
            assert!(disk.lie_count() > 0, "{step:?} {name}");
            let why = NotDone::Blocked(Blocker::BodyChanged);
            assert_eq!(
                reports,
                [Report::NotBegun { key: key(1), why }],
                "{step:?} {name}"
            );
            // The journal now counts as damaged, so another attempt sends nothing either.
            let reports = run(&journal, &wire, 3);
            let [
                Report::NotBegun {
                    why: NotDone::Journal(trouble),
                    ..
                },
            ] = &reports[..]
            else {
                panic!("{step:?} {name}: {reports:?}");
            };
            assert!(matches!(trouble, JournalTrouble::Damaged(_)), "{trouble:?}");
            assert!(wire.sent.borrow().is_empty(), "{step:?} {name}");
            drop(journal);
            let mut journal = open(dir.path());
            let stored = journal.get(key(1)).unwrap().unwrap();
            assert_eq!(
                (stored.agreement.clone(), journal.events()),
                (confirmed_agreement, events),
                "{name}"
            );
            assert_eq!(
                stored.state(&clocks(2), &WINDOW, false).name(),
                state,
                "{name}"
            );
        }
    }
}

/// Control test: with correct data, the attempt is sent on the same kind of disk. So the changed
/// data caused the refusals in the test above.
#[test]
fn disk_without_lies_lets_the_attempt_be_sent() {
    let dir = tempfile::tempdir().unwrap();
    let mut journal = LyingDisk::default().open(dir.path());
    journal.prepare(agreement(1, 100), None).unwrap();
    let wire = watching_wire(dir.path(), confirmed());
    let reports = run(&Mutex::new(journal), &wire, 2);
    assert!(
        matches!(
            reports[..],
            [Report::AttemptBegan { .. }, Report::Settled(_)]
        ),
        "{reports:?}"
    );
    assert_eq!(wire.sent.borrow()[..], [agreement(1, 100).body.to_string()]);
}
