//! App models of the setup at the first start. They show every page of the setup in every state.

use balcao::app::Model;
use balcao::app::cx::Route;
use balcao::app::screens::Layer;
use balcao::app::screens::first_run::FirstRun;
use balcao::app::store::first_run::{Answers, Reached};
use balcao::trade::withdrawal::NotSent;
use balcao::trade::{AddressFault, Failure, VaultKind};
use balcao::words::Lang;

use crate::models::{check_control_characters, model, push, tell};

pub fn all(lang: Lang) -> Vec<(&'static str, Model)> {
    let reached = |is_encrypted| Some(Ok(Reached { is_encrypted, millis: 143 }));
    let address = |shape, reached| {
        at(lang, 1, |page| (page.address.shape, page.address.reached) = (Some(shape), reached))
    };
    let good = || Ok(answers(1).address.into());
    let completed = at(lang, 1, |page| {
        page.form.fields[0].fill("api.loja.example");
        (page.address.shape, page.address.reached) = (Some(good()), reached(true));
    });
    let unreached = |why| address(good(), Some(Err(Failure::NotSent(why))));
    vec![
        ("first-run-name", at(lang, 0, |_| ())),
        ("first-run-address", address(good(), None)),
        ("first-run-address-wrong", address(Err(AddressFault::NotEncrypted), None)),
        ("first-run-address-reached", address(good(), reached(true))),
        ("first-run-address-completed", completed),
        ("first-run-address-here", address(good(), reached(false))),
        ("first-run-address-tls", unreached(NotSent::Tls)),
        ("first-run-address-dns", unreached(NotSent::Dns)),
        ("first-run-contract", at(lang, 2, |_| ())),
        ("first-run-vault-trying", at(lang, 3, |_| ())),
        ("first-run-vault", with_vaults(lang)),
        ("first-run-write", at(lang, 4, |_| ())),
        (
            "first-run-not-written",
            at(lang, 4, |page| page.wrong = Some("Read-only file system (os error 30)".into())),
        ),
    ]
}

fn answers(step: usize) -> Answers {
    Answers {
        step,
        name: "loja-da-ana".into(),
        address: "https://api.loja.example".into(),
        contract: "snake-case".into(),
        vault: "keyring".into(),
    }
}

/// Returns an app model that shows page number `step` of the setup, and applies `change` to this
/// page.
fn at(lang: Lang, step: usize, change: impl FnOnce(&mut FirstRun)) -> Model {
    from(lang, answers(step), change)
}

fn from(lang: Lang, answers: Answers, change: impl FnOnce(&mut FirstRun)) -> Model {
    let mut model = model(lang);
    push(&mut model, Route::FirstRun(Box::new(answers)));
    match model.layers.last_mut() {
        Some(Layer::FirstRun(page)) => change(page),
        other => panic!("{other:?}"),
    }
    model
}

fn with_vaults(lang: Lang) -> Model {
    use balcao::app::Msg;
    use balcao::app::store::first_run::SetUpAnswer;
    let mut model = at(lang, 3, |_| ());
    let vaults = vec![VaultKind::Keyring, VaultKind::Keyutils, VaultKind::Memory];
    let (ticket, answer) = (model.last_ticket, SetUpAnswer::Vaults(vaults));
    tell(&mut model, Msg::SetUp { ticket, answer });
    model
}

#[test]
fn hostile_answers_of_a_file_command_nothing() {
    const HOSTILE: &str = "\u{202e}lairotut\u{1b}[2J\u{7}\u{9b}31m";
    for lang in Lang::ALL {
        for step in 0..5 {
            let hostile = Answers {
                step,
                name: HOSTILE.into(),
                address: HOSTILE.into(),
                contract: HOSTILE.into(),
                vault: HOSTILE.into(),
            };
            let model = from(lang, hostile, |_| ());
            check_control_characters(&format!("page {step}"), &model);
        }
    }
}
