//! QR codes that are drawn with text characters. A character shows two modules (squares) of the
//! code. In plain ASCII, two characters show a single module.

use qrcode::{Color as Module, EcLevel, QrCode};

use super::Area;
use crate::trade::Untrusted;

/// The possible widths of the quiet zone (the white border of a QR code), in modules. The first one
/// that fits is used. The standard requires 4, but cameras accept less.
const QUIET_ZONES: [usize; 3] = [4, 2, 1];

/// A QR code, as a square matrix of black and white modules.
#[derive(Debug, Clone, PartialEq)]
pub struct QrPicture {
    modules: Vec<Module>,
    side: usize,
    ascii: bool,
}

/// The area reserved for a QR code. Until the code is computed, the size of an earlier code is
/// used.
#[derive(Debug, Clone, Copy)]
pub struct CodePlace<'a> {
    /// The QR code whose size is used for the area.
    pub code: &'a QrPicture,
    /// False if `code` is only an earlier code, because the right code is still being computed. In
    /// that case nothing is drawn.
    pub is_ready: bool,
}

/// A QR code with its white border and its position on the screen.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    code: QrPicture,
    quiet_zone: usize,
    /// The area of the QR code, including the white border.
    pub area: Area,
}

impl QrPicture {
    /// Computes the QR code of exactly this text, which is slow. Returns `None` if the text is too
    /// long.
    pub fn of(text: &Untrusted, ascii: bool) -> Option<QrPicture> {
        let code = QrCode::with_error_correction_level(text.raw().as_bytes(), EcLevel::L).ok()?;
        Some(QrPicture {
            side: code.width(),
            modules: code.into_colors(),
            ascii,
        })
    }

    /// The QR code as an SVG image, with the white border of four modules that the standard
    /// requires.
    pub fn to_svg(&self) -> String {
        let border = QUIET_ZONES[0];
        let side = self.side + 2 * border;
        let dark = (0..self.modules.len()).filter(|n| self.modules[*n] == Module::Dark);
        let squares: String = dark
            .map(|n| {
                format!(
                    "M{} {}h1v1h-1z",
                    n % self.side + border,
                    n / self.side + border
                )
            })
            .collect();
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <svg xmlns=\"http://www.w3.org/2000/svg\" width=\"50mm\" height=\"50mm\" \
             viewBox=\"0 0 {side} {side}\" shape-rendering=\"crispEdges\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
             <path d=\"{squares}\" fill=\"black\"/>\n</svg>\n"
        )
    }

    /// Returns how many columns and rows the QR code needs with its narrowest border.
    pub fn min_size(&self) -> (u16, u16) {
        self.cells(QUIET_ZONES[QUIET_ZONES.len() - 1])
    }

    /// True if the QR code fits into the area, at least with its narrowest border.
    pub fn fits(&self, area: Area) -> bool {
        let (columns, rows) = self.min_size();
        columns <= area.width && rows <= area.height
    }

    /// Centers the QR code in an area, with the widest border that fits. Returns `None` if the code
    /// does not fit.
    pub fn within(&self, area: Area) -> Option<Picture> {
        let quiet_zone = QUIET_ZONES.into_iter().find(|quiet_zone| {
            let (columns, rows) = self.cells(*quiet_zone);
            columns <= area.width && rows <= area.height
        })?;
        let (columns, rows) = self.cells(quiet_zone);
        Some(Picture {
            code: self.clone(),
            quiet_zone,
            area: area.middle(columns, rows),
        })
    }

    fn cells(&self, quiet_zone: usize) -> (u16, u16) {
        let side = self.side + 2 * quiet_zone;
        let (columns, rows) = if self.ascii {
            (side * 2, side)
        } else {
            (side, side.div_ceil(2))
        };
        (
            columns.try_into().unwrap_or(u16::MAX),
            rows.try_into().unwrap_or(u16::MAX),
        )
    }
}

impl Picture {
    /// Whether the upper half of this text cell is white, and whether its lower half is white.
    pub fn halves(&self, column: u16, row: u16) -> (bool, bool) {
        let left = usize::from(column);
        let top = usize::from(row);
        if self.code.ascii {
            [self.is_white(left / 2, top); 2].into()
        } else {
            (
                self.is_white(left, top * 2),
                self.is_white(left, top * 2 + 1),
            )
        }
    }

    pub fn is_ascii(&self) -> bool {
        self.code.ascii
    }

    /// True if a module (square) of the QR code is white. Modules of the border are white.
    fn is_white(&self, x: usize, y: usize) -> bool {
        let side = self.code.side;
        match (self.module_index(x), self.module_index(y)) {
            (Some(x), Some(y)) => self.code.modules[y * side + x] != Module::Dark,
            _ => true,
        }
    }

    fn module_index(&self, n: usize) -> Option<usize> {
        n.checked_sub(self.quiet_zone)
            .filter(|n| *n < self.code.side)
    }
}
