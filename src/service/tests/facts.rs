//! Tests of the facts that are recorded about a request, such as its headers, the length of the
//! reply's body, and the time for connecting.

use super::ends::request_failure;
use super::*;
use crate::service::withdrawal::tests::attempt_new_withdrawal;
use crate::trade::withdrawal::{Class, Unclear};
use crate::trade::{MaskedReply, NoAnswer, Untrusted};

/// Requests the list of checkout domains, which must fail. Returns the failure and the recorded
/// reply.
async fn request_failing(script: ServerScript, limits: Limits) -> (Failure, MaskedReply) {
    let server = Server::start(script).await;
    let recorder = RecordingClient::with_limits(limits);
    let failure = request_failure(&recorder, &server.base).await;
    (failure, recorder.exchange().reply.unwrap())
}

fn reply_with_length(length: usize, body: &str) -> Vec<u8> {
    format!("HTTP/1.1 200 OK\r\ncontent-length: {length}\r\n\r\n{body}").into_bytes()
}

mod body_end {
    use super::*;

    #[tokio::test]
    async fn large_body_keeps_only_its_beginning() {
        let body = "[".to_owned() + &"1,".repeat(1_500_000);
        let script = ServerScript::AnswerThenStall(reply_with_length(3_000_000, &body));
        let (failure, reply) = request_failing(script, Limits::default()).await;
        assert_eq!(failure, Failure::NoAnswer(NoAnswer::TooLarge));
        assert_eq!(
            (reply.end, reply.announced),
            (BodyEnd::TooLarge, Some(3_000_000))
        );
        assert_eq!(reply.received, 64 * 1024);
        assert_eq!(reply.body.raw(), &body[..64 * 1024]);
    }

    #[tokio::test]
    async fn large_body_that_stalls_is_not_waited_for() {
        let script = ServerScript::AnswerThenStall(reply_with_length(3_000_000, "[1,"));
        let (failure, reply) = request_failing(script, short_timeout(300)).await;
        assert_eq!(failure, Failure::NoAnswer(NoAnswer::TooLarge));
        assert_eq!(
            (reply.end, reply.received, reply.body.raw()),
            (BodyEnd::TooLarge, 3, "[1,")
        );
    }

    #[tokio::test]
    async fn large_body_gives_the_program_nothing() {
        // The received bytes are valid JSON. But they must not be used, because the announced body
        // is too large.
        let server = Server::start(ServerScript::Answer(reply_with_length(3_000_000, "{}"))).await;
        let http = crate::service::client::client_builder(&Limits::default(), None);
        let http = http.tls_certs_only([]).build().unwrap();
        let url = server.base.as_str().parse().unwrap();
        let request = reqwest::Request::new(reqwest::Method::GET, url);
        let sent = crate::service::send_condition::SendCondition::always().send(&http, request);
        let received = crate::service::exchange::read_reply(sent.await.unwrap(), 1_000).await;
        assert_eq!((&received.reply.body[..], received.bytes), (&b"{}"[..], 2));
        let reply = received.into_reply();
        assert_eq!((&reply.body[..], reply.end), (&b""[..], BodyEnd::TooLarge));
    }

    #[tokio::test]
    async fn large_withdrawal_reply_keeps_its_class() {
        let body = r#"{"id":"w-1","status":"queued","message":"ok"}"#;
        for (status, class) in [
            ("201 Created", Class::Unclear(Unclear::TooLarge)),
            ("400 Bad", Class::Unclear(Unclear::TooLarge)),
            ("302 Found", Class::Redirected),
        ] {
            let head = format!("HTTP/1.1 {status}\r\ncontent-length: 3000000\r\n\r\n{body}");
            let server = Server::start(ServerScript::Answer(head.into_bytes())).await;
            let recorder = RecordingClient::new();
            let end = attempt_new_withdrawal(&recorder.service(&server.base, "")).await;
            assert_eq!((end.class, end.message), (class, None), "{status}");
            assert_eq!(recorder.exchange().reply.unwrap().body.raw(), body);
        }
    }

    #[tokio::test]
    async fn body_without_length_ends_at_the_limit() {
        let (_, reply) = request_failing(ServerScript::Endless, Limits::default()).await;
        assert_eq!((reply.end, reply.announced), (BodyEnd::TooLarge, None));
        let limit = Limits::default().max_list_bytes as u64;
        assert!(
            reply.received <= limit && reply.received > limit / 2,
            "{}",
            reply.received
        );
    }

    #[tokio::test]
    async fn body_cut_by_connection_or_clock_is_recorded() {
        for (script, end) in [
            (
                ServerScript::Answer(reply_with_length(10, "[1")),
                BodyEnd::Cut,
            ),
            (
                ServerScript::AnswerThenStall(reply_with_length(10, "[1")),
                BodyEnd::Timeout,
            ),
        ] {
            let (_, reply) = request_failing(script, short_timeout(300)).await;
            assert_eq!(
                (reply.end, reply.received, reply.announced),
                (end, 2, Some(10))
            );
            assert_eq!(reply.body.raw(), "[1");
        }
    }

