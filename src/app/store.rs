//! The app's state that several screens share. Each submodule holds one part of this state, with
//! the functions that read and change it.

pub mod charges;
pub mod clip;
pub mod commands;
pub mod confirming;
pub mod consent;
pub mod credential_trial;
pub mod credentials;
pub mod domains;
pub mod exchanges;
pub mod faults;
pub mod first_run;
pub mod frame_snapshot;
pub mod imports;
pub mod key_feedback;
pub mod kiosk;
pub mod links;
pub mod list_export;
pub mod motion;
pub mod nicknames;
pub mod notice;
pub mod origin;
pub mod paid;
pub mod payable;
pub mod payable_warnings;
pub mod picture;
pub mod profiles;
pub mod query_expansion;
pub mod recording;
pub mod requests;
pub mod sales;
pub mod session;
pub mod setup;
pub mod share_hint;
pub mod shown_keys;
pub mod story;
pub mod teaching;
pub mod typed_text;
pub mod unit;
pub mod unsaved;
pub mod unstored_exchanges;
pub mod withdrawals;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use crate::app::store::session::{Credential, Session};
use crate::app::ui::geometry::{self, Areas, Banner};
use crate::app::ui::text::columns;
use crate::app::ui::wait::Wait;
use crate::app::ui::{Action, Overflow, RenderCx};
use crate::app::{CopyTrouble, Domains, Notice, Pane, Setup, Size};
use crate::contract::ContractSettings;
use crate::trade::withdrawal::WithdrawalState;
use crate::trade::{
    Account, ChargeRequest, Clocks, CredentialKind, Exchange, IdempotencyKey, JournalTrouble,
    LinkRequest, LostHistory, Nicknames, Ticket, Untrusted, Withdrawal,
};
use crate::words::{Catalogue, names};

