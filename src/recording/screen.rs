//! The screens of a recording, as rows of text with styles.

use std::sync::Arc;

use ratatui::buffer::{Buffer, CellWidth};
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use serde::{Deserialize, Serialize};
use unicode_width::UnicodeWidthChar;

use crate::trade::Untrusted;

/// The mark that is shown for a character that is not printable.
const MARK: char = '\u{FFFD}';

/// The number that is added to an RGB colour, to distinguish it from a colour of the palette.
const RGB: u32 = 1 << 24;

/// The attributes that are kept. Hidden or blinking text is recorded and shown as ordinary text.
const ATTRIBUTES: Modifier = Modifier::BOLD
    .union(Modifier::DIM)
    .union(Modifier::ITALIC)
    .union(Modifier::UNDERLINED)
    .union(Modifier::REVERSED)
    .union(Modifier::CROSSED_OUT);

/// The size of a recorded screen in cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Size {
    pub columns: u16,
    pub rows: u16,
}

impl Size {
    /// The largest screen that is recorded. Of a larger screen, the upper left part is recorded.
    pub const MAX: Size = Size {
        columns: 500,
        rows: 200,
    };

    pub(super) fn limited(self) -> Size {
        Size {
            columns: self.columns.min(Size::MAX.columns),
            rows: self.rows.min(Size::MAX.rows),
        }
    }
}

/// Text in one style.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Run {
    #[serde(rename = "t")]
    text: String,
    #[serde(rename = "f", default, skip_serializing_if = "Option::is_none")]
    foreground: Option<u32>,
    #[serde(rename = "b", default, skip_serializing_if = "Option::is_none")]
    background: Option<u32>,
    #[serde(rename = "m", default, skip_serializing_if = "is_zero")]
    modifiers: u16,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_zero(modifiers: &u16) -> bool {
    *modifiers == 0
}

impl Run {
    fn style(&self) -> Style {
        let mut style = Style::reset();
        style.fg = Some(color(self.foreground));
        style.bg = Some(color(self.background));
        style.add_modifier(Modifier::from_bits_truncate(self.modifiers))
    }

    fn has_style_of(&self, other: &Run) -> bool {
        (self.foreground, self.background, self.modifiers)
            == (other.foreground, other.background, other.modifiers)
    }
}

/// A row of a recorded screen. A row that was read from a file is cleaned before it becomes part
/// of a [`Screen`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row(Arc<[Run]>);

impl Default for Row {
    fn default() -> Row {
        Row(Arc::new([]))
    }
}

impl Row {
    /// The row with only printable characters, one in each cell, in at most this many columns. Any
    /// other character becomes a mark.
    pub(super) fn clean(&self, columns: u16) -> Row {
        let mut row = RowBuilder::new(columns);
        for run in &*self.0 {
            let style = Run {
                text: String::new(),
                foreground: run.foreground.filter(|colour| *colour < 2 * RGB),
                background: run.background.filter(|colour| *colour < 2 * RGB),
                modifiers: run.modifiers & ATTRIBUTES.bits(),
            };
            run.text.chars().for_each(|c| row.push(c, &style));
        }
        row.finish()
    }

    /// The text without styles.
    pub fn text(&self) -> String {
        self.0.iter().map(|run| &*run.text).collect()
    }

    /// The characters from left to right, each with its column and style.
    fn cells(&self) -> impl Iterator<Item = (u16, char, Style)> {
        let mut column = 0;
        let cells = self.0.iter().flat_map(|run| {
            let style = run.style();
            run.text.chars().map(move |c| (c, style))
        });
        cells.map(move |(c, style)| {
            let at = column;
            column += columns_of(c);
            (at, c, style)
        })
    }

    /// The runs of text, each with its style.
    pub(super) fn runs(&self) -> impl Iterator<Item = (&str, Style)> {
        self.0.iter().map(|run| (&*run.text, run.style()))
    }
}

/// The rows of a drawn part of the screen, each with its number. The part has all columns.
pub fn rows_of(buffer: &Buffer) -> impl Iterator<Item = (u16, Row)> {
    let width = usize::from(buffer.area.width).max(1);
    let rows = buffer.content.chunks(width);
    (buffer.area.y..).zip(rows).map(|(y, cells)| {
        let mut row = RowBuilder::new(Size::MAX.columns);
        let mut cells = cells.iter();
        while let Some(cell) = cells.next() {
            let style = Run {
                text: String::new(),
                foreground: number(cell.fg),
                background: number(cell.bg),
                modifiers: (cell.modifier & ATTRIBUTES).bits(),
            };
            let width = if cell.symbol().len() == 1 {
                1
            } else {
                cell.cell_width().max(1)
            };
            // Only one character of a cell is recorded, such as a letter without its accent.
            let mut symbol = cell.symbol().chars();
            match symbol.next().unwrap_or(' ') {
                c if columns_of(c) == width => row.push(c, &style),
                _ => (0..width).for_each(|_| row.push(MARK, &style)),
            }
            (1..width).for_each(|_| _ = cells.next());
        }
        (y, row.finish())
    })
}

/// A row that is built from left to right.
struct RowBuilder {
    runs: Vec<Run>,
    columns_left: u16,
}

