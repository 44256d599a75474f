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
use crate::trade::{Clocks, Exchange, Wall};

pub(super) const NOW: Wall = Wall(784_111_777_000);

pub(super) fn clocks() -> Clocks {
    Clocks { wall: NOW, boot_ms: 1_000, boot_id: "b".into() }
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
    seen: Arc<Mutex<Vec<String>>>,
    task: JoinHandle<()>,
}

impl Server {
    pub(super) async fn start(script: ServerScript) -> Server {
        Server::on(std::net::TcpListener::bind("127.0.0.1:0").unwrap(), script)
    }

    /// Starts the server on a listener that is already bound.
    pub(super) fn on(listener: std::net::TcpListener, script: ServerScript) -> Server {
        listener.set_nonblocking(true).unwrap();
        let listener = TcpListener::from_std(listener).unwrap();
        let base = BaseUrl::parse(&format!("http://{}", listener.local_addr().unwrap())).unwrap();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let task = tokio::spawn(serve(listener, script, seen.clone()));
        Server { base, seen, task }
    }

    pub(super) async fn answering(status: &str, headers: &str, body: &str) -> Server {
        Server::start(ServerScript::Answer(answer(status, headers, body))).await
    }

    /// Returns the received requests, oldest first.
    pub(super) fn requests(&self) -> Vec<String> {
        self.seen.lock().unwrap().clone()
    }

    /// Returns the only received request.
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

pub(super) fn answer(status: &str, headers: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!("HTTP/1.1 {status}\r\n{headers}content-length: {length}\r\n\r\n{body}").into_bytes()
}

async fn serve(listener: TcpListener, script: ServerScript, seen: Arc<Mutex<Vec<String>>>) {
    let mut held = Vec::new();
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
        seen.lock().unwrap().push(request);
        match &script {
            ServerScript::Answer(bytes) => _ = stream.write_all(bytes).await,
            ServerScript::AnswerInTurn(all) => {
                let turn = seen.lock().unwrap().len().min(all.len());
                _ = stream.write_all(&all[turn - 1]).await;
            }
            ServerScript::AnswerThenReset(bytes) => {
                _ = stream.write_all(bytes).await;
                stream.set_zero_linger().unwrap();
            }
            ServerScript::AnswerThenStall(bytes) => {
                _ = stream.write_all(bytes).await;
                held.push(stream);
            }
            ServerScript::Endless => {
                let head = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
                let chunk = format!("1000\r\n{}\r\n", " ".repeat(0x1000));
                let mut still_there = stream.write_all(head).await.is_ok();
                while still_there {
                    still_there = stream.write_all(chunk.as_bytes()).await.is_ok();
                }
            }
            ServerScript::Silent => held.push(stream),
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
            let announced = head.lines().find_map(|line| line.strip_prefix("Content-Length: "));
            let length: usize = announced.map_or(0, |length| length.parse().unwrap());
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
pub(super) struct Watched {
    pub(super) client: Client,
    seen: Arc<Mutex<Vec<Exchange>>>,
}

impl Watched {
    pub(super) fn new() -> Watched {
        Watched::with(Limits::default())
    }

    pub(super) fn with(limits: Limits) -> Watched {
        Watched::at(limits, Arc::new(clocks))
    }

    pub(super) fn at(limits: Limits, clocks: ReadClocks) -> Watched {
        Watched::made(limits, NetworkSettings::default(), agreed(), clocks)
    }

    /// Creates a recording client with these network settings, such as a proxy.
    pub(super) fn by(network: NetworkSettings) -> Watched {
        Watched::made(Limits::default(), network, agreed(), Arc::new(clocks))
    }

    /// Creates a recording client that checks `consent` before each request.
    pub(super) fn under(consent: Arc<dyn Consent>) -> Watched {
        Watched::made(Limits::default(), NetworkSettings::default(), consent, Arc::new(clocks))
    }

    fn made(
        limits: Limits,
        network: NetworkSettings,
        consent: Arc<dyn Consent>,
        clocks: ReadClocks,
    ) -> Watched {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let own = seen.clone();
        let tracer: Tracer = Arc::new(move |exchange| own.lock().unwrap().push(exchange));
        Watched { client: Client::new(limits, network, consent, clocks, tracer), seen }
    }

    /// Returns the only recorded request.
    pub(super) fn exchange(&self) -> Exchange {
        let mut seen = self.seen.lock().unwrap();
        assert_eq!(seen.len(), 1);
        seen.remove(0)
    }

    pub(super) fn service(&self, base: &BaseUrl, contract: &str) -> Service {
        let contract = Contract::with(&[("mine.toml", contract)]).unwrap();
        Service::new(base.clone(), Arc::new(contract), self.client.clone())
    }
}

/// Returns a consent check that allows every API contract.
pub(super) fn agreed() -> Arc<dyn Consent> {
    Arc::new(|_: &Contract| Ok(()))
}

pub(super) fn short(total_ms: u64) -> Limits {
    Limits { total: Duration::from_millis(total_ms), ..Limits::default() }
}
