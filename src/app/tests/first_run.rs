//! Tests of the set-up at the first start: its pages, resuming an interrupted set-up, and creating
//! the first payment link.

use super::*;
use crate::app::screens::first_run::{FirstRun, SetupStep};
use crate::app::store::first_run::{
    ConnectionResult, SetUpAnswer, SetUpCommand, SetupAnswers, StartupStage,
};

/// Starts the app for the first time. `answers` are the stored answers of an interrupted set-up.
fn start_setup(answers: SetupAnswers) -> (App, Vec<Effect>) {
    let mut app = App::new();
    app.model.store.startup_stage = StartupStage::SetUp(Box::new(answers));
    let effects = app.deliver(Msg::Started);
    (app, effects)
}

fn page(app: &App) -> &FirstRun {
    match app.top() {
        Layer::FirstRun(page) => page,
        other => panic!("{other:?}"),
    }
}

fn deliver_answer(app: &mut App, ticket: Ticket, answer: SetUpAnswer) -> Vec<Effect> {
    app.deliver(Msg::SetUp { ticket, answer })
}

/// The reply that an address is well-formed. `address` includes the scheme, such as `https`.
fn valid_address(address: &str) -> SetUpAnswer {
    SetUpAnswer::AddressChecked(Ok(address.into()))
}

/// The ticket and the address of the connection check that these effects request.
fn connection_check(effects: &[Effect]) -> (Ticket, &str) {
    match effects {
        [Effect::SetUp(SetUpCommand::CheckAddress { ticket, address })] => (*ticket, address),
        other => panic!("{other:?}"),
    }
}

fn vault_test_ticket(effects: &[Effect]) -> Ticket {
    match effects {
        [Effect::SetUp(SetUpCommand::TryVaults(ticket))] => *ticket,
        other => panic!("{other:?}"),
    }
}

const VAULT_KINDS: [VaultKind; 2] = [VaultKind::Keyring, VaultKind::Memory];

/// Goes through the set-up up to its last page.
fn app_on_last_page() -> App {
    let (mut app, effects) = start_setup(SetupAnswers::default());
    assert_eq!(
        effects,
        vec![],
        "nothing is asked of anybody before a page needs it"
    );
    assert_eq!(page(&app).step(), SetupStep::Name);
    app.press("Enter");
    app.type_text("https://api.loja.example");
    let effects = app.press("Enter");
    let (ticket, address) = connection_check(&effects);
    assert_eq!(address, "https://api.loja.example");
    deliver_answer(&mut app, ticket, valid_address("https://api.loja.example"));
    assert_eq!(
        page(&app).step(),
        SetupStep::Contract,
        "nobody need have answered"
    );
    app.press("Right");
    let effects = app.press("Enter");
    let ticket = vault_test_ticket(&effects);
    deliver_answer(&mut app, ticket, SetUpAnswer::Vaults(VAULT_KINDS.to_vec()));
    app.press("Right Enter");
    assert_eq!(page(&app).step(), SetupStep::Write);
    app
}

#[test]
fn last_page_writes_profile_and_switches_to_it() {
    let mut app = app_on_last_page();
    let effects = app.press("Enter");
    let [
        Effect::SetUp(SetUpCommand::Write {
            ticket,
            answers: written,
        }),
    ] = &effects[..]
    else {
        panic!("{effects:?}")
    };
    let expected = SetupAnswers {
        step: 4,
        name: "loja".into(),
        address: "https://api.loja.example".into(),
        contract: "snake-case".into(),
        vault: "memory".into(),
    };
    assert_eq!(**written, expected);
    assert_eq!(app.press("Enter"), vec![], "it is written once");
    assert!(!app.model.leaving);
    let effects = deliver_answer(&mut app, *ticket, SetUpAnswer::Written(Ok(())));
    assert_eq!(effects, vec![Effect::Leave]);
    assert_eq!(app.model.profiles.next.as_deref(), Some("loja"));
}

#[test]
fn unwritable_file_shows_error_and_can_be_retried() {
    let mut app = app_on_last_page();
    app.press("Enter");
    let ticket = app.last_ticket();
    deliver_answer(
        &mut app,
        ticket,
        SetUpAnswer::Written(Err("read-only file system".into())),
    );
    assert!(!app.model.leaving);
    assert!(page(&app).write_error.is_some());
    let effects = app.press("Enter");
    assert!(
        matches!(effects[..], [Effect::SetUp(SetUpCommand::Write { .. })]),
        "{effects:?}"
    );
}

