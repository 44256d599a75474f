//! A relay between a client and a server, which can lose what passes through it.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// How a relay treats the data that passes through it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relaying {
    /// Passes everything on.
    Pass,
    /// Cuts all connections instead of passing on the client's next request.
    CutAtRequest,
    /// Cuts all connections instead of passing on the server's answer to the client's next request.
    CutAtAnswer,
    /// Cuts all connections instead of passing on an answer on this connection.
    CutAtAnswerOn(usize),
    /// Swallows the server's answers, and keeps the connections open.
    SwallowAnswers,
}

/// A relay on a local port. It stops when it is dropped.
pub struct Relay {
    address: SocketAddr,
    shared: Arc<Mutex<Shared>>,
}

struct Shared {
    relaying: Relaying,
    sockets: Vec<TcpStream>,
    /// The number of connections so far.
    connections: usize,
    is_closed: bool,
}

impl Relay {
    /// Opens a relay to a port of this machine.
    pub fn open(port: u16) -> Relay {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        let address = listener.local_addr().expect("an address");
        let shared = Arc::new(Mutex::new(Shared {
            relaying: Relaying::Pass,
            sockets: Vec::new(),
            connections: 0,
            is_closed: false,
        }));
        let accepting = shared.clone();
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                if lock(&accepting).is_closed {
                    return;
                }
                let server = TcpStream::connect((Ipv4Addr::LOCALHOST, port));
                let Ok(server) = server else { continue };
                connect(&accepting, client, server);
            }
        });
        Relay { address, shared }
    }

    pub fn port(&self) -> u16 {
        self.address.port()
    }

    pub fn set(&self, relaying: Relaying) {
        lock(&self.shared).relaying = relaying;
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        let mut shared = lock(&self.shared);
        shared.is_closed = true;
        shared.cut();
        drop(shared);
        // Let the thread that accepts connections see that the relay is closed.
        let _ = TcpStream::connect(self.address);
    }
}

impl Shared {
    /// Cuts all connections. Later ones pass again. Returns false.
    fn cut(&mut self) -> bool {
        self.relaying = Relaying::Pass;
        for socket in self.sockets.drain(..) {
            let _ = socket.shutdown(Shutdown::Both);
        }
        false
    }
}

fn lock(shared: &Mutex<Shared>) -> std::sync::MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

fn connect(shared: &Arc<Mutex<Shared>>, client: TcpStream, server: TcpStream) {
    let twin = |socket: &TcpStream| socket.try_clone().expect("a socket");
    let mut state = lock(shared);
    state.sockets.extend([twin(&client), twin(&server)]);
    state.connections += 1;
    let connection = state.connections;
    drop(state);
    for (from, to, is_answer) in [
        (twin(&client), twin(&server), false),
        (server, client, true),
    ] {
        let shared = shared.clone();
        thread::spawn(move || copy(&shared, connection, from, to, is_answer));
    }
}

fn copy(
    shared: &Mutex<Shared>,
    connection: usize,
    mut from: TcpStream,
    mut to: TcpStream,
    is_answer: bool,
) {
    let mut buffer = [0; 16 * 1024];
    loop {
        let length = from.read(&mut buffer).unwrap_or(0);
        if length == 0 {
            break;
        }
        let mut state = lock(shared);
        let is_passed = match (state.relaying, is_answer) {
            (Relaying::CutAtAnswer, false) => {
                state.relaying = Relaying::CutAtAnswerOn(connection);
                true
            }
            (Relaying::CutAtRequest, false) => state.cut(),
            (Relaying::CutAtAnswerOn(cut), true) if cut == connection => state.cut(),
            (Relaying::SwallowAnswers, true) => false,
            _ => true,
        };
        drop(state);
        if is_passed && to.write_all(&buffer[..length]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
    let _ = from.shutdown(Shutdown::Both);
}
