//! Runs the actions that the user can choose on any screen, such as moving the cursor, pressing
//! buttons, going back and quitting. Start reading at [`press`].

use std::time::Duration;

use super::person::{is_choosing, type_key};
use super::{
    act_in_front, act_on_store, actions, actions_with, close_front, front, is_read, key_context,
    open, palette, try_in_front,
};
use crate::app::cx::{Question, Route};
use crate::app::router::{may_switch, read_tracker};
use crate::app::screen::{Focus, KeyContext, Screen, ScreenEvent, choosing_key};
use crate::app::screens::{self, Layer};
use crate::app::store::commands::Command;
use crate::app::store::withdrawals::rules;
use crate::app::store::{credentials, key_feedback, kiosk};
use crate::app::ui::action::KeyScope;
use crate::app::ui::input::Pace;
use crate::app::ui::list::Move;
use crate::app::ui::{Action, Role};
use crate::app::{Effect, Model, Notice, Pane, Stamp, Store};
use crate::words::Lang;

/// Runs an action if it is currently offered.
pub fn press(model: &mut Model, action: Action, at: &Stamp) -> Vec<Effect> {
    use Action::*;
    if kiosk::hides_action(&model.store, action) {
        model.notify(Notice::Plain(Role::Text, "said-kiosk-withheld"));
        return vec![];
    }
    if let Some(pane) = action.pane() {
        return show_pane(model, pane, at);
    }
    match action {
        Help => open_help(model, at),
        Palette => palette::open(model, at),
        Doctor => open(model, Route::Doctor, at),
        Redraw => vec![Effect::Redraw],
        Language => change_language(model),
        Back => back(model, at),
        Quit if model.layers.is_empty() => quit(model, at),
        Quit => back(model, at),
        Leave => leave(model, at),
        StoryNext if model.story.can_go_on() => vec![Effect::Demo(Command::StoryNext)],
        StoryNext => begin_story(model, at),
        Up => go(model, Move::By(-1), at),
        Down => go(model, Move::By(1), at),
        PageUp => page(model, -1, at),
        PageDown => page(model, 1, at),
        First => go(model, Move::First, at),
        Last => go(model, Move::Last, at),
        NextField | PrevField => move_field(model, action, at),
        PrevChoice | NextChoice if is_choosing(model) => {
            type_key(model, choosing_key(action == NextChoice), at).unwrap_or_default()
        }
        PrevChoice | NextChoice => vec![],
        Enter => on_enter(model, at),
        Submit => submit(model, at),
        NextButton | PrevButton => move_button(model, action == NextButton, at),
        Press => press_button(model, at),
        offered if actions(model).contains(&offered) => do_offered(model, offered, at),
        NextPane | PrevPane if model.layers.is_empty() => {
            show_pane(model, model.pane.neighbour(action == NextPane), at)
        }
        other => not_here(model, other),
    }
}

/// Switches between the two languages of the app.
fn change_language(model: &mut Model) -> Vec<Effect> {
    let other = Lang::ALL.into_iter().find(|lang| *lang != model.setup.lang);
    if let Some(lang) = other {
        (model.look.lang, model.setup.lang) = (Some(lang), lang);
    }
    vec![]
}

/// Opens the help with the keys of the front screen, unless the help is already in front.
fn open_help(model: &mut Model, at: &Stamp) -> Vec<Effect> {
    if matches!(model.layers.last(), Some(Layer::Help(_))) {
        return vec![];
    }
    let here = actions_with(model, read_tracker::has_more(model));
    open(model, Route::Help(here), at)
}

/// Returns how long the seller must wait before sending a withdrawal. It is the withdrawal on the
/// front screen or, if only the pane is shown, the one under the cursor.
fn send_wait(model: &Model) -> Option<Duration> {
    let listed = || model.withdrawals.list.selected().filter(|_| model.pane == Pane::Withdrawals);
    let shown = match model.layers.last() {
        Some(layer) => layer.screen().links(&model.store).withdrawal,
        None => listed(),
    };
    rules::send_wait(&model.store, shown?)
}

