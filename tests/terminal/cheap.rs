//! The bytes that a key costs: over a slow line they are what its answer waits for.

use super::seller::logged_in;
use super::support::place::Place;
use super::support::pty::{Launch, Tui};

/// The most bytes for half of the keys that move through the rows in sight of a list, at 80x24 and
/// in the terminal's own colours.
const LIST_KEY: usize = 300;

/// The same for keys that move all rows: each of them is painted.
const SCROLLING_KEY: usize = 2_500;

/// The same for a letter in a field.
const LETTER: usize = 60;

/// The same for a letter of a search. The count and the sum of the letter before may come with it,
/// each in a frame of its own.
const SEARCH_LETTER: usize = 200;

/// The row under the cursor of a list.
fn under_cursor(screen: &vt100::Screen) -> Option<String> {
    screen.contents().lines().find(|line| line.starts_with('▌')).map(str::to_owned)
}

/// The bytes that are sent for each of these keys, until this shows another thing; the middle one
/// of them all.
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
    let place = Place::new();
    let mut tui = logged_in(Launch::new(&place).args(&["demo", "--theme", "default"]).start());
    tui.wait_for("60 links");
    // Twelve rows and three days have room.
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
