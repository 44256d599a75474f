//! Tests of the HTTP client against local servers that send prepared bytes.

mod ends;
mod facts;
mod health_check;
mod localhost;
pub(super) mod operations;
mod reading;
mod shapes;
mod texts;
mod versions;
mod ways;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use super::*;
use crate::trade::{Clocks, Exchange, RowId, Wall};

/// The row of each payment link and direct payment that these tests create.
pub(super) const ROW: RowId = RowId(7);

pub(super) const NOW: Wall = Wall(784_111_777_000);

pub(super) fn clocks() -> Clocks {
    Clocks {
        wall: NOW,
        boot_ms: 1_000,
        boot_id: "b".into(),
    }
}

/// How a test server behaves on each connection.
#[derive(Clone)]
pub(super) enum ServerScript {
    /// Reads the request, sends these bytes and closes the connection.
    Answer(Vec<u8>),
    /// Works like [`Answer`](ServerScript::Answer), but sends the next bytes of the list on each
    /// connection. The last bytes are repeated.
    AnswerInTurn(Vec<Vec<u8>>),
    /// Reads the request, sends these bytes and resets the connection.
    AnswerThenReset(Vec<u8>),
    /// Reads the request, sends these bytes and keeps the connection open.
    AnswerThenStall(Vec<u8>),
    /// Closes the connection without reading the request.
    CloseUnread,
    /// Resets the connection at the first byte of a request.
    ResetAtFirstByte,
    /// Reads the request, then sends headers and an endless body.
    Endless,
    /// Keeps the connection open without reading or sending.
    Silent,
}

/// A local server that follows a script and records all requests.
pub(super) struct Server {
    pub(super) base: BaseUrl,
    received_requests: Arc<Mutex<Vec<String>>>,
    task: JoinHandle<()>,
}

impl Server {
    pub(super) async fn start(script: ServerScript) -> Server {
        Server::on_listener(std::net::TcpListener::bind("127.0.0.1:0").unwrap(), script)
    }

    /// Starts the server on a listener that is already bound.
    pub(super) fn on_listener(listener: std::net::TcpListener, script: ServerScript) -> Server {
        listener.set_nonblocking(true).unwrap();
        let listener = TcpListener::from_std(listener).unwrap();
        let base = BaseUrl::parse(&format!("http://{}", listener.local_addr().unwrap())).unwrap();
        let received_requests = Arc::new(Mutex::new(Vec::new()));
        let task = tokio::spawn(serve(listener, script, received_requests.clone()));
        Server {
            base,
            received_requests,
            task,
        }
    }

    pub(super) async fn with_reply(status: &str, headers: &str, body: &str) -> Server {
        Server::start(ServerScript::Answer(http_reply(status, headers, body))).await
    }

    /// The received requests, oldest first.
    pub(super) fn requests(&self) -> Vec<String> {
        self.received_requests.lock().unwrap().clone()
    }

