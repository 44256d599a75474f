//! The app: what it holds, what it hears, what it wants done.
//!
//! [`update()`] is the whole behaviour. It is given everything it knows (the clocks too) and does
//! nothing but change the [`Model`] and name [`Effect`]s; so whatever the app does can be replayed
//! in a test, and whatever it shows follows from the model alone.
//!
//! * [`store`] is what screens share; the modules named as its parts ([`links`], [`withdrawals`],
//!   [`session`] and so on) hold that part and its rules.
//! * [`screen`] says what a screen is, [`screens`] has one folder for each.
//! * [`router`] knows which screen has the keys, and does what screens want next.
//! * [`ui`] is the kit that screens are made of, [`around`] lays out the whole page.
//! * [`seen`] is what frames showed: what is agreed to is judged by it.

pub mod action;
pub mod around;
pub mod charges;
pub mod copying;
pub mod declared;
pub mod domains;
pub mod exchanges;
pub mod faults;
pub mod form;
pub mod geometry;
pub mod habits;
pub mod input;
pub mod keys;
pub mod links;
pub mod list;
pub mod login;
mod meaning;
pub mod message;
pub mod money_lines;
mod one_line;
pub mod palette;
pub mod router;
pub mod screen;
pub mod screens;
pub mod scroll;
pub mod search;
pub mod seen;
pub mod session;
pub mod standing;
pub mod store;
pub mod story;
pub mod ui;
pub mod unsaved;
mod update;
pub mod withdrawals;

#[cfg(test)]
mod tests;

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use crate::contract::Contract;
use crate::trade::withdrawal::Window;
use crate::trade::{
    CheckoutDomain, Clocks, DomainChoice, Failure, IdempotencyKey, JournalTrouble, Origin,
    Untrusted,
};

use crate::words::Lang;

pub use input::Size;
pub use message::{Effect, Msg};
pub use session::{Wait, to_next_second};
pub use store::Store;
pub use update::{pulse, update};

use action::Action;
use form::Limit;
use keys::Keymap;
use screens::Layer;

pub use exchanges::EXCHANGES_KEPT;

/// The panes, in the order of their keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[expect(missing_docs, reason = "a pane is its name")]
pub enum Pane {
    #[default]
    Links,
    Domains,
    Withdrawals,
    Charges,
    Exchanges,
    Account,
}

impl Pane {
    /// All panes, in the order of their keys.
    pub const ALL: [Pane; 6] = [
        Pane::Links,
        Pane::Domains,
        Pane::Withdrawals,
        Pane::Charges,
        Pane::Exchanges,
        Pane::Account,
    ];

    /// The action that shows it.
    pub fn action(self) -> Action {
        match self {
            Pane::Links => Action::Links,
            Pane::Domains => Action::Domains,
            Pane::Withdrawals => Action::Withdrawals,
            Pane::Charges => Action::Charges,
            Pane::Exchanges => Action::Exchanges,
            Pane::Account => Action::Account,
        }
    }
}

/// What is fixed for a run.
#[derive(Debug, Clone)]
pub struct Setup {
    /// The profile's name.
    pub profile: Arc<str>,
    /// The base URL, without a slash at its end.
    pub base_url: Arc<str>,
    /// The service's origin: what credentials belong to.
    pub origin: Origin,
    /// What stands for the seller in the header.
    pub title: Arc<str>,
    /// The directory of the journal, as long as nothing else is proved.
    pub journal: Untrusted,
    /// Whether this program plays the service itself: then it is the sandbox without a proof.
    pub sandbox: bool,
    /// Whether the address is one of this machine, which says nothing of what is behind it.
    pub this_machine: bool,
    /// Whether the sandbox is our own, so that the demo's wishes can be granted.
    pub demo: Option<DemoSetup>,
    /// What the documentation does not show.
    pub contract: Arc<Contract>,
    /// The keys.
    pub keys: Arc<Keymap>,
    /// How long a key may be sent again; its retention follows the lines that were agreed to.
    pub window: Window,
    /// The palette's lines, and the words that they are found by.
    pub labels: Arc<[palette::Item]>,
    /// The language.
    pub lang: Lang,
    /// Whether the font has nothing but letters: no lines, no blocks, no bullets.
    pub ascii: bool,
    /// Seconds the seller's clock stands east of UTC.
    pub utc_offset_s: i32,
}

/// What the demo fills in.
#[derive(Debug, Clone, Default)]
pub struct DemoSetup {
    /// Values for the login's fields; a secret's length stands for the secret.
    pub login: Vec<(Arc<str>, DemoValue)>,
    /// Whether it can start over: not where its journal is kept.
    pub starts_over: bool,
}

/// A value the demo fills in.
#[derive(Debug, Clone)]
pub enum DemoValue {
    /// As it is.
    Text(Arc<str>),
    /// A secret of this length, which the runtime holds.
    Secret(usize),
}

