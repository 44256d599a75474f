//! Runs the actions that the user can choose on any screen, such as moving the cursor, pressing
//! buttons, going back and quitting. Start reading at [`press`].

use super::person::{is_choosing, type_key};
use super::{
    act_in_front, act_on_store, actions, actions_with, close_front, is_read, key_context, open,
    palette, try_in_front, with_front_screen,
};
use crate::app::cx::{Question, Route};
use crate::app::router::{may_switch, read_tracker};
use crate::app::screen::{Focus, KeyContext, ScreenEvent, choice_key};
use crate::app::screens::{self, Layer};
use crate::app::store::commands::Command;
use crate::app::store::profiles::is_withdrawal_in_progress;
use crate::app::store::recording;
use crate::app::store::withdrawals::rules;
use crate::app::store::{credentials, key_feedback, kiosk};
use crate::app::ui::action::KeyScope;
use crate::app::ui::form::Form;
use crate::app::ui::input::Pace;
use crate::app::ui::list::Move;
use crate::app::ui::{Action, Role};
use crate::app::{Effect, Model, Notice, Pane, Stamp, Store};
use crate::trade::withdrawal::WithdrawalState;
use crate::words::Lang;

/// Runs an action if it is currently offered.
pub fn press(model: &mut Model, action: Action, stamp: &Stamp) -> Vec<Effect> {
    use Action::*;
    if kiosk::hides_action(&model.store, action) {
        model.notify(Notice::Plain(Role::Text, "said-kiosk-withheld"));
        return vec![];
    }
    if let Some(pane) = action.pane() {
        return show_pane(model, pane, stamp);
    }
    match action {
        Help => open_help(model, stamp),
        Palette => palette::open(model, stamp),
        Doctor => open(model, Route::Doctor, stamp),
        Report => open(model, Route::Report, stamp),
        Redraw => vec![Effect::Redraw],
        Language => change_language(model),
        Back => back(model, stamp),
        Quit if model.layers.is_empty() => quit(model, stamp),
        Quit => back(model, stamp),
        Leave => leave(model, stamp),
        Suspend => suspend(model),
        MarkMoment => recording::mark(&mut model.store),
        StoryNext if model.story.can_go_on() => vec![Effect::Demo(Command::StoryNext)],
        StoryNext => begin_story(model, stamp),
        Up => move_cursor(model, Move::By(-1), stamp),
        Down => move_cursor(model, Move::By(1), stamp),
        PageUp => move_page(model, -1, 1, stamp),
        PageDown => move_page(model, 1, 1, stamp),
        // In a dialog, these keys must not move the terms.
        HalfPageUp | HalfPageDown if key_context(model) != KeyContext::List => vec![],
        HalfPageUp => move_page(model, -1, 2, stamp),
        HalfPageDown => move_page(model, 1, 2, stamp),
        First => move_cursor(model, Move::First, stamp),
        Last => move_cursor(model, Move::Last, stamp),
        NextField | PrevField => move_field(model, action, stamp),
        PrevChoice | NextChoice if is_choosing(model) => {
            type_key(model, choice_key(action == NextChoice), stamp).unwrap_or_default()
        }
        PrevChoice | NextChoice => vec![],
        Enter => on_enter(model, stamp),
        Submit => submit(model, stamp),
        NextButton | PrevButton => move_button(model, action == NextButton, stamp),
        Press => press_button(model, stamp),
        offered if actions(model).contains(&offered) => do_offered(model, offered, stamp),
        NextPane | PrevPane if model.layers.is_empty() => {
            show_pane(model, model.pane.neighbour(action == NextPane), stamp)
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
fn open_help(model: &mut Model, stamp: &Stamp) -> Vec<Effect> {
    if matches!(model.layers.last(), Some(Layer::Help(_))) {
        return vec![];
    }
    let actions = actions_with(model, read_tracker::has_more(model));
    open(model, Route::Help(actions), stamp)
}

/// The notice that the seller must wait before sending the withdrawal on the front screen. If no
/// screen is open over the pane, this is the withdrawal under the cursor.
fn send_later(model: &Model) -> Option<Notice> {
    let withdrawal = match model.layers.last() {
        Some(layer) => layer.screen().links(&model.store).withdrawal,
        None => model
            .withdrawals
            .list
            .selected()
            .filter(|_| model.pane == Pane::Withdrawals),
    };
    let withdrawal = withdrawal?;
    let wait = rules::send_wait(&model.store, withdrawal)?;
    let is_resend = model.state_of(withdrawal) == WithdrawalState::Unknown;
    Some(Notice::SendLater { wait, is_resend })
}

/// Shows a notice for a key that does nothing now. The notice says how long to wait before sending,
/// or where the key works. The second notice is shown only once for each pane and action.
pub fn not_here(model: &mut Model, action: Action) -> Vec<Effect> {
    if action == Action::Send
        && let Some(notice) = send_later(model)
    {
        model.notify(notice);
        return vec![];
    }
    if action == Action::Save && model.setup.kiosk().is_some() {
        model.notify(Notice::Plain(Role::Text, "said-kiosk-withheld"));
        return vec![];
    }
    let is_form_action = action.scope() == KeyScope::Forms || action == Action::AskFee;
    let works_somewhere = !action.panes().is_empty() || is_form_action;
    // Show the notice only in lists, because in a form or a dialog it would be a distraction.
    let is_list = key_context(model) == KeyContext::List;
    let pane = model.pane;
    if is_list && works_somewhere && model.key_feedback.is_first_time(pane, action) {
        model.notify(Notice::NotHere(action));
    }
    vec![]
}

/// Runs an action that is currently offered. Actions that work the same way on every screen are
/// handled here; the others are passed to the front screen.
fn do_offered(model: &mut Model, action: Action, stamp: &Stamp) -> Vec<Effect> {
    match action {
        Action::Search if model.layers.is_empty() => set_searching(model, true),
        Action::AsText => quote_readings(model, stamp),
        Action::LogIn => {
            let effects = open(model, Route::Login(None), stamp);
            [effects, act_on_store(model, stamp, credentials::read_again)].concat()
        }
        Action::PasteJwt => open(model, Route::Jwt(None), stamp),
        Action::Teach => {
            let route = with_front_screen(model, |screen, store| {
                let links = screen.links(store);
                let continues = screen.sent().is_some() || links.withdrawal.is_some();
                Some(Route::Teach(links.exchange?, continues))
            });
            route
                .map(|route| open(model, route, stamp))
                .unwrap_or_default()
        }
        action => {
            let last_before = model.store.last_ticket;
            let effects = act_in_front(model, stamp, |screen, cx| screen.act(cx, action));
            if action == Action::Refresh {
                key_feedback::remember_refresh(&mut model.store, last_before);
            }
            effects
        }
    }
}

/// Shows a pane and closes all open screens. Does nothing if an open screen would lose unsaved
/// input.
pub fn show_pane(model: &mut Model, pane: Pane, stamp: &Stamp) -> Vec<Effect> {
    if !may_switch(model) {
        return vec![];
    }
    let mut effects = screens::close_effects(std::mem::take(&mut model.layers));
    set_searching(model, false);
    model.store.pane = pane;
    effects.extend(act_in_front(model, stamp, |screen, cx| {
        _ = screen.on_event(cx, ScreenEvent::Load)
    }));
    effects
}

/// Begins the demo's guided story, unless it is already running. On the login form, also logs in.
fn begin_story(model: &mut Model, stamp: &Stamp) -> Vec<Effect> {
    if model.setup.demo.is_none() {
        model.notify(Notice::Plain(Role::Text, "said-story-in-demo"));
        return vec![];
    }
    if model.story.playing {
        return vec![];
    }
    let begin_effects = vec![Effect::Demo(Command::Story(true))];
    if model.layers.last().is_some_and(Layer::is_login) {
        [begin_effects, submit(model, stamp)].concat()
    } else {
        begin_effects
    }
}

fn set_searching(model: &mut Model, on: bool) -> Vec<Effect> {
    let pane = model.store.pane.screen();
    if let Some(list) = pane.list_mut(&mut model.store) {
        list.search(on);
    }
    vec![]
}

/// Searches again, with the periods and amounts of the search text as words.
fn quote_readings(model: &mut Model, stamp: &Stamp) -> Vec<Effect> {
    let today = model.now.wall.local_day(model.setup.utc_offset_s);
    act_in_front(model, stamp, |screen, cx| {
        if let Some(list) = screen.list_mut(cx.store) {
            list.quote_readings(today);
        }
        _ = screen.on_event(cx, ScreenEvent::Load);
    })
}

/// Moves the cursor, or scrolls the text if the screen has no cursor.
pub fn move_cursor(model: &mut Model, movement: Move, stamp: &Stamp) -> Vec<Effect> {
    let overflow = read_tracker::in_front(model).map(|frame| frame.overflow);
    model.overflow = overflow.unwrap_or_default();
    try_in_front(model, stamp, |screen, cx| screen.go(cx, movement)).unwrap_or_else(|| {
        scroll(
            &mut model.store,
            overflow.map_or(u16::MAX, |overflow| overflow.lines),
            movement,
        );
        vec![]
    })
}

/// Moves one page up or down, or the part of a page that `divisor` says. If a pane has a long text
/// below its list, scrolls that text instead of the list.
fn move_page(model: &mut Model, direction: i64, divisor: u16, stamp: &Stamp) -> Vec<Effect> {
    let part = |rows: u16| direction * i64::from((rows / divisor).max(1));
    let overflow = read_tracker::in_front(model)
        .map(|frame| frame.overflow)
        .unwrap_or_default();
    if model.layers.is_empty() && overflow.lines > 0 {
        let movement = Move::By(part(overflow.page));
        scroll(&mut model.store, overflow.lines, movement);
        return vec![];
    }
    let rows = page_rows(model);
    move_cursor(model, Move::By(part(rows)), stamp)
}

/// The number of rows in one page of the list or text on the front screen.
fn page_rows(model: &Model) -> u16 {
    let Some(areas) = model.areas(model.size) else {
        return 1;
    };
    let rows = with_front_screen(model, |screen, store| {
        screen.rows(store, screen.info().place(areas.body))
    });
    match rows.filter(|rows| !rows.lines.is_empty()) {
        Some(rows) => rows.area.height.saturating_sub(1).max(1),
        None => read_tracker::in_front(model).map_or(1, |frame| frame.overflow.page.max(1)),
    }
}

/// Stores which row of the list is the first visible row. The list then does not scroll while the
/// cursor moves within the visible rows.
pub fn remember_top(model: &mut Model) {
    let pane = model.store.pane.screen();
    let Some(areas) = model.areas(model.size) else {
        return;
    };
    let Some(visible_rows) = pane.rows(&model.store, areas.body) else {
        return;
    };
    let first = visible_rows.lines.iter().find_map(|line| line.row());
    if let (Some(first), Some(list)) = (first, pane.list_mut(&mut model.store)) {
        list.set_top(first);
    }
}

/// Moves the cursor to a row. If the cursor is already there, opens the row.
pub fn select_row(model: &mut Model, row: u64, stamp: &Stamp) -> Vec<Effect> {
    let Some(cursor) = with_front_screen(model, |screen, store| screen.cursor(store)) else {
        return vec![];
    };
    // Clicking a row moves the focus from the search field to the list.
    set_searching(model, false);
    match (model.layers.is_empty(), cursor == row) {
        (true, true) => press(model, Action::Open, stamp),
        (false, true) => press(model, Action::Enter, stamp),
        (_, false) => move_cursor(model, Move::To(row), stamp),
    }
}

fn move_field(model: &mut Model, action: Action, stamp: &Stamp) -> Vec<Effect> {
    let Some(screen) = model.layers.last_mut().map(Layer::screen_mut) else {
        // Moving down from the search field moves the focus to the search results.
        set_searching(model, false);
        return move_cursor(model, Move::By(0), stamp);
    };
    let is_busy = screen.wait().is_some();
    let completes = screen.info().completes;
    match (screen.form_mut().filter(|_| !is_busy), action) {
        (Some(form), Action::NextField) if !completes => form.next(),
        (Some(form), Action::PrevField) => form.prev(),
        _ => return act_in_front(model, stamp, |screen, cx| screen.act(cx, action)),
    }
    vec![]
}

fn on_enter(model: &mut Model, stamp: &Stamp) -> Vec<Effect> {
    let Some(screen) = model.layers.last_mut().map(Layer::screen_mut) else {
        return set_searching(model, false);
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
        Some(_) => submit(model, stamp),
        None => act_in_front(model, stamp, |screen, cx| screen.act(cx, Action::Enter)),
    }
}

/// Submits the form in front. If one of its fields cannot be submitted, a notice says so, because
/// the note beside the field may have been there before.
fn submit(model: &mut Model, stamp: &Stamp) -> Vec<Effect> {
    if model
        .layers
        .last()
        .is_none_or(|layer| layer.screen().wait().is_some())
    {
        return vec![];
    }
    let effects = act_in_front(model, stamp, |screen, cx| screen.act(cx, Action::Submit));
    let form = model.layers.last().and_then(|layer| layer.screen().form());
    if model.notice.is_none() && form.is_some_and(Form::has_error) {
        model.notify(Notice::warn("said-see-field"));
    }
    effects
}

fn move_button(model: &mut Model, forward: bool, stamp: &Stamp) -> Vec<Effect> {
    if !actions(model).contains(&Action::NextButton) {
        return vec![];
    }
    let Some(screen) = model.layers.last_mut().map(Layer::screen_mut) else {
        return vec![];
    };
    let has_field = screen.amount_mut().is_some();
    if let Some(buttons) = screen.buttons_mut() {
        buttons.move_to(buttons.focus.moved(has_field, forward), stamp.pace);
    }
    vec![]
}

/// Presses the focused button.
///
/// Ignores a key that arrives in a burst, such as a paste that the terminal did not mark. Otherwise
/// the rest of the burst would reach the next screen.
fn press_button(model: &mut Model, stamp: &Stamp) -> Vec<Effect> {
    if stamp.pace != Pace::Deliberate {
        return vec![];
    }
    let may_press = read_tracker::may_press(model);
    let Some(screen) = model.layers.last_mut().map(Layer::screen_mut) else {
        return vec![];
    };
    if screen.wait().is_some() {
        return vec![];
    }
    match screen.focus() {
        Some(Focus::Back) => act_in_front(model, stamp, |screen, cx| screen.back(cx)),
        Some(Focus::Amount) => {
            if let Some(buttons) = screen.buttons_mut() {
                buttons.move_to(Focus::Confirm, stamp.pace);
            }
            vec![]
        }
        Some(Focus::Confirm) if may_press => press_confirm(model, stamp),
        Some(Focus::Confirm) | None => vec![],
    }
}

/// Handles a click on a button. Buttons are numbered from the left; button 0 goes back.
///
/// A click on a button that sends money or does something irreversible only gives it the focus. The
/// user must then press the button with a key.
pub fn click_button(model: &mut Model, button: usize, stamp: &Stamp) -> Vec<Effect> {
    let Some(screen) = model.layers.last_mut().map(Layer::screen_mut) else {
        return vec![];
    };
    let confirms_by_click = screen.info().confirms_by_click;
    let Some(buttons) = screen.buttons_mut() else {
        return vec![];
    };
    buttons.move_to(Focus::of_button(button), stamp.pace);
    match (button, confirms_by_click) {
        (0, _) => press_button(model, stamp),
        (_, true) => press_confirm(model, stamp),
        (_, false) => vec![],
    }
}

/// Presses the confirming button of the front screen, if pressing it is allowed now.
fn press_confirm(model: &mut Model, stamp: &Stamp) -> Vec<Effect> {
    let may_confirm = stamp.pace == Pace::Deliberate
        && is_read(model)
        && read_tracker::time_until_quiet(model).is_none()
        && with_front_screen(model, |screen, store| {
            screen
                .buttons()
                .is_some_and(|buttons| buttons.are_armed(store))
                && screen.offer(store).is_some_and(|offer| offer.may_confirm)
        });
    if may_confirm {
        act_in_front(model, stamp, |screen, cx| screen.act(cx, Action::Press))
    } else {
        vec![]
    }
}

/// Quits from any screen. If typed text would be lost, a dialog asks first.
///
/// Pressing the quit key again in that dialog quits, because losing typed text is harmless. While a
/// withdrawal or a batch of links is being sent, only the dialog's button quits.
fn leave(model: &mut Model, stamp: &Stamp) -> Vec<Effect> {
    let quit_question = Question::DropAndLeave;
    let in_flight = model.withdrawals.in_flight.is_some() || asks_about_batch(model);
    let was_asked = model.layers.last().is_some_and(
        |layer| matches!(layer, Layer::Dialog(dialog) if dialog.question == quit_question),
    );
    let was_typed = model.layers.iter().any(|layer| layer.screen().was_typed());
    if !in_flight && !was_asked && was_typed {
        return open(model, Route::Ask(Question::DropAndLeave), stamp);
    }
    quit(model, stamp)
}

/// Quits. A dialog asks first while a withdrawal or a batch of links is being sent.
fn quit(model: &mut Model, stamp: &Stamp) -> Vec<Effect> {
    if model.withdrawals.in_flight.is_some() {
        return open(model, Route::Ask(Question::LeaveInFlight), stamp);
    }
    if asks_about_batch(model) {
        return open(model, Route::Ask(Question::LeaveBatch), stamp);
    }
    model.leaving = true;
    vec![Effect::Leave]
}

/// Stops the program, so that the shell shows its prompt. Refuses while a withdrawal is being
/// prepared or sent: a stopped program reads no reply, and the outcome would stay unknown.
fn suspend(model: &mut Model) -> Vec<Effect> {
    if is_withdrawal_in_progress(model) {
        model.notify(Notice::warn("said-not-suspended-in-flight"));
    } else if model.setup.is_job {
        return vec![Effect::Suspend];
    } else {
        model.notify(Notice::Plain(Role::Text, "said-not-suspended-no-shell"));
    }
    vec![]
}

/// True if a batch of links is being sent, and the seller has not decided to leave.
fn asks_about_batch(model: &Model) -> bool {
    model.imports.is_sending() && !model.imports.leaves_when_stopped
}

/// Goes back one step: leaves the search, cancels a pending request or closes a screen. Never
/// quits.
pub fn back(model: &mut Model, stamp: &Stamp) -> Vec<Effect> {
    let Some(layer) = model.layers.last() else {
        return leave_search(model, stamp);
    };
    let screen = layer.screen();
    match screen
        .wait()
        .filter(|_| !screen.info().keeps_request_on_back)
    {
        Some(wait) => {
            let cancel_effects = act_in_front(model, stamp, |screen, cx| screen.cancel(cx));
            std::iter::once(Effect::Cancel(wait.ticket))
                .chain(cancel_effects)
                .collect()
        }
        None if screen.form().is_some_and(|form| form.touched) => {
            open(model, Route::Ask(Question::DropForm), stamp)
        }
        None if matches!(layer, Layer::Jwt(_)) => close_front(model),
        None => act_in_front(model, stamp, |screen, cx| screen.back(cx)),
    }
}

fn leave_search(model: &mut Model, stamp: &Stamp) -> Vec<Effect> {
    let pane = model.store.pane.screen();
    let was_filtered = pane
        .list_mut(&mut model.store)
        .is_some_and(|list| list.leave_search());
    if was_filtered {
        act_in_front(model, stamp, |screen, cx| {
            _ = screen.on_event(cx, ScreenEvent::Load)
        })
    } else {
        act_in_front(model, stamp, |screen, cx| {
            _ = screen.on_event(cx, ScreenEvent::FilterCleared)
        })
    }
}

/// Scrolls the text on the front screen. `last` is the largest scroll position of the previous
/// frame; before the first frame, rendering limits the position.
fn scroll(store: &mut Store, last: u16, movement: Move) {
    // The terminal may have grown since the last scroll, or the text may have become shorter.
    let position = store.scroll.min(last);
    store.scroll = match movement {
        Move::By(lines) => {
            let by = i32::try_from(lines).unwrap_or(if lines < 0 { i32::MIN } else { i32::MAX });
            let target = i32::from(position)
                .saturating_add(by)
                .clamp(0, i32::from(last));
            u16::try_from(target).unwrap_or(last)
        }
        Move::First => 0,
        Move::Last => last,
        Move::To(line) => u16::try_from(line).unwrap_or(u16::MAX).min(last),
    };
}
