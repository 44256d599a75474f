//! The HTTP side: from a socket to the bank and back.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{ConnectInfo, Path, Query, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};

use super::bank::request::{self, BankOperation, BankReply};
use super::control::Control;
use super::faults::{self, Answer, Fault};
use super::headers::{host_of, text_of};
use super::listener::CutSwitch;
use super::responses::{JSON, json_response, response};
use super::shared_state::{AnsweredRequest, SharedState};
use super::{proof, shop, visitors};

/// The largest body that is read (*assumed*; API text, section 8: limits not shown).
const MOST_BODY: usize = 64 * 1024;

/// The time limit for a body to arrive.
const BODY_WAIT: Duration = Duration::from_secs(30);

type Shared = State<Arc<SharedState>>;

/// Every address of the service.
pub fn routes(shared: Arc<SharedState>) -> Router {
    Router::new()
        .route("/_sandbox/ledger", get(ledger))
        .route("/_sandbox/faults", post(arm).delete(disarm))
        .route("/_sandbox/charges/{id}/pay", post(pay_charge))
        .route("/_sandbox/payments", get(payments))
        .route("/_sandbox/proof", get(prove))
        .fallback(serve)
        .layer(axum::middleware::from_fn_with_state(Arc::clone(&shared), visitors::admit))
        .layer(axum::middleware::map_response_with_state(Arc::clone(&shared), stamp))
        .with_state(shared)
}

/// Dates every response by the sandbox's own clock, which a test may have set.
async fn stamp(State(shared): Shared, mut response: Response) -> Response {
    if let Ok(date) = HeaderValue::try_from(shared.now().in_http()) {
        response.headers_mut().insert(header::DATE, date);
    }
    response
}

/// The API and the checkouts; the `Host` header decides which of the two is meant.
async fn serve(
    State(shared): Shared,
    ConnectInfo(cut): ConnectInfo<CutSwitch>,
    asked: Request,
) -> Response {
    let host = host_of(asked.headers(), asked.uri());
    let path = asked.uri().path().to_owned();
    let is_shop = shared.state().bank.is_own_domain(&host);
    if is_shop || path.starts_with("/checkout/") {
        return shop::serve(&shared, &host, &path, asked.method()).await;
    }
    let Some(operation) = BankOperation::at_path(&path) else {
        return json_response(&BankReply::refusal(404, "Rota não encontrada."));
    };
    let method = shared.dialect.method(operation);
    if asked.method().as_str() != method {
        let refusal = json_response(&BankReply::refusal(405, "Método não permitido."));
        return ([(header::ALLOW, method.to_owned())], refusal).into_response();
    }
    let headers = asked.headers().clone();
    let header = |name: &str| text_of(&headers, &HeaderName::try_from(name).ok()?);
    let request = match read(operation, asked).await {
        Ok(request) => request,
        Err(refusal) => return refusal,
    };
    let query = request.query.clone();
    match shared.dialect.understand(request, &header) {
        Ok(request) => answer(&shared, &cut, request, &query).await,
        Err(refusal) => json_response(&shared.dialect.say(operation, &query, refusal, || None)),
    }
}

/// Reads the whole request; faults wait until then, so that half a request uses none up.
async fn read(operation: BankOperation, asked: Request) -> Result<request::BankRequest, Response> {
    let (head, body) = asked.into_parts();
    let arriving = axum::body::to_bytes(body, MOST_BODY);
    let body: Bytes = match tokio::time::timeout(BODY_WAIT, arriving).await {
        Ok(Ok(body)) => body,
        Ok(Err(_)) => return Err(json_response(&BankReply::refusal(413, "Corpo grande demais."))),
        Err(_) => return Err(json_response(&BankReply::refusal(408, "O corpo não chegou."))),
    };
    Ok(request::BankRequest {
        operation,
        query: head.uri.query().unwrap_or_default().to_owned(),
        authorization: text_of(&head.headers, &header::AUTHORIZATION),
        content_type: text_of(&head.headers, &header::CONTENT_TYPE),
        idempotency_key: text_of(&head.headers, &HeaderName::from_static("idempotency-key")),
        body: body.to_vec(),
        sent: None,
    })
}