#[test]
fn address_checked_while_typing_stale_answer_dropped() {
    let (mut app, _) = start_setup(SetupAnswers::default());
    app.press("Enter");
    assert_eq!(next_deadline(&app.model), None);
    app.type_text("http://x");
    assert_eq!(next_deadline(&app.model), Some(Duration::from_millis(400)));
    let first = connection_check(&app.pulse_after_ms(400)).0;
    app.type_text(".example");
    let effects = app.pulse_after_ms(400);
    let (second, address) = connection_check(&effects);
    assert_eq!(address, "http://x.example");
    deliver_answer(&mut app, first, valid_address("http://x"));
    assert_eq!(
        page(&app).address.parsed_address,
        None,
        "that was of another text"
    );
    let fault = Err(AddressFault::NotEncrypted);
    deliver_answer(&mut app, second, SetUpAnswer::AddressChecked(fault.clone()));
    assert_eq!(page(&app).address.parsed_address, Some(fault.clone()));
    // While the address is invalid, Enter neither continues nor starts another check.
    assert_eq!(app.press("Enter"), vec![]);
    assert_eq!(page(&app).step(), SetupStep::Address);
}

#[test]
fn unreachable_address_does_not_block_setup() {
    let (mut app, _) = start_setup(SetupAnswers::default());
    app.press("Enter");
    app.type_text("https://api.loja.example");
    let ticket = connection_check(&app.pulse_after_ms(400)).0;
    deliver_answer(&mut app, ticket, valid_address("https://api.loja.example"));
    assert!(page(&app).address.is_connecting());
    let failed = Err(Failure::NotSent(NotSent::Tls));
    deliver_answer(&mut app, ticket, SetUpAnswer::Reached(failed.clone()));
    assert_eq!(page(&app).address.connection_result, Some(failed));
    app.press("Enter");
    assert_eq!(page(&app).step(), SetupStep::Contract);
    // A late reply to an earlier check does not change the page.
    let late = SetUpAnswer::Reached(Ok(ConnectionResult {
        is_encrypted: true,
        millis: 9,
    }));
    deliver_answer(&mut app, ticket, late);
    assert_eq!(page(&app).step(), SetupStep::Contract);
}

#[test]
fn esc_keeps_answers_and_quits_on_first_page() {
    let mut app = app_on_last_page();
    let effects = app.press("Esc");
    let ticket = vault_test_ticket(&effects);
    deliver_answer(&mut app, ticket, SetUpAnswer::Vaults(VAULT_KINDS.to_vec()));
    assert_eq!(
        page(&app).form.chosen("vault"),
        Some(1),
        "what was chosen is chosen"
    );
    app.press("Esc");
    assert_eq!(page(&app).form.chosen("contract"), Some(1));
    app.press("Esc");
    assert_eq!(page(&app).form.value("address"), "https://api.loja.example");
    app.press("Esc");
    assert_eq!(page(&app).form.value("name"), "loja");
    assert_eq!(app.press("Esc"), vec![Effect::Leave]);
    assert!(app.model.leaving);
    assert_eq!(app.model.profiles.next, None);
}

#[test]
fn interrupted_setup_resumes_at_same_page() {
    let (mut app, _) = start_setup(SetupAnswers::default());
    app.paste("-da-ana");
    app.press("Enter");
    app.type_text("https://api.loja.example");
    let ticket = connection_check(&app.pulse_after_ms(400)).0;
    deliver_answer(&mut app, ticket, valid_address("https://api.loja.example"));
    // Ctrl-C quits without asking, because the typed text is saved.
    assert_eq!(app.press("Ctrl-C"), vec![Effect::Leave]);
    let stored_answers = page(&app).answers_to_save();
    let expected = SetupAnswers {
        step: 1,
        name: "loja-da-ana".into(),
        address: "https://api.loja.example".into(),
        ..SetupAnswers::default()
    };
    assert_eq!(stored_answers, expected);
    let (app, effects) = start_setup(stored_answers);
    assert_eq!(page(&app).step(), SetupStep::Address);
    assert_eq!(page(&app).form.value("address"), "https://api.loja.example");
    connection_check(&effects);
    // A newer version of the program may have saved a page number that does not exist here. Then
    // the last page is shown.
    let (app, _) = start_setup(SetupAnswers {
        step: 99,
        ..SetupAnswers::default()
    });
    assert_eq!(page(&app).step(), SetupStep::Write);
}

#[test]
fn choice_on_any_page_is_kept_when_leaving() {
    let (mut app, _) = start_setup(SetupAnswers {
        step: 2,
        ..SetupAnswers::default()
    });
    app.press("Right");
    assert_eq!(page(&app).answers_to_save().contract, "snake-case");
    let ticket = vault_test_ticket(&app.press("Enter"));
    assert_eq!(
        page(&app).answers_to_save().vault,
        "",
        "no vault is known yet"
    );
    deliver_answer(&mut app, ticket, SetUpAnswer::Vaults(VAULT_KINDS.to_vec()));
    app.press("Right");
    let stored_answers = page(&app).answers_to_save();
    assert_eq!(
        (&*stored_answers.contract, &*stored_answers.vault),
        ("snake-case", "memory")
    );
    // After a restart the same page is shown, and the vaults are tested again.
    let (mut app, effects) = start_setup(stored_answers.clone());
    deliver_answer(
        &mut app,
        vault_test_ticket(&effects),
        SetUpAnswer::Vaults(VAULT_KINDS.to_vec()),
    );
    assert_eq!(page(&app).answers_to_save(), stored_answers);
    app.press("Esc");
    let ticket = vault_test_ticket(&app.press("Enter"));
    assert_eq!(page(&app).answers_to_save(), stored_answers);
    deliver_answer(&mut app, ticket, SetUpAnswer::Vaults(VAULT_KINDS.to_vec()));
    assert_eq!(page(&app).answers_to_save(), stored_answers);
}

