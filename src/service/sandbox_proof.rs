//! The proof that a service on this machine is the sandbox, and moves play money.
//!
//! An address of this machine proves nothing: a forwarded port leads to a real service. A sandbox
//! proves itself by a secret that only this user's programs know; everything else is live.
//!
//! The service is asked once before the first journal is opened, without delaying the first frame,
//! and what it proved to be stays for the run: the journal depends on it. A sandbox is asked again
//! on every connection, before anything is written to it, because another service may have taken
//! its port. The request follows on that same connection, so nothing can take its place in between.
//! Once a connection has no proof, nothing more is sent until the program is started again.

use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use hmac::{Hmac, KeyInit, Mac};
use hyper_util::rt::TokioIo;
use reqwest::header::{ACCEPT_ENCODING, HeaderValue};
use serde::Deserialize;
use sha2::Sha256;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::OnceCell;
use tokio::time::timeout;
use tower::BoxError;
use url::Url;

use super::BaseUrl;
use super::client::{Limits, build};
use super::exchange::read;
use super::in_time::InTime;
use super::no_reply::Unproven;
use super::raw_reply::BodyEnd;
use crate::trade::withdrawal::NotSent;
use crate::trade::{Failure, Secret, Untrusted};

/// The longest time for a sandbox to prove itself; it is on this very machine.
const LIMIT: Duration = Duration::from_secs(2);

/// The hexadecimal digits of a proof.
const DIGITS: usize = 64;

/// The most bytes of an answer.
const REPLY_BYTES: usize = 1024;

/// The kind of money that a service moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServiceKind {
    /// Play money: it proved to be the sandbox.
    Sandbox,
    /// Real money, as far as is known.
    Live,
}

/// A question that only a sandbox with this secret can answer.
pub struct ProofQuestion {
    /// The secret that the sandbox left.
    pub secret: Secret,
    /// 16 to 64 bytes of chance in hexadecimal digits.
    pub nonce: String,
}

/// The proof of one service; clones share its answers.
#[derive(Clone)]
pub struct SandboxProof(Arc<ProofState>);

struct ProofState {
    /// The number and port of a sandbox; `None` for an address that can prove nothing.
    address: Option<SocketAddr>,
    /// Makes the next question; `None` without a secret that only this user knows.
    challenge: Box<dyn Fn() -> Option<ProofQuestion> + Send + Sync>,
    limit: Duration,
    kind: OnceCell<ServiceKind>,
    /// True once a connection had no proof where the service had proved itself before.
    is_lost: AtomicBool,
}

impl SandboxProof {
    /// Creates the proof of the service at this address.
    pub fn new(
        base: &BaseUrl,
        challenge: impl Fn() -> Option<ProofQuestion> + Send + Sync + 'static,
    ) -> SandboxProof {
        SandboxProof::within(base, challenge, LIMIT)
    }

    fn within(
        base: &BaseUrl,
        challenge: impl Fn() -> Option<ProofQuestion> + Send + Sync + 'static,
        limit: Duration,
    ) -> SandboxProof {
        SandboxProof(Arc::new(ProofState {
            address: base.sandbox_address(),
            challenge: Box::new(challenge),
            limit,
            kind: OnceCell::new(),
            is_lost: AtomicBool::new(false),
        }))
    }

    /// Returns the kind of the service: the first call asks for it, and it stays for the run.
    pub async fn kind(&self) -> ServiceKind {
        *self.0.kind.get_or_init(|| self.0.ask()).await
    }

    /// Returns the kind of the service, if the service was asked already.
    pub fn known(&self) -> Option<ServiceKind> {
        self.0.kind.get().copied()
    }

    /// Refuses a request if a connection had no proof.
    pub(super) async fn allow(&self) -> Result<(), Failure> {
        self.kind().await;
        match self.0.is_lost.load(Ordering::SeqCst) {
            true => Err(Failure::NotSent(NotSent::Unproven)),
            false => Ok(()),
        }
    }

    /// Returns a new connection once the service has proved itself on it, if it did so before.
    pub(super) async fn on<T>(&self, connection: T) -> Result<T, BoxError>
    where
        TokioIo<T>: AsyncRead + AsyncWrite + Unpin,
    {
        if self.known() != Some(ServiceKind::Sandbox) {
            return Ok(connection);
        }
        let mut stream = TokioIo::new(connection);
        let proven = async {
            let challenge = (self.0.challenge)()?;
            Some(self.0.is_proven(&mut stream, challenge).await)
        };
        if timeout(self.0.limit, proven).await != Ok(Some(true)) {
            self.0.is_lost.store(true, Ordering::SeqCst);
            return Err(Unproven.into());
        }
        Ok(stream.into_inner())
    }
}

impl fmt::Debug for SandboxProof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SandboxProof({:?})", self.known())
    }
}

