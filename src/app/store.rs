//! State that several screens share. Each submodule holds one part of it, with the functions that
//! read and change that part.

pub mod charges;
pub mod clip;
pub mod commands;
pub mod confirming;
pub mod consent;
pub mod credentials;
pub mod domains;
pub mod exchanges;
pub mod faults;
pub mod first_run;
pub mod frame_snapshot;
pub mod key_feedback;
pub mod kiosk;
pub mod links;
pub mod nicknames;
pub mod notice;
pub mod paid;
pub mod payable;
pub mod payable_warnings;
pub mod picture;
pub mod profiles;
pub mod query_expansion;
pub mod requests;
pub mod sales;
pub mod session;
pub mod setup;
pub mod share_hint;
pub mod shown_keys;
pub mod story;
pub mod teaching;
pub mod unsaved;
pub mod unstored_exchanges;
pub mod withdrawals;

use std::collections::VecDeque;
use std::sync::Arc;

use crate::app::store::session::{Credential, Session};
use crate::app::ui::geometry::{self, Areas};
use crate::app::ui::list::List;
use crate::app::ui::text::columns;
use crate::app::ui::wait::Wait;
use crate::app::ui::{Action, Overflow, RenderCx};
use crate::app::{CopyTrouble, Domains, Notice, Pane, Setup, Size};
use crate::contract::ContractLines;
use crate::trade::withdrawal::WithdrawalState;
use crate::trade::{
    Account, Charge, Clocks, CredentialKind, Exchange, IdempotencyKey, JournalTrouble, Nicknames,
    Ticket, Untrusted, Withdrawal,
};
use crate::words::{Catalogue, names};

/// The state that screens share.
#[derive(Debug, Clone)]
pub struct Store {
    pub setup: Setup,
    /// The time of the current message. Screens read no other clock.
    pub now: Clocks,
    pub size: Size,
    pub pane: Pane,
    /// The scroll position of the front screen: the number of its first visible text line.
    pub scroll: u16,
    /// True if personal data on the screen is masked, because other people may see it.
    pub masks: bool,
    /// True if personal data in the recorded HTTP exchanges is shown, because the seller asked to
    /// see it.
    pub exchanges_whole: bool,
    /// True if the service is known to be a sandbox (without real money). A badge shows this in
    /// every color theme.
    pub sandbox: bool,
    /// True if the service was recognized as a sandbox at first but failed a later check. Nothing
    /// more is sent in this run.
    pub unproven: bool,
    /// The path of the withdrawal journal's directory. Messages about journal errors contain it.
    pub journal: Untrusted,
    /// The state of the credentials, and the vault that stores them.
    pub session: Session,
    pub links: links::LinksState,
    /// The payment links that were paid in the demo's sandbox, as the sandbox reported them.
    pub paid: paid::SandboxPaid,
    /// The QR code that the front screen (the topmost one) shows.
    pub picture: picture::PictureInFront,
    /// The error of the last request to the history database, if it failed.
    pub history_trouble: Option<JournalTrouble>,
    /// The new path of a damaged history database, which was moved aside. Its rows are not listed
    /// any more.
    pub history_aside: Option<Untrusted>,
    pub domains: Domains,
    pub withdrawals: withdrawals::WithdrawalsState,
    pub nicknames: Arc<Nicknames>,
    /// The contract settings that the seller last agreed to. The screens use this copy; the HTTP
    /// client checks the stored agreement itself.
    pub agreed_lines: Option<ContractLines>,
    pub charges: List<Charge>,
    /// The links and direct payments of this run that could not be recorded in the history
    /// database.
    pub unsaved: unsaved::Unsaved,
    /// The recent HTTP exchanges of this run, the newest first.
    pub exchanges: VecDeque<Arc<Exchange>>,
    /// The list of the requests of this and earlier runs.
    pub requests: requests::RequestsState,
    /// The HTTP exchanges that are not stored for later runs yet, oldest first.
    pub unstored_exchanges: Vec<unstored_exchanges::UnstoredExchange>,
    /// The palette commands that were run in this run, the latest first.
    pub recent_commands: Vec<commands::Command>,
    pub story: story::Story,
    /// The faults that the demo's sandbox will simulate, in the order in which they will occur.
    pub faults: Vec<faults::Armed>,
    /// The record of the last frame, and which terms (such as a withdrawal's figures) the user has
    /// seen.
    pub seen: frame_snapshot::ReadTracker,
    /// The text that was copied last, and how many times in a row it was copied.
    pub copies: clip::Copies,
    pub key_feedback: key_feedback::KeyFeedback,
    /// The state of the kiosk (a demo for visitors). Runs that are not a kiosk do not use it.
    pub kiosk: kiosk::KioskState,
    /// The keys that a demo shows to its audience.
    pub shown_keys: shown_keys::ShownKeys,
    /// The theme and language chosen in this run that are not in the settings file yet.
    pub look: setup::Look,
    /// The notice above the key hints.
    pub notice: Option<Notice>,
    /// The ticket of the latest request.
    pub last_ticket: Ticket,
    /// The credential (API token or JWT) that the current message made available, if any.
    pub just_entered: Option<CredentialKind>,
    /// The part of the front screen's text that did not fit into the last frame.
    pub overflow: Overflow,
    /// The stage of the first start: the set-up, creating the first payment link, or finished.
    pub startup_stage: first_run::StartupStage,
    pub profiles: profiles::ProfilesState,
    /// True if the program is about to end, or to restart with another profile.
    pub leaving: bool,
    /// True if the terminal window or connection was closed.
    pub hung_up: bool,
}

