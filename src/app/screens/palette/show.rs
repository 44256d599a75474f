//! The palette: everything that can be done now, by name.

use super::Palette;
use crate::app::Store;
use crate::app::store::commands::Command;
use crate::app::store::faults::FaultKind;
use crate::app::ui::list::in_the_middle;
use crate::app::ui::lists::put_hidden;
use crate::app::ui::parts::{boxed, put, row};
use crate::app::ui::text::{columns, fit, left, split_at};
use crate::app::ui::{Action, Area, Line, Page, Role, Span, Target, geometry};
use crate::trade::Untrusted;
use crate::words::{Words, personal};

pub fn draw(store: &Store, say: &Words, palette: &Palette, area: Area, page: &mut Page) {
    let inside = boxed(&say.text("palette-title"), geometry::palette(area), page);
    query(palette, inside.row(0), page);
    faults(store, say, faults_area(store, area), page);
    let list = self::list(store, area);
    if palette.found.is_empty() {
        put(vec![Line::of(Role::Dim, say.text("palette-nothing"))], list, page);
        return;
    }
    let shown = in_the_middle(palette.found.len(), palette.cursor, list);
    put_hidden(say, &shown, palette.found.len(), page);
    for (n, y) in shown.rows().zip(0..) {
        let (command, area) = (&palette.found[n], shown.area.row(y));
        page.target(area, Target::Row(n as u64));
        let keys = keys(store, palette, command);
        let room = usize::from(area.width).saturating_sub(columns(keys) + 3);
        let label = left(&fit(&label(store, command), room), room + 2);
        let spans = vec![Span::of(Role::Text, label), Span::of(Role::Dim, keys)];
        put(vec![row(n == palette.cursor, spans)], area, page);
    }
}

/// The faults that lie in wait, the first to be met first, and how many more there are.
fn faults(store: &Store, say: &Words, area: Area, page: &mut Page) {
    let (rows, width) = (usize::from(area.height), usize::from(area.width));
    let count = store.faults.len();
    let shown = if count > rows { rows.saturating_sub(1) } else { count };
    let mut lines = Vec::new();
    for armed in &store.faults[..shown] {
        let what = match &armed.what {
            FaultKind::Named(name) => label(store, &Command::Fault(name.clone())),
            FaultKind::Other(words) => words.shown_within(width),
        };
        let text = match armed.times {
            Some(1) => say.with("palette-armed", &[("what", &what)]),
            Some(times) => say.count("palette-armed-times", times.into(), &[("what", &what)]),
            None => say.with("palette-armed-always", &[("what", &what)]),
        };
        lines.push(Line::of(Role::Warn, fit(&text, width)));
    }
    if shown < count {
        let more = say.count("palette-armed-more", (count - shown) as u64, &[]);
        lines.push(Line::of(Role::Warn, more));
    }
    put(lines, area, page);
}

fn query(palette: &Palette, area: Area, page: &mut Page) {
    let room = usize::from(area.width).saturating_sub(3);
    let skip = palette.query.visual_scroll(room);
    let (_, visible) = split_at(palette.query.value(), skip);
    let typed = Untrusted::from(visible).shown_within(room);
    let line = Line::from(vec![Span::of(Role::Key, "› "), Span::of(Role::Text, typed)]);
    put(vec![line], area, page);
    let cursor = palette.query.visual_cursor().saturating_sub(skip).min(room);
    let x = area.x.saturating_add(2).saturating_add(u16::try_from(cursor).unwrap_or(0));
    if area.height > 0 {
        page.set_cursor(x, area.y);
    }
}

fn label(store: &Store, command: &Command) -> String {
    if let (Command::Profile(name), true) = (command, store.masks) {
        let name = personal::name(store.words(), name).shown();
        return format!("{}: {name}", store.text("command-profile"));
    }
    let found = store.setup.labels.iter().find(|item| item.command == *command);
    found.map(|item| Untrusted::from(item.label.as_str()).shown()).unwrap_or_default()
}

fn keys<'a>(store: &'a Store, palette: &Palette, command: &Command) -> &'a str {
    match command {
        Command::Do(action) => store.reader().first_key(*action),
        Command::New(pane) if *pane == store.pane && palette.below.is_pane => {
            store.reader().first_key(Action::New)
        }
        _ => "",
    }
}

/// The faults in wait, below the search field of the palette; the rows that are worth it.
fn faults_area(store: &Store, body: Area) -> Area {
    let below = geometry::inside(geometry::palette(body)).split_top(1).1;
    let count = u16::try_from(store.faults.len()).unwrap_or(u16::MAX);
    below.split_top(count.min(4).min(below.height / 3)).0
}

/// The lines of the palette, below its search field and the faults in wait.
pub fn list(store: &Store, body: Area) -> Area {
    let faults = faults_area(store, body).height;
    geometry::inside(geometry::palette(body)).split_top(2 + faults).1
}
