//! A gate on the way to the bank, where a withdrawal stands still as long as a test wants it to.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// The path by which withdrawals go to the bank.
const WITHDRAWALS: &str = "/api/v1/integrations/withdrawals";

/// The longest that anything here is waited for.
const LIMIT: Duration = Duration::from_secs(20);

/// Where the next withdrawal stands still.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hold {
    /// The bank has not seen it.
    Request,
    /// The bank has acted; no byte of its reply was let by.
    Reply,
    /// Half of the bank's reply was let by.
    HalfReply,
}

/// What becomes of a withdrawal that stands still.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// It goes on its way.
    Goes,
    /// It is lost.
    Lost,
}

/// A port of this machine that leads to a bank; it closes with the test.
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
    /// Where a withdrawal stands still now.
    held: Option<Hold>,
    next: Option<Next>,
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

    /// Stands still where it was asked to; whether it goes on.
    fn goes_on(&self, here: Hold) -> bool {
        let mut state = self.lock();
        if state.hold != Some(here) {
            return true;
        }
        (state.hold, state.held) = (None, Some(here));
        self.changed.notify_all();
        let waits = |state: &mut State| state.next.is_none() && !state.is_closed;
        let mut state =
            self.changed.wait_while(state, waits).unwrap_or_else(PoisonError::into_inner);
        let goes = state.next.take() == Some(Next::Goes);
        if !goes {
            state.held = None;
        }
        goes
    }
}

impl Gate {
    /// Opens a gate to the bank at this address.
    pub fn to(bank: String) -> Gate {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let state = Mutex::default();
        let shared = Arc::new(Shared { bank, state, changed: Condvar::new() });
        let keeper = Arc::clone(&shared);
        thread::spawn(move || {
            while let Ok((client, _)) = listener.accept() {
                if keeper.lock().is_closed {
                    return;
                }
                let shared = Arc::clone(&keeper);
                // A side that is gone ends its own exchange and nothing else.
                thread::spawn(move || drop(shared.pass(client)));
            }
        });
        Gate { address, shared }
    }

    /// What to give to the program as its base URL.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Lets the next withdrawal stand still there.
    pub fn hold(&self, at: Hold) {
        self.shared.change(|state| state.hold = Some(at));
    }

    /// Waits until a withdrawal stands still.
    #[track_caller]
    pub fn wait_held(&self) {
        self.wait_until("a withdrawal to come", |state| state.held.is_some());
    }

    /// Lets a withdrawal go or be lost, and waits until that is done.
    #[track_caller]
    pub fn release(&self, next: Next) {
        self.shared.change(|state| state.next = Some(next));
        self.wait_until("it to go on", |state| state.held.is_none());
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
        // The keeper hears of it by one more connection.
        let _ = TcpStream::connect(self.address);
    }
}

impl Shared {
    /// Lets one exchange by, with the stops that were asked for.
    fn pass(&self, mut client: TcpStream) -> io::Result<()> {
        // Whose connection it is shows in its first bytes, which stay where they are.
        let mut first = [0; 512];
        let seen = client.peek(&mut first)?;
        let first = String::from_utf8_lossy(&first[..seen]).into_owned();
        let is_withdrawal = first.starts_with(&format!("POST {WITHDRAWALS} "));
        let goes_on = |here| !is_withdrawal || self.goes_on(here);
        let request = message(&client)?;
        if !goes_on(Hold::Request) {
            return Ok(());
        }
        let bank = TcpStream::connect(&self.bank)?;
        (&bank).write_all(&request)?;
        let reply = message(&bank)?;
        let passed = self.pass_back(&reply, &mut client, &goes_on);
        if is_withdrawal {
            self.change(|state| state.held = None);
        }
        passed
    }

    /// Gives the bank's reply to the client.
    fn pass_back(
        &self,
        reply: &[u8],
        client: &mut TcpStream,
        goes_on: &dyn Fn(Hold) -> bool,
    ) -> io::Result<()> {
        if !goes_on(Hold::Reply) {
            return Ok(());
        }
        // The cut is inside the body: the status is already known, and it is not enough.
        let body = reply.windows(4).position(|bytes| bytes == b"\r\n\r\n").unwrap_or(0) + 4;
        let (half, rest) = reply.split_at(body + (reply.len() - body) / 2);
        client.write_all(half)?;
        if !goes_on(Hold::HalfReply) {
            return Ok(());
        }
        client.write_all(rest)
    }
}

/// Reads one message with its body, as long as its head says that is.
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
