//! Writes a recording as an asciicast (version 2), which asciinema plays.

use std::fmt::Write as _;
use std::io::{self, Write};

use ratatui::style::{Color, Modifier, Style};
use serde_json::json;

use super::cursor::{Cursor, Goal};
use super::entry::{Frame, What};
use super::screen::Size;

/// Writes all frames that can be played, from the first to the last.
pub fn write_cast(cursor: &mut Cursor, out: &mut impl Write) -> io::Result<()> {
    let is_found = cursor.finish(&mut Cursor::from_start(Goal::Entry));
    let screen = cursor.screen();
    let Size { columns, rows } = screen.size();
    let started = cursor.recording().header().started;
    let header = json!({
        "version": 2,
        "width": columns,
        "height": rows,
        "timestamp": started.0.div_euclid(1000),
    });
    writeln!(out, "{header}")?;
    if !is_found {
        return Ok(());
    }
    let mut shown = screen.size();
    // The whole screen, because the start of the recording may be missing.
    let first = Frame {
        size: Some(shown),
        rows: (0..).zip(screen.rows().to_vec()).collect(),
    };
    let at = cursor.entry().map_or(0, |entry| entry.at);
    write_event(out, at, "o", &format!("\x1b[?25l{}", sequences(&first)))?;
    while cursor.finish(&mut cursor.from_here(Goal::Frame, false)) {
        let Some(entry) = cursor.entry() else { break };
        let What::Frame(frame) = &entry.what else {
            continue;
        };
        if let Some(size) = frame.size.filter(|size| *size != shown) {
            let text = format!("{}x{}", size.columns, size.rows);
            write_event(out, entry.at, "r", &text)?;
            shown = size;
        }
        write_event(out, entry.at, "o", &sequences(frame))?;
    }
    Ok(())
}

fn write_event(out: &mut impl Write, at: u32, kind: &str, text: &str) -> io::Result<()> {
    let seconds = format!("{}.{:03}", at / 1000, at % 1000);
    writeln!(out, "[{seconds}, {}, {}]", json!(kind), json!(text))
}

/// The escape sequences that draw a frame. Each row is cleared before it is written, because a
/// terminal may clear its last cell after it.
fn sequences(frame: &Frame) -> String {
    let mut text = String::new();
    if frame.size.is_some() {
        text.push_str("\x1b[0m\x1b[2J");
    }
    for (y, row) in &frame.rows {
        // Writing to a string does not fail.
        let _ = write!(text, "\x1b[{};1H\x1b[0m\x1b[2K", y + 1);
        for (run, style) in row.runs() {
            text.push_str(&style_sequence(style));
            text.push_str(run);
        }
    }
    text.push_str("\x1b[0m");
    text
}

fn style_sequence(style: Style) -> String {
    let mut sequence = "\x1b[0".to_owned();
    let attributes = [
        (Modifier::BOLD, 1),
        (Modifier::DIM, 2),
        (Modifier::ITALIC, 3),
        (Modifier::UNDERLINED, 4),
        (Modifier::REVERSED, 7),
        (Modifier::CROSSED_OUT, 9),
    ];
    for (attribute, number) in attributes {
        if style.add_modifier.contains(attribute) {
            let _ = write!(sequence, ";{number}");
        }
    }
    for (colour, number) in [(style.fg, 38), (style.bg, 48)] {
        match colour {
            Some(Color::Indexed(index)) => _ = write!(sequence, ";{number};5;{index}"),
            Some(Color::Rgb(r, g, b)) => _ = write!(sequence, ";{number};2;{r};{g};{b}"),
            _ => {}
        }
    }
    sequence.push('m');
    sequence
}
