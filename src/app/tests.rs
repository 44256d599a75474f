//! The app's behaviour, told in keys and answers: what is pressed, what is wanted done.

mod asking;
mod charges;
mod confirming;
mod consent;
mod demo;
mod destinations;
mod doctor;
mod entry;
mod expiry;
mod first_run;
mod focus;
mod growth;
mod habits;
mod keys;
mod legible;
mod lists;
mod logins;
mod make_live;
mod marks;
mod masks;
mod nicknames;
mod orders;
mod palette;
mod payments;
mod person;
mod profiles;
mod quote;
mod reasons;
mod receipt;
mod review;
mod scroll;
mod sending;
mod sharing;
mod teaching;
mod typing;
mod waiting;
mod windows;

use std::sync::Arc;
use std::time::Duration;

use uuid::Uuid;

// What nearly every file of these tests names.
use super::cx::{Question, Route};
use super::router::sight;
use super::screen::Focus;
use super::screens::Layer;
use super::screens::withdrawals::{Draft, Flow, Review};
use super::store::clip::Clip;
use super::store::commands::{Command, Item};
use super::store::seen::{FOCUS_MS, Front, Seen};
use super::store::session::{Credential, Held, Keeper};
use super::store::unsaved::NotSaved;
use super::store::withdrawals::QuoteState;
use super::store::withdrawals::clues::ClueKind;
use super::store::withdrawals::{Past, Refused, Snapshot};
use super::ui::action::Action;
use super::ui::form::FieldError;
use super::ui::input::{Code, Input, Key, Pace};
use super::ui::keys::Keymap;
use super::ui::{Area, Overflow, Shown, Target};
use super::*;
use crate::contract::Contract;
use crate::trade::withdrawal::*;
use crate::trade::*;
use crate::words::{Lang, Words};

const SELLER: &str = "ana@loja.example";

/// The counter with somebody at it.
struct Counter {
    model: Model,
    now: Clocks,
    minted: u128,
    /// The last frame, where a test says itself when there is one.
    eye: Option<Arc<Seen>>,
    /// How the text in front is laid out.
    laid_out: LaidOut,
    /// How keys and clicks arrive.
    pace: Pace,
}

/// Which lines of a text a frame has, and what of it has no room.
type LaidOut = Box<dyn Fn(&Model) -> (Shown, Overflow)>;

impl Counter {
    /// Clicks on the place of a frame that means this.
    fn clicks(&mut self, target: Target) -> Vec<Effect> {
        let page = around::page(&self.model, self.model.size);
        let is_it = |(_, meant): &&(Area, Target)| *meant == target;
        let (place, _) = page.targets.iter().find(is_it).expect("a place that means it");
        let click = Input::Click { column: place.x, row: place.y };
        let mut stamp = self.stamp();
        Arc::make_mut(&mut stamp.seen).targets = page.targets;
        update(&mut self.model, Msg::Input(click), &stamp)
    }

    /// The counter as it is before anything has answered.
    fn closed() -> Counter {
        Counter::with_contract(Contract::built_in())
    }

    fn with_contract(contract: Contract) -> Counter {
        let keys: KeyTable = toml::from_str(include_str!("../../assets/keys.toml")).unwrap();
        let keys = Arc::new(Keymap::from_table(&keys).unwrap());
        let window = Window {
            retention: Duration::from_secs(600),
            deadline: Duration::from_secs(30),
            resend_after: Duration::ZERO,
        };
        let setup = Setup {
            profile: "default".into(),
            base_url: "https://api.example".into(),
            origin: Origin("https://api.example".into()),
            title: "loja da ana".into(),
            journal: "/srv/balcao/live/https-api.loja.example".into(),
            ..Setup::new(contract, window, keys)
        };
        let now = Clocks { wall: Wall(1_000_000), boot_ms: 50_000, boot_id: "boot".into() };
        let size = Size { columns: 80, rows: 24 };
        Counter::at(Model::new(setup, size, now))
    }

    /// The counter at which this is so.
    fn at(model: Model) -> Counter {
        // Every text has room, and can be scrolled all the same.
        let laid_out: LaidOut = Box::new(|_| (Shown::ALL, Overflow { lines: 5, page: 10 }));
        Counter {
            now: model.now.clone(),
            model,
            minted: 0,
            eye: None,
            laid_out,
            pace: Pace::Deliberate,
        }
    }

    /// Logged in, the domains listed, every list loaded and empty.
    fn open() -> Counter {
        let mut counter = Counter::closed();
        counter.log_in();
        counter
    }

