//! The replay: a local HTTP server that plays a file of exported requests (HAR) as a service, so
//! that a support person can reproduce a seller's problem.
//!
//! The replay shares no code with the sandbox, because it must be able to reveal mistakes in it.
//! Like the sandbox, it proves to a client that it moves no real money. Without that proof, a
//! client would treat it as a live service, and would write the support person's withdrawals to
//! that person's live journal.
//!
//! - [`Recording`] is the content of the file: its requests with their replies, and the API
//!   contract. Its size is bounded.
//! - `matching` finds the recorded reply for a request, by method, path, shape of the body and
//!   amounts. Recorded requests are used in order.
//! - [`Step`] is a recorded request as the guide lists it, and [`AnsweredRequest`] says what became
//!   of a new one.
//! - `filling` replaces the masks in a recorded reply by values. They depend on the mask:
//!
//! | masked value | is played as |
//! |---|---|
//! | any value that the recorded request has too | the value at the same position in the new one |
//! | `…` and `eyJ…`, which replaced a credential | a new token, or a new JWT |
//! | `token` | a random text of the same length, equal for equal masks |
//! | `host` | `host-N.localhost`, a name of this machine |
//! | `pix code` | a valid Pix code for the requested amount |
//! | a URL | a URL of the replay, with the masks of its path as plain words |
//! | any other kind | the visible mask, such as `‹text 1, 9 letters›` |
//!
//! A request that was not recorded gets the status 501. A withdrawal that was not recorded gets
//! 404, because that status means that no money moved. If the file has no login, every login
//! succeeds, because otherwise a file with a single withdrawal could not be played.

#![warn(missing_docs)]

mod environment;
mod filling;
mod guide;
mod http;
mod made;
mod matching;
mod recording;
mod unusable;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

pub use environment::read_language;
pub use guide::{Answer, AnsweredRequest, Difference, Nearest, RequestSummary, Step};
pub use recording::{Recording, RecordingError, SkipReason, SkippedEntry, read_file};

use http::Shared;
use matching::Player;

use crate::locked::Locked;

/// The maximum time to wait for open connections to finish when the replay is shut down.
const SHUTDOWN_LIMIT: Duration = Duration::from_secs(1);

/// A function that is called for each request to the replay. It must not block.
pub type OnRequest = Box<dyn Fn(AnsweredRequest) + Send + Sync>;

/// The settings of a replay.
pub struct ReplayOptions {
    /// The loopback address to listen on; port 0 selects a free port.
    pub listen: SocketAddr,
    /// The recorded requests and replies to play.
    pub recording: Recording,
    /// True if each reply is delayed as long as in the recording, but at most a minute.
    pub delays: bool,
    /// The secret for proving to clients that the replay is a sandbox. Without it, no proof is
    /// possible.
    pub secret: Option<String>,
    /// The number of the recorded request with which the replay starts, if the requests before it
    /// are skipped. Logins, domains and fees from before it are still answered.
    pub first: Option<usize>,
    /// Called for each request.
    pub on_request: OnRequest,
}

impl ReplayOptions {
    /// The settings of a replay without delays and without a proof.
    pub fn new(listen: SocketAddr, recording: Recording) -> ReplayOptions {
        let on_request = Box::new(|_| ());
        ReplayOptions {
            listen,
            recording,
            delays: false,
            secret: None,
            first: None,
            on_request,
        }
    }
}

/// The reason why a replay did not start.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// Other machines could reach the address.
    #[error("the replay does not listen on {0}: other machines would reach it")]
    BeyondLoopback(SocketAddr),
    /// The replay cannot listen on the address.
    #[error("the replay cannot listen on {0}: {1}")]
    Listen(SocketAddr, io::Error),
}

/// A running replay server, which ends when it is shut down or dropped.
pub struct ReplayServer {
    address: SocketAddr,
    jwt: String,
    closing: watch::Sender<bool>,
    task: Option<JoinHandle<()>>,
}

/// Starts a server that plays a recording.
pub async fn start(options: ReplayOptions) -> Result<ReplayServer, ReplayError> {
    let ReplayOptions {
        listen,
        recording,
        delays,
        secret,
        first,
        on_request,
    } = options;
    if !listen.ip().is_loopback() {
        return Err(ReplayError::BeyondLoopback(listen));
    }
    let listener = TcpListener::bind(listen)
        .await
        .map_err(|error| ReplayError::Listen(listen, error))?;
    let address = listener
        .local_addr()
        .map_err(|error| ReplayError::Listen(listen, error))?;
    let jwt = made::link_credential(&recording.contract);
    let closing = watch::Sender::new(false);
    let first = first.and_then(|number| number.checked_sub(1));
    let player = Locked::new(Player::new(recording, first));
    let shared = Shared {
        address,
        secret,
        delays,
        on_request,
        player,
    };
    let routes = http::routes(Arc::new(shared));
    let mut closed = closing.subscribe();
    let shutdown_signal = async move {
        // Ignore an error: `wait_for` fails only if the `ReplayServer` was dropped, which also ends
        // the replay.
        closed.wait_for(|closed| *closed).await.ok();
    };
    let task = tokio::spawn(async move {
        // Ignore an error: `serve` fails only if its listener fails, and a `TcpListener` never
        // fails there.
        axum::serve(listener, routes)
            .with_graceful_shutdown(shutdown_signal)
            .await
            .ok();
    });
    Ok(ReplayServer {
        address,
        jwt,
        closing,
        task: Some(task),
    })
}

impl ReplayServer {
    /// The base URL of the API, such as `http://127.0.0.1:8787`.
    pub fn base_url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// A credential for payment links that the user can enter in the app. The replay accepts any
    /// credential, but the app accepts only credentials in the form that the recorded API contract
    /// requires.
    pub fn jwt(&self) -> &str {
        &self.jwt
    }

    /// Stops accepting connections, and waits up to a second for the open ones to finish.
    pub async fn shutdown(mut self) {
        self.closing.send_replace(true);
        if let Some(mut task) = self.task.take()
            && tokio::time::timeout(SHUTDOWN_LIMIT, &mut task)
                .await
                .is_err()
        {
            task.abort();
        }
    }
}

impl Drop for ReplayServer {
    fn drop(&mut self) {
        self.closing.send_replace(true);
    }
}

#[cfg(test)]
mod tests;
