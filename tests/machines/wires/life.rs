//! A test of one withdrawal (a life). Faults happen to its attempts, and it is resent as long as
//! that is safe.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use balcao::cashier::{self, Report};
use balcao::contract::Contract;
use balcao::journal::money::MoneyJournal;
use balcao::runtime::clocks::MachineClocks;
use balcao::service::{self, Client, Credentials, Limits, MoneyWire, NetworkSettings, Tracer};
use balcao::trade::withdrawal::{AttemptEnd, Class, NotSent, Window};
use balcao::trade::{Account, Agreement, CredentialKind, IdempotencyKey, Secret};
use uuid::Uuid;

use super::certificates::HOST;
use super::fault::{AttemptClass, ClientDeadlines, Fault, Handshake, Known, proved};
use super::host::{Host, ServerRecord, Speaks};
use crate::bank::{Kind, SECOND};
use crate::chance::Random;
use crate::memory::{MemoryDisk, SharedDisk};
use crate::samples::{self, account};

/// The seller's token. No other server may receive it, and no exchange that the user can see may
/// contain it.
pub const CREDENTIAL: &str = "tok-of-ana-5c1f";

/// The length of a client deadline that a test has shortened.
const SHORT: Duration = Duration::from_millis(120);

/// The clients and other state that are shared by the tests of all withdrawals. There is a
/// production client for each kind of [`ClientDeadlines`].
pub struct SharedClients {
    ample: Client,
    short_in_all: Client,
    short_to_connect: Client,
    contracts: [Arc<Contract>; 2],
    clocks: MachineClocks,
    pub speaks: Option<Rc<Speaks>>,
    told: Arc<AtomicBool>,
}

impl SharedClients {
    pub fn new(speaks: Option<Speaks>) -> SharedClients {
        let (clocks, told) = (MachineClocks::new(), Arc::new(AtomicBool::new(false)));
        let client = |limits| {
            let (own, heard) = (clocks.clone(), told.clone());
            let tracer: Tracer = Arc::new(move |exchange| {
                if format!("{exchange:?}").contains(CREDENTIAL) {
                    heard.store(true, Ordering::Relaxed);
                }
            });
            let consent = Arc::new(|_: &Contract| Ok(()));
            Client::new(
                limits,
                NetworkSettings::default(),
                consent,
                Arc::new(move || own.now()),
                tracer,
            )
        };
        let confirmed = "confirmed = ['withdrawal.echo_amount', 'withdrawal.echo_destination']";
        SharedClients {
            ample: client(Limits::default()),
            short_in_all: client(Limits { total: SHORT, ..Limits::default() }),
            short_to_connect: client(Limits { connect: SHORT, ..Limits::default() }),
            contracts: [
                Arc::new(Contract::built_in()),
                Arc::new(Contract::own(&[("own.toml", confirmed)]).expect("a contract")),
            ],
            clocks,
            speaks: speaks.map(Rc::new),
            told,
        }
    }

    /// Returns true if an exchange that the user can see contained the token.
    pub fn told_a_secret(&self) -> bool {
        self.told.load(Ordering::Relaxed)
    }

    fn client(&self, patience: ClientDeadlines) -> &Client {
        match patience {
            ClientDeadlines::Ample => &self.ample,
            ClientDeadlines::ShortInAll => &self.short_in_all,
            ClientDeadlines::ShortToConnect => &self.short_to_connect,
        }
    }
}

#[derive(Debug, Default)]
pub struct Ended {
    pub attempts: Vec<AttemptClass>,
    /// The first complete request, byte for byte.
    pub request: Option<Vec<u8>>,
    pub payouts: usize,
    pub state: &'static str,
    /// The first violation of a rule, if any, and the attempts that led to it.
    pub violation: Option<String>,
}

/// Tests one withdrawal until it is decided. Each attempt uses the next fault in the list.
pub async fn live(
    street: &SharedClients,
    tls: bool,
    chance: &mut Random,
    faults: Vec<Fault>,
) -> Ended {
    live_under("Idempotency-Key", street, tls, chance, faults).await
}

