//! Tests of the demo: its palette commands, its guided story, and resetting it.

use super::*;
use crate::app::cx::{Cx, Route};
use crate::app::screens::palette::Palette;
use crate::app::store::credentials;
use crate::app::store::story::{SellerEvent, StoryEvent};
use crate::app::{DemoValue, KioskEnd};

const DEMO_COMMANDS: [Command; 6] = [
    Command::StartOver,
    Command::Forward,
    Command::Story(true),
    Command::Story(false),
    Command::Captions(true),
    Command::Captions(false),
];

fn demo_app() -> App {
    let mut app = App::logged_in();
    app.model.setup.labels = DEMO_COMMANDS
        .map(|command| Item::new(command, "a command"))
        .into_iter()
        .collect();
    app.model.setup.demo = Some(DemoSetup {
        starts_over: true,
        ..DemoSetup::default()
    });
    app
}

fn caption_event(text: &str) -> StoryEvent {
    StoryEvent::Caption {
        text: text.into(),
        step: (1, 2),
    }
}

fn palette_commands(app: &mut App) -> Vec<Command> {
    app.press("Ctrl-K");
    let Layer::Palette(palette) = app.top() else {
        panic!()
    };
    let found = palette.matches.clone();
    app.press("Esc");
    found
}

impl App {
    fn deliver_story_event(&mut self, event: StoryEvent) -> Vec<Effect> {
        self.deliver(Msg::Story(event))
    }

    pub(super) fn run_command(&mut self, command: Command) -> Vec<Effect> {
        let stamp = self.stamp();
        let grant = |cx: &mut Cx| Palette::default().run_command(cx, command);
        router::act_on_store(&mut self.model, &stamp, grant)
    }

    /// Ends this run so that the demo starts over, and begins the next run. Returns the effects of
    /// this beginning.
    pub(super) fn start_over(&mut self) -> Vec<Effect> {
        let effects = self.deliver(Msg::DemoDone(Command::StartOver));
        assert_eq!(effects.last(), Some(&Effect::Leave), "{effects:?}");
        assert!(self.model.leaving && self.model.starts_over);
        let Model { store, .. } = &self.model;
        let next = Model::new(store.setup.clone(), store.size, store.now.clone());
        let previous = std::mem::replace(&mut self.model, next);
        self.model.start_over_after(previous);
        self.deliver(Msg::Started)
    }

    fn renew_refused(&mut self, failure: &Failure) {
        let stamp = self.stamp();
        router::act_on_store(&mut self.model, &stamp, |cx| {
            credentials::renew_refused(cx, Operation::CreateLink, failure);
        });
    }

    fn shown_caption(&self) -> Option<String> {
        self.model.story.shown(Lang::Pt).map(|words| words.shown())
    }
}

#[test]
fn demo_commands_offered_only_in_demo() {
    let mut app = demo_app();
    app.model.setup.demo = None;
    assert_eq!(palette_commands(&mut app), []);
}

#[test]
fn clock_of_replay_moves_only_while_it_proves_itself() {
    let mut app = demo_app();
    app.model.setup.demo = None;
    app.model.setup.is_replay = true;
    assert_eq!(
        palette_commands(&mut app),
        [],
        "the service has not proved itself yet"
    );
    app.deliver(Msg::Proven {
        sandbox: true,
        journal: "/replay".into(),
    });
    assert_eq!(palette_commands(&mut app), [Command::Forward]);
    assert_eq!(
        app.run_command(Command::Forward),
        [Effect::Demo(Command::Forward)]
    );
    app.model.store.unproven = true;
    assert_eq!(palette_commands(&mut app), []);
    app.model.store.unproven = false;
    app.model.setup.is_replay = false;
    assert_eq!(
        palette_commands(&mut app),
        [],
        "a sandbox has its own clock"
    );
}

