//! The money thread, which owns the journal of withdrawals and sends withdrawals through the
//! cashier.
//!
//! The thread has its own Tokio runtime, so that an attempt in flight is finished even after the
//! screen was closed or the event loop has ended.
//!
//! The thread also follows other balcao processes that use the same journal. A watch on the
//! journal's directory reports their writes. To notice when an attempt of another process ends, or
//! when that process dies, the thread waits for the lock that the attempt holds.

mod answers;
mod in_flight;
mod other_windows;
#[cfg(test)]
mod tests;

use std::io;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{mpsc, watch};
use tokio::task::LocalSet;

use answers::{answer, refuse, reported};
use in_flight::{FlightGuard, InFlight};
use other_windows::OtherWindows;

use super::inbox::Inbox;
use super::journal_location::JournalLocation;
use super::newest::QuerySlots;
use super::watch::{ChangeNotifier, Watch};
use crate::app::{MoneyCommand, Msg};
use crate::cashier::{self, Clock, Report, Wire};
use crate::journal::money::MoneyJournal;
use crate::trade::withdrawal::{NotSent, Retyped, Window};
use crate::trade::{Failure, IdempotencyKey, JournalTrouble, Withdrawal};
use crate::worker::{RejectReason, Rejected, WorkerHandle};

/// The maximum number of queued commands. Queries are not queued: each kind of query has its own
/// slot.
const QUEUE: usize = 64;

/// The pause between tries to write an outcome to the journal while another program has locked it.
///
/// The write is retried because the operating system does not report when the database is unlocked.
/// Each try blocks this thread for seconds. During the pauses, the thread answers queries.
const RETRY_PAUSE: Duration = Duration::from_secs(2);

/// A handle to the money thread. The thread starts when the first command is submitted.
#[derive(Clone)]
pub struct MoneyWorker {
    location: Arc<JournalLocation>,
    thread: WorkerHandle<MoneyCommand>,
    questions: Arc<QuerySlots>,
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
        let (questions, in_flight) = (Arc::<QuerySlots>::default(), Arc::<InFlight>::default());
        let (asked, flights) = (questions.clone(), in_flight.clone());
        let place = location.clone();
        let thread = WorkerHandle::new("money", QUEUE, move |queue| {
            let requests = Requests { queue, questions: asked };
            let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
                Ok(runtime) => runtime,
                Err(error) => return unavailable(&error, requests, &flights, &inbox),
            };
            // Create `OtherWindows` on this thread, because it cannot be sent between threads.
            let others = OtherWindows::new(inbox.clone());
            let in_flight = flights;
            let context = MoneyContext { wire, clock, window, inbox, changes, in_flight, others };
            LocalSet::new().block_on(&runtime, run(place, context, requests));
        });
        MoneyWorker { location, thread, questions, in_flight }
    }

    pub fn location(&self) -> &Arc<JournalLocation> {
        &self.location
    }

    /// Submits a command or a query to the thread. If that fails, returns the reply that the app
    /// gets instead.
    pub fn submit(&self, command: MoneyCommand) -> Result<(), Box<Msg>> {
        // Count the attempt before it is enqueued, because the program waits for all counted
        // attempts before it exits.
        if let MoneyCommand::Attempt { key, .. } = &command {
            self.in_flight.begins(*key);
        }
        let Err(Rejected { item: command, reason }) = self.enqueue(command) else { return Ok(()) };
        if let MoneyCommand::Attempt { key, .. } = &command {
            self.in_flight.ends(*key);
        }
        let failure = match reason {
            // A full queue is a temporary condition, not a fault of the journal.
            RejectReason::Full => Failure::NotSent(NotSent::Busy),
            RejectReason::Ended => unopened("the money thread does not answer"),
            RejectReason::NoThread(error) => unopened(&error.to_string()),
        };
        Err(Box::new(refuse(command, failure)))
    }

    /// Adds a command to the queue, or puts a query into its slot. Starts the thread if it is not
    /// running.
    fn enqueue(&self, command: MoneyCommand) -> Result<(), Rejected<MoneyCommand>> {
        let Some(newest) = self.questions.of_kind(&command) else {
            return self.thread.enqueue(command);
        };
        // Fill the slot before starting the thread. If the thread is just ending, it either takes
        // this query or is started again.
        newest.put(command);
        match self.thread.start() {
            Ok(()) => self.questions.asked.notify_one(),
            Err(reason) => {
                if let Some(item) = newest.take() {
                    return Err(Rejected { item, reason });
                }
            }
        }
        Ok(())
    }

    /// Closes the queue, and waits until the thread has ended and has closed all its files.
    ///
    /// If an attempt is in flight, this call does not wait. The attempt then continues until the
    /// process exits.
    pub fn close(&self) {
        if let Some(thread) = self.thread.close_queue()
            && !self.is_busy()
        {
            // Ignore an error, because a panic of the thread has already been reported.
            let _ = thread.join();
        }
    }

    /// Waits until no attempt is in flight, but at most for `limit`. Returns false if the wait
    /// ended before that.
    pub fn finish(&self, limit: Duration) -> bool {
        self.in_flight.wait(limit)
    }

    /// Records that the screen was closed. From then on, [`give_up`](Self::give_up) has an effect.
    pub fn leave(&self) {
        self.in_flight.leave();
    }

    /// Ends the wait of [`finish`](Self::finish) early. The attempts in flight continue until the
    /// process exits.
    pub fn give_up(&self) {
        self.in_flight.give_up();
    }

    pub fn is_busy(&self) -> bool {
        !self.in_flight.lock().keys.is_empty()
    }

    /// Returns the withdrawal whose attempt was the last to end, as recorded in the journal.
    pub fn ended(&self) -> Option<Withdrawal> {
        self.in_flight.lock().ended.clone()
    }

    /// Returns the outcome that could not be written to the journal, if any, with the key of its
    /// withdrawal.
    pub fn unrecorded(&self) -> Option<(IdempotencyKey, Failure)> {
        self.in_flight.lock().unrecorded.clone()
    }
}

