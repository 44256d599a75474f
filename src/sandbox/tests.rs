//! Tests of a running sandbox over real sockets.

use std::sync::atomic::{AtomicI64, Ordering};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

mod share;
mod socket;
mod visitors;

use super::bank::ledger::RequestOutcome;
use super::*;

/// The timeout of every wait in these tests. It is reached only if something never ends.
const TEST_TIMEOUT: Duration = Duration::from_secs(20);

const SHOP_HOST: &str = "loja-da-ana.localhost";

async fn start_sandbox() -> SandboxServer {
    start(Options {
        seed: 7,
        ..Options::default()
    })
    .await
    .unwrap()
}

/// Sends raw bytes on a new connection, and reads until the connection is closed.
async fn exchange(sandbox: &SandboxServer, raw: &[u8]) -> io::Result<Vec<u8>> {
    exchange_at(sandbox.address(), raw).await
}

async fn exchange_at(address: SocketAddr, raw: &[u8]) -> io::Result<Vec<u8>> {
    let exchange = async {
        let mut stream = TcpStream::connect(address).await?;
        stream.write_all(raw).await?;
        let mut reply = Vec::new();
        stream.read_to_end(&mut reply).await?;
        Ok(reply)
    };
    tokio::time::timeout(TEST_TIMEOUT, exchange)
        .await
        .expect("the sandbox did not answer")
}

/// A parsed HTTP response.
struct HttpResponse {
    status: u16,
    head: String,
    body: String,
}

impl HttpResponse {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }

    fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines
            .into_iter()
            .find(|(header_name, _)| header_name.eq_ignore_ascii_case(name))
            .map(|(_, value)| value)
    }
}

async fn send(sandbox: &SandboxServer, raw: &str) -> HttpResponse {
    send_to(sandbox.address(), raw).await
}

async fn send_to(address: SocketAddr, raw: &str) -> HttpResponse {
    let bytes = exchange_at(address, raw.as_bytes()).await.unwrap();
    let text = String::from_utf8(bytes).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").expect("a whole response");
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    HttpResponse {
        status,
        head: head.to_owned(),
        body: body.to_owned(),
    }
}

