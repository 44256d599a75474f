//! A tap on the wire: every byte the counter sends, as it was sent.

use std::sync::{Arc, Mutex};

use balcao::sandbox::SandboxServer;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::timeout;

use crate::counter::LIMIT;

/// A relay before the sandbox that writes down what comes in; one entry, one connection.
#[derive(Clone)]
pub struct Tap {
    pub base_url: String,
    heard: Arc<Mutex<Vec<Bytes>>>,
    gate: watch::Sender<Gate>,
}

/// Where replies stand still as long as a story wants them to.
#[derive(Default)]
struct Gate {
    /// Whose replies do.
    path: Option<&'static str>,
    /// How many do now.
    held: usize,
}

/// What came over one connection so far.
type Bytes = Arc<Mutex<Vec<u8>>>;

/// One request as it was sent.
#[derive(Debug)]
pub struct Sent {
    /// The first line.
    pub line: String,
    /// The headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body, byte for byte.
    pub body: String,
}

impl Sent {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }
}

impl Tap {
    pub async fn before(sandbox: &SandboxServer) -> Tap {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base_url = format!("http://{}", listener.local_addr().unwrap());
        let (to, heard) = (sandbox.address(), Arc::new(Mutex::new(Vec::new())));
        let (kept, gate) = (heard.clone(), watch::Sender::default());
        let keeper = gate.clone();
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                let one = Arc::new(Mutex::new(Vec::new()));
                kept.lock().unwrap().push(one.clone());
                let gate = keeper.clone();
                tokio::spawn(async move {
                    // A far side that takes no connection leaves the near one cut.
                    if let Ok(far) = TcpStream::connect(to).await {
                        relay(near, far, &one, &gate).await;
                    }
                });
            }
        });
        Tap { base_url, heard, gate }
    }

    /// From now on the replies to this path stand still.
    pub fn hold(&self, path: &'static str) {
        self.gate.send_modify(|gate| gate.path = Some(path));
    }

    /// Waits until one stands still: the service has acted, and nobody knows.
    pub async fn wait_held(&self) {
        let mut gate = self.gate.subscribe();
        let held = timeout(LIMIT, gate.wait_for(|gate| gate.held > 0)).await;
        assert!(held.is_ok(), "waited too long for a reply that stands still");
    }

    /// Lets all replies go on their way.
    pub fn let_go(&self) {
        self.gate.send_modify(|gate| gate.path = None);
    }

    /// The number of requests that were sent, to any path.
    pub fn requests(&self) -> usize {
        self.heard.lock().unwrap().len()
    }

    /// Everything that was sent to this path.
    pub fn sent_to(&self, path: &str) -> Vec<Sent> {
        let all = self.heard.lock().unwrap();
        let read = all.iter().map(|one| read(&String::from_utf8_lossy(&one.lock().unwrap())));
        read.filter(|sent| sent.line.split(' ').nth(1) == Some(path)).collect()
    }
}

fn read(text: &str) -> Sent {
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((text, ""));
    let mut lines = head.split("\r\n");
    let line = lines.next().unwrap_or_default().to_owned();
    let header = |line: &str| {
        let (name, value) = line.split_once(':')?;
        Some((name.to_ascii_lowercase(), value.trim().to_owned()))
    };
    Sent { line, headers: lines.filter_map(header).collect(), body: body.to_owned() }
}

/// Stands still as long as replies to this request do.
async fn pass(gate: &watch::Sender<Gate>, request: &Mutex<Vec<u8>>) {
    let line = read(&String::from_utf8_lossy(&request.lock().unwrap())).line;
    let stands = |gate: &Gate| gate.path.is_some() && gate.path == line.split(' ').nth(1);
    if stands(&gate.borrow()) {
        gate.send_modify(|gate| gate.held += 1);
        let _ = gate.subscribe().wait_for(|gate| !stands(gate)).await;
        gate.send_modify(|gate| gate.held -= 1);
    }
}

async fn relay(near: TcpStream, far: TcpStream, kept: &Mutex<Vec<u8>>, gate: &watch::Sender<Gate>) {
    let (mut near_in, mut near_out) = near.into_split();
    let (mut far_in, mut far_out) = far.into_split();
    let there = async {
        let mut bytes = [0; 4096];
        while let Ok(n @ 1..) = near_in.read(&mut bytes).await {
            kept.lock().unwrap().extend_from_slice(&bytes[..n]);
            if far_out.write_all(&bytes[..n]).await.is_err() {
                return;
            }
        }
        let _ = far_out.shutdown().await;
    };
    let back = async {
        let mut first = [0; 4096];
        let Ok(n @ 1..) = far_in.read(&mut first).await else { return };
        pass(gate, kept).await;
        if near_out.write_all(&first[..n]).await.is_ok() {
            let _ = tokio::io::copy(&mut far_in, &mut near_out).await;
        }
    };
    let until_the_end = async {
        there.await;
        std::future::pending().await
    };
    // The service's end of the connection is the end of it.
    tokio::select! {
        () = back => {}
        () = until_the_end => {}
    }
}
