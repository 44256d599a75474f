//! The money thread: the journal, and the cashier that sends.
//!
//! It is a thread of its own with a runtime of its own, so that an attempt in flight runs to its
//! end when the screen, or the loop behind it, is gone.
//!
//! It also hears of other windows: of what they wrote by the watch on the directory, and of an
//! attempt that ended or died there by waiting for its lock.

mod answers;
mod elsewhere;
mod in_flight;
mod questions;
#[cfg(test)]
mod tests;
mod window_now;

use std::cell::RefCell;
use std::io;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::task::LocalSet;

use answers::{answer, no_room, refuse, reported};
use elsewhere::Others;
use in_flight::{Ends, InFlight};
use questions::Questions;
pub use window_now::WindowNow;

use super::place::Place;
use super::watch::{ChangeNotifier, Watch};
use super::world::Inbox;
use crate::app::Msg;
use crate::app::list::Ask;
use crate::cashier::{self, Clock, Report, Wire};
use crate::journal::money::MoneyJournal;
use crate::trade::withdrawal::{Choice, Retyped};
use crate::trade::{
    Account, Agreement, Failure, IdempotencyKey, JournalTrouble, OtherJournal, Ticket, Withdrawal,
};
use crate::worker::{RejectReason, Rejected, WorkerHandle};

/// The orders that may wait for the money thread; questions take no room of theirs.
const QUEUE: usize = 64;

/// How long after a try the next one is made to write down what a journal in use did not take.
///
/// Each try keeps this thread waiting for seconds: in between it answers whoever asks. That
/// somebody let go of a database is told by nobody.
const AGAIN: Duration = Duration::from_secs(2);

/// Something the money thread is to do: the effects that are about the money journal.
///
/// A type of its own, so that the thread's answers are complete: there is no effect of another kind
/// that it would have to drop, with nobody hearing of it.
pub enum Order {
    /// Load a window of withdrawals.
    Load(Ask),
    /// Look for what a review of this agreement should mention.
    LookUpPast(Box<Agreement>),
    /// Load the destinations that withdrawals of this account were paid to.
    LoadDestinations {
        /// The question.
        ticket: Ticket,
        /// Whose.
        account: Account,
    },
    /// Make an agreement durable.
    Prepare {
        /// What was agreed.
        agreement: Box<Agreement>,
        /// The amount as it was typed again, and what that answers.
        retyped: Option<Retyped>,
    },
    /// Send.
    Attempt(IdempotencyKey),
    /// Write a person's decision down.
    Decide {
        /// Which.
        key: IdempotencyKey,
        /// What.
        choice: Choice,
    },
}

/// A way to the money thread, which starts with the first order.
#[derive(Clone)]
pub struct MoneyWorker {
    thread: WorkerHandle<Order>,
    questions: Arc<Questions>,
    in_flight: Arc<InFlight>,
}

