//! A proxy between the app and the sandbox (the "bank"). It can pause a withdrawal at a chosen
//! point.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

const WITHDRAWALS: &str = "/api/v1/integrations/withdrawals";

const WAIT_TIMEOUT: Duration = Duration::from_secs(60);

/// The point at which the gate pauses the next withdrawal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PausePoint {
    /// Before the sandbox receives the request.
    Request,
    /// After the sandbox has handled the request, but before any of its reply is forwarded.
    Reply,
    /// After half of the sandbox's reply has been forwarded.
    HalfReply,
}

/// How a paused withdrawal continues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Release {
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
    /// The point at which the next withdrawal must be paused.
    pause_at: Option<PausePoint>,
    /// The number of the exchange that is paused now, and the point at which it is paused.
    paused: Option<(u64, PausePoint)>,
    release_action: Option<Release>,
    exchange_count: u64,
    /// The number of running exchanges that are withdrawals. A new exchange counts as a withdrawal
    /// until the gate has read the beginning of its request.
    running_withdrawals: usize,
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

    fn begin_exchange(self: &Arc<Shared>) -> Exchange {
        let mut state = self.lock();
        state.exchange_count += 1;
        state.running_withdrawals += 1;
        Exchange {
            shared: Arc::clone(self),
            number: state.exchange_count,
            is_withdrawal: true,
        }
    }
}

/// An HTTP request that the gate forwards, and its reply.
struct Exchange {
    shared: Arc<Shared>,
    number: u64,
    /// True until the request turns out not to be a withdrawal.
    is_withdrawal: bool,
}

impl Exchange {
    fn mark_as_other_request(&mut self) {
        self.is_withdrawal = false;
        self.shared.change(|state| state.running_withdrawals -= 1);
    }

    /// Pauses a withdrawal until the test releases it, if the test chose this point. Returns false
    /// if the test cuts the connection.
    fn wait_for_release(&self, point: PausePoint) -> bool {
        let mut state = self.shared.lock();
        if !self.is_withdrawal || state.pause_at != Some(point) {
            return true;
        }
        (state.pause_at, state.paused) = (None, Some((self.number, point)));
        self.shared.changed.notify_all();
        let is_paused = |state: &mut State| state.release_action.is_none() && !state.is_closed;
        let result = self.shared.changed.wait_while(state, is_paused);
        result
            .unwrap_or_else(PoisonError::into_inner)
            .release_action
            .take()
            == Some(Release::Goes)
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        self.shared.change(|state| {
            state.running_withdrawals -= usize::from(self.is_withdrawal);
            // If this exchange was paused, the pause is over now.
            if state
                .paused
                .is_some_and(|(number, _)| number == self.number)
            {
                state.paused = None;
            }
        });
    }
}

impl Gate {
    /// Opens a gate in front of the sandbox that listens at this host and port.
    pub fn open(bank: String) -> Gate {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let state = Mutex::default();
        let shared = Arc::new(Shared {
            bank,
            state,
            changed: Condvar::new(),
        });
        let shared_state = Arc::clone(&shared);
        thread::spawn(move || {
            while let Ok((client, _)) = listener.accept() {
                if shared_state.lock().is_closed {
                    return;
                }
                let exchange = shared_state.begin_exchange();
                // Ignore I/O errors, because a broken connection affects only its own exchange.
                thread::spawn(move || drop(exchange.forward(client)));
            }
        });
        Gate { address, shared }
    }

    /// Returns the gate's base URL. The app must connect to it instead of the sandbox.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Pauses the next withdrawal at this point.
    pub fn pause_next(&self, point: PausePoint) {
        self.shared.change(|state| state.pause_at = Some(point));
    }

    /// Waits until the gate has paused a withdrawal.
    #[track_caller]
    pub fn wait_until_paused(&self) {
        self.wait_until("a withdrawal to come", |state| state.paused.is_some());
    }