    /// The same before somebody who looks but once: many answers come in sooner.
    fn in_one_frame() -> Counter {
        let mut counter = Counter::open();
        counter.eye = Some(counter.seen());
        counter
    }

    fn log_in(&mut self) {
        self.tell(Msg::CredentialsRead {
            keeper: Keeper::Kept(VaultKind::Keyring),
            api_token: held(SELLER),
            jwt: held("seller-1"),
        });
        let ticket = self.ticket();
        let domain = CheckoutDomain {
            host: "loja.example".into(),
            state: DomainState::Active,
            is_default: true,
        };
        self.tell(Msg::DomainsListed { ticket, result: Ok(vec![domain]) });
    }

    fn stamp(&mut self) -> Stamp {
        self.minted += 1;
        let fresh_key = IdempotencyKey(Uuid::from_u128(self.minted));
        Stamp { clocks: self.now.clone(), fresh_key, seen: self.seen(), pace: self.pace }
    }

    /// A frame between any two messages, and somebody who looks before the next key: a burst of
    /// keys, and who is too fast, are told by a test of their own.
    fn seen(&self) -> Arc<Seen> {
        let frame = u64::try_from(self.minted).unwrap();
        let at_ms = self.now.boot_ms.saturating_sub(FOCUS_MS);
        self.eye.clone().unwrap_or_else(|| self.frame(frame, at_ms))
    }

    /// What a frame of this number has on the screen that is written now. What a click means there
    /// is left out but where keys look at it too: to lay out a page for every key is slow.
    fn frame(&self, frame: u64, at_ms: u64) -> Arc<Seen> {
        let model = &self.model;
        let nothing = Seen { frame, at_ms, size: model.size, ..Seen::default() };
        if model.areas(model.size).is_none() {
            return Arc::new(nothing);
        }
        let (shown, overflow) = (self.laid_out)(model);
        let targets = match model.layers.last() {
            Some(Layer::MakeLive(_)) => around::page(model, model.size).targets,
            _ => vec![],
        };
        Arc::new(Seen {
            targets,
            front: Some(Front::of(model)),
            terms: sight::terms(model),
            shown: Some(shown),
            overflow,
            ..nothing
        })
    }

    /// Looks at what is in front, and does nothing.
    fn looks(&mut self) {
        assert_eq!(self.tell(Msg::Input(Input::Wheel(0))), vec![]);
    }

    fn tell(&mut self, msg: Msg) -> Vec<Effect> {
        let stamp = self.stamp();
        update(&mut self.model, msg, &stamp)
    }

    /// Presses keys, spelled as in `keys.toml`; what all of them together want done.
    fn keys(&mut self, keys: &str) -> Vec<Effect> {
        keys.split_whitespace()
            .flat_map(|key| {
                let key = key.parse().unwrap_or_else(|()| panic!("no such key: {key}"));
                self.tell(Msg::Input(Input::Key(key)))
            })
            .collect()
    }

    /// Types a text, letter by letter.
    fn types(&mut self, text: &str) -> Vec<Effect> {
        text.chars()
            .flat_map(|c| self.tell(Msg::Input(Input::Key(Key::plain(Code::Char(c))))))
            .collect()
    }

    fn pastes(&mut self, text: &str) -> Vec<Effect> {
        self.tell(Msg::Input(Input::Paste(text.into())))
    }

    /// Lets time pass in silence.
    fn passes(&mut self, ms: u64) {
        self.now.boot_ms += ms;
        self.now.wall = self.now.wall.plus(Duration::from_millis(ms));
    }

    /// Lets time pass until the model wants a moment of it.
    fn rests(&mut self, ms: u64) -> Vec<Effect> {
        self.passes(ms);
        self.tell(Msg::Pulse)
    }

    /// The number of the last question.
    fn ticket(&self) -> Ticket {
        self.model.last_ticket
    }

    fn top(&self) -> &Layer {
        self.model.layers.last().expect("a layer")
    }

    /// The details of this withdrawal are open, and nothing else.
    fn has_in_front(&mut self, withdrawal: Withdrawal) {
        let route = Route::Withdrawal(Box::new(withdrawal));
        let stamp = self.stamp();
        self.model.layers.clear();
        router::open(&mut self.model, route, &stamp);
    }

