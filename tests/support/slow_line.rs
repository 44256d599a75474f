//! A slow connection, as over SSH. It delivers few bytes per second, with a delay, but accepts many
//! bytes at once.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use balcao::runtime::clocks;

/// The number of bytes in each delivery.
const CHUNK: usize = 64;

/// The number of bytes that the connection accepts before it has delivered them. sshd behaves like
/// this, too.
const AHEAD: usize = 2 * 1024 * 1024;

/// A slow connection. Both directions have the same rate and delay.
#[derive(Debug, Clone, Copy)]
pub struct SlowLine {
    pub bytes_per_second: u32,
    /// The delay in each direction, which is half of the round trip time.
    pub delay: Duration,
}

fn wait_until(due: Instant) {
    while let Some(left) = due.checked_duration_since(clocks::instant()).filter(|it| !it.is_zero())
    {
        thread::park_timeout(left);
    }
}

impl SlowLine {
    /// A bad mobile connection: 64 kbit/s, with a round trip time of 100 ms.
    pub const MOBILE: SlowLine =
        SlowLine { bytes_per_second: 8_000, delay: Duration::from_millis(50) };

    /// Returns the time that it takes to deliver this number of bytes, not counting the delay.
    pub fn time_of(self, bytes: usize) -> Duration {
        Duration::from_secs(1) * u32::try_from(bytes).expect("few bytes") / self.bytes_per_second
    }

    /// Copies all bytes from `from` to `to` at the connection's rate, and then calls `at_end`.
    pub fn carry(
        self,
        mut from: impl Read + Send + 'static,
        mut to: impl Write + Send + 'static,
        at_end: impl FnOnce() + Send + 'static,
    ) {
        let (sender, sent) = mpsc::sync_channel::<(Instant, Vec<u8>)>(AHEAD / CHUNK);
        thread::spawn(move || {
            let mut buffer = [0; CHUNK];
            let mut free_at = clocks::instant();
            while let Ok(read @ 1..) = from.read(&mut buffer) {
                free_at = free_at.max(clocks::instant()) + self.time_of(read);
                if sender.send((free_at + self.delay, buffer[..read].to_vec())).is_err() {
                    return;
                }
            }
        });
        thread::spawn(move || {
            for (due, bytes) in sent {
                wait_until(due);
                if to.write_all(&bytes).and_then(|()| to.flush()).is_err() {
                    break;
                }
            }
            drop(to);
            at_end();
        });
    }

    /// Returns a reader. Bytes from `from` reach it over this slow connection.
    pub fn receive(self, from: impl Read + Send + 'static) -> impl Read + Send + 'static {
        let (near, far) = UnixStream::pair().expect("a pair of sockets");
        self.carry(from, near, || ());
        far
    }

    /// Returns a writer. The bytes written to it reach `to` over this slow connection.
    pub fn send(self, to: impl Write + Send + 'static) -> impl Write + Send + 'static {
        let (near, far) = UnixStream::pair().expect("a pair of sockets");
        self.carry(far, to, || ());
        near
    }

    /// Starts a local proxy that passes each connection on to the server at this rate and delay.
    /// Returns the address of the proxy.
    pub fn proxy(self, server: SocketAddr) -> SocketAddr {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        let address = listener.local_addr().expect("an address");
        thread::spawn(move || {
            for near in listener.incoming().flatten() {
                let Ok(far) = TcpStream::connect(server) else { continue };
                for (from, to) in [(&near, &far), (&far, &near)] {
                    let (from, to) = (from.try_clone().expect("a clone"), to.try_clone());
                    let to = to.expect("a clone");
                    let end = to.try_clone().expect("a clone");
                    self.carry(from, to, move || drop(end.shutdown(Shutdown::Write)));
                }
            }
        });
        address
    }
}
