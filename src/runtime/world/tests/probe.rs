//! Tests that a fee quote is followed by the fee of a probe only if the service answers the quote.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::thread::JoinHandle;

use super::*;
use crate::trade::{CredentialKind, Money, NoQuote, Secret};

/// Starts a service that sends these replies (status and body), one for each request. Returns its
/// base URL, and the thread that returns the request lines.
fn serve(replies: &'static [(u16, &'static str)]) -> (String, JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base_url = format!("http://{}", listener.local_addr().unwrap());
    let thread = std::thread::spawn(move || {
        let answer = |(status, body): &(u16, &str)| {
            let (mut stream, _) = listener.accept().unwrap();
            let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
            let request_line = lines.next().unwrap().unwrap();
            lines.find(|line| line.as_ref().unwrap().is_empty());
            let length = body.len();
            write!(
                stream,
                "HTTP/1.1 {status} x\r\ncontent-length: {length}\r\n\r\n{body}"
            )
            .unwrap();
            request_line
        };
        replies.iter().map(answer).collect()
    });
    (base_url, thread)
}

/// Requests a fee quote of R$ 100,00 from this service. Returns the messages about it.
async fn request_quote(base_url: &str, has_probe: bool) -> Vec<Msg> {
    let dir = tempfile::tempdir().unwrap();
    let base = BaseUrl::parse(base_url).unwrap();
    let (mut world, mut inbox) = build(WorldBuilder {
        base,
        ..builder(dir.path(), VaultHandle::memory())
    });
    let token = jwt_credential(Secret::new("token".into()), None, Wall(0));
    let vault = &world.context.vault;
    vault
        .now()
        .put(vault.name(CredentialKind::ApiToken), Arc::new(token))
        .await
        .unwrap();
    let amount = Money::from_centavos(10_000);
    world.perform(Effect::Quote {
        ticket: Ticket(1),
        amount,
        has_probe,
    });
    let mut messages = vec![];
    loop {
        match inbox.recv().await.unwrap() {
            msg @ Msg::UnitProbed { .. } => messages.push(msg),
            msg @ Msg::Quoted { .. } => {
                messages.push(msg);
                return messages;
            }
            _ => {}
        }
    }
}

const ANSWER: (u16, &str) = (200, r#"{"fee":2.05}"#);
const REFUSAL: (u16, &str) = (400, r#"{"message":"amount deve ser um inteiro"}"#);

fn path(amount: &str) -> String {
    format!("GET /api/v1/withdrawals/fee-preview?amount={amount} HTTP/1.1")
}

#[tokio::test]
async fn answered_quote_is_followed_by_its_probe() {
    let (base_url, requests) = serve(&[ANSWER, REFUSAL]);
    let messages = request_quote(&base_url, true).await;
    let [
        Msg::UnitProbed { quote, probe, .. },
        Msg::Quoted { ticket, result },
    ] = &messages[..]
    else {
        panic!("{messages:?}")
    };
    assert_eq!((ticket, &**quote), (&Ticket(1), result));
    assert!(
        matches!(&**probe, Err(NoQuote::Failure(Failure::Refused(_)))),
        "{probe:?}"
    );
    assert_eq!(requests.join().unwrap(), [path("100.00"), path("100.01")]);
}

#[tokio::test]
async fn failed_quote_or_known_unit_is_not_probed() {
    const THROTTLED: (u16, &str) = (429, "{}");
    const REFUSED: (u16, &str) = (400, "{}");
    for (replies, has_probe) in [
        (&[ANSWER] as &'static [_], false),
        (&[THROTTLED], true),
        (&[REFUSED], true),
    ] {
        let (base_url, requests) = serve(replies);
        let messages = request_quote(&base_url, has_probe).await;
        assert!(
            matches!(&messages[..], [Msg::Quoted { .. }]),
            "{messages:?}"
        );
        assert_eq!(requests.join().unwrap(), [path("100.00")]);
    }
}
