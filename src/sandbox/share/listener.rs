//! The listener of a share: a connection carries one request, is small, and ends soon.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::time::{Sleep, sleep};

use super::limits::{Admitted, Arrivals, ShareLimits};

/// The port of a share as axum sees it.
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

    /// The connection, unless it is one too many.
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
            // This waits a while after a failure, such as when the machine is out of sockets.
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

/// What a handler knows of the one who asks.
#[derive(Clone, Debug)]
pub(super) struct Visitor {
    number: u64,
    arrivals: Arc<Mutex<Arrivals>>,
}

impl Visitor {
    /// Notes that its request has arrived.
    pub fn asked(&self) {
        locked(&self.arrivals).asked(self.number);
    }
}

impl Connected<IncomingStream<'_, ShareListener>> for Visitor {
    fn connect_info(stream: IncomingStream<'_, ShareListener>) -> Visitor {
        stream.io().visitor.clone()
    }
}

/// One connection, until its time is over, it brought too much or gives way: then it is closed.
pub(super) struct ShareConnection {
    stream: TcpStream,
    visitor: Visitor,
    give_way: oneshot::Receiver<()>,
    life: Pin<Box<Sleep>>,
    bytes_left: usize,
}

impl ShareConnection {
    /// Fails once the time is over or another one takes its place, and wakes its task then.
    fn check_time(&mut self, context: &mut Context<'_>) -> io::Result<()> {
        // A channel that is closed was not asked to end.
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
