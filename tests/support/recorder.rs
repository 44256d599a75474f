//! Records frames of the app cell by cell, so that the frames of two builds can be compared.
//!
//! `BALCAO_RECORD=DIRECTORY cargo test record` writes the frames to files. `diff -r` of two such
//! directories shows every difference in cells, styles, cursor positions and click targets.

use std::fmt::Write as _;
use std::path::PathBuf;

use ratatui::backend::TestBackend;
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Position;
use ratatui::style::Style;

/// Returns the directory for recordings, or `None` if recording is off.
pub fn recording_directory() -> Option<PathBuf> {
    std::env::var_os("BALCAO_RECORD").map(PathBuf::from)
}

/// Writes a recording to a file with this name. Does nothing if recording is off.
pub fn save_recording(name: &str, recording: &str) {
    if let Some(directory) = recording_directory() {
        std::fs::create_dir_all(&directory).unwrap();
        std::fs::write(directory.join(name), recording).unwrap();
    }
}

/// Returns a terminal's contents as text, with styles and the cursor position.
pub fn frame(screen: &TestBackend) -> String {
    let cursor = screen.cursor_visible().then(|| screen.cursor_position());
    let mut text = cells(screen.buffer());
    match cursor {
        Some(Position { x, y }) => writeln!(text, "cursor {x},{y}").unwrap(),
        None => text.push_str("no cursor\n"),
    }
    text
}

/// Returns two lines for each row: the row's characters, and all of its styles that are not the
/// default.
fn cells(buffer: &Buffer) -> String {
    let mut text = String::new();
    let width = usize::from(buffer.area.width).max(1);
    for row in buffer.content.chunks(width) {
        let symbols: String = row.iter().map(Cell::symbol).collect();
        writeln!(text, "|{symbols}|").unwrap();
        let styles: Vec<String> = group_runs(row, Cell::style)
            .filter(|(_, style)| *style != Cell::EMPTY.style())
            .map(|(columns, style)| format!("{columns} {}", format_style(style)))
            .collect();
        if !styles.is_empty() {
            writeln!(text, "  {}", styles.join("; ")).unwrap();
        }
    }
    text
}

fn format_style(style: Style) -> String {
    let Style {
        fg,
        bg,
        add_modifier,
        ..
    } = style;
    let colour = |name, colour: Option<_>| colour.map(|colour| format!("{name} {colour:?} "));
    let colours = [colour("fg", fg), colour("bg", bg)]
        .into_iter()
        .flatten()
        .collect::<String>();
    format!("{colours}{add_modifier:?}")
}

/// Groups adjacent cells for which `value` returns the same. Returns the columns of each group,
/// such as `3-7`, and the group's value.
pub fn group_runs<'a, C, T: PartialEq + 'a>(
    row: &'a [C],
    value: impl Fn(&C) -> T + 'a,
) -> impl Iterator<Item = (String, T)> + 'a {
    let mut start = 0;
    std::iter::from_fn(move || {
        let first = value(row.get(start)?);
        let count = row[start..]
            .iter()
            .take_while(|cell| value(cell) == first)
            .count();
        let columns = format!("{start}-{}", start + count - 1);
        start += count;
        Some((columns, first))
    })
}
