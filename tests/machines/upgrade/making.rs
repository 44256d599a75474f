//! How a kept journal is made, and how what is open in one is sent again: by the program itself.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use balcao::cashier::{self, Clock, Report};
use balcao::contract::Contract;
use balcao::journal::OsDisk;
use balcao::journal::money::MoneyJournal;
use balcao::service::{Client, Credentials, Limits, MoneyWire, NetworkSettings};
use balcao::trade::withdrawal::{NotSent, Retyped, Window};
use balcao::trade::{
    Account, Agreement, Clocks, CredentialKind, IdempotencyKey, Money, Origin, PixKey, Quote,
    Secret, Wall,
};
use uuid::Uuid;

use super::counterpart::{Answer, Counterpart, HERE, NEXT_DOOR};
use super::lives::{Life, Quoted, Send, lives};
use crate::paper::AT_ONCE;
use crate::support::journal::{MARCH, WINDOW};

const DAY: i64 = 86_400;

/// When a kept journal is opened again: inside the window of all but the oldest.
pub const OPENED: i64 = 400;

/// So many seconds after noon of that day, on the machine where it was made.
pub fn clocks(seconds: i64) -> Clocks {
    let since_boot = u64::try_from(10 * DAY + seconds).expect("the machine was on");
    let wall = Wall(MARCH.0 + seconds * 1_000);
    Clocks { wall, boot_ms: since_boot * 1_000, boot_id: "kept-boot".into() }
}

/// A purse that has its token, or a reason to have none.
struct Purse(Option<NotSent>);

impl Credentials for Purse {
    async fn credential(&self, _: &Account, _: CredentialKind) -> Result<Secret, NotSent> {
        match self.0 {
            Some(why) => Err(why),
            None => Ok(Secret::new("token-1".into())),
        }
    }
}

struct Stopped(Clocks);

impl Clock for Stopped {
    fn now(&self) -> Clocks {
        self.0.clone()
    }
}

/// A journal, and the money's way out of it.
pub struct Desk {
    pub journal: Mutex<MoneyJournal>,
    runtime: tokio::runtime::Runtime,
}

impl Desk {
    pub fn open(dir: &Path, expected: bool) -> Desk {
        let journal = MoneyJournal::open(dir, OsDisk, expected).expect("the journal opens");
        let builder = &mut tokio::runtime::Builder::new_current_thread();
        let runtime = builder.enable_all().build().expect("a runtime");
        Desk { journal: Mutex::new(journal), runtime }
    }

    fn journal(&mut self) -> &mut MoneyJournal {
        self.journal.get_mut().expect("nobody panicked")
    }

    /// Makes one attempt by the production cashier and wire; whether one was begun.
    pub fn send(&self, key: IdempotencyKey, at: i64, way: &Way) -> bool {
        let (now, total) = (clocks(at), way.patience);
        let limits = Limits { total, reply_bytes: 2_000, ..Limits::default() };
        let (wall, boot_ms) = (now.wall.plus(Duration::from_millis(250)), now.boot_ms + 250);
        let ended = Clocks { wall, boot_ms, ..now.clone() };
        let client = Client::new(
            limits,
            NetworkSettings::default(),
            Arc::new(|_: &Contract| Ok(())),
            Arc::new(move || ended.clone()),
            Arc::new(|_| {}),
        );
        let contract = Contract::own(way.contract).expect("a contract");
        let wire = MoneyWire::new(client, Arc::new(contract), Purse(way.stays));
        let mut begun = false;
        let report = |report| begun |= !matches!(report, Report::NotBegun { .. });
        let clock = Stopped(now);
        let attempt = cashier::attempt(key, &way.window, &self.journal, &wire, &clock, report);
        self.runtime.block_on(attempt);
        begun
    }

    /// Begins an attempt, and dies.
    fn die(&mut self, key: IdempotencyKey, at: i64) {
        let lock = self.journal().lock(key).expect("nobody sends");
        drop(self.journal().begin(lock, key, &clocks(at), &AT_ONCE).expect("it may be sent"));
    }
}

/// What differs from send to send.
pub struct Way {
    pub patience: Duration,
    pub contract: &'static [(&'static str, &'static str)],
    pub stays: Option<NotSent>,
    pub window: Window,
}

impl Way {
    pub const PLAIN: Way =
        Way { patience: Duration::from_secs(20), contract: &[], stays: None, window: WINDOW };
}

const VOUCHED: &[(&str, &str)] =
    &[("seen", "confirmed = ['withdrawal.echo_amount', 'withdrawal.echo_destination']")];

