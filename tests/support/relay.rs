//! A relay between a client and a server, which can lose what passes through it.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{self, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use balcao::runtime::clocks;

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
    /// Cuts the client's end of a connection at its next request, and passes this request on to the
    /// server after a time.
    HoldRequest(Duration),
}

/// The number of blocks that a slow relay holds in each direction.
const SLOW_BLOCKS: usize = 10_000;

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
        Relay::open_slow(port, Duration::ZERO)
    }

    /// Opens a relay that passes everything on after this time, in each direction.
    pub fn open_slow(port: u16, delay: Duration) -> Relay {
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
                connect(&accepting, client, server, delay);
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

    /// Cuts all connections. Later ones pass again.
    pub fn cut(&self) {
        lock(&self.shared).cut();
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

/// Waits until this time.
pub fn wait_until(due: Instant) {
    while let Some(remaining) = due
        .checked_duration_since(clocks::instant())
        .filter(|time| !time.is_zero())
    {
        thread::park_timeout(remaining);
    }
}

fn connect(shared: &Arc<Mutex<Shared>>, client: TcpStream, server: TcpStream, delay: Duration) {
    for socket in [&client, &server] {
        socket.set_nodelay(true).expect("a socket");
    }
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
        let to = Writer::new(to, delay);
        thread::spawn(move || copy(&shared, connection, from, to, is_answer));
    }
}

/// Writes to a socket, at once or after a time.
enum Writer {
    Direct(TcpStream),
    Slow {
        socket: TcpStream,
        delay: Duration,
        blocks: SyncSender<(Instant, Vec<u8>)>,
    },
}

impl Writer {
    fn new(socket: TcpStream, delay: Duration) -> Writer {
        if delay.is_zero() {
            return Writer::Direct(socket);
        }
        let (blocks, due_blocks) = mpsc::sync_channel::<(Instant, Vec<u8>)>(SLOW_BLOCKS);
        let mut to = socket.try_clone().expect("a socket");
        thread::spawn(move || {
            for (due, block) in due_blocks {
                wait_until(due);
                if to.write_all(&block).is_err() {
                    break;
                }
            }
            let _ = to.shutdown(Shutdown::Both);
        });
        Writer::Slow {
            socket,
            delay,
            blocks,
        }
    }

    /// Returns false if the connection has ended.
    fn write(&mut self, block: &[u8]) -> bool {
        match self {
            Writer::Direct(socket) => socket.write_all(block).is_ok(),
            Writer::Slow { delay, blocks, .. } => {
                let due = clocks::instant() + *delay;
                blocks.send((due, block.to_vec())).is_ok()
            }
        }
    }

    fn shut_down(&self) {
        let (Writer::Direct(socket) | Writer::Slow { socket, .. }) = self;
        let _ = socket.shutdown(Shutdown::Both);
    }
}

fn copy(
    shared: &Mutex<Shared>,
    connection: usize,
    mut from: TcpStream,
    mut to: Writer,
    is_answer: bool,
) {
    let mut buffer = [0; 16 * 1024];
    loop {
        let length = from.read(&mut buffer).unwrap_or(0);
        if length == 0 {
            break;
        }
        let mut held = None;
        let mut state = lock(shared);
        let is_passed = match (state.relaying, is_answer) {
            (Relaying::CutAtAnswer, false) => {
                state.relaying = Relaying::CutAtAnswerOn(connection);
                true
            }
            (Relaying::CutAtRequest, false) => state.cut(),
            (Relaying::CutAtAnswerOn(cut), true) if cut == connection => state.cut(),
            (Relaying::SwallowAnswers, true) => false,
            (Relaying::HoldRequest(time), false) => {
                state.relaying = Relaying::Pass;
                held = Some(time);
                true
            }
            _ => true,
        };
        drop(state);
        if let Some(time) = held {
            let _ = from.shutdown(Shutdown::Both);
            wait_until(clocks::instant() + time);
        }
        if is_passed && !to.write(&buffer[..length]) {
            break;
        }
    }
    to.shut_down();
    let _ = from.shutdown(Shutdown::Both);
}