impl ProofState {
    async fn ask(&self) -> ServiceKind {
        let asked = async {
            let challenge = (self.challenge)()?;
            let mut stream = TcpStream::connect(self.address?).await.ok()?;
            Some(self.is_proven(&mut stream, challenge).await)
        };
        match timeout(self.limit, asked).await {
            Ok(Some(true)) => ServiceKind::Sandbox,
            _ => ServiceKind::Live,
        }
    }

    /// Asks on this connection, and returns true if the answer is the proof.
    ///
    /// What is proved is the address that is connected to: an answer that was passed on from a
    /// sandbox elsewhere proves another one. No credential is sent.
    async fn is_proven(
        &self,
        stream: &mut (impl AsyncRead + AsyncWrite + Unpin),
        ProofQuestion { secret, nonce }: ProofQuestion,
    ) -> bool {
        let Some(address) = self.address else { return false };
        let Some(proof) = answer(stream, address, &nonce).await else { return false };
        let Ok(mut wanted) = Hmac::<Sha256>::new_from_slice(secret.expose().as_bytes()) else {
            return false;
        };
        wanted.update(format!("balcao sandbox proof 1\n{nonce}\n{address}").as_bytes());
        wanted.verify_slice(&proof).is_ok()
    }
}

/// Sends the question, and reads exactly its answer: what follows would belong to the next request.
async fn answer(
    stream: &mut (impl AsyncRead + AsyncWrite + Unpin),
    address: SocketAddr,
    nonce: &str,
) -> Option<Vec<u8>> {
    let asked = format!(
        "GET /_sandbox/proof?nonce={nonce} HTTP/1.1\r\nHost: {address}\r\n\
         Accept-Encoding: identity\r\n\r\n"
    );
    stream.write_all(asked.as_bytes()).await.ok()?;
    let mut reply = Vec::with_capacity(REPLY_BYTES);
    let mut head = None;
    while head.is_none_or(|end| reply.len() < end + DIGITS) {
        let is_over = reply.len() >= REPLY_BYTES || stream.read_buf(&mut reply).await.ok()? == 0;
        if is_over {
            return None;
        }
        if head.is_none() {
            head = reply.windows(4).position(|four| four == b"\r\n\r\n").map(|at| at + 4);
            // Another answer may have no such body, and is not waited for.
            if let Some(end) = head
                && !is_head_of_proof(std::str::from_utf8(&reply[..end]).ok()?)
            {
                return None;
            }
        }
    }
    let proof = std::str::from_utf8(reply.get(head?..)?).ok().filter(|one| one.len() == DIGITS)?;
    let pairs = (0..DIGITS).step_by(2).map(|at| proof.get(at..at + 2));
    pairs.map(|pair| u8::from_str_radix(pair?, 16).ok()).collect()
}

/// Returns true for a success with a body of the proof's length, as it is.
fn is_head_of_proof(head: &str) -> bool {
    let mut lines = head.trim_end().split("\r\n");
    let is_success = lines.next().is_some_and(|line| line.starts_with("HTTP/1.1 200 "));
    let mut lengths = 0;
    let is_plain = lines.all(|line| {
        let (name, value) = line.split_once(':').unwrap_or_default();
        match name.to_ascii_lowercase().as_str() {
            "content-length" => {
                lengths += 1;
                value.trim() == DIGITS.to_string()
            }
            "" | "content-encoding" | "transfer-encoding" => false,
            _ => true,
        }
    });
    is_success && is_plain && lengths == 1
}

/// The time for which an answer is waited for: it comes when somebody pays.
const PATIENCE: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// The most bytes of an answer that are read.
const PAYMENTS_BYTES: usize = 2 * 1024 * 1024;

/// The payments by buyers at a sandbox.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct SandboxPayments {
    /// How many there are, of links and charges.
    pub payments: usize,
    /// The addresses of the links that were paid, exactly as the seller got them.
    pub links: Vec<String>,
}

impl SandboxPayments {
    /// The addresses as the app takes them.
    pub fn addresses(self) -> impl Iterator<Item = Untrusted> {
        self.links.into_iter().map(Untrusted::from)
    }
}

/// Asks a service that proved to be the sandbox for its payments, and waits until they are others
/// than so many.
///
/// No credential is sent. Returns nothing if the sandbox is gone.
pub async fn sandbox_payments(base: &BaseUrl, than: Option<usize>) -> Option<SandboxPayments> {
    let than = than.map(|than| format!("?than={than}")).unwrap_or_default();
    let asked = format!("http://{}/_sandbox/payments{than}", base.sandbox_address()?);
    let limits = Limits { total: PATIENCE, ..Limits::default() };
    let http = build(&limits, None).tls_certs_only([]).build().ok()?;
    let mut request = reqwest::Request::new(reqwest::Method::GET, Url::parse(&asked).ok()?);
    request.headers_mut().insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
    let response = InTime::always().send(&http, request).await.ok()?;
    let reply = read(response, PAYMENTS_BYTES).await;
    let is_answer = reply.status == 200 && reply.end == BodyEnd::Whole;
    let answer: SandboxPayments = serde_json::from_slice(&reply.body).ok()?;
    is_answer.then_some(answer)
}

#[cfg(test)]
mod tests;
