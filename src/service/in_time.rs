//! The last looks at the clocks, just before the bytes of a withdrawal leave.
//!
//! Every limit of waiting sleeps with the machine: when the lid closes while a name is looked up,
//! the wait goes on an hour later as if nothing had been. So the clocks are asked just before a
//! request is handed over, and once more when its connection stands. Too late, it does not leave.
//!
//! What no look covers is left: a machine that falls asleep after the last one, before the bytes
//! are written (some microseconds, and no wait) or when the system has taken them and not sent
//! them. They leave then by a connection that was quiet for as long as the machine slept; a service
//! that keeps such a one open for longer than it remembers a key could still take them.

use std::sync::Arc;

use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tower::BoxError;
use tower::util::AndThenLayer;

use super::no_reply::{TooLate, failure};
use super::sandbox_proof::SandboxProof;
use crate::trade::Failure;
use crate::trade::withdrawal::NotSent;

/// The right of a request to leave, which ends in time; asking reads the clocks.
#[derive(Clone)]
pub(super) struct InTime(Arc<dyn Fn() -> bool + Send + Sync>);

tokio::task_local! {
    /// Returns true while the request that this task is sending may still leave.
    ///
    /// A connector belongs to the client and not to the request, and knows nothing of it.
    static REQUEST: InTime;
}

impl InTime {
    /// At any time.
    pub(super) fn always() -> InTime {
        InTime::when(|| true)
    }

    /// As this says whenever it is asked.
    pub(super) fn when(may_leave: impl Fn() -> bool + Send + Sync + 'static) -> InTime {
        InTime(Arc::new(may_leave))
    }

    /// Sends a request, if it may still leave when its connection stands.
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

    /// The same, with the library's own error.
    pub(super) async fn execute(
        self,
        http: &reqwest::Client,
        request: reqwest::Request,
    ) -> Result<reqwest::Response, reqwest::Error> {
        REQUEST.scope(self, http.execute(request)).await
    }
}

/// A client whose connections are given to requests that are in time, and to no others; each after
/// this proof, if there is one.
pub(super) fn in_time(
    builder: reqwest::ClientBuilder,
    proof: Option<SandboxProof>,
) -> reqwest::ClientBuilder {
    builder.connector_layer(AndThenLayer::new(move |connection| given(connection, proof.clone())))
}

/// A request that does not say whether it may leave does not.
async fn given<T>(connection: T, proof: Option<SandboxProof>) -> Result<T, BoxError>
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
