use proptest::prelude::*;
use reqwest::header::{HeaderName, HeaderValue};

use super::*;
use crate::contract::{Call, Contract};
use crate::service::exchange::build_request;
use crate::service::mask::Mask;
use crate::service::tests::RecordingClient;
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

    fn api_request<'a>(&'a self, key: Option<(&'a str, &'a str)>) -> ApiRequest<'a> {
        let origin = &self.origin;
        let secret = &self.secret;
        ApiRequest {
            service: None,
            operation: Operation::Withdrawal,
            subject: None,
            contract: &self.contract,
            call: &self.contract.withdrawal.call,
            method: self.contract.withdrawal.call.method,
            url: "https://api.example/withdrawals".parse().unwrap(),
            credential: Some(BoundCredential {
                kind: CredentialKind::ApiToken,
                origin,
                secret,
            }),
            key,
            body: Some(("{}", "{}")),
            max_reply_bytes: 1_000,
            mask: Mask::default(),
        }
    }
}

/// Generates random header names, and reserved header names in different spellings.
fn header_names() -> impl Strategy<Value = String> {
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
    let reserved_spelling =
        (reserved, any::<u32>(), any::<bool>()).prop_map(|(name, capitals, has_underscores)| {
            let letter = |(at, c): (usize, char)| match capitals >> (at % 32) & 1 {
                1 => c.to_ascii_uppercase(),
                _ => c,
            };
            let name: String = name.chars().enumerate().map(letter).collect();
            if has_underscores {
                name.replace('-', "_")
            } else {
                name
            }
        });
    prop_oneof![
        reserved_spelling,
        "[A-Za-z0-9_-]{1,24}",
        "(x|idempotency)[-_][a-z]{1,9}"
    ]
}

proptest! {
    #[test]
    fn key_header_is_sent_once_or_request_is_refused(
        name in header_names(),
    ) {
        let fixture = RequestFixture::new();
        let api_request = fixture.api_request(Some((&name, KEY)));
        let request = build_request(&api_request).unwrap();
        let allowed = check(&api_request, request.headers()).is_ok();
        prop_assert_eq!(allowed, !is_reserved_header(&name), "{}", name);
        let text = format!("withdrawal.key_header = '{name}'");
        prop_assert_eq!(Contract::with(&[("mine.toml", &text)]).is_ok(), allowed, "{}", name);
        if allowed {
            let count_values_with = |part: &str| {
                let has = |value: &&HeaderValue| value.to_str().unwrap().contains(part);
                request.headers().values().filter(has).count()
            };
            prop_assert_eq!((count_values_with(KEY), count_values_with("api-token-1")), (1, 1));
            prop_assert_eq!(request.headers()[&*name].as_bytes(), KEY.as_bytes());
        }
    }

    #[test]
    fn any_changed_header_is_refused(
        name in header_names(),
        value in "[a-z0-9]{0,9}",
        change in 0..3_u8,
    ) {
        let fixture = RequestFixture::new();
        let api_request = fixture.api_request(Some(("Idempotency-Key", KEY)));
        let mut headers = build_request(&api_request).unwrap().headers().clone();
        let name = HeaderName::from_bytes(name.as_bytes()).unwrap();
        let value = HeaderValue::from_str(&value).unwrap();
        let was_there = headers.contains_key(&name);
        match change {
            0 => _ = headers.append(name, value),
            1 => _ = headers.insert(name, value),
            _ => _ = headers.remove(name),
        }
        let is_unchanged = change == 2 && !was_there;
        prop_assert_eq!(check(&api_request, &headers).is_ok(), is_unchanged);
    }
}

#[test]
fn missing_key_or_other_credential_is_refused() {
    let fixture = RequestFixture::new();
    let error = Err(Failure::NotSent(NotSent::Headers));
    for key in [None, Some(("Idempotency-Key", ""))] {
        let api_request = fixture.api_request(key);
        assert_eq!(
            check(&api_request, build_request(&api_request).unwrap().headers()),
            error,
            "{key:?}"
        );
    }
    let api_request = fixture.api_request(Some(("Idempotency-Key", KEY)));
    let valid_headers = build_request(&api_request).unwrap().headers().clone();
    assert_eq!(check(&api_request, &valid_headers), Ok(()));
    for other in ["Bearer api-token-2", "api-token-1", "Basic api-token-1"] {
        let mut headers = valid_headers.clone();
        headers.insert(AUTHORIZATION, HeaderValue::from_str(other).unwrap());
        assert_eq!(check(&api_request, &headers), error, "{other}");
    }
    let mut twice = valid_headers.clone();
    twice.append(AUTHORIZATION, valid_headers[AUTHORIZATION].clone());
    assert_eq!(check(&api_request, &twice), error);
    let without = ApiRequest {
        credential: None,
        ..fixture.api_request(Some(("Idempotency-Key", KEY)))
    };
    let mut headers = valid_headers;
    headers.remove(AUTHORIZATION);
    assert_eq!(check(&without, &headers), error);
}

