//! Tests of an unattended kiosk: the demo's story plays by itself until a visitor presses a key.

use super::*;
use crate::app::DemoValue;
use crate::app::store::kiosk::{self, Limited, Use};
use crate::app::store::story::StoryEvent;

const IDLE_MS: u64 = 120_000;

/// Creates a kiosk that a logged-in visitor is using.
fn visited() -> App {
    let mut app = App::open();
    let kiosk = Some(Kiosk { for_room: true });
    app.model.setup.demo = Some(DemoSetup { starts_over: true, kiosk, ..DemoSetup::default() });
    app.tell(Msg::Started);
    app
}

/// Creates an unattended kiosk, whose guided story plays by itself.
fn alone() -> App {
    let mut app = visited();
    assert_eq!(app.rests(IDLE_MS), [Effect::Demo(Command::StartOver)]);
    let wanted = app.tell(Msg::DemoDone(Command::StartOver));
    assert!(wanted.contains(&Effect::Demo(Command::AutoplayStory)), "{wanted:?}");
    app.tell(Msg::Story(StoryEvent::Began));
    app
}

impl App {
    /// Delivers key presses of the guided story, which plays by itself.
    fn story_presses(&mut self, keys: &str) -> Vec<Effect> {
        let press = |key: &str| Msg::Story(StoryEvent::Key(key.parse().unwrap()));
        keys.split_whitespace().flat_map(|key| self.tell(press(key))).collect()
    }
}

#[test]
fn idle_kiosk_wakes_once_to_start_over_for_story() {
    let mut app = visited();
    app.keys("3");
    assert_eq!(next_deadline(&app.model), Some(Duration::from_millis(IDLE_MS)), "it sleeps");
    app.passes(IDLE_MS - 1);
    app.clicks(Target::Tab(Pane::Links));
    assert_eq!(app.rests(IDLE_MS - 1), [], "a click is a use");
    assert_eq!(app.rests(1), [Effect::Demo(Command::StartOver)]);
    let mut app = alone();
    assert_eq!(next_deadline(&app.model), None, "the story's task wakes it");
    assert_eq!(app.rests(60 * 60 * 1_000), []);
}

#[test]
fn plain_demo_is_never_unattended() {
    let mut app = visited();
    app.model.setup.demo.as_mut().unwrap().kiosk = None;
    assert_eq!(next_deadline(&app.model), None);
    assert_eq!(app.rests(10 * IDLE_MS), []);
    assert_eq!(app.story_presses("q"), [], "a story presses no key of a presenter");
    assert!(!app.model.leaving);
}

#[test]
fn what_a_visitor_did_is_gone_before_the_story() {
    let mut app = visited();
    app.exchanges(exchange(Operation::Withdrawal, 200, "{}"));
    app.commands(Command::Mask(true));
    app.commands(Command::Language(Lang::En));
    app.keys("6 n");
    app.rests(IDLE_MS);
    app.tell(Msg::DemoDone(Command::StartOver));
    let model = &app.model;
    assert!(model.layers.is_empty() && model.exchanges.is_empty() && !model.masks);
    assert_eq!((model.pane, model.setup.lang), (Pane::Links, Lang::Pt));
    assert!(model.session.is_in(), "the story needs a login");
    assert!(model.recent_commands.is_empty());
}

#[test]
fn story_logs_in_if_nobody_is_logged_in() {
    let mut app = visited();
    app.tell(Msg::LoggedOut(Ok(())));
    let login = vec![
        ("email".into(), DemoValue::Text(SELLER.into())),
        ("password".into(), DemoValue::Secret(8)),
    ];
    app.model.setup.demo.as_mut().unwrap().login = login;
    app.rests(IDLE_MS);
    let wanted = app.tell(Msg::DemoDone(Command::StartOver));
    assert!(wanted.iter().any(|effect| matches!(effect, Effect::LogIn { .. })), "{wanted:?}");
}

