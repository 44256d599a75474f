//! Tests of the page that compares a statement: what one key marks, and what it never marks.

use super::imports::{completed, completion};
use super::sales::{charge, outcome_with_code};
use super::*;
use crate::app::screens::reconcile::Reconcile;
use crate::statement::reconciliation::{
    Line, MatchCounts, ReconcileFault, Reconciliation, SaleMatch,
};

/// A sale and the line with this number.
fn matched(sale: Sale, line: u8) -> SaleMatch {
    let amount = sale.amount_and_description().0;
    SaleMatch {
        sale,
        day: 0,
        marked: None,
        line: Line {
            day: i64::from(line),
            amount,
            memo: "PIX ANA SOUZA".into(),
            id: EntryId([line; 16]),
        },
    }
}

/// A result with one certain match and two possible ones.
fn result() -> Arc<Reconciliation> {
    let charge = Sale::Charge(charge(outcome_with_code(None)));
    let links = ["a", "b"].map(|id| Sale::Link(link(&format!("https://loja.example/{id}"))));
    let [one, other] = links;
    Arc::new(Reconciliation {
        lines: 3,
        certain: vec![matched(charge, 1)],
        possible: vec![matched(one, 2), matched(other, 3)],
        counts: MatchCounts {
            certain: 1,
            possible: 2,
            ..MatchCounts::default()
        },
        ..Reconciliation::default()
    })
}

fn page(app: &App) -> &Reconcile {
    match app.top() {
        Layer::Reconcile(page) => page,
        other => panic!("{other:?}"),
    }
}

/// The ticket and the path of the only effect, a comparison.
fn comparison(effects: &[Effect]) -> (Ticket, &Untrusted) {
    match effects {
        [Effect::History(HistoryCommand::Reconcile { ticket, path })] => (*ticket, path),
        other => panic!("{other:?}"),
    }
}

/// The ticket and the marks of the only effect.
fn marks(effects: &[Effect]) -> (Ticket, &StatementMarks) {
    match effects {
        [Effect::History(HistoryCommand::MarkFromStatement { ticket, marks })] => (*ticket, marks),
        other => panic!("{other:?}"),
    }
}

/// The numbers of the lines of these marks.
fn lines(marks: &StatementMarks) -> Vec<u8> {
    marks.marks.iter().map(|mark| mark.line.0[0]).collect()
}

/// An app whose page shows this result.
fn app_with_result(result: Arc<Reconciliation>) -> App {
    let mut app = App::logged_in();
    app.press("1 E");
    app.type_text("extrato.ofx");
    let effects = app.press("Ctrl-S");
    let (ticket, path) = comparison(&effects);
    assert_eq!(path.shown(), "extrato.ofx");
    app.deliver(Msg::Reconciled {
        ticket,
        result: Ok(result),
    });
    app
}

#[test]
fn certain_key_never_marks_a_possible_match() {
    let mut app = app_with_result(result());
    let effects = app.press("V");
    let (ticket, sent) = marks(&effects);
    assert_eq!(lines(sent), [1]);
    assert_eq!(sent.marks, [result().certain[0].mark()]);
    assert_eq!(
        (sent.at, sent.read_at),
        (app.model.now.wall, app.model.now.wall)
    );
    assert_eq!(app.press("V p U"), vec![], "until it is written");
    let effects = app.deliver(Msg::StatementMarked {
        ticket,
        result: Ok(1),
    });
    assert_eq!(app.model.notice, Some(Notice::StatementMarked(1)));
    assert!(
        matches!(
            effects[..],
            [
                Effect::LoadLinks(_),
                Effect::LoadCharges(_),
                Effect::History(HistoryCommand::Reconcile { .. })
            ]
        ),
        "{effects:?}"
    );
}

#[test]
fn possible_match_is_marked_only_under_the_cursor() {
    let mut app = app_with_result(result());
    assert!(
        !app.offers(Action::MarkPaid),
        "the cursor is on a certain one"
    );
    assert_eq!(app.press("p"), vec![]);
    app.press("j j");
    app.advance_ms(5_000);
    let effects = app.press("p");
    let (ticket, sent) = marks(&effects);
    assert_eq!(lines(sent), [3]);
    let read_at = sent.read_at;
    assert!(sent.at > read_at, "one import for the whole page");
    let effects = app.deliver(Msg::StatementMarked {
        ticket,
        result: Ok(1),
    });
    let (ticket, _) = comparison(&effects[2..]);
    let mut left = Arc::unwrap_or_clone(result());
    left.possible.truncate(1);
    app.deliver(Msg::Reconciled {
        ticket,
        result: Ok(Arc::new(left)),
    });
    assert_eq!(page(&app).cursor, 1, "the last row");
    let effects = app.press("p");
    let (_, sent) = marks(&effects);
    assert_eq!((lines(sent), sent.read_at), (vec![2], read_at));
}

