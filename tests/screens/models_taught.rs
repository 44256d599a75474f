//! App models of the screens on which the seller corrects the API contract. These screens open
//! after a refused request, or after a reply that the contract does not fit.

use balcao::app::cx::Route;
use balcao::app::store::session::Credential;
use balcao::app::{Model, Pane};
use balcao::trade::{Operation, ReplySeen};
use balcao::words::Lang;

use crate::models::{altered, on, press, push};
use crate::models_requests::exchange;

/// Returns an app model for each step in which the seller corrects the API contract.
pub fn all(lang: Lang) -> Vec<(&'static str, Model)> {
    let pressed = |name, model: Model, keys: &[&str]| (name, after(model, keys));
    vec![
        pressed("teach-token", login(lang), &[]),
        pressed("teach-unfit", fee(lang), &["Down", "Down", "Enter"]),
        pressed("teach-reply-overview", login(lang), &["Esc"]),
        pressed("teach-net", fee(lang), &["Down"]),
        pressed("teach-net-review", fee(lang), &["Down", "Enter", "Enter"]),
        pressed("teach-jwt", login(lang), &["Enter"]),
        pressed("teach-domains", domains(lang), &[]),
        pressed("teach-states", domains(lang), &["Enter"]),
        pressed("teach-jwt-left-out", login(lang), &["Enter", "Esc"]),
        ("teach-jwt-page", jwt_page(lang)),
        pressed("teach-new-field", withdrawal(lang), &[]),
        pressed("teach-field", login_refused(lang), &[]),
        pressed("teach-field-refused", login_refused(lang), &["Ctrl-U", "Ctrl-S"]),
        pressed("teach-contract-refused", withdrawal(lang), &["Ctrl-U", "a", "/", "/", "Ctrl-S"]),
        pressed("teach-headers", no_key(lang), &[]),
        pressed("teach-amounts", amounts(lang), &[]),
        pressed("teach-request-overview", withdrawal(lang), &["Esc"]),
        pressed("teach-withdrawal-review", withdrawal(lang), &["Ctrl-S"]),
        pressed("teach-no-json", no_json(lang), &[]),
        ("teach-writing", writing(lang)),
    ]
}

/// Opens the screen for correcting the API contract, after `operation` got a reply with this status
/// and body.
pub fn taught(lang: Lang, operation: Operation, status: u16, body: &str) -> Model {
    let reply = ReplySeen::new(status, vec![], body);
    altered(on(lang, Pane::Exchanges), |model| {
        push(model, Route::Teach(exchange(operation, Ok(reply))));
    })
}

fn after(mut model: Model, keys: &[&str]) -> Model {
    for key in keys {
        press(&mut model, key);
    }
    model
}

fn login(lang: Lang) -> Model {
    let body =
        r#"{"sessao":{"saques":"…","links":"…","validade":3600},"conta":{"nome":"Loja da Ana"}}"#;
    taught(lang, Operation::Login, 200, body)
}

/// Returns the page for pasting a JWT after a login. The reply to the login contained a JWT, but
/// not where the API contract looks for it.
fn jwt_page(lang: Lang) -> Model {
    let body = r#"{"token":"…","chave_web":"eyJ…"}"#;
    let reply = ReplySeen::new(200, vec![], body);
    altered(on(lang, Pane::Account), |model| {
        model.session.jwt = Credential::Absent;
        model.exchanges.push_front(exchange(Operation::Login, Ok(reply)));
        push(model, Route::Jwt(None));
    })
}

fn login_refused(lang: Lang) -> Model {
    let body = r#"{"message":"email não é um campo deste serviço."}"#;
    taught(lang, Operation::Login, 400, body)
}

fn fee(lang: Lang) -> Model {
    let body = r#"{"simulacao":{"taxa":2.05,"sobra":97.95,"quando":"2026-11-21T13:42:07Z"}}"#;
    taught(lang, Operation::FeePreview, 200, body)
}

fn domains(lang: Lang) -> Model {
    let body = r#"{"lojas":{"conectadas":{"doces.example":{"situacao":"active"},
        "pay.example":{"situacao":"pending_verification"}}}}"#;
    taught(lang, Operation::Domains, 200, body)
}

fn withdrawal(lang: Lang) -> Model {
    let body = r#"{"message":"Dados inválidos: centro_custo é obrigatório."}"#;
    taught(lang, Operation::Withdrawal, 422, body)
}

fn no_key(lang: Lang) -> Model {
    taught(lang, Operation::Domains, 401, r#"{"message":"Chave ausente."}"#)
}

fn amounts(lang: Lang) -> Model {
    let body = r#"{"message":"amount must be an integer"}"#;
    taught(lang, Operation::CreateLink, 400, body)
}

fn no_json(lang: Lang) -> Model {
    taught(lang, Operation::CreateLink, 201, "<html>criado</html>")
}

/// Returns the correction screen while it saves the new settings of the API contract.
fn writing(lang: Lang) -> Model {
    after(fee(lang), &["Down", "Enter", "Enter", "Enter"])
}
