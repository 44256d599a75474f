use proptest::prelude::*;
use reqwest::header::{HeaderName, HeaderValue};

use super::*;
use crate::contract::{Call, Contract};
use crate::service::exchange::request;
use crate::service::mask::Mask;
use crate::service::tests::Watched;
use crate::service::{BaseUrl, BoundCredential};
use crate::trade::{CredentialKind, Origin, Secret};

const KEY: &str = "3f0e6c1c-7c55-4a8e-9d5a-2f1b6f1e0c9a";

/// The parts of a withdrawal request, such as the API contract, the origin and the credential.
struct RequestFixture {
    contract: Contract,
    origin: Origin,
    secret: Secret,
}

impl RequestFixture {
    fn new() -> RequestFixture {
        let origin = Origin("https://api.example".into());
        RequestFixture {
            contract: Contract::built_in(),
            origin,
            secret: Secret::new("api-token-1".into()),
        }
    }

    fn ask<'a>(&'a self, key: Option<(&'a str, &'a str)>) -> ApiRequest<'a> {
        let (origin, secret) = (&self.origin, &self.secret);
        ApiRequest {
            service: None,
            operation: Operation::Withdrawal,
            contract: &self.contract,
            call: &self.contract.withdrawal.call,
            method: self.contract.withdrawal.call.method,
            url: "https://api.example/withdrawals".parse().unwrap(),
            credential: Some(BoundCredential { kind: CredentialKind::ApiToken, origin, secret }),
            key,
            body: Some(("{}", "{}")),
            most: 1_000,
            mask: Mask::default(),
        }
    }
}

/// Generates random header names, and reserved header names in different spellings.
fn names() -> impl Strategy<Value = String> {
    let reserved = prop::sample::select(vec![
        "authorization",
        "host",
        "content-length",
        "content-type",
        "content-md5",
        "transfer-encoding",
        "connection",
        "cookie",
        "te",
        "trailer",
        "upgrade",
        "expect",
        "proxy-authorization",
        "proxy-connection",
        "accept",
        "accept-encoding",
        "user-agent",
        "keep-alive",
    ]);
    let written = (reserved, any::<u32>(), any::<bool>()).prop_map(|(name, capitals, under)| {
        let letter = |(at, c): (usize, char)| match capitals >> (at % 32) & 1 {
            1 => c.to_ascii_uppercase(),
            _ => c,
        };
        let name: String = name.chars().enumerate().map(letter).collect();
        if under { name.replace('-', "_") } else { name }
    });
    prop_oneof![written, "[A-Za-z0-9_-]{1,24}", "(x|idempotency)[-_][a-z]{1,9}"]
}

proptest! {
    #[test]
    fn key_header_is_sent_once_or_request_is_refused(
        name in names(),
    ) {
        let desk = RequestFixture::new();
        let ask = desk.ask(Some((&name, KEY)));
        let request = request(&ask).unwrap();
        let allowed = check(&ask, request.headers()).is_ok();
        prop_assert_eq!(allowed, !is_reserved_header(&name), "{}", name);
        let text = format!("withdrawal.key_header = '{name}'");
        prop_assert_eq!(Contract::with(&[("mine.toml", &text)]).is_ok(), allowed, "{}", name);
        if allowed {
            let carry = |sign: &str| {
                let has = |value: &&HeaderValue| value.to_str().unwrap().contains(sign);
                request.headers().values().filter(has).count()
            };
            prop_assert_eq!((carry(KEY), carry("api-token-1")), (1, 1));
            prop_assert_eq!(request.headers()[&*name].as_bytes(), KEY.as_bytes());
        }
    }

    #[test]
    fn any_changed_header_is_refused(
        name in names(),
        value in "[a-z0-9]{0,9}",
        how in 0..3_u8,
    ) {
        let desk = RequestFixture::new();
        let ask = desk.ask(Some(("Idempotency-Key", KEY)));
        let mut headers = request(&ask).unwrap().headers().clone();
        let name = HeaderName::from_bytes(name.as_bytes()).unwrap();
        let value = HeaderValue::from_str(&value).unwrap();
        let was_there = headers.contains_key(&name);
        match how {
            0 => _ = headers.append(name, value),
            1 => _ = headers.insert(name, value),
            _ => _ = headers.remove(name),
        }
        let untouched = how == 2 && !was_there;
        prop_assert_eq!(check(&ask, &headers).is_ok(), untouched);
    }
}

