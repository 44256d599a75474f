//! Tracks which lines of the front screen were rendered, and how long its confirming button has had
//! the focus. Only rendered terms can be confirmed.

use std::mem::discriminant;
use std::time::Duration;

use super::front;
use crate::app::cx::Cx;
use crate::app::screen::{Focus, ScreenEvent};
use crate::app::screens::Layer;
use crate::app::store::frame_snapshot::{FOCUS_MS, FrameSnapshot, Front, Progress, Terms};
use crate::app::ui::{Overflow, Page, Shown};
use crate::app::{Model, Size, Stamp};
use crate::trade::Withdrawal;

impl Front {
    /// Returns a value that identifies the front screen and its stage, to check whether a rendered
    /// frame showed the same screen.
    pub fn of(model: &Model) -> Front {
        front(model, |screen, store| {
            // Include the withdrawal's state, because another instance of the program may change it
            // while this screen shows the withdrawal.
            let state = |one: &Withdrawal| (one.agreement.key, discriminant(&store.state_of(one)));
            Front {
                pane: store.pane,
                layers: model.layers.len(),
                name: screen.info().name,
                withdrawal: screen.links(store).withdrawal.map(state),
                trouble: store.withdrawals.is_locked(),
            }
        })
    }
}

impl FrameSnapshot {
    /// Creates a record of a rendered page: its terms to confirm, the visible lines and the click
    /// targets.
    pub fn of(model: &Model, size: Size, page: Page) -> FrameSnapshot {
        if model.areas(size).is_none() {
            return FrameSnapshot { size, ..FrameSnapshot::default() };
        }
        let (shown, overflow) = page.text.unwrap_or((Shown::ALL, Overflow::default()));
        FrameSnapshot {
            size,
            front: Some(Front::of(model)),
            terms: terms(model),
            shown: Some(shown),
            on_button: is_on_button(model),
            scroll: model.scroll,
            overflow,
            targets: page.targets,
            ..FrameSnapshot::default()
        }
    }
}

/// Returns the record of the last frame, if it showed the current front screen at the current size.
pub fn in_front(model: &Model) -> Option<&FrameSnapshot> {
    let last = &*model.seen.last;
    (last.front == Some(Front::of(model)) && last.size == model.size).then_some(last)
}

/// Stores the record of the frame that was rendered since the last message.
pub fn note(model: &mut Model, at: &Stamp) {
    let seen = &at.seen;
    if seen.frame == model.seen.last.frame {
        return;
    }
    model.seen.last = seen.clone();
    // Clicks already use the positions in the new frame. Its lines count as read only when the user
    // can see them.
    let Some(at_ms) = seen.at_ms else { return };
    if in_front(model).is_some()
        && let Some(layer) = model.layers.last_mut()
    {
        let mut cx = Cx::new(&mut model.store, at, true);
        layer.screen_mut().on_event(&mut cx, ScreenEvent::Rendered(at_ms, seen));
    }
    let Some(terms) = seen.terms.clone().filter(|_| in_front(model).is_some()) else { return };
    if self::terms(model).as_ref() != Some(&terms) {
        return;
    }
    let anew = Progress::of(terms, model.size);
    if !model.seen.read.as_ref().is_some_and(|read| read.is_same(&anew)) {
        model.seen.read = Some(anew);
    }
    if let (Some(read), Some(shown)) = (&mut model.seen.read, seen.shown) {
        let is_first = read.lines.is_empty();
        shown.mark(&mut read.lines);
        if seen.on_button {
            read.on_button_ms.get_or_insert(at_ms);
        }
        if is_first
            && let Some(buttons) =
                model.layers.last_mut().and_then(|it| it.screen_mut().buttons_mut())
        {
            buttons.extend_delay(at_ms);
        }
    }
    focus_back_if_unread(model);
}

/// Updates the reading progress after a message. If the terms to confirm changed, the progress is
/// reset. If the confirming button lost the focus, its focus time is reset.
pub fn reset_if_changed(model: &mut Model) {
    // The help has no terms to read. While it is open, keep the reading progress of the screen
    // below it.
    if let Some(anew) = terms(model).map(|terms| Progress::of(terms, model.size))
        && !model.seen.read.as_ref().is_some_and(|read| read.is_same(&anew))
        && model.seen.read.replace(anew).is_some()
    {
        model.scroll = 0;
    }
    focus_back_if_unread(model);
    if !is_on_button(model)
        && let Some(read) = &mut model.seen.read
    {
        read.on_button_ms = None;
    }
}

/// Returns, for each line of the terms to confirm on the front screen, whether it was rendered.
pub fn read_so_far(model: &Model) -> Vec<bool> {
    progress(model).map(|read| read.lines.clone()).unwrap_or_default()
}

/// Returns true if every line of the terms to confirm on the front screen was rendered.
pub fn is_all_read(model: &Model) -> bool {
    progress(model).is_some_and(|read| !read.lines.is_empty() && !read.lines.contains(&false))
}

/// Returns true if some lines of the terms to confirm on the front screen were not rendered yet.
pub fn has_more(model: &Model) -> bool {
    progress(model).is_some_and(|read| read.lines.contains(&false))
}

/// Returns true if the confirming button was rendered with the focus for at least [`FOCUS_MS`].
pub fn may_press(model: &Model) -> bool {
    let since = progress(model).and_then(|read| read.on_button_ms);
    since.is_some_and(|since| model.now.boot_ms >= since.saturating_add(FOCUS_MS))
}

/// Returns the time until the confirming button can be pressed; `None` if it does not have the
/// focus or can be pressed already.
pub fn until_press(model: &Model) -> Option<Duration> {
    if !is_on_button(model) || may_press(model) {
        return None;
    }
    let since = model.seen.read.as_ref().and_then(|read| read.on_button_ms);
    let since = since.unwrap_or(model.now.boot_ms);
    let left = since.saturating_add(FOCUS_MS).saturating_sub(model.now.boot_ms);
    Some(Duration::from_millis(left.max(1)))
}

/// Returns the reading progress for the terms on the front screen; `None` if they changed or there
/// are none.
fn progress(model: &Model) -> Option<&Progress> {
    let anew = Progress::of(terms(model)?, model.size);
    model.seen.read.as_ref().filter(|read| read.is_same(&anew))
}

/// Returns true if a confirming button has the focus.
pub fn is_on_button(model: &Model) -> bool {
    front(model, |screen, _| screen.focus() == Some(Focus::Confirm))
}

/// Returns the terms, such as an amount and a fee, that the seller would accept by pressing the
/// front screen's confirming button.
pub fn terms(model: &Model) -> Option<Terms> {
    front(model, |screen, store| screen.offer(store).map(|offer| offer.terms))
}

/// Returns true if the text on the front screen does not fit and is read page by page.
pub fn is_paged(model: &Model) -> bool {
    in_front(model).is_some_and(|seen| !seen.shown.is_some_and(Shown::is_all))
}

/// Moves the focus back to the harmless button, such as "back", if part of the terms was not
/// rendered yet.
fn focus_back_if_unread(model: &mut Model) {
    if !has_more(model) {
        return;
    }
    let Some(screen) = model.layers.last_mut().map(Layer::screen_mut) else { return };
    if screen.info().has_more.is_none()
        && let Some(buttons) = screen.buttons_mut()
    {
        buttons.focus = Focus::Back;
    }
}
