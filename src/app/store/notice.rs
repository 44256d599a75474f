//! Notices: short messages above the footer about the previous action. A notice asks no question
//! and is removed at the next input.

use std::sync::Arc;
use std::time::Duration;

use super::clip::{Clip, Copied, CopyTrouble, NoBrowser};
use super::profiles::NotSwitched;
use crate::app::ui::Role;
use crate::app::ui::action::Action;
use crate::app::ui::form::Limit;
use crate::trade::withdrawal::WithdrawalState;
use crate::trade::{Failure, JournalTrouble, Money, Untrusted};

/// A short message about the previous action.
#[derive(Debug, Clone, PartialEq)]
pub enum Notice {
    /// A fixed message: its style and its message id.
    Plain(Role, &'static str),
    /// A message that names the key for this action.
    WithKey(&'static str, Action),
    /// A message followed by a text from the operating system or the service.
    WithDetail(&'static str, Untrusted),
    /// A text was copied, for the given number of times in a row. If `advises` is true, the notice
    /// also explains what to do if the text did not reach the clipboard.
    Copied { clip: Clip, how: Copied, times: u32, advises: bool },
    /// A request was saved as a HAR file at this path.
    RequestSaved(Untrusted),
    /// A text could not be copied to the clipboard.
    NotCopied(CopyTrouble),
    /// The mark that a link or payment was paid could not be saved.
    NotMarked(JournalTrouble),
    /// No browser could be opened.
    NotOpened(NoBrowser),
    /// The limit of a kiosk was reached. Contains the message id and the limit.
    KioskLimit(&'static str, u32),
    /// The field is full, so some of the typed or pasted text was dropped.
    Full(Limit),
    /// The seller chose the checkout domain for new links.
    DomainChosen,
    /// The refresh that the user requested has ended.
    Refreshed,
    /// The pressed key runs this action on other panes, but does nothing on this pane.
    NotHere(Action),
    /// The withdrawal can be sent only after waiting this long.
    SendLater(Duration),
    /// The demo's sandbox reported that a link was paid. The documented API cannot report that.
    SandboxLinkPaid { description: Untrusted, amount: Money },
    /// The demo's sandbox will simulate this fault.
    FaultArmed(Arc<str>),
    /// A failure that is not shown on any open screen.
    Failure(Failure),
    /// Sending a withdrawal failed. Earlier attempts to send it may still have paid.
    Sending(Failure),
    /// The seller's decision about a withdrawal could not be recorded.
    NotDecided(Failure),
    /// The history database could not be read or written. That does not affect money.
    History(JournalTrouble),
    /// An attempt to send a withdrawal ended while another screen was in front.
    Settled { amount: Money, state: WithdrawalState },
    /// The program could not switch to another profile.
    NotSwitched(NotSwitched),
}

impl Notice {
    /// Creates a notice about a success, with this message id.
    pub fn good(id: &'static str) -> Notice {
        Notice::Plain(Role::Good, id)
    }

    /// Creates a notice with a warning, with this message id.
    pub fn warn(id: &'static str) -> Notice {
        Notice::Plain(Role::Warn, id)
    }

    /// Creates the notice about opening the browser.
    pub fn browsed(result: Result<(), NoBrowser>) -> Notice {
        result.map_or_else(Notice::NotOpened, |()| Notice::good("said-opened"))
    }

    /// Creates the notice about saving a request, with the path of its file.
    pub fn request_saved(result: &Result<Untrusted, String>) -> Notice {
        match result {
            Ok(path) => Notice::RequestSaved(path.clone()),
            Err(why) => Notice::system("said-request-not-saved", why),
        }
    }

    /// Creates a notice about a failure. It ends with the operating system's error text `why`.
    pub fn system(id: &'static str, why: &str) -> Notice {
        Notice::WithDetail(id, why.into())
    }
}
