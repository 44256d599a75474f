use serde_json::{Value, json};

use super::*;
use crate::sandbox::bank::request::{BankReply, BankRequest};

fn dialect(name: &str) -> Dialect {
    Dialect::named(name).expect(name)
}

/// Returns a request in a dialect's format, with this content type and body.
fn request_with_body(operation: BankOperation, kind: &str, body: &str) -> BankRequest {
    BankRequest {
        content_type: Some(kind.to_owned()),
        idempotency_key: Some("k".to_owned()),
        body: body.as_bytes().to_vec(),
        ..BankRequest::new(operation)
    }
}

/// Converts a request from the format of this dialect to the bank's own format. Returns the
/// resulting body or query, or the message of the error reply.
fn decode(name: &str, request: BankRequest, headers: &[(&str, &str)]) -> Value {
    let header = |name: &str| {
        let found = headers.iter().find(|(header_name, _)| header_name.eq_ignore_ascii_case(name));
        found.map(|(_, value)| (*value).to_owned())
    };
    match dialect(name).decode_request(request, &header) {
        Ok(request) if request.body.is_empty() => json!(request.query),
        Ok(request) => serde_json::from_slice(&request.body).unwrap(),
        Err(refusal) => json!(serde_json::from_str::<Value>(&refusal.body).unwrap()["message"]),
    }
}

const JSON: &str = "application/json";
const FORM: &str = "application/x-www-form-urlencoded";

#[test]
fn dialects_are_read_and_errors_name_the_line() {
    for name in Dialect::names() {
        assert!(Dialect::named(name).is_some(), "{name}");
    }
    assert_eq!(Dialect::named("demo"), None);
    let wrong = Dialect::read("[login]\n\nmetod = 'PUT'").unwrap_err().to_string();
    assert!(wrong.contains("line 3") && wrong.contains("method"), "{wrong}");
}

