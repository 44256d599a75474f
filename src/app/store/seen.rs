//! A record of which terms were on the screen, and since when their button had the focus.
//!
//! A burst of keys (a paste that the terminal does not bracket is one) is heard as a whole between
//! two frames: its last keys press before a person saw what the first ones led to. So every frame
//! says what it had on the screen, as a value, and that comes in with each message. What is agreed
//! to counts only where these are the [`Terms`] of now: another window may have added a reason to a
//! review since, and a key alone would not notice.

use std::mem::Discriminant;
use std::sync::Arc;

use crate::app::cx::Question;
use crate::app::store::withdrawals::Past;
use crate::app::store::withdrawals::{QuoteState, WhyRetype};
use crate::app::ui::{Area, Overflow, Shown, Target};
use crate::app::{Pane, Size};
use crate::contract::LineChange;
use crate::trade::withdrawal::WithdrawalState;
use crate::trade::{IdempotencyKey, Withdrawal};

/// The time the focus stands on a confirming button, in sight, before a key presses it.
pub const FOCUS_MS: u64 = 150;

/// The content of a frame, as it counts for agreeing and for clicks.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Seen {
    /// Its number; 0 is no frame at all.
    pub frame: u64,
    /// The boot clock when its last byte was written.
    pub at_ms: u64,
    /// Its size.
    pub size: Size,
    /// The screen in front, and its stage.
    pub front: Option<Front>,
    /// The terms that the button in front would agree to.
    pub terms: Option<Terms>,
    /// The lines of these that were on the screen; `None`: it was too small for any.
    pub shown: Option<Shown>,
    /// The part of the text in front that had no room.
    pub overflow: Overflow,
    /// The places that can be clicked, the first that fits first, and what each means.
    pub targets: Vec<(Area, Target)>,
}

/// The screen in front, as far as it tells two frames apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Front {
    /// The pane.
    pub pane: Pane,
    /// The number of screens that lie over it.
    pub layers: usize,
    /// The name of the one in front.
    pub name: &'static str,
    /// The withdrawal it shows, and its state.
    pub withdrawal: Option<(IdempotencyKey, Discriminant<WithdrawalState>)>,
    /// True when the journal's trouble stands in place of the withdrawals.
    pub trouble: bool,
}

/// The terms that would be agreed to, as a value; equal terms are what was seen.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "each is named as what it holds")]
pub enum Terms {
    /// A new withdrawal; the fee [as it is agreed to](QuoteState::as_terms).
    Withdrawal { key: IdempotencyKey, fee: QuoteState, why: Vec<WhyRetype>, past: Option<Past> },
    /// Sending one that is stored.
    Send { withdrawal: Box<Withdrawal>, fee: QuoteState, why: Vec<WhyRetype>, past: Option<Past> },
    /// The statement that one was not paid.
    NotPaid(Box<Withdrawal>),
    /// The lines of the contract.
    Lines(Vec<LineChange>),
    /// A question.
    Question(Question),
}

/// The frames so far, as far as they showed what would be agreed to.
#[derive(Debug, Clone, Default)]
pub struct Sight {
    /// The last of them.
    pub last: Arc<Seen>,
    /// The progress of reading the terms in front.
    pub read: Option<Progress>,
}

/// The part of the terms in front, or of those below a help page, that was read.
#[derive(Debug, Clone)]
pub struct Progress {
    /// The terms that would be agreed to.
    pub terms: Terms,
    /// None where what was read stays read in another size, and at its place.
    pub size: Option<Size>,
    /// For each line whether some frame had it; empty before the first frame.
    pub lines: Vec<bool>,
    /// The time at which the first frame was written that had the focus on the confirming button.
    pub on_button_ms: Option<u64>,
}

impl Progress {
    /// Nothing of these terms was read yet.
    pub fn of(terms: Terms, size: Size) -> Progress {
        let size = (!matches!(terms, Terms::Lines(_))).then_some(size);
        Progress { terms, size, lines: Vec::new(), on_button_ms: None }
    }

    /// Returns true when both are of the same terms, on the same screen.
    pub fn is_same(&self, other: &Progress) -> bool {
        self.terms == other.terms && self.size == other.size
    }
}
