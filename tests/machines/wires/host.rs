//! The test server in front of the simulated bank. It handles each connection as the current fault
//! requires.

use std::cell::RefCell;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::task::{JoinHandle, spawn_local};
use tokio_rustls::TlsAcceptor;

use super::certificates::{CertificateKind, acceptor};
use super::exchange;
use super::fault::{Fault, Handshake};
use crate::bank::{Bank, Kind, Ms, SECOND};

/// The maximum number of connections that wait to be accepted.
const BACKLOG: u32 = 16;

/// The server's TLS acceptors, one for each certificate.
pub struct Speaks(Vec<(CertificateKind, TlsAcceptor)>);

impl Speaks {
    pub fn read(dir: &Path) -> Speaks {
        Speaks(CertificateKind::ALL.iter().map(|proof| (*proof, acceptor(dir, *proof))).collect())
    }

    pub fn with(&self, wanted: CertificateKind) -> TlsAcceptor {
        let found = self.0.iter().find(|(proof, _)| *proof == wanted);
        found.expect("each proof has one").1.clone()
    }
}

/// The server's record of the attempts of one withdrawal.
pub struct ServerRecord {
    pub bank: Bank,
    pub now: Ms,
    /// The time that a payment takes in the simulated bank, in milliseconds.
    pub takes: Ms,
    /// The number of connections in the current attempt.
    pub connections: usize,
    /// All complete requests of the withdrawal, byte for byte.
    pub requests: Vec<Vec<u8>>,
    /// The bytes received in the current attempt that are not part of a complete request. They must
    /// not contain secrets.
    pub raw: Vec<u8>,
    /// The HTTP status that the bank replied in the current attempt.
    pub answered: Option<u16>,
    /// True if the server sent its whole reply in the current attempt.
    pub whole: bool,
}

/// A test server on a local port, which serves the requests of one withdrawal.
pub struct Host {
    pub port: u16,
    door: Shut,
    speaks: Option<Rc<Speaks>>,
    pub till: Rc<RefCell<ServerRecord>>,
}

/// The server's port. While it accepts no connections, a socket reserves it.
enum Shut {
    Yes(TcpSocket),
    No(Rc<TcpListener>),
    Between,
}

/// A server task for one attempt. Dropping it stops the server.
pub struct Ready(JoinHandle<()>);

impl Drop for Ready {
    fn drop(&mut self) {
        self.0.abort();
    }
}

fn bind(port: u16) -> io::Result<TcpSocket> {
    let socket = TcpSocket::new_v4()?;
    // Allow address reuse, because connections to this port may still exist when it is bound again.
    socket.set_reuseaddr(true)?;
    socket.bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port)))?;
    Ok(socket)
}

impl Host {
    /// Creates a server with a reserved port that does not accept connections yet.
    pub fn new(kind: Kind, speaks: Option<Rc<Speaks>>) -> io::Result<Host> {
        let socket = bind(0)?;
        let port = socket.local_addr()?.port();
        let till = ServerRecord {
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

    /// Starts the server for the next attempt. The simulated time advances by 10 seconds.
    pub async fn play(&mut self, fault: &Rc<Fault>) -> io::Result<Ready> {
        {
            let mut till = self.till.borrow_mut();
            till.now += 10 * SECOND;
            (till.connections, till.answered, till.whole) = (0, None, false);
            till.raw.clear();
        }
        self.set_door(fault.door == Handshake::Refused).await?;
        let Shut::No(listener) = &self.door else { return Ok(Ready(spawn_local(async {}))) };
        let (listener, speaks) = (listener.clone(), self.speaks.clone());
        // Drop connections that an earlier attempt has left.
        while tokio::time::timeout(Duration::ZERO, listener.accept()).await.is_ok() {}
        let (till, fault) = (self.till.clone(), fault.clone());
        Ok(Ready(spawn_local(async move {
            let mut taken = tokio::task::JoinSet::new();
            // Accept more than one connection, so that the test notices unexpected connections.
            while let Ok((stream, _)) = listener.accept().await {
                till.borrow_mut().connections += 1;
                let one = exchange::play(stream, fault.clone(), till.clone(), speaks.clone());
                taken.spawn_local(one);
            }
        })))
    }

    async fn set_door(&mut self, shut: bool) -> io::Result<()> {
        // Wait until the stopped server task of the last attempt has released the listener.
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

/// Prepares the stream so that the connection is reset when the stream is dropped.
pub fn reset(stream: &TcpStream) {
    let _ = stream.set_zero_linger();
}

/// Returns a timer that ticks at this interval.
pub fn every(milliseconds: u64) -> tokio::time::Interval {
    tokio::time::interval(Duration::from_millis(milliseconds.max(1)))
}
