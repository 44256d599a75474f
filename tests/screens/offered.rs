//! Tests that every key in the footer does something, and that [`Action::panes`] lists exactly the
//! panes on which an action works.

use std::collections::BTreeSet;

use balcao::app::chrome::page;
use balcao::app::router;
use balcao::app::store::notice::Notice;
use balcao::app::ui::action::Action;
use balcao::app::ui::{Line, PageItem, Role, Span};
use balcao::app::{Model, Pane};
use balcao::words::Lang;

use crate::models::{all, altered, looked_at, press, screen};

/// Returns the actions whose keys are shown in the app model's footer.
fn offered(model: &Model) -> Vec<Action> {
    let has_more = page(model, model.size).has_more();
    router::actions_with(model, has_more).offered
}

/// Presses the key of an action. Returns true if the app reacts.
fn does_something(model: &Model, action: Action) -> bool {
    let key = model.setup.keys.keys(action)[0].to_string();
    let mut model = altered(model.clone(), |model| model.notice = None);
    let state = |model: &Model| (screen(model), format!("{:?}", model.layers), model.leaving);
    let before = state(&model);
    let effects = press(&mut model, &key);
    if matches!(model.notice, Some(Notice::NotHere(_))) {
        return false;
    }
    !effects.is_empty() || model.notice.is_some() || state(&model) != before
}

/// Returns true if the screen shows why the key does nothing: a fault, a running request, or a test
/// of the keyring.
fn says_why(name: &str, model: &Model) -> bool {
    if name == "first-run-vault-trying" {
        return true;
    }
    let page = page(model, model.size);
    let lines = page.items.iter().filter_map(|item| match item {
        PageItem::Lines(lines, _) => Some(lines),
        _ => None,
    });
    let is_fault = |span: &Span| matches!(span.role, Some(Role::Bad | Role::Warn));
    let is_why = |line: &Line| line.spans.iter().any(is_fault) || line.to_string().contains('…');
    lines.flatten().any(is_why)
}

#[test]
fn every_key_in_a_footer_does_something() {
    // These actions move a cursor or scroll a text. If nothing can move, the footer hides them.
    let moves = [Action::Up, Action::Down, Action::PageUp, Action::PageDown];
    let mut idle = vec![];
    for (name, model) in all(Lang::Pt) {
        let model = looked_at(model);
        for action in offered(&model).into_iter().filter(|action| !moves.contains(action)) {
            let is_said = matches!(action, Action::Submit | Action::Open) && says_why(name, &model);
            if !is_said && !does_something(&model, action) {
                idle.push(format!("{name}: {}", action.name()));
            }
        }
    }
    assert!(idle.is_empty(), "{idle:#?}");
}

#[test]
fn named_panes_are_those_that_offer_the_action() {
    let mut offering: BTreeSet<(Action, Pane)> = BTreeSet::new();
    for (_, model) in all(Lang::Pt) {
        // If details are open, they count as the pane of their list.
        let front = router::front(&model, |screen, _| screen.info().pane);
        let Some(pane) = front else { continue };
        offering.extend(offered(&model).into_iter().map(|action| (action, pane)));
    }
    let named = Action::ALL.iter().flat_map(|one| one.panes().iter().map(|pane| (*one, *pane)));
    let switch = [Action::NextPane, Action::PrevPane];
    let named: BTreeSet<_> = named.filter(|(action, _)| !switch.contains(action)).collect();
    let idle: Vec<_> = named.difference(&offering).collect();
    assert!(idle.is_empty(), "named, but not offered: {idle:?}");
    // The keys that switch panes have another meaning in the details of an HTTP request: they fold
    // and unfold rows.
    offering.retain(|(action, _)| !switch.contains(action));
    // These actions may be offered on other panes too. Some of them provide something that the pane
    // lacks, such as a credential. On the domains pane, `New` only explains where domains are
    // added. On the account pane, `Open` selects a profile.
    let also = [
        Action::LogIn,
        Action::PasteJwt,
        Action::Teach,
        Action::Refresh,
        Action::New,
        Action::Open,
    ];
    let mut unnamed: Vec<_> = offering.difference(&named).collect();
    unnamed.retain(|(action, _)| !action.panes().is_empty() && !also.contains(action));
    assert!(unnamed.is_empty(), "offered, but not named: {unnamed:?}");
}
