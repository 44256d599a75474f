//! A proxy between the app and the sandbox. It records every byte that the app sends.

use std::sync::{Arc, Mutex};

use balcao::sandbox::SandboxServer;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::timeout;

use crate::app::LIMIT;

/// A proxy that records requests and can hold back replies. Each connection carries a single
/// request.
#[derive(Clone)]
pub struct Tap {
    pub base_url: String,
    heard: Arc<Mutex<Vec<Bytes>>>,
    gate: watch::Sender<Gate>,
}

/// Determines which replies are delayed.
#[derive(Default)]
struct Gate {
    /// The path of the requests whose replies are held back, if any.
    path: Option<&'static str>,
    /// The number of replies that the proxy is holding back.
    held: usize,
}

/// The bytes that have arrived on a connection so far.
type Bytes = Arc<Mutex<Vec<u8>>>;

/// An HTTP request, exactly as the app sent it.
#[derive(Debug)]
pub struct Sent {
    /// The first line of the request, such as `POST /path HTTP/1.1`.
    pub line: String,
    /// The headers of the request. Their names are in lower case.
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
        let vault_status = gate.clone();
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                let one = Arc::new(Mutex::new(Vec::new()));
                kept.lock().unwrap().push(one.clone());
                let gate = vault_status.clone();
                tokio::spawn(async move {
                    // If the sandbox refuses the connection, `near` is dropped. This closes the
                    // app's connection too.
                    if let Ok(far) = TcpStream::connect(to).await {
                        relay(near, far, &one, &gate).await;
                    }
                });
            }
        });
        Tap { base_url, heard, gate }
    }

    /// Holds back the replies to all further requests for this path.
    pub fn hold(&self, path: &'static str) {
        self.gate.send_modify(|gate| gate.path = Some(path));
    }

    /// Waits until the proxy holds back a reply. The service has then performed the request, but
    /// the app does not know the result.
    pub async fn wait_held(&self) {
        let mut gate = self.gate.subscribe();
        let held = timeout(LIMIT, gate.wait_for(|gate| gate.held > 0)).await;
        assert!(held.is_ok(), "waited too long for a reply that stands still");
    }

    /// Forwards the replies that are held back, and stops holding back replies.
    pub fn let_go(&self) {
        self.gate.send_modify(|gate| gate.path = None);
    }

    pub fn requests(&self) -> usize {
        self.heard.lock().unwrap().len()
    }

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

/// Waits as long as the proxy must hold back the reply to this request.
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
    // Keep forwarding until the service closes the connection, even if the app closes it earlier.
    tokio::select! {
        () = back => {}
        () = until_the_end => {}
    }
}
