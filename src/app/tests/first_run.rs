//! Tests of the set-up at the first start: its pages, resuming an interrupted set-up, and creating
//! the first payment link.

use super::*;
use crate::app::screens::first_run::{FirstRun, SetupStep};
use crate::app::store::first_run::{Answers, Reached, SetUpAnswer, SetUpCommand, StartupStage};

/// Starts the app for the first time. `answers` are saved answers of an interrupted set-up.
fn started(answers: Answers) -> (App, Vec<Effect>) {
    let mut app = App::closed();
    app.model.store.startup_stage = StartupStage::SetUp(Box::new(answers));
    let wanted = app.tell(Msg::Started);
    (app, wanted)
}

fn page(app: &App) -> &FirstRun {
    match app.top() {
        Layer::FirstRun(page) => page,
        other => panic!("{other:?}"),
    }
}

fn answers(app: &mut App, ticket: Ticket, answer: SetUpAnswer) -> Vec<Effect> {
    app.tell(Msg::SetUp { ticket, answer })
}

/// Returns the result of a syntax check that found no fault. `whole` is the address with its
/// scheme.
fn good(whole: &str) -> SetUpAnswer {
    SetUpAnswer::Shape(Ok(whole.into()))
}

/// Returns the ticket and the address of the connection check that these effects request.
fn looked(wanted: &[Effect]) -> (Ticket, &str) {
    match wanted {
        [Effect::SetUp(SetUpCommand::Look { ticket, address })] => (*ticket, address),
        other => panic!("{other:?}"),
    }
}

fn tried(wanted: &[Effect]) -> Ticket {
    match wanted {
        [Effect::SetUp(SetUpCommand::TryVaults(ticket))] => *ticket,
        other => panic!("{other:?}"),
    }
}

const BOTH: [VaultKind; 2] = [VaultKind::Keyring, VaultKind::Memory];

/// Goes through the set-up up to its last page.
fn at_the_end() -> App {
    let (mut app, wanted) = started(Answers::default());
    assert_eq!(wanted, vec![], "nothing is asked of anybody before a page needs it");
    assert_eq!(page(&app).step(), SetupStep::Name);
    app.keys("Enter");
    app.types("https://api.loja.example");
    let wanted = app.keys("Enter");
    let (ticket, address) = looked(&wanted);
    assert_eq!(address, "https://api.loja.example");
    answers(&mut app, ticket, good("https://api.loja.example"));
    assert_eq!(page(&app).step(), SetupStep::Contract, "nobody need have answered");
    app.keys("Right");
    let wanted = app.keys("Enter");
    let ticket = tried(&wanted);
    answers(&mut app, ticket, SetUpAnswer::Vaults(BOTH.to_vec()));
    app.keys("Right Enter");
    assert_eq!(page(&app).step(), SetupStep::Write);
    app
}

#[test]
fn last_page_writes_profile_and_switches_to_it() {
    let mut app = at_the_end();
    let wanted = app.keys("Enter");
    let [Effect::SetUp(SetUpCommand::Write { ticket, answers: written })] = &wanted[..] else {
        panic!("{wanted:?}")
    };
    let expected = Answers {
        step: 4,
        name: "loja".into(),
        address: "https://api.loja.example".into(),
        contract: "snake-case".into(),
        vault: "memory".into(),
    };
    assert_eq!(**written, expected);
    assert_eq!(app.keys("Enter"), vec![], "it is written once");
    assert!(!app.model.leaving);
    let effects = answers(&mut app, *ticket, SetUpAnswer::Written(Ok(())));
    assert_eq!(effects, vec![Effect::Leave]);
    assert_eq!(app.model.profiles.next.as_deref(), Some("loja"));
}

#[test]
fn unwritable_file_shows_error_and_can_be_retried() {
    let mut app = at_the_end();
    app.keys("Enter");
    let ticket = app.ticket();
    answers(&mut app, ticket, SetUpAnswer::Written(Err("read-only file system".into())));
    assert!(!app.model.leaving);
    assert!(page(&app).wrong.is_some());
    let wanted = app.keys("Enter");
    assert!(matches!(wanted[..], [Effect::SetUp(SetUpCommand::Write { .. })]), "{wanted:?}");
}

