//! Checks a condition again just before a request is sent. For a withdrawal, the condition is its
//! time limit; other requests may always be sent.
//!
//! Timers stop while the computer sleeps. If the user closes the laptop during a DNS lookup, the
//! request could be sent an hour later. Therefore the clocks are read before the request is passed
//! to the HTTP library, and again when the connection is open. If the time limit has passed, the
//! request is not sent.
//!
//! A small gap remains. The computer can fall asleep in the microseconds between the last check and
//! the moment when the system sends the bytes. The bytes are then sent when the computer wakes up.
//! That would cause a second payment only if the service has kept the new connection open during
//! the sleep and has forgotten the idempotency key.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tower::BoxError;
use tower::util::{AndThenLayer, MapFutureLayer};

use super::no_reply::{TooLate, to_failure};
use super::sandbox_proof::SandboxProof;
use crate::trade::Failure;
use crate::trade::withdrawal::NotSent;

/// A condition for sending a request, such as a time limit. It is checked before connecting, and
/// again after connecting.
#[derive(Clone)]
pub(super) struct SendCondition {
    may_send: Arc<dyn Fn() -> bool + Send + Sync>,
    connecting: ConnectingTime,
}

/// The time that a request needed to open its connection. The cell is empty if the request opened
/// no connection.
pub(super) type ConnectingTime = Arc<OnceLock<Duration>>;

tokio::task_local! {
    /// The send condition of the request that the current task is sending.
    ///
    /// The condition is passed in a task-local variable because the HTTP library opens a connection
    /// without access to the request.
    static SEND_CONDITION: SendCondition;
}

impl SendCondition {
    /// Creates a condition that is always true.
    pub(super) fn always() -> SendCondition {
        SendCondition::when(|| true)
    }

    /// Creates a condition that calls `may_send` at each check.
    pub(super) fn when(may_send: impl Fn() -> bool + Send + Sync + 'static) -> SendCondition {
        SendCondition {
            may_send: Arc::new(may_send),
            connecting: ConnectingTime::default(),
        }
    }

    /// The cell in which the time for opening the connection will be stored.
    pub(super) fn connecting(&self) -> ConnectingTime {
        self.connecting.clone()
    }

    /// Sends a request if the condition is true. The condition is checked before the connection is
    /// opened and again afterwards. If it is false, nothing is sent and an error is returned.
    pub(super) async fn send(
        self,
        http: &reqwest::Client,
        request: reqwest::Request,
    ) -> Result<reqwest::Response, Failure> {
        if !(self.may_send)() {
            return Err(Failure::NotSent(NotSent::NotSafe));
        }
        self.execute(http, request)
            .await
            .map_err(|error| to_failure(&error))
    }

    /// Works like [`send`](SendCondition::send), but skips the first check and returns the HTTP
    /// library's own error.
    pub(super) async fn execute(
        self,
        http: &reqwest::Client,
        request: reqwest::Request,
    ) -> Result<reqwest::Response, reqwest::Error> {
        SEND_CONDITION.scope(self, http.execute(request)).await
    }
}

/// Adds the send condition to an HTTP client. A new connection is then used only if the condition
/// of its request is still true.
///
/// If `proof` is given, the service must also prove on each new connection that it is the sandbox.
pub(super) fn add_send_condition(
    builder: reqwest::ClientBuilder,
    proof: Option<SandboxProof>,
) -> reqwest::ClientBuilder {
    // The first layer is the innermost. The measured time therefore does not include the proof.
    let builder = builder.connector_layer(MapFutureLayer::new(measure_connecting));
    builder.connector_layer(AndThenLayer::new(move |connection| {
        check_connection(connection, proof.clone())
    }))
}

/// Opens a connection. Stores the time that the name lookup, TCP and TLS took together.
async fn measure_connecting<T, E>(opening: impl Future<Output = Result<T, E>>) -> Result<T, E> {
    #[expect(
        clippy::disallowed_methods,
        reason = "how long it took is shown to the seller and decides nothing"
    )]
    let start = Instant::now();
    let connection = opening.await?;
    // If the request opens a second connection, keep the time of the first.
    _ = SEND_CONDITION.try_with(|condition| condition.connecting.set(start.elapsed()));
    Ok(connection)
}

/// The connection if its request may still be sent. Returns an error if the send condition is
/// false, or if the current task has none.
async fn check_connection<T>(connection: T, proof: Option<SandboxProof>) -> Result<T, BoxError>
where
    TokioIo<T>: AsyncRead + AsyncWrite + Unpin,
{
    let connection = match proof {
        Some(proof) => proof.verify_connection(connection).await?,
        None => connection,
    };
    let may_send = SEND_CONDITION
        .try_with(|condition| (condition.may_send)())
        .unwrap_or(false);
    may_send.then_some(connection).ok_or_else(|| TooLate.into())
}
