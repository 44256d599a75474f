//! Tracks which lines of the front screen were rendered, and how long its confirming button has had
//! the focus. Only rendered terms can be confirmed, and only after typed text has ended.

use std::mem::discriminant;
use std::time::Duration;

use super::{key_context, with_front_screen};
use crate::app::cx::Cx;
use crate::app::screen::{Focus, ScreenEvent};
use crate::app::screens::Layer;
use crate::app::store::frame_snapshot::{FOCUS_MS, FrameSnapshot, Front, Progress, Terms};
use crate::app::ui::{Overflow, Page, VisibleLines};
use crate::app::{Model, Size, Stamp};

impl Front {
    /// A value that identifies the front screen and its stage. A later value differs if another
    /// screen or stage is in front.
    pub fn of(model: &Model) -> Front {
        with_front_screen(model, |screen, store| {
            // Include the withdrawal's state, because another instance of the program may change it
            // while this screen shows the withdrawal.
            Front {
                pane: store.pane,
                layers: model.layers.len(),
                name: screen.info().name,
                withdrawal: screen.links(store).withdrawal.map(|withdrawal| {
                    (
                        withdrawal.agreement.key,
                        discriminant(&store.state_of(withdrawal)),
                    )
                }),
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
            return FrameSnapshot {
                size,
                ..FrameSnapshot::default()
            };
        }
        let (shown, overflow) = page
            .text
            .unwrap_or((VisibleLines::ALL, Overflow::default()));
        FrameSnapshot {
            size,
            front: Some(Front::of(model)),
            terms: terms(model),
            visible_lines: Some(shown),
            on_button: is_on_button(model),
            scroll: model.scroll,
            overflow,
            targets: page.targets,
            ..FrameSnapshot::default()
        }
    }
}

/// The record of the last frame, if it showed the current front screen at the current size.
pub fn in_front(model: &Model) -> Option<&FrameSnapshot> {
    let frame = &*model.read_tracker.last;
    (frame.front == Some(Front::of(model)) && frame.size == model.size).then_some(frame)
}

/// Stores the record of the frame that was rendered since the last message.
pub fn record_frame(model: &mut Model, stamp: &Stamp) {
    let frame = &stamp.last_frame;
    if frame.frame == model.read_tracker.last.frame {
        return;
    }
    model.read_tracker.last = frame.clone();
    // Clicks already use the positions in the new frame. Its lines count as read only once the user
    // can see them.
    let Some(at_ms) = frame.at_ms else { return };
    if in_front(model).is_some()
        && let Some(layer) = model.layers.last_mut()
    {
        let mut cx = Cx::new(&mut model.store, stamp, true);
        layer
            .screen_mut()
            .on_event(&mut cx, ScreenEvent::Rendered(at_ms, frame));
    }
    let Some(terms) = frame.terms.clone().filter(|_| in_front(model).is_some()) else {
        return;
    };
    if self::terms(model).as_ref() != Some(&terms) {
        return;
    }
    let new_progress = Progress::of(terms, model.size);
    if !model
        .read_tracker
        .read
        .as_ref()
        .is_some_and(|progress| progress.is_same(&new_progress))
    {
        model.read_tracker.read = Some(new_progress);
    }
    if let (Some(progress), Some(shown)) = (&mut model.read_tracker.read, frame.visible_lines) {
        let is_first = progress.lines.is_empty();
        shown.mark_as_shown(&mut progress.lines);
        if frame.on_button {
            progress.on_button_ms.get_or_insert(at_ms);
        }
        if is_first
            && let Some(buttons) = model
                .layers
                .last_mut()
                .and_then(|layer| layer.screen_mut().buttons_mut())
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
    if let Some(new_progress) = terms(model).map(|terms| Progress::of(terms, model.size))
        && !model
            .read_tracker
            .read
            .as_ref()
            .is_some_and(|progress| progress.is_same(&new_progress))
        && model.read_tracker.read.replace(new_progress).is_some()
    {
        model.scroll = 0;
    }
    focus_back_if_unread(model);
    if !is_on_button(model)
        && let Some(progress) = &mut model.read_tracker.read
    {
        progress.on_button_ms = None;
    }
}

/// Returns, for each line of the terms to confirm on the front screen, whether it was rendered.
pub fn read_so_far(model: &Model) -> Vec<bool> {
    progress(model)
        .map(|progress| progress.lines.clone())
        .unwrap_or_default()
}

/// True if every line of the terms to confirm on the front screen was rendered.
pub fn is_all_read(model: &Model) -> bool {
    terms(model).is_some_and(|terms| model.read_tracker.has_shown(terms, model.size))
}

/// True if some lines of the terms to confirm on the front screen were not rendered yet.
pub fn has_more(model: &Model) -> bool {
    progress(model).is_some_and(|progress| progress.lines.contains(&false))
}

/// True if the confirming button was rendered with the focus for at least [`FOCUS_MS`].
pub fn may_press(model: &Model) -> bool {
    let focused_since = progress(model).and_then(|progress| progress.on_button_ms);
    focused_since
        .is_some_and(|focused_since| model.now.boot_ms >= focused_since.saturating_add(FOCUS_MS))
}

/// The time until the confirming button of the front screen becomes active; `None` if it is not
/// waiting for a time.
pub fn next_deadline(model: &Model) -> Option<Duration> {
    [time_until_press(model), time_until_quiet(model)]
        .into_iter()
        .flatten()
        .min()
}

/// The time until the confirming button has had the focus for long enough; `None` if it does not
/// have the focus or has had it for long enough already.
fn time_until_press(model: &Model) -> Option<Duration> {
    if !is_on_button(model) || may_press(model) {
        return None;
    }
    let focused_since = model
        .read_tracker
        .read
        .as_ref()
        .and_then(|progress| progress.on_button_ms);
    let focused_since = focused_since.unwrap_or(model.now.boot_ms);
    let remaining_ms = focused_since
        .saturating_add(FOCUS_MS)
        .saturating_sub(model.now.boot_ms);
    Some(Duration::from_millis(remaining_ms.max(1)))
}

/// The time until the front screen can be confirmed again after text was typed, if no other key is
/// pressed. Returns `None` if the front screen is not a dialog or no text was just typed.
pub fn time_until_quiet(model: &Model) -> Option<Duration> {
    if !key_context(model).is_dialog() {
        return None;
    }
    model.typed_text.time_left(model.now.boot_ms)
}

/// The reading progress for the terms on the front screen. Returns `None` if the terms have
/// changed, or if the screen has no terms.
fn progress(model: &Model) -> Option<&Progress> {
    let new_progress = Progress::of(terms(model)?, model.size);
    model
        .read_tracker
        .read
        .as_ref()
        .filter(|progress| progress.is_same(&new_progress))
}

/// True if a confirming button has the focus.
pub fn is_on_button(model: &Model) -> bool {
    with_front_screen(model, |screen, _| screen.focus() == Some(Focus::Confirm))
}

/// The terms, such as an amount and a fee, that the seller would accept by pressing the front
/// screen's confirming button, or by submitting its form again.
pub fn terms(model: &Model) -> Option<Terms> {
    with_front_screen(model, |screen, store| {
        if let Some(offer) = screen.offer(store) {
            return Some(offer.terms);
        }
        let amounts = screen.sent()?.form.amounts_to_check()?;
        (!amounts.is_empty()).then_some(Terms::Amounts(amounts))
    })
}

/// True if the text on the front screen does not fit and is read page by page.
pub fn is_paged(model: &Model) -> bool {
    in_front(model).is_some_and(|frame| !frame.visible_lines.is_some_and(VisibleLines::is_all))
}

/// Moves the focus back to the harmless button, such as "back", if part of the terms was not
/// rendered yet.
fn focus_back_if_unread(model: &mut Model) {
    if !has_more(model) {
        return;
    }
    let Some(screen) = model.layers.last_mut().map(Layer::screen_mut) else {
        return;
    };
    if screen.info().has_more.is_none()
        && let Some(buttons) = screen.buttons_mut()
    {
        buttons.focus = Focus::Back;
    }
}
