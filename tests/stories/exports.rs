//! Tests that exported HTTP requests contain no secrets and no personal data. The exports are HAR
//! files and curl commands.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;
use std::time::Duration;

use balcao::app::Model;
use balcao::contract::Contract;
use balcao::har::{CurlWords, Needle, StrictMask, check, command, file};
use balcao::trade::{Exchange, Failure, MaskedReply, NoAnswer, Operation, Secret, Wall};
use base64::prelude::{BASE64_STANDARD, Engine};
use serde_json::{Value, json};

use crate::leftovers::Leftovers;
use crate::secrets::SecretSearch;
use crate::test_env::{PASSWORD, TestEnv};

/// Personal data that the tests type or send. No export may contain it.
const CANARIES: [&str; 10] = [
    "529.982.247-25",
    "111.444.777-35",
    "11.444.777/0001-61",
    "+55 11 93876-5432",
    "bia@compra.example",
    "7b0c1d6e-54b1-4f6e-9a3b-0d9a8f3e2c11",
    "Bia Costa",
    PIX_CODE,
    "link-q7w3ez",
    JWT,
];

/// Personal data that the stories (tests of the whole app) type, in the spelling that the HTTP
/// requests contain.
const TYPED_CANARIES: [&str; 6] = [
    "529.982.247-25",
    "111.444.777-35",
    "+5511987654321",
    "bia@compra.example",
    "ana@loja-da-ana.example",
    "Bia Costa",
];

const PIX_CODE: &str = "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000\
                        5204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D";
const JWT: &str = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJsb2phLTEifQ.c2lnbmF0dXJlLTQ0MTA";

const WORDS: CurlWords<'static> = CurlWords {
    warning: "Pode pagar duas vezes.",
    key: "CHAVE",
    destination: "DESTINO",
};

/// Exports all HTTP requests of the app when a story (a test of the whole app) ends. No export may
/// contain a secret, or personal data that the stories type.
///
/// Also exports a made-up HTTP exchange whose reply contains all of these texts, in places whose
/// values an export usually keeps. The mask for this export knows no secrets, as if the app had
/// been restarted after the login.
pub fn assert_export_is_clean(leftovers: &Leftovers, model: &Model) {
    let exchanges: Vec<_> = model.exchanges.iter().cloned().collect();
    let secrets = leftovers.secrets();
    let secrets: Vec<&str> = secrets.iter().map(String::as_str).collect();
    let texts = export_texts_with(&model.setup.contract, &exchanges, &secrets);
    assert_clean(&texts, personal_search, &TYPED_CANARIES);
    let exchange = echoing_exchange(&[&TYPED_CANARIES[..], &secrets].concat());
    let echoed = export_texts_with(&model.setup.contract, &[exchange], &[]);
    assert_clean(&echoed[..1], personal_search, &TYPED_CANARIES);
    assert_clean(&echoed[..1], secret_search, &secrets);
    for (_, text) in texts.into_iter().chain(echoed) {
        leftovers.add("an exported text", text);
    }
}

fn export_texts(exchanges: &[Arc<Exchange>], secrets: &[&str]) -> Vec<(String, String)> {
    export_texts_with(&Contract::built_in(), exchanges, secrets)
}

/// Returns the exported texts with their names: one HAR file of all exchanges, and a curl command
/// for each exchange.
fn export_texts_with(
    contract: &Contract,
    exchanges: &[Arc<Exchange>],
    secrets: &[&str],
) -> Vec<(String, String)> {
    let secrets: Vec<_> = secrets
        .iter()
        .map(|text| Secret::new((*text).to_owned()))
        .collect();
    let mut mask = StrictMask::new(contract, &secrets);
    let all: Vec<&Exchange> = exchanges.iter().map(Arc::as_ref).collect();
    let mut texts = vec![("the HAR file".to_owned(), file(&all, contract, &mut mask))];
    for (n, exchange) in all.iter().enumerate() {
        let mut mask = StrictMask::new(contract, &secrets);
        texts.push((
            format!("curl {n}"),
            command(exchange, contract, &mut mask, WORDS),
        ));
    }
    texts
}

