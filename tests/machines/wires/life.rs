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
use super::fault::{AttemptClass, AttemptFacts, ClientDeadlines, Fault, Handshake, expected_state};
use super::host::{Host, ServerRecord, TlsAcceptors};
use crate::bank::{BankKind, SECOND};
use crate::chance::Random;
use crate::memory::{MemoryDisk, SharedDisk};
use crate::samples::{self, account};

/// The seller's token. No other server may receive it. The HTTP requests and replies that the app
/// shows to the user must not contain it.
pub const CREDENTIAL: &str = "tok-of-ana-5c1f";

/// How long a client deadline lasts if a test shortens it.
const SHORT_DEADLINE: Duration = Duration::from_millis(120);

/// The clients and other state that are shared by the tests of all withdrawals. There is a
/// production client for each kind of [`ClientDeadlines`].
pub struct SharedClients {
    ample: Client,
    short_in_all: Client,
    short_to_connect: Client,
    contracts: [Arc<Contract>; 2],
    clocks: MachineClocks,
    pub tls_acceptors: Rc<TlsAcceptors>,
    leaked_secret: Arc<AtomicBool>,
}

impl SharedClients {
    pub fn new(tls_acceptors: TlsAcceptors, network: &NetworkSettings) -> SharedClients {
        let clocks = MachineClocks::new();
        let leaked_secret = Arc::new(AtomicBool::new(false));
        let client = |limits| {
            let client_clocks = clocks.clone();
            let has_leaked = leaked_secret.clone();
            let tracer: Tracer = Arc::new(move |exchange| {
                if format!("{exchange:?}").contains(CREDENTIAL) {
                    has_leaked.store(true, Ordering::Relaxed);
                }
            });
            let consent = Arc::new(|_: &Contract| Ok(()));
            Client::new(
                limits,
                network.clone(),
                consent,
                Arc::new(move || client_clocks.now()),
                tracer,
            )
        };
        let confirmed = "confirmed = ['withdrawal.echo_amount', 'withdrawal.echo_destination']";
        SharedClients {
            ample: client(Limits::default()),
            short_in_all: client(Limits {
                request_timeout: SHORT_DEADLINE,
                ..Limits::default()
            }),
            short_to_connect: client(Limits {
                connect_timeout: SHORT_DEADLINE,
                ..Limits::default()
            }),
            contracts: [
                Arc::new(Contract::built_in()),
                Arc::new(
                    Contract::from_program_files(&[("own.toml", confirmed)]).expect("a contract"),
                ),
            ],
            clocks,
            tls_acceptors: Rc::new(tls_acceptors),
            leaked_secret,
        }
    }

    /// Returns true if an HTTP request or reply that the app shows to the user contained the token.
    pub fn leaked_secret(&self) -> bool {
        self.leaked_secret.load(Ordering::Relaxed)
    }

    fn client(&self, deadlines: ClientDeadlines) -> &Client {
        match deadlines {
            ClientDeadlines::Ample => &self.ample,
            ClientDeadlines::ShortInAll => &self.short_in_all,
            ClientDeadlines::ShortToConnect => &self.short_to_connect,
        }
    }
}

#[derive(Debug, Default)]
pub struct LifeResult {
    pub attempts: Vec<AttemptClass>,
    /// The first complete request, byte for byte.
    pub request: Option<Vec<u8>>,
    pub payouts: usize,
    pub state: &'static str,
    /// The first violation of a rule, if any, and the attempts that led to it.
    pub violation: Option<String>,
}

/// Tests one withdrawal until it is decided. Each attempt uses the next fault in the list.
pub async fn run_withdrawal(
    clients: &SharedClients,
    tls: bool,
    random: &mut Random,
    faults: Vec<Fault>,
) -> LifeResult {
    run_withdrawal_with_header("Idempotency-Key", clients, tls, random, faults).await
}

