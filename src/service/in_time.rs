//! Checks the time once more just before a withdrawal is sent.
//!
//! Timers stop while the machine is asleep. If the lid is closed during a DNS lookup, the request
//! could be sent an hour later. The clocks are therefore checked before the request is passed to
//! the HTTP library, and again when its connection is open. If it is too late, the request is not
//! sent.
//!
//! A small gap remains: the machine can fall asleep after the last check, in the microseconds
//! before the bytes are written or before the system has sent them. The bytes are then sent when
//! the machine wakes up, on a connection that was idle for all that time. The service would have to
//! keep the idle connection open to accept them. They could pay twice only if the service has also
//! forgotten the idempotency key by then.

use std::sync::Arc;

use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tower::BoxError;
use tower::util::AndThenLayer;

use super::no_reply::{TooLate, failure};
use super::sandbox_proof::SandboxProof;
use crate::trade::Failure;
use crate::trade::withdrawal::NotSent;

/// Decides whether a request may still be sent. Each check reads the clocks.
#[derive(Clone)]
pub(super) struct SendCondition(Arc<dyn Fn() -> bool + Send + Sync>);

tokio::task_local! {
    /// The time check for the request that this task is sending.
    ///
    /// The HTTP library opens a connection without access to the request, so the check is passed
    /// through this variable.
    static REQUEST: SendCondition;
}

impl SendCondition {
    /// Returns a check that always permits sending.
    pub(super) fn always() -> SendCondition {
        SendCondition::when(|| true)
    }

    /// Returns a check that calls `may_leave` each time.
    pub(super) fn when(may_leave: impl Fn() -> bool + Send + Sync + 'static) -> SendCondition {
        SendCondition(Arc::new(may_leave))
    }

    /// Sends a request. Returns an error instead if it is too late, before or after the connection
    /// is opened.
    pub(super) async fn send(
        self,
        http: &reqwest::Client,
        request: reqwest::Request,
    ) -> Result<reqwest::Response, Failure> {
        if !(self.0)() {
            return Err(Failure::NotSent(NotSent::NotSafe));
        }
        self.execute(http, request).await.map_err(|error| failure(&error))
    }

    /// Like [`send`](SendCondition::send), but without the first check, and returns the HTTP
    /// library's error.
    pub(super) async fn execute(
        self,
        http: &reqwest::Client,
        request: reqwest::Request,
    ) -> Result<reqwest::Response, reqwest::Error> {
        REQUEST.scope(self, http.execute(request)).await
    }
}

/// Adds the time check to a client: a new connection is used only if its request may still be sent.
///
/// If `proof` is given, the service must also prove on the connection that it is the sandbox.
pub(super) fn in_time(
    builder: reqwest::ClientBuilder,
    proof: Option<SandboxProof>,
) -> reqwest::ClientBuilder {
    builder.connector_layer(AndThenLayer::new(move |connection| {
        check_connection(connection, proof.clone())
    }))
}

/// Returns the connection, or an error if the request is too late. A request without a time check
/// also counts as too late.
async fn check_connection<T>(connection: T, proof: Option<SandboxProof>) -> Result<T, BoxError>
where
    TokioIo<T>: AsyncRead + AsyncWrite + Unpin,
{
    let connection = match proof {
        Some(proof) => proof.on(connection).await?,
        None => connection,
    };
    let may_leave = REQUEST.try_with(|request| (request.0)()).unwrap_or(false);
    may_leave.then_some(connection).ok_or_else(|| TooLate.into())
}