/// Makes a money journal with everything in it.
pub fn make(dir: &Path) {
    let service = Counterpart::open(HERE);
    let mut desk = Desk::open(dir, false);
    for (n, life) in (1..).zip(lives()) {
        lead(&mut desk, &service, n, &life);
    }
    let (mut open, beside) = (agreement(101, "ana", 250), agreement(102, "ana", 251));
    // By the name that was agreed, whatever the contract calls it when it is sent again.
    open.key_header_name = Some("X-Idempotency-Key".into());
    let (told, amount) = (vec![open.key], beside.amount);
    desk.journal().prepare(open, None).expect("prepared");
    desk.die(key(101), 251);
    desk.journal().prepare(beside, Some(Retyped { amount, told })).expect("prepared");
    let purged = desk.journal().purge(clocks(-DAY).wall, clocks(300).wall);
    assert_eq!(purged, Ok(2));
}

fn lead(desk: &mut Desk, service: &Counterpart, n: u32, life: &Life) {
    let begin = i64::from(n) * 5 - life.days_ago * DAY;
    let mut agreement = agreement(n, life.name, begin);
    if life.next_door {
        agreement.account.origin = Origin(format!("http://{NEXT_DOOR}").into());
        agreement.url = agreement.url.replace(HERE, NEXT_DOOR).into();
    }
    agreement.destination = life.to.map(|(kind, text)| PixKey::parse(kind, text).expect("a key"));
    agreement.body = body(&agreement).into();
    agreement.untyped = life.untyped.iter().map(|member| (*member).into()).collect();
    let fee = Money::from_centavos(205);
    let net = agreement.amount.checked_sub(fee);
    let quote = |fee, net| Quote::new(agreement.amount, fee, net, agreement.agreed.wall).ok();
    agreement.quote = match life.quote {
        Quoted::Nothing => None,
        Quoted::Both => quote(Some(fee), net),
        Quoted::FeeOnly => quote(Some(fee), None),
        Quoted::NetOnly => quote(None, net),
    };
    let key = agreement.key;
    desk.journal().prepare(agreement, None).expect("prepared");
    for (at, send) in (begin + 1..).zip(&life.sends) {
        let contract = if life.vouched { VOUCHED } else { &[] };
        // Not what a seller waits for is kept, but what can stand there.
        let mut way = Way { contract, window: AT_ONCE, ..Way::PLAIN };
        match send {
            Send::Dies => {
                desk.die(key, at);
                continue;
            }
            Send::Stays(why) => way.stays = Some(*why),
            Send::NobodyThere => {}
            Send::Comes(answer) => {
                if matches!(answer, Answer::Nothing) {
                    way.patience = Duration::from_millis(300);
                }
                service.answer(answer.clone());
            }
        }
        assert!(desk.send(key, at, &way), "{}", life.name);
    }
    if let Some(choice) = life.choice {
        let decided = desk.journal().decide(key, choice, &clocks(begin + 4), &WINDOW);
        decided.expect(life.name);
    }
}

fn key(n: u32) -> IdempotencyKey {
    IdempotencyKey(Uuid::from_u128(0x6a09_e667_f3bc_4908_b2fb_1366_ea95_0000 + u128::from(n)))
}

/// One of its own to each: no two have the same amount.
fn agreement(n: u32, identity: &str, at: i64) -> Agreement {
    let key = key(n);
    let mut agreement = Agreement {
        key,
        account: Account {
            origin: Origin(format!("http://{HERE}").into()),
            identity: identity.into(),
        },
        profile: "loja".into(),
        method: "POST".into(),
        url: format!("http://{HERE}/api/v1/integrations/withdrawals").into(),
        key_header: key.to_string().into(),
        key_header_name: Some("Idempotency-Key".into()),
        untyped: vec![],
        body: "".into(),
        amount: Money::from_centavos(10_000 + i64::from(n)),
        destination: None,
        quote: None,
        agreed: clocks(at),
    };
    agreement.body = body(&agreement).into();
    agreement
}

/// A body that nobody would write twice in the same way.
fn body(agreement: &Agreement) -> String {
    let to = agreement.destination.as_ref();
    let to = to.map_or(String::new(), |to| format!(", \"pixKey\" :\"{}\"", to.as_str()));
    let amount = agreement.amount.wire();
    let who = &agreement.account.identity;
    format!("{{ \"amount\":{amount}{to},\t\"description\":\"Fechamento \\u00e1 — {who}\" }}\n")
}
