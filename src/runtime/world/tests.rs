//! Lists that are asked for faster than they are read.

use std::path::Path;

use super::*;
use crate::contract::Contract;
use crate::journal::money::samples::clocks;
use crate::runtime::outfit::Outfit;
use crate::service::{BaseUrl, Limits};
use crate::trade::Clocks;

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
            let (ticket, query) = (Ticket(n), "b".repeat(n as usize).into());
            world.perform(list(Ask { ticket, query, first: 0, rows: 200 }));
        }
        match inbox.recv().await {
            Some(Msg::LinksLoaded { ticket: Ticket(LAST), result: Ok(_) }) => {}
            Some(Msg::ChargesLoaded { ticket: Ticket(LAST), result: Ok(_) }) => {}
            other => panic!("{other:?}"),
        }
        // Whoever asks after that is answered too, and no page between comes before it.
        let ticket = Ticket(LAST + 1);
        world.perform(list(Ask { ticket, query: "".into(), first: 0, rows: 200 }));
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
