//! The withdrawals of a kept journal: one for everything that can be read back.

use balcao::trade::PixKeyKind;
use balcao::trade::withdrawal::{Decision, NotSent};

use super::counterpart::Answer;

/// One withdrawal, from the confirmation to what a person said.
pub struct Life {
    /// What it is, and whose: each has an account to itself unless it says otherwise.
    pub name: &'static str,
    pub to: Option<(PixKeyKind, &'static str)>,
    pub quote: Quoted,
    pub sends: Vec<Send>,
    /// What of its body nobody typed.
    pub untyped: &'static [&'static str],
    pub choice: Option<Decision>,
    /// Days before the others.
    pub days_ago: i64,
    /// Whether the contract's echoes count as confirmed.
    pub vouched: bool,
    /// Whether nobody listens where it goes.
    pub next_door: bool,
}

/// What was quoted when it was confirmed.
#[derive(Clone, Copy)]
pub enum Quoted {
    Nothing,
    Both,
    FeeOnly,
    NetOnly,
}

/// What happens to one send.
pub enum Send {
    /// It comes to the service, which does this.
    Comes(Answer),
    /// It stays here, for this reason.
    Stays(NotSent),
    /// Nobody takes the connection.
    NobodyThere,
    /// The program dies once the attempt is on disk.
    Dies,
}

use Send::{Comes, Dies, NobodyThere, Stays};

const CPF: (PixKeyKind, &str) = (PixKeyKind::Cpf, "11144477735");
const CNPJ: (PixKeyKind, &str) = (PixKeyKind::Cnpj, "11222333000181");
const PHONE: (PixKeyKind, &str) = (PixKeyKind::Phone, "+5511987654321");
const EMAIL: (PixKeyKind, &str) = (PixKeyKind::Email, "ana@loja.example");
const RANDOM: (PixKeyKind, &str) = (PixKeyKind::Random, "123e4567-e89b-42d3-a456-426614174000");

const DATE: &str = "Date: Sun, 01 Mar 2026 15:00:30 GMT\r\n";
const YES: &str = r#"{"id":"saque-1","status":"em processamento"}"#;
const NO: &str = r#"{"message":"Saldo insuficiente.","action":"Confira o saldo."}"#;

fn life(name: &'static str, sends: Vec<Send>) -> Life {
    Life {
        name,
        to: Some(CPF),
        quote: Quoted::Both,
        sends,
        untyped: &[],
        choice: None,
        days_ago: 0,
        vouched: false,
        next_door: false,
    }
}

fn replied(name: &'static str, status: &str, headers: &str, body: &str) -> Life {
    life(name, vec![says(status, headers, body)])
}

fn says(status: &str, headers: &str, body: &str) -> Send {
    Comes(Answer::of(status, headers, body))
}

fn bytes(text: &str) -> Send {
    Comes(Answer::Says(text.as_bytes().to_vec()))
}

/// All of them, oldest first.
pub fn lives() -> Vec<Life> {
    [long_ago(), prepared(), unknown(), for_a_person(), decided()].into_iter().flatten().collect()
}

fn long_ago() -> Vec<Life> {
    let old = |life| Life { days_ago: 3, ..life };
    vec![
        old(replied("purged: accepted", "201 Created", DATE, YES)),
        old(Life { to: Some(EMAIL), ..replied("purged: rejected", "400 Bad Request", DATE, NO) }),
    ]
}

