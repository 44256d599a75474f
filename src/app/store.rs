//! The store: what screens share, each record once, and the questions asked of it.

use std::collections::VecDeque;
use std::sync::Arc;

use super::list::List;
use super::screen::route::Next;
use super::session::{Session, Wait};
use super::ui::Overflow;
use super::{
    CopyTrouble, Domains, Pane, Said, Setup, Size, copying, faults, habits, links, money_lines,
    seen, story, withdrawals,
};
use crate::trade::withdrawal::WithdrawalState;
use crate::trade::{
    Account, Charge, Clocks, CredentialKind, Exchange, IdempotencyKey, Ticket, Untrusted,
    Withdrawal,
};
use crate::words::{Words, names};

/// What screens share.
#[derive(Debug, Clone)]
pub struct Store {
    /// What is fixed for the run.
    pub setup: Setup,
    /// The only time the view sees.
    pub now: Clocks,
    /// The terminal's size, as it was last heard of.
    pub size: Size,
    /// The pane in front.
    pub pane: Pane,
    /// The first line shown of the text in front.
    pub scroll: u16,
    /// Whether this is the sandbox: the badge that no theme removes. Until it is proved it is not.
    pub sandbox: bool,
    /// The directory of the journal, for the way out of its troubles.
    pub journal: Untrusted,
    /// Who is logged in.
    pub session: Session,
    /// Payment links.
    pub links: links::LinksState,
    /// Where a history is that was damaged when it was opened: what was in it is in no list.
    pub history_aside: Option<Untrusted>,
    /// Checkout domains.
    pub domains: Domains,
    /// Withdrawals.
    pub withdrawals: withdrawals::WithdrawalsState,
    /// The lines of the contract that steer money, as the seller agreed to them.
    pub money_lines: money_lines::MoneyLinesState,
    /// Direct payments.
    pub charges: List<Charge>,
    /// Links and direct payments of this run that could not be written down.
    pub unsaved: super::unsaved::Unsaved,
    /// The exchanges of this run that are kept, newest first.
    pub exchanges: VecDeque<Arc<Exchange>>,
    /// How many of this run are kept no more.
    pub exchanges_dropped: u64,
    /// The exchange under the cursor.
    pub exchange_cursor: usize,
    /// What was done from the palette in this run, the last first.
    pub recent_wishes: Vec<super::palette::Wish>,
    /// The demo's story.
    pub story: story::Story,
    /// The faults that lie in wait in the demo's sandbox, the first to be met first.
    pub faults: Vec<faults::Armed>,
    /// What the frames so far showed.
    pub seen: seen::Sight,
    /// The last copy, and how many times in a row.
    pub copies: copying::Copies,
    /// What is remembered of a hand's habits.
    pub habits: habits::Habits,
    /// What was just done, in the last line but one.
    pub notice: Option<Said>,
    /// The number of the last question.
    pub last_ticket: Ticket,
    /// The credential that was just put in place, while this message is heard.
    pub entered: Option<CredentialKind>,
    /// What of the text in front had no room on its last frame.
    pub overflow: Overflow,
    /// Whether the program is being left.
    pub leaving: bool,
    /// Whether the terminal is gone.
    pub hung_up: bool,
}

impl Store {
    /// A store of which nothing is known yet.
    pub fn new(setup: Setup, size: Size, now: Clocks) -> Store {
        Store {
            sandbox: setup.sandbox,
            journal: setup.journal.clone(),
            setup,
            now,
            size,
            pane: Pane::default(),
            scroll: 0,
            session: super::session::Session::default(),
            links: links::LinksState::default(),
            history_aside: None,
            domains: super::Domains::default(),
            withdrawals: super::withdrawals::WithdrawalsState::default(),
            money_lines: money_lines::MoneyLinesState::default(),
            charges: super::list::List::default(),
            unsaved: super::unsaved::Unsaved::default(),
            exchanges: std::collections::VecDeque::default(),
            exchanges_dropped: 0,
            exchange_cursor: 0,
            recent_wishes: vec![],
            story: story::Story::default(),
            faults: vec![],
            seen: seen::Sight::default(),
            copies: super::copying::Copies::default(),
            habits: habits::Habits::default(),
            notice: None,
            last_ticket: Ticket::default(),
            entered: None,
            overflow: Overflow::default(),
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

    /// Whose money this is.
    pub fn account(&self) -> Account {
        let identity = self.session.identity().unwrap_or_else(|| "".into());
        Account { origin: self.setup.origin.clone(), identity }
    }

    /// The state of a withdrawal as of now.
    pub fn state_of(&self, withdrawal: &Withdrawal) -> WithdrawalState {
        let key = withdrawal.agreement.key;
        let in_flight = self.withdrawals.in_flight == Some(key) || self.is_sent_elsewhere(key);
        withdrawal.state(&self.now, &self.setup.window, in_flight)
    }

    /// What the state of a withdrawal is called now; it also says that another window is at it.
    pub fn state_word(&self, withdrawal: &Withdrawal) -> String {
        let words = Words::of(self.setup.lang);
        match self.state_of(withdrawal) {
            WithdrawalState::Sending(_) if self.is_sent_elsewhere(withdrawal.agreement.key) => {
                words.text("state-sending-elsewhere")
            }
            state => names::state(words, &state),
        }
    }

    /// Whether another withdrawal than this is open: what is said of all money is not true then.
    pub fn is_another_open(&self, but: Option<IdempotencyKey>) -> bool {
        self.withdrawals.open.iter().any(|one| Some(one.agreement.key) != but)
    }

    /// Whether another window is sending it in this moment.
    pub fn is_sent_elsewhere(&self, key: IdempotencyKey) -> bool {
        self.withdrawals.elsewhere.contains(&key)
    }

    /// Says something once, in the line above the footer.
    pub fn say(&mut self, what: Said) {
        self.notice = Some(what);
    }

    /// Says why something was not copied.
    pub fn not_copied(&mut self, trouble: CopyTrouble) -> Next {
        self.say(Said::NotCopied(trouble));
        Next::none()
    }

    /// Whether the demo can start over: not while money is on its way, whose end would be lost.
    pub fn can_start_over(&self) -> bool {
        let withdrawals = &self.withdrawals;
        let is_quiet = withdrawals.in_flight.is_none() && withdrawals.preparing.is_none();
        is_quiet && self.setup.demo.as_ref().is_some_and(|demo| demo.starts_over)
    }
}
