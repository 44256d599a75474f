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
    Exchange, ExchangeSubject, Failure, IdempotencyKey, MaskedKind, MaskedReply, Operation, Secret,
    Wall,
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

mod body;

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

mod header;

mod har_file;

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
