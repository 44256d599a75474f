//! The port: closed, it refuses connections, and no other program gets it. Its listener takes
//! connections, and refuses some of them when a fault demands it.

use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use axum::serve::Listener;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::runtime::Handle;

use super::shared_state::SharedState;

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
            let socket = state.held.take().map_or_else(|| bound(self.address), Ok)?;
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

    /// Takes the next connection, when one comes.
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

/// A socket that holds an address; nobody is let in before it listens.
pub(super) fn bound(address: SocketAddr) -> io::Result<TcpSocket> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    // A port of a moment ago is free again; one that is listened on is not (on Unix).
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    Ok(socket)
}

/// The pause after a failed accept, such as when the machine is out of sockets.
const REST: Duration = Duration::from_millis(50);

/// The port as axum sees it.
pub struct SandboxListener(pub Arc<SharedState>);

impl Listener for SandboxListener {
    type Io = TcpStream;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (TcpStream, SocketAddr) {
        loop {
            let accepted = std::future::poll_fn(|cx| self.0.port.poll_accept(cx)).await;
            match accepted {
                Ok((stream, _)) if self.0.state().plan.turns_away() => {
                    // Closing with zero linger is what makes it a reset.
                    stream.set_zero_linger().ok();
                }
                Ok((stream, address)) => {
                    stream.set_nodelay(true).ok();
                    return (stream, address);
                }
                Err(_) => tokio::time::sleep(REST).await,
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        Ok(self.0.port.address())
    }
}