impl Store {
    /// Creates a store before anything is loaded.
    pub fn new(setup: Setup, size: Size, now: Clocks) -> Store {
        Store {
            sandbox: setup.sandbox,
            unproven: false,
            masks: setup.masks,
            exchanges_whole: false,
            journal: setup.path(&setup.journal),
            startup_stage: setup.startup_stage.clone(),
            setup,
            now,
            size,
            pane: Pane::default(),
            scroll: 0,
            session: Session::default(),
            links: links::LinksState::default(),
            paid: paid::SandboxPaid::default(),
            picture: picture::PictureInFront::default(),
            history_trouble: None,
            history_aside: None,
            domains: Domains::default(),
            withdrawals: withdrawals::WithdrawalsState::default(),
            nicknames: Arc::default(),
            agreed_lines: None,
            charges: List::default(),
            unsaved: unsaved::Unsaved::default(),
            exchanges: VecDeque::default(),
            requests: requests::RequestsState::default(),
            unstored_exchanges: vec![],
            recent_commands: vec![],
            story: story::Story::default(),
            faults: vec![],
            seen: frame_snapshot::ReadTracker::default(),
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
            hung_up: false,
        }
    }

    /// Returns the ticket for the next request: a number that later matches the response to its
    /// request.
    pub fn ticket(&mut self) -> Ticket {
        self.last_ticket = self.last_ticket.next();
        self.last_ticket
    }

    /// Creates the state of a request that starts now: its ticket and its start time.
    pub fn wait(&mut self) -> Wait {
        Wait::new(self.ticket(), self.now.boot_ms)
    }

    /// Returns the account that the seller is logged in to: the service's origin and the login.
    pub fn account(&self) -> Account {
        let identity = self.session.identity().unwrap_or_else(|| "".into());
        Account { origin: self.setup.origin.clone(), identity }
    }

    /// Returns the state of a withdrawal at the current time.
    pub fn state_of(&self, withdrawal: &Withdrawal) -> WithdrawalState {
        let is_in_flight = self.is_in_flight(withdrawal.agreement.key);
        withdrawal.state(&self.now, &self.setup.window, is_in_flight)
    }

    /// Returns the name of a withdrawal's state. The name differs if another instance of the
    /// program is sending the withdrawal.
    pub fn state_word(&self, withdrawal: &Withdrawal) -> String {
        let words = self.words();
        match self.state_of(withdrawal) {
            WithdrawalState::Sending(_) if self.is_sent_elsewhere(withdrawal.agreement.key) => {
                words.text("state-sending-elsewhere")
            }
            state => names::state(words, &state),
        }
    }

