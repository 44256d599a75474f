//! Tests of the set-up at the first start: its pages, interrupting and continuing it, and the first
//! link.

use super::*;
use crate::app::screens::first_run::{FirstRun, SetUpStep};
use crate::app::store::first_run::{Answers, Beginning, Reached, SetUpAnswer, SetUpCommand};

/// Starts the app for the first time, with the saved answers of an interrupted set-up.
fn started(answers: Answers) -> (Counter, Vec<Effect>) {
    let mut counter = Counter::closed();
    counter.model.store.beginning = Beginning::SetUp(Box::new(answers));
    let wanted = counter.tell(Msg::Started);
    (counter, wanted)
}

fn page(counter: &Counter) -> &FirstRun {
    match counter.top() {
        Layer::FirstRun(page) => page,
        other => panic!("{other:?}"),
    }
}

fn answers(counter: &mut Counter, ticket: Ticket, answer: SetUpAnswer) -> Vec<Effect> {
    counter.tell(Msg::SetUp { ticket, answer })
}

/// Returns the ticket and the address of the check that these effects request.
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

/// Goes through all pages of the set-up to the last one.
fn at_the_end() -> Counter {
    let (mut counter, wanted) = started(Answers::default());
    assert_eq!(wanted, vec![], "nothing is asked of anybody before a page needs it");
    assert_eq!(page(&counter).step(), SetUpStep::Name);
    counter.keys("Enter");
    counter.types("https://api.loja.example");
    let wanted = counter.keys("Enter");
    let (ticket, address) = looked(&wanted);
    assert_eq!(address, "https://api.loja.example");
    answers(&mut counter, ticket, SetUpAnswer::Shape(Ok(())));
    assert_eq!(page(&counter).step(), SetUpStep::Contract, "nobody need have answered");
    counter.keys("Right");
    let wanted = counter.keys("Enter");
    let ticket = tried(&wanted);
    answers(&mut counter, ticket, SetUpAnswer::Vaults(BOTH.to_vec()));
    counter.keys("Right Enter");
    assert_eq!(page(&counter).step(), SetUpStep::Write);
    counter
}

#[test]
fn last_page_writes_profile_and_switches_to_it() {
    let mut counter = at_the_end();
    let wanted = counter.keys("Enter");
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
    assert_eq!(counter.keys("Enter"), vec![], "it is written once");
    assert!(!counter.model.leaving);
    let effects = answers(&mut counter, *ticket, SetUpAnswer::Written(Ok(())));
    assert_eq!(effects, vec![Effect::Leave]);
    assert_eq!(counter.model.profiles.next.as_deref(), Some("loja"));
}

#[test]
fn unwritable_file_shows_error_and_can_be_retried() {
    let mut counter = at_the_end();
    counter.keys("Enter");
    let ticket = counter.ticket();
    answers(&mut counter, ticket, SetUpAnswer::Written(Err("read-only file system".into())));
    assert!(!counter.model.leaving);
    assert!(page(&counter).wrong.is_some());
    let wanted = counter.keys("Enter");
    assert!(matches!(wanted[..], [Effect::SetUp(SetUpCommand::Write { .. })]), "{wanted:?}");
}

#[test]
fn address_checked_while_typing_stale_answer_dropped() {
    let (mut counter, _) = started(Answers::default());
    counter.keys("Enter");
    assert_eq!(next_deadline(&counter.model), None);
    counter.types("http://x");
    assert_eq!(next_deadline(&counter.model), Some(Duration::from_millis(400)));
    let first = looked(&counter.rests(400)).0;
    counter.types(".example");
    let wanted = counter.rests(400);
    let (second, address) = looked(&wanted);
    assert_eq!(address, "http://x.example");
    answers(&mut counter, first, SetUpAnswer::Shape(Ok(())));
    assert_eq!(page(&counter).address.shape, None, "that was of another text");
    let fault = Err(AddressFault::NotEncrypted);
    answers(&mut counter, second, SetUpAnswer::Shape(fault));
    assert_eq!(page(&counter).address.shape, Some(fault));
    // If the address is invalid, Enter neither continues nor starts another check.
    assert_eq!(counter.keys("Enter"), vec![]);
    assert_eq!(page(&counter).step(), SetUpStep::Address);
}

#[test]
fn unreachable_address_does_not_block_setup() {
    let (mut counter, _) = started(Answers::default());
    counter.keys("Enter");
    counter.types("https://api.loja.example");
    let ticket = looked(&counter.rests(400)).0;
    answers(&mut counter, ticket, SetUpAnswer::Shape(Ok(())));
    assert!(page(&counter).address.is_waiting());
    let failed = Err(Failure::NotSent(NotSent::Tls));
    answers(&mut counter, ticket, SetUpAnswer::Reached(failed.clone()));
    assert_eq!(page(&counter).address.reached, Some(failed));
    counter.keys("Enter");
    assert_eq!(page(&counter).step(), SetUpStep::Contract);
    // A late reply to an earlier check does not change the page.
    let late = SetUpAnswer::Reached(Ok(Reached { is_encrypted: true, millis: 9 }));
    answers(&mut counter, ticket, late);
    assert_eq!(page(&counter).step(), SetUpStep::Contract);
}

