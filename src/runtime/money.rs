//! The money thread: the journal, and the cashier that sends.
//!
//! It is a thread of its own with a runtime of its own, so that an attempt in flight runs to its
//! end when the screen, or the loop behind it, is gone.
//!
//! It also hears of other windows: of what they wrote by the watch on the directory, and of an
//! attempt that ended or died there by waiting for its lock.

mod elsewhere;

use std::path::PathBuf;
use std::rc::Rc;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::task::LocalSet;

use elsewhere::Others;

use super::watch::{Bells, Watch};
use super::world::Inbox;
use crate::app::Msg;
use crate::app::list::Ask;
use crate::app::withdrawals::{Known, Past, Refused, destinations};
use crate::cashier::{self, Clock, Report, Wire};
use crate::journal::OsDisk;
use crate::journal::money::{self, BeginRefused, DecideRefused, MoneyJournal, PrepareRefused};
use crate::trade::withdrawal::{Choice, Clash, ClashKind, NotSent, Retyped, Window};
use crate::trade::{
    Account, Agreement, Failure, IdempotencyKey, JournalTrouble, Ticket, Wall, Withdrawal,
};
use crate::vault::VaultHandle;

/// The orders that may wait for the money thread.
const QUEUE: usize = 64;

/// How often a list is read until nobody wrote meanwhile; the next notice comes for the rest.
const TRIES: u32 = 3;

/// How far back a review looks for the same withdrawal.
const SIMILAR_MS: i64 = 24 * 60 * 60 * 1_000;

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
        choice: Choice,
    },
}

/// Where the money journal is, and who remembers that there was one.
pub struct Place {
    /// The directory.
    pub dir: PathBuf,
    /// Keeps a marker once there is a journal: a missing one is trouble then, never a fresh start.
    pub vault: Arc<Mutex<VaultHandle>>,
}

impl Place {
    pub(super) fn vault(&self) -> VaultHandle {
        self.vault.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The marker's name: one for each directory.
    pub(super) fn marker(&self) -> String {
        format!("journal {}", self.dir.display())
    }

    /// Opens the journal, or only to read it where it cannot be written: what is open must be seen.
    async fn open(&self) -> Result<MoneyJournal, JournalTrouble> {
        let trouble = match self.open_to_write().await {
            Err(trouble) => trouble,
            opened => return opened,
        };
        use JournalTrouble::{Damaged, Missing, Newer};
        if matches!(trouble, Damaged(_) | Missing | Newer { .. }) {
            return Err(trouble);
        }
        match MoneyJournal::open_to_read(&self.dir, trouble.clone()) {
            Ok(look) => Ok(look.journal),
            // Worse than that it cannot be written, and with another way out.
            Err(worse @ (Damaged(_) | Newer { .. })) => Err(worse),
            Err(_) => Err(trouble),
        }
    }

    /// The vault is only asked where there is no journal to be seen.
    async fn open_to_write(&self) -> Result<MoneyJournal, JournalTrouble> {
        let expected = !money::is_there(&self.dir)
            && self.vault().has_marker(&self.marker()).await.unwrap_or(false);
        MoneyJournal::open(&self.dir, OsDisk, expected)
    }
}

/// A way to the money thread, which starts with the first order.
#[derive(Clone)]
pub struct Till {
    orders: mpsc::Sender<Order>,
    start: Arc<Mutex<Option<Start>>>,
    in_flight: Arc<InFlight>,
}

type Start = Box<dyn FnOnce() + Send>;

/// The attempts in flight, for those who wait for the last of them.
#[derive(Default)]
struct InFlight {
    flights: Mutex<Flights>,
    changed: Condvar,
}

#[derive(Default)]
struct Flights {
    keys: Vec<IdempotencyKey>,
    /// As the journal has it, the one whose attempt ended last.
    ended: Option<Withdrawal>,
    /// Nobody waits any more.
    given_up: bool,
}

impl InFlight {
    fn begins(&self, key: IdempotencyKey) {
        self.change(|flights| {
            flights.keys.push(key);
            flights.ended = None;
        });
    }

    fn ends(&self, key: IdempotencyKey) {
        self.change(|flights| flights.keys.retain(|flying| *flying != key));
    }

