//! A service at an address that is always the same: the old journals name it.

use std::io::{self, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crate::support::gate::message;

/// Where it is: addresses and a port of this machine that nobody else has a use for.
pub const HERE: &str = "127.83.29.7:47319";

/// A neighbour that listens only when the journals are opened again.
pub const NEXT_DOOR: &str = "127.83.29.8:47319";

/// What it does with a request, once it has read it.
#[derive(Debug, Clone)]
pub enum Answer {
    /// Writes these bytes, which are a reply or the beginning of one, and hangs up.
    Says(Vec<u8>),
    /// Keeps the connection and says nothing.
    Nothing,
}

impl Answer {
    /// A whole reply.
    pub fn of(status: &str, headers: &str, body: &str) -> Answer {
        let length = body.len();
        let head = format!("HTTP/1.1 {status}\r\n{headers}Content-Length: {length}\r\n\r\n");
        Answer::Says([head.as_bytes(), body.as_bytes()].concat())
    }
}

/// The service; it closes when dropped.
pub struct Counterpart {
    address: &'static str,
    shared: Arc<Mutex<Shared>>,
    work: Option<thread::JoinHandle<()>>,
}

struct Shared {
    answer: Answer,
    requests: Vec<String>,
    held: Vec<TcpStream>,
    is_closed: bool,
}

impl Counterpart {
    /// Opens it.
    pub fn open(address: &'static str) -> Counterpart {
        let listener = bind(address);
        let (answer, requests, held) = (Answer::Nothing, Vec::new(), Vec::new());
        let shared = Shared { answer, requests, held, is_closed: false };
        let shared = Arc::new(Mutex::new(shared));
        let seen = shared.clone();
        let work = thread::spawn(move || {
            while let Ok((client, _)) = listener.accept() {
                if lock(&seen).is_closed {
                    return;
                }
                serve(client, &seen).expect("a client that waits for its answer");
            }
        });
        Counterpart { address, shared, work: Some(work) }
    }

    /// Answers so from now on.
    pub fn answer(&self, answer: Answer) {
        lock(&self.shared).answer = answer;
    }

    /// The requests that came since this was asked last.
    pub fn requests(&self) -> Vec<String> {
        std::mem::take(&mut lock(&self.shared).requests)
    }
}

impl Drop for Counterpart {
    fn drop(&mut self) {
        lock(&self.shared).is_closed = true;
        let _ = TcpStream::connect(self.address);
        let work = self.work.take().map(thread::JoinHandle::join);
        assert!(work.is_none_or(|ended| ended.is_ok()) || thread::panicking());
    }
}

/// Another copy of this test may have the address for a moment.
fn bind(address: &str) -> TcpListener {
    for _ in 0..1_000 {
        match TcpListener::bind(address) {
            Ok(listener) => return listener,
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => {
                thread::park_timeout(Duration::from_millis(20));
            }
            Err(error) => panic!("{address}: {error}"),
        }
    }
    panic!("{address} stays in use");
}

fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

fn serve(mut client: TcpStream, shared: &Mutex<Shared>) -> io::Result<()> {
    let request = message(&client)?;
    let mut shared = lock(shared);
    shared.requests.push(String::from_utf8_lossy(&request).into_owned());
    match shared.answer.clone() {
        // One that has heard enough hangs up.
        Answer::Says(bytes) => drop(client.write_all(&bytes)),
        Answer::Nothing => shared.held.push(client),
    }
    Ok(())
}