/// Shows a notice for a key that does nothing now. For the send key, the notice may show how long
/// to wait. Otherwise it shows where the key works, but only once for each pane and action.
pub fn not_here(model: &mut Model, action: Action) -> Vec<Effect> {
    if action == Action::Send
        && let Some(wait) = send_wait(model)
    {
        model.notify(Notice::SendLater(wait));
        return vec![];
    }
    let is_of_form = action.place() == KeyScope::Forms || action == Action::AskFee;
    let works_somewhere = !action.panes().is_empty() || is_of_form;
    // Show the notice only in lists, because in a form or a dialog it would be a distraction.
    let is_looking = key_context(model) == KeyContext::List;
    let pane = model.pane;
    if is_looking && works_somewhere && model.key_feedback.is_first_time(pane, action) {
        model.notify(Notice::NotHere(action));
    }
    vec![]
}

/// Runs an action that is currently offered. Actions that work the same way on every screen are
/// handled here; the others are passed to the front screen.
fn do_offered(model: &mut Model, action: Action, at: &Stamp) -> Vec<Effect> {
    match action {
        Action::Search if model.layers.is_empty() => search(model, true),
        Action::LogIn => {
            let effects = open(model, Route::Login(None), at);
            [effects, act_on_store(model, at, credentials::read_again)].concat()
        }
        Action::PasteJwt => open(model, Route::Jwt(None), at),
        Action::Teach => match front(model, |screen, store| screen.links(store).exchange) {
            Some(exchange) => open(model, Route::Teach(exchange), at),
            None => vec![],
        },
        action => {
            let last_before = model.store.last_ticket;
            let effects = act_in_front(model, at, |screen, cx| screen.act(cx, action));
            if action == Action::Refresh {
                key_feedback::remember_refresh(&mut model.store, last_before);
            }
            effects
        }
    }
}

/// Shows a pane and closes all open screens. Does nothing if an open screen would lose unsaved
/// input.
pub fn show_pane(model: &mut Model, pane: Pane, at: &Stamp) -> Vec<Effect> {
    if !may_switch(model) {
        return vec![];
    }
    let mut effects = screens::close_effects(std::mem::take(&mut model.layers));
    search(model, false);
    model.store.pane = pane;
    effects
        .extend(act_in_front(model, at, |screen, cx| _ = screen.on_event(cx, ScreenEvent::Load)));
    effects
}

/// Begins the demo's guided story, unless it is already running. On the login form, also logs in.
fn begin_story(model: &mut Model, at: &Stamp) -> Vec<Effect> {
    if model.setup.demo.is_none() {
        model.notify(Notice::Plain(Role::Text, "said-story-in-demo"));
        return vec![];
    }
    if model.story.playing {
        return vec![];
    }
    let begins = vec![Effect::Demo(Command::Story(true))];
    match model.layers.last().is_some_and(Layer::is_login) {
        true => [begins, submit(model, at)].concat(),
        false => begins,
    }
}

fn search(model: &mut Model, on: bool) -> Vec<Effect> {
    let pane = model.store.pane.screen();
    if let Some(list) = pane.list_mut(&mut model.store) {
        list.search(on);
    }
    vec![]
}

/// Moves the cursor, or scrolls the text if the screen has no cursor.
pub fn go(model: &mut Model, to: Move, at: &Stamp) -> Vec<Effect> {
    let text = read_tracker::in_front(model).map(|seen| seen.overflow);
    model.overflow = text.unwrap_or_default();
    try_in_front(model, at, |screen, cx| screen.go(cx, to)).unwrap_or_else(|| {
        scroll(&mut model.store, text.map_or(u16::MAX, |text| text.lines), to);
        vec![]
    })
}

/// Moves one page up or down. If a pane has a long text below its list, scrolls that text instead
/// of the list.
fn page(model: &mut Model, way: i64, at: &Stamp) -> Vec<Effect> {
    let text = read_tracker::in_front(model).map(|seen| seen.overflow).unwrap_or_default();
    if model.layers.is_empty() && text.lines > 0 {
        let by = Move::By(way * i64::from(text.page.max(1)));
        scroll(&mut model.store, text.lines, by);
        return vec![];
    }
    go(model, Move::By(way * i64::from(page_rows(model))), at)
}

/// Returns the number of rows in one page of the list or text on the front screen.
fn page_rows(model: &Model) -> u16 {
    let Some(areas) = model.areas(model.size) else { return 1 };
    let place = |screen: &dyn Screen| screen.info().place(areas.body);
    let rows = front(model, |screen, store| screen.rows(store, place(screen)));
    match rows.filter(|rows| !rows.lines.is_empty()) {
        Some(rows) => rows.area.height.saturating_sub(1).max(1),
        None => read_tracker::in_front(model).map_or(1, |seen| seen.overflow.page.max(1)),
    }
}

