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

use crate::bank::{Bank, Fate, Kind, Ms, SECOND};
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
pub struct Heard {
    pub key: String,
    pub body: String,
}

/// How the simulated bank replies, for example how often it does not reply, and after which delay
/// it replies.
#[derive(Debug, Clone, Copy)]
pub struct Behaviour {
    /// The percentage of requests that the bank processes without sending a reply.
    pub silent: u64,
    /// The delay of each reply. With a delay, a second request that is sent too early overlaps with
    /// the first request.
    pub lingers: Duration,
    /// True if the bank answers the first request with a server error or not at all.
    pub begins_badly: bool,
}

/// A plan to kill a client process at a chosen moment.
#[derive(Clone)]
pub struct Plan {
    pub moment: Moment,
    /// The plan's kill happens when `moment` occurs for the nth time (counted from 1).
    pub nth: u32,
    /// The processes that the bank may kill, by the name of their window. The bank kills the sender
    /// of the current request. If the sender is not known yet, it kills any of these processes.
    pub victims: HashMap<String, Arc<Process>>,
}

struct BankState {
    bank: Bank,
    chance: Random,
    temper: Behaviour,
    heard: Vec<Heard>,
    under_way: Vec<Request>,
    numbers: u64,
    /// The numbers of requests for which the bank is checking whether the client closed the
    /// connection. They count as in flight until the check is over.
    looked_at: Vec<u64>,
    overlaps: Vec<Overlap>,
    plan: Option<Plan>,
    wrong: Vec<String>,
}

/// A request that the bank has received but not answered.
struct Request {
    number: u64,
    sender: Sender,
    stream: TcpStream,
}

/// Two requests of one account that were in flight at the same time.
struct Overlap {
    two: [Sender; 2],
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
    books: Mutex<BankState>,
    came: Condvar,
    closing: AtomicBool,
}

