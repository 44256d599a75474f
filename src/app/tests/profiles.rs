//! Tests of switching profiles. The app asks first if the switch would lose data.

use super::*;
use crate::app::store::commands::switches;
use crate::app::store::profiles::{Losses, NotSwitched};

/// Creates an app with two other profiles in its configuration.
fn app() -> App {
    let mut app = App::open();
    with_others(&mut app);
    app
}

fn with_others(app: &mut App) {
    let other = |name: &str, origin: Option<&str>| OtherProfile {
        name: name.into(),
        origin: origin.map(|origin| Origin(origin.into())),
    };
    let others = [other("loja-b", Some("https://b.example")), other("rascunho", None)];
    app.model.setup.labels = switches(Lang::Pt, &others).into_iter().collect();
    app.model.setup.others = others.into();
}

/// Selects the profile `loja-b` in the palette, and returns the effects.
fn picks(app: &mut App) -> Vec<Effect> {
    app.keys("Ctrl-K");
    app.types("loja b");
    app.keys("Enter")
}

/// Checks that the only effect opens the profile `loja-b`, and returns its ticket.
fn asked(effects: &[Effect]) -> Ticket {
    let [Effect::OpenProfile { ticket, name }] = effects else { panic!("{effects:?}") };
    assert_eq!(&**name, "loja-b");
    *ticket
}

