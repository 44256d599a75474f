//! The proof that a service on this machine is the sandbox, which moves only play money.
//!
//! A loopback address proves nothing, because a forwarded port can lead to a live service. The
//! sandbox proves itself with a secret that only programs of the same user can read. Every service
//! without a proof is treated as live.
//!
//! The program asks for the proof once, before it opens the first journal but without delaying the
//! first frame. It keeps the result until it ends, because the choice of the journal depends on it.
//!
//! The sandbox must prove itself again on every new connection before a request is sent on it,
//! because another service may have taken its port. If such a proof fails, nothing more is sent
//! until the program is restarted.

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
use super::in_time::SendCondition;
use super::no_reply::Unproven;
use super::raw_reply::BodyEnd;
use crate::trade::withdrawal::NotSent;
use crate::trade::{Failure, Secret, Untrusted};

/// The maximum time to wait for a proof.
const LIMIT: Duration = Duration::from_secs(2);

/// The length of a proof, in hexadecimal digits.
const DIGITS: usize = 64;

/// The maximum length of a reply with a proof, in bytes.
const REPLY_BYTES: usize = 1024;

/// The kind of money that a service moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServiceKind {
    /// Play money: the service has proved that it is the sandbox.
    Sandbox,
    /// Real money: the service has not proved that it is the sandbox.
    Live,
}

/// A challenge that only a sandbox with the same secret can answer.
pub struct ProofQuestion {
    /// The secret that the sandbox wrote to a file that only this user can read.
    pub secret: Secret,
    /// 16 to 64 random bytes, in hexadecimal digits.
    pub nonce: String,
}

/// The state of one service's proof. Clones share the state.
#[derive(Clone)]
pub struct SandboxProof(Arc<ProofState>);

struct ProofState {
    /// The service's address if it can be a sandbox; `None` if it cannot.
    address: Option<SocketAddr>,
    /// Creates a challenge; returns `None` if there is no secret.
    challenge: Box<dyn Fn() -> Option<ProofQuestion> + Send + Sync>,
    limit: Duration,
    kind: OnceCell<ServiceKind>,
    /// True if the service proved itself first but failed a later proof.
    is_lost: AtomicBool,
}

impl SandboxProof {
    /// Creates the state for the service at this base URL. The service is not asked yet.
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

    /// Returns the kind of the service. Only the first call asks the service for a proof.
    pub async fn kind(&self) -> ServiceKind {
        *self.0.kind.get_or_init(|| self.0.ask()).await
    }

    /// Returns the kind of the service if it was already asked.
    pub fn known(&self) -> Option<ServiceKind> {
        self.0.kind.get().copied()
    }

    /// Returns an error if a later proof has failed, so nothing may be sent.
    pub(super) async fn allow(&self) -> Result<(), Failure> {
        self.kind().await;
        match self.0.is_lost.load(Ordering::SeqCst) {
            true => Err(Failure::NotSent(NotSent::Unproven)),
            false => Ok(()),
        }
    }

    /// Returns the new connection. If the service is the sandbox, it must first prove itself on
    /// this connection.
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

    /// Sends a challenge on this connection and checks the reply. No credential is sent.
    ///
    /// The proof depends on the address of the connection, so a proof that was forwarded from
    /// another sandbox is invalid.
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

/// Sends the challenge and reads its reply. Fails if there are more bytes, because they would be
/// read as the reply to the next request.
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
            // If the head is not the head of a proof, stop here: the body may never arrive.
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

/// Returns true if the head has status 200 and announces an unencoded body of the length of a
/// proof.
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

/// The maximum time to wait for a reply. It is long, because the reply arrives only after the next
/// payment.
const PATIENCE: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// The maximum length of a reply with payments, in bytes.
const PAYMENTS_BYTES: usize = 2 * 1024 * 1024;

/// The payments that buyers have made at a sandbox.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct SandboxPayments {
    /// The number of paid links and paid direct payments.
    pub payments: usize,
    /// The URLs of the paid links, exactly as the seller received them.
    pub links: Vec<String>,
}

impl SandboxPayments {
    /// Returns the URLs of the paid links as untrusted text.
    pub fn addresses(self) -> impl Iterator<Item = Untrusted> {
        self.links.into_iter().map(Untrusted::from)
    }
}

/// Waits until the number of payments at the sandbox differs from `than`, and returns the payments.
///
/// The caller must know that the service is the sandbox. No credential is sent. Returns `None` if
/// the sandbox does not answer.
pub async fn sandbox_payments(base: &BaseUrl, than: Option<usize>) -> Option<SandboxPayments> {
    let than = than.map(|than| format!("?than={than}")).unwrap_or_default();
    let asked = format!("http://{}/_sandbox/payments{than}", base.sandbox_address()?);
    let limits = Limits { total: PATIENCE, ..Limits::default() };
    let http = build(&limits, None).tls_certs_only([]).build().ok()?;
    let mut request = reqwest::Request::new(reqwest::Method::GET, Url::parse(&asked).ok()?);
    request.headers_mut().insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
    let response = SendCondition::always().send(&http, request).await.ok()?;
    let reply = read(response, PAYMENTS_BYTES).await;
    let is_answer = reply.status == 200 && reply.end == BodyEnd::Whole;
    let answer: SandboxPayments = serde_json::from_slice(&reply.body).ok()?;
    is_answer.then_some(answer)
}

#[cfg(test)]
mod tests;
