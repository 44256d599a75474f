//! The page on which the seller agrees to the lines of the contract that steer money.
//!
//! It comes before money would be sent, when these lines are not those that were agreed to last. It
//! is read from its first line to its last; only then is there a button that agrees, and it is dead
//! for a moment. What is agreed to is kept by the vault, and nothing goes on before it is.
//!
//! The page is for the seller. What stops a withdrawal is the wire, which asks the vault itself.

use crate::contract::{Change, MoneyLines};
use crate::trade::{Ticket, VaultTrouble};

use super::layer::Layer;
use super::ui::Overflow;
use super::withdrawals::review::{self, DEAD_MS};
use super::{Effect, Model, Said, Stamp, Wait, act, seen, update};

/// What was agreed to.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct State {
    /// The lines that were agreed to last; `None` where there are none, or none are known of.
    pub agreed: Option<MoneyLines>,
}

/// The page while it is read.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// What differs.
    pub changes: Vec<Change>,
    /// What it is read for.
    pub purpose: Purpose,
    /// Whether it is more than anybody can be asked to read.
    pub too_long: bool,
    /// How many lines from the first one on a frame had on the screen, without a gap.
    seen: u16,
    /// Whether all of them were.
    pub is_read: bool,
    /// Whether the focus stands on the button that agrees.
    pub on_do: bool,
    /// Before this reading of the boot clock that button is dead.
    pub armed_at_ms: u64,
    /// It is being kept.
    pub wait: Option<Wait>,
    /// Why it was not kept.
    pub trouble: Option<VaultTrouble>,
}

/// What the page is read for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// The review of a new withdrawal comes next.
    Review,
    /// A withdrawal is to be sent again; the key for that is pressed once more afterwards.
    Resend,
    /// Nothing: it was opened to be looked at, and nothing can be agreed to.
    Look,
}

/// What has to be agreed to before money leaves.
pub fn pending(model: &Model) -> Vec<Change> {
    model.setup.contract.to_agree(model.money_lines.agreed.as_ref())
}

/// Opens the page where something has to be agreed to first; whether it did.
pub fn come_first(model: &mut Model, purpose: Purpose) -> bool {
    let changes = pending(model);
    if changes.is_empty() {
        return false;
    }
    open(model, changes, purpose);
    true
}

/// Opens the page to look at it: what is to be agreed to, else what was.
pub fn look(model: &mut Model) -> Vec<Effect> {
    let changes = to_look_at(model);
    open(model, changes, Purpose::Look);
    vec![]
}

/// What there is to look at: nothing under the program's own contract.
pub fn to_look_at(model: &Model) -> Vec<Change> {
    let pending = pending(model);
    if pending.is_empty() { model.setup.contract.own_changes() } else { pending }
}

fn open(model: &mut Model, changes: Vec<Change>, purpose: Purpose) {
    let reading = Reading {
        changes,
        purpose,
        too_long: model.setup.contract.money_lines().are_too_long(),
        seen: 0,
        is_read: false,
        on_do: false,
        armed_at_ms: u64::MAX,
        wait: None,
        trouble: None,
    };
    act::open(model, Layer::MoneyLines(Box::new(reading)));
}

/// The vault said what was agreed to last; where it cannot say, nothing was.
pub fn read(model: &mut Model, last: Result<Option<MoneyLines>, VaultTrouble>) -> Vec<Effect> {
    follow(model, last.unwrap_or_default());
    let (pending, shown) = (pending(model), to_look_at(model));
    let mut is_anew = false;
    model.layers.retain_mut(|layer| {
        let Layer::MoneyLines(reading) = layer else { return true };
        if reading.wait.is_some() {
            return true;
        }
        let changes = if reading.purpose == Purpose::Look { &shown } else { &pending };
        if reading.changes != *changes {
            is_anew = true;
            reading.changes.clone_from(changes);
            reading.begin_again();
        }
        !reading.changes.is_empty()
    });
    if is_anew && matches!(model.layers.last(), Some(Layer::MoneyLines(_))) {
        model.scroll = 0;
    }
    vec![]
}

/// Takes these as agreed to; states and counters follow them.
fn follow(model: &mut Model, agreed: Option<MoneyLines>) {
    let setup = &mut model.store.setup;
    let (contract, window) = (&setup.contract, &mut setup.window);
    window.retention = contract.retention(agreed.as_ref());
    window.resend_after = contract.resend_after(agreed.as_ref());
    model.money_lines.agreed = agreed;
}

