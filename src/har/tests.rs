use std::sync::{Arc, LazyLock};
use std::time::Duration;

use proptest::prelude::*;
use serde_json::{Value, json};
use uuid::Uuid;

use super::*;
use crate::contract::Contract;
use crate::contract::reply_setting::LINK_URL;
use crate::trade::withdrawal::NotSent;
use crate::trade::{
    Exchange, ExchangeSubject, Failure, IdempotencyKey, MaskedReply, Operation, Secret, Wall,
};

const JWT: &str = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJsb2phIn0.c2ln";
const KEY: IdempotencyKey = IdempotencyKey(Uuid::from_u128(0x3f0e_6c1c_7c55_4a8e));
const WORDS: CurlWords<'static> = CurlWords {
    warning: "Don't run this; it's `dangerous`\n$(pay twice)",
    key: "KEY",
    destination: "DESTINATION",
};

static CONTRACT: LazyLock<Contract> = LazyLock::new(Contract::built_in);

/// The time of the exported requests: 2026-11-21T15:00:00.123Z.
const REQUEST_TIME: Wall = Wall(1_795_273_200_123);

fn mask() -> StrictMask {
    let mut mask = StrictMask::new(&CONTRACT, &[]);
    mask.keep_key_public(KEY);
    mask.set_request_time(REQUEST_TIME);
    mask
}

fn exchange(operation: Operation, url: &str) -> Exchange {
    let reply = Err(Failure::NotSent(NotSent::Dns));
    Exchange {
        at: REQUEST_TIME,
        took: Duration::from_millis(250),
        ..Exchange::new(operation, "POST", url, reply)
    }
}