#[test]
fn without_certain_matches_no_key_marks_all() {
    let mut possible = Arc::unwrap_or_clone(result());
    possible.certain.clear();
    let mut app = app_with_result(Arc::new(possible));
    assert!(!app.offers(Action::MarkCertain));
    assert_eq!(app.press("V"), vec![]);
    assert!(app.offers(Action::MarkPaid));
    let mut nothing = app_with_result(Arc::default());
    assert_eq!(nothing.press("V p"), vec![]);
}

#[test]
fn undo_tells_how_many_marks_it_removed() {
    let mut app = app_with_result(result());
    let effects = app.press("U");
    let [Effect::History(HistoryCommand::UndoStatement(ticket))] = effects[..] else {
        panic!("{effects:?}")
    };
    let undone = Some(UndoneMarks {
        removed: 2,
        kept: 1,
    });
    let effects = app.deliver(Msg::StatementUndone {
        ticket,
        result: Ok(undone),
    });
    assert_eq!(app.model.notice, Some(Notice::StatementUndone(undone)));
    assert_eq!(effects.len(), 3, "both lists and the comparison");
    let full = JournalTrouble::Full("disk".into());
    let mut app = app_with_result(result());
    let effects = app.press("V");
    let (ticket, _) = marks(&effects);
    let effects = app.deliver(Msg::StatementMarked {
        ticket,
        result: Err(full.clone()),
    });
    assert_eq!(effects, vec![]);
    assert_eq!(app.model.notice, Some(Notice::NotMarked(full)));
    assert!(app.offers(Action::MarkCertain), "it can be tried again");
}

#[test]
fn fault_keeps_typed_path_and_drops_old_answers() {
    let mut app = App::logged_in();
    app.press("1 E");
    assert_eq!(app.press("Ctrl-S"), vec![], "without a path");
    app.type_text("foto.jpg");
    let effects = app.press("Ctrl-S");
    let (ticket, _) = comparison(&effects);
    app.deliver(Msg::Reconciled {
        ticket: ticket.next(),
        result: Ok(result()),
    });
    assert!(page(&app).result.is_none(), "another ticket");
    app.deliver(Msg::Reconciled {
        ticket,
        result: Err(ReconcileFault::Late),
    });
    assert_eq!(page(&app).sent.form.value("statement"), "foto.jpg");
    let effects = app.press("Ctrl-S");
    let (ticket, _) = comparison(&effects);
    assert_eq!(app.press("Esc"), vec![Effect::Cancel(ticket)]);
    app.deliver(Msg::Reconciled {
        ticket,
        result: Ok(result()),
    });
    assert!(page(&app).result.is_none(), "cancelled");
}

#[test]
fn masked_page_shows_no_text_of_a_line() {
    for is_masked in [false, true] {
        let mut app = app_with_result(result());
        app.model.store.is_masked = is_masked;
        let text = super::amounts::page_text(&app);
        assert!(text.contains("podem ser"), "{text}");
        assert_eq!(text.contains("ANA SOUZA"), !is_masked, "{text}");
    }
}

#[test]
fn marks_need_no_request_so_read_only_allows_them() {
    let mut app = app_with_result(result());
    app.model.store.setup.read_only = true;
    assert_eq!(lines(marks(&app.press("V")).1), [1]);
}

#[test]
fn tab_completes_the_path_of_the_statement() {
    let mut app = App::logged_in();
    app.press("1 E");
    app.type_text("/srv/ext");
    let (ticket, typed) = completed(&app.press("Tab"));
    assert_eq!(typed, "/srv/ext");
    app.deliver(completion(ticket, "/srv/extrato", 2));
    assert_eq!(page(&app).sent.form.value("statement"), "/srv/extrato");
    let (ticket, _) = completed(&app.press("Tab"));
    app.deliver(completion(ticket, "/srv/extrato.ofx", 1));
    let (ticket, _) = completed(&app.press("Tab"));
    app.deliver(completion(ticket, "/srv/extrato.ofx", 1));
    let effects = app.press("Enter");
    assert_eq!(comparison(&effects).1.shown(), "/srv/extrato.ofx");
    assert_eq!(app.press("Tab"), [], "while the file is read");
}

#[test]
fn marks_are_undone_before_a_file_was_read() {
    let mut app = App::logged_in();
    app.press("1 E");
    assert!(app.offers(Action::UndoMarks));
    assert_eq!(app.press("U"), [], "a letter of the path");
    let effects = app.press("Ctrl-X");
    let [Effect::History(HistoryCommand::UndoStatement(ticket))] = effects[..] else {
        panic!("{effects:?}")
    };
    assert!(!app.offers(Action::UndoMarks), "until it is written");
    let effects = app.deliver(Msg::StatementUndone {
        ticket,
        result: Ok(None),
    });
    assert_eq!(app.model.notice, Some(Notice::StatementUndone(None)));
    let is_comparison =
        |effect: &Effect| matches!(effect, Effect::History(HistoryCommand::Reconcile { .. }));
    assert!(!effects.iter().any(is_comparison), "{effects:?}");
    assert!(app.offers(Action::UndoMarks));
}