#[test]
fn key_ends_the_story_and_does_nothing_else() {
    let wakes: [fn(&mut App) -> Vec<Effect>; 4] = [
        |app| app.keys("q"),
        |app| app.keys("Ctrl-C"),
        |app| app.pastes("texto"),
        |app| app.tell(Msg::Input(Input::Click { column: 3, row: 1 })),
    ];
    for wake in wakes {
        let mut app = alone();
        app.story_presses("3");
        let over = [Command::Story(false), Command::StartOver].map(Effect::Demo);
        assert_eq!(wake(&mut app), over);
        assert!(!app.model.leaving && app.model.layers.is_empty());
        assert_eq!(app.keys("1 n"), [], "until it has started over");
        let wanted = app.tell(Msg::DemoDone(Command::StartOver));
        assert!(wanted.contains(&Effect::LogOut), "{wanted:?}");
        app.tell(Msg::LoggedOut(Ok(())));
        assert!(matches!(app.top(), Layer::Login(_)), "the first screen");
        assert!(matches!(app.model.kiosk.used, Use::Visitor { .. }));
    }
}

#[test]
fn leave_key_works_while_a_withdrawal_delays_visit() {
    let mut app = alone();
    app.model.withdrawals.in_flight = Some(key(1));
    assert_eq!(app.keys("x"), [Effect::Demo(Command::Story(false))]);
    app.tell(Msg::DemoDone(Command::Story(false)));
    assert_eq!(app.rests(2_000), [], "not yet");
    app.model.withdrawals.in_flight = None;
    assert_eq!(app.rests(2_000), [Effect::Demo(Command::StartOver)]);
    assert_eq!(app.keys("q n"), []);
    assert_eq!(app.keys("Ctrl-C"), [Effect::Leave]);
}

#[test]
fn story_presses_keys_and_begins_again_at_its_end() {
    let mut app = alone();
    app.story_presses("n 4 9 9 0");
    let Layer::NewLink(form) = app.top() else { panic!("{:?}", app.top()) };
    assert_eq!(form.sent.form.money(), Some(brl(4_990)));
    app.tell(Msg::Story(StoryEvent::Stuck));
    assert!(app.model.layers.is_empty(), "its next keys are for a pane");
    app.tell(Msg::Story(StoryEvent::Ended));
    assert_eq!(app.rests(2_000), [], "its keys are not shown any more");
    assert_eq!(next_deadline(&app.model), Some(Duration::from_secs(8)));
    assert_eq!(app.rests(8_000), [Effect::Demo(Command::StartOver)]);
    let wanted = app.tell(Msg::DemoDone(Command::StartOver));
    assert!(wanted.contains(&Effect::Demo(Command::AutoplayStory)), "{wanted:?}");
}

#[test]
fn story_leaves_the_clipboard_alone() {
    let mut stopped = alone();
    stopped.keys("x");
    for (app, copies) in [(visited(), 1), (alone(), 0), (stopped, 0)] {
        let mut effects = vec![Effect::Copy(Clip::NewAddress, "https://a.example/1".into())];
        kiosk::guard(&app.model.store, &mut effects);
        assert_eq!(effects.len(), copies);
    }
}

#[test]
fn secrets_are_not_typed_while_the_story_plays() {
    let mut app = alone();
    let stamp = app.stamp();
    router::open(&mut app.model, Route::Login(None), &stamp);
    let Layer::Login(login) = app.model.layers.last_mut().unwrap() else { panic!() };
    login.sent.form.focus = 1;
    assert_eq!(router::secret_focus(&app.model), None, "the key must end the story");
}

#[test]
fn story_and_its_start_overs_count_for_no_visitor() {
    let mut app = visited();
    for _ in 0..Limited::StartOver.most() {
        assert!(kiosk::count(&mut app.model.store, Limited::StartOver));
    }
    app.rests(IDLE_MS);
    app.tell(Msg::DemoDone(Command::StartOver));
    app.keys("x");
    app.tell(Msg::DemoDone(Command::StartOver));
    assert!(kiosk::allows(&mut app.model.store, Limited::StartOver), "another visitor");
}

#[test]
fn jump_of_the_clock_is_not_idleness() {
    let mut app = visited();
    app.commands(Command::Forward);
    app.passes(u64::try_from(kiosk::FORWARD.as_millis()).unwrap());
    assert_eq!(app.tell(Msg::Pulse), []);
    assert_eq!(app.tell(Msg::DemoDone(Command::Forward)), []);
    assert_eq!(app.rests(IDLE_MS), [Effect::Demo(Command::StartOver)]);
}
