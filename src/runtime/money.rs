//! The money thread: the journal, and the cashier that sends.
//!
//! It is a thread of its own with a runtime of its own: an attempt in flight runs to its end when
//! the screen, or the loop behind it, is gone.
//!
//! It also notices other windows: a watch on the directory reports their writes, and a wait for
//! their lock ends with their attempt, or with the window itself.

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
use super::newest::Questions;
use super::watch::{ChangeNotifier, Watch};
use crate::app::{MoneyCommand, Msg};
use crate::cashier::{self, Clock, Report, Wire};
use crate::journal::money::MoneyJournal;
use crate::trade::withdrawal::{NotSent, Window};
use crate::trade::{Failure, IdempotencyKey, JournalTrouble, Withdrawal};
use crate::worker::{RejectReason, Rejected, WorkerHandle};

/// The commands that may wait for the money thread; questions take none of their room.
const QUEUE: usize = 64;

/// The pause before an end is written again that a busy journal did not take.
///
/// Each try blocks this thread for seconds: the pauses let it answer questions. There is no signal
/// by which another program reports that it has released a database.
const RETRY_PAUSE: Duration = Duration::from_secs(2);

/// A handle to the money thread, which starts with the first command.
#[derive(Clone)]
pub struct MoneyWorker {
    thread: WorkerHandle<MoneyCommand>,
    questions: Arc<Questions>,
    in_flight: Arc<InFlight>,
}

impl MoneyWorker {
    /// The worker of the journal at this location; nothing is started or opened yet.
    ///
    /// The location may settle its directory only when the journal is opened.
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
        let (questions, in_flight) = (Arc::<Questions>::default(), Arc::<InFlight>::default());
        let (asked, flights) = (questions.clone(), in_flight.clone());
        let thread = WorkerHandle::new("money", QUEUE, move |queue| {
            let requests = Requests { queue, questions: asked };
            let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
                Ok(runtime) => runtime,
                Err(error) => return unavailable(&error, requests, &flights, &inbox),
            };
            // Part of it never leaves this thread.
            let others = OtherWindows::new(inbox.clone());
            let in_flight = flights;
            let context = MoneyContext { wire, clock, window, inbox, changes, in_flight, others };
            LocalSet::new().block_on(&runtime, run(location, context, requests));
        });
        MoneyWorker { thread, questions, in_flight }
    }

    /// Enqueues a command or a question; the error is the answer for the app where that fails.
    pub fn submit(&self, command: MoneyCommand) -> Result<(), Box<Msg>> {
        // In flight from here on: a program that ends the next moment waits for it.
        if let MoneyCommand::Attempt(key) = &command {
            self.in_flight.begins(*key);
        }
        let Err(Rejected { item: command, reason }) = self.enqueue(command) else { return Ok(()) };
        if let MoneyCommand::Attempt(key) = &command {
            self.in_flight.ends(*key);
        }
        let failure = match reason {
            // The journal itself is in order.
            RejectReason::Full => Failure::NotSent(NotSent::Busy),
            RejectReason::Ended => unopened("the money thread does not answer"),
            RejectReason::NoThread(error) => unopened(&error.to_string()),
        };
        Err(Box::new(refuse(command, failure)))
    }

    /// Enqueues a command, or puts a question in its slot; the first one starts the thread.
    fn enqueue(&self, command: MoneyCommand) -> Result<(), Rejected<MoneyCommand>> {
        let Some(newest) = self.questions.of_kind(&command) else {
            return self.thread.enqueue(command);
        };
        // Put in first: a thread that is about to end has taken it, or is seen to have ended.
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

    /// Accepts no more commands, and waits for the end of the thread: nothing is open after that.
    ///
    /// It does not wait while an attempt is in flight, which goes on after the program gave it up.
    pub fn close(&self) {
        if let Some(thread) = self.thread.close_queue()
            && !self.is_busy()
        {
            // A panic there was reported where it happened.
            let _ = thread.join();
        }
    }

    /// Waits until no attempt is in flight, but no longer than the limit; returns true if none is.
    pub fn finish(&self, limit: Duration) -> bool {
        self.in_flight.wait(limit)
    }

    /// Notes that the screen was left: from now on a wish to give up counts.
    pub fn leave(&self) {
        self.in_flight.leave();
    }

    /// Ends the waiting after the screen was left; the attempts go on for as long as they can.
    pub fn give_up(&self) {
        self.in_flight.give_up();
    }

    /// Returns true while an attempt is in flight.
    pub fn is_busy(&self) -> bool {
        !self.in_flight.lock().keys.is_empty()
    }

    /// The withdrawal whose attempt ended last, as the journal has it.
    pub fn ended(&self) -> Option<Withdrawal> {
        self.in_flight.lock().ended.clone()
    }

    /// The end of an attempt that is not in the journal, and that only this program knows.
    pub fn unrecorded(&self) -> Option<(IdempotencyKey, Failure)> {
        self.in_flight.lock().unrecorded.clone()
    }
}

