//! Tests of the demo: its palette commands, its story, and starting over.

use super::*;
use crate::app::cx::Cx;
use crate::app::screens::palette::Palette;
use crate::app::store::entry;
use crate::app::store::story::{SellerEvent, StoryEvent};

const ALL: [Command; 6] = [
    Command::StartOver,
    Command::Forward,
    Command::Story(true),
    Command::Story(false),
    Command::Captions(true),
    Command::Captions(false),
];

fn presented() -> Counter {
    let mut counter = Counter::open();
    counter.model.setup.labels =
        ALL.map(|command| Item::new(command, "a command")).into_iter().collect();
    counter.model.setup.demo = Some(DemoSetup { starts_over: true, ..DemoSetup::default() });
    counter
}

fn caption(words: &str) -> StoryEvent {
    StoryEvent::Caption { words: words.into(), step: (1, 2) }
}

fn offered(counter: &mut Counter) -> Vec<Command> {
    counter.keys("Ctrl-K");
    let Layer::Palette(palette) = counter.top() else { panic!() };
    let found = palette.found.clone();
    counter.keys("Esc");
    found
}

impl Counter {
    fn story(&mut self, told: StoryEvent) -> Vec<Effect> {
        self.tell(Msg::Story(told))
    }

    pub(super) fn commands(&mut self, command: Command) -> Vec<Effect> {
        let stamp = self.stamp();
        let grant = |cx: &mut Cx| Palette::default().grant(cx, command);
        router::act_on_store(&mut self.model, &stamp, grant)
    }

    fn mends(&mut self, failure: &Failure) {
        let stamp = self.stamp();
        router::act_on_store(&mut self.model, &stamp, |cx| entry::mend(cx, failure));
    }

    fn caption(&self) -> Option<String> {
        self.model.story.shown().map(|words| words.shown())
    }
}

#[test]
fn outside_the_demo_nothing_of_it_is_offered() {
    let mut counter = presented();
    counter.model.setup.demo = None;
    assert_eq!(offered(&mut counter), []);
}

#[test]
fn story_starts_and_stops_and_captions_toggle() {
    let mut counter = presented();
    // The palette lists a command that discards data last.
    let idle = [Command::Story(true), Command::StartOver, Command::Forward];
    assert_eq!(offered(&mut counter), idle);
    assert_eq!(counter.commands(Command::Story(true)), [Effect::Demo(Command::Story(true))]);
    counter.story(StoryEvent::Began);
    let playing =
        [Command::Story(false), Command::Captions(false), Command::StartOver, Command::Forward];
    assert_eq!(offered(&mut counter), playing);
    counter.story(caption("one"));
    assert_eq!(counter.caption().as_deref(), Some("one"));

    assert_eq!(counter.commands(Command::Captions(false)), []);
    assert_eq!(counter.caption(), None);
    counter.story(caption("two"));
    assert_eq!(counter.caption(), None);
    assert!(offered(&mut counter).contains(&Command::Captions(true)));
    counter.commands(Command::Captions(true));
    assert_eq!(counter.caption().as_deref(), Some("two"));

    counter.story(StoryEvent::Ended);
    assert_eq!(counter.caption().as_deref(), Some("two"), "it can be read to its end");
    assert!(offered(&mut counter).contains(&Command::Story(true)));
    counter.story(caption(""));
    assert_eq!(counter.caption(), None);
    assert_eq!(offered(&mut counter), idle);
}

#[test]
fn story_needs_no_deadline_and_changes_no_layer() {
    let mut counter = presented();
    counter.keys("n");
    counter.types("4990");
    assert_eq!(counter.story(StoryEvent::Began), []);
    counter.story(caption("one"));
    assert_eq!(next_deadline(&counter.model), None);
    assert!(matches!(counter.top(), Layer::NewLink(_)));
    counter.tell(Msg::DemoDone(Command::Story(false)));
    assert_eq!((counter.caption(), counter.model.story.playing), (None, false));
}

#[test]
fn a_domain_that_the_story_moved_is_listed_again() {
    let mut counter = presented();
    let wanted = counter.story(StoryEvent::DomainsMoved);
    assert!(matches!(wanted[..], [Effect::ListDomains(_)]), "{wanted:?}");
    assert_eq!(counter.model.notice, None, "the audience is to find out");
}

#[test]
fn seller_actions_reported_only_while_story_plays() {
    let mut counter = presented();
    counter.has_links(vec![link("https://loja.example/x")]);
    let told = |effects: Vec<Effect>| -> Vec<SellerEvent> {
        let told = |effect| match effect {
            Effect::TellStory(what) => Some(what),
            _ => None,
        };
        effects.into_iter().filter_map(told).collect()
    };
    use SellerEvent::*;
    assert_eq!(told(counter.keys("1 2 5")), [], "nobody listens");
    counter.story(StoryEvent::Began);
    assert_eq!(told(counter.keys("1 2 5 6")), [Links, Domains, Exchanges, Account]);
    assert_eq!(told(counter.keys("1 y p Q")), [Links, Copy, Mark, Qr]);
    assert_eq!(told(counter.story(caption("Q"))), [Qr], "it is there already");
    counter.story(StoryEvent::Ended);
    counter.keys("Esc");
    assert_eq!(told(counter.keys("1 2")), []);
}