#[test]
fn credential_is_sent_only_in_contract_headers() {
    let lines = "credential.api-token.headers = ['X-Public: {1}', 'X-Secret: k={2}']\n\
                 request.headers = ['X-Store: 12']";
    let contract = Contract::with(&[("mine.toml", lines)]).unwrap();
    let secret = Secret::new("pub-9:sec-9".into());
    let fixture = RequestFixture {
        contract,
        secret,
        ..RequestFixture::new()
    };
    let api_request = fixture.api_request(Some(("Idempotency-Key", KEY)));
    let valid_headers = build_request(&api_request).unwrap().headers().clone();
    assert_eq!(check(&api_request, &valid_headers), Ok(()));
    assert_eq!(
        (&valid_headers["x-public"], &valid_headers["x-secret"]),
        (&"pub-9".parse().unwrap(), &"k=sec-9".parse().unwrap())
    );
    assert_eq!(valid_headers["x-store"], "12");
    assert!(!valid_headers.contains_key(AUTHORIZATION));
    let error = Err(Failure::NotSent(NotSent::Headers));
    for name in ["x-public", "x-secret", "x-store"] {
        let mut headers = valid_headers.clone();
        headers.remove(name);
        assert_eq!(check(&api_request, &headers), error, "{name} is missing");
        headers.insert(name, HeaderValue::from_static("other"));
        assert_eq!(check(&api_request, &headers), error, "{name} is another");
    }
    let mut extra = valid_headers.clone();
    extra.insert(AUTHORIZATION, HeaderValue::from_static("Bearer sec-9"));
    assert_eq!(check(&api_request, &extra), error);
    // Some gateways would confuse an idempotency-key header with these names with a credential
    // header or a fixed header.
    for name in ["X-Secret", "x_secret", "X_Store"] {
        let api_request = fixture.api_request(Some((name, KEY)));
        assert_eq!(
            check(&api_request, build_request(&api_request).unwrap().headers()),
            error,
            "{name}"
        );
    }
    // The API contract expects a credential in two parts, but this credential has only one.
    let fixture = RequestFixture {
        secret: Secret::new("whole".into()),
        ..fixture
    };
    let missing = build_request(&fixture.api_request(Some(("Idempotency-Key", KEY)))).unwrap_err();
    assert_eq!(missing, Failure::NoCredential(CredentialKind::ApiToken));
}

#[test]
fn only_a_withdrawal_has_its_path_and_key_header() {
    let error = Err(Failure::NotSent(NotSent::Headers));
    let recorder = RecordingClient::new();
    let secret = Secret::new("api-token-1".into());
    for base in ["https://api.example", "https://api.example/pay"] {
        let contract = "withdrawal = { path = '/saques', key_header = 'X-Key' }";
        let service = recorder.service(&BaseUrl::parse(base).unwrap(), contract);
        let kind = CredentialKind::ApiToken;
        let credential = BoundCredential {
            kind,
            origin: service.base().origin(),
            secret: &secret,
        };
        let api_request = |path: &str| {
            let url = format!("{base}{path}").parse().unwrap();
            ApiRequest {
                url,
                ..service.api_request(Operation::FeePreview, Some(credential))
            }
        };
        let check_request = |api_request: &ApiRequest<'_>| {
            check(api_request, build_request(api_request).unwrap().headers())
        };
        for path in ["/fee?of=/saques", "/saques/fee", "/api/v1/integrations"] {
            assert_eq!(check_request(&api_request(path)), Ok(()), "{path}");
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
            assert_eq!(check_request(&api_request(path)), error, "{path}");
        }
        for name in ["X-Key", "x_key", "Idempotency-Key"] {
            let fixed_headers = vec![FixedHeader {
                name: name.into(),
                value: "1".into(),
            }];
            let call = Call {
                fixed_headers,
                ..service.contract().fee_preview.call.clone()
            };
            assert_eq!(
                check_request(&ApiRequest {
                    call: &call,
                    ..api_request("/fee")
                }),
                error,
                "{name}"
            );
        }
        let key = Some(("X-Other", KEY));
        assert_eq!(
            check_request(&ApiRequest {
                key,
                ..api_request("/fee")
            }),
            error
        );
        let operation = Operation::Withdrawal;
        assert_eq!(
            check_request(&ApiRequest {
                operation,
                ..api_request("/fee")
            }),
            error
        );
    }
}
