//! The buttons of what is agreed to: where the focus stands, and since when they are alive.

use std::time::Duration;

use crate::app::Store;
use crate::app::ui::input::Pace;
use crate::app::ui::parts::{Confirm, button_places, put_button};
use crate::app::ui::{Area, Page, Target};

/// The time the agreeing button is dead after something new is in sight, a paste or another size.
pub const DEAD_MS: u64 = 500;

/// The place of the focus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Focus {
    /// On the harmless button: here it stands first.
    Back,
    /// In the field that wants the amount again.
    Amount,
    /// On the button that agrees.
    Confirm,
}

impl Focus {
    /// The next one around, or the one before; the field is there only where it is needed.
    pub fn moved(self, has_field: bool, forward: bool) -> Focus {
        use Focus::*;
        match (self, has_field, forward) {
            (Back, true, true) | (Confirm, true, false) => Amount,
            (Back, _, _) | (Amount, _, true) => Confirm,
            (Amount, _, false) | (Confirm, _, _) => Back,
        }
    }

    /// Returns the place of a button: 0 is the harmless one.
    pub fn of_button(button: usize) -> Focus {
        if button == 0 { Focus::Back } else { Focus::Confirm }
    }
}

/// Two buttons: the harmless one, and the one that agrees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Buttons {
    /// The place of the focus.
    pub focus: Focus,
    /// Before this reading of the boot clock the agreeing one is dead.
    pub armed_at_ms: u64,
}

impl Buttons {
    /// Buttons that are alive from this moment on.
    pub fn armed_at(armed_at_ms: u64) -> Buttons {
        Buttons { focus: Focus::Back, armed_at_ms }
    }

    /// Moves the focus; onto the agreeing button only by a deliberate key or click.
    pub fn move_to(&mut self, focus: Focus, pace: Pace) {
        if focus != Focus::Confirm || pace == Pace::Deliberate {
            self.focus = focus;
        }
    }

    /// Makes the agreeing button dead for a moment from now on.
    pub fn are_dead_from(&mut self, now_ms: u64) {
        self.armed_at_ms = self.armed_at_ms.max(now_ms + DEAD_MS);
    }

    /// The same, and takes the focus back: there is something new to look at.
    pub fn begin_again(&mut self, now_ms: u64) {
        self.focus = Focus::Back;
        self.are_dead_from(now_ms);
    }

    /// The place where the focus is shown: on the harmless button while there is more to read.
    pub fn shown_focus(&self, page: &Page) -> Focus {
        if page.holds_back() { Focus::Back } else { self.focus }
    }

    /// The agreeing button as it stands on this page, where it would do it or would not.
    pub fn confirm(&self, would: bool, page: &Page) -> Confirm {
        let is_new = self.shown_focus(page) == Focus::Confirm && !page.may_press;
        match would && !is_new {
            _ if !page.is_read() => Confirm::Absent,
            true => Confirm::Live,
            false => Confirm::Dead,
        }
    }

    /// Lays out both in a row, by their labels.
    pub fn show(&self, labels: [&str; 2], confirm: Confirm, row: Area, page: &mut Page) {
        let focus = self.shown_focus(page);
        let places = button_places(row, labels);
        put_button(labels[0], focus == Focus::Back, Confirm::Live, places[0], page);
        put_button(labels[1], focus == Focus::Confirm, confirm, places[1], page);
        for (n, place) in places.into_iter().enumerate() {
            page.target(place, Target::Button(n));
        }
    }

    /// Returns true when that moment has passed.
    pub fn are_armed(&self, store: &Store) -> bool {
        store.now.boot_ms >= self.armed_at_ms
    }

    /// Returns the time until then; nothing when it is not known yet, or has come.
    pub fn armed_in(&self, store: &Store) -> Option<Duration> {
        let at = Some(self.armed_at_ms).filter(|at| *at != u64::MAX)?;
        at.checked_sub(store.now.boot_ms).filter(|ms| *ms > 0).map(Duration::from_millis)
    }
}