#[test]
fn address_is_completed_and_kept_before_it_is_checked() {
    let (mut app, _) = start_setup(SetupAnswers::default());
    app.press("Enter");
    app.type_text("api.loja.example");
    app.press("Esc Enter");
    assert_eq!(page(&app).form.value("address"), "api.loja.example");
    let ticket = app.last_ticket();
    deliver_answer(&mut app, ticket, valid_address("https://api.loja.example"));
    assert_eq!(
        page(&app).form.value("address"),
        "api.loja.example",
        "it may be typed on"
    );
    app.press("Enter");
    assert_eq!(page(&app).answers.address, "https://api.loja.example");
    app.press("Esc");
    assert_eq!(page(&app).form.value("address"), "https://api.loja.example");
}

#[test]
fn password_in_address_is_not_stored() {
    let (mut app, _) = start_setup(SetupAnswers::default());
    app.press("Enter");
    app.type_text("https://ana:segredo@x.example");
    assert_eq!(page(&app).answers_to_save().address, "");
    let ticket = connection_check(&app.pulse_after_ms(400)).0;
    deliver_answer(
        &mut app,
        ticket,
        SetUpAnswer::AddressChecked(Err(AddressFault::UserInfo)),
    );
    assert_eq!(page(&app).answers_to_save().address, "");
}

#[test]
fn setup_reaches_no_pane_or_money_form() {
    for step in 0..5 {
        let (mut app, _) = start_setup(SetupAnswers {
            step,
            ..SetupAnswers::default()
        });
        for key in [
            "1", "3", "6", "n", "L", "J", "q", "!", "T", "Ctrl-K", "?", "F1", "Ctrl-T",
        ] {
            app.press(key);
            app.model.leaving = false;
            assert!(matches!(app.top(), Layer::FirstRun(_)), "{key} at {step}");
            assert_eq!(app.model.layers.len(), 1, "{key} at {step}");
        }
    }
}

/// Creates an app whose set-up is complete, but whose seller has not created a payment link yet.
fn app_after_setup() -> App {
    let mut app = App::new();
    app.model.store.startup_stage = StartupStage::FirstLink { offered: false };
    app
}

#[test]
fn login_jwt_and_first_link_open_once_automatically() {
    let mut app = app_after_setup();
    let vault_status = VaultStatus::Kept(VaultKind::Keyring);
    let api_token = Credential::Absent;
    let jwt = Credential::Absent;
    app.deliver(Msg::CredentialsRead {
        vault_status: vault_status.clone(),
        api_token,
        jwt: jwt.clone(),
    });
    assert!(matches!(app.top(), Layer::Login(_)));
    // At the next start, the seller is logged in, but the JWT is still missing.
    let mut app = app_after_setup();
    app.deliver(Msg::CredentialsRead {
        vault_status,
        api_token: credential(SELLER),
        jwt,
    });
    assert!(matches!(app.top(), Layer::Jwt(_)));
    assert!(matches!(app.model.layers[0], Layer::NewLink(_)));
    // The seller closed both screens. They do not open again until the next start.
    app.press("Esc");
    app.press("1");
    assert!(app.model.layers.is_empty());
    assert_eq!(
        app.model.startup_stage,
        StartupStage::FirstLink { offered: true }
    );
}

#[test]
fn first_link_ends_setup() {
    let mut app = app_after_setup();
    app.log_in();
    assert!(matches!(app.top(), Layer::NewLink(_)));
    app.type_text("4990");
    app.press("Tab");
    app.type_text("Boné");
    let effects = app.press("Ctrl-S");
    let [Effect::MakeLink { ticket, .. }] = effects[..] else {
        panic!("{effects:?}")
    };
    let failure = Err(Failure::Cancelled);
    let mut other = App::with_model(app.model.clone());
    other.deliver(link_made(ticket, failure));
    assert_eq!(
        other.model.startup_stage,
        StartupStage::FirstLink { offered: true }
    );
    let new_link = link("https://loja.example/checkout/link-1");
    app.deliver(link_made(ticket, Ok(new_link)));
    assert_eq!(app.model.startup_stage, StartupStage::Known);
}
