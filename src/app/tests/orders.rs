//! Property tests of the app: random sequences of key presses, replies and other events, run
//! against a simulated journal.

mod told;

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::app::MoneyCommand::{Attempt, Decide, Load, LoadDestinations, LookUpPast, Prepare};
use told::{ExpectedOpen, may_have_left};

/// A random event in a sequence.
#[derive(Debug, Clone)]
enum Event {
    /// Presses a key. The number is an index into [`KEYS`].
    Key(usize),
    /// Replies to a running request. `how` selects the result.
    Answer {
        which: usize,
        how: u8,
    },
    /// Advances the clocks by this many milliseconds, then delivers a timer message (`Pulse`).
    Time(u64),
    Paste(usize),
    /// The list of withdrawals is loaded.
    Listed,
    /// Valid credentials are loaded from the vault.
    Entered,
    /// Presses all keys from the list of withdrawals to a confirmed withdrawal of this amount, if
    /// the app allows them.
    Way(&'static str),
    /// Confirms and sends a withdrawal, lets it time out, and sends it again.
    Again,
    /// Another instance of the app makes a withdrawal of this many centavos. If the flag is true,
    /// it is paid; otherwise, its outcome is unknown.
    Elsewhere(i64, bool),
}

const KEYS: [&str; 35] = [
    "1",
    "2",
    "3",
    "n",
    "0",
    "5",
    "Tab",
    "Tab",
    "Shift-Tab",
    "Enter",
    "Enter",
    "Esc",
    "Ctrl-S",
    "r",
    "s",
    "f",
    "X",
    "c",
    "N",
    "?",
    "F1",
    "Ctrl-K",
    ":",
    "Ctrl-C",
    "/",
    "Down",
    "Left",
    "Right",
    "Space",
    "Backspace",
    "J",
    "L",
    "y",
    "Ctrl-O",
    "Ctrl-N",
];

const PASTES: [&str; 4] = ["11144477735", "100,00", "1.234", "\r\n"];

fn step() -> impl Strategy<Value = Event> {
    prop_oneof![
        4 => (0..KEYS.len()).prop_map(Event::Key),
        5 => (0..4_usize, 0..12_u8).prop_map(|(which, how)| Event::Answer { which, how }),
        2 => prop_oneof![Just(0), Just(300), Just(500), Just(130_000), Just(600_000)]
            .prop_map(Event::Time),
        1 => (0..PASTES.len()).prop_map(Event::Paste),
        1 => Just(Event::Listed),
        1 => Just(Event::Entered),
        1 => prop_oneof![Just("100"), Just("500")].prop_map(Event::Way),
        1 => Just(Event::Again),
        1 => (prop_oneof![Just(100), Just(700)], any::<bool>())
            .prop_map(|(centavos, paid)| Event::Elsewhere(centavos, paid)),
    ]
}

/// A simulated journal and service, which reply when the test decides.
#[derive(Default)]
struct World {
    under_way: Vec<Effect>,
    /// The withdrawals in the journal. Each comes with the other open withdrawals that the seller
    /// accepted by retyping the amount.
    journal: BTreeMap<IdempotencyKey, (Withdrawal, Vec<IdempotencyKey>)>,
    in_flight: Vec<IdempotencyKey>,
    /// Withdrawals that the journal refused to send, each with the open withdrawal that blocked it.
    not_begun: BTreeMap<IdempotencyKey, IdempotencyKey>,
    elsewhere: u128,
    told: ExpectedOpen,
}

const WINDOW: Window = Window {
    retention: Duration::from_secs(600),
    deadline: Duration::from_secs(30),
    resend_after: Duration::ZERO,
};

fn is_like(one: &Agreement, other: &Agreement) -> bool {
    one.amount == other.amount && one.destination == other.destination
}

impl World {
    /// Delivers a message to the app and handles the resulting effects.
    fn tell(&mut self, app: &mut App, msg: Msg) {
        self.told.hears(&msg);
        let wanted = app.tell(msg);
        self.take(app, wanted);
    }

