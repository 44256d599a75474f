//! The router: passes key presses, clicks and events to the screen in front, and runs the commands
//! of screens.
//!
//! Text is typed into the field that has the focus. Every other key is looked up in the key table.
//! Start reading at [`input()`] for the user's input, or at [`press()`] for an action.

mod palette;
mod person;
mod press;
pub mod profiles;
pub mod read_tracker;
mod unattended;

use super::screen::{Actions, KeyContext, Screen, ScreenEvent};
use super::screens::{self, Layer};
use crate::app::cx::{Cx, Route, ScreenCommand};
use crate::app::store::credentials;
use crate::app::store::first_run::StartupStage;
use crate::app::store::kiosk::{self, Limited};
use crate::app::store::profiles::UnsavedWork;
use crate::app::ui::Action;
use crate::app::ui::form::Slot;
use crate::app::ui::list::AnyList;
use crate::app::{Effect, Model, Msg, Notice, Stamp, Store};

pub use person::{input, story_key};
use press::show_pane;
pub use press::{press, remember_top, select_row};
pub use unattended::leave_to_start_over;

/// Calls `read` with the front screen and the store, and returns its result.
pub fn with_front_screen<T>(model: &Model, read: impl FnOnce(&dyn Screen, &Store) -> T) -> T {
    match model.layers.last() {
        Some(layer) => read(layer.screen(), &model.store),
        None => read(&*model.pane.screen(), &model.store),
    }
}

/// Calls a function with the front screen, then runs the commands that the screen issued.
fn act_in_front(
    model: &mut Model,
    stamp: &Stamp,
    act: impl FnOnce(&mut dyn Screen, &mut Cx),
) -> Vec<Effect> {
    try_in_front(model, stamp, |screen, cx| {
        act(screen, cx);
        true
    })
    .unwrap_or_default()
}

/// Calls `act` with the front screen, then runs the commands that the screen issued. If `act`
/// returns false, drops the commands and returns `None`.
fn try_in_front(
    model: &mut Model,
    stamp: &Stamp,
    act: impl FnOnce(&mut dyn Screen, &mut Cx) -> bool,
) -> Option<Vec<Effect>> {
    let index = model.layers.len().checked_sub(1);
    let Model { store, layers } = model;
    let mut pane = store.pane.screen();
    let mut cx = Cx::new(store, stamp, true);
    let is_handled = match layers.last_mut() {
        Some(layer) => act(layer.screen_mut(), &mut cx),
        None => act(&mut *pane, &mut cx),
    };
    let commands = cx.commands;
    is_handled.then(|| run_commands(model, index, commands, stamp))
}

/// Calls `act`, which changes the shared store instead of a screen, and runs the commands that it
/// issued.
pub fn act_on_store(model: &mut Model, stamp: &Stamp, act: impl FnOnce(&mut Cx)) -> Vec<Effect> {
    let mut cx = Cx::new(&mut model.store, stamp, false);
    act(&mut cx);
    let commands = cx.commands;
    run_commands(model, None, commands, stamp)
}

/// Runs the commands of the screen at `index` in `model.layers`, or of the pane if `index` is
/// `None`.
fn run_commands(
    model: &mut Model,
    mut index: Option<usize>,
    commands: Vec<ScreenCommand>,
    stamp: &Stamp,
) -> Vec<Effect> {
    let mut effects = vec![];
    for command in commands {
        match command {
            ScreenCommand::Perform(effect) => effects.push(effect),
            ScreenCommand::Open(route) => effects.extend(open(model, route, stamp)),
            ScreenCommand::Replace(route) => {
                let mut cx = Cx::new(&mut model.store, stamp, false);
                let layer = Layer::of(&mut cx, route);
                let commands = cx.commands;
                if let (Some(layer), Some(index)) = (layer, index) {
                    model.layers[index] = layer;
                }
                effects.extend(run_commands(model, index, commands, stamp));
            }
            ScreenCommand::Close => effects.extend(close(model, index.take())),
            ScreenCommand::CloseFront => effects.extend(close_front(model)),
            ScreenCommand::CloseAbout(key) => {
                model
                    .layers
                    .retain(|layer| layer.screen().info().about != Some(key));
                index = None;
            }
            ScreenCommand::Show(pane) => effects.extend(show_pane(model, pane, stamp)),
            ScreenCommand::Press(action) => effects.extend(press(model, action, stamp)),
            ScreenCommand::SwitchProfile(profile) => {
                effects.extend(profiles::switch(
                    model,
                    profile,
                    UnsavedWork::default(),
                    stamp,
                ));
            }
        }
    }
    effects
}

/// Closes an open screen, cancels its pending request and erases its secrets.
fn close(model: &mut Model, index: Option<usize>) -> Vec<Effect> {
    match index.filter(|index| *index < model.layers.len()) {
        Some(index) => screens::close_effects(vec![model.layers.remove(index)]),
        None => vec![],
    }
}

