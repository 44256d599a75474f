//! Tests of the checkup: a key starts it, a stale reply is dropped, and its findings are copied as
//! a report without quotes.

use super::*;
use crate::trade::checkup::{Checkup, Verdict, clock, settings_fault};

const QUOTE: &str = "base-url = 'https://ana@x.example'";

fn found(seconds: i64) -> Arc<Checkup> {
    let fault = settings_fault("files", QUOTE.into());
    Arc::new(Checkup::of(vec![clock(Some(seconds)), fault]))
}

/// Presses keys that start one checkup, and returns its ticket.
fn asks(counter: &mut Counter, keys: &str) -> Ticket {
    let wanted = counter.keys(keys);
    let [Effect::Examine { ticket, size }] = wanted[..] else { panic!("{wanted:?}") };
    assert_eq!(size, counter.model.size);
    ticket
}

fn on_page(counter: &Counter) -> Option<Arc<Checkup>> {
    match counter.top() {
        Layer::Doctor(page) => page.checkup.clone(),
        layer => panic!("{layer:?}"),
    }
}

#[test]
fn key_starts_checkup_anywhere_stale_answer_dropped() {
    let mut counter = Counter::open();
    counter.keys("6");
    assert!(counter.offers(Action::Doctor));
    let ticket = asks(&mut counter, "!");
    counter.tell(Msg::Examined { ticket: ticket.next(), checkup: found(1) });
    assert_eq!(on_page(&counter), None);
    counter.tell(Msg::Examined { ticket, checkup: found(2) });
    assert_eq!(on_page(&counter), Some(found(2)));
    // The old findings stay on the page until the new findings arrive.
    let again = asks(&mut counter, "r");
    counter.tell(Msg::Examined { ticket, checkup: found(3) });
    assert_eq!(on_page(&counter), Some(found(2)));
    assert!(!counter.offers(Action::Refresh));
    counter.tell(Msg::Examined { ticket: again, checkup: found(4) });
    assert_eq!(on_page(&counter), Some(found(4)));
    assert_eq!(counter.keys("1 !").len(), 2, "another pane, and once more from there");
}

#[test]
fn esc_cancels_checkup_and_keeps_old_findings() {
    let mut counter = Counter::open();
    let ticket = asks(&mut counter, "!");
    assert_eq!(counter.keys("Esc"), vec![Effect::Cancel(ticket)]);
    assert!(counter.model.layers.is_empty());
    let ticket = asks(&mut counter, "!");
    counter.tell(Msg::Examined { ticket, checkup: found(2) });
    let again = asks(&mut counter, "r");
    assert_eq!(counter.keys("Esc"), vec![Effect::Cancel(again)]);
    assert_eq!(on_page(&counter), Some(found(2)));
    assert_eq!(counter.keys("Esc"), vec![]);
    assert!(counter.model.layers.is_empty());
}

#[test]
fn copied_report_includes_verdict_but_no_account() {
    let mut counter = Counter::open();
    let ticket = asks(&mut counter, "!");
    assert_eq!(counter.keys("y"), vec![], "there is nothing yet");
    counter.tell(Msg::Examined { ticket, checkup: found(86_400) });
    let wanted = counter.keys("y");
    let [Effect::Copy(Clip::Report, text)] = &wanted[..] else { panic!("{wanted:?}") };
    let text: &Untrusted = text;
    assert!(text.shown_lines().contains("24 h adiantado"), "{text:?}");
    assert!(!text.shown_lines().contains("ana@"), "{text:?}");
    assert_eq!(found(86_400).verdict(), Verdict::Broken);
}
