//! The stores: asked faster than they are read, damaged, and closed for others.

mod vault_fails;

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::thread::JoinHandle;

use super::*;
use crate::cashier::Wire;
use crate::contract::Contract;
use crate::journal::money::samples::{WINDOW, agreement, clocks, key};
use crate::journal::{Permit, Spent};
use crate::runtime::place::Place;
use crate::runtime::world_builder::WorldBuilder;
use crate::service::{BaseUrl, Limits};
use crate::trade::withdrawal::{AttemptEnd, NotSent};
use crate::trade::{Clocks, Failure, IdempotencyKey, Search};

struct Stopped;

impl Clock for Stopped {
    fn now(&self) -> Clocks {
        clocks(1)
    }
}

fn world(dir: &Path) -> (RealWorld, mpsc::Receiver<Msg>) {
    world_with(dir, None)
}

fn world_with(dir: &Path, stage: Option<Box<dyn Stage>>) -> (RealWorld, mpsc::Receiver<Msg>) {
    let (sender, inbox) = mpsc::channel(1_024);
    let builder = WorldBuilder {
        profile: "default".into(),
        base: BaseUrl::parse("http://127.0.0.1:1").unwrap(),
        contract: Arc::new(Contract::built_in()),
        limits: Limits::default(),
        journal: Arc::new(Place::at(dir, VaultHandle::memory())),
        past: None,
        state: None,
        vault: Arc::new(Mutex::new(VaultHandle::memory())),
        clock: Arc::new(Stopped),
        around: Surroundings::of(|_| None),
        to_terminal: Box::new(|_| ()),
        stage,
        secrets: Secrets::default(),
        utc_offset_s: 0,
    };
    (builder.build(Inbox::new(sender)).0, inbox)
}

