//! The proof that a service on this machine is the sandbox, which moves only play money.
//!
//! A loopback address proves nothing, because a forwarded port can lead to a live service. The
//! sandbox proves its identity with a secret file that only programs of the same user can read. A
//! service without a proof is treated as live.
//!
//! The program requests the proof once, in the background, before it opens the first journal. The
//! result decides which journal is opened, so the program keeps the result until it exits.
//!
//! The sandbox must repeat the proof on every new connection, because another service may have
//! taken over its port. If a repeated proof fails, the program sends nothing more until it is
//! restarted.

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
use super::client::{Limits, client_builder};
use super::exchange::read_reply;
use super::no_reply::Unproven;
use super::raw_reply::BodyEnd;
use super::send_condition::SendCondition;
use crate::trade::withdrawal::NotSent;
use crate::trade::{Failure, Secret, Untrusted};

const PROOF_TIMEOUT: Duration = Duration::from_secs(2);

/// The length of a proof, in hexadecimal digits.
const PROOF_DIGITS: usize = 64;

const MAX_PROOF_REPLY_BYTES: usize = 1024;

/// Whether a service moves play money or real money.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServiceKind {
    /// Play money, because the service has proved that it is the sandbox.
    Sandbox,
    /// Real money, because the service has not proved that it is the sandbox.
    Live,
}

/// A challenge that only a sandbox with this secret can answer.
pub struct ProofChallenge {
    /// The secret that the sandbox wrote to a file that only this user can read.
    pub secret: Secret,
    /// 16 to 64 random bytes, in hexadecimal digits.
    pub nonce: String,
}

/// Records whether a service has proved that it is the sandbox. Clones share this state.
#[derive(Clone)]
pub struct SandboxProof(Arc<ProofState>);

struct ProofState {
    /// The address of the service. `None` if the service cannot be a sandbox.
    address: Option<SocketAddr>,
    /// Creates a challenge. Returns `None` if there is no secret.
    challenge: Box<dyn Fn() -> Option<ProofChallenge> + Send + Sync>,
    limit: Duration,
    kind: OnceCell<ServiceKind>,
    /// True if the service proved that it is the sandbox but later failed to repeat the proof.
    is_lost: AtomicBool,
}

impl SandboxProof {
    /// Creates the state of the proof for the service at this base URL. The service is not
    /// contacted yet.
    pub fn new(
        base: &BaseUrl,
        challenge: impl Fn() -> Option<ProofChallenge> + Send + Sync + 'static,
    ) -> SandboxProof {
        SandboxProof::with_timeout(base, challenge, PROOF_TIMEOUT)
    }

    fn with_timeout(
        base: &BaseUrl,
        challenge: impl Fn() -> Option<ProofChallenge> + Send + Sync + 'static,
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

    /// The kind of the service. The first call requests a proof from the service. Later calls
    /// return the same result.
    pub async fn kind(&self) -> ServiceKind {
        *self.0.kind.get_or_init(|| self.0.request_kind()).await
    }

    /// The kind of the service, or `None` if no proof was requested yet.
    pub fn known_kind(&self) -> Option<ServiceKind> {
        self.0.kind.get().copied()
    }

    /// Asks the service again for its proof. Returns false if it ever failed to give one.
    pub async fn is_still_sandbox(&self) -> bool {
        self.known_kind() == Some(ServiceKind::Sandbox)
            && !self.0.is_lost.load(Ordering::SeqCst)
            && self.0.request_kind().await == ServiceKind::Sandbox
    }

    /// An error if the service failed to repeat its proof. Nothing more may be sent in that case.
    pub(super) async fn check_not_lost(&self) -> Result<(), Failure> {
        self.kind().await;
        if self.0.is_lost.load(Ordering::SeqCst) {
            Err(Failure::NotSent(NotSent::Unproven))
        } else {
            Ok(())
        }
    }

    /// Makes the sandbox repeat its proof on a new connection, and returns the connection. A live
    /// service needs no proof.
    pub(super) async fn verify_connection<T>(&self, connection: T) -> Result<T, BoxError>
    where
        TokioIo<T>: AsyncRead + AsyncWrite + Unpin,
    {
        if self.known_kind() != Some(ServiceKind::Sandbox) {
            return Ok(connection);
        }
        let mut stream = TokioIo::new(connection);
        let proof = async {
            let challenge = (self.0.challenge)()?;
            Some(self.0.verify_proof(&mut stream, challenge).await)
        };
        if timeout(self.0.limit, proof).await != Ok(Some(true)) {
            self.0.is_lost.store(true, Ordering::SeqCst);
            return Err(Unproven.into());
        }
        Ok(stream.into_inner())
    }
}

impl fmt::Debug for SandboxProof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SandboxProof({:?})", self.known_kind())
    }
}

impl ProofState {
    async fn request_kind(&self) -> ServiceKind {
        let proof = async {
            let challenge = (self.challenge)()?;
            let mut stream = TcpStream::connect(self.address?).await.ok()?;
            Some(self.verify_proof(&mut stream, challenge).await)
        };
        match timeout(self.limit, proof).await {
            Ok(Some(true)) => ServiceKind::Sandbox,
            _ => ServiceKind::Live,
        }
    }

