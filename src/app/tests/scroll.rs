//! Tests that a text can be scrolled to its end but no further.

use super::*;

/// Creates an app where every text has forty lines.
fn app() -> App {
    let mut app = App::open();
    app.laid_out = Box::new(|model| {
        let rows = model.size.rows;
        (Shown::ALL, Overflow { lines: 40_u16.saturating_sub(rows), page: rows - 10 })
    });
    app
}

impl App {
    fn is_given_rows(&mut self, rows: u16) {
        self.tell(Msg::Input(Input::Resize(Size { columns: 80, rows })));
    }

    fn scrolls(&mut self, keys: &str) -> u16 {
        self.keys(keys);
        self.model.scroll
    }
}

#[test]
fn from_the_end_of_a_text_the_first_key_back_moves() {
    let mut app = app();
    assert_eq!(app.scrolls("?"), 0);
    assert_eq!(app.scrolls("G"), 16);
    assert_eq!(app.scrolls("k"), 15);
    assert_eq!(app.scrolls("j j j j j j j j"), 16);
    assert_eq!(app.scrolls("k"), 15);
    assert_eq!(app.scrolls("PgDn PgDn PgDn k"), 15);
    assert_eq!(app.scrolls("g"), 0);
    assert_eq!(app.scrolls("k k k j"), 1);
}

#[test]
fn a_page_is_what_is_shown_of_a_text_at_once() {
    let mut app = app();
    assert_eq!(app.scrolls("? PgDn"), 14);
    assert_eq!(app.scrolls("PgUp"), 0);
    app.is_given_rows(18);
    assert_eq!(app.scrolls("PgDn"), 8);
}

#[test]
fn the_wheel_stops_at_the_end_too() {
    let mut app = app();
    app.keys("?");
    for _ in 0..4 {
        app.tell(Msg::Input(Input::Wheel(10)));
    }
    assert_eq!(app.scrolls(""), 16);
    app.tell(Msg::Input(Input::Wheel(-3)));
    assert_eq!(app.scrolls(""), 13);
}

#[test]
fn first_key_back_scrolls_after_window_grows() {
    let mut app = app();
    assert_eq!(app.scrolls("? G"), 16);
    app.is_given_rows(30);
    assert_eq!(app.scrolls("k"), 9);
    app.is_given_rows(50);
    assert_eq!(app.scrolls("j"), 0);
}

#[test]
fn new_front_screen_starts_at_first_line() {
    let mut app = app();
    app.has_unknown(7, 10_010);
    app.keys("3 Enter");
    assert!(matches!(app.top(), Layer::Withdrawal(_)));
    assert_eq!(app.scrolls("j j"), 2);
    // As time passes, the scroll position stays the same.
    app.passes(1_000);
    assert_eq!(app.scrolls("j"), 3);
    assert_eq!(app.scrolls("Enter"), 0);
    assert!(matches!(app.top(), Layer::Attempts(_)));
    assert_eq!(app.scrolls("G Esc"), 0);
    assert_eq!(app.scrolls("G f"), 0);
}

#[test]
fn outcome_starts_at_first_line() {
    let mut app = app();
    let sent = app.sends("10010");
    assert_eq!(app.scrolls("G"), 16);
    app.settles(&sent, Class::Unauthorized);
    assert_eq!(app.model.scroll, 0);
}

#[test]
fn settled_by_other_window_scrolls_to_first_line() {
    let mut app = app();
    let sent = unknown(7, 10_010, &app.now);
    app.has_open(vec![sent.clone()]);
    assert_eq!(app.scrolls("3 Enter G"), 16);
    app.has_open(vec![sent.clone()]);
    assert_eq!(app.model.scroll, 16, "nothing happened to it");
    let accepted = attempted(&sent, &app.now, ACCEPTED);
    let read = Snapshot { changed: vec![accepted.clone()], ..Snapshot::default() };
    app.journal_says(Ok(read));
    let Layer::Withdrawal(shown) = app.top() else { panic!("{:?}", app.top()) };
    assert_eq!(shown.withdrawal, accepted);
    assert_eq!(app.model.scroll, 0);
}

#[test]
fn journal_trouble_and_its_end_scroll_to_first_line() {
    let mut app = app();
    app.keys("3");
    let mut is_read = |result| {
        app.model.scroll = 5;
        app.journal_says(result);
        app.model.scroll
    };
    let trouble = || Err(JournalTrouble::Busy("x".into()));
    assert_eq!(is_read(trouble()), 0);
    assert_eq!(is_read(trouble()), 5, "it is the same one");
    assert_eq!(is_read(Ok(Snapshot::default())), 0);
}

#[test]
fn copied_guide_row_scrolls_into_view() {
    let mut app = app();
    app.has_unknown(7, 10_010);
    assert_eq!(app.scrolls("3 Enter c G G"), 16);
    assert_eq!(
        app.keys("y"),
        vec![Effect::Copy(
            Clip::LookupHint(LookupHintKind::Key),
            key(7).to_string().as_str().into()
        )]
    );
    assert_eq!(app.model.scroll, 0);
}
