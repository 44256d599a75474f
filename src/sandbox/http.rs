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
use super::faults::{ApiResponse, FaultEntry};
use super::shared_state::{FinishedRequest, SharedState};
use super::{shop, visitors};
use crate::local_server::proof::compute_proof;
use crate::local_server::visitors::{header_text, request_host};

/// The maximum size of a request body in bytes. It is *assumed*, because the API documentation
/// (section 8) does not state a limit.
const MAX_BODY_BYTES: usize = 64 * 1024;

const BODY_TIMEOUT: Duration = Duration::from_secs(30);

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
    let control = if serves_control {
        control
    } else {
        Router::new()
    };
    control
        .route("/_sandbox/proof", get(prove))
        .fallback(handle_request)
        .layer(axum::middleware::from_fn_with_state(
            Arc::clone(&shared),
            visitors::check_request,
        ))
        .layer(axum::middleware::map_response_with_state(
            Arc::clone(&shared),
            add_date_header,
        ))
        .with_state(shared)
}

/// Adds a `Date` header with the time of the sandbox's clock, which a test may have replaced.
async fn add_date_header(State(shared): Shared, mut response: Response) -> Response {
    if let Ok(date) = HeaderValue::try_from(shared.now().to_http_date()) {
        response.headers_mut().insert(header::DATE, date);
    }
    response
}

/// Handles an API request or serves a checkout page, depending on the host and the path of the
/// request.
async fn handle_request(State(shared): Shared, request: Request) -> Response {
    let host = request_host(request.headers(), request.uri());
    let path = request.uri().path().to_owned();
    let is_shop = shared.state().bank.is_own_domain(&host);
    if is_shop || path.starts_with("/checkout/") {
        return shop::serve(&shared, &host, &path, request.method()).await;
    }
    let Some(operation) = BankOperation::from_path(&path) else {
        return BankReply::refusal(404, "Rota não encontrada.").into_response();
    };
    let method = shared.dialect.method(operation);
    if request.method().as_str() != method {
        let refusal = BankReply::refusal(405, "Método não permitido.");
        return ([(header::ALLOW, method)], refusal).into_response();
    }
    let headers = request.headers().clone();
    let bank_request = match read_request(operation, request).await {
        Ok(bank_request) => bank_request,
        Err(refusal) => return refusal.into_response(),
    };
    let query = bank_request.query.clone();
    let decoded = shared.dialect.decode_request(bank_request, &|name| {
        header_text(&headers, &HeaderName::try_from(name).ok()?)
    });
    match decoded {
        Ok(bank_request) => process_request(&shared, bank_request, &query).await,
        Err(refusal) => shared
            .dialect
            .encode_reply(operation, &query, refusal, || None)
            .into_response(),
    }
}

/// Reads the whole request. This happens before a fault is selected, so that an incomplete request
/// does not use up a fault.
async fn read_request(
    operation: BankOperation,
    request: Request,
) -> Result<BankRequest, BankReply> {
    let (head, body) = request.into_parts();
    let reading = axum::body::to_bytes(body, MAX_BODY_BYTES);
    let body: Bytes = match tokio::time::timeout(BODY_TIMEOUT, reading).await {
        Ok(Ok(body)) => body,
        Ok(Err(_)) => return Err(BankReply::refusal(413, "Corpo grande demais.")),
        Err(_) => return Err(BankReply::refusal(408, "O corpo não chegou.")),
    };
    Ok(BankRequest {
        query: head.uri.query().unwrap_or_default().to_owned(),
        authorization: header_text(&head.headers, &header::AUTHORIZATION),
        content_type: header_text(&head.headers, &header::CONTENT_TYPE),
        idempotency_key: header_text(&head.headers, &HeaderName::from_static("idempotency-key")),
        body: body.to_vec(),
        ..BankRequest::new(operation)
    })
}

