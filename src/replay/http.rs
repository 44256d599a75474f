//! The HTTP server of the replay.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Query, Request as HttpRequest, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use futures_util::stream::{self, Stream, StreamExt};
use serde_json::{Map, Value, json};

use super::filling::Filling;
use super::matching::{Choice, Player};
use super::recording::{Lost, Reply, Request};
use super::{made, proof};
use crate::contract::LoginSpec;

/// The maximum size of a request body, in bytes.
const MOST_BODY: usize = 64 * 1024;

/// The maximum time to wait for a request body.
const BODY_WAIT: Duration = Duration::from_secs(30);

/// How long a connection is kept open if the client is supposed to time out, as in the recording.
const LONGER_THAN_A_LIMIT: Duration = Duration::from_secs(60);

/// The number of bytes that a truncated reply announces but does not send.
const MISSING: usize = 1024;

/// The length in bytes that a reply announces if it was too large for the client in the recording.
const TOO_LARGE: usize = 64 * 1024 * 1024;

/// The beginning of every error message, in all languages of the app.
const UNKNOWN: &str = "not in this recording / não está nesta gravação";

/// The state of the server, shared by all connections.
pub(super) struct Shared {
    pub(super) address: SocketAddr,
    pub(super) secret: Option<String>,
    pub(super) delays: bool,
    pub(super) player: Mutex<Player>,
}

/// Creates the routes of the server.
pub(super) fn routes(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/_sandbox/proof", get(prove))
        .fallback(serve)
        .layer(axum::middleware::from_fn(admit))
        .with_state(shared)
}

/// Refuses a request for another host, or from a web page of another site, because otherwise any
/// page in the user's browser could use this server.
async fn admit(asked: HttpRequest, next: Next) -> Response {
    let host = text_of(asked.headers(), &header::HOST);
    let named = asked.uri().authority().map(|authority| authority.as_str());
    if !is_own(&host) || !named.is_none_or(is_own) {
        return refusal(421, "not the address of this replay");
    }
    let origin = text_of(asked.headers(), &header::ORIGIN);
    if !origin.is_empty() && !origin.eq_ignore_ascii_case(&format!("http://{host}")) {
        return refusal(403, "another site may not ask for this");
    }
    next.run(asked).await
}

/// Returns true if the host is a name or address of this machine. The port is ignored.
fn is_own(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    };
    let name = name.trim_end_matches('.').to_ascii_lowercase();
    let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(&name);
    name == "localhost"
        || name.ends_with(".localhost")
        || bare.parse().is_ok_and(|address: IpAddr| address.is_loopback())
}

fn text_of(headers: &HeaderMap, name: &HeaderName) -> String {
    let texts = headers.get_all(name).iter().map(|v| String::from_utf8_lossy(v.as_bytes()));
    texts.collect::<Vec<_>>().join(", ")
}

/// The query of a client that wants a proof that this server is a sandbox.
#[derive(serde::Deserialize)]
struct Challenge {
    nonce: String,
}

async fn prove(State(shared): State<Arc<Shared>>, Query(asked): Query<Challenge>) -> Response {
    let Some(secret) = &shared.secret else { return refusal(404, "no proof is possible") };
    match proof::answer(secret, &asked.nonce, shared.address) {
        Some(proof) => proof.into_response(),
        None => refusal(400, "nonce: 16 to 64 bytes in hexadecimal"),
    }
}

async fn serve(State(shared): State<Arc<Shared>>, asked: HttpRequest) -> Response {
    let (head, body) = asked.into_parts();
    let arriving = axum::body::to_bytes(body, MOST_BODY);
    let Ok(Ok(body)) = tokio::time::timeout(BODY_WAIT, arriving).await else {
        return refusal(413, "the body is too large, or did not arrive");
    };
    let (wait, played) = {
        let mut player = shared.player.lock().unwrap_or_else(PoisonError::into_inner);
        let contract = player.contract();
        let is_key = |name: &&HeaderName| contract.withdrawal_only.has_header(name.as_str());
        let key = head.headers.keys().find(is_key).map(|name| text_of(&head.headers, name));
        let request = Request {
            method: head.method.to_string(),
            path: head.uri.path().to_owned(),
            query: head.uri.query().unwrap_or_default().to_owned(),
            key,
            body: String::from_utf8_lossy(&body).into_owned(),
        };
        play(&mut player, &request, shared.address)
    };
    if shared.delays {
        let is_timeout = matches!(&played, Err(Lost::Timeout));
        tokio::time::sleep(if is_timeout { LONGER_THAN_A_LIMIT } else { wait }).await;
    }
    match played {
        Ok(played) => played.into_response(),
        Err(_) => Body::from_stream(broken(Bytes::new())).into_response(),
    }
}

/// Returns the recorded reply to a request, and the time that this reply took in the recording.
pub(super) fn play(
    player: &mut Player,
    request: &Request,
    address: SocketAddr,
) -> (Duration, Result<Reply, Lost>) {
    let about = format!("{UNKNOWN}: {} {}", request.method, request.path);
    let at_once = |played| (Duration::ZERO, Ok(played));
    let (entry, pairs) = match player.choose(request) {
        Choice::Play(at, pairs) => (player.entry(at), pairs),
        Choice::AcceptLogin => return at_once(Reply::login(&player.contract().login)),
        // Use status 404 for a withdrawal, because it means that no money moved. Status 501 would
        // leave that open.
        Choice::RefuseWithdrawal => return at_once(Reply::refusal(404, &about)),
        Choice::Refuse => return at_once(Reply::refusal(501, &about)),
    };
    let played = entry.reply.as_ref().map_err(|lost| *lost).map(|reply| {
        let filling = Filling::new(player.contract(), address, pairs);
        let (headers, body) = filling.reply(entry.operation, reply, &request.body);
        Reply { headers, body, ..*reply }
    });
    (entry.took, played)
}

impl Reply {
    /// Returns an error reply in the format that section 7 of the API documentation defines.
    fn refusal(status: u16, message: &str) -> Reply {
        Reply::json(status, &json!({ "message": message }))
    }

    /// Returns a successful reply for a login that was not recorded. The token is at the first path
    /// at which the API contract expects it.
    fn login(spec: &LoginSpec) -> Reply {
        let status = spec.call.success.first().copied().unwrap_or(200);
        let place = spec.token.pointers.first().map(|pointer| pointer.as_str());
        let mut names: Vec<&str> = place.unwrap_or_default().split('/').skip(1).collect();
        let nested = |inner, name: &str| Map::from_iter([(name.to_owned(), inner)]).into();
        names.reverse();
        let body = match names.is_empty() {
            true => json!({}),
            false => names.into_iter().fold(Value::from(made::token()), nested),
        };
        let mut played = Reply::json(status, &body);
        played.headers.extend(spec.token_header.clone().map(|name| (name, made::token())));
        played
    }

    fn json(status: u16, body: &Value) -> Reply {
        let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
        Reply { status, headers, body: body.to_string(), cut: None }
    }
}

impl IntoResponse for Reply {
    fn into_response(self) -> Response {
        let length = match self.cut {
            Some(Lost::TooLarge) => Some(TOO_LARGE),
            Some(_) => Some(self.body.len() + MISSING),
            None => None,
        };
        let body = match length {
            Some(_) => Body::from_stream(broken(self.body.into())),
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

/// Returns a body that fails after these bytes, so that the server closes the connection. Without
/// any bytes, the server sends nothing at all.
fn broken(bytes: Bytes) -> impl Stream<Item = io::Result<Bytes>> + Send {
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
