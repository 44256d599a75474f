//! Tests of a withdrawal journal that is not this computer's journal for real money. Nothing is
//! sent until the seller types the journal's path, which makes it the one for real money.

use std::path::PathBuf;

use super::*;

fn elsewhere() -> App {
    let mut app = App::open();
    app.model.store.journal = "/s/copy/journal".into();
    app.keys("3");
    let trouble = JournalTrouble::Elsewhere(PathBuf::from("/s/journal"));
    app.journal_says(Err(trouble));
    app
}

#[test]
fn journal_elsewhere_locks_withdrawals() {
    let mut app = elsewhere();
    assert_eq!(app.model.pane, Pane::Withdrawals);
    assert!(app.offers(Action::MakeLive));
    assert!(!app.offers(Action::New));
    assert_eq!(app.keys("n"), vec![]);
    assert!(app.model.layers.is_empty());
}

#[test]
fn only_the_typed_path_makes_the_journal_live() {
    let mut app = elsewhere();
    app.keys("R Enter");
    for other in ["", "journal", "/s/journal", "/s/copy/journal/"] {
        app.keys("Ctrl-U");
        app.types(other);
        assert_eq!(app.keys("Ctrl-S"), vec![], "{other:?}");
    }
    let Layer::MakeLive(form) = app.top() else { panic!("the form") };
    let error = form.sent.form.field("path").unwrap().error.clone();
    assert_eq!(error, Some(FieldError::NotAsRequired));
    app.keys("Ctrl-U");
    app.types("/s/copy/journal");
    let wanted = app.keys("Ctrl-S");
    let [Effect::MakeLive(ticket)] = wanted[..] else { panic!("{wanted:?}") };
    let busy = Failure::Journal(JournalTrouble::Busy("a window has it open".into()));
    app.tell(Msg::MadeLive { ticket, result: Err(busy.clone()) });
    let Layer::MakeLive(form) = app.top() else { panic!("the form stays") };
    assert_eq!(form.sent.failure, Some(busy));
    let wanted = app.keys("Ctrl-S");
    let [Effect::MakeLive(ticket)] = wanted[..] else { panic!("{wanted:?}") };
    let read = app.tell(Msg::MadeLive { ticket, result: Ok(()) });
    assert!(matches!(read[..], [Effect::Money(MoneyCommand::Load(_))]), "{read:?}");
    assert_eq!(app.model.notice, Some(Notice::good("said-made-live")));
    assert!(app.model.layers.is_empty());
}

#[test]
fn path_is_not_submitted_without_the_button_in_sight() {
    let mut app = elsewhere();
    app.keys("R");
    app.types("/s/copy/journal");
    app.model.size = Size { columns: 46, rows: 14 };
    assert_eq!(app.keys("Ctrl-S"), vec![]);
    app.model.size = Size { columns: 80, rows: 24 };
    assert!(matches!(app.keys("Ctrl-S")[..], [Effect::MakeLive(_)]));
}

#[test]
fn form_closes_once_the_journal_is_live() {
    let mut app = elsewhere();
    app.keys("R");
    assert!(matches!(app.top(), Layer::MakeLive(_)));
    app.journal_says(Ok(Snapshot::default()));
    assert!(app.model.layers.is_empty());
    assert!(app.offers(Action::New));
}
