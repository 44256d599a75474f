//! Tests of all the ways in which a request can end, each with the failure that it causes.

use tokio::net::TcpSocket;

use super::*;
use crate::trade::NoAnswer;

const JWT: CredentialKind = CredentialKind::Jwt;

/// Requests the list of checkout domains from a server.
async fn domains_with(
    watched: &Watched,
    base: &BaseUrl,
) -> Result<Vec<crate::trade::CheckoutDomain>, Failure> {
    let service = watched.service(base, "");
    let secret = Secret::new("jwt-of-ana".into());
    let credential = BoundCredential { kind: JWT, origin: base.origin(), secret: &secret };
    service.domains(credential).await
}

/// Requests the list of checkout domains, which must fail, and returns the failure.
pub(super) async fn failure_with(watched: &Watched, base: &BaseUrl) -> Failure {
    domains_with(watched, base).await.unwrap_err()
}

async fn failure_of(script: ServerScript) -> Failure {
    let server = Server::start(script).await;
    let failure = failure_with(&Watched::new(), &server.base).await;
    assert_eq!(server.requests().len(), 1, "nothing is ever sent twice");
    failure
}

const HEAD: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n[";

#[tokio::test]
async fn cut_after_first_byte_is_no_answer() {
    let cut = Failure::NoAnswer(NoAnswer::Cut);
    assert_eq!(failure_of(ServerScript::CloseUnread).await, cut);
    assert_eq!(failure_of(ServerScript::ResetAtFirstByte).await, cut);
    assert_eq!(failure_of(ServerScript::Answer(Vec::new())).await, cut);
    assert_eq!(failure_of(ServerScript::AnswerThenReset(Vec::new())).await, cut);
    assert_eq!(failure_of(ServerScript::Answer(b"HTTP/1.1 20".to_vec())).await, cut);
    assert_eq!(failure_of(ServerScript::Answer(HEAD.to_vec())).await, cut);
    assert_eq!(failure_of(ServerScript::AnswerThenReset(HEAD.to_vec())).await, cut);
    let chunked = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n[]\r\n";
    assert_eq!(failure_of(ServerScript::Answer(chunked.to_vec())).await, cut);
}

#[tokio::test]
async fn the_total_deadline_holds_before_and_inside_a_reply() {
    let timeout = Failure::NoAnswer(NoAnswer::Timeout);
    for script in [ServerScript::Silent, ServerScript::AnswerThenStall(HEAD.to_vec())] {
        let server = Server::start(script).await;
        assert_eq!(failure_with(&Watched::with(short(150)), &server.base).await, timeout);
    }
}

#[tokio::test]
async fn failure_before_connection_is_not_sent() {
    // Bind the port without listening. Connecting then fails, and no other program can take the
    // port.
    let held = TcpSocket::new_v4().unwrap();
    held.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let closed = format!("http://{}", held.local_addr().unwrap());
    let refused = failure_with(&Watched::new(), &BaseUrl::parse(&closed).unwrap()).await;
    assert_eq!(refused, Failure::NotSent(NotSent::Connect));
    // This host does not exist. Without a name server, the lookup ends at the connect timeout.
    let unknown = BaseUrl::parse("https://nowhere.invalid").unwrap();
    let limits = Limits { connect: Duration::from_secs(1), ..Limits::default() };
    let failure = failure_with(&Watched::with(limits), &unknown).await;
    assert!(matches!(failure, Failure::NotSent(NotSent::Dns | NotSent::Connect)), "{failure:?}");
}

fn encrypted(server: &Server) -> BaseUrl {
    BaseUrl::parse(&server.base.as_str().replace("http:", "https:")).unwrap()
}

#[tokio::test]
async fn a_host_that_cannot_prove_who_it_is_hears_nothing() {
    let speaks_first = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("https://{}", speaks_first.local_addr().unwrap());
    let server = tokio::spawn(async move {
        let (mut stream, _) = speaks_first.accept().await.unwrap();
        stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await.unwrap();
        read_request(&mut stream).await
    });
    let base = BaseUrl::parse(&base).unwrap();
    assert_eq!(failure_with(&Watched::new(), &base).await, Failure::NotSent(NotSent::Tls));
    assert!(!server.await.unwrap().contains("jwt-of-ana"));
}

#[tokio::test]
async fn silent_tls_handshake_ends_at_connect_deadline() {
    let server = Server::start(ServerScript::Silent).await;
    let limits = Limits { connect: Duration::from_millis(150), ..Limits::default() };
    let failure = failure_with(&Watched::with(limits), &encrypted(&server)).await;
    assert_eq!(failure, Failure::NotSent(NotSent::Connect));
}

#[tokio::test]
async fn a_reply_is_read_only_so_far() {
    let too_large = Failure::NoAnswer(NoAnswer::TooLarge);
    assert_eq!(failure_of(ServerScript::Endless).await, too_large);
    // The announced body is too large, so the client does not wait for it.
    let announced = b"HTTP/1.1 200 OK\r\ncontent-length: 99999999999\r\n\r\n".to_vec();
    assert_eq!(failure_of(ServerScript::AnswerThenStall(announced)).await, too_large);
    let largest = format!("[\"{}\"]", "a".repeat(2 * 1024 * 1024 - 4));
    let server = Server::answering("200 OK", "", &largest).await;
    assert_eq!(domains_with(&Watched::new(), &server.base).await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_redirect_is_told_and_never_followed() {
    let elsewhere = Server::answering("200 OK", "", "[]").await;
    for status in ["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"] {
        let location = format!("location: {}/x\r\n", elsewhere.base.as_str());
        let server = Server::answering(status, &location, "").await;
        let failure = failure_with(&Watched::new(), &server.base).await;
        let Failure::Redirected { status: told, location } = failure else { panic!("{failure:?}") };
        assert_eq!(told.to_string(), status[..3]);
        assert_eq!(location.unwrap().raw(), format!("{}/x", elsewhere.base.as_str()));
    }
    assert!(elsewhere.requests().is_empty());
}

#[tokio::test]
async fn a_credential_only_goes_where_it_belongs() {
    let server = Server::answering("200 OK", "", "[]").await;
    let watched = Watched::new();
    let service = watched.service(&server.base, "");
    let secret = Secret::new("jwt-of-ana".into());
    let (own, other) = (server.base.origin().clone(), Origin("https://other.example".into()));
    let port = Origin("http://127.0.0.1".into());
    let (empty, broken) = (Secret::new(String::new()), Secret::new("a\r\nb: c".into()));
    for (kind, origin, secret, failure) in [
        (JWT, &other, &secret, Failure::NotSent(NotSent::OtherAccount)),
        (JWT, &port, &secret, Failure::NotSent(NotSent::OtherAccount)),
        (CredentialKind::ApiToken, &own, &secret, Failure::NoCredential(JWT)),
        (JWT, &own, &empty, Failure::NoCredential(JWT)),
        (JWT, &own, &broken, Failure::NoCredential(JWT)),
    ] {
        let credential = BoundCredential { kind, origin, secret };
        assert_eq!(service.domains(credential).await.unwrap_err(), failure);
    }
    assert!(server.requests().is_empty());
}

#[tokio::test]
async fn a_reply_that_is_encoded_is_not_read() {
    let server = Server::answering("200 OK", "content-encoding: gzip\r\n", "[]").await;
    let failure = failure_with(&Watched::new(), &server.base).await;
    assert_eq!(failure, Failure::NoAnswer(NoAnswer::Encoded));
}

#[tokio::test]
async fn head_that_cannot_be_read_is_named() {
    let lines = |count| (0..count).map(|n| format!("x-{n}: 1\r\n")).collect::<String>();
    for head in ["SSH-2.0-x\r\n\r\n".into(), format!("HTTP/1.1 200 OK\r\n{}\r\n", lines(101))] {
        let failure = failure_of(ServerScript::Answer(head.into_bytes())).await;
        assert_eq!(failure, Failure::NoAnswer(NoAnswer::NotHttp));
    }
}

#[tokio::test]
async fn folded_header_is_read_as_one_line() {
    let folded = "x-policy: default-src\r\n 'self'\r\n\tdata:\r\n";
    let server = Server::answering("200 OK", folded, "[\"a.example\"]").await;
    let domains = domains_with(&Watched::new(), &server.base).await.unwrap();
    assert_eq!(domains[0].host, "a.example".into());
}

#[tokio::test]
async fn a_refusal_comes_in_the_services_own_words() {
    let body = r#"{"message":"Sem acesso jwt-of-ana","action":"Entre de novo"}"#;
    for (status, is_entry) in [("400 Bad", false), ("401 No", true), ("403 No", true)] {
        let server = Server::answering(status, "", body).await;
        let (refusal, entry) = match failure_with(&Watched::new(), &server.base).await {
            Failure::Refused(refusal) => (refusal, false),
            Failure::Unauthorized { credential: Some(JWT), refusal } => (refusal, true),
            other => panic!("{other:?}"),
        };
        assert_eq!((refusal.status.to_string().as_str(), entry), (&status[..3], is_entry));
        assert_eq!(refusal.message.unwrap().raw(), "Sem acesso …");
        assert_eq!(refusal.hint.unwrap().raw(), "Entre de novo");
    }
    let server = Server::answering("503 Busy", "", "<html>").await;
    let failure = failure_with(&Watched::new(), &server.base).await;
    assert_eq!(failure.may_have_acted(), crate::trade::MoneyMoved::Maybe);
}

#[tokio::test]
async fn no_connection_is_used_twice() {
    // The server keeps each connection open after its reply. A client could therefore reuse the
    // connection, but must not.
    let server = Server::start(ServerScript::AnswerThenStall(answer("200 OK", "", "[]"))).await;
    let watched = Watched::new();
    for _ in 0..3 {
        assert_eq!(domains_with(&watched, &server.base).await, Ok(Vec::new()));
    }
    assert_eq!(server.requests().len(), 3);
}
