//! The money thread, which owns the journal of withdrawals and sends withdrawals through the
//! cashier.
//!
//! The thread has its own Tokio runtime, so that an attempt in flight is finished even after the
//! screen was closed or the event loop has ended. The calls of the open journal run on a second
//! thread, so that a slow call delays no attempt in flight.
//!
//! The thread also follows other balcao processes that use the same journal. A watch on the
//! journal's directory reports their writes. To notice when an attempt of another process ends, or
//! when that process dies, the thread waits for the lock that the attempt holds.

mod answers;
mod in_flight;
mod journal_thread;
mod other_windows;
#[cfg(test)]
mod tests;

use std::io;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, watch};
use tokio::task::LocalSet;

use answers::{ReplyContext, message_for, refuse, reply_to};
use in_flight::{FlightGuard, InFlight};
use journal_thread::{JournalThread, OpenJournal};
use other_windows::OtherProcesses;

use super::inbox::Inbox;
use super::journal_location::JournalLocation;
use super::newest::QuerySlots;
use super::team::TeamMirror;
use super::watch::{ChangeNotifier, Watch};
use crate::app::{MoneyCommand, Msg};
use crate::cashier::{self, Clock, Report, Wire};
use crate::journal::money::MoneyJournal;
use crate::team::Presence;
use crate::trade::withdrawal::{Blocker, NotDone, Retyped, Window};
use crate::trade::{Failure, IdempotencyKey, JournalTrouble, Withdrawal};
use crate::worker::{RejectReason, Rejected, WorkerHandle};

/// The maximum number of queued commands. Queries are not queued: each kind of query has its own
/// slot.
const QUEUE: usize = 64;

/// The pause between tries to write an outcome to the journal while another program has locked it.
///
/// The operating system does not report when the database is unlocked. During the pauses, the
/// thread answers queries.
const RETRY_PAUSE: Duration = Duration::from_secs(2);

/// The pause before the team's log is read again, if it could not be read. While there is no
/// connection, the log is read as soon as there is one.
const FOLLOW_PAUSE: Duration = Duration::from_secs(10);

/// The maximum time to wait until the journal is closed. A call of the journal may take longer.
const CLOSE_LIMIT: Duration = Duration::from_secs(1);

/// A handle to the money thread. The thread starts when the first command is submitted.
#[derive(Clone)]
pub struct MoneyWorker {
    location: Arc<JournalLocation>,
    thread: WorkerHandle<MoneyCommand>,
    queries: Arc<QuerySlots>,
    in_flight: Arc<InFlight>,
}

impl MoneyWorker {
    /// Creates the worker for the journal at `location`. The thread starts with the first command.
    /// It then locates and opens the journal.
    pub fn new<W, C>(
        location: Arc<JournalLocation>,
        wire: W,
        clock: C,
        window: watch::Receiver<Window>,
        inbox: Inbox,
        changes: Arc<ChangeNotifier>,
    ) -> MoneyWorker
    where
        W: Wire + Send + 'static,
        C: Clock + Send + 'static,
    {
        let queries = Arc::<QuerySlots>::default();
        let in_flight = Arc::<InFlight>::default();
        let query_slots = queries.clone();
        let attempts = in_flight.clone();
        let journal_location = location.clone();
        let thread = WorkerHandle::new("money", QUEUE, move |queue| {
            let work = WorkQueue {
                queue,
                queries: query_slots,
            };
            let runtime = match tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
            {
                Ok(runtime) => runtime,
                Err(error) => return reject_without_runtime(&error, work, &attempts, &inbox),
            };
            let others = OtherProcesses::new(inbox.clone());
            let in_flight = attempts;
            let context = MoneyContext {
                wire,
                clock,
                window,
                inbox,
                changes,
                in_flight,
                others,
            };
            LocalSet::new().block_on(&runtime, run(journal_location, context, work));
        });
        MoneyWorker {
            location,
            thread,
            queries,
            in_flight,
        }
    }

