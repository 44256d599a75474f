//! Tests of switching to another profile. The app asks first if data would be lost.

use super::*;
use crate::app::store::commands::switches;
use crate::app::store::profiles::{Losses, NotSwitched};

/// Creates an app whose configuration has two more profiles.
fn counter() -> Counter {
    let mut counter = Counter::open();
    with_others(&mut counter);
    counter
}

fn with_others(counter: &mut Counter) {
    let other = |name: &str, origin: Option<&str>| OtherProfile {
        name: name.into(),
        origin: origin.map(|origin| Origin(origin.into())),
    };
    let others = [other("loja-b", Some("https://b.example")), other("rascunho", None)];
    counter.model.setup.labels = switches(Lang::Pt, &others).into_iter().collect();
    counter.model.setup.others = others.into();
}

/// Selects the profile `loja-b` in the palette, and returns the effects.
fn picks(counter: &mut Counter) -> Vec<Effect> {
    counter.keys("Ctrl-K");
    counter.types("loja b");
    counter.keys("Enter")
}

/// Returns the ticket of the only effect, which must open the profile `loja-b`.
fn asked(effects: &[Effect]) -> Ticket {
    let [Effect::OpenProfile { ticket, name }] = effects else { panic!("{effects:?}") };
    assert_eq!(&**name, "loja-b");
    *ticket
}

