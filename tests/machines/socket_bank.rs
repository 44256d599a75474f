//! A simulated bank on a local TCP socket. It can kill its client process at a chosen moment of a
//! request.
//!
//! Each connection has its own thread, and every complete request is recorded. Two requests of one
//! account that are in flight at the same time violate a rule, unless a killed process sent one of
//! them.

use std::collections::HashMap;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::bank::{Bank, BankKind, Fate, Ms, SECOND};
use crate::chance::Random;
use crate::process::Process;

/// A moment during a request at which the bank can kill the client process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Moment {
    Connect,
    /// The request's first byte has arrived.
    FirstByte,
    /// The whole request has arrived, but was not processed yet.
    Request,
    /// The bank has paid or refused, but has not sent any of its reply.
    Acted,
    HalfReply,
    Reply,
}

impl Moment {
    pub const ALL: [Moment; 6] = [
        Moment::Connect,
        Moment::FirstByte,
        Moment::Request,
        Moment::Acted,
        Moment::HalfReply,
        Moment::Reply,
    ];
}

/// A complete request that the bank received.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceivedRequest {
    pub key: String,
    pub body: String,
}

/// How the simulated bank replies: how often, after which delay, and whether its first reply fails.
#[derive(Debug, Clone, Copy)]
pub struct Behaviour {
    /// The percentage of requests that the bank processes without sending a reply.
    pub silent_percent: u64,
    /// The delay of each reply. It makes a second request that is sent too early overlap with the
    /// first.
    pub reply_delay: Duration,
    /// True if the bank answers the first request with a server error or not at all.
    pub first_reply_fails: bool,
}

/// A plan to kill a client process at a chosen moment.
#[derive(Clone)]
pub struct Plan {
    pub moment: Moment,
    /// The kill happens when `moment` occurs for the nth time (counted from 1).
    pub nth: u32,
    /// The processes that the bank may kill, by the name of their window. The bank kills the sender
    /// of the current request. If the sender is not known yet, it kills any of these processes.
    pub victims: HashMap<String, Arc<Process>>,
}

struct BankState {
    bank: Bank,
    random: Random,
    behaviour: Behaviour,
    received: Vec<ReceivedRequest>,
    in_flight: Vec<Request>,
    last_number: u64,
    /// The requests (by `Request::number`) for which the bank is checking whether the client closed
    /// the connection. They count as in flight until the check is over.
    checked: Vec<u64>,
    overlaps: Vec<Overlap>,
    plan: Option<Plan>,
    violations: Vec<String>,
}

/// A request that the bank has received but not answered.
struct Request {
    number: u64,
    sender: Sender,
    stream: TcpStream,
}

/// Two requests of one account that were in flight at the same time.
struct Overlap {
    senders: [Sender; 2],
    /// The window (process) that closed its connection before the reply. Only a killed process does
    /// so.
    hung_up: Option<String>,
}

/// The sender of a request, according to its bearer token `WINDOW/ACCOUNT`.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Sender {
    window: String,
    account: String,
}

struct Shared {
    state: Mutex<BankState>,
    changed: Condvar,
    is_closing: AtomicBool,
}