/// Everything the app holds.
///
/// What screens share is read through it: `model.now` is the store's.
#[derive(Debug, Clone)]
pub struct Model {
    /// What screens share.
    pub store: Store,
    /// What lies over the pane in front; the last is on top and has the keys.
    pub layers: Vec<Layer>,
}

impl Deref for Model {
    type Target = Store;

    fn deref(&self) -> &Store {
        &self.store
    }
}

impl DerefMut for Model {
    fn deref_mut(&mut self) -> &mut Store {
        &mut self.store
    }
}

impl Model {
    /// A model of which nothing is known yet.
    pub fn new(setup: Setup, size: Size, now: Clocks) -> Model {
        Model { store: Store::new(setup, size, now), layers: vec![] }
    }
}

/// Checkout domains, as the service listed them.
#[derive(Debug, Clone, Default)]
pub struct Domains {
    /// The list, once it is here.
    pub listed: Option<Vec<CheckoutDomain>>,
    /// It is being asked for.
    pub wait: Option<Wait>,
    /// Why it is not here.
    pub failure: Option<Failure>,
    /// The line under the cursor; 0 is "automatic".
    pub cursor: usize,
    /// The one for new links.
    pub choice: DomainChoice,
}

/// Something that was just done, said once, without a question.
#[derive(Debug, Clone, PartialEq)]
pub enum Said {
    /// Something was copied.
    Copied {
        /// What.
        clip: copying::Clip,
        /// How.
        how: Copied,
        /// How many times in a row.
        times: u32,
    },
    /// It could not be copied.
    NotCopied(CopyTrouble),
    /// The browser was asked to open it.
    Opened,
    /// No browser could be opened.
    NotOpened(NoBrowser),
    /// What was typed or pasted is more than the field takes.
    Full(Limit),
    /// Logged in.
    LoggedIn,
    /// Logged out.
    LoggedOut,
    /// The JWT is in place.
    JwtKept,
    /// The lines of the contract are agreed to; nothing was sent by that.
    LinesAgreed,
    /// New links use this domain now.
    DomainChosen,
    /// They do, but the next start will not know it.
    DomainNotKept(String),
    /// What was asked for again is here.
    Refreshed,
    /// A key that means something elsewhere does nothing here.
    NotHere(action::Action),
    /// The sandbox says that a link was paid; no documented operation says so.
    SandboxLinkPaid {
        /// What for.
        description: Untrusted,
        /// How much.
        amount: crate::trade::Money,
    },
    /// The demo armed a fault.
    FaultArmed(Arc<str>),
    /// The demo's faults are gone.
    FaultsGone,
    /// The sandbox started over.
    StartedOver,
    /// The demo's domains went inactive, or came back.
    DomainsDown(bool),
    /// The demo's clock was moved on.
    Forwarded,
    /// The demo's story moved a domain to another state.
    DomainMoved(Untrusted),
    /// A step of the demo's story could not be done.
    StepFailed,
    /// A wish to the demo could not be granted; nothing changed.
    NotGranted,
    /// Something failed that has no place of its own on the screen.
    Failure(Failure),
    /// The same of sending a withdrawal: other attempts of it may have paid.
    Sending(Failure),
    /// A person's decision about a withdrawal was not written down.
    NotDecided(Failure),
    /// The history could not be read or written; money is not touched by that.
    History(JournalTrouble),
    /// Another journal is the live one.
    JournalPicked,
    /// It could not be made the live one.
    JournalNotPicked(JournalTrouble),
    /// What other windows do is only seen by looking again.
    NotWatching(String),
    /// The history was damaged, and a new one has begun; the account pane says where the old is.
    HistoryAnew,
}

/// Why no browser was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoBrowser {
    /// It is not a web address.
    NotWeb,
    /// There is no screen here on which one could appear.
    NoDisplay,
    /// The system could not start one.
    Failed,
}

/// How something was copied; no more is said than is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Copied {
    /// It is in the desktop's clipboard.
    Desktop,
    /// It is in tmux's buffer, and was passed on to the terminal.
    Tmux,
    /// It was sent to the terminal, which does not say what it did with it.
    SentToTerminal,
}

/// Why something was not copied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CopyTrouble {
    /// It holds control characters, or others that nobody sees.
    NotClean,
    /// It is longer than what is shown: nobody could see all of it.
    NotInFull,
    /// It is longer than clipboards of terminals take.
    TooLong,
    /// There is nothing to copy here.
    Nothing,
}

/// What the world outside tells `update` with each message.
#[derive(Debug, Clone)]
pub struct Stamp {
    /// The clocks.
    pub clocks: Clocks,
    /// A key nobody has used; it is used up only if a review opens.
    pub fresh_key: IdempotencyKey,
    /// What the last frame before this message had on the screen.
    pub seen: Arc<seen::Seen>,
}