    /// The only received request.
    pub(super) fn request(&self) -> String {
        let mut requests = self.requests();
        assert_eq!(requests.len(), 1, "one exchange is one connection");
        requests.remove(0)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

pub(super) fn http_reply(status: &str, headers: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!("HTTP/1.1 {status}\r\n{headers}content-length: {length}\r\n\r\n{body}").into_bytes()
}

async fn serve(
    listener: TcpListener,
    script: ServerScript,
    received_requests: Arc<Mutex<Vec<String>>>,
) {
    let mut open_streams = Vec::new();
    while let Ok((mut stream, _)) = listener.accept().await {
        let mut request = String::new();
        match &script {
            ServerScript::CloseUnread | ServerScript::Silent => {}
            ServerScript::ResetAtFirstByte => {
                stream.readable().await.unwrap();
                stream.set_zero_linger().unwrap();
            }
            _ => request = read_request(&mut stream).await,
        }
        // Record the request before sending the reply. A test that has received the reply then
        // always finds the request.
        received_requests.lock().unwrap().push(request);
        match &script {
            ServerScript::Answer(bytes) => _ = stream.write_all(bytes).await,
            ServerScript::AnswerInTurn(replies) => {
                let turn = received_requests.lock().unwrap().len().min(replies.len());
                _ = stream.write_all(&replies[turn - 1]).await;
            }
            ServerScript::AnswerThenReset(bytes) => {
                _ = stream.write_all(bytes).await;
                stream.set_zero_linger().unwrap();
            }
            ServerScript::AnswerThenStall(bytes) => {
                _ = stream.write_all(bytes).await;
                open_streams.push(stream);
            }
            ServerScript::Endless => {
                let head = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
                let chunk = format!("1000\r\n{}\r\n", " ".repeat(0x1000));
                let mut is_connected = stream.write_all(head).await.is_ok();
                while is_connected {
                    is_connected = stream.write_all(chunk.as_bytes()).await.is_ok();
                }
            }
            ServerScript::Silent => open_streams.push(stream),
            ServerScript::CloseUnread | ServerScript::ResetAtFirstByte => {}
        }
    }
}

/// Reads a request with its headers and a body of the announced length.
pub(super) async fn read_request(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let content_length = head
                .lines()
                .find_map(|line| line.strip_prefix("Content-Length: "));
            let length: usize = content_length.map_or(0, |length| length.parse().unwrap());
            if body.len() >= length {
                return text;
            }
        }
        if stream.read_buf(&mut bytes).await.unwrap_or(0) == 0 {
            return text;
        }
    }
}

/// A client that records its requests and replies for the test.
pub(super) struct RecordingClient {
    pub(super) client: Client,
    exchanges: Arc<Mutex<Vec<Exchange>>>,
}

impl RecordingClient {
    pub(super) fn new() -> RecordingClient {
        RecordingClient::with_limits(Limits::default())
    }

    pub(super) fn with_limits(limits: Limits) -> RecordingClient {
        RecordingClient::with_clocks(limits, Arc::new(clocks))
    }

    pub(super) fn with_clocks(limits: Limits, clocks: ReadClocks) -> RecordingClient {
        RecordingClient::build(limits, NetworkSettings::default(), always_consent(), clocks)
    }

    pub(super) fn with_network(network: NetworkSettings) -> RecordingClient {
        RecordingClient::build(
            Limits::default(),
            network,
            always_consent(),
            Arc::new(clocks),
        )
    }

    pub(super) fn with_consent(consent: Arc<dyn Consent>) -> RecordingClient {
        RecordingClient::build(
            Limits::default(),
            NetworkSettings::default(),
            consent,
            Arc::new(clocks),
        )
    }

    fn build(
        limits: Limits,
        network: NetworkSettings,
        consent: Arc<dyn Consent>,
        clocks: ReadClocks,
    ) -> RecordingClient {
        let exchanges = Arc::new(Mutex::new(Vec::new()));
        let recorded = exchanges.clone();
        let tracer: Tracer = Arc::new(move |exchange| recorded.lock().unwrap().push(exchange));
        RecordingClient {
            client: Client::new(limits, network, consent, clocks, tracer),
            exchanges,
        }
    }

    /// The only recorded request.
    pub(super) fn exchange(&self) -> Exchange {
        let mut exchanges = self.exchanges.lock().unwrap();
        assert_eq!(exchanges.len(), 1);
        exchanges.remove(0)
    }

    pub(super) fn service(&self, base: &BaseUrl, contract: &str) -> Service {
        let contract = Contract::with(&[("mine.toml", contract)]).unwrap();
        Service::new(base.clone(), Arc::new(contract), self.client.clone())
    }
}

/// A consent check that allows every API contract.
pub(super) fn always_consent() -> Arc<dyn Consent> {
    Arc::new(|_: &Contract| Ok(()))
}

pub(super) fn short_timeout(total_ms: u64) -> Limits {
    Limits {
        request_timeout: Duration::from_millis(total_ms),
        ..Limits::default()
    }
}
