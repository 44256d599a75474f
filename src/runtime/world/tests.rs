//! Tests of the stores: newer queries replace older ones, a damaged history is moved aside, and the
//! journal of a demo that starts over is closed for good.

mod confirmed;
mod counts;
mod credential_trial;
mod exports;
mod imports;
mod list_exports;
mod probe;
mod vault_fails;

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use tokio::sync::mpsc;

use super::*;
use crate::app::store::exchanges::bodies::BodiesRequest;
use crate::cashier::Wire;
use crate::contract::{AgreedAtStart, Contract};
use crate::journal::money::Files;
use crate::journal::money::samples::{WINDOW, agreement, clocks, key};
use crate::journal::{Permit, Spent};
use crate::locked::Locked;
use crate::runtime::display_environment::DisplayEnvironment;
use crate::runtime::doctor::Examiner;
use crate::runtime::history::SeedHistory;
use crate::runtime::journal_location::JournalLocation;
use crate::runtime::log::Log;
use crate::runtime::money::MoneyWorker;
use crate::runtime::newest::Newest;
use crate::runtime::tests::FixedClock;
use crate::service::{BaseUrl, Limits, NetworkSettings};
use crate::trade::withdrawal::{AttemptEnd, NotSent};
use crate::trade::{
    Exchange, IdempotencyKey, LostHistory, MaskedReply, Operation, Origin, PagePosition, Search,
    Wall,
};
use crate::vault::VaultHandle;

fn builder(dir: &Path, vault: VaultHandle) -> WorldBuilder {
    WorldBuilder {
        profile: "default".into(),
        base: BaseUrl::parse("http://127.0.0.1:1").unwrap(),
        contract: Arc::new(Contract::built_in()),
        agreed_at_start: AgreedAtStart::Nothing,
        profile_contract: None,
        limits: Limits::default(),
        network: NetworkSettings::default(),
        journal: Arc::new(JournalLocation::fixed(
            Files::new(dir),
            VaultHandle::memory(),
        )),
        seed_history: None,
        state_dir: None,
        vault: Arc::new(Locked::new(vault)),
        examiner: Examiner::default(),
        clock: Arc::new(FixedClock),
        advance_clock: None,
        display: DisplayEnvironment::default(),
        to_terminal: Box::new(|_| ()),
        demo: None,
        secrets: SecretFields::default(),
        utc_offset_s: 0,
        receipts_dir: dir.to_owned(),
        stores_requests: true,
        config: dir.join("config.toml"),
        switch_theme: Box::new(|_| ()),
        open_profile: None,
        log: Log::off(),
    }
}

fn build(builder: WorldBuilder) -> (RealWorld, mpsc::Receiver<Msg>) {
    let (sender, inbox) = mpsc::channel(1_024);
    (builder.build(Inbox::new(sender)).0, inbox)
}

fn world(dir: &Path) -> (RealWorld, mpsc::Receiver<Msg>) {
    build(builder(dir, VaultHandle::memory()))
}

fn page_request(n: u64, query: &str) -> PageRequest {
    let search = Search::from(query);
    let query = query.into();
    PageRequest {
        ticket: Ticket(n),
        query,
        search,
        first: 0,
        rows: 200,
        place: PagePosition::Top,
    }
}

