//! The port of the sandbox: a TCP port, or a Unix socket that only this process can use.
//!
//! A fault can close the port. It then refuses all connections but stays reserved. A fault can also
//! refuse single connections.

use std::fs;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker, ready};
use std::time::Duration;

use axum::serve::Listener;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpSocket, TcpStream, UnixListener, UnixStream};
use tokio::runtime::Handle;

use super::shared_state::SharedState;

/// The port of the sandbox. It can be closed and reopened while the sandbox runs.
#[derive(Debug)]
pub struct Port {
    address: SocketAddr,
    /// The Unix socket on which the sandbox listens, or `None` if it listens on the TCP address.
    socket: Option<PathBuf>,
    runtime: Handle,
    state: Mutex<PortState>,
}

#[derive(Debug)]
enum PortListener {
    Tcp(TcpListener),
    Unix(UnixListener),
}

/// A connection that was just accepted.
enum Accepted {
    Tcp(TcpStream),
    Unix(UnixStream),
}

#[derive(Debug, Default)]
struct PortState {
    listener: Option<PortListener>,
    /// The TCP socket that reserves the port while it is closed. The socket is bound but does not
    /// listen, so connections are refused and no other program can use the port.
    reservation: Option<TcpSocket>,
    waker: Option<Waker>,
    is_shut: bool,
}

impl Port {
    /// Starts to listen on an address. Port 0 selects a free port. If a Unix socket is given, the
    /// sandbox listens on that socket, and uses the address only in URLs.
    pub async fn listen(address: SocketAddr, socket: Option<PathBuf>) -> io::Result<Port> {
        let (address, listener) = match &socket {
            Some(path) => (address, PortListener::Unix(UnixListener::bind(path)?)),
            None => {
                let listener = TcpListener::bind(address).await?;
                (listener.local_addr()?, PortListener::Tcp(listener))
            }
        };
        let state = PortState {
            listener: Some(listener),
            ..PortState::default()
        };
        Ok(Port {
            address,
            socket,
            runtime: Handle::current(),
            state: Mutex::new(state),
        })
    }

    /// The address, including the port that is in use.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Closes the port, so that new connections are refused from now on.
    pub fn close(&self) -> io::Result<()> {
        let _runtime = self.runtime.enter();
        let mut state = self.state();
        state.listener = None;
        // A Unix socket needs no reservation. Its file stays, and connections to it are refused.
        if self.socket.is_none() && state.reservation.is_none() && !state.is_shut {
            state.reservation = Some(bind_socket(self.address)?);
        }
        Ok(())
    }

    /// Reopens a closed port.
    pub fn open(&self) -> io::Result<()> {
        let _runtime = self.runtime.enter();
        let mut state = self.state();
        if state.listener.is_none() && !state.is_shut {
            state.listener = Some(match &self.socket {
                Some(path) => PortListener::Unix(rebind_unix_socket(path)?),
                None => {
                    let socket = state
                        .reservation
                        .take()
                        .map_or_else(|| bind_socket(self.address), Ok)?;
                    PortListener::Tcp(socket.listen(1024)?)
                }
            });
            if let Some(waker) = state.waker.take() {
                waker.wake();
            }
        }
        Ok(())
    }

    /// Closes the port permanently and frees it, so that other programs can use it.
    pub fn shut(&self) {
        let mut state = self.state();
        *state = PortState {
            is_shut: true,
            ..PortState::default()
        };
    }

    /// Polls for the next incoming connection.
    fn poll_accept(&self, context: &mut Context<'_>) -> Poll<io::Result<Accepted>> {
        let mut state = self.state();
        // Store the waker even while the port is open. Closing the port does not wake the task, so
        // reopening the port must use this waker.
        state.waker = Some(context.waker().clone());
        match &state.listener {
            Some(PortListener::Tcp(listener)) => {
                let (stream, _) = ready!(listener.poll_accept(context))?;
                Poll::Ready(Ok(Accepted::Tcp(stream)))
            }
            Some(PortListener::Unix(listener)) => {
                let (stream, _) = ready!(listener.poll_accept(context))?;
                Poll::Ready(Ok(Accepted::Unix(stream)))
            }
            None => Poll::Pending,
        }
    }

    fn state(&self) -> MutexGuard<'_, PortState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A socket that is bound to an address but does not listen yet.
pub(super) fn bind_socket(address: SocketAddr) -> io::Result<TcpSocket> {
    let socket = if address.is_ipv4() {
        TcpSocket::new_v4()?
    } else {
        TcpSocket::new_v6()?
    };
    // Allow binding a port that was closed a moment ago. Binding still fails if another program
    // listens on the port.
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    Ok(socket)
}

/// Listens again on the Unix socket of a closed port. The file of the old socket is replaced.
fn rebind_unix_socket(path: &Path) -> io::Result<UnixListener> {
    fs::remove_file(path)?;
    UnixListener::bind(path)
}

/// True if this process opened the connection. Only this process may use the Unix socket.
fn is_from_this_process(stream: &UnixStream) -> bool {
    let own_pid = i32::try_from(std::process::id()).ok();
    own_pid.is_some() && stream.peer_cred().ok().and_then(|peer| peer.pid()) == own_pid
}

/// The pause after a connection could not be accepted. For example, the machine may have no free
/// sockets.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(50);

/// Accepts connections on the sandbox's port for the HTTP library axum.
pub struct SandboxListener(pub Arc<SharedState>);

/// A connection over TCP or a Unix socket.
pub trait Connection: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Connection for T {}

impl Listener for SandboxListener {
    type Io = Box<dyn Connection>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Box<dyn Connection>, SocketAddr) {
        loop {
            let accepted = std::future::poll_fn(|cx| self.0.port.poll_accept(cx)).await;
            let stream: Box<dyn Connection> = match accepted {
                Ok(Accepted::Unix(stream)) if !is_from_this_process(&stream) => continue,
                Ok(Accepted::Tcp(stream)) if self.0.state().plan.take_refusal() => {
                    // Set the linger time to zero. Dropping the stream then resets the connection.
                    stream.set_zero_linger().ok();
                    continue;
                }
                Ok(Accepted::Unix(_)) if self.0.state().plan.take_refusal() => continue,
                Ok(Accepted::Tcp(stream)) => {
                    stream.set_nodelay(true).ok();
                    Box::new(stream)
                }
                Ok(Accepted::Unix(stream)) => Box::new(stream),
                Err(_) => {
                    tokio::time::sleep(ACCEPT_RETRY_DELAY).await;
                    continue;
                }
            };
            return (stream, self.0.port.address());
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        Ok(self.0.port.address())
    }
}
