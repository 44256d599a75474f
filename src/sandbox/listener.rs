//! The listener: takes connections, refuses them, and cuts them when a fault demands it.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

use super::shared_state::SharedState;

/// The pause after a failed accept, such as when the machine is out of sockets.
const REST: Duration = Duration::from_millis(50);

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
