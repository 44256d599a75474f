//! Tests of the masks in bodies.

use super::*;

#[test]
fn personal_values_become_kind_and_number() {
    for (value, masked) in [
        ("529.982.247-25", "‹cpf 1›"),
        ("11.444.777/0001-61", "‹cnpj 1›"),
        ("+55 11 91234-5678", "‹phone 1›"),
        ("ana@loja.example", "‹email 1›"),
        ("123e4567-e89b-12d3-a456-426614174000", "‹uuid 1›"),
        ("00020126580014br.gov.bcb.pix", "‹pix code 1, 28 letters›"),
        (
            "data:image/png;base64,iVBORw0KGgo",
            "‹picture 1, 33 letters›",
        ),
        (JWT, "‹token 1, 44 letters›"),
        ("api_0123456789abcdef0123", "‹token 1, 24 letters›"),
        ("loja.example", "‹host 1›"),
        ("1234567", "‹number 1, 7 digits›"),
        ("12345-6", "‹number 1, 6 digits›"),
        ("1.234,56", "‹amount 1›"),
        ("Ana Beatriz de Souza Lima", "‹text 1, 25 letters›"),
        ("***.982.247-**", "‹text 1, 14 letters›"),
    ] {
        let body = json!({ "x": value }).to_string();
        assert_eq!(mask().mask_body(&body), json!({ "x": masked }).to_string());
    }
    assert_eq!(
        mask().mask_body(r#"{"x":52998224725}"#),
        r#"{"x":"‹cpf 1›"}"#
    );
    assert_eq!(
        mask().mask_body(r#"{"x":[12345,{"y":1}]}"#),
        r#"{"x":["‹number 1, 5 digits›",{"y":"‹number 2, 1 digits›"}]}"#
    );
}

#[test]
fn equal_values_have_equal_masks() {
    let mut mask = mask();
    for (body, masked) in [
        (
            r#"["529.982.247-25",52998224725]"#,
            r#"["‹cpf 1›","‹cpf 1›"]"#,
        ),
        (
            r#"["11144477735","52998224725"]"#,
            r#"["‹cpf 2›","‹cpf 1›"]"#,
        ),
        (
            r#"["+5511912345678","(11) 91234-5678"]"#,
            r#"["‹phone 1›","‹phone 1›"]"#,
        ),
        (
            r#"{"name":"Ana","note":"Ana"}"#,
            r#"{"name":"‹text 1, 3 letters›","note":"‹text 1, 3 letters›"}"#,
        ),
    ] {
        assert_eq!(mask.mask_body(body), masked);
    }
    assert_eq!(
        mask.mask_url("https://a.example/529.982.247-25"),
        "https://*host-1*/*cpf-1*"
    );
    assert_eq!(
        super::mask().mask_body(r#"["11144477735"]"#),
        r#"["‹cpf 1›"]"#
    );
}

#[test]
fn different_values_have_different_masks() {
    for values in [
        r#"[12.5,125,-125,"1/2","12",1250,"12.50"]"#,
        r#"["ana.souza@x.example","anasouza@x.example","ANASOUZA@x.example"]"#,
        r#"["AbCdEfGhIjKlMnOpQr12","aBcDeFgHiJkLmNoPqR12"]"#,
        r#"["Ana Lima","Analima","ana lima","Ana Lima!"]"#,
        r#"["52998224725","-52998224725","529982247.25","11987654321","119876543.21"]"#,
    ] {
        let masked: Vec<String> = serde_json::from_str(&mask().mask_body(values)).unwrap();
        let different: std::collections::BTreeSet<&String> = masked.iter().collect();
        assert_eq!(different.len(), masked.len(), "{masked:?}");
    }
}

#[test]
fn date_is_kept_only_near_the_exchange() {
    for (text, kept) in [
        ("2024-11-20", true),
        ("2028-11-22", true),
        ("2024-11-18", false),
        ("2028-11-25", false),
        ("1990-05-01", false),
        ("2026-11-21T15:00:00.123Z", true),
        ("2026-11-21 15:00:00-0300", true),
        ("2026-11-21T15:00:00.529982247Z", false),
        ("20261121 150000", false),
        ("19911231 121314", false),
        ("2026-11-21T150000", false),
    ] {
        for name in ["at", "born", "aniversario"] {
            let body = json!({ name: text }).to_string();
            assert_eq!(mask().mask_body(&body) == body, kept, "{body}");
        }
        let mut mask = StrictMask::new(&CONTRACT, &[]);
        assert_ne!(mask.mask_text("at", text), text, "no time is known");
    }
    let body = r#"{"at":"2026-11-21T15:00:00.529982247-03:00"}"#;
    assert_eq!(
        mask().mask_body(body),
        r#"{"at":"2026-11-21T15:00:00.529-03:00"}"#
    );
    for (date, kept) in [("Sat, 21 Nov 2026", true), ("Tue, 01 May 1990", false)] {
        let date = format!("{date} 15:00:00 GMT");
        assert_eq!(mask().mask_header("date", &date).1 == date, kept, "{date}");
    }
    let date = "Sat, 21 Nov 2026 52998224 GMT";
    assert!(!mask().mask_header("expires", date).1.contains("5299"));
}

#[test]
fn values_that_support_needs_stay_readable() {
    let bodies = [
        r#"{"amount":10.10,"fee":"0.50","netAmount":-9.60,"valor":"1.234,56","total":1010}"#,
        r#"{"status":"PENDING","pixKeyType":"cpf","paymentMethod":"pix","ok":true,"x":null}"#,
        r#"{"statusCode":400,"status":503,"expiresIn":86400,"error":false,"list":[]}"#,
        r#"{"createdAt":"2026-11-21T15:00:00.1Z","day":"2026-11-21","at":"2026-11-21T10:00"}"#,
        r#"{"message":"Domínio de checkout obrigatório."}"#,
        concat!(
            r#"{"requestId":"req_8f14e45fceea467f","x":"","#,
            "\"token\":\"\u{FDEF}\",\"jwt\":\"eyJ\u{FDEF}\"}",
        ),
        r#"{"callback":"http://127.0.0.1:8787/api/v1/payment-links?amount=10.10"}"#,
        &format!(r#"{{"key":"{KEY}","again":"{}"}}"#, KEY.0.simple()),
    ];
    for body in bodies {
        assert_eq!(mask().mask_body(body), body);
    }
}

#[test]
fn value_outside_its_member_is_masked() {
    for (body, personal) in [
        (r#"{"balance":10.10}"#, "10.10"),
        (r#"{"amount":52998224725}"#, "52998224725"),
        (r#"{"amount":"1234567"}"#, "1234567"),
        (r#"{"amount":"Ana"}"#, "Ana"),
        (r#"{"agency":400}"#, "400"),
        (r#"{"status":1234567}"#, "1234567"),
        (r#"{"account":86400}"#, "86400"),
        (r#"{"birthDate":"1990-05-12"}"#, "1990"),
        (r#"{"at":"2026-11-21 52998224725"}"#, "52998224725"),
        (r#"{"requestId":"52998224725"}"#, "52998224725"),
        (r#"{"requestId":"AnaBeatriz"}"#, "Ana"),
        (
            r#"{"requestId":"123e4567-e89b-12d3-a456-426614174000"}"#,
            "123e",
        ),
        (r#"{"id":"req_8f14e45fceea467f"}"#, "8f14"),
        (r#"{"requestId":"req_52998224725abcde"}"#, "52998224725"),
        (r#"{"total":529982247.25}"#, "529982247"),
        (r#"{"valor":"529.982.247,25"}"#, "529"),
        (
            r#"{"other":"3f0e6c1c-0000-0000-0000-000000000001"}"#,
            "3f0e",
        ),
    ] {
        let masked = mask().mask_body(body);
        assert!(
            !masked.contains(personal) && masked.contains('‹'),
            "{masked}"
        );
    }
}

#[test]
fn names_are_kept_only_if_plain_or_listed() {
    for (body, masked) in [
        (
            r#"{"any_Name":{"id":"","e2eId":""}}"#,
            r#"{"any_Name":{"id":"","e2eId":""}}"#,
        ),
        (r#"{"loja.example":""}"#, r#"{"‹host 1›":""}"#),
        (
            r#"{"529.982.247-25":"","52998224725":""}"#,
            r#"{"‹cpf 1›":"","‹cpf 1› (2)":""}"#,
        ),
        (
            r#"{"Ana Lima":"","conta1234567":""}"#,
            r#"{"‹text 1, 8 letters›":"","‹text 2, 12 letters›":""}"#,
        ),
    ] {
        assert_eq!(mask().mask_body(body), masked);
    }
    let long = "a".repeat(41);
    assert!(
        !mask()
            .mask_body(&json!({ &*long: 1 }).to_string())
            .contains(&long)
    );
}

#[test]
fn names_of_the_contract_are_kept_unless_personal() {
    let lines = "withdrawal.id = ['/saque-id', '/52998224725/id']\n\
                     withdrawal.echo_amount = ['/val-1']";
    let contract = Contract::with(&[("c", lines)]).unwrap();
    let mut mask = StrictMask::new(&contract, &[]);
    let body = r#"{"saque-id":"","val-1":5,"52998224725":{"val-2":5}}"#;
    let masked =
        r#"{"saque-id":"","val-1":5,"‹cpf 1›":{"‹text 1, 5 letters›":"‹number 1, 1 digits›"}}"#;
    assert_eq!(mask.mask_body(body), masked);
}

#[test]
fn known_secret_is_masked_even_in_kept_places() {
    let secrets = [
        "s3nha-curta",
        "pix",
        "123456",
        "payment-links",
        "s3nha4",
        "!#%&",
        "$",
        "",
    ]
    .map(|text| Secret::new(text.to_owned()));
    let mut mask = StrictMask::new(&CONTRACT, &secrets);
    for body in [
        r#"{"paymentMethod":"pix"}"#,
        r#"{"requestId":"x-s3nha-curta-y"}"#,
        r#"{"requestId":"czNuaGEtY3VydGE"}"#,
        r#"{"amount":123456}"#,
        r#"{"pix":""}"#,
    ] {
        let masked = mask.mask_body(body);
        assert!(masked.contains('‹'), "{masked}");
    }
    assert!(
        mask.contains_secret("00ff73-336e686134ff"),
        "the hexadecimal digits of s3nha4"
    );
    assert!(mask.contains_secret("x!#%&y") && !mask.contains_secret("x$y"));
    let harmless_body = r#"{"amount":10.10,"status":"paid"}"#;
    assert_eq!(mask.mask_body(harmless_body), harmless_body);
    let (_, value) = mask.mask_header("server", "nginx");
    assert_eq!(value, "nginx");
    assert!(
        mask.mask_header("server", "s3nha-curta")
            .1
            .starts_with("‹token")
    );
    let address = mask.mask_url("http://localhost/api/payment-links");
    assert!(
        address.starts_with("http://localhost/api/*text-"),
        "{address}"
    );
}

#[test]
fn broken_json_keeps_punctuation_and_listed_names() {
    for (body, masked) in [
        (
            r#"{"amount":10.10,"status":"paid","pixKey":"529.982.247-25","na"#,
            r#"{"amount":10.10,"status":"paid","pixKey":"‹cpf 1›","‹text 1, 2 letters›"#,
        ),
        (
            r#"{"customer":{"name":"Ana Lima"},"apelido":1234567,}"#,
            "{\"customer\":{\"name\":\"‹text 1, 8 letters›\"},\"‹text 2, 7 letters›\":\
                 ‹number 1, 7 digits›,}",
        ),
        (
            "<html><body><h1>502 de Ana</h1></body></html>",
            "<html><body><h1>‹text 1, 10 letters›</h1></body></html>",
        ),
        (
            "Ana tem R$ 12,00",
            "‹text 1, 13 letters›,‹number 1, 2 digits›",
        ),
        ("amount: 10,50", "amount: 10,50"),
        ("amount: 529 982 247 25", "amount: ‹cpf 1›"),
        (r#"{"amount": 10.50"#, r#"{"amount": 10.50"#),
        ("", ""),
    ] {
        assert_eq!(mask().mask_body(body), masked);
    }
}

#[test]
fn form_keeps_names_and_amounts() {
    let form = "amount=10.10&customer%5Bname%5D=Ana+Lima&52998224725=1&pixKeyType=cpf&x=";
    let masked = "amount=10.10&customer[name]=*text-1*&*cpf-1*=*number-1*&pixKeyType=cpf&x=";
    assert_eq!(mask().mask_body(form), masked);
    // Base64 with equals signs at its end is not a form, so all of it must be masked.
    for body in ["QUJDREVG==", "QUJDREU="] {
        assert!(!mask().mask_body(body).contains("QUJD"), "{body}");
    }
}
