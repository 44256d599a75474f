//! The HTTP server of the sandbox. It defines the routes, and processes each request from its
//! arrival to the response.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::rejection::JsonRejection;
use axum::extract::{Path, Query, Request, State};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use futures_util::stream;
use serde_json::{Value, json};

use super::bank::request::{BankOperation, BankReply, BankRequest};
use super::control::{Control, ControlError};
use super::faults::{Answer, FaultEntry};
use super::shared_state::{AnsweredRequest, SharedState};
use super::visitors::{host_of, text_of};
use super::{proof, shop, visitors};

/// The maximum size of a request body in bytes. It is *assumed*, because the API documentation
/// (section 8) does not state a limit.
const MOST_BODY: usize = 64 * 1024;

/// The maximum time to wait for a request body.
const BODY_WAIT: Duration = Duration::from_secs(30);

/// The content type of the bank's replies.
pub(super) const JSON: &str = "application/json";

type Shared = State<Arc<SharedState>>;

/// Creates the routes of the sandbox's HTTP server. The routes under `/_sandbox/` that show or
/// change the bank exist only if `serves_control` is true.
pub fn routes(shared: Arc<SharedState>, serves_control: bool) -> Router {
    let control = Router::new()
        .route("/_sandbox/ledger", get(ledger))
        .route("/_sandbox/faults", post(arm).delete(disarm))
        .route("/_sandbox/charges/{id}/pay", post(pay_charge))
        .route("/_sandbox/payments", get(payments));
    let control = if serves_control { control } else { Router::new() };
    control
        .route("/_sandbox/proof", get(prove))
        .fallback(serve)
        .layer(axum::middleware::from_fn_with_state(Arc::clone(&shared), visitors::admit))
        .layer(axum::middleware::map_response_with_state(Arc::clone(&shared), stamp))
        .with_state(shared)
}

/// Adds a `Date` header with the time of the sandbox's clock, which a test may have replaced.
async fn stamp(State(shared): Shared, mut response: Response) -> Response {
    if let Ok(date) = HeaderValue::try_from(shared.now().in_http()) {
        response.headers_mut().insert(header::DATE, date);
    }
    response
}

/// Handles an API request or serves a checkout page, depending on the host and the path of the
/// request.
async fn serve(State(shared): Shared, asked: Request) -> Response {
    let host = host_of(asked.headers(), asked.uri());
    let path = asked.uri().path().to_owned();
    let is_shop = shared.state().bank.is_own_domain(&host);
    if is_shop || path.starts_with("/checkout/") {
        return shop::serve(&shared, &host, &path, asked.method()).await;
    }
    let Some(operation) = BankOperation::at_path(&path) else {
        return BankReply::refusal(404, "Rota não encontrada.").into_response();
    };
    let method = shared.dialect.method(operation);
    if asked.method().as_str() != method {
        let refusal = BankReply::refusal(405, "Método não permitido.");
        return ([(header::ALLOW, method)], refusal).into_response();
    }
    let headers = asked.headers().clone();
    let header = |name: &str| text_of(&headers, &HeaderName::try_from(name).ok()?);
    let request = match read(operation, asked).await {
        Ok(request) => request,
        Err(refusal) => return refusal.into_response(),
    };
    let query = request.query.clone();
    match shared.dialect.decode_request(request, &header) {
        Ok(request) => answer(&shared, request, &query).await,
        Err(refusal) => shared.dialect.say(operation, &query, refusal, || None).into_response(),
    }
}

/// Reads the whole request. This happens before a fault is selected, so that an incomplete request
/// does not use up a fault.
async fn read(operation: BankOperation, asked: Request) -> Result<BankRequest, BankReply> {
    let (head, body) = asked.into_parts();
    let arriving = axum::body::to_bytes(body, MOST_BODY);
    let body: Bytes = match tokio::time::timeout(BODY_WAIT, arriving).await {
        Ok(Ok(body)) => body,
        Ok(Err(_)) => return Err(BankReply::refusal(413, "Corpo grande demais.")),
        Err(_) => return Err(BankReply::refusal(408, "O corpo não chegou.")),
    };
    Ok(BankRequest {
        query: head.uri.query().unwrap_or_default().to_owned(),
        authorization: text_of(&head.headers, &header::AUTHORIZATION),
        content_type: text_of(&head.headers, &header::CONTENT_TYPE),
        idempotency_key: text_of(&head.headers, &HeaderName::from_static("idempotency-key")),
        body: body.to_vec(),
        ..BankRequest::to(operation)
    })
}