fn withdrawal() -> Exchange {
    let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    Exchange {
        subject: Some(ExchangeSubject::Withdrawal(KEY)),
        request_headers: vec![
            header("content-type", "application/json"),
            header("authorization", "Bearer \u{FDEF}"),
            header("idempotency-key", &KEY.to_string()),
            header("Content-Length", "99"),
        ],
        request_body: Some(r#"{"amount":10.10,"pixKeyType":"cpf","pixKey":"52998224725"}"#.into()),
        ..exchange(
            Operation::Withdrawal,
            "https://api.example/api/v1/integrations/withdrawals",
        )
    }
}

fn with_reply(mut exchange: Exchange, status: u16, body: &str) -> Exchange {
    let headers = vec![("content-type".to_owned(), "application/json".into())];
    exchange.reply = Ok(MaskedReply::new(status, headers, body));
    exchange
}

mod body {
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
}

mod address {
    use super::*;

    #[test]
    fn only_scheme_own_host_and_known_path_are_kept() {
        let mut mask = mask();
        mask.keep_host_public("https://API.example:8443/v1");
        for (url, masked) in [
            (
                "https://api.example:8443/api/v1/payment-links",
                "https://api.example:8443/api/v1/payment-links",
            ),
            (
                "https://api.example/accounts/1234567/",
                "https://api.example/*text-1*/*number-1*/",
            ),
            (
                "https://loja-da-ana.example/checkout/link-abc123?t=x#y",
                "https://*host-1*/*text-2*/*text-3*?t=*text-4*#*text-5*",
            ),
            (
                "http://loja.localhost:41873/api",
                "http://*host-2*:41873/api",
            ),
            (
                "https://ana:pw@api.example/",
                "https://*text-6*@api.example/",
            ),
            (
                "https://api.example/?amount=10.10&page=2",
                "https://api.example/?amount=10.10&page=*number-2*",
            ),
            ("https://api.example/?Ana", "https://api.example/?*text-7*"),
            (
                "https://api.example/529%2E982.247-25",
                "https://api.example/*cpf-1*",
            ),
            ("https://[::1]:80/api", "https://[::1]:80/api"),
            ("ftp://api.example/", "‹text 8, 18 letters›"),
            ("api.example", "‹host 3›"),
        ] {
            assert_eq!(mask.mask_url(url), masked);
        }
        assert_eq!(
            mask.mask_body(r#"{"d":"api.example"}"#),
            r#"{"d":"api.example"}"#
        );
    }
}

mod header {
    use super::*;

    #[test]
    fn harmless_headers_are_kept() {
        for (name, value) in [
            ("content-type", "application/json; charset=utf-8"),
            ("Content-Length", "1234567"),
            ("date", "Sat, 21 Nov 2026 15:00:00 GMT"),
            ("server", "nginx/1.25.3"),
            ("user-agent", "balcao/0.1.0"),
            ("cache-control", "no-store, max-age=60"),
            ("x-request-id", "8f14e45f-ceea-467f-a8d3-1a2b3c4d5e6f"),
            ("authorization", "Bearer \u{FDEF}"),
            ("x-api-key", "\u{FDEF}"),
            ("retry-after", "30"),
            ("location", "/api/v1/payment-links"),
            ("idempotency-key", &*KEY.to_string()),
        ] {
            assert_eq!(
                mask().mask_header(name, value),
                (name.to_owned(), value.to_owned())
            );
        }
    }

    #[test]
    fn request_id_is_kept_only_in_the_form_of_an_id() {
        for id in [
            "8f14e45f-ceea-467f-a8d3-1a2b3c4d5e6f",
            "01JD8XK3T7Q9V2M4N6P8R0S1ZA",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "8f14e45fceea467f",
            "req-8f14e45fceea467fa8d31a2b3c4d5e6f",
            "req_8f14e45f-ceea-467f-a8d3-1a2b3c4d5e6f",
            "8f14e45fceea467f-GRU",
            "Root=1-5759e988-bd862e3fe1be46a994272793",
        ] {
            assert_eq!(mask().mask_header("x-request-id", id).1, id);
        }
        let hex = |text: &str| text.bytes().map(|b| format!("{b:02x}")).collect::<String>();
        for id in [
            "52998224725a",
            "req-52998224725",
            "ana-souza-11-91234-5678",
            "link-9f8e7d6c5b4a",
            "ana-8f14e45fceea467f",
            "AnaBeatrizDeSouza1990",
            "01ANABEATRHDESAUZAMARTHNSA",
            "5299822472552998",
            "abcde52998224725fed",
            "52998224-725a-467f-a8d3-1a2b3c4d5e6f",
            "8f14e45f-ceea-467f-a11-987654321abc",
            "8f14e45f-ceea-467f-a8d3-11987654321a",
            "11444777000161abcdef",
            &hex("s3nha-longa"),
            &hex("agnol-ahn3s"),
            &format!("0{}a", hex("s3nha-longa")),
            &format!("00ff{}", hex("s3nha-longa")),
            "czNuaGEtbG9uZ2E",
            "YXMzbmhhLWxvbmdh",
            "73-33-6e-68-61-2d-6c-6f-6e-67-61",
            "73336e68-612d-6c6f-6e67-61a1b2c3d4e5",
            "s-3-n-h-a-l-o-n-g-a-1",
            "8f14e45fceea467f-Gru",
            "8f14e45fceea467f-BEATRIZ",
            "11444777000161ab-GRU",
        ] {
            for name in ["x-request-id", "x-trace-id", "traceparent"] {
                let masked = mask().mask_header(name, id).1;
                assert!(masked.starts_with('‹'), "{name}: {id} is {masked}");
            }
        }
    }

    #[test]
    fn header_numbers_are_masked_unless_small() {
        for (name, value) in [
            ("server", "nginx/1.25.3"),
            ("server", "apache/2.4.54"),
            ("via", "HTTP/1.1 proxy"),
            ("via", "1.1 varnish"),
            ("cache-control", "max-age=3600"),
            ("keep-alive", "timeout=5, max=1000"),
            ("age", "86400"),
            ("content-type", "text/html; charset=utf-8"),
        ] {
            assert_eq!(mask().mask_header(name, value).1, value);
        }
        for (name, value) in [
            ("server", "529 982 247 25"),
            ("server", "nginx/529.982.247"),
            ("via", "1.1 529 982 247 25"),
            ("via", "HTTP/529"),
            ("allow", "GET, 529, 982, 247, 25"),
            (
                "cache-control",
                "max-age=529, s-maxage=982, max=247, timeout=25",
            ),
            ("cache-control", "max-age=5299822"),
            ("content-language", "529.982 247 25"),
            ("content-type", "text/html; charset=529 982"),
            ("content-type", "text/529"),
            ("location", "https://t.example/529/982/247/25?…"),
            ("location", "/529/982/247/25"),
            ("location", "//ana.example/529"),
            ("retry-after", "529982247"),
            ("age", "5299822"),
            ("content-length", "529982247"),
            ("x-request-id", "… 529 982 247 25"),
        ] {
            let masked = mask().mask_header(name, value).1;
            assert!(!masked.contains("529"), "{name}: {masked}");
        }
    }

    #[test]
    fn free_text_in_a_header_is_masked() {
        for (name, value, masked) in [
            ("server", "loja-da-ana.example", "*host-1*"),
            ("via", "1.1 Ana", "1.1 *text-1*"),
            ("x-store", "1234567", "‹number 1, 7 digits›"),
            ("x-request-id", "52998224725", "‹cpf 1›"),
            ("x-request-id", JWT, "‹token 1, 44 letters›"),
            ("content-length", "52998224725", "‹cpf 1›"),
            (
                "date",
                "Ana, 21 Nov 2026 15:00:00 GMT",
                "‹text 1, 29 letters›",
            ),
            ("host", "ana.example:80", "‹host 1›:80"),
            ("location", "/u/529.982.247-25", "/*text-1*/*cpf-1*"),
            (
                "idempotency-key",
                "123e4567-e89b-12d3-a456-426614174000",
                "‹uuid 1›",
            ),
        ] {
            assert_eq!(mask().mask_header(name, value).1, masked, "{name}");
        }
        assert_eq!(mask().mask_header("x-52998224725", "").0, "X-text-1");
        assert_eq!(mask().mask_header("X-Loja.Ana", "").0, "X-host-1");
    }
}

mod har_file {
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
}

mod contract_lines;
mod curl;
mod refusals;

proptest! {
    #[test]
    fn hostile_text_never_makes_invalid_json(
        url in "(https?://)?\\PC{0,30}",
        header in "\\PC{0,10}",
        body in prop_oneof![
            "\\PC{0,60}",
            "[{}\\[\\]\":,a-e0-9.<>&=;\\\\ \u{0}\n‹›…-]{0,60}",
        ],
    ) {
        let mut link = exchange(Operation::CreateLink, &url);
        link.request_headers.push((header.clone(), header));
        link.request_body = Some(body.clone());
        let link = with_reply(link, 200, &body);
        let har = file(&[&link], &CONTRACT, &mut mask());
        prop_assert!(serde_json::from_str::<Value>(&har).is_ok());
        if serde_json::from_str::<Value>(&body).is_ok() {
            prop_assert!(serde_json::from_str::<Value>(&mask().mask_body(&body)).is_ok());
        }
    }

    #[test]
    fn personal_text_never_stays(
        cpf in "52998224725|529\\.982\\.247-25",
        before in "[{\\[\"':,a-e <>=&\\\\%]{0,12}",
        after in "[}\\]\"':,a-e <>=&\\\\%]{0,12}",
    ) {
        let body = format!("{before}{cpf}{after}");
        let needles = [Needle::of("52998224725").unwrap()];
        for text in [mask().mask_body(&body), mask().mask_url(&format!("https://a.b/{body}"))] {
            prop_assert_eq!(check(&text, &needles), vec![], "{}", text);
        }
    }
}

#[test]
fn shared_exchanges_can_be_exported() {
    let shared: Vec<Arc<Exchange>> = vec![Arc::new(withdrawal())];
    let exchanges: Vec<&Exchange> = shared.iter().map(Arc::as_ref).collect();
    let har = file(&exchanges, &CONTRACT, &mut mask());
    assert!(har.ends_with("}\n"));
}