fn prepared() -> Vec<Life> {
    let every = [
        NotSent::Busy,
        NotSent::Journal,
        NotSent::NoCredential,
        NotSent::OtherAccount,
        NotSent::Vault,
        NotSent::Dns,
        NotSent::Connect,
        NotSent::Tls,
        NotSent::BodyChanged,
        NotSent::NotSafe,
        NotSent::Headers,
        NotSent::NotAgreed,
    ];
    vec![
        life("prepared", vec![]),
        Life { untyped: &["/description", "/a~1b/0"], ..life("prepared, in part untyped", vec![]) },
        Life { quote: Quoted::Nothing, to: None, ..life("prepared, key on file", vec![]) },
        replied("prepared after 401", "401 Unauthorized", DATE, r#"{"message":"Token vencido."}"#),
        replied("prepared after 403", "403 Forbidden", "", "{}"),
        replied("prepared after 425", "425 Too Early", "", ""),
        replied("prepared after 429", "429 Too Many Requests", "Retry-After: 120\r\n", NO),
        Life { next_door: true, ..life("prepared, not sent", vec![NobodyThere]) },
        life("prepared, not sent in every way", every.map(Stays).into()),
    ]
}

fn unknown() -> Vec<Life> {
    let other_amount = r#"{"id":"saque-2","amount":12.34}"#;
    let other_key = r#"{"id":"saque-3","pixKey":"529.982.247-25"}"#;
    let large = format!("\"{}\"", "x".repeat(3_000));
    vec![
        life("unknown: died", vec![Dies]),
        life("unknown: timeout", vec![Comes(Answer::Nothing)]),
        life("unknown: cut", vec![bytes("")]),
        life("unknown: cut in the body", vec![bytes("HTTP/1.1 201 Created\r\nContent-Length: 9")]),
        replied("unknown: too large", "201 Created", "", &large),
        replied("unknown: unreadable", "200 OK", DATE, "<html>Entrar na rede</html>"),
        replied("unknown: other success", "208 Already Reported", DATE, YES),
        replied("unknown: no sign", "202 Accepted", DATE, "{}"),
        replied("unknown: 500", "500 Internal Server Error", DATE, NO),
        replied("unknown: 409", "409 Conflict", DATE, NO),
        replied("unknown: other amount", "201 Created", "", other_amount),
        replied("unknown: other destination", "201 Created", "", other_key),
        Life {
            to: Some(RANDOM),
            ..life("unknown: a no after it", vec![Dies, says("400 Bad Request", DATE, NO)])
        },
        Life { to: Some(CNPJ), quote: Quoted::FeeOnly, ..life("unknown: company", vec![Dies]) },
        Life { to: Some(PHONE), quote: Quoted::NetOnly, ..life("unknown: phone", vec![Dies]) },
        Life { to: None, quote: Quoted::Nothing, ..life("unknown: key on file", vec![Dies]) },
    ]
}

fn for_a_person() -> Vec<Life> {
    let again = || says("502 Bad Gateway", DATE, "");
    let other_amount = r#"{"id":"saque-4","amount":12.34}"#;
    let other_key = r#"{"id":"saque-5","pixKey":"529.982.247-25"}"#;
    let vouched = |life| Life { vouched: true, ..life };
    vec![
        replied("person: 307", "307 Temporary Redirect", "Location: /v2\r\n", ""),
        life("person: 422 after 502", vec![again(), says("422 Unprocessable", DATE, NO)]),
        replied("person: says failed", "200 OK", DATE, r#"{"id":"saque-6","status":"Recusado"}"#),
        replied("person: says no", "202 Accepted", "", r#"{"error":{"message":"Saldo."}}"#),
        life("person: four sends", vec![again(), again(), again(), again()]),
        vouched(replied("mismatch: amount", "201 Created", DATE, other_amount)),
        vouched(replied("mismatch: destination", "201 Created", DATE, other_key)),
    ]
}

fn decided() -> Vec<Life> {
    let said = |choice, life| Life { choice: Some(choice), ..life };
    let lost = |name| replied(name, "500 Internal Server Error", "", "");
    let failed = |name| replied(name, "200 OK", DATE, r#"{"success":false}"#);
    let moved = |name| replied(name, "301 Moved Permanently", "", "");
    let other = r#"{"amount":12.34}"#;
    let alarm = Life { vouched: true, ..replied("found: mismatch", "201 Created", "", other) };
    vec![
        replied("accepted", "201 Created", DATE, YES),
        replied("accepted without a status", "201 Created", "", r#"{"id":"saque-7"}"#),
        replied("accepted without an id", "202 Accepted", "", r#"{"status":"na fila"}"#),
        life("accepted at last", vec![Dies, says("200 OK", DATE, YES)]),
        replied("rejected: 400", "400 Bad Request", DATE, NO),
        Life { to: None, ..replied("rejected: 422 at first", "422 Unprocessable", "", "") },
        said(Decision::Discarded, life("discarded", vec![])),
        said(Decision::FoundPaid, lost("found")),
        said(Decision::FoundPaid, alarm),
        said(Decision::StatedNotPaid, moved("not paid")),
        said(Decision::StatedNotPaid, failed("not paid: says failed")),
    ]
}
