//! Tests how many bytes the app writes to the terminal after a key press. On a slow connection,
//! each byte delays the screen.

use super::seller::logged_in;
use super::support::place::TestHome;
use super::support::pty::{Launch, Tui};

/// The limit for the median number of bytes after a key that moves the cursor to a visible row. The
/// screen has 80x24 cells and the default theme.
const LIST_KEY: usize = 300;

/// The limit for the median number of bytes after a key that scrolls the list. Scrolling redraws
/// every row.
const SCROLLING_KEY: usize = 2_500;

/// The limit for the median number of bytes after typing a letter into a field.
const LETTER: usize = 60;

/// The limit for the median number of bytes after typing a letter into the search field. It is
/// higher than for other fields, because the number of results may then be drawn in an additional
/// frame.
const SEARCH_LETTER: usize = 200;

/// Returns the text of the list row that the cursor is on.
fn under_cursor(screen: &vt100::Screen) -> Option<String> {
    screen.contents().lines().find(|line| line.starts_with('▌')).map(str::to_owned)
}

/// Returns the median number of bytes that the app writes after a key. Waits after each key until
/// the result of `look` changes.
fn median(
    tui: &mut Tui,
    keys: impl IntoIterator<Item = &'static str>,
    look: impl Fn(&vt100::Screen) -> Option<String>,
) -> usize {
    let mut sent = vec![];
    for key in keys {
        let (before, seen) = (tui.written().len(), tui.screen(&look));
        tui.press(key);
        tui.wait_until("what the key does", |screen| look(screen) != seen);
        sent.push(tui.written().len() - before);
    }
    sent.sort_unstable();
    sent[sent.len() / 2]
}

#[test]
fn list_keys_and_field_letters_send_few_bytes() {
    let place = TestHome::new();
    let mut tui = logged_in(Launch::new(&place).args(&["demo", "--theme", "default"]).start());
    tui.wait_for("60 links");
    // Go 10 steps down and up, which does not scroll, because twelve rows are visible.
    let there_and_back = ["\x1b[B"; 10].into_iter().chain(["\x1b[A"; 10]);
    let list = median(&mut tui, there_and_back, under_cursor);
    assert!((20..=LIST_KEY).contains(&list), "{list} bytes for a key in a list");
    tui.press("\x1b[6~");
    let list = median(&mut tui, ["\x1b[B"; 10], under_cursor);
    assert!((20..=SCROLLING_KEY).contains(&list), "{list} bytes for a key that scrolls");
    tui.press("/");
    let letters = ["c", "a", "m", "i", "s", "e", "t", "a", "q", "w", "x", "z"];
    let field = |screen: &vt100::Screen| screen.contents().lines().nth(3).map(str::to_owned);
    let letter = median(&mut tui, letters, field);
    assert!((1..=SEARCH_LETTER).contains(&letter), "{letter} bytes for a letter of a search");

    let mut tui = logged_in(Launch::new(&place).args(&["demo", "--theme", "default"]).start());
    tui.wait_for("60 links");
    tui.press("n");
    tui.press("\t");
    tui.press("b");
    let letter = median(&mut tui, letters, |screen| Some(screen.contents()));
    assert!((1..=LETTER).contains(&letter), "{letter} bytes for a letter");
}