    pub fn location(&self) -> &Arc<JournalLocation> {
        &self.location
    }

    /// Submits a command or a query to the thread. If that fails, returns a message that reports
    /// the failure to the app.
    pub fn submit(&self, command: MoneyCommand) -> Result<(), Box<Msg>> {
        // Count the attempt before it is enqueued, because the program waits for all counted
        // attempts before it exits.
        if let MoneyCommand::Attempt { key, .. } = &command {
            self.in_flight.add(*key);
        }
        let Err(Rejected {
            item: command,
            reason,
        }) = self.enqueue(command)
        else {
            return Ok(());
        };
        if let MoneyCommand::Attempt { key, .. } = &command {
            self.in_flight.remove(*key);
        }
        let why = match reason {
            // A full queue is a temporary condition, not a fault of the journal.
            RejectReason::Full => Blocker::Busy.into(),
            RejectReason::Ended => open_error("the money thread does not answer"),
            RejectReason::NoThread(error) => open_error(&error.to_string()),
        };
        Err(Box::new(refuse(command, why)))
    }

    /// Adds a command to the queue, or puts a query into its slot. Starts the thread if it is not
    /// running.
    fn enqueue(&self, command: MoneyCommand) -> Result<(), Rejected<MoneyCommand>> {
        let Some(slot) = self.queries.slot_for(&command) else {
            return self.thread.enqueue(command);
        };
        // Fill the slot before starting the thread. If the thread is just ending, it either takes
        // this query or is started again.
        slot.put(command);
        match self.thread.start() {
            Ok(()) => self.queries.added.notify_one(),
            Err(reason) => {
                if let Some(item) = slot.take() {
                    return Err(Rejected { item, reason });
                }
            }
        }
        Ok(())
    }

    /// Closes the queue, and waits until the thread has ended and has closed all its files, but at
    /// most one second.
    ///
    /// If an attempt is in flight, this call does not wait. The attempt then continues until the
    /// process exits.
    pub fn close(&self) {
        if let Some(thread) = self.thread.close_queue()
            && !self.is_busy()
        {
            thread.wait_at_most(CLOSE_LIMIT);
        }
    }

    /// Waits until no attempt is in flight, but at most for `limit`. Returns false if attempts are
    /// still in flight.
    pub fn wait_for_attempts(&self, limit: Duration) -> bool {
        self.in_flight.wait(limit)
    }

    /// Records that the screen was closed. From then on, [`stop_waiting`](Self::stop_waiting) has
    /// an effect.
    pub fn on_screen_closed(&self) {
        self.in_flight.on_screen_closed();
    }

    /// Ends the wait of [`wait_for_attempts`](Self::wait_for_attempts) early. The attempts in
    /// flight continue until the process exits.
    pub fn stop_waiting(&self) {
        self.in_flight.stop_waiting();
    }

    pub fn is_busy(&self) -> bool {
        !self.in_flight.flights.lock().keys.is_empty()
    }

    /// The withdrawal whose attempt was the last to end, as recorded in the journal.
    pub fn last_ended(&self) -> Option<Withdrawal> {
        self.in_flight.flights.lock().last_ended.clone()
    }

    /// The outcome that could not be written to the journal, if any, with the key of its
    /// withdrawal.
    pub fn unrecorded_outcome(&self) -> Option<(IdempotencyKey, Failure)> {
        self.in_flight.flights.lock().unrecorded.clone()
    }
}

/// Rejects all commands, because the Tokio runtime of the money thread could not be created.
fn reject_without_runtime(
    error: &io::Error,
    mut work: WorkQueue,
    in_flight: &Arc<InFlight>,
    inbox: &Inbox,
) {
    let why = open_error(&error.to_string());
    // Close the queue first, so that `submit` refuses all later commands itself.
    work.queue.close();
    while let Some(command) = work.take_waiting() {
        let _guard = FlightGuard::for_command(&command, in_flight);
        inbox.send_blocking(refuse(command, why.clone()));
    }
}

