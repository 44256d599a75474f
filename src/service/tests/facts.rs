//! Tests of the facts that are recorded about a request, such as the end and length of the reply's
//! body, the headers, and the time for connecting.

use super::ends::failure_with;
use super::*;
use crate::service::withdrawal::tests::attempt_of_one;
use crate::trade::withdrawal::{Class, Unclear};
use crate::trade::{NoAnswer, ReplySeen};

/// Requests the list of checkout domains, which must fail. Returns the failure and the recorded
/// reply.
async fn failed(script: ServerScript, limits: Limits) -> (Failure, ReplySeen) {
    let server = Server::start(script).await;
    let watched = Watched::with(limits);
    let failure = failure_with(&watched, &server.base).await;
    (failure, watched.exchange().reply.unwrap())
}

fn head(length: usize, body: &str) -> Vec<u8> {
    format!("HTTP/1.1 200 OK\r\ncontent-length: {length}\r\n\r\n{body}").into_bytes()
}

mod body_end {
    use super::*;

    #[tokio::test]
    async fn large_body_keeps_only_its_beginning() {
        let body = "[".to_owned() + &"1,".repeat(1_500_000);
        let script = ServerScript::AnswerThenStall(head(3_000_000, &body));
        let (failure, reply) = failed(script, Limits::default()).await;
        assert_eq!(failure, Failure::NoAnswer(NoAnswer::TooLarge));
        assert_eq!((reply.end, reply.announced), (BodyEnd::TooLarge, Some(3_000_000)));
        assert_eq!(reply.received, 64 * 1024);
        assert_eq!(reply.body.raw(), &body[..64 * 1024]);
    }

    #[tokio::test]
    async fn large_body_that_stalls_is_not_waited_for() {
        let script = ServerScript::AnswerThenStall(head(3_000_000, "[1,"));
        let (failure, reply) = failed(script, short(300)).await;
        assert_eq!(failure, Failure::NoAnswer(NoAnswer::TooLarge));
        assert_eq!((reply.end, reply.received, reply.body.raw()), (BodyEnd::TooLarge, 3, "[1,"));
    }

    #[tokio::test]
    async fn large_body_gives_the_program_nothing() {
        // The received bytes are valid JSON. But they must not be used, because the announced body
        // is too large.
        let server = Server::start(ServerScript::Answer(head(3_000_000, "{}"))).await;
        let http = crate::service::client::build(&Limits::default(), None);
        let http = http.tls_certs_only([]).build().unwrap();
        let url = server.base.as_str().parse().unwrap();
        let request = reqwest::Request::new(reqwest::Method::GET, url);
        let sent = crate::service::in_time::SendCondition::always().send(&http, request);
        let received = crate::service::exchange::read(sent.await.unwrap(), 1_000).await;
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
            let watched = Watched::new();
            let end = attempt_of_one(&watched.service(&server.base, "")).await;
            assert_eq!((end.class, end.message), (class, None), "{status}");
            assert_eq!(watched.exchange().reply.unwrap().body.raw(), body);
        }
    }

    #[tokio::test]
    async fn body_without_length_ends_at_the_limit() {
        let (_, reply) = failed(ServerScript::Endless, Limits::default()).await;
        assert_eq!((reply.end, reply.announced), (BodyEnd::TooLarge, None));
        let most = Limits::default().list_bytes as u64;
        assert!(reply.received <= most && reply.received > most / 2, "{}", reply.received);
    }

    #[tokio::test]
    async fn body_cut_by_connection_or_clock_is_recorded() {
        for (script, end) in [
            (ServerScript::Answer(head(10, "[1")), BodyEnd::Cut),
            (ServerScript::AnswerThenStall(head(10, "[1")), BodyEnd::Timeout),
        ] {
            let (_, reply) = failed(script, short(300)).await;
            assert_eq!((reply.end, reply.received, reply.announced), (end, 2, Some(10)));
            assert_eq!(reply.body.raw(), "[1");
        }
    }

    #[tokio::test]
    async fn whole_body_is_recorded_with_its_length() {
        let (_, reply) = failed(ServerScript::Answer(head(2, "{}")), Limits::default()).await;
        assert_eq!((reply.end, reply.received, reply.announced), (BodyEnd::Whole, 2, Some(2)));
    }
}

