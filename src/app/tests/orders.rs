//! Property tests of the app: random sequences of key presses, replies and other events, run
//! against a simulated journal.

mod told;

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::app::MoneyCommand::{Attempt, Decide, Load, LoadDestinations, LookUpPast, Prepare};
use told::{ExpectedOpen, may_have_been_sent};

/// A random event in a sequence.
#[derive(Debug, Clone)]
enum Event {
    /// Presses a key. The number is an index into [`KEYS`].
    Key(usize),
    /// Replies to a running request. `which` selects the request, and `how` selects the result.
    Reply {
        which: usize,
        how: u8,
    },
    /// Advances the clocks by this many milliseconds, then delivers a timer message (`Pulse`).
    Wait(u64),
    Paste(usize),
    /// Loads the list of withdrawals.
    LoadList,
    /// Loads valid credentials from the vault.
    LogIn,
    /// Presses all keys that create and confirm a withdrawal of this amount, if the app allows it.
    ConfirmNew(&'static str),
    /// Confirms and sends a withdrawal, lets it time out, and sends it again.
    SendTwice,
    /// Another instance of the app makes a withdrawal of this many centavos. The flag is true if it
    /// is paid, and false if its outcome is unknown.
    OtherInstance(i64, bool),
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

fn any_event() -> impl Strategy<Value = Event> {
    prop_oneof![
        4 => (0..KEYS.len()).prop_map(Event::Key),
        5 => (0..4_usize, 0..12_u8).prop_map(|(which, how)| Event::Reply { which, how }),
        2 => prop_oneof![Just(0), Just(300), Just(500), Just(130_000), Just(600_000)]
            .prop_map(Event::Wait),
        1 => (0..PASTES.len()).prop_map(Event::Paste),
        1 => Just(Event::LoadList),
        1 => Just(Event::LogIn),
        1 => prop_oneof![Just("100"), Just("500")].prop_map(Event::ConfirmNew),
        1 => Just(Event::SendTwice),
        1 => (prop_oneof![Just(100), Just(700)], any::<bool>())
            .prop_map(|(centavos, paid)| Event::OtherInstance(centavos, paid)),
    ]
}

/// A simulated journal and service, which reply when the test decides.
#[derive(Default)]
struct World {
    running: Vec<Effect>,
    /// The withdrawals in the journal. With each is a list of other open withdrawals: the seller
    /// saw them and retyped the amount, so they do not prevent sending.
    journal: BTreeMap<IdempotencyKey, (Withdrawal, Vec<IdempotencyKey>)>,
    in_flight: Vec<IdempotencyKey>,
    /// Withdrawals that the journal refused to send, with the open withdrawal that blocked each.
    blocked: BTreeMap<IdempotencyKey, IdempotencyKey>,
    other_count: u128,
    expected_open: ExpectedOpen,
}

const WINDOW: Window = Window {
    retention: Duration::from_secs(600),
    deadline: Duration::from_secs(30),
    resend_after: Duration::ZERO,
};

fn is_same(one: &Agreement, other: &Agreement) -> bool {
    one.amount == other.amount && one.destination == other.destination
}

impl World {
    fn deliver(&mut self, app: &mut App, msg: Msg) {
        self.expected_open.on_message(&msg);
        let effects = app.deliver(msg);
        self.check_effects(app, effects);
    }

    /// Records the requested effects, after checking that the app was allowed to request them.
    fn check_effects(&mut self, app: &App, effects: Vec<Effect>) {
        for effect in effects {
            match &effect {
                Effect::Money(Attempt { key, .. }) => self.check_attempt(app, *key),
                Effect::Cancel(ticket) => {
                    self.running.retain(|effect| match effect {
                        Effect::Quote {
                            ticket: quote_ticket,
                            ..
                        } => quote_ticket != ticket,
                        _ => true,
                    });
                    continue;
                }
                Effect::Money(Prepare { agreement, retyped }) => {
                    let amount = agreement.amount;
                    assert!(
                        retyped
                            .as_ref()
                            .is_none_or(|retyped| retyped.amount == amount)
                    );
                    assert!(
                        !self.journal.contains_key(&agreement.key),
                        "a key is used once"
                    );
                    let confirmed = retyped.as_ref().map(|retyped| &retyped.shown_keys[..]);
                    for open in self.expected_open.other_open(agreement) {
                        assert!(confirmed.unwrap_or_default().contains(&open.key), "unasked");
                        assert!(!is_same(open, agreement), "the same is open");
                    }
                }
                Effect::Money(Decide {
                    key,
                    choice: Decision::StatedNotPaid,
                }) => {
                    let (withdrawal, _) = &self.journal[key];
                    let state = withdrawal.state(&app.now, &app.model.setup.window, false);
                    assert!(
                        matches!(state, WithdrawalState::NeedsPerson(_)),
                        "{state:?}"
                    );
                }
                Effect::Money(Load(request)) => self.expected_open.on_list_request(request.ticket),
                _ => {}
            }
            self.running.push(effect);
        }
    }

    fn check_attempt(&mut self, app: &App, key: IdempotencyKey) {
        let (withdrawal, allowed) = self
            .journal
            .get(&key)
            .expect("only what was prepared is sent");
        assert!(self.in_flight.is_empty(), "one at a time");
        let state = withdrawal.state(&app.now, &app.model.setup.window, false);
        assert!(
            matches!(state, WithdrawalState::Prepared | WithdrawalState::Unknown),
            "{state:?}"
        );
        self.in_flight.push(key);
        if state == WithdrawalState::Prepared {
            for open in self.expected_open.other_open(&withdrawal.agreement) {
                let is_confirmed = allowed.contains(&open.key);
                assert!(is_confirmed, "a second payment that nobody agreed to");
            }
            // The journal may contain open withdrawals that the app has not loaded. The journal
            // then refuses to send.
            let open = self.open();
            let unknown = open
                .iter()
                .find(|open| !allowed.contains(&open.agreement.key));
            if let Some(other) = unknown.map(|open| open.agreement.key) {
                self.blocked.insert(key, other);
                return;
            }
        }
        // The attempt is stored before it is sent, so the withdrawal counts as possibly paid.
        self.journal.get_mut(&key).unwrap().0 = with_running_attempt(withdrawal, &app.now);
    }

    fn reply(&mut self, app: &App, which: usize, how: u8) -> Option<Msg> {
        if self.running.is_empty() {
            return None;
        }
        let effect = self.running.remove(which % self.running.len());
        let now = app.now.clone();
        Some(match effect {
            Effect::Quote { ticket, amount, .. } => Msg::Quoted {
                ticket,
                result: match how {
                    0 => Err(NoQuote::Failure(Failure::NoAnswer(NoAnswer::Cut))),
                    1 => Err(NoQuote::Failure(unauthorized(CredentialKind::ApiToken))),
                    2 => Err(NoQuote::Fault(QuoteFault::DoesNotAddUp {
                        amount,
                        fee: brl(1),
                        net: brl(1),
                    })),
                    // A fee of R$ 0,01 is valid for every amount.
                    _ => Quote::new(amount, Some(brl(1)), None, now.wall).map_err(NoQuote::Fault),
                },
            },
            Effect::Money(LookUpPast(agreement)) => {
                let past = PastPayments {
                    similar: self.similar_decided(&agreement, &now),
                    known_destination: None,
                };
                Msg::Reviewed {
                    key: agreement.key,
                    past: Ok(past),
                }
            }
            Effect::Money(LoadDestinations { ticket, .. }) => Msg::DestinationsLoaded {
                ticket,
                result: Ok(self.destinations()),
            },
            Effect::Money(Prepare { agreement, retyped }) => {
                self.prepare(&agreement, retyped, how, &now)
            }
            Effect::Money(Attempt { key, .. }) => self.end_attempt(key, how, &now),
            Effect::Money(Decide { key, choice }) => self.decide(key, choice, app),
            Effect::Money(Load(request)) => return Some(self.list_reply(request.ticket)),
            Effect::LogIn { ticket, .. } => Msg::LoggedIn {
                ticket,
                result: Ok(vec![(CredentialKind::ApiToken, credential(SELLER))]),
            },
            Effect::ListDomains(ticket) => Msg::DomainsListed {
                ticket,
                result: Ok(vec![].into()),
            },
            Effect::LoadLinks(request) => Msg::LinksLoaded {
                ticket: request.ticket,
                result: Ok(SalesPage::default()),
            },
            Effect::MakeLink { ticket, .. } if how < 6 => {
                link_made(ticket, Err(unauthorized(CredentialKind::Jwt)))
            }
            Effect::MakeLink { ticket, .. } => {
                link_made(ticket, Ok(link("https://loja.example/x")))
            }
            _ => return None,
        })
    }

    fn reply_to_all(&mut self, app: &mut App, is_match: impl Fn(&Effect) -> bool) {
        while let Some(index) = self.running.iter().position(&is_match) {
            let Some(msg) = self.reply(app, index, 9) else {
                return;
            };
            self.deliver(app, msg);
        }
    }

    fn open(&self) -> Vec<&Withdrawal> {
        let withdrawals = self.journal.values().map(|(withdrawal, _)| withdrawal);
        withdrawals
            .filter(|withdrawal| may_have_been_sent(withdrawal))
            .collect()
    }

    /// Adds a withdrawal of another instance. The app sees it only after it loads the list.
    fn add_foreign(&mut self, app: &App, centavos: i64, paid: bool) {
        self.other_count += 1;
        let mut withdrawal = unknown_withdrawal(1_000_000 + self.other_count, centavos, &app.now);
        withdrawal.agreement.destination = PixKey::parse(PixKeyKind::Cpf, "11144477735").ok();
        withdrawal.agreement.body = r#"{"pixKey":"11144477735"}"#.into();
        if paid {
            withdrawal = with_attempt(&withdrawal, &app.now, ACCEPTED);
        }
        self.journal
            .insert(withdrawal.agreement.key, (withdrawal, vec![]));
    }

    fn similar_decided(&self, agreement: &Agreement, now: &Clocks) -> Vec<Withdrawal> {
        let withdrawals = self.journal.values().map(|(withdrawal, _)| withdrawal);
        let similar = withdrawals.filter(|other| {
            is_same(&other.agreement, agreement) && other.state(now, &WINDOW, false).is_decided()
        });
        similar.cloned().collect()
    }

    fn destinations(&self) -> Vec<Destination> {
        let mut keys: Vec<PixKey> = Vec::new();
        for (withdrawal, _) in self.journal.values() {
            let key = withdrawal.agreement.destination.clone();
            keys.extend(key.filter(|key| !keys.contains(key)));
        }
        let known = |key| Destination {
            key,
            count: 1,
            last: Wall(0),
            last_amount: brl(1),
        };
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
        let confirmed = retyped
            .map(|retyped| retyped.shown_keys)
            .unwrap_or_default();
        let look_again = |kind, other: &Withdrawal| {
            Some(NotDone::Blocked(Blocker::Clash(Clash {
                kind,
                other: Box::new(other.clone()),
            })))
        };
        let is_unconfirmed = |other: &&Withdrawal| !confirmed.contains(&other.agreement.key);
        let open = self.open();
        let paid = self
            .similar_decided(agreement, now)
            .into_iter()
            .find(|other| {
                is_unconfirmed(&other)
                    && other.state(now, &WINDOW, false) == WithdrawalState::Accepted
            });
        let refusal = if how == 0 {
            Some(NotDone::Journal(JournalTrouble::Io("x".into())))
        } else if let Some(same) = open.iter().find(|o| is_same(&o.agreement, agreement)) {
            look_again(ClashKind::SameOpen, same)
        } else if let Some(other) = open.iter().find(|other| is_unconfirmed(other)) {
            look_again(ClashKind::OtherOpen, other)
        } else {
            paid.and_then(|paid| look_again(ClashKind::SameDecided, &paid))
        };
        let result = match refusal {
            Some(refusal) => Err(refusal),
            None => {
                let withdrawal = prepared_withdrawal(agreement);
                self.journal.insert(key, (withdrawal.clone(), confirmed));
                Ok(Box::new(withdrawal))
            }
        };
        Msg::Prepared { key, result }
    }

    fn end_attempt(&mut self, key: IdempotencyKey, how: u8, now: &Clocks) -> Msg {
        if let Some(other) = self.blocked.remove(&key) {
            self.in_flight.retain(|other| *other != key);
            let known = |key| Box::new(self.journal[&key].0.clone());
            let clash = Clash {
                kind: ClashKind::OtherOpen,
                other: known(other),
            };
            let trouble = Failure::Blocked(Blocker::Clash(clash));
            return Msg::AttemptTrouble {
                key,
                withdrawal: Some(known(key)),
                trouble,
            };
        }
        let (withdrawal, _) = self.journal.get_mut(&key).unwrap();
        if how == 0 {
            self.running
                .push(Effect::Money(Attempt { key, retyped: None }));
            return Msg::AttemptBegan {
                key,
                n: withdrawal.attempts.len() as u32,
            };
        }
        self.in_flight.retain(|other| *other != key);
        if how == 1 {
            let end = with_attempt(withdrawal, now, TIMED_OUT)
                .attempts
                .pop()
                .and_then(|lost| lost.end);
            let n = withdrawal.attempts.len() as u32;
            let end = Box::new(end.unwrap());
            let trouble = JournalTrouble::Io("full".into());
            let trouble = Failure::Unrecorded { n, end, trouble };
            return Msg::AttemptTrouble {
                key,
                withdrawal: None,
                trouble,
            };
        }
        let class = match how {
            2 => ACCEPTED,
            3 => Class::DefiniteNo,
            4 => Class::Unauthorized,
            5 => Class::NotSent(NotSent::Dns),
            6 => Class::Redirected,
            7 => Class::Throttled {
                retry_after: Some(Duration::from_secs(5)),
            },
            _ => TIMED_OUT,
        };
        withdrawal.attempts.pop();
        *withdrawal = with_attempt(withdrawal, now, class);
        Msg::Settled(Box::new(withdrawal.clone()))
    }

    fn decide(&mut self, key: IdempotencyKey, choice: Decision, app: &App) -> Msg {
        let (withdrawal, _) = self
            .journal
            .get_mut(&key)
            .expect("only what is known is decided");
        let state = withdrawal.state(&app.now, &app.model.setup.window, false);
        let is_allowed = match choice {
            Decision::Discarded => state == WithdrawalState::Prepared,
            Decision::FoundPaid => state.is_open(),
            Decision::StatedNotPaid => {
                matches!(
                    state,
                    WithdrawalState::NeedsPerson(_) | WithdrawalState::Mismatch(_)
                )
            }
        };
        if !is_allowed || self.in_flight.contains(&key) {
            return Msg::Decided {
                key,
                result: Err(Failure::NotSent(NotSent::NotSafe)),
            };
        }
        withdrawal.decision = Some((choice, app.now.wall));
        Msg::Decided {
            key,
            result: Ok(Box::new(withdrawal.clone())),
        }
    }

    fn list_reply(&self, ticket: Ticket) -> Msg {
        let open: Vec<Withdrawal> = self.open().into_iter().cloned().collect();
        let rows: Vec<Withdrawal> = self.journal.values().map(|(w, _)| w.clone()).collect();
        let page = page_of(rows);
        Msg::WithdrawalsLoaded {
            ticket,
            result: Ok(Snapshot {
                page,
                open,
                ..Snapshot::default()
            }),
        }
    }
}

fn apply_event(app: &mut App, world: &mut World, step: &Event) {
    match step {
        Event::Key(index) => {
            let effects = app.press(KEYS[*index]);
            world.check_effects(app, effects);
        }
        Event::Reply { which, how } => {
            if let Some(msg) = world.reply(app, *which, *how) {
                world.deliver(app, msg);
            }
        }
        Event::Wait(ms) => {
            let effects = app.pulse_after_ms(*ms);
            world.check_effects(app, effects);
        }
        Event::Paste(index) => {
            let effects = app.paste(PASTES[*index]);
            world.check_effects(app, effects);
        }
        Event::LoadList => {
            let ticket = app.model.next_ticket();
            app.model.withdrawals.list.request_rows(ticket);
            world.expected_open.on_list_request(ticket);
            let reply = world.list_reply(ticket);
            world.deliver(app, reply);
        }
        Event::SendTwice => {
            world.reply_to_all(app, |effect| {
                matches!(effect, Effect::Money(Prepare { .. }))
            });
            world.reply_to_all(app, |effect| {
                matches!(effect, Effect::Money(Attempt { .. }))
            });
            let effects = app.press("s");
            world.check_effects(app, effects);
            world.reply_to_all(app, |effect| {
                matches!(effect, Effect::Money(LookUpPast(_)) | Effect::Quote { .. })
            });
            app.advance_ms(500);
            let effects = app.confirm_dialog();
            world.check_effects(app, effects);
        }
        Event::ConfirmNew(amount) => confirm_withdrawal(app, world, amount),
        Event::OtherInstance(centavos, paid) => world.add_foreign(app, *centavos, *paid),
        Event::LogIn => {
            let api_token = credential(SELLER);
            let jwt = credential("seller-1");
            let vault_status = VaultStatus::Kept(VaultKind::Keyring);
            world.deliver(
                app,
                Msg::CredentialsRead {
                    vault_status,
                    api_token,
                    jwt,
                },
            );
        }
    }
}

/// Fills in the withdrawal form, opens the review screen and presses its confirm button.
fn confirm_withdrawal(app: &mut App, world: &mut World, amount: &str) {
    let keys = |app: &mut App, world: &mut World, keys: &str| {
        for key in keys.split_whitespace() {
            let effects = app.press(key);
            world.check_effects(app, effects);
        }
    };
    let figures = amount.chars().map(|c| format!("{c} ")).collect::<String>();
    keys(
        app,
        world,
        &format!("3 n {figures} Tab 1 1 1 4 4 4 7 7 7 3 5"),
    );
    let effects = app.pulse_after_ms(300);
    world.check_effects(app, effects);
    world.reply_to_all(app, |effect| matches!(effect, Effect::Quote { .. }));
    keys(app, world, "Ctrl-S");
    world.reply_to_all(app, |effect| matches!(effect, Effect::Money(LookUpPast(_))));
    app.advance_ms(500);
    let Some(Layer::Withdraw(Flow::Review(review))) = app.model.layers.last() else {
        return;
    };
    let retyped = review
        .final_review
        .retype
        .iter()
        .map(|_| format!("Tab {figures}"))
        .collect::<String>();
    keys(app, world, &format!("{retyped} Tab Enter"));
}

/// Runs a sequence of events. Returns the final model, and the number of attempts per withdrawal.
fn run_events(steps: &[Event]) -> (String, Vec<usize>) {
    let mut app = App::logged_in();
    let mut world = World::default();
    for step in steps {
        apply_event(&mut app, &mut world, step);
        assert!(app.model.layers.len() <= 8, "{:?}", app.model.layers);
        let due = next_deadline(&app.model);
        assert!(due.is_none_or(|due| due <= Duration::from_secs(571)));
        if let Some(key) = app.model.withdrawals.in_flight {
            assert!(world.journal.contains_key(&key));
        }
    }
    let sent = world
        .journal
        .values()
        .map(|(withdrawal, _)| withdrawal.attempts.len())
        .collect();
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
    #[test]
    fn no_event_order_sends_a_withdrawal_twice(
        steps in prop::collection::vec(any_event(), 1..120)
    ) {
        let (once, _) = run_events(&steps);
        let (again, _) = run_events(&steps);
        prop_assert_eq!(once, again);
    }
}

/// Checks that the random events do lead to sent withdrawals. Otherwise the other tests would prove
/// nothing.
#[test]
fn the_orders_that_are_tried_send_withdrawals() {
    use proptest::{strategy::ValueTree, test_runner::TestRunner};
    let mut runner = TestRunner::deterministic();
    let orders = prop::collection::vec(any_event(), 60..120);
    let played: Vec<Vec<usize>> = (0..60)
        .map(|_| run_events(&orders.new_tree(&mut runner).unwrap().current()).1)
        .collect();
    let several = played
        .iter()
        .filter(|sent| sent.iter().filter(|n| **n > 0).count() > 1);
    assert!(several.count() >= 5, "{played:?}");
    assert!(
        played.iter().flatten().any(|attempts| *attempts > 1),
        "{played:?}"
    );
}
