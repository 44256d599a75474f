//! A rectangle of terminal cells, and functions to divide it.

use super::input::Size;

/// A rectangle of terminal cells; `x` and `y` are its first column and row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Area {
    pub x: u16,
    pub y: u16,
    pub width: u16,
    pub height: u16,
}

/// The maximum width of a text, in columns. Longer lines are hard to read.
pub const MEASURE: u16 = 88;

/// The maximum width of an area that has margins of two columns. A wider area has margins of one
/// column, so that its texts begin below the titles, the pane names and the lists.
const MAX_INDENTED_WIDTH: u16 = 80;

impl Area {
    pub fn size(self) -> Size {
        Size {
            columns: self.width,
            rows: self.height,
        }
    }

    /// The left part of the area, at most [`MEASURE`] columns wide.
    pub fn readable(self) -> Area {
        self.split_left(MEASURE).0
    }

    /// The area for the texts of a screen, without the margins.
    pub fn text(self) -> Area {
        self.narrowed(self.margin())
    }

    /// The width of the left margin of a screen's texts, and of the right margin.
    pub fn margin(self) -> u16 {
        if self.width > MAX_INDENTED_WIDTH {
            1
        } else {
            2
        }
    }

    /// The number of the first column to the right of the area.
    pub fn right(self) -> u16 {
        self.x.saturating_add(self.width)
    }

    /// The number of the first row below the area.
    pub fn bottom(self) -> u16 {
        self.y.saturating_add(self.height)
    }

    /// True if the area contains this cell.
    pub fn contains(self, column: u16, row: u16) -> bool {
        (self.x..self.right()).contains(&column) && (self.y..self.bottom()).contains(&row)
    }

    /// Splits the area after its first `rows` rows. Returns the upper and the lower part.
    pub fn split_top(self, rows: u16) -> (Area, Area) {
        let rows = rows.min(self.height);
        let lower_part = Area {
            y: self.y + rows,
            height: self.height - rows,
            ..self
        };
        (
            Area {
                height: rows,
                ..self
            },
            lower_part,
        )
    }

    /// Splits the area before its last `rows` rows. Returns the upper and the lower part.
    pub fn split_bottom(self, rows: u16) -> (Area, Area) {
        self.split_top(self.height.saturating_sub(rows))
    }

    /// Splits the area after its first `columns` columns. Returns the left and the right part.
    pub fn split_left(self, columns: u16) -> (Area, Area) {
        let columns = columns.min(self.width);
        let right_part = Area {
            x: self.x + columns,
            width: self.width - columns,
            ..self
        };
        (
            Area {
                width: columns,
                ..self
            },
            right_part,
        )
    }

    /// The area without its last `columns` columns.
    pub fn without_right(self, columns: u16) -> Area {
        Area {
            width: self.width.saturating_sub(columns),
            ..self
        }
    }

    /// The area without its last `rows` rows.
    pub fn without_bottom(self, rows: u16) -> Area {
        Area {
            height: self.height.saturating_sub(rows),
            ..self
        }
    }

    /// The area without `columns` columns at its left and right edge.
    pub fn narrowed(self, columns: u16) -> Area {
        let columns = columns.min(self.width / 2);
        Area {
            x: self.x + columns,
            width: self.width - 2 * columns,
            ..self
        }
    }

    /// The area without `rows` rows at its top and bottom.
    pub fn inset_rows(self, rows: u16) -> Area {
        let rows = rows.min(self.height / 2);
        Area {
            y: self.y + rows,
            height: self.height - 2 * rows,
            ..self
        }
    }

    /// A rectangle of this size in the middle of the area. It is smaller if the area is smaller.
    pub fn middle(self, width: u16, height: u16) -> Area {
        let width = width.min(self.width);
        let height = height.min(self.height);
        let x = self.x + (self.width - width) / 2;
        let y = self.y + (self.height - height) / 2;
        Area {
            x,
            y,
            width,
            height,
        }
    }

    /// Row `n` of the area, or an empty area if there is no such row.
    pub fn row(self, n: u16) -> Area {
        self.split_top(n).1.split_top(1).0
    }
}
