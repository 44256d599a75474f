//! Tests that terms can be confirmed only after every line of them was visible.

use super::*;

/// Creates an app whose terms take up twenty rows.
fn app_with_long_terms() -> App {
    let mut app = App::logged_in();
    app.set_text_lines(20);
    app
}

impl App {
    /// Resizes the terminal to this many rows and renders a frame.
    fn resize_and_render(&mut self, rows: u16) {
        self.deliver(Msg::Input(Input::Resize(Size { columns: 80, rows })));
        self.render_frame();
    }

    /// Clicks the confirm button, or its place if the button is hidden.
    fn click_confirm(&mut self) -> Vec<Effect> {
        self.click(Target::Button(1))
    }
}

#[test]
fn unread_terms_cannot_be_agreed_to() {
    for (name, mut app) in focus::confirm_screens() {
        let focus = |app: &App| app.top().screen().focus();
        app.fixed_frame = None;
        app.set_text_lines(20);
        app.press("Tab");
        assert_eq!(focus(&app), Some(Focus::Confirm), "{name}");
        app.resize_and_render(19);
        assert_eq!(focus(&app), Some(Focus::Back), "{name}");
        assert!(
            !app.offers(Action::NextButton) && !app.offers(Action::Press),
            "{name}"
        );
        assert!(app.offers(Action::Back), "{name}");
        app.advance_ms(10_000);
        // The confirming button is hidden, and no key or click reaches it.
        app.press("Tab");
        assert_eq!(app.click_confirm(), vec![], "{name}");
        assert_eq!(focus(&app), Some(Focus::Back), "{name}");
        app.resize_and_render(24);
        // The button is disabled for a moment after it appears, and the first click only moves the
        // focus to it.
        assert_eq!(
            next_deadline(&app.model),
            Some(Duration::from_millis(500)),
            "{name}"
        );
        assert_eq!(app.click_confirm(), vec![], "{name}");
        assert_eq!(app.press("Enter"), vec![], "{name}");
        app.advance_ms(500);
        assert_eq!(app.click_confirm(), vec![], "{name}");
        assert!(
            app.press("Enter").iter().any(focus::needs_confirmation),
            "{name}"
        );
    }
}

#[test]
fn amount_typed_in_partly_shown_review_is_ignored() {
    let mut app = app_with_long_terms();
    app.load_unknown_withdrawal(7, 500);
    app.open_review("10010");
    app.resize_and_render(14);
    app.press("1 0 0 1 0");
    app.resize_and_render(24);
    let retype = app.review().final_review.retype.clone().unwrap();
    assert_eq!(retype.field.money(), None);
}

#[test]
fn enter_goes_back_if_terms_are_partly_hidden() {
    let mut app = app_with_long_terms();
    app.open_review("10010");
    app.resize_and_render(14);
    assert_eq!(app.press("Enter"), vec![]);
    assert_eq!(app.draft().form.money(), Some(brl(10_010)));
}

#[test]
fn enter_on_partly_shown_question_cancels_it() {
    let mut app = app_with_long_terms();
    app.send_withdrawal("10010");
    app.press("Ctrl-C");
    app.resize_and_render(14);
    let is_dialog_open = |app: &App| matches!(app.top(), Layer::Dialog(_));
    assert!(is_dialog_open(&app));
    assert_eq!(app.press("Enter"), vec![]);
    assert!(!app.model.leaving && !is_dialog_open(&app));
}
