//! Tests of the request and reply formats that an API contract can describe.

use super::operations::{OperationFixture, login_body};
use super::*;
use crate::contract::{FieldInput, FieldKind, FieldSpec};
use crate::trade::{ChargeOutcome, LinkOutcome, Money, NoQuote, Refusal, Untrusted};

/// The request body of a small direct payment.
fn payment_body(service: &Service) -> String {
    let body = service
        .contract()
        .direct_payment
        .form
        .body(|field: &FieldSpec| match field.kind {
            FieldKind::Amount => Some(FieldInput::Amount(Money::from_centavos(10))),
            _ => Some(FieldInput::Text("x")),
        });
    body.map(|body| body.text().to_owned()).unwrap()
}

const SHORT_PAYMENT_FORM: &str = "direct_payment.body = ['amount', 'description']\n";

#[tokio::test]
async fn success_reporting_failure_has_unknown_outcome() {
    let reply =
        r#"{"url":"https://loja.example/c","state":"REJECTED","message":"Sem saldo","ok":1}"#;
    let fixture = OperationFixture::new("201 Created", "", reply).await;
    let lines = "create_link.status = ['/state']\ncreate_link.failed_words = ['rejected']";
    let service = fixture.service(lines);
    let jwt = fixture.credential(CredentialKind::Jwt);
    let failure = service
        .create_link(jwt, ROW, &fixture.request(None))
        .await
        .unwrap_err();
    let Failure::Contradicted(refusal) = &failure else {
        panic!("{failure:?}")
    };
    assert_eq!(
        (refusal.status, refusal.message.as_ref().unwrap().raw()),
        (201, "Sem saldo")
    );
    assert_eq!(LinkOutcome::of_failure(&failure), LinkOutcome::Unknown);
    let link = fixture
        .service("")
        .create_link(jwt, ROW, &fixture.request(None))
        .await
        .unwrap();
    assert_eq!(link.url.raw(), "https://loja.example/c");

    let service = fixture.service("fee_preview.failed_flag = ['/ok']");
    let token = fixture.credential(CredentialKind::ApiToken);
    let failure = service
        .fee_preview(token, Money::from_centavos(10))
        .await
        .unwrap_err();
    assert!(
        matches!(failure, NoQuote::Failure(Failure::Unreadable { .. })),
        "{failure:?}"
    );
}

#[tokio::test]
async fn preview_and_payment_reporting_no_are_refused() {
    let reply = r#"{"id":"7","fee":1,"amount":0.10,"success":false,"motivo":"x tok-123"}"#;
    let fixture = OperationFixture::new("200 OK", "", reply).await;
    let token = fixture.credential(CredentialKind::ApiToken);
    let lines = "fee_preview.failed_flag = ['/success']\nfee_preview.success = [200]";
    let failure = fixture
        .service(lines)
        .fee_preview(token, Money::from_centavos(10))
        .await;
    let Err(NoQuote::Failure(Failure::Refused(refusal))) = failure else {
        panic!("{failure:?}")
    };
    assert_eq!(
        refusal.message.unwrap().raw(),
        "false",
        "without words of its own the sign itself"
    );

    let service = fixture.service(&format!(
        "{SHORT_PAYMENT_FORM}direct_payment.failed_error = ['/motivo']"
    ));
    let jwt = fixture.credential(CredentialKind::Jwt);
    let failure = service
        .direct_payment(jwt, ROW, &payment_body(&service))
        .await
        .unwrap_err();
    let Failure::Contradicted(refusal) = failure else {
        panic!("{failure:?}")
    };
    assert_eq!(
        refusal.message.unwrap().shown(),
        "x …",
        "a secret said back is masked"
    );
}