#[test]
fn address_checked_while_typing_stale_answer_dropped() {
    let (mut app, _) = started(Answers::default());
    app.keys("Enter");
    assert_eq!(next_deadline(&app.model), None);
    app.types("http://x");
    assert_eq!(next_deadline(&app.model), Some(Duration::from_millis(400)));
    let first = looked(&app.rests(400)).0;
    app.types(".example");
    let wanted = app.rests(400);
    let (second, address) = looked(&wanted);
    assert_eq!(address, "http://x.example");
    answers(&mut app, first, good("http://x"));
    assert_eq!(page(&app).address.shape, None, "that was of another text");
    let fault = Err(AddressFault::NotEncrypted);
    answers(&mut app, second, SetUpAnswer::Shape(fault.clone()));
    assert_eq!(page(&app).address.shape, Some(fault.clone()));
    // While the address is invalid, Enter neither continues nor starts another check.
    assert_eq!(app.keys("Enter"), vec![]);
    assert_eq!(page(&app).step(), SetupStep::Address);
}

#[test]
fn unreachable_address_does_not_block_setup() {
    let (mut app, _) = started(Answers::default());
    app.keys("Enter");
    app.types("https://api.loja.example");
    let ticket = looked(&app.rests(400)).0;
    answers(&mut app, ticket, good("https://api.loja.example"));
    assert!(page(&app).address.is_waiting());
    let failed = Err(Failure::NotSent(NotSent::Tls));
    answers(&mut app, ticket, SetUpAnswer::Reached(failed.clone()));
    assert_eq!(page(&app).address.reached, Some(failed));
    app.keys("Enter");
    assert_eq!(page(&app).step(), SetupStep::Contract);
    // A late reply to an earlier check does not change the page.
    let late = SetUpAnswer::Reached(Ok(Reached { is_encrypted: true, millis: 9 }));
    answers(&mut app, ticket, late);
    assert_eq!(page(&app).step(), SetupStep::Contract);
}

#[test]
fn esc_keeps_answers_and_quits_on_first_page() {
    let mut app = at_the_end();
    let wanted = app.keys("Esc");
    let ticket = tried(&wanted);
    answers(&mut app, ticket, SetUpAnswer::Vaults(BOTH.to_vec()));
    assert_eq!(page(&app).form.chosen("vault"), Some(1), "what was chosen is chosen");
    app.keys("Esc");
    assert_eq!(page(&app).form.chosen("contract"), Some(1));
    app.keys("Esc");
    assert_eq!(page(&app).form.value("address"), "https://api.loja.example");
    app.keys("Esc");
    assert_eq!(page(&app).form.value("name"), "loja");
    assert_eq!(app.keys("Esc"), vec![Effect::Leave]);
    assert!(app.model.leaving);
    assert_eq!(app.model.profiles.next, None);
}

#[test]
fn left_at_any_page_it_is_taken_up_there_again() {
    let (mut app, _) = started(Answers::default());
    app.pastes("-da-ana");
    app.keys("Enter");
    app.types("https://api.loja.example");
    let ticket = looked(&app.rests(400)).0;
    answers(&mut app, ticket, good("https://api.loja.example"));
    // Ctrl-C quits without asking, because the typed text is saved.
    assert_eq!(app.keys("Ctrl-C"), vec![Effect::Leave]);
    let kept = page(&app).answers_to_keep();
    let expected = Answers {
        step: 1,
        name: "loja-da-ana".into(),
        address: "https://api.loja.example".into(),
        ..Answers::default()
    };
    assert_eq!(kept, expected);
    let (app, wanted) = started(kept);
    assert_eq!(page(&app).step(), SetupStep::Address);
    assert_eq!(page(&app).form.value("address"), "https://api.loja.example");
    looked(&wanted);
    // A newer version of the program may have saved a page number that does not exist here. Then
    // the last page is shown.
    let (app, _) = started(Answers { step: 99, ..Answers::default() });
    assert_eq!(page(&app).step(), SetupStep::Write);
}

#[test]
fn choice_on_any_page_is_kept_when_leaving() {
    let (mut app, _) = started(Answers { step: 2, ..Answers::default() });
    app.keys("Right");
    assert_eq!(page(&app).answers_to_keep().contract, "snake-case");
    let ticket = tried(&app.keys("Enter"));
    assert_eq!(page(&app).answers_to_keep().vault, "", "no vault is known yet");
    answers(&mut app, ticket, SetUpAnswer::Vaults(BOTH.to_vec()));
    app.keys("Right");
    let kept = page(&app).answers_to_keep();
    assert_eq!((&*kept.contract, &*kept.vault), ("snake-case", "memory"));
    // After a restart the same page is shown, and the vaults are tested again.
    let (mut app, wanted) = started(kept.clone());
    answers(&mut app, tried(&wanted), SetUpAnswer::Vaults(BOTH.to_vec()));
    assert_eq!(page(&app).answers_to_keep(), kept);
    app.keys("Esc");
    let ticket = tried(&app.keys("Enter"));
    assert_eq!(page(&app).answers_to_keep(), kept);
    answers(&mut app, ticket, SetUpAnswer::Vaults(BOTH.to_vec()));
    assert_eq!(page(&app).answers_to_keep(), kept);
}