    /// The withdrawal that what lies on top is about, also under a question.
    fn subject(&self) -> Option<&Withdrawal> {
        let mut screens = self.model.layers.iter().rev().map(Layer::screen);
        screens.find_map(|screen| screen.links(&self.model.store).withdrawal)
    }

    fn draft(&self) -> &Draft {
        match self.top() {
            Layer::Withdraw(Flow::Form(draft)) => draft,
            other => panic!("no form but {other:?}"),
        }
    }

    fn review(&self) -> &Review {
        match self.top() {
            Layer::Withdraw(Flow::Review(review)) => review,
            other => panic!("no review but {other:?}"),
        }
    }

    /// A withdrawal's form, everything typed, the quote not asked for yet.
    fn types_withdrawal(&mut self, centavos: &str) {
        self.keys("3 n");
        if matches!(self.top(), Layer::Login(_)) {
            // It may be filled in first.
            self.keys("Esc");
        }
        self.types(centavos);
        self.keys("Tab Tab");
        self.types("11144477735");
    }

    /// The quote came for what was typed.
    fn is_quoted(&mut self) {
        let (ticket, amount) = self.asks_fee();
        let result = Ok(quote(amount, self.now.wall));
        assert_eq!(self.tell(Msg::Quoted { ticket, result }), vec![]);
    }

    /// The quote is asked for, as the typing has rested.
    fn asks_fee(&mut self) -> (Ticket, Money) {
        self.asks_fee_after(300)
    }

    /// The same after so many milliseconds.
    fn asks_fee_after(&mut self, ms: u64) -> (Ticket, Money) {
        let asked = self.rests(ms);
        let [Effect::Quote { ticket, amount }] = asked[..] else { panic!("{asked:?}") };
        (ticket, amount)
    }

    /// The quote that was asked for under this number failed.
    fn gets_no_fee(&mut self, ticket: Ticket) {
        let failure = NoQuote::Failure(Failure::NoAnswer(NoAnswer::Timeout));
        self.tell(Msg::Quoted { ticket, result: Err(failure) });
    }

    /// The journal knows nothing that stands in the way of this agreement.
    fn is_reviewed(&mut self, key: IdempotencyKey) {
        self.tell(Msg::Reviewed { key, past: Ok(Past::default()) });
    }

    /// The review, looked up and armed.
    fn reviews(&mut self, centavos: &str) -> Agreement {
        let agreement = self.drafts(centavos);
        self.is_reviewed(agreement.key);
        self.passes(500);
        agreement
    }

    /// Everything typed, the quote there, the journal's word about the past still out.
    fn drafts(&mut self, centavos: &str) -> Agreement {
        self.types_withdrawal(centavos);
        self.is_quoted();
        self.submits()
    }

    fn submits(&mut self) -> Agreement {
        let wanted = self.keys("Ctrl-S");
        let [Effect::Money(MoneyCommand::LookUpPast(agreement))] = &wanted[..] else {
            panic!("{wanted:?}")
        };
        (**agreement).clone()
    }

    /// Confirmed, durable and on its way.
    fn sends(&mut self, centavos: &str) -> Withdrawal {
        self.reviews(centavos);
        let (agreement, _) = agreed(self.keys("Tab Enter"));
        let withdrawal = prepared(&agreement);
        let key = agreement.key;
        let result = Ok(Box::new(withdrawal.clone()));
        assert_eq!(self.tell(Msg::Prepared { key, result }), attempt(key));
        withdrawal
    }

    /// Asks to send what is in front and says yes, half a second after all that is asked for came.
    fn resends(&mut self) -> Vec<Effect> {
        let asked = self.keys("s");
        let opened =
            asked.iter().any(|effect| matches!(effect, Effect::Money(MoneyCommand::LookUpPast(_))));
        for effect in &asked {
            match effect {
                Effect::Money(MoneyCommand::LookUpPast(agreement)) => {
                    self.is_reviewed(agreement.key);
                }
                Effect::Quote { ticket, amount } => {
                    let result = Ok(quote(*amount, self.now.wall));
                    self.tell(Msg::Quoted { ticket: *ticket, result });
                }
                other => panic!("{other:?}"),
            }
        }
        if !opened {
            return asked;
        }
        self.passes(500);
        self.keys("Tab Enter")
    }

    /// Says yes to the question before something is sent, the amount typed where it must be.
    fn says_yes(&mut self) -> Vec<Effect> {
        let Some(Layer::Send(open)) = self.model.layers.last() else { return vec![] };
        let amount = open.look.retype.as_ref().and(open.withdrawal.agreement.amount.centavos());
        let mut wanted = self.types(&amount.map(|n| n.to_string()).unwrap_or_default());
        wanted.extend(self.keys("Tab Enter"));
        wanted
    }

