//! Tests of the demo: its palette commands, its guided story, and resetting it.

use super::*;
use crate::app::DemoValue;
use crate::app::cx::{Cx, Route};
use crate::app::screens::palette::Palette;
use crate::app::store::credentials;
use crate::app::store::story::{SellerEvent, StoryEvent};

const ALL: [Command; 6] = [
    Command::StartOver,
    Command::Forward,
    Command::Story(true),
    Command::Story(false),
    Command::Captions(true),
    Command::Captions(false),
];

fn presented() -> App {
    let mut app = App::open();
    app.model.setup.labels =
        ALL.map(|command| Item::new(command, "a command")).into_iter().collect();
    app.model.setup.demo = Some(DemoSetup { starts_over: true, ..DemoSetup::default() });
    app
}

fn caption(words: &str) -> StoryEvent {
    StoryEvent::Caption { words: words.into(), step: (1, 2) }
}

fn offered(app: &mut App) -> Vec<Command> {
    app.keys("Ctrl-K");
    let Layer::Palette(palette) = app.top() else { panic!() };
    let found = palette.found.clone();
    app.keys("Esc");
    found
}

impl App {
    fn story(&mut self, told: StoryEvent) -> Vec<Effect> {
        self.tell(Msg::Story(told))
    }

    pub(super) fn commands(&mut self, command: Command) -> Vec<Effect> {
        let stamp = self.stamp();
        let grant = |cx: &mut Cx| Palette::default().run_command(cx, command);
        router::act_on_store(&mut self.model, &stamp, grant)
    }

    fn mends(&mut self, failure: &Failure) {
        let stamp = self.stamp();
        router::act_on_store(&mut self.model, &stamp, |cx| credentials::renew_refused(cx, failure));
    }

    fn caption(&self) -> Option<String> {
        self.model.story.shown(Lang::Pt).map(|words| words.shown())
    }
}

#[test]
fn outside_the_demo_nothing_of_it_is_offered() {
    let mut app = presented();
    app.model.setup.demo = None;
    assert_eq!(offered(&mut app), []);
}

#[test]
fn story_starts_and_stops_and_captions_toggle() {
    let mut app = presented();
    // The command that discards data is last in the palette.
    let idle = [Command::Story(true), Command::StartOver, Command::Forward];
    assert_eq!(offered(&mut app), idle);
    assert_eq!(app.commands(Command::Story(true)), [Effect::Demo(Command::Story(true))]);
    app.story(StoryEvent::Began);
    let playing =
        [Command::Story(false), Command::Captions(false), Command::StartOver, Command::Forward];
    assert_eq!(offered(&mut app), playing);
    app.story(caption("one"));
    assert_eq!(app.caption().as_deref(), Some("one"));

    assert_eq!(app.commands(Command::Captions(false)), []);
    assert_eq!(app.caption(), None);
    app.story(caption("two"));
    assert_eq!(app.caption(), None);
    assert!(offered(&mut app).contains(&Command::Captions(true)));
    app.commands(Command::Captions(true));
    assert_eq!(app.caption().as_deref(), Some("two"));

    app.story(StoryEvent::Ended);
    assert_eq!(app.caption().as_deref(), Some("two"), "it can be read to its end");
    assert!(offered(&mut app).contains(&Command::Story(true)));
    app.story(caption(""));
    assert_eq!(app.caption(), None);
    assert_eq!(offered(&mut app), idle);
}

#[test]
fn story_key_begins_the_story_and_logs_in() {
    let mut app = presented();
    let begins = Effect::Demo(Command::Story(true));
    assert_eq!(app.keys("F8"), std::slice::from_ref(&begins));
    assert_eq!(app.keys("Space"), [], "a text key scrolls");
    app.story(StoryEvent::Began);
    assert_eq!(app.keys("F8"), [Effect::Demo(Command::StoryNext)]);
    app.story(StoryEvent::Ended);
    let demo = app.model.setup.demo.as_mut().unwrap();
    demo.login = vec![
        ("email".into(), DemoValue::Text("ana@loja.example".into())),
        ("password".into(), DemoValue::Secret(9)),
    ];
    let stamp = app.stamp();
    router::act_on_store(&mut app.model, &stamp, |cx| cx.open(Route::Login(None)));
    let wanted = app.keys("F8");
    assert!(matches!(&wanted[..], [first, Effect::LogIn { .. }] if *first == begins), "{wanted:?}");

    let mut app = App::open();
    assert_eq!(app.keys("F8"), []);
}

#[test]
fn story_needs_no_deadline_and_changes_no_layer() {
    let mut app = presented();
    app.keys("n");
    app.types("4990");
    assert_eq!(app.story(StoryEvent::Began), []);
    app.story(caption("one"));
    assert_eq!(next_deadline(&app.model), None);
    assert!(matches!(app.top(), Layer::NewLink(_)));
    app.tell(Msg::DemoDone(Command::Story(false)));
    assert_eq!((app.caption(), app.model.story.playing), (None, false));
}

#[test]
fn a_domain_that_the_story_moved_is_listed_again() {
    let mut app = presented();
    let wanted = app.story(StoryEvent::DomainsMoved);
    assert!(matches!(wanted[..], [Effect::ListDomains(_)]), "{wanted:?}");
    assert_eq!(app.model.notice, None, "the audience is to find out");
}

