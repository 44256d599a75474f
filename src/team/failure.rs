//! Classifies the errors of the client of PostgreSQL.

use std::error::Error as _;
use std::io;

use tokio_postgres::Error;
use tokio_postgres::error::{DbError, Severity, SqlState};

use super::loopback::AsksForPassword;
use super::presence::OfflineReason;
use crate::journal::money::NotAppended;
use crate::trade::JournalTrouble;

/// The constraint whose violation means that another machine appended first.
const ROW_NUMBER: &str = "event_pkey";

/// The constraint whose violation means that the predecessor of a row is missing.
const PREDECESSOR: &str = "event_before";

/// The constraints of the log of the history that mean this.
const RECORD_NUMBER: &str = "record_pkey";
const RECORD_BEFORE: &str = "record_before";

/// The policy that lets the server refuse an attempt without an approval.
const APPROVAL_POLICY: &str = "event_approval";

/// The error that the server sent about a single query, or `None` if the connection may be lost.
///
/// After an error that ends the session, it is not known whether the query took effect.
fn query_error(error: &Error) -> Option<&DbError> {
    let error = error.as_db_error()?;
    let ends_session = matches!(
        error.parsed_severity(),
        Some(Severity::Fatal | Severity::Panic) | None
    );
    let code = error.code();
    let is_unclear = code.code().starts_with("08")
        || code.code().starts_with("57P")
        || *code == SqlState::T_R_STATEMENT_COMPLETION_UNKNOWN;
    (!ends_session && !is_unclear).then_some(error)
}

/// True if the connection must not be used again after this error.
pub(super) fn ends_session(error: &Error) -> bool {
    query_error(error).is_none()
}

/// True if the server refused an attempt because nobody else approved it.
pub(super) fn is_unapproved(error: &Error) -> bool {
    query_error(error).is_some_and(|error| {
        // The server names the policy only in its message.
        *error.code() == SqlState::INSUFFICIENT_PRIVILEGE
            && error.message().contains(APPROVAL_POLICY)
    })
}

/// The outcome of an append that failed.
pub(super) fn not_appended(error: &Error) -> NotAppended {
    let Some(error) = query_error(error) else {
        return NotAppended::Doubt(text_of(error));
    };
    match (error.code(), error.constraint()) {
        (&SqlState::UNIQUE_VIOLATION, Some(ROW_NUMBER | RECORD_NUMBER))
        | (&SqlState::FOREIGN_KEY_VIOLATION, Some(PREDECESSOR | RECORD_BEFORE))
        | (&SqlState::T_R_SERIALIZATION_FAILURE | &SqlState::T_R_DEADLOCK_DETECTED, _) => {
            NotAppended::Outrun
        }
        _ => NotAppended::Trouble(trouble_of_query(error)),
    }
}

/// The trouble of a call that reads or deletes.
pub(super) fn trouble(error: &Error) -> JournalTrouble {
    match query_error(error) {
        Some(error) => trouble_of_query(error),
        None => JournalTrouble::Offline(text_of(error)),
    }
}

fn trouble_of_query(error: &DbError) -> JournalTrouble {
    match *error.code() {
        SqlState::QUERY_CANCELED | SqlState::LOCK_NOT_AVAILABLE => {
            JournalTrouble::Busy(text_of_query(error))
        }
        _ => JournalTrouble::Refused(text_of_query(error)),
    }
}

/// The reason why no connection could be made.
pub(super) fn offline_reason(error: &Error) -> OfflineReason {
    let Some(db_error) = error.as_db_error() else {
        return reason_without_answer(error);
    };
    let text = text_of_query(db_error);
    match *db_error.code() {
        SqlState::INVALID_PASSWORD => OfflineReason::WrongPassword,
        SqlState::INVALID_AUTHORIZATION_SPECIFICATION | SqlState::INSUFFICIENT_PRIVILEGE => {
            OfflineReason::NotAllowed(text)
        }
        SqlState::INVALID_CATALOG_NAME => OfflineReason::NoDatabase,
        SqlState::UNDEFINED_TABLE | SqlState::INVALID_SCHEMA_NAME => OfflineReason::NoJournal,
        SqlState::TOO_MANY_CONNECTIONS
        | SqlState::CANNOT_CONNECT_NOW
        | SqlState::ADMIN_SHUTDOWN
        | SqlState::CRASH_SHUTDOWN => OfflineReason::Unavailable(text),
        _ => OfflineReason::Refused(text),
    }
}

fn reason_without_answer(error: &Error) -> OfflineReason {
    let text = text_of(error);
    // The client does not expose the kind of an error in another way.
    if error
        .to_string()
        .starts_with("error performing TLS handshake")
    {
        return OfflineReason::Tls(text);
    }
    let io_error = error.source().and_then(|it| it.downcast_ref::<io::Error>());
    let cause = io_error.and_then(io::Error::get_ref);
    if cause.is_some_and(|cause| cause.is::<AsksForPassword>()) {
        return OfflineReason::PlainPassword;
    }
    match io_error.map(io::Error::kind) {
        Some(io::ErrorKind::TimedOut) => OfflineReason::TimedOut,
        _ => OfflineReason::Unreachable(text),
    }
}

/// The text of an error with its cause.
pub(super) fn text_of(error: &Error) -> String {
    match (error.as_db_error(), error.source()) {
        (Some(error), _) => text_of_query(error),
        (None, Some(source)) => source.to_string(),
        (None, None) => error.to_string(),
    }
}

/// The message of the server with its code. Its further details may contain data of the row, so
/// they are left out.
fn text_of_query(error: &DbError) -> String {
    format!("{} ({})", error.message(), error.code().code())
}