/// What was agreed to is kept, or not; only if it is does anything go on.
pub fn agreed(
    model: &mut Model,
    ticket: Ticket,
    result: Result<(), VaultTrouble>,
    stamp: &Stamp,
) -> Vec<Effect> {
    let waits = |layer: &Layer| layer.wait().is_some_and(|wait| wait.ticket == ticket);
    let at = model.layers.iter().position(waits);
    if let Err(trouble) = result {
        let now_ms = model.now.boot_ms;
        if let Some(Layer::MoneyLines(reading)) = at.map(|at| &mut model.layers[at]) {
            (reading.wait, reading.trouble, reading.on_do) = (None, Some(trouble), false);
            reading.armed_at_ms = now_ms + DEAD_MS;
        }
        return vec![];
    }
    let is_front = at.is_some_and(|at| at + 1 == model.layers.len());
    let read_for = at.map(|at| model.layers.remove(at));
    let in_force = model.setup.contract.money_lines();
    read(model, Ok(Some(in_force)));
    match read_for {
        Some(Layer::MoneyLines(reading)) if is_front => match reading.purpose {
            Purpose::Review => review::open(model, stamp),
            // What may have paid leaves by a key that says so, and by no other.
            Purpose::Resend => update::say(model, Said::LinesAgreed),
            Purpose::Look => vec![],
        },
        _ => vec![],
    }
}

/// A frame was written: notes what it had of the page in front.
///
/// What was jumped over, with the scroll bar or in a burst of keys between two frames, was not
/// read: a page counts where it follows on what was seen. The last one has the last line.
pub(super) fn drawn(model: &mut Model) {
    let Some(seen) = seen::in_front(model) else { return };
    let (text, at_ms) = (seen.overflow, seen.at_ms);
    let scroll = model.scroll;
    let Some(Layer::MoneyLines(reading)) = model.layers.last_mut() else { return };
    if reading.is_read || !reading.follows(scroll, text) {
        return;
    }
    if reading.is_read_with(scroll, text) {
        reading.is_read = true;
        reading.armed_at_ms = at_ms.saturating_add(DEAD_MS);
    }
    let first = scroll.min(text.lines);
    reading.seen = reading.seen.max(first.saturating_add(text.page));
}

/// The size changed: lines have other places now, so what was not read yet begins again.
pub fn resized(model: &mut Model) {
    let now_ms = model.now.boot_ms;
    let Some(Layer::MoneyLines(reading)) = model.layers.last_mut() else { return };
    if reading.is_read {
        reading.armed_at_ms = reading.armed_at_ms.max(now_ms + DEAD_MS);
    } else {
        reading.begin_again();
        model.scroll = 0;
    }
}

/// Presses what has the focus.
pub fn press(model: &mut Model) -> Vec<Effect> {
    let (now_ms, wait, may_press) = (model.now.boot_ms, model.wait(), seen::may_press(model));
    let Some(Layer::MoneyLines(reading)) = model.layers.last_mut() else { return vec![] };
    if reading.wait.is_some() {
        return vec![];
    }
    if !reading.on_do {
        model.layers.pop();
        return vec![];
    }
    if !reading.may_be_agreed(now_ms) || !may_press {
        return vec![];
    }
    (reading.wait, reading.trouble) = (Some(wait), None);
    vec![Effect::Agree(wait.ticket)]
}

impl Reading {
    /// Whether there is a button that agrees at all.
    pub fn has_button(&self) -> bool {
        self.purpose != Purpose::Look && !self.too_long
    }

    /// Whether that button would agree now.
    pub fn may_be_agreed(&self, now_ms: u64) -> bool {
        self.has_button() && self.is_read && now_ms >= self.armed_at_ms
    }

    /// Whether it is read to its end once a frame had this of it.
    pub fn is_read_with(&self, scroll: u16, text: Overflow) -> bool {
        self.is_read || self.follows(scroll, text) && scroll >= text.lines
    }

    /// Whether a page follows on what was seen.
    fn follows(&self, scroll: u16, text: Overflow) -> bool {
        text.page > 0 && scroll.min(text.lines) <= self.seen
    }

    /// Nothing of it was read yet.
    fn begin_again(&mut self) {
        (self.seen, self.is_read, self.on_do, self.armed_at_ms) = (0, false, false, u64::MAX);
    }
}
