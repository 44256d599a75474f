//! App models of a journal of withdrawals that cannot be used: the locked withdrawals pane, and the
//! form that makes the journal the live one.

use balcao::app::screens::Layer;
use balcao::app::screens::make_live::MakeLive;
use balcao::app::ui::form::FieldError;
use balcao::app::{Model, Pane};
use balcao::trade::{JournalContents, JournalTrouble, ListPage, VaultTrouble, Withdrawal};
use balcao::words::Lang;

use super::withdrawals::{rejection, timeout, withdrawal_with};
use crate::models::{NOW, pane_model};

/// Returns all models of this file.
pub fn models(lang: Lang) -> Vec<(&'static str, Model)> {
    let mut models = journal_trouble_models(lang);
    models.extend(not_live_models(lang));
    models
}

/// Returns the withdrawals pane, which is locked because the journal in this directory is not known
/// to be the live one. Also returns the form with which the seller can make it the live journal.
fn not_live_models(lang: Lang) -> Vec<(&'static str, Model)> {
    let mut locked = pane_model(lang, Pane::Withdrawals);
    locked.withdrawals.list.loaded = true;
    let live_directory = "/srv/ana/.local/state/balcao/journal".into();
    locked.withdrawals.trouble = Some(JournalTrouble::Elsewhere(live_directory));
    let mut with_form = locked.clone();
    let mut form = MakeLive::open();
    with_form
        .layers
        .push(Layer::MakeLive(Box::new(form.clone())));
    form.sent.form.fault("path", FieldError::NotAsRequired);
    let mut with_error = locked.clone();
    with_error.layers.push(Layer::MakeLive(Box::new(form)));
    let contents = JournalContents {
        withdrawals: 48,
        open: 2,
        last: Some(NOW),
    };
    let with_trouble = |model: &Model, trouble| {
        let mut model = model.clone();
        model.withdrawals.trouble = Some(trouble);
        model
    };
    let unmarked = || JournalTrouble::Unmarked(contents);
    let other_machine = || JournalTrouble::OtherMachine(contents);
    vec![
        (
            "withdrawals-locked-unmarked",
            with_trouble(&locked, unmarked()),
        ),
        (
            "withdrawals-locked-other-machine",
            with_trouble(&locked, other_machine()),
        ),
        ("make-live-unmarked", with_trouble(&with_form, unmarked())),
        (
            "make-live-other-machine",
            with_trouble(&with_form, other_machine()),
        ),
        ("withdrawals-locked-elsewhere", locked),
        ("make-live", with_form),
        ("make-live-differs", with_error),
    ]
}

/// Returns an app model for each failure of the journal. If the journal was readable before the
/// failure, the app model still contains its withdrawals.
fn journal_trouble_models(lang: Lang) -> Vec<(&'static str, Model)> {
    let unreadable_journal = |trouble| {
        let mut model = pane_model(lang, Pane::Withdrawals);
        model.withdrawals.list.loaded = true;
        model.withdrawals.trouble = Some(trouble);
        model
    };
    let readable_journal = |trouble, withdrawals: Vec<Withdrawal>| {
        let mut model = unreadable_journal(trouble);
        model.withdrawals.was_read = true;
        let state = &mut model.withdrawals;
        state.list.page = ListPage {
            total: Some(withdrawals.len() as u64),
            first: 0,
            rows: withdrawals.clone().into(),
        };
        model.withdrawals.open = withdrawals
            .into_iter()
            .filter(|withdrawal| model.state_of(withdrawal).is_open())
            .collect();
        model
    };
    let open = || withdrawal_with(0, vec![timeout(1, 131)]);
    let decided = || withdrawal_with(1, vec![rejection(1, 590)]);
    let at_file = |problem: &str| format!("/srv/balcao/live/x/money.db: {problem}");
    let read_only = || JournalTrouble::ReadOnly(at_file("Read-only file system (os error 30)"));
    let full = || JournalTrouble::Full(at_file("database or disk is full"));
    let journal_on_network = |rows: Vec<Withdrawal>| {
        let mut model = readable_journal(JournalTrouble::Missing, rows);
        model.withdrawals.trouble = None;
        model.withdrawals.network = Some("NFS");
        model
    };
    vec![
        (
            "withdrawals-network",
            journal_on_network(vec![open(), decided()]),
        ),
        ("withdrawals-network-none", journal_on_network(vec![])),
        (
            "withdrawals-locked-not-private",
            unreadable_journal(JournalTrouble::NotPrivate(
                "/srv/balcao/live/x: others may write in it".into(),
            )),
        ),
        (
            "withdrawals-locked-missing",
            unreadable_journal(JournalTrouble::Missing),
        ),
        (
            "withdrawals-locked-maybe-missing",
            unreadable_journal(JournalTrouble::MaybeMissing(VaultTrouble::Locked)),
        ),
        (
            "withdrawals-locked-older",
            unreadable_journal(JournalTrouble::Older { missing: 3 }),
        ),
        (
            "withdrawals-locked-other-version",
            unreadable_journal(JournalTrouble::OtherVersion { found: 2, known: 3 }),
        ),
        (
            "withdrawals-locked-read-only",
            unreadable_journal(read_only()),
        ),
        (
            "withdrawals-locked-read-only-open",
            readable_journal(read_only(), vec![open(), decided()]),
        ),
        (
            "withdrawals-locked-full",
            readable_journal(full(), vec![decided()]),
        ),
        (
            "withdrawals-locked-full-open",
            readable_journal(full(), vec![open(), decided()]),
        ),
        (
            "withdrawals-locked-busy",
            readable_journal(
                JournalTrouble::Busy(at_file("another window has held it too long")),
                vec![],
            ),
        ),
        (
            "withdrawals-locked-io",
            unreadable_journal(JournalTrouble::Io(at_file("disk I/O error"))),
        ),
    ]
}
