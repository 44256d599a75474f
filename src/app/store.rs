//! The store: what screens share, each record once, and the questions asked of it.

pub mod charges;
pub mod clip;
pub mod commands;
pub mod confirming;
pub mod consent;
pub mod domains;
pub mod entry;
pub mod exchanges;
pub mod faults;
pub mod first_run;
pub mod habits;
pub mod links;
pub mod meaning;
pub mod nicknames;
pub mod notice;
pub mod oddity;
pub mod paid;
pub mod passing;
pub mod picture;
pub mod profiles;
pub mod reach;
pub mod seen;
pub mod session;
pub mod setup;
pub mod story;
pub mod teaching;
pub mod unsaved;
pub mod withdrawals;

use std::collections::VecDeque;
use std::sync::Arc;

use crate::app::store::session::{Credential, Session};
use crate::app::ui::geometry::{self, Areas};
use crate::app::ui::list::List;
use crate::app::ui::text::columns;
use crate::app::ui::wait::Wait;
use crate::app::ui::{Action, Overflow, Reader};
use crate::app::{CopyTrouble, Domains, Notice, Pane, Setup, Size};
use crate::contract::ContractLines;
use crate::trade::withdrawal::WithdrawalState;
use crate::trade::{
    Account, Charge, Clocks, CredentialKind, Exchange, IdempotencyKey, JournalTrouble, Nicknames,
    Ticket, Untrusted, Withdrawal,
};
use crate::words::{Words, names};

/// The part of the model that screens share.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "a field is its name, or says more")]
pub struct Store {
    pub setup: Setup,
    /// The only time the view sees.
    pub now: Clocks,
    /// The terminal's size, as it was last heard of.
    pub size: Size,
    pub pane: Pane,
    /// The first line shown of the text in front.
    pub scroll: u16,
    /// True where others look at the screen: personal data is masked on it.
    pub masks: bool,
    /// True when the seller wants to see what is personal in the exchanges too.
    pub exchanges_whole: bool,
    /// True once this is proved to be the sandbox, which has a badge that no theme removes.
    pub sandbox: bool,
    /// True once the address of a sandbox proved to be one no more: nothing is sent in this run.
    pub unproven: bool,
    /// The directory of the journal, for the way out of its troubles.
    pub journal: Untrusted,
    /// The credentials that are held, and the vault that keeps them.
    pub session: Session,
    pub links: links::LinksState,
    /// The links that were paid, as far as the demo's sandbox says.
    pub paid: paid::SandboxPaid,
    /// The QR code of what is in front.
    pub picture: picture::PictureInFront,
    /// The reason the history could not be read when it was asked last, if it could not.
    pub history_trouble: Option<JournalTrouble>,
    /// The place of a history that was damaged when it was opened: its rows are in no list.
    pub history_aside: Option<Untrusted>,
    pub domains: Domains,
    pub withdrawals: withdrawals::WithdrawalsState,
    /// The nicknames of destinations.
    pub nicknames: Arc<Nicknames>,
    /// The lines of the contract that steer money, as the seller agreed to them last, as far as the
    /// screens know.
    pub agreed_lines: Option<ContractLines>,
    pub charges: List<Charge>,
    /// Links and direct payments of this run that could not be written down.
    pub unsaved: unsaved::Unsaved,
    /// The exchanges of this run that are kept, newest first.
    pub exchanges: VecDeque<Arc<Exchange>>,
    /// The number of this run's exchanges that are kept no more.
    pub exchanges_dropped: u64,
    pub exchange_cursor: usize,
    /// The commands that were done from the palette in this run, the last first.
    pub recent_commands: Vec<commands::Command>,
    pub story: story::Story,
    /// The faults that lie in wait in the demo's sandbox, the first to be met first.
    pub faults: Vec<faults::Armed>,
    /// The record of what the frames so far showed.
    pub seen: seen::Sight,
    /// The last copy, and how many times in a row.
    pub copies: clip::Copies,
    pub habits: habits::Habits,
    /// The notice of the last thing that was done, in the last line but one.
    pub notice: Option<Notice>,
    /// The number of the last question.
    pub last_ticket: Ticket,
    /// The credential that was just put in place, while this message is heard.
    pub entered: Option<CredentialKind>,
    /// The part of the text in front that had no room on its last frame.
    pub overflow: Overflow,
    /// The steps that the run begins with, as far as they are not done yet.
    pub beginning: first_run::Beginning,
    pub profiles: profiles::ProfilesState,
    /// True while this run is being left.
    pub leaving: bool,
    /// True when the terminal is gone.
    pub hung_up: bool,
}

impl Store {
    /// A store of which nothing is known yet.
    pub fn new(setup: Setup, size: Size, now: Clocks) -> Store {
        Store {
            sandbox: setup.sandbox,
            unproven: false,
            masks: setup.masks,
            exchanges_whole: false,
            journal: setup.journal.clone(),
            beginning: setup.beginning.clone(),
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
            exchanges_dropped: 0,
            exchange_cursor: 0,
            recent_commands: vec![],
            story: story::Story::default(),
            faults: vec![],
            seen: seen::Sight::default(),
            copies: clip::Copies::default(),
            habits: habits::Habits::default(),
            notice: None,
            last_ticket: Ticket::default(),
            entered: None,
            overflow: Overflow::default(),
            profiles: profiles::ProfilesState::default(),
            leaving: false,
            hung_up: false,
        }
    }