    /// Records the requested effects, after checking that the app was allowed to request them.
    fn take(&mut self, app: &App, wanted: Vec<Effect>) {
        for effect in wanted {
            match &effect {
                Effect::Money(Attempt { key, .. }) => self.may_attempt(app, *key),
                Effect::Cancel(ticket) => {
                    self.under_way.retain(|effect| match effect {
                        Effect::Quote { ticket: asked, .. } => asked != ticket,
                        _ => true,
                    });
                    continue;
                }
                Effect::Money(Prepare { agreement, retyped }) => {
                    let amount = agreement.amount;
                    assert!(retyped.as_ref().is_none_or(|retyped| retyped.amount == amount));
                    assert!(!self.journal.contains_key(&agreement.key), "a key is used once");
                    let told = retyped.as_ref().map(|retyped| &retyped.told[..]);
                    for open in self.told.beside(agreement) {
                        assert!(told.unwrap_or_default().contains(&open.key), "unasked");
                        assert!(!is_like(open, agreement), "the same is open");
                    }
                }
                Effect::Money(Decide { key, choice: Decision::StatedNotPaid }) => {
                    let (withdrawal, _) = &self.journal[key];
                    let state = withdrawal.state(&app.now, &app.model.setup.window, false);
                    assert!(matches!(state, WithdrawalState::NeedsPerson(_)), "{state:?}");
                }
                Effect::Money(Load(ask)) => self.told.asks(ask.ticket),
                _ => {}
            }
            self.under_way.push(effect);
        }
    }

    fn may_attempt(&mut self, app: &App, key: IdempotencyKey) {
        let (withdrawal, beside) = self.journal.get(&key).expect("only what was prepared is sent");
        assert!(self.in_flight.is_empty(), "one at a time");
        let state = withdrawal.state(&app.now, &app.model.setup.window, false);
        assert!(matches!(state, WithdrawalState::Prepared | WithdrawalState::Unknown), "{state:?}");
        self.in_flight.push(key);
        if state == WithdrawalState::Prepared {
            for open in self.told.beside(&withdrawal.agreement) {
                let agreed = beside.contains(&open.key);
                assert!(agreed, "a second payment that nobody agreed to");
            }
            // The journal may contain open withdrawals that the app has not loaded.
            let open = self.open();
            let unknown = open.iter().find(|open| !beside.contains(&open.agreement.key));
            if let Some(other) = unknown.map(|open| open.agreement.key) {
                self.not_begun.insert(key, other);
                return;
            }
        }
        // The attempt to send it is stored, so the withdrawal counts as possibly paid from now on.
        self.journal.get_mut(&key).unwrap().0 = on_its_way(withdrawal, &app.now);
    }

    fn answer(&mut self, app: &App, which: usize, how: u8) -> Option<Msg> {
        if self.under_way.is_empty() {
            return None;
        }
        let effect = self.under_way.remove(which % self.under_way.len());
        let now = app.now.clone();
        Some(match effect {
            Effect::Quote { ticket, amount } => Msg::Quoted {
                ticket,
                result: match how {
                    0 => Err(NoQuote::Failure(Failure::NoAnswer(NoAnswer::Cut))),
                    1 => Err(NoQuote::Failure(unauthorized(CredentialKind::ApiToken))),
                    2 => Err(NoQuote::Fault(QuoteFault::DoesNotAddUp {
                        amount,
                        fee: brl(1),
                        net: brl(1),
                    })),
                    // A fee quote that is valid for every amount.
                    _ => Quote::new(amount, Some(brl(1)), None, now.wall).map_err(NoQuote::Fault),
                },
            },
            Effect::Money(LookUpPast(agreement)) => {
                let past = Past { similar: self.decided_like(&agreement, &now), used: None };
                Msg::Reviewed { key: agreement.key, past: Ok(past) }
            }
            Effect::Money(LoadDestinations { ticket, .. }) => {
                Msg::DestinationsLoaded { ticket, result: Ok(self.destinations()) }
            }
            Effect::Money(Prepare { agreement, retyped }) => {
                self.prepare(&agreement, retyped, how, &now)
            }
            Effect::Money(Attempt { key, .. }) => self.end(key, how, &now),
            Effect::Money(Decide { key, choice }) => self.decide(key, choice, app),
            Effect::Money(Load(ask)) => return Some(self.listed(ask.ticket)),
            Effect::LogIn { ticket, .. } => {
                Msg::LoggedIn { ticket, result: Ok(vec![(CredentialKind::ApiToken, held(SELLER))]) }
            }
            Effect::ListDomains(ticket) => Msg::DomainsListed { ticket, result: Ok(vec![]) },
            Effect::LoadLinks(ask) => {
                Msg::LinksLoaded { ticket: ask.ticket, result: Ok(LinksRead::default()) }
            }
            Effect::MakeLink { ticket, .. } if how < 6 => {
                Msg::LinkMade { ticket, result: Err(unauthorized(CredentialKind::Jwt)) }
            }
            Effect::MakeLink { ticket, .. } => {
                Msg::LinkMade { ticket, result: Ok(link("https://loja.example/x")) }
            }
            _ => return None,
        })
    }