/// Refuses the commands of a thread that has no runtime for its tasks.
fn unavailable(
    error: &io::Error,
    mut requests: Requests,
    in_flight: &Arc<InFlight>,
    inbox: &Inbox,
) {
    let trouble = unopened(&error.to_string());
    // Closed first: later commands are refused where they are submitted.
    requests.queue.close();
    while let Some(command) = requests.waiting() {
        let _ends = FlightGuard::of(&command, in_flight);
        inbox.send_blocking(refuse(command, trouble.clone()));
    }
}

/// The failure of a command whose journal was not opened.
fn unopened(why: &str) -> Failure {
    Failure::Journal(JournalTrouble::Io(why.to_owned()))
}

/// The requests that wait for the money thread: commands in a queue, and the newest questions.
struct Requests {
    queue: mpsc::Receiver<MoneyCommand>,
    questions: Arc<Questions>,
}

impl Requests {
    /// Waits for the next request. Commands go before questions: an answer must include the
    /// commands that were submitted before it.
    async fn next(&mut self) -> Option<MoneyCommand> {
        tokio::select! {
            biased;
            command = self.queue.recv() => command,
            question = self.questions.next() => Some(question),
        }
    }

    /// The next request that waits already, if there is one.
    fn waiting(&mut self) -> Option<MoneyCommand> {
        self.queue.try_recv().ok().or_else(|| self.questions.waiting())
    }
}

/// The parts that every command needs.
struct MoneyContext<W, C> {
    wire: W,
    clock: C,
    /// The window in force: it follows the lines of the contract that the seller agreed to.
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
    // Opened with the first command: the first frame comes before the journal is touched.
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

/// Refuses all commands while the journal cannot be opened.
///
/// Where the trouble may pass, the next `Load` is returned and not refused: the caller opens the
/// journal again for it.
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
/// The second `Load` of a journal with a trouble that may pass is returned and not answered: the
/// caller opens the journal again for it. Another program held it, or another journal became the
/// live one.
async fn serve<W: Wire + 'static, C: Clock + 'static>(
    journal: MoneyJournal,
    location: &Arc<JournalLocation>,
    context: &Rc<MoneyContext<W, C>>,
    first: MoneyCommand,
    requests: &mut Requests,
) -> Option<MoneyCommand> {
    let journal = Rc::new(Mutex::new(journal));
    // Writes of other windows are heard of until this is dropped.
    let watch = Watch::start(&location.named_dir(), context.changes.clone());
    if let Err(error) = &watch {
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
        if let MoneyCommand::Attempt(key) = command {
            let ends = FlightGuard(key, context.in_flight.clone());
            let (context, journal) = (context.clone(), journal.clone());
            attempts.spawn_local(async move {
                let _ends = ends;
                send(key, &context, &journal).await;
            });
        } else {
            let msg = answer(command, &journal, context);
            if matches!(msg, Msg::Prepared { result: Ok(_), .. }) && !is_marked {
                // Once in a window: a locked keyring would show its prompt at every withdrawal. A
                // vault that cannot keep the marker is no reason to stop.
                is_marked = true;
                let location = location.clone();
                tokio::task::spawn_local(async move { location.remember_in_vault().await });
            }
            context.inbox.send(msg).await;
        }
    };
    // The screen is gone; attempts in flight come to their end first.
    while attempts.join_next().await.is_some() {}
    again
}

fn may_pass(journal: &Mutex<MoneyJournal>) -> bool {
    let journal = journal.lock().unwrap_or_else(PoisonError::into_inner);
    journal.trouble().is_some_and(JournalTrouble::may_pass)
}

async fn send<W: Wire, C: Clock>(
    key: IdempotencyKey,
    context: &MoneyContext<W, C>,
    journal: &Mutex<MoneyJournal>,
) {
    let report = |report: Report| {
        let wrote = matches!(report, Report::Began { .. } | Report::Settled(_));
        let msg = reported(report, journal);
        if wrote {
            context.others.note_own_write(&journal.lock().unwrap_or_else(PoisonError::into_inner));
        }
        context.in_flight.hear(&msg);
        context.inbox.post(msg);
    };
    let window = context.window.borrow().clone();
    let sent = cashier::attempt(key, &window, journal, &context.wire, &context.clock, report);
    let mut unwritten = sent.await;
    // Tried for as long as the program runs: only a person who leaves it ends that.
    while let Some(end) = unwritten {
        tokio::time::sleep(RETRY_PAUSE).await;
        unwritten = end.write_down(journal, report);
    }
}
