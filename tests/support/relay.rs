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
    /// Cuts all connections instead of passing on the server's next answer.
    CutAtAnswer,
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
    fn cut(&mut self) {
        for socket in self.sockets.drain(..) {
            let _ = socket.shutdown(Shutdown::Both);
        }
    }
}

fn lock(shared: &Mutex<Shared>) -> std::sync::MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

fn connect(shared: &Arc<Mutex<Shared>>, client: TcpStream, server: TcpStream) {
    let twin = |socket: &TcpStream| socket.try_clone().expect("a socket");
    lock(shared).sockets.extend([twin(&client), twin(&server)]);
    for (from, to, cut_at) in [
        (twin(&client), twin(&server), Relaying::CutAtRequest),
        (server, client, Relaying::CutAtAnswer),
    ] {
        let shared = shared.clone();
        thread::spawn(move || copy(&shared, from, to, cut_at));
    }
}

fn copy(shared: &Mutex<Shared>, mut from: TcpStream, mut to: TcpStream, cut_at: Relaying) {
    let mut buffer = [0; 16 * 1024];
    loop {
        let length = from.read(&mut buffer).unwrap_or(0);
        let mut state = lock(shared);
        if length == 0 {
            break;
        }
        if state.relaying == cut_at {
            // Later connections pass again.
            state.relaying = Relaying::Pass;
            state.cut();
            break;
        }
        let is_answer = cut_at == Relaying::CutAtAnswer;
        let is_swallowed = is_answer && state.relaying == Relaying::SwallowAnswers;
        drop(state);
        if !is_swallowed && to.write_all(&buffer[..length]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
    let _ = from.shutdown(Shutdown::Both);
}
