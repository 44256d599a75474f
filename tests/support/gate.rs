//! A proxy between the app and the sandbox (the "bank"). It can pause a withdrawal at a chosen
//! point.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

const WITHDRAWALS: &str = "/api/v1/integrations/withdrawals";

/// The time limit for every wait in this module.
const LIMIT: Duration = Duration::from_secs(60);

/// The point at which the gate pauses the next withdrawal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hold {
    /// Before the sandbox receives the request.
    Request,
    /// After the sandbox has handled the request, but before any of its reply is forwarded.
    Reply,
    /// After half of the sandbox's reply has been forwarded.
    HalfReply,
}

/// How a paused withdrawal continues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Forward the request or the reply.
    Goes,
    /// Cut the connection.
    Lost,
}

/// A proxy on a local port that forwards requests to a sandbox. It stops when it is dropped.
pub struct Gate {
    address: SocketAddr,
    shared: Arc<Shared>,
}

struct Shared {
    bank: String,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    hold: Option<Hold>,
    /// The number of the paused withdrawal's exchange, and the point at which it is paused.
    held: Option<(u64, Hold)>,
    next: Option<Next>,
    /// The number of HTTP exchanges that have started so far.
    came: u64,
    /// The number of running exchanges that are withdrawals. Exchanges with an unread request
    /// count, too.
    under_way: usize,
    is_closed: bool,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.lock());
        self.changed.notify_all();
    }

    fn begin(self: &Arc<Shared>) -> Exchange {
        let mut state = self.lock();
        state.came += 1;
        state.under_way += 1;
        Exchange { shared: Arc::clone(self), number: state.came, is_withdrawal: true }
    }
}

/// An HTTP request that the gate forwards, and its reply.
struct Exchange {
    shared: Arc<Shared>,
    number: u64,
    /// False as soon as the request is known not to be a withdrawal.
    is_withdrawal: bool,
}

impl Exchange {
    fn is_no_withdrawal(&mut self) {
        self.is_withdrawal = false;
        self.shared.change(|state| state.under_way -= 1);
    }

    /// Pauses the exchange if it is a withdrawal and the test chose this point. Returns false if
    /// the connection must then be cut.
    fn goes_on(&self, here: Hold) -> bool {
        let mut state = self.shared.lock();
        if !self.is_withdrawal || state.hold != Some(here) {
            return true;
        }
        (state.hold, state.held) = (None, Some((self.number, here)));
        self.shared.changed.notify_all();
        let waits = |state: &mut State| state.next.is_none() && !state.is_closed;
        let waited = self.shared.changed.wait_while(state, waits);
        waited.unwrap_or_else(PoisonError::into_inner).next.take() == Some(Next::Goes)
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        self.shared.change(|state| {
            state.under_way -= usize::from(self.is_withdrawal);
            // If this exchange was paused, the pause is over now.
            if state.held.is_some_and(|(number, _)| number == self.number) {
                state.held = None;
            }
        });
    }
}

impl Gate {
    /// Opens a gate in front of the sandbox that listens at this host and port.
    pub fn to(bank: String) -> Gate {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let state = Mutex::default();
        let shared = Arc::new(Shared { bank, state, changed: Condvar::new() });
        let vault_status = Arc::clone(&shared);
        thread::spawn(move || {
            while let Ok((client, _)) = listener.accept() {
                if vault_status.lock().is_closed {
                    return;
                }
                let exchange = vault_status.begin();
                // Ignore I/O errors, because a broken connection affects only its own exchange.
                thread::spawn(move || drop(exchange.pass(client)));
            }
        });
        Gate { address, shared }
    }

    /// Returns the gate's base URL. The app must connect to it instead of the sandbox.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Pauses the next withdrawal at this point.
    pub fn hold(&self, at: Hold) {
        self.shared.change(|state| state.hold = Some(at));
    }

    /// Waits until the gate has paused a withdrawal.
    #[track_caller]
    pub fn wait_held(&self) {
        self.wait_until("a withdrawal to come", |state| state.held.is_some());
    }

