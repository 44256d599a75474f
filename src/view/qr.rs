//! QR codes: always black on white, whatever the theme, or cameras do not read them.

use qrcode::{Color as Module, EcLevel, QrCode};
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::style::{Color, Style};

use super::parts::{put, wrapped};
use super::{Look, Role};
use crate::app::geometry::Area;
use crate::trade::Untrusted;

/// White around the code; the standard asks for 4, cameras are content with 2.
const QUIET: [usize; 3] = [4, 2, 1];

/// A code that can be drawn: two modules to a cell, or two cells to a module in plain ASCII.
struct Code {
    modules: Vec<Module>,
    side: usize,
    quiet: usize,
    ascii: bool,
}

impl Code {
    /// The code of these exact bytes with as much white around it as there is room for.
    fn within(bytes: &[u8], ascii: bool, width: u16, height: u16) -> Option<Code> {
        let code = QrCode::with_error_correction_level(bytes, EcLevel::L).ok()?;
        let (side, modules) = (code.width(), code.into_colors());
        let mut code = Code { modules, side, quiet: 0, ascii };
        QUIET.into_iter().find_map(|quiet| {
            code.quiet = quiet;
            let (columns, rows) = code.cells();
            (columns <= width && rows <= height)
                .then(|| Code { modules: code.modules.clone(), ..code })
        })
    }

    fn cells(&self) -> (u16, u16) {
        let side = self.side + 2 * self.quiet;
        let (columns, rows) = if self.ascii { (side * 2, side) } else { (side, side.div_ceil(2)) };
        (columns.try_into().unwrap_or(u16::MAX), rows.try_into().unwrap_or(u16::MAX))
    }

    /// The colour of a module; everything around the code is white.
    fn color(&self, x: usize, y: usize) -> Color {
        let at = |n: usize| n.checked_sub(self.quiet).filter(|n| *n < self.side);
        match (at(x), at(y)) {
            (Some(x), Some(y)) if self.modules[y * self.side + x] == Module::Dark => BLACK,
            _ => WHITE,
        }
    }

    fn draw(&self, x: u16, y: u16, buffer: &mut Buffer) {
        let (columns, rows) = self.cells();
        for row in 0..rows {
            for column in 0..columns {
                let (left, top) = (usize::from(column), usize::from(row));
                let Some(cell) = buffer.cell_mut((x + column, y + row)) else { continue };
                if self.ascii {
                    let color = self.color(left / 2, top);
                    cell.set_symbol(" ").set_style(Style::new().fg(color).bg(color));
                } else {
                    let (upper, lower) = (self.color(left, top * 2), self.color(left, top * 2 + 1));
                    cell.set_symbol("▀").set_style(Style::new().fg(upper).bg(lower));
                }
            }
        }
    }
}

const BLACK: Color = Color::Rgb(0, 0, 0);
const WHITE: Color = Color::Rgb(255, 255, 255);

/// Draws the code of a text in the middle of an area; false when it has no room there.
pub(super) fn draw(look: &Look, text: &Untrusted, area: Area, frame: &mut Frame) -> bool {
    let bytes = text.raw().as_bytes();
    let Some(code) = Code::within(bytes, look.ascii, area.width, area.height) else {
        return false;
    };
    let (columns, rows) = code.cells();
    let place = area.middle(columns, rows);
    code.draw(place.x, place.y, frame.buffer_mut());
    true
}

/// How many columns and rows the code of a text takes, with the least white around it.
pub(super) fn least_cells(look: &Look, text: &Untrusted) -> Option<(u16, u16)> {
    let code = QrCode::with_error_correction_level(text.raw().as_bytes(), EcLevel::L).ok()?;
    let side = code.width();
    let quiet = QUIET[QUIET.len() - 1];
    Some(Code { modules: code.into_colors(), side, quiet, ascii: look.ascii }.cells())
}

/// The code alone on the whole screen; its text instead when it has no room.
pub(super) fn alone(look: &Look, text: &Untrusted, frame: &mut Frame) {
    let whole = frame.area();
    let area = Area { x: 0, y: 0, width: whole.width, height: whole.height };
    if draw(look, text, area, frame) {
        return;
    }
    let width = usize::from(area.width).saturating_sub(2);
    let said = match least_cells(look, text) {
        Some((columns, rows)) => {
            let (columns, rows) = (columns.to_string(), rows.to_string());
            look.words.with("qr-too-small", &[("columns", &columns), ("rows", &rows)])
        }
        None => look.say("qr-too-long"),
    };
    let mut lines = wrapped(look, Role::Strong, &said, width);
    lines.push(ratatui::text::Line::default());
    lines.extend(wrapped(look, Role::Text, &text.shown(), width));
    put(lines, area.narrowed(1), frame);
}