#[test]
fn seller_actions_reported_only_while_story_plays() {
    let mut app = presented();
    app.has_links(vec![link("https://loja.example/x")]);
    let told = |effects: Vec<Effect>| -> Vec<SellerEvent> {
        let told = |effect| match effect {
            Effect::TellStory(what) => Some(what),
            _ => None,
        };
        effects.into_iter().filter_map(told).collect()
    };
    use SellerEvent::*;
    assert_eq!(told(app.keys("1 2 5")), [], "nobody listens");
    app.story(StoryEvent::Began);
    assert_eq!(told(app.keys("1 2 5 6")), [Links, Domains, Exchanges, Account]);
    assert_eq!(told(app.keys("1 y p Q")), [Links, Copy, Mark, Qr]);
    assert_eq!(told(app.story(caption("Q"))), [Qr], "it is there already");
    app.story(StoryEvent::Ended);
    app.keys("Esc");
    assert_eq!(told(app.keys("1 2")), []);
}

#[test]
fn the_review_is_told_to_the_story() {
    let mut app = presented();
    app.types_withdrawal("10000");
    app.is_quoted();
    app.story(StoryEvent::Began);
    let wanted = app.keys("Ctrl-S");
    assert!(wanted.contains(&Effect::TellStory(SellerEvent::Review)), "{wanted:?}");
}

#[test]
fn start_over_clears_state_and_reloads_every_list() {
    let mut app = presented();
    let withdrawal = app.sends("10000");
    app.settles(&withdrawal, Class::Unclear(Unclear::Cut));
    assert_eq!(app.model.withdrawals.open.len(), 1);
    let wanted = app.tell(Msg::DemoDone(Command::StartOver));
    let model = &app.model;
    assert!(model.withdrawals.open.is_empty() && model.layers.is_empty());
    assert!(model.session.is_in() && model.pane == Pane::Withdrawals);
    for wanted_one in ["LoadLinks", "Money(Load", "LoadCharges", "ListDomains"] {
        assert!(wanted.iter().any(|effect| format!("{effect:?}").starts_with(wanted_one)));
    }
}

#[test]
fn start_over_refused_in_flight_or_with_kept_journal() {
    let mut app = presented();
    let withdrawal = app.sends("10000");
    assert!(!offered(&mut app).contains(&Command::StartOver));
    assert_eq!(app.commands(Command::StartOver), []);
    app.settles(&withdrawal, Class::Unclear(Unclear::Cut));
    assert!(offered(&mut app).contains(&Command::StartOver));
    app.model.setup.demo = Some(DemoSetup::default());
    assert!(!offered(&mut app).contains(&Command::StartOver));
    assert_eq!(app.commands(Command::StartOver), []);
}

#[test]
fn a_command_that_was_not_granted_says_so() {
    let mut app = presented();
    app.tell(Msg::DemoNotDone);
    assert_eq!(app.model.notice, Some(Notice::warn("said-not-granted")));
}

#[test]
fn refused_jwt_opens_login_in_demo_only() {
    let mut app = presented();
    let refused = || Failure::NoCredential(CredentialKind::Jwt);
    app.mends(&refused());
    assert!(matches!(app.top(), Layer::Login(_)));
    app.keys("Esc");
    app.model.setup.demo = None;
    app.mends(&refused());
    assert!(matches!(app.top(), Layer::Jwt(_)));
}

#[test]
fn a_story_goes_on_by_a_key_wherever_nothing_is_typed() {
    let mut app = presented();
    let next = [Effect::Demo(Command::StoryNext)];
    app.laid_out = Box::new(|_| (Shown::ALL, Overflow::default()));
    app.keys("1");
    app.has_links((0..9).map(|_| link("https://loja.example/x")).collect());
    app.keys("Space");
    assert_ne!(app.model.links.list.cursor, 0, "nothing is played: it pages the list");
    app.keys("g");
    app.story(StoryEvent::Began);
    app.story(caption("one"));
    assert_eq!(app.keys("Space"), next);
    assert_eq!(app.model.links.list.cursor, 0, "it pages no more");
    app.keys("PgDn");
    assert_ne!(app.model.links.list.cursor, 0, "this still does");
    assert_eq!(app.keys("F8"), next);
    app.keys("?");
    assert_eq!(app.keys("Space"), next, "in the help, which is paged too");
    app.keys("Esc n");
    assert_eq!(app.keys("Space"), [], "the amount is text");
    app.types("4990");
    assert_eq!(app.keys("Tab Space"), [], "and so is the description");
    assert_eq!(app.keys("F8"), next);
    app.commands(Command::Captions(false));
    assert_eq!(app.keys("F8"), [], "nobody reads along");
}

#[test]
fn space_advances_story_outside_text_fields() {
    let mut app = presented();
    let next = [Effect::Demo(Command::StoryNext)];
    app.story(StoryEvent::Began);
    app.keys("3 n Tab Tab");
    assert!(!router::takes_text(&app.model), "the kind of key is chosen");
    assert_eq!(app.keys("Space"), next);
    app.has_links(vec![link("https://loja.example/x")]);
    app.keys("Esc 1 Q");
    assert!(matches!(app.top(), Layer::Qr(_)));
    assert_eq!(app.keys("Space"), next);
}

#[test]
fn space_advances_story_in_review_and_presses_nothing() {
    let mut app = presented();
    app.reviews("10000");
    app.story(StoryEvent::Began);
    app.story(caption("one"));
    let next = [Effect::Demo(Command::StoryNext)];
    for focus in [Focus::Back, Focus::Confirm] {
        assert_eq!(app.review().look.buttons.focus, focus);
        assert_eq!(app.keys("Space"), next);
        assert_eq!(app.review().look.buttons.focus, focus, "it stands where it stood");
        app.keys("Tab");
    }
    // The key that continues the story works even on a review screen that was read only halfway.
    app.laid_out = Box::new(|_| (Shown { first: 0, end: 1, total: 2 }, Overflow::default()));
    assert_eq!(app.keys("Space"), next);
}
