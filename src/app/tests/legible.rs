//! Tests that terms cannot be confirmed unless every line was on the screen.

use super::*;

/// Creates an app whose terms need twenty rows.
fn counter() -> Counter {
    let mut counter = Counter::open();
    counter.has_lines(20);
    counter
}

impl Counter {
    /// Resizes the terminal to this many rows and renders a frame.
    fn has_rows(&mut self, rows: u16) {
        self.tell(Msg::Input(Input::Resize(Size { columns: 80, rows })));
        self.looks();
    }

    /// Clicks the confirming button, or the place where the button would be.
    fn clicks_confirm(&mut self) -> Vec<Effect> {
        self.clicks(Target::Button(1))
    }
}

#[test]
fn unread_terms_cannot_be_agreed_to() {
    for (name, mut counter) in focus::buttons() {
        let focus = |counter: &Counter| counter.top().screen().focus();
        counter.eye = None;
        counter.has_lines(20);
        counter.keys("Tab");
        assert_eq!(focus(&counter), Some(Focus::Confirm), "{name}");
        counter.has_rows(19);
        assert_eq!(focus(&counter), Some(Focus::Back), "{name}");
        assert!(!counter.offers(Action::NextButton) && !counter.offers(Action::Press), "{name}");
        assert!(counter.offers(Action::Back), "{name}");
        counter.passes(10_000);
        // The confirming button is hidden: neither a key nor a click at its place reaches it.
        counter.keys("Tab");
        assert_eq!(counter.clicks_confirm(), vec![], "{name}");
        assert_eq!(focus(&counter), Some(Focus::Back), "{name}");
        counter.has_rows(24);
        // The button is disabled for a moment after it appears, and the first click on it only
        // moves the focus there.
        assert_eq!(next_deadline(&counter.model), Some(Duration::from_millis(500)), "{name}");
        assert_eq!(counter.clicks_confirm(), vec![], "{name}");
        assert_eq!(counter.keys("Enter"), vec![], "{name}");
        counter.passes(500);
        assert_eq!(counter.clicks_confirm(), vec![], "{name}");
        assert!(counter.keys("Enter").iter().any(focus::decides), "{name}");
    }
}

#[test]
fn amount_typed_in_partly_shown_review_is_ignored() {
    let mut counter = counter();
    counter.has_unknown(7, 500);
    counter.reviews("10010");
    counter.has_rows(14);
    counter.keys("1 0 0 1 0");
    counter.has_rows(24);
    let retype = counter.review().look.retype.clone().unwrap();
    assert_eq!(retype.field.money(), None);
}

#[test]
fn enter_goes_back_where_not_all_can_be_read() {
    let mut counter = counter();
    counter.reviews("10010");
    counter.has_rows(14);
    assert_eq!(counter.keys("Enter"), vec![]);
    assert_eq!(counter.draft().form.money(), Some(brl(10_010)));
}

#[test]
fn enter_on_partly_shown_question_cancels_it() {
    let mut counter = counter();
    counter.sends("10010");
    counter.keys("Ctrl-C");
    counter.has_rows(14);
    let asked = |counter: &Counter| matches!(counter.top(), Layer::Dialog(_));
    assert!(asked(&counter));
    assert_eq!(counter.keys("Enter"), vec![]);
    assert!(!counter.model.leaving && !asked(&counter));
}