/// The state that screens share.
#[derive(Debug, Clone)]
pub struct Store {
    pub setup: Setup,
    /// The time at which the current message arrived. Screens read the time only from here.
    pub now: Clocks,
    /// The idempotency key of the current message. A review takes it, so that a second review
    /// cannot get the same key.
    pub fresh_key: Option<IdempotencyKey>,
    pub size: Size,
    /// False while the terminal reports that another window has the focus.
    pub has_focus: bool,
    pub pane: Pane,
    /// How far the front screen is scrolled: the number of the first visible line of its text.
    pub scroll: u16,
    /// The number of rows for the notice.
    pub notice_rows: u16,
    /// True if the screen hides personal data, such as Pix keys, because other people may see it.
    pub is_masked: bool,
    /// True if recorded HTTP exchanges are shown with personal data. The data is masked until the
    /// seller asks to see it.
    pub exchanges_unmasked: bool,
    /// True if the service is known to be a sandbox (without real money). The header then shows a
    /// badge, whatever the color theme.
    pub sandbox: bool,
    /// True if the service first looked like a sandbox but later failed a check. After that, this
    /// run sends no more requests.
    pub unproven: bool,
    /// The path of the directory with the withdrawal journal. Messages about journal errors contain
    /// this path.
    pub journal_path: Untrusted,
    /// The state of the two credentials (API token and JWT), and of the vault that stores them.
    pub session: Session,
    /// The successes and questions that decide whether another credential may be tried.
    pub credential_trials: credential_trial::CredentialTrials,
    pub links: sales::SalesState<LinkRequest>,
    /// The batch of links that is imported, or that was imported last.
    pub imports: imports::ImportState,
    /// The payment links that the demo's sandbox reported as paid.
    pub paid: paid::SandboxPaid,
    /// The QR code on the front screen (the topmost screen).
    pub qr_code: picture::QrCodeCache,
    /// The error of the last request to the history database, or `None` if it succeeded.
    pub history_trouble: Option<JournalTrouble>,
    /// The reason the lists of links and direct payments lack the rows of an earlier history
    /// database.
    pub lost_history: Option<LostHistory>,
    pub domains: Domains,
    pub withdrawals: withdrawals::WithdrawalsState,
    pub nicknames: Arc<Nicknames>,
    /// The settings of the API contract that the seller last agreed to. The screens use this copy.
    /// The HTTP client uses the agreement in the vault instead.
    pub agreed_settings: Option<ContractSettings>,
    pub charges: sales::SalesState<ChargeRequest>,
    /// The most recent HTTP exchanges (requests with their replies) of this run, newest first.
    pub exchanges: VecDeque<Arc<Exchange>>,
    /// The list of HTTP requests from this run and earlier runs.
    pub requests: requests::RequestsState,
    /// The path of the file into which the screens are recorded, if there is one.
    pub recording: Option<Untrusted>,
    /// The HTTP exchanges that have not been written to the requests database yet, oldest first.
    pub unstored_exchanges: Vec<unstored_exchanges::UnstoredExchange>,
    /// The pending request to the runtime to read a long reply, which may confirm settings of the
    /// API contract.
    pub confirming: Option<exchanges::bodies::BodiesRequest>,
    /// The knowledge of this run about the unit of amounts (reais or centavos).
    pub unit: unit::UnitState,
    /// The commands that the user has run from the command palette in this run, most recent first.
    pub recent_commands: Vec<commands::Command>,
    pub story: story::Story,
    /// The faults that the demo's sandbox will simulate, in the order in which they will occur.
    pub faults: Vec<faults::ArmedFault>,
    /// Tracks which terms, such as a withdrawal's amount and fee, the user has seen. Contains the
    /// record of the last frame.
    pub read_tracker: frame_snapshot::ReadTracker,
    /// The text that was typed last. Until it has ended, nothing can be confirmed.
    pub typed_text: typed_text::TypedText,
    /// The text that was copied last, and how many times in a row it was copied.
    pub copies: clip::Copies,
    pub key_feedback: key_feedback::KeyFeedback,
    /// The state of kiosk mode (a demo for visitors). It is unused in all other runs.
    pub kiosk: kiosk::KioskState,
    /// The most recently pressed keys, which a demo can show to its audience.
    pub shown_keys: shown_keys::ShownKeys,
    /// The theme and language that the user chose in this run and that are not saved in the
    /// settings file yet.
    pub look: setup::Look,
    /// The notice: a short message above the key hints at the bottom of the screen.
    pub notice: Option<Notice>,
    /// The ticket of the latest request: a number that identifies the request.
    pub last_ticket: Ticket,
    /// The credential (API token or JWT) that became available while the current message was
    /// handled, if any.
    pub just_entered: Option<CredentialKind>,
    /// How much of the front screen's text did not fit into the last frame.
    pub overflow: Overflow,
    /// The stage of the first start: the set-up, creating the first payment link, or finished.
    pub startup_stage: first_run::StartupStage,
    pub profiles: profiles::ProfilesState,
    /// True if the program is about to end, or to restart with another profile.
    pub leaving: bool,
    /// True if the demo starts over after this run, or if this run is about to begin after that.
    pub starts_over: bool,
    /// True if the terminal window or connection was closed.
    pub hung_up: bool,
}

impl Store {
    /// Creates the store at the start of the program, before any data is loaded.
    pub fn new(setup: Setup, size: Size, now: Clocks) -> Store {
        Store {
            sandbox: setup.sandbox,
            unproven: false,
            is_masked: setup.masks,
            exchanges_unmasked: false,
            journal_path: setup.path(&setup.journal),
            startup_stage: setup.startup_stage.clone(),
            setup,
            now,
            fresh_key: None,
            size,
            has_focus: true,
            pane: Pane::default(),
            scroll: 0,
            notice_rows: 1,
            session: Session::default(),
            credential_trials: credential_trial::CredentialTrials::default(),
            links: sales::SalesState::default(),
            imports: imports::ImportState::default(),
            paid: paid::SandboxPaid::default(),
            qr_code: picture::QrCodeCache::default(),
            history_trouble: None,
            lost_history: None,
            domains: Domains::default(),
            withdrawals: withdrawals::WithdrawalsState::default(),
            nicknames: Arc::default(),
            agreed_settings: None,
            charges: sales::SalesState::default(),
            exchanges: VecDeque::default(),
            requests: requests::RequestsState::default(),
            recording: None,
            unstored_exchanges: vec![],
            confirming: None,
            unit: unit::UnitState::default(),
            recent_commands: vec![],
            story: story::Story::default(),
            faults: vec![],
            read_tracker: frame_snapshot::ReadTracker::default(),
            typed_text: typed_text::TypedText::default(),
            copies: clip::Copies::default(),
            key_feedback: key_feedback::KeyFeedback::default(),
            kiosk: kiosk::KioskState::default(),
            shown_keys: shown_keys::ShownKeys::default(),
            look: setup::Look::default(),
            notice: None,
            last_ticket: Ticket::default(),
            just_entered: None,
            overflow: Overflow::default(),
            profiles: profiles::ProfilesState::default(),
            leaving: false,
            starts_over: false,
            hung_up: false,
        }
    }

