//! App models of forms that warn about a credential. The credential has expired, or will expire
//! soon.

use balcao::app::cx::Route;
use balcao::app::store::session::{Credential, CredentialDetails};
use balcao::app::{Model, Pane};
use balcao::trade::Wall;
use balcao::words::Lang;

use crate::models::{NOW, open_screen, pane_model, with_change};

pub fn expiry_models(lang: Lang) -> Vec<(&'static str, Model)> {
    let form = |seconds: i64, pane, route: Route| {
        with_change(pane_model(lang, pane), |model| {
            set_expiry(model, seconds);
            open_screen(model, route);
        })
    };
    let over_form = |model: Model, login_route: Route| {
        with_change(model, |model| open_screen(model, login_route))
    };
    let link = || Route::NewLink(None);
    let withdrawal = || Route::NewWithdrawal(None);
    let no_jwt = balcao::trade::Failure::NoCredential(balcao::trade::CredentialKind::Jwt);
    let no_token = balcao::trade::Failure::NoCredential(balcao::trade::CredentialKind::ApiToken);
    let domains_pane = |seconds| {
        with_change(pane_model(lang, Pane::Domains), |model| {
            set_expiry(model, seconds)
        })
    };
    vec![
        ("expiry-domains-soon", domains_pane(470)),
        ("expiry-domains-over", domains_pane(-60)),
        ("expiry-link-soon", form(470, Pane::Links, link())),
        ("expiry-link-over", form(-60, Pane::Links, link())),
        (
            "expiry-charge-soon",
            form(470, Pane::Charges, Route::NewCharge(None)),
        ),
        (
            "expiry-withdrawal-soon",
            form(59, Pane::Withdrawals, withdrawal()),
        ),
        (
            "expiry-jwt",
            over_form(form(-60, Pane::Links, link()), Route::Jwt(Some(no_jwt))),
        ),
        (
            "expiry-login",
            over_form(
                form(-60, Pane::Withdrawals, withdrawal()),
                Route::Login(Some(no_token)),
            ),
        ),
    ]
}

/// Sets the expiry time of both credentials (token and JWT) to `seconds` from now.
fn set_expiry(model: &mut Model, seconds: i64) {
    for credential in [
        &mut model.store.session.api_token,
        &mut model.store.session.jwt,
    ] {
        *credential = Credential::Stored(CredentialDetails {
            identity: "ana@loja.example".into(),
            since: None,
            expires: Some(Wall(NOW.0 + seconds * 1_000)),
            from_demo: false,
        });
    }
}
