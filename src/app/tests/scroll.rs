//! Tests that a text can be scrolled to its end but no further.

use super::*;

/// Creates an app where every text has forty lines.
fn app_with_long_texts() -> App {
    let mut app = App::logged_in();
    app.text_layout = Box::new(|model| {
        let rows = model.size.rows;
        (
            VisibleLines::ALL,
            Overflow {
                lines: 40_u16.saturating_sub(rows),
                page: rows - 10,
            },
        )
    });
    app
}

impl App {
    fn set_rows(&mut self, rows: u16) {
        self.deliver(Msg::Input(Input::Resize(Size { columns: 80, rows })));
    }

    fn scroll_after(&mut self, keys: &str) -> u16 {
        self.press(keys);
        self.model.scroll
    }
}

#[test]
fn first_key_back_from_the_end_scrolls() {
    let mut app = app_with_long_texts();
    assert_eq!(app.scroll_after("?"), 0);
    assert_eq!(app.scroll_after("G"), 16);
    assert_eq!(app.scroll_after("k"), 15);
    assert_eq!(app.scroll_after("j j j j j j j j"), 16);
    assert_eq!(app.scroll_after("k"), 15);
    assert_eq!(app.scroll_after("PgDn PgDn PgDn k"), 15);
    assert_eq!(app.scroll_after("g"), 0);
    assert_eq!(app.scroll_after("k k k j"), 1);
}

#[test]
fn page_keys_scroll_by_the_visible_lines() {
    let mut app = app_with_long_texts();
    assert_eq!(app.scroll_after("? PgDn"), 14);
    assert_eq!(app.scroll_after("PgUp"), 0);
    app.set_rows(18);
    assert_eq!(app.scroll_after("PgDn"), 8);
}

#[test]
fn wheel_stops_at_the_end() {
    let mut app = app_with_long_texts();
    app.press("?");
    for _ in 0..4 {
        app.deliver(Msg::Input(Input::Wheel(10)));
    }
    assert_eq!(app.scroll_after(""), 16);
    app.deliver(Msg::Input(Input::Wheel(-3)));
    assert_eq!(app.scroll_after(""), 13);
}

#[test]
fn first_key_back_scrolls_after_window_grows() {
    let mut app = app_with_long_texts();
    assert_eq!(app.scroll_after("? G"), 16);
    app.set_rows(30);
    assert_eq!(app.scroll_after("k"), 9);
    app.set_rows(50);
    assert_eq!(app.scroll_after("j"), 0);
}

#[test]
fn new_front_screen_starts_at_first_line() {
    let mut app = app_with_long_texts();
    app.load_unknown_withdrawal(7, 10_010);
    app.press("3 Enter");
    assert!(matches!(app.top(), Layer::Withdrawal(_)));
    assert_eq!(app.scroll_after("j j"), 2);
    // As time passes, the scroll position stays the same.
    app.advance_ms(1_000);
    assert_eq!(app.scroll_after("j"), 3);
    assert_eq!(app.scroll_after("Enter"), 0);
    assert!(matches!(app.top(), Layer::Attempts(_)));
    assert_eq!(app.scroll_after("G Esc"), 0);
    assert_eq!(app.scroll_after("G f"), 0);
}

#[test]
fn outcome_starts_at_first_line() {
    let mut app = app_with_long_texts();
    let sent = app.send_withdrawal("10010");
    assert_eq!(app.scroll_after("G"), 16);
    app.settle(&sent, Class::Unauthorized);
    assert_eq!(app.model.scroll, 0);
}

#[test]
fn settled_by_other_window_scrolls_to_first_line() {
    let mut app = app_with_long_texts();
    let sent = unknown_withdrawal(7, 10_010, &app.now);
    app.load_open_withdrawals(vec![sent.clone()]);
    assert_eq!(app.scroll_after("3 Enter G"), 16);
    app.load_open_withdrawals(vec![sent.clone()]);
    assert_eq!(app.model.scroll, 16, "nothing happened to it");
    let accepted = with_attempt(&sent, &app.now, ACCEPTED);
    let snapshot = Snapshot {
        changed: vec![accepted.clone()],
        ..Snapshot::default()
    };
    app.deliver_withdrawals(Ok(snapshot));
    let Layer::Withdrawal(details) = app.top() else {
        panic!("{:?}", app.top())
    };
    assert_eq!(details.withdrawal, accepted);
    assert_eq!(app.model.scroll, 0);
}

#[test]
fn journal_trouble_and_its_end_scroll_to_first_line() {
    let mut app = app_with_long_texts();
    app.press("3");
    let mut scroll_after_reply = |result| {
        app.model.scroll = 5;
        app.deliver_withdrawals(result);
        app.model.scroll
    };
    let trouble = || Err(JournalTrouble::Busy("x".into()));
    assert_eq!(scroll_after_reply(trouble()), 0);
    assert_eq!(scroll_after_reply(trouble()), 5, "it is the same one");
    assert_eq!(scroll_after_reply(Ok(Snapshot::default())), 0);
}

#[test]
fn copied_guide_row_scrolls_into_view() {
    let mut app = app_with_long_texts();
    app.load_unknown_withdrawal(7, 10_010);
    assert_eq!(app.scroll_after("3 Enter c G G"), 16);
    assert_eq!(
        app.press("y"),
        vec![Effect::Copy(
            Clip::LookupHint(LookupHintKind::Key),
            key(7).to_string().as_str().into()
        )]
    );
    assert_eq!(app.model.scroll, 0);
}
