//! What lies over a pane. The topmost layer has the keys.

use std::path::PathBuf;
use std::sync::Arc;

use super::action::Action;
use super::form::Form;
use super::money_lines::Reading;
use super::session::{JwtForm, LoginForm};
use super::withdrawals::Flow;
use super::withdrawals::send::SendQuestion;
use super::withdrawals::statement::Statement;
use super::{Pane, Wait};
use crate::trade::{
    Charge, DomainChoice, Exchange, Failure, IdempotencyKey, PaymentLink, Untrusted, Withdrawal,
};
use tui_input::Input as TextField;

/// One layer.
#[derive(Debug, Clone)]
pub enum Layer {
    /// Log in.
    Login(Box<LoginForm>),
    /// Paste the JWT for links.
    Jwt(Box<JwtForm>),
    /// A new payment link.
    NewLink(Box<NewLink>),
    /// One link, with its url in full and as a QR code.
    Link(Box<PaymentLink>),
    /// A new direct payment.
    NewCharge(Box<NewCharge>),
    /// One direct payment.
    Charge(Box<Charge>),
    /// A withdrawal on its way.
    Withdraw(Flow),
    /// One withdrawal, with every attempt.
    Withdrawal(Box<Withdrawal>),
    /// The question before a withdrawal is sent from the list or from its details.
    Send(Box<SendQuestion>),
    /// What to look for in the account, about the withdrawal below.
    Guide {
        /// The clue under the cursor.
        cursor: usize,
    },
    /// The typed statement that the withdrawal below was not paid.
    NotPaid(Box<Statement>),
    /// Every attempt of the withdrawal below, in full.
    Attempts,
    /// The journals of which one is picked.
    Journals {
        /// The one under the cursor.
        cursor: usize,
    },
    /// The lines of the contract that steer money, to be agreed to.
    MoneyLines(Box<Reading>),
    /// One exchange.
    Exchange(Arc<Exchange>),
    /// A QR code and nothing else.
    Qr(Untrusted),
    /// The keys.
    Help,
    /// Everything that can be done now.
    Palette(Palette),
    /// A question with buttons.
    Ask(Box<Ask>),
    /// The checkout page as the buyer sees it; only where the sandbox is ours.
    Buyer(Box<Buyer>),
}

/// A new payment link.
#[derive(Debug, Clone)]
pub struct NewLink {
    /// Amount, description, domain.
    pub form: Form,
    /// The domains the form's choice was made from, `Automatic` first.
    pub domains: Vec<DomainChoice>,
    /// It is being asked for.
    pub wait: Option<Wait>,
    /// Why it was not made.
    pub failure: Option<Failure>,
}

/// A new direct payment.
#[derive(Debug, Clone)]
pub struct NewCharge {
    /// The contract's declared fields.
    pub form: Form,
    /// It is being asked for.
    pub wait: Option<Wait>,
    /// Why it was not made.
    pub failure: Option<Failure>,
}

/// The palette.
#[derive(Debug, Clone, Default)]
pub struct Palette {
    /// What is searched for.
    pub query: TextField,
    /// What fits, best first.
    pub found: Vec<Wish>,
    /// The line under the cursor.
    pub cursor: usize,
}

/// Something the palette can do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wish {
    /// What a key could ask for too.
    Do(Action),
    /// Show this pane, and begin a new one of what it lists.
    New(Pane),
    /// Show the checkout page as the buyer sees it.
    BuyersView,
    /// The demo: arm the fault of this name for the next request.
    Fault(Arc<str>),
    /// The demo: let every request through again.
    NoFaults,
    /// The demo: the sandbox starts over.
    StartOver,
    /// The demo: all domains go inactive, or come back.
    DomainsDown(bool),
    /// The demo: its clock is moved on, until a key is too old to be sent again.
    Forward,
    /// The demo: the story is played from its beginning, or stopped.
    Story(bool),
    /// The demo: the story's captions are shown, or not.
    Captions(bool),
}

/// A question; the focus stands on the harmless button first.
#[derive(Debug, Clone)]
pub struct Ask {
    /// What is asked.
    pub question: Question,
    /// Whether the focus stands on the button that does it.
    pub on_do: bool,
    /// Before this reading of the boot clock that button is dead.
    pub armed_at_ms: u64,
}

impl Ask {
    /// A question that is being asked now.
    pub fn new(question: Question) -> Ask {
        Ask { question, on_do: false, armed_at_ms: 0 }
    }

    /// Whether the button would do it now, where it is in sight.
    pub fn may_be_done(&self, now_ms: u64) -> bool {
        now_ms >= self.armed_at_ms
    }
}