/// Rejects all commands, because the Tokio runtime of the money thread could not be created.
fn unavailable(
    error: &io::Error,
    mut requests: Requests,
    in_flight: &Arc<InFlight>,
    inbox: &Inbox,
) {
    let trouble = unopened(&error.to_string());
    // Close the queue first, so that `submit` refuses all later commands itself.
    requests.queue.close();
    while let Some(command) = requests.waiting() {
        let _ends = FlightGuard::of(&command, in_flight);
        inbox.send_blocking(refuse(command, trouble.clone()));
    }
}

/// Returns the failure to report for a command if the journal could not be opened.
fn unopened(why: &str) -> Failure {
    Failure::Journal(JournalTrouble::Io(why.to_owned()))
}

/// The work that waits for the money thread: queued commands, and the newest query of each kind.
struct Requests {
    queue: mpsc::Receiver<MoneyCommand>,
    questions: Arc<QuerySlots>,
}

impl Requests {
    /// Waits for the next command or query. Commands come first, because the reply to a query must
    /// include the effects of all commands submitted before it.
    async fn next(&mut self) -> Option<MoneyCommand> {
        tokio::select! {
            biased;
            command = self.queue.recv() => command,
            question = self.questions.next() => Some(question),
        }
    }

    /// Returns a waiting command or query, if any, without blocking.
    fn waiting(&mut self) -> Option<MoneyCommand> {
        self.queue.try_recv().ok().or_else(|| self.questions.waiting())
    }
}

struct MoneyContext<W, C> {
    wire: W,
    clock: C,
    /// How long a withdrawal may be sent again. This changes when the seller agrees to new settings
    /// of the API contract.
    window: watch::Receiver<Window>,
    inbox: Inbox,
    changes: Arc<ChangeNotifier>,
    in_flight: Arc<InFlight>,
    others: OtherWindows,
}

async fn run<W: Wire + 'static, C: Clock + 'static>(
    location: Arc<JournalLocation>,
    context: MoneyContext<W, C>,
    mut requests: Requests,
) {
    // Wait for the first command before opening the journal, so that the first frame is drawn
    // before.
    let mut next = requests.next().await;
    let context = Rc::new(context);
    while let Some(first) = next {
        next = match location.open(&context.inbox).await {
            Ok(journal) => {
                let journal = location.begin(journal, &context.window.borrow().clone());
                serve(journal, &location, &context, first, &mut requests).await
            }
            Err(trouble) => reject_all(&trouble, &context, first, &mut requests).await,
        };
    }
}

