//! The notices in the line above the footer: each is shown once, and asks nothing.

use std::sync::Arc;

use super::clip::{Clip, Copied, CopyTrouble, NoBrowser};
use super::profiles::NotSwitched;
use crate::app::ui::Role;
use crate::app::ui::action::Action;
use crate::app::ui::form::Limit;
use crate::trade::withdrawal::WithdrawalState;
use crate::trade::{Failure, JournalTrouble, Money, Untrusted};

/// A notice of something that was just done; it asks nothing.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "a field is its name")]
pub enum Notice {
    /// This message, with nothing in it.
    Plain(Role, &'static str),
    /// This message, with the key of an action.
    WithKey(&'static str, Action),
    /// This message, and behind it the system's or the service's words.
    WithDetail(&'static str, Untrusted),
    /// Something was copied, so many times in a row.
    Copied { clip: Clip, how: Copied, times: u32 },
    /// It could not be copied.
    NotCopied(CopyTrouble),
    /// The mark was not written down.
    NotMarked(JournalTrouble),
    /// No browser could be opened.
    NotOpened(NoBrowser),
    /// More was typed or pasted than the field takes.
    Full(Limit),
    /// New links use this domain now.
    DomainChosen,
    /// The answer to a refresh is here.
    Refreshed,
    /// A key that means something elsewhere does nothing here.
    NotHere(Action),
    /// The sandbox says that a link was paid; no documented operation says so.
    SandboxLinkPaid { description: Untrusted, amount: Money },
    /// The demo armed a fault.
    FaultArmed(Arc<str>),
    /// Something failed that has no place of its own on the screen.
    Failure(Failure),
    /// The same of sending a withdrawal: other attempts of it may have paid.
    Sending(Failure),
    /// A person's decision about a withdrawal was not written down.
    NotDecided(Failure),
    /// The history could not be read or written; money is not touched by that.
    History(JournalTrouble),
    /// A withdrawal came to its end while another screen was in front.
    Settled { amount: Money, state: WithdrawalState },
    /// Another profile did not take the place of this one.
    NotSwitched(NotSwitched),
}

impl Notice {
    /// Something was done as it was asked for.
    pub fn good(id: &'static str) -> Notice {
        Notice::Plain(Role::Good, id)
    }

    /// Something was not done, or not as it was asked for.
    pub fn warn(id: &'static str) -> Notice {
        Notice::Plain(Role::Warn, id)
    }

    /// Something was not done, for this reason of the system's.
    pub fn system(id: &'static str, why: &str) -> Notice {
        Notice::WithDetail(id, why.into())
    }
}
