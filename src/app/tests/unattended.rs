//! Tests of an unattended kiosk: the demo's story plays by itself until a visitor presses a key.

use super::*;
use crate::app::DemoValue;
use crate::app::store::kiosk::{self, KioskUse, Limited};
use crate::app::store::story::StoryEvent;

const IDLE_MS: u64 = 120_000;

/// Creates a kiosk that a logged-in visitor is using.
fn kiosk_in_use() -> App {
    let mut app = App::logged_in();
    let kiosk = Some(Kiosk { for_room: true });
    app.model.setup.demo = Some(DemoSetup {
        starts_over: true,
        kiosk,
        ..DemoSetup::default()
    });
    app.deliver(Msg::Started);
    app
}

/// Creates an unattended kiosk, whose guided story plays by itself.
fn unattended_kiosk() -> App {
    let mut app = kiosk_in_use();
    assert_eq!(
        app.pulse_after_ms(IDLE_MS),
        [Effect::Demo(Command::StartOver)]
    );
    let effects = app.start_over();
    assert!(
        effects.contains(&Effect::Demo(Command::AutoplayStory)),
        "{effects:?}"
    );
    app.deliver(Msg::Story(StoryEvent::Began));
    app
}

impl App {
    /// Delivers key presses of the guided story, which plays by itself.
    fn press_by_story(&mut self, keys: &str) -> Vec<Effect> {
        let press = |key: &str| Msg::Story(StoryEvent::Key(key.parse().unwrap()));
        keys.split_whitespace()
            .flat_map(|key| self.deliver(press(key)))
            .collect()
    }
}

#[test]
fn idle_kiosk_wakes_once_to_start_over_for_story() {
    let mut app = kiosk_in_use();
    app.press("3");
    assert_eq!(
        next_deadline(&app.model),
        Some(Duration::from_millis(IDLE_MS)),
        "it sleeps"
    );
    app.advance_ms(IDLE_MS - 1);
    app.click(Target::Tab(Pane::Links));
    assert_eq!(app.pulse_after_ms(IDLE_MS - 1), [], "a click is a use");
    assert_eq!(app.pulse_after_ms(1), [Effect::Demo(Command::StartOver)]);
    let mut app = unattended_kiosk();
    assert_eq!(next_deadline(&app.model), None, "the story's task wakes it");
    assert_eq!(app.pulse_after_ms(60 * 60 * 1_000), []);
}

#[test]
fn plain_demo_is_never_unattended() {
    let mut app = kiosk_in_use();
    app.model.setup.demo.as_mut().unwrap().kiosk = None;
    assert_eq!(next_deadline(&app.model), None);
    assert_eq!(app.pulse_after_ms(10 * IDLE_MS), []);
    assert_eq!(
        app.press_by_story("q"),
        [],
        "a story presses no key of a presenter"
    );
    assert!(!app.model.leaving);
}

#[test]
fn changes_of_a_visitor_are_gone_before_story() {
    let mut app = kiosk_in_use();
    app.deliver_exchange(exchange(Operation::Withdrawal, 200, "{}"));
    app.run_command(Command::Mask(true));
    app.run_command(Command::Language(Lang::En));
    app.press("6 n");
    app.pulse_after_ms(IDLE_MS);
    app.start_over();
    let model = &app.model;
    assert!(model.layers.is_empty() && model.exchanges.is_empty() && !model.is_masked);
    assert_eq!((model.pane, model.setup.lang), (Pane::Links, Lang::Pt));
    assert!(model.session.is_logged_in(), "the story needs a login");
    assert!(model.recent_commands.is_empty());
}

#[test]
fn story_logs_in_if_nobody_is_logged_in() {
    let mut app = kiosk_in_use();
    app.deliver(Msg::LoggedOut(Ok(())));
    let login = vec![
        ("email".into(), DemoValue::Text(SELLER.into())),
        ("password".into(), DemoValue::Secret(8)),
    ];
    app.model.setup.demo.as_mut().unwrap().login = login;
    app.pulse_after_ms(IDLE_MS);
    let effects = app.start_over();
    assert!(
        effects
            .iter()
            .any(|effect| matches!(effect, Effect::LogIn { .. })),
        "{effects:?}"
    );
}