#[test]
fn address_is_completed_and_kept_before_it_is_checked() {
    let (mut app, _) = started(Answers::default());
    app.keys("Enter");
    app.types("api.loja.example");
    app.keys("Esc Enter");
    assert_eq!(page(&app).form.value("address"), "api.loja.example");
    let ticket = app.ticket();
    answers(&mut app, ticket, good("https://api.loja.example"));
    assert_eq!(page(&app).form.value("address"), "api.loja.example", "it may be typed on");
    app.keys("Enter");
    assert_eq!(page(&app).answers.address, "https://api.loja.example");
    app.keys("Esc");
    assert_eq!(page(&app).form.value("address"), "https://api.loja.example");
}

#[test]
fn a_password_in_an_address_is_not_kept() {
    let (mut app, _) = started(Answers::default());
    app.keys("Enter");
    app.types("https://ana:segredo@x.example");
    assert_eq!(page(&app).answers_to_keep().address, "");
    let ticket = looked(&app.rests(400)).0;
    answers(&mut app, ticket, SetUpAnswer::Shape(Err(AddressFault::UserInfo)));
    assert_eq!(page(&app).answers_to_keep().address, "");
}

#[test]
fn setup_reaches_no_pane_or_money_form() {
    for step in 0..5 {
        let (mut app, _) = started(Answers { step, ..Answers::default() });
        for key in ["1", "3", "6", "n", "L", "J", "q", "!", "T", "Ctrl-K", "?", "F1", "Ctrl-T"] {
            app.keys(key);
            app.model.leaving = false;
            assert!(matches!(app.top(), Layer::FirstRun(_)), "{key} at {step}");
            assert_eq!(app.model.layers.len(), 1, "{key} at {step}");
        }
    }
}

/// Creates an app whose set-up is complete, but whose seller has not created a payment link yet.
fn set_up() -> App {
    let mut app = App::closed();
    app.model.store.startup_stage = StartupStage::FirstLink { offered: false };
    app
}

#[test]
fn login_jwt_and_first_link_open_once_automatically() {
    let mut app = set_up();
    let vault_status = VaultStatus::Kept(VaultKind::Keyring);
    let (api_token, jwt) = (Credential::Absent, Credential::Absent);
    app.tell(Msg::CredentialsRead {
        vault_status: vault_status.clone(),
        api_token,
        jwt: jwt.clone(),
    });
    assert!(matches!(app.top(), Layer::Login(_)));
    // At the next start, the seller is logged in, but the JWT is still missing.
    let mut app = set_up();
    app.tell(Msg::CredentialsRead { vault_status, api_token: held(SELLER), jwt });
    assert!(matches!(app.top(), Layer::Jwt(_)));
    assert!(matches!(app.model.layers[0], Layer::NewLink(_)));
    // The seller closed both screens. They do not open again until the next start.
    app.keys("Esc");
    app.keys("1");
    assert!(app.model.layers.is_empty());
    assert_eq!(app.model.startup_stage, StartupStage::FirstLink { offered: true });
}

#[test]
fn the_first_link_that_is_made_ends_the_set_up() {
    let mut app = set_up();
    app.log_in();
    assert!(matches!(app.top(), Layer::NewLink(_)));
    app.types("4990");
    app.keys("Tab");
    app.types("Boné");
    let wanted = app.keys("Ctrl-S");
    let [Effect::MakeLink { ticket, .. }] = wanted[..] else { panic!("{wanted:?}") };
    let refused = Err(Failure::Cancelled);
    let mut other = App::at(app.model.clone());
    other.tell(Msg::LinkMade { ticket, result: refused });
    assert_eq!(other.model.startup_stage, StartupStage::FirstLink { offered: true });
    let made = link("https://loja.example/checkout/link-1");
    app.tell(Msg::LinkMade { ticket, result: Ok(made) });
    assert_eq!(app.model.startup_stage, StartupStage::Known);
}