fn losses_asked_about(app: &App) -> Losses {
    match app.top() {
        Layer::Dialog(ask) => match &ask.question {
            Question::SwitchProfile { to, losses } if &**to == "loja-b" => *losses,
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    }
}

fn confirms_dialog(app: &mut App) -> Vec<Effect> {
    app.passes(1_000);
    app.keys("Tab Enter")
}

#[test]
fn picked_profile_is_opened_before_run_ends() {
    let mut app = app();
    let wanted = picks(&mut app);
    let ticket = asked(&wanted);
    assert!(!app.model.leaving, "nothing is left before the other one is known to open");
    let effects = app.tell(Msg::ProfileOpened { ticket, result: Ok(()) });
    assert_eq!(effects, vec![Effect::Leave]);
    assert!(app.model.leaving);
    assert_eq!(app.model.profiles.next.as_deref(), Some("loja-b"));
}

#[test]
fn the_account_pane_leads_to_the_list_of_them() {
    let mut app = app();
    app.keys("6 T");
    assert!(matches!(app.top(), Layer::Profiles(list) if list.cursor == 0));
    let wanted = app.keys("Enter");
    asked(&wanted);
    // Without other profiles, the profile list does not open.
    let mut alone = App::open();
    alone.keys("6 T");
    assert!(alone.model.layers.is_empty());
}

#[test]
fn failed_switch_shows_reason_and_keeps_profile() {
    let mut app = app();
    let wanted = picks(&mut app);
    let ticket = asked(&wanted);
    let wrong = NotSwitched::Wrong("config.toml, linha 7: …".into());
    app.tell(Msg::ProfileOpened { ticket, result: Err(wrong.clone()) });
    assert!(!app.model.leaving);
    assert_eq!(app.model.profiles.next, None);
    assert_eq!(said(&app), Some(&Notice::NotSwitched(wrong)));
    assert!(matches!(app.top(), Layer::Profiles(_)), "where all of it has room");
}

#[test]
fn an_answer_to_an_older_question_ends_nothing() {
    let mut app = app();
    let first = asked(&picks(&mut app));
    let second = asked(&picks(&mut app));
    app.tell(Msg::ProfileOpened { ticket: first, result: Ok(()) });
    assert!(!app.model.leaving);
    app.tell(Msg::ProfileOpened { ticket: second, result: Ok(()) });
    assert!(app.model.leaving);
}

#[test]
fn while_money_moves_no_other_profile_takes_its_place() {
    let mut app = app();
    let withdrawal = app.sends("10010");
    app.keys("Esc");
    assert_eq!(picks(&mut app), vec![]);
    let refused = Notice::NotSwitched(NotSwitched::InFlight);
    assert_eq!(said(&app), Some(&refused));
    app.settles(&withdrawal, LOST);
    // A withdrawal with an unknown outcome does not block the switch, because all profiles share
    // one journal.
    let wanted = picks(&mut app);
    let ticket = asked(&wanted);
    // The runtime may still refuse the switch, because it learns first that a withdrawal is being
    // sent.
    app.tell(Msg::ProfileOpened { ticket, result: Err(NotSwitched::InFlight) });
    assert_eq!(said(&app), Some(&refused));
    assert!(!app.model.leaving);
}

#[test]
fn money_moved_during_switch_keeps_current_profile() {
    let mut app = app();
    app.reviews("10010");
    let ticket = match picks(&mut app)[..] {
        [] => {
            assert_eq!(losses_asked_about(&app), Losses { typed: true, ..Losses::default() });
            let wanted = confirms_dialog(&mut app);
            asked(&wanted)
        }
        ref other => panic!("{other:?}"),
    };
    app.model.withdrawals.preparing = Some(key(9));
    app.tell(Msg::ProfileOpened { ticket, result: Ok(()) });
    assert!(!app.model.leaving);
    assert_eq!(said(&app), Some(&Notice::NotSwitched(NotSwitched::InFlight)));
}

#[test]
fn a_question_to_the_service_is_waited_for_first() {
    let mut app = app();
    app.keys("n");
    app.types("4990");
    app.keys("Tab");
    app.types("Boné");
    app.keys("Ctrl-S");
    assert_eq!(picks(&mut app), vec![]);
    assert_eq!(said(&app), Some(&Notice::NotSwitched(NotSwitched::Waiting)));
}

#[test]
fn typed_text_asked_about_before_switch() {
    let mut app = app();
    app.keys("n");
    app.types("4990");
    assert_eq!(picks(&mut app), vec![]);
    assert_eq!(losses_asked_about(&app), Losses { typed: true, ..Losses::default() });
    // The button that goes back has the focus, so Enter returns to the form.
    app.keys("Enter");
    assert!(matches!(app.top(), Layer::NewLink(_)));
    picks(&mut app);
    let wanted = confirms_dialog(&mut app);
    asked(&wanted);
}

#[test]
fn text_typed_during_switch_is_asked_about_too() {
    let mut app = app();
    let wanted = picks(&mut app);
    let ticket = asked(&wanted);
    app.keys("n");
    app.types("4990");
    assert_eq!(app.tell(Msg::ProfileOpened { ticket, result: Ok(()) }), vec![]);
    assert!(!app.model.leaving);
    assert!(losses_asked_about(&app).typed);
}

#[test]
fn a_login_in_memory_alone_is_said_to_be_forgotten() {
    for vault_status in
        [VaultStatus::Kept(VaultKind::Memory), VaultStatus::Trouble(VaultTrouble::Locked)]
    {
        let mut app = app();
        app.model.session.vault_status = vault_status;
        assert_eq!(picks(&mut app), vec![]);
        let lost = Losses { credentials: true, ..Losses::default() };
        assert_eq!(losses_asked_about(&app), lost);
        let wanted = confirms_dialog(&mut app);
        asked(&wanted);
    }
    // While logged out, a vault in memory has no credentials to lose.
    let mut app = app();
    app.model.session.vault_status = VaultStatus::Kept(VaultKind::Memory);
    app.model.session.api_token = Credential::Absent;
    app.model.session.jwt = Credential::Absent;
    let wanted = picks(&mut app);
    asked(&wanted);
}

#[test]
fn unsaved_link_asked_about_before_switch() {
    let mut app = app();
    let unsaved = Sale::Link(link("https://loja.example/checkout/1"));
    app.tell(Msg::NotSaved(Box::new(unsaved)));
    assert_eq!(picks(&mut app), vec![]);
    assert!(losses_asked_about(&app).records);
}

#[test]
fn terminate_signal_cancels_profile_switch() {
    let mut app = app();
    let wanted = picks(&mut app);
    let ticket = asked(&wanted);
    app.tell(Msg::ProfileOpened { ticket, result: Ok(()) });
    app.tell(Msg::Terminate(false));
    assert_eq!(app.model.profiles.next, None);
    assert!(app.model.leaving);
}

#[test]
fn the_demo_has_no_other_profile() {
    let mut app = app();
    app.model.setup.demo = Some(DemoSetup::default());
    assert_eq!(picks(&mut app), vec![]);
    assert_eq!(app.model.pane, Pane::Links);
    assert_eq!(app.model.profiles.asked, None);
}