#[test]
fn story_starts_and_stops_and_captions_toggle() {
    let mut app = demo_app();
    // The commands that discard data or move the clock are last in the palette.
    let idle = [Command::Story(true), Command::StartOver, Command::Forward];
    assert_eq!(palette_commands(&mut app), idle);
    assert_eq!(
        app.run_command(Command::Story(true)),
        [Effect::Demo(Command::Story(true))]
    );
    app.deliver_story_event(StoryEvent::Began);
    let playing = [
        Command::Story(false),
        Command::Captions(false),
        Command::StartOver,
        Command::Forward,
    ];
    assert_eq!(palette_commands(&mut app), playing);
    app.deliver_story_event(caption_event("one"));
    assert_eq!(app.shown_caption().as_deref(), Some("one"));

    assert_eq!(app.run_command(Command::Captions(false)), []);
    assert_eq!(app.shown_caption(), None);
    app.deliver_story_event(caption_event("two"));
    assert_eq!(app.shown_caption(), None);
    assert!(palette_commands(&mut app).contains(&Command::Captions(true)));
    app.run_command(Command::Captions(true));
    assert_eq!(app.shown_caption().as_deref(), Some("two"));

    app.deliver_story_event(StoryEvent::Ended);
    assert_eq!(
        app.shown_caption().as_deref(),
        Some("two"),
        "it can be read to its end"
    );
    assert!(palette_commands(&mut app).contains(&Command::Story(true)));
    app.deliver_story_event(caption_event(""));
    assert_eq!(app.shown_caption(), None);
    assert_eq!(palette_commands(&mut app), idle);
}

#[test]
fn story_key_begins_the_story_and_logs_in() {
    let mut app = demo_app();
    let begins = Effect::Demo(Command::Story(true));
    assert_eq!(app.press("F8"), std::slice::from_ref(&begins));
    assert_eq!(app.press("Space"), [], "a text key scrolls");
    app.deliver_story_event(StoryEvent::Began);
    assert_eq!(app.press("F8"), [Effect::Demo(Command::StoryNext)]);
    app.deliver_story_event(StoryEvent::Ended);
    let demo = app.model.setup.demo.as_mut().unwrap();
    demo.login = vec![
        ("email".into(), DemoValue::Text("ana@loja.example".into())),
        ("password".into(), DemoValue::Secret(9)),
    ];
    let stamp = app.stamp();
    router::act_on_store(&mut app.model, &stamp, |cx| cx.open(Route::Login(None)));
    let effects = app.press("F8");
    assert!(
        matches!(&effects[..], [first, Effect::LogIn { .. }] if *first == begins),
        "{effects:?}"
    );

    let mut app = App::logged_in();
    assert_eq!(app.press("F8"), []);
}

#[test]
fn story_needs_no_deadline_and_changes_no_layer() {
    let mut app = demo_app();
    app.press("n");
    app.type_text("4990");
    assert_eq!(app.deliver_story_event(StoryEvent::Began), []);
    app.deliver_story_event(caption_event("one"));
    assert_eq!(next_deadline(&app.model), None);
    assert!(matches!(app.top(), Layer::NewLink(_)));
    app.deliver(Msg::DemoDone(Command::Story(false)));
    assert_eq!(
        (app.shown_caption(), app.model.story.playing),
        (None, false)
    );
}

#[test]
fn domain_change_by_story_reloads_domains() {
    let mut app = demo_app();
    let effects = app.deliver_story_event(StoryEvent::DomainsMoved);
    assert!(
        matches!(effects[..], [Effect::ListDomains(_)]),
        "{effects:?}"
    );
    assert_eq!(app.model.notice, None, "the audience is to find out");
}

#[test]
fn seller_actions_reported_only_while_story_plays() {
    let mut app = demo_app();
    app.load_links(vec![link("https://loja.example/x")]);
    let seller_events = |effects: Vec<Effect>| -> Vec<SellerEvent> {
        let seller_event = |effect| match effect {
            Effect::ReportToStory(seller_event) => Some(seller_event),
            _ => None,
        };
        effects.into_iter().filter_map(seller_event).collect()
    };
    use SellerEvent::*;
    assert_eq!(seller_events(app.press("1 2 5")), [], "nobody listens");
    app.deliver_story_event(StoryEvent::Began);
    assert_eq!(
        seller_events(app.press("1 2 5 6")),
        [Links, Domains, Exchanges, Account]
    );
    assert_eq!(seller_events(app.press("1 y p Q")), [Links, Copy, Mark, Qr]);
    assert_eq!(
        seller_events(app.deliver_story_event(caption_event("Q"))),
        [Qr],
        "it is there already"
    );
    app.deliver_story_event(StoryEvent::Ended);
    app.press("Esc");
    assert_eq!(seller_events(app.press("1 2")), []);
}

