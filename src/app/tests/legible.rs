//! Tests that terms can be confirmed only after every line of them was visible.

use super::*;

/// Creates an app whose terms take up twenty rows.
fn app() -> App {
    let mut app = App::open();
    app.has_lines(20);
    app
}

impl App {
    /// Resizes the terminal to this many rows and renders a frame.
    fn has_rows(&mut self, rows: u16) {
        self.tell(Msg::Input(Input::Resize(Size { columns: 80, rows })));
        self.renders_frame();
    }

    /// Clicks the confirm button, or its position if the button is hidden.
    fn clicks_confirm(&mut self) -> Vec<Effect> {
        self.clicks(Target::Button(1))
    }
}

#[test]
fn unread_terms_cannot_be_agreed_to() {
    for (name, mut app) in focus::buttons() {
        let focus = |app: &App| app.top().screen().focus();
        app.fixed_frame = None;
        app.has_lines(20);
        app.keys("Tab");
        assert_eq!(focus(&app), Some(Focus::Confirm), "{name}");
        app.has_rows(19);
        assert_eq!(focus(&app), Some(Focus::Back), "{name}");
        assert!(!app.offers(Action::NextButton) && !app.offers(Action::Press), "{name}");
        assert!(app.offers(Action::Back), "{name}");
        app.passes(10_000);
        // The confirming button is hidden, and no key or click reaches it.
        app.keys("Tab");
        assert_eq!(app.clicks_confirm(), vec![], "{name}");
        assert_eq!(focus(&app), Some(Focus::Back), "{name}");
        app.has_rows(24);
        // The button is disabled for a moment after it appears, and the first click only moves the
        // focus to it.
        assert_eq!(next_deadline(&app.model), Some(Duration::from_millis(500)), "{name}");
        assert_eq!(app.clicks_confirm(), vec![], "{name}");
        assert_eq!(app.keys("Enter"), vec![], "{name}");
        app.passes(500);
        assert_eq!(app.clicks_confirm(), vec![], "{name}");
        assert!(app.keys("Enter").iter().any(focus::decides), "{name}");
    }
}

#[test]
fn amount_typed_in_partly_shown_review_is_ignored() {
    let mut app = app();
    app.has_unknown(7, 500);
    app.reviews("10010");
    app.has_rows(14);
    app.keys("1 0 0 1 0");
    app.has_rows(24);
    let retype = app.review().look.retype.clone().unwrap();
    assert_eq!(retype.field.money(), None);
}

#[test]
fn enter_goes_back_where_not_all_can_be_read() {
    let mut app = app();
    app.reviews("10010");
    app.has_rows(14);
    assert_eq!(app.keys("Enter"), vec![]);
    assert_eq!(app.draft().form.money(), Some(brl(10_010)));
}

#[test]
fn enter_on_partly_shown_question_cancels_it() {
    let mut app = app();
    app.sends("10010");
    app.keys("Ctrl-C");
    app.has_rows(14);
    let asked = |app: &App| matches!(app.top(), Layer::Dialog(_));
    assert!(asked(&app));
    assert_eq!(app.keys("Enter"), vec![]);
    assert!(!app.model.leaving && !asked(&app));
}