/// Checks that the exported texts contain none of `canaries`. Searches twice: with the app's own
/// check, and with `search`, which belongs to the tests.
fn assert_clean(
    texts: &[(String, String)],
    search: impl Fn(&str) -> SecretSearch,
    canaries: &[&str],
) {
    let needles: Vec<Needle> = canaries
        .iter()
        .map(|text| Needle::of(text).unwrap())
        .collect();
    for (name, text) in texts {
        let hits = check(text, &needles);
        assert!(hits.is_empty(), "of {canaries:?} in {name}: {hits:#?}");
    }
    for canary in canaries {
        let expected = search(canary);
        for (name, text) in texts {
            let lines: Vec<_> = text
                .lines()
                .filter(|line| expected.find_in(line.as_bytes()).is_some())
                .collect();
            assert!(lines.is_empty(), "{canary} in {name}: {lines:#?}");
            assert_eq!(
                expected.find_in(text.as_bytes()),
                None,
                "{canary} in {name}"
            );
        }
    }
}

fn reverse_text(text: &str) -> String {
    text.chars().rev().collect()
}

/// Returns a made-up HTTP exchange. Its reply contains each text in several encodings, in places
/// whose values an export keeps if they have the right form.
fn echoing_exchange(texts: &[&str]) -> Arc<Exchange> {
    const HEADERS: [&str; 12] = [
        "x-request-id",
        "server",
        "via",
        "location",
        "traceparent",
        "retry-after",
        "allow",
        "content-type",
        "cache-control",
        "content-language",
        "age",
        "date",
    ];
    let hex = |text: &str| {
        text.bytes()
            .map(|byte| format!("{byte:02x}"))
            .collect::<String>()
    };
    let forms = |text: &&str| {
        let letters: Vec<char> = text.chars().filter(|c| c.is_alphanumeric()).collect();
        let groups: Vec<String> = letters.chunks(3).map(String::from_iter).collect();
        let mut forms = vec![(*text).to_owned(), hex(text), hex(&reverse_text(text))];
        forms.push(BASE64_STANDARD.encode(format!("xy{text}")));
        forms.extend(["/", ", "].map(|between| groups.join(between)));
        forms
    };
    let all: Vec<String> = texts.iter().flat_map(forms).collect();
    let members = all
        .iter()
        .map(|form| json!({ "requestId": form, "at": form, "status": form }));
    let body = members.collect::<Value>().to_string();
    let header = |(at, form): (usize, &String)| {
        // Put each encoding (form) into different headers. Without `at / 12`, it would always be in
        // the same two headers, because there are six encodings and 12 headers.
        (
            HEADERS[(at + at / 12) % 12].to_owned(),
            form.as_str().into(),
        )
    };
    let headers = all.iter().enumerate().map(header);
    let reply = Ok(MaskedReply::new(200, headers.collect(), &*body));
    let exchange = Exchange::new(Operation::Domains, "GET", "https://api.example/v1/x", reply);
    Arc::new(Exchange {
        at: Wall(1_795_273_200_000),
        ..exchange
    })
}

fn personal_search(text: &str) -> SecretSearch {
    SecretSearch::for_personal_data([text])
}

