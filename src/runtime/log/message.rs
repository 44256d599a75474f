//! Finds the failures in the messages of the app.

use super::event::{Cause, Event};
use crate::app::Msg;
use crate::app::store::first_run::SetUpAnswer;
use crate::app::store::imports::{ImportFault, ImportMsg};
use crate::app::store::list_export::ExportFault;
use crate::app::store::session::VaultStatus;
use crate::statement::reconciliation::ReconcileFault;
use crate::trade::withdrawal::NotDone;
use crate::trade::{Failure, JournalTrouble, NoQuote, VaultTrouble};

/// The event about a message: a failure in it, the vault, or only its name. Returns `None` for
/// messages about input and time. Their number would reveal, for example, the length of a password.
pub fn event(msg: &Msg) -> Option<Event> {
    let name: &'static str = msg.into();
    if let Some(cause) = cause(msg) {
        return Some(Event::Failed(name, cause));
    }
    match msg {
        Msg::Input(_)
        | Msg::Pulse
        | Msg::Focused(_)
        | Msg::SecretEdited { .. }
        | Msg::SecretFull(_) => None,
        Msg::CredentialsRead {
            vault_status: VaultStatus::Kept(kind),
            ..
        } => Some(Event::Vault(*kind)),
        _ => Some(Event::Message(name)),
    }
}

/// The kind of the failure that a message reports, if any.
fn cause(msg: &Msg) -> Option<Cause> {
    if let Some(failure) = failure(msg) {
        return Some(failure.into());
    }
    if let Some(trouble) = history_trouble(msg).or_else(|| money_trouble(msg)) {
        return Some(of_journal(trouble));
    }
    match msg {
        Msg::CredentialsRead {
            vault_status: VaultStatus::Trouble(trouble),
            ..
        }
        | Msg::NotStored(trouble)
        | Msg::ConsentRead(Err(trouble))
        | Msg::ConsentStored {
            result: Err(trouble),
            ..
        }
        | Msg::LoggedOut(Err(trouble)) => Some(of_vault(trouble)),
        Msg::Prepared {
            result: Err(NotDone::Blocked(blocker)),
            ..
        } => Some((&Failure::Blocked(blocker.clone())).into()),
        Msg::Quoted {
            result: Err(NoQuote::Fault(_)),
            ..
        } => Some(of_kind("quote")),
        _ => is_other_failure(msg).then(|| of_kind("other")),
    }
}

fn failure(msg: &Msg) -> Option<&Failure> {
    match msg {
        Msg::LoggedIn {
            result: Err(failure),
            ..
        }
        | Msg::JwtKept {
            result: Err(failure),
            ..
        }
        | Msg::DomainsListed {
            result: Err(failure),
            ..
        }
        | Msg::SaleMade {
            result: Err(failure),
            ..
        }
        | Msg::NoteSaved {
            result: Err(failure),
            ..
        }
        | Msg::SaleFound {
            result: Err(failure),
            ..
        }
        | Msg::Nicknamed {
            result: Err(failure),
            ..
        }
        | Msg::AttemptTrouble {
            trouble: failure, ..
        }
        | Msg::Decided {
            result: Err(failure),
            ..
        }
        | Msg::MadeLive {
            result: Err(failure),
            ..
        }
        | Msg::Quoted {
            result: Err(NoQuote::Failure(failure)),
            ..
        }
        | Msg::SetUp {
            answer: SetUpAnswer::Reached(Err(failure)),
            ..
        } => Some(failure),
        Msg::Import(ImportMsg::Progress {
            refused: Some(failure),
            ..
        }) => Some(failure),
        _ => None,
    }
}