/// Passes the request to the bank and returns the response. If a fault is active for the request,
/// it is applied.
async fn answer(shared: &Arc<SharedState>, request: BankRequest, query: &str) -> Response {
    let operation = request.operation;
    let fault = shared.state().plan.take_fault(operation);
    let reply = shared.act(request, fault.clone()).await;
    let is_done = (200..300).contains(&reply.status);
    let answered = AnsweredRequest { operation, is_done, fault: fault.clone() };
    let _told = ReportOnDrop { shared, answered };
    let jwt = || Control(Arc::clone(shared)).jwt().ok();
    let Some(fault) = fault else {
        return shared.dialect.say(operation, query, reply, jwt).into_response();
    };
    let is_waited_for = tokio::select! {
        () = tokio::time::sleep(fault.wait()) => true,
        () = shared.closes() => false,
    };
    if fault.hangs_up() || !is_waited_for {
        return hang_up();
    }
    let Answer { reply, content_type, header } = fault.apply_to_reply(operation, reply);
    let said = shared.dialect.say(operation, query, reply, jwt);
    let response = response(said.status, &content_type, said.body);
    (header.map(|header| [header]), response).into_response()
}

/// Returns a response whose body fails before its first byte. The server then closes the connection
/// without sending anything.
fn hang_up() -> Response {
    let failing =
        stream::once(async { Err::<Bytes, _>(io::Error::from(io::ErrorKind::BrokenPipe)) });
    Response::new(Body::from_stream(failing))
}

/// A guard that reports a finished request when it is dropped. It is dropped when the response is
/// ready or the client has disconnected.
struct ReportOnDrop<'a> {
    shared: &'a SharedState,
    answered: AnsweredRequest,
}

impl Drop for ReportOnDrop<'_> {
    fn drop(&mut self) {
        // Ignore an error. It only means that there is no receiver.
        self.shared.answered.send(self.answered.clone()).ok();
    }
}

async fn ledger(State(shared): Shared) -> Result<Response, BankReply> {
    let ledger = shared.state().bank.ledger().clone();
    let text = serde_json::to_string_pretty(&ledger);
    text.map(|text| response(200, JSON, text)).map_err(|error| refused(500, error))
}

/// Activates the fault in a JSON body. The JSON content type is required as a protection: a browser
/// lets pages of other sites send it only with this server's permission.
async fn arm(
    State(shared): Shared,
    sent: Result<Json<FaultEntry>, JsonRejection>,
) -> Result<StatusCode, BankReply> {
    let Json(entry) = sent.map_err(|rejected| match rejected {
        JsonRejection::MissingJsonContentType(rejected) => refused(415, rejected),
        rejected => refused(400, rejected),
    })?;
    Control(shared).arm_rule(entry.rule().map_err(|wrong| refused(400, wrong))?)?;
    Ok(StatusCode::NO_CONTENT)
}

async fn disarm(State(shared): Shared) -> Result<StatusCode, BankReply> {
    Control(shared).disarm_all()?;
    Ok(StatusCode::NO_CONTENT)
}

async fn pay_charge(
    State(shared): Shared,
    Path(id): Path<String>,
) -> Result<StatusCode, BankReply> {
    let control = Control(shared);
    let paid = tokio::task::spawn_blocking(move || control.pay_charge(&id)).await;
    paid.map_err(|failed| refused(500, failed))??;
    Ok(StatusCode::NO_CONTENT)
}

/// The query of a request that waits for the next payment.
#[derive(serde::Deserialize)]
struct KnownPayments {
    than: Option<usize>,
}

/// Waits until the number of payments differs from `than`. Then returns the number and the paid
/// payment links. By repeating this request, a client learns of each payment without polling.
async fn payments(
    State(shared): Shared,
    Query(known): Query<KnownPayments>,
) -> Result<Json<Value>, BankReply> {
    let mut paid = shared.paid.subscribe();
    let payments = tokio::select! {
        paid = paid.wait_for(|paid| Some(*paid) != known.than) => paid.map(|paid| *paid),
        () = shared.closes() => return Err(BankReply::refusal(503, "O sandbox foi fechado.")),
    };
    let links = Control(Arc::clone(&shared)).paid_links();
    Ok(Json(json!({ "payments": payments.unwrap_or_default(), "links": links })))
}

/// The query of a request for the proof that this is the sandbox.
#[derive(serde::Deserialize)]
struct Challenge {
    nonce: String,
}

/// Returns the proof that this is the sandbox. If there is no secret, the reply is an error.
async fn prove(
    State(shared): Shared,
    Query(challenge): Query<Challenge>,
) -> Result<String, BankReply> {
    let Some(secret) = &shared.secret else {
        return Err(BankReply::refusal(404, "Este sandbox não tem como se provar."));
    };
    proof::answer(secret, &challenge.nonce, shared.port.address())
        .ok_or_else(|| BankReply::refusal(400, "nonce: 16 a 64 bytes em hexadecimal."))
}

fn refused(status: u16, why: impl ToString) -> BankReply {
    BankReply::refusal(status, &why.to_string())
}

impl From<ControlError> for BankReply {
    fn from(error: ControlError) -> BankReply {
        refused(400, error)
    }
}

impl IntoResponse for BankReply {
    fn into_response(self) -> Response {
        response(self.status, JSON, self.body)
    }
}

pub(super) fn response(status: u16, content_type: &str, body: String) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    (status, [(header::CONTENT_TYPE, content_type)], body).into_response()
}
