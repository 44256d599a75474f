//! Accepts connections from phones. There are limits for the size and duration of each connection,
//! and for the number of connections per IP address. Without them, one phone could block a demo for
//! all others.

use std::collections::BTreeMap;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::time::{Sleep, sleep};

/// The limits for connections from phones. Each connection serves one request.
#[derive(Clone, Debug)]
pub struct ShareLimits {
    /// The maximum number of open connections per IP address.
    pub max_per_address: usize,
    /// The maximum number of open connections in total.
    pub max_total: usize,
    /// The maximum size of a request including its headers, in bytes.
    pub max_request_bytes: usize,
    /// The maximum duration of a connection, from its start to the end of the response.
    pub max_duration: Duration,
}

impl Default for ShareLimits {
    fn default() -> ShareLimits {
        ShareLimits {
            max_per_address: 8,
            max_total: 200,
            max_request_bytes: 16 * 1024,
            max_duration: Duration::from_secs(15),
        }
    }
}

/// An accepted connection from a phone.
#[derive(Debug)]
struct AcceptedConnection {
    /// The number of the connection. Later connections have higher numbers.
    pub number: u64,
    /// Resolves to `Ok` when this connection must be closed to make room for a new one.
    pub close_signal: oneshot::Receiver<()>,
}

/// The open connections from phones, with their IP addresses.
#[derive(Debug)]
struct OpenConnections {
    limits: ShareLimits,
    /// The IP addresses of the open connections, by connection number.
    open: BTreeMap<u64, IpAddr>,
    /// The open connections on which no request has arrived yet. Sending on a connection's channel
    /// closes that connection.
    without_request: BTreeMap<u64, oneshot::Sender<()>>,
    last_number: u64,
}

impl OpenConnections {
    pub fn new(limits: ShareLimits) -> OpenConnections {
        OpenConnections {
            limits,
            open: BTreeMap::new(),
            without_request: BTreeMap::new(),
            last_number: 0,
        }
    }

    /// Registers a new connection. Returns `None` if the connection must be closed at once.
    ///
    /// If the total limit is reached, the oldest connection without a request is closed. Otherwise,
    /// slow connections from many addresses could block all phones.
    pub fn register(&mut self, ip: IpAddr) -> Option<AcceptedConnection> {
        if self.open.values().filter(|open| **open == ip).count() >= self.limits.max_per_address {
            return None;
        }
        if self.open.len() >= self.limits.max_total {
            let (oldest, close_signal) = self.without_request.pop_first()?;
            close_signal.send(()).ok();
            self.open.remove(&oldest);
        }
        self.last_number += 1;
        let (sender, close_signal) = oneshot::channel();
        self.without_request.insert(self.last_number, sender);
        self.open.insert(self.last_number, ip);
        Some(AcceptedConnection {
            number: self.last_number,
            close_signal,
        })
    }

    /// Records that a request has arrived on this connection. The connection is then no longer
    /// closed to make room for a new one.
    pub fn mark_request_arrived(&mut self, number: u64) {
        self.without_request.remove(&number);
    }

    pub fn remove_connection(&mut self, number: u64) {
        self.without_request.remove(&number);
        self.open.remove(&number);
    }
}

/// Accepts connections from phones for the HTTP library axum.
pub(super) struct ShareListener {
    listener: TcpListener,
    limits: ShareLimits,
    connections: Arc<Mutex<OpenConnections>>,
}

impl ShareListener {
    pub fn new(listener: TcpListener, limits: ShareLimits) -> ShareListener {
        let connections = Arc::new(Mutex::new(OpenConnections::new(limits.clone())));
        ShareListener {
            listener,
            limits,
            connections,
        }
    }

    /// Registers an accepted connection. Returns `None` if it exceeds the limits.
    fn receive(&self, stream: TcpStream, from: IpAddr) -> Option<ShareConnection> {
        let AcceptedConnection {
            number,
            close_signal,
        } = lock(&self.connections).register(from)?;
        let handle = ConnectionHandle {
            number,
            connections: Arc::clone(&self.connections),
        };
        let timeout = Box::pin(sleep(self.limits.max_duration));
        Some(ShareConnection {
            stream,
            handle,
            close_signal,
            timeout,
            bytes_left: self.limits.max_request_bytes,
        })
    }
}

