//! A server to which the client must never connect. A redirect, for example, leads to it.

use std::cell::RefCell;
use std::rc::Rc;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::spawn_local;

use super::certificates::HOST;

/// A server that counts the connections and bytes that it receives.
pub struct ForbiddenServer {
    pub port: u16,
    received: Rc<RefCell<ReceivedCounts>>,
}

/// The number of connections and bytes that the server received.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct ReceivedCounts {
    pub connections: usize,
    pub bytes: usize,
}

impl ForbiddenServer {
    pub async fn listen() -> ForbiddenServer {
        let listener = TcpListener::bind((HOST, 0)).await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let received = Rc::new(RefCell::new(ReceivedCounts::default()));
        let shared = received.clone();
        spawn_local(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                shared.borrow_mut().connections += 1;
                let shared = shared.clone();
                spawn_local(async move {
                    let mut buffer = [0; 4096];
                    while let Ok(count @ 1..) = stream.read(&mut buffer).await {
                        shared.borrow_mut().bytes += count;
                    }
                });
            }
        });
        ForbiddenServer { port, received }
    }

    pub fn received(&self) -> ReceivedCounts {
        *self.received.borrow()
    }

    /// Connects to the server, and returns true if the server counted this connection. This proves
    /// that the server would also have counted a connection of the client.
    pub async fn is_listening(&self) -> bool {
        let before = self.received();
        let Ok(mut stream) = TcpStream::connect((HOST, self.port)).await else {
            return false;
        };
        let has_sent = stream.write_all(b"hello").await.is_ok() && stream.shutdown().await.is_ok();
        // The server has read all bytes when it closes the connection.
        let has_closed = stream.read(&mut [0; 1]).await.is_ok();
        let expected = ReceivedCounts {
            connections: before.connections + 1,
            bytes: before.bytes + 5,
        };
        has_sent && has_closed && self.received() == expected
    }
}
