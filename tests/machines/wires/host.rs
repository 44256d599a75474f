//! The bank's host: a real socket on which every exchange goes as its fault says.

use std::cell::RefCell;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::task::{JoinHandle, spawn_local};
use tokio_rustls::TlsAcceptor;

use super::certificates::{Proof, acceptor};
use super::exchange;
use super::fault::{Door, Fault};
use crate::bank::{Bank, Kind, Ms, SECOND};

/// How many connections may wait to be taken.
const BACKLOG: u32 = 16;

/// How the host speaks TLS, with each proof.
pub struct Speaks(Vec<(Proof, TlsAcceptor)>);

impl Speaks {
    pub fn read(dir: &Path) -> Speaks {
        Speaks(Proof::ALL.iter().map(|proof| (*proof, acceptor(dir, *proof))).collect())
    }

    pub fn with(&self, wanted: Proof) -> TlsAcceptor {
        let found = self.0.iter().find(|(proof, _)| *proof == wanted);
        found.expect("each proof has one").1.clone()
    }
}

/// What the host took in over one withdrawal's life.
pub struct Till {
    pub bank: Bank,
    pub now: Ms,
    /// How long the bank's payment takes.
    pub takes: Ms,
    /// Connections of this attempt.
    pub connections: usize,
    /// Whole requests over the whole life, as they came.
    pub requests: Vec<Vec<u8>>,
    /// What came in this attempt before a request could be read: nothing of anybody's may be in it.
    pub raw: Vec<u8>,
    /// What the bank answered in this attempt.
    pub answered: Option<u16>,
    /// What was to be cut was said whole.
    pub whole: bool,
}

/// A port of this machine that belongs to one withdrawal's life.
pub struct Host {
    pub port: u16,
    door: Shut,
    speaks: Option<Rc<Speaks>>,
    pub till: Rc<RefCell<Till>>,
}

/// The port is held in both cases.
enum Shut {
    Yes(TcpSocket),
    No(Rc<TcpListener>),
    Between,
}

/// An exchange that the host is ready for; over when dropped.
pub struct Ready(JoinHandle<()>);

impl Drop for Ready {
    fn drop(&mut self) {
        self.0.abort();
    }
}

fn bind(port: u16) -> io::Result<TcpSocket> {
    let socket = TcpSocket::new_v4()?;
    // The port may be taken again a moment later, with old connections still lingering there.
    socket.set_reuseaddr(true)?;
    socket.bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port)))?;
    Ok(socket)
}

impl Host {
    /// A port on which nobody listens yet.
    pub fn new(kind: Kind, speaks: Option<Rc<Speaks>>) -> io::Result<Host> {
        let socket = bind(0)?;
        let port = socket.local_addr()?.port();
        let till = Till {
            bank: Bank::new(kind),
            now: 0,
            takes: 0,
            connections: 0,
            requests: Vec::new(),
            raw: Vec::new(),
            answered: None,
            whole: false,
        };
        Ok(Host { port, door: Shut::Yes(socket), speaks, till: Rc::new(RefCell::new(till)) })
    }

    /// Gets ready for one attempt, which comes a while after the last.
    pub async fn play(&mut self, fault: &Rc<Fault>) -> io::Result<Ready> {
        {
            let mut till = self.till.borrow_mut();
            till.now += 10 * SECOND;
            (till.connections, till.answered, till.whole) = (0, None, false);
            till.raw.clear();
        }
        self.set_door(fault.door == Door::Refused).await?;
        let Shut::No(listener) = &self.door else { return Ok(Ready(spawn_local(async {}))) };
        let (listener, speaks) = (listener.clone(), self.speaks.clone());
        // Given up before it was taken: that one belongs to the attempt before.
        while tokio::time::timeout(Duration::ZERO, listener.accept()).await.is_ok() {}
        let (till, fault) = (self.till.clone(), fault.clone());
        Ok(Ready(spawn_local(async move {
            let mut taken = tokio::task::JoinSet::new();
            // A second connection of the same attempt would be counted, and played the same.
            while let Ok((stream, _)) = listener.accept().await {
                till.borrow_mut().connections += 1;
                let one = exchange::play(stream, fault.clone(), till.clone(), speaks.clone());
                taken.spawn_local(one);
            }
        })))
    }

    async fn set_door(&mut self, shut: bool) -> io::Result<()> {
        // Who listened for the last attempt is told to stop, and does when it is its turn.
        while matches!(&self.door, Shut::No(listener) if Rc::strong_count(listener) > 1) {
            tokio::task::yield_now().await;
        }
        self.door = match std::mem::replace(&mut self.door, Shut::Between) {
            Shut::Yes(socket) if !shut => Shut::No(Rc::new(socket.listen(BACKLOG)?)),
            Shut::No(listener) if shut => {
                drop(listener);
                Shut::Yes(bind(self.port)?)
            }
            as_it_is => as_it_is,
        };
        Ok(())
    }
}

/// Ends a connection with a reset.
pub fn reset(stream: &TcpStream) {
    let _ = stream.set_zero_linger();
}

/// Comes back this often, and never sooner.
pub fn every(milliseconds: u64) -> tokio::time::Interval {
    tokio::time::interval(Duration::from_millis(milliseconds.max(1)))
}