/// Like [`run_withdrawal`], but sends the idempotency key in the header with this name.
pub async fn run_withdrawal_with_header(
    header: &str,
    clients: &SharedClients,
    tls: bool,
    random: &mut Random,
    faults: Vec<Fault>,
) -> LifeResult {
    let kind = random.one_of(BankKind::REMEMBERS_ON_ARRIVAL);
    let echo_confirmed = random.percent_chance(50);
    let tls_acceptors = tls.then(|| clients.tls_acceptors.clone());
    let mut host = Host::new(kind, tls_acceptors).expect("a port");
    host.record.borrow_mut().processing_time = random.one_of(&[0, 0, 15 * SECOND]);
    let disk = MemoryDisk::new(&SharedDisk::default());
    let journal = disk.open(false).expect("a journal");
    let key = Uuid::from_u64_pair(7, random.next());
    let key_header_name = header.into();
    let agreement = Agreement {
        key_header_name,
        ..agreement(clients, tls, host.port, key)
    };
    let contract = &clients.contracts[usize::from(echo_confirmed)];
    let life = Life {
        clients,
        contract: contract.clone(),
        agreement,
        journal: Mutex::new(journal),
        echo_confirmed,
        result: RefCell::default(),
        log: RefCell::default(),
        state: Cell::new("prepared"),
    };
    let prepared = life
        .journal
        .lock()
        .expect("one thread")
        .prepare(life.agreement.clone(), None);
    prepared.expect("nothing speaks against it");
    for fault in faults {
        let fault = Rc::new(fault);
        let outcome = life.attempt(&mut host, &fault).await;
        if let Err(problem) = outcome {
            let log = life.log.borrow().join("\n  ");
            life.result.borrow_mut().violation = Some(format!("{problem}\n  ({kind:?}) {log}"));
            break;
        }
    }
    let record = host.record.borrow();
    let mut result = life.result.take();
    result.payouts = record.bank.payout_count(life.agreement.key.0.as_u128());
    result.request = record.requests.first().cloned();
    result.state = life.state.get();
    result
}

fn agreement(clients: &SharedClients, tls: bool, port: u16, key: Uuid) -> Agreement {
    let origin = format!("{}://{HOST}:{port}", if tls { "https" } else { "http" });
    let key = IdempotencyKey(key);
    let account = account(&origin, "ana");
    let agreement = samples::agreement(key, account, 1_010, clients.clocks.now(), "");
    Agreement {
        quote: None,
        ..agreement
    }
}