#[test]
fn esc_keeps_answers_and_quits_on_first_page() {
    let mut counter = at_the_end();
    let wanted = counter.keys("Esc");
    let ticket = tried(&wanted);
    answers(&mut counter, ticket, SetUpAnswer::Vaults(BOTH.to_vec()));
    assert_eq!(page(&counter).form.chosen("vault"), Some(1), "what was chosen is chosen");
    counter.keys("Esc");
    assert_eq!(page(&counter).form.chosen("contract"), Some(1));
    counter.keys("Esc");
    assert_eq!(page(&counter).form.value("address"), "https://api.loja.example");
    counter.keys("Esc");
    assert_eq!(page(&counter).form.value("name"), "loja");
    assert_eq!(counter.keys("Esc"), vec![Effect::Leave]);
    assert!(counter.model.leaving);
    assert_eq!(counter.model.profiles.next, None);
}

#[test]
fn left_at_any_page_it_is_taken_up_there_again() {
    let (mut counter, _) = started(Answers::default());
    counter.pastes("-da-ana");
    counter.keys("Enter");
    counter.types("https://api.loja.example");
    let ticket = looked(&counter.rests(400)).0;
    answers(&mut counter, ticket, SetUpAnswer::Shape(Ok(())));
    // Ctrl-C closes the app without a question, and the typed text is kept.
    assert_eq!(counter.keys("Ctrl-C"), vec![Effect::Leave]);
    let kept = page(&counter).answers_to_keep();
    let expected = Answers {
        step: 1,
        name: "loja-da-ana".into(),
        address: "https://api.loja.example".into(),
        ..Answers::default()
    };
    assert_eq!(kept, expected);
    let (counter, wanted) = started(kept);
    assert_eq!(page(&counter).step(), SetUpStep::Address);
    assert_eq!(page(&counter).form.value("address"), "https://api.loja.example");
    looked(&wanted);
    // A newer version may have saved a step that this version does not have. Then the last page is
    // shown.
    let (counter, _) = started(Answers { step: 99, ..Answers::default() });
    assert_eq!(page(&counter).step(), SetUpStep::Write);
}

#[test]
fn a_password_in_an_address_is_not_kept() {
    let (mut counter, _) = started(Answers::default());
    counter.keys("Enter");
    counter.types("https://ana:segredo@x.example");
    assert_eq!(page(&counter).answers_to_keep().address, "");
    let ticket = looked(&counter.rests(400)).0;
    answers(&mut counter, ticket, SetUpAnswer::Shape(Err(AddressFault::UserInfo)));
    assert_eq!(page(&counter).answers_to_keep().address, "");
}

#[test]
fn setup_reaches_no_pane_or_money_form() {
    for step in 0..5 {
        let (mut counter, _) = started(Answers { step, ..Answers::default() });
        for key in ["1", "3", "6", "n", "L", "J", "q", "!", "T", "Ctrl-K", "?", "F1", "Ctrl-T"] {
            counter.keys(key);
            counter.model.leaving = false;
            assert!(matches!(counter.top(), Layer::FirstRun(_)), "{key} at {step}");
            assert_eq!(counter.model.layers.len(), 1, "{key} at {step}");
        }
    }
}

/// Creates an app whose set-up is complete, but that has no link yet.
fn set_up() -> Counter {
    let mut counter = Counter::closed();
    counter.model.store.beginning = Beginning::FirstLink { offered: false };
    counter
}

#[test]
fn login_jwt_and_first_link_open_once_automatically() {
    let mut counter = set_up();
    let keeper = Keeper::Kept(VaultKind::Keyring);
    let (api_token, jwt) = (Credential::Absent, Credential::Absent);
    counter.tell(Msg::CredentialsRead { keeper: keeper.clone(), api_token, jwt: jwt.clone() });
    assert!(matches!(counter.top(), Layer::Login(_)));
    // At the next start the seller is logged in, and the JWT is still missing.
    let mut counter = set_up();
    counter.tell(Msg::CredentialsRead { keeper, api_token: held(SELLER), jwt });
    assert!(matches!(counter.top(), Layer::Jwt(_)));
    assert!(matches!(counter.model.layers[0], Layer::NewLink(_)));
    // The seller closed both screens, so the app does not open them again in this run.
    counter.keys("Esc Esc");
    counter.keys("1");
    assert!(counter.model.layers.is_empty());
    assert_eq!(counter.model.beginning, Beginning::FirstLink { offered: true });
}

#[test]
fn the_first_link_that_is_made_ends_the_set_up() {
    let mut counter = set_up();
    counter.log_in();
    assert!(matches!(counter.top(), Layer::NewLink(_)));
    counter.types("4990");
    counter.keys("Tab");
    counter.types("Boné");
    let wanted = counter.keys("Ctrl-S");
    let [Effect::MakeLink { ticket, .. }] = wanted[..] else { panic!("{wanted:?}") };
    let refused = Err(Failure::Cancelled);
    let mut other = Counter::at(counter.model.clone());
    other.tell(Msg::LinkMade { ticket, result: refused });
    assert_eq!(other.model.beginning, Beginning::FirstLink { offered: true });
    let made = link("https://loja.example/checkout/link-1");
    counter.tell(Msg::LinkMade { ticket, result: Ok(made) });
    assert_eq!(counter.model.beginning, Beginning::Known);
}
