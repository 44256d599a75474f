//! Frames written down cell by cell, so that two builds of the program can be compared.
//!
//! `BALCAO_RECORD=DIRECTORY cargo test record` writes what is drawn into files; `diff -r` of two
//! such directories says which cell, style, cursor or place for a click is not the same.

use std::fmt::Write as _;
use std::path::PathBuf;

use ratatui::backend::TestBackend;
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Position;
use ratatui::style::Style;

/// The directory recordings are wanted in.
pub fn wanted() -> Option<PathBuf> {
    std::env::var_os("BALCAO_RECORD").map(PathBuf::from)
}

/// Writes a recording where one is wanted.
pub fn keep(name: &str, recording: &str) {
    if let Some(directory) = wanted() {
        std::fs::create_dir_all(&directory).unwrap();
        std::fs::write(directory.join(name), recording).unwrap();
    }
}

/// What stands on a terminal.
pub fn frame(screen: &TestBackend) -> String {
    let cursor = screen.cursor_visible().then(|| screen.cursor_position());
    let mut said = cells(screen.buffer());
    match cursor {
        Some(Position { x, y }) => writeln!(said, "cursor {x},{y}").unwrap(),
        None => said.push_str("no cursor\n"),
    }
    said
}

/// The symbols of each row, and below them where each style begins that is not the plain one.
fn cells(buffer: &Buffer) -> String {
    let mut said = String::new();
    let width = usize::from(buffer.area.width).max(1);
    for row in buffer.content.chunks(width) {
        let symbols: String = row.iter().map(Cell::symbol).collect();
        writeln!(said, "|{symbols}|").unwrap();
        let styles: Vec<String> = runs(row, Cell::style)
            .filter(|(_, style)| *style != Cell::EMPTY.style())
            .map(|(columns, style)| format!("{columns} {}", styled(style)))
            .collect();
        if !styles.is_empty() {
            writeln!(said, "  {}", styles.join("; ")).unwrap();
        }
    }
    said
}

fn styled(style: Style) -> String {
    let Style { fg, bg, add_modifier, .. } = style;
    let colour = |name, colour: Option<_>| colour.map(|colour| format!("{name} {colour:?} "));
    let colours = [colour("fg", fg), colour("bg", bg)].into_iter().flatten().collect::<String>();
    format!("{colours}{add_modifier:?}")
}

/// The columns of equal neighbours, and what they have in common.
pub fn runs<'a, C, T: PartialEq + 'a>(
    row: &'a [C],
    of: impl Fn(&C) -> T + 'a,
) -> impl Iterator<Item = (String, T)> + 'a {
    let mut from = 0;
    std::iter::from_fn(move || {
        let first = of(row.get(from)?);
        let count = row[from..].iter().take_while(|cell| of(cell) == first).count();
        let columns = format!("{from}-{}", from + count - 1);
        from += count;
        Some((columns, first))
    })
}
