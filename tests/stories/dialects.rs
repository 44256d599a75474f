//! Tests the main tasks with each dialect (variant of the API) that the sandbox can speak. The app
//! uses an API contract for this dialect.

use balcao::contract::{Contract, PRESETS, Preset};
use balcao::demo;
use balcao::sandbox::{BankOperation, Dialect, Fault, Times};
use balcao::trade::{ChargeOutcome, CreatedCharge, CreatedLink, FigureSource, LinkOutcome};

use crate::test_env::TestEnv;
use crate::withdrawals::WITHDRAWALS;

/// Logs in, creates a link and a direct payment, and makes a withdrawal. The withdrawal is sent
/// twice, because its first reply is lost. At the end, deactivates all domains, and checks that the
/// next link is refused.
async fn assert_main_tasks_work(preset: Option<Preset>, expected_body: &str) {
    let (env, mut app) = TestEnv::with_dialect(preset).await.into_logged_in().await;
    app.press("2").await;
    for domain in env.control.domains() {
        app.assert_shows(&domain.host);
    }

    app.create_link("4990", "Camiseta azul M").await;
    let links = env.links();
    let ledger = env.ledger();
    let sandbox_record = ledger.links.last().unwrap();
    let LinkOutcome::Created(CreatedLink { url }) = &links[0].outcome else {
        panic!("{:?}", links[0])
    };
    assert_eq!(
        (url.raw(), sandbox_record.amount.to_string()),
        (&*sandbox_record.url, "49.90".to_owned())
    );

    app.request_charge("12345", "Conserto").await;
    app.wait_for_message("ChargeMade").await;
    let charges = env.charges();
    let ledger = env.ledger();
    let sandbox_record = ledger.charges.last().unwrap();
    let ChargeOutcome::Created(CreatedCharge { id, pix_code, .. }) = &charges[0].outcome else {
        panic!("{:?}", charges[0])
    };
    assert_eq!(id.as_ref().unwrap().raw(), sandbox_record.id);
    assert_eq!(pix_code.as_ref().unwrap().raw(), sandbox_record.qr_code);
    assert_eq!(sandbox_record.amount.to_string(), "123.45");

    let fault = (Fault::DropAfter, BankOperation::Withdrawal, Times::Next(1));
    env.control.arm(fault.0, fault.1, fault.2).unwrap();
    app.withdraw(&env, "150000").await;
    app.assert_shows_localized("state-unknown");
    app.send_again().await;
    app.assert_shows_localized("state-accepted");
    let sent = env.proxy.requests_to(WITHDRAWALS);
    assert_eq!(sent.len(), 2);
    let request_parts = |index: usize| {
        (
            &sent[index].request_line,
            &sent[index].headers,
            &sent[index].body,
        )
    };
    assert_eq!(
        request_parts(0),
        request_parts(1),
        "a resend is the same bytes"
    );
    assert!(env.is_paid_once());
    let ledger = env.ledger();
    let withdrawal = env.only_withdrawal();
    assert_eq!(
        sent[0].body,
        expected_body.replace("KEY", &withdrawal.agreement.key_header)
    );
    let payout = &ledger.payouts[0];
    let quote = withdrawal.agreement.quote.unwrap();
    assert_eq!(
        (payout.amount.to_string(), &*payout.pix_key),
        ("1500.00".into(), "11144477735")
    );
    assert_eq!(quote.fee_source, FigureSource::Service);
    assert_eq!(payout.fee.to_string(), quote.fee.wire());
    assert_eq!(payout.net.to_string(), quote.net.wire());

    app.run_command("desativar os domínios").await;
    app.wait_for_localized("said-domains-down").await;
    app.request_link("4990", "Caneca").await;
    app.wait_for("Domínio de checkout obrigatório.").await;
    assert_eq!(env.ledger().links.len(), 1);
    app.close().await;
}

