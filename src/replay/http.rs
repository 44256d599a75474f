//! The HTTP server of the replay.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Query, Request as HttpRequest, State};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use futures_util::stream::{self, Stream, StreamExt};
use serde_json::{Map, Value, json};

use super::filling::MaskFiller;
use super::guide::{Answer, AnsweredRequest};
use super::matching::{Player, ReplyChoice};
use super::recording::{LossReason, Reply, Request, operation_at};
use super::{OnRequest, made};
use crate::contract::Contract;
use crate::contract::reply_setting::TOKEN;
use crate::local_server::proof::compute_proof;
use crate::local_server::visitors::{has_known_host, header_text, is_cross_site, is_own_name};
use crate::locked::Locked;

/// The maximum size of a request body, in bytes.
const MAX_BODY: usize = 64 * 1024;

const BODY_TIMEOUT: Duration = Duration::from_secs(30);

/// How long a connection is kept open if the client is supposed to time out, as in the recording.
const BEYOND_CLIENT_TIMEOUT: Duration = Duration::from_secs(60);

/// The number of bytes that a truncated reply announces but does not send.
const MISSING_BYTES: usize = 1024;

/// The length in bytes that a reply announces if it was too large for the client in the recording.
const TOO_LARGE_BYTES: usize = 64 * 1024 * 1024;

/// The beginning of every error message, in both languages of the app.
const NOT_RECORDED: &str = "not in this recording / não está nesta gravação";

/// The state of the server, shared by all connections.
pub(super) struct Shared {
    pub(super) address: SocketAddr,
    pub(super) secret: Option<String>,
    pub(super) delays: bool,
    pub(super) on_request: OnRequest,
    pub(super) player: Locked<Player>,
}

/// Creates the routes of the server.
pub(super) fn routes(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/_sandbox/proof", get(prove))
        .fallback(serve)
        .layer(axum::middleware::from_fn(refuse_other_sites))
        .with_state(shared)
}

/// Refuses a request for another host, or from a web page of another site. Otherwise any page in
/// the user's browser could use this server.
async fn refuse_other_sites(request: HttpRequest, next: Next) -> Response {
    if !has_known_host(&request, is_this_machine) {
        return refusal(421, "not the address of this replay");
    }
    if is_cross_site(&request) {
        return refusal(403, "another site may not ask for this");
    }
    next.run(request).await
}

/// True for a name or address of this machine. Masked hosts become names that end with
/// `.localhost`.
fn is_this_machine(name: &str) -> bool {
    name.ends_with(".localhost") || is_own_name(name, |address| address.is_loopback())
}

/// The query of a client that wants a proof that this server is a sandbox.
#[derive(serde::Deserialize)]
struct Challenge {
    nonce: String,
}

async fn prove(State(shared): State<Arc<Shared>>, Query(challenge): Query<Challenge>) -> Response {
    let Some(secret) = &shared.secret else {
        return refusal(404, "no proof is possible");
    };
    match compute_proof(secret, &challenge.nonce, shared.address) {
        Some(proof) => proof.into_response(),
        None => refusal(400, "nonce: 16 to 64 bytes in hexadecimal"),
    }
}

async fn serve(State(shared): State<Arc<Shared>>, http_request: HttpRequest) -> Response {
    let (head, body) = http_request.into_parts();
    let reading = axum::body::to_bytes(body, MAX_BODY);
    let Ok(Ok(body)) = tokio::time::timeout(BODY_TIMEOUT, reading).await else {
        return refusal(413, "the body is too large, or did not arrive");
    };
    let Played {
        wait,
        reply,
        answered,
    } = {
        let mut player = shared.player.lock();
        let contract = player.contract();
        let key_header = head
            .headers
            .keys()
            .find(|name| contract.withdrawal_only.has_header(name.as_str()));
        let key = key_header.and_then(|name| header_text(&head.headers, name));
        let request = Request {
            method: head.method.to_string(),
            path: head.uri.path().to_owned(),
            query: head.uri.query().unwrap_or_default().to_owned(),
            key,
            body: String::from_utf8_lossy(&body).into_owned(),
        };
        play(&mut player, &request, shared.address)
    };
    (shared.on_request)(answered);
    if shared.delays {
        let is_timeout = matches!(&reply, Err(LossReason::Timeout));
        tokio::time::sleep(if is_timeout {
            BEYOND_CLIENT_TIMEOUT
        } else {
            wait
        })
        .await;
    }
    match reply {
        Ok(reply) => reply.into_response(),
        Err(_) => Body::from_stream(failing_body(Bytes::new())).into_response(),
    }
}

/// The reply to a request.
pub(super) struct Played {
    /// The time that the reply took in the recording.
    wait: Duration,
    pub(super) reply: Result<Reply, LossReason>,
    pub(super) answered: AnsweredRequest,
}