struct Life<'a> {
    clients: &'a SharedClients,
    contract: Arc<Contract>,
    agreement: Agreement,
    journal: Mutex<MoneyJournal>,
    echo_confirmed: bool,
    result: RefCell<LifeResult>,
    log: RefCell<Vec<String>>,
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
        let server_task = host
            .start(fault)
            .await
            .expect("the port is still this host's");
        let before = host.record.borrow().requests.len();
        let client = self.clients.client(fault.deadlines);
        let contract = self.contract.clone();
        let credentials = SingleCredential(&self.agreement.account);
        let wire = MoneyWire::new(client.clone(), contract, credentials);
        // Use the production time limit for resends, even if the client's deadlines are shortened.
        // Other tests cover this limit.
        let window = service::window(&self.contract, self.clients.ample.limits());
        // Allow an immediate resend, so that the test does not have to wait.
        let window = Window {
            resend_after: Duration::ZERO,
            ..window
        };
        let reports = RefCell::new(Vec::new());
        let report = async |report| reports.borrow_mut().push(report);
        let key = self.agreement.key;
        let clocks = &self.clients.clocks;
        cashier::attempt((key, None), &window, &self.journal, &wire, clocks, report).await;
        drop(server_task);
        let record = host.record.borrow();
        let may_send = matches!(self.state.get(), "prepared" | "unknown");
        let withdrawal = match reports.into_inner().pop() {
            Some(Report::NotBegun { .. }) if !may_send => {
                let sent_nothing = record.connections == 0 && record.requests.len() == before;
                return sent_nothing
                    .then_some(())
                    .ok_or_else(|| "refused, and sent".into());
            }
            Some(Report::Settled(withdrawal)) if may_send => withdrawal,
            other => return Err(format!("{:?}: {other:?}", self.state.get())),
        };
        let end = withdrawal
            .attempts
            .last()
            .and_then(|attempt| attempt.end.clone());
        let end = end.ok_or("an attempt without an end")?;
        let state = withdrawal.state(&clocks.now(), &window, false).name();
        self.state.set(state);
        self.log
            .borrow_mut()
            .push(format!("{}: {end:?}, now {state}", fault.name));
        self.check_class(fault, &end, &record)?;
        self.check_received_bytes(fault, &record)?;
        self.check_state(state, &record)
    }

    fn check_class(
        &self,
        fault: &Fault,
        end: &AttemptEnd,
        record: &ServerRecord,
    ) -> Result<(), String> {
        let mut result = self.result.borrow_mut();
        let sent_before = result
            .attempts
            .iter()
            .any(|class| *class != AttemptClass::NotSent);
        let facts = AttemptFacts {
            sent_before,
            sent_whole_reply: record.sent_whole_reply,
            echo_confirmed: self.echo_confirmed,
        };
        let class = attempt_class(&end.class);
        let accepted = fault.expected.accepted_classes(record.bank_status, facts);
        result.attempts.push(class);
        if !accepted.contains(&class) {
            return Err(format!("{class:?}, and the table says {accepted:?}"));
        }
        let state = self.state.get();
        let expected_state = expected_state(&result.attempts);
        (state == expected_state)
            .then_some(())
            .ok_or_else(|| format!("{state}, and it is {expected_state}"))
    }

    /// Checks the bytes that the server received. There must be at most one connection for each
    /// attempt, all requests must be equal, and no secret may be sent before the server has proved
    /// its identity.
    fn check_received_bytes(&self, fault: &Fault, record: &ServerRecord) -> Result<(), String> {
        let max_connections = usize::from(fault.handshake != Handshake::Refused);
        if record.connections > max_connections {
            return Err(format!(
                "{} connections for one attempt",
                record.connections
            ));
        }
        let raw = String::from_utf8_lossy(&record.raw);
        let key = self.agreement.key.to_string();
        let must_be_empty = matches!(
            fault.handshake,
            Handshake::Bad(_) | Handshake::Unfinished(_)
        );
        if raw.contains(CREDENTIAL) || raw.contains(&key) || (must_be_empty && !raw.is_empty()) {
            return Err(format!("a host that proved nothing heard {raw:?}"));
        }
        let Some(first) = record.requests.first() else {
            return Ok(());
        };
        if record.requests.iter().any(|request| request != first) {
            return Err("other bytes than the first time".into());
        }
        let text = String::from_utf8_lossy(first);
        let has_header = |line: String| text.lines().filter(|header| *header == line).count() == 1;
        let has_body = text.ends_with(&format!("\r\n\r\n{}", self.agreement.body));
        let has_headers = has_header(format!("Idempotency-Key: {key}"))
            && has_header(format!("Authorization: Bearer {CREDENTIAL}"));
        (has_body && has_headers)
            .then_some(())
            .ok_or_else(|| format!("not what was agreed: {text}"))
    }

    /// Checks that the withdrawal's state agrees with the bank's ledger.
    fn check_state(&self, state: &str, record: &ServerRecord) -> Result<(), String> {
        let paid = record.bank.payout_count(self.agreement.key.0.as_u128());
        let is_consistent = match state {
            "accepted" => paid == 1,
            "rejected" | "prepared" => paid == 0,
            _ => paid <= 1,
        };
        is_consistent
            .then_some(())
            .ok_or_else(|| format!("{state}, and paid {paid} times"))
    }
}

fn attempt_class(class: &Class) -> AttemptClass {
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
