//! The view: paints a page on a terminal, with a theme.
//!
//! [`draw`] is a function of the model and of the [`Look`]; it changes nothing and remembers
//! nothing. What a frame shows is laid out by [`crate::app::around`], without a terminal; here it
//! gets its colours.

mod glyphs;
mod look;
mod paint;
mod theme;

use ratatui::Frame;

use crate::app::input::Size;
use crate::app::seen::Seen;
use crate::app::{Model, around};

pub use look::Look;
pub use theme::{Theme, ThemeError};

/// Draws the whole screen, and says what is on it.
pub fn draw(model: &Model, look: &Look, frame: &mut Frame) -> Seen {
    let whole = frame.area();
    let size = Size { columns: whole.width, rows: whole.height };
    let page = around::page(model, size);
    paint::page(&page, &look.theme, frame);
    if look.ascii {
        glyphs::to_ascii(frame.buffer_mut());
    }
    Seen::of(model, size, page)
}