fn open_error(error: &str) -> NotDone {
    NotDone::Journal(JournalTrouble::Io(error.to_owned()))
}

/// The work that waits for the money thread: queued commands, and the newest query of each kind.
struct WorkQueue {
    queue: mpsc::Receiver<MoneyCommand>,
    queries: Arc<QuerySlots>,
}

impl WorkQueue {
    /// Waits for the next command or query. Commands come first, because the reply to a query must
    /// include the effects of all commands submitted before it.
    async fn next(&mut self) -> Option<MoneyCommand> {
        tokio::select! {
            biased;
            command = self.queue.recv() => command,
            query = self.queries.next() => Some(query),
        }
    }

    /// A waiting command or query, if any, without blocking.
    fn take_waiting(&mut self) -> Option<MoneyCommand> {
        self.queue
            .try_recv()
            .ok()
            .or_else(|| self.queries.take_any())
    }
}

struct MoneyContext<W, C> {
    wire: W,
    clock: C,
    /// The rules for sending a withdrawal again. They change when the seller agrees to new settings
    /// of the API contract.
    window: watch::Receiver<Window>,
    inbox: Inbox,
    changes: Arc<ChangeNotifier>,
    in_flight: Arc<InFlight>,
    others: OtherProcesses,
}

async fn run<W: Wire + 'static, C: Clock + 'static>(
    location: Arc<JournalLocation>,
    context: MoneyContext<W, C>,
    mut work: WorkQueue,
) {
    // Open the journal only after the first command, so that it does not delay the first frame.
    let mut next = work.next().await;
    let context = Rc::new(context);
    while let Some(first) = next {
        next = match location.open(&context.inbox, &context.changes).await {
            Ok(journal) => {
                let journal = location.seed_if_empty(journal, &context.window.borrow().clone());
                serve(journal, &location, &context, first, &mut work).await
            }
            Err(trouble) => reject_all(&trouble, &context, first, &mut work).await,
        };
    }
}

/// Rejects all commands, because the journal cannot be opened.
///
/// If the problem may be temporary, returns the next `Load` command instead of replying to it. The
/// caller then tries to open the journal again.
async fn reject_all<W, C>(
    trouble: &JournalTrouble,
    context: &MoneyContext<W, C>,
    first: MoneyCommand,
    work: &mut WorkQueue,
) -> Option<MoneyCommand> {
    let mut next = Some(first);
    while let Some(command) = next {
        let _guard = FlightGuard::for_command(&command, &context.in_flight);
        context
            .inbox
            .send(refuse(command, trouble.clone().into()))
            .await;
        next = work.next().await;
        if trouble.is_transient() && matches!(next, Some(MoneyCommand::Load(_))) {
            return next;
        }
    }
    None
}

