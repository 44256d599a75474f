//! Tests of the app's behavior: each test presses keys or delivers messages, then checks the
//! effects and the model.

mod amounts;
mod approvals;
mod asking;
mod bank_rules;
mod charges;
mod comparing;
mod confirming;
mod consent;
mod credential_trials;
mod credentials;
mod demo;
mod destinations;
mod doctor;
mod domains;
mod exchange_rows;
mod expiry;
mod exports;
mod figures;
mod first_run;
mod focus;
mod growth;
mod imports;
mod key_feedback;
mod keys;
mod kiosk;
mod legible;
mod lessons;
mod lists;
mod logins;
mod make_live;
mod marks;
mod masks;
mod nicknames;
mod orders;
mod origins;
mod palette;
mod payments;
mod person;
mod profiles;
mod quote;
mod reasons;
mod receipt;
mod reconcile;
mod recordings;
mod renaming;
mod report;
mod requests;
mod review;
mod sales;
mod scroll;
mod search;
mod sending;
mod sharing;
mod shown_keys;
mod teaching;
mod teaching_more;
mod tidying;
mod typed_text;
mod typing;
mod unattended;
mod unit;
mod unstored;
mod waiting;
mod windows;

use sales::{charge_made, link_made};
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
use super::store::session::{Credential, CredentialDetails, VaultStatus};
use super::store::typed_text::QUIET_MS;
use super::store::withdrawals::QuoteState;
use super::store::withdrawals::lookup_hints::LookupHintKind;
use super::store::withdrawals::{PastPayments, Refused, Snapshot};
use super::ui::action::Action;
use super::ui::form::FieldError;
use super::ui::input::{Code, Input, Key, Pace};
use super::ui::keys::Keymap;
use super::ui::{Area, Overflow, Target, VisibleLines};
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
    stamp_count: u128,
    /// If set, the app handles all messages as if the user saw this frame. With `None`, a new frame
    /// is rendered before each message.
    fixed_frame: Option<Arc<FrameSnapshot>>,
    /// Computes which lines of the front screen's text are visible.
    text_layout: TextLayout,
    /// How fast the simulated keys and clicks follow each other.
    pace: Pace,
}

/// A function that computes which lines of the front screen's text are visible in a frame, and how
/// much of the text does not fit.
type TextLayout = Box<dyn Fn(&Model) -> (VisibleLines, Overflow)>;

impl App {
    /// Clicks this target, such as a button.
    fn click(&mut self, target: Target) -> Vec<Effect> {
        let page = chrome::page(&self.model, self.model.size);
        let is_match = |(_, other): &&(Area, Target)| *other == target;
        let (area, _) = page
            .targets
            .iter()
            .find(is_match)
            .expect("a place that means it");
        let click = Input::Click {
            column: area.x,
            row: area.y,
        };
        let mut stamp = self.stamp();
        Arc::make_mut(&mut stamp.last_frame).targets = page.targets;
        update(&mut self.model, Msg::Input(click), &stamp)
    }

    /// Creates an app that has not received any message yet.
    fn new() -> App {
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
        let now = Clocks {
            wall: Wall(1_000_000),
            boot_ms: 50_000,
            boot_id: "boot".into(),
        };
        let size = Size {
            columns: 80,
            rows: 24,
        };
        App::with_model(Model::new(setup, size, now))
    }

    fn with_model(model: Model) -> App {
        // By default, the whole text fits on the screen, but the tests can still scroll it.
        let text_layout: TextLayout =
            Box::new(|_| (VisibleLines::ALL, Overflow { lines: 5, page: 10 }));
        App {
            now: model.now.clone(),
            model,
            stamp_count: 0,
            fixed_frame: None,
            text_layout,
            pace: Pace::Deliberate,
        }
    }

    /// Creates an app with a logged-in seller, an active domain and empty lists.
    fn logged_in() -> App {
        let mut app = App::new();
        app.log_in();
        app
    }