#[test]
fn open_review_is_reported_to_story() {
    let mut app = demo_app();
    app.fill_withdrawal_form("10000");
    app.deliver_quote();
    app.deliver_story_event(StoryEvent::Began);
    let effects = app.press("Ctrl-S");
    assert!(
        effects.contains(&Effect::ReportToStory(SellerEvent::Review)),
        "{effects:?}"
    );
}

#[test]
fn start_over_clears_state_and_reloads_every_list() {
    let mut app = demo_app();
    let withdrawal = app.send_withdrawal("10000");
    app.settle(&withdrawal, Class::Unclear(Unclear::Cut));
    assert_eq!(app.model.withdrawals.open.len(), 1);
    let effects = app.start_over();
    let model = &app.model;
    assert!(!model.leaving && !model.starts_over);
    assert_eq!(model.notice, Some(Notice::good("said-started-over")));
    assert!(model.withdrawals.open.is_empty() && model.layers.is_empty());
    assert!(model.session.is_logged_in() && model.pane == Pane::Withdrawals);
    for expected in ["LoadLinks", "Money(Load", "LoadCharges", "ListDomains"] {
        assert!(
            effects
                .iter()
                .any(|effect| format!("{effect:?}").starts_with(expected))
        );
    }
}

#[test]
fn story_look_and_login_form_stay_on_start_over() {
    let mut app = demo_app();
    app.run_command(Command::Mask(true));
    app.run_command(Command::Language(Lang::En));
    app.run_command(Command::Captions(false));
    app.deliver_story_event(StoryEvent::Began);
    app.press("5 6 L");
    app.deliver(Msg::LoggedOut(Ok(())));
    app.press("Tab");
    app.deliver(Msg::SecretEdited {
        slot: "login/password".into(),
        len: 3,
    });
    app.start_over();
    let model = &app.model;
    assert!(model.is_masked && model.story.playing && model.story.silent);
    assert_eq!((model.pane, model.setup.lang), (Pane::Account, Lang::En));
    let Layer::Login(login) = app.top() else {
        panic!("{:?}", app.top())
    };
    assert!(
        login.sent.wait.is_none() && !login.sent.form.touched,
        "the next run has no secrets"
    );
    assert_eq!(app.model.layers.len(), 1);
    app.press("Esc");
    app.start_over();
    assert!(app.model.layers.is_empty(), "nobody wanted to log in");
}

#[test]
fn message_before_the_next_run_opens_no_login() {
    let mut app = demo_app();
    app.press("1 n");
    app.deliver(Msg::DemoDone(Command::StartOver));
    app.deliver_story_event(caption_event("One"));
    assert!(!matches!(app.top(), Layer::Login(_)));
}

#[test]
fn newer_withdrawal_or_exit_prevents_start_over() {
    let mut app = demo_app();
    app.run_command(Command::StartOver);
    let withdrawal = app.send_withdrawal("10000");
    assert_eq!(app.deliver(Msg::DemoDone(Command::StartOver)), []);
    assert_eq!(app.model.notice, Some(Notice::warn("said-not-granted")));
    assert!(!app.model.leaving && !app.model.starts_over);
    app.settle(&withdrawal, ACCEPTED);
    for end in [Msg::Terminate(false), Msg::KioskEnds(KioskEnd::Time)] {
        let mut app = demo_app();
        app.deliver(Msg::DemoDone(Command::StartOver));
        app.deliver(end);
        assert!(app.model.leaving && !app.model.starts_over);
        app.deliver(Msg::DemoDone(Command::StartOver));
        assert!(!app.model.starts_over);
    }
}

