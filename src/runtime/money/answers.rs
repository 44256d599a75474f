//! Builds the money thread's replies to the app's commands and queries, and its reports about
//! attempts.

use std::sync::{Mutex, PoisonError};

use super::MoneyContext;
use crate::app::screens::withdrawals::draft::MAX_KNOWN;
use crate::app::store::requests::RequestObject;
use crate::app::store::withdrawals::{PastPayments, Refused, Snapshot};
use crate::app::ui::list::PageRequest;
use crate::app::{MoneyCommand, Msg};
use crate::cashier::{Clock, Report};
use crate::journal::money::{Conflict, MoneyJournal, WriteRefused};
use crate::trade::withdrawal::{Clash, NotSent};
use crate::trade::{Agreement, Failure, JournalTrouble, Wall};

/// The maximum number of tries to read a list of withdrawals. A try fails if another process writes
/// to the journal at the same time. The app is notified of that write, and loads the list again.
const MAX_TRIES: u32 = 3;

/// Converts a report of the cashier to a message for the app.
pub(super) fn message_for(report: Report, journal: &Mutex<MoneyJournal>) -> Msg {
    let stored_withdrawal = |key| {
        let mut journal = journal.lock().unwrap_or_else(PoisonError::into_inner);
        journal.get(key).ok().flatten().map(Box::new)
    };
    match report {
        Report::AttemptBegan { key, n } => Msg::AttemptBegan { key, n },
        Report::Settled(withdrawal) => Msg::Settled(Box::new(withdrawal)),
        Report::NotBegun { key, why } => {
            let trouble = attempt_failure(why, journal);
            Msg::AttemptTrouble { key, withdrawal: stored_withdrawal(key), trouble }
        }
        Report::Unrecorded { key, n, end, trouble } => {
            let trouble = Failure::Unrecorded { n, end: Box::new(end), trouble };
            Msg::AttemptTrouble { key, withdrawal: stored_withdrawal(key), trouble }
        }
    }
}

/// Returns the failure that the app shows for an attempt that did not begin.
fn attempt_failure(error: WriteRefused, journal: &Mutex<MoneyJournal>) -> Failure {
    match error {
        WriteRefused::Conflict(objection) => {
            let mut journal = journal.lock().unwrap_or_else(PoisonError::into_inner);
            let clash = clash(objection, &mut journal);
            clash.map_or(Failure::NotSent(NotSent::NotSafe), Failure::Clash)
        }
        WriteRefused::Busy => Failure::NotSent(NotSent::Busy),
        WriteRefused::BodyChanged => Failure::NotSent(NotSent::BodyChanged),
        WriteRefused::Journal(trouble) => Failure::Journal(trouble),
        WriteRefused::TooSoon { wait } => Failure::TooSoon { wait },
        _ => Failure::NotSent(NotSent::NotSafe),
    }
}

/// Carries out a command, and returns the message with its result.
pub(super) fn reply_to<W, C: Clock>(
    command: MoneyCommand,
    journal: &Mutex<MoneyJournal>,
    context: &MoneyContext<W, C>,
) -> Msg {
    // Lock the journal only while the reply is built, because an attempt in flight needs it to
    // record its outcome.
    let mut journal = journal.lock().unwrap_or_else(PoisonError::into_inner);
    let now = context.clock.now();
    match command {
        MoneyCommand::Load(request) => Msg::WithdrawalsLoaded {
            ticket: request.ticket,
            result: load(&mut journal, &request, context),
        },
        MoneyCommand::LookUpPast(agreement) => {
            let past = past_withdrawals(&mut journal, &agreement, now.wall);
            Msg::Reviewed { key: agreement.key, past }
        }
        MoneyCommand::LoadDestinations { ticket, account } => {
            let result = journal.destinations(&account, MAX_KNOWN);
            Msg::DestinationsLoaded { ticket, result }
        }
        MoneyCommand::Find { ticket, key } => {
            let found = journal.get(key);
            let result = found.map(|found| found.map(RequestObject::Withdrawal).map(Box::new));
            Msg::ObjectFound { ticket, result }
        }
        MoneyCommand::Prepare { agreement, retyped } => {
            let key = agreement.key;
            let result = journal.prepare(*agreement, retyped);
            if result.is_ok() {
                context.others.record_own_write(&journal);
            }
            let result = result.map(Box::new).map_err(|error| prepare_error(error, &mut journal));
            Msg::Prepared { key, result }
        }
        MoneyCommand::Decide { key, choice } => {
            let result = journal.decide(key, choice, &now, &context.window.borrow());
            if result.is_ok() {
                context.others.record_own_write(&journal);
            }
            Msg::Decided { key, result: result.map(Box::new).map_err(decide_failure) }
        }
        MoneyCommand::Attempt { key, .. } => {
            Msg::AttemptTrouble { key, withdrawal: None, trouble: Failure::NotSent(NotSent::Busy) }
        }
    }
}