    /// The texts that are agreed to have so many lines; so many fit as the screen has rows.
    fn has_lines(&mut self, total: u16) {
        self.laid_out = Box::new(move |model| {
            let rows = model.size.rows;
            let hidden = total.saturating_sub(rows);
            let first = model.scroll.min(hidden);
            let shown = Shown { first, end: (first + rows).min(total), total };
            (shown, Overflow { lines: hidden, page: rows })
        });
    }

    /// The pane with these withdrawals in its list, of which none is open.
    fn decided(rows: Vec<Withdrawal>) -> Counter {
        let mut counter = Counter::open();
        counter.keys("3");
        counter.journal_says(Ok(Snapshot { page: page_of(rows), ..Snapshot::default() }));
        counter
    }

    /// The journal's list now holds these open ones.
    fn has_open(&mut self, open: Vec<Withdrawal>) {
        self.journal_says(Ok(snapshot(open)));
    }

    /// The same with one whose outcome nobody knows.
    fn has_unknown(&mut self, n: u128, centavos: i64) -> Withdrawal {
        let one = unknown(n, centavos, &self.now);
        self.has_open(vec![one.clone()]);
        one
    }

    /// The journal answers a new question for its list.
    fn journal_says(&mut self, result: Result<Snapshot, JournalTrouble>) -> Vec<Effect> {
        let ticket = self.model.ticket();
        self.model.withdrawals.list.ask(ticket);
        self.tell(Msg::WithdrawalsLoaded { ticket, result })
    }

    /// A withdrawal whose only attempt ended so, its outcome in front.
    fn settled(class: Class) -> (Counter, Withdrawal) {
        let mut counter = Counter::open();
        let sent = counter.sends("10010");
        let settled = counter.settles(&sent, class);
        (counter, settled)
    }

    /// Whether this can be done now.
    fn offers(&self, action: Action) -> bool {
        self.offered().contains(&action)
    }

    /// What can be done now.
    fn offered(&self) -> Vec<Action> {
        router::actions(&self.model)
    }

    /// The attempt that is on its way began and ended so.
    fn settles(&mut self, withdrawal: &Withdrawal, class: Class) -> Withdrawal {
        let withdrawal = attempted(withdrawal, &self.now, class);
        self.tell(Msg::Settled(Box::new(withdrawal.clone())));
        withdrawal
    }

    fn types_link(&mut self) {
        self.keys("1 n");
        self.types("4990");
        self.keys("Tab");
        self.types("Boné");
    }

    fn asks_for_link(&mut self) -> (Ticket, LinkRequest) {
        self.types_link();
        let wanted = self.keys("Ctrl-S");
        let [Effect::MakeLink { ticket, request }] = &wanted[..] else { panic!("{wanted:?}") };
        (*ticket, request.clone())
    }

    /// The service read the exchange, and it is kept to be looked at.
    fn exchanges(&mut self, exchange: Exchange) -> Vec<Effect> {
        self.tell(Msg::Exchanged(Arc::new(exchange)))
    }

    /// The list of links holds these.
    fn has_links(&mut self, links: Vec<PaymentLink>) {
        let ticket = self.model.ticket();
        self.model.links.list.ask(ticket);
        let total = links.len() as u64;
        let page = page_of(links);
        let totals = Some(LinkTotals { total, ..LinkTotals::default() });
        self.tell(Msg::LinksLoaded { ticket, result: Ok(LinksRead { page, totals }) });
    }
}

/// The notice on the screen.
fn said(counter: &Counter) -> Option<&Notice> {
    counter.model.notice.as_ref()
}

fn held(identity: &str) -> Credential {
    Credential::Held(Held {
        identity: identity.into(),
        expires: None,
        since: None,
        from_demo: false,
    })
}

fn brl(centavos: i64) -> Money {
    Money::from_centavos(centavos)
}

fn quote(amount: Money, at: Wall) -> Quote {
    Quote::new(amount, Some(brl(205)), None, at).unwrap()
}

fn key(n: u128) -> IdempotencyKey {
    IdempotencyKey(Uuid::from_u128(n))
}

fn prepared(agreement: &Agreement) -> Withdrawal {
    Withdrawal { agreement: agreement.clone(), attempts: vec![], decision: None }
}