fn secret_search(text: &str) -> SecretSearch {
    SecretSearch::new([text])
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn export_of_a_story_has_no_personal_data() {
    let (env, mut app) = TestEnv::new().await.into_logged_in().await;
    app.create_link("4990", "Bolo da Bia Costa").await;
    app.press("Esc").await;
    app.request_charge("4990", "Conserto de Bia Costa").await;
    app.wait_for_message("ChargeMade").await;
    app.press("Esc").await;
    app.withdraw(&env, "10000").await;
    let code = env.only_withdrawal().agreement.key;
    let model = app.close().await;
    let exchanges: Vec<_> = model.store.exchanges.iter().cloned().collect();
    for operation in Operation::ALL {
        assert!(
            exchanges
                .iter()
                .any(|exchange| exchange.operation == operation),
            "no {operation:?}"
        );
    }

    let ledger = env.ledger();
    let tokens = env.control.stored_tokens();
    let secrets: Vec<&str> = tokens
        .iter()
        .map(String::as_str)
        .chain([PASSWORD])
        .collect();
    let url = ledger.links[0].url.as_str();
    let (host, id) = url.rsplit_once('/').unwrap();
    let host = host.split('/').nth(2).unwrap().split(':').next().unwrap();
    let canaries = [
        "529.982.247-25",
        "111.444.777-35",
        "bia@compra.example",
        "ana@loja-da-ana.example",
        "Bia Costa",
        &*ledger.charges[0].qr_code,
        host,
        id,
    ];
    let texts = export_texts(&exchanges, &secrets);
    assert_clean(&texts, personal_search, &canaries);
    assert_clean(&texts, secret_search, &secrets);

    let har: Value = serde_json::from_str(&texts[0].1).unwrap();
    let entries = har["log"]["entries"].as_array().unwrap();
    assert_eq!(entries.len(), exchanges.len());
    let find_entry = |name: &str| {
        entries
            .iter()
            .find(|entry| entry["_operation"] == name)
            .unwrap()
    };
    assert_eq!(find_entry("withdrawal")["_code"], code.to_string());
    let sent: Value = find_entry("withdrawal")["request"]["postData"]["text"]
        .as_str()
        .unwrap()
        .parse()
        .unwrap();
    assert_eq!(
        (&sent["amount"].to_string(), &sent["pixKeyType"]),
        (&"100.00".into(), &json!("cpf"))
    );
    let reply_text = find_entry("direct_payment")["response"]["content"]["text"]
        .as_str()
        .unwrap();
    assert!(
        reply_text.contains("49.90") && reply_text.contains("‹pix code 1"),
        "{reply_text}"
    );
}

fn exchange(operation: Operation, sent: Option<&str>, reply: Option<(u16, &str)>) -> Arc<Exchange> {
    let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let headers = vec![
        ("content-type".to_owned(), "application/json".into()),
        (
            "location".to_owned(),
            "https://loja.example/checkout/link-q7w3ez".into(),
        ),
        ("server".to_owned(), "Bia Costa/529.982.247-25".into()),
        ("x-request-id".to_owned(), JWT.into()),
        ("via".to_owned(), "bia@compra.example".into()),
    ];
    let reply = reply.map(|(status, body)| MaskedReply::new(status, headers, body));
    let reply = reply.ok_or(Failure::NoAnswer(NoAnswer::Cut));
    let url = "https://api.example/v1/52998224725/link-q7w3ez?who=bia%40compra.example&Bia+Costa#x";
    Arc::new(Exchange {
        at: Wall(1_795_273_200_000),
        request_headers: vec![
            header("authorization", "Bearer \u{FDEF}"),
            header("x-store", "11.444.777/0001-61"),
            header("x-529.982.247-25", "+55 11 93876-5432"),
        ],
        request_body: sent.map(str::to_owned),
        took: Duration::from_millis(120),
        ..Exchange::new(operation, "POST", url, reply)
    })
}

/// Returns request bodies that contain a canary (personal data) in places that a mask could
/// overlook.
fn odd_bodies(canary: &str) -> Vec<String> {
    let base64 = BASE64_STANDARD.encode(canary);
    let json_text = json!({ "status": "paid", "amount": 10.10, "note": canary }).to_string();
    vec![
        json!({ canary: { "amount": canary, "status": canary } }).to_string(),
        json!({ "requestId": canary, "createdAt": canary, "fee": [canary, [canary]] }).to_string(),
        json!({ "inner": json!({ "pixKey": canary }).to_string() }).to_string(),
        json!({ "note": base64, "statusCode": base64, &*base64: 1 }).to_string(),
        json!({ "url": format!("https://{canary}/checkout/{canary}?a={canary}#{canary}") })
            .to_string(),
        json!({ "message": format!("O cliente {canary} não existe.") }).to_string(),
        json!([canary, [[canary]], { "a": [{ "b": canary }] }]).to_string(),
        format!("{{\"amount\": {canary}, \"name\": \"{canary}\", \"x\": \"{canary}"),
        json_text[..json_text.len() - 3].to_owned(),
        format!("<html><h1>502</h1><p title=\"{canary}\">{canary}</p>amount={canary}</html>"),
        format!("amount={canary}&status={canary}&{canary}={canary}").replace(' ', "+"),
        format!("erro: {canary} status: {canary}"),
        base64,
    ]
}

#[test]
fn odd_replies_lose_every_canary() {
    let mut exchanges = Vec::new();
    for canary in CANARIES {
        for (n, body) in odd_bodies(canary).iter().enumerate() {
            let operation = Operation::ALL[n % Operation::ALL.len()];
            exchanges.push(exchange(operation, Some(body), Some((200, body))));
        }
    }
    exchanges.push(exchange(Operation::Withdrawal, None, None));
    let texts = export_texts(&exchanges, &[]);
    assert_clean(&texts, personal_search, &CANARIES);
    let har: Value = serde_json::from_str(&texts[0].1).unwrap();
    assert_eq!(
        har["log"]["entries"].as_array().unwrap().len(),
        exchanges.len()
    );
}

#[test]
fn echoed_texts_are_masked_in_every_encoding() {
    let texts = export_texts(&[echoing_exchange(&CANARIES)], &[]);
    assert_clean(&texts, personal_search, &CANARIES);
    let texts = export_texts(&[echoing_exchange(&[PASSWORD; 12])], &[]);
    for canary in [PASSWORD, &*reverse_text(PASSWORD)] {
        assert_clean(&texts, secret_search, &[canary]);
    }
}

#[test]
fn token_in_a_wrong_field_is_masked() {
    // Without the secret, the mask would keep this text, because it consists of known words.
    let token = "password_for_withdrawals";
    let body = json!({ "status": token, "requestId": token, "paymentMethod": token, token: 1 });
    let body = body.to_string();
    let exchanges = [exchange(
        Operation::CreateLink,
        Some(&body),
        Some((200, &body)),
    )];
    let texts = export_texts(&exchanges, &[token]);
    assert_clean(&texts, secret_search, &[token]);
    assert!(
        export_texts(&exchanges, &[])[0].1.contains(token),
        "only the known secret is masked"
    );
}

#[test]
fn planted_canary_is_found_in_every_artefact() {
    let body = json!({ "pixKey": "529.982.247-25", "name": "Bia Costa" }).to_string();
    let exchanges = [exchange(
        Operation::DirectPayment,
        Some(&body),
        Some((200, &body)),
    )];
    for (name, text) in export_texts(&exchanges, &[]) {
        for canary in CANARIES {
            let percent: String = canary.bytes().map(|byte| format!("%{byte:02X}")).collect();
            let bare = canary.replace(['.', '-', '/', ' ', '+'], "");
            let hex: String = canary.bytes().map(|byte| format!("{byte:02x}")).collect();
            let base64 = [
                canary.to_owned(),
                format!("x{canary}y"),
                format!("xy{canary}z"),
            ];
            let base64 = base64.map(|text| BASE64_STANDARD.encode(text));
            let encodings = [canary.to_owned(), canary.to_uppercase(), bare, percent, hex];
            for planted in encodings.into_iter().chain(base64) {
                let text = text.replacen("‹cpf 1›", &planted, 1);
                assert!(text.contains(&planted), "no mask to replace in {name}");
                let expected = SecretSearch::for_personal_data([canary]);
                assert!(
                    expected.find_in(text.as_bytes()).is_some(),
                    "{planted} in {name}"
                );
                let hits = check(&text, &[Needle::of(canary).unwrap()]);
                assert!(!hits.is_empty(), "{planted} in {name}");
            }
        }
    }
}

#[test]
fn har_file_is_read_by_another_program() {
    let exchanges = [
        exchange(Operation::Withdrawal, Some("{}"), None),
        exchange(Operation::CreateLink, Some("a=b"), Some((201, "{\"a\":1}"))),
    ];
    let har = har::from_str(&export_texts(&exchanges, &[])[0].1).unwrap();
    let har::Spec::V1_2(log) = har.log else {
        panic!("another version")
    };
    assert_eq!(log.creator.name, "balcao");
    let statuses: Vec<_> = log
        .entries
        .iter()
        .map(|entry| entry.response.status)
        .collect();
    assert_eq!(statuses, [0, 201]);
    assert_eq!(log.entries[0].timings.dns, Some(-1.0));
}

#[test]
fn sizes_in_a_har_file_are_those_of_its_texts() {
    let body = json!({ "message": "Cliente Bia Costa bloqueado", "pixKey": CANARIES[0] });
    let body = body.to_string();
    let with_length = |exchange: Arc<Exchange>| {
        let mut exchange = Arc::unwrap_or_clone(exchange);
        exchange
            .request_headers
            .push(("Content-Length".into(), body.len().to_string()));
        exchange.request_bytes = body.len() as u64;
        if let Ok(reply) = &mut exchange.reply {
            reply
                .headers
                .push(("content-length".into(), body.len().to_string().into()));
        }
        Arc::new(exchange)
    };
    let exchanges = [
        with_length(exchange(
            Operation::Withdrawal,
            Some(&body),
            Some((422, &body)),
        )),
        with_length(exchange(
            Operation::Login,
            Some("a=Bia+Costa&b=1"),
            Some((502, "<p>Bia</p>")),
        )),
        with_length(exchange(Operation::Domains, None, Some((204, "")))),
    ];
    let har = har::from_str(&export_texts(&exchanges, &[])[0].1).unwrap();
    let har::Spec::V1_2(log) = har.log else {
        panic!("another version")
    };
    let header = |headers: &[har::v1_2::Headers], name: &str| {
        let header = headers
            .iter()
            .find(|header| header.name.eq_ignore_ascii_case(name));
        header.unwrap().value.parse::<i64>().unwrap()
    };
    for entry in &log.entries {
        let sent = entry
            .request
            .post_data
            .as_ref()
            .and_then(|data| data.text.as_deref());
        let sent = sent.unwrap_or_default().len() as i64;
        let received = entry.response.content.text.as_deref().unwrap().len() as i64;
        assert_eq!(entry.request.body_size, sent);
        assert_eq!(header(&entry.request.headers, "content-length"), sent);
        assert_eq!(
            (entry.response.body_size, entry.response.content.size),
            (received, received)
        );
        assert_eq!(header(&entry.response.headers, "content-length"), received);
    }
    let texts: Vec<&str> = log
        .entries
        .iter()
        .map(|entry| &*entry.response.status_text)
        .collect();
    assert_eq!(texts, ["Unprocessable Entity", "Bad Gateway", "No Content"]);
}

mod needs_tools {
    use std::process::Command;

    use super::*;
    use crate::tools::{has_tools, program_path};

    /// Validates a HAR file with the public JSON schema of HAR 1.2. Returns true if the file is
    /// valid, and the errors.
    fn validate(har: &str) -> (bool, String) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.har");
        std::fs::write(&path, har).unwrap();
        let schema = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/har-schema/har-1.2.json");
        let mut command = Command::new(program_path("jsonschema"));
        let output = command.arg("-i").arg(&path).arg(schema).output().unwrap();
        (
            output.status.success(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    }

    #[test]
    fn har_file_is_valid_by_the_public_schema() {
        if !has_tools(&["jsonschema"]) {
            return;
        }
        let exchanges = [
            exchange(Operation::Withdrawal, Some("{}"), None),
            exchange(Operation::CreateLink, Some("a=b"), Some((201, "{\"a\":1}"))),
            exchange(Operation::Login, None, Some((503, "<html>"))),
        ];
        let har = &export_texts(&exchanges, &[])[0].1;
        let (is_valid, errors) = validate(har);
        assert!(is_valid, "{errors}");
        for (part, other) in [
            ("\"dns\": -1", "\"dns\": \"\""),
            ("startedDateTime", "began"),
        ] {
            assert!(!validate(&har.replacen(part, other, 1)).0, "{part}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn filtered_list_is_exported_to_a_private_file() {
    let (env, mut app) = TestEnv::new().await.into_logged_in().await;
    fs::create_dir(env.receipts_dir()).unwrap();
    app.create_link("4990", "Camiseta azul M").await;
    app.press("Esc").await;
    app.create_link("7990", "Boné de 529.982.247-25").await;
    app.press("Esc /").await;
    app.type_text("boné").await;
    app.press("Enter").await;
    app.press("e").await;
    app.wait_for_localized("export-masked-means").await;
    app.press("Enter Enter").await;
    app.wait_for_message("ListExported").await;
    app.wait_for("✓ 1 linha exportada").await;
    let path = env.receipts_dir().join("links-2026-11-21.csv");
    let mode = fs::metadata(&path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(text.lines().count(), 2, "{text}");
    assert!(text.contains(";79,90;Boné de •••;"), "{text}");

    // In full, the file has the same names as the JSON of the commands.
    app.press("e Right Tab Right Ctrl-S").await;
    app.wait_for_another_message("ListExported", 1).await;
    let path = env.receipts_dir().join("links-2026-11-21.jsonl");
    let row: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!(row["description"], "Boné de 529.982.247-25");
    let schema = include_str!("../../assets/schema/link.json");
    let schema: Value = serde_json::from_str(schema).unwrap();
    for name in schema["required"].as_array().unwrap() {
        assert!(row.get(name.as_str().unwrap()).is_some(), "{name}");
    }
    app.close().await;
}
