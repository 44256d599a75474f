//! Tests how many bytes the app writes to the terminal after a key press. On a slow connection,
//! each byte delays the screen.

use super::seller::log_in_to_demo;
use super::support::place::TestHome;
use super::support::pty::{Launch, Tui};

/// The limit for the median number of bytes after a key that moves the cursor to a visible row. The
/// screen has 80x24 cells and the default theme.
const MAX_LIST_KEY_BYTES: usize = 300;

/// The limit for the median number of bytes after a key that scrolls the list. Scrolling redraws
/// every row.
const MAX_SCROLLING_KEY_BYTES: usize = 2_500;

/// The limit for the median number of bytes after typing a letter into a field.
const MAX_LETTER_BYTES: usize = 60;

/// The limit for the median number of bytes after typing a letter into the search field. It is
/// higher than for other fields, because the letter is also underlined in the rows that it finds,
/// which may be drawn in an additional frame.
const MAX_SEARCH_LETTER_BYTES: usize = 200;

/// Returns the text of the list row that the cursor is on.
fn row_under_cursor(screen: &vt100::Screen) -> Option<String> {
    screen
        .contents()
        .lines()
        .find(|line| line.starts_with('▌'))
        .map(str::to_owned)
}

/// Returns the median number of bytes that the app writes after a key. Waits after each key until
/// the result of `observe` changes.
fn median_bytes(
    tui: &mut Tui,
    keys: impl IntoIterator<Item = &'static str>,
    observe: impl Fn(&vt100::Screen) -> Option<String>,
) -> usize {
    let mut byte_counts = vec![];
    for key in keys {
        let before = tui.output_bytes().len();
        let observed = tui.screen(&observe);
        tui.press(key);
        tui.wait_until("what the key does", |screen| observe(screen) != observed);
        byte_counts.push(tui.output_bytes().len() - before);
    }
    byte_counts.sort_unstable();
    byte_counts[byte_counts.len() / 2]
}

#[test]
fn list_keys_and_field_letters_send_few_bytes() {
    let home = TestHome::new();
    let mut tui = log_in_to_demo(
        Launch::new(&home)
            .args(&["demo", "--theme", "default"])
            .start(),
    );
    tui.wait_for("60 links");
    // Go 10 steps down and up, which does not scroll, because twelve rows are visible.
    let down_and_up = ["\x1b[B"; 10].into_iter().chain(["\x1b[A"; 10]);
    let list = median_bytes(&mut tui, down_and_up, row_under_cursor);
    assert!(
        (20..=MAX_LIST_KEY_BYTES).contains(&list),
        "{list} bytes for a key in a list"
    );
    tui.press("\x1b[6~");
    let list = median_bytes(&mut tui, ["\x1b[B"; 10], row_under_cursor);
    assert!(
        (20..=MAX_SCROLLING_KEY_BYTES).contains(&list),
        "{list} bytes for a key that scrolls"
    );
    tui.press("/");
    let letters = ["c", "a", "m", "i", "s", "e", "t", "a", "q", "w", "x", "z"];
    let field = |screen: &vt100::Screen| screen.contents().lines().nth(3).map(str::to_owned);
    let letter = median_bytes(&mut tui, letters, field);
    assert!(
        (1..=MAX_SEARCH_LETTER_BYTES).contains(&letter),
        "{letter} bytes for a letter of a search"
    );

    let mut tui = log_in_to_demo(
        Launch::new(&home)
            .args(&["demo", "--theme", "default"])
            .start(),
    );
    tui.wait_for("60 links");
    tui.press("n");
    tui.press("\t");
    tui.press("b");
    let letter = median_bytes(&mut tui, letters, |screen| Some(screen.contents()));
    assert!(
        (1..=MAX_LETTER_BYTES).contains(&letter),
        "{letter} bytes for a letter"
    );
}
