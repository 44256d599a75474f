//! Finds the rows of a list that was scrolled: the terminal moves what it has, and of its rows a
//! few are painted.

use std::ops::Range;

use super::paint::look_alike;
use crate::app::ui::PageItem;

/// Rows of the terminal of which most look as others of them did before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scrolled {
    /// The rows that move, and leave empty ones behind them.
    pub rows: Range<u16>,
    /// The number of rows by which they move.
    pub by: u16,
    /// True where they move towards the top.
    pub is_up: bool,
}

/// The fewest rows for which moving them is less than painting them.
const LEAST: usize = 6;

/// The moves that are looked for: a list moves by a row, and by another one for a heading.
const MOVES: [(u16, bool); 4] = [(1, true), (1, false), (2, true), (2, false)];

/// A move that saves more than half of a list from being painted, if there is one, and those of the
/// changed rows that are to be painted all the same.
pub(super) fn found(
    before: &[PageItem],
    now: &[PageItem],
    changed: Vec<u16>,
) -> (Option<Scrolled>, Vec<u16>) {
    let Some(rows) = longest_run(&changed).filter(|rows| rows.len() >= LEAST) else {
        return (None, changed);
    };
    for (by, is_up) in MOVES {
        let is_there = |y: u16| {
            let was = if is_up { y.checked_add(by) } else { y.checked_sub(by) };
            let was = was.filter(|was| rows.contains(&y) && rows.contains(was));
            was.is_some_and(|was| look_alike((before, was), (now, y)))
        };
        let (there, left): (Vec<u16>, _) = changed.iter().partition(|y| is_there(**y));
        if there.len() * 2 > rows.len() {
            return (Some(Scrolled { rows, by, is_up }), left);
        }
    }
    (None, changed)
}

/// The longest run of rows that stand below each other.
fn longest_run(rows: &[u16]) -> Option<Range<u16>> {
    let runs = rows.chunk_by(|one, next| one + 1 == *next);
    let longest = runs.max_by_key(|run| run.len())?;
    Some(*longest.first()?..longest.last()? + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::ui::{Area, Line, Role};

    /// A list of these lines from row 2 on, and a line below it.
    fn list(lines: &[&str]) -> Vec<PageItem> {
        let area = Area { x: 0, y: 2, width: 20, height: lines.len() as u16 };
        let lines = lines.iter().map(|text| Line::of(Role::Text, *text)).collect();
        vec![PageItem::Lines(lines, area), line("below", 20)]
    }

    fn line(text: &str, y: u16) -> PageItem {
        PageItem::Lines(vec![Line::of(Role::Text, text)], Area { x: 0, y, width: 20, height: 1 })
    }

    fn moved(before: &[&str], now: &[&str], changed: &[u16]) -> (Option<Scrolled>, Vec<u16>) {
        found(&list(before), &list(now), changed.to_vec())
    }

    const ALL: [u16; 8] = [2, 3, 4, 5, 6, 7, 8, 9];

    #[test]
    fn a_list_that_moves_has_the_rows_painted_that_came() {
        let before = ["a", "b", "c", "d", "e", "f", "g", "h"];
        let up = Scrolled { rows: 2..10, by: 1, is_up: true };
        let now = ["b", "c", "d", "e", "f", "g", "H", "i"];
        assert_eq!(moved(&before, &now, &ALL), (Some(up), vec![8, 9]));
        let down = Scrolled { rows: 2..10, by: 2, is_up: false };
        let now = ["y", "z", "a", "b", "c", "d", "e", "f"];
        assert_eq!(moved(&before, &now, &ALL), (Some(down), vec![2, 3]));
    }

    #[test]
    fn another_list_and_a_few_rows_are_painted() {
        let before = ["a", "b", "c", "d", "e", "f", "g", "h"];
        let other = ["s", "t", "u", "v", "w", "x", "y", "z"];
        assert_eq!(moved(&before, &other, &ALL), (None, ALL.to_vec()));
        let now = ["a", "b", "d", "e", "f", "x", "g", "h"];
        assert_eq!(moved(&before, &now, &[4, 5, 6, 7]), (None, vec![4, 5, 6, 7]));
        assert_eq!(moved(&before, &before, &[]), (None, vec![]));
    }

    #[test]
    fn rows_that_change_elsewhere_are_painted_and_do_not_move() {
        let before = ["a", "b", "c", "d", "e", "f", "g", "h"];
        let now = ["b", "c", "d", "e", "f", "g", "h", "i"];
        let changed = [&ALL[..], &[20]].concat();
        let (scrolled, left) = moved(&before, &now, &changed);
        assert_eq!(scrolled.unwrap().rows, 2..10);
        assert_eq!(left, [9, 20]);
        // Nor does one that looks as a row of the list did.
        let down = ["y", "z", "a", "b", "c", "d", "e", "f"];
        let now = [list(&down), vec![line("h", 11)]].concat();
        let changed = [&ALL[..], &[11]].concat();
        assert_eq!(found(&list(&before), &now, changed).1, [2, 3, 11]);
    }
}
