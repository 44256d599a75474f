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
use std::rc::Rc;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError::{self, Closed, Full};
use tokio::task::LocalSet;

use answers::{answer, no_room, refuse, reported};
use elsewhere::Others;
use in_flight::{Ends, InFlight};
use questions::Questions;
pub use window_now::WindowNow;

use super::place::Place;
use super::watch::{Bells, Watch};
use super::world::Inbox;
use crate::app::Msg;
use crate::app::list::Ask;
use crate::cashier::{self, Clock, Report, Wire};
use crate::journal::money::MoneyJournal;
use crate::trade::withdrawal::{Decision, Retyped};
use crate::trade::{
    Account, Agreement, Failure, IdempotencyKey, JournalTrouble, OtherJournal, Ticket, Withdrawal,
};

/// The orders that may wait for the money thread; questions take no room of theirs.
const QUEUE: usize = 64;

/// How long after a try the next one is made to write down what a journal in use did not take.
///
/// Each try keeps this thread waiting for seconds: in between it answers whoever asks. That
/// somebody let go of a database is told by nobody.
const AGAIN: Duration = Duration::from_secs(2);

/// Something the money thread is to do.
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
        choice: Decision,
    },
}

/// A way to the money thread, which starts with the first order.
#[derive(Clone)]
pub struct Till {
    door: Arc<Mutex<Door>>,
    questions: Arc<Questions>,
    in_flight: Arc<InFlight>,
}

/// The way in, and the thread behind it.
struct Door {
    /// None once the till is closed.
    orders: Option<mpsc::Sender<Order>>,
    /// None once it has started.
    start: Option<Start>,
    thread: Option<JoinHandle<()>>,
}

type Start = Box<dyn FnOnce() -> Option<JoinHandle<()>> + Send>;

impl Till {
    /// A till of this place; nothing is started or opened yet.
    ///
    /// Which directory that is may be found out only when it is opened.
    pub fn new<W, C>(
        place: Arc<Place>,
        wire: W,
        clock: C,
        window: impl Into<WindowNow>,
        inbox: Inbox,
        bells: Arc<Bells>,
    ) -> Till
    where
        W: Wire + Send + 'static,
        C: Clock + Send + 'static,
    {
        let (orders, queue) = mpsc::channel(QUEUE);
        let questions = Arc::new(Questions::default());
        let line = Line { queue, questions: questions.clone() };
        let in_flight = Arc::new(InFlight::default());
        let (flights, told) = (in_flight.clone(), inbox.clone());
        let window = window.into();
        let furnish = move || {
            let others = Others::new(inbox.clone());
            let beside = RefCell::default();
            Room { wire, clock, window, inbox, bells, in_flight: flights, others, beside }
        };
        let start: Start = Box::new(move || start(place, furnish, line, told));
        let door = Door { orders: Some(orders), start: Some(start), thread: None };
        Till { door: Arc::new(Mutex::new(door)), questions, in_flight }
    }

    /// Gives an order, or asks; what the app is to hear when the money thread cannot take it.
    pub fn order(&self, order: Order) -> Result<(), Box<Msg>> {
        // In flight from here on: whoever leaves the next moment waits for it.
        if let Order::Attempt(key) = &order {
            self.in_flight.begins(*key);
        }
        let given = self.door().give(order, &self.questions);
        if let Err(Full(Order::Attempt(key)) | Closed(Order::Attempt(key))) = &given {
            self.in_flight.ends(*key);
        }
        given.map_err(|not_given| {
            Box::new(match not_given {
                Full(order) => no_room(order),
                Closed(order) => refuse(order, &gone()),
            })
        })
    }

