//! Builds the money thread's replies to the app's commands and queries, and its reports about
//! attempts.

use std::sync::Arc;

use super::MoneyContext;
use super::in_flight::InFlight;
use super::journal_thread::{JournalThread, OpenJournal};
use crate::app::message::ReportRequest;
use crate::app::screens::withdrawals::draft::MAX_KNOWN;
use crate::app::store::requests::RequestObject;
use crate::app::store::withdrawals::{PastPayments, SentByTeam, Snapshot};
use crate::app::ui::list::PageRequest;
use crate::app::{MoneyCommand, Msg};
use crate::cashier::{Clock, Report};
use crate::journal::money::MoneyJournal;
use crate::runtime::clocks::MachineClocks;
use crate::runtime::journal_location::JournalLocation;
use crate::trade::report::WithdrawalFigures;
use crate::trade::withdrawal::{Blocker, NotDone, Window};
use crate::trade::{
    Agreement, Clocks, Failure, IdempotencyKey, JournalTrouble, Team, Wall, Withdrawal,
};

/// The maximum number of tries to read a list of withdrawals. A try fails if another process writes
/// to the journal at the same time. The app is notified of that write, and loads the list again.
const MAX_TRIES: u32 = 3;

/// Converts a report of the cashier to a message for the app.
pub(super) async fn message_for(report: Report, journal: &JournalThread) -> Msg {
    let (key, trouble) = match report {
        Report::AttemptBegan { key, n } => return Msg::AttemptBegan { key, n },
        Report::Settled(withdrawal) => return Msg::Settled(withdrawal),
        Report::NotBegun { key, why } => (key, why.into()),
        Report::Unrecorded {
            key,
            n,
            end,
            trouble,
        } => (
            key,
            Failure::Unrecorded {
                n,
                end: Box::new(end),
                trouble,
            },
        ),
    };
    let stored = journal
        .call(move |open| open.journal.get(key).ok().flatten())
        .await;
    Msg::AttemptTrouble {
        key,
        withdrawal: stored.ok().flatten().map(Box::new),
        trouble,
    }
}

/// The facts besides the journal that a reply depends on.
pub(super) struct ReplyContext {
    now: Clocks,
    window: Window,
    in_flight: Arc<InFlight>,
    /// The state of the connection to the team's log, and why it cannot be written now.
    team: Option<(Team, Option<JournalTrouble>)>,
}

impl ReplyContext {
    pub fn new<W, C: Clock>(
        context: &MoneyContext<W, C>,
        location: &JournalLocation,
    ) -> ReplyContext {
        let mirror = location.team_mirror();
        ReplyContext {
            team: mirror.map(|mirror| (mirror.team(), mirror.trouble())),
            now: context.clock.now(),
            window: context.window.borrow().clone(),
            in_flight: context.in_flight.clone(),
        }
    }
}

/// Carries out a command, and returns the message with its result.
pub(super) fn reply_to(
    command: MoneyCommand,
    open: &mut OpenJournal,
    context: &ReplyContext,
) -> Msg {
    let journal = &mut open.journal;
    match command {
        MoneyCommand::Load(request) => Msg::WithdrawalsLoaded {
            ticket: request.ticket,
            result: load(open, &request, context),
        },
        MoneyCommand::LookUpPast(agreement) => {
            let past = past_withdrawals(journal, &agreement, context.now.wall);
            Msg::Reviewed {
                key: agreement.key,
                past,
            }
        }
        MoneyCommand::LoadDestinations { ticket, account } => {
            let result = journal.destinations(&account, MAX_KNOWN);
            Msg::DestinationsLoaded { ticket, result }
        }
        MoneyCommand::Report(request) => Msg::WithdrawalsReported {
            ticket: request.ticket,
            result: report(journal, &request),
        },
        MoneyCommand::Find { ticket, key } => {
            let found = journal.get(key);
            let result = found.map(|found| found.map(Box::new).map(RequestObject::Withdrawal));
            Msg::ObjectFound { ticket, result }
        }
        MoneyCommand::Prepare { agreement, retyped } => {
            let key = agreement.key;
            let result = journal.prepare(*agreement, retyped);
            Msg::Prepared {
                key,
                result: result.map(Box::new),
            }
        }
        MoneyCommand::Decide { key, choice } => {
            let result = journal.decide(key, choice, &context.now, &context.window);
            if result.is_ok() {
                open.mark_last_event();
            }
            decided(key, result)
        }
        MoneyCommand::Approve { key } => {
            let result = journal.approve(key, &context.now, &context.window);
            decided(key, result)
        }
        MoneyCommand::TakeApprovalBack { key } => {
            let result = journal.take_approval_back(key, &context.now, &context.window);
            decided(key, result)
        }
        MoneyCommand::Attempt { key, .. } => {
            let trouble = Failure::Blocked(Blocker::Busy);
            Msg::AttemptTrouble {
                key,
                withdrawal: None,
                trouble,
            }
        }
    }
}

fn decided(key: IdempotencyKey, result: Result<Withdrawal, NotDone>) -> Msg {
    Msg::Decided {
        key,
        result: result.map(Box::new).map_err(Failure::from),
    }
}

fn report(
    journal: &mut MoneyJournal,
    request: &ReportRequest,
) -> Result<[WithdrawalFigures; 2], JournalTrouble> {
    let offset = request.utc_offset_s;
    Ok([
        journal.figures(request.days.span(offset))?,
        journal.figures(request.before.span(offset))?,
    ])
}