    /// Returns the point at which a withdrawal is paused now, if there is a paused withdrawal.
    pub fn held(&self) -> Option<Hold> {
        self.shared.lock().held.map(|(_, hold)| hold)
    }

    /// Ends the pause: forwards the withdrawal or cuts its connection. Waits until the withdrawal's
    /// exchange has ended.
    #[track_caller]
    pub fn release(&self, next: Next) {
        assert!(self.held().is_some(), "nothing stands still at the gate");
        self.shared.change(|state| state.next = Some(next));
        self.wait_until("it to go on", |state| state.held.is_none());
    }

    /// Waits until all withdrawals have ended, except one that is paused.
    ///
    /// Call this only when no app can start another withdrawal.
    #[track_caller]
    pub fn come_to_rest(&self) {
        // Connections are accepted in the order of their arrival. When this connection ends, all
        // earlier connections have been accepted.
        let mut last = TcpStream::connect(self.address).expect("the gate");
        last.shutdown(Shutdown::Write).expect("a connection");
        last.read_to_end(&mut Vec::new()).expect("its end");
        let at_rest = |state: &State| state.under_way == usize::from(state.held.is_some());
        self.wait_until("what is on its way", at_rest);
    }

    #[track_caller]
    fn wait_until(&self, what: &str, is_so: impl Fn(&State) -> bool) {
        let waits = |state: &mut State| !is_so(state);
        let waited = self.shared.changed.wait_timeout_while(self.shared.lock(), LIMIT, waits);
        let is_over = waited.unwrap_or_else(PoisonError::into_inner).1.timed_out();
        assert!(!is_over, "waited at the gate for {what}");
    }
}

impl Drop for Gate {
    fn drop(&mut self) {
        self.shared.change(|state| state.is_closed = true);
        // Open another connection, because this wakes the accepting thread, which then stops.
        let _ = TcpStream::connect(self.address);
    }
}

impl Exchange {
    /// Forwards the request to the sandbox and the reply to the client. Pauses at the point that
    /// the test chose, if any.
    fn pass(mut self, mut client: TcpStream) -> io::Result<()> {
        // Read the first bytes with `peek`, which leaves them in the socket. They show whether this
        // is a withdrawal.
        let mut first = [0; 512];
        let seen = client.peek(&mut first)?;
        let first = String::from_utf8_lossy(&first[..seen]);
        if !first.starts_with(&format!("POST {WITHDRAWALS} ")) {
            self.is_no_withdrawal();
        }
        let request = message(&client)?;
        if !self.goes_on(Hold::Request) {
            return Ok(());
        }
        let bank = TcpStream::connect(&self.shared.bank)?;
        (&bank).write_all(&request)?;
        let reply = message(&bank)?;
        self.pass_back(&reply, &mut client)
    }

    /// Forwards the sandbox's reply to the client.
    fn pass_back(&self, reply: &[u8], client: &mut TcpStream) -> io::Result<()> {
        if !self.goes_on(Hold::Reply) {
            return Ok(());
        }
        // Split the reply inside its body, so that the first half contains the HTTP status. The app
        // must not trust this status before it has the complete body.
        let body = reply.windows(4).position(|bytes| bytes == b"\r\n\r\n").unwrap_or(0) + 4;
        let (half, rest) = reply.split_at(body + (reply.len() - body) / 2);
        client.write_all(half)?;
        if !self.goes_on(Hold::HalfReply) {
            return Ok(());
        }
        client.write_all(rest)
    }
}

/// Reads an HTTP message: its headers, and a body with the length that `Content-Length` states.
pub fn message(stream: &TcpStream) -> io::Result<Vec<u8>> {
    stream.set_read_timeout(Some(LIMIT))?;
    let mut reader = BufReader::new(stream);
    let (mut bytes, mut length) = (Vec::new(), 0);
    loop {
        let begin = bytes.len();
        if reader.read_until(b'\n', &mut bytes)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let line = String::from_utf8_lossy(&bytes[begin..]).to_ascii_lowercase();
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().map_err(io::Error::other)?;
        }
        if line.trim().is_empty() {
            break;
        }
    }
    reader.take(length).read_to_end(&mut bytes)?;
    Ok(bytes)
}
