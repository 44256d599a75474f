//! A program that was started to look only: no screen that creates or pays is opened.

use super::*;
use crate::app::Pane;

fn looking() -> Counter {
    let mut counter = Counter::open();
    counter.model.setup.read_only = true;
    counter
}

#[test]
fn no_form_is_opened_and_the_reason_is_said() {
    for (keys, pane) in [("1", Pane::Links), ("3", Pane::Withdrawals), ("4", Pane::Charges)] {
        let mut counter = looking();
        counter.keys(keys);
        assert_eq!(counter.model.pane, pane);
        assert_eq!(counter.keys("n"), vec![]);
        assert!(counter.model.layers.is_empty(), "{pane:?}");
        assert_eq!(said(&counter), Some(&Notice::warn("said-read-only")), "{pane:?}");
    }
}

#[test]
fn no_link_is_repeated() {
    let mut counter = looking();
    counter.has_links(vec![link("https://loja.example/x")]);
    assert_eq!(counter.keys("d"), vec![]);
    assert!(counter.model.layers.is_empty());
    assert_eq!(said(&counter), Some(&Notice::warn("said-read-only")));
}

#[test]
fn no_withdrawal_is_sent_again() {
    let mut counter = Counter::open();
    let sent = counter.sends("10010");
    counter.settles(&sent, Class::Throttled { retry_after: None });
    counter.passes(120_000);
    counter.model.setup.read_only = true;
    let layers = counter.model.layers.len();
    assert_eq!(counter.keys("s"), vec![]);
    assert_eq!(counter.model.layers.len(), layers);
    assert_eq!(said(&counter), Some(&Notice::warn("said-read-only")));
}

#[test]
fn what_is_there_can_be_looked_at() {
    let mut counter = looking();
    counter.has_links(vec![link("https://loja.example/x")]);
    counter.keys("Enter");
    assert_eq!(counter.model.layers.len(), 1);
    assert!(matches!(counter.keys("y")[..], [Effect::Copy(..)]));
}
