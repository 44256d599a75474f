//! Tests of the stores: newer queries replace older ones, a damaged history is moved aside, and a
//! demo that starts over gets new stores.

mod confirmed;
mod exports;
mod vault_fails;

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::thread::JoinHandle;

use tokio::sync::mpsc;

use super::*;
use crate::app::store::exchanges::bodies::BodiesRequest;
use crate::cashier::Wire;
use crate::contract::Contract;
use crate::journal::money::samples::{WINDOW, agreement, clocks, key};
use crate::journal::{Permit, Spent};
use crate::runtime::display_environment::DisplayEnvironment;
use crate::runtime::doctor::Examiner;
use crate::runtime::tests::FixedClock;
use crate::service::{BaseUrl, Limits, NetworkSettings};
use crate::trade::withdrawal::{AttemptEnd, NotSent};
use crate::trade::{Exchange, IdempotencyKey, Operation, PagePlace, ReplySeen, Search};
use crate::vault::VaultHandle;

fn builder(dir: &Path, vault: VaultHandle) -> WorldBuilder {
    WorldBuilder {
        profile: "default".into(),
        base: BaseUrl::parse("http://127.0.0.1:1").unwrap(),
        contract: Arc::new(Contract::built_in()),
        profile_contract: None,
        limits: Limits::default(),
        connection: NetworkSettings::default(),
        journal: Arc::new(JournalLocation::fixed(dir, VaultHandle::memory())),
        past: None,
        state: None,
        vault: Arc::new(Mutex::new(vault)),
        examiner: Examiner::default(),
        clock: Arc::new(FixedClock),
        display: DisplayEnvironment::default(),
        to_terminal: Box::new(|_| ()),
        stage: None,
        secrets: SecretFields::default(),
        utc_offset_s: 0,
        receipts: dir.to_owned(),
        keeps_requests: true,
        config: dir.join("config.toml"),
        use_theme: Box::new(|_| ()),
        profiles: None,
    }
}

fn built(builder: WorldBuilder) -> (RealWorld, mpsc::Receiver<Msg>) {
    let (sender, inbox) = mpsc::channel(1_024);
    (builder.build(Inbox::new(sender)).0, inbox)
}

fn world(dir: &Path) -> (RealWorld, mpsc::Receiver<Msg>) {
    built(builder(dir, VaultHandle::memory()))
}

fn ask(n: u64, query: &str) -> PageRequest {
    let (query, search) = (query.into(), Search::from(query));
    PageRequest { ticket: Ticket(n), query, search, first: 0, rows: 200, place: PagePlace::Top }
}

/// Returns the handle of a money thread that sends withdrawals through this wire.
fn money_of(world: &RealWorld, dir: &Path, wire: impl Wire + Send + 'static) -> MoneyWorker {
    let location = Arc::new(JournalLocation::fixed(dir, VaultHandle::memory()));
    let (told, window) = (world.context.inbox.clone(), world.context.consent.window());
    MoneyWorker::new(location, wire, FixedClock, window, told, Arc::default())
}