/// The recorded reply to a request.
pub(super) fn play(player: &mut Player, request: &Request, address: SocketAddr) -> Played {
    let message = format!("{NOT_RECORDED}: {} {}", request.method, request.path);
    let operation = operation_at(player.contract(), &request.method, &request.path);
    let summary = request.summary(operation, player.contract());
    let without_delay = |reply, answer| Played {
        wait: Duration::ZERO,
        reply: Ok(reply),
        answered: AnsweredRequest {
            request: summary.clone(),
            answer,
        },
    };
    let (index, pairs) = match player.choose(request) {
        ReplyChoice::Play(index, pairs) => (index, pairs),
        ReplyChoice::AcceptLogin => {
            return without_delay(Reply::login(player.contract()), Answer::AcceptedLogin);
        }
        // Use status 404 for a withdrawal, because it means that no money moved. Status 501 would
        // leave that open.
        ReplyChoice::RefuseWithdrawal => {
            let answer = Answer::Refused(player.nearest(request));
            return without_delay(Reply::refusal(404, &message), answer);
        }
        ReplyChoice::Refuse => {
            let answer = Answer::Refused(player.nearest(request));
            return without_delay(Reply::refusal(501, &message), answer);
        }
    };
    let entry = player.entry(index);
    let reply = entry.reply.as_ref().map_err(|reason| *reason).map(|reply| {
        let filler = MaskFiller::new(player.contract(), address, pairs);
        let (headers, body) = filler.fill_reply(entry.operation, reply, &request.body);
        Reply {
            headers,
            body,
            ..*reply
        }
    });
    let answer = Answer::Recorded(index + 1);
    Played {
        wait: entry.took,
        reply,
        answered: AnsweredRequest {
            request: summary,
            answer,
        },
    }
}

impl Reply {
    /// An error reply in the format that section 7 of the API documentation defines.
    fn refusal(status: u16, message: &str) -> Reply {
        Reply::json(status, &json!({ "message": message }))
    }

    /// A successful reply for a login that was not recorded. The token is at the first path at
    /// which the API contract expects it.
    fn login(contract: &Contract) -> Reply {
        let spec = &contract.login;
        let status = spec.call.success.first().copied().unwrap_or(200);
        let path = contract
            .paths(TOKEN)
            .pointers
            .first()
            .map(|pointer| pointer.as_str());
        let mut names: Vec<&str> = path.unwrap_or_default().split('/').skip(1).collect();
        names.reverse();
        let body = if names.is_empty() {
            json!({})
        } else {
            names
                .into_iter()
                .fold(Value::from(made::token()), |inner, name| {
                    Map::from_iter([(name.to_owned(), inner)]).into()
                })
        };
        let mut reply = Reply::json(status, &body);
        reply
            .headers
            .extend(spec.token_header.clone().map(|name| (name, made::token())));
        reply
    }

    fn json(status: u16, body: &Value) -> Reply {
        let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
        Reply {
            status,
            headers,
            body: body.to_string(),
            loss: None,
        }
    }
}

impl IntoResponse for Reply {
    fn into_response(self) -> Response {
        let length = match self.loss {
            Some(LossReason::TooLarge) => Some(TOO_LARGE_BYTES),
            Some(_) => Some(self.body.len() + MISSING_BYTES),
            None => None,
        };
        let body = match length {
            Some(_) => Body::from_stream(failing_body(self.body.into())),
            None => self.body.into(),
        };
        let mut response = Response::new(body);
        *response.status_mut() =
            StatusCode::from_u16(self.status).unwrap_or(StatusCode::NOT_IMPLEMENTED);
        let headers = response.headers_mut();
        for (name, value) in self.headers {
            // Skip a header that is not valid in HTTP, because no service can have sent it like
            // this.
            if let (Ok(name), Ok(value)) = (name.parse::<HeaderName>(), value.try_into()) {
                headers.append(name, value);
            }
        }
        if let Some(length) = length {
            headers.insert(header::CONTENT_LENGTH, HeaderValue::from(length));
        }
        response
    }
}

/// A body that fails after these bytes, so that the server closes the connection. Without any
/// bytes, the server sends nothing at all.
fn failing_body(bytes: Bytes) -> impl Stream<Item = io::Result<Bytes>> + Send {
    let has_bytes = !bytes.is_empty();
    let failing = async move {
        if has_bytes {
            // Give the server time to send the bytes before the body fails.
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        Err(io::Error::from(io::ErrorKind::BrokenPipe))
    };
    stream::iter(has_bytes.then_some(Ok(bytes))).chain(stream::once(failing))
}

fn refusal(status: u16, message: &str) -> Response {
    Reply::refusal(status, message).into_response()
}
