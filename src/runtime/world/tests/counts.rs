//! Tests of the counts of a list's totals: they end, also if several are wanted at once.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use futures_util::future::{Either, join, poll_immediate, select};

use super::*;
use crate::app::message::ReportRequest;
use crate::journal::history::History;
use crate::runtime::newest::QueryNumber;
use crate::trade::search::Period;
use crate::trade::{
    Account, Charge, ChargeOutcome, ChargeRequest, JournalTrouble, ListTotals, Money, RowId,
    SaleAuthors, Wall,
};

/// More starts of one count than any test needs. A count that begins again and again ends here.
const TOO_MANY_STARTS: usize = 20;

/// Opens stores whose history has so many rows that SQLite checks for cancellation while it counts
/// them.
fn stores_with_rows(dir: &Path) -> (RealWorld, mpsc::Receiver<Msg>, Stores) {
    let seed: SeedHistory = Box::new(|history| {
        let account = Account {
            origin: Origin("https://pay.example".into()),
            identity: "a".into(),
        };
        let request = ChargeRequest {
            account,
            amount: Money::from_centavos(100),
            description: "Pijama".into(),
            customer: None,
            buyer: Default::default(),
        };
        let charge = |id| Charge {
            id: RowId(id),
            at: Wall(id),
            request: request.clone(),
            outcome: ChargeOutcome::NotSent,
            paid: None,
            note: None,
            put_away: None,
            authors: SaleAuthors::default(),
        };
        history.seed(&[], &(0..500).map(charge).collect::<Vec<_>>())
    });
    let vault = VaultHandle::memory();
    let (world, inbox) = build(WorldBuilder {
        seed_history: Some(seed),
        ..builder(dir, vault)
    });
    let stores = world.context.stores.clone();
    (world, inbox, stores)
}

/// A count that goes on until the test ends it, unless it is cancelled.
struct LongCount {
    starts: Arc<AtomicUsize>,
    started: SyncSender<()>,
    end: Arc<Mutex<Receiver<()>>>,
}

impl LongCount {
    fn run(&self, history: &mut History) -> Result<(), JournalTrouble> {
        let start = self.starts.fetch_add(1, Ordering::SeqCst);
        assert!(start < TOO_MANY_STARTS, "the count begins again and again");
        let _ = self.started.try_send(());
        loop {
            let is_last = self.end.lock().unwrap().try_recv().is_ok();
            // Count once more after the test has ended the count. A job that the test queued before
            // has then had the opportunity to interrupt it.
            // The totals of only one search are cached, so count two searches in turn.
            for search in ["p", "q"] {
                history.totals::<ChargeRequest>(&search.into(), &[], (Wall(0), 0))?;
            }
            if is_last {
                return Ok(());
            }
        }
    }
}

/// A long count, with the channels and the number by which a test follows it.
struct Followed {
    starts: Arc<AtomicUsize>,
    has_started: Receiver<()>,
    end: SyncSender<()>,
}

fn long_count() -> (LongCount, Followed) {
    let starts = Arc::<AtomicUsize>::default();
    let (started, has_started) = sync_channel(1);
    let (end, is_ended) = sync_channel(1);
    let count = LongCount {
        starts: starts.clone(),
        started,
        end: Arc::new(Mutex::new(is_ended)),
    };
    (
        count,
        Followed {
            starts,
            has_started,
            end,
        },
    )
}

/// Puts a query into the slot of a list, and takes it on the history thread like a page of rows.
/// Blocks until that is done, so no count can run in between.
fn take_query(stores: &Stores, slot: &Arc<Newest<PageRequest>>, n: u64) -> QueryNumber {
    slot.put(page_request(n, "p"));
    let slot = slot.clone();
    let (sender, taken) = sync_channel(1);
    let take = move |_: &mut _| sender.send(slot.take_numbered().map(|(n, _)| n)).unwrap();
    assert!(stores.history.enqueue(Box::new(take)).is_ok());
    taken.recv().unwrap().expect("the query waits")
}

fn count(
    stores: &Stores,
    slot: fn(&Stores) -> &Arc<Newest<PageRequest>>,
    number: QueryNumber,
    count: LongCount,
) -> impl Future<Output = Option<Result<(), JournalTrouble>>> + Send + 'static {
    let stores = stores.clone();
    async move {
        let slot = slot(&stores).clone();
        payments::count_totals(&stores, &slot, number, move |h| count.run(h)).await
    }
}