#[test]
fn missing_key_or_other_credential_is_refused() {
    let desk = RequestFixture::new();
    let refused = Err(Failure::NotSent(NotSent::Headers));
    for key in [None, Some(("Idempotency-Key", ""))] {
        let ask = desk.ask(key);
        assert_eq!(check(&ask, request(&ask).unwrap().headers()), refused, "{key:?}");
    }
    let ask = desk.ask(Some(("Idempotency-Key", KEY)));
    let whole = request(&ask).unwrap().headers().clone();
    assert_eq!(check(&ask, &whole), Ok(()));
    for other in ["Bearer api-token-2", "api-token-1", "Basic api-token-1"] {
        let mut headers = whole.clone();
        headers.insert(AUTHORIZATION, HeaderValue::from_str(other).unwrap());
        assert_eq!(check(&ask, &headers), refused, "{other}");
    }
    let mut twice = whole.clone();
    twice.append(AUTHORIZATION, whole[AUTHORIZATION].clone());
    assert_eq!(check(&ask, &twice), refused);
    let without = ApiRequest { credential: None, ..desk.ask(Some(("Idempotency-Key", KEY))) };
    let mut headers = whole;
    headers.remove(AUTHORIZATION);
    assert_eq!(check(&without, &headers), refused);
}

#[test]
fn credential_is_sent_only_in_contract_headers() {
    let lines = "credential.api-token.headers = ['X-Public: {1}', 'X-Secret: k={2}']\n\
                 request.headers = ['X-Store: 12']";
    let contract = Contract::with(&[("mine.toml", lines)]).unwrap();
    let secret = Secret::new("pub-9:sec-9".into());
    let desk = RequestFixture { contract, secret, ..RequestFixture::new() };
    let ask = desk.ask(Some(("Idempotency-Key", KEY)));
    let whole = request(&ask).unwrap().headers().clone();
    assert_eq!(check(&ask, &whole), Ok(()));
    assert_eq!(
        (&whole["x-public"], &whole["x-secret"]),
        (&"pub-9".parse().unwrap(), &"k=sec-9".parse().unwrap())
    );
    assert_eq!(whole["x-store"], "12");
    assert!(!whole.contains_key(AUTHORIZATION));
    let refused = Err(Failure::NotSent(NotSent::Headers));
    for name in ["x-public", "x-secret", "x-store"] {
        let mut headers = whole.clone();
        headers.remove(name);
        assert_eq!(check(&ask, &headers), refused, "{name} is missing");
        headers.insert(name, HeaderValue::from_static("other"));
        assert_eq!(check(&ask, &headers), refused, "{name} is another");
    }
    let mut more = whole.clone();
    more.insert(AUTHORIZATION, HeaderValue::from_static("Bearer sec-9"));
    assert_eq!(check(&ask, &more), refused);
    // Some gateways would confuse an idempotency-key header with these names with a credential
    // header or a fixed header.
    for name in ["X-Secret", "x_secret", "X_Store"] {
        let ask = desk.ask(Some((name, KEY)));
        assert_eq!(check(&ask, request(&ask).unwrap().headers()), refused, "{name}");
    }
    // The API contract expects a credential in two parts, but this credential has only one.
    let desk = RequestFixture { secret: Secret::new("whole".into()), ..desk };
    let unsent = request(&desk.ask(Some(("Idempotency-Key", KEY)))).unwrap_err();
    assert_eq!(unsent, Failure::NoCredential(CredentialKind::ApiToken));
}

#[test]
fn only_a_withdrawal_has_its_path_and_key_header() {
    let refused = Err(Failure::NotSent(NotSent::Headers));
    let (watched, secret) = (Watched::new(), Secret::new("api-token-1".into()));
    for base in ["https://api.example", "https://api.example/pay"] {
        let contract = "withdrawal = { path = '/saques', key_header = 'X-Key' }";
        let service = watched.service(&BaseUrl::parse(base).unwrap(), contract);
        let kind = CredentialKind::ApiToken;
        let credential = BoundCredential { kind, origin: service.base().origin(), secret: &secret };
        let ask = |path: &str| {
            let url = format!("{base}{path}").parse().unwrap();
            ApiRequest { url, ..service.api_request(Operation::FeePreview, Some(credential)) }
        };
        let checked = |ask: &ApiRequest<'_>| check(ask, request(ask).unwrap().headers());
        for path in ["/fee?of=/saques", "/saques/fee", "/api/v1/integrations"] {
            assert_eq!(checked(&ask(path)), Ok(()), "{path}");
        }
        for path in [
            "/saques",
            "/Saques/?a=1",
            "/x/../saques",
            "/x/%2e%2e/saques",
            "\\saques",
            "/x/..;/saques",
            "//saques",
            "/api/v1/integrations/withdrawals",
            "/../elsewhere//",
        ] {
            assert_eq!(checked(&ask(path)), refused, "{path}");
        }
        for name in ["X-Key", "x_key", "Idempotency-Key"] {
            let fixed_headers = vec![FixedHeader { name: name.into(), value: "1".into() }];
            let call = Call { fixed_headers, ..service.contract().fee_preview.call.clone() };
            assert_eq!(checked(&ApiRequest { call: &call, ..ask("/fee") }), refused, "{name}");
        }
        let key = Some(("X-Other", KEY));
        assert_eq!(checked(&ApiRequest { key, ..ask("/fee") }), refused);
        let operation = Operation::Withdrawal;
        assert_eq!(checked(&ApiRequest { operation, ..ask("/fee") }), refused);
    }
}