/// Brings the request to the bank and its reply back, through the fault that it meets.
async fn answer(
    shared: &Arc<SharedState>,
    cut: &CutSwitch,
    request: request::BankRequest,
    query: &str,
) -> Response {
    let operation = request.operation;
    let fault = shared.meet(operation);
    let reply = shared.act(request, fault.clone()).await;
    let is_done = (200..300).contains(&reply.status);
    let answered = AnsweredRequest { operation, is_done, fault: fault.clone() };
    let _told = ToldOnceOver { shared, answered };
    let jwt = || Control(Arc::clone(shared)).jwt().ok();
    let Some(fault) = fault else {
        return json_response(&shared.dialect.say(operation, query, reply, jwt));
    };
    if fault.hangs_up() || !waited(shared, &fault).await {
        cut.cut();
        return Response::new(Body::empty());
    }
    let BankReply { status, body } = reply;
    let answer = Answer { status, content_type: JSON.to_owned(), header: None, body };
    let spoiled = fault.spoil(operation, answer);
    let reply = BankReply { status: spoiled.status, body: spoiled.body };
    let said = shared.dialect.say(operation, query, reply, jwt);
    let mut response = response(said.status, &spoiled.content_type, said.body);
    if let Some((name, value)) = spoiled.header {
        let header = (HeaderName::from_static(name), HeaderValue::from_static(value));
        response.headers_mut().extend([header]);
    }
    response
}

/// Tells of a request when its answer is over, also where the caller hung up before it came.
struct ToldOnceOver<'a> {
    shared: &'a SharedState,
    answered: AnsweredRequest,
}

impl Drop for ToldOnceOver<'_> {
    fn drop(&mut self) {
        // Nobody may be listening, which is fine.
        self.shared.answered.send(self.answered.clone()).ok();
    }
}

/// Waits as long as the fault says; false when the service closes meanwhile.
async fn waited(shared: &SharedState, fault: &Fault) -> bool {
    let mut closing = shared.closing.subscribe();
    tokio::select! {
        () = tokio::time::sleep(fault.wait()) => true,
        _ = closing.wait_for(|closing| *closing) => false,
    }
}

async fn ledger(State(shared): Shared) -> Response {
    let ledger = shared.state().bank.ledger().clone();
    match serde_json::to_string_pretty(&ledger) {
        Ok(text) => response(200, JSON, text),
        Err(error) => json_response(&BankReply::refusal(500, &error.to_string())),
    }
}

/// Takes one fault as JSON; a web page of another site cannot send that content type unasked.
async fn arm(State(shared): Shared, headers: HeaderMap, body: Bytes) -> Response {
    if text_of(&headers, &header::CONTENT_TYPE).as_deref() != Some(JSON) {
        return json_response(&BankReply::refusal(
            415,
            "send it as Content-Type: application/json",
        ));
    }
    let armed = match faults::read_json(&body) {
        Ok(rule) => Control(shared).arm_rule(rule).map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    };
    done(armed)
}

async fn disarm(State(shared): Shared) -> Response {
    done(Control(shared).disarm_all().map_err(|error| error.to_string()))
}

async fn pay_charge(State(shared): Shared, Path(id): Path<String>) -> Response {
    let control = Control(shared);
    let paid = tokio::task::spawn_blocking(move || control.pay_charge(&id)).await;
    done(match paid {
        Ok(paid) => paid.map(|_| ()).map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    })
}

/// The number of payments that a client knows of already.
#[derive(serde::Deserialize)]
struct KnownPayments {
    than: Option<usize>,
}

/// Says which links were paid, once there are others than so many payments: a client asks again,
/// and sleeps until a buyer pays.
async fn payments(State(shared): Shared, Query(known): Query<KnownPayments>) -> Response {
    let (mut paid, mut closing) = (shared.paid.subscribe(), shared.closing.subscribe());
    let payments = tokio::select! {
        paid = paid.wait_for(|paid| Some(*paid) != known.than) => paid.map(|paid| *paid),
        _ = closing.wait_for(|closing| *closing) => {
            return json_response(&BankReply::refusal(503, "O sandbox foi fechado."));
        }
    };
    let links = Control(Arc::clone(&shared)).paid_links();
    let said = serde_json::json!({ "payments": payments.unwrap_or_default(), "links": links });
    response(200, JSON, said.to_string())
}

/// The question of a client that wants proof that this is the sandbox.
#[derive(serde::Deserialize)]
struct Challenge {
    nonce: String,
}

/// Proves that this is the sandbox, where it has a secret to prove it with.
async fn prove(State(shared): Shared, Query(challenge): Query<Challenge>) -> Response {
    let Some(secret) = &shared.secret else {
        return json_response(&BankReply::refusal(404, "Este sandbox não tem como se provar."));
    };
    match proof::answer(secret, &challenge.nonce, shared.port.address()) {
        Some(proof) => response(200, "text/plain", proof),
        None => json_response(&BankReply::refusal(400, "nonce: 16 a 64 bytes em hexadecimal.")),
    }
}

fn done(outcome: Result<(), String>) -> Response {
    match outcome {
        Ok(()) => StatusCode::NO_CONTENT.into_response(),
        Err(problem) => json_response(&BankReply::refusal(400, &problem)),
    }
}
