//! Tests of the app's behavior: each test presses keys or delivers messages, then checks the
//! effects and the model.

mod asking;
mod charges;
mod comparing;
mod confirming;
mod consent;
mod credentials;
mod demo;
mod destinations;
mod doctor;
mod domains;
mod exchange_rows;
mod expiry;
mod exports;
mod first_run;
mod focus;
mod growth;
mod key_feedback;
mod keys;
mod kiosk;
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
mod requests;
mod review;
mod sales;
mod scroll;
mod sending;
mod sharing;
mod shown_keys;
mod teaching;
mod typing;
mod unattended;
mod unstored;
mod waiting;
mod windows;

use std::sync::Arc;
use std::time::Duration;

use uuid::Uuid;

// Imports that nearly every test module uses.
use super::cx::{Question, Route};
use super::router::read_tracker;
use super::screen::Focus;
use super::screens::Layer;
use super::screens::withdrawals::{Draft, Flow, Review};
use super::store::clip::Clip;
use super::store::commands::{Command, Item};
use super::store::frame_snapshot::{FOCUS_MS, FrameSnapshot, Front};
use super::store::session::{Credential, HeldCredential, VaultStatus};
use super::store::withdrawals::QuoteState;
use super::store::withdrawals::lookup_hints::LookupHintKind;
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
use crate::words::{Catalogue, Lang};

const SELLER: &str = "ana@loja.example";

/// An app under test. The test controls time, rendered frames and the speed of input.
struct App {
    model: Model,
    now: Clocks,
    minted: u128,
    /// If set, all messages refer to this frame. With `None`, a new frame is rendered before each
    /// message.
    fixed_frame: Option<Arc<FrameSnapshot>>,
    /// Computes which lines of the front screen's text are visible.
    laid_out: LaidOut,
    /// How fast the simulated keys and clicks follow each other.
    pace: Pace,
}

/// Computes which lines of a text are visible in a frame, and how much of the text does not fit.
type LaidOut = Box<dyn Fn(&Model) -> (Shown, Overflow)>;

impl App {
    /// Clicks the button or other click target `target`.
    fn clicks(&mut self, target: Target) -> Vec<Effect> {
        let page = chrome::page(&self.model, self.model.size);
        let is_it = |(_, meant): &&(Area, Target)| *meant == target;
        let (place, _) = page.targets.iter().find(is_it).expect("a place that means it");
        let click = Input::Click { column: place.x, row: place.y };
        let mut stamp = self.stamp();
        Arc::make_mut(&mut stamp.seen).targets = page.targets;
        update(&mut self.model, Msg::Input(click), &stamp)
    }

    /// Creates an app that has not received any reply yet.
    fn closed() -> App {
        App::with_contract(Contract::built_in())
    }

    fn with_contract(contract: Contract) -> App {
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
        App::at(Model::new(setup, size, now))
    }

    /// Creates an app with this model.
    fn at(model: Model) -> App {
        // By default, the whole text fits on the screen, but the tests can still scroll it.
        let laid_out: LaidOut = Box::new(|_| (Shown::ALL, Overflow { lines: 5, page: 10 }));
        App {
            now: model.now.clone(),
            model,
            minted: 0,
            fixed_frame: None,
            laid_out,
            pace: Pace::Deliberate,
        }
    }

    /// Creates an app with a logged-in seller, an active domain and empty lists.
    fn open() -> App {
        let mut app = App::closed();
        app.log_in();
        app
    }

    /// Like `open`, but no new frame is rendered between the messages that follow.
    fn in_one_frame() -> App {
        let mut app = App::open();
        app.fixed_frame = Some(app.seen());
        app
    }