/// Carries out commands with an open journal.
///
/// If the journal has a problem that may be temporary, such as a lock held by another program,
/// returns the next `Load` command instead of replying to it. The caller then opens the journal
/// again.
async fn serve<W: Wire + 'static, C: Clock + 'static>(
    journal: MoneyJournal,
    location: &Arc<JournalLocation>,
    context: &Rc<MoneyContext<W, C>>,
    first: MoneyCommand,
    work: &mut WorkQueue,
) -> Option<MoneyCommand> {
    let is_writable = journal.trouble().is_none();
    let (open, events) = OpenJournal::new(journal, context.others.clone());
    let journal = Rc::new(JournalThread::new(open));
    if is_writable {
        let location = location.clone();
        tokio::task::spawn_local(async move { location.follow_in_vault(events).await });
    }
    // This watch reports the writes of other balcao processes until it is dropped. A temporary
    // journal is not watched, because no other process uses it and the system limits the number of
    // watches.
    let files = location.files();
    let watch = (!files.is_temporary()).then(|| Watch::start(files.dir(), context.changes.clone()));
    if let Some(Err(error)) = &watch {
        context
            .inbox
            .send(Msg::NotWatching(error.to_string()))
            .await;
    }
    let mut presence = location.team_mirror().map(TeamMirror::presence);
    let mut attempts = tokio::task::JoinSet::new();
    let mut next = Some(first);
    let mut has_handled_any = false;
    let load_command = loop {
        let command = match next.take() {
            Some(command) => command,
            None => match next_command(context, &journal, &mut presence, work).await {
                Some(command) => command,
                None => break None,
            },
        };
        if has_handled_any
            && matches!(command, MoneyCommand::Load(_))
            && journal.call(|open| open.is_temporarily_blocked()).await == Ok(true)
        {
            break Some(command);
        }
        has_handled_any = true;
        while attempts.try_join_next().is_some() {}
        if let MoneyCommand::Attempt { key, retyped } = command {
            let guard = FlightGuard(key, context.in_flight.clone());
            let context = context.clone();
            let journal = journal.clone();
            attempts.spawn_local(async move {
                let _guard = guard;
                send_attempt(key, retyped.as_ref(), &context, &journal).await;
                let _ = journal.call(|open| open.mark_last_event()).await;
            });
            continue;
        }
        let reply_context = ReplyContext::new(context, location);
        let reply = journal
            .call(move |open| reply_to(command, open, &reply_context))
            .await;
        // If the thread of the journal panicked, this thread ends too.
        let Ok(msg) = reply else { break None };
        context.inbox.send(msg).await;
    };
    // Let the attempts in flight finish, because they need the open journal.
    while attempts.join_next().await.is_some() {}
    journal.close();
    load_command
}

/// Waits for the next command. Until then, lets the app load the list again whenever another
/// process or another machine wrote to the journal.
async fn next_command<W, C>(
    context: &MoneyContext<W, C>,
    journal: &JournalThread,
    presence: &mut Option<watch::Receiver<Presence>>,
    work: &mut WorkQueue,
) -> Option<MoneyCommand> {
    let changes = &context.changes;
    loop {
        let must_load = tokio::select! {
            biased;
            command = work.next() => return command,
            () = changes.money.notified() => {
                journal.call(OpenJournal::take_unannounced_write).await.unwrap_or(true)
            }
            () = changes.team.notified() => match journal.call(OpenJournal::follow_team).await {
                Ok(followed) => {
                    if followed.must_try_again {
                        let changes = changes.clone();
                        tokio::task::spawn_local(async move {
                            tokio::time::sleep(FOLLOW_PAUSE).await;
                            changes.team.notify_one();
                        });
                    }
                    followed.must_load
                }
                Err(_) => true,
            },
            () = next_presence(presence) => true,
        };
        if must_load {
            context.inbox.send(Msg::JournalChanged).await;
        }
    }
}

/// Waits until the state of the connection to the team's log changes. Waits for ever without a
/// team.
async fn next_presence(presence: &mut Option<watch::Receiver<Presence>>) {
    if let Some(receiver) = presence
        && receiver.changed().await.is_ok()
    {
        return;
    }
    *presence = None;
    std::future::pending().await
}

async fn send_attempt<W: Wire, C: Clock>(
    key: IdempotencyKey,
    retyped: Option<&Retyped>,
    context: &MoneyContext<W, C>,
    journal: &JournalThread,
) {
    let report = async |report: Report| {
        let msg = message_for(report, journal).await;
        context.in_flight.record(&msg);
        context.inbox.post(msg);
    };
    let window = context.window.borrow().clone();
    let wire = &context.wire;
    let clock = &context.clock;
    let attempt = cashier::attempt((key, retyped), &window, journal, wire, clock, report);
    let mut unrecorded = attempt.await;
    // Retry until the outcome is recorded or the program exits, so that the outcome is not lost.
    while let Some(end) = unrecorded {
        tokio::time::sleep(RETRY_PAUSE).await;
        unrecorded = end.record(journal, report).await;
    }
}
