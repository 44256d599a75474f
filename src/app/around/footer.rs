//! The last line: what can be done now, and by which key.

use crate::app::action::Action;
use crate::app::layer::Layer;
use crate::app::ui::parts::{first_key, put, put_right};
use crate::app::ui::text::columns;
use crate::app::ui::{Area, Line, Page, Role, Span};
use crate::app::withdrawals::{Flow, send};
use crate::app::{Model, Pane, offers};
use crate::trade::withdrawal::WithdrawalState;
use crate::words::Words;

/// Draws as many offers as there is room for; leaving, or going back, stands at the right.
pub fn draw(model: &Model, say: &Words, area: Area, page: &mut Page) {
    let mut offered = offers::offers_with(model, page.has_more());
    let last = match offered.last() {
        Some(Action::Quit | Action::Back) => offered.pop(),
        _ => None,
    };
    let last = last.and_then(|action| offer(model, say, action));
    let mut room = usize::from(area.width).saturating_sub(1);
    if let Some((key, word)) = last {
        let line =
            Line::from(vec![Span::of(Role::Key, key), Span::of(Role::Dim, format!(" {word}"))]);
        room = room.saturating_sub(line.width() + 3);
        put_right(line, area.without_right(1), page);
    }
    // What leads to everything else is there however much can be done.
    let all = offered.iter().position(|action| *action == Action::Palette);
    let all = all.and_then(|at| offer(model, say, offered[at]));
    let mut kept = all.as_ref().map_or(0, |(key, word)| columns(key) + columns(word) + 3);
    let mut line = Line::default();
    for action in offered {
        let Some((key, mut word)) = offer(model, say, action) else { continue };
        let has_room = |word: &str| line.width() + columns(&key) + columns(word) + 3 + kept <= room;
        if action == Action::Palette {
            kept = 0;
        } else if !has_room(&word) {
            let Some(short) = short(say, action).filter(|short| has_room(short)) else { continue };
            word = short;
        }
        line.push(Span::of(Role::Key, format!(" {key}")));
        line.push(Span::of(Role::Dim, format!(" {word} ")));
    }
    put(vec![line], area, page);
}

/// The first key of an action, and its word here.
fn offer(model: &Model, say: &Words, action: Action) -> Option<(String, String)> {
    let mut key = first_key(model, if is_entered(model, action) { Action::Enter } else { action });
    if action == Action::NextChoice {
        // Both ways of a choice in one.
        key.insert_str(0, &first_key(model, Action::PrevChoice));
    }
    (!key.is_empty()).then(|| (key, say.text(&word(model, action))))
}

/// The word of an action where its own has no room, if it has such a one.
fn short(say: &Words, action: Action) -> Option<String> {
    (action == Action::AskFee).then(|| say.text("action-ask-fee.short"))
}

/// Whether Enter does it too, as whoever logs in expects of it.
fn is_entered(model: &Model, action: Action) -> bool {
    match (action, model.layers.last()) {
        (Action::Submit, Some(Layer::Login(login))) => {
            login.form.focus + 1 >= login.form.fields.len()
        }
        _ => false,
    }
}

/// The word of an action where it means something more exact than everywhere else.
fn word(model: &Model, action: Action) -> String {
    let special = match (action, model.layers.last(), model.pane) {
        (Action::Open, None, Pane::Domains) => "pick",
        (Action::Open, Some(Layer::Journals { .. }), _) => "pick",
        (Action::NextChoice, ..) => "both",
        (Action::Open, Some(Layer::Buyer(_)), _) => "pay",
        (Action::Refresh, None, Pane::Account) => "keyring",
        (Action::New, None, Pane::Charges) => "charge",
        (Action::Enter, None, _) => "search",
        (Action::Enter, Some(Layer::Palette(_)), _) => "pick",
        (Action::Submit, Some(Layer::Login(_)), _) => "login",
        (Action::Submit, Some(Layer::Jwt(_)), _) => "keep",
        (Action::Submit, Some(Layer::NewLink(_)), _) => "link",
        (Action::Submit, Some(Layer::NewCharge(_)), _) => "charge",
        // Nothing is sent by it: what was typed is looked at first.
        (Action::Submit, Some(Layer::Withdraw(Flow::Form(_))), _) => "review",
        (Action::Send, ..)
            if send::in_front(model).map(|one| model.state_of(one))
                == Some(WithdrawalState::Unknown) =>
        {
            "again"
        }
        // The text goes on to its end: that is what is to be done here.
        (Action::PageDown, ..) => "read",
        (Action::Open, Some(Layer::Withdrawal(_) | Layer::Withdraw(_)), _) => "attempts",
        (Action::Copy, Some(Layer::Withdrawal(_) | Layer::Withdraw(_)), _) => "key",
        (Action::Copy, Some(Layer::Charge(_)), _) | (Action::Copy, None, Pane::Charges) => "code",
        (Action::Back, Some(layer), _) if layer.wait().is_some() => {
            if matches!(layer, Layer::Withdraw(_)) { "leave" } else { "cancel" }
        }
        _ => return format!("action-{}", action.name()),
    };
    format!("action-{}.{special}", action.name())
}
