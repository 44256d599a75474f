//! Tests of the guide: the list of the recorded requests, the report on each new one, and a start
//! in the middle of the recording.

use std::sync::Mutex;

use super::*;
use crate::trade::{Operation, Wall};

fn fee(status: u16) -> Value {
    let path = format!("{FEE}?amount=100.00");
    entry("GET", &path, None, status, r#"{"fee":2.05,"net":97.95}"#)
}

fn login(status: u16) -> Value {
    entry(
        "POST",
        LOGIN,
        Some(r#"{"email":"‹email 1›","password":"…"}"#),
        status,
        "{}",
    )
}

const NEW_LOGIN: &str = r#"{"email":"a@b.co","password":"any"}"#;

fn link(amount: &str, status: u16) -> Value {
    let body = format!(r#"{{"amount":{amount},"description":"‹text 1, 4 letters›"}}"#);
    entry("POST", LINKS, Some(&body), status, "{}")
}

fn reais(centavos: i64) -> Option<Money> {
    Some(Money::from_centavos(centavos))
}

/// Starts a replay at the recorded request with this number, and returns it with the answers that
/// it will report.
async fn start_at(first: Option<usize>, entries: &[Value]) -> (ReplayServer, Answers) {
    let answers = Answers::default();
    let reported = answers.clone();
    let on_request: OnRequest =
        Box::new(move |answered: AnsweredRequest| reported.lock().unwrap().push(answered));
    let options = options(parse_har(&har(entries)).unwrap());
    (
        start(ReplayOptions {
            first,
            on_request,
            ..options
        })
        .await
        .unwrap(),
        answers,
    )
}

type Answers = Arc<Mutex<Vec<AnsweredRequest>>>;

fn last_answer(answers: &Answers) -> Answer {
    answers.lock().unwrap().last().unwrap().answer
}

fn nearest(number: usize, difference: Difference) -> Answer {
    Answer::Refused(Some(Nearest { number, difference }))
}

#[test]
fn steps_have_time_operation_amount_and_result() {
    let mut lost = withdrawal("‹uuid 1›", 0, "");
    lost["_error"] = "timeout".into();
    let mut unreadable = link("49.90", 201);
    (unreadable["_error"], unreadable["startedDateTime"]) = ("unreadable".into(), "".into());
    let entries = [
        unreadable,
        login(200),
        fee(200),
        lost,
        withdrawal("‹uuid 1›", 400, "{}"),
        entry("GET", "/status", None, 503, ""),
        entry("GET", "/status", None, 204, ""),
    ];
    let steps = parse_har(&har(&entries)).unwrap().steps();
    let seen: Vec<_> = steps
        .iter()
        .map(|step| {
            (
                step.request.operation,
                step.request.amount,
                step.status,
                step.has_failed,
            )
        })
        .collect();
    use Operation::{CreateLink, FeePreview, Login, Withdrawal};
    assert_eq!(
        seen,
        [
            (Some(CreateLink), reais(4_990), Some(201), true),
            (Some(Login), None, Some(200), false),
            (Some(FeePreview), reais(10_000), Some(200), false),
            (Some(Withdrawal), reais(10_000), None, true),
            (Some(Withdrawal), reais(10_000), Some(400), true),
            (None, None, Some(503), true),
            (None, None, Some(204), false),
        ]
    );
    let resends: Vec<usize> = steps
        .iter()
        .filter(|step| step.is_resend)
        .map(|step| step.number)
        .collect();
    assert_eq!(resends, [5]);
    assert_eq!(
        (steps[0].at, steps[1].at),
        (None, Some(Wall(1_795_273_200_000)))
    );
    assert_eq!(
        (&*steps[5].request.method, &*steps[5].request.path),
        ("GET", "/status")
    );
}

#[tokio::test]
async fn request_is_reported_with_match_or_nearest() {
    let entries = [
        link("49.90", 201),
        link("10.00", 201),
        withdrawal("‹uuid 1›", 400, "{}"),
    ];
    let (replay, answers) = start_at(None, &entries).await;
    let link = r#"{"amount":10.00,"description":"Bolo"}"#;
    send(&replay, "POST", LINKS, "", link).await;
    assert_eq!(last_answer(&answers), Answer::Recorded(2));
    send(&replay, "POST", LINKS, "", link).await;
    let with_49_90 = Difference::Amount(Money::from_centavos(4_990));
    assert_eq!(last_answer(&answers), nearest(1, with_49_90));
    send(
        &replay,
        "POST",
        LINKS,
        "",
        r#"{"amount":49.90,"text":"Bolo"}"#,
    )
    .await;
    assert_eq!(last_answer(&answers), nearest(1, Difference::Content));
    send_withdrawal(&replay, "a", "100").await;
    assert_eq!(last_answer(&answers), Answer::Recorded(3));
    send_withdrawal(&replay, "b", "100").await;
    assert_eq!(last_answer(&answers), nearest(3, Difference::Played));
    send_withdrawal(&replay, "b", "10").await;
    assert_eq!(
        last_answer(&answers),
        nearest(3, Difference::Amount(Money::from_centavos(10_000)))
    );
    send(&replay, "GET", "/nowhere", "", "").await;
    assert_eq!(last_answer(&answers), Answer::Refused(None));
    send(&replay, "POST", LOGIN, "", NEW_LOGIN).await;
    assert_eq!(last_answer(&answers), Answer::AcceptedLogin);
    let answers = answers.lock().unwrap();
    let request = RequestSummary {
        operation: Some(Operation::Withdrawal),
        method: "POST".to_owned(),
        path: WITHDRAWALS.to_owned(),
        amount: reais(1_000),
    };
    assert_eq!(answers[5].request, request);
}

#[tokio::test]
async fn start_in_the_middle_keeps_what_leads_there() {
    let domains = "/api/v1/payment-links/available-domains";
    let entries = [
        login(200),
        login(401),
        entry("GET", domains, None, 200, "{}"),
        fee(200),
        withdrawal("‹uuid 1›", 201, "{}"),
        withdrawal("‹uuid 2›", 400, "{}"),
        login(403),
        entry("GET", domains, None, 500, "{}"),
        fee(503),
    ];
    let (replay, answers) = start_at(Some(6), &entries).await;
    let fee = format!("{FEE}?amount=100");
    for _ in 0..2 {
        for (method, path, body, number) in [
            ("POST", LOGIN, NEW_LOGIN, 1),
            ("GET", domains, "", 3),
            ("GET", &fee, "", 4),
        ] {
            assert_eq!(status_of(&replay, method, path, body).await, 200, "{path}");
            assert_eq!(last_answer(&answers), Answer::Recorded(number), "{path}");
        }
    }
    assert_eq!(send_withdrawal(&replay, "a", "100").await.0, 400);
    // After the first request was played, the later ones are played in order.
    for (method, path, body, status) in [
        ("GET", &*fee, "", 503),
        ("POST", LOGIN, NEW_LOGIN, 403),
        ("GET", domains, "", 500),
    ] {
        assert_eq!(
            status_of(&replay, method, path, body).await,
            status,
            "{path}"
        );
    }
    assert_eq!(
        send_withdrawal(&replay, "b", "100").await.0,
        404,
        "the skipped one is not played"
    );
}

#[tokio::test]
async fn login_before_the_start_is_accepted_if_unrecorded() {
    let entries = [fee(200), withdrawal("‹uuid 1›", 400, "{}"), login(401)];
    let (replay, answers) = start_at(Some(2), &entries).await;
    assert_eq!(status_of(&replay, "POST", LOGIN, NEW_LOGIN).await, 200);
    assert_eq!(last_answer(&answers), Answer::AcceptedLogin);
    assert_eq!(send_withdrawal(&replay, "a", "100").await.0, 400);
    assert_eq!(status_of(&replay, "POST", LOGIN, NEW_LOGIN).await, 401);
}
