//! Tests of a computer on which a journal other than the one in use is the live journal. Nothing is
//! sent until the seller types the path of the journal in use to make it the live one.

use std::path::PathBuf;

use super::*;

fn elsewhere() -> Counter {
    let mut counter = Counter::open();
    counter.model.store.journal = "/s/copy/journal".into();
    counter.keys("3");
    let trouble = JournalTrouble::Elsewhere(PathBuf::from("/s/journal"));
    counter.journal_says(Err(trouble));
    counter
}

#[test]
fn journal_elsewhere_locks_withdrawals() {
    let mut counter = elsewhere();
    assert_eq!(counter.model.pane, Pane::Withdrawals);
    assert!(counter.offers(Action::MakeLive));
    assert!(!counter.offers(Action::New));
    assert_eq!(counter.keys("n"), vec![]);
    assert!(counter.model.layers.is_empty());
}

#[test]
fn only_the_typed_path_makes_the_journal_live() {
    let mut counter = elsewhere();
    counter.keys("R Enter");
    for other in ["", "journal", "/s/journal", "/s/copy/journal/"] {
        counter.keys("Ctrl-U");
        counter.types(other);
        assert_eq!(counter.keys("Ctrl-S"), vec![], "{other:?}");
    }
    let Layer::MakeLive(form) = counter.top() else { panic!("the form") };
    let error = form.sent.form.field("path").unwrap().error.clone();
    assert_eq!(error, Some(FieldError::Differs));
    counter.keys("Ctrl-U");
    counter.types("/s/copy/journal");
    let wanted = counter.keys("Ctrl-S");
    let [Effect::MakeLive(ticket)] = wanted[..] else { panic!("{wanted:?}") };
    let busy = Failure::Journal(JournalTrouble::Busy("a window has it open".into()));
    counter.tell(Msg::MadeLive { ticket, result: Err(busy.clone()) });
    let Layer::MakeLive(form) = counter.top() else { panic!("the form stays") };
    assert_eq!(form.sent.failure, Some(busy));
    let wanted = counter.keys("Ctrl-S");
    let [Effect::MakeLive(ticket)] = wanted[..] else { panic!("{wanted:?}") };
    let read = counter.tell(Msg::MadeLive { ticket, result: Ok(()) });
    assert!(matches!(read[..], [Effect::Money(MoneyCommand::Load(_))]), "{read:?}");
    assert_eq!(counter.model.notice, Some(Notice::good("said-made-live")));
    assert!(counter.model.layers.is_empty());
}

#[test]
fn path_is_not_submitted_without_the_button_in_sight() {
    let mut counter = elsewhere();
    counter.keys("R");
    counter.types("/s/copy/journal");
    counter.model.size = Size { columns: 46, rows: 14 };
    assert_eq!(counter.keys("Ctrl-S"), vec![]);
    counter.model.size = Size { columns: 80, rows: 24 };
    assert!(matches!(counter.keys("Ctrl-S")[..], [Effect::MakeLive(_)]));
}

#[test]
fn form_closes_once_the_journal_is_live() {
    let mut counter = elsewhere();
    counter.keys("R");
    assert!(matches!(counter.top(), Layer::MakeLive(_)));
    counter.journal_says(Ok(Snapshot::default()));
    assert!(counter.model.layers.is_empty());
    assert!(counter.offers(Action::New));
}
