//! App models of the screens on which the seller corrects the API contract. These screens open
//! after a refused request, or after a reply that does not match the contract.

use balcao::app::cx::Route;
use balcao::app::screen::buttons::CONFIRM_DELAY_MS;
use balcao::app::store::session::Credential;
use balcao::app::{Model, Msg, Pane};
use balcao::contract::ReplyTree;
use balcao::trade::withdrawal::Decision;
use balcao::trade::{Exchange, MaskedReply, Operation};
use balcao::words::Lang;

use crate::models::{
    open_details, open_guide, open_screen, pane_model, press, send_message, with_change,
    withdrawal as withdrawal_of,
};
use crate::models_money::replies;
use crate::models_requests::exchange;

/// Returns an app model for each step in which the seller corrects the API contract.
pub fn taught_models(lang: Lang) -> Vec<(&'static str, Model)> {
    let after_keys = |name, model: Model, keys: &[&str]| (name, press_keys(model, keys));
    vec![
        after_keys("teach-token", login(lang), &[]),
        after_keys("teach-unfit", fee(lang), &["Down", "Down", "Enter"]),
        after_keys("teach-reply-overview", login(lang), &["Esc"]),
        after_keys("teach-net", fee(lang), &[]),
        after_keys("teach-fee", fee(lang), &["Enter"]),
        after_keys("teach-net-review", fee(lang), &["Enter", "Enter"]),
        after_keys(
            "teach-figures-off",
            fee_off(lang),
            &["Down", "Down", "Enter"],
        ),
        after_keys("teach-other-unit", fee_in_centavos(lang), &[]),
        after_keys("teach-unit", fee_in_centavos(lang), &["Enter"]),
        after_keys("teach-jwt", login(lang), &["Enter"]),
        after_keys("teach-domains", domains(lang), &[]),
        after_keys("teach-states", domains(lang), &["Enter"]),
        after_keys("teach-jwt-left-out", login(lang), &["Enter", "Esc"]),
        ("teach-jwt-page", jwt_page(lang)),
        after_keys("teach-new-field", withdrawal(lang), &[]),
        after_keys("teach-field", login_refused(lang), &[]),
        after_keys(
            "teach-field-refused",
            login_refused(lang),
            &["Ctrl-U", "Ctrl-S"],
        ),
        after_keys(
            "teach-contract-refused",
            withdrawal(lang),
            &["Ctrl-U", "a", "/", "/", "Ctrl-S"],
        ),
        after_keys("teach-rename", renamed(lang), &[]),
        after_keys("teach-rename-login", renamed_login(lang), &[]),
        after_keys("teach-leave-out", unknown_kind(lang), &[]),
        after_keys("teach-key-kinds", kinds(lang), &[]),
        after_keys("teach-untaught", other_destination(lang), &[]),
        after_keys("teach-headers", no_key(lang), &[]),
        after_keys("teach-amounts", amounts(lang), &[]),
        after_keys("teach-request-overview", withdrawal(lang), &["Esc"]),
        after_keys("teach-withdrawal-review", withdrawal(lang), &["Ctrl-S"]),
        after_keys("teach-no-json", no_json(lang), &[]),
        ("teach-writing", writing(lang)),
        ("unknown-where-code", open_withdrawal(lang)),
        ("unknown-code", taught_withdrawal(lang)),
        ("guide-code", guide(taught_withdrawal(lang))),
        after_keys("ask-found-code", taught_withdrawal(lang), &["f"]),
        after_keys("teach-code", open_withdrawal(lang), &["Ctrl-T"]),
        after_keys(
            "teach-code-refused",
            open_withdrawal(lang),
            &["Ctrl-T", "G", "Up"],
        ),
        after_keys(
            "teach-code-overview",
            open_withdrawal(lang),
            &["Ctrl-T", "Esc"],
        ),
        after_keys(
            "teach-code-review",
            open_withdrawal(lang),
            &["Ctrl-T", "Enter", "Enter"],
        ),
        after_keys(
            "teach-code-no-state",
            open_withdrawal(lang),
            &["Ctrl-T", "Enter", "Esc"],
        ),
        ("ask-always-empty", always_empty(lang)),
    ]
}

/// The reply to a withdrawal, with names that the built-in API contract does not read.
const UNCLEAR_REPLY: &str = r#"{"data":{"payout_code":"po_5QK2","state":"QUEUED"},
    "meta":{"request_id":"req_77","served_at":"2026-11-21T13:42:07Z"}}"#;

/// Returns the details of a withdrawal that got this reply.
fn withdrawal_with_reply(lang: Lang, status: u16, body: &str) -> Model {
    let withdrawal = withdrawal_of(0, Some(replies::reply(status, body)));
    let key = withdrawal.agreement.key_header.to_string();
    let sent = exchange(
        Operation::Withdrawal,
        Ok(MaskedReply::new(status, vec![], body)),
    );
    let sent = Exchange {
        request_headers: vec![("idempotency-key".into(), key)],
        ..(*sent).clone()
    };
    let mut model = pane_model(lang, Pane::Withdrawals);
    model.exchanges.push_front(sent.into());
    model.withdrawals.open = vec![withdrawal.clone()];
    open_details(&mut model, withdrawal);
    model
}

fn open_withdrawal(lang: Lang) -> Model {
    withdrawal_with_reply(lang, 201, UNCLEAR_REPLY)
}

