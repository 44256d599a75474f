//! A record of the last rendered frame: the terms it showed, which of their lines were visible, and
//! what can be clicked.
//!
//! The app can receive a burst of keys between two frames, for example from a paste that the
//! terminal does not mark as a paste. The last keys of the burst could then confirm a screen that
//! its first keys opened, before the user saw that screen. Therefore each frame is recorded as a
//! value, and the record arrives with the next message. A confirmation counts only if the recorded
//! [`Terms`] equal the current terms: another window may have changed them since.

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

/// How long, in milliseconds, frames must show the focus on a confirming button before a key can
/// press it.
pub const FOCUS_MS: u64 = 150;

/// The record of a rendered frame: everything that matters for confirmations and clicks.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FrameSnapshot {
    /// The number of the frame; 0 before the first frame.
    pub frame: u64,
    /// When the user could see the frame, in milliseconds of the boot clock; `None` until then. The
    /// terminal reports when it has processed the frame. Otherwise, this is when the frame was
    /// completely written.
    pub at_ms: Option<u64>,
    pub size: Size,
    /// The identity of the front screen (the topmost one), and its stage.
    pub front: Option<Front>,
    /// The terms (such as amount and fee) that the front screen's confirming button would agree to.
    pub terms: Option<Terms>,
    /// The lines of the terms that were visible; `None` if the terminal was too small to show any.
    pub shown: Option<Shown>,
    /// True if the confirming button of the front screen had the focus.
    pub on_button: bool,
    /// The first visible line of the front screen's text.
    pub scroll: u16,
    /// The part of the front screen's text that did not fit.
    pub overflow: Overflow,
    /// The clickable areas, with their targets. If areas overlap, a click uses the first one.
    pub targets: Vec<(Area, Target)>,
}

/// The identity of the front screen. If the values of two frames differ, the frames showed
/// different screens, or different stages of a screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Front {
    /// The current pane (main screen).
    pub pane: Pane,
    /// The number of screens and dialogs that are open above the pane.
    pub layers: usize,
    pub name: &'static str,
    /// The withdrawal on the front screen, and the kind of state that it is in.
    pub withdrawal: Option<(IdempotencyKey, Discriminant<WithdrawalState>)>,
    /// True if the screen shows a journal error instead of the withdrawals.
    pub trouble: bool,
}

/// The terms that a confirmation agrees to, such as a withdrawal's amount and fee. A confirmation
/// counts only if they equal the terms that the last frame showed.
#[derive(Debug, Clone, PartialEq)]
pub enum Terms {
    /// A new withdrawal. `fee` is the part of the fee quote [that the seller agrees
    /// to](QuoteState::as_terms).
    Withdrawal { key: IdempotencyKey, fee: QuoteState, why: Vec<WhyRetype>, past: Option<Past> },
    /// An attempt to send a stored withdrawal.
    Send { withdrawal: Box<Withdrawal>, fee: QuoteState, why: Vec<WhyRetype>, past: Option<Past> },
    /// The seller's statement that a withdrawal was not paid.
    NotPaid(Box<Withdrawal>),
    /// Settings of the API contract, on the consent page.
    Lines(Vec<LineChange>),
    /// The question of a confirmation dialog.
    Question(Question),
}

/// The last frame, and how much of the front screen's terms the user has seen.
#[derive(Debug, Clone, Default)]
pub struct ReadTracker {
    /// The record of the last frame.
    pub last: Arc<FrameSnapshot>,
    /// How much of the front screen's terms the user has seen.
    pub read: Option<Progress>,
}

/// How much of some terms the user has read: which of their lines have been visible in a frame. The
/// terms are on the front screen, or on the screen below a help page.
#[derive(Debug, Clone)]
pub struct Progress {
    pub terms: Terms,
    /// The terminal size when the terms were read. At another size, they must be read again. `None`
    /// for contract settings, which count as read at any size.
    pub size: Option<Size>,
    /// For each line of the terms, true if a frame showed the line. Empty before the first frame.
    pub lines: Vec<bool>,
    /// The boot clock, in milliseconds, of the first frame that showed the focus on the confirming
    /// button.
    pub on_button_ms: Option<u64>,
}

impl Progress {
    /// Creates the progress for terms that no frame has shown yet.
    pub fn of(terms: Terms, size: Size) -> Progress {
        let size = (!matches!(terms, Terms::Lines(_))).then_some(size);
        Progress { terms, size, lines: Vec::new(), on_button_ms: None }
    }

    /// Returns true if both values are for the same terms in the same terminal size.
    pub fn is_same(&self, other: &Progress) -> bool {
        self.terms == other.terms && self.size == other.size
    }
}
