//! Tests of a withdrawal journal that is not this computer's live journal (the one for real money).
//! Before anything is sent, the seller must make it the live journal by typing its path.

use std::path::PathBuf;

use super::*;

fn app_with_other_journal() -> App {
    let mut app = App::logged_in();
    app.model.store.journal_path = "/s/copy/journal".into();
    app.press("3");
    let trouble = JournalTrouble::Elsewhere(PathBuf::from("/s/journal"));
    app.deliver_withdrawals(Err(trouble));
    app
}

#[test]
fn journal_without_marker_is_made_live_by_its_path() {
    let contents = JournalContents {
        withdrawals: 48,
        open: 2,
        last: Some(Wall(0)),
    };
    for trouble in [
        JournalTrouble::Unmarked(contents),
        JournalTrouble::OtherMachine(contents),
    ] {
        let mut app = App::logged_in();
        app.model.store.journal_path = "/s/journal".into();
        app.press("3");
        app.deliver_withdrawals(Err(trouble));
        assert!(app.offers(Action::MakeLive) && !app.offers(Action::New));
        app.press("R");
        app.type_text("/s/journal");
        let effects = app.press("Ctrl-S");
        let [Effect::MakeLive(ticket)] = effects[..] else {
            panic!("{effects:?}")
        };
        let effects = app.deliver(Msg::MadeLive {
            ticket,
            result: Ok(()),
        });
        assert!(
            matches!(effects[..], [Effect::Money(MoneyCommand::Load(_))]),
            "{effects:?}"
        );
        app.deliver_withdrawals(Ok(Snapshot::default()));
        assert!(app.offers(Action::New) && !app.offers(Action::MakeLive));
    }
}

#[test]
fn journal_elsewhere_locks_withdrawals() {
    let mut app = app_with_other_journal();
    assert_eq!(app.model.pane, Pane::Withdrawals);
    assert!(app.offers(Action::MakeLive));
    assert!(!app.offers(Action::New));
    assert_eq!(app.press("n"), vec![]);
    assert!(app.model.layers.is_empty());
}

#[test]
fn only_the_typed_path_makes_the_journal_live() {
    let mut app = app_with_other_journal();
    app.press("R Enter");
    for path in ["", "journal", "/s/journal", "/s/copy/journal/"] {
        app.press("Ctrl-U");
        app.type_text(path);
        assert_eq!(app.press("Ctrl-S"), vec![], "{path:?}");
    }
    let Layer::MakeLive(form) = app.top() else {
        panic!("the form")
    };
    let error = form.sent.form.field("path").unwrap().error.clone();
    assert_eq!(error, Some(FieldError::NotAsRequired));
    app.press("Ctrl-U");
    app.type_text("/s/copy/journal");
    let effects = app.press("Ctrl-S");
    let [Effect::MakeLive(ticket)] = effects[..] else {
        panic!("{effects:?}")
    };
    let busy = Failure::Journal(JournalTrouble::Busy("a window has it open".into()));
    app.deliver(Msg::MadeLive {
        ticket,
        result: Err(busy.clone()),
    });
    let Layer::MakeLive(form) = app.top() else {
        panic!("the form stays")
    };
    assert_eq!(form.sent.failure, Some(busy));
    let effects = app.press("Ctrl-S");
    let [Effect::MakeLive(ticket)] = effects[..] else {
        panic!("{effects:?}")
    };
    let effects = app.deliver(Msg::MadeLive {
        ticket,
        result: Ok(()),
    });
    assert!(
        matches!(effects[..], [Effect::Money(MoneyCommand::Load(_))]),
        "{effects:?}"
    );
    assert_eq!(app.model.notice, Some(Notice::good("said-made-live")));
    assert!(app.model.layers.is_empty());
}

#[test]
fn path_is_not_submitted_if_button_is_hidden() {
    let mut app = app_with_other_journal();
    app.press("R");
    app.type_text("/s/copy/journal");
    app.model.size = Size {
        columns: 46,
        rows: 14,
    };
    assert_eq!(app.press("Ctrl-S"), vec![]);
    app.model.size = Size {
        columns: 80,
        rows: 24,
    };
    assert!(matches!(app.press("Ctrl-S")[..], [Effect::MakeLive(_)]));
}

#[test]
fn form_closes_once_the_journal_is_live() {
    let mut app = app_with_other_journal();
    app.press("R");
    assert!(matches!(app.top(), Layer::MakeLive(_)));
    app.deliver_withdrawals(Ok(Snapshot::default()));
    assert!(app.model.layers.is_empty());
    assert!(app.offers(Action::New));
}
