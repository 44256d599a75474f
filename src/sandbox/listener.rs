//! The listener: takes connections, refuses them, and cuts them when a fault demands it.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker, ready};
use std::time::Duration;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::runtime::Handle;

use super::shared_state::SharedState;

/// The pause after a failed accept, such as when the machine is out of sockets.
const REST: Duration = Duration::from_millis(50);

/// The port, which can be closed and opened again while the service runs.
#[derive(Debug)]
pub struct Port {
    address: SocketAddr,
    runtime: Handle,
    state: Mutex<PortState>,
}

#[derive(Debug, Default)]
struct PortState {
    listener: Option<TcpListener>,
    /// Bound and not listening: connections are refused, and no other program gets the port.
    held: Option<TcpSocket>,
    waker: Option<Waker>,
    shut: bool,
}

impl Port {
    /// Listens on an address; port 0 takes a free one.
    pub async fn listen(address: SocketAddr) -> io::Result<Port> {
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        let state = PortState { listener: Some(listener), ..PortState::default() };
        Ok(Port { address, runtime: Handle::current(), state: Mutex::new(state) })
    }

    /// Where it listens, with the real port.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Closes the port: from the return on, connecting is refused by the machine itself.
    pub fn close(&self) -> io::Result<()> {
        let _runtime = self.runtime.enter();
        let mut state = self.state();
        state.listener = None;
        if state.held.is_none() && !state.shut {
            state.held = Some(bound(self.address)?);
        }
        Ok(())
    }

    /// Opens a closed port again.
    pub fn open(&self) -> io::Result<()> {
        let _runtime = self.runtime.enter();
        let mut state = self.state();
        if state.listener.is_none() && !state.shut {
            let socket = match state.held.take() {
                Some(socket) => socket,
                None => bound(self.address)?,
            };
            state.listener = Some(socket.listen(1024)?);
            if let Some(waker) = state.waker.take() {
                waker.wake();
            }
        }
        Ok(())
    }

    /// Gives the port back for good.
    pub fn shut(&self) {
        let mut state = self.state();
        *state = PortState { shut: true, ..PortState::default() };
    }

    fn poll_accept(&self, context: &mut Context<'_>) -> Poll<io::Result<(TcpStream, SocketAddr)>> {
        let mut state = self.state();
        // Kept even while listening: a listener that is dropped wakes nobody.
        state.waker = Some(context.waker().clone());
        match &state.listener {
            Some(listener) => listener.poll_accept(context),
            None => Poll::Pending,
        }
    }

    fn state(&self) -> MutexGuard<'_, PortState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn bound(address: SocketAddr) -> io::Result<TcpSocket> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    // Elsewhere than on Unix this would let two programs listen on one port.
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    Ok(socket)
}

/// The port as axum sees it.
pub struct SandboxListener(pub Arc<SharedState>);

impl Listener for SandboxListener {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        loop {
            let accepted = std::future::poll_fn(|cx| self.0.port.poll_accept(cx)).await;
            match accepted {
                Ok((stream, _)) if self.0.turns_away() => {
                    // Closing with zero linger is what makes it a reset.
                    stream.set_zero_linger().ok();
                }
                Ok((stream, address)) => {
                    stream.set_nodelay(true).ok();
                    return (Connection { stream, cut: CutSwitch::default() }, address);
                }
                Err(_) => tokio::time::sleep(REST).await,
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        Ok(self.0.port.address())
    }
}

/// The switch that cuts one connection; a handler reaches it through `ConnectInfo`.
#[derive(Clone, Debug, Default)]
pub struct CutSwitch(Arc<AtomicBool>);

impl CutSwitch {
    /// From now on not one byte leaves on this connection.
    pub fn cut(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    fn is_cut(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

impl Connected<IncomingStream<'_, SandboxListener>> for CutSwitch {
    fn connect_info(stream: IncomingStream<'_, SandboxListener>) -> CutSwitch {
        stream.io().cut.clone()
    }
}

/// One connection, until it is cut: then writing fails, and the server closes the socket.
#[derive(Debug)]
pub struct Connection {
    stream: TcpStream,
    cut: CutSwitch,
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        if self.cut.is_cut() {
            return Poll::Ready(Err(io::ErrorKind::BrokenPipe.into()));
        }
        let written = ready!(Pin::new(&mut self.stream).poll_write(context, bytes));
        Poll::Ready(written)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