#[tokio::test]
async fn only_last_of_eighty_search_keys_is_answered() {
    const LAST: u64 = 80;
    let dir = tempfile::tempdir().unwrap();
    let (mut world, mut inbox) = world(dir.path());
    let lists: [fn(PageRequest) -> Effect; 2] = [Effect::LoadLinks, Effect::LoadCharges];
    for list in lists {
        for n in 1..=LAST {
            world.perform(list(ask(n, &"b".repeat(n as usize))));
        }
        match inbox.recv().await {
            Some(Msg::LinksLoaded { ticket: Ticket(LAST), result: Ok(_) }) => {
                let counted = inbox.recv().await;
                let is_last =
                    matches!(counted, Some(Msg::LinksCounted { ticket: Ticket(LAST), .. }));
                assert!(is_last, "{counted:?}");
            }
            Some(Msg::ChargesLoaded { ticket: Ticket(LAST), result: Ok(_) }) => {}
            other => panic!("{other:?}"),
        }
        // The next query is answered. No reply to a replaced query arrives before that.
        let ticket = Ticket(LAST + 1);
        world.perform(list(ask(LAST + 1, "")));
        match inbox.recv().await {
            Some(Msg::LinksLoaded { ticket: answered, result: Ok(_) }) => {
                assert_eq!(answered, ticket);
                assert!(matches!(inbox.recv().await, Some(Msg::LinksCounted { .. })));
            }
            Some(Msg::ChargesLoaded { ticket: answered, result: Ok(_) }) => {
                assert_eq!(answered, ticket);
            }
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn totals_follow_the_rows_once() {
    let dir = tempfile::tempdir().unwrap();
    let (mut world, mut inbox) = world(dir.path());
    for (n, query) in [(1, ""), (2, "bone")] {
        world.perform(Effect::LoadLinks(ask(n, query)));
        let Some(Msg::LinksLoaded { result: Ok(read), .. }) = inbox.recv().await else { panic!() };
        assert_eq!(read.totals, None, "{query}");
        let Some(Msg::LinksCounted { ticket, result: Ok(totals) }) = inbox.recv().await else {
            panic!("{query}")
        };
        assert_eq!((ticket, totals.total), (Ticket(n), 0));
    }
    // Repeat the last search. Its totals are cached until the history changes.
    world.perform(Effect::LoadLinks(ask(3, "bone")));
    let Some(Msg::LinksLoaded { result: Ok(read), .. }) = inbox.recv().await else { panic!() };
    assert_eq!(read.totals.map(|totals| totals.total), Some(0));
}

#[tokio::test]
async fn bodies_are_read_for_their_request() {
    let dir = tempfile::tempdir().unwrap();
    let (mut world, mut inbox) = world(dir.path());
    let exchange = |body: &str| {
        let reply = Ok(ReplySeen::new(200, vec![], body));
        Arc::new(Exchange::new(Operation::Domains, "GET", "https://api.example/", reply))
    };
    let exchanges = [r#"{"a": 1, "b": 2}"#, r#"{"a": 1, "b": 3}"#].map(exchange).to_vec();
    let contract = world.context.contract.now();
    let read = |ticket: Ticket| {
        let (exchanges, contract) = (exchanges.clone(), contract.clone());
        Effect::ReadBodies(BodiesRequest { ticket, exchanges, contract })
    };
    // A request that is cancelled before it begins is not performed.
    let others = world.context.reading.clone().acquire_owned().await.unwrap();
    for effect in [read(Ticket(6)), Effect::Cancel(Ticket(6)), read(Ticket(7))] {
        world.perform(effect);
    }
    tokio::task::yield_now().await;
    drop(others);
    let free = world.context.reading.available_permits();
    assert_eq!(free, 0, "the second request has waited for its turn");
    let Some(Msg::BodiesRead(Ticket(7), bodies)) = inbox.recv().await else { panic!() };
    assert_eq!(bodies.all.iter().map(|[_, reply]| reply.rows.len()).collect::<Vec<_>>(), [3, 3]);
    assert_eq!(bodies.differing[1], ["".to_owned(), "/b".to_owned()].into());
}

#[tokio::test]
async fn a_damaged_history_is_not_replaced_in_silence() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("history.db"), vec![b'x'; 8_192]).unwrap();
    let (mut world, mut inbox) = world(dir.path());
    world.perform(Effect::LoadLinks(ask(1, "")));
    let Some(Msg::HistoryMovedAside(to)) = inbox.recv().await else { panic!("not a word") };
    let left: Vec<u8> = std::fs::read(to.shown()).unwrap();
    assert_eq!(left, vec![b'x'; 8_192]);
    assert!(matches!(inbox.recv().await, Some(Msg::LinksLoaded { result: Ok(_), .. })));
}

/// A `Wire` (it sends requests) that reports when its money thread drops it. The report says
/// whether the stores could be locked at that moment.
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
async fn closing_stores_do_not_block_their_replacement() {
    let dir = tempfile::tempdir().unwrap();
    let (world, _inbox) = world(dir.path());
    let open = world.context.stores.clone();
    let (says, hears) = std::sync::mpsc::sync_channel(1);
    let money = money_of(&world, dir.path(), AsksWhenClosed(open.clone(), says));
    assert!(money.submit(MoneyCommand::Load(Box::new(ask(1, "")))).is_ok());
    open.lock().money = money;
    let others =
        Arc::new(JournalLocation::fixed(&dir.path().join("others"), VaultHandle::memory()));
    assert!(open.replace(|_| Some((world.context.open_stores)(others, None))));
    assert_eq!(hears.recv(), Ok(true));
}

/// A demo backend that submits an attempt from another thread in the middle of starting over.
struct Crossed {
    others: PathBuf,
    open: Arc<OnceLock<OpenStores>>,
    ordering: Arc<Mutex<Option<JoinHandle<()>>>>,
}

impl DemoBackend for Crossed {
    fn jwt(&self) -> Option<Secret> {
        None
    }

    fn carry_out(&self, _: &Command, inbox: &Inbox) -> bool {
        let (open, inbox) = (self.open.get().unwrap().clone(), inbox.clone());
        assert!(open.0.try_lock().is_err(), "an order could be given now");
        let order = move || {
            if let Err(answer) = open.submit(MoneyCommand::Attempt { key: key(1), retyped: None }) {
                inbox.send_blocking(*answer);
            }
        };
        *self.ordering.lock().unwrap() = Some(std::thread::spawn(order));
        true
    }

    fn fresh_demo(&self, _: &Origin, _: Wall) -> Option<FreshDemo> {
        let (past, withdrawals) = (Box::new(|_: &mut _| Ok(())), Box::new(|_: &_, _: &_| ()));
        Some(FreshDemo { journal: self.others.clone(), past, withdrawals })
    }

    fn on_seller_event(&self, _: SellerEvent) {}

    fn page(&self, _: &Untrusted, _: bool) -> BuyerPage {
        BuyerPage::NotFound
    }
}

/// A `Wire` (it sends requests) that reports the key of each withdrawal it sends, but never
/// receives a reply.
struct UnansweredWire(std::sync::mpsc::SyncSender<IdempotencyKey>);

impl Wire for UnansweredWire {
    async fn send(&self, permit: Permit) -> (Spent, AttemptEnd) {
        let _ = self.0.try_send(permit.spend().0.key());
        std::future::pending().await
    }
}

/// A demo with one prepared withdrawal (number 1), and channels on which tests observe it.
struct DemoFixture {
    world: RealWorld,
    inbox: mpsc::Receiver<Msg>,
    money: MoneyWorker,
    /// The keys of the withdrawals that the demo sent before it started over.
    sent: std::sync::mpsc::Receiver<IdempotencyKey>,
    ordering: Arc<Mutex<Option<JoinHandle<()>>>>,
}

impl DemoFixture {
    async fn open(dir: &Path) -> DemoFixture {
        let (open, ordering) = (Arc::default(), Arc::default());
        let others = dir.join("others");
        let stage = Crossed { others, open: Arc::clone(&open), ordering: Arc::clone(&ordering) };
        let first = builder(&dir.join("first"), VaultHandle::memory());
        let (world, mut inbox) = built(WorldBuilder { stage: Some(Box::new(stage)), ..first });
        let stores = world.context.stores.clone();
        assert!(open.set(stores.clone()).is_ok());
        let (says, sent) = std::sync::mpsc::sync_channel(1);
        let money = money_of(&world, &dir.join("first"), UnansweredWire(says));
        stores.lock().money = money.clone();
        let (agreement, retyped) = (Box::new(agreement(1, 100)), None);
        assert!(stores.submit(MoneyCommand::Prepare { agreement, retyped }).is_ok());
        assert!(matches!(inbox.recv().await, Some(Msg::Prepared { result: Ok(_), .. })));
        DemoFixture { world, inbox, money, sent, ordering }
    }

    fn starts_over(&self) -> bool {
        let context = &self.world.context;
        start_over(context, &**context.setup.stage.as_ref().unwrap())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_order_crosses_a_demo_that_starts_over() {
    let dir = tempfile::tempdir().unwrap();
    let mut demo = DemoFixture::open(dir.path()).await;
    assert!(demo.starts_over());
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
async fn demo_reset_is_refused_with_attempt_in_flight() {
    let dir = tempfile::tempdir().unwrap();
    let demo = DemoFixture::open(dir.path()).await;
    assert!(
        demo.world
            .context
            .stores
            .submit(MoneyCommand::Attempt { key: key(1), retyped: None })
            .is_ok()
    );
    assert!(!demo.starts_over());
    assert!(demo.ordering.lock().unwrap().is_none(), "the bank was asked to forget");
    assert_eq!(demo.sent.recv(), Ok(key(1)));
    assert!(!demo.starts_over());
}
