//! Tests of direct payments, from filling in the form to showing the Pix code.

use balcao::sandbox::{BankOperation, Fault, Times};
use balcao::trade::{BrCode, ChargeOutcome, CreatedCharge, Money};

use crate::app::App;
use crate::test_env::TestEnv;

const CHARGES: &str = "/api/v1/direct/payment";

impl App {
    /// Fills in the form for a direct payment, and submits it.
    pub async fn request_charge(&mut self, digits: &str, description: &str) {
        self.press("4 n").await;
        self.type_text(digits).await;
        let field_texts = [
            description,
            "Bia Costa",
            "bia@compra.example",
            "",
            "529.982.247-25",
        ];
        for text in field_texts {
            self.press("Enter").await;
            self.type_text(text).await;
        }
        self.press("Enter").await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn charge_needs_no_domain_and_code_is_copied_exactly() {
    let (env, mut app) = TestEnv::new().await.into_logged_in().await;
    app.run_command("desativar os domínios").await;
    app.request_charge("4990", "Conserto").await;
    app.wait_for_message("ChargeMade").await;
    app.assert_shows_localized("charge-code");

    let sent = env.proxy.requests_to(CHARGES);
    assert_eq!(sent.len(), 1);
    let body = concat!(
        r#"{"amount":49.90,"description":"Conserto","paymentMethod":"pix","#,
        r#""customer":{"name":"Bia Costa","email":"bia@compra.example","#,
        r#""document":{"number":"52998224725","type":"cpf"}}}"#
    );
    assert_eq!(sent[0].body, body);
    let charge = env.ledger().charges.remove(0);
    assert_eq!(charge.amount.to_string(), "49.90");
    let unbroken: String = app.screen().text().split_whitespace().collect();
    let code: String = charge.qr_code.split_whitespace().collect();
    assert!(unbroken.contains(&code) || app.shows(&charge.qr_code[..20]));
    app.press("y").await;
    app.wait_for_copy_notice("clip-pix-code").await;
    assert_eq!(
        app.take_terminal_output(),
        crate::links::osc52(&charge.qr_code)
    );
    assert!(
        matches!(&env.charges()[0].outcome, ChargeOutcome::Created(CreatedCharge { pix_code, .. })
        if pix_code.as_ref().is_some_and(|code| code.raw() == charge.qr_code))
    );
    app.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn code_of_another_amount_is_copied_after_a_question() {
    let (env, mut app) = TestEnv::new().await.into_logged_in().await;
    app.run_command("falha: código pix de outro").await;
    app.request_charge("4990", "Conserto").await;
    app.wait_for("cobra R$ 50,90, e esta cobrança é de R$ 49,90")
        .await;
    app.assert_shows("Não mande este código a ninguém.");
    let charge = env.ledger().charges.remove(0);
    assert_eq!(charge.amount.to_string(), "49.90");
    let ChargeOutcome::Created(CreatedCharge {
        pix_code: Some(code),
        ..
    }) = &env.charges()[0].outcome
    else {
        panic!("{:?}", env.charges())
    };
    let parsed_code = BrCode::parse(code).unwrap();
    assert_eq!(
        (parsed_code.is_intact, parsed_code.amount),
        (true, Some(Money::from_centavos(5_090)))
    );
    app.press("y").await;
    app.wait_for("Copiar este código Pix?").await;
    app.press("Enter").await;
    app.assert_shows("cobra R$ 50,90");
    assert_eq!(app.take_terminal_output(), Vec::<u8>::new());
    app.press("y Tab Enter").await;
    app.wait_for_copy_notice("clip-pix-code").await;
    assert_eq!(app.take_terminal_output(), crate::links::osc52(code.raw()));
    app.press("Esc").await;
    app.wait_for_localized("charges-odd-code").await;
    app.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn refused_charge_keeps_form_and_lost_one_is_unknown() {
    let (env, mut app) = TestEnv::new().await.into_logged_in().await;
    let refusal = Fault::Answer {
        status: 400,
        body: Some(r#"{"message":"Valor acima do limite.","action":"Cobre menos."}"#.into()),
        content_type: None,
        bank_acts: false,
    };
    env.control
        .arm(refusal, BankOperation::DirectPayment, Times::Next(1))
        .unwrap();
    env.control
        .arm(
            Fault::DropAfter,
            BankOperation::DirectPayment,
            Times::Next(1),
        )
        .unwrap();
    app.request_charge("4990", "Conserto").await;
    app.wait_for("Valor acima do limite.").await;
    app.assert_shows("Cobre menos.");
    app.assert_shows("bia@compra.example");
    app.press("Ctrl-S").await;
    app.wait_for_another_message("ChargeMade", 1).await;
    app.assert_shows("bia@compra.example");
    let outcomes: Vec<_> = env
        .charges()
        .into_iter()
        .map(|charge| charge.outcome)
        .collect();
    assert_eq!(outcomes[0], ChargeOutcome::Unknown);
    assert!(matches!(&outcomes[1], ChargeOutcome::Refused(refusal) if refusal.status == 400));
    assert_eq!(env.proxy.requests_to(CHARGES).len(), 2);
    assert_eq!(env.ledger().charges.len(), 1);
    app.close().await;
}