/// Rejects all commands, because the journal cannot be opened.
///
/// If the problem may be temporary, returns the next `Load` command without a reply. The caller
/// then tries to open the journal again.
async fn reject_all<W, C>(
    trouble: &JournalTrouble,
    context: &MoneyContext<W, C>,
    first: MoneyCommand,
    requests: &mut Requests,
) -> Option<MoneyCommand> {
    let mut next = Some(first);
    while let Some(command) = next {
        let _ends = FlightGuard::of(&command, &context.in_flight);
        context.inbox.send(refuse(command, Failure::Journal(trouble.clone()))).await;
        next = requests.next().await;
        if trouble.may_pass() && matches!(next, Some(MoneyCommand::Load(_))) {
            return next;
        }
    }
    None
}

/// Carries out commands with an open journal.
///
/// If the journal has a problem that may be temporary, such as a lock held by another program,
/// returns the next `Load` command without a reply. The caller then opens the journal again.
async fn serve<W: Wire + 'static, C: Clock + 'static>(
    journal: MoneyJournal,
    location: &Arc<JournalLocation>,
    context: &Rc<MoneyContext<W, C>>,
    first: MoneyCommand,
    requests: &mut Requests,
) -> Option<MoneyCommand> {
    let journal = Rc::new(Mutex::new(journal));
    // This watch reports the writes of other balcao processes until it is dropped. A temporary
    // journal is not watched, because no other process uses it and the system limits the number of
    // watches.
    let watch = (!location.is_temporary())
        .then(|| Watch::start(&location.named_dir(), context.changes.clone()));
    if let Some(Err(error)) = &watch {
        context.inbox.send(Msg::NotWatching(error.to_string())).await;
    }
    let mut attempts = tokio::task::JoinSet::new();
    let (mut next, mut is_marked) = (Some(first), false);
    let mut was_read = false;
    let again = loop {
        let command = tokio::select! {
            biased;
            command = async {
                if next.is_some() { next.take() } else { requests.next().await }
            } => command,
            () = context.changes.money.notified() => {
                if context.others.wrote(&journal) {
                    context.inbox.send(Msg::JournalChanged).await;
                }
                continue;
            }
        };
        let Some(command) = command else { break None };
        if was_read && matches!(command, MoneyCommand::Load(_)) && may_pass(&journal) {
            break Some(command);
        }
        was_read = true;
        while attempts.try_join_next().is_some() {}
        if let MoneyCommand::Attempt { key, retyped } = command {
            let ends = FlightGuard(key, context.in_flight.clone());
            let (context, journal) = (context.clone(), journal.clone());
            attempts.spawn_local(async move {
                let _ends = ends;
                send(key, retyped.as_ref(), &context, &journal).await;
            });
        } else {
            let msg = answer(command, &journal, context);
            if matches!(msg, Msg::Prepared { result: Ok(_), .. }) && !is_marked {
                // Write the marker in the vault only once per process, because a locked keyring
                // would otherwise show a prompt at every withdrawal. Ignore errors, because
                // withdrawals work without this marker.
                is_marked = true;
                let location = location.clone();
                tokio::task::spawn_local(async move { location.remember_in_vault().await });
            }
            context.inbox.send(msg).await;
        }
    };
    // Let the attempts in flight finish, because they need the open journal.
    while attempts.join_next().await.is_some() {}
    again
}

fn may_pass(journal: &Mutex<MoneyJournal>) -> bool {
    let journal = journal.lock().unwrap_or_else(PoisonError::into_inner);
    journal.trouble().is_some_and(JournalTrouble::may_pass)
}

async fn send<W: Wire, C: Clock>(
    key: IdempotencyKey,
    retyped: Option<&Retyped>,
    context: &MoneyContext<W, C>,
    journal: &Mutex<MoneyJournal>,
) {
    let report = |report: Report| {
        let wrote = matches!(report, Report::Began { .. } | Report::Settled(_));
        let msg = reported(report, journal);
        if wrote {
            context.others.note_own_write(&journal.lock().unwrap_or_else(PoisonError::into_inner));
        }
        context.in_flight.observe(&msg);
        context.inbox.post(msg);
    };
    let window = context.window.borrow().clone();
    let (wire, clock) = (&context.wire, &context.clock);
    let sent = cashier::attempt((key, retyped), &window, journal, wire, clock, report);
    let mut unwritten = sent.await;
    // Retry until the outcome is recorded or the program exits, so that the outcome is not lost.
    while let Some(end) = unwritten {
        tokio::time::sleep(RETRY_PAUSE).await;
        unwritten = end.record(journal, report);
    }
}