impl MoneyWorker {
    /// The worker of this place; nothing is started or opened yet.
    ///
    /// Which directory that is may be found out only when it is opened.
    pub fn new<W, C>(
        place: Arc<Place>,
        wire: W,
        clock: C,
        window: impl Into<WindowNow>,
        inbox: Inbox,
        changes: Arc<ChangeNotifier>,
    ) -> MoneyWorker
    where
        W: Wire + Send + 'static,
        C: Clock + Send + 'static,
    {
        let (questions, in_flight) = (Arc::<Questions>::default(), Arc::<InFlight>::default());
        let (asked, flights, window) = (questions.clone(), in_flight.clone(), window.into());
        let thread = WorkerHandle::new("money", QUEUE, move |queue| {
            let requests = Requests { queue, questions: asked };
            let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
                Ok(runtime) => runtime,
                Err(error) => return unavailable(&error, requests, &flights, &inbox),
            };
            // Part of it never leaves this thread.
            let others = Others::new(inbox.clone());
            let (in_flight, beside) = (flights, RefCell::default());
            let context =
                Context { wire, clock, window, inbox, changes, in_flight, others, beside };
            LocalSet::new().block_on(&runtime, run(place, context, requests));
        });
        MoneyWorker { thread, questions, in_flight }
    }

    /// Gives an order, or asks; what the app is to hear when the money thread cannot take it.
    pub fn order(&self, order: Order) -> Result<(), Box<Msg>> {
        // In flight from here on: whoever leaves the next moment waits for it.
        if let Order::Attempt(key) = &order {
            self.in_flight.begins(*key);
        }
        let Err(Rejected { item: order, reason }) = self.enqueue(order) else { return Ok(()) };
        if let Order::Attempt(key) = &order {
            self.in_flight.ends(*key);
        }
        Err(Box::new(match reason {
            RejectReason::Full => no_room(order),
            RejectReason::Ended => refuse(order, &gone()),
            RejectReason::NoThread(error) => refuse(order, &JournalTrouble::Io(error.to_string())),
        }))
    }

    /// Hands an order or a question in; the first one starts the thread.
    fn enqueue(&self, order: Order) -> Result<(), Rejected<Order>> {
        let Some(newest) = self.questions.of_kind(&order) else {
            return self.thread.enqueue(order);
        };
        // Asked first: a thread that is about to end has either taken it, or is seen to have ended.
        newest.ask(order);
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

    /// Takes no more orders, and waits for the end of the thread: nothing is open any more then.
    ///
    /// An attempt that nobody waits for any more is not waited for here either.
    pub fn close(&self) {
        if let Some(thread) = self.thread.close_queue()
            && !self.is_busy()
        {
            // A panic there was reported where it happened.

            let _ = thread.join();
        }
    }

    /// Waits until no attempt is in flight, at most so long; whether that is so now.
    pub fn finish(&self, limit: Duration) -> bool {
        self.in_flight.wait(limit)
    }

    /// Notes that the screen was left: from now on who gives up is heard.
    pub fn leave(&self) {
        self.in_flight.leave();
    }

    /// Ends the waiting after the screen was left; the attempts go on for as long as they can.
    pub fn give_up(&self) {
        self.in_flight.give_up();
    }

    /// Whether an attempt is in flight.
    pub fn is_busy(&self) -> bool {
        !self.in_flight.lock().keys.is_empty()
    }

    /// The withdrawal whose attempt ended last, as the journal has it.
    pub fn ended(&self) -> Option<Withdrawal> {
        self.in_flight.lock().ended.clone()
    }

    /// How an attempt ended that nobody but this program knows of.
    pub fn unrecorded(&self) -> Option<(IdempotencyKey, Failure)> {
        self.in_flight.lock().unrecorded.clone()
    }
}

/// Refuses what was asked of a thread that has nothing to run its tasks with.
fn unavailable(
    error: &io::Error,
    mut requests: Requests,
    in_flight: &Arc<InFlight>,
    inbox: &Inbox,
) {
    let trouble = JournalTrouble::Io(error.to_string());
    // Closed first: what comes from now on is refused where it is ordered.
    requests.queue.close();
    while let Some(order) = requests.waiting() {
        let _ends = Ends::of(&order, in_flight);
        inbox.send_blocking(refuse(order, &trouble));
    }
}

/// What is wrong with a journal whose thread has ended.
fn gone() -> JournalTrouble {
    JournalTrouble::Io("the money thread does not answer".into())
}

/// What waits for the money thread: orders in a queue, and the newest questions.
struct Requests {
    queue: mpsc::Receiver<Order>,
    questions: Arc<Questions>,
}

impl Requests {
    /// The next; orders go before questions, so that an answer knows what was ordered before it.
    async fn next(&mut self) -> Option<Order> {
        tokio::select! {
            biased;
            order = self.queue.recv() => order,
            question = self.questions.next() => Some(question),
        }
    }

    /// The next that waits already, if one does.
    fn waiting(&mut self) -> Option<Order> {
        self.queue.try_recv().ok().or_else(|| self.questions.waiting())
    }
}

/// What every order needs.
struct Context<W, C> {
    wire: W,
    clock: C,
    window: WindowNow,
    inbox: Inbox,
    changes: Arc<ChangeNotifier>,
    in_flight: Arc<InFlight>,
    others: Others,
    /// The journals beside this one that hold new withdrawals back, as they were looked at last.
    beside: RefCell<Option<Arc<[OtherJournal]>>>,
}

impl<W, C: Clock> Context<W, C> {
    /// The journals beside this one that hold new withdrawals back.
    ///
    /// Looked at anew only while there are any: nothing is added to them any more.
    fn beside(&self, place: &Place) -> Arc<[OtherJournal]> {
        let mut known = self.beside.borrow_mut();
        if known.as_ref().is_none_or(|known| !known.is_empty()) {
            *known = Some(place.holding_back(self.clock.now().wall).into());
        }
        known.clone().unwrap_or_default()
    }
}

async fn run<W: Wire + 'static, C: Clock + 'static>(
    place: Arc<Place>,
    context: Context<W, C>,
    mut requests: Requests,
) {
    // Opened with the first order: the first frame comes before the journal is touched.
    let mut next = requests.next().await;
    let context = Rc::new(context);
    while let Some(first) = next {
        next = match place.open(context.clock.now().wall, &context.inbox).await {
            Ok(journal) => serve(journal, &place, &context, first, &mut requests).await,
            Err(trouble) => reject_all(&trouble, &context, first, &mut requests).await,
        };
    }
}

