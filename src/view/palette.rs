//! The palette: everything that can be done now, by name.

use ratatui::Frame;
use ratatui::text::Line;

use super::parts::{boxed, first_key, put, put_right, row};
use super::text::{columns, fit};
use super::{Look, Role};
use crate::app::Model;
use crate::app::action::Action;
use crate::app::faults::What;
use crate::app::geometry::{self, Area};
use crate::app::layer::{Palette, Wish};
use crate::trade::Untrusted;

/// Draws the palette over what is there.
pub(super) fn draw(model: &Model, look: &Look, palette: &Palette, area: Area, frame: &mut Frame) {
    let inside = boxed(look, &look.say("palette-title"), geometry::palette(area), frame);
    query(look, palette, inside.row(0), frame);
    faults(model, look, geometry::palette_faults(model, area), frame);
    let list = geometry::palette_list(model, area);
    if palette.found.is_empty() {
        put(vec![look.line(Role::Dim, look.say("palette-nothing"))], list, frame);
        return;
    }
    let height = usize::from(list.height);
    let first = geometry::scrolled(palette.cursor, palette.found.len(), height);
    let shown = palette.found.iter().enumerate().skip(first).take(height);
    for ((n, wish), y) in shown.zip(0..) {
        let area = list.row(y);
        let keys = keys(model, look, wish);
        let room = usize::from(area.width).saturating_sub(columns(&keys) + 3);
        let label = fit(&label(model, wish), room);
        let line = row(look, n == palette.cursor, vec![look.span(Role::Text, label)]);
        put(vec![line], area, frame);
        put_right(look.line(Role::Dim, keys), area, frame);
    }
}

/// The faults that lie in wait, the first to be met first, and how many more there are.
fn faults(model: &Model, look: &Look, area: Area, frame: &mut Frame) {
    let rows = usize::from(area.height);
    let count = model.faults.len();
    let shown = if count > rows { rows.saturating_sub(1) } else { count };
    let width = usize::from(area.width);
    let mut lines: Vec<_> = model.faults[..shown]
        .iter()
        .map(|armed| {
            let what = match &armed.what {
                What::Named(name) => label(model, &Wish::Fault(name.clone())),
                What::Other(words) => words.shown_within(width),
            };
            let text = match armed.times {
                Some(1) => look.words.with("palette-armed", &[("what", &what)]),
                Some(times) => {
                    look.words.count("palette-armed-times", times.into(), &[("what", &what)])
                }
                None => look.words.with("palette-armed-always", &[("what", &what)]),
            };
            look.line(Role::Warn, fit(&text, width))
        })
        .collect();
    if shown < count {
        // Where not one of them is named there is nothing that these are more than.
        let id = if shown == 0 { "palette-armed-count" } else { "palette-armed-more" };
        let more = look.words.count(id, (count - shown) as u64, &[]);
        lines.push(look.line(Role::Warn, more));
    }
    put(lines, area, frame);
}

fn query(look: &Look, palette: &Palette, area: Area, frame: &mut Frame) {
    let room = usize::from(area.width).saturating_sub(3);
    let skip = palette.query.visual_scroll(room);
    let (_, visible) = super::text::split_at(palette.query.value(), skip);
    let typed = Untrusted::from(visible).shown_within(room);
    let line = Line::from(vec![look.span(Role::Key, "› "), look.span(Role::Text, typed)]);
    put(vec![line], area, frame);
    let cursor = palette.query.visual_cursor().saturating_sub(skip).min(room);
    let x = area.x.saturating_add(2).saturating_add(u16::try_from(cursor).unwrap_or(0));
    if area.height > 0 {
        frame.set_cursor_position((x, area.y));
    }
}

fn label(model: &Model, wish: &Wish) -> String {
    let found = model.setup.labels.iter().find(|item| item.wish == *wish);
    found.map(|item| Untrusted::from(item.label.as_str()).shown()).unwrap_or_default()
}

fn keys(model: &Model, look: &Look, wish: &Wish) -> String {
    match wish {
        Wish::Do(action) => first_key(model, look, *action),
        Wish::New(pane) if *pane == model.pane && model.layers.len() == 1 => {
            first_key(model, look, Action::New)
        }
        _ => String::new(),
    }
}