mod headers {
    use super::*;
    use crate::service::tests::operations::{OperationFixture, login_body};

    /// Returns the headers of a received request, sorted and with names in lower case. Secrets are
    /// masked, as they are in the recorded requests.
    fn received(request: &str, secrets: &[&str]) -> Vec<(String, String)> {
        let (head, _) = request.split_once("\r\n\r\n").unwrap();
        let header = |line: &str| {
            let (name, value) = line.split_once(": ").unwrap();
            let masked = |value: String, secret: &&str| value.replace(*secret, "…");
            (name.to_lowercase(), secrets.iter().fold(value.to_owned(), masked))
        };
        let mut headers: Vec<_> = head.lines().skip(1).map(header).collect();
        headers.sort();
        headers
    }

    fn assert_listed(watched: &Watched, server: &Server, secrets: &[&str]) {
        let exchange = watched.exchange();
        let mut listed = exchange.request_headers.clone();
        listed.sort();
        let request = server.request();
        assert_eq!(listed, received(&request, secrets));
        let body = request.split_once("\r\n\r\n").unwrap().1;
        assert_eq!(exchange.request_bytes, body.len() as u64);
    }

    #[tokio::test]
    async fn headers_of_each_operation_match_the_socket() {
        let fixture = || OperationFixture::new("200 OK", "", "{}");
        let (stage, jwt) = (fixture().await, CredentialKind::Jwt);
        _ = stage.service("").domains(stage.credential(jwt)).await;
        assert_listed(&stage.watched, &stage.server, &["tok-123"]);
        let stage = fixture().await;
        _ = stage.service("").create_link(stage.credential(jwt), &stage.request(None)).await;
        assert_listed(&stage.watched, &stage.server, &["tok-123"]);
        let stage = fixture().await;
        let service = stage.service("");
        _ = service.login(&login_body(&service)).await;
        assert_listed(&stage.watched, &stage.server, &[]);
    }

    #[tokio::test]
    async fn headers_of_the_contract_match_the_socket() {
        let stage = OperationFixture::new("200 OK", "", "{}").await;
        let contract = "create_link.headers = ['X-App-Token: k-9', 'X-Shop: Bolos']";
        let jwt = stage.credential(CredentialKind::Jwt);
        _ = stage.service(contract).create_link(jwt, &stage.request(None)).await;
        assert_listed(&stage.watched, &stage.server, &["tok-123", "k-9"]);
    }

    #[tokio::test]
    async fn headers_of_a_withdrawal_match_the_socket() {
        let stage = OperationFixture::new("200 OK", "", "{}").await;
        attempt_of_one(&stage.service("")).await;
        assert_listed(&stage.watched, &stage.server, &["api-token-1"]);
    }
}

mod connecting {
    use super::*;

    #[tokio::test]
    async fn time_for_connecting_is_part_of_the_whole() {
        let server = Server::start(ServerScript::AnswerThenStall(head(10, "["))).await;
        let watched = Watched::with(short(300));
        failure_with(&watched, &server.base).await;
        let exchange = watched.exchange();
        let connecting = exchange.connecting.unwrap();
        // The time for connecting is short, because the server stalls only once the connection is
        // open.
        assert!(connecting < Duration::from_millis(200), "{connecting:?}");
        assert!(exchange.took >= Duration::from_millis(300), "{:?}", exchange.took);
    }

    #[tokio::test]
    async fn connection_not_opened_has_no_time() {
        let held = tokio::net::TcpSocket::new_v4().unwrap();
        held.bind("127.0.0.1:0".parse().unwrap()).unwrap();
        let closed = format!("http://{}", held.local_addr().unwrap());
        let watched = Watched::new();
        failure_with(&watched, &BaseUrl::parse(&closed).unwrap()).await;
        assert_eq!(watched.exchange().connecting, None);
    }
}