    /// Like [`App::logged_in`], but no new frame is rendered between the messages that follow.
    fn with_fixed_frame() -> App {
        let mut app = App::logged_in();
        app.fixed_frame = Some(app.current_frame());
        app
    }

    fn log_in(&mut self) {
        self.deliver(Msg::CredentialsRead {
            vault_status: VaultStatus::Kept(VaultKind::Keyring),
            api_token: credential(SELLER),
            jwt: credential("seller-1"),
        });
        let ticket = self.last_ticket();
        let domain = CheckoutDomain {
            host: "loja.example".into(),
            state: DomainState::Active,
            is_default: true,
        };
        self.deliver(Msg::DomainsListed {
            ticket,
            result: Ok(vec![domain].into()),
        });
    }

    /// Types a password into the open login form, and logs in as [`SELLER`].
    fn log_in_again(&mut self) {
        self.deliver(Msg::SecretEdited {
            slot: "login/password".into(),
            len: 8,
        });
        self.press("Ctrl-S");
        let ticket = self.last_ticket();
        let credentials = vec![(CredentialKind::ApiToken, credential(SELLER))];
        self.deliver(Msg::LoggedIn {
            ticket,
            result: Ok(credentials),
        });
    }

    fn stamp(&mut self) -> Stamp {
        self.stamp_count += 1;
        let fresh_key = IdempotencyKey(Uuid::from_u128(self.stamp_count));
        Stamp {
            clocks: self.now.clone(),
            fresh_key,
            last_frame: self.current_frame(),
            pace: self.pace,
        }
    }

    /// The frame that the user sees when the next message arrives. In this frame, the focus has
    /// been visible for long enough that a key can press a button.
    fn current_frame(&self) -> Arc<FrameSnapshot> {
        let number = u64::try_from(self.stamp_count).unwrap();
        let at_ms = self
            .now
            .boot_ms
            .saturating_sub(FOCUS_MS)
            .min(self.model.now.boot_ms);
        self.fixed_frame
            .clone()
            .unwrap_or_else(|| self.snapshot_frame(number, at_ms))
    }

    /// Records a frame. Skips the click targets unless the next input needs them, because a full
    /// layout for every key is slow.
    fn snapshot_frame(&self, number: u64, at_ms: u64) -> Arc<FrameSnapshot> {
        let model = &self.model;
        let at_ms = Some(at_ms);
        let size = model.size;
        let empty = FrameSnapshot {
            frame: number,
            at_ms,
            size,
            ..FrameSnapshot::default()
        };
        if model.areas(model.size).is_none() {
            return Arc::new(empty);
        }
        let (shown, overflow) = (self.text_layout)(model);
        let targets = match model.layers.last() {
            Some(Layer::MakeLive(_)) => chrome::page(model, model.size).targets,
            _ => vec![],
        };
        Arc::new(FrameSnapshot {
            targets,
            front: Some(Front::of(model)),
            terms: read_tracker::terms(model),
            visible_lines: Some(shown),
            on_button: read_tracker::is_on_button(model),
            scroll: model.scroll,
            overflow,
            ..empty
        })
    }

    /// Renders a frame by sending an input that changes nothing.
    fn render_frame(&mut self) {
        assert_eq!(self.deliver(Msg::Input(Input::Wheel(0))), vec![]);
    }

    fn deliver(&mut self, msg: Msg) -> Vec<Effect> {
        let stamp = self.stamp();
        update(&mut self.model, msg, &stamp)
    }

    /// Presses keys, written as in `keys.toml`, and returns all resulting effects.
    fn press(&mut self, keys: &str) -> Vec<Effect> {
        keys.split_whitespace()
            .flat_map(|key| {
                let key = key
                    .parse()
                    .unwrap_or_else(|()| panic!("no such key: {key}"));
                self.deliver(Msg::Input(Input::Key(key)))
            })
            .collect()
    }

