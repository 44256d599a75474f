//! The router: which screen has the keys, what a person did, and the commands of screens.
//!
//! It knows no screen by name. Text goes to the field with the focus; every other key is looked up
//! in the one table of keys.

mod palette;
mod person;
mod press;
pub mod profiles;
pub mod sight;

use super::screen::{Actions, KeyContext, Screen, ScreenEvent};
use super::screens::{self, Layer};
use crate::app::cx::{Cx, Route, ScreenCommand};
use crate::app::store::first_run::Beginning;
use crate::app::store::profiles::Losses;
use crate::app::ui::Action;
use crate::app::ui::form::Slot;
use crate::app::ui::list::AnyList;
use crate::app::{Effect, Model, Msg, Notice, Stamp, Store};

pub use person::{input, next_key};
use press::show_pane;
pub use press::{press, remember_top, select_row};

/// Asks the screen in front something.
pub fn front<T>(model: &Model, ask: impl FnOnce(&dyn Screen, &Store) -> T) -> T {
    match model.layers.last() {
        Some(layer) => ask(layer.screen(), &model.store),
        None => ask(&*model.pane.screen(), &model.store),
    }
}

/// Lets the screen in front act, and runs its commands.
fn act_in_front(
    model: &mut Model,
    at: &Stamp,
    act: impl FnOnce(&mut dyn Screen, &mut Cx),
) -> Vec<Effect> {
    try_in_front(model, at, |screen, cx| {
        act(screen, cx);
        true
    })
    .unwrap_or_default()
}

/// Lets the screen in front act, and runs its commands; `None` where it returns false.
fn try_in_front(
    model: &mut Model,
    at: &Stamp,
    act: impl FnOnce(&mut dyn Screen, &mut Cx) -> bool,
) -> Option<Vec<Effect>> {
    let index = model.layers.len().checked_sub(1);
    let Model { store, layers } = model;
    let mut pane = store.pane.screen();
    let mut cx = Cx::new(store, at, true);
    let is_taken = match layers.last_mut() {
        Some(layer) => act(layer.screen_mut(), &mut cx),
        None => act(&mut *pane, &mut cx),
    };
    let commands = cx.commands;
    is_taken.then(|| run(model, index, commands, at))
}

/// Lets the store act, without a screen, and runs the commands.
pub fn act_on_store(model: &mut Model, at: &Stamp, act: impl FnOnce(&mut Cx)) -> Vec<Effect> {
    let mut cx = Cx::new(&mut model.store, at, false);
    act(&mut cx);
    let commands = cx.commands;
    run(model, None, commands, at)
}

/// Runs the commands of a screen; `index` is its place among the layers.
fn run(
    model: &mut Model,
    mut index: Option<usize>,
    commands: Vec<ScreenCommand>,
    at: &Stamp,
) -> Vec<Effect> {
    let mut effects = vec![];
    for command in commands {
        match command {
            ScreenCommand::Perform(effect) => effects.push(effect),
            ScreenCommand::Open(route) => effects.extend(open(model, route, at)),
            ScreenCommand::Become(route) => {
                let mut cx = Cx::new(&mut model.store, at, false);
                let layer = Layer::of(&mut cx, route);
                let commands = cx.commands;
                if let (Some(layer), Some(index)) = (layer, index) {
                    model.layers[index] = layer;
                }
                effects.extend(run(model, index, commands, at));
            }
            ScreenCommand::Close => effects.extend(close(model, index.take())),
            ScreenCommand::CloseFront => {
                let front = model.layers.len().checked_sub(1);
                effects.extend(close(model, front));
            }
            ScreenCommand::CloseAbout(key) => {
                model.layers.retain(|layer| layer.screen().info().about != Some(key));
                index = None;
            }
            ScreenCommand::Show(pane) => effects.extend(show_pane(model, pane, at)),
            ScreenCommand::Press(action) => effects.extend(press(model, action, at)),
            ScreenCommand::SwitchProfile(to) => {
                effects.extend(profiles::switch(model, to, Losses::default(), at));
            }
        }
    }
    effects
}

/// Takes a layer away; what it asked for is cancelled, and its secrets are wiped.
fn close(model: &mut Model, index: Option<usize>) -> Vec<Effect> {
    match index.filter(|index| *index < model.layers.len()) {
        Some(index) => screens::leaving(vec![model.layers.remove(index)]),
        None => vec![],
    }
}

/// Brings a screen to the front; one of those that can be opened anywhere is moved there.
pub fn open(model: &mut Model, route: Route, at: &Stamp) -> Vec<Effect> {
    if model.setup.read_only && route.creates_or_pays() {
        model.say(Notice::warn("said-read-only"));
        return vec![];
    }
    // Before there is a profile there is nothing else to show, and no world that could do it.
    if matches!(model.beginning, Beginning::SetUp(_)) && !matches!(route, Route::FirstRun(_)) {
        return vec![];
    }
    let mut cx = Cx::new(&mut model.store, at, false);
    let layer = Layer::of(&mut cx, route);
    let commands = cx.commands;
    let Some(mut layer) = layer else { return run(model, None, commands, at) };
    model.layers.iter().for_each(|below| layer.go_on_from(below));
    if layer.is_login() && model.layers.iter().any(|below| below.is_alike(&layer)) {
        return vec![];
    }
    model.layers.retain(|below| !below.is_same(&layer));
    model.layers.push(layer);
    let index = model.layers.len() - 1;
    run(model, Some(index), commands, at)
}