/// Stores the first visible row of the list, so that the list does not scroll while the cursor
/// moves within the visible rows.
pub fn remember_top(model: &mut Model) {
    let pane = model.store.pane.screen();
    let Some(areas) = model.areas(model.size) else { return };
    let Some(shown) = pane.rows(&model.store, areas.body) else { return };
    let first = shown.lines.iter().find_map(|line| line.row());
    if let (Some(first), Some(list)) = (first, pane.list_mut(&mut model.store)) {
        list.set_top(first);
    }
}

/// Moves the cursor to a row. If the cursor is already there, opens the row.
pub fn select_row(model: &mut Model, row: u64, at: &Stamp) -> Vec<Effect> {
    let Some(here) = front(model, |screen, store| screen.cursor(store)) else { return vec![] };
    // Clicking a row moves the focus from the search field to the list.
    search(model, false);
    match (model.layers.is_empty(), here == row) {
        (true, true) => press(model, Action::Open, at),
        (false, true) => press(model, Action::Enter, at),
        (_, false) => go(model, Move::To(row), at),
    }
}

fn move_field(model: &mut Model, action: Action, at: &Stamp) -> Vec<Effect> {
    let Some(screen) = model.layers.last_mut().map(Layer::screen_mut) else {
        // Moving down from the search field moves the focus to the search results.
        search(model, false);
        return go(model, Move::By(0), at);
    };
    let is_busy = screen.wait().is_some();
    match (screen.form_mut().filter(|_| !is_busy), action) {
        (Some(form), Action::NextField) => form.next(),
        (Some(form), Action::PrevField) => form.prev(),
        _ => return act_in_front(model, at, |screen, cx| screen.act(cx, action)),
    }
    vec![]
}

fn on_enter(model: &mut Model, at: &Stamp) -> Vec<Effect> {
    let Some(screen) = model.layers.last_mut().map(Layer::screen_mut) else {
        return search(model, false);
    };
    if screen.wait().is_some() {
        return vec![];
    }
    match screen.form_mut() {
        // Enter moves to the next field. On the last field it submits the form.
        Some(form) if form.focus + 1 < form.fields.len() => {
            form.next();
            vec![]
        }
        Some(_) => act_in_front(model, at, |screen, cx| screen.act(cx, Action::Submit)),
        None => act_in_front(model, at, |screen, cx| screen.act(cx, Action::Enter)),
    }
}

fn submit(model: &mut Model, at: &Stamp) -> Vec<Effect> {
    match model.layers.last().is_some_and(|layer| layer.screen().wait().is_none()) {
        true => act_in_front(model, at, |screen, cx| screen.act(cx, Action::Submit)),
        false => vec![],
    }
}

fn move_button(model: &mut Model, forward: bool, at: &Stamp) -> Vec<Effect> {
    if !actions(model).contains(&Action::NextButton) {
        return vec![];
    }
    let Some(screen) = model.layers.last_mut().map(Layer::screen_mut) else { return vec![] };
    let has_field = screen.amount_mut().is_some();
    if let Some(buttons) = screen.buttons_mut() {
        buttons.move_to(buttons.focus.moved(has_field, forward), at.pace);
    }
    vec![]
}

/// Presses the focused button.
///
/// Ignores a key that is part of a burst, such as an unmarked paste, because the rest of the burst
/// would reach the next screen.
fn press_button(model: &mut Model, at: &Stamp) -> Vec<Effect> {
    if at.pace != Pace::Deliberate {
        return vec![];
    }
    let may_press = read_tracker::may_press(model);
    let Some(screen) = model.layers.last_mut().map(Layer::screen_mut) else { return vec![] };
    if screen.wait().is_some() {
        return vec![];
    }
    match screen.focus() {
        Some(Focus::Back) => act_in_front(model, at, |screen, cx| screen.back(cx)),
        Some(Focus::Amount) => {
            if let Some(buttons) = screen.buttons_mut() {
                buttons.move_to(Focus::Confirm, at.pace);
            }
            vec![]
        }
        Some(Focus::Confirm) if may_press => agree(model, at),
        Some(Focus::Confirm) | None => vec![],
    }
}