#[test]
fn key_ends_the_story_and_does_nothing_else() {
    let wakes: [fn(&mut App) -> Vec<Effect>; 4] = [
        |app| app.press("q"),
        |app| app.press("Ctrl-C"),
        |app| app.paste("texto"),
        |app| app.deliver(Msg::Input(Input::Click { column: 3, row: 1 })),
    ];
    for wake in wakes {
        let mut app = unattended_kiosk();
        app.press_by_story("3");
        let effects_of_wake = [Command::Story(false), Command::StartOver].map(Effect::Demo);
        assert_eq!(wake(&mut app), effects_of_wake);
        assert!(!app.model.leaving && app.model.layers.is_empty());
        assert_eq!(app.press("1 n"), [], "until it has started over");
        let effects = app.start_over();
        assert!(effects.contains(&Effect::LogOut), "{effects:?}");
        app.deliver(Msg::LoggedOut(Ok(())));
        assert!(matches!(app.top(), Layer::Login(_)), "the first screen");
        assert!(matches!(app.model.kiosk.used, KioskUse::Visitor { .. }));
    }
}

#[test]
fn leave_key_works_while_a_withdrawal_delays_visit() {
    let mut app = unattended_kiosk();
    app.model.withdrawals.in_flight = Some(key(1));
    assert_eq!(app.press("x"), [Effect::Demo(Command::Story(false))]);
    app.deliver(Msg::DemoDone(Command::Story(false)));
    assert_eq!(app.pulse_after_ms(2_000), [], "not yet");
    app.model.withdrawals.in_flight = None;
    assert_eq!(
        app.pulse_after_ms(2_000),
        [Effect::Demo(Command::StartOver)]
    );
    assert_eq!(app.press("q n"), []);
    assert_eq!(app.press("Ctrl-C"), [Effect::Leave]);
}

#[test]
fn story_presses_keys_and_begins_again_at_its_end() {
    let mut app = unattended_kiosk();
    app.press_by_story("n 4 9 9 0");
    let Layer::NewLink(form) = app.top() else {
        panic!("{:?}", app.top())
    };
    assert_eq!(form.sent.form.money(), Some(brl(4_990)));
    app.deliver(Msg::Story(StoryEvent::Stuck));
    assert!(app.model.layers.is_empty(), "its next keys are for a pane");
    app.deliver(Msg::Story(StoryEvent::Ended));
    assert_eq!(
        app.pulse_after_ms(2_000),
        [],
        "its keys are not shown any more"
    );
    assert_eq!(next_deadline(&app.model), Some(Duration::from_secs(8)));
    assert_eq!(
        app.pulse_after_ms(8_000),
        [Effect::Demo(Command::StartOver)]
    );
    let effects = app.start_over();
    assert!(
        effects.contains(&Effect::Demo(Command::AutoplayStory)),
        "{effects:?}"
    );
}

#[test]
fn story_leaves_the_clipboard_alone() {
    let mut stopped = unattended_kiosk();
    stopped.press("x");
    for (app, copies) in [(kiosk_in_use(), 1), (unattended_kiosk(), 0), (stopped, 0)] {
        let mut effects = vec![Effect::Copy(Clip::NewAddress, "https://a.example/1".into())];
        kiosk::drop_clipboard_effects(&app.model.store, &mut effects);
        assert_eq!(effects.len(), copies);
    }
}

#[test]
fn secrets_are_not_typed_while_the_story_plays() {
    let mut app = unattended_kiosk();
    let stamp = app.stamp();
    router::open(&mut app.model, Route::Login(None), &stamp);
    let Layer::Login(login) = app.model.layers.last_mut().unwrap() else {
        panic!()
    };
    login.sent.form.focus = 1;
    assert_eq!(
        router::secret_focus(&app.model),
        None,
        "the key must end the story"
    );
}

#[test]
fn start_overs_for_the_story_count_for_no_visitor() {
    let mut app = kiosk_in_use();
    for _ in 0..Limited::StartOver.max_count() {
        assert!(kiosk::count_use(&mut app.model.store, Limited::StartOver));
    }
    app.pulse_after_ms(IDLE_MS);
    app.start_over();
    app.press("x");
    app.start_over();
    assert!(
        kiosk::allows(&mut app.model.store, Limited::StartOver),
        "another visitor"
    );
}

#[test]
fn jump_of_the_clock_is_not_idleness() {
    let mut app = kiosk_in_use();
    app.run_command(Command::Forward);
    app.advance_ms(u64::try_from(kiosk::FORWARD.as_millis()).unwrap());
    assert_eq!(app.deliver(Msg::Pulse), []);
    assert_eq!(app.deliver(Msg::DemoDone(Command::Forward)), []);
    assert_eq!(
        app.pulse_after_ms(IDLE_MS),
        [Effect::Demo(Command::StartOver)]
    );
}