    /// Answers all running requests of one kind with success.
    fn answer_now(&mut self, app: &mut App, is_it: impl Fn(&Effect) -> bool) {
        while let Some(at) = self.under_way.iter().position(&is_it) {
            let Some(msg) = self.answer(app, at, 9) else { return };
            self.tell(app, msg);
        }
    }

    fn open(&self) -> Vec<&Withdrawal> {
        let all = self.journal.values().map(|(withdrawal, _)| withdrawal);
        all.filter(|withdrawal| may_have_left(withdrawal)).collect()
    }

    /// Adds a withdrawal of another instance. The app sees it only after it loads the list.
    fn make_elsewhere(&mut self, app: &App, centavos: i64, paid: bool) {
        self.elsewhere += 1;
        let mut made = unknown(1_000_000 + self.elsewhere, centavos, &app.now);
        made.agreement.destination = PixKey::parse(PixKeyKind::Cpf, "11144477735").ok();
        made.agreement.body = r#"{"pixKey":"11144477735"}"#.into();
        if paid {
            made = attempted(&made, &app.now, ACCEPTED);
        }
        self.journal.insert(made.agreement.key, (made, vec![]));
    }

    fn decided_like(&self, agreement: &Agreement, now: &Clocks) -> Vec<Withdrawal> {
        let all = self.journal.values().map(|(withdrawal, _)| withdrawal);
        let alike = all.filter(|other| {
            is_like(&other.agreement, agreement) && other.state(now, &WINDOW, false).is_decided()
        });
        alike.cloned().collect()
    }

    fn destinations(&self) -> Vec<Destination> {
        let mut keys: Vec<PixKey> = Vec::new();
        for (withdrawal, _) in self.journal.values() {
            let key = withdrawal.agreement.destination.clone();
            keys.extend(key.filter(|key| !keys.contains(key)));
        }
        let known = |key| Destination { key, count: 1, last: Wall(0), last_amount: brl(1) };
        keys.into_iter().map(known).collect()
    }

    fn prepare(
        &mut self,
        agreement: &Agreement,
        retyped: Option<Retyped>,
        how: u8,
        now: &Clocks,
    ) -> Msg {
        let key = agreement.key;
        let told = retyped.map(|retyped| retyped.told).unwrap_or_default();
        let refuses = |kind, other: &Withdrawal| {
            Some(Refused::LookAgain(Some(Clash { kind, other: Box::new(other.clone()) })))
        };
        let untold = |other: &&Withdrawal| !told.contains(&other.agreement.key);
        let open = self.open();
        let paid = self.decided_like(agreement, now).into_iter().find(|other| {
            untold(&other) && other.state(now, &WINDOW, false) == WithdrawalState::Accepted
        });
        let refused = if how == 0 {
            Some(Refused::Journal(JournalTrouble::Io("x".into())))
        } else if let Some(same) = open.iter().find(|o| is_like(&o.agreement, agreement)) {
            refuses(ClashKind::SameOpen, same)
        } else if let Some(other) = open.iter().find(|other| untold(other)) {
            refuses(ClashKind::OtherOpen, other)
        } else {
            paid.and_then(|paid| refuses(ClashKind::SameDecided, &paid))
        };
        let result = match refused {
            Some(refused) => Err(refused),
            None => {
                let withdrawal = prepared(agreement);
                self.journal.insert(key, (withdrawal.clone(), told));
                Ok(Box::new(withdrawal))
            }
        };
        Msg::Prepared { key, result }
    }