/// Like [`live`], but sends the idempotency key in the header with this name.
pub async fn live_under(
    header: &str,
    street: &SharedClients,
    tls: bool,
    chance: &mut Random,
    faults: Vec<Fault>,
) -> Ended {
    let kind = chance.one_of(Kind::PROMPT);
    let confirmed_lines = chance.percent(50);
    let speaks = street.speaks.clone().filter(|_| tls);
    let mut host = Host::new(kind, speaks).expect("a port");
    host.till.borrow_mut().takes = chance.one_of(&[0, 0, 15 * SECOND]);
    let disk = MemoryDisk::new(&SharedDisk::default());
    let journal = disk.open(false).expect("a journal");
    let key = Uuid::from_u64_pair(7, chance.next());
    let key_header_name = header.into();
    let agreement = Agreement { key_header_name, ..agreement(street, tls, host.port, key) };
    let contract = &street.contracts[usize::from(confirmed_lines)];
    let life = Life {
        street,
        contract: contract.clone(),
        agreement,
        journal: Mutex::new(journal),
        confirmed_lines,
        ended: RefCell::default(),
        told: RefCell::default(),
        state: Cell::new("prepared"),
    };
    let prepared = life.journal.lock().expect("one thread").prepare(life.agreement.clone(), None);
    prepared.expect("nothing speaks against it");
    for fault in faults {
        let fault = Rc::new(fault);
        let went_on = life.attempt(&mut host, &fault).await;
        if let Err(what) = went_on {
            let told = life.told.borrow().join("\n  ");
            life.ended.borrow_mut().violation = Some(format!("{what}\n  ({kind:?}) {told}"));
            break;
        }
    }
    let till = host.till.borrow();
    let mut ended = life.ended.take();
    ended.payouts = till.bank.paid(life.agreement.key.0.as_u128());
    ended.request = till.requests.first().cloned();
    ended.state = life.state.get();
    ended
}

fn agreement(street: &SharedClients, tls: bool, port: u16, key: Uuid) -> Agreement {
    let origin = format!("{}://{HOST}:{port}", if tls { "https" } else { "http" });
    let (key, account) = (IdempotencyKey(key), account(&origin, "ana"));
    let agreement = samples::agreement(key, account, 1_010, street.clocks.now(), "");
    Agreement { quote: None, ..agreement }
}

struct Life<'a> {
    street: &'a SharedClients,
    contract: Arc<Contract>,
    agreement: Agreement,
    journal: Mutex<MoneyJournal<MemoryDisk>>,
    confirmed_lines: bool,
    ended: RefCell<Ended>,
    told: RefCell<Vec<String>>,
    state: Cell<&'static str>,
}

/// Credentials that consist of a token for this account.
struct SingleCredential<'a>(&'a Account);

impl Credentials for SingleCredential<'_> {
    async fn credential(&self, account: &Account, _: CredentialKind) -> Result<Secret, NotSent> {
        if account == self.0 {
            Ok(Secret::new(CREDENTIAL.into()))
        } else {
            Err(NotSent::OtherAccount)
        }
    }
}

