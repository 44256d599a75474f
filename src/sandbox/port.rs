//! The TCP port of the sandbox. A fault can close the port, so that all connections are refused,
//! but the port stays reserved. A fault can also refuse single connections.

use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use axum::serve::Listener;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::runtime::Handle;

use super::shared_state::SharedState;

/// A port that can be closed and reopened while the sandbox runs.
#[derive(Debug)]
pub struct Port {
    address: SocketAddr,
    runtime: Handle,
    state: Mutex<PortState>,
}

#[derive(Debug, Default)]
struct PortState {
    listener: Option<TcpListener>,
    /// The socket of a closed port. It is bound to the port but does not listen, so connections are
    /// refused and no other program can use the port.
    held: Option<TcpSocket>,
    waker: Option<Waker>,
    shut: bool,
}

impl Port {
    /// Starts to listen on an address. Port 0 selects a free port.
    pub async fn listen(address: SocketAddr) -> io::Result<Port> {
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        let state = PortState { listener: Some(listener), ..PortState::default() };
        Ok(Port { address, runtime: Handle::current(), state: Mutex::new(state) })
    }

    /// Returns the address with the port that is in use.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Closes the port. As soon as this method returns, new connections are refused.
    pub fn close(&self) -> io::Result<()> {
        let _runtime = self.runtime.enter();
        let mut state = self.state();
        state.listener = None;
        if state.held.is_none() && !state.shut {
            state.held = Some(bound(self.address)?);
        }
        Ok(())
    }

    /// Reopens a closed port.
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

    /// Closes the port permanently, so that other programs can use it.
    pub fn shut(&self) {
        let mut state = self.state();
        *state = PortState { shut: true, ..PortState::default() };
    }

    /// Polls for the next incoming connection.
    fn poll_accept(&self, context: &mut Context<'_>) -> Poll<io::Result<(TcpStream, SocketAddr)>> {
        let mut state = self.state();
        // Store the waker even if the listener exists, because dropping the listener would not wake
        // the task.
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

/// Returns a socket that is bound to an address but does not listen yet.
pub(super) fn bound(address: SocketAddr) -> io::Result<TcpSocket> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    // Allow a port that was closed a moment ago. On Unix, binding still fails if another program
    // listens on the port.
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    Ok(socket)
}

/// The pause after an error while accepting a connection, for example when the machine has no free
/// sockets.
const REST: Duration = Duration::from_millis(50);

/// Accepts connections on the sandbox's port for the HTTP library axum.
pub struct SandboxListener(pub Arc<SharedState>);

impl Listener for SandboxListener {
    type Io = TcpStream;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (TcpStream, SocketAddr) {
        loop {
            let accepted = std::future::poll_fn(|cx| self.0.port.poll_accept(cx)).await;
            match accepted {
                Ok((stream, _)) if self.0.state().plan.takes_refusal() => {
                    // With a linger time of zero, dropping the stream resets the connection.
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
