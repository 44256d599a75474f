//! The rows of a list, which are told in numbered pages.

use std::collections::{BTreeMap, BTreeSet};

use super::page_text::{TextLine, without_durations};
use crate::app::ui::Target;

/// The number of rows of a list that are told at once.
pub const PAGE_ROWS: u64 = 20;

/// The maximum number of changed rows that are told without the rest of the page.
const MAX_CHANGED_ROWS: usize = 3;

/// The rows of the list on a screen. The number of a row is its position in the whole list, counted
/// from 1.
#[derive(Debug, Clone, Default)]
pub struct ListRows {
    /// The rows that the page shows, by their positions.
    shown: BTreeMap<u64, TextLine>,
    /// The texts that were told for these positions, without running times.
    told: BTreeMap<u64, String>,
    /// The first position of the rows that are told now.
    first: u64,
}

/// The row that a number names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Numbered {
    /// The position of the row, and one of its cells.
    Row(u64, (u16, u16)),
    /// Another row than the one that was told has this number now.
    Changed,
    None,
}

/// The result of asking for the next rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NextRows {
    Shown,
    /// The page does not show the next rows yet.
    Hidden,
    None,
}

impl ListRows {
    /// Begins to tell the list with the rows around the cursor.
    pub fn begin_at(&mut self, cursor: u64) {
        self.told.clear();
        self.first = cursor / PAGE_ROWS * PAGE_ROWS;
    }

    /// Tells the rows again with the next frame.
    pub fn tell_again(&mut self) {
        self.told.clear();
    }

    /// Takes the rows of a frame. Returns the positions of the rows to tell now. If many rows
    /// changed, this is the whole page, because the numbers of its rows have changed.
    pub fn take(&mut self, lines: &[TextLine]) -> BTreeSet<u64> {
        self.shown.clear();
        for line in lines {
            if let Some(Target::Row(row)) = line.target {
                self.shown.entry(row).or_insert_with(|| line.clone());
            }
        }
        if self.shown.range(self.page()).next().is_none() {
            // A search has fewer rows than the list before it.
            let first = self.shown.first_key_value().map_or(0, |(row, _)| *row);
            self.first = first / PAGE_ROWS * PAGE_ROWS;
        }
        let shown = self.shown.range(self.page());
        let shown: BTreeMap<u64, String> = shown
            .map(|(row, line)| (*row, without_durations(&line.text)))
            .collect();
        let changed = shown
            .iter()
            .filter(|(row, text)| self.told.get(row) != Some(text));
        let changed: BTreeSet<u64> = changed.map(|(row, _)| *row).collect();
        let page = self.page();
        self.told.retain(|row, _| !page.contains(row));
        let new = if changed.len() > MAX_CHANGED_ROWS {
            shown.keys().copied().collect()
        } else {
            changed
        };
        self.told.extend(shown);
        new
    }

    fn page(&self) -> std::ops::Range<u64> {
        self.first..self.first + PAGE_ROWS
    }

    /// True if the list has rows after the page, and the last row of the page is one of these.
    pub fn goes_on_after(&self, new: &BTreeSet<u64>) -> bool {
        let end = self.page().end;
        let has_more = self
            .shown
            .last_key_value()
            .is_some_and(|(row, _)| *row >= end);
        has_more && new.contains(&(end - 1))
    }

    /// True if a line in this row of the frame is a heading in the list.
    pub fn has_heading_at(&self, y: u16) -> bool {
        let first = self.shown.first_key_value().map(|(_, row)| row.cell.1);
        let last = self.shown.last_key_value().map(|(_, row)| row.cell.1);
        first.is_some_and(|first| y + 1 >= first) && last.is_some_and(|last| y < last)
    }

    /// Moves on to the next page. `last` is the position of the last row of the whole list, if
    /// rows may have to be loaded.
    pub fn next_page(&mut self, last: Option<u64>) -> NextRows {
        let end = self.page().end;
        let last_shown = self.shown.last_key_value().map(|(row, _)| *row);
        if last_shown.is_some_and(|row| row >= end) {
            self.first = end;
            return NextRows::Shown;
        }
        if last_shown.is_some() && last.is_some_and(|last| last >= end) {
            self.first = end;
            return NextRows::Hidden;
        }
        NextRows::None
    }

    /// The text of the row at this position, if the page shows it.
    pub fn text(&self, row: u64) -> Option<&str> {
        self.shown.get(&row).map(|line| &*line.text)
    }

    /// Finds the row with this number. It must still be the row that was told under this number.
    pub fn find(&self, number: u64) -> Numbered {
        let row = number
            .checked_sub(1)
            .and_then(|row| self.shown.get_key_value(&row));
        match row {
            None => Numbered::None,
            Some((row, line)) if self.told.get(row) == Some(&without_durations(&line.text)) => {
                Numbered::Row(*row, line.cell)
            }
            Some(_) => Numbered::Changed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(texts: impl IntoIterator<Item = String>) -> Vec<TextLine> {
        let line = |(row, text)| TextLine {
            text,
            target: Some(Target::Row(row)),
            cell: (0, u16::try_from(row).unwrap() + 1),
        };
        (0..).zip(texts).map(line).collect()
    }

    fn texts(count: u64) -> Vec<String> {
        (0..count).map(|n| format!("R$ {n},00")).collect()
    }

    #[test]
    fn list_is_told_in_pages_of_twenty() {
        let mut list = ListRows::default();
        let lines = rows(texts(45));
        let new = list.take(&lines);
        assert_eq!(
            new.into_iter().collect::<Vec<_>>(),
            (0..20).collect::<Vec<_>>()
        );
        assert_eq!(list.take(&lines).len(), 0, "nothing is new");
        assert_eq!(list.next_page(None), NextRows::Shown);
        assert_eq!(list.take(&lines).first(), Some(&20));
        assert_eq!(list.next_page(Some(44)), NextRows::Shown);
        let last = list.take(&lines);
        assert_eq!(last.len(), 5);
        assert!(!list.goes_on_after(&last));
        assert_eq!(list.next_page(Some(44)), NextRows::None);
    }

    #[test]
    fn full_last_page_has_no_next() {
        let mut list = ListRows::default();
        list.take(&rows(texts(20)));
        for last in [None, Some(19)] {
            assert_eq!(list.next_page(last), NextRows::None);
        }
        assert_eq!(list.next_page(Some(20)), NextRows::Hidden);
    }

    #[test]
    fn few_changed_rows_are_told_alone() {
        let mut list = ListRows::default();
        let mut texts = texts(10);
        list.take(&rows(texts.clone()));
        texts[4] = "R$ 4,00, pago".into();
        let new = list.take(&rows(texts.clone()));
        assert_eq!(new.into_iter().collect::<Vec<_>>(), [4]);
        texts.insert(0, "R$ 99,00".into());
        assert_eq!(
            list.take(&rows(texts)).len(),
            11,
            "all numbers have changed"
        );
    }

    #[test]
    fn number_finds_only_the_row_that_was_told() {
        let mut list = ListRows::default();
        list.take(&rows(texts(25)));
        assert_eq!(list.find(3), Numbered::Row(2, (0, 3)));
        assert_eq!(list.find(0), Numbered::None);
        assert_eq!(list.find(26), Numbered::None);
        assert_eq!(list.find(21), Numbered::Changed, "it was not told yet");
    }
}