impl RowBuilder {
    fn new(columns: u16) -> RowBuilder {
        RowBuilder {
            runs: Vec::new(),
            columns_left: columns.min(Size::MAX.columns),
        }
    }

    /// Adds a character if there is a column left. A character that is not printable, or too wide
    /// for the rest of the row, becomes a mark.
    fn push(&mut self, c: char, style: &Run) {
        if self.columns_left == 0 {
            return;
        }
        let fits = is_printable(c) && columns_of(c) <= self.columns_left;
        let c = if fits { c } else { MARK };
        self.columns_left -= columns_of(c);
        match self.runs.last_mut() {
            Some(last) if last.has_style_of(style) => last.text.push(c),
            _ => self.runs.push(Run {
                text: c.into(),
                ..style.clone()
            }),
        }
    }

    /// The row without the blank cells at its end.
    fn finish(mut self) -> Row {
        while let Some(last) = self.runs.last_mut()
            && last.background.is_none()
            && last.modifiers == 0
        {
            last.text.truncate(last.text.trim_end_matches(' ').len());
            if !last.text.is_empty() {
                break;
            }
            self.runs.pop();
        }
        Row(self.runs.into())
    }
}

/// True if the character fills its cell by itself, so that a terminal draws it there and nowhere
/// else.
fn is_printable(c: char) -> bool {
    match c {
        // Text, and the lines and blocks of the app.
        ' '..='~' | 'À'..='ÿ' | '\u{2500}'..='\u{259F}' => true,
        // Letters of flags and colours of skin, which a terminal combines with their neighbours.
        '\u{1F1E6}'..='\u{1F1FF}' | '\u{1F3FB}'..='\u{1F3FF}' => false,
        _ => matches!(c.width(), Some(1 | 2)) && Untrusted::from(String::from(c)).is_clean(),
    }
}

fn columns_of(c: char) -> u16 {
    // No character before the combining marks is wide.
    if c >= '\u{300}' && c.width() == Some(2) {
        2
    } else {
        1
    }
}

/// The number of a colour in a file.
fn number(colour: Color) -> Option<u32> {
    let number = match colour {
        Color::Reset => return None,
        Color::Rgb(r, g, b) => RGB | u32::from_be_bytes([0, r, g, b]),
        Color::Indexed(index) => index.into(),
        Color::Black => 0,
        Color::Red => 1,
        Color::Green => 2,
        Color::Yellow => 3,
        Color::Blue => 4,
        Color::Magenta => 5,
        Color::Cyan => 6,
        Color::Gray => 7,
        Color::DarkGray => 8,
        Color::LightRed => 9,
        Color::LightGreen => 10,
        Color::LightYellow => 11,
        Color::LightBlue => 12,
        Color::LightMagenta => 13,
        Color::LightCyan => 14,
        Color::White => 15,
    };
    Some(number)
}

fn color(number: Option<u32>) -> Color {
    let Some(number) = number else {
        return Color::Reset;
    };
    match u8::try_from(number) {
        Ok(index) => Color::Indexed(index),
        Err(_) => {
            let [_, r, g, b] = number.to_be_bytes();
            Color::Rgb(r, g, b)
        }
    }
}

/// A whole recorded screen.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Screen {
    size: Size,
    rows: Vec<Row>,
}

impl Screen {
    pub(super) fn blank(size: Size) -> Screen {
        let size = size.limited();
        let rows = vec![Row::default(); usize::from(size.rows)];
        Screen { size, rows }
    }

    /// The screen with a bounded size, and with only printable characters.
    pub(super) fn clean(&self) -> Screen {
        let mut clean = Screen::blank(self.size);
        for (row, read) in clean.rows.iter_mut().zip(&self.rows) {
            *row = read.clean(clean.size.columns);
        }
        clean
    }

    pub fn size(&self) -> Size {
        self.size
    }

    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The text without styles, a line for each row.
    pub fn text(&self) -> String {
        let rows = self.rows.iter();
        let lines = rows.map(|row| format!("{}\n", row.text().trim_end()));
        lines.collect()
    }

    /// Sets a row. Returns false if the screen has that row already, or has no such row.
    pub(super) fn set_row(&mut self, y: u16, row: &Row) -> bool {
        match self.rows.get_mut(usize::from(y)) {
            Some(current) if current != row => {
                *current = row.clone();
                true
            }
            _ => false,
        }
    }

    /// Draws the screen into an area of the buffer. `left` and `top` are the first column and row
    /// of the screen that are drawn.
    pub fn draw(&self, (left, top): (u16, u16), area: Rect, buffer: &mut Buffer) {
        let area = area.intersection(buffer.area);
        for (y, row) in area.rows().zip(self.rows.iter().skip(top.into())) {
            for (column, c, style) in row.cells() {
                let end = column + columns_of(c);
                if column < left || end - left > area.width {
                    continue;
                }
                let x = area.x + column - left;
                for blank in x + 1..area.x + end - left {
                    buffer[(blank, y.y)].reset();
                }
                buffer[(x, y.y)].reset();
                buffer[(x, y.y)].set_char(c).set_style(style);
            }
        }
    }
}
