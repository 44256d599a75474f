//! A gate on the way to the bank, where a withdrawal stands still as long as a test wants it to.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// The path by which withdrawals go to the bank.
const WITHDRAWALS: &str = "/api/v1/integrations/withdrawals";

/// The longest that anything here is waited for.
const LIMIT: Duration = Duration::from_secs(60);

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
    /// Which exchange stands still now, and where.
    held: Option<(u64, Hold)>,
    next: Option<Next>,
    /// How many exchanges ever came.
    came: u64,
    /// How many of them are not over and may be withdrawals.
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

/// One exchange that goes through the gate.
struct Exchange {
    shared: Arc<Shared>,
    number: u64,
    /// Until its first bytes are here it may be one.
    is_withdrawal: bool,
}

impl Exchange {
    fn is_no_withdrawal(&mut self) {
        self.is_withdrawal = false;
        self.shared.change(|state| state.under_way -= 1);
    }

    /// Stands still where it was asked to; whether it goes on.
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
            // Another one may stand still meanwhile, and is not over by this.
            if state.held.is_some_and(|(number, _)| number == self.number) {
                state.held = None;
            }
        });
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
                let exchange = keeper.begin();
                // A side that is gone ends its own exchange and nothing else.
                thread::spawn(move || drop(exchange.pass(client)));
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

    /// Where a withdrawal stands still now.
    pub fn held(&self) -> Option<Hold> {
        self.shared.lock().held.map(|(_, hold)| hold)
    }

    /// Lets the withdrawal that stands still go or be lost, and waits until that is done.
    #[track_caller]
    pub fn release(&self, next: Next) {
        assert!(self.held().is_some(), "nothing stands still at the gate");
        self.shared.change(|state| state.next = Some(next));
        self.wait_until("it to go on", |state| state.held.is_none());
    }

    /// Waits until no withdrawal is on its way, but for one that stands still.
    ///
    /// Only when nobody is there any more who could send another.
    #[track_caller]
    pub fn come_to_rest(&self) {
        // Connections are taken in their order: when this one is over, those before it were taken.
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
        // The keeper hears of it by one more connection.
        let _ = TcpStream::connect(self.address);
    }
}

impl Exchange {
    /// Lets it by, with the stops that were asked for.
    fn pass(mut self, mut client: TcpStream) -> io::Result<()> {
        // Whose connection it is shows in its first bytes, which stay where they are.
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

    /// Gives the bank's reply to the client.
    fn pass_back(&self, reply: &[u8], client: &mut TcpStream) -> io::Result<()> {
        if !self.goes_on(Hold::Reply) {
            return Ok(());
        }
        // The cut is inside the body: the status is already known, and it is not enough.
        let body = reply.windows(4).position(|bytes| bytes == b"\r\n\r\n").unwrap_or(0) + 4;
        let (half, rest) = reply.split_at(body + (reply.len() - body) / 2);
        client.write_all(half)?;
        if !self.goes_on(Hold::HalfReply) {
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
