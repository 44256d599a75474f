//! Tests of the values that are filled into a recorded reply.

use super::*;

/// Records `reply` as the reply to a direct payment, and then sends a similar payment. Returns
/// the body of the reply that the replay plays.
async fn replay_payment(reply: &str) -> (ReplayServer, Value) {
    let recorded_body =
        r#"{"amount":123.45,"document":"‹cpf 1›","text":"‹text 1, 4 letters›","n":1}"#;
    let replay = start_replay(&har(&[entry(
        "POST",
        CHARGES,
        Some(recorded_body),
        201,
        reply,
    )]))
    .await;
    let new = r#"{"amount":123.45,"document":"11144477735","text":"Açaí & co","n":1}"#;
    let (status, head, body) = send(&replay, "POST", CHARGES, "", new).await;
    assert!(
        status == 201 && !head.contains("x-frame") && !head.contains("21 nov"),
        "{head}"
    );
    (
        replay,
        serde_json::from_str(&body).unwrap_or(Value::String(body)),
    )
}

#[tokio::test]
async fn echo_has_the_value_of_the_new_request() {
    let (_, body) = replay_payment(
        r#"{"a":"‹cpf 1›","b":["‹text 1, 4 letters›"],"c":"x ‹cpf 1› y","‹cpf 1›":"‹cpf 2›"}"#,
    )
    .await;
    let expected = json!({
        "a": "11144477735", "b": ["Açaí & co"], "c": "x 11144477735 y",
        "11144477735": "‹cpf 2›",
    });
    assert_eq!(body, expected);
}

#[tokio::test]
async fn url_leads_to_the_replay() {
    let (replay, body) = replay_payment(
        r#"["https://*host-1*/*text-2*/link-*text-1*?a=*text-9*", "http://api.example:81/x",
               "https://*user-1*@*host-2*:443/#*text-3*", "‹host 1›", "http://api.example/a*b"]"#,
    )
    .await;
    let port = replay.address.port();
    let expected = json!([
        format!("http://host-1.localhost:{port}/text-2/link-A%C3%A7a%C3%AD+%26+co?a=text-9"),
        format!("http://127.0.0.1:{port}/x"),
        format!("http://host-2.localhost:{port}/#text-3"),
        "host-1.localhost",
        format!("http://127.0.0.1:{port}/ab"),
    ]);
    assert_eq!(body, expected);
}

#[tokio::test]
async fn pix_code_is_valid_and_has_the_amount() {
    let (_, body) = replay_payment(r#"{"qrCode":"‹pix code 1, 150 letters›"}"#).await;
    let code = BrCode::parse(&body["qrCode"].as_str().unwrap().into()).unwrap();
    assert!(code.is_intact && code.is_in_reais);
    assert_eq!(code.amount, Some(Money::from_centavos(12_345)));
}

#[tokio::test]
async fn other_masks_stay_visible() {
    let text = r#"{"a":"‹uuid 7›","b":"‹text 8, 30 letters›","c":"‹picture 1, 9 letters›"}"#;
    assert_eq!(
        replay_payment(text).await.1,
        serde_json::from_str::<Value>(text).unwrap()
    );
    assert_eq!(
        replay_payment("<p>‹text 8, 3 letters›‹cpf 1›").await.1,
        "<p>‹text 8, 3 letters›11144477735"
    );
    let (_, body) =
        replay_payment(r#"["‹token 1, 24 letters›","‹token 2, 24 letters›","‹token 1›"]"#).await;
    let value_at = |index: usize| body[index].as_str().unwrap().to_owned();
    assert!(
        value_at(0).len() == 24
            && value_at(0) != value_at(1)
            && value_at(2).starts_with(&value_at(0)),
        "{body}"
    );
}

#[tokio::test]
async fn login_gets_new_credentials() {
    let lines = ["login.jwt = [\"/jwt\"]"];
    let reply = r#"{"token":"…","jwt":"…","other":"eyJ…","expiresIn":7200}"#;
    let mut login = entry("POST", LOGIN, Some(r#"{"email":"‹email 1›"}"#), 200, reply);
    login["response"]["headers"][0] = json!({ "name": "Authorization", "value": "…" });
    let mut har = har(&[login]);
    har["log"]["_contract"] = json!(lines);
    let replay = start_replay(&har).await;
    let (_, head, body) = send(
        &replay,
        "POST",
        LOGIN,
        "",
        r#"{"email":"bia@loja.example"}"#,
    )
    .await;
    let body: Value = serde_json::from_str(&body).unwrap();
    let value_of = |name: &str| body[name].as_str().unwrap();
    assert!(
        value_of("token").len() > 20 && head.contains("\nauthorization: "),
        "{head}"
    );
    for jwt in [value_of("jwt"), value_of("other")] {
        let issued = jwt_issued(jwt).unwrap();
        let expiry = jwt_expiry(jwt).unwrap();
        assert_eq!(expiry.since(issued), Some(Duration::from_secs(7200)));
    }
    assert!(is_jwt(replay.jwt()), "{}", replay.jwt());
}

#[tokio::test]
async fn login_succeeds_if_none_was_recorded() {
    let mut har = har(&[withdrawal("‹uuid 1›", 201, "{}")]);
    har["log"]["_contract"] = json!(["login.token = [\"/data/key\"]", "login.under = [\"\"]"]);
    let recording = parse_har(&har).unwrap();
    assert!(recording.accepts_login() && recording.contract_lines().len() == 2);
    let replay = start_replay(&har).await;
    let (status, _, body) = send(&replay, "POST", LOGIN, "", r#"{"any":"x"}"#).await;
    let body: Value = serde_json::from_str(&body).unwrap();
    assert!(
        status == 200 && body["data"]["key"].as_str().unwrap().len() > 20,
        "{body}"
    );
    let refused_login = self::har(&[entry("POST", LOGIN, Some("{}"), 401, "{}")]);
    assert!(!parse_har(&refused_login).unwrap().accepts_login());
    assert_eq!(
        self::status_of(&start_replay(&refused_login).await, "POST", LOGIN, "{}").await,
        401
    );
}