/// A running simulated bank, which stops when it is dropped.
pub struct SocketBank {
    address: SocketAddr,
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl SocketBank {
    pub fn open(kind: BankKind, behaviour: Behaviour, random: Random) -> SocketBank {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let address = listener.local_addr().expect("its address");
        let state = BankState {
            bank: Bank::new(kind),
            random,
            behaviour,
            received: Vec::new(),
            in_flight: Vec::new(),
            last_number: 0,
            checked: Vec::new(),
            overlaps: Vec::new(),
            plan: None,
            violations: Vec::new(),
        };
        let shared = Arc::new(Shared {
            state: Mutex::new(state),
            changed: Condvar::new(),
            is_closing: AtomicBool::new(false),
        });
        let shared_with_thread = shared.clone();
        let thread = thread::spawn(move || serve(&listener, &shared_with_thread));
        SocketBank {
            address,
            shared,
            thread: Some(thread),
        }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Plans a kill, or cancels the current plan with `None`.
    pub fn plan(&self, plan: Option<Plan>) {
        self.shared.state().plan = plan;
    }

    /// Returns all complete requests in order of arrival.
    pub fn requests(&self) -> Vec<ReceivedRequest> {
        self.shared.state().received.clone()
    }

    pub fn payout_count(&self, key: u128) -> usize {
        self.shared.state().bank.payout_count(key)
    }

    /// Returns all detected violations of a rule. Overlapping requests are allowed if a window
    /// (process) named in `killed` sent one of them.
    pub fn violations(&self, killed: &[String]) -> Vec<String> {
        let state = self.shared.state();
        let is_by_killed = |overlap: &&Overlap| {
            overlap
                .hung_up
                .as_ref()
                .is_some_and(|window| killed.contains(window))
        };
        let overlaps = state
            .overlaps
            .iter()
            .filter(|overlap| !is_by_killed(overlap));
        let descriptions = overlaps.map(|Overlap { senders, hung_up }| {
            format!("two under way at once: {senders:?}, hung up: {hung_up:?}")
        });
        state
            .violations
            .iter()
            .cloned()
            .chain(descriptions)
            .collect()
    }

    /// Returns how often two requests overlapped and the sender of one of them had been killed.
    pub fn overlaps_with_killed(&self) -> u64 {
        let state = self.shared.state();
        state
            .overlaps
            .iter()
            .filter(|overlap| overlap.hung_up.is_some())
            .count() as u64
    }

    /// Waits until no request is in flight.
    pub fn wait_until_idle(&self) {
        let state = self.shared.state();
        let is_busy = |state: &mut BankState| !state.in_flight.is_empty();
        let result = self.shared.changed.wait_while(state, is_busy);
        drop(result.unwrap_or_else(PoisonError::into_inner));
    }
}

impl Drop for SocketBank {
    fn drop(&mut self) {
        self.shared.is_closing.store(true, Ordering::SeqCst);
        // Connect once to wake the listening thread, which then sees `is_closing` and stops.
        let _ = TcpStream::connect(self.address);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, BankState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Kills a process if the plan says so for this moment.
    fn on_moment(&self, moment: Moment, window: Option<&str>) {
        let victim = {
            let mut state = self.state();
            let Some(plan) = state.plan.as_mut().filter(|plan| plan.moment == moment) else {
                return;
            };
            plan.nth -= 1;
            if plan.nth > 0 {
                return;
            }
            let plan = state.plan.take().expect("it is there");
            let mut victims = plan.victims.into_iter();
            let victim = match window {
                Some(window) => victims.find(|(name, _)| name == window),
                // The bank has not read the request yet, so its sender is unknown. Kill any of the
                // planned processes.
                None => victims.next(),
            };
            let Some((_, process)) = victim else { return };
            process
        };
        victim.kill();
    }
}

fn serve(listener: &TcpListener, shared: &Arc<Shared>) {
    let mut threads = Vec::new();
    for stream in listener.incoming() {
        if shared.is_closing.load(Ordering::SeqCst) {
            break;
        }
        let (Ok(stream), shared) = (stream, shared.clone()) else {
            continue;
        };
        threads.push(thread::spawn(move || {
            // Ignore errors, because the client may have been killed.
            let _ = serve_connection(stream, &shared);
        }));
    }
    for thread in threads {
        let _ = thread.join();
    }
}

/// Reads one request, and sends the bank's reply.
fn serve_connection(mut stream: TcpStream, shared: &Shared) -> std::io::Result<()> {
    shared.on_moment(Moment::Connect, None);
    let mut bytes = vec![0];
    stream.read_exact(&mut bytes)?;
    shared.on_moment(Moment::FirstByte, None);
    let Some(request) = read_request(&mut stream, bytes)? else {
        return Ok(());
    };
    let Some(sender) = read_sender(&request) else {
        return Ok(());
    };
    let window = sender.window.clone();
    let number = shared.begin_request(sender, &stream)?;
    shared.on_moment(Moment::Request, Some(&window));
    let answer = shared.state().process_request(&request);
    shared.on_moment(Moment::Acted, Some(&window));
    shared.delay_reply(number);
    let Some(status) = answer else {
        shared.end_request(number);
        return Ok(());
    };
    let reply = build_reply(status).into_bytes();
    let half = reply.len() / 2;
    let last = reply.len() - 1;
    let half_result = stream
        .write_all(&reply[..half])
        .and_then(|()| stream.flush());
    shared.on_moment(Moment::HalfReply, Some(&window));
    let result = half_result.and_then(|()| stream.write_all(&reply[half..last]));
    // Mark the request as finished before sending the last byte of the reply. As soon as the client
    // has that byte, it may send its next request.
    shared.end_request(number);
    result?;
    stream.write_all(&reply[last..])?;
    shared.on_moment(Moment::Reply, Some(&window));
    Ok(())
}

fn read_request(stream: &mut TcpStream, mut bytes: Vec<u8>) -> std::io::Result<Option<String>> {
    let mut buffer = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&bytes);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = header(head, "content-length").and_then(|text| text.parse().ok());
            if body.len() >= length.unwrap_or(0) {
                return Ok(Some(text.into_owned()));
            }
        }
        match stream.read(&mut buffer)? {
            0 => return Ok(None),
            read => bytes.extend_from_slice(&buffer[..read]),
        }
    }
}

fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    let mut fields = head.lines().filter_map(|line| line.split_once(':'));
    let (_, value) = fields.find(|(field, _)| field.eq_ignore_ascii_case(name))?;
    Some(value.trim())
}

/// Reads the sender from the request's header `Authorization: Bearer WINDOW/ACCOUNT`.
fn read_sender(request: &str) -> Option<Sender> {
    let token = header(request, "authorization")?.strip_prefix("Bearer ")?;
    let (window, account) = token.split_once('/')?;
    Some(Sender {
        window: window.into(),
        account: account.into(),
    })
}

/// The longest time until a killed process has exited and its sockets are closed.
const PROCESS_EXIT_TIMEOUT: Duration = Duration::from_secs(5);

/// The shortest read timeout that a socket accepts.
const MIN_READ_TIMEOUT: Duration = Duration::from_millis(1);

/// Returns true if the client closes the connection within the time limit.
fn closes_connection(stream: &TcpStream, limit: Duration) -> bool {
    use std::io::ErrorKind::{TimedOut, WouldBlock};
    stream.set_read_timeout(Some(limit)).expect("a limit");
    match stream.peek(&mut [0]) {
        Ok(read) => read == 0,
        Err(error) => !matches!(error.kind(), TimedOut | WouldBlock),
    }
}

impl BankState {
    fn next_number(&mut self) -> u64 {
        self.last_number += 1;
        self.last_number
    }

    /// Adds a request to the requests in flight. Returns the other requests of the same account
    /// that are in flight, and adds their numbers to `checked`.
    fn add_in_flight(&mut self, request: Request) -> std::io::Result<Vec<Request>> {
        let account = &request.sender.account;
        let others = self
            .in_flight
            .iter()
            .filter(|other| other.sender.account == *account);
        let clone_request = |other: &Request| {
            let number = other.number;
            let sender = other.sender.clone();
            Ok(Request {
                number,
                sender,
                stream: other.stream.try_clone()?,
            })
        };
        let others: Vec<Request> = others.map(clone_request).collect::<std::io::Result<_>>()?;
        self.checked.extend(others.iter().map(|other| other.number));
        self.in_flight.push(request);
        Ok(others)
    }