    fn change(&self, change: impl FnOnce(&mut Flights)) {
        change(&mut self.lock());
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, Flights> {
        self.flights.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Till {
    /// A till of this place; nothing is started or opened yet.
    pub fn new<W, C>(
        place: Place,
        wire: W,
        clock: C,
        window: Window,
        inbox: Inbox,
        bells: Arc<Bells>,
    ) -> Till
    where
        W: Wire + Send + 'static,
        C: Clock + Send + 'static,
    {
        let (orders, queue) = mpsc::channel(QUEUE);
        let in_flight = Arc::new(InFlight::default());
        let (flights, told) = (in_flight.clone(), inbox.clone());
        let furnish = move || {
            let others = Others::new(inbox.clone());
            Room { wire, clock, window, inbox, bells, in_flight: flights, others }
        };
        let start: Start = Box::new(move || start(place, furnish, queue, told));
        Till { orders, start: Arc::new(Mutex::new(Some(start))), in_flight }
    }

    /// Gives an order; it comes back when the money thread cannot take it.
    pub fn order(&self, order: Order) -> Result<(), Order> {
        // In flight from here on: whoever leaves the next moment waits for it.
        if let Order::Attempt(key) = &order {
            self.in_flight.begins(*key);
        }
        let given = self.orders.try_send(order).map_err(|error| error.into_inner());
        if let Err(Order::Attempt(key)) = &given {
            self.in_flight.ends(*key);
        }
        let start = self.start.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(start) = start {
            start();
        }
        given
    }

    /// Waits until no attempt is in flight, at most so long; whether that is so now.
    pub fn finish(&self, limit: Duration) -> bool {
        let mut flights = self.in_flight.lock();
        flights.given_up = false;
        let waits = |flights: &mut Flights| !flights.keys.is_empty() && !flights.given_up;
        let waited = self.in_flight.changed.wait_timeout_while(flights, limit, waits);
        let (flights, _) = waited.unwrap_or_else(PoisonError::into_inner);
        flights.keys.is_empty()
    }

    /// Ends a waiting that is going on now; the attempts themselves go on for as long as they can.
    pub fn give_up(&self) {
        self.in_flight.change(|flights| flights.given_up = true);
    }

    /// Whether an attempt is in flight.
    pub fn is_busy(&self) -> bool {
        !self.in_flight.lock().keys.is_empty()
    }

    /// The withdrawal whose attempt ended last, as the journal has it.
    pub fn ended(&self) -> Option<Withdrawal> {
        self.in_flight.lock().ended.clone()
    }
}

/// Starts the money thread; where the system gives none, the app hears that the journal is shut.
///
/// The room is furnished on the thread: part of what stands in it never leaves that thread.
fn start<W, C>(
    place: Place,
    furnish: impl FnOnce() -> Room<W, C> + Send + 'static,
    queue: mpsc::Receiver<Order>,
    inbox: Inbox,
) where
    W: Wire + 'static,
    C: Clock + 'static,
{
    let told = inbox.clone();
    let started = thread::Builder::new().name("money".into()).spawn(move || {
        match tokio::runtime::Builder::new_current_thread().enable_all().build() {
            Ok(runtime) => LocalSet::new().block_on(&runtime, serve(place, furnish(), queue)),
            Err(error) => told.tell(unavailable(&error)),
        }
    });
    if let Err(error) = started {
        inbox.tell(unavailable(&error));
    }
}

fn unavailable(error: &std::io::Error) -> Msg {
    let result = Err(JournalTrouble::Io(error.to_string()));
    Msg::WithdrawalsLoaded { ticket: Ticket::default(), result }
}

/// What every order needs.
struct Room<W, C> {
    wire: W,
    clock: C,
    window: Window,
    inbox: Inbox,
    bells: Arc<Bells>,
    in_flight: Arc<InFlight>,
    others: Others,
}

async fn serve<W: Wire + 'static, C: Clock + 'static>(
    place: Place,
    room: Room<W, C>,
    mut queue: mpsc::Receiver<Order>,
) {
    // Opened with the first order: the first frame comes before the journal is touched.
    let Some(first) = queue.recv().await else { return };
    let mut next = Some(first);
    let room = Rc::new(room);
    match place.open().await {
        Ok(journal) => {
            let journal = Rc::new(Mutex::new(journal));
            let _watch = watch(&place, &room).await;
            let mut attempts = tokio::task::JoinSet::new();
            loop {
                let order = tokio::select! {
                    biased;
                    order = take(&mut next, &mut queue) => order,
                    () = room.bells.money.notified() => {
                        if room.others.wrote(&journal) {
                            room.inbox.send(Msg::JournalChanged).await;
                        }
                        continue;
                    }
                };
                let Some(order) = order else { break };
                while attempts.try_join_next().is_some() {}
                if let Order::Attempt(key) = order {
                    let ends = Ends(key, room.in_flight.clone());
                    let (room, journal) = (room.clone(), journal.clone());
                    attempts.spawn_local(async move {
                        let _ends = ends;
                        send(key, &room, &journal).await;
                    });
                } else {
                    if let (Order::Load(_), Some(trouble)) = (&order, trouble(&journal)) {
                        room.inbox.send(Msg::WithdrawalsLocked(trouble)).await;
                    }
                    let msg = answer(order, &journal, &room);
                    if matches!(msg, Msg::Prepared { result: Ok(_), .. }) {
                        mark(&place);
                    }
                    room.inbox.send(msg).await;
                }
            }
            // The screen is gone; what is in flight comes to its end first.
            while attempts.join_next().await.is_some() {}
        }
        Err(trouble) => {
            while let Some(order) = take(&mut next, &mut queue).await {
                let _ends = match &order {
                    Order::Attempt(key) => Some(Ends(*key, room.in_flight.clone())),
                    _ => None,
                };
                room.inbox.send(refuse(order, &trouble)).await;
            }
        }
    }
}

/// Why the journal takes no writes, if it takes none.
fn trouble(journal: &Mutex<MoneyJournal>) -> Option<JournalTrouble> {
    journal.lock().unwrap_or_else(PoisonError::into_inner).trouble().cloned()
}

async fn take(next: &mut Option<Order>, queue: &mut mpsc::Receiver<Order>) -> Option<Order> {
    match next.take() {
        Some(order) => Some(order),
        None => queue.recv().await,
    }
}

/// Has the vault remember that there is a journal; a vault that cannot is no reason to stop.
fn mark(place: &Place) {
    let (vault, marker) = (place.vault(), place.marker());
    tokio::task::spawn_local(async move {
        let _ = vault.put_marker(&marker).await;
    });
}

impl Order {
    /// What the app hears of an order that the money thread could not take.
    pub fn not_taken(self) -> Msg {
        refuse(self, &JournalTrouble::Io("the money thread does not answer".into()))
    }
}

/// Notes that an attempt is in flight no more, also when it panics.
struct Ends(IdempotencyKey, Arc<InFlight>);

impl Drop for Ends {
    fn drop(&mut self) {
        self.1.ends(self.0);
    }
}

/// Listens to what other windows write, as long as it is held.
async fn watch<W, C>(place: &Place, room: &Room<W, C>) -> Option<Watch> {
    match Watch::start(&place.dir, room.bells.clone()) {
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
        if let Msg::AttemptTrouble { withdrawal: Some(ended), .. } | Msg::Settled(ended) = &msg {
            room.in_flight.change(|flights| flights.ended = Some(Withdrawal::clone(ended)));
        }
        room.inbox.tell(msg);
    };
    cashier::attempt(key, &room.window, journal, &room.wire, &room.clock, report).await;
}

/// What the app hears of a report.
fn reported(report: Report, journal: &Mutex<MoneyJournal>) -> Msg {
    let known = |key| {
        let mut journal = journal.lock().unwrap_or_else(PoisonError::into_inner);
        journal.get(key).ok().flatten().map(Box::new)
    };
    match report {
        Report::Began { key, n } => Msg::AttemptBegan { key, n },
        Report::Settled(withdrawal) => Msg::Settled(Box::new(withdrawal)),
        Report::NotBegun { key, why } => {
            let trouble = not_begun(why, journal);
            Msg::AttemptTrouble { key, withdrawal: known(key), trouble }
        }
        Report::Unrecorded { key, trouble, .. } => {
            Msg::AttemptTrouble { key, withdrawal: known(key), trouble: Failure::Journal(trouble) }
        }
    }
}

/// Why nothing was sent, as a failure that has words.
fn not_begun(why: BeginRefused, journal: &Mutex<MoneyJournal>) -> Failure {
    let clash = |kind, key| {
        let mut journal = journal.lock().unwrap_or_else(PoisonError::into_inner);
        clash(kind, key, &mut journal).map_or(Failure::NotSent(NotSent::NotSafe), Failure::Clash)
    };
    match why {
        BeginRefused::Mismatch(key) => clash(ClashKind::Mismatch, key),
        BeginRefused::SameOpen(key) => clash(ClashKind::SameOpen, key),
        BeginRefused::OtherOpen(key) => clash(ClashKind::OtherOpen, key),
        BeginRefused::SameDecided(key) => clash(ClashKind::SameDecided, key),
        BeginRefused::Busy => Failure::NotSent(NotSent::Busy),
        BeginRefused::BodyChanged => Failure::NotSent(NotSent::BodyChanged),
        BeginRefused::Journal(trouble) => Failure::Journal(trouble),
        BeginRefused::NoSuchKey | BeginRefused::NotSendable | BeginRefused::NoSend(_) => {
            Failure::NotSent(NotSent::NotSafe)
        }
    }
}

fn answer<W, C: Clock>(order: Order, journal: &Mutex<MoneyJournal>, room: &Room<W, C>) -> Msg {
    // Let go with the answer: an attempt that reports meanwhile needs it.
    let mut journal = journal.lock().unwrap_or_else(PoisonError::into_inner);
    let now = room.clock.now();
    match order {
        Order::Load(ask) => {
            Msg::WithdrawalsLoaded { ticket: ask.ticket, result: load(&mut journal, &ask, room) }
        }
        Order::LookUpPast(agreement) => {
            let past = past(&mut journal, &agreement, now.wall);
            Msg::Reviewed { key: agreement.key, past }
        }
        Order::LoadDestinations { ticket, account } => {
            let result = journal.destinations(&account, destinations::MOST);
            Msg::DestinationsLoaded { ticket, result }
        }
        Order::Prepare { agreement, retyped } => {
            let key = agreement.key;
            let result = journal.prepare(*agreement, retyped);
            if result.is_ok() {
                room.others.told_own(&journal);
            }
            let result = result.map(Box::new).map_err(|why| refused(why, &mut journal));
            Msg::Prepared { key, result }
        }
        Order::Decide { key, choice } => {
            let result = journal.decide(key, choice, &now, &room.window);
            if result.is_ok() {
                room.others.told_own(&journal);
            }
            Msg::Decided { key, result: result.map(Box::new).map_err(not_decided) }
        }
        Order::Attempt(key) => {
            Msg::AttemptTrouble { key, withdrawal: None, trouble: Failure::NotSent(NotSent::Busy) }
        }
    }
}

fn load<W, C>(
    journal: &mut MoneyJournal,
    ask: &Ask,
    room: &Room<W, C>,
) -> Result<Known, JournalTrouble> {
    let own = room.in_flight.lock().keys.clone();
    let mut tries = 0;
    loop {
        journal.catch_up()?;
        let as_of = journal.events();
        let page = journal.page(None, &ask.query, ask.first, ask.rows)?;
        let open = journal.open_ones()?;
        let elsewhere = room.others.sending(journal, &open, &own)?;
        tries += 1;
        // Each part reads on: another window that wrote in between would be in some of them only.
        if journal.events() == as_of || tries == TRIES {
            let changed = room.others.changed(journal, as_of)?;
            return Ok(Known { page, open, elsewhere, changed });
        }
    }
}

/// What came before that a review should mention.
fn past(
    journal: &mut MoneyJournal,
    agreement: &Agreement,
    now: Wall,
) -> Result<Past, JournalTrouble> {
    let Agreement { account, amount, destination, .. } = agreement;
    let since = Wall(now.0.saturating_sub(SIMILAR_MS));
    let similar = journal.similar_decided(account, *amount, destination.as_ref(), since)?;
    let used = match destination {
        Some(key) => journal.destination(account, key)?,
        None => None,
    };
    Ok(Past { similar, used })
}

fn refused(why: PrepareRefused, journal: &mut MoneyJournal) -> Refused {
    let mut clash = |kind, key| Refused::LookAgain(clash(kind, key, journal));
    match why {
        PrepareRefused::Mismatch(key) => clash(ClashKind::Mismatch, key),
        PrepareRefused::SameOpen(key) => clash(ClashKind::SameOpen, key),
        PrepareRefused::OtherOpen(key) => clash(ClashKind::OtherOpen, key),
        PrepareRefused::SameDecided(key) => clash(ClashKind::SameDecided, key),
        PrepareRefused::KeyKnown | PrepareRefused::EmptyBody | PrepareRefused::RetypedDiffers => {
            Refused::LookAgain(None)
        }
        PrepareRefused::Journal(trouble) => Refused::Journal(trouble),
    }
}

/// The other withdrawal, so that the seller is told which one it is.
fn clash(kind: ClashKind, key: IdempotencyKey, journal: &mut MoneyJournal) -> Option<Clash> {
    let other = journal.get(key).ok().flatten().map(Box::new)?;
    Some(Clash { kind, other })
}

fn not_decided(why: DecideRefused) -> Failure {
    match why {
        DecideRefused::Journal(trouble) => Failure::Journal(trouble),
        DecideRefused::Busy => Failure::NotSent(NotSent::Busy),
        DecideRefused::NoSuchKey | DecideRefused::NotNow => Failure::NotSent(NotSent::NotSafe),
    }
}

/// The answer to every order while the journal cannot be opened.
fn refuse(order: Order, trouble: &JournalTrouble) -> Msg {
    let failure = Failure::Journal(trouble.clone());
    match order {
        Order::Load(ask) => {
            Msg::WithdrawalsLoaded { ticket: ask.ticket, result: Err(trouble.clone()) }
        }
        Order::LookUpPast(agreement) => {
            Msg::Reviewed { key: agreement.key, past: Err(trouble.clone()) }
        }
        Order::LoadDestinations { ticket, .. } => {
            Msg::DestinationsLoaded { ticket, result: Err(trouble.clone()) }
        }
        Order::Prepare { agreement, .. } => {
            Msg::Prepared { key: agreement.key, result: Err(Refused::Journal(trouble.clone())) }
        }
        Order::Attempt(key) => Msg::AttemptTrouble { key, withdrawal: None, trouble: failure },
        Order::Decide { key, .. } => Msg::Decided { key, result: Err(failure) },
    }
}
