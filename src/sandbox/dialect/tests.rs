use serde_json::{Value, json};

use super::*;
use crate::sandbox::bank::request::{BankReply, BankRequest};

fn dialect(name: &str) -> Dialect {
    Dialect::named(name).expect(name)
}

/// A request in a dialect's format, with this content type and body.
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
fn decode(dialect: &Dialect, request: BankRequest, headers: &[(&str, &str)]) -> Value {
    let header = |name: &str| {
        let found = headers
            .iter()
            .find(|(header_name, _)| header_name.eq_ignore_ascii_case(name));
        found.map(|(_, value)| (*value).to_owned())
    };
    match dialect.decode_request(request, &header) {
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
    let wrong = Dialect::read("[login]\n\nmetod = 'PUT'")
        .unwrap_err()
        .to_string();
    assert!(
        wrong.contains("line 3") && wrong.contains("method"),
        "{wrong}"
    );
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
        (
            "sibling",
            JSON,
            format!(r#"{{"amount":10.10,"pixKey":"{key}"}}"#),
        ),
        (
            "enveloped",
            JSON,
            format!(r#"{{"amount":"10.10","pixKey":"{key}","pixKeyType":"cpf","requestId":"k"}}"#),
        ),
        (
            "key-headers",
            FORM,
            format!("amount=10.10&pixKeyType=cpf&pixKey={key}"),
        ),
        (
            "centavos",
            JSON,
            format!(r#"{{"amount":1010,"pixKey":"{key}","pixKeyType":"cpf"}}"#),
        ),
    ] {
        let decoded = decode(
            &dialect(name),
            withdrawal(kind, &body),
            &[("x-api-version", "1")],
        );
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
        (
            "snake-case",
            JSON,
            r#"{"amount":1,"pixKey":"x"}"#,
            "pixKey não é um campo",
        ),
        (
            "enveloped",
            JSON,
            r#"{"amount":1,"requestId":"k"}"#,
            "amount não tem a forma",
        ),
        (
            "enveloped",
            JSON,
            r#"{"amount":"1"}"#,
            "requestId não é a chave do cabeçalho",
        ),
        (
            "enveloped",
            JSON,
            r#"{"amount":"1","requestId":"j"}"#,
            "requestId não é a chave",
        ),
        (
            "centavos",
            JSON,
            r#"{"amount":10.10}"#,
            "amount não tem a forma",
        ),
        (
            "key-headers",
            JSON,
            r#"{"amount":10.10}"#,
            "Envie o corpo como application/x-www",
        ),
    ] {
        let request = request_with_body(BankOperation::Withdrawal, kind, body);
        let message = decode(&dialect(name), request, &[("x-api-version", "1")]);
        assert!(
            message
                .as_str()
                .is_some_and(|message| message.contains(expected)),
            "{name}: {message}"
        );
    }
    let request = request_with_body(BankOperation::Withdrawal, FORM, "amount=1");
    let message = decode(&dialect("key-headers"), request, &[]);
    assert_eq!(message, "Cabeçalho X-Api-Version: 1 obrigatório.");
}

#[test]
fn whole_centavos_read_reais_as_centavos() {
    let text = "[withdrawal]\namounts_sent = 'whole-centavos'\n\
                [fee_preview]\namounts_sent = 'whole-centavos'";
    let dialect = Dialect::read(text).unwrap();
    for (body, expected) in [
        (r#"{"amount":10000}"#, r#"{"amount":100.00}"#),
        (r#"{"amount":100.00}"#, r#"{"amount":1.00}"#),
        (
            r#"{"amount":100.01}"#,
            r#""Dados inválidos: amount deve ser um inteiro.""#,
        ),
    ] {
        let request = request_with_body(BankOperation::Withdrawal, JSON, body);
        assert_eq!(
            decode(&dialect, request, &[]).to_string(),
            expected,
            "{body}"
        );
    }
    let preview = |query: &str| {
        let request = BankRequest::new(BankOperation::FeePreview);
        decode(
            &dialect,
            BankRequest {
                query: query.into(),
                ..request
            },
            &[],
        )
    };
    assert_eq!(preview("amount=100.00"), "amount=1.00");
    assert_eq!(
        preview("amount=100.01"),
        "Dados inválidos: amount deve ser um inteiro."
    );
}

#[test]
fn missing_field_and_foreign_word_are_named_in_error() {
    let text = r#"
        [error]
        body = '{"error":{"code":"{code}","message":"{message}","field":"{field}"}}'
        missing = "{field} is required"
        kind = "{field} must be one of {words}"
        [withdrawal]
        request = { amount = "amount", pixKey = "pix_key", pixKeyType = "pix_key_type" }
        ignores_others = true
        required = ["pix_key", "pix_key_type"]
        kinds = { CPF = "cpf", PHONE = "phone" }
    "#;
    let dialect = Dialect::read(text).unwrap();
    let reply = |body: &str| {
        let request = request_with_body(BankOperation::Withdrawal, JSON, body);
        match dialect.decode_request(request, &|_| None) {
            Ok(request) => String::from_utf8(request.body).unwrap(),
            Err(refusal) => {
                dialect
                    .encode_reply(BankOperation::Withdrawal, "", refusal, || None)
                    .body
            }
        }
    };
    let refusal = |code: &str, field: &str, message: &str| {
        json!({"error": {"code": code, "message": message, "field": field}}).to_string()
    };
    assert_eq!(
        reply(r#"{"amount":1,"pixKey":"x"}"#),
        refusal("missing_field", "pix_key", "pix_key is required")
    );
    assert_eq!(
        reply(r#"{"amount":1,"pix_key":"x","pix_key_type":"cpf"}"#),
        refusal(
            "invalid_field",
            "pix_key_type",
            "pix_key_type must be one of CPF, PHONE"
        )
    );
    let decoded = reply(r#"{"amount":1,"pix_key":"x","pix_key_type":"CPF","other":1}"#);
    assert_eq!(decoded, r#"{"amount":1,"pixKey":"x","pixKeyType":"cpf"}"#);

    // A refusal of the bank itself has neither a code nor a field.
    let balance = BankReply::refusal(400, "Saldo insuficiente.");
    let encoded = dialect.encode_reply(BankOperation::Withdrawal, "", balance, || None);
    assert_eq!(
        encoded.body,
        r#"{"error":{"message":"Saldo insuficiente."}}"#
    );
}

#[test]
fn error_bodies_may_be_lists_named_members_or_text() {
    let refusal = json!({"message": "é obrigatório", "code": "c", "field": "chave"});
    for (template, expected) in [
        (
            r#"{"errors":[{"source":{"pointer":"/data/{field}"},"detail":"{message}"}]}"#,
            r#"{"errors":[{"source":{"pointer":"/data/chave"},"detail":"é obrigatório"}]}"#,
        ),
        (
            r#"{"erros":{"{field}":["{message}"]}}"#,
            r#"{"erros":{"chave":["é obrigatório"]}}"#,
        ),
        ("{field} {message}", "chave é obrigatório"),
        ("", ""),
    ] {
        let error = ErrorFormat {
            body: Some(template.into()),
            ..ErrorFormat::default()
        };
        let dialect = Dialect {
            error,
            ..Dialect::default()
        };
        let reply = BankReply::json(400, &refusal);
        let encoded = dialect.encode_reply(BankOperation::Withdrawal, "", reply, || None);
        assert_eq!(encoded.body, expected);
    }
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
    assert_eq!(
        token(BankOperation::CreateLink, &links).as_deref(),
        Some("j.w.t")
    );
    let other = [("X-Public-Key", "other"), ("X-Secret-Key", "j.w.t")];
    assert_eq!(token(BankOperation::CreateLink, &other), None);
    assert_eq!(token(BankOperation::Withdrawal, &links), None);
    assert_eq!(
        token(BankOperation::Withdrawal, &[("X-Api-Key", "t")]).as_deref(),
        Some("t")
    );
    assert_eq!(
        dialect("key-headers").jwt_to_paste("j.w.t"),
        "sandbox:j.w.t"
    );
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
    assert!(
        encode("sibling").contains(r#""amount":"1.000,50""#),
        "{}",
        encode("sibling")
    );
    assert_eq!(
        encode("enveloped"),
        [
            r#"200 {"success":true,"data":{"amount":"1000.50","id":"7","#,
            r#""pixKey":"a@b.co","status":"processing"}}"#,
        ]
        .concat()
    );
    assert_eq!(encode("no-content"), "204 ");
    assert!(
        encode("centavos").contains(r#""amount":100050"#),
        "{}",
        encode("centavos")
    );

    let refusal = BankReply::json(400, &json!({"message": "Não.", "action": "Faça."}));
    let encoded =
        dialect("enveloped").encode_reply(BankOperation::CreateLink, "", refusal, || None);
    assert_eq!(
        (encoded.status, &*encoded.body),
        (
            200,
            r#"{"success":false,"error":{"hint":"Faça.","message":"Não."}}"#
        )
    );
    let not_json = BankReply {
        status: 200,
        body: "<html>".into(),
    };
    let unchanged =
        dialect("enveloped").encode_reply(BankOperation::Withdrawal, "", not_json.clone(), || None);
    assert_eq!(unchanged, not_json);
}

/// The reply to a request for the list of domains.
fn list_domains(dialect: &Dialect, query: &str) -> String {
    let domains: Value = ["a", "b", "c"]
        .into_iter()
        .map(|host| json!({"domain": host}))
        .collect();
    let list = BankReply::json(200, &domains);
    dialect
        .encode_reply(BankOperation::Domains, query, list, || None)
        .body
}

#[test]
fn list_is_sent_in_pages() {
    let request_page = |query: &str| {
        let list = BankReply::json(200, &json!(["a", "b", "c"]));
        dialect("enveloped")
            .encode_reply(BankOperation::Domains, query, list, || None)
            .body
    };
    let first = r#"{"success":true,"data":{"items":["a","b"],"next":"2"}}"#;
    assert_eq!(request_page(""), first);
    assert_eq!(
        request_page("cursor=2"),
        r#"{"success":true,"data":{"items":["c"],"next":null}}"#
    );

    let with_style = |style: &str, parameter: &str| {
        let pages =
            format!("{{ size = 2, parameter = '{parameter}', next = 'more', style = '{style}' }}");
        let text = format!(
            "domains = {{ entry = 'domain', list = {{ place = 'all', pages = {pages} }} }}"
        );
        Dialect::read(&text).unwrap()
    };
    let numbered = with_style("number", "page");
    assert_eq!(list_domains(&numbered, ""), r#"{"all":["a","b"],"more":2}"#);
    assert_eq!(
        list_domains(&numbered, "page=2"),
        r#"{"all":["c"],"more":2}"#
    );
    assert_eq!(list_domains(&numbered, "page=3"), r#"{"all":[],"more":2}"#);
    let linked = with_style("link", "after");
    let next = r#""/api/v1/payment-links/available-domains?after=2""#;
    assert_eq!(
        list_domains(&linked, ""),
        format!(r#"{{"all":["a","b"],"more":{next}}}"#)
    );
    assert_eq!(
        list_domains(&linked, "after=2"),
        r#"{"all":["c"],"more":null}"#
    );
}

#[test]
fn list_may_consist_of_hosts_or_be_in_an_envelope() {
    let hosts = Dialect::read("[domains]\nentry = 'domain'").unwrap();
    assert_eq!(list_domains(&hosts, ""), r#"["a","b","c"]"#);
    let enveloped = "[domains]\nlist.place = 'data'\nreply.host = 'domain'\n\
                     constants = { 'meta.id' = 'req_{id}' }";
    let reply = list_domains(&Dialect::read(enveloped).unwrap(), "");
    assert!(
        reply.ends_with(r#""data":[{"host":"a"},{"host":"b"},{"host":"c"}]}"#),
        "{reply}"
    );
    assert!(
        reply.starts_with(r#"{"meta":{"id":"req_"#) && !reply.contains("{id}"),
        "{reply}"
    );
}
