//! Tests of the checkup screen: starting a checkup, ignoring a stale reply, and copying the
//! findings as a report that quotes no file contents.

use super::*;
use crate::trade::checkup::{Checkup, Verdict, clock, settings_fault};

const CONFIG_LINE: &str = "base-url = 'https://ana@x.example'";

fn checkup_with_offset(seconds: i64) -> Arc<Checkup> {
    let fault = settings_fault("files", CONFIG_LINE.into());
    Arc::new(Checkup::of(vec![clock(Some(seconds)), fault]))
}

/// Presses keys that start a checkup, and returns its ticket.
fn start_checkup(app: &mut App, keys: &str) -> Ticket {
    let effects = app.press(keys);
    let [Effect::Examine { ticket, size }] = effects[..] else {
        panic!("{effects:?}")
    };
    assert_eq!(size, app.model.size);
    ticket
}

fn shown_checkup(app: &App) -> Option<Arc<Checkup>> {
    match app.top() {
        Layer::Doctor(page) => page.checkup.clone(),
        layer => panic!("{layer:?}"),
    }
}

#[test]
fn key_starts_checkup_anywhere_stale_answer_dropped() {
    let mut app = App::logged_in();
    app.press("6");
    assert!(app.offers(Action::Doctor));
    let ticket = start_checkup(&mut app, "!");
    app.deliver(Msg::Examined {
        ticket: ticket.next(),
        checkup: checkup_with_offset(1),
    });
    assert_eq!(shown_checkup(&app), None);
    app.deliver(Msg::Examined {
        ticket,
        checkup: checkup_with_offset(2),
    });
    assert_eq!(shown_checkup(&app), Some(checkup_with_offset(2)));
    // The old findings stay on the screen until the new findings arrive.
    let second_ticket = start_checkup(&mut app, "r");
    app.deliver(Msg::Examined {
        ticket,
        checkup: checkup_with_offset(3),
    });
    assert_eq!(shown_checkup(&app), Some(checkup_with_offset(2)));
    assert!(!app.offers(Action::Refresh));
    app.deliver(Msg::Examined {
        ticket: second_ticket,
        checkup: checkup_with_offset(4),
    });
    assert_eq!(shown_checkup(&app), Some(checkup_with_offset(4)));
    assert_eq!(
        app.press("1 !").len(),
        2,
        "another pane, and once more from there"
    );
}

#[test]
fn esc_cancels_checkup_and_keeps_old_findings() {
    let mut app = App::logged_in();
    let ticket = start_checkup(&mut app, "!");
    assert_eq!(app.press("Esc"), vec![Effect::Cancel(ticket)]);
    assert!(app.model.layers.is_empty());
    let ticket = start_checkup(&mut app, "!");
    app.deliver(Msg::Examined {
        ticket,
        checkup: checkup_with_offset(2),
    });
    let second_ticket = start_checkup(&mut app, "r");
    assert_eq!(app.press("Esc"), vec![Effect::Cancel(second_ticket)]);
    assert_eq!(shown_checkup(&app), Some(checkup_with_offset(2)));
    assert_eq!(app.press("Esc"), vec![]);
    assert!(app.model.layers.is_empty());
}

#[test]
fn copied_report_includes_verdict_but_no_account() {
    let mut app = App::logged_in();
    let ticket = start_checkup(&mut app, "!");
    assert_eq!(app.press("y"), vec![], "there is nothing yet");
    app.deliver(Msg::Examined {
        ticket,
        checkup: checkup_with_offset(86_400),
    });
    let effects = app.press("y");
    let [Effect::Copy(Clip::Report, text)] = &effects[..] else {
        panic!("{effects:?}")
    };
    let text: &Untrusted = text;
    assert!(text.shown_lines().contains("24 h adiantado"), "{text:?}");
    assert!(!text.shown_lines().contains("ana@"), "{text:?}");
    assert_eq!(checkup_with_offset(86_400).verdict(), Verdict::Broken);
}
