//! Tests that a text scrolls to its end and not beyond.

use super::*;

/// Creates an app in which each text has forty lines.
fn counter() -> Counter {
    let mut counter = Counter::open();
    counter.laid_out = Box::new(|model| {
        let rows = model.size.rows;
        (Shown::ALL, Overflow { lines: 40_u16.saturating_sub(rows), page: rows - 10 })
    });
    counter
}

impl Counter {
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
    let mut counter = counter();
    assert_eq!(counter.scrolls("?"), 0);
    assert_eq!(counter.scrolls("G"), 16);
    assert_eq!(counter.scrolls("k"), 15);
    assert_eq!(counter.scrolls("j j j j j j j j"), 16);
    assert_eq!(counter.scrolls("k"), 15);
    assert_eq!(counter.scrolls("PgDn PgDn PgDn k"), 15);
    assert_eq!(counter.scrolls("g"), 0);
    assert_eq!(counter.scrolls("k k k j"), 1);
}

#[test]
fn a_page_is_what_is_shown_of_a_text_at_once() {
    let mut counter = counter();
    assert_eq!(counter.scrolls("? PgDn"), 14);
    assert_eq!(counter.scrolls("PgUp"), 0);
    counter.is_given_rows(18);
    assert_eq!(counter.scrolls("PgDn"), 8);
}

#[test]
fn the_wheel_stops_at_the_end_too() {
    let mut counter = counter();
    counter.keys("?");
    for _ in 0..4 {
        counter.tell(Msg::Input(Input::Wheel(10)));
    }
    assert_eq!(counter.scrolls(""), 16);
    counter.tell(Msg::Input(Input::Wheel(-3)));
    assert_eq!(counter.scrolls(""), 13);
}

#[test]
fn first_key_back_scrolls_after_window_grows() {
    let mut counter = counter();
    assert_eq!(counter.scrolls("? G"), 16);
    counter.is_given_rows(30);
    assert_eq!(counter.scrolls("k"), 9);
    counter.is_given_rows(50);
    assert_eq!(counter.scrolls("j"), 0);
}

#[test]
fn new_front_screen_starts_at_first_line() {
    let mut counter = counter();
    counter.has_unknown(7, 10_010);
    counter.keys("3 Enter");
    assert!(matches!(counter.top(), Layer::Withdrawal(_)));
    assert_eq!(counter.scrolls("j j"), 2);
    // The text does not scroll while time passes.
    counter.passes(1_000);
    assert_eq!(counter.scrolls("j"), 3);
    assert_eq!(counter.scrolls("Enter"), 0);
    assert!(matches!(counter.top(), Layer::Attempts(_)));
    assert_eq!(counter.scrolls("G Esc"), 0);
    assert_eq!(counter.scrolls("G f"), 0);
}

#[test]
fn outcome_starts_at_first_line() {
    let mut counter = counter();
    let sent = counter.sends("10010");
    assert_eq!(counter.scrolls("G"), 16);
    counter.settles(&sent, Class::Unauthorized);
    assert_eq!(counter.model.scroll, 0);
}

#[test]
fn settled_by_other_window_scrolls_to_first_line() {
    let mut counter = counter();
    let sent = unknown(7, 10_010, &counter.now);
    counter.has_open(vec![sent.clone()]);
    assert_eq!(counter.scrolls("3 Enter G"), 16);
    counter.has_open(vec![sent.clone()]);
    assert_eq!(counter.model.scroll, 16, "nothing happened to it");
    let accepted = attempted(&sent, &counter.now, ACCEPTED);
    let read = Snapshot { changed: vec![accepted.clone()], ..Snapshot::default() };
    counter.journal_says(Ok(read));
    let Layer::Withdrawal(shown) = counter.top() else { panic!("{:?}", counter.top()) };
    assert_eq!(shown.withdrawal, accepted);
    assert_eq!(counter.model.scroll, 0);
}

#[test]
fn journal_trouble_and_its_end_scroll_to_first_line() {
    let mut counter = counter();
    counter.keys("3");
    let mut is_read = |result| {
        counter.model.scroll = 5;
        counter.journal_says(result);
        counter.model.scroll
    };
    let trouble = || Err(JournalTrouble::Busy("x".into()));
    assert_eq!(is_read(trouble()), 0);
    assert_eq!(is_read(trouble()), 5, "it is the same one");
    assert_eq!(is_read(Ok(Snapshot::default())), 0);
}

#[test]
fn copied_guide_row_scrolls_into_view() {
    let mut counter = counter();
    counter.has_unknown(7, 10_010);
    assert_eq!(counter.scrolls("3 Enter c G G"), 16);
    assert_eq!(
        counter.keys("y"),
        vec![Effect::Copy(Clip::Clue(ClueKind::Key), key(7).to_string().as_str().into())]
    );
    assert_eq!(counter.model.scroll, 0);
}