fn http_request(
    method: &str,
    host: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> String {
    let mut text = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n");
    for (name, value) in headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    format!("{text}Content-Length: {}\r\n\r\n{body}", body.len())
}

fn api_request(
    operation: BankOperation,
    token: &str,
    extra_headers: &[(&str, &str)],
    body: &str,
) -> String {
    let (method, path) = operation.method_and_path();
    let bearer = format!("Bearer {token}");
    let mut headers = vec![
        ("Authorization", &*bearer),
        ("Content-Type", "application/json"),
    ];
    headers.extend(extra_headers);
    http_request(method, "127.0.0.1:1", path, &headers, body)
}

async fn log_in(sandbox: &SandboxServer) -> String {
    let (email, password) = sandbox.credentials();
    let body = json!({ "email": email, "password": password }).to_string();
    let response = send(sandbox, &api_request(BankOperation::Login, "", &[], &body)).await;
    assert_eq!(response.status, 200);
    response.json()["token"].as_str().unwrap().to_owned()
}

async fn logged_in() -> (SandboxServer, String) {
    let sandbox = start_sandbox().await;
    let token = log_in(&sandbox).await;
    (sandbox, token)
}

const WITHDRAWAL_BODY: &str = r#"{"amount":100.10,"pixKey":"52998224725","pixKeyType":"cpf"}"#;

fn withdrawal(token: &str, key: &str) -> String {
    api_request(
        BankOperation::Withdrawal,
        token,
        &[("Idempotency-Key", key)],
        WITHDRAWAL_BODY,
    )
}

async fn create_link(sandbox: &SandboxServer, description: &str) -> (String, String) {
    let body = format!(r#"{{"amount":10.10,"description":{}}}"#, json!(description));
    let response = send(
        sandbox,
        &api_request(BankOperation::CreateLink, sandbox.jwt(), &[], &body),
    )
    .await;
    assert_eq!(response.status, 201, "{}", response.body);
    let url = response.json()["url"].as_str().unwrap().to_owned();
    let port = sandbox.address().port();
    let path = url
        .strip_prefix(&format!("http://{SHOP_HOST}:{port}"))
        .unwrap()
        .to_owned();
    (url, path)
}

fn arm(sandbox: &SandboxServer, fault: Fault, scope: impl Into<Scope>) {
    sandbox.control().arm(fault, scope, Times::Next(1)).unwrap();
}

#[tokio::test]
async fn all_operations_work_over_http() {
    let (sandbox, token) = logged_in().await;
    let domains = send(
        &sandbox,
        &api_request(BankOperation::Domains, sandbox.jwt(), &[], ""),
    )
    .await;
    assert_eq!(
        (domains.status, domains.json()[0]["domain"].as_str()),
        (200, Some(SHOP_HOST))
    );
    create_link(&sandbox, "Bolo").await;

    let path = "/api/v1/withdrawals/fee-preview?amount=100.10";
    let bearer = format!("Bearer {token}");
    let preview = send(
        &sandbox,
        &http_request("GET", "localhost", path, &[("Authorization", &bearer)], ""),
    )
    .await;
    assert_eq!(
        preview.body,
        r#"{"amount":100.10,"fee":2.05,"netAmount":98.05}"#
    );

    let first = send(&sandbox, &withdrawal(&token, "k-1")).await;
    assert_eq!(
        (first.status, first.header("content-type")),
        (201, Some("application/json"))
    );
    assert!(first.body.contains(r#""amount":100.10,"#), "{}", first.body);
    assert_eq!(
        send(&sandbox, &withdrawal(&token, "k-1")).await.body,
        first.body
    );

    let ledger_response = send(
        &sandbox,
        &http_request("GET", "127.0.0.1", "/_sandbox/ledger", &[], ""),
    )
    .await;
    let ledger: Ledger = serde_json::from_str(&ledger_response.body).unwrap();
    assert_eq!(ledger, sandbox.control().ledger());
    assert_eq!(
        (
            ledger.payouts.len(),
            ledger.requests.len(),
            ledger.links.len()
        ),
        (1, 2, 1)
    );
    assert_eq!(ledger.payouts[0].body.0, WITHDRAWAL_BODY.as_bytes());
    assert!(ledger_response.body.contains(r#""balance": 4899.90"#));
    sandbox.shutdown().await;
}

#[tokio::test]
async fn unsupported_requests_return_client_errors() {
    let sandbox = start_sandbox().await;
    let path = BankOperation::Withdrawal.method_and_path().1;
    let wrong_method = send(&sandbox, &http_request("GET", "127.0.0.1", path, &[], "")).await;
    assert_eq!(
        (wrong_method.status, wrong_method.header("allow")),
        (405, Some("POST"))
    );
    let unknown = send(
        &sandbox,
        &http_request("GET", "127.0.0.1", "/api/v1/nothing", &[], ""),
    )
    .await;
    assert_eq!(unknown.status, 404);
    assert!(unknown.json()["message"].is_string());
    let huge = "x".repeat(64 * 1024 + 1);
    assert_eq!(
        send(&sandbox, &api_request(BankOperation::Login, "", &[], &huge))
            .await
            .status,
        413
    );
    let two_keys = [("Idempotency-Key", "a"), ("Idempotency-Key", "b")];
    let token = log_in(&sandbox).await;
    let response = send(
        &sandbox,
        &api_request(
            BankOperation::Withdrawal,
            &token,
            &two_keys,
            WITHDRAWAL_BODY,
        ),
    )
    .await;
    assert_eq!(response.status, 400);
    assert!(sandbox.control().ledger().payouts.is_empty());
}

#[tokio::test]
async fn checkout_on_sellers_host_pays_once() {
    let sandbox = start_sandbox().await;
    let mut notices = sandbox.control().subscribe_payments();
    let (_, path) = create_link(&sandbox, "Bolo <b>de</b> fubá").await;
    let host = format!("Loja-Da-Ana.localhost:{}", sandbox.address().port());
    let page = send(&sandbox, &http_request("GET", &host, &path, &[], "")).await;
    assert_eq!(page.status, 200);
    assert!(
        page.body.contains("Bolo &lt;b&gt;de&lt;/b&gt; fubá") && page.body.contains("R$ 10,10")
    );
    assert!(
        page.header("content-security-policy")
            .unwrap()
            .starts_with("default-src 'none'")
    );

    let form = [("Content-Type", "application/x-www-form-urlencoded")];
    let paid = send(&sandbox, &http_request("POST", &host, &path, &form, "")).await;
    assert_eq!(
        (paid.status, paid.header("location")),
        (303, Some(path.as_str()))
    );
    let again = send(&sandbox, &http_request("POST", &host, &path, &form, "")).await;
    assert_eq!(again.status, 303);
    assert!(
        send(&sandbox, &http_request("GET", &host, &path, &[], ""))
            .await
            .body
            .contains("confirmado")
    );
    assert_eq!(sandbox.control().ledger().payments.len(), 1);
    let notice = notices.try_recv().unwrap();
    assert_eq!(
        (notice.of, format!("/checkout/link-{}", notice.id)),
        (PaidItem::Link, path)
    );
    assert!(notices.try_recv().is_err(), "one payment, one notice");
}

#[tokio::test]
async fn a_checkout_is_found_on_its_own_host_only() {
    let sandbox = start_sandbox().await;
    let (_, path) = create_link(&sandbox, "Bolo").await;
    for host in ["127.0.0.1", "localhost", "atelie-da-ana.localhost"] {
        assert_eq!(
            send(&sandbox, &http_request("GET", host, &path, &[], ""))
                .await
                .status,
            404,
            "{host}"
        );
        assert_eq!(
            send(&sandbox, &http_request("POST", host, &path, &[], ""))
                .await
                .status,
            404,
            "{host}"
        );
    }
    for wrong in [
        "/checkout/link-zzzzzz",
        "/checkout/",
        "/",
        "/api/v1/api-auth/login",
    ] {
        assert_eq!(
            send(&sandbox, &http_request("GET", SHOP_HOST, wrong, &[], ""))
                .await
                .status,
            404,
            "{wrong}"
        );
    }
    assert!(sandbox.control().ledger().payments.is_empty());
}

#[tokio::test]
async fn a_checkout_on_an_inactive_domain_is_blocked() {
    let sandbox = start_sandbox().await;
    let (url, path) = create_link(&sandbox, "Bolo").await;
    let control = sandbox.control();
    control
        .set_domain(SHOP_HOST, DomainSetup::DnsPending)
        .unwrap();
    let page = send(&sandbox, &http_request("GET", SHOP_HOST, &path, &[], "")).await;
    assert_eq!((page.status, page.body.contains("<button")), (403, false));
    assert_eq!(
        send(&sandbox, &http_request("POST", SHOP_HOST, &path, &[], ""))
            .await
            .status,
        403
    );
    assert_eq!(
        control.checkout_page(&url).unwrap().state,
        CheckoutState::Blocked
    );
    assert!(matches!(
        control.pay_link(&url),
        Err(ControlError::NotPaid(NotPaid::Blocked))
    ));
    assert!(control.ledger().payments.is_empty());
    control.set_domain(SHOP_HOST, DomainSetup::Active).unwrap();
    assert!(control.pay_link(&url).is_ok());
}

#[tokio::test]
async fn drop_after_acts_and_sends_no_byte() {
    let (sandbox, token) = logged_in().await;
    arm(&sandbox, Fault::DropAfter, BankOperation::Withdrawal);
    let answer = exchange(&sandbox, withdrawal(&token, "k-1").as_bytes()).await;
    assert_eq!(answer.unwrap_or_default(), b"");
    let ledger = sandbox.control().ledger();
    assert_eq!(
        (ledger.payouts.len(), ledger.payouts[0].key.as_str()),
        (1, "k-1")
    );
    // A request with the same key returns the lost reply without a second payout.
    assert_eq!(send(&sandbox, &withdrawal(&token, "k-1")).await.status, 201);
    assert_eq!(sandbox.control().ledger().payouts.len(), 1);
}

#[tokio::test]
async fn drop_after_sends_nothing_on_a_reused_connection() {
    let (sandbox, token) = logged_in().await;
    let request = withdrawal(&token, "k-1").replace("Connection: close\r\n", "");
    let mut stream = TcpStream::connect(sandbox.address()).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut first = vec![0; 4096];
    let read = stream.read(&mut first).await.unwrap();
    assert!(first[..read].starts_with(b"HTTP/1.1 201"));
    arm(&sandbox, Fault::DropAfter, BankOperation::Withdrawal);
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut rest = Vec::new();
    let end = tokio::time::timeout(TEST_TIMEOUT, stream.read_to_end(&mut rest))
        .await
        .unwrap();
    assert!(end.is_err() || rest.is_empty(), "{rest:?}");
    assert_eq!(sandbox.control().ledger().requests.len(), 2);
}

#[tokio::test]
async fn drop_before_never_reaches_the_bank() {
    let (sandbox, token) = logged_in().await;
    arm(&sandbox, Fault::DropBefore, BankOperation::Withdrawal);
    let answer = exchange(&sandbox, withdrawal(&token, "k-1").as_bytes()).await;
    assert_eq!(answer.unwrap_or_default(), b"");
    let ledger = sandbox.control().ledger();
    assert!(ledger.payouts.is_empty());
    assert_eq!(ledger.requests[0].outcome, RequestOutcome::NeverSeen);
    assert_eq!(
        (ledger.requests[0].key.as_deref(), ledger.requests[0].status),
        (Some("k-1"), None)
    );
    assert_eq!(send(&sandbox, &withdrawal(&token, "k-1")).await.status, 201);
}

#[tokio::test]
async fn permanent_refuse_closes_port_until_disarmed() {
    let sandbox = start_sandbox().await;
    let control = sandbox.control();
    let login =
        api_request(BankOperation::Login, "", &[], "{}").replace("Connection: close\r\n", "");
    let mut open_connection = TcpStream::connect(sandbox.address()).await.unwrap();
    open_connection.write_all(login.as_bytes()).await.unwrap();
    assert!(open_connection.read(&mut [0; 4096]).await.unwrap() > 0);

    control
        .arm(Fault::Refuse, Scope::Any, Times::Always)
        .unwrap();
    let error = TcpStream::connect(sandbox.address()).await.unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::ConnectionRefused);
    // An open connection is closed as soon as a request arrives on it.
    open_connection.write_all(login.as_bytes()).await.unwrap();
    let end = tokio::time::timeout(TEST_TIMEOUT, open_connection.read(&mut [0; 4096]))
        .await
        .unwrap();
    assert!(matches!(end, Ok(0) | Err(_)));

    control.disarm_all().unwrap();
    log_in(&sandbox).await;
}

#[tokio::test]
async fn refuse_fault_resets_given_number_of_connections() {
    let sandbox = start_sandbox().await;
    sandbox
        .control()
        .arm(Fault::Refuse, Scope::Any, Times::Next(2))
        .unwrap();
    for _ in 0..2 {
        let answer = exchange(
            &sandbox,
            api_request(BankOperation::Login, "", &[], "{}").as_bytes(),
        )
        .await;
        assert_eq!(answer.unwrap_or_default(), b"");
    }
    log_in(&sandbox).await;
}

#[tokio::test]
async fn answer_fault_replaces_the_reply_of_the_bank() {
    let (sandbox, token) = logged_in().await;
    arm(&sandbox, Fault::status(500), BankOperation::Withdrawal);
    arm(&sandbox, Fault::status(503), Scope::Any);
    let bank_acts = Fault::Answer {
        status: 502,
        body: Some("<html>".to_owned()),
        content_type: Some("text/html".to_owned()),
        bank_acts: true,
    };
    arm(&sandbox, bank_acts, BankOperation::Withdrawal);
    assert_eq!(send(&sandbox, &withdrawal(&token, "k-1")).await.status, 500);
    assert_eq!(send(&sandbox, &withdrawal(&token, "k-1")).await.status, 503);
    assert!(sandbox.control().ledger().payouts.is_empty());
    let response = send(&sandbox, &withdrawal(&token, "k-1")).await;
    assert_eq!((response.status, response.body.as_str()), (502, "<html>"));
    assert_eq!(response.header("content-type"), Some("text/html"));
    assert_eq!(sandbox.control().ledger().payouts.len(), 1);
    assert!(sandbox.control().armed().is_empty());
}

#[tokio::test]
async fn key_and_path_faults_send_their_reply() {
    let (sandbox, token) = logged_in().await;
    let elsewhere = "/api/v2/integrations/withdrawals";
    for (fault, status, header, payouts) in [
        (Fault::TooManyRequests, 429, Some(("retry-after", "5")), 0),
        (Fault::Redirect, 307, Some(("location", elsewhere)), 0),
        (Fault::KeyReused, 422, None, 0),
        (Fault::KeyBusy, 409, None, 1),
    ] {
        arm(&sandbox, fault, BankOperation::Withdrawal);
        let response = send(&sandbox, &withdrawal(&token, "k-1")).await;
        assert_eq!(response.status, status);
        assert!(response.json()["message"].is_string(), "{}", response.body);
        if let Some((name, value)) = header {
            assert_eq!(response.header(name), Some(value));
        }
        assert_eq!(
            sandbox.control().ledger().payouts.len(),
            payouts,
            "{status}"
        );
    }
    assert_eq!(send(&sandbox, &withdrawal(&token, "k-1")).await.status, 201);
}

#[tokio::test]
async fn answered_requests_are_reported_with_outcome() {
    let sandbox = start_sandbox().await;
    let mut finished = sandbox.control().finished_requests();
    let token = log_in(&sandbox).await;
    let request = withdrawal(&token, "k-1");
    let expected = |operation, is_success, fault| {
        Ok(FinishedRequest {
            operation,
            is_success,
            fault,
        })
    };
    assert_eq!(
        finished.try_recv(),
        expected(BankOperation::Login, true, None)
    );
    // The first fault drops the request before it reaches the bank, the second only the reply.
    for (fault, is_success) in [(Fault::DropBefore, false), (Fault::DropAfter, true)] {
        arm(&sandbox, fault.clone(), BankOperation::Withdrawal);
        assert_eq!(
            exchange(&sandbox, request.as_bytes())
                .await
                .unwrap_or_default(),
            b""
        );
        let expected = expected(BankOperation::Withdrawal, is_success, Some(fault));
        assert_eq!(finished.try_recv(), expected);
    }
    assert_eq!(
        send(&sandbox, &withdrawal("nobody", "k-2")).await.status,
        401
    );
    assert_eq!(
        finished.try_recv(),
        expected(BankOperation::Withdrawal, false, None)
    );
    assert!(finished.try_recv().is_err());
}

#[tokio::test]
async fn request_is_reported_after_answer_or_disconnect() {
    let (sandbox, token) = logged_in().await;
    let mut finished = sandbox.control().finished_requests();
    arm(
        &sandbox,
        Fault::Delay(Duration::from_secs(3600)),
        BankOperation::Withdrawal,
    );
    let request = withdrawal(&token, "k-1");
    let exchange = exchange(&sandbox, request.as_bytes());
    let mut processed = sandbox.control().subscribe_requests();
    let processing = async { assert_eq!(processed.recv().await, Ok(BankOperation::Withdrawal)) };
    tokio::select! {
        _ = exchange => panic!("it takes an hour"),
        () = processing => assert!(finished.try_recv().is_err(), "its answer is to come"),
    }
    // `select` has dropped the future `exchange`, so the client has disconnected.
    let report = finished.recv().await.unwrap();
    assert!(
        report.is_success && report.operation == BankOperation::Withdrawal,
        "{report:?}"
    );
}

#[tokio::test]
async fn damaged_reply_is_sent_after_the_bank_acted() {
    let (sandbox, token) = logged_in().await;
    arm(&sandbox, Fault::TruncatedJson, BankOperation::Withdrawal);
    let truncated = send(&sandbox, &withdrawal(&token, "k-1")).await;
    assert_eq!(truncated.status, 201);
    assert!(serde_json::from_str::<Value>(&truncated.body).is_err());

    arm(&sandbox, Fault::WrongContentType, BankOperation::Withdrawal);
    let page = send(&sandbox, &withdrawal(&token, "k-1")).await;
    assert_eq!(
        (page.status, page.header("content-type")),
        (201, Some("text/html"))
    );

    arm(&sandbox, Fault::OtherAmount, BankOperation::Withdrawal);
    let other = send(&sandbox, &withdrawal(&token, "k-1")).await;
    assert_eq!(other.json()["amount"].to_string(), "101.10");
    assert_eq!(
        sandbox.control().ledger().payouts[0].amount.to_string(),
        "100.10"
    );
    assert_eq!(sandbox.control().ledger().payouts.len(), 1);
}

#[tokio::test]
async fn delay_fault_delays_only_the_reply() {
    let (sandbox, token) = logged_in().await;
    let wait = Duration::from_millis(120);
    arm(&sandbox, Fault::Delay(wait), BankOperation::Withdrawal);
    let start = tokio::time::Instant::now();
    assert_eq!(send(&sandbox, &withdrawal(&token, "k-1")).await.status, 201);
    assert!(start.elapsed() >= wait);
    // A delayed reply must not delay the shutdown.
    arm(
        &sandbox,
        Fault::Delay(Duration::from_secs(3600)),
        BankOperation::Withdrawal,
    );
    let control = sandbox.control();
    let mut stream = TcpStream::connect(sandbox.address()).await.unwrap();
    stream
        .write_all(withdrawal(&token, "k-2").as_bytes())
        .await
        .unwrap();
    let paid = async {
        while control.ledger().payouts.len() < 2 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(TEST_TIMEOUT, paid).await.unwrap();
    sandbox.shutdown().await;
    let mut answer = Vec::new();
    let end = tokio::time::timeout(TEST_TIMEOUT, stream.read_to_end(&mut answer))
        .await
        .unwrap();
    assert!(end.is_err() || answer.is_empty());
}

#[tokio::test]
async fn an_expired_token_needs_a_new_login() {
    let (sandbox, token) = logged_in().await;
    arm(&sandbox, Fault::ExpiredToken, BankOperation::Withdrawal);
    for _ in 0..2 {
        let response = send(&sandbox, &withdrawal(&token, "k-1")).await;
        assert_eq!(response.status, 401);
        assert!(response.body.contains("expirado"));
    }
    let new_token = log_in(&sandbox).await;
    assert_eq!(
        send(&sandbox, &withdrawal(&new_token, "k-1")).await.status,
        201
    );
    let jwt = sandbox.control().jwt().unwrap();
    assert_eq!(jwt, sandbox.jwt(), "the JWT did not expire with it");
    sandbox.control().expire_tokens().unwrap();
    assert_eq!(
        send(&sandbox, &withdrawal(&new_token, "k-2")).await.status,
        401
    );
    assert_ne!(sandbox.control().jwt().unwrap(), jwt);
}

#[tokio::test]
async fn tokens_expire_by_the_given_clock() {
    let now = Arc::new(AtomicI64::new(784_111_777_000));
    let clock_ms = Arc::clone(&now);
    let clock: TimeSource = Arc::new(move || Moment(clock_ms.load(Ordering::SeqCst)));
    let sandbox = start(Options {
        clock,
        ..Options::default()
    })
    .await
    .unwrap();
    let token = log_in(&sandbox).await;
    let response = send(&sandbox, &withdrawal(&token, "k-1")).await;
    assert_eq!(
        (response.status, response.header("date")),
        (201, Some("Sun, 06 Nov 1994 08:49:37 GMT"))
    );
    assert!(response.body.contains("1994-11-06T08:49:37Z"));
    now.fetch_add(24 * 3600 * 1000, Ordering::SeqCst);
    assert_eq!(send(&sandbox, &withdrawal(&token, "k-2")).await.status, 401);
}

#[tokio::test]
async fn faults_can_be_armed_at_start_and_over_http() {
    let faults = faults::read_toml("[[fault]]\nfault = \"status\"\nstatus = 500\n").unwrap();
    let sandbox = start(Options {
        faults,
        ..Options::default()
    })
    .await
    .unwrap();
    assert_eq!(
        send(&sandbox, &api_request(BankOperation::Login, "", &[], "{}"))
            .await
            .status,
        500
    );
    let json = [("Content-Type", "application/json")];
    let post = |headers: &[(&str, &str)], body: &str| {
        http_request("POST", "127.0.0.1", "/_sandbox/faults", headers, body)
    };
    let rule = r#"{"fault":"status","status":503,"operation":"login","times":"always"}"#;
    assert_eq!(send(&sandbox, &post(&[], rule)).await.status, 415);
    let response = send(&sandbox, &post(&json, r#"{"fault":"drop"}"#)).await;
    assert_eq!(response.status, 400);
    assert!(response.body.contains("drop_after"), "{}", response.body);
    assert!(sandbox.control().armed().is_empty());

    assert_eq!(send(&sandbox, &post(&json, rule)).await.status, 204);
    assert_eq!(
        send(&sandbox, &api_request(BankOperation::Login, "", &[], "{}"))
            .await
            .status,
        503
    );
    let clear = http_request("DELETE", "127.0.0.1", "/_sandbox/faults", &[], "");
    assert_eq!(send(&sandbox, &clear).await.status, 204);
    log_in(&sandbox).await;
}

#[tokio::test]
async fn direct_payment_can_be_paid_over_http() {
    let sandbox = start_sandbox().await;
    let mut notices = sandbox.control().subscribe_payments();
    let body = r#"{"amount":5,"description":"x","paymentMethod":"pix","customer":{"name":"Bia",
                   "document":{"number":"52998224725","type":"cpf"}}}"#;
    let response = send(
        &sandbox,
        &api_request(BankOperation::DirectPayment, sandbox.jwt(), &[], body),
    )
    .await;
    assert_eq!(response.status, 201, "{}", response.body);
    let path = format!(
        "/_sandbox/charges/{}/pay",
        response.json()["id"].as_str().unwrap()
    );
    assert_eq!(
        send(&sandbox, &http_request("POST", "127.0.0.1", &path, &[], ""))
            .await
            .status,
        204
    );
    assert_eq!(
        send(&sandbox, &http_request("POST", "127.0.0.1", &path, &[], ""))
            .await
            .status,
        400
    );
    assert_eq!(notices.try_recv().unwrap().of, PaidItem::Charge);
}

#[tokio::test]
async fn payments_request_waits_for_a_payment() {
    let sandbox = start_sandbox().await;
    let body = r#"{"amount":5,"description":"x"}"#;
    let response = send(
        &sandbox,
        &api_request(BankOperation::CreateLink, sandbox.jwt(), &[], body),
    )
    .await;
    let url = response.json()["url"].as_str().unwrap().to_owned();
    let payments_request = |query: &str| {
        http_request(
            "GET",
            "127.0.0.1",
            &format!("/_sandbox/payments{query}"),
            &[],
            "",
        )
    };
    let current = send(&sandbox, &payments_request("")).await.json();
    assert_eq!(current, serde_json::json!({ "payments": 0, "links": [] }));
    let control = sandbox.control();
    let wait_for_receiver = async || {
        while control.0.payment_count.receiver_count() == 0 {
            tokio::task::yield_now().await;
        }
    };
    let request = payments_request("?than=0");
    let (response, ()) = tokio::join!(send(&sandbox, &request), async {
        wait_for_receiver().await;
        control.pay_link(&url).unwrap();
    });
    assert_eq!(
        response.json(),
        serde_json::json!({ "payments": 1, "links": [url] })
    );
    // Closing the sandbox ends the request that is still waiting for a payment.
    let request = payments_request("?than=1");
    let (response, ()) = tokio::join!(send(&sandbox, &request), async {
        wait_for_receiver().await;
        control.0.closing.send_replace(true);
    });
    assert_eq!(response.status, 503);
}

#[tokio::test]
async fn data_file_restores_the_whole_state() {
    let directory = tempfile::tempdir().unwrap();
    let data = Some(directory.path().join("bank.json"));
    let first = start(Options {
        data_file: data.clone(),
        ..Options::default()
    })
    .await
    .unwrap();
    let token = log_in(&first).await;
    let reply = send(&first, &withdrawal(&token, "k-1")).await;
    let jwt = first.jwt().to_owned();
    let ledger = first.control().ledger();
    first.shutdown().await;

    let second = start(Options {
        data_file: data.clone(),
        ..Options::default()
    });
    let second = tokio::time::timeout(TEST_TIMEOUT, second)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        (second.jwt(), second.control().ledger()),
        (jwt.as_str(), ledger)
    );
    assert_eq!(
        send(&second, &withdrawal(&token, "k-1")).await.body,
        reply.body
    );
    assert_eq!(second.control().ledger().payouts.len(), 1);
    let busy = start(Options {
        data_file: data,
        ..Options::default()
    })
    .await
    .err()
    .unwrap();
    assert!(matches!(busy, StartError::Records(StoreError::Busy(_))));
}

#[tokio::test]
async fn unsaved_change_is_rolled_back() {
    let directory = tempfile::tempdir().unwrap();
    let home = directory.path().join("home");
    std::fs::create_dir(&home).unwrap();
    let data = Some(home.join("bank.json"));
    let sandbox = start(Options {
        data_file: data,
        ..Options::default()
    })
    .await
    .unwrap();
    let token = log_in(&sandbox).await;
    std::fs::rename(&home, directory.path().join("moved")).unwrap();
    let response = send(&sandbox, &withdrawal(&token, "k-1")).await;
    assert_eq!(response.status, 500);
    assert!(sandbox.control().ledger().payouts.is_empty());
    let result = sandbox
        .control()
        .set_domain("nova.localhost", DomainSetup::Active);
    assert!(matches!(result, Err(ControlError::NotSaved(_))));
    std::fs::rename(directory.path().join("moved"), &home).unwrap();
    assert_eq!(send(&sandbox, &withdrawal(&token, "k-1")).await.status, 201);
}

#[tokio::test]
async fn address_beyond_loopback_must_be_allowed() {
    let listen: SocketAddr = "0.0.0.0:0".parse().unwrap();
    let error = start(Options {
        listen,
        ..Options::default()
    })
    .await
    .err()
    .unwrap();
    assert!(matches!(error, StartError::BeyondLoopback(_)));
    let allowed = Options {
        listen,
        allows_other_machines: true,
        ..Options::default()
    };
    assert!(start(allowed).await.is_ok());
    let sandbox = start_sandbox().await;
    let same_port = Options {
        listen: sandbox.address(),
        ..Options::default()
    };
    assert!(matches!(
        start(same_port).await.err(),
        Some(StartError::Listen(..))
    ));
}

/// This test has its own IP address, so that no other test takes the port when it is freed.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn shutdown_frees_the_port() {
    let listen = "127.0.0.77:0".parse().unwrap();
    let sandbox = start(Options {
        listen,
        ..Options::default()
    })
    .await
    .unwrap();
    let address = sandbox.address();
    let control = sandbox.control();
    let idle = TcpStream::connect(address).await.unwrap();
    sandbox.shutdown().await;
    control.disarm_all().unwrap();
    let error = TcpStream::connect(address).await.unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::ConnectionRefused);
    drop(idle);
}