#[test]
fn every_dialect_decodes_to_the_same_withdrawal() {
    let withdrawal =
        |kind: &str, body: &str| request_with_body(BankOperation::Withdrawal, kind, body);
    let key = "11144477735";
    for (name, kind, body) in [
        (
            "snake-case",
            JSON,
            format!(r#"{{"amount":10.10,"pix_key":"{key}","pix_key_type":"cpf"}}"#),
        ),
        ("sibling", JSON, format!(r#"{{"amount":10.10,"pixKey":"{key}"}}"#)),
        (
            "enveloped",
            JSON,
            format!(r#"{{"amount":"10.10","pixKey":"{key}","pixKeyType":"cpf","requestId":"k"}}"#),
        ),
        ("key-headers", FORM, format!("amount=10.10&pixKeyType=cpf&pixKey={key}")),
        ("centavos", JSON, format!(r#"{{"amount":1010,"pixKey":"{key}","pixKeyType":"cpf"}}"#)),
    ] {
        let decoded = decode(name, withdrawal(kind, &body), &[("x-api-version", "1")]);
        assert_eq!(decoded["amount"].to_string(), "10.10", "{name}: {decoded}");
        assert_eq!(
            (&decoded["pixKey"], &decoded["pixKeyType"]),
            (&json!(key), &json!("cpf")),
            "{name}"
        );
        assert_eq!(decoded.as_object().unwrap().len(), 3, "{name}: {decoded}");
    }
}

#[test]
fn request_outside_the_dialect_is_refused() {
    for (name, kind, body, expected) in [
        ("snake-case", JSON, r#"{"amount":1,"pixKey":"x"}"#, "pixKey não é um campo"),
        ("enveloped", JSON, r#"{"amount":1,"requestId":"k"}"#, "amount não tem a forma"),
        ("enveloped", JSON, r#"{"amount":"1"}"#, "requestId não é a chave do cabeçalho"),
        ("enveloped", JSON, r#"{"amount":"1","requestId":"j"}"#, "requestId não é a chave"),
        ("centavos", JSON, r#"{"amount":10.10}"#, "amount não tem a forma"),
        ("key-headers", JSON, r#"{"amount":10.10}"#, "Envie o corpo como application/x-www"),
    ] {
        let request = request_with_body(BankOperation::Withdrawal, kind, body);
        let message = decode(name, request, &[("x-api-version", "1")]);
        assert!(
            message.as_str().is_some_and(|message| message.contains(expected)),
            "{name}: {message}"
        );
    }
    let request = request_with_body(BankOperation::Withdrawal, FORM, "amount=1");
    assert_eq!(decode("key-headers", request, &[]), "Cabeçalho X-Api-Version: 1 obrigatório.");
}

#[test]
fn token_is_read_from_its_headers() {
    let token = |operation, headers: &[(&str, &str)]| {
        let header = |name: &str| {
            let found = headers.iter().find(|(header_name, _)| *header_name == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        dialect("key-headers").read_token(operation, &header)
    };
    let links = [("X-Public-Key", "sandbox"), ("X-Secret-Key", "j.w.t")];
    assert_eq!(token(BankOperation::CreateLink, &links).as_deref(), Some("j.w.t"));
    let other = [("X-Public-Key", "other"), ("X-Secret-Key", "j.w.t")];
    assert_eq!(token(BankOperation::CreateLink, &other), None);
    assert_eq!(token(BankOperation::Withdrawal, &links), None);
    assert_eq!(token(BankOperation::Withdrawal, &[("X-Api-Key", "t")]).as_deref(), Some("t"));
    assert_eq!(dialect("key-headers").jwt_to_paste("j.w.t"), "sandbox:j.w.t");
    assert_eq!(Dialect::default().jwt_to_paste("j.w.t"), "j.w.t");
}

#[test]
fn reply_uses_amounts_and_paths_of_its_dialect() {
    let bank = json!({"id": "7", "status": "processing", "amount": 1000.50, "pixKey": "a@b.co"});
    let encode = |name: &str| {
        let reply = BankReply::json(201, &bank);
        let encoded = dialect(name).encode_reply(BankOperation::Withdrawal, "", reply, || None);
        format!("{} {}", encoded.status, encoded.body)
    };
    assert!(encode("snake-case").contains(r#""transaction_id":"7""#));
    assert!(encode("sibling").contains(r#""amount":"1.000,50""#), "{}", encode("sibling"));
    assert_eq!(
        encode("enveloped"),
        [
            r#"200 {"success":true,"data":{"amount":"1000.50","id":"7","#,
            r#""pixKey":"a@b.co","status":"processing"}}"#,
        ]
        .concat()
    );
    assert_eq!(encode("no-content"), "204 ");
    assert!(encode("centavos").contains(r#""amount":100050"#), "{}", encode("centavos"));

    let refusal = BankReply::json(400, &json!({"message": "Não.", "action": "Faça."}));
    let encoded =
        dialect("enveloped").encode_reply(BankOperation::CreateLink, "", refusal, || None);
    assert_eq!(
        (encoded.status, &*encoded.body),
        (200, r#"{"success":false,"error":{"hint":"Faça.","message":"Não."}}"#)
    );
    let not_json = BankReply { status: 200, body: "<html>".into() };
    let unchanged =
        dialect("enveloped").encode_reply(BankOperation::Withdrawal, "", not_json.clone(), || None);
    assert_eq!(unchanged, not_json);
}

#[test]
fn list_is_sent_in_pages() {
    let request_page = |query: &str| {
        let list = BankReply::json(200, &json!(["a", "b", "c"]));
        dialect("enveloped").encode_reply(BankOperation::Domains, query, list, || None).body
    };
    let first = r#"{"success":true,"data":{"items":["a","b"],"next":"2"}}"#;
    assert_eq!(request_page(""), first);
    assert_eq!(request_page("cursor=2"), r#"{"success":true,"data":{"items":["c"],"next":null}}"#);
}