/// The same with one more attempt, which ended so.
fn attempted(withdrawal: &Withdrawal, now: &Clocks, class: Class) -> Withdrawal {
    let mut withdrawal = withdrawal.clone();
    let end = AttemptEnd {
        at: now.wall,
        boot_ms: now.boot_ms,
        class,
        status: None,
        server_date: None,
        message: None,
        hint: None,
    };
    let n = withdrawal.attempts.len() as u32 + 1;
    withdrawal.attempts.push(Attempt { n, began: now.clone(), end: Some(end) });
    withdrawal
}

/// The same with one more attempt, which is on its way.
fn on_its_way(withdrawal: &Withdrawal, now: &Clocks) -> Withdrawal {
    let mut sent = attempted(withdrawal, now, LOST);
    sent.attempts.last_mut().unwrap().end = None;
    sent
}

const LOST: Class = Class::Unclear(Unclear::Timeout);

/// How an attempt ended that the service took.
const ACCEPTED: Class = Class::Confirmed { id: None, status: None };

/// What is to be made durable, and what was typed again for it.
fn agreed(wanted: Vec<Effect>) -> (Agreement, Option<Retyped>) {
    match &wanted[..] {
        [Effect::Money(MoneyCommand::Prepare { agreement, retyped })] => {
            ((**agreement).clone(), retyped.clone())
        }
        other => panic!("nothing is agreed to but {other:?}"),
    }
}

/// The effect of sending the withdrawal of this key.
fn attempt(key: IdempotencyKey) -> Vec<Effect> {
    vec![Effect::Money(MoneyCommand::Attempt(key))]
}

/// The effect of a person's word about the withdrawal of this key.
fn decide(key: IdempotencyKey, choice: Decision) -> Vec<Effect> {
    vec![Effect::Money(MoneyCommand::Decide { key, choice })]
}

/// A list of which all rows are here.
fn page_of<T>(rows: Vec<T>) -> ListPage<T> {
    ListPage { total: Some(rows.len() as u64), rows: rows.into(), first: 0 }
}

/// What the journal says when these are open, and nothing else is there.
fn snapshot(open: Vec<Withdrawal>) -> Snapshot {
    Snapshot { page: page_of(open.clone()), open, ..Snapshot::default() }
}

/// An exchange with this reply, and an idempotency key as a withdrawal has it.
fn exchange(operation: Operation, status: u16, body: impl Into<Untrusted>) -> Exchange {
    Exchange {
        at: Wall(0),
        operation,
        method: "POST".into(),
        url: "https://api.example/".into(),
        request_headers: vec![("Idempotency-Key".into(), key(1).to_string())],
        request_body: None,
        reply: Ok(ReplySeen { status, headers: vec![], body: body.into() }),
        took: Duration::ZERO,
    }
}

/// A withdrawal of the seller's whose outcome nobody knows.
fn unknown(n: u128, centavos: i64, now: &Clocks) -> Withdrawal {
    let agreement = Agreement {
        key: key(n),
        account: seller(),
        profile: "default".into(),
        method: "POST".into(),
        url: "https://api.example/w".into(),
        key_header: key(n).to_string().into(),
        key_header_name: "Idempotency-Key".into(),
        untyped: vec![],
        body: "{}".into(),
        amount: brl(centavos),
        destination: None,
        quote: None,
        agreed: now.clone(),
    };
    attempted(&prepared(&agreement), now, LOST)
}

fn seller() -> Account {
    Account { origin: Origin("https://api.example".into()), identity: SELLER.into() }
}

fn link(url: &str) -> PaymentLink {
    let request = LinkRequest {
        account: seller(),
        amount: brl(4_990),
        description: "Boné".into(),
        domain: Some("loja.example".into()),
    };
    let outcome = LinkOutcome::Created { url: url.into() };
    PaymentLink { id: RowId(1), at: Wall(1_000_000), request, outcome, paid: None }
}

fn unauthorized(kind: CredentialKind) -> Failure {
    let refusal = Refusal { status: 401, message: None, hint: None };
    Failure::Unauthorized { credential: Some(kind), refusal }
}

/// What the behaviour is made of is data: it can be kept, and written down as it happened.
#[test]
fn the_model_and_everything_that_travels_are_values() {
    fn value<T: Clone + std::fmt::Debug + Send + Sync + 'static>() {}
    value::<Model>();
    value::<Msg>();
    value::<Effect>();
    value::<Seen>();
    value::<Stamp>();
}
