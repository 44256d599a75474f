//! App models of the login form and of the form for the JWT.

use balcao::app::screens::Layer;
use balcao::app::screens::login::{JwtForm, LoginForm};
use balcao::app::store::session::{Credential, Session, VaultStatus};
use balcao::app::ui::declared;
use balcao::app::ui::form::{Field, Form};
use balcao::app::ui::sent_form::SentForm;
use balcao::app::{DemoSetup, Model};
use balcao::trade::{CredentialKind, Failure, Refusal, VaultKind, VaultTrouble};
use balcao::words::Lang;

use crate::models::{altered, label, under, wait};
use crate::models_money::replies;

fn login_form() -> LoginForm {
    let mut form = declared::form(&replies::built_in().login.form, "login");
    form.field_mut("email").unwrap().fill("ana@loja.example");
    form.secret_edited(&"login/password".into(), 12);
    LoginForm { sent: SentForm::new(form), why: None }
}

pub fn logins(lang: Lang) -> Vec<(&'static str, Model)> {
    let login = |vault_status, change: &dyn Fn(&mut LoginForm)| {
        let mut login = login_form();
        change(&mut login);
        let mut model = under(lang, Layer::Login(Box::new(login)));
        model.session = Session { vault_status, ..Session::default() };
        model.session.api_token = Credential::Absent;
        model
    };
    let refusal =
        Refusal { status: 401, message: Some("E-mail ou senha inválidos.".into()), hint: None };
    let refused = Failure::Unauthorized { credential: None, refusal };
    let trouble = VaultStatus::Trouble;
    vec![
        ("login", login(VaultStatus::Kept(VaultKind::Keyring), &|_| {})),
        (
            "login-this-machine",
            altered(login(VaultStatus::Kept(VaultKind::Keyring), &|_| {}), |model| {
                model.sandbox = false
            }),
        ),
        (
            "login-shared",
            altered(login(VaultStatus::Kept(VaultKind::Memory), &|_| {}), |model| {
                let shared = Some("http://192.168.0.10:41873".into());
                model.setup.demo = Some(DemoSetup { shared, ..DemoSetup::default() });
            }),
        ),
        (
            "login-secret-unused",
            altered(login(VaultStatus::Kept(VaultKind::Keyring), &|_| {}), |model| {
                model.setup.unused_secret = Some("BALCAO_TOKEN");
            }),
        ),
        (
            "login-why",
            login(VaultStatus::Kept(VaultKind::Memory), &|login| {
                login.why = Some(Failure::NoCredential(CredentialKind::ApiToken));
            }),
        ),
        (
            "login-waiting",
            login(VaultStatus::Kept(VaultKind::Keyring), &|login| login.sent.wait = wait()),
        ),
        (
            "login-refused",
            login(VaultStatus::Kept(VaultKind::Memory), &|login| {
                login.sent.failure = Some(refused.clone())
            }),
        ),
        ("login-no-keyring", login(trouble(VaultTrouble::Absent), &|_| {})),
        (
            "login-keyring-error",
            login(trouble(VaultTrouble::Other("org.freedesktop.DBus.Error: no".into())), &|_| {}),
        ),
        (
            "login-field-missing",
            login(VaultStatus::Asking, &|login| {
                login.sent.form.field_mut("email").unwrap().fill("");
                login.sent.form.check();
            }),
        ),
    ]
}

pub fn jwts(lang: Lang) -> Vec<(&'static str, Model)> {
    let form = Form::new(vec![Field::secret("jwt", label("JWT", "JWT"), "jwt".into())]);
    let jwt = JwtForm { sent: SentForm::new(form) };
    let fails = Failure::Vault(VaultTrouble::Locked);
    vec![
        ("jwt", under(lang, Layer::Jwt(Box::new(jwt.clone())))),
        (
            "jwt-not-kept",
            under(
                lang,
                Layer::Jwt(Box::new(JwtForm {
                    sent: SentForm { failure: Some(fails), ..jwt.sent },
                })),
            ),
        ),
    ]
}
