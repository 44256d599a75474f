//! App models of the login form and of the form for the JWT.

use balcao::app::screens::Layer;
use balcao::app::screens::login::{JwtForm, LoginForm};
use balcao::app::store::session::{Credential, Session, VaultStatus};
use balcao::app::ui::contract_form;
use balcao::app::ui::form::{Field, Form};
use balcao::app::ui::sent_form::SentForm;
use balcao::app::{DemoSetup, Model};
use balcao::trade::{CredentialKind, Failure, Origin, Refusal, VaultKind, VaultTrouble};
use balcao::words::Lang;

use crate::models::{label, layer_model, wait, with_change};
use crate::models_money::replies;

fn login_form() -> LoginForm {
    let mut form = contract_form::form(&replies::built_in_contract().login.form, "login");
    form.field_mut("email").unwrap().fill("ana@loja.example");
    form.secret_edited(&"login/password".into(), 12);
    LoginForm {
        sent: SentForm::new(form),
        cause: None,
        submitted_ms: None,
        is_taught: false,
    }
}

pub fn login_models(lang: Lang) -> Vec<(&'static str, Model)> {
    let model_with = |vault_status, change: &dyn Fn(&mut LoginForm)| {
        let mut login = login_form();
        change(&mut login);
        let mut model = layer_model(lang, Layer::Login(Box::new(login)));
        model.session = Session {
            vault_status,
            ..Session::default()
        };
        model.session.api_token = Credential::Absent;
        model
    };
    let refusal = Refusal {
        status: 401,
        message: Some("E-mail ou senha inválidos.".into()),
        hint: None,
        retry_after: None,
    };
    let failure = Failure::Unauthorized {
        credential: None,
        refusal,
    };
    let vault_trouble = VaultStatus::Trouble;
    vec![
        (
            "login",
            model_with(VaultStatus::Kept(VaultKind::Keyring), &|_| {}),
        ),
        (
            "login-this-machine",
            with_change(
                model_with(VaultStatus::Kept(VaultKind::Keyring), &|_| {}),
                |model| model.sandbox = false,
            ),
        ),
        (
            "login-origin-differs",
            with_change(
                model_with(VaultStatus::Kept(VaultKind::Keyring), &|_| {}),
                |model| {
                    (model.sandbox, model.setup.this_machine) = (false, false);
                    model.setup.origin = Origin("https://api.ladrao.example".into());
                    model.setup.logins = [Origin("https://api.loja.example".into())].into();
                },
            ),
        ),
        (
            "login-submitted",
            with_change(
                model_with(VaultStatus::Asking, &|login| {
                    login.submitted_ms = Some(598_000)
                }),
                |model| model.sandbox = false,
            ),
        ),
        (
            "login-shared",
            with_change(
                model_with(VaultStatus::Kept(VaultKind::Memory), &|_| {}),
                |model| {
                    let shared = Some("http://192.168.0.10:41873".into());
                    model.setup.demo = Some(DemoSetup {
                        shared,
                        ..DemoSetup::default()
                    });
                },
            ),
        ),
        (
            "login-secret-unused",
            with_change(
                model_with(VaultStatus::Kept(VaultKind::Keyring), &|_| {}),
                |model| {
                    model.setup.unused_secret = Some("BALCAO_TOKEN");
                },
            ),
        ),
        (
            "login-why",
            model_with(VaultStatus::Kept(VaultKind::Memory), &|login| {
                login.cause = Some(Failure::NoCredential(CredentialKind::ApiToken));
            }),
        ),
        (
            "login-waiting",
            model_with(VaultStatus::Kept(VaultKind::Keyring), &|login| {
                login.sent.wait = wait()
            }),
        ),
        (
            "login-refused",
            model_with(VaultStatus::Kept(VaultKind::Memory), &|login| {
                login.sent.failure = Some(failure.clone())
            }),
        ),
        (
            "login-taught",
            model_with(VaultStatus::Kept(VaultKind::Keyring), &|login| {
                login.is_taught = true
            }),
        ),
        (
            "login-no-keyring",
            model_with(vault_trouble(VaultTrouble::Absent), &|_| {}),
        ),
        (
            "login-keyring-error",
            model_with(
                vault_trouble(VaultTrouble::Other("org.freedesktop.DBus.Error: no".into())),
                &|_| {},
            ),
        ),
        (
            "login-field-missing",
            model_with(VaultStatus::Asking, &|login| {
                login.sent.form.field_mut("email").unwrap().fill("");
                login.sent.form.check();
            }),
        ),
    ]
}

pub fn jwt_models(lang: Lang) -> Vec<(&'static str, Model)> {
    let form = Form::new(vec![Field::secret(
        "jwt",
        label("JWT", "JWT"),
        "jwt".into(),
    )]);
    let jwt = JwtForm {
        sent: SentForm::new(form),
    };
    let failure = Failure::Vault(VaultTrouble::Locked);
    vec![
        ("jwt", layer_model(lang, Layer::Jwt(Box::new(jwt.clone())))),
        (
            "jwt-not-kept",
            layer_model(
                lang,
                Layer::Jwt(Box::new(JwtForm {
                    sent: SentForm {
                        failure: Some(failure),
                        ..jwt.sent
                    },
                })),
            ),
        ),
    ]
}