/// A running simulated bank, which stops when it is dropped.
pub struct SocketBank {
    address: SocketAddr,
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl SocketBank {
    pub fn open(kind: Kind, temper: Behaviour, chance: Random) -> SocketBank {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let address = listener.local_addr().expect("its address");
        let books = BankState {
            bank: Bank::new(kind),
            chance,
            temper,
            heard: Vec::new(),
            under_way: Vec::new(),
            numbers: 0,
            looked_at: Vec::new(),
            overlaps: Vec::new(),
            plan: None,
            wrong: Vec::new(),
        };
        let shared = Arc::new(Shared {
            books: Mutex::new(books),
            came: Condvar::new(),
            closing: AtomicBool::new(false),
        });
        let served = shared.clone();
        let thread = thread::spawn(move || serve(&listener, &served));
        SocketBank { address, shared, thread: Some(thread) }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Plans a kill, or cancels the current plan with `None`.
    pub fn plan(&self, plan: Option<Plan>) {
        self.shared.books().plan = plan;
    }

    /// Returns all complete requests in order of arrival.
    pub fn heard(&self) -> Vec<Heard> {
        self.shared.books().heard.clone()
    }

    /// Returns the number of payouts for this idempotency key.
    pub fn paid(&self, key: u128) -> usize {
        self.shared.books().bank.paid(key)
    }

    /// Returns all detected violations of a rule. Overlapping requests are allowed if a window
    /// (process) named in `killed` sent one of them.
    pub fn wrong(&self, killed: &[String]) -> Vec<String> {
        let books = self.shared.books();
        let is_left =
            |overlap: &&Overlap| overlap.hung_up.as_ref().is_some_and(|one| killed.contains(one));
        let overlaps = books.overlaps.iter().filter(|overlap| !is_left(overlap));
        let told = overlaps.map(|Overlap { two, hung_up }| {
            format!("two under way at once: {two:?}, hung up: {hung_up:?}")
        });
        books.wrong.iter().cloned().chain(told).collect()
    }

    /// Returns the number of pairs of overlapping requests in which a killed process sent one
    /// request.
    pub fn overlaps_with_the_dead(&self) -> u64 {
        let books = self.shared.books();
        books.overlaps.iter().filter(|overlap| overlap.hung_up.is_some()).count() as u64
    }

    /// Waits until no request is in flight.
    pub fn come_to_rest(&self) {
        let books = self.shared.books();
        let busy = |books: &mut BankState| !books.under_way.is_empty();
        let waited = self.shared.came.wait_while(books, busy);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }
}

impl Drop for SocketBank {
    fn drop(&mut self) {
        self.shared.closing.store(true, Ordering::SeqCst);
        // Connect once to wake the listening thread, which then sees `closing` and stops.
        let _ = TcpStream::connect(self.address);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn books(&self) -> MutexGuard<'_, BankState> {
        self.books.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Kills a process if the plan says so for this moment.
    fn at(&self, moment: Moment, window: Option<&str>) {
        let victim = {
            let mut books = self.books();
            let Some(plan) = books.plan.as_mut().filter(|plan| plan.moment == moment) else {
                return;
            };
            plan.nth -= 1;
            if plan.nth > 0 {
                return;
            }
            let plan = books.plan.take().expect("it is there");
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
        if shared.closing.load(Ordering::SeqCst) {
            break;
        }
        let (Ok(stream), shared) = (stream, shared.clone()) else { continue };
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
    shared.at(Moment::Connect, None);
    let mut bytes = vec![0];
    stream.read_exact(&mut bytes)?;
    shared.at(Moment::FirstByte, None);
    let Some(request) = read_whole(&mut stream, bytes)? else { return Ok(()) };
    let Some(sender) = sender(&request) else { return Ok(()) };
    let window = sender.window.clone();
    let number = shared.begins(sender, &stream)?;
    shared.at(Moment::Request, Some(&window));
    let answer = shared.books().act(&request);
    shared.at(Moment::Acted, Some(&window));
    shared.linger(number);
    let Some(status) = answer else {
        shared.ends(number);
        return Ok(());
    };
    let reply = reply(status).into_bytes();
    let (half, last) = (reply.len() / 2, reply.len() - 1);
    let half_written = stream.write_all(&reply[..half]).and_then(|()| stream.flush());
    shared.at(Moment::HalfReply, Some(&window));
    let written = half_written.and_then(|()| stream.write_all(&reply[half..last]));
    // Mark the request as finished before sending the last byte of the reply. As soon as the client
    // has that byte, it may send its next request.
    shared.ends(number);
    written?;
    stream.write_all(&reply[last..])?;
    shared.at(Moment::Reply, Some(&window));
    Ok(())
}

fn read_whole(stream: &mut TcpStream, mut bytes: Vec<u8>) -> std::io::Result<Option<String>> {
    let mut piece = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&bytes);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = header(head, "content-length").and_then(|text| text.parse().ok());
            if body.len() >= length.unwrap_or(0) {
                return Ok(Some(text.into_owned()));
            }
        }
        match stream.read(&mut piece)? {
            0 => return Ok(None),
            read => bytes.extend_from_slice(&piece[..read]),
        }
    }
}

fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    let mut fields = head.lines().filter_map(|line| line.split_once(':'));
    let (_, value) = fields.find(|(field, _)| field.eq_ignore_ascii_case(name))?;
    Some(value.trim())
}

/// Reads the sender from the request's header `Authorization: Bearer WINDOW/ACCOUNT`.
fn sender(request: &str) -> Option<Sender> {
    let token = header(request, "authorization")?.strip_prefix("Bearer ")?;
    let (window, account) = token.split_once('/')?;
    Some(Sender { window: window.into(), account: account.into() })
}

/// The longest time until a killed process has exited and its sockets are closed.
const DYING: Duration = Duration::from_secs(5);

/// The shortest read timeout that a socket accepts.
const AT_ONCE: Duration = Duration::from_millis(1);

/// Returns true if the client closes the connection within the time limit.
fn hangs_up(stream: &TcpStream, limit: Duration) -> bool {
    use std::io::ErrorKind::{TimedOut, WouldBlock};
    stream.set_read_timeout(Some(limit)).expect("a limit");
    match stream.peek(&mut [0]) {
        Ok(read) => read == 0,
        Err(error) => !matches!(error.kind(), TimedOut | WouldBlock),
    }
}

impl BankState {
    fn next_number(&mut self) -> u64 {
        self.numbers += 1;
        self.numbers
    }

