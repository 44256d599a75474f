//! The two buttons of a confirmation dialog: which button has the focus, and when the confirming
//! button can be pressed.

use std::time::Duration;

use crate::app::Store;
use crate::app::ui::input::Pace;
use crate::app::ui::parts::{ConfirmButtonState, button_places, put_button};
use crate::app::ui::{Area, Page, Target};

/// How long, in milliseconds, the confirming button stays disabled after new terms appear, text is
/// pasted or the terminal is resized.
pub const CONFIRM_DELAY_MS: u64 = 500;

/// The part of a confirmation dialog that has the focus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Focus {
    /// The harmless button, such as "back". It has the focus at first.
    Back,
    /// The field for retyping the amount.
    Amount,
    /// The button that confirms the terms.
    Confirm,
}

impl Focus {
    /// Moves the focus forward or backward. `has_field` is true if the dialog has a field to retype
    /// the amount.
    pub fn moved(self, has_field: bool, forward: bool) -> Focus {
        use Focus::*;
        match (self, has_field, forward) {
            (Back, true, true) | (Confirm, true, false) => Amount,
            (Back, _, _) | (Amount, _, true) => Confirm,
            (Amount, _, false) | (Confirm, _, _) => Back,
        }
    }

    pub fn of_button(button: usize) -> Focus {
        if button == 0 {
            Focus::Back
        } else {
            Focus::Confirm
        }
    }
}

/// The two buttons of a confirmation dialog: one goes back, and the other confirms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Buttons {
    pub focus: Focus,
    /// When the confirming button can first be pressed, in milliseconds of the boot clock.
    /// `u64::MAX` if the time is not known yet.
    pub armed_at_ms: u64,
}

impl Buttons {
    /// Creates the buttons with the focus on the button that goes back. `armed_at_ms` is a reading
    /// of the boot clock.
    pub fn armed_at(armed_at_ms: u64) -> Buttons {
        Buttons {
            focus: Focus::Back,
            armed_at_ms,
        }
    }

    /// Moves the focus. Only a deliberate key press or click can move it to the confirming button;
    /// a burst of keys cannot.
    pub fn move_to(&mut self, focus: Focus, pace: Pace) {
        if focus != Focus::Confirm || pace == Pace::Deliberate {
            self.focus = focus;
        }
    }

    /// Disables the confirming button for the next [`CONFIRM_DELAY_MS`] milliseconds.
    pub fn disable_for_delay(&mut self, now_ms: u64) {
        self.armed_at_ms = self
            .armed_at_ms
            .max(now_ms.saturating_add(CONFIRM_DELAY_MS));
    }

    /// Extends a pending delay to [`CONFIRM_DELAY_MS`] milliseconds after the user could first see
    /// the terms. A slow connection may show them late.
    pub fn extend_delay(&mut self, seen_ms: u64) {
        if !matches!(self.armed_at_ms, 0 | u64::MAX) {
            self.disable_for_delay(seen_ms);
        }
    }

    /// Moves the focus to the button that goes back, because the dialog shows something new.
    /// Disables the confirming button for [`CONFIRM_DELAY_MS`].
    pub fn reset_focus_and_delay(&mut self, now_ms: u64) {
        self.focus = Focus::Back;
        self.disable_for_delay(now_ms);
    }

    /// The part of the dialog that is drawn as focused. While part of the terms is unread, this is
    /// the button that goes back.
    pub fn shown_focus(&self, page: &Page) -> Focus {
        if page.keeps_focus_on_back() {
            Focus::Back
        } else {
            self.focus
        }
    }

    /// Returns how the confirming button is drawn. `is_allowed` is true if the screen's own
    /// conditions allow pressing it. The button is hidden until all terms were shown, and disabled
    /// until typed text has ended.
    pub fn confirm_button_state(&self, is_allowed: bool, page: &Page) -> ConfirmButtonState {
        let is_waiting_for_frame = self.shown_focus(page) == Focus::Confirm && !page.can_confirm;
        if !page.is_read() {
            ConfirmButtonState::Hidden
        } else if is_allowed && !is_waiting_for_frame && !page.awaits_quiet {
            ConfirmButtonState::Enabled
        } else {
            ConfirmButtonState::Disabled
        }
    }

    pub fn show(&self, labels: [&str; 2], confirm: ConfirmButtonState, row: Area, page: &mut Page) {
        let focus = self.shown_focus(page);
        let areas = button_places(row, labels);
        put_button(
            labels[0],
            focus == Focus::Back,
            ConfirmButtonState::Enabled,
            areas[0],
            page,
        );
        put_button(labels[1], focus == Focus::Confirm, confirm, areas[1], page);
        for (index, area) in areas.into_iter().enumerate() {
            page.add_click_target(area, Target::Button(index));
        }
    }

    pub fn are_armed(&self, store: &Store) -> bool {
        store.now.boot_ms >= self.armed_at_ms
    }

    /// The time until the confirming button is enabled. `None` if it is enabled already or the time
    /// is not known yet.
    pub fn time_until_armed(&self, store: &Store) -> Option<Duration> {
        let armed_at = Some(self.armed_at_ms).filter(|armed_at| *armed_at != u64::MAX)?;
        armed_at
            .checked_sub(store.now.boot_ms)
            .filter(|remaining_ms| *remaining_ms > 0)
            .map(Duration::from_millis)
    }
}