    fn type_text(&mut self, text: &str) -> Vec<Effect> {
        text.chars()
            .flat_map(|c| self.deliver(Msg::Input(Input::Key(Key::plain(Code::Char(c))))))
            .collect()
    }

    fn paste(&mut self, text: &str) -> Vec<Effect> {
        self.deliver(Msg::Input(Input::Paste(text.into())))
    }

    fn advance_ms(&mut self, ms: u64) {
        self.now.boot_ms += ms;
        self.now.wall = self.now.wall.plus(Duration::from_millis(ms));
    }

    /// Advances the clocks by `ms`, delivers a timer message (`Pulse`), and returns the resulting
    /// effects.
    fn pulse_after_ms(&mut self, ms: u64) -> Vec<Effect> {
        self.advance_ms(ms);
        self.deliver(Msg::Pulse)
    }

    /// Presses the confirming button after the amount was typed again: moves the focus to it, and
    /// waits until the typed text has ended.
    fn confirm_after_typing(&mut self) -> Vec<Effect> {
        self.press("Tab");
        self.advance_ms(QUIET_MS);
        self.press("Enter")
    }

    fn last_ticket(&self) -> Ticket {
        self.model.last_ticket
    }

    fn top(&self) -> &Layer {
        self.model.layers.last().expect("a layer")
    }

    /// Closes all screens and opens the details of this withdrawal.
    fn open_details(&mut self, withdrawal: Withdrawal) {
        let route = Route::Withdrawal(Box::new(withdrawal));
        let stamp = self.stamp();
        self.model.layers.clear();
        router::open(&mut self.model, route, &stamp);
    }

