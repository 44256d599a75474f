//! Tests of the checkup screen: starting a checkup, ignoring a stale reply, and copying the
//! findings as a report that quotes no file contents.

use super::*;
use crate::trade::checkup::{Checkup, Verdict, clock, settings_fault};

const QUOTE: &str = "base-url = 'https://ana@x.example'";

fn found(seconds: i64) -> Arc<Checkup> {
    let fault = settings_fault("files", QUOTE.into());
    Arc::new(Checkup::of(vec![clock(Some(seconds)), fault]))
}

/// Presses keys that start one checkup, and returns its ticket.
fn asks(app: &mut App, keys: &str) -> Ticket {
    let wanted = app.keys(keys);
    let [Effect::Examine { ticket, size }] = wanted[..] else { panic!("{wanted:?}") };
    assert_eq!(size, app.model.size);
    ticket
}

fn on_page(app: &App) -> Option<Arc<Checkup>> {
    match app.top() {
        Layer::Doctor(page) => page.checkup.clone(),
        layer => panic!("{layer:?}"),
    }
}

#[test]
fn key_starts_checkup_anywhere_stale_answer_dropped() {
    let mut app = App::open();
    app.keys("6");
    assert!(app.offers(Action::Doctor));
    let ticket = asks(&mut app, "!");
    app.tell(Msg::Examined { ticket: ticket.next(), checkup: found(1) });
    assert_eq!(on_page(&app), None);
    app.tell(Msg::Examined { ticket, checkup: found(2) });
    assert_eq!(on_page(&app), Some(found(2)));
    // The old findings stay on the screen until the new findings arrive.
    let again = asks(&mut app, "r");
    app.tell(Msg::Examined { ticket, checkup: found(3) });
    assert_eq!(on_page(&app), Some(found(2)));
    assert!(!app.offers(Action::Refresh));
    app.tell(Msg::Examined { ticket: again, checkup: found(4) });
    assert_eq!(on_page(&app), Some(found(4)));
    assert_eq!(app.keys("1 !").len(), 2, "another pane, and once more from there");
}

#[test]
fn esc_cancels_checkup_and_keeps_old_findings() {
    let mut app = App::open();
    let ticket = asks(&mut app, "!");
    assert_eq!(app.keys("Esc"), vec![Effect::Cancel(ticket)]);
    assert!(app.model.layers.is_empty());
    let ticket = asks(&mut app, "!");
    app.tell(Msg::Examined { ticket, checkup: found(2) });
    let again = asks(&mut app, "r");
    assert_eq!(app.keys("Esc"), vec![Effect::Cancel(again)]);
    assert_eq!(on_page(&app), Some(found(2)));
    assert_eq!(app.keys("Esc"), vec![]);
    assert!(app.model.layers.is_empty());
}

#[test]
fn copied_report_includes_verdict_but_no_account() {
    let mut app = App::open();
    let ticket = asks(&mut app, "!");
    assert_eq!(app.keys("y"), vec![], "there is nothing yet");
    app.tell(Msg::Examined { ticket, checkup: found(86_400) });
    let wanted = app.keys("y");
    let [Effect::Copy(Clip::Report, text)] = &wanted[..] else { panic!("{wanted:?}") };
    let text: &Untrusted = text;
    assert!(text.shown_lines().contains("24 h adiantado"), "{text:?}");
    assert!(!text.shown_lines().contains("ana@"), "{text:?}");
    assert_eq!(found(86_400).verdict(), Verdict::Broken);
}