    /// Returns true if any withdrawal other than `but` is open (its outcome is unknown). A general
    /// statement such as "no money moved" could then be false.
    pub fn is_another_open(&self, but: Option<IdempotencyKey>) -> bool {
        self.withdrawals.open.iter().any(|one| Some(one.agreement.key) != but)
    }

    /// Returns true if this or another instance of the program is sending the withdrawal now.
    pub fn is_in_flight(&self, key: IdempotencyKey) -> bool {
        self.withdrawals.in_flight == Some(key) || self.is_sent_elsewhere(key)
    }

    /// Returns true if another instance of the program is sending the withdrawal now.
    pub fn is_sent_elsewhere(&self, key: IdempotencyKey) -> bool {
        self.withdrawals.elsewhere.contains(&key)
    }

    /// Returns `wanted` if this credential is missing or expired. While the vault is still being
    /// read, no credential counts as missing.
    pub fn missing(&self, wanted: Option<CredentialKind>) -> Option<CredentialKind> {
        wanted.filter(|kind| match self.session.credential(*kind) {
            Credential::Unknown => false,
            known => !known.is_good(self.now.wall),
        })
    }

    /// Returns the action that provides a credential: logging in or, unless the login provides both
    /// credentials, pasting the JWT.
    pub fn entry_action(&self, kind: CredentialKind) -> Action {
        match kind {
            CredentialKind::Jwt if !teaching::login_gives_jwt(self) => Action::PasteJwt,
            CredentialKind::Jwt | CredentialKind::ApiToken => Action::LogIn,
        }
    }

    /// Returns the messages in the user's language. If masking is on, they mask personal data.
    pub fn words(&self) -> &'static Catalogue {
        Catalogue::with_look(self.setup.lang, self.masks, self.setup.ascii)
    }

    /// Returns the translated message with this id.
    pub fn text(&self, id: &str) -> String {
        self.words().text(id)
    }

    /// Returns the translated message with this id, with values filled in.
    pub fn with(&self, id: &str, values: &[(&str, &str)]) -> String {
        self.words().with(id, values)
    }

    /// Returns the settings that affect rendering: language, keys, clocks and font.
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

    /// Returns the areas of the page for a terminal of this size; `None` if the terminal is too
    /// small.
    pub fn areas(&self, size: Size) -> Option<Areas> {
        let withdrawals = &self.withdrawals;
        let has_banner = !withdrawals.open.is_empty() || withdrawals.trouble.is_some();
        geometry::areas(has_banner, self.caption(size).len(), size)
    }

    /// Returns the caption rows of the demo's guided story. Each row has room for the widest key
    /// that advances the story, so the text does not move when another key is shown.
    pub fn caption(&self, size: Size) -> Vec<String> {
        let keys = self.setup.keys.keys(Action::StoryNext).iter();
        let widths = keys.map(|key| columns(&story::key_hint(&self.render_cx().key_name(*key))));
        let key = if self.story.can_go_on() { widths.max().unwrap_or(0) } else { 0 };
        self.story.lines(self.setup.lang, size, key)
    }

    /// Shows a notice above the key hints. It replaces the previous notice.
    pub fn notify(&mut self, what: Notice) {
        self.notice = Some(what);
    }

    /// Shows a notice that explains why a text was not copied.
    pub fn not_copied(&mut self, trouble: CopyTrouble) {
        self.notify(Notice::NotCopied(trouble));
    }

    /// Returns true if the demo can be reset. This is possible only while no withdrawal is being
    /// stored or sent.
    pub fn can_start_over(&self) -> bool {
        let withdrawals = &self.withdrawals;
        let is_quiet = withdrawals.in_flight.is_none() && withdrawals.preparing.is_none();
        is_quiet && self.setup.demo.as_ref().is_some_and(|demo| demo.starts_over)
    }
}