    /// The ticket for the next request: a number that later matches the reply to its request.
    pub fn next_ticket(&mut self) -> Ticket {
        self.last_ticket = self.last_ticket.next();
        self.last_ticket
    }

    /// A `Wait` for a request that starts now. It contains the request's ticket and start time.
    pub fn wait(&mut self) -> Wait {
        Wait::new(self.next_ticket(), self.now.boot_ms)
    }

    /// The account that the seller is logged in to. It consists of the service's origin and the
    /// login.
    pub fn account(&self) -> Account {
        let identity = self.session.identity().unwrap_or_else(|| "".into());
        Account {
            origin: self.setup.origin.clone(),
            identity,
        }
    }

    /// The state of a withdrawal at the current time.
    pub fn state_of(&self, withdrawal: &Withdrawal) -> WithdrawalState {
        let is_in_flight = self.is_in_flight(withdrawal.agreement.key);
        withdrawal.state(&self.now, &self.setup.window, is_in_flight)
    }

    /// The name of a withdrawal's state for the screen. A different name is used while another
    /// instance of the program is sending the withdrawal.
    pub fn state_word(&self, withdrawal: &Withdrawal) -> String {
        let words = self.words();
        match self.state_of(withdrawal) {
            WithdrawalState::Sending(_) if self.is_sent_elsewhere(withdrawal.agreement.key) => {
                match withdrawal.attempts.last().and_then(|last| last.by.as_ref()) {
                    Some(author) => {
                        let who = names::operator(words, author);
                        words.with("state-sending-elsewhere.by", &[("who", &who)])
                    }
                    None => words.text("state-sending-elsewhere"),
                }
            }
            state @ (WithdrawalState::ResolvedPaid | WithdrawalState::ResolvedNotPaid) => {
                match &withdrawal.decided_by {
                    Some(author) => {
                        let id = format!("state-{}.by", state.name());
                        words.with(&id, &[("who", &names::operator(words, author))])
                    }
                    None => names::state(words, &state),
                }
            }
            state => names::state(words, &state),
        }
    }

    /// True if a withdrawal other than `except` is open: money may have moved, but the outcome is
    /// unknown. While there is one, the screen must not state that no money moved.
    pub fn is_another_open(&self, except: Option<IdempotencyKey>) -> bool {
        self.withdrawals
            .open
            .iter()
            .any(|withdrawal| Some(withdrawal.agreement.key) != except)
    }

    /// True if this or another instance of the program is sending the withdrawal now.
    pub fn is_in_flight(&self, key: IdempotencyKey) -> bool {
        self.withdrawals.in_flight == Some(key) || self.is_sent_elsewhere(key)
    }

    /// True if another instance of the program is sending the withdrawal now.
    pub fn is_sent_elsewhere(&self, key: IdempotencyKey) -> bool {
        self.withdrawals.sent_elsewhere.contains(&key) || self.wait_for_team(key).is_some()
    }

    /// The time until this machine may assume that another machine of the team no longer sends this
    /// withdrawal. Returns `None` if no other machine sends it.
    pub fn wait_for_team(&self, key: IdempotencyKey) -> Option<Duration> {
        let mut sent = self.withdrawals.sent_by_team.iter();
        let until_ms = sent.find(|sent| sent.key == key)?.until_ms;
        let left = until_ms.checked_sub(self.now.boot_ms)?;
        (left > 0).then(|| Duration::from_millis(left))
    }

