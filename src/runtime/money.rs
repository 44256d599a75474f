//! The money thread: the journal, and the cashier that sends.
//!
//! It is a thread of its own with a runtime of its own, so that an attempt in flight runs to its
//! end when the screen, or the loop behind it, is gone.

use std::path::PathBuf;
use std::rc::Rc;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::task::LocalSet;

use super::world::Inbox;
use crate::app::Msg;
use crate::app::list::Ask;
use crate::app::withdrawals::{Past, Refused, destinations};
use crate::cashier::{self, Clock, Report, Wire};
use crate::journal::OsDisk;
use crate::journal::money::{BeginRefused, DecideRefused, MoneyJournal, PrepareRefused};
use crate::trade::withdrawal::{Choice, Clash, ClashKind, NotSent, Retyped, Window};
use crate::trade::{
    Account, Agreement, Failure, IdempotencyKey, JournalTrouble, Page, Ticket, Wall, Withdrawal,
};
use crate::vault::VaultHandle;

/// The orders that may wait for the money thread.
const QUEUE: usize = 64;

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
    fn vault(&self) -> VaultHandle {
        self.vault.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The marker's name: one for each directory.
    fn marker(&self) -> String {
        format!("journal {}", self.dir.display())
    }

    /// Opens the journal. The vault is only asked where there is no journal to be seen.
    async fn open(&self) -> Result<MoneyJournal, JournalTrouble> {
        let seen = ["money.db", "money.head"].iter().any(|name| self.dir.join(name).exists());
        let expected = !seen && self.vault().has_marker(&self.marker()).await.unwrap_or(false);
        MoneyJournal::open(&self.dir, OsDisk, expected)
    }
}

/// A way to the money thread.
#[derive(Clone)]
pub struct Till {
    orders: mpsc::Sender<Order>,
    in_flight: Arc<InFlight>,
}

/// How many attempts are in flight, for those who wait for the last of them.
#[derive(Default)]
struct InFlight {
    count: Mutex<usize>,
    changed: Condvar,
}

impl InFlight {
    fn change(&self, by: isize) {
        let mut count = self.count.lock().unwrap_or_else(PoisonError::into_inner);
        *count = count.saturating_add_signed(by);
        self.changed.notify_all();
    }
}

impl Till {
    /// Starts the money thread.
    pub fn open<W, C>(
        place: Place,
        wire: W,
        clock: C,
        window: Window,
        inbox: Inbox,
    ) -> std::io::Result<Till>
    where
        W: Wire + Send + 'static,
        C: Clock + Send + 'static,
    {
        let (orders, queue) = mpsc::channel(QUEUE);
        let in_flight = Arc::new(InFlight::default());
        let counted = in_flight.clone();
        thread::Builder::new().name("money".into()).spawn(move || {
            let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
                Ok(runtime) => runtime,
                Err(error) => return inbox.tell(unavailable(&error)),
            };
            let room = Room { wire, clock, window, inbox, in_flight: counted };
            LocalSet::new().block_on(&runtime, serve(place, room, queue));
        })?;
        Ok(Till { orders, in_flight })
    }

    /// Gives an order; it comes back when the money thread cannot take it.
    pub fn order(&self, order: Order) -> Result<(), Order> {
        self.orders.try_send(order).map_err(|error| error.into_inner())
    }

    /// Waits until no attempt is in flight, at most so long; whether that is so now.
    pub fn finish(&self, limit: Duration) -> bool {
        let count = self.in_flight.count.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.in_flight.changed.wait_timeout_while(count, limit, |count| *count > 0);
        let (count, _) = waited.unwrap_or_else(PoisonError::into_inner);
        *count == 0
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
    in_flight: Arc<InFlight>,
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
            let mut attempts = tokio::task::JoinSet::new();
            while let Some(order) = take(&mut next, &mut queue).await {
                while attempts.try_join_next().is_some() {}
                if let Order::Attempt(key) = order {
                    room.in_flight.change(1);
                    let (room, journal) = (room.clone(), journal.clone());
                    attempts.spawn_local(async move {
                        let _ends = Ends(room.in_flight.clone());
                        send(key, &room, &journal).await;
                    });
                } else {
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
                room.inbox.send(refuse(order, &trouble)).await;
            }
        }
    }
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

/// Counts an attempt as ended, also when it panics.
struct Ends(Arc<InFlight>);

impl Drop for Ends {
    fn drop(&mut self) {
        self.0.change(-1);
    }
}

async fn send<W: Wire, C: Clock>(
    key: IdempotencyKey,
    room: &Room<W, C>,
    journal: &Mutex<MoneyJournal>,
) {
    let report = |report| room.inbox.tell(reported(report, journal));
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
            Msg::WithdrawalsLoaded { ticket: ask.ticket, result: load(&mut journal, &ask) }
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
            let result = result.map(Box::new).map_err(|why| refused(why, &mut journal));
            Msg::Prepared { key, result }
        }
        Order::Decide { key, choice } => {
            let result = journal.decide(key, choice, &now, &room.window);
            Msg::Decided { key, result: result.map(Box::new).map_err(not_decided) }
        }
        Order::Attempt(key) => {
            Msg::AttemptTrouble { key, withdrawal: None, trouble: Failure::NotSent(NotSent::Busy) }
        }
    }
}

fn load(
    journal: &mut MoneyJournal,
    ask: &Ask,
) -> Result<(Page<Withdrawal>, Vec<Withdrawal>), JournalTrouble> {
    if let Some(trouble) = journal.trouble() {
        return Err(trouble.clone());
    }
    let page = journal.page(None, &ask.query, ask.first, ask.rows)?;
    Ok((page, journal.open_ones()?))
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
