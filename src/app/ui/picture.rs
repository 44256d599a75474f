//! QR codes: two modules to a cell, or two cells to a module in plain ASCII.

use qrcode::{Color as Module, EcLevel, QrCode};

use super::Area;
use crate::trade::Untrusted;

/// White around the code; the standard asks for 4, cameras are content with 2.
const QUIET: [usize; 3] = [4, 2, 1];

/// A QR code that can be drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct QrPicture {
    modules: Vec<Module>,
    side: usize,
    ascii: bool,
}

/// The place that a code takes: its own, or that of another one while it is still to be made.
#[derive(Debug, Clone, Copy)]
pub struct CodePlace<'a> {
    /// The code whose size it is.
    pub code: &'a QrPicture,
    /// True when it is the code itself; else the place stays empty.
    pub is_here: bool,
}

/// A code at its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    code: QrPicture,
    quiet: usize,
    /// The area it stands in.
    pub area: Area,
}

impl QrPicture {
    /// The code of exactly this text, if one can hold it; making one is the dear part.
    pub fn of(text: &Untrusted, ascii: bool) -> Option<QrPicture> {
        let code = QrCode::with_error_correction_level(text.raw().as_bytes(), EcLevel::L).ok()?;
        Some(QrPicture { side: code.width(), modules: code.into_colors(), ascii })
    }

    /// Returns the columns and rows it takes, with the least white around it.
    pub fn least_cells(&self) -> (u16, u16) {
        self.cells(QUIET[QUIET.len() - 1])
    }

    /// Returns true when it has room in an area.
    pub fn fits(&self, area: Area) -> bool {
        let (columns, rows) = self.least_cells();
        columns <= area.width && rows <= area.height
    }

    /// The code in the middle of an area, with as much white around it as has room there.
    pub fn within(&self, area: Area) -> Option<Picture> {
        let fits = |quiet: &usize| {
            let (columns, rows) = self.cells(*quiet);
            columns <= area.width && rows <= area.height
        };
        let quiet = QUIET.into_iter().find(fits)?;
        let (columns, rows) = self.cells(quiet);
        Some(Picture { code: self.clone(), quiet, area: area.middle(columns, rows) })
    }

    fn cells(&self, quiet: usize) -> (u16, u16) {
        let side = self.side + 2 * quiet;
        let (columns, rows) = if self.ascii { (side * 2, side) } else { (side, side.div_ceil(2)) };
        (columns.try_into().unwrap_or(u16::MAX), rows.try_into().unwrap_or(u16::MAX))
    }
}

impl Picture {
    /// Returns true for each half of a cell, the upper and the lower, that is white.
    pub fn halves(&self, column: u16, row: u16) -> (bool, bool) {
        let (left, top) = (usize::from(column), usize::from(row));
        match self.code.ascii {
            true => [self.is_white(left / 2, top); 2].into(),
            false => (self.is_white(left, top * 2), self.is_white(left, top * 2 + 1)),
        }
    }

    /// Returns true when it is drawn with plain ASCII.
    pub fn is_ascii(&self) -> bool {
        self.code.ascii
    }

    /// Returns true when a module is white, as everything around the code is.
    fn is_white(&self, x: usize, y: usize) -> bool {
        let side = self.code.side;
        let at = |n: usize| n.checked_sub(self.quiet).filter(|n| *n < side);
        match (at(x), at(y)) {
            (Some(x), Some(y)) => self.code.modules[y * side + x] != Module::Dark,
            _ => true,
        }
    }
}