/// Closes the front screen because the seller goes back.
///
/// Going back from the JWT form also closes the form below it, which cannot be sent without a JWT.
/// That form stays open if it was edited or its request failed.
fn close_front(model: &mut Model) -> Vec<Effect> {
    let was_jwt_form = matches!(model.layers.last(), Some(Layer::Jwt(_)));
    let mut effects = close(model, model.layers.len().checked_sub(1));
    if was_jwt_form && with_front_screen(model, is_unusable_form) {
        effects.extend(close(model, model.layers.len().checked_sub(1)));
    }
    effects
}

/// True if the screen's form is untouched and cannot be sent, because a credential is missing.
fn is_unusable_form(screen: &dyn Screen, store: &Store) -> bool {
    screen.form().is_some_and(|form| !form.touched)
        && screen.sent().is_none_or(|sent| sent.failure.is_none())
        && credentials::missing_to_send(store, screen.links(store).needs).is_some()
}

/// Opens a screen on top. If the same screen is already open, it is replaced. An open login form is
/// kept unchanged.
pub fn open(model: &mut Model, route: Route, stamp: &Stamp) -> Vec<Effect> {
    if model.setup.read_only && route.creates_or_pays() {
        model.notify(Notice::warn("said-read-only"));
        return vec![];
    }
    let limit_kind = match route {
        Route::NewLink(_) | Route::NewCharge(_) => Some(Limited::Sale),
        Route::NewWithdrawal(_) | Route::WithdrawAgain(..) => Some(Limited::Withdrawal),
        _ => None,
    };
    if limit_kind.is_some_and(|kind| !kiosk::allows(&mut model.store, kind)) {
        return vec![];
    }
    // During the set-up at the first start there is no profile yet, so no other screen could work.
    if matches!(model.startup_stage, StartupStage::SetUp(_)) && !matches!(route, Route::FirstRun(_))
    {
        return vec![];
    }
    let mut cx = Cx::new(&mut model.store, stamp, false);
    let layer = Layer::of(&mut cx, route);
    let commands = cx.commands;
    let Some(mut layer) = layer else {
        return run_commands(model, None, commands, stamp);
    };
    model
        .layers
        .iter()
        .for_each(|below| layer.resume_reading(below));
    if layer.is_login() && model.layers.iter().any(|below| below.is_same_kind(&layer)) {
        return vec![];
    }
    model.layers.retain(|below| !below.is_same(&layer));
    model.layers.push(layer);
    let index = model.layers.len() - 1;
    run_commands(model, Some(index), commands, stamp)
}

/// True if there is one open withdrawal, and the front screen is a page about it.
pub fn is_on_own_page(model: &Model) -> bool {
    let [open] = model.withdrawals.open.as_slice() else {
        return false;
    };
    let Some(layer) = model.layers.last() else {
        return false;
    };
    let shown = layer.screen().links(&model.store).withdrawal;
    shown.is_some_and(|shown| shown.agreement.key == open.agreement.key)
}

/// The actions that the user can run now.
pub fn actions(model: &Model) -> Vec<Action> {
    let own_has_more = with_front_screen(model, |screen, _| screen.info().has_more);
    actions_with(
        model,
        own_has_more.unwrap_or_else(|| read_tracker::has_more(model)),
    )
    .offered
}

/// The actions that the user can run now. `has_more` is true if the user has not seen all of the
/// terms to confirm on the front screen.
pub fn actions_with(model: &Model, has_more: bool) -> Actions {
    let mut actions = with_front_screen(model, |screen, store| screen.actions(store, has_more));
    let offered = &mut actions.offered;
    offered.retain(|action| !kiosk::hides_action(&model.store, *action));
    let has_reading = with_front_screen(model, |screen, store| {
        screen
            .list(store)
            .is_some_and(|list| !list.reading().is_empty())
    });
    if is_searching(model) {
        *offered = vec![Action::Enter, Action::Back];
    }
    if has_reading {
        offered.insert(offered.len().min(1), Action::AsText);
    }
    if is_searching(model) {
        return actions;
    }
    let can_correct_contract = with_front_screen(model, |screen, store| {
        screen.links(store).exchange.is_some()
    });
    if can_correct_contract && !kiosk::hides_action(&model.store, Action::Teach) {
        // Insert the action that corrects the API contract in second place, after the screen's most
        // useful action.
        offered.insert(offered.len().min(1), Action::Teach);
    }
    match model.layers.last() {
        None => offered.extend([Action::Palette, Action::Help, Action::Quit]),
        Some(layer) if layer.screen().info().has_no_way_back => {}
        Some(_) => offered.push(Action::Back),
    }
    actions
}

/// True if a click on the action's key hint runs the action.
///
/// Accidental clicks are common on touchpads. So actions such as sending money or logging out need
/// a key or a button.
pub fn may_be_clicked(model: &Model, action: Action) -> bool {
    use Action::*;
    match action {
        Send | Approve | Found | NotPaid | Discard | LogOut | Press => false,
        // Other screens show the hint for `Back` at this position, so a double click on `Back`
        // could also quit the program.
        Quit | Leave => false,
        // In the batch page, this asks whether to create a link again. A click opens no question.
        Repeat => !matches!(model.layers.last(), Some(Layer::Batch(_))),
        // In a form for a file, this key is part of typing a path.
        NextField => !matches!(
            model.layers.last(),
            Some(Layer::ImportFile(_) | Layer::Reconcile(_))
        ),
        // A click submits only forms that send a request. The withdrawal form opens the review
        // screen instead, and only by key.
        Submit => with_front_screen(model, |screen, _| screen.sent().is_some()),
        // In the command palette, Enter could run any action, including actions that must not be
        // run by a click.
        Enter => is_searching(model),
        Back => with_front_screen(model, |screen, _| {
            screen.buttons().is_none() || screen.info().confirms_by_click
        }),
        _ => true,
    }
}

