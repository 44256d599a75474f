//! Tests of all the ways in which a request can end, each with the failure that it causes.

use tokio::net::TcpSocket;

use super::*;
use crate::trade::NoAnswer;

const JWT: CredentialKind = CredentialKind::Jwt;

/// Requests the list of checkout domains from a server.
async fn request_domains(
    recorder: &RecordingClient,
    base: &BaseUrl,
) -> Result<Vec<crate::trade::CheckoutDomain>, Failure> {
    let service = recorder.service(base, "");
    let secret = Secret::new("jwt-of-ana".into());
    let credential = BoundCredential {
        kind: JWT,
        origin: base.origin(),
        secret: &secret,
    };
    service.domains(credential).await.map(|list| list.domains)
}

/// Requests the list of checkout domains, which must fail, and returns the failure.
pub(super) async fn request_failure(recorder: &RecordingClient, base: &BaseUrl) -> Failure {
    request_domains(recorder, base).await.unwrap_err()
}

async fn failure_of_script(script: ServerScript) -> Failure {
    let server = Server::start(script).await;
    let failure = request_failure(&RecordingClient::new(), &server.base).await;
    assert_eq!(server.requests().len(), 1, "nothing is ever sent twice");
    failure
}

const HEAD: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n[";

#[tokio::test]
async fn cut_after_first_byte_is_no_answer() {
    let cut = Failure::NoAnswer(NoAnswer::Cut);
    assert_eq!(failure_of_script(ServerScript::CloseUnread).await, cut);
    assert_eq!(failure_of_script(ServerScript::ResetAtFirstByte).await, cut);
    assert_eq!(
        failure_of_script(ServerScript::Answer(Vec::new())).await,
        cut
    );
    assert_eq!(
        failure_of_script(ServerScript::AnswerThenReset(Vec::new())).await,
        cut
    );
    assert_eq!(
        failure_of_script(ServerScript::Answer(b"HTTP/1.1 20".to_vec())).await,
        cut
    );
    assert_eq!(
        failure_of_script(ServerScript::Answer(HEAD.to_vec())).await,
        cut
    );
    assert_eq!(
        failure_of_script(ServerScript::AnswerThenReset(HEAD.to_vec())).await,
        cut
    );
    let chunked = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n[]\r\n";
    assert_eq!(
        failure_of_script(ServerScript::Answer(chunked.to_vec())).await,
        cut
    );
}

#[tokio::test]
async fn total_timeout_applies_before_and_in_a_reply() {
    let timeout = Failure::NoAnswer(NoAnswer::Timeout);
    for script in [
        ServerScript::Silent,
        ServerScript::AnswerThenStall(HEAD.to_vec()),
    ] {
        let server = Server::start(script).await;
        assert_eq!(
            request_failure(
                &RecordingClient::with_limits(short_timeout(150)),
                &server.base
            )
            .await,
            timeout
        );
    }
}

#[tokio::test]
async fn failure_before_connection_is_not_sent() {
    // Bind the port without listening. Connecting then fails, and no other program can take the
    // port.
    let bound_socket = TcpSocket::new_v4().unwrap();
    bound_socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let closed_url = format!("http://{}", bound_socket.local_addr().unwrap());
    let failure = request_failure(
        &RecordingClient::new(),
        &BaseUrl::parse(&closed_url).unwrap(),
    )
    .await;
    assert_eq!(failure, Failure::NotSent(NotSent::Connect));
    // This host does not exist. Without a name server, the lookup ends at the connect timeout.
    let unknown_host = BaseUrl::parse("https://nowhere.invalid").unwrap();
    let limits = Limits {
        connect_timeout: Duration::from_secs(1),
        ..Limits::default()
    };
    let failure = request_failure(&RecordingClient::with_limits(limits), &unknown_host).await;
    assert!(
        matches!(failure, Failure::NotSent(NotSent::Dns | NotSent::Connect)),
        "{failure:?}"
    );
}

fn https_url(server: &Server) -> BaseUrl {
    BaseUrl::parse(&server.base.as_str().replace("http:", "https:")).unwrap()
}

#[tokio::test]
async fn host_without_tls_receives_no_credential() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("https://{}", listener.local_addr().unwrap());
    let server = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        stream
            .write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            .await
            .unwrap();
        read_request(&mut stream).await
    });
    let base = BaseUrl::parse(&base).unwrap();
    assert_eq!(
        request_failure(&RecordingClient::new(), &base).await,
        Failure::NotSent(NotSent::Tls)
    );
    assert!(!server.await.unwrap().contains("jwt-of-ana"));
}

#[tokio::test]
async fn silent_tls_handshake_ends_at_connect_deadline() {
    let server = Server::start(ServerScript::Silent).await;
    let limits = Limits {
        connect_timeout: Duration::from_millis(150),
        ..Limits::default()
    };
    let failure = request_failure(&RecordingClient::with_limits(limits), &https_url(&server)).await;
    assert_eq!(failure, Failure::NotSent(NotSent::Connect));
}

#[tokio::test]
async fn reply_over_the_size_limit_is_too_large() {
    let too_large = Failure::NoAnswer(NoAnswer::TooLarge);
    assert_eq!(failure_of_script(ServerScript::Endless).await, too_large);
    // The announced body is too large, so the client does not wait for it.
    let announced_too_large = b"HTTP/1.1 200 OK\r\ncontent-length: 99999999999\r\n\r\n".to_vec();
    assert_eq!(
        failure_of_script(ServerScript::AnswerThenStall(announced_too_large)).await,
        too_large
    );
    let largest = format!("[\"{}\"]", "a".repeat(2 * 1024 * 1024 - 4));
    let server = Server::with_reply("200 OK", "", &largest).await;
    assert_eq!(
        request_domains(&RecordingClient::new(), &server.base)
            .await
            .unwrap()
            .len(),
        1
    );
}