/// Passes the request to the bank and returns the response. If a fault is active for the request,
/// it is applied.
async fn process_request(shared: &Arc<SharedState>, request: BankRequest, query: &str) -> Response {
    let operation = request.operation;
    let fault = shared.state().plan.take_fault(operation);
    let reply = shared.process(request, fault.clone()).await;
    let is_success = (200..300).contains(&reply.status);
    let finished = FinishedRequest {
        operation,
        is_success,
        fault: fault.clone(),
    };
    let _report = ReportOnDrop { shared, finished };
    let jwt = || Control(Arc::clone(shared)).jwt().ok();
    let Some(fault) = fault else {
        return shared
            .dialect
            .encode_reply(operation, query, reply, jwt)
            .into_response();
    };
    let is_delay_over = tokio::select! {
        () = tokio::time::sleep(fault.delay()) => true,
        () = shared.closed() => false,
    };
    if fault.closes_connection() || !is_delay_over {
        return closing_response();
    }
    let ApiResponse {
        reply,
        content_type,
        header,
    } = fault.apply_to_reply(operation, reply);
    let encoded = shared.dialect.encode_reply(operation, query, reply, jwt);
    let response = response(encoded.status, &content_type, encoded.body);
    (header.map(|header| [header]), response).into_response()
}

/// A response whose body fails before its first byte. The server then closes the connection without
/// sending anything.
fn closing_response() -> Response {
    let failing =
        stream::once(async { Err::<Bytes, _>(io::Error::from(io::ErrorKind::BrokenPipe)) });
    Response::new(Body::from_stream(failing))
}

/// A guard that reports a finished request when it is dropped. It is dropped when the response is
/// ready or the client has disconnected.
struct ReportOnDrop<'a> {
    shared: &'a SharedState,
    finished: FinishedRequest,
}

impl Drop for ReportOnDrop<'_> {
    fn drop(&mut self) {
        // Ignore an error. It only means that there is no receiver.
        self.shared.finished.send(self.finished.clone()).ok();
    }
}

async fn ledger(State(shared): Shared) -> Result<Response, BankReply> {
    let ledger = shared.state().bank.ledger().clone();
    let text = serde_json::to_string_pretty(&ledger);
    text.map(|text| response(200, JSON, text))
        .map_err(|error| error_reply(500, error))
}

/// Activates the fault in a JSON body. The JSON content type is required as a protection: a browser
/// lets pages of other sites send it only with this server's permission.
async fn arm(
    State(shared): Shared,
    json: Result<Json<FaultEntry>, JsonRejection>,
) -> Result<StatusCode, BankReply> {
    let Json(entry) = json.map_err(|rejection| match rejection {
        JsonRejection::MissingJsonContentType(rejection) => error_reply(415, rejection),
        rejection => error_reply(400, rejection),
    })?;
    Control(shared).arm_rule(entry.rule().map_err(|wrong| error_reply(400, wrong))?)?;
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
    let result = tokio::task::spawn_blocking(move || control.pay_charge(&id)).await;
    result.map_err(|error| error_reply(500, error))??;
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
    let mut paid = shared.payment_count.subscribe();
    let payments = tokio::select! {
        paid = paid.wait_for(|paid| Some(*paid) != known.than) => paid.map(|paid| *paid),
        () = shared.closed() => return Err(BankReply::refusal(503, "O sandbox foi fechado.")),
    };
    let links = Control(Arc::clone(&shared)).paid_links();
    Ok(Json(
        json!({ "payments": payments.unwrap_or_default(), "links": links }),
    ))
}

/// The query of a request for the proof that this is the sandbox.
#[derive(serde::Deserialize)]
struct Challenge {
    nonce: String,
}

/// The proof that this is the sandbox. If there is no secret, the reply is an error.
async fn prove(
    State(shared): Shared,
    Query(challenge): Query<Challenge>,
) -> Result<String, BankReply> {
    let Some(secret) = &shared.secret else {
        return Err(BankReply::refusal(
            404,
            "Este sandbox não tem como se provar.",
        ));
    };
    compute_proof(secret, &challenge.nonce, shared.port.address())
        .ok_or_else(|| BankReply::refusal(400, "nonce: 16 a 64 bytes em hexadecimal."))
}

fn error_reply(status: u16, reason: impl ToString) -> BankReply {
    BankReply::refusal(status, &reason.to_string())
}

impl From<ControlError> for BankReply {
    fn from(error: ControlError) -> BankReply {
        error_reply(400, error)
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