#[tokio::test]
async fn of_eighty_search_keys_only_the_last_is_answered() {
    const LAST: u64 = 80;
    let dir = tempfile::tempdir().unwrap();
    let (mut world, mut inbox) = world(dir.path());
    let lists: [fn(Ask) -> Effect; 2] = [Effect::LoadLinks, Effect::LoadCharges];
    for list in lists {
        for n in 1..=LAST {
            let query = "b".repeat(n as usize);
            let (ticket, search) = (Ticket(n), Search::from(&*query));
            world.perform(list(Ask { ticket, query: query.into(), search, first: 0, rows: 200 }));
        }
        match inbox.recv().await {
            Some(Msg::LinksLoaded { ticket: Ticket(LAST), result: Ok(_) }) => {}
            Some(Msg::ChargesLoaded { ticket: Ticket(LAST), result: Ok(_) }) => {}
            other => panic!("{other:?}"),
        }
        // Whoever asks after that is answered too, and no page between comes before it.
        let ticket = Ticket(LAST + 1);
        world.perform(list(Ask {
            ticket,
            query: "".into(),
            search: Search::default(),
            first: 0,
            rows: 200,
        }));
        match inbox.recv().await {
            Some(Msg::LinksLoaded { ticket: answered, result: Ok(_) }) => {
                assert_eq!(answered, ticket);
            }
            Some(Msg::ChargesLoaded { ticket: answered, result: Ok(_) }) => {
                assert_eq!(answered, ticket);
            }
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn a_damaged_history_is_not_replaced_in_silence() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("history.db"), vec![b'x'; 8_192]).unwrap();
    let (mut world, mut inbox) = world(dir.path());
    world.perform(Effect::LoadLinks(Ask {
        ticket: Ticket(1),
        query: "".into(),
        search: Search::default(),
        first: 0,
        rows: 200,
    }));
    let Some(Msg::HistoryMovedAside(to)) = inbox.recv().await else { panic!("not a word") };
    let left: Vec<u8> = std::fs::read(to.shown()).unwrap();
    assert_eq!(left, vec![b'x'; 8_192]);
    assert!(matches!(inbox.recv().await, Some(Msg::LinksLoaded { result: Ok(_), .. })));
}

/// Tells, when its money thread ends, whether the stores of that moment can be asked for.
struct AsksWhenClosed(OpenStores, std::sync::mpsc::SyncSender<bool>);

impl Wire for AsksWhenClosed {
    async fn send(&self, _: Permit) -> (Spent, AttemptEnd) {
        panic!("nothing is to be sent")
    }
}

impl Drop for AsksWhenClosed {
    fn drop(&mut self) {
        let _ = self.1.send(self.0.0.try_lock().is_ok());
    }
}

#[tokio::test]
async fn stores_that_are_being_closed_keep_nobody_from_those_in_their_place() {
    let dir = tempfile::tempdir().unwrap();
    let (world, _inbox) = world(dir.path());
    let (open, told) = (world.outside.stores.clone(), world.outside.inbox.clone());
    let (says, hears) = std::sync::mpsc::sync_channel(1);
    let wire = AsksWhenClosed(open.clone(), says);
    let place = Arc::new(Place::at(dir.path(), VaultHandle::memory()));
    let money = MoneyWorker::new(place, wire, Stopped, WINDOW, told, Arc::default());
    let ask =
        Ask { ticket: Ticket(1), query: "".into(), search: Search::default(), first: 0, rows: 200 };
    assert!(money.order(Order::Load(ask)).is_ok());
    open.lock().money = money;
    let others = Arc::new(Place::at(&dir.path().join("others"), VaultHandle::memory()));
    assert!(open.replace(|_| Some((world.outside.open_stores)(others, None))));
    assert_eq!(hears.recv(), Ok(true));
}

/// A stage on which somebody sends a withdrawal in the moment in which the bank forgets everything.
struct Crossed {
    others: PathBuf,
    open: Arc<OnceLock<OpenStores>>,
    ordering: Arc<Mutex<Option<JoinHandle<()>>>>,
}

impl Stage for Crossed {
    fn jwt(&self) -> Option<Secret> {
        None
    }

    fn grant(&self, _: &Wish, inbox: &Inbox) -> bool {
        let (open, inbox) = (self.open.get().unwrap().clone(), inbox.clone());
        assert!(open.0.try_lock().is_err(), "an order could be given now");
        let order = move || {
            if let Err(answer) = open.order(Order::Attempt(key(1))) {
                inbox.send_blocking(*answer);
            }
        };
        *self.ordering.lock().unwrap() = Some(std::thread::spawn(order));
        true
    }

    fn anew(&self, _: &Origin, _: Wall) -> Option<Anew> {
        Some(Anew { journal: self.others.clone(), past: Box::new(Vec::new) })
    }

    fn page(&self, _: &Untrusted, _: bool) -> BuyerPage {
        BuyerPage::NotFound
    }
}

/// A wire that never answers, and says that something came by it.
struct Silent(std::sync::mpsc::SyncSender<IdempotencyKey>);

impl Wire for Silent {
    async fn send(&self, permit: Permit) -> (Spent, AttemptEnd) {
        let _ = self.0.try_send(permit.spend().0.key());
        std::future::pending().await
    }
}

/// A demo with withdrawal 1 prepared, and what can be seen of it.
struct Demo {
    world: RealWorld,
    inbox: mpsc::Receiver<Msg>,
    money: MoneyWorker,
    /// Told of what came by the wire of the money thread with which it begins.
    sent: std::sync::mpsc::Receiver<IdempotencyKey>,
    ordering: Arc<Mutex<Option<JoinHandle<()>>>>,
}

impl Demo {
    async fn open(dir: &Path) -> Demo {
        let (open, ordering) = (Arc::default(), Arc::default());
        let others = dir.join("others");
        let stage = Crossed { others, open: Arc::clone(&open), ordering: Arc::clone(&ordering) };
        let (world, mut inbox) = world_with(&dir.join("first"), Some(Box::new(stage)));
        let stores = world.outside.stores.clone();
        assert!(open.set(stores.clone()).is_ok());
        let (says, sent) = std::sync::mpsc::sync_channel(1);
        let place = Arc::new(Place::at(&dir.join("first"), VaultHandle::memory()));
        let told = world.outside.inbox.clone();
        let money = MoneyWorker::new(place, Silent(says), Stopped, WINDOW, told, Arc::default());
        stores.lock().money = money.clone();
        let (agreement, retyped) = (Box::new(agreement(1, 100)), None);
        assert!(stores.order(Order::Prepare { agreement, retyped }).is_ok());
        assert!(matches!(inbox.recv().await, Some(Msg::Prepared { result: Ok(_), .. })));
        Demo { world, inbox, money, sent, ordering }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_order_crosses_a_demo_that_starts_over() {
    let dir = tempfile::tempdir().unwrap();
    let mut demo = Demo::open(dir.path()).await;
    assert!(start_over(&demo.world.outside));
    let ordered = demo.ordering.lock().unwrap().take().unwrap();
    ordered.join().unwrap();
    let not_begun = loop {
        match demo.inbox.recv().await {
            Some(Msg::AttemptTrouble { withdrawal: None, trouble, .. }) => break trouble,
            Some(Msg::JournalChanged) => {}
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(not_begun, Failure::NotSent(NotSent::NotSafe), "it is in the journal of before");
    assert!(demo.sent.try_recv().is_err() && !demo.money.is_busy(), "nothing left");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_demo_does_not_start_over_while_a_withdrawal_is_on_its_way() {
    let dir = tempfile::tempdir().unwrap();
    let demo = Demo::open(dir.path()).await;
    assert!(demo.world.outside.stores.order(Order::Attempt(key(1))).is_ok());
    assert!(!start_over(&demo.world.outside));
    assert!(demo.ordering.lock().unwrap().is_none(), "the bank was asked to forget");
    assert_eq!(demo.sent.recv(), Ok(key(1)));
    assert!(!start_over(&demo.world.outside));
}
