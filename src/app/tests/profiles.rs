//! Tests of switching profiles. The app asks first if the switch would lose data.

use super::*;
use crate::app::store::commands::profile_items;
use crate::app::store::profiles::{SwitchRefusal, UnsavedWork};

/// Creates an app with two other profiles in its configuration.
fn app_with_profiles() -> App {
    let mut app = App::logged_in();
    add_other_profiles(&mut app);
    app
}

fn add_other_profiles(app: &mut App) {
    let other = |name: &str, origin: Option<&str>| OtherProfile {
        name: name.into(),
        origin: origin.map(|origin| Origin(origin.into())),
    };
    let others = [
        other("loja-b", Some("https://b.example")),
        other("rascunho", None),
    ];
    app.model.setup.labels = profile_items(Lang::Pt, &others).into_iter().collect();
    app.model.setup.others = others.into();
}

/// Selects the profile `loja-b` in the palette, and returns the effects.
fn pick_profile(app: &mut App) -> Vec<Effect> {
    app.press("Ctrl-K");
    app.type_text("loja b");
    app.press("Enter")
}

/// Checks that the only effect opens the profile `loja-b`, and returns its ticket.
fn open_profile_ticket(effects: &[Effect]) -> Ticket {
    let [Effect::OpenProfile { ticket, name }] = effects else {
        panic!("{effects:?}")
    };
    assert_eq!(&**name, "loja-b");
    *ticket
}

