//! Tests that every key in the footer does something, and that [`Action::panes`] lists exactly the
//! panes on which an action works.

use std::collections::BTreeSet;

use balcao::app::chrome::page;
use balcao::app::router;
use balcao::app::store::notice::Notice;
use balcao::app::ui::action::Action;
use balcao::app::{Effect, Model, MoneyCommand, Pane};
use balcao::words::Lang;

use crate::models::{after_confirm_delay, all_models, press, screen_text, with_change};

/// Returns the actions whose keys the footer shows.
fn offered_actions(model: &Model) -> Vec<Action> {
    let has_more = page(model, model.size).has_more();
    router::actions_with(model, has_more).offered
}

/// Presses the key of an action. Returns true if the app reacts.
fn app_reacts(model: &Model, action: Action) -> bool {
    let key = model.setup.keys.keys(action)[0].to_string();
    let mut model = with_change(model.clone(), |model| model.notice = None);
    let state = |model: &Model| {
        (
            screen_text(model),
            format!("{:?}", model.layers),
            model.leaving,
        )
    };
    let before = state(&model);
    let effects = press(&mut model, &key);
    if matches!(model.notice, Some(Notice::NotHere(_))) {
        return false;
    }
    // Loading the list again does not tell the user anything.
    let does_work = |effect: &Effect| !matches!(effect, Effect::Money(MoneyCommand::Load(_)));
    let has_effect =
        action == Action::Refresh && !effects.is_empty() || effects.iter().any(does_work);
    has_effect || model.notice.is_some() || state(&model) != before
}

#[test]
fn every_key_in_a_footer_does_something() {
    // These actions move a cursor or scroll a text. If nothing can move, the footer hides them.
    let movements = [Action::Up, Action::Down, Action::PageUp, Action::PageDown];
    let mut ineffective = vec![];
    for (name, model) in all_models(Lang::Pt) {
        let model = after_confirm_delay(model);
        for action in offered_actions(&model)
            .into_iter()
            .filter(|action| !movements.contains(action))
        {
            // While a wrong value is marked, the reason is shown beside it.
            let is_explained = ["teach-unfit", "teach-figures-off", "teach-contract-refused"]
                .contains(&name)
                && matches!(action, Action::Open | Action::Submit);
            if !is_explained && !app_reacts(&model, action) {
                ineffective.push(format!("{name}: {}", action.name()));
            }
        }
    }
    assert!(ineffective.is_empty(), "{ineffective:#?}");
}

#[test]
fn declared_panes_are_those_that_offer_the_action() {
    let mut offered: BTreeSet<(Action, Pane)> = BTreeSet::new();
    for (_, model) in all_models(Lang::Pt) {
        // The details of an item count as part of the pane that contains the list.
        let front = router::with_front_screen(&model, |screen, _| screen.info().pane);
        let Some(pane) = front else { continue };
        offered.extend(
            offered_actions(&model)
                .into_iter()
                .map(|action| (action, pane)),
        );
    }
    let declared = Action::ALL
        .iter()
        .flat_map(|action| action.panes().iter().map(|pane| (*action, *pane)));
    let pane_switches = [Action::NextPane, Action::PrevPane];
    let declared: BTreeSet<_> = declared
        .filter(|(action, _)| !pane_switches.contains(action))
        .collect();
    let not_offered: Vec<_> = declared.difference(&offered).collect();
    assert!(
        not_offered.is_empty(),
        "named, but not offered: {not_offered:?}"
    );
    // The keys that switch panes have another meaning in the details of an HTTP request: they fold
    // and unfold rows.
    offered.retain(|(action, _)| !pane_switches.contains(action));
    // These actions may be offered on other panes too. Some of them provide something that the pane
    // lacks, such as a credential. On the domains pane, `New` only explains where domains are
    // added. On the account pane, `Open` selects a profile. In an import of links, `ShowOther`
    // opens the newest batch, and `Send` stops it or goes on.
    let offered_elsewhere = [
        Action::LogIn,
        Action::PasteJwt,
        Action::Teach,
        Action::Refresh,
        Action::New,
        Action::Open,
        Action::Send,
        Action::ShowOther,
    ];
    let mut undeclared: Vec<_> = offered.difference(&declared).collect();
    undeclared
        .retain(|(action, _)| !action.panes().is_empty() && !offered_elsewhere.contains(action));
    assert!(
        undeclared.is_empty(),
        "offered, but not named: {undeclared:?}"
    );
}
