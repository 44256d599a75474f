//! The palette: everything that can be done now, by name.

use ratatui::Frame;
use ratatui::text::Line;

use super::parts::{boxed, first_key, put, put_right, row};
use super::text::{columns, fit};
use super::{Lang, Look, Role, Words};
use crate::app::action::Action;
use crate::app::faults::What;
use crate::app::geometry::{self, Area};
use crate::app::layer::{Palette, Wish};
use crate::app::palette::{self, Item};
use crate::app::{Model, Pane};
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

/// The palette's lines in this language, found by the words of every language; `faults` are those
/// the demo can arm.
pub fn labels(words: &Words, faults: &[&str]) -> Vec<Item> {
    let faults = faults.iter().map(|name| Wish::Fault((*name).into()));
    let spoken = Lang::ALL.map(Words::new);
    let every = |id: &str| spoken.each_ref().map(|words| words.text(id)).join(" ");
    let item = |wish: Wish| {
        let label = called(words, &wish);
        let (also, only) = (format!("also-{}", name(&wish)), format!("only-{}", name(&wish)));
        let is_guarded = palette::is_guarded(&wish);
        let item = Item::new(wish, &label).also(&every(&also));
        if is_guarded { item.only(&every(&only)) } else { item }
    };
    wishes(faults).map(item).collect()
}

/// Every line there can be, in the order of the palette.
fn wishes(faults: impl Iterator<Item = Wish>) -> impl Iterator<Item = Wish> {
    let actions = Action::ALL.iter().copied().filter(|action| can_be_wished(*action));
    let actions = actions.map(Wish::Do);
    // The panes are the first of the actions; to look is before to make.
    let panes = Pane::ALL.len();
    let rest = actions.clone().skip(panes);
    actions
        .take(panes)
        .chain([Pane::Links, Pane::Withdrawals, Pane::Charges].map(Wish::New))
        .chain(rest)
        .chain([Wish::BuyersView, Wish::Story(true), Wish::Story(false)])
        .chain([Wish::Captions(false), Wish::Captions(true)])
        .chain(faults)
        .chain([Wish::NoFaults, Wish::DomainsDown(true), Wish::DomainsDown(false)])
        .chain([Wish::Forward, Wish::StartOver])
}

/// The messages with the words that the palette's lines are found by.
pub fn alias_messages() -> Vec<String> {
    let all = || wishes([Wish::Fault("any".into())].into_iter());
    let also = all().map(|wish| format!("also-{}", name(&wish)));
    let guarded = all().filter(palette::is_guarded);
    also.chain(guarded.map(|wish| format!("only-{}", name(&wish)))).collect()
}

/// The name of a line in the words; every fault has the same.
fn name(wish: &Wish) -> &'static str {
    match wish {
        Wish::Do(action) => action.name(),
        Wish::New(Pane::Withdrawals) => "new-withdrawal",
        Wish::New(Pane::Charges) => "new-charge",
        Wish::New(_) => "new-link",
        Wish::BuyersView => "buyers-view",
        Wish::Story(true) => "story",
        Wish::Story(false) => "story-stop",
        Wish::Captions(false) => "captions-off",
        Wish::Captions(true) => "captions-on",
        Wish::Fault(_) => "fault",
        Wish::NoFaults => "no-faults",
        Wish::DomainsDown(true) => "domains-down",
        Wish::DomainsDown(false) => "domains-up",
        Wish::Forward => "forward",
        Wish::StartOver => "start-over",
    }
}

fn called(words: &Words, wish: &Wish) -> String {
    match wish {
        Wish::Do(action) => capital(&words.text(&format!("action-{}.help", action.name()))),
        Wish::Fault(name) => fault(words, name),
        wish => words.text(&format!("wish-{}", name(wish))),
    }
}

/// What a fault of the demo is called.
fn fault(words: &Words, name: &str) -> String {
    words.text(&format!("fault-{name}"))
}

/// Moving about is not a wish, and neither is what only a form or a question knows. What `n` and
/// `q` do depends on where they are pressed: their lines say what it is.
fn can_be_wished(action: Action) -> bool {
    use crate::app::action::Place;
    use Action::{Back, Down, First, Last, New, PageDown, PageUp, Palette, Quit, Up};
    let moves = [Up, Down, PageUp, PageDown, First, Last, Back, Palette, New, Quit];
    let moves = moves.contains(&action);
    matches!(action.place(), Place::Anywhere | Place::Lists) && !moves
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|c| c.to_uppercase().to_string());
    format!("{}{}", first.unwrap_or_default(), chars.as_str())
}