#[tokio::test]
async fn count_of_an_older_query_ends() {
    let dir = tempfile::tempdir().unwrap();
    let (_world, _inbox, stores) = stores_with_rows(dir.path());
    let (first_count, first) = long_count();
    let number = take_query(&stores, &stores.links, 1);
    let counting = tokio::spawn(count(&stores, |s| &s.links, number, first_count));
    tokio::task::yield_now().await;
    first.has_started.recv().unwrap();
    // The second query is put and taken while the first one's totals are counted.
    let number = take_query(&stores, &stores.links, 2);
    // The first count is interrupted by now. If it begins again, it ends at once and is noticed.
    first.end.send(()).unwrap();
    let (second_count, second) = long_count();
    second.end.send(()).unwrap();
    let second_totals = count(&stores, |s| &s.links, number, second_count);
    let (first_totals, second_totals) = join(counting, second_totals).await;
    assert_eq!(first_totals.unwrap(), None, "nobody waits for them");
    assert_eq!(second_totals, Some(Ok(())));
    let starts = [first, second].map(|count| count.starts.load(Ordering::SeqCst));
    assert_eq!(starts, [1, 1]);
    assert!(!stores.history.should_yield(), "the thread rests");
}

#[tokio::test]
async fn counts_of_two_lists_do_not_interrupt_each_other() {
    let dir = tempfile::tempdir().unwrap();
    let (_world, _inbox, stores) = stores_with_rows(dir.path());
    let numbers = [
        take_query(&stores, &stores.links, 1),
        take_query(&stores, &stores.charges, 2),
    ];
    let (links_count, links) = long_count();
    let counting = tokio::spawn(count(&stores, |s| &s.links, numbers[0], links_count));
    tokio::task::yield_now().await;
    links.has_started.recv().unwrap();
    let (charges_count, charges) = long_count();
    charges.end.send(()).unwrap();
    let mut charges_totals = Box::pin(count(&stores, |s| &s.charges, numbers[1], charges_count));
    assert_eq!(
        poll_immediate(&mut charges_totals).await,
        None,
        "links are counted first"
    );
    links.end.send(()).unwrap();
    let (links_totals, charges_totals) = join(counting, charges_totals).await;
    assert_eq!(
        (links_totals.unwrap(), charges_totals),
        (Some(Ok(())), Some(Ok(())))
    );
    let starts = [links, charges].map(|count| count.starts.load(Ordering::SeqCst));
    assert_eq!(starts, [1, 1]);
    assert!(!stores.history.should_yield(), "the thread rests");
}

#[tokio::test]
async fn interrupted_count_keeps_its_turn() {
    let dir = tempfile::tempdir().unwrap();
    let (_world, _inbox, stores) = stores_with_rows(dir.path());
    let number = take_query(&stores, &stores.links, 1);
    let (links_count, links) = long_count();
    let counting = tokio::spawn(count(&stores, |s| &s.links, number, links_count));
    tokio::task::yield_now().await;
    links.has_started.recv().unwrap();
    // A query of another list comes first. Then the same count goes on.
    let number = take_query(&stores, &stores.charges, 2);
    let (charges_count, charges) = long_count();
    charges.end.send(()).unwrap();
    let mut charges_totals = Box::pin(count(&stores, |s| &s.charges, number, charges_count));
    assert_eq!(poll_immediate(&mut charges_totals).await, None);
    assert_eq!(
        charges.starts.load(Ordering::SeqCst),
        0,
        "it waits for its turn"
    );
    links.end.send(()).unwrap();
    let (links_totals, charges_totals) = join(counting, charges_totals).await;
    assert_eq!(
        (links_totals.unwrap(), charges_totals),
        (Some(Ok(())), Some(Ok(())))
    );
    assert_eq!(links.starts.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn rows_wait_for_totals_but_not_for_long() {
    let dir = tempfile::tempdir().unwrap();
    let (world, mut inbox) = world(dir.path());
    let (counted, total) = tokio::sync::oneshot::channel();
    let rows = || Msg::SalesCounted {
        ticket: Ticket(1),
        result: Ok(ListTotals::default()),
    };
    let total = async { total.await.ok() };
    let mut quick = Box::pin(payments::send_rows(&world.context, rows(), total));
    assert_eq!(poll_immediate(&mut quick).await, None);
    assert!(inbox.try_recv().is_err(), "rows without totals");
    counted.send(7).unwrap();
    assert_eq!((quick.await, inbox.try_recv().is_ok()), (Some(7), true));

    let never = std::future::pending::<Option<u64>>();
    let slow = Box::pin(payments::send_rows(&world.context, rows(), never));
    let first = select(slow, Box::pin(inbox.recv())).await;
    assert!(
        matches!(first, Either::Right((Some(_), _))),
        "rows come without totals"
    );
}

#[tokio::test]
async fn closed_report_is_not_computed() {
    let dir = tempfile::tempdir().unwrap();
    let (mut world, mut inbox) = world(dir.path());
    let day = Period { first: 0, last: 0 };
    world.perform(Effect::LoadReport(ReportRequest {
        ticket: Ticket(1),
        days: day,
        before: day,
        utc_offset_s: 0,
    }));
    world.perform(Effect::Cancel(Ticket(1)));
    world.perform(Effect::LoadLinks(page_request(2, "")));
    loop {
        match inbox.recv().await.unwrap() {
            Msg::SalesCounted { .. } => break,
            msg => assert!(!matches!(msg, Msg::ReportLoaded { .. }), "{msg:?}"),
        }
    }
}
