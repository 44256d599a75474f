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
    pub open_each: usize,
    /// The maximum number of open connections in total.
    pub open_in_all: usize,
    /// The maximum size of a request including its headers, in bytes.
    pub bytes: usize,
    /// The maximum duration of a connection, from its start to the end of the response.
    pub life: Duration,
}

impl Default for ShareLimits {
    fn default() -> ShareLimits {
        ShareLimits {
            open_each: 8,
            open_in_all: 200,
            bytes: 16 * 1024,
            life: Duration::from_secs(15),
        }
    }
}

/// An accepted connection from a phone.
#[derive(Debug)]
struct Admitted {
    /// The number of the connection. Later connections have higher numbers.
    pub number: u64,
    /// Resolves to `Ok` when this connection must be closed to make room for a new one.
    pub give_way: oneshot::Receiver<()>,
}

/// The open connections from phones, with their IP addresses.
#[derive(Debug)]
struct Arrivals {
    limits: ShareLimits,
    /// The IP addresses of the open connections, by connection number.
    open: BTreeMap<u64, IpAddr>,
    /// The open connections on which no request has arrived yet. Sending on a connection's channel
    /// closes that connection.
    silent: BTreeMap<u64, oneshot::Sender<()>>,
    last: u64,
}

impl Arrivals {
    pub fn new(limits: ShareLimits) -> Arrivals {
        Arrivals { limits, open: BTreeMap::new(), silent: BTreeMap::new(), last: 0 }
    }

    /// Registers a new connection. Returns `None` if the connection must be closed at once.
    ///
    /// If the total limit is reached, the oldest connection without a request is closed. Otherwise,
    /// slow connections from many addresses could block all phones.
    pub fn arrive(&mut self, ip: IpAddr) -> Option<Admitted> {
        if self.open.values().filter(|open| **open == ip).count() >= self.limits.open_each {
            return None;
        }
        if self.open.len() >= self.limits.open_in_all {
            let (oldest, give_way) = self.silent.pop_first()?;
            give_way.send(()).ok();
            self.open.remove(&oldest);
        }
        self.last += 1;
        let (sender, give_way) = oneshot::channel();
        self.silent.insert(self.last, sender);
        self.open.insert(self.last, ip);
        Some(Admitted { number: self.last, give_way })
    }

    /// Records that a request has arrived on this connection. The connection is then no longer
    /// closed to make room for a new one.
    pub fn asked(&mut self, number: u64) {
        self.silent.remove(&number);
    }

    /// Records that a connection was closed.
    pub fn leave(&mut self, number: u64) {
        self.silent.remove(&number);
        self.open.remove(&number);
    }
}

/// Accepts connections from phones for the HTTP library axum.
pub(super) struct ShareListener {
    listener: TcpListener,
    limits: ShareLimits,
    arrivals: Arc<Mutex<Arrivals>>,
}

impl ShareListener {
    pub fn new(listener: TcpListener, limits: ShareLimits) -> ShareListener {
        let arrivals = Arc::new(Mutex::new(Arrivals::new(limits.clone())));
        ShareListener { listener, limits, arrivals }
    }

    /// Registers an accepted connection. Returns `None` if it exceeds the limits.
    fn receive(&self, stream: TcpStream, from: IpAddr) -> Option<ShareConnection> {
        let Admitted { number, give_way } = locked(&self.arrivals).arrive(from)?;
        let visitor = Visitor { number, arrivals: Arc::clone(&self.arrivals) };
        let life = Box::pin(sleep(self.limits.life));
        Some(ShareConnection { stream, visitor, give_way, life, bytes_left: self.limits.bytes })
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

/// A connection on which a request arrived. Request handlers receive this value.
#[derive(Clone, Debug)]
pub(super) struct Visitor {
    number: u64,
    arrivals: Arc<Mutex<Arrivals>>,
}

impl Visitor {
    /// Records that a request has arrived on this connection.
    pub fn asked(&self) {
        locked(&self.arrivals).asked(self.number);
    }
}

impl Connected<IncomingStream<'_, ShareListener>> for Visitor {
    fn connect_info(stream: IncomingStream<'_, ShareListener>) -> Visitor {
        stream.io().visitor.clone()
    }
}

/// A connection from a phone. Reading and writing fail if the connection lasts too long, receives
/// too many bytes, or must make room for a new connection.
pub(super) struct ShareConnection {
    stream: TcpStream,
    visitor: Visitor,
    give_way: oneshot::Receiver<()>,
    life: Pin<Box<Sleep>>,
    bytes_left: usize,
}

impl ShareConnection {
    /// Returns an error if the time is up, or if the connection must make room for a new one.
    /// Otherwise, makes sure that the task is woken when one of the two happens.
    fn check_time(&mut self, context: &mut Context<'_>) -> io::Result<()> {
        // Close the connection only if a message arrives on the channel. If the channel is closed,
        // keep the connection open.
        let gives_way = !self.give_way.is_terminated()
            && matches!(Pin::new(&mut self.give_way).poll(context), Poll::Ready(Ok(())));
        match self.life.as_mut().poll(context) {
            Poll::Pending if !gives_way => Ok(()),
            _ => Err(io::ErrorKind::TimedOut.into()),
        }
    }
}

impl Drop for ShareConnection {
    fn drop(&mut self) {
        locked(&self.visitor.arrivals).leave(self.visitor.number);
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
        self.bytes_left = self.bytes_left.checked_sub(read).ok_or(io::ErrorKind::QuotaExceeded)?;
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

fn locked(arrivals: &Mutex<Arrivals>) -> MutexGuard<'_, Arrivals> {
    arrivals.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrivals() -> Arrivals {
        Arrivals::new(ShareLimits { open_each: 2, open_in_all: 5, ..ShareLimits::default() })
    }

    fn phone(n: u32) -> IpAddr {
        IpAddr::from((0x0a00_0000 + n).to_be_bytes())
    }

    /// Registers a connection and a request that arrives on it at once.
    fn asks(arrivals: &mut Arrivals, ip: IpAddr) -> Option<Admitted> {
        let admitted = arrivals.arrive(ip)?;
        arrivals.asked(admitted.number);
        Some(admitted)
    }

    #[test]
    fn connections_are_limited_per_address_and_total() {
        let mut all = arrivals();
        let first = asks(&mut all, phone(1)).unwrap();
        asks(&mut all, phone(1)).unwrap();
        assert!(asks(&mut all, phone(1)).is_none());
        all.leave(first.number);
        assert!(asks(&mut all, phone(1)).is_some());
        let others = [2, 2, 3].map(|n| asks(&mut all, phone(n)).unwrap());
        assert!(asks(&mut all, phone(4)).is_none());
        all.leave(others[0].number);
        assert!(asks(&mut all, phone(4)).is_some());
    }

    #[test]
    fn full_share_ends_the_oldest_silent_connection() {
        let mut all = arrivals();
        let asked = asks(&mut all, phone(1)).unwrap();
        let mut silent: Vec<_> = (2..=5).map(|n| all.arrive(phone(n)).unwrap()).collect();
        assert!(asks(&mut all, phone(6)).is_some());
        assert_eq!(silent[0].give_way.try_recv(), Ok(()));
        // The connection that had to make room ends. This frees no slot, because the new connection
        // already uses its slot.
        all.leave(silent[0].number);
        assert_eq!(all.open.len(), 5);
        assert!(asks(&mut all, phone(7)).is_some());
        assert_eq!(silent[1].give_way.try_recv(), Ok(()));
        assert!(silent[2].give_way.try_recv().is_err());
        assert!(all.open.contains_key(&asked.number), "it is older, and is being answered");
    }
}