    #[tokio::test]
    async fn whole_body_is_recorded_with_its_length() {
        let (_, reply) = request_failing(
            ServerScript::Answer(reply_with_length(2, "{}")),
            Limits::default(),
        )
        .await;
        assert_eq!(
            (reply.end, reply.received, reply.announced),
            (BodyEnd::Whole, 2, Some(2))
        );
    }
}

mod headers {
    use super::*;
    use crate::service::tests::operations::{OperationFixture, login_body};

    /// The headers of a received request, sorted and with names in lower case. Secrets are masked,
    /// as they are in the recorded requests.
    fn received_headers(request: &str, secrets: &[&str]) -> Vec<(String, String)> {
        let (head, _) = request.split_once("\r\n\r\n").unwrap();
        let header = |line: &str| {
            let (name, value) = line.split_once(": ").unwrap();
            let masked = |value: String, secret: &&str| value.replace(*secret, Untrusted::MASKED);
            (
                name.to_lowercase(),
                secrets.iter().fold(value.to_owned(), masked),
            )
        };
        let mut headers: Vec<_> = head.lines().skip(1).map(header).collect();
        headers.sort();
        headers
    }

    fn assert_headers_match(recorder: &RecordingClient, server: &Server, secrets: &[&str]) {
        let exchange = recorder.exchange();
        let mut recorded = exchange.request_headers.clone();
        recorded.sort();
        let request = server.request();
        assert_eq!(recorded, received_headers(&request, secrets));
        let body = request.split_once("\r\n\r\n").unwrap().1;
        assert_eq!(exchange.request_bytes, body.len() as u64);
    }

    #[tokio::test]
    async fn headers_of_each_operation_match_the_socket() {
        let new_fixture = || OperationFixture::new("200 OK", "", "{}");
        let fixture = new_fixture().await;
        let jwt = CredentialKind::Jwt;
        _ = fixture.service("").domains(fixture.credential(jwt)).await;
        assert_headers_match(&fixture.recorder, &fixture.server, &["tok-123"]);
        let fixture = new_fixture().await;
        _ = fixture
            .service("")
            .create_link(fixture.credential(jwt), ROW, &fixture.request(None))
            .await;
        assert_headers_match(&fixture.recorder, &fixture.server, &["tok-123"]);
        let fixture = new_fixture().await;
        let service = fixture.service("");
        _ = service.login(&login_body(&service)).await;
        assert_headers_match(&fixture.recorder, &fixture.server, &[]);
    }

    #[tokio::test]
    async fn headers_of_the_contract_match_the_socket() {
        let fixture = OperationFixture::new("200 OK", "", "{}").await;
        let contract = "create_link.headers = ['X-App-Token: k-9', 'X-Shop: Bolos']";
        let jwt = fixture.credential(CredentialKind::Jwt);
        _ = fixture
            .service(contract)
            .create_link(jwt, ROW, &fixture.request(None))
            .await;
        assert_headers_match(&fixture.recorder, &fixture.server, &["tok-123", "k-9"]);
    }

    #[tokio::test]
    async fn headers_of_a_withdrawal_match_the_socket() {
        let fixture = OperationFixture::new("200 OK", "", "{}").await;
        attempt_new_withdrawal(&fixture.service("")).await;
        assert_headers_match(&fixture.recorder, &fixture.server, &["api-token-1"]);
    }
}

mod connecting {
    use super::*;

    #[tokio::test]
    async fn time_for_connecting_is_part_of_the_whole() {
        let server = Server::start(ServerScript::AnswerThenStall(reply_with_length(10, "["))).await;
        let recorder = RecordingClient::with_limits(short_timeout(300));
        request_failure(&recorder, &server.base).await;
        let exchange = recorder.exchange();
        let connecting = exchange.connecting.unwrap();
        // The time for connecting is short, because the server stalls only once the connection is
        // open.
        assert!(connecting < Duration::from_millis(200), "{connecting:?}");
        assert!(
            exchange.took >= Duration::from_millis(300),
            "{:?}",
            exchange.took
        );
    }

    #[tokio::test]
    async fn connection_not_opened_has_no_time() {
        let bound_socket = tokio::net::TcpSocket::new_v4().unwrap();
        bound_socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
        let closed_url = format!("http://{}", bound_socket.local_addr().unwrap());
        let recorder = RecordingClient::new();
        request_failure(&recorder, &BaseUrl::parse(&closed_url).unwrap()).await;
        assert_eq!(recorder.exchange().connecting, None);
    }
}
