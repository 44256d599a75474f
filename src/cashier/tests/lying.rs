//! A disk that gives another withdrawal than the one agreed to, in the moment of sending.

use std::sync::Mutex;

use super::{WINDOW, agreement, clocks, confirmed, key, open, run, watching};
use crate::cashier::Report;
use crate::journal::DiskStep;
use crate::journal::money::WriteRefused;
use crate::journal::money::samples::{Lie, LyingDisk};
use crate::trade::{Agreement, JournalTrouble, PixKey, PixKeyKind};

fn of_another(agreement: &mut Agreement) {
    let other = super::agreement(1, 90_000);
    (agreement.amount, agreement.quote) = (other.amount, other.quote);
    agreement.body = other.body;
}

fn to_another(agreement: &mut Agreement) {
    let email = "mallory@evil.example";
    agreement.body = agreement.body.replace("ana@loja.example", email).into();
    agreement.destination = PixKey::parse(PixKeyKind::Email, email).ok();
}

const LIES: [(&str, Lie); 9] = [
    ("another amount", of_another),
    ("another destination", to_another),
    ("another amount to another destination", |agreement| {
        of_another(agreement);
        to_another(agreement);
    }),
    ("one byte of the body", |agreement| {
        agreement.body = agreement.body.replace(" , ", ", ").into();
    }),
    ("no body", |agreement| agreement.body = "".into()),
    // The same body, under another key or to another place: it would pay a second time.
    ("another key on the wire", |agreement| agreement.key_header = key(7).to_string().into()),
    ("another header", |agreement| agreement.key_header_name = "X-Other".into()),
    ("another address", |agreement| agreement.url = "https://pay.example/other".into()),
    // The same lock is taken for it, so only this tells them apart.
    ("the login in other letters", |agreement| {
        agreement.account.identity = agreement.account.identity.to_uppercase().into();
    }),
];

#[test]
fn nothing_sent_if_disk_returns_other_withdrawal() {
    // Before the attempt is judged; and after that, when it is read back to be sent. Then it is
    // on disk that it was about to leave, and who opens the journal next has to take it for sent.
    for (step, events, state) in
        [(DiskStep::Begin, 1, "prepared"), (DiskStep::Append, 2, "unknown")]
    {
        for (what, lie) in LIES {
            let dir = tempfile::tempdir().unwrap();
            let disk = LyingDisk::default();
            let mut journal = disk.open(dir.path());
            let agreed = journal.prepare(agreement(1, 100), None).unwrap().agreement;
            let journal = Mutex::new(journal);
            let wire = watching(dir.path(), confirmed());
            disk.lies_after(step, lie);
            let reports = run(&journal, &wire, 2);
            assert!(disk.told() > 0, "{step:?} {what}");
            let why = WriteRefused::BodyChanged;
            assert_eq!(reports, [Report::NotBegun { key: key(1), why }], "{step:?} {what}");
            // Nor by another key press: the journal is damaged from now on.
            let reports = run(&journal, &wire, 3);
            let [Report::NotBegun { why: WriteRefused::Journal(trouble), .. }] = &reports[..]
            else {
                panic!("{step:?} {what}: {reports:?}");
            };
            assert!(matches!(trouble, JournalTrouble::Damaged(_)), "{trouble:?}");
            assert!(wire.sent.borrow().is_empty(), "{step:?} {what}");
            drop(journal);
            let mut journal = open(dir.path());
            let known = journal.get(key(1)).unwrap().unwrap();
            assert_eq!((known.agreement.clone(), journal.events()), (agreed, events), "{what}");
            assert_eq!(known.state(&clocks(2), &WINDOW, false).name(), state, "{what}");
        }
    }
}

/// Without the lie this very disk sends: what is refused above is refused because of it.
#[test]
fn the_disk_that_could_lie_and_does_not_sends() {
    let dir = tempfile::tempdir().unwrap();
    let mut journal = LyingDisk::default().open(dir.path());
    journal.prepare(agreement(1, 100), None).unwrap();
    let wire = watching(dir.path(), confirmed());
    let reports = run(&Mutex::new(journal), &wire, 2);
    assert!(matches!(reports[..], [Report::Began { .. }, Report::Settled(_)]), "{reports:?}");
    assert_eq!(wire.sent.borrow()[..], [agreement(1, 100).body.to_string()]);
}
