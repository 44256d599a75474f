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
use crate::bank::{Bank, BankKind, Ms, SECOND};

/// The maximum number of connections that wait to be accepted.
const BACKLOG: u32 = 16;

/// The server's TLS acceptors, one for each certificate.
pub struct TlsAcceptors(Vec<(CertificateKind, TlsAcceptor)>);

impl TlsAcceptors {
    pub fn read(dir: &Path) -> TlsAcceptors {
        TlsAcceptors(
            CertificateKind::ALL
                .iter()
                .map(|kind| (*kind, acceptor(dir, *kind)))
                .collect(),
        )
    }

    pub fn with(&self, kind: CertificateKind) -> TlsAcceptor {
        let entry = self.0.iter().find(|(listed, _)| *listed == kind);
        entry.expect("each proof has one").1.clone()
    }
}

/// The server's record of the attempts of one withdrawal.
pub struct ServerRecord {
    pub bank: Bank,
    pub now: Ms,
    /// The time that a payment takes in the simulated bank, in milliseconds.
    pub processing_time: Ms,
    /// The number of connections in the current attempt.
    pub connections: usize,
    /// All complete requests of the withdrawal, byte for byte.
    pub requests: Vec<Vec<u8>>,
    /// The bytes received in the current attempt that are not part of a complete request. They must
    /// not contain secrets.
    pub raw: Vec<u8>,
    /// The HTTP status that the bank replied in the current attempt.
    pub bank_status: Option<u16>,
    /// True if the server sent its whole reply in the current attempt.
    pub sent_whole_reply: bool,
}

/// A test server on a local port, which serves the requests of one withdrawal.
pub struct Host {
    pub port: u16,
    listener: Port,
    tls_acceptors: Option<Rc<TlsAcceptors>>,
    pub record: Rc<RefCell<ServerRecord>>,
}

/// The server's port. While the server accepts no connections, an unused socket reserves the port.
enum Port {
    Reserved(TcpSocket),
    Listening(Rc<TcpListener>),
    Changing,
}

/// A server task for one attempt. Dropping it stops the server.
pub struct ServerTask(JoinHandle<()>);

impl Drop for ServerTask {
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
    pub fn new(kind: BankKind, tls_acceptors: Option<Rc<TlsAcceptors>>) -> io::Result<Host> {
        let socket = bind(0)?;
        let port = socket.local_addr()?.port();
        let record = ServerRecord {
            bank: Bank::new(kind),
            now: 0,
            processing_time: 0,
            connections: 0,
            requests: Vec::new(),
            raw: Vec::new(),
            bank_status: None,
            sent_whole_reply: false,
        };
        Ok(Host {
            port,
            listener: Port::Reserved(socket),
            tls_acceptors,
            record: Rc::new(RefCell::new(record)),
        })
    }

    /// Starts the server for the next attempt. The simulated time advances by 10 seconds.
    pub async fn start(&mut self, fault: &Rc<Fault>) -> io::Result<ServerTask> {
        {
            let mut record = self.record.borrow_mut();
            record.now += 10 * SECOND;
            (
                record.connections,
                record.bank_status,
                record.sent_whole_reply,
            ) = (0, None, false);
            record.raw.clear();
        }
        self.set_refusing(fault.handshake == Handshake::Refused)
            .await?;
        let Port::Listening(listener) = &self.listener else {
            return Ok(ServerTask(spawn_local(async {})));
        };
        let listener = listener.clone();
        let tls_acceptors = self.tls_acceptors.clone();
        // Drop connections that remain from an earlier attempt.
        while tokio::time::timeout(Duration::ZERO, listener.accept())
            .await
            .is_ok()
        {}
        let record = self.record.clone();
        let fault = fault.clone();
        Ok(ServerTask(spawn_local(async move {
            let mut connections = tokio::task::JoinSet::new();
            // Accept more than one connection, so that the test notices unexpected connections.
            while let Ok((stream, _)) = listener.accept().await {
                record.borrow_mut().connections += 1;
                let connection =
                    exchange::serve(stream, fault.clone(), record.clone(), tls_acceptors.clone());
                connections.spawn_local(connection);
            }
        })))
    }

    async fn set_refusing(&mut self, refuses: bool) -> io::Result<()> {
        // Wait until the stopped server task of the last attempt has released the listener.
        while matches!(&self.listener, Port::Listening(listener) if Rc::strong_count(listener) > 1)
        {
            tokio::task::yield_now().await;
        }
        self.listener = match std::mem::replace(&mut self.listener, Port::Changing) {
            Port::Reserved(socket) if !refuses => Port::Listening(Rc::new(socket.listen(BACKLOG)?)),
            Port::Listening(listener) if refuses => {
                drop(listener);
                Port::Reserved(bind(self.port)?)
            }
            unchanged => unchanged,
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