/// The trouble of the history, or of the stored requests.
fn history_trouble(msg: &Msg) -> Option<&JournalTrouble> {
    match msg {
        Msg::MarkedPaid(Err(trouble))
        | Msg::SaleRemoved(Err(trouble))
        | Msg::PutAway(Err(trouble))
        | Msg::NicknamesRead(Err(trouble))
        | Msg::SandboxPaymentsRecorded(Err(trouble))
        | Msg::LinksLoaded {
            result: Err(trouble),
            ..
        }
        | Msg::ChargesLoaded {
            result: Err(trouble),
            ..
        }
        | Msg::SalesCounted {
            result: Err(trouble),
            ..
        }
        | Msg::BuyersLoaded {
            result: Err(trouble),
            ..
        }
        | Msg::KnownLinksLoaded {
            result: Err(trouble),
            ..
        }
        | Msg::StatementMarked {
            result: Err(trouble),
            ..
        }
        | Msg::StatementUndone {
            result: Err(trouble),
            ..
        }
        | Msg::ReportLoaded {
            result: Err(trouble),
            ..
        }
        | Msg::RequestsLoaded {
            result: Err(trouble),
            ..
        }
        | Msg::ExchangeLoaded {
            result: Err(trouble),
            ..
        }
        | Msg::ObjectFound {
            result: Err(trouble),
            ..
        } => Some(trouble),
        _ => None,
    }
}

/// The trouble of the journal of withdrawals, or of a work that reads both.
fn money_trouble(msg: &Msg) -> Option<&JournalTrouble> {
    match msg {
        Msg::WithdrawalsLoaded {
            result: Err(trouble),
            ..
        }
        | Msg::Reviewed {
            past: Err(trouble), ..
        }
        | Msg::DestinationsLoaded {
            result: Err(trouble),
            ..
        }
        | Msg::Prepared {
            result: Err(NotDone::Journal(trouble)),
            ..
        }
        | Msg::WithdrawalsReported {
            result: Err(trouble),
            ..
        }
        | Msg::Reconciled {
            result: Err(ReconcileFault::History(trouble) | ReconcileFault::Journal(trouble)),
            ..
        }
        | Msg::ListExported {
            result: Err(ExportFault::History(trouble) | ExportFault::Journal(trouble)),
            ..
        }
        | Msg::Import(
            ImportMsg::Checked {
                result: Err(ImportFault::History(trouble)),
                ..
            }
            | ImportMsg::NotBegun {
                fault: ImportFault::History(trouble),
                ..
            }
            | ImportMsg::Failed(ImportFault::History(trouble)),
        ) => Some(trouble),
        _ => None,
    }
}

/// True if the message reports a failure that is known only as a text, for example of a file.
fn is_other_failure(msg: &Msg) -> bool {
    match msg {
        Msg::LookSaved { result, .. } => result.is_err(),
        Msg::Taught { result, .. } => result.is_err(),
        Msg::Reconciled { result, .. } => result.is_err(),
        Msg::ReceiptSaved { result, .. } => result.is_err(),
        Msg::ListExported { result, .. } => result.is_err(),
        Msg::ProfileOpened { result, .. } => result.is_err(),
        Msg::RequestSaved(result) | Msg::QrSaved(result) | Msg::DemoStatementSaved(result) => {
            result.is_err()
        }
        Msg::Copied(_, result) => result.is_err(),
        Msg::Browsed(result) => result.is_err(),
        Msg::SetUp {
            answer: SetUpAnswer::Written(result),
            ..
        } => result.is_err(),
        Msg::Import(ImportMsg::Checked { result, .. }) => result.is_err(),
        Msg::Import(ImportMsg::NotBegun { .. } | ImportMsg::Failed(_))
        | Msg::DomainNotSaved(_)
        | Msg::NotSaved(_)
        | Msg::HistoryLost { .. }
        | Msg::NotWatching(_)
        | Msg::HistoryNotShared(_)
        | Msg::ZoneUnreadable => true,
        _ => false,
    }
}

fn of_journal(trouble: &JournalTrouble) -> Cause {
    Cause {
        detail: Some(trouble.name()),
        ..of_kind("journal")
    }
}

fn of_vault(trouble: &VaultTrouble) -> Cause {
    Cause {
        detail: Some(trouble.name()),
        ..of_kind("vault")
    }
}

fn of_kind(kind: &'static str) -> Cause {
    Cause {
        kind,
        ..Cause::default()
    }
}