impl Life<'_> {
    /// Makes one attempt with this fault, and checks its result.
    async fn attempt(&self, host: &mut Host, fault: &Rc<Fault>) -> Result<(), String> {
        let ready = host.play(fault).await.expect("the port is still this host's");
        let before = host.till.borrow().requests.len();
        let client = self.street.client(fault.patience);
        let (contract, purse) = (self.contract.clone(), SingleCredential(&self.agreement.account));
        let wire = MoneyWire::new(client.clone(), contract, purse);
        // Use the production time limit for resends, even if the client's deadlines are shortened.
        // Other tests cover this limit.
        let window = service::window(&self.contract, self.street.ample.limits());
        // Allow an immediate resend, so that the test does not have to wait.
        let window = Window { resend_after: Duration::ZERO, ..window };
        let reports = RefCell::new(Vec::new());
        let report = |report| reports.borrow_mut().push(report);
        let (key, clocks) = (self.agreement.key, &self.street.clocks);
        cashier::attempt((key, None), &window, &self.journal, &wire, clocks, report).await;
        drop(ready);
        let till = host.till.borrow();
        let may_be_sent = matches!(self.state.get(), "prepared" | "unknown");
        let withdrawal = match reports.into_inner().pop() {
            Some(Report::NotBegun { .. }) if !may_be_sent => {
                let silent = till.connections == 0 && till.requests.len() == before;
                return silent.then_some(()).ok_or_else(|| "refused, and sent".into());
            }
            Some(Report::Settled(withdrawal)) if may_be_sent => withdrawal,
            other => return Err(format!("{:?}: {other:?}", self.state.get())),
        };
        let end = withdrawal.attempts.last().and_then(|attempt| attempt.end.clone());
        let end = end.ok_or("an attempt without an end")?;
        let state = withdrawal.state(&clocks.now(), &window, false).name();
        self.state.set(state);
        self.told.borrow_mut().push(format!("{}: {end:?}, now {state}", fault.name));
        self.is_as_the_table_says(fault, &end, &till)?;
        self.heard_what_it_may(fault, &till)?;
        self.is_true(state, &till)
    }

    fn is_as_the_table_says(
        &self,
        fault: &Fault,
        end: &AttemptEnd,
        till: &ServerRecord,
    ) -> Result<(), String> {
        let mut ended = self.ended.borrow_mut();
        let sent_before = ended.attempts.iter().any(|means| *means != AttemptClass::NotSent);
        let known = Known { sent_before, whole: till.whole, confirmed_lines: self.confirmed_lines };
        let (means, wanted) = (means(&end.class), fault.expected.all(till.answered, known));
        ended.attempts.push(means);
        if !wanted.contains(&means) {
            return Err(format!("{means:?}, and the table says {wanted:?}"));
        }
        let (state, proved) = (self.state.get(), proved(&ended.attempts));
        (state == proved).then_some(()).ok_or_else(|| format!("{state}, and it is {proved}"))
    }

    /// Checks the bytes that the server received. There must be at most one connection for each
    /// attempt, all requests must be equal, and no secret may be sent before the server has proved
    /// its identity.
    fn heard_what_it_may(&self, fault: &Fault, till: &ServerRecord) -> Result<(), String> {
        let most = usize::from(fault.door != Handshake::Refused);
        if till.connections > most {
            return Err(format!("{} connections for one attempt", till.connections));
        }
        let raw = String::from_utf8_lossy(&till.raw);
        let key = self.agreement.key.to_string();
        let all_of_it = matches!(fault.door, Handshake::Bad(_) | Handshake::Unfinished(_));
        if raw.contains(CREDENTIAL) || raw.contains(&key) || (all_of_it && !raw.is_empty()) {
            return Err(format!("a host that proved nothing heard {raw:?}"));
        }
        let Some(first) = till.requests.first() else { return Ok(()) };
        if till.requests.iter().any(|request| request != first) {
            return Err("other bytes than the first time".into());
        }
        let text = String::from_utf8_lossy(first);
        let header = |line: String| text.lines().filter(|own| *own == line).count() == 1;
        let body = text.ends_with(&format!("\r\n\r\n{}", self.agreement.body));
        let headers = header(format!("Idempotency-Key: {key}"))
            && header(format!("Authorization: Bearer {CREDENTIAL}"));
        (body && headers).then_some(()).ok_or_else(|| format!("not what was agreed: {text}"))
    }

    /// Checks that the withdrawal's state agrees with the bank's ledger.
    fn is_true(&self, state: &str, till: &ServerRecord) -> Result<(), String> {
        let paid = till.bank.paid(self.agreement.key.0.as_u128());
        let true_of_it = match state {
            "accepted" => paid == 1,
            "rejected" | "prepared" => paid == 0,
            _ => paid <= 1,
        };
        true_of_it.then_some(()).ok_or_else(|| format!("{state}, and paid {paid} times"))
    }
}

fn means(class: &Class) -> AttemptClass {
    match class {
        Class::NotSent(_) => AttemptClass::NotSent,
        Class::Unclear(_) => AttemptClass::Unclear,
        Class::Confirmed { .. } => AttemptClass::Confirmed,
        Class::Alarm(_) => AttemptClass::Alarm,
        Class::DefiniteNo => AttemptClass::No,
        Class::Unauthorized => AttemptClass::Unauthorized,
        Class::Throttled { .. } => AttemptClass::Throttled,
        Class::Redirected => AttemptClass::Redirected,
        Class::KeyReused => AttemptClass::KeyReused,
        Class::SaysFailed(_) => AttemptClass::SaysFailed,
    }
}