    fn end(&mut self, key: IdempotencyKey, how: u8, now: &Clocks) -> Msg {
        if let Some(other) = self.not_begun.remove(&key) {
            self.in_flight.retain(|other| *other != key);
            let known = |key| Box::new(self.journal[&key].0.clone());
            let trouble = Failure::Clash(Clash { kind: ClashKind::OtherOpen, other: known(other) });
            return Msg::AttemptTrouble { key, withdrawal: Some(known(key)), trouble };
        }
        let (withdrawal, _) = self.journal.get_mut(&key).unwrap();
        if how == 0 {
            self.under_way.push(Effect::Money(Attempt { key, retyped: None }));
            return Msg::AttemptBegan { key, n: withdrawal.attempts.len() as u32 };
        }
        self.in_flight.retain(|other| *other != key);
        if how == 1 {
            let end = attempted(withdrawal, now, LOST).attempts.pop().and_then(|lost| lost.end);
            let (n, end) = (withdrawal.attempts.len() as u32, Box::new(end.unwrap()));
            let trouble = JournalTrouble::Io("full".into());
            let trouble = Failure::Unrecorded { n, end, trouble };
            return Msg::AttemptTrouble { key, withdrawal: None, trouble };
        }
        let class = match how {
            2 => ACCEPTED,
            3 => Class::DefiniteNo,
            4 => Class::Unauthorized,
            5 => Class::NotSent(NotSent::Dns),
            6 => Class::Redirected,
            7 => Class::Throttled { retry_after: Some(Duration::from_secs(5)) },
            _ => LOST,
        };
        withdrawal.attempts.pop();
        *withdrawal = attempted(withdrawal, now, class);
        Msg::Settled(Box::new(withdrawal.clone()))
    }

    fn decide(&mut self, key: IdempotencyKey, choice: Decision, app: &App) -> Msg {
        let (withdrawal, _) = self.journal.get_mut(&key).expect("only what is known is decided");
        let state = withdrawal.state(&app.now, &app.model.setup.window, false);
        let may = match choice {
            Decision::Discarded => state == WithdrawalState::Prepared,
            Decision::FoundPaid => state.is_open(),
            Decision::StatedNotPaid => {
                matches!(state, WithdrawalState::NeedsPerson(_) | WithdrawalState::Mismatch(_))
            }
        };
        if !may || self.in_flight.contains(&key) {
            return Msg::Decided { key, result: Err(Failure::NotSent(NotSent::NotSafe)) };
        }
        withdrawal.decision = Some((choice, app.now.wall));
        Msg::Decided { key, result: Ok(Box::new(withdrawal.clone())) }
    }

