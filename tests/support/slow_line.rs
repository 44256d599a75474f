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
const CHUNK_SIZE: usize = 64;

/// The number of undelivered bytes that the connection can buffer. sshd buffers as much.
const BUFFER_SIZE: usize = 2 * 1024 * 1024;

/// A slow connection. Both directions have the same rate and delay.
#[derive(Debug, Clone, Copy)]
pub struct SlowLine {
    pub bytes_per_second: u32,
    /// The delay in each direction, which is half of the round trip time.
    pub delay: Duration,
}

fn wait_until(due: Instant) {
    while let Some(remaining) = due
        .checked_duration_since(clocks::instant())
        .filter(|time| !time.is_zero())
    {
        thread::park_timeout(remaining);
    }
}

impl SlowLine {
    /// A bad mobile connection: 64 kbit/s, with a round trip time of 100 ms.
    pub const MOBILE: SlowLine = SlowLine {
        bytes_per_second: 8_000,
        delay: Duration::from_millis(50),
    };

    /// Returns the time that it takes to deliver this number of bytes, not counting the delay.
    pub fn transfer_time(self, bytes: usize) -> Duration {
        Duration::from_secs(1) * u32::try_from(bytes).expect("few bytes") / self.bytes_per_second
    }

    /// Starts to copy all bytes from `from` to `to` at the connection's rate, and then calls
    /// `at_end`.
    pub fn start_copying(
        self,
        mut from: impl Read + Send + 'static,
        mut to: impl Write + Send + 'static,
        at_end: impl FnOnce() + Send + 'static,
    ) {
        let (sender, deliveries) =
            mpsc::sync_channel::<(Instant, Vec<u8>)>(BUFFER_SIZE / CHUNK_SIZE);
        thread::spawn(move || {
            let mut buffer = [0; CHUNK_SIZE];
            let mut line_free_at = clocks::instant();
            while let Ok(read @ 1..) = from.read(&mut buffer) {
                line_free_at = line_free_at.max(clocks::instant()) + self.transfer_time(read);
                if sender
                    .send((line_free_at + self.delay, buffer[..read].to_vec()))
                    .is_err()
                {
                    return;
                }
            }
        });
        thread::spawn(move || {
            for (due, bytes) in deliveries {
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
        self.start_copying(from, near, || ());
        far
    }

    /// Returns a writer. The bytes written to it reach `to` over this slow connection.
    pub fn send(self, to: impl Write + Send + 'static) -> impl Write + Send + 'static {
        let (near, far) = UnixStream::pair().expect("a pair of sockets");
        self.start_copying(far, to, || ());
        near
    }

    /// Starts a local proxy that passes each connection on to the server at this rate and delay.
    /// Returns the address of the proxy.
    pub fn proxy(self, server: SocketAddr) -> SocketAddr {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        let address = listener.local_addr().expect("an address");
        thread::spawn(move || {
            for near in listener.incoming().flatten() {
                let Ok(far) = TcpStream::connect(server) else {
                    continue;
                };
                for (from, to) in [(&near, &far), (&far, &near)] {
                    let from = from.try_clone().expect("a clone");
                    let to = to.try_clone();
                    let to = to.expect("a clone");
                    let end = to.try_clone().expect("a clone");
                    self.start_copying(from, to, move || drop(end.shutdown(Shutdown::Write)));
                }
            }
        });
        address
    }
}