    /// Returns the point at which a withdrawal is paused now, if there is a paused withdrawal.
    pub fn paused_at(&self) -> Option<PausePoint> {
        self.shared.lock().paused.map(|(_, hold)| hold)
    }

    /// Ends the pause: forwards the withdrawal or cuts its connection. Waits until the withdrawal's
    /// exchange has ended.
    #[track_caller]
    pub fn release(&self, next: Release) {
        assert!(
            self.paused_at().is_some(),
            "nothing stands still at the gate"
        );
        self.shared
            .change(|state| state.release_action = Some(next));
        self.wait_until("it to go on", |state| state.paused.is_none());
    }

    /// Waits until all withdrawals except the paused one have ended.
    ///
    /// Call this only when no app can start another withdrawal.
    #[track_caller]
    pub fn wait_until_idle(&self) {
        // Connections are accepted in the order of their arrival. When this connection ends, all
        // earlier connections have been accepted.
        let mut probe = TcpStream::connect(self.address).expect("the gate");
        probe.shutdown(Shutdown::Write).expect("a connection");
        probe.read_to_end(&mut Vec::new()).expect("its end");
        let is_idle =
            |state: &State| state.running_withdrawals == usize::from(state.paused.is_some());
        self.wait_until("what is on its way", is_idle);
    }

    #[track_caller]
    fn wait_until(&self, what: &str, condition: impl Fn(&State) -> bool) {
        let is_waiting = |state: &mut State| !condition(state);
        let result =
            self.shared
                .changed
                .wait_timeout_while(self.shared.lock(), WAIT_TIMEOUT, is_waiting);
        let timed_out = result.unwrap_or_else(PoisonError::into_inner).1.timed_out();
        assert!(!timed_out, "waited at the gate for {what}");
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
    fn forward(mut self, mut client: TcpStream) -> io::Result<()> {
        // Read the first bytes with `peek`, which leaves them in the socket. They show whether this
        // is a withdrawal.
        let mut beginning = [0; 512];
        let length = client.peek(&mut beginning)?;
        let beginning = String::from_utf8_lossy(&beginning[..length]);
        if !beginning.starts_with(&format!("POST {WITHDRAWALS} ")) {
            self.mark_as_other_request();
        }
        let request = read_message(&client)?;
        if !self.wait_for_release(PausePoint::Request) {
            return Ok(());
        }
        let bank = TcpStream::connect(&self.shared.bank)?;
        (&bank).write_all(&request)?;
        let reply = read_message(&bank)?;
        self.forward_reply(&reply, &mut client)
    }

    /// Forwards the sandbox's reply to the client.
    fn forward_reply(&self, reply: &[u8], client: &mut TcpStream) -> io::Result<()> {
        if !self.wait_for_release(PausePoint::Reply) {
            return Ok(());
        }
        // Split the reply inside its body, so that the first half contains the HTTP status. The app
        // must not trust this status before it has the complete body.
        let body = reply
            .windows(4)
            .position(|bytes| bytes == b"\r\n\r\n")
            .unwrap_or(0)
            + 4;
        let (half, rest) = reply.split_at(body + (reply.len() - body) / 2);
        client.write_all(half)?;
        if !self.wait_for_release(PausePoint::HalfReply) {
            return Ok(());
        }
        client.write_all(rest)
    }
}

/// Reads an HTTP message: its headers, and a body with the length that `Content-Length` states.
pub fn read_message(stream: &TcpStream) -> io::Result<Vec<u8>> {
    stream.set_read_timeout(Some(WAIT_TIMEOUT))?;
    let mut reader = BufReader::new(stream);
    let mut bytes = Vec::new();
    let mut length = 0;
    loop {
        let line_start = bytes.len();
        if reader.read_until(b'\n', &mut bytes)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let line = String::from_utf8_lossy(&bytes[line_start..]).to_ascii_lowercase();
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