    /// The number of a new question.
    pub fn ticket(&mut self) -> Ticket {
        self.last_ticket = self.last_ticket.next();
        self.last_ticket
    }

    /// A new question that begins now.
    pub fn wait(&mut self) -> Wait {
        Wait::new(self.ticket(), self.now.boot_ms)
    }

    /// Returns the account whose money this is.
    pub fn account(&self) -> Account {
        let identity = self.session.identity().unwrap_or_else(|| "".into());
        Account { origin: self.setup.origin.clone(), identity }
    }

    /// The state of a withdrawal as of now.
    pub fn state_of(&self, withdrawal: &Withdrawal) -> WithdrawalState {
        let is_in_flight = self.is_in_flight(withdrawal.agreement.key);
        withdrawal.state(&self.now, &self.setup.window, is_in_flight)
    }

    /// Returns the name of a withdrawal's state, which tells a sending in another window apart.
    pub fn state_word(&self, withdrawal: &Withdrawal) -> String {
        let words = self.words();
        match self.state_of(withdrawal) {
            WithdrawalState::Sending(_) if self.is_sent_elsewhere(withdrawal.agreement.key) => {
                words.text("state-sending-elsewhere")
            }
            state => names::state(words, &state),
        }
    }

    /// Returns true when another withdrawal is open: then words about all money are not true.
    pub fn is_another_open(&self, but: Option<IdempotencyKey>) -> bool {
        self.withdrawals.open.iter().any(|one| Some(one.agreement.key) != but)
    }

    /// Returns true when it is being sent in this moment, by this window or another one.
    pub fn is_in_flight(&self, key: IdempotencyKey) -> bool {
        self.withdrawals.in_flight == Some(key) || self.is_sent_elsewhere(key)
    }

    /// Returns true when another window is sending it in this moment.
    pub fn is_sent_elsewhere(&self, key: IdempotencyKey) -> bool {
        self.withdrawals.elsewhere.contains(&key)
    }

    /// The credential a call needs and that is not at hand; before the vault answers none is known
    /// to be missing.
    pub fn missing(&self, wanted: Option<CredentialKind>) -> Option<CredentialKind> {
        wanted.filter(|kind| match self.session.credential(*kind) {
            Credential::Unknown => false,
            known => !known.is_good(self.now.wall),
        })
    }

    /// The action that puts this credential in place; the demo's login yields both.
    pub fn entry_action(&self, kind: CredentialKind) -> Action {
        match kind {
            CredentialKind::Jwt if self.setup.demo.is_none() => Action::PasteJwt,
            CredentialKind::Jwt | CredentialKind::ApiToken => Action::LogIn,
        }
    }

    /// The words in the language of the run, as those who look at the screen may read them.
    pub fn words(&self) -> &'static Words {
        match self.masks {
            true => Words::masking(self.setup.lang),
            false => Words::of(self.setup.lang),
        }
    }

    /// A message in the language of the run.
    pub fn text(&self, id: &str) -> String {
        self.words().text(id)
    }

    /// A message with values in it.
    pub fn with(&self, id: &str, values: &[(&str, &str)]) -> String {
        self.words().with(id, values)
    }

    /// Returns the reader of the screen: language, keys, clocks, font.
    pub fn reader(&self) -> Reader<'_> {
        Reader {
            words: self.words(),
            keys: &self.setup.keys,
            now: self.now.wall,
            boot_ms: self.now.boot_ms,
            utc_offset_s: self.setup.utc_offset_s,
            ascii: self.setup.ascii,
            size: self.size,
        }
    }

    /// The parts of a screen of this size; `None` when it is too small to work in.
    pub fn areas(&self, size: Size) -> Option<Areas> {
        let withdrawals = &self.withdrawals;
        let has_banner = !withdrawals.open.is_empty() || withdrawals.trouble.is_some();
        geometry::areas(has_banner, self.caption(size).len(), size)
    }

    /// The rows of the story's caption on a screen of this size. Each leaves the widest of the keys
    /// that go on its place, so that nothing moves where another one of them does.
    pub fn caption(&self, size: Size) -> Vec<String> {
        let keys = self.setup.keys.keys(Action::StoryNext).iter();
        let widths = keys.map(|key| columns(&story::key_hint(&self.reader().key_name(*key))));
        let key = if self.story.can_go_on() { widths.max().unwrap_or(0) } else { 0 };
        self.story.lines(size, key)
    }

    /// Says something once, in the line above the footer.
    pub fn say(&mut self, what: Notice) {
        self.notice = Some(what);
    }

    /// Says why something was not copied.
    pub fn not_copied(&mut self, trouble: CopyTrouble) {
        self.say(Notice::NotCopied(trouble));
    }

    /// Returns true when the demo can start over: not while money is on its way.
    pub fn can_start_over(&self) -> bool {
        let withdrawals = &self.withdrawals;
        let is_quiet = withdrawals.in_flight.is_none() && withdrawals.preparing.is_none();
        is_quiet && self.setup.demo.as_ref().is_some_and(|demo| demo.starts_over)
    }
}
