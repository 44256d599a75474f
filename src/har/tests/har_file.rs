//! Tests of the whole file.

use super::*;

fn har_json(exchanges: &[&Exchange]) -> Value {
    serde_json::from_str(&file(exchanges, &CONTRACT, &mut mask())).unwrap()
}

#[test]
fn entry_has_code_and_masked_values() {
    let body = r#"{"id":"wd_123456","status":"processing","amount":10.10}"#;
    let har = har_json(&[&with_reply(withdrawal(), 201, body)]);
    let entry = &har["log"]["entries"][0];
    assert_eq!(har["log"]["version"], "1.2");
    assert_eq!(entry["startedDateTime"], "2026-11-21T15:00:00.123Z");
    assert_eq!(entry["time"], 250);
    assert_eq!(entry["_operation"], "withdrawal");
    assert_eq!(entry["_code"], KEY.to_string());
    assert_eq!(
        entry["request"]["url"],
        "https://api.example/api/v1/integrations/withdrawals"
    );
    assert_eq!(entry["request"]["headers"][1]["value"], "Bearer …");
    assert_eq!(entry["request"]["postData"]["mimeType"], "application/json");
    assert_eq!(
        entry["request"]["postData"]["text"],
        r#"{"amount":10.10,"pixKeyType":"cpf","pixKey":"‹cpf 1›"}"#
    );
    assert_eq!(entry["response"]["status"], 201);
    assert_eq!(
        entry["response"]["content"]["text"],
        r#"{"id":"‹text 1, 9 letters›","status":"processing","amount":10.10}"#
    );
    assert_eq!(
        (&entry["timings"]["dns"], &entry["timings"]["ssl"]),
        (&json!(-1), &json!(-1))
    );
    assert!(entry.get("_error").is_none());
}

#[test]
fn entry_without_reply_has_status_0_and_reason() {
    let har = har_json(&[&exchange(
        Operation::Domains,
        "https://a.example/?amount=1.50",
    )]);
    let entry = &har["log"]["entries"][0];
    assert_eq!(entry["response"]["status"], 0);
    assert_eq!(entry["_error"], "not sent: dns");
    assert_eq!(
        entry["request"]["queryString"],
        json!([{ "name": "amount", "value": "1.50" }])
    );
    assert!(entry.get("_code").is_none());
}

#[test]
fn contract_lines_stay_valid_and_match_the_requests() {
    let lines = "create_link.path = '/api/accounts/1234567/links?loja=ana'\n\
            create_link.url = ['/52998224725/url']\n\
            request.headers = ['X-Store: ana-123']\n\
            [withdrawal]\n\
            body = ['amount', 'key_kind', 'key', 'loja5299']\n\
            [withdrawal.field.loja5299]\n\
            name = 'loja'\nkind = 'text'\nlabel.en = 'Loja da Ana'\npattern = '0-9.'\n";
    let contract = Contract::with(&[("c", lines)]).unwrap();
    let url = "https://a.example/api/accounts/1234567/links?loja=ana";
    let link = with_reply(
        exchange(Operation::CreateLink, url),
        200,
        r#"{"52998224725":{}}"#,
    );
    let mut mask = StrictMask::new(&contract, &[]);
    let har: Value = serde_json::from_str(&file(&[&link], &contract, &mut mask)).unwrap();
    let entry = &har["log"]["entries"][0];
    assert_eq!(
        entry["request"]["url"],
        "https://a.example/api/accounts/*number-1*/links?loja=*text-1*"
    );
    assert_eq!(entry["response"]["content"]["text"], r#"{"‹cpf 1›":{}}"#);
    let lines: Vec<&str> = har["log"]["_contract"]
        .as_array()
        .unwrap()
        .iter()
        .map(|l| l.as_str().unwrap())
        .collect();
    let text = lines.join("\n");
    let parsed = Contract::with(&[("har", &text)]).unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert!(
        parsed
            .create_link
            .call
            .path
            .starts_with("/api/accounts/*number-1*/links?loja=")
    );
    assert_eq!(parsed.paths(LINK_URL).pointers[0].as_str(), "/‹cpf 1›/url");
    for personal in ["1234567", "5299", "Ana", "ana-123"] {
        assert!(!text.contains(personal), "{personal} in\n{text}");
    }
    assert_eq!(parsed.withdrawal.form.fields[3].pattern, None);
}

#[test]
fn contract_line_has_no_secret_in_any_part() {
    let secrets = ["segredo-da-loja", "a.bem.longo.segredo", "curto"];
    let secrets = secrets.map(|text| Secret::new(text.to_owned()));
    let mut mask = StrictMask::new(&CONTRACT, &secrets);
    for line in [
        r#"withdrawal.field.segredo-da-loja.name = "loja""#,
        r#"withdrawal.field.curto.kind = "text""#,
        r#"withdrawal.field.a.bem.longo.segredo.kind = "text""#,
        r#"withdrawal.field.loja.pattern = "segredo-da-loja""#,
        r#"withdrawal.field.loja.pattern = "curto""#,
        r#"withdrawal.body = ["amount", "segredo-da-loja", "a.bem.longo.segredo"]"#,
    ] {
        let masked = mask.mask_contract_line(line);
        let secret_parts = ["segredo", "curto"];
        assert!(
            !secret_parts.iter().any(|secret| masked.contains(secret)),
            "{line}: {masked}"
        );
    }
    let line = r#"withdrawal.field.loja.kind = "text""#;
    assert_eq!(mask.mask_contract_line(line), line);
}

#[test]
fn different_masked_values_are_counted_by_kind() {
    let mut mask = mask();
    mask.mask_body(r#"["529.982.247-25","52998224725","ana@a.example","bia@a.example",true]"#);
    let expected = [(MaskedKind::Cpf, 1), (MaskedKind::Email, 2)];
    assert_eq!(mask.masked_counts(), expected);
}