/// Handles a click on a button. Buttons are numbered from the left; button 0 goes back.
///
/// A click on a button that sends money or does something irreversible only gives it the focus.
/// Pressing it takes a key.
pub fn click_button(model: &mut Model, button: usize, at: &Stamp) -> Vec<Effect> {
    let Some(screen) = model.layers.last_mut().map(Layer::screen_mut) else { return vec![] };
    let by_click = screen.info().confirms_by_click;
    let Some(buttons) = screen.buttons_mut() else { return vec![] };
    buttons.move_to(Focus::of_button(button), at.pace);
    match (button, by_click) {
        (0, _) => press_button(model, at),
        (_, true) => agree(model, at),
        (_, false) => vec![],
    }
}

/// Presses the confirming button of the front screen, if pressing it is allowed now.
fn agree(model: &mut Model, at: &Stamp) -> Vec<Effect> {
    let may = at.pace == Pace::Deliberate
        && is_read(model)
        && front(model, |screen, store| {
            screen.buttons().is_some_and(|buttons| buttons.are_armed(store))
                && screen.offer(store).is_some_and(|offer| offer.may_confirm)
        });
    match may {
        true => act_in_front(model, at, |screen, cx| screen.act(cx, Action::Press)),
        false => vec![],
    }
}

/// Quits from any screen. If typed text would be lost, a dialog asks first.
///
/// Pressing the quit key again in that dialog quits, because losing typed text is harmless. While a
/// withdrawal is being sent, only the dialog's button quits.
fn leave(model: &mut Model, at: &Stamp) -> Vec<Effect> {
    let drops = Question::DropAndLeave;
    let asked = |layer: &Layer| matches!(layer, Layer::Dialog(ask) if ask.question == drops);
    let in_flight = model.withdrawals.in_flight.is_some();
    let insists = model.layers.last().is_some_and(asked);
    let was_typed = model.layers.iter().any(|layer| layer.screen().was_typed());
    if !in_flight && !insists && was_typed {
        return open(model, Route::Ask(Question::DropAndLeave), at);
    }
    quit(model, at)
}

/// Quits. A dialog asks first while a withdrawal is being sent.
fn quit(model: &mut Model, at: &Stamp) -> Vec<Effect> {
    if model.withdrawals.in_flight.is_some() {
        return open(model, Route::Ask(Question::LeaveInFlight), at);
    }
    model.leaving = true;
    vec![Effect::Leave]
}

/// Goes back one step: leaves the search, cancels a pending request or closes a screen. Never
/// quits.
pub fn back(model: &mut Model, at: &Stamp) -> Vec<Effect> {
    let Some(layer) = model.layers.last() else { return leave_search(model, at) };
    let screen = layer.screen();
    match screen.wait().filter(|_| !screen.info().keeps_request_on_back) {
        Some(wait) => {
            let cancelled = act_in_front(model, at, |screen, cx| screen.cancel(cx));
            std::iter::once(Effect::Cancel(wait.ticket)).chain(cancelled).collect()
        }
        None if screen.form().is_some_and(|form| form.touched) => {
            open(model, Route::Ask(Question::DropForm), at)
        }
        None if matches!(layer, Layer::Jwt(_)) => close_front(model),
        None => act_in_front(model, at, |screen, cx| screen.back(cx)),
    }
}

fn leave_search(model: &mut Model, at: &Stamp) -> Vec<Effect> {
    let pane = model.store.pane.screen();
    let was_filtered = pane.list_mut(&mut model.store).is_some_and(|list| list.leave_search());
    match was_filtered {
        true => act_in_front(model, at, |screen, cx| _ = screen.on_event(cx, ScreenEvent::Load)),
        false => act_in_front(model, at, |screen, cx| {
            _ = screen.on_event(cx, ScreenEvent::FilterCleared)
        }),
    }
}

/// Scrolls the text on the front screen.
///
/// `last` is the largest possible scroll position in the previous frame. Before the first frame
/// there is no such limit, and rendering corrects the position.
fn scroll(store: &mut Store, last: u16, to: Move) {
    // Since the last scroll, the terminal may have grown, or the text may have become shorter.
    let first = store.scroll.min(last);
    store.scroll = match to {
        Move::By(lines) => {
            let by = i32::try_from(lines).unwrap_or(if lines < 0 { i32::MIN } else { i32::MAX });
            let to = i32::from(first).saturating_add(by).clamp(0, i32::from(last));
            u16::try_from(to).unwrap_or(last)
        }
        Move::First => 0,
        Move::Last => last,
        Move::To(line) => u16::try_from(line).unwrap_or(u16::MAX).min(last),
    };
}
