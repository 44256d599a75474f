//! The footer: the last line of the screen, which shows the keys of the available actions.

use compact_str::{CompactString, CompactStringExt};

use crate::app::screen::Actions;
use crate::app::screens::Layer;
use crate::app::ui::parts::{put, put_right};
use crate::app::ui::text::columns;
use crate::app::ui::{Action, Area, Line, Page, Role, Span, Target};
use crate::app::{Model, Pane, router};
use crate::words::Catalogue;

/// Draws as many key hints as fit into the footer. The hint for quitting or going back is at the
/// right end.
pub fn draw(model: &Model, words: &Catalogue, area: Area, page: &mut Page) {
    let mut actions = router::actions_with(model, page.has_more());
    let mut offered = std::mem::take(&mut actions.offered);
    offered.retain(|action| !is_always_refused(model, *action));
    // Hide the hints for Up and Down if there is no cursor to move and no text to scroll.
    let has_cursor = offered.contains(&Action::Open);
    let has_more = page.text.is_some_and(|(_, overflow)| overflow.lines > 0);
    if !has_cursor && !has_more {
        offered.retain(|action| !matches!(action, Action::Down | Action::Up));
    }
    let right_hint = match offered.last() {
        Some(Action::Quit | Action::Back | Action::Leave) => offered.pop(),
        _ => None,
    };
    let right_hint = right_hint.and_then(|action| Some((action, key(model, action)?)));
    let mut room = usize::from(area.width).saturating_sub(1);
    if let Some((action, key)) = right_hint {
        let word = word(model, words, &actions, action);
        let line = Line::from(vec![
            Span::of(Role::Key, key),
            Span::of(Role::Dim, [" ", &word].concat_compact()),
        ]);
        room = room.saturating_sub(line.width() + 3);
        let start = usize::from(area.width).saturating_sub(line.width() + 1);
        add_click_target(model, action, (start, line.width()), area, page);
        put_right(line, area.without_right(1), page);
    }
    // Reserve room for the hint that leads to all other actions: the command palette or, if the
    // palette is not offered, the help.
    let menu_action = [Action::Palette, Action::Help];
    let menu_action = menu_action
        .into_iter()
        .find(|action| offered.contains(action));
    let mut reserved = menu_action.map_or(0, |action| {
        key(model, action).map_or(0, |key| {
            columns(&key) + columns(&word(model, words, &actions, action)) + 3
        })
    });
    let mut line = Line::default();
    let mut width = 0;
    for action in offered {
        let Some(key) = key(model, action) else {
            continue;
        };
        if Some(action) == menu_action {
            reserved = 0;
        }
        let used = width + columns(&key) + 3 + reserved;
        if Some(action) != menu_action && used >= room {
            // Skip this hint without looking up its text, because the lookup is slow and most hints
            // do not fit.
            continue;
        }
        let mut word = word(model, words, &actions, action);
        let has_room = |word: &str| Some(action) == menu_action || used + columns(word) <= room;
        if !has_room(&word) {
            let Some(shorter) = shorter_word(words, action).filter(|shorter| has_room(shorter))
            else {
                continue;
            };
            word = shorter;
        }
        let hint_width = columns(&key) + 1 + columns(&word);
        add_click_target(model, action, (width + 1, hint_width), area, page);
        width += hint_width + 2;
        line.push(Span::of(Role::Key, [" ", &key].concat_compact()));
        line.push(Span::of(Role::Dim, [" ", &word, " "].concat_compact()));
    }
    put(vec![line], area, page);
}

fn is_always_refused(model: &Model, action: Action) -> bool {
    let creates_or_sends = match action {
        Action::New => model.pane != Pane::Domains,
        Action::Repeat | Action::Send => true,
        _ => false,
    };
    model.setup.read_only && creates_or_sends
}

/// Makes a key hint clickable if its action may be run by a click. `span` is the first column and
/// the width of the hint.
fn add_click_target(
    model: &Model,
    action: Action,
    span: (usize, usize),
    area: Area,
    page: &mut Page,
) {
    let [start, width] = [span.0, span.1].map(|n| u16::try_from(n).unwrap_or(u16::MAX));
    if router::may_be_clicked(model, action) {
        page.add_click_target(
            area.split_left(start).1.split_left(width).0,
            Target::Hint(action),
        );
    }
}

/// The name of the first key that is bound to an action; `None` if no key is bound to it.
fn key(model: &Model, action: Action) -> Option<CompactString> {
    let to = model.render_cx();
    let key = match action {
        // The keys Left and Right share one hint.
        Action::NextChoice => {
            [to.first_key(Action::PrevChoice), to.first_key(action)].concat_compact()
        }
        _ if shows_enter_key(model, action) => to.first_key(Action::Enter).into(),
        _ => to.first_key(action).into(),
    };
    (!key.is_empty()).then_some(key)
}

/// A shorter name of an action for a narrow footer, if there is one.
fn shorter_word(words: &Catalogue, action: Action) -> Option<CompactString> {
    let id = match action {
        Action::AskFee => "action-ask-fee.short",
        Action::ShowOther => "action-show-other.short",
        _ => return None,
    };
    Some(words.text(id).into())
}

/// True if the key hint for submitting a form shows Enter, which submits a form from its last
/// field. Otherwise the hint shows the submit key.
fn shows_enter_key(model: &Model, action: Action) -> bool {
    let form = model.layers.last().and_then(|layer| layer.screen().form());
    // Only the login and set-up forms show Enter. All other forms show the submit key, which works
    // in every field.
    let is_login_or_setup = matches!(
        model.layers.last(),
        Some(Layer::Login(_) | Layer::FirstRun(_))
    );
    let is_last_field = form.is_some_and(|form| form.focus + 1 >= form.fields.len());
    action == Action::Submit && is_login_or_setup && is_last_field
}

/// The action's name for its key hint: a name specific to this screen, if there is one, or else the
/// general name.
fn word(model: &Model, words: &Catalogue, actions: &Actions, action: Action) -> CompactString {
    let is_waiting = model
        .layers
        .last()
        .is_some_and(|layer| layer.screen().wait().is_some());
    let suffix = match (actions.word_of(action), action) {
        (None, Action::NextChoice) => Some("both"),
        // The hint for Page Down is "read", because the user must read all pages before confirming.
        (None, Action::PageDown) => Some("read"),
        (None, Action::Back) if is_waiting => Some("cancel"),
        (None, Action::Enter) if model.layers.is_empty() => Some("search"),
        _ => None,
    };
    match suffix {
        Some(suffix) => words
            .text(&["action-", action.name(), ".", suffix].concat_compact())
            .into(),
        None => actions.label(words, action),
    }
}