    /// Processes a request. Returns the HTTP status of the reply, or `None` if the bank sends no
    /// reply.
    fn process_request(&mut self, request: &str) -> Option<u16> {
        let (head, body) = request.split_once("\r\n\r\n")?;
        let key = header(head, "idempotency-key")
            .unwrap_or_default()
            .to_owned();
        let Ok(uuid) = uuid::Uuid::parse_str(&key) else {
            self.violations
                .push(format!("a request without a key: {head}"));
            return Some(400);
        };
        if let Some(earlier) = self.received.iter().find(|earlier| earlier.key == key)
            && earlier.body != body
        {
            self.violations
                .push(format!("{key}: {body:?} after {:?}", earlier.body));
        }
        self.received.push(ReceivedRequest {
            key: key.clone(),
            body: body.to_owned(),
        });
        let fate = self.fate();
        let body = Arc::from(body);
        let now: Ms = self.received.len() as Ms * SECOND;
        let status = self
            .bank
            .handle_request(uuid.as_u128(), &body, now, fate, 0);
        if self.bank.payout_count(uuid.as_u128()) > 1 {
            self.violations.push(format!("{key} was paid twice"));
        }
        let silent_percent = if self.must_fail_first_reply() && status < 500 {
            100
        } else {
            self.behaviour.silent_percent
        };
        (!self.random.percent_chance(silent_percent)).then_some(status)
    }

    fn must_fail_first_reply(&self) -> bool {
        self.behaviour.first_reply_fails && self.received.len() == 1
    }

    fn fate(&mut self) -> Fate {
        if self.must_fail_first_reply() {
            return self
                .random
                .one_of(&[Fate::Pays, Fate::PaysAndFails, Fate::Fails]);
        }
        match self.random.below(100) {
            0..75 => Fate::Pays,
            75..85 => Fate::PaysAndFails,
            85..93 => Fate::Fails,
            _ => Fate::Refuses(402),
        }
    }
}

impl Shared {
    /// Registers a complete request, and records each overlap with another request of its account.
    /// Returns the new request's number.
    fn begin_request(&self, sender: Sender, stream: &TcpStream) -> std::io::Result<u64> {
        let request = Request {
            number: 0,
            sender,
            stream: stream.try_clone()?,
        };
        let number = self.state().next_number();
        let sender = request.sender.clone();
        let others = self.state().add_in_flight(Request { number, ..request })?;
        self.changed.notify_all();
        for Request {
            number: other,
            sender: other_sender,
            stream: other_stream,
        } in &others
        {
            let connection_checks = [
                (&sender, stream, MIN_READ_TIMEOUT),
                (other_sender, other_stream, PROCESS_EXIT_TIMEOUT),
                // Check the new request's sender again, this time with the longer limit. It may
                // have been killed after it sent the request.
                (&sender, stream, PROCESS_EXIT_TIMEOUT),
            ];
            let hung_up = connection_checks
                .iter()
                .find(|(_, stream, limit)| closes_connection(stream, *limit));
            let hung_up = hung_up.map(|(who, ..)| who.window.clone());
            let mut state = self.state();
            state.overlaps.push(Overlap {
                senders: [other_sender.clone(), sender.clone()],
                hung_up,
            });
            let index = state.checked.iter().position(|number| number == other);
            state.checked.swap_remove(index.expect("it is looked at"));
            drop(state);
            self.changed.notify_all();
        }
        Ok(number)
    }

    fn end_request(&self, number: u64) {
        let is_checked = |state: &mut BankState| state.checked.contains(&number);
        let state = self.changed.wait_while(self.state(), is_checked);
        let mut state = state.unwrap_or_else(PoisonError::into_inner);
        state.in_flight.retain(|other| other.number != number);
        drop(state);
        self.changed.notify_all();
    }

    /// Delays a reply for the configured time. The delay ends early if another request arrives.
    fn delay_reply(&self, number: u64) {
        let state = self.state();
        let delay = state.behaviour.reply_delay;
        let is_newest = |state: &mut BankState| state.last_number == number;
        drop(self.changed.wait_timeout_while(state, delay, is_newest));
    }
}

fn build_reply(status: u16) -> String {
    let body = match status {
        200..300 => r#"{"data":{"id":"w-1","status":"done"}}"#,
        _ => r#"{"message":"Nao foi possivel.","action":"Tente de novo."}"#,
    };
    format!(
        "HTTP/1.1 {status} Said\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
         Connection: close\r\n\r\n{body}",
        body.len()
    )
}