#[test]
fn the_review_is_told_to_the_story() {
    let mut counter = presented();
    counter.types_withdrawal("10000");
    counter.is_quoted();
    counter.story(StoryEvent::Began);
    let wanted = counter.keys("Ctrl-S");
    assert!(wanted.contains(&Effect::TellStory(SellerEvent::Review)), "{wanted:?}");
}

#[test]
fn start_over_clears_state_and_reloads_every_list() {
    let mut counter = presented();
    let withdrawal = counter.sends("10000");
    counter.settles(&withdrawal, Class::Unclear(Unclear::Cut));
    assert_eq!(counter.model.withdrawals.open.len(), 1);
    let wanted = counter.tell(Msg::DemoDone(Command::StartOver));
    let model = &counter.model;
    assert!(model.withdrawals.open.is_empty() && model.layers.is_empty());
    assert!(model.session.is_in() && model.pane == Pane::Withdrawals);
    for wanted_one in ["LoadLinks", "Money(Load", "LoadCharges", "ListDomains"] {
        assert!(wanted.iter().any(|effect| format!("{effect:?}").starts_with(wanted_one)));
    }
}

#[test]
fn start_over_refused_in_flight_or_with_kept_journal() {
    let mut counter = presented();
    let withdrawal = counter.sends("10000");
    assert!(!offered(&mut counter).contains(&Command::StartOver));
    assert_eq!(counter.commands(Command::StartOver), []);
    counter.settles(&withdrawal, Class::Unclear(Unclear::Cut));
    assert!(offered(&mut counter).contains(&Command::StartOver));
    counter.model.setup.demo = Some(DemoSetup::default());
    assert!(!offered(&mut counter).contains(&Command::StartOver));
    assert_eq!(counter.commands(Command::StartOver), []);
}

#[test]
fn a_command_that_was_not_granted_says_so() {
    let mut counter = presented();
    counter.tell(Msg::DemoNotDone);
    assert_eq!(counter.model.notice, Some(Notice::warn("said-not-granted")));
}

#[test]
fn refused_jwt_opens_login_in_demo_only() {
    let mut counter = presented();
    let refused = || Failure::NoCredential(CredentialKind::Jwt);
    counter.mends(&refused());
    assert!(matches!(counter.top(), Layer::Login(_)));
    counter.keys("Esc");
    counter.model.setup.demo = None;
    counter.mends(&refused());
    assert!(matches!(counter.top(), Layer::Jwt(_)));
}

#[test]
fn a_story_goes_on_by_a_key_wherever_nothing_is_typed() {
    let mut counter = presented();
    let next = [Effect::Demo(Command::StoryNext)];
    counter.laid_out = Box::new(|_| (Shown::ALL, Overflow::default()));
    counter.keys("1");
    counter.has_links((0..9).map(|_| link("https://loja.example/x")).collect());
    counter.keys("Space");
    assert_ne!(counter.model.links.list.cursor, 0, "nothing is played: it pages the list");
    counter.keys("g");
    counter.story(StoryEvent::Began);
    counter.story(caption("one"));
    assert_eq!(counter.keys("Space"), next);
    assert_eq!(counter.model.links.list.cursor, 0, "it pages no more");
    counter.keys("PgDn");
    assert_ne!(counter.model.links.list.cursor, 0, "this still does");
    assert_eq!(counter.keys("F8"), next);
    counter.keys("?");
    assert_eq!(counter.keys("Space"), next, "in the help, which is paged too");
    counter.keys("Esc n");
    assert_eq!(counter.keys("Space"), [], "the amount is text");
    counter.types("4990");
    assert_eq!(counter.keys("Tab Space"), [], "and so is the description");
    assert_eq!(counter.keys("F8"), next);
    counter.commands(Command::Captions(false));
    assert_eq!(counter.keys("F8"), [], "nobody reads along");
}

#[test]
fn space_advances_story_outside_text_fields() {
    let mut counter = presented();
    let next = [Effect::Demo(Command::StoryNext)];
    counter.story(StoryEvent::Began);
    counter.keys("3 n Tab");
    assert!(!router::takes_text(&counter.model), "the kind of key is chosen");
    assert_eq!(counter.keys("Space"), next);
    counter.has_links(vec![link("https://loja.example/x")]);
    counter.keys("Esc 1 Q");
    assert!(matches!(counter.top(), Layer::Qr(_)));
    assert_eq!(counter.keys("Space"), next);
}

#[test]
fn space_advances_story_in_review_and_presses_nothing() {
    let mut counter = presented();
    counter.reviews("10000");
    counter.story(StoryEvent::Began);
    counter.story(caption("one"));
    let next = [Effect::Demo(Command::StoryNext)];
    for focus in [Focus::Back, Focus::Confirm] {
        assert_eq!(counter.review().look.buttons.focus, focus);
        assert_eq!(counter.keys("Space"), next);
        assert_eq!(counter.review().look.buttons.focus, focus, "it stands where it stood");
        counter.keys("Tab");
    }
    // The key that continues the story works even if only half of the review was read.
    counter.laid_out = Box::new(|_| (Shown { first: 0, end: 1, total: 2 }, Overflow::default()));
    assert_eq!(counter.keys("Space"), next);
}
