//! The notices in the line above the footer: each is shown once, and asks nothing.

use std::sync::Arc;

use super::clip::{Clip, Copied, CopyTrouble, NoBrowser};
use super::profiles::NotSwitched;
use crate::app::ui::action::Action;
use crate::app::ui::form::Limit;
use crate::trade::withdrawal::WithdrawalState;
use crate::trade::{Failure, JournalTrouble, Money, Untrusted};

/// A notice of something that was just done; it asks nothing.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "a field is its name")]
pub enum Notice {
    /// Something was copied, so many times in a row.
    Copied { clip: Clip, how: Copied, times: u32 },
    /// It could not be copied.
    NotCopied(CopyTrouble),
    /// A link was made, and not copied; an odd address is to be looked at first.
    LinkMade { is_odd: bool },
    /// A charge was made; its code can be copied where nothing about it is odd.
    ChargeMade { is_odd: bool },
    /// A link was marked as paid, or the mark was taken away.
    Marked { paid: bool },
    /// The mark was not written down.
    NotMarked(JournalTrouble),
    /// A destination was given a nickname, or lost it.
    Nicknamed { is_named: bool },
    /// The browser was asked to open it.
    Opened,
    /// No browser could be opened.
    NotOpened(NoBrowser),
    /// More was typed or pasted than the field takes.
    Full(Limit),
    /// Logged in.
    LoggedIn,
    /// A credential is good, and the vault did not take it: it is kept for this run.
    LoggedInForRun,
    /// Logged out.
    LoggedOut,
    /// The JWT is in place.
    JwtKept,
    /// The lines of the contract are agreed to; nothing was sent by that.
    ConsentStored,
    /// Lines of the contract were taught; where no file has them they count for this run.
    Taught { is_kept: bool },
    /// The amount that arrived is the one that was to: the unit of money is confirmed.
    UnitConfirmed,
    /// While money is on its way, or a withdrawal is open, nothing about it is taught.
    NotTaughtNow,
    /// The lines that were taught could not be written.
    NotTaught(Untrusted),
    /// A domain is added at the service, and not here.
    DomainAddedAtService,
    /// New links use this domain now.
    DomainChosen,
    /// They do, but the next start will not know it.
    DomainNotKept(String),
    /// The answer to a refresh is here.
    Refreshed,
    /// The program was started to look only.
    ReadOnly,
    /// A key that means something elsewhere does nothing here.
    NotHere(Action),
    /// The sandbox says that a link was paid; no documented operation says so.
    SandboxLinkPaid { description: Untrusted, amount: Money },
    /// The demo armed a fault.
    FaultArmed(Arc<str>),
    /// The demo's faults are gone.
    FaultsGone,
    /// The sandbox started over.
    StartedOver,
    /// The demo's domains went inactive, or came back.
    DomainsDown(bool),
    /// The demo's clock was moved on.
    Forwarded,
    /// A step of the demo's story could not be done.
    StepFailed,
    /// A command to the demo could not be granted; nothing changed.
    NotGranted,
    /// Something failed that has no place of its own on the screen.
    Failure(Failure),
    /// The same of sending a withdrawal: other attempts of it may have paid.
    Sending(Failure),
    /// A person's decision about a withdrawal was not written down.
    NotDecided(Failure),
    /// The history could not be read or written; money is not touched by that.
    History(JournalTrouble),
    /// The journal here is the live one now.
    MadeLive,
    /// Changes by other windows are only seen by looking again.
    NotWatching(String),
    /// The history was damaged, and a new one has begun; the account pane says where the old is.
    HistoryAnew,
    /// A withdrawal came to its end while another screen was in front.
    Settled { amount: Money, state: WithdrawalState },
    /// Another profile did not take the place of this one.
    NotSwitched(NotSwitched),
}
