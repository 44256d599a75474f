//! App models of the setup at the first start. They show every page of the setup in every state.

use balcao::app::Model;
use balcao::app::cx::Route;
use balcao::app::screens::Layer;
use balcao::app::screens::first_run::FirstRun;
use balcao::app::store::first_run::{ConnectionResult, SetupAnswers};
use balcao::trade::withdrawal::NotSent;
use balcao::trade::{AddressFault, Failure, VaultKind};
use balcao::words::Lang;

use crate::models::{assert_no_control_characters, model, open_screen, send_message};

pub fn first_run_models(lang: Lang) -> Vec<(&'static str, Model)> {
    let connected = |is_encrypted| {
        Some(Ok(ConnectionResult {
            is_encrypted,
            millis: 143,
        }))
    };
    let address_page = |shape, connected| {
        model_at_step(lang, 1, |page| {
            (page.address.parsed_address, page.address.connection_result) = (Some(shape), connected)
        })
    };
    let valid_address = || Ok(answers(1).address.into());
    let completed_address = model_at_step(lang, 1, |page| {
        page.form.fields[0].fill("api.loja.example");
        (page.address.parsed_address, page.address.connection_result) =
            (Some(valid_address()), connected(true));
    });
    let failed_address = |why| address_page(valid_address(), Some(Err(Failure::NotSent(why))));
    vec![
        ("first-run-name", model_at_step(lang, 0, |_| ())),
        ("first-run-address", address_page(valid_address(), None)),
        (
            "first-run-address-wrong",
            address_page(Err(AddressFault::NotEncrypted), None),
        ),
        (
            "first-run-address-reached",
            address_page(valid_address(), connected(true)),
        ),
        ("first-run-address-completed", completed_address),
        (
            "first-run-address-here",
            address_page(valid_address(), connected(false)),
        ),
        ("first-run-address-tls", failed_address(NotSent::Tls)),
        ("first-run-address-dns", failed_address(NotSent::Dns)),
        ("first-run-contract", model_at_step(lang, 2, |_| ())),
        ("first-run-vault-trying", model_at_step(lang, 3, |_| ())),
        ("first-run-vault", model_with_vaults(lang)),
        ("first-run-write", model_at_step(lang, 4, |_| ())),
        (
            "first-run-not-written",
            model_at_step(lang, 4, |page| {
                page.write_error = Some("Read-only file system (os error 30)".into())
            }),
        ),
    ]
}

fn answers(step: usize) -> SetupAnswers {
    SetupAnswers {
        step,
        name: "loja-da-ana".into(),
        address: "https://api.loja.example".into(),
        contract: "snake-case".into(),
        vault: "keyring".into(),
    }
}

/// Returns an app model that shows page number `step` of the setup, and applies `change` to this
/// page.
fn model_at_step(lang: Lang, step: usize, change: impl FnOnce(&mut FirstRun)) -> Model {
    model_with_answers(lang, answers(step), change)
}

fn model_with_answers(
    lang: Lang,
    answers: SetupAnswers,
    change: impl FnOnce(&mut FirstRun),
) -> Model {
    let mut model = model(lang);
    open_screen(&mut model, Route::FirstRun(Box::new(answers)));
    match model.layers.last_mut() {
        Some(Layer::FirstRun(page)) => change(page),
        other => panic!("{other:?}"),
    }
    model
}

fn model_with_vaults(lang: Lang) -> Model {
    use balcao::app::Msg;
    use balcao::app::store::first_run::SetUpAnswer;
    let mut model = model_at_step(lang, 3, |_| ());
    let vaults = vec![VaultKind::Keyring, VaultKind::Keyutils, VaultKind::Memory];
    let ticket = model.last_ticket;
    let answer = SetUpAnswer::Vaults(vaults);
    send_message(&mut model, Msg::SetUp { ticket, answer });
    model
}

#[test]
fn hostile_answers_print_no_control_characters() {
    const HOSTILE: &str = "\u{202e}lairotut\u{1b}[2J\u{7}\u{9b}31m";
    for lang in Lang::ALL {
        for step in 0..5 {
            let hostile = SetupAnswers {
                step,
                name: HOSTILE.into(),
                address: HOSTILE.into(),
                contract: HOSTILE.into(),
                vault: HOSTILE.into(),
            };
            let model = model_with_answers(lang, hostile, |_| ());
            assert_no_control_characters(&format!("page {step}"), &model);
        }
    }
}
