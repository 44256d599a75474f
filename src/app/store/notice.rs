//! Notices: short messages about the previous action, shown above the footer. A notice asks no
//! question and disappears at the next input.

use std::sync::Arc;
use std::time::Duration;

use super::clip::{Clip, Copied, CopyTrouble, NoBrowser};
use super::list_export::ExportedFile;
use super::profiles::SwitchRefusal;
use super::recording::RecordingNews;
use crate::app::ui::Role;
use crate::app::ui::action::Action;
use crate::app::ui::form::Limit;
use crate::trade::withdrawal::WithdrawalState;
use crate::trade::{
    AmountField, Failure, JournalTrouble, Money, UndoneMarks, Untrusted, VaultTrouble,
};

/// A short message about the result of the previous action.
#[derive(Debug, Clone, PartialEq)]
pub enum Notice {
    /// A fixed message. Contains its style and its message id.
    Plain(Role, &'static str),
    /// A message that mentions the key for this action.
    WithKey(&'static str, Action),
    /// A message that ends with a text from the operating system or the service.
    WithDetail(&'static str, Untrusted),
    /// A text was copied, `times` times in a row. If `shows_advice` is true, the notice also
    /// explains what to do if the text is not in the clipboard.
    Copied {
        clip: Clip,
        how: Copied,
        times: u32,
        shows_advice: bool,
    },
    /// An HTTP request was saved as a HAR file at this path.
    RequestSaved(Untrusted),
    /// The image of a QR code was saved at this path.
    QrSaved(Untrusted),
    /// The recording of the screens into a file began or ended.
    Recording(RecordingNews),
    /// A list was written to a file.
    ListExported(ExportedFile),
    /// The demo's bank statement was saved at this path.
    StatementSaved(Untrusted),
    /// A text could not be copied to the clipboard.
    NotCopied(CopyTrouble),
    /// A link or direct payment could not be marked as paid, because saving the mark failed.
    NotMarked(JournalTrouble),
    /// This number of sales was marked as paid from a statement.
    StatementMarked(u64),
    /// The marks of the newest statement were undone; `None` if there were none.
    StatementUndone(Option<UndoneMarks>),
    /// No browser could be opened.
    NotOpened(NoBrowser),
    /// A limit of kiosk mode was reached. Contains the message id and the limit.
    KioskLimit(&'static str, u32),
    /// The input field is full, so some of the typed or pasted text was dropped.
    Full(Limit),
    /// A pasted text has replaced this amount.
    AmountReplaced(AmountField),
    /// The seller has chosen a checkout domain for new payment links.
    DomainChosen,
    /// The refresh that the user requested has ended.
    Refreshed,
    /// The pressed key does nothing on the current pane, but runs this action on other panes.
    NotHere(Action),
    /// The withdrawal can be sent only after this time has passed.
    SendLater { wait: Duration, is_resend: bool },
    /// The demo's sandbox reported that a payment link was paid. The documented API cannot report
    /// this.
    SandboxLinkPaid {
        description: Untrusted,
        amount: Money,
    },
    /// The demo's sandbox will simulate the fault with this name.
    FaultArmed(Arc<str>),
    /// The credentials could not be deleted from the vault.
    NotLoggedOut(VaultTrouble),
    /// Sending a withdrawal failed. An earlier attempt to send it may still have moved money.
    Sending(Failure),
    /// The seller's decision about a withdrawal could not be recorded.
    NotDecided(Failure),
    /// The history database could not be read or written. This error does not affect money.
    History(JournalTrouble),
    /// The database of HTTP requests cannot be used. This error does not affect money.
    Requests(JournalTrouble),
    /// An attempt to send a withdrawal has ended, but another screen was in front at that time.
    Settled {
        amount: Money,
        state: WithdrawalState,
    },
    /// The program could not switch to another profile.
    SwitchRefusal(SwitchRefusal),
}

impl Notice {
    /// Creates a notice that reports success. `id` is the id of its message.
    pub fn good(id: &'static str) -> Notice {
        Notice::Plain(Role::Good, id)
    }

    /// Creates a notice that warns the user. `id` is the id of its message.
    pub fn warn(id: &'static str) -> Notice {
        Notice::Plain(Role::Warn, id)
    }

    /// Creates the notice that the browser was opened, or why it was not opened.
    pub fn browsed(result: Result<(), NoBrowser>) -> Notice {
        result.map_or_else(Notice::NotOpened, |()| Notice::good("said-opened"))
    }

    /// Creates the notice that a request was saved, with the path of the file, or why it was not
    /// saved.
    pub fn request_saved(result: &Result<Untrusted, String>) -> Notice {
        match result {
            Ok(path) => Notice::RequestSaved(path.clone()),
            Err(error) => Notice::system("said-request-not-saved", error),
        }
    }

    /// Creates the notice that the image of a QR code was saved, with its path, or why it was not.
    pub fn qr_saved(result: &Result<Untrusted, String>) -> Notice {
        match result {
            Ok(path) => Notice::QrSaved(path.clone()),
            Err(error) => Notice::system("said-qr-not-saved", error),
        }
    }

    /// Creates the notice that the demo's statement was saved, with the path of the file, or why it
    /// was not saved.
    pub fn statement_saved(result: &Result<Untrusted, String>) -> Notice {
        match result {
            Ok(path) => Notice::StatementSaved(path.clone()),
            Err(error) => Notice::system("said-statement-not-saved", error),
        }
    }

    /// Creates a notice about a failure. Its message ends with `error`, the error text of the
    /// operating system.
    pub fn system(id: &'static str, error: &str) -> Notice {
        Notice::WithDetail(id, error.into())
    }
}
