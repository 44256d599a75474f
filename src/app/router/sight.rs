//! The part of the screen in front that frames showed: nothing is agreed to that no frame had.

use std::mem::discriminant;
use std::time::Duration;

use super::front;
use crate::app::cx::Cx;
use crate::app::screen::{Focus, ScreenEvent};
use crate::app::screens::Layer;
use crate::app::store::seen::{FOCUS_MS, Front, Progress, Seen, Terms};
use crate::app::ui::{Overflow, Page, Shown};
use crate::app::{Model, Size, Stamp};
use crate::trade::Withdrawal;

impl Front {
    /// Returns the screen that is in front now, and its stage.
    pub fn of(model: &Model) -> Front {
        front(model, |screen, store| {
            // Another window may settle it while it is read here.
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

impl Seen {
    /// Records what a page of this model had, on a terminal of this size.
    pub fn of(model: &Model, size: Size, page: Page) -> Seen {
        if model.areas(size).is_none() {
            return Seen { size, ..Seen::default() };
        }
        let (shown, overflow) = page.text.unwrap_or((Shown::ALL, Overflow::default()));
        Seen {
            size,
            front: Some(Front::of(model)),
            terms: terms(model),
            shown: Some(shown),
            overflow,
            targets: page.targets,
            ..Seen::default()
        }
    }
}

/// The last frame, if what it had in front is in front now, in the size that it had.
pub fn in_front(model: &Model) -> Option<&Seen> {
    let last = &*model.seen.last;
    (last.front == Some(Front::of(model)) && last.size == model.size).then_some(last)
}

/// Notes what was drawn since the last message was heard.
pub fn note(model: &mut Model, at: &Stamp) {
    let seen = &at.seen;
    if seen.frame == model.seen.last.frame {
        return;
    }
    model.seen.last = seen.clone();
    let scroll = model.scroll;
    if in_front(model).is_some()
        && let Some(layer) = model.layers.last_mut()
    {
        let mut cx = Cx::new(&mut model.store, at, true);
        layer.screen_mut().on_event(&mut cx, ScreenEvent::Rendered(scroll, seen));
    }
    let Some(terms) = seen.terms.clone().filter(|_| in_front(model).is_some()) else { return };
    if self::terms(model).as_ref() != Some(&terms) {
        return;
    }
    let anew = Progress::of(terms, model.size);
    if !model.seen.read.as_ref().is_some_and(|read| read.is_same(&anew)) {
        model.seen.read = Some(anew);
    }
    let is_on_button = is_on_button(model);
    if let (Some(read), Some(shown)) = (&mut model.seen.read, seen.shown) {
        shown.mark(&mut read.lines);
        if is_on_button {
            read.on_button_ms.get_or_insert(seen.at_ms);
        }
    }
    hold_back(model);
}

/// After each message: other terms are seen anew, and so is a focus that comes back.
pub fn follow(model: &mut Model) {
    // What lies under a help page is not forgotten.
    if let Some(anew) = terms(model).map(|terms| Progress::of(terms, model.size))
        && !model.seen.read.as_ref().is_some_and(|read| read.is_same(&anew))
        && model.seen.read.replace(anew).is_some()
    {
        model.scroll = 0;
    }
    hold_back(model);
    if !is_on_button(model)
        && let Some(read) = &mut model.seen.read
    {
        read.on_button_ms = None;
    }
}

/// Returns true for each line of the terms in front that the frames so far had.
pub fn read_so_far(model: &Model) -> Vec<bool> {
    progress(model).map(|read| read.lines.clone()).unwrap_or_default()
}

/// Returns true when every line of the terms in front was on the screen.
pub fn all(model: &Model) -> bool {
    progress(model).is_some_and(|read| !read.lines.is_empty() && !read.lines.contains(&false))
}

/// Returns true when frames had a part of the terms in front, and none the rest.
pub fn has_more(model: &Model) -> bool {
    progress(model).is_some_and(|read| read.lines.contains(&false))
}

/// Returns true when the confirming button had the focus for long enough, in sight.
pub fn may_press(model: &Model) -> bool {
    let since = progress(model).and_then(|read| read.on_button_ms);
    since.is_some_and(|since| model.now.boot_ms >= since.saturating_add(FOCUS_MS))
}

/// Returns the time until then, where the focus stands on it.
pub fn until_press(model: &Model) -> Option<Duration> {
    if !is_on_button(model) || may_press(model) {
        return None;
    }
    let since = model.seen.read.as_ref().and_then(|read| read.on_button_ms);
    let since = since.unwrap_or(model.now.boot_ms);
    let left = since.saturating_add(FOCUS_MS).saturating_sub(model.now.boot_ms);
    Some(Duration::from_millis(left.max(1)))
}

/// Returns the part of the terms in front that was read.
fn progress(model: &Model) -> Option<&Progress> {
    let anew = Progress::of(terms(model)?, model.size);
    model.seen.read.as_ref().filter(|read| read.is_same(&anew))
}

/// Returns true when the focus stands on a button that agrees to something.
fn is_on_button(model: &Model) -> bool {
    front(model, |screen, _| screen.focus() == Some(Focus::Confirm))
}

/// Returns the terms that the button in front would agree to.
pub fn terms(model: &Model) -> Option<Terms> {
    front(model, |screen, store| screen.offer(store).map(|offer| offer.terms))
}

/// Returns true when the text in front is read page by page.
pub fn is_paged(model: &Model) -> bool {
    in_front(model).is_some_and(|seen| !seen.shown.is_some_and(Shown::is_all))
}

/// Takes the focus back to the harmless button where a frame left something unread.
fn hold_back(model: &mut Model) {
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
