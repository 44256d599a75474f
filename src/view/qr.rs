//! QR codes: always black on white, whatever the theme, or cameras do not read them.
//!
//! The characters show the code too, white as ink: where a terminal has no colours, or is asked for
//! none, it is still there. On a light terminal its ink is dark then: the code is inverted, and not
//! every camera reads it.

use qrcode::{Color as Module, EcLevel, QrCode};
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::style::{Color, Style};

use super::parts::{put, wrapped};
use super::{Look, Role, footer};
use crate::app::Model;
use crate::app::geometry::Area;
use crate::trade::Untrusted;

/// White around the code; the standard asks for 4, cameras are content with 2.
const QUIET: [usize; 3] = [4, 2, 1];

/// A code that can be drawn: two modules to a cell, or two cells to a module in plain ASCII.
pub(super) struct Code {
    modules: Vec<Module>,
    side: usize,
    ascii: bool,
}

impl Code {
    /// The code of exactly this text, if one can hold it; making one is the dear part.
    pub(super) fn of(look: &Look, text: &Untrusted) -> Option<Code> {
        let code = QrCode::with_error_correction_level(text.raw().as_bytes(), EcLevel::L).ok()?;
        Some(Code { side: code.width(), modules: code.into_colors(), ascii: look.ascii })
    }

    /// How many columns and rows it takes, with the least white around it.
    pub(super) fn least_cells(&self) -> (u16, u16) {
        self.cells(QUIET[QUIET.len() - 1])
    }

    /// Whether it has room in an area.
    fn fits(&self, area: Area) -> bool {
        let (columns, rows) = self.least_cells();
        columns <= area.width && rows <= area.height
    }

    /// Draws it in the middle of an area; false when it has no room there.
    pub(super) fn draw(&self, area: Area, frame: &mut Frame) -> bool {
        let fits = |quiet: &usize| {
            let (columns, rows) = self.cells(*quiet);
            columns <= area.width && rows <= area.height
        };
        let Some(quiet) = QUIET.into_iter().find(fits) else { return false };
        let (columns, rows) = self.cells(quiet);
        self.draw_at(quiet, area.middle(columns, rows), frame.buffer_mut());
        true
    }

    fn cells(&self, quiet: usize) -> (u16, u16) {
        let side = self.side + 2 * quiet;
        let (columns, rows) = if self.ascii { (side * 2, side) } else { (side, side.div_ceil(2)) };
        (columns.try_into().unwrap_or(u16::MAX), rows.try_into().unwrap_or(u16::MAX))
    }

    fn draw_at(&self, quiet: usize, place: Area, buffer: &mut Buffer) {
        for row in 0..place.height {
            for column in 0..place.width {
                let (left, top) = (usize::from(column), usize::from(row));
                let at = (place.x + column, place.y + row);
                let Some(cell) = buffer.cell_mut(at) else { continue };
                let is_white = |x, y| self.is_white(quiet, x, y);
                let (upper, lower) = match self.ascii {
                    true => [is_white(left / 2, top); 2].into(),
                    false => (is_white(left, top * 2), is_white(left, top * 2 + 1)),
                };
                let (symbol, ink, paper) = match (upper, lower) {
                    (true, true) if self.ascii => ("#", WHITE, WHITE),
                    (true, true) => ("█", WHITE, WHITE),
                    (true, false) => ("▀", WHITE, BLACK),
                    (false, true) => ("▄", WHITE, BLACK),
                    (false, false) => (" ", WHITE, BLACK),
                };
                cell.set_symbol(symbol).set_style(Style::new().fg(ink).bg(paper));
            }
        }
    }

    /// Whether a module is white, as everything around the code is.
    fn is_white(&self, quiet: usize, x: usize, y: usize) -> bool {
        let at = |n: usize| n.checked_sub(quiet).filter(|n| *n < self.side);
        match (at(x), at(y)) {
            (Some(x), Some(y)) => self.modules[y * self.side + x] != Module::Dark,
            _ => true,
        }
    }
}

/// Of the 256 colours: the first 16 are what the terminal's owner wants them to be, and a terminal
/// that knows no more than 256 makes anything of others.
const BLACK: Color = Color::Indexed(16);
const WHITE: Color = Color::Indexed(231);

/// The code alone on the whole screen; its text instead when it has no room.
///
/// The keys stand below it, unless the code needs their line too.
pub(super) fn alone(model: &Model, look: &Look, text: &Untrusted, frame: &mut Frame) {
    let whole = frame.area();
    let whole = Area { x: 0, y: 0, width: whole.width, height: whole.height };
    let (area, foot) = whole.split_bottom(1);
    let code = Code::of(look, text);
    if code.as_ref().is_some_and(|code| !code.fits(area) && code.draw(whole, frame)) {
        return;
    }
    footer::draw(model, look, foot, frame);
    let address =
        wrapped(look, Role::Text, &text.shown(), usize::from(area.width).saturating_sub(2));
    // The text stands with it where it leaves the code its room.
    let (over, under) = area.split_bottom(u16::try_from(address.len()).unwrap_or(u16::MAX));
    if code.as_ref().is_some_and(|code| code.draw(over, frame)) {
        put(address, under.narrowed(1), frame);
        return;
    }
    if code.as_ref().is_some_and(|code| code.draw(area, frame)) {
        return;
    }
    let width = usize::from(area.width).saturating_sub(2);
    let said = match code {
        Some(code) => {
            let (columns, rows) = code.least_cells();
            let (columns, rows) = (columns.to_string(), rows.to_string());
            look.words.with("qr-too-small", &[("columns", &columns), ("rows", &rows)])
        }
        None => look.say("qr-too-long"),
    };
    let mut lines = wrapped(look, Role::Strong, &said, width);
    lines.push(ratatui::text::Line::default());
    lines.extend(address);
    put(lines, area.narrowed(1), frame);
}