#[tokio::test]
async fn redirect_is_reported_and_not_followed() {
    let target = Server::with_reply("200 OK", "", "[]").await;
    for status in [
        "301 Moved",
        "302 Found",
        "303 See Other",
        "307 Temporary",
        "308 Permanent",
    ] {
        let location = format!("location: {}/x\r\n", target.base.as_str());
        let server = Server::with_reply(status, &location, "").await;
        let failure = request_failure(&RecordingClient::new(), &server.base).await;
        let Failure::Redirected {
            status: reported_status,
            location,
        } = failure
        else {
            panic!("{failure:?}")
        };
        assert_eq!(reported_status.to_string(), status[..3]);
        assert_eq!(
            location.unwrap().raw(),
            format!("{}/x", target.base.as_str())
        );
    }
    assert!(target.requests().is_empty());
}

#[tokio::test]
async fn credential_is_sent_only_to_its_origin() {
    let server = Server::with_reply("200 OK", "", "[]").await;
    let recorder = RecordingClient::new();
    let service = recorder.service(&server.base, "");
    let secret = Secret::new("jwt-of-ana".into());
    let own = server.base.origin().clone();
    let other = Origin("https://other.example".into());
    let other_port = Origin("http://127.0.0.1".into());
    let empty = Secret::new(String::new());
    let with_newline = Secret::new("a\r\nb: c".into());
    for (kind, origin, secret, failure) in [
        (
            JWT,
            &other,
            &secret,
            Failure::NotSent(NotSent::OtherAccount),
        ),
        (
            JWT,
            &other_port,
            &secret,
            Failure::NotSent(NotSent::OtherAccount),
        ),
        (
            CredentialKind::ApiToken,
            &own,
            &secret,
            Failure::NoCredential(JWT),
        ),
        (JWT, &own, &empty, Failure::NoCredential(JWT)),
        (JWT, &own, &with_newline, Failure::NoCredential(JWT)),
    ] {
        let credential = BoundCredential {
            kind,
            origin,
            secret,
        };
        assert_eq!(service.domains(credential).await.unwrap_err(), failure);
    }
    assert!(server.requests().is_empty());
}

#[tokio::test]
async fn encoded_reply_is_not_read() {
    let server = Server::with_reply("200 OK", "content-encoding: gzip\r\n", "[]").await;
    let failure = request_failure(&RecordingClient::new(), &server.base).await;
    assert_eq!(failure, Failure::NoAnswer(NoAnswer::Encoded));
}

#[tokio::test]
async fn unreadable_head_is_not_http() {
    let lines = |count| {
        (0..count)
            .map(|n| format!("x-{n}: 1\r\n"))
            .collect::<String>()
    };
    for head in [
        "SSH-2.0-x\r\n\r\n".into(),
        format!("HTTP/1.1 200 OK\r\n{}\r\n", lines(101)),
    ] {
        let failure = failure_of_script(ServerScript::Answer(head.into_bytes())).await;
        assert_eq!(failure, Failure::NoAnswer(NoAnswer::NotHttp));
    }
}

#[tokio::test]
async fn folded_header_is_read_as_one_line() {
    let folded = "x-policy: default-src\r\n 'self'\r\n\tdata:\r\n";
    let server = Server::with_reply("200 OK", folded, "[\"a.example\"]").await;
    let domains = request_domains(&RecordingClient::new(), &server.base)
        .await
        .unwrap();
    assert_eq!(domains[0].host, "a.example".into());
}

#[tokio::test]
async fn refusal_contains_the_service_message() {
    let body = r#"{"message":"Sem acesso jwt-of-ana","action":"Entre de novo"}"#;
    for (status, is_entry) in [("400 Bad", false), ("401 No", true), ("403 No", true)] {
        let server = Server::with_reply(status, "", body).await;
        let (refusal, entry) = match request_failure(&RecordingClient::new(), &server.base).await {
            Failure::Refused(refusal) => (refusal, false),
            Failure::Unauthorized {
                credential: Some(JWT),
                refusal,
            } => (refusal, true),
            other => panic!("{other:?}"),
        };
        assert_eq!(
            (refusal.status.to_string().as_str(), entry),
            (&status[..3], is_entry)
        );
        assert_eq!(refusal.message.unwrap().shown(), "Sem acesso …");
        assert_eq!(refusal.hint.unwrap().raw(), "Entre de novo");
    }
    let server = Server::with_reply("503 Busy", "", "<html>").await;
    let failure = request_failure(&RecordingClient::new(), &server.base).await;
    assert_eq!(failure.may_have_acted(), crate::trade::MoneyMoved::Maybe);
}

#[tokio::test]
async fn no_connection_is_used_twice() {
    // The server keeps each connection open after its reply. A client could therefore reuse the
    // connection, but must not.
    let server = Server::start(ServerScript::AnswerThenStall(http_reply(
        "200 OK", "", "[]",
    )))
    .await;
    let recorder = RecordingClient::new();
    for _ in 0..3 {
        assert_eq!(
            request_domains(&recorder, &server.base).await,
            Ok(Vec::new())
        );
    }
    assert_eq!(server.requests().len(), 3);
}
