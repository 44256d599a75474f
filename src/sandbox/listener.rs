//! The listener: takes connections, and refuses them when a fault demands it.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::serve::Listener;
use tokio::net::TcpStream;

use super::shared_state::SharedState;

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