fn load(
    open_journal: &mut OpenJournal,
    request: &PageRequest,
    ReplyContext {
        now,
        in_flight,
        team,
        ..
    }: &ReplyContext,
) -> Result<Snapshot, JournalTrouble> {
    let OpenJournal {
        journal, others, ..
    } = open_journal;
    let own_keys = in_flight.flights.lock().keys.clone();
    let mut tries = 0;
    loop {
        journal.catch_up()?;
        let as_of = journal.events();
        let page = journal.page(None, request.search.clone(), request.first, request.rows)?;
        let found = journal.found_figures(&request.search)?;
        let open = journal.open_withdrawals()?;
        let elsewhere = others.attempts_in_flight(journal, &open, &own_keys)?;
        let by_team = journal.waits_for_others(&now.boot_id).into_iter();
        let by_team = by_team.map(|(wait, key, _)| SentByTeam {
            key,
            until_ms: MachineClocks::boot_ms().saturating_add(wait.as_millis() as u64),
        });
        let by_team = by_team.collect();
        tries += 1;
        // The page, the open withdrawals and the attempts of other processes are read separately.
        // If another process wrote in between, read all of them again, so that they are consistent.
        if journal.events() == as_of || tries == MAX_TRIES {
            let changed = others.take_changes(journal, as_of)?;
            // While an outcome cannot be written, report the journal as locked, because nothing can
            // be sent.
            let locked = journal
                .trouble()
                .cloned()
                .or_else(|| in_flight.blocked_write())
                .or_else(|| team.as_ref()?.1.clone());
            let network = journal.network();
            return Ok(Snapshot {
                page,
                found,
                open,
                elsewhere,
                by_team,
                changed,
                locked,
                network,
                team: team.as_ref().map(|(team, _)| team.clone()),
            });
        }
    }
}

/// The earlier withdrawals to show on the review screen of a new withdrawal.
fn past_withdrawals(
    journal: &mut MoneyJournal,
    agreement: &Agreement,
    now: Wall,
) -> Result<PastPayments, JournalTrouble> {
    // In a team, another machine may have written a moment ago.
    journal.pull()?;
    let Agreement {
        account,
        amount,
        destination,
        ..
    } = agreement;
    let similar = journal.similar_decided(*amount, destination.as_ref(), now)?;
    let used = match destination {
        Some(key) => journal.destination(account, key)?,
        None => None,
    };
    Ok(PastPayments {
        similar,
        known_destination: used,
    })
}

/// The reply to a command that is rejected, because the journal cannot be opened or the queue is
/// full.
pub(super) fn refuse(command: MoneyCommand, why: NotDone) -> Msg {
    let trouble = match &why {
        NotDone::Journal(trouble) => trouble.clone(),
        // A query is never blocked, because it replaces an older query and fills no queue.
        NotDone::Blocked(_) => JournalTrouble::Busy("too many questions".into()),
    };
    match command {
        MoneyCommand::Load(request) => Msg::WithdrawalsLoaded {
            ticket: request.ticket,
            result: Err(trouble),
        },
        MoneyCommand::LookUpPast(agreement) => Msg::Reviewed {
            key: agreement.key,
            past: Err(trouble),
        },
        MoneyCommand::LoadDestinations { ticket, .. } => Msg::DestinationsLoaded {
            ticket,
            result: Err(trouble),
        },
        MoneyCommand::Report(request) => Msg::WithdrawalsReported {
            ticket: request.ticket,
            result: Err(trouble),
        },
        MoneyCommand::Find { ticket, .. } => Msg::ObjectFound {
            ticket,
            result: Err(trouble),
        },
        MoneyCommand::Prepare { agreement, .. } => Msg::Prepared {
            key: agreement.key,
            result: Err(why),
        },
        MoneyCommand::Attempt { key, .. } => Msg::AttemptTrouble {
            key,
            withdrawal: None,
            trouble: why.into(),
        },
        MoneyCommand::Decide { key, .. }
        | MoneyCommand::Approve { key }
        | MoneyCommand::TakeApprovalBack { key } => decided(key, Err(why)),
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::mpsc;

    use super::*;
    use crate::journal::money::samples::{agreement, attempt_end, confirmed, key, open};
    use crate::runtime::inbox::Inbox;
    use crate::runtime::money::other_windows::OtherProcesses;

    #[test]
    fn unrecorded_end_is_reported_with_journal_state() {
        let dir = tempfile::tempdir().unwrap();
        let mut journal = open(dir.path());
        let stored = journal.prepare(agreement(1, 100), None).unwrap();
        let end = attempt_end(9, confirmed());
        let trouble = JournalTrouble::Full("no room".into());
        let report = Report::Unrecorded {
            key: key(1),
            n: 1,
            end: end.clone(),
            trouble: trouble.clone(),
        };
        let others = OtherProcesses::new(Inbox::new(mpsc::channel(1).0));
        let thread = JournalThread::new(OpenJournal::new(journal, others).0);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        let msg = runtime.block_on(message_for(report, &thread));
        let Msg::AttemptTrouble {
            key: reported_key,
            withdrawal: Some(withdrawal),
            trouble: failure,
        } = msg
        else {
            panic!("{msg:?}")
        };
        assert_eq!((reported_key, *withdrawal), (key(1), stored));
        assert_eq!(
            failure,
            Failure::Unrecorded {
                n: 1,
                end: Box::new(end),
                trouble
            }
        );
    }
}
