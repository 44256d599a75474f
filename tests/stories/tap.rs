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
pub struct RecordingProxy {
    pub base_url: String,
    connections: Arc<Mutex<Vec<SharedBytes>>>,
    hold: watch::Sender<ReplyHold>,
}

/// The setting for which replies the proxy holds back, and the number that it is holding back now.
#[derive(Default)]
struct ReplyHold {
    /// The path of the requests whose replies are held back, if any.
    path: Option<&'static str>,
    /// The number of replies that the proxy is holding back.
    held: usize,
}

/// The bytes that have arrived on a connection so far.
type SharedBytes = Arc<Mutex<Vec<u8>>>;

/// An HTTP request, exactly as the app sent it.
#[derive(Debug)]
pub struct RecordedRequest {
    /// The first line of the request, such as `POST /path HTTP/1.1`.
    pub request_line: String,
    /// The headers of the request. Their names are in lower case.
    pub headers: Vec<(String, String)>,
    /// The body, byte for byte.
    pub body: String,
}

impl RecordedRequest {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(header, _)| header == name)
            .map(|(_, value)| value.as_str())
    }
}

impl RecordingProxy {
    pub async fn in_front_of(sandbox: &SandboxServer) -> RecordingProxy {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base_url = format!("http://{}", listener.local_addr().unwrap());
        let address = sandbox.address();
        let connections = Arc::new(Mutex::new(Vec::new()));
        let recorded_connections = connections.clone();
        let hold = watch::Sender::default();
        let hold_sender = hold.clone();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let recorded = Arc::new(Mutex::new(Vec::new()));
                recorded_connections.lock().unwrap().push(recorded.clone());
                let hold = hold_sender.clone();
                tokio::spawn(async move {
                    // If the sandbox refuses the connection, `client` is dropped. This closes the
                    // app's connection too.
                    if let Ok(server) = TcpStream::connect(address).await {
                        relay(client, server, &recorded, &hold).await;
                    }
                });
            }
        });
        RecordingProxy {
            base_url,
            connections,
            hold,
        }
    }

    /// Holds back the replies to all further requests for this path.
    pub fn hold_replies(&self, path: &'static str) {
        self.hold.send_modify(|hold| hold.path = Some(path));
    }

    /// Waits until the proxy holds back a reply. The service has then performed the request, but
    /// the app does not know the result.
    pub async fn wait_for_held_reply(&self) {
        let mut hold = self.hold.subscribe();
        let held = timeout(LIMIT, hold.wait_for(|hold| hold.held > 0)).await;
        assert!(
            held.is_ok(),
            "waited too long for a reply that stands still"
        );
    }

    /// Forwards the replies that are held back, and stops holding back replies.
    pub fn release_replies(&self) {
        self.hold.send_modify(|hold| hold.path = None);
    }

    pub fn request_count(&self) -> usize {
        self.connections.lock().unwrap().len()
    }

    pub fn requests_to(&self, path: &str) -> Vec<RecordedRequest> {
        let connections = self.connections.lock().unwrap();
        let requests = connections
            .iter()
            .map(|bytes| parse_request(&String::from_utf8_lossy(&bytes.lock().unwrap())));
        requests
            .filter(|request| request.request_line.split(' ').nth(1) == Some(path))
            .collect()
    }
}

fn parse_request(text: &str) -> RecordedRequest {
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((text, ""));
    let mut lines = head.split("\r\n");
    let request_line = lines.next().unwrap_or_default().to_owned();
    let header = |line: &str| {
        let (name, value) = line.split_once(':')?;
        Some((name.to_ascii_lowercase(), value.trim().to_owned()))
    };
    RecordedRequest {
        request_line,
        headers: lines.filter_map(header).collect(),
        body: body.to_owned(),
    }
}

/// Waits as long as the proxy must hold back the reply to this request.
async fn wait_while_held(hold: &watch::Sender<ReplyHold>, request: &Mutex<Vec<u8>>) {
    let request = parse_request(&String::from_utf8_lossy(&request.lock().unwrap()));
    let path = request.request_line.split(' ').nth(1);
    let is_held = |hold: &ReplyHold| hold.path.is_some() && hold.path == path;
    if is_held(&hold.borrow()) {
        hold.send_modify(|hold| hold.held += 1);
        let _ = hold.subscribe().wait_for(|hold| !is_held(hold)).await;
        hold.send_modify(|hold| hold.held -= 1);
    }
}

async fn relay(
    client: TcpStream,
    server: TcpStream,
    recorded: &Mutex<Vec<u8>>,
    hold: &watch::Sender<ReplyHold>,
) {
    let (mut client_in, mut client_out) = client.into_split();
    let (mut server_in, mut server_out) = server.into_split();
    let forward_requests = async {
        let mut bytes = [0; 4096];
        while let Ok(n @ 1..) = client_in.read(&mut bytes).await {
            recorded.lock().unwrap().extend_from_slice(&bytes[..n]);
            if server_out.write_all(&bytes[..n]).await.is_err() {
                return;
            }
        }
        let _ = server_out.shutdown().await;
    };
    let forward_replies = async {
        let mut first = [0; 4096];
        let Ok(n @ 1..) = server_in.read(&mut first).await else {
            return;
        };
        wait_while_held(hold, recorded).await;
        if client_out.write_all(&first[..n]).await.is_ok() {
            let _ = tokio::io::copy(&mut server_in, &mut client_out).await;
        }
    };
    let forward_requests_forever = async {
        forward_requests.await;
        std::future::pending().await
    };
    // Keep forwarding until the service closes the connection, even if the app closes it earlier.
    tokio::select! {
        () = forward_replies => {}
        () = forward_requests_forever => {}
    }
}