/// True if the search field of the current pane has the focus.
pub fn is_searching(model: &Model) -> bool {
    model.layers.is_empty()
        && with_front_screen(model, |screen, store| {
            screen.list(store).is_some_and(AnyList::is_searching)
        })
}

/// The slot of the secret field that has the focus. The runtime keeps the secret text; the model
/// never contains it.
pub fn secret_focus(model: &Model) -> Option<&Slot> {
    if kiosk::is_unattended(&model.store) {
        return None;
    }
    let screen = model.layers.last()?.screen();
    if screen.wait().is_some() {
        None
    } else {
        screen.form()?.secret_slot()
    }
}

/// True if a printable key would be typed as text now.
pub fn takes_text(model: &Model) -> bool {
    with_front_screen(model, |screen, store| screen.takes_text(store))
}

/// True if every line of the terms to confirm on the front screen was rendered. Only then can the
/// seller confirm them.
fn is_read(model: &Model) -> bool {
    let own_has_more = with_front_screen(model, |screen, _| screen.info().has_more);
    own_has_more.map_or_else(|| read_tracker::is_all_read(model), |has_more| !has_more)
}

/// Returns which set of key bindings applies to the next key press.
pub fn key_context(model: &Model) -> KeyContext {
    match with_front_screen(model, |screen, store| screen.keys(store)) {
        KeyContext::Dialog if read_tracker::is_paged(model) => KeyContext::PagedDialog,
        context => context,
    }
}

/// Passes a message to the pane and to every open screen, from bottom to top. Runs the commands
/// that they issue.
pub fn pass_message(model: &mut Model, msg: &Msg, stamp: &Stamp) -> Vec<Effect> {
    let mut pane = model.store.pane.screen();
    let event = ScreenEvent::Message(msg);
    let mut effects = act_on_store(model, stamp, |cx| _ = pane.on_event(cx, event));
    notify_open_screens(model, stamp, &mut effects, event);
    effects.extend(unattended::on_message(model, msg, stamp));
    effects
}

/// Notifies the front screen that its deadline was reached.
pub fn on_deadline(model: &mut Model, stamp: &Stamp) -> Vec<Effect> {
    let kiosk_effects = unattended::on_pulse(model);
    let screen_effects = act_in_front(model, stamp, |screen, cx| {
        _ = screen.on_event(cx, ScreenEvent::Deadline);
    });
    [kiosk_effects, screen_effects].concat()
}

/// Notifies every open screen that the store may have changed. A screen closes itself if the item
/// that it shows no longer exists.
pub fn on_store_change(model: &mut Model, stamp: &Stamp) -> Vec<Effect> {
    let mut effects = vec![];
    notify_open_screens(model, stamp, &mut effects, ScreenEvent::StoreChanged);
    palette::update_commands(model);
    effects
}

/// Passes an event to every open screen, from bottom to top. Handlers may open or close screens.
fn notify_open_screens(
    model: &mut Model,
    stamp: &Stamp,
    effects: &mut Vec<Effect>,
    event: ScreenEvent,
) {
    let mut index = 0;
    let mut remaining = model.layers.len();
    while remaining > 0 {
        remaining -= 1;
        let count_before = model.layers.len();
        let Some(layer) = model.layers.get_mut(index) else {
            return;
        };
        let mut cx = Cx::new(&mut model.store, stamp, index + 1 == count_before);
        layer.screen_mut().on_event(&mut cx, event);
        let commands = cx.commands;
        // Count the closed screens up to this one. The number of open screens does not tell,
        // because the commands may also open a screen on top.
        let notified = &model.layers[..=index];
        let closed: usize = commands
            .iter()
            .map(|command| closed_by(command, notified))
            .sum();
        effects.extend(run_commands(model, Some(index), commands, stamp));
        index = (index + 1).saturating_sub(closed);
    }
}

/// Returns how many of these open screens the command closes. The last of them issued it.
fn closed_by(command: &ScreenCommand, layers: &[Layer]) -> usize {
    match command {
        ScreenCommand::Close => 1,
        ScreenCommand::CloseAbout(key) => layers
            .iter()
            .filter(|layer| layer.screen().info().about == Some(*key))
            .count(),
        _ => 0,
    }
}

/// True if the user may switch to another pane. Switching closes all open screens.
///
/// Switching is refused if it would discard typed input or a pending request, or if an open screen
/// forbids it.
fn may_switch(model: &Model) -> bool {
    model
        .layers
        .iter()
        .all(|layer| layer.screen().may_close_unasked())
}
