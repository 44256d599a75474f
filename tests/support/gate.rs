//! A proxy in front of the sandbox (the "bank"). A test can pause a withdrawal at a chosen point.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// The path to which withdrawals are sent.
const WITHDRAWALS: &str = "/api/v1/integrations/withdrawals";

/// The timeout for all waits in this module.
const LIMIT: Duration = Duration::from_secs(60);

/// The point at which the gate pauses the next withdrawal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hold {
    /// Pause before the sandbox receives the request.
    Request,
    /// Pause after the sandbox has handled the request, before any byte of its reply is forwarded.
    Reply,
    /// Pause after half of the sandbox's reply has been forwarded.
    HalfReply,
}

/// The action that ends the pause of a withdrawal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Forward the request or reply.
    Goes,
    /// Cut the connection.
    Lost,
}

/// A proxy on a local port that forwards requests to a sandbox. It stops when this value is
/// dropped.
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
    /// The number of the paused exchange and the point of its pause, or `None` if no exchange is
    /// paused.
    held: Option<(u64, Hold)>,
    next: Option<Next>,
    /// The number of exchanges so far.
    came: u64,
    /// The number of exchanges in progress that may be withdrawals.
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

/// An HTTP request that the gate forwards, together with its reply.
struct Exchange {
    shared: Arc<Shared>,
    number: u64,
    /// False once the gate knows that the request is not a withdrawal.
    is_withdrawal: bool,
}

impl Exchange {
    fn is_no_withdrawal(&mut self) {
        self.is_withdrawal = false;
        self.shared.change(|state| state.under_way -= 1);
    }

    /// Pauses a withdrawal if the test has requested a pause at this point. Returns false if the
    /// connection must then be cut.
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
            // Clear the pause if this exchange was the paused one.
            if state.held.is_some_and(|(number, _)| number == self.number) {
                state.held = None;
            }
        });
    }
}

impl Gate {
    /// Opens a gate in front of the sandbox at this host and port.
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

    /// Returns the base URL of the gate, to which the program under test connects.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Makes the gate pause the next withdrawal at this point.
    pub fn hold(&self, at: Hold) {
        self.shared.change(|state| state.hold = Some(at));
    }

    /// Waits until a withdrawal is paused.
    #[track_caller]
    pub fn wait_held(&self) {
        self.wait_until("a withdrawal to come", |state| state.held.is_some());
    }

    /// Returns the point at which a withdrawal is paused, or `None` if none is paused.
    pub fn held(&self) -> Option<Hold> {
        self.shared.lock().held.map(|(_, hold)| hold)
    }

    /// Ends the pause by forwarding the withdrawal or cutting its connection, and waits until the
    /// exchange has ended.
    #[track_caller]
    pub fn release(&self, next: Next) {
        assert!(self.held().is_some(), "nothing stands still at the gate");
        self.shared.change(|state| state.next = Some(next));
        self.wait_until("it to go on", |state| state.held.is_none());
    }

    /// Waits until all withdrawals except a paused one have ended.
    ///
    /// Call this only when no program can start another withdrawal.
    #[track_caller]
    pub fn come_to_rest(&self) {
        // The gate accepts connections in order, so when this connection ends, all earlier
        // connections have been accepted.
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
        // Open one more connection to wake up the accepting thread, which then ends.
        let _ = TcpStream::connect(self.address);
    }
}

impl Exchange {
    /// Forwards the request to the sandbox and the reply to the client, and pauses at the point
    /// chosen by the test.
    fn pass(mut self, mut client: TcpStream) -> io::Result<()> {
        // Look at the first bytes to recognise a withdrawal. `peek` does not consume the bytes.
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
        // Split the reply in the middle of its body, so that the first half contains the status.
        // The program must not trust the status before the body is complete.
        let body = reply.windows(4).position(|bytes| bytes == b"\r\n\r\n").unwrap_or(0) + 4;
        let (half, rest) = reply.split_at(body + (reply.len() - body) / 2);
        client.write_all(half)?;
        if !self.goes_on(Hold::HalfReply) {
            return Ok(());
        }
        client.write_all(rest)
    }
}

/// Reads one HTTP message: the headers, and a body of the length in `Content-Length`.
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