impl Listener for ShareListener {
    type Io = ShareConnection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (ShareConnection, SocketAddr) {
        loop {
            // If no connection can be accepted, `accept` waits and tries again. For example, the
            // machine may have no free sockets.
            let (stream, address) = Listener::accept(&mut self.listener).await;
            stream.set_nodelay(true).ok();
            if let Some(connection) = self.receive(stream, address.ip().to_canonical()) {
                return (connection, address);
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// Identifies the connection of a request. The HTTP library passes this value to the request
/// handler.
#[derive(Clone, Debug)]
pub(super) struct ConnectionHandle {
    number: u64,
    connections: Arc<Mutex<OpenConnections>>,
}

impl ConnectionHandle {
    pub fn mark_request_arrived(&self) {
        lock(&self.connections).mark_request_arrived(self.number);
    }
}

impl Connected<IncomingStream<'_, ShareListener>> for ConnectionHandle {
    fn connect_info(stream: IncomingStream<'_, ShareListener>) -> ConnectionHandle {
        stream.io().handle.clone()
    }
}

/// A connection from a phone. Reading and writing fail if the connection lasts too long, receives
/// too many bytes, or must make room for a new connection.
pub(super) struct ShareConnection {
    stream: TcpStream,
    handle: ConnectionHandle,
    close_signal: oneshot::Receiver<()>,
    timeout: Pin<Box<Sleep>>,
    bytes_left: usize,
}

impl ShareConnection {
    /// An error if the time is up, or if the connection must make room for a new one. Otherwise,
    /// makes sure that the task is woken when one of the two happens.
    fn check_time(&mut self, context: &mut Context<'_>) -> io::Result<()> {
        // Close the connection only if a message arrives on the channel. If the channel is closed,
        // keep the connection open.
        let must_close = !self.close_signal.is_terminated()
            && matches!(
                Pin::new(&mut self.close_signal).poll(context),
                Poll::Ready(Ok(()))
            );
        match self.timeout.as_mut().poll(context) {
            Poll::Pending if !must_close => Ok(()),
            _ => Err(io::ErrorKind::TimedOut.into()),
        }
    }
}

impl Drop for ShareConnection {
    fn drop(&mut self) {
        lock(&self.handle.connections).remove_connection(self.handle.number);
    }
}

impl AsyncRead for ShareConnection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.check_time(context)?;
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        let read = buffer.filled().len() - before;
        self.bytes_left = self
            .bytes_left
            .checked_sub(read)
            .ok_or(io::ErrorKind::QuotaExceeded)?;
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for ShareConnection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.check_time(context)?;
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

fn lock(connections: &Mutex<OpenConnections>) -> MutexGuard<'_, OpenConnections> {
    connections.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new_connections() -> OpenConnections {
        OpenConnections::new(ShareLimits {
            max_per_address: 2,
            max_total: 5,
            ..ShareLimits::default()
        })
    }

    fn phone(n: u32) -> IpAddr {
        IpAddr::from((0x0a00_0000 + n).to_be_bytes())
    }

    /// Registers a connection and a request that arrives on it at once.
    fn register_with_request(
        connections: &mut OpenConnections,
        ip: IpAddr,
    ) -> Option<AcceptedConnection> {
        let admitted = connections.register(ip)?;
        connections.mark_request_arrived(admitted.number);
        Some(admitted)
    }

    #[test]
    fn connections_are_limited_per_address_and_total() {
        let mut connections = new_connections();
        let first = register_with_request(&mut connections, phone(1)).unwrap();
        register_with_request(&mut connections, phone(1)).unwrap();
        assert!(register_with_request(&mut connections, phone(1)).is_none());
        connections.remove_connection(first.number);
        assert!(register_with_request(&mut connections, phone(1)).is_some());
        let others = [2, 2, 3].map(|n| register_with_request(&mut connections, phone(n)).unwrap());
        assert!(register_with_request(&mut connections, phone(4)).is_none());
        connections.remove_connection(others[0].number);
        assert!(register_with_request(&mut connections, phone(4)).is_some());
    }

    #[test]
    fn full_share_closes_oldest_idle_connection() {
        let mut connections = new_connections();
        let with_request = register_with_request(&mut connections, phone(1)).unwrap();
        let mut without_request: Vec<_> = (2..=5)
            .map(|n| connections.register(phone(n)).unwrap())
            .collect();
        assert!(register_with_request(&mut connections, phone(6)).is_some());
        assert_eq!(without_request[0].close_signal.try_recv(), Ok(()));
        // The connection that had to make room ends. This frees no slot, because the new connection
        // already uses its slot.
        connections.remove_connection(without_request[0].number);
        assert_eq!(connections.open.len(), 5);
        assert!(register_with_request(&mut connections, phone(7)).is_some());
        assert_eq!(without_request[1].close_signal.try_recv(), Ok(()));
        assert!(without_request[2].close_signal.try_recv().is_err());
        assert!(
            connections.open.contains_key(&with_request.number),
            "it is older, and is being answered"
        );
    }
}
