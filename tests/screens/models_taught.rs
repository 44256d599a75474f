//! App models of the screens on which the seller corrects the API contract. These screens open
//! after a refused request, or after a reply that does not match the contract.

use balcao::app::cx::Route;
use balcao::app::store::session::Credential;
use balcao::app::{Model, Pane};
use balcao::trade::{MaskedReply, Operation};
use balcao::words::Lang;

use crate::models::{open_screen, pane_model, press, with_change};
use crate::models_requests::exchange;

/// Returns an app model for each step in which the seller corrects the API contract.
pub fn taught_models(lang: Lang) -> Vec<(&'static str, Model)> {
    let after_keys = |name, model: Model, keys: &[&str]| (name, press_keys(model, keys));
    vec![
        after_keys("teach-token", login(lang), &[]),
        after_keys("teach-unfit", fee(lang), &["Down", "Down", "Enter"]),
        after_keys("teach-reply-overview", login(lang), &["Esc"]),
        after_keys("teach-net", fee(lang), &["Down"]),
        after_keys("teach-net-review", fee(lang), &["Down", "Enter", "Enter"]),
        after_keys("teach-jwt", login(lang), &["Enter"]),
        after_keys("teach-domains", domains(lang), &[]),
        after_keys("teach-states", domains(lang), &["Enter"]),
        after_keys("teach-jwt-left-out", login(lang), &["Enter", "Esc"]),
        ("teach-jwt-page", jwt_page(lang)),
        after_keys("teach-new-field", withdrawal(lang), &[]),
        after_keys("teach-field", login_refused(lang), &[]),
        after_keys("teach-field-refused", login_refused(lang), &["Ctrl-U", "Ctrl-S"]),
        after_keys(
            "teach-contract-refused",
            withdrawal(lang),
            &["Ctrl-U", "a", "/", "/", "Ctrl-S"],
        ),
        after_keys("teach-headers", no_key(lang), &[]),
        after_keys("teach-amounts", amounts(lang), &[]),
        after_keys("teach-request-overview", withdrawal(lang), &["Esc"]),
        after_keys("teach-withdrawal-review", withdrawal(lang), &["Ctrl-S"]),
        after_keys("teach-no-json", no_json(lang), &[]),
        ("teach-writing", writing(lang)),
    ]
}

/// Opens the screen for correcting the API contract, after `operation` got a reply with this status
/// and body.
pub fn teach_model(lang: Lang, operation: Operation, status: u16, body: &str) -> Model {
    let reply = MaskedReply::new(status, vec![], body);
    with_change(pane_model(lang, Pane::Exchanges), |model| {
        open_screen(model, Route::Teach(exchange(operation, Ok(reply))));
    })
}

fn press_keys(mut model: Model, keys: &[&str]) -> Model {
    for key in keys {
        press(&mut model, key);
    }
    model
}

fn login(lang: Lang) -> Model {
    let body =
        r#"{"sessao":{"saques":"…","links":"…","validade":3600},"conta":{"nome":"Loja da Ana"}}"#;
    teach_model(lang, Operation::Login, 200, body)
}

/// Returns the page for pasting a JWT after a login. The reply to the login contained a JWT, but
/// not where the API contract looks for it.
fn jwt_page(lang: Lang) -> Model {
    let body = r#"{"token":"…","chave_web":"eyJ…"}"#;
    let reply = MaskedReply::new(200, vec![], body);
    with_change(pane_model(lang, Pane::Account), |model| {
        model.session.jwt = Credential::Absent;
        model.exchanges.push_front(exchange(Operation::Login, Ok(reply)));
        open_screen(model, Route::Jwt(None));
    })
}

fn login_refused(lang: Lang) -> Model {
    let body = r#"{"message":"email não é um campo deste serviço."}"#;
    teach_model(lang, Operation::Login, 400, body)
}

fn fee(lang: Lang) -> Model {
    let body = r#"{"simulacao":{"taxa":2.05,"sobra":97.95,"quando":"2026-11-21T13:42:07Z"}}"#;
    teach_model(lang, Operation::FeePreview, 200, body)
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

fn no_key(lang: Lang) -> Model {
    teach_model(lang, Operation::Domains, 401, r#"{"message":"Chave ausente."}"#)
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
    press_keys(fee(lang), &["Down", "Enter", "Enter", "Enter"])
}