    /// Takes no more orders, and waits for the end of the thread: nothing is open any more then.
    ///
    /// An attempt that nobody waits for any more is not waited for here either.
    pub fn close(&self) {
        let thread = {
            let mut door = self.door();
            (door.orders, door.start) = (None, None);
            door.thread.take()
        };
        if let Some(thread) = thread
            && !self.is_busy()
        {
            // A panic there was told where it happened.
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

    fn door(&self) -> MutexGuard<'_, Door> {
        self.door.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Door {
    /// Hands an order or a question in; the first one starts the thread.
    fn give(&mut self, order: Order, questions: &Questions) -> Result<(), TrySendError<Order>> {
        let Some(orders) = &self.orders else { return Err(Closed(order)) };
        let given = match questions.of_kind(&order) {
            None => orders.try_send(order),
            Some(_) if orders.is_closed() => Err(Closed(order)),
            Some(newest) => {
                newest.ask(order);
                questions.asked.notify_one();
                Ok(())
            }
        };
        if let Some(start) = self.start.take() {
            self.thread = start();
        }
        given
    }
}

/// Starts the money thread; where the system gives none, the app hears that the journal is shut.
///
/// The room is furnished on the thread: part of what stands in it never leaves that thread.
fn start<W, C>(
    place: Arc<Place>,
    furnish: impl FnOnce() -> Room<W, C> + Send + 'static,
    line: Line,
    inbox: Inbox,
) -> Option<JoinHandle<()>>
where
    W: Wire + 'static,
    C: Clock + 'static,
{
    let (told, asked) = (inbox.clone(), line.questions.clone());
    let started = thread::Builder::new().name("money".into()).spawn(move || {
        match tokio::runtime::Builder::new_current_thread().enable_all().build() {
            Ok(runtime) => LocalSet::new().block_on(&runtime, serve(place, furnish(), line)),
            Err(error) => unavailable(&error, &line.questions, &told),
        }
    });
    started.inspect_err(|error| unavailable(error, &asked, &inbox)).ok()
}

/// Answers what was asked when there was no thread for it.
fn unavailable(error: &std::io::Error, asked: &Questions, inbox: &Inbox) {
    let trouble = JournalTrouble::Io(error.to_string());
    while let Some(question) = asked.waiting() {
        inbox.tell(refuse(question, &trouble));
    }
}

/// What is wrong with a journal whose thread has ended.
fn gone() -> JournalTrouble {
    JournalTrouble::Io("the money thread does not answer".into())
}

/// What waits for the money thread.
struct Line {
    queue: mpsc::Receiver<Order>,
    questions: Arc<Questions>,
}

impl Line {
    /// The next; orders go before questions, so that an answer knows what was ordered before it.
    async fn next(&mut self) -> Option<Order> {
        tokio::select! {
            biased;
            order = self.queue.recv() => order,
            question = self.questions.next() => Some(question),
        }
    }
}

/// What every order needs.
struct Room<W, C> {
    wire: W,
    clock: C,
    window: WindowNow,
    inbox: Inbox,
    bells: Arc<Bells>,
    in_flight: Arc<InFlight>,
    others: Others,
    /// The journals beside this one that hold new withdrawals back, as they were looked at last.
    beside: RefCell<Option<Arc<[OtherJournal]>>>,
}

impl<W, C: Clock> Room<W, C> {
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

async fn serve<W: Wire + 'static, C: Clock + 'static>(
    place: Arc<Place>,
    room: Room<W, C>,
    mut line: Line,
) {
    // Opened with the first order: the first frame comes before the journal is touched.
    let mut next = line.next().await;
    let room = Rc::new(room);
    while let Some(first) = next {
        next = match place.open(room.clock.now().wall, &room.inbox).await {
            Ok(journal) => keep(journal, &place, &room, first, &mut line).await,
            Err(trouble) => turn_away(&trouble, &room, first, &mut line).await,
        };
    }
}

/// Refuses all orders while the journal cannot be opened.
///
/// Where the trouble may pass, the next wish to read is given back: the journal is opened again.
async fn turn_away<W, C>(
    trouble: &JournalTrouble,
    room: &Room<W, C>,
    first: Order,
    line: &mut Line,
) -> Option<Order> {
    let mut next = Some(first);
    while let Some(order) = next {
        let _ends = match &order {
            Order::Attempt(key) => Some(Ends(*key, room.in_flight.clone())),
            _ => None,
        };
        room.inbox.send(refuse(order, trouble)).await;
        next = line.next().await;
        if trouble.may_pass() && matches!(next, Some(Order::Load(_))) {
            return next;
        }
    }
    None
}

/// Does what is ordered with an open journal.
///
/// One that somebody held is open to be read only; the next wish to read it is given back.
async fn keep<W: Wire + 'static, C: Clock + 'static>(
    journal: MoneyJournal,
    place: &Place,
    room: &Rc<Room<W, C>>,
    first: Order,
    line: &mut Line,
) -> Option<Order> {
    let may_pass = journal.trouble().is_some_and(JournalTrouble::may_pass);
    let journal = Rc::new(Mutex::new(journal));
    let _watch = watch(place, room).await;
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
            order = take(&mut next, line) => order,
            () = room.bells.money.notified() => {
                if room.others.wrote(&journal) {
                    room.inbox.send(Msg::JournalChanged).await;
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
            let ends = Ends(key, room.in_flight.clone());
            let (room, journal) = (room.clone(), journal.clone());
            attempts.spawn_local(async move {
                let _ends = ends;
                send(key, &room, &journal).await;
            });
        } else {
            let msg = answer(order, &journal, room, place);
            if matches!(msg, Msg::Prepared { result: Ok(_), .. }) && !is_marked {
                is_marked = true;
                mark(place);
            }
            room.inbox.send(msg).await;
        }
    };
    // The screen is gone; what is in flight comes to its end first.
    while attempts.join_next().await.is_some() {}
    again
}

async fn take(next: &mut Option<Order>, line: &mut Line) -> Option<Order> {
    match next.take() {
        Some(order) => Some(order),
        None => line.next().await,
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
async fn watch<W, C>(place: &Place, room: &Room<W, C>) -> Option<Watch> {
    match Watch::start(&place.named_dir(), room.bells.clone()) {
        Ok(watch) => Some(watch),
        Err(error) => {
            room.inbox.send(Msg::NotWatching(error.to_string())).await;
            None
        }
    }
}

async fn send<W: Wire, C: Clock>(
    key: IdempotencyKey,
    room: &Room<W, C>,
    journal: &Mutex<MoneyJournal>,
) {
    let report = |report: Report| {
        let wrote = matches!(report, Report::Began { .. } | Report::Settled(_));
        let msg = reported(report, journal);
        if wrote {
            room.others.told_own(&journal.lock().unwrap_or_else(PoisonError::into_inner));
        }
        room.in_flight.hear(&msg);
        room.inbox.tell(msg);
    };
    let window = room.window.get();
    let sent = cashier::attempt(key, &window, journal, &room.wire, &room.clock, report);
    let mut unwritten = sent.await;
    // For as long as the program runs: what ends the waiting is whoever leaves, in their own time.
    while let Some(end) = unwritten {
        tokio::time::sleep(AGAIN).await;
        unwritten = end.write_down(journal, report);
    }
}
