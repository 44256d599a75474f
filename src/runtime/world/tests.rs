//! The books: asked faster than they are read, damaged, and closed for others.

use std::path::Path;

use super::*;
use crate::cashier::Wire;
use crate::contract::Contract;
use crate::journal::money::samples::{WINDOW, clocks};
use crate::journal::{Permit, Spent};
use crate::runtime::money::Place;
use crate::runtime::outfit::Outfit;
use crate::service::{BaseUrl, Limits};
use crate::trade::withdrawal::AttemptEnd;
use crate::trade::{Clocks, Search};

struct Stopped;

impl Clock for Stopped {
    fn now(&self) -> Clocks {
        clocks(1)
    }
}

fn world(dir: &Path) -> (RealWorld, mpsc::Receiver<Msg>) {
    let (sender, inbox) = mpsc::channel(1_024);
    let outfit = Outfit {
        base: BaseUrl::parse("http://127.0.0.1:1").unwrap(),
        contract: Arc::new(Contract::built_in()),
        limits: Limits::default(),
        journal: dir.to_owned(),
        past: None,
        vault: Arc::new(Mutex::new(VaultHandle::memory())),
        clock: Arc::new(Stopped),
        around: Surroundings::of(|_| None),
        to_terminal: Box::new(|_| ()),
        stage: None,
        secrets: Secrets::default(),
        utc_offset_s: 0,
    };
    (outfit.world(Inbox::new(sender)).0, inbox)
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

/// Tells, when its till is closed, whether the books of that moment can be asked for.
struct AsksWhenClosed(OpenBooks, std::sync::mpsc::SyncSender<bool>);

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
async fn books_that_are_being_closed_keep_nobody_from_those_in_their_place() {
    let dir = tempfile::tempdir().unwrap();
    let (world, _inbox) = world(dir.path());
    let (open, told) = (world.outside.books.clone(), world.outside.inbox.clone());
    let (says, hears) = std::sync::mpsc::sync_channel(1);
    let wire = AsksWhenClosed(open.clone(), says);
    let place = Place { dir: dir.path().to_owned(), vault: VaultHandle::memory() };
    let till = Till::new(place, wire, Stopped, WINDOW, told, Arc::default());
    let ask =
        Ask { ticket: Ticket(1), query: "".into(), search: Search::default(), first: 0, rows: 200 };
    assert!(till.order(Order::Load(ask)).is_ok());
    open.lock().till = till;
    open.replace((world.outside.open_books)(dir.path().join("others"), None));
    assert_eq!(hears.recv(), Ok(true));
}
