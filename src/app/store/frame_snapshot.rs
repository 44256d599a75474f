//! A record of the last rendered frame: the terms on the screen (such as an amount and a fee),
//! which of their lines were visible, and what can be clicked.
//!
//! The app can receive a burst of keys between two frames, for example from a paste that the
//! terminal does not mark as a paste. The first keys of the burst could open a screen, and the last
//! keys could confirm it before the user saw it. To prevent this, each frame is recorded, and the
//! record arrives with the next message. A confirmation counts only if the recorded [`Terms`] equal
//! the current terms, because another window may have changed them since.

use std::mem::Discriminant;
use std::sync::Arc;

use crate::app::cx::Question;
use crate::app::store::withdrawals::PastPayments;
use crate::app::store::withdrawals::{Purpose, QuoteState, WhyRetype};
use crate::app::ui::{Area, Overflow, Target, VisibleLines};
use crate::app::{Pane, Size};
use crate::contract::SettingChange;
use crate::trade::withdrawal::WithdrawalState;
use crate::trade::{IdempotencyKey, Money, Withdrawal};

/// How long, in milliseconds, a confirming button must be shown with the focus before a key can
/// press it.
pub const FOCUS_MS: u64 = 150;

/// The record of a rendered frame: everything that matters for confirmations and clicks.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FrameSnapshot {
    /// The number of the frame; 0 before the first frame.
    pub frame: u64,
    /// The time at which the user could see the frame, in milliseconds of the boot clock; `None`
    /// until then. This is when the terminal reported the frame as processed, or else when the
    /// frame was completely written.
    pub at_ms: Option<u64>,
    pub size: Size,
    /// The identity of the front screen (the topmost screen), and its stage.
    pub front: Option<Front>,
    /// The terms (such as amount and fee) that the user accepts by pressing the confirming button
    /// of the front screen.
    pub terms: Option<Terms>,
    /// The lines of the terms that were visible, or `None` if the terminal was too small to show
    /// any line.
    pub visible_lines: Option<VisibleLines>,
    /// True if the confirming button of the front screen had the focus.
    pub on_button: bool,
    /// The number of the first visible line of the front screen's text.
    pub scroll: u16,
    /// How much of the front screen's text did not fit on the screen.
    pub overflow: Overflow,
    /// The clickable areas of the frame, with their targets. If areas overlap, the first one gets
    /// the click.
    pub targets: Vec<(Area, Target)>,
}

/// Identifies the front screen (the topmost screen) and its stage. If two frames have different
/// values, they showed different screens, or different stages of one screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Front {
    /// The current pane (main screen).
    pub pane: Pane,
    /// The number of screens and dialogs that are open above the pane.
    pub layers: usize,
    pub name: &'static str,
    /// The withdrawal that the front screen shows, and the kind of its state.
    pub withdrawal: Option<(IdempotencyKey, Discriminant<WithdrawalState>)>,
    /// True if the screen shows a journal error instead of the withdrawals.
    pub trouble: bool,
}

/// The terms that the user accepts with a confirmation, such as a withdrawal's amount and fee. A
/// confirmation counts only if the last frame showed the same terms.
#[derive(Debug, Clone, PartialEq)]
pub enum Terms {
    /// The terms of a new withdrawal. `fee` is the part of the fee quote [that the seller agrees
    /// to](QuoteState::as_terms).
    Withdrawal {
        key: IdempotencyKey,
        /// True if confirming only prepares the withdrawal, because somebody else must approve it.
        needs_approval: bool,
        fee: QuoteState,
        why: Vec<WhyRetype>,
        past: Option<PastPayments>,
    },
    /// The terms of an attempt to send a withdrawal that is already stored, or of its approval.
    Send {
        purpose: Purpose,
        withdrawal: Box<Withdrawal>,
        fee: QuoteState,
        why: Vec<WhyRetype>,
        past: Option<PastPayments>,
    },
    /// The seller's statement that a withdrawal was not paid.
    NotPaid(Box<Withdrawal>),
    /// The settings of the API contract that the consent page shows, or that a question after a
    /// refusal would change.
    Lines(Vec<SettingChange>),
    /// The amounts in a form that the seller was [asked to
    /// check](crate::app::ui::form::Form::ask_to_check_amounts).
    Amounts(Vec<Money>),
    /// The question that a confirmation dialog asks.
    Question(Question),
}

/// The record of the last frame, and how much of the front screen's terms the user has seen.
#[derive(Debug, Clone, Default)]
pub struct ReadTracker {
    /// The record of the last frame.
    pub last: Arc<FrameSnapshot>,
    /// Which lines of the front screen's terms the user has seen, if there are terms.
    pub read: Option<Progress>,
}

impl ReadTracker {
    /// True if frames of this size have shown every line of these terms.
    pub fn has_shown(&self, terms: Terms, size: Size) -> bool {
        let shown = Progress::of(terms, size);
        self.read.as_ref().is_some_and(|progress| {
            progress.is_same(&shown)
                && !progress.lines.is_empty()
                && !progress.lines.contains(&false)
        })
    }
}

/// How much of some terms (such as amount and fee) the user has read: which lines have been visible
/// in a frame. The terms belong to the front screen, or to the screen below a help page.
#[derive(Debug, Clone)]
pub struct Progress {
    pub terms: Terms,
    /// The terminal size at which the terms were read. After a change of size, they must be read
    /// again. `None` for settings of the API contract, which do not have to be read again.
    pub size: Option<Size>,
    /// For each line of the terms, true if a frame showed the line. Empty before the first frame.
    pub lines: Vec<bool>,
    /// When a frame first showed the focus on the confirming button, in milliseconds of the boot
    /// clock.
    pub on_button_ms: Option<u64>,
}

impl Progress {
    /// Creates the progress for terms that have not been shown in a frame yet.
    pub fn of(terms: Terms, size: Size) -> Progress {
        let size = (!matches!(terms, Terms::Lines(_))).then_some(size);
        Progress {
            terms,
            size,
            lines: Vec::new(),
            on_button_ms: None,
        }
    }

    /// True if both values are about the same terms at the same terminal size.
    pub fn is_same(&self, other: &Progress) -> bool {
        self.terms == other.terms && self.size == other.size
    }
}