/// What is asked before it is done.
#[derive(Debug, Clone, PartialEq)]
pub enum Question {
    /// Leave a form in which something was typed.
    DropForm,
    /// Leave the program while money is in flight.
    LeaveInFlight,
    /// Forget the credentials.
    LogOut,
    /// Copy an address that has something odd about it.
    CopyOdd {
        /// The address alone, or a message with it.
        clip: super::copying::Clip,
        /// The address.
        url: Untrusted,
        /// What is odd.
        oddities: Vec<super::links::Oddity>,
    },
    /// Open such an address in the browser, or show it as a QR code.
    PassOdd {
        /// What to do with it.
        to: super::links::Onward,
        /// The address.
        url: Untrusted,
        /// What is odd.
        oddities: Vec<super::links::Oddity>,
    },
    /// Retire a prepared withdrawal.
    Discard(IdempotencyKey),
    /// The seller found the withdrawal in the account.
    Found(IdempotencyKey),
    /// Keep credentials in memory, because there is no keyring.
    UseMemory,
    /// Make the journal in this directory the live one.
    PickJournal(PathBuf),
    /// Leave the program, though something was typed.
    DropAndLeave,
}

impl Question {
    /// Whether a yes decides something that no key takes back: a click does not say it.
    pub fn decides(&self) -> bool {
        matches!(self, Question::Discard(_) | Question::Found(_) | Question::LogOut)
    }
}

/// The checkout page as the buyer sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct Buyer {
    /// The address.
    pub url: Untrusted,
    /// The page, once it is here.
    pub page: Option<BuyerPage>,
    /// It is being fetched or paid.
    pub wait: Option<Wait>,
}

/// What a buyer sees.
#[derive(Debug, Clone, PartialEq)]
pub enum BuyerPage {
    /// The checkout.
    Open {
        /// The shop's host.
        host: Untrusted,
        /// What is to be paid.
        amount: crate::trade::Money,
        /// What for.
        description: Untrusted,
        /// Whether it was paid.
        paid: bool,
    },
    /// The checkout is blocked: its domain is not active.
    Blocked {
        /// The shop's host.
        host: Untrusted,
    },
    /// There is no such page.
    NotFound,
}

impl Layer {
    /// The form of this layer, if it has one that can be typed into now.
    pub fn form(&self) -> Option<&Form> {
        match self {
            Layer::Login(login) => Some(&login.form),
            Layer::Jwt(jwt) => Some(&jwt.form),
            Layer::NewLink(link) => Some(&link.form),
            Layer::NewCharge(charge) => Some(&charge.form),
            Layer::Withdraw(Flow::Form(draft)) => Some(&draft.form),
            _ => None,
        }
    }

    /// The same, to type into it.
    pub fn form_mut(&mut self) -> Option<&mut Form> {
        match self {
            Layer::Login(login) => Some(&mut login.form),
            Layer::Jwt(jwt) => Some(&mut jwt.form),
            Layer::NewLink(link) => Some(&mut link.form),
            Layer::NewCharge(charge) => Some(&mut charge.form),
            Layer::Withdraw(Flow::Form(draft)) => Some(&mut draft.form),
            _ => None,
        }
    }

    /// What is under way in this layer.
    pub fn wait(&self) -> Option<Wait> {
        match self {
            Layer::Login(login) => login.wait,
            Layer::Jwt(jwt) => jwt.wait,
            Layer::NewLink(link) => link.wait,
            Layer::NewCharge(charge) => charge.wait,
            Layer::Withdraw(Flow::Preparing { wait, .. } | Flow::Sending { wait, .. }) => {
                Some(*wait)
            }
            Layer::Buyer(buyer) => buyer.wait,
            Layer::MoneyLines(reading) => reading.wait,
            _ => None,
        }
    }

    /// Whether what is under it stays in sight.
    pub fn floats(&self) -> bool {
        matches!(self, Layer::Ask(_) | Layer::Palette(_) | Layer::NotPaid(_))
    }

    /// The pane this layer belongs to, where it belongs to one.
    pub fn pane(&self) -> Option<Pane> {
        match self {
            Layer::NewLink(_) | Layer::Link(_) => Some(Pane::Links),
            Layer::NewCharge(_) | Layer::Charge(_) => Some(Pane::Charges),
            Layer::Withdraw(_)
            | Layer::Withdrawal(_)
            | Layer::Send(_)
            | Layer::Guide { .. }
            | Layer::NotPaid(_)
            | Layer::Attempts
            | Layer::Journals { .. } => Some(Pane::Withdrawals),
            Layer::Exchange(_) => Some(Pane::Exchanges),
            _ => None,
        }
    }
}