/// Returns the actions that are offered now.
pub fn actions(model: &Model) -> Vec<Action> {
    let own = front(model, |screen, _| screen.info().has_more);
    actions_with(model, own.unwrap_or_else(|| sight::has_more(model))).offered
}

/// Returns the actions that are offered while the terms in front are read, or have more to read.
pub fn actions_with(model: &Model, has_more: bool) -> Actions {
    let mut actions = front(model, |screen, store| screen.actions(store, has_more));
    let offered = &mut actions.offered;
    if is_searching(model) {
        *offered = vec![Action::Enter, Action::Back];
        return actions;
    }
    if front(model, |screen, store| screen.links(store).exchange.is_some()) {
        // Behind what is done most here.
        offered.insert(offered.len().min(1), Action::Teach);
    }
    match model.layers.last() {
        None => offered.extend([Action::Palette, Action::Help, Action::Quit]),
        Some(layer) if layer.screen().info().has_no_way_back => {}
        Some(_) => offered.push(Action::Back),
    }
    actions
}

/// Returns true when a click on the hint of this action does it.
///
/// A hand slips on a touchpad: what sends money, says how a withdrawal ended, or logs out is done
/// by a key or a button alone, and so is what leads there from a form, or leaves the question.
pub fn may_be_clicked(model: &Model, action: Action) -> bool {
    use Action::*;
    match action {
        Send | Found | NotPaid | Discard | LogOut | Press => false,
        // It stands where going back stands a screen further: a double click would leave at once.
        Quit | Leave => false,
        // The form of a withdrawal is no request yet: it leads to the review.
        Submit => front(model, |screen, _| screen.sent().is_some()),
        // What is picked in the palette may be any of these.
        Enter => is_searching(model),
        Back => {
            front(model, |screen, _| screen.buttons().is_none() || screen.info().confirms_by_click)
        }
        _ => true,
    }
}

/// Returns true when the search field of the pane in front has the focus.
pub fn is_searching(model: &Model) -> bool {
    model.layers.is_empty()
        && front(model, |screen, store| screen.list(store).is_some_and(AnyList::is_searching))
}

/// The secret field with the focus: what is typed there goes to the runtime and nowhere else.
pub fn secret_focus(model: &Model) -> Option<&Slot> {
    let screen = model.layers.last()?.screen();
    if screen.wait().is_some() { None } else { screen.form()?.secret_slot() }
}

/// Returns true when printable keys are text now.
pub fn takes_text(model: &Model) -> bool {
    front(model, |screen, store| screen.takes_text(store))
}

/// Returns true when the screen in front can be agreed to at all: all of it was on the screen.
fn is_read(model: &Model) -> bool {
    let own = front(model, |screen, _| screen.info().has_more);
    own.map_or_else(|| sight::all(model), |has_more| !has_more)
}

/// Returns the context in which keys are looked up now.
pub fn key_context(model: &Model) -> KeyContext {
    match front(model, |screen, store| screen.keys(store)) {
        KeyContext::Dialog if sight::is_paged(model) => KeyContext::PagedDialog,
        context => context,
    }
}

/// Lets every screen hear what happened, the lowest first, and look at the store again; what has
/// lost its reason goes.
pub fn tell(model: &mut Model, msg: &Msg, at: &Stamp) -> Vec<Effect> {
    let mut pane = model.store.pane.screen();
    let event = ScreenEvent::Message(msg);
    let mut effects = act_on_store(model, at, |cx| _ = pane.on_event(cx, event));
    each(model, at, &mut effects, event);
    effects
}

/// A moment came that the screen in front was waiting for.
pub fn deadline_came(model: &mut Model, at: &Stamp) -> Vec<Effect> {
    act_in_front(model, at, |screen, cx| _ = screen.on_event(cx, ScreenEvent::Deadline))
}

/// Lets every screen look at the store again, and takes away what has lost its reason.
pub fn look_again(model: &mut Model, at: &Stamp) -> Vec<Effect> {
    let mut effects = vec![];
    each(model, at, &mut effects, ScreenEvent::StoreChanged);
    palette::look_below(model);
    effects
}

/// Tells each layer of an event, the lowest first, however many of them go or come meanwhile.
fn each(model: &mut Model, at: &Stamp, effects: &mut Vec<Effect>, event: ScreenEvent) {
    let mut index = 0;
    let mut left = model.layers.len();
    while left > 0 {
        left -= 1;
        let before = model.layers.len();
        let Some(layer) = model.layers.get_mut(index) else { return };
        let mut cx = Cx::new(&mut model.store, at, index + 1 == before);
        layer.screen_mut().on_event(&mut cx, event);
        let commands = cx.commands;
        let closes = commands.iter().any(ScreenCommand::closes);
        effects.extend(run(model, Some(index), commands, at));
        if !(closes && model.layers.len() < before) {
            index += 1;
        }
    }
}

/// Returns true when another pane may take the place of what lies over this one.
///
/// A key or a click beside a screen never throws away what was typed, agreed or asked for on it.
fn may_switch(model: &Model) -> bool {
    model.layers.iter().all(|layer| layer.screen().may_be_left())
}