fn losses_asked_about(counter: &Counter) -> Losses {
    match counter.top() {
        Layer::Dialog(ask) => match &ask.question {
            Question::SwitchProfile { to, losses } if &**to == "loja-b" => *losses,
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    }
}

fn says_yes(counter: &mut Counter) -> Vec<Effect> {
    counter.passes(1_000);
    counter.keys("Tab Enter")
}

#[test]
fn picked_profile_is_opened_before_run_ends() {
    let mut counter = counter();
    let wanted = picks(&mut counter);
    let ticket = asked(&wanted);
    assert!(!counter.model.leaving, "nothing is left before the other one is known to open");
    let effects = counter.tell(Msg::ProfileOpened { ticket, result: Ok(()) });
    assert_eq!(effects, vec![Effect::Leave]);
    assert!(counter.model.leaving);
    assert_eq!(counter.model.profiles.next.as_deref(), Some("loja-b"));
}

#[test]
fn the_account_pane_leads_to_the_list_of_them() {
    let mut counter = counter();
    counter.keys("6 T");
    assert!(matches!(counter.top(), Layer::Profiles(list) if list.cursor == 0));
    let wanted = counter.keys("Enter");
    asked(&wanted);
    // Without other profiles, the list of profiles does not open.
    let mut alone = Counter::open();
    alone.keys("6 T");
    assert!(alone.model.layers.is_empty());
}

#[test]
fn failed_switch_shows_reason_and_keeps_profile() {
    let mut counter = counter();
    let wanted = picks(&mut counter);
    let ticket = asked(&wanted);
    let wrong = NotSwitched::Wrong("config.toml, linha 7: …".into());
    counter.tell(Msg::ProfileOpened { ticket, result: Err(wrong.clone()) });
    assert!(!counter.model.leaving);
    assert_eq!(counter.model.profiles.next, None);
    assert_eq!(said(&counter), Some(&Notice::NotSwitched(wrong)));
    assert!(matches!(counter.top(), Layer::Profiles(_)), "where all of it has room");
}

#[test]
fn an_answer_to_an_older_question_ends_nothing() {
    let mut counter = counter();
    let first = asked(&picks(&mut counter));
    let second = asked(&picks(&mut counter));
    counter.tell(Msg::ProfileOpened { ticket: first, result: Ok(()) });
    assert!(!counter.model.leaving);
    counter.tell(Msg::ProfileOpened { ticket: second, result: Ok(()) });
    assert!(counter.model.leaving);
}

#[test]
fn while_money_moves_no_other_profile_takes_its_place() {
    let mut counter = counter();
    let withdrawal = counter.sends("10010");
    counter.keys("Esc");
    assert_eq!(picks(&mut counter), vec![]);
    let refused = Notice::NotSwitched(NotSwitched::InFlight);
    assert_eq!(said(&counter), Some(&refused));
    counter.settles(&withdrawal, LOST);
    // An unknown outcome does not block the switch, because all profiles use the same journal.
    let wanted = picks(&mut counter);
    let ticket = asked(&wanted);
    // The runtime can still refuse the switch, because it detects first that a withdrawal is being
    // sent.
    counter.tell(Msg::ProfileOpened { ticket, result: Err(NotSwitched::InFlight) });
    assert_eq!(said(&counter), Some(&refused));
    assert!(!counter.model.leaving);
}

#[test]
fn money_moved_during_switch_keeps_current_profile() {
    let mut counter = counter();
    counter.reviews("10010");
    let ticket = match picks(&mut counter)[..] {
        [] => {
            assert_eq!(losses_asked_about(&counter), Losses { typed: true, ..Losses::default() });
            let wanted = says_yes(&mut counter);
            asked(&wanted)
        }
        ref other => panic!("{other:?}"),
    };
    counter.model.withdrawals.preparing = Some(key(9));
    counter.tell(Msg::ProfileOpened { ticket, result: Ok(()) });
    assert!(!counter.model.leaving);
    assert_eq!(said(&counter), Some(&Notice::NotSwitched(NotSwitched::InFlight)));
}

#[test]
fn a_question_to_the_service_is_waited_for_first() {
    let mut counter = counter();
    counter.keys("n");
    counter.types("4990");
    counter.keys("Tab");
    counter.types("Boné");
    counter.keys("Ctrl-S");
    assert_eq!(picks(&mut counter), vec![]);
    assert_eq!(said(&counter), Some(&Notice::NotSwitched(NotSwitched::Waiting)));
}

#[test]
fn typed_text_asked_about_before_switch() {
    let mut counter = counter();
    counter.keys("n");
    counter.types("4990");
    assert_eq!(picks(&mut counter), vec![]);
    assert_eq!(losses_asked_about(&counter), Losses { typed: true, ..Losses::default() });
    // The harmless button returns to the form.
    counter.keys("Enter");
    assert!(matches!(counter.top(), Layer::NewLink(_)));
    picks(&mut counter);
    let wanted = says_yes(&mut counter);
    asked(&wanted);
}

#[test]
fn text_typed_during_switch_is_asked_about_too() {
    let mut counter = counter();
    let wanted = picks(&mut counter);
    let ticket = asked(&wanted);
    counter.keys("n");
    counter.types("4990");
    assert_eq!(counter.tell(Msg::ProfileOpened { ticket, result: Ok(()) }), vec![]);
    assert!(!counter.model.leaving);
    assert!(losses_asked_about(&counter).typed);
}

#[test]
fn a_login_in_memory_alone_is_said_to_be_forgotten() {
    for keeper in [Keeper::Kept(VaultKind::Memory), Keeper::Trouble(VaultTrouble::Locked)] {
        let mut counter = counter();
        counter.model.session.keeper = keeper;
        assert_eq!(picks(&mut counter), vec![]);
        let lost = Losses { credentials: true, ..Losses::default() };
        assert_eq!(losses_asked_about(&counter), lost);
        let wanted = says_yes(&mut counter);
        asked(&wanted);
    }
    // Without a login, the memory vault has nothing to lose.
    let mut counter = counter();
    counter.model.session.keeper = Keeper::Kept(VaultKind::Memory);
    counter.model.session.api_token = Credential::Absent;
    counter.model.session.jwt = Credential::Absent;
    let wanted = picks(&mut counter);
    asked(&wanted);
}

#[test]
fn unsaved_link_asked_about_before_switch() {
    let mut counter = counter();
    let unsaved = NotSaved::Link(link("https://loja.example/checkout/1"));
    counter.tell(Msg::NotSaved(Box::new(unsaved)));
    assert_eq!(picks(&mut counter), vec![]);
    assert!(losses_asked_about(&counter).records);
}

#[test]
fn terminate_signal_cancels_profile_switch() {
    let mut counter = counter();
    let wanted = picks(&mut counter);
    let ticket = asked(&wanted);
    counter.tell(Msg::ProfileOpened { ticket, result: Ok(()) });
    counter.tell(Msg::Terminate(false));
    assert_eq!(counter.model.profiles.next, None);
    assert!(counter.model.leaving);
}

#[test]
fn the_demo_has_no_other_profile() {
    let mut counter = counter();
    counter.model.setup.demo = Some(DemoSetup::default());
    assert_eq!(picks(&mut counter), vec![]);
    assert_eq!(counter.model.pane, Pane::Links);
    assert_eq!(counter.model.profiles.asked, None);
}