    fn listed(&self, ticket: Ticket) -> Msg {
        let open: Vec<Withdrawal> = self.open().into_iter().cloned().collect();
        let rows: Vec<Withdrawal> = self.journal.values().map(|(w, _)| w.clone()).collect();
        let page = page_of(rows);
        Msg::WithdrawalsLoaded {
            ticket,
            result: Ok(Snapshot { page, open, ..Snapshot::default() }),
        }
    }
}

fn happen(app: &mut App, world: &mut World, step: &Event) {
    match step {
        Event::Key(at) => {
            let wanted = app.keys(KEYS[*at]);
            world.take(app, wanted);
        }
        Event::Answer { which, how } => {
            if let Some(msg) = world.answer(app, *which, *how) {
                world.tell(app, msg);
            }
        }
        Event::Time(ms) => {
            let wanted = app.rests(*ms);
            world.take(app, wanted);
        }
        Event::Paste(at) => {
            let wanted = app.pastes(PASTES[*at]);
            world.take(app, wanted);
        }
        Event::Listed => {
            let ticket = app.model.ticket();
            app.model.withdrawals.list.ask(ticket);
            world.told.asks(ticket);
            let listed = world.listed(ticket);
            world.tell(app, listed);
        }
        Event::Again => {
            world.answer_now(app, |effect| matches!(effect, Effect::Money(Prepare { .. })));
            world.answer_now(app, |effect| matches!(effect, Effect::Money(Attempt { .. })));
            let wanted = app.keys("s");
            world.take(app, wanted);
            world.answer_now(app, |effect| {
                matches!(effect, Effect::Money(LookUpPast(_)) | Effect::Quote { .. })
            });
            app.passes(500);
            let wanted = app.confirms_dialog();
            world.take(app, wanted);
        }
        Event::Way(amount) => go_the_way(app, world, amount),
        Event::Elsewhere(centavos, paid) => world.make_elsewhere(app, *centavos, *paid),
        Event::Entered => {
            let (api_token, jwt) = (held(SELLER), held("seller-1"));
            let vault_status = VaultStatus::Kept(VaultKind::Keyring);
            world.tell(app, Msg::CredentialsRead { vault_status, api_token, jwt });
        }
    }
}

/// Presses the keys that lead from the list of withdrawals to the confirm button.
fn go_the_way(app: &mut App, world: &mut World, amount: &str) {
    let keys = |app: &mut App, world: &mut World, keys: &str| {
        for key in keys.split_whitespace() {
            let wanted = app.keys(key);
            world.take(app, wanted);
        }
    };
    let figures = amount.chars().map(|c| format!("{c} ")).collect::<String>();
    keys(app, world, &format!("3 n {figures} Tab 1 1 1 4 4 4 7 7 7 3 5"));
    let wanted = app.rests(300);
    world.take(app, wanted);
    world.answer_now(app, |effect| matches!(effect, Effect::Quote { .. }));
    keys(app, world, "Ctrl-S");
    world.answer_now(app, |effect| matches!(effect, Effect::Money(LookUpPast(_))));
    app.passes(500);
    let Some(Layer::Withdraw(Flow::Review(review))) = app.model.layers.last() else { return };
    let retyped = review.look.retype.iter().map(|_| format!("Tab {figures}")).collect::<String>();
    keys(app, world, &format!("{retyped} Tab Enter"));
}

/// Runs a sequence of events. Returns a log and the number of times each withdrawal was sent.
fn play(steps: &[Event]) -> (String, Vec<usize>) {
    let mut app = App::open();
    let mut world = World::default();
    for step in steps {
        happen(&mut app, &mut world, step);
        assert!(app.model.layers.len() <= 8, "{:?}", app.model.layers);
        let due = next_deadline(&app.model);
        assert!(due.is_none_or(|due| due <= Duration::from_secs(571)));
        if let Some(key) = app.model.withdrawals.in_flight {
            assert!(world.journal.contains_key(&key));
        }
    }
    let sent = world.journal.values().map(|(withdrawal, _)| withdrawal.attempts.len()).collect();
    (format!("{:?}", app.model), sent)
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 96,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// Only stored withdrawals are sent. While a withdrawal of an account is open, another one is
    /// sent only if the seller typed its amount again.
    ///
    /// The test found each of these deliberate bugs: a resend with a new idempotency key, a resend
    /// that stores a new withdrawal, a second open withdrawal without retyping the amount, and an
    /// app that forgets which withdrawals are open.
    #[test]
    fn no_event_order_sends_a_withdrawal_twice(
        steps in prop::collection::vec(step(), 1..120)
    ) {
        let (once, _) = play(&steps);
        let (again, _) = play(&steps);
        prop_assert_eq!(once, again);
    }
}

/// Checks that the random event sequences of these tests do lead to sent withdrawals.
#[test]
fn the_orders_that_are_tried_send_withdrawals() {
    use proptest::{strategy::ValueTree, test_runner::TestRunner};
    let mut runner = TestRunner::deterministic();
    let orders = prop::collection::vec(step(), 60..120);
    let played: Vec<Vec<usize>> =
        (0..60).map(|_| play(&orders.new_tree(&mut runner).unwrap().current()).1).collect();
    let several = played.iter().filter(|sent| sent.iter().filter(|n| **n > 0).count() > 1);
    assert!(several.count() >= 5, "{played:?}");
    assert!(played.iter().flatten().any(|attempts| *attempts > 1), "{played:?}");
}