/// Returns the details of the same withdrawal after the seller has taught where the code and the
/// state are.
fn taught_withdrawal(lang: Lang) -> Model {
    with_change(open_withdrawal(lang), |model| {
        let reply = ReplyTree::read(&UNCLEAR_REPLY.into()).unwrap();
        let places = [
            ("withdrawal.id", "/data/payout_code"),
            ("withdrawal.status", "/data/state"),
        ];
        let lines = places.iter().flat_map(|(name, pointer)| {
            model
                .setup
                .contract
                .settings_to_read_at(name, pointer, &reply)
                .unwrap()
        });
        let lines: Vec<_> = lines.collect();
        model.setup.contract = model.setup.contract.with_taught(&lines).unwrap().into();
        model.agreed_settings = Some(model.setup.contract.all_settings());
    })
}

fn guide(mut model: Model) -> Model {
    open_guide(&mut model, 1);
    model
}

/// Returns the question that follows after the seller has found a withdrawal whose reply was empty.
fn always_empty(lang: Lang) -> Model {
    with_change(withdrawal_with_reply(lang, 204, ""), |model| {
        let mut found = model.withdrawals.open[0].clone();
        found.decision = Some((Decision::FoundPaid, model.now.wall));
        let key = found.agreement.key;
        send_message(
            model,
            Msg::Decided {
                key,
                result: Ok(Box::new(found)),
            },
        );
    })
}

/// Opens the screen for correcting the API contract, after `operation` got a reply with this status
/// and body.
pub fn teach_model(lang: Lang, operation: Operation, status: u16, body: &str) -> Model {
    let reply = MaskedReply::new(status, vec![], body);
    with_change(pane_model(lang, Pane::Exchanges), |model| {
        open_screen(model, Route::Teach(exchange(operation, Ok(reply)), true));
        model.now.boot_ms += CONFIRM_DELAY_MS;
    })
}

fn press_keys(mut model: Model, keys: &[&str]) -> Model {
    for key in keys {
        press(&mut model, key);
    }
    model
}

fn login(lang: Lang) -> Model {
    let body = r#"{"sessao":{"saques":"\ufdef","links":"\ufdef","validade":3600},
        "conta":{"nome":"Loja da Ana"}}"#;
    teach_model(lang, Operation::Login, 200, body)
}

/// Returns the page for pasting a JWT after a login. The reply to the login contained a JWT, but
/// not where the API contract looks for it.
fn jwt_page(lang: Lang) -> Model {
    let body = r#"{"token":"\ufdef","chave_web":"eyJ\ufdef"}"#;
    let reply = MaskedReply::new(200, vec![], body);
    with_change(pane_model(lang, Pane::Account), |model| {
        model.session.jwt = Credential::Absent;
        model
            .exchanges
            .push_front(exchange(Operation::Login, Ok(reply)));
        open_screen(model, Route::Jwt(None));
    })
}

fn login_refused(lang: Lang) -> Model {
    let body = r#"{"message":"email não é um campo deste serviço."}"#;
    teach_model(lang, Operation::Login, 400, body)
}

fn fee(lang: Lang) -> Model {
    let body = r#"{"simulacao":{"taxa":20.50,"sobra":979.50,"quando":"2026-11-21T13:42:07Z"}}"#;
    teach_model(lang, Operation::FeePreview, 200, body)
}

/// Returns the page for the net amount, although no figures add up to the amount.
fn fee_off(lang: Lang) -> Model {
    teach_model(
        lang,
        Operation::FeePreview,
        200,
        r#"{"a":20.50,"b":1979.49}"#,
    )
}

fn fee_in_centavos(lang: Lang) -> Model {
    teach_model(
        lang,
        Operation::FeePreview,
        200,
        r#"{"taxa":2050,"sobra":97950}"#,
    )
}

fn domains(lang: Lang) -> Model {
    let body = r#"{"lojas":{"conectadas":{"doces.example":{"situacao":"active"},
        "pay.example":{"situacao":"pending_verification"}}}}"#;
    teach_model(lang, Operation::Domains, 200, body)
}

fn withdrawal(lang: Lang) -> Model {
    let body = r#"{"message":"Dados inválidos: centro_custo é obrigatório."}"#;
    teach_model(lang, Operation::Withdrawal, 422, body)
}

/// Returns the question after a refusal that names two fields with other names.
fn renamed(lang: Lang) -> Model {
    let body = r#"{"errors":{"pix_key":["is required"],"pix_key_type":["is required"]}}"#;
    teach_model(lang, Operation::Withdrawal, 422, body)
}

fn renamed_login(lang: Lang) -> Model {
    teach_model(
        lang,
        Operation::Login,
        400,
        r#"{"message":"usuario é obrigatório."}"#,
    )
}

fn unknown_kind(lang: Lang) -> Model {
    teach_model(
        lang,
        Operation::Withdrawal,
        422,
        r#"{"message":"unknown field pixKeyType"}"#,
    )
}

fn kinds(lang: Lang) -> Model {
    teach_model(
        lang,
        Operation::Withdrawal,
        422,
        r#"{"message":"pixKeyType is not valid"}"#,
    )
}

fn other_destination(lang: Lang) -> Model {
    teach_model(
        lang,
        Operation::Withdrawal,
        422,
        r#"{"message":"refund_key is required"}"#,
    )
}

fn no_key(lang: Lang) -> Model {
    teach_model(
        lang,
        Operation::Domains,
        401,
        r#"{"message":"Chave ausente."}"#,
    )
}

fn amounts(lang: Lang) -> Model {
    let body = r#"{"message":"amount must be an integer"}"#;
    teach_model(lang, Operation::CreateLink, 400, body)
}

fn no_json(lang: Lang) -> Model {
    teach_model(lang, Operation::CreateLink, 201, "<html>criado</html>")
}

/// Returns the correction screen while it saves the new settings of the API contract.
fn writing(lang: Lang) -> Model {
    press_keys(fee(lang), &["Enter", "Enter", "Enter"])
}