#[test]
fn start_over_refused_in_flight_or_with_kept_journal() {
    let mut app = demo_app();
    let withdrawal = app.send_withdrawal("10000");
    assert!(!palette_commands(&mut app).contains(&Command::StartOver));
    assert_eq!(app.run_command(Command::StartOver), []);
    app.settle(&withdrawal, Class::Unclear(Unclear::Cut));
    assert!(palette_commands(&mut app).contains(&Command::StartOver));
    app.model.setup.demo = Some(DemoSetup::default());
    assert!(!palette_commands(&mut app).contains(&Command::StartOver));
    assert_eq!(app.run_command(Command::StartOver), []);
}

#[test]
fn denied_command_shows_notice() {
    let mut app = demo_app();
    app.deliver(Msg::DemoNotDone);
    assert_eq!(app.model.notice, Some(Notice::warn("said-not-granted")));
}

#[test]
fn refused_jwt_opens_login_in_demo_only() {
    let mut app = demo_app();
    let failure = || Failure::NoCredential(CredentialKind::Jwt);
    app.renew_refused(&failure());
    assert!(matches!(app.top(), Layer::Login(_)));
    app.press("Esc");
    app.model.setup.demo = None;
    app.renew_refused(&failure());
    assert!(matches!(app.top(), Layer::Jwt(_)));
}

#[test]
fn story_keys_advance_story_unless_typing() {
    let mut app = demo_app();
    let next = [Effect::Demo(Command::StoryNext)];
    app.text_layout = Box::new(|_| (VisibleLines::ALL, Overflow::default()));
    app.press("1");
    app.load_links((0..9).map(|_| link("https://loja.example/x")).collect());
    app.press("Space");
    assert_ne!(
        app.model.links.list.cursor, 0,
        "nothing is played: it pages the list"
    );
    app.press("g");
    app.deliver_story_event(StoryEvent::Began);
    app.deliver_story_event(caption_event("one"));
    assert_eq!(app.press("Space"), next);
    assert_eq!(app.model.links.list.cursor, 0, "it pages no more");
    app.press("PgDn");
    assert_ne!(app.model.links.list.cursor, 0, "this still does");
    assert_eq!(app.press("F8"), next);
    app.press("?");
    assert_eq!(app.press("Space"), next, "in the help, which is paged too");
    app.press("Esc n");
    assert_eq!(app.press("Space"), [], "the amount is text");
    app.type_text("4990");
    assert_eq!(app.press("Tab Space"), [], "and so is the description");
    assert_eq!(app.press("F8"), next);
    app.run_command(Command::Captions(false));
    assert_eq!(app.press("F8"), [], "nobody reads along");
}

#[test]
fn space_advances_story_outside_text_fields() {
    let mut app = demo_app();
    let next = [Effect::Demo(Command::StoryNext)];
    app.deliver_story_event(StoryEvent::Began);
    app.press("3 n Tab Tab");
    assert!(!router::takes_text(&app.model), "the kind of key is chosen");
    assert_eq!(app.press("Space"), next);
    app.load_links(vec![link("https://loja.example/x")]);
    app.press("Esc 1 Q");
    assert!(matches!(app.top(), Layer::Qr(_)));
    assert_eq!(app.press("Space"), next);
}

#[test]
fn space_advances_story_in_review_and_presses_nothing() {
    let mut app = demo_app();
    app.open_review("10000");
    app.deliver_story_event(StoryEvent::Began);
    app.deliver_story_event(caption_event("one"));
    let next = [Effect::Demo(Command::StoryNext)];
    for focus in [Focus::Back, Focus::Confirm] {
        assert_eq!(app.review().final_review.buttons.focus, focus);
        assert_eq!(app.press("Space"), next);
        assert_eq!(
            app.review().final_review.buttons.focus,
            focus,
            "it stands where it stood"
        );
        app.press("Tab");
    }
    // The story key works even if the review screen was read only halfway.
    app.text_layout = Box::new(|_| {
        (
            VisibleLines {
                first: 0,
                end: 1,
                total: 2,
            },
            Overflow::default(),
        )
    });
    assert_eq!(app.press("Space"), next);
}