#[tokio::test]
async fn only_last_of_eighty_search_keys_is_answered() {
    const LAST: u64 = 80;
    let dir = tempfile::tempdir().unwrap();
    let (mut world, mut inbox) = world(dir.path());
    let lists: [fn(PageRequest) -> Effect; 2] = [Effect::LoadLinks, Effect::LoadCharges];
    for list in lists {
        for n in 1..=LAST {
            world.perform(list(page_request(n, &"b".repeat(n as usize))));
        }
        let loaded = inbox.recv().await;
        assert!(
            matches!(
                loaded,
                Some(
                    Msg::LinksLoaded {
                        ticket: Ticket(LAST),
                        result: Ok(_),
                    } | Msg::ChargesLoaded {
                        ticket: Ticket(LAST),
                        result: Ok(_),
                    }
                )
            ),
            "{loaded:?}"
        );
        let counted = inbox.recv().await;
        let is_last = matches!(
            counted,
            Some(Msg::SalesCounted {
                ticket: Ticket(LAST),
                ..
            })
        );
        assert!(is_last, "{counted:?}");
        // The reply to the next query arrives now, so the replaced queries got no reply.
        let ticket = Ticket(LAST + 1);
        world.perform(list(page_request(LAST + 1, "")));
        match inbox.recv().await {
            Some(Msg::LinksLoaded {
                ticket: answered,
                result: Ok(_),
            }) => {
                assert_eq!(answered, ticket);
                assert!(matches!(inbox.recv().await, Some(Msg::SalesCounted { .. })));
            }
            // Without a search, direct payments have no sums.
            Some(Msg::ChargesLoaded {
                ticket: answered,
                result: Ok(_),
            }) => assert_eq!(answered, ticket),
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn startup_gives_consent_before_credentials() {
    let dir = tempfile::tempdir().unwrap();
    let (world, mut inbox) = world(dir.path());
    let messages = world.startup_messages();
    assert!(
        matches!(
            &messages[..],
            [Msg::ConsentRead(_), Msg::CredentialsRead { .. }]
        ),
        "{messages:?}"
    );
    assert!(inbox.try_recv().is_err(), "nothing comes later");
}

#[tokio::test]
async fn totals_follow_the_rows_once() {
    let dir = tempfile::tempdir().unwrap();
    let (mut world, mut inbox) = world(dir.path());
    for (n, query) in [(1, ""), (2, "bone")] {
        world.perform(Effect::LoadLinks(page_request(n, query)));
        let Some(Msg::LinksLoaded {
            result: Ok(links), ..
        }) = inbox.recv().await
        else {
            panic!()
        };
        assert_eq!(links.totals, None, "{query}");
        let Some(Msg::SalesCounted {
            ticket,
            result: Ok(totals),
        }) = inbox.recv().await
        else {
            panic!("{query}")
        };
        assert_eq!((ticket, totals.total), (Ticket(n), 0));
    }
    // Repeat the last search. Its totals are cached until the history changes.
    world.perform(Effect::LoadLinks(page_request(3, "bone")));
    let Some(Msg::LinksLoaded {
        result: Ok(links), ..
    }) = inbox.recv().await
    else {
        panic!()
    };
    assert_eq!(links.totals.map(|totals| totals.total), Some(0));
}

#[tokio::test]
async fn bodies_are_read_for_their_request() {
    let dir = tempfile::tempdir().unwrap();
    let (mut world, mut inbox) = world(dir.path());
    let exchange = |body: &str| {
        let reply = Ok(MaskedReply::new(200, vec![], body));
        Arc::new(Exchange::new(
            Operation::Domains,
            "GET",
            "https://api.example/",
            reply,
        ))
    };
    let exchanges = [r#"{"a": 1, "b": 2}"#, r#"{"a": 1, "b": 3}"#]
        .map(exchange)
        .to_vec();
    let contract = world.context.contract.current();
    let read_bodies = |ticket: Ticket| {
        let exchanges = exchanges.clone();
        let contract = contract.clone();
        Effect::ReadBodies(BodiesRequest {
            ticket,
            exchanges,
            contract,
            whole_reply: false,
        })
    };
    // An effect that is cancelled before it begins is not performed.
    let running_parse = world
        .context
        .body_parsing
        .clone()
        .acquire_owned()
        .await
        .unwrap();
    for effect in [
        read_bodies(Ticket(6)),
        Effect::Cancel(Ticket(6)),
        read_bodies(Ticket(7)),
    ] {
        world.perform(effect);
    }
    tokio::task::yield_now().await;
    drop(running_parse);
    let free_permits = world.context.body_parsing.available_permits();
    assert_eq!(
        free_permits, 0,
        "the second request has waited for its turn"
    );
    let Some(Msg::BodiesRead(Ticket(7), bodies)) = inbox.recv().await else {
        panic!()
    };
    assert_eq!(
        bodies
            .by_exchange
            .iter()
            .map(|[_, reply]| reply.rows.len())
            .collect::<Vec<_>>(),
        [3, 3]
    );
    assert_eq!(bodies.differing[1], ["".to_owned(), "/b".to_owned()].into());
}

#[tokio::test]
async fn moved_aside_history_is_reported() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("history.db"), vec![b'x'; 8_192]).unwrap();
    let (mut world, mut inbox) = world(dir.path());
    world.perform(Effect::LoadLinks(page_request(1, "")));
    let Some(Msg::HistoryLost {
        lost: LostHistory::Aside(moved_file),
        is_new: true,
    }) = inbox.recv().await
    else {
        panic!("not a word")
    };
    let content: Vec<u8> = std::fs::read(moved_file.shown()).unwrap();
    assert_eq!(content, vec![b'x'; 8_192]);
    assert!(matches!(
        inbox.recv().await,
        Some(Msg::LinksLoaded { result: Ok(_), .. })
    ));
}

#[tokio::test]
async fn closed_stores_leave_only_the_database_file() {
    let dir = tempfile::tempdir().unwrap();
    let (mut world, mut inbox) = world(dir.path());
    world.perform(Effect::LoadLinks(page_request(1, "")));
    assert!(matches!(
        inbox.recv().await,
        Some(Msg::LinksLoaded { result: Ok(_), .. })
    ));
    assert!(dir.path().join("history.db-wal").exists());
    world.context.stores.begin_closing().wait();
    let names = std::fs::read_dir(dir.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name());
    assert_eq!(names.collect::<Vec<_>>(), ["history.db"]);
}

/// A demo backend that does nothing.
struct IdleBackend;

impl DemoBackend for IdleBackend {
    fn jwt(&self) -> Option<Secret> {
        None
    }

    fn carry_out(&self, _: &Command, _: &Inbox) -> bool {
        true
    }

    fn statement(&self) -> String {
        String::new()
    }

    fn on_seller_event(&self, _: SellerEvent) {}

    fn checkout_page(&self, _: &Untrusted, _: bool) -> BuyerPage {
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

/// A demo with one prepared withdrawal (number 1) in a temporary journal.
struct DemoFixture {
    world: RealWorld,
    inbox: mpsc::Receiver<Msg>,
    journal: PathBuf,
    /// The keys of the withdrawals that the demo sent.
    sent: std::sync::mpsc::Receiver<IdempotencyKey>,
}

impl DemoFixture {
    async fn open(dir: &Path) -> DemoFixture {
        let journal = dir.join("journal");
        let demo = WorldBuilder {
            demo: Some(Arc::new(IdleBackend)),
            ..builder(&journal, VaultHandle::memory())
        };
        let (mut world, mut inbox) = build(demo);
        let (sender, sent) = std::sync::mpsc::sync_channel(1);
        let location =
            JournalLocation::fixed(Files::temporary(journal.clone()), VaultHandle::memory());
        let context = Arc::get_mut(&mut world.context).unwrap();
        context.stores.money = MoneyWorker::new(
            Arc::new(location),
            UnansweredWire(sender),
            FixedClock,
            context.consent.window(),
            context.inbox.clone(),
            Arc::default(),
        );
        let agreement = Box::new(agreement(1, 100));
        let retyped = None;
        world.perform(Effect::Money(MoneyCommand::Prepare { agreement, retyped }));
        assert!(matches!(
            inbox.recv().await,
            Some(Msg::Prepared { result: Ok(_), .. })
        ));
        DemoFixture {
            world,
            inbox,
            journal,
            sent,
        }
    }

    fn attempt(&mut self) {
        let attempt = MoneyCommand::Attempt {
            key: key(1),
            retyped: None,
        };
        self.world.perform(Effect::Money(attempt));
    }

    /// Asks to start over. Returns true if this is possible.
    async fn may_start_over(&mut self) -> bool {
        self.world.perform(Effect::Demo(Command::StartOver));
        loop {
            match self.inbox.recv().await {
                Some(Msg::DemoDone(Command::StartOver)) => return true,
                Some(Msg::DemoNotDone) => return false,
                Some(_) => {}
                None => panic!("the inbox is open"),
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn attempt_after_demo_reset_is_not_sent() {
    let dir = tempfile::tempdir().unwrap();
    let mut demo = DemoFixture::open(dir.path()).await;
    assert!(demo.may_start_over().await);
    assert!(demo.journal.exists());
    demo.world.context.stores.close();
    assert!(!demo.journal.exists(), "the old journal is closed for good");
    demo.attempt();
    let failure = loop {
        match demo.inbox.recv().await {
            Some(Msg::AttemptTrouble { trouble, .. }) => break trouble,
            Some(Msg::JournalChanged) => {}
            other => panic!("{other:?}"),
        }
    };
    assert!(matches!(failure, Failure::Journal(_)), "{failure:?}");
    let is_busy = demo.world.context.stores.money.is_busy();
    assert!(demo.sent.try_recv().is_err() && !is_busy, "nothing left");
}

#[tokio::test(flavor = "multi_thread")]
async fn demo_reset_is_refused_with_attempt_in_flight() {
    let dir = tempfile::tempdir().unwrap();
    let mut demo = DemoFixture::open(dir.path()).await;
    demo.attempt();
    assert!(!demo.may_start_over().await);
    assert_eq!(demo.sent.recv(), Ok(key(1)));
    assert!(!demo.may_start_over().await);
}