fn shown_losses(app: &App) -> UnsavedWork {
    match app.top() {
        Layer::Dialog(ask) => match &ask.question {
            Question::SwitchProfile { to, losses } if &**to == "loja-b" => *losses,
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    }
}

fn confirm_dialog(app: &mut App) -> Vec<Effect> {
    app.advance_ms(1_000);
    app.press("Tab Enter")
}

#[test]
fn picked_profile_is_opened_before_run_ends() {
    let mut app = app_with_profiles();
    let effects = pick_profile(&mut app);
    let ticket = open_profile_ticket(&effects);
    assert!(
        !app.model.leaving,
        "nothing is left before the other one is known to open"
    );
    let effects = app.deliver(Msg::ProfileOpened {
        ticket,
        result: Ok(()),
    });
    assert_eq!(effects, vec![Effect::Leave]);
    assert!(app.model.leaving);
    assert_eq!(app.model.profiles.next.as_deref(), Some("loja-b"));
}

#[test]
fn account_pane_opens_profile_list() {
    let mut app = app_with_profiles();
    app.press("6 T");
    assert!(matches!(app.top(), Layer::Profiles(list) if list.cursor == 0));
    let effects = app.press("Enter");
    open_profile_ticket(&effects);
    // Without other profiles, the profile list does not open.
    let mut single_profile = App::logged_in();
    single_profile.press("6 T");
    assert!(single_profile.model.layers.is_empty());
}

#[test]
fn failed_switch_shows_reason_and_keeps_profile() {
    let mut app = app_with_profiles();
    let effects = pick_profile(&mut app);
    let ticket = open_profile_ticket(&effects);
    let fault = SwitchRefusal::Wrong("config.toml, linha 7: …".into());
    app.deliver(Msg::ProfileOpened {
        ticket,
        result: Err(fault.clone()),
    });
    assert!(!app.model.leaving);
    assert_eq!(app.model.profiles.next, None);
    assert_eq!(shown_notice(&app), Some(&Notice::SwitchRefusal(fault)));
    assert!(
        matches!(app.top(), Layer::Profiles(_)),
        "where all of it has room"
    );
}

#[test]
fn stale_answer_does_not_switch_profile() {
    let mut app = app_with_profiles();
    let first = open_profile_ticket(&pick_profile(&mut app));
    let second = open_profile_ticket(&pick_profile(&mut app));
    app.deliver(Msg::ProfileOpened {
        ticket: first,
        result: Ok(()),
    });
    assert!(!app.model.leaving);
    app.deliver(Msg::ProfileOpened {
        ticket: second,
        result: Ok(()),
    });
    assert!(app.model.leaving);
}

#[test]
fn profile_switch_is_refused_while_sending() {
    let mut app = app_with_profiles();
    let withdrawal = app.send_withdrawal("10010");
    app.press("Esc");
    assert_eq!(pick_profile(&mut app), vec![]);
    let notice = Notice::SwitchRefusal(SwitchRefusal::InFlight);
    assert_eq!(shown_notice(&app), Some(&notice));
    app.settle(&withdrawal, TIMED_OUT);
    // A withdrawal with an unknown outcome does not block the switch, because all profiles share
    // one journal.
    let effects = pick_profile(&mut app);
    let ticket = open_profile_ticket(&effects);
    // The runtime may still refuse the switch, because it knows earlier than the app that a
    // withdrawal is being sent.
    app.deliver(Msg::ProfileOpened {
        ticket,
        result: Err(SwitchRefusal::InFlight),
    });
    assert_eq!(shown_notice(&app), Some(&notice));
    assert!(!app.model.leaving);
}

#[test]
fn money_moved_during_switch_keeps_current_profile() {
    let mut app = app_with_profiles();
    app.open_review("10010");
    let ticket = match pick_profile(&mut app)[..] {
        [] => {
            assert_eq!(
                shown_losses(&app),
                UnsavedWork {
                    typed: true,
                    ..UnsavedWork::default()
                }
            );
            let effects = confirm_dialog(&mut app);
            open_profile_ticket(&effects)
        }
        ref other => panic!("{other:?}"),
    };
    app.model.withdrawals.preparing = Some(key(9));
    app.deliver(Msg::ProfileOpened {
        ticket,
        result: Ok(()),
    });
    assert!(!app.model.leaving);
    assert_eq!(
        shown_notice(&app),
        Some(&Notice::SwitchRefusal(SwitchRefusal::InFlight))
    );
}

#[test]
fn profile_switch_waits_for_running_request() {
    let mut app = app_with_profiles();
    app.press("n");
    app.type_text("4990");
    app.press("Tab");
    app.type_text("Boné");
    app.press("Ctrl-S");
    assert_eq!(pick_profile(&mut app), vec![]);
    assert_eq!(
        shown_notice(&app),
        Some(&Notice::SwitchRefusal(SwitchRefusal::Waiting))
    );
}

#[test]
fn typed_text_asked_about_before_switch() {
    let mut app = app_with_profiles();
    app.press("n");
    app.type_text("4990");
    assert_eq!(pick_profile(&mut app), vec![]);
    assert_eq!(
        shown_losses(&app),
        UnsavedWork {
            typed: true,
            ..UnsavedWork::default()
        }
    );
    // The button that goes back has the focus, so Enter returns to the form.
    app.press("Enter");
    assert!(matches!(app.top(), Layer::NewLink(_)));
    pick_profile(&mut app);
    let effects = confirm_dialog(&mut app);
    open_profile_ticket(&effects);
}

#[test]
fn text_typed_during_switch_is_asked_about_too() {
    let mut app = app_with_profiles();
    let effects = pick_profile(&mut app);
    let ticket = open_profile_ticket(&effects);
    app.press("n");
    app.type_text("4990");
    assert_eq!(
        app.deliver(Msg::ProfileOpened {
            ticket,
            result: Ok(())
        }),
        vec![]
    );
    assert!(!app.model.leaving);
    assert!(shown_losses(&app).typed);
}

#[test]
fn login_only_in_memory_asks_before_switch() {
    for vault_status in [
        VaultStatus::Kept(VaultKind::Memory),
        VaultStatus::Trouble(VaultTrouble::Locked),
    ] {
        let mut app = app_with_profiles();
        app.model.session.vault_status = vault_status;
        assert_eq!(pick_profile(&mut app), vec![]);
        let lost = UnsavedWork {
            credentials: true,
            ..UnsavedWork::default()
        };
        assert_eq!(shown_losses(&app), lost);
        let effects = confirm_dialog(&mut app);
        open_profile_ticket(&effects);
    }
    // If nobody is logged in, the vault in memory contains no credentials that a switch could lose.
    let mut app = app_with_profiles();
    app.model.session.vault_status = VaultStatus::Kept(VaultKind::Memory);
    app.model.session.api_token = Credential::Absent;
    app.model.session.jwt = Credential::Absent;
    let effects = pick_profile(&mut app);
    open_profile_ticket(&effects);
}

#[test]
fn unsaved_link_asked_about_before_switch() {
    let mut app = app_with_profiles();
    let unsaved = Sale::Link(link("https://loja.example/checkout/1"));
    app.deliver(Msg::NotSaved(Box::new(unsaved)));
    assert_eq!(pick_profile(&mut app), vec![]);
    assert!(shown_losses(&app).records);
}

#[test]
fn terminate_signal_cancels_profile_switch() {
    let mut app = app_with_profiles();
    let effects = pick_profile(&mut app);
    let ticket = open_profile_ticket(&effects);
    app.deliver(Msg::ProfileOpened {
        ticket,
        result: Ok(()),
    });
    app.deliver(Msg::Terminate(false));
    assert_eq!(app.model.profiles.next, None);
    assert!(app.model.leaving);
}

#[test]
fn the_demo_has_no_other_profile() {
    let mut app = app_with_profiles();
    app.model.setup.demo = Some(DemoSetup::default());
    assert_eq!(pick_profile(&mut app), vec![]);
    assert_eq!(app.model.pane, Pane::Links);
    assert_eq!(app.model.profiles.pending, None);
}