    /// Sends a challenge on this connection, and checks the proof in the reply. No credential is
    /// sent.
    ///
    /// The proof is valid only for the address of this connection. Therefore a server cannot
    /// forward the proof of another sandbox.
    async fn verify_proof(
        &self,
        stream: &mut (impl AsyncRead + AsyncWrite + Unpin),
        ProofChallenge { secret, nonce }: ProofChallenge,
    ) -> bool {
        let Some(address) = self.address else {
            return false;
        };
        let Some(proof) = request_proof(stream, address, &nonce).await else {
            return false;
        };
        let Ok(mut expected) = Hmac::<Sha256>::new_from_slice(secret.expose().as_bytes()) else {
            return false;
        };
        expected.update(format!("balcao sandbox proof 1\n{nonce}\n{address}").as_bytes());
        expected.verify_slice(&proof).is_ok()
    }
}

/// Sends the challenge and returns the proof. Fails if more bytes follow the proof, because they
/// would be read as the reply to the next request.
async fn request_proof(
    stream: &mut (impl AsyncRead + AsyncWrite + Unpin),
    address: SocketAddr,
    nonce: &str,
) -> Option<Vec<u8>> {
    let request = format!(
        "GET /_sandbox/proof?nonce={nonce} HTTP/1.1\r\nHost: {address}\r\n\
         Accept-Encoding: identity\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await.ok()?;
    let mut reply = Vec::with_capacity(MAX_PROOF_REPLY_BYTES);
    let mut head_end = None;
    while head_end.is_none_or(|end| reply.len() < end + PROOF_DIGITS) {
        let is_over =
            reply.len() >= MAX_PROOF_REPLY_BYTES || stream.read_buf(&mut reply).await.ok()? == 0;
        if is_over {
            return None;
        }
        if head_end.is_none() {
            head_end = reply
                .windows(4)
                .position(|window| window == b"\r\n\r\n")
                .map(|at| at + 4);
            // Stop reading if these headers cannot belong to a proof. The body of such a reply may
            // never arrive.
            if let Some(end) = head_end
                && !is_proof_head(std::str::from_utf8(&reply[..end]).ok()?)
            {
                return None;
            }
        }
    }
    let proof = std::str::from_utf8(reply.get(head_end?..)?)
        .ok()
        .filter(|text| text.len() == PROOF_DIGITS)?;
    let pairs = (0..PROOF_DIGITS).step_by(2).map(|at| proof.get(at..at + 2));
    pairs
        .map(|pair| u8::from_str_radix(pair?, 16).ok())
        .collect()
}

/// True if the reply may contain a proof. The status must be 200, and the headers must announce an
/// unencoded body with the length of a proof.
fn is_proof_head(head: &str) -> bool {
    let mut lines = head.trim_end().split("\r\n");
    let is_success = lines
        .next()
        .is_some_and(|line| line.starts_with("HTTP/1.1 200 "));
    let mut length_headers = 0;
    let is_unencoded = lines.all(|line| {
        let (name, value) = line.split_once(':').unwrap_or_default();
        match name.to_ascii_lowercase().as_str() {
            "content-length" => {
                length_headers += 1;
                value.trim() == PROOF_DIGITS.to_string()
            }
            "" | "content-encoding" | "transfer-encoding" => false,
            _ => true,
        }
    });
    is_success && is_unencoded && length_headers == 1
}

/// The maximum time to wait for the next payment at the sandbox. It is long because the sandbox
/// replies only after that payment, which may take days.
const NEXT_PAYMENT_TIMEOUT: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// The maximum length of a reply that lists payments, in bytes.
const MAX_PAYMENTS_BYTES: usize = 2 * 1024 * 1024;

/// The payments that buyers have made at a sandbox.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct SandboxPayments {
    /// The number of paid payment links and direct payments.
    pub payments: usize,
    /// The URLs of the paid payment links, exactly as the seller received them.
    pub links: Vec<String>,
}

impl SandboxPayments {
    /// The URLs of the paid payment links as untrusted text.
    pub fn urls(self) -> impl Iterator<Item = Untrusted> {
        self.links.into_iter().map(Untrusted::from)
    }
}

/// Waits until the number of payments at the sandbox differs from `known_count`, and returns the
/// payments.
///
/// The caller must know that the service is the sandbox. No credential is sent. Returns `None` if
/// the sandbox sends no valid reply.
pub async fn sandbox_payments(
    base: &BaseUrl,
    known_count: Option<usize>,
) -> Option<SandboxPayments> {
    let query = known_count
        .map(|count| format!("?than={count}"))
        .unwrap_or_default();
    let url = format!(
        "http://{}/_sandbox/payments{query}",
        base.sandbox_address()?
    );
    let limits = Limits {
        request_timeout: NEXT_PAYMENT_TIMEOUT,
        ..Limits::default()
    };
    let http = client_builder(&limits, None)
        .tls_certs_only([])
        .build()
        .ok()?;
    let mut request = reqwest::Request::new(reqwest::Method::GET, Url::parse(&url).ok()?);
    request
        .headers_mut()
        .insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
    let response = SendCondition::always().send(&http, request).await.ok()?;
    let reply = read_reply(response, MAX_PAYMENTS_BYTES).await.into_reply();
    let is_complete = reply.status == 200 && reply.end == BodyEnd::Whole;
    let payments: SandboxPayments = serde_json::from_slice(&reply.body).ok()?;
    is_complete.then_some(payments)
}

#[cfg(test)]
mod tests;