fn load<W, C: Clock>(
    journal: &mut MoneyJournal,
    request: &PageRequest,
    context: &MoneyContext<W, C>,
) -> Result<Snapshot, JournalTrouble> {
    let own_keys = context.in_flight.lock().keys.clone();
    let mut tries = 0;
    loop {
        journal.catch_up()?;
        let as_of = journal.events();
        let page = journal.page(None, request.search.clone(), request.first, request.rows)?;
        let open = journal.open_withdrawals()?;
        let elsewhere = context.others.attempts_in_flight(journal, &open, &own_keys)?;
        tries += 1;
        // The page, the open withdrawals and the attempts of other processes are read separately.
        // If another process wrote in between, read all of them again, so that they are consistent.
        if journal.events() == as_of || tries == MAX_TRIES {
            let changed = context.others.take_changes(journal, as_of)?;
            // While an outcome cannot be written, report the journal as locked, because nothing can
            // be sent.
            let locked = journal.trouble().cloned().or_else(|| context.in_flight.blocked_write());
            let network = journal.network();
            return Ok(Snapshot { page, open, elsewhere, changed, locked, network });
        }
    }
}

/// Returns the earlier withdrawals to show on the review screen of a new withdrawal.
fn past_withdrawals(
    journal: &mut MoneyJournal,
    agreement: &Agreement,
    now: Wall,
) -> Result<PastPayments, JournalTrouble> {
    let Agreement { account, amount, destination, .. } = agreement;
    let similar = journal.similar_decided(*amount, destination.as_ref(), now)?;
    let used = match destination {
        Some(key) => journal.destination(account, key)?,
        None => None,
    };
    Ok(PastPayments { similar, known_destination: used })
}

fn prepare_error(error: WriteRefused, journal: &mut MoneyJournal) -> Refused {
    match error {
        WriteRefused::Conflict(objection) => Refused::ReviewAgain(clash(objection, journal)),
        WriteRefused::Journal(trouble) => Refused::Journal(trouble),
        _ => Refused::ReviewAgain(None),
    }
}

/// Returns the conflict together with the conflicting withdrawal, so that the screen can show it.
fn clash(objection: Conflict, journal: &mut MoneyJournal) -> Option<Clash> {
    let other = journal.get(objection.other).ok().flatten().map(Box::new)?;
    Some(Clash { kind: objection.kind, other })
}

fn decide_failure(error: WriteRefused) -> Failure {
    match error {
        WriteRefused::Journal(trouble) => Failure::Journal(trouble),
        WriteRefused::Busy => Failure::NotSent(NotSent::Busy),
        _ => Failure::NotSent(NotSent::NotSafe),
    }
}

/// Returns the reply to a command that is rejected, because the journal cannot be opened or the
/// queue is full.
pub(super) fn refuse(command: MoneyCommand, failure: Failure) -> Msg {
    // A query never gets this error, because it replaces an older query and fills no queue.
    let queue_is_full = || JournalTrouble::Busy("too many questions".into());
    let trouble = failure.journal_trouble().cloned().unwrap_or_else(queue_is_full);
    match command {
        MoneyCommand::Load(request) => {
            Msg::WithdrawalsLoaded { ticket: request.ticket, result: Err(trouble) }
        }
        MoneyCommand::LookUpPast(agreement) => {
            Msg::Reviewed { key: agreement.key, past: Err(trouble) }
        }
        MoneyCommand::LoadDestinations { ticket, .. } => {
            Msg::DestinationsLoaded { ticket, result: Err(trouble) }
        }
        MoneyCommand::Find { ticket, .. } => Msg::ObjectFound { ticket, result: Err(trouble) },
        MoneyCommand::Prepare { agreement, .. } => {
            let error = match failure {
                Failure::Journal(trouble) => Refused::Journal(trouble),
                _ => Refused::ReviewAgain(None),
            };
            Msg::Prepared { key: agreement.key, result: Err(error) }
        }
        MoneyCommand::Attempt { key, .. } => {
            Msg::AttemptTrouble { key, withdrawal: None, trouble: failure }
        }
        MoneyCommand::Decide { key, .. } => Msg::Decided { key, result: Err(failure) },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::money::samples::{agreement, attempt_end, confirmed, key, open};

    #[test]
    fn unrecorded_end_is_reported_with_journal_state() {
        let dir = tempfile::tempdir().unwrap();
        let mut journal = open(dir.path());
        let stored = journal.prepare(agreement(1, 100), None).unwrap();
        let (end, trouble) = (attempt_end(9, confirmed()), JournalTrouble::Full("no room".into()));
        let report =
            Report::Unrecorded { key: key(1), n: 1, end: end.clone(), trouble: trouble.clone() };
        let msg = message_for(report, &Mutex::new(journal));
        let Msg::AttemptTrouble {
            key: reported_key,
            withdrawal: Some(withdrawal),
            trouble: failure,
        } = msg
        else {
            panic!("{msg:?}")
        };
        assert_eq!((reported_key, *withdrawal), (key(1), stored));
        assert_eq!(failure, Failure::Unrecorded { n: 1, end: Box::new(end), trouble });
    }
}