    /// The withdrawal that is shown, even if a dialog is open above it.
    fn shown_withdrawal(&self) -> Option<&Withdrawal> {
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
    fn fill_withdrawal_form(&mut self, centavos: &str) {
        self.press("3 n");
        if matches!(self.top(), Layer::Login(_)) {
            // The login screen opened above the form, so close it.
            self.press("Esc");
        }
        self.type_text(centavos);
        self.press("Tab");
        self.type_text("11144477735");
    }

    /// Waits until the app requests the fee quote, then delivers a quote.
    fn deliver_quote(&mut self) {
        let (ticket, amount) = self.expect_quote_request();
        let result = Ok(quote(amount, self.now.wall));
        let mut effects = self.deliver(Msg::Quoted { ticket, result });
        effects.retain(|effect| !matches!(effect, Effect::KeepExchange(_)));
        assert_eq!(effects, vec![]);
    }

    /// Waits for the pause in typing after which the app requests the fee quote.
    fn expect_quote_request(&mut self) -> (Ticket, Money) {
        self.expect_quote_request_after(300)
    }

    /// Waits this many milliseconds, and checks that the app then requests the fee quote.
    fn expect_quote_request_after(&mut self, ms: u64) -> (Ticket, Money) {
        let effects = self.pulse_after_ms(ms);
        let [Effect::Quote { ticket, amount, .. }] = effects[..] else {
            panic!("{effects:?}")
        };
        (ticket, amount)
    }

    fn time_out_quote(&mut self, ticket: Ticket) {
        let failure = NoQuote::Failure(Failure::NoAnswer(NoAnswer::Timeout));
        self.deliver(Msg::Quoted {
            ticket,
            result: Err(failure),
        });
    }

    /// Answers the journal query of the review screen: there are no similar earlier withdrawals.
    fn deliver_no_similar_withdrawals(&mut self, key: IdempotencyKey) {
        self.deliver(Msg::Reviewed {
            key,
            past: Ok(PastPayments::default()),
        });
    }

    /// Opens the review screen of a withdrawal, answers its journal query, and waits until the
    /// confirm button is enabled.
    fn open_review(&mut self, centavos: &str) -> Agreement {
        let agreement = self.open_unanswered_review(centavos);
        self.deliver_no_similar_withdrawals(agreement.key);
        self.advance_ms(500);
        agreement
    }

    /// Opens the review screen of a withdrawal without answering its journal query for similar
    /// withdrawals.
    fn open_unanswered_review(&mut self, centavos: &str) -> Agreement {
        self.fill_withdrawal_form(centavos);
        self.deliver_quote();
        self.submit_form()
    }

    fn submit_form(&mut self) -> Agreement {
        let effects = self.press("Ctrl-S");
        let [Effect::Money(MoneyCommand::LookUpPast(agreement))] = &effects[..] else {
            panic!("{effects:?}")
        };
        (**agreement).clone()
    }

    /// Confirms a withdrawal, then lets it be stored and sent.
    fn send_withdrawal(&mut self, centavos: &str) -> Withdrawal {
        self.open_review(centavos);
        let (agreement, _) = expect_prepare(self.press("Tab Enter"));
        let withdrawal = prepared_withdrawal(&agreement);
        let key = agreement.key;
        let result = Ok(Box::new(withdrawal.clone()));
        assert_eq!(
            self.deliver(Msg::Prepared { key, result }),
            attempt_effects(key)
        );
        withdrawal
    }

    /// Sends the shown withdrawal again. Presses the send key, delivers the replies that the dialog
    /// needs, and confirms.
    fn resend(&mut self) -> Vec<Effect> {
        let effects = self.press("s");
        let is_question_open = effects
            .iter()
            .any(|effect| matches!(effect, Effect::Money(MoneyCommand::LookUpPast(_))));
        for effect in &effects {
            match effect {
                Effect::Money(MoneyCommand::LookUpPast(agreement)) => {
                    self.deliver_no_similar_withdrawals(agreement.key);
                }
                Effect::Quote { ticket, amount, .. } => {
                    let result = Ok(quote(*amount, self.now.wall));
                    self.deliver(Msg::Quoted {
                        ticket: *ticket,
                        result,
                    });
                }
                other => panic!("{other:?}"),
            }
        }
        if !is_question_open {
            return effects;
        }
        self.advance_ms(500);
        self.press("Tab Enter")
    }

    /// Confirms the dialog that opens before sending. Types the amount first if the dialog asks for
    /// it.
    fn confirm_dialog(&mut self) -> Vec<Effect> {
        let Some(Layer::Send(open)) = self.model.layers.last() else {
            return vec![];
        };
        let amount = open
            .final_review
            .retype
            .as_ref()
            .and(open.withdrawal.agreement.amount.centavos());
        let mut effects = self.type_text(&amount.map(|n| n.to_string()).unwrap_or_default());
        effects.extend(self.press("Tab Enter"));
        effects
    }

    /// Makes the text of every screen `total` lines long. A frame shows one line for each terminal
    /// row.
    fn set_text_lines(&mut self, total: u16) {
        self.text_layout = Box::new(move |model| {
            let rows = model.size.rows;
            let hidden = total.saturating_sub(rows);
            let first = model.scroll.min(hidden);
            let visible = VisibleLines {
                first,
                end: (first + rows).min(total),
                total,
            };
            (
                visible,
                Overflow {
                    lines: hidden,
                    page: rows,
                },
            )
        });
    }

    /// Creates an app with these withdrawals in its list. Each must have a final outcome, because
    /// the list of open withdrawals is empty.
    fn with_decided_withdrawals(rows: Vec<Withdrawal>) -> App {
        let mut app = App::logged_in();
        app.press("3");
        app.deliver_withdrawals(Ok(Snapshot {
            page: page_of(rows),
            ..Snapshot::default()
        }));
        app
    }

    /// Delivers a list that contains these open withdrawals.
    fn load_open_withdrawals(&mut self, open: Vec<Withdrawal>) {
        self.deliver_withdrawals(Ok(snapshot(open)));
    }

    /// Delivers a list with one withdrawal whose outcome is unknown.
    fn load_unknown_withdrawal(&mut self, n: u128, centavos: i64) -> Withdrawal {
        let withdrawal = unknown_withdrawal(n, centavos, &self.now);
        self.load_open_withdrawals(vec![withdrawal.clone()]);
        withdrawal
    }

    /// Requests the list of withdrawals, and delivers `result` as the journal's reply.
    fn deliver_withdrawals(&mut self, result: Result<Snapshot, JournalTrouble>) -> Vec<Effect> {
        let ticket = self.model.next_ticket();
        self.model.withdrawals.list.request_rows(ticket);
        self.deliver(Msg::WithdrawalsLoaded { ticket, result })
    }

    /// Creates an app that shows a withdrawal whose only send attempt ended with the outcome
    /// `class`.
    fn with_outcome(class: Class) -> (App, Withdrawal) {
        let mut app = App::logged_in();
        let withdrawal = app.send_withdrawal("10010");
        let settled = app.settle(&withdrawal, class);
        (app, settled)
    }

    fn offers(&self, action: Action) -> bool {
        self.offered_actions().contains(&action)
    }

    fn offered_actions(&self) -> Vec<Action> {
        router::actions(&self.model)
    }

    /// Ends the running attempt to send this withdrawal. `class` is its outcome.
    fn settle(&mut self, withdrawal: &Withdrawal, class: Class) -> Withdrawal {
        let withdrawal = with_attempt(withdrawal, &self.now, class);
        self.deliver(Msg::Settled(Box::new(withdrawal.clone())));
        withdrawal
    }

    fn fill_link_form(&mut self) {
        self.press("1 n");
        self.type_text("4990");
        self.press("Tab");
        self.type_text("Boné");
    }

    fn submit_link_form(&mut self) -> (Ticket, LinkRequest) {
        self.fill_link_form();
        let effects = self.press("Ctrl-S");
        let [
            Effect::MakeLink {
                ticket, request, ..
            },
        ] = &effects[..]
        else {
            panic!("{effects:?}")
        };
        (*ticket, request.clone())
    }

    /// Delivers a recorded exchange (an HTTP request and its response) as the next one of this run.
    fn deliver_exchange(&mut self, exchange: Exchange) -> Vec<Effect> {
        let id = ExchangeId::Run(u64::try_from(self.stamp_count).unwrap() + 1);
        self.deliver(Msg::Exchanged(Arc::new(Exchange { id, ..exchange })))
    }

    /// Delivers empty lists of links, direct payments and withdrawals.
    fn load_empty_lists(&mut self) {
        self.load_links(vec![]);
        let ticket = self.model.next_ticket();
        self.model.charges.list.request_rows(ticket);
        self.deliver(Msg::ChargesLoaded {
            ticket,
            result: Ok(page_of(vec![]).into()),
        });
        self.deliver_withdrawals(Ok(Snapshot::default()));
    }

    /// Delivers a list of payment links with these links.
    fn load_links(&mut self, links: Vec<PaymentLink>) {
        let ticket = self.model.next_ticket();
        self.model.links.list.request_rows(ticket);
        self.deliver(Msg::LinksLoaded {
            ticket,
            result: Ok(page_of(links).into()),
        });
    }
}

fn shown_notice(app: &App) -> Option<&Notice> {
    app.model.notice.as_ref()
}

fn credential(identity: &str) -> Credential {
    Credential::Stored(CredentialDetails {
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

fn prepared_withdrawal(agreement: &Agreement) -> Withdrawal {
    Withdrawal {
        agreement: agreement.clone(),
        attempts: vec![],
        decision: None,
        prepared_by: None,
        decided_by: None,
        approvals: Default::default(),
    }
}

/// The withdrawal with one more attempt to send it, which ended with the outcome `class`.
fn with_attempt(withdrawal: &Withdrawal, now: &Clocks, class: Class) -> Withdrawal {
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
    withdrawal.attempts.push(Attempt {
        n,
        began: now.clone(),
        end: Some(end),
        by: None,
    });
    withdrawal
}

/// The withdrawal with one more attempt to send it, which is still running.
fn with_running_attempt(withdrawal: &Withdrawal, now: &Clocks) -> Withdrawal {
    let mut running = with_attempt(withdrawal, now, TIMED_OUT);
    running.attempts.last_mut().unwrap().end = None;
    running
}

const TIMED_OUT: Class = Class::Unclear(Unclear::Timeout);

/// The outcome class of a send attempt that the service accepted.
const ACCEPTED: Class = Class::Confirmed {
    id: None,
    status: None,
};

/// Checks that the only effect stores an agreement. Returns it, and the amount if the seller had to
/// type it again.
fn expect_prepare(effects: Vec<Effect>) -> (Agreement, Option<Retyped>) {
    match &effects[..] {
        [Effect::Money(MoneyCommand::Prepare { agreement, retyped })] => {
            ((**agreement).clone(), retyped.clone())
        }
        other => panic!("nothing is agreed to but {other:?}"),
    }
}

/// The effects that send the withdrawal with this key.
fn attempt_effects(key: IdempotencyKey) -> Vec<Effect> {
    vec![Effect::Money(MoneyCommand::Attempt { key, retyped: None })]
}

/// The effects that record the seller's decision about the withdrawal with this key.
fn decide_effects(key: IdempotencyKey, choice: Decision) -> Vec<Effect> {
    vec![Effect::Money(MoneyCommand::Decide { key, choice })]
}

/// A list page that contains all rows of its list.
fn page_of<T>(rows: Vec<T>) -> ListPage<T> {
    ListPage {
        total: Some(rows.len() as u64),
        rows: rows.into(),
        first: 0,
    }
}

/// The contents of a journal with only these open withdrawals.
fn snapshot(open: Vec<Withdrawal>) -> Snapshot {
    Snapshot {
        page: page_of(open.clone()),
        open,
        ..Snapshot::default()
    }
}

/// Creates an HTTP exchange with this response. Its request has the idempotency key `key(1)`.
fn exchange(operation: Operation, status: u16, body: impl Into<Untrusted>) -> Exchange {
    let reply = Ok(MaskedReply::new(status, vec![], body));
    Exchange {
        request_headers: vec![("Idempotency-Key".into(), key(1).to_string())],
        ..Exchange::new(operation, "POST", "https://api.example/", reply)
    }
}

/// Creates a withdrawal of the test's seller with an unknown outcome.
fn unknown_withdrawal(n: u128, centavos: i64, now: &Clocks) -> Withdrawal {
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
    with_attempt(&prepared_withdrawal(&agreement), now, TIMED_OUT)
}

fn seller() -> Account {
    Account {
        origin: Origin("https://api.example".into()),
        identity: SELLER.into(),
    }
}

fn link(url: &str) -> PaymentLink {
    let request = LinkRequest {
        account: seller(),
        amount: brl(4_990),
        description: "Boné".into(),
        domain: Some("loja.example".into()),
    };
    let outcome = LinkOutcome::Created(CreatedLink { url: url.into() });
    PaymentLink {
        id: RowId(1),
        at: Wall(1_000_000),
        request,
        outcome,
        paid: None,
        note: None,
        put_away: None,
        authors: SaleAuthors::default(),
    }
}

fn unauthorized(kind: CredentialKind) -> Failure {
    let refusal = Refusal {
        status: 401,
        message: None,
        hint: None,
        retry_after: None,
    };
    Failure::Unauthorized {
        credential: Some(kind),
        refusal,
    }
}

/// Messages, effects and the model must be plain values that can be copied and printed, so that a
/// run can be logged and replayed.
#[test]
fn model_messages_and_effects_are_plain_values() {
    fn assert_value<T: Clone + std::fmt::Debug + Send + Sync + 'static>() {}
    assert_value::<Model>();
    assert_value::<Msg>();
    assert_value::<Effect>();
    assert_value::<FrameSnapshot>();
    assert_value::<Stamp>();
}