macro_rules! in_dialects {
    ($($test:ident: $name:expr, $expected_body:literal;)*) => {
        $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $test() {
            let preset = $name.map(|name: &str| Preset::named(name).unwrap());
            assert_main_tasks_work(preset, $expected_body).await;
        })*

        #[test]
        fn every_dialect_is_tested() {
            let tested: Vec<&str> = [$($name),*].into_iter().flatten().collect();
            let presets: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
            assert_eq!(tested, presets);
            assert_eq!(Dialect::names().collect::<Vec<_>>(), presets);
        }
    };
}

in_dialects! {
    main_tasks_work_as_documented:
        None, r#"{"amount":1500.00,"pixKeyType":"cpf","pixKey":"11144477735"}"#;
    main_tasks_work_in_snake_case:
        Some("snake-case"), r#"{"amount":1500.00,"pix_key_type":"cpf","pix_key":"11144477735"}"#;
    main_tasks_work_at_sibling:
        Some("sibling"), r#"{"amount":1500.00,"pixKey":"11144477735"}"#;
    main_tasks_work_in_envelopes:
        Some("enveloped"),
        r#"{"amount":"1500.00","pixKeyType":"cpf","pixKey":"11144477735","requestId":"KEY"}"#;
    main_tasks_work_with_key_headers:
        Some("key-headers"), "amount=1500.00&pixKeyType=cpf&pixKey=11144477735";
    main_tasks_work_without_content:
        Some("no-content"), r#"{"amount":1500.00,"pixKeyType":"cpf","pixKey":"11144477735"}"#;
    main_tasks_work_in_centavos:
        Some("centavos"), r#"{"amount":150000,"pixKeyType":"cpf","pixKey":"11144477735"}"#;
}

/// The sandbox must refuse requests that use the API contract of another dialect. Otherwise, the
/// other tests in this file would prove nothing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mismatched_contract_is_refused_and_pays_nothing() {
    let env = TestEnv::with_dialect(Preset::named("enveloped")).await;
    let env = TestEnv {
        contract: demo::contract(),
        ..env
    };
    let mut app = env.open().await;
    app.wait_for_message("DomainsListed").await;
    app.press("Enter").await;
    app.wait_for_localized("said-logged-in").await;
    app.request_charge("12345", "Conserto").await;
    app.wait_for_message("ChargeMade").await;
    let ledger = env.ledger();
    assert!(ledger.charges.is_empty() && ledger.payouts.is_empty());
    assert!(!matches!(
        env.charges()[0].outcome,
        ChargeOutcome::Created(_)
    ));
    assert_ne!(env.contract, Contract::built_in());
    app.close().await;
}

/// In this dialect, requests have no JWT. Instead, two headers contain a public key and a secret
/// key. The seller pastes both into the JWT screen as `public:secret`.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_part_key_is_pasted_like_a_jwt() {
    let mut env = TestEnv::with_dialect(Preset::named("key-headers")).await;
    env.is_demo = false;
    let mut app = env.open().await;
    app.type_login().await;
    app.press("1 n").await;
    app.wait_for_localized("jwt-title").await;
    let pasted = env.control.jwt().unwrap();
    let secret = pasted.strip_prefix("sandbox:").unwrap().to_owned();
    app.paste(&pasted).await;
    app.press("Enter").await;
    app.wait_for_localized("said-jwt-kept").await;
    app.type_text("4990").await;
    app.press("Enter").await;
    app.type_text("Camiseta").await;
    app.press("Ctrl-S").await;
    app.wait_for_localized("link-host").await;
    let sent = &env.proxy.requests_to("/api/v1/payment-links")[0];
    assert_eq!(sent.header("x-public-key"), Some("sandbox"));
    assert_eq!(sent.header("x-secret-key"), Some(&*secret));
    assert_eq!(
        (sent.header("authorization"), sent.header("x-api-version")),
        (None, Some("1"))
    );
    assert!(!app.recorded_messages_and_effects().contains(&secret));
    app.close().await;
}