#[tokio::test]
async fn refusal_with_200_has_the_service_text() {
    for (reply, text) in [
        (r#"{"ok":false,"message":"Sem saldo"}"#, "Sem saldo"),
        (
            r#"{"success":"false","data":{},"detail":"Sem saldo"}"#,
            "Sem saldo",
        ),
        (r#"{"sucesso":false,"erro":"Sem saldo"}"#, "Sem saldo"),
        (
            r#"{"sucesso":false,"erro":{"mensagem":"Sem saldo","codigo":7}}"#,
            "Sem saldo",
        ),
        (
            r#"{"error":{"message":"Sem saldo"},"data":null}"#,
            "Sem saldo",
        ),
        (
            r#"{"sucesso":false,"erro":{"motivo":"Sem saldo"}}"#,
            r#"{"motivo":"Sem saldo"}"#,
        ),
        (r#"{"ok":false}"#, "false"),
    ] {
        let fixture = OperationFixture::new("200 OK", "", reply).await;
        let expected = Failure::Refused(Refusal {
            status: 200,
            message: Some(text.into()),
            hint: None,
            retry_after: None,
        });
        let service = fixture.service("");
        let jwt = fixture.credential(CredentialKind::Jwt);
        let link = service
            .create_link(jwt, ROW, &fixture.request(None))
            .await
            .unwrap_err();
        assert_eq!(link, expected, "{reply}");
        assert!(matches!(
            LinkOutcome::of_failure(&link),
            LinkOutcome::Refused(_)
        ));
        let short = fixture.service(SHORT_PAYMENT_FORM);
        let charge = short
            .direct_payment(jwt, ROW, &payment_body(&short))
            .await
            .unwrap_err();
        assert_eq!(charge, expected, "{reply}");
        assert!(matches!(
            ChargeOutcome::of_failure(&charge),
            ChargeOutcome::Refused(_)
        ));
        assert_eq!(service.domains(jwt).await.unwrap_err(), expected, "{reply}");
        let token = fixture.credential(CredentialKind::ApiToken);
        let quote = service.fee_preview(token, Money::from_centavos(10)).await;
        assert_eq!(
            quote.unwrap_err(),
            NoQuote::Failure(expected.clone()),
            "{reply}"
        );
        assert_eq!(
            service.login(&login_body(&service)).await.unwrap_err(),
            expected,
            "{reply}"
        );
    }
}

#[tokio::test]
async fn refusal_with_what_was_created_is_unknown() {
    for reply in [
        r#"{"ok":false,"url":"https://loja.example/c","qrCode":"000201"}"#,
        r#"{"sucesso":false,"erro":"x","data":{"id":9}}"#,
        r#"{"erro":{"codigo":1},"dados":{"ir":"https://loja.example/c","pix":" 000201"}}"#,
    ] {
        let fixture = OperationFixture::new("200 OK", "", reply).await;
        let jwt = fixture.credential(CredentialKind::Jwt);
        let service = fixture.service(SHORT_PAYMENT_FORM);
        let link = service
            .create_link(jwt, ROW, &fixture.request(None))
            .await
            .unwrap_err();
        assert!(
            matches!(link, Failure::Contradicted(_)),
            "{reply}: {link:?}"
        );
        assert_eq!(
            LinkOutcome::of_failure(&link),
            LinkOutcome::Unknown,
            "{reply}"
        );
        let charge = service
            .direct_payment(jwt, ROW, &payment_body(&service))
            .await
            .unwrap_err();
        assert!(
            matches!(charge, Failure::Contradicted(_)),
            "{reply}: {charge:?}"
        );
        assert_eq!(
            ChargeOutcome::of_failure(&charge),
            ChargeOutcome::Unknown,
            "{reply}"
        );
    }
    // A list or a fee decides, because they create nothing.
    let fixture = OperationFixture::new("200 OK", "", r#"{"ok":false,"data":["a.example"]}"#).await;
    let listed = fixture
        .service("")
        .domains(fixture.credential(CredentialKind::Jwt))
        .await;
    assert_eq!(listed.unwrap().domains.len(), 1);
    let fixture = OperationFixture::new("200 OK", "", r#"{"ok":false,"fee":0.05}"#).await;
    let token = fixture.credential(CredentialKind::ApiToken);
    assert!(
        fixture
            .service("")
            .fee_preview(token, Money::from_centavos(10))
            .await
            .is_ok()
    );
    // A token decides, because a login creates nothing.
    let fixture = OperationFixture::new("200 OK", "", r#"{"token":"api-9","ok":false}"#).await;
    let service = fixture.service("");
    assert!(service.login(&login_body(&service)).await.is_ok());
}

#[tokio::test]
async fn payment_without_required_id_is_unreadable() {
    let fixture = OperationFixture::new("201 Created", "", r#"{"qrCode":"000201"}"#).await;
    let jwt = fixture.credential(CredentialKind::Jwt);
    let service = fixture.service(&format!(
        "{SHORT_PAYMENT_FORM}direct_payment.id_required = true"
    ));
    let failure = service
        .direct_payment(jwt, ROW, &payment_body(&service))
        .await
        .unwrap_err();
    let Failure::Unreadable {
        expected_settings, ..
    } = failure
    else {
        panic!("{failure:?}")
    };
    assert_eq!(expected_settings, ["direct_payment.id"]);
    let service = fixture.service(SHORT_PAYMENT_FORM);
    let created = service
        .direct_payment(jwt, ROW, &payment_body(&service))
        .await
        .unwrap();
    assert_eq!(created.id, None);
}

#[tokio::test]
async fn contract_headers_are_sent_and_masked() {
    let fixture = OperationFixture::new("200 OK", "", r#"{"fee":"0.01","echo":"tok-123"}"#).await;
    let lines = "credential.api-token.headers = ['X-Api-Key: {}']\n\
                 request.headers = ['X-Store: 12']\nfee_preview.headers = ['X-App-Token: abc']";
    let token = fixture.credential(CredentialKind::ApiToken);
    fixture
        .service(lines)
        .fee_preview(token, Money::from_centavos(10))
        .await
        .unwrap();
    let request = fixture.server.request();
    for line in ["X-Api-Key: tok-123", "X-Store: 12", "X-App-Token: abc"] {
        assert_eq!(
            request.matches(&format!("\r\n{line}\r\n")).count(),
            1,
            "{line} in {request}"
        );
    }
    assert!(!request.contains("Authorization"));
    let exchange = fixture.recorder.exchange();
    let recorded_header = |name: &str| {
        let mut headers = exchange.request_headers.iter();
        headers
            .find(|(header_name, _)| header_name == name)
            .map(|(_, value)| value.as_str())
    };
    assert_eq!(
        (recorded_header("x-api-key"), recorded_header("x-store")),
        (Some(Untrusted::MASKED), Some("12"))
    );
    assert_eq!(recorded_header("x-app-token"), Some(Untrusted::MASKED));
    assert!(!format!("{exchange:?}").contains("tok-123"));
}

#[tokio::test]
async fn requests_may_be_forms_and_have_a_query() {
    let fixture = OperationFixture::new("200 OK", "", r#"{"url":"https://x","fee":"0.01"}"#).await;
    let jwt = fixture.credential(CredentialKind::Jwt);
    let lines = "create_link.method = 'PUT'\ncreate_link.encoding = 'form'\n\
                 create_link.path = '/links?store=1+2'";
    fixture
        .service(lines)
        .create_link(jwt, ROW, &fixture.request(Some("loja.example")))
        .await
        .unwrap();
    let token = fixture.credential(CredentialKind::ApiToken);
    let lines = "fee_preview.path = '/fee?kind=p%26x'\nfee_preview.amount = 'amo&unt'\n\
                 fee_preview.amount_sent = 'text-comma'";
    fixture
        .service(lines)
        .fee_preview(token, Money::from_centavos(1_010))
        .await
        .unwrap();
    let lines = "fee_preview.method = 'POST'\nfee_preview.encoding = 'form'";
    fixture
        .service(lines)
        .fee_preview(token, Money::from_centavos(1_010))
        .await
        .unwrap();
    let [link, preview_by_get, preview_by_post] = &fixture.server.requests()[..] else {
        panic!()
    };
    assert!(
        link.starts_with("PUT /links?store=1+2 HTTP/1.1\r\n"),
        "{link}"
    );
    let body = "amount=10.10&description=Bolo+de+cenoura&checkoutDomain=loja.example";
    assert!(
        link.contains("x-www-form-urlencoded") && link.ends_with(body),
        "{link}"
    );
    assert!(
        preview_by_get.starts_with("GET /fee?kind=p%26x&amo%26unt=10%2C10 HTTP/1.1\r\n"),
        "{preview_by_get}"
    );
    assert!(
        preview_by_post.ends_with("\r\n\r\namount=10.10"),
        "{preview_by_post}"
    );
}

/// Reads a list of checkout domains whose pages have these bodies. Returns the number of domains
/// (or the unreadable settings), and the requested paths.
async fn list_domains(lines: &str, bodies: &[&str]) -> (Result<usize, Vec<String>>, Vec<String>) {
    list_pages(
        lines,
        bodies
            .iter()
            .map(|body| http_reply("200 OK", "", body))
            .collect(),
    )
    .await
}

async fn list_pages(lines: &str, pages: Vec<Vec<u8>>) -> (Result<usize, Vec<String>>, Vec<String>) {
    let server = Server::start(ServerScript::AnswerInTurn(pages)).await;
    let service = RecordingClient::new().service(&server.base, lines);
    let origin = server.base.origin();
    let secret = Secret::new("tok-123".into());
    let jwt = BoundCredential {
        kind: CredentialKind::Jwt,
        origin,
        secret: &secret,
    };
    let result = match service.domains(jwt).await {
        Ok(list) => Ok(list.domains.len()),
        Err(Failure::Unreadable {
            expected_settings, ..
        }) => Err(expected_settings),
        Err(other) => panic!("{other:?}"),
    };
    let path = |request: &String| request.split(' ').nth(1).unwrap().to_owned();
    let paths: Vec<String> = server.requests().iter().map(path).collect();
    (
        result,
        paths
            .iter()
            .map(|path| path.replace("/api/v1/payment-links/", ""))
            .collect(),
    )
}

const FIRST_PAGE: &str = r#"{"data":["a.example","b.example"],"next":"c&2","more":true}"#;
const LAST_PAGE: &str = r#"{"data":["c.example"],"next":null,"more":false}"#;

#[tokio::test]
async fn list_is_read_page_by_page_to_its_end() {
    let first = "available-domains";
    let number = "domains.pages = 'number'\ndomains.path = '/d?size=2'";
    let expected = ["/d?size=2&page=1", "/d?size=2&page=2", "/d?size=2&page=3"];
    let empty = r#"{"data":[]}"#;
    let (count, paths) = list_domains(number, &[FIRST_PAGE, LAST_PAGE, empty]).await;
    assert_eq!(
        (count, paths),
        (Ok(3), expected.map(str::to_owned).to_vec())
    );
    let (count, paths) = list_domains(
        &format!("{number}\ndomains.next_page = ['/more']"),
        &[FIRST_PAGE, LAST_PAGE],
    )
    .await;
    assert_eq!((count, paths.len()), (Ok(3), 2));

    let cursor = "domains.pages = 'cursor'\ndomains.page_parameter = 'after'\n\
                  domains.next_page = ['/next']";
    let (count, paths) = list_domains(cursor, &[FIRST_PAGE, LAST_PAGE]).await;
    assert_eq!(
        (count, &*paths[0], &*paths[1]),
        (Ok(3), first, "available-domains?after=c%262")
    );
    let link = "domains.pages = 'link'\ndomains.next_page = ['/next']";
    for (next, expected_path) in [
        ("?after=c%262", "available-domains?after=c%262"),
        (
            "/api/v1/payment-links/available-domains/2",
            "available-domains/2",
        ),
    ] {
        let first_page = FIRST_PAGE.replace("c&2", next);
        let (count, paths) = list_domains(link, &[&first_page, LAST_PAGE]).await;
        assert_eq!((count, &*paths[1]), (Ok(3), expected_path));
    }
    assert_eq!(
        list_domains("", &[FIRST_PAGE, LAST_PAGE]).await,
        (Ok(2), vec![first.to_owned()])
    );

    let header = "link: </x>; rel=prev, <available-domains?page=2>; title=\"a\"; rel=\"next\"\r\n";
    let pages = [
        http_reply("200 OK", header, empty),
        http_reply("200 OK", "", LAST_PAGE),
    ];
    let (count, paths) = list_pages("domains.pages = 'link-header'", pages.to_vec()).await;
    assert_eq!((count, &*paths[1]), (Ok(1), "available-domains?page=2"));
}

#[tokio::test]
async fn endless_or_redirected_list_is_refused() {
    let unreadable_setting = |name: &str| Err(vec![format!("domains.{name}")]);
    let at_other_address = || Err(vec!["domains.next_page".into(), "domains.path".into()]);
    let number = "domains.pages = 'number'\ndomains.most_pages = 3";
    let (result, paths) = list_domains(number, &[FIRST_PAGE]).await;
    assert_eq!((result, paths.len()), (unreadable_setting("most_pages"), 3));
    let cursor = "domains.pages = 'cursor'\ndomains.next_page = ['/next']";
    assert_eq!(
        list_domains(cursor, &[FIRST_PAGE]).await.0,
        unreadable_setting("next_page"),
        "in a circle"
    );
    let link = "domains.pages = 'link'\ndomains.next_page = ['/next']";
    for elsewhere in [
        "https://evil.example/d",
        "//evil.example/d",
        "http://",
        "file:///etc",
        "/",
        "/api/v1/integrations/withdrawals",
        "../integrations/withdrawals?amount=1",
        "/api/v1/payment-links",
        "available-domains-2",
        "/api/v1/payment-links/available-domains/%2e%2e/%2e%2e/integrations/withdrawals",
        "available-domains/..%2f..%2fintegrations/withdrawals",
        "available-domains/..;/..;/integrations/withdrawals",
        "available-domains//x",
    ] {
        let body = format!(r#"{{"data":["a.example"],"next":"{elsewhere}"}}"#);
        let (result, paths) = list_domains(link, &[&body, LAST_PAGE]).await;
        assert_eq!(
            (result, paths.len()),
            (at_other_address(), 1),
            "{elsewhere}"
        );
        let header = format!("link: <{elsewhere}>; rel=\"next\"\r\n");
        let page = http_reply("200 OK", &header, r#"["a.example"]"#);
        let (result, paths) = list_pages("domains.pages = 'link-header'", vec![page]).await;
        assert_eq!(
            (result, paths.len()),
            (at_other_address(), 1),
            "{elsewhere}"
        );
    }
    // This URL is below the URL of the list. It is refused anyway, because it is the URL for
    // withdrawals.
    let above = format!("{link}\ndomains.path = '/api/v1'");
    let body = r#"{"data":["a.example"],"next":"/api/v1/Integrations/withdrawals/"}"#;
    assert_eq!(
        list_domains(&above, &[body, LAST_PAGE]).await.0,
        at_other_address()
    );
}