    /// The needed credential if it is missing or expired, and `None` otherwise. While the vault is
    /// still being read, no credential counts as missing.
    pub fn missing_credential(&self, needed: Option<CredentialKind>) -> Option<CredentialKind> {
        needed.filter(|kind| match self.session.credential(*kind) {
            Credential::Unknown => false,
            credential => !credential.is_good(self.now.wall),
        })
    }

    /// The action by which the seller provides a credential: logging in, or pasting the JWT if the
    /// login does not provide it.
    pub fn entry_action(&self, kind: CredentialKind) -> Action {
        match kind {
            CredentialKind::Jwt if !teaching::login_gives_jwt(self) => Action::PasteJwt,
            CredentialKind::Jwt | CredentialKind::ApiToken => Action::LogIn,
        }
    }

    /// The message catalog in the user's language. If masking is on, its messages mask personal
    /// data.
    pub fn words(&self) -> &'static Catalogue {
        Catalogue::with_look(self.setup.lang, self.is_masked, self.setup.ascii)
    }

    pub fn text(&self, id: &str) -> String {
        self.words().text(id)
    }

    /// The translated message with this id, with values filled in.
    pub fn with(&self, id: &str, values: &[(&str, &str)]) -> String {
        self.words().with(id, values)
    }

    /// The settings for rendering, such as the language, the keys and the screen size.
    pub fn render_cx(&self) -> RenderCx<'_> {
        RenderCx {
            words: self.words(),
            keys: &self.setup.keys,
            now: self.now.wall,
            boot_ms: self.now.boot_ms,
            utc_offset_s: self.setup.utc_offset_s,
            ascii: self.setup.ascii,
            size: self.size,
        }
    }

    /// The reason the list of the current pane lacks the rows of an earlier history database, if it
    /// does.
    pub fn shown_lost_history(&self) -> Option<&LostHistory> {
        let is_list = matches!(self.pane, Pane::Links | Pane::Charges);
        self.lost_history.as_ref().filter(|_| is_list)
    }

    /// The areas of the page in a terminal of this size, or `None` if the terminal is too small.
    pub fn areas(&self, size: Size) -> Option<Areas> {
        let withdrawals = &self.withdrawals;
        let has_banner = !withdrawals.open.is_empty()
            || withdrawals.trouble.is_some()
            || self.shown_lost_history().is_some();
        let banner = if !has_banner {
            Banner::None
        } else if withdrawals.is_on_own_page {
            Banner::Short
        } else {
            Banner::Full
        };
        geometry::areas(banner, self.caption(size).len(), self.notice_rows, size)
    }

    /// The caption of the demo's guided story, split into rows. The last row leaves room for the
    /// hint beside it, which names the key that continues the story. The widest possible key
    /// counts, so the text does not move when another key is named.
    pub fn caption(&self, size: Size) -> Vec<String> {
        let continue_keys = self.setup.keys.keys(Action::StoryNext).iter();
        let key_widths =
            continue_keys.map(|key| columns(&story::key_hint(&self.render_cx().key_name(*key))));
        let key_columns = if self.story.can_go_on() {
            key_widths.max().unwrap_or(0)
        } else {
            0
        };
        self.story.lines(self.setup.lang, size, key_columns)
    }

    /// Shows a notice above the key hints. It replaces the previous notice.
    pub fn notify(&mut self, notice: Notice) {
        self.notice = Some(notice);
    }

    /// Shows a notice that explains why the text could not be copied.
    pub fn not_copied(&mut self, trouble: CopyTrouble) {
        self.notify(Notice::NotCopied(trouble));
    }

    /// True if the clock can be moved forward: in a demo, and while the service proves to be the
    /// replay to which the state directory belongs.
    pub fn can_move_clock(&self) -> bool {
        let is_replay = self.setup.is_replay && self.sandbox && !self.unproven;
        is_replay || self.setup.demo.is_some()
    }

    /// True if the demo can be reset. This is possible only while no withdrawal is being stored or
    /// sent, and no batch of links is.
    pub fn can_start_over(&self) -> bool {
        let withdrawals = &self.withdrawals;
        let is_idle = withdrawals.in_flight.is_none()
            && withdrawals.preparing.is_none()
            && !self.imports.is_busy();
        is_idle
            && self
                .setup
                .demo
                .as_ref()
                .is_some_and(|demo| demo.starts_over)
    }
}