    /// Adds `this` to the requests in flight. Returns the other requests of the same account that
    /// are in flight, and adds their numbers to `looked_at`.
    fn beside(&mut self, this: Request) -> std::io::Result<Vec<Request>> {
        let account = &this.sender.account;
        let others = self.under_way.iter().filter(|other| other.sender.account == *account);
        let again = |other: &Request| {
            let (number, sender) = (other.number, other.sender.clone());
            Ok(Request { number, sender, stream: other.stream.try_clone()? })
        };
        let others: Vec<Request> = others.map(again).collect::<std::io::Result<_>>()?;
        self.looked_at.extend(others.iter().map(|other| other.number));
        self.under_way.push(this);
        Ok(others)
    }

    /// Processes a request. Returns the HTTP status of the reply, or `None` if the bank sends no
    /// reply.
    fn act(&mut self, request: &str) -> Option<u16> {
        let (head, body) = request.split_once("\r\n\r\n")?;
        let key = header(head, "idempotency-key").unwrap_or_default().to_owned();
        let Ok(uuid) = uuid::Uuid::parse_str(&key) else {
            self.wrong.push(format!("a request without a key: {head}"));
            return Some(400);
        };
        if let Some(before) = self.heard.iter().find(|heard| heard.key == key)
            && before.body != body
        {
            self.wrong.push(format!("{key}: {body:?} after {:?}", before.body));
        }
        self.heard.push(Heard { key: key.clone(), body: body.to_owned() });
        let (fate, body) = (self.fate(), Arc::from(body));
        let now: Ms = self.heard.len() as Ms * SECOND;
        let status = self.bank.take(uuid.as_u128(), &body, now, fate, 0);
        if self.bank.paid(uuid.as_u128()) > 1 {
            self.wrong.push(format!("{key} was paid twice"));
        }
        let silent = if self.begins_badly() && status < 500 { 100 } else { self.temper.silent };
        (!self.chance.percent(silent)).then_some(status)
    }

    fn begins_badly(&self) -> bool {
        self.temper.begins_badly && self.heard.len() == 1
    }

    fn fate(&mut self) -> Fate {
        if self.begins_badly() {
            return self.chance.one_of(&[Fate::Pays, Fate::PaysAndFails, Fate::Fails]);
        }
        match self.chance.below(100) {
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
    fn begins(&self, sender: Sender, stream: &TcpStream) -> std::io::Result<u64> {
        let this = Request { number: 0, sender, stream: stream.try_clone()? };
        let (number, sender) = (self.books().next_number(), this.sender.clone());
        let others = self.books().beside(Request { number, ..this })?;
        self.came.notify_all();
        for Request { number: other, sender: whose, stream: theirs } in &others {
            let looks = [
                (&sender, stream, AT_ONCE),
                (whose, theirs, DYING),
                // Check the new request's sender again, this time with the longer limit. It may
                // have been killed after it sent the request.
                (&sender, stream, DYING),
            ];
            let hung_up = looks.iter().find(|(_, stream, limit)| hangs_up(stream, *limit));
            let hung_up = hung_up.map(|(who, ..)| who.window.clone());
            let mut books = self.books();
            books.overlaps.push(Overlap { two: [whose.clone(), sender.clone()], hung_up });
            let at = books.looked_at.iter().position(|one| one == other);
            books.looked_at.swap_remove(at.expect("it is looked at"));
            drop(books);
            self.came.notify_all();
        }
        Ok(number)
    }

    fn ends(&self, number: u64) {
        let looked_at = |books: &mut BankState| books.looked_at.contains(&number);
        let books = self.came.wait_while(self.books(), looked_at);
        let mut books = books.unwrap_or_else(PoisonError::into_inner);
        books.under_way.retain(|other| other.number != number);
        drop(books);
        self.came.notify_all();
    }

    /// Delays a reply for the configured time. The delay ends early if another request arrives.
    fn linger(&self, number: u64) {
        let books = self.books();
        let limit = books.temper.lingers;
        let alone = |books: &mut BankState| books.numbers == number;
        drop(self.came.wait_timeout_while(books, limit, alone));
    }
}

fn reply(status: u16) -> String {
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