/// Refuses all orders while the journal cannot be opened.
///
/// Where the trouble may pass, the next wish to read is given back: the journal is opened again.
async fn reject_all<W, C>(
    trouble: &JournalTrouble,
    context: &Context<W, C>,
    first: Order,
    requests: &mut Requests,
) -> Option<Order> {
    let mut next = Some(first);
    while let Some(order) = next {
        let _ends = Ends::of(&order, &context.in_flight);
        context.inbox.send(refuse(order, trouble)).await;
        next = requests.next().await;
        if trouble.may_pass() && matches!(next, Some(Order::Load(_))) {
            return next;
        }
    }
    None
}

/// Does what is ordered with an open journal.
///
/// One that somebody held is open to be read only; the next wish to read it is given back.
async fn serve<W: Wire + 'static, C: Clock + 'static>(
    journal: MoneyJournal,
    place: &Place,
    context: &Rc<Context<W, C>>,
    first: Order,
    requests: &mut Requests,
) -> Option<Order> {
    let may_pass = journal.trouble().is_some_and(JournalTrouble::may_pass);
    let journal = Rc::new(Mutex::new(journal));
    let _watch = watch(place, context).await;
    if journal.lock().is_ok_and(|journal| journal.events() > 0) {
        // One of an earlier build, or one that was brought back.
        let _ = place.remember();
    }
    let mut attempts = tokio::task::JoinSet::new();
    let (mut next, mut is_marked) = (Some(first), false);
    let mut was_read = false;
    let again = loop {
        let order = tokio::select! {
            biased;
            order = take(&mut next, requests) => order,
            () = context.changes.money.notified() => {
                if context.others.wrote(&journal) {
                    context.inbox.send(Msg::JournalChanged).await;
                }
                continue;
            }
        };
        let Some(order) = order else { break None };
        if may_pass && was_read && matches!(order, Order::Load(_)) {
            break Some(order);
        }
        was_read = true;
        while attempts.try_join_next().is_some() {}
        if let Order::Attempt(key) = order {
            let ends = Ends(key, context.in_flight.clone());
            let (context, journal) = (context.clone(), journal.clone());
            attempts.spawn_local(async move {
                let _ends = ends;
                send(key, &context, &journal).await;
            });
        } else {
            let msg = answer(order, &journal, context, place);
            if matches!(msg, Msg::Prepared { result: Ok(_), .. }) && !is_marked {
                is_marked = true;
                mark(place);
            }
            context.inbox.send(msg).await;
        }
    };
    // The screen is gone; what is in flight comes to its end first.
    while attempts.join_next().await.is_some() {}
    again
}

async fn take(next: &mut Option<Order>, requests: &mut Requests) -> Option<Order> {
    match next.take() {
        Some(order) => Some(order),
        None => requests.next().await,
    }
}

/// Has the vault remember that there is a journal; a vault that cannot is no reason to stop.
///
/// Done once in a window: a locked keyring would show its prompt at every withdrawal.
fn mark(place: &Place) {
    let (vault, marker) = (place.vault(), place.names().swap_remove(0));
    tokio::task::spawn_local(async move {
        let _ = vault.put_marker(&marker).await;
    });
}

/// Listens to what other windows write, as long as it is held.
async fn watch<W, C>(place: &Place, context: &Context<W, C>) -> Option<Watch> {
    match Watch::start(&place.named_dir(), context.changes.clone()) {
        Ok(watch) => Some(watch),
        Err(error) => {
            context.inbox.send(Msg::NotWatching(error.to_string())).await;
            None
        }
    }
}

async fn send<W: Wire, C: Clock>(
    key: IdempotencyKey,
    context: &Context<W, C>,
    journal: &Mutex<MoneyJournal>,
) {
    let report = |report: Report| {
        let wrote = matches!(report, Report::Began { .. } | Report::Settled(_));
        let msg = reported(report, journal);
        if wrote {
            context.others.told_own(&journal.lock().unwrap_or_else(PoisonError::into_inner));
        }
        context.in_flight.hear(&msg);
        context.inbox.tell(msg);
    };
    let window = context.window.get();
    let sent = cashier::attempt(key, &window, journal, &context.wire, &context.clock, report);
    let mut unwritten = sent.await;
    // For as long as the program runs: what ends the waiting is whoever leaves, in their own time.
    while let Some(end) = unwritten {
        tokio::time::sleep(AGAIN).await;
        unwritten = end.write_down(journal, report);
    }
}
