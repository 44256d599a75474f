//! Tests of the asciicast, with a terminal emulator as its reader.

use std::num::NonZeroU16;

use serde_json::Value;

use super::*;

/// Plays a cast in a terminal. Returns the rows of its last screen with their styles.
fn play(cast: &str) -> Buffer {
    let cells = |count: &str| NonZeroU16::new(count.parse().unwrap()).unwrap();
    let mut lines = cast.lines();
    let header: Value = serde_json::from_str(lines.next().unwrap()).unwrap();
    assert_eq!(header["version"], 2);
    let [columns, rows] = ["width", "height"].map(|it| cells(&header[it].to_string()));
    let mut terminal = vt100::Parser::new(rows, columns, 0);
    let mut last = 0.0;
    for line in lines {
        let (time, kind, data): (f64, String, String) = serde_json::from_str(line).unwrap();
        assert!(time >= last, "{line}");
        last = time;
        if kind == "r" {
            let (columns, rows) = data.split_once('x').unwrap();
            terminal.screen_mut().set_size(cells(rows), cells(columns));
        } else {
            terminal.process(data.as_bytes());
        }
    }
    let screen = terminal.screen();
    let (rows, columns) = screen.size();
    let mut buffer = Buffer::empty(Rect::new(0, 0, columns.get(), rows.get()));
    for position in buffer.area.positions() {
        let cell = screen.cell(position.y, position.x).unwrap();
        let colour = |colour| match colour {
            vt100::Color::Default => Color::Reset,
            vt100::Color::Idx(index) => Color::Indexed(index),
            vt100::Color::Rgb(r, g, b) => Color::Rgb(r, g, b),
        };
        let mut style = Style::new()
            .fg(colour(cell.fgcolor()))
            .bg(colour(cell.bgcolor()));
        for (is_on, modifier) in [
            (cell.bold(), Modifier::BOLD),
            (cell.dim(), Modifier::DIM),
            (cell.italic(), Modifier::ITALIC),
            (cell.underline(), Modifier::UNDERLINED),
            (cell.inverse(), Modifier::REVERSED),
        ] {
            if is_on {
                style = style.add_modifier(modifier);
            }
        }
        let symbol = if cell.has_contents() {
            cell.contents()
        } else {
            " "
        };
        if !cell.is_wide_continuation() {
            buffer[position].set_symbol(symbol).set_style(style);
        }
    }
    buffer
}

/// The recorded screen after the last frame.
fn last_screen(cursor: &mut Cursor) -> Buffer {
    let mut scan = cursor.from_end(Goal::Frame);
    cursor.finish(&mut scan);
    let screen = cursor.screen();
    let Size { columns, rows } = screen.size();
    let mut buffer = Buffer::empty(Rect::new(0, 0, columns, rows));
    screen.draw((0, 0), buffer.area, &mut buffer);
    buffer
}

#[test]
fn cast_ends_on_the_recorded_screen() {
    let bold = Style::new()
        .fg(Color::Indexed(208))
        .bg(Color::Rgb(9, 8, 7))
        .add_modifier(Modifier::BOLD | Modifier::REVERSED);
    let other = Size {
        columns: 12,
        rows: 6,
    };
    let bytes = file(|it| {
        let full = "x".repeat(usize::from(SIZE.columns));
        it.frame(ms(0), SIZE, [plain(0, &full), plain(3, &full)])
            .unwrap();
        it.frame(ms(999), SIZE, [plain(0, "curta")]).unwrap();
        it.frame(
            ms(61_000),
            other,
            [plain(5, "日本"), row(1, "R$ 49,90 é", bold)],
        )
        .unwrap();
        it.frame(ms(62_001), other, [plain(0, "fim"), plain(5, "日")])
            .unwrap();
        it.event(ms(62_002), Event::Mark).unwrap();
    });
    let ends = |bytes: Vec<u8>| {
        let mut cursor = open(bytes);
        let mut cast = Vec::new();
        write_cast(&mut cursor, &mut cast).unwrap();
        let cast = String::from_utf8(cast).unwrap();
        assert_eq!(play(&cast), last_screen(&mut cursor), "{cast}");
        cast
    };
    let cast = ends(bytes.clone());
    assert!(cast.contains("\n[61.000, \"r\", \"12x6\"]\n"), "{cast}");
    // Without its first chunk, it ends on the same screen.
    let starts = chunk_starts(&bytes);
    ends(bytes[starts[1]..].to_vec());
}
