//! A rectangle of cells, and how it is cut.

use super::input::Size;

/// A rectangle of cells, from its first column and row on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(missing_docs, reason = "a field is its name")]
pub struct Area {
    pub x: u16,
    pub y: u16,
    pub width: u16,
    pub height: u16,
}

/// The most columns that a text is read in with ease.
pub const MEASURE: u16 = 88;

/// From this width on a text stands in the middle; in less, an edge of a few columns is unrest.
const CENTRED_FROM: u16 = 110;

impl Area {
    /// Returns its columns and rows.
    pub fn size(self) -> Size {
        Size { columns: self.width, rows: self.height }
    }

    /// The column of it that texts, forms and questions stand in.
    pub fn column(self) -> Area {
        let width = self.width.min(MEASURE);
        let left = if self.width < CENTRED_FROM { 0 } else { (self.width - width) / 2 };
        self.split_left(left).1.split_left(width).0
    }

    /// Its left part, as wide as a text is read in with ease.
    pub fn readable(self) -> Area {
        self.split_left(MEASURE).0
    }

    /// The first column behind it.
    pub fn right(self) -> u16 {
        self.x.saturating_add(self.width)
    }

    /// The first row below it.
    pub fn bottom(self) -> u16 {
        self.y.saturating_add(self.height)
    }

    /// Returns true when this cell is in it.
    pub fn contains(self, column: u16, row: u16) -> bool {
        (self.x..self.right()).contains(&column) && (self.y..self.bottom()).contains(&row)
    }

    /// Its first `rows` rows, and the rest.
    pub fn split_top(self, rows: u16) -> (Area, Area) {
        let rows = rows.min(self.height);
        let rest = Area { y: self.y + rows, height: self.height - rows, ..self };
        (Area { height: rows, ..self }, rest)
    }

    /// All but its last `rows` rows, and those.
    pub fn split_bottom(self, rows: u16) -> (Area, Area) {
        self.split_top(self.height.saturating_sub(rows))
    }

    /// Its first `columns` columns, and the rest.
    pub fn split_left(self, columns: u16) -> (Area, Area) {
        let columns = columns.min(self.width);
        let rest = Area { x: self.x + columns, width: self.width - columns, ..self };
        (Area { width: columns, ..self }, rest)
    }

    /// The same without its last `columns` columns.
    pub fn without_right(self, columns: u16) -> Area {
        Area { width: self.width.saturating_sub(columns), ..self }
    }

    /// The same without its last `rows` rows.
    pub fn without_bottom(self, rows: u16) -> Area {
        Area { height: self.height.saturating_sub(rows), ..self }
    }

    /// The same without so many columns left and right.
    pub fn narrowed(self, columns: u16) -> Area {
        let columns = columns.min(self.width / 2);
        Area { x: self.x + columns, width: self.width - 2 * columns, ..self }
    }

    /// The same without so many rows above and below.
    pub fn lowered(self, rows: u16) -> Area {
        let rows = rows.min(self.height / 2);
        Area { y: self.y + rows, height: self.height - 2 * rows, ..self }
    }

    /// A rectangle of at most this size in its middle.
    pub fn middle(self, width: u16, height: u16) -> Area {
        let (width, height) = (width.min(self.width), height.min(self.height));
        let (x, y) = (self.x + (self.width - width) / 2, self.y + (self.height - height) / 2);
        Area { x, y, width, height }
    }

    /// One row of it; empty when it has no such row.
    pub fn row(self, n: u16) -> Area {
        self.split_top(n).1.split_top(1).0
    }
}
