//! App models of forms that warn about a credential. The credential has expired, or will expire
//! soon.

use balcao::app::cx::Route;
use balcao::app::store::session::{Credential, HeldCredential};
use balcao::app::{Model, Pane};
use balcao::trade::Wall;
use balcao::words::Lang;

use crate::models::{NOW, altered, on, push};

pub fn all(lang: Lang) -> Vec<(&'static str, Model)> {
    let form = |seconds: i64, pane, route: Route| {
        altered(on(lang, pane), |model| {
            expire(model, seconds);
            push(model, route);
        })
    };
    let over = |model: Model, asks: Route| altered(model, |model| push(model, asks));
    let link = || Route::NewLink(None);
    let withdrawal = || Route::NewWithdrawal(None);
    let no_jwt = balcao::trade::Failure::NoCredential(balcao::trade::CredentialKind::Jwt);
    let no_token = balcao::trade::Failure::NoCredential(balcao::trade::CredentialKind::ApiToken);
    let domains = |seconds| altered(on(lang, Pane::Domains), |model| expire(model, seconds));
    vec![
        ("expiry-domains-soon", domains(470)),
        ("expiry-domains-over", domains(-60)),
        ("expiry-link-soon", form(470, Pane::Links, link())),
        ("expiry-link-over", form(-60, Pane::Links, link())),
        ("expiry-charge-soon", form(470, Pane::Charges, Route::NewCharge(None))),
        ("expiry-withdrawal-soon", form(59, Pane::Withdrawals, withdrawal())),
        ("expiry-jwt", over(form(-60, Pane::Links, link()), Route::Jwt(Some(no_jwt)))),
        (
            "expiry-login",
            over(form(-60, Pane::Withdrawals, withdrawal()), Route::Login(Some(no_token))),
        ),
    ]
}

/// Sets the expiry time of both credentials (token and JWT) to `seconds` from now.
fn expire(model: &mut Model, seconds: i64) {
    for credential in [&mut model.store.session.api_token, &mut model.store.session.jwt] {
        *credential = Credential::Held(HeldCredential {
            identity: "ana@loja.example".into(),
            since: None,
            expires: Some(Wall(NOW.0 + seconds * 1_000)),
            from_demo: false,
        });
    }
}
