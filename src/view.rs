//! The view: paints a page on a terminal, with a theme.
//!
//! [`draw`] is a function of the model and of the [`Theme`]; it changes nothing and remembers
//! nothing. What a frame shows is laid out by [`crate::app::around`], without a terminal; here it
//! gets its colours.

mod glyphs;
mod ground;
mod paint;
mod theme;

use ratatui::Frame;

use crate::app::store::seen::Seen;
use crate::app::ui::input::Size;
use crate::app::{Model, around};

pub use ground::Ground;
pub use theme::{Theme, ThemeError};

/// Draws the whole screen, and says what is on it.
pub fn draw(model: &Model, theme: &Theme, frame: &mut Frame) -> Seen {
    let whole = frame.area();
    let size = Size { columns: whole.width, rows: whole.height };
    let page = around::page(model, size);
    paint::page(&page, theme, frame);
    if model.setup.ascii {
        glyphs::to_ascii(frame.buffer_mut());
    }
    Seen::of(model, size, page)
}