    fn log_in(&mut self) {
        self.tell(Msg::CredentialsRead {
            vault_status: VaultStatus::Kept(VaultKind::Keyring),
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

    /// Types a password into the login form, and logs in as [`SELLER`].
    fn logs_in_again(&mut self) {
        self.tell(Msg::SecretEdited { slot: "login/password".into(), len: 8 });
        self.keys("Ctrl-S");
        let ticket = self.ticket();
        let held = vec![(CredentialKind::ApiToken, held(SELLER))];
        self.tell(Msg::LoggedIn { ticket, result: Ok(held) });
    }

    fn stamp(&mut self) -> Stamp {
        self.minted += 1;
        let fresh_key = IdempotencyKey(Uuid::from_u128(self.minted));
        Stamp { clocks: self.now.clone(), fresh_key, seen: self.seen(), pace: self.pace }
    }

    /// Returns the frame that the next message refers to. In this frame, the focus has been visible
    /// for long enough that a key can press a button.
    fn seen(&self) -> Arc<FrameSnapshot> {
        let frame = u64::try_from(self.minted).unwrap();
        let at_ms = self.now.boot_ms.saturating_sub(FOCUS_MS).min(self.model.now.boot_ms);
        self.fixed_frame.clone().unwrap_or_else(|| self.frame(frame, at_ms))
    }

    /// Records a frame. Skips the click targets unless the next input needs them, because a full
    /// layout for every key is slow.
    fn frame(&self, frame: u64, at_ms: u64) -> Arc<FrameSnapshot> {
        let model = &self.model;
        let (at_ms, size) = (Some(at_ms), model.size);
        let nothing = FrameSnapshot { frame, at_ms, size, ..FrameSnapshot::default() };
        if model.areas(model.size).is_none() {
            return Arc::new(nothing);
        }
        let (shown, overflow) = (self.laid_out)(model);
        let targets = match model.layers.last() {
            Some(Layer::MakeLive(_)) => chrome::page(model, model.size).targets,
            _ => vec![],
        };
        Arc::new(FrameSnapshot {
            targets,
            front: Some(Front::of(model)),
            terms: read_tracker::terms(model),
            shown: Some(shown),
            on_button: read_tracker::is_on_button(model),
            scroll: model.scroll,
            overflow,
            ..nothing
        })
    }

    /// Renders a frame by sending an input that changes nothing.
    fn renders_frame(&mut self) {
        assert_eq!(self.tell(Msg::Input(Input::Wheel(0))), vec![]);
    }

    fn tell(&mut self, msg: Msg) -> Vec<Effect> {
        let stamp = self.stamp();
        update(&mut self.model, msg, &stamp)
    }

    /// Presses keys, written as in `keys.toml`, and returns all resulting effects.
    fn keys(&mut self, keys: &str) -> Vec<Effect> {
        keys.split_whitespace()
            .flat_map(|key| {
                let key = key.parse().unwrap_or_else(|()| panic!("no such key: {key}"));
                self.tell(Msg::Input(Input::Key(key)))
            })
            .collect()
    }

    fn types(&mut self, text: &str) -> Vec<Effect> {
        text.chars()
            .flat_map(|c| self.tell(Msg::Input(Input::Key(Key::plain(Code::Char(c))))))
            .collect()
    }

    fn pastes(&mut self, text: &str) -> Vec<Effect> {
        self.tell(Msg::Input(Input::Paste(text.into())))
    }

    /// Advances the clocks by this many milliseconds.
    fn passes(&mut self, ms: u64) {
        self.now.boot_ms += ms;
        self.now.wall = self.now.wall.plus(Duration::from_millis(ms));
    }

    /// Advances the clocks by `ms`, delivers a timer message (`Pulse`), and returns the resulting
    /// effects.
    fn rests(&mut self, ms: u64) -> Vec<Effect> {
        self.passes(ms);
        self.tell(Msg::Pulse)
    }

    fn ticket(&self) -> Ticket {
        self.model.last_ticket
    }

    fn top(&self) -> &Layer {
        self.model.layers.last().expect("a layer")
    }

    /// Closes all screens and opens the details of this withdrawal.
    fn shows_details(&mut self, withdrawal: Withdrawal) {
        let route = Route::Withdrawal(Box::new(withdrawal));
        let stamp = self.stamp();
        self.model.layers.clear();
        router::open(&mut self.model, route, &stamp);
    }

    /// Returns the withdrawal that the topmost screen shows. Dialogs above that screen are skipped.
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

    /// Fills in the withdrawal form, but does not wait until the app requests the fee quote.
    fn types_withdrawal(&mut self, centavos: &str) {
        self.keys("3 n");
        if matches!(self.top(), Layer::Login(_)) {
            // The login screen opened above the form, so close it.
            self.keys("Esc");
        }
        self.types(centavos);
        self.keys("Tab");
        self.types("11144477735");
    }

    /// Waits until the app requests the fee quote, then delivers a quote.
    fn is_quoted(&mut self) {
        let (ticket, amount) = self.asks_fee();
        let result = Ok(quote(amount, self.now.wall));
        let mut wanted = self.tell(Msg::Quoted { ticket, result });
        wanted.retain(|effect| !matches!(effect, Effect::KeepExchange { .. }));
        assert_eq!(wanted, vec![]);
    }

    /// Waits until the app requests the fee quote, which happens after a pause in typing.
    fn asks_fee(&mut self) -> (Ticket, Money) {
        self.asks_fee_after(300)
    }

    /// Waits this many milliseconds, and checks that the app then requests the fee quote.
    fn asks_fee_after(&mut self, ms: u64) -> (Ticket, Money) {
        let asked = self.rests(ms);
        let [Effect::Quote { ticket, amount }] = asked[..] else { panic!("{asked:?}") };
        (ticket, amount)
    }

    /// Answers the fee quote request with a timeout.
    fn gets_no_fee(&mut self, ticket: Ticket) {
        let failure = NoQuote::Failure(Failure::NoAnswer(NoAnswer::Timeout));
        self.tell(Msg::Quoted { ticket, result: Err(failure) });
    }

    /// Answers the review screen's query of the journal: there are no similar earlier withdrawals.
    fn is_reviewed(&mut self, key: IdempotencyKey) {
        self.tell(Msg::Reviewed { key, past: Ok(Past::default()) });
    }

    /// Opens the review screen of a withdrawal, answers its journal query, and waits until the
    /// confirm button is enabled.
    fn reviews(&mut self, centavos: &str) -> Agreement {
        let agreement = self.drafts(centavos);
        self.is_reviewed(agreement.key);
        self.passes(500);
        agreement
    }

    /// Opens the review screen of a withdrawal without answering its journal query for similar
    /// withdrawals.
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

    /// Confirms a withdrawal, then lets it be stored and sent.
    fn sends(&mut self, centavos: &str) -> Withdrawal {
        self.reviews(centavos);
        let (agreement, _) = agreed(self.keys("Tab Enter"));
        let withdrawal = prepared(&agreement);
        let key = agreement.key;
        let result = Ok(Box::new(withdrawal.clone()));
        assert_eq!(self.tell(Msg::Prepared { key, result }), attempt(key));
        withdrawal
    }

    /// Sends the withdrawal on the front screen again: presses the send key, answers the dialog's
    /// requests, waits half a second and confirms.
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

    /// Confirms the dialog that opens before sending. Types the amount first if the dialog asks for
    /// it.
    fn confirms_dialog(&mut self) -> Vec<Effect> {
        let Some(Layer::Send(open)) = self.model.layers.last() else { return vec![] };
        let amount = open.look.retype.as_ref().and(open.withdrawal.agreement.amount.centavos());
        let mut wanted = self.types(&amount.map(|n| n.to_string()).unwrap_or_default());
        wanted.extend(self.keys("Tab Enter"));
        wanted
    }

    /// Makes every screen's text `total` lines long. A frame shows only as many lines as the
    /// terminal has rows.
    fn has_lines(&mut self, total: u16) {
        self.laid_out = Box::new(move |model| {
            let rows = model.size.rows;
            let hidden = total.saturating_sub(rows);
            let first = model.scroll.min(hidden);
            let shown = Shown { first, end: (first + rows).min(total), total };
            (shown, Overflow { lines: hidden, page: rows })
        });
    }

    /// Creates an app with this list of withdrawals, which all have a final outcome.
    fn decided(rows: Vec<Withdrawal>) -> App {
        let mut app = App::open();
        app.keys("3");
        app.journal_says(Ok(Snapshot { page: page_of(rows), ..Snapshot::default() }));
        app
    }

    /// Delivers a list of withdrawals with these open withdrawals.
    fn has_open(&mut self, open: Vec<Withdrawal>) {
        self.journal_says(Ok(snapshot(open)));
    }

    /// Delivers a list with one withdrawal whose outcome is unknown.
    fn has_unknown(&mut self, n: u128, centavos: i64) -> Withdrawal {
        let one = unknown(n, centavos, &self.now);
        self.has_open(vec![one.clone()]);
        one
    }

    /// Requests the list of withdrawals, and delivers `result` as the journal's reply.
    fn journal_says(&mut self, result: Result<Snapshot, JournalTrouble>) -> Vec<Effect> {
        let ticket = self.model.ticket();
        self.model.withdrawals.list.ask(ticket);
        self.tell(Msg::WithdrawalsLoaded { ticket, result })
    }

    /// Creates an app that shows a withdrawal whose only send attempt ended with the outcome
    /// `class`.
    fn settled(class: Class) -> (App, Withdrawal) {
        let mut app = App::open();
        let sent = app.sends("10010");
        let settled = app.settles(&sent, class);
        (app, settled)
    }

    fn offers(&self, action: Action) -> bool {
        self.offered().contains(&action)
    }

    fn offered(&self) -> Vec<Action> {
        router::actions(&self.model)
    }

    /// Ends the running attempt to send a withdrawal with the outcome `class`.
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

    /// Delivers a recorded exchange (an HTTP request and its response).
    fn exchanges(&mut self, exchange: Exchange) -> Vec<Effect> {
        self.tell(Msg::Exchanged(Arc::new(exchange)))
    }

    /// Delivers a list of payment links with these links.
    fn has_links(&mut self, links: Vec<PaymentLink>) {
        let ticket = self.model.ticket();
        self.model.links.list.ask(ticket);
        let total = links.len() as u64;
        let page = page_of(links);
        let totals = Some(LinkTotals { total, ..LinkTotals::default() });
        self.tell(Msg::LinksLoaded { ticket, result: Ok(LinksRead { page, totals }) });
    }
}

/// Returns the notice on the screen.
fn said(app: &App) -> Option<&Notice> {
    app.model.notice.as_ref()
}

fn held(identity: &str) -> Credential {
    Credential::Held(HeldCredential {
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

/// Returns the withdrawal with one more attempt to send it, which ended with the outcome `class`.
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

/// Returns the withdrawal with one more attempt to send it, which is still running.
fn on_its_way(withdrawal: &Withdrawal, now: &Clocks) -> Withdrawal {
    let mut sent = attempted(withdrawal, now, LOST);
    sent.attempts.last_mut().unwrap().end = None;
    sent
}

const LOST: Class = Class::Unclear(Unclear::Timeout);

/// The outcome class of a send attempt that the service accepted.
const ACCEPTED: Class = Class::Confirmed { id: None, status: None };

/// Returns the agreement that these effects store and, if the seller had to type the amount again,
/// the typed amount.
fn agreed(wanted: Vec<Effect>) -> (Agreement, Option<Retyped>) {
    match &wanted[..] {
        [Effect::Money(MoneyCommand::Prepare { agreement, retyped })] => {
            ((**agreement).clone(), retyped.clone())
        }
        other => panic!("nothing is agreed to but {other:?}"),
    }
}

/// Returns the effects that send the withdrawal with this key.
fn attempt(key: IdempotencyKey) -> Vec<Effect> {
    vec![Effect::Money(MoneyCommand::Attempt { key, retyped: None })]
}

/// Returns the effects that record the seller's decision about the withdrawal with this key.
fn decide(key: IdempotencyKey, choice: Decision) -> Vec<Effect> {
    vec![Effect::Money(MoneyCommand::Decide { key, choice })]
}

/// Returns a list page that contains all rows of its list.
fn page_of<T>(rows: Vec<T>) -> ListPage<T> {
    ListPage { total: Some(rows.len() as u64), rows: rows.into(), first: 0 }
}

/// Returns the contents of a journal with only these open withdrawals.
fn snapshot(open: Vec<Withdrawal>) -> Snapshot {
    Snapshot { page: page_of(open.clone()), open, ..Snapshot::default() }
}

/// Creates an HTTP exchange with this response. Its request has the idempotency key of withdrawal
/// 1.
fn exchange(operation: Operation, status: u16, body: impl Into<Untrusted>) -> Exchange {
    let reply = Ok(ReplySeen::new(status, vec![], body));
    Exchange {
        request_headers: vec![("Idempotency-Key".into(), key(1).to_string())],
        ..Exchange::new(operation, "POST", "https://api.example/", reply)
    }
}

/// Creates a withdrawal of the test's seller with an unknown outcome.
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

/// Messages, effects and the model must be plain values, so that a run can be logged and replayed.
#[test]
fn the_model_and_everything_that_travels_are_values() {
    fn value<T: Clone + std::fmt::Debug + Send + Sync + 'static>() {}
    value::<Model>();
    value::<Msg>();
    value::<Effect>();
    value::<FrameSnapshot>();
    value::<Stamp>();
}
