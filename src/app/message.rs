//! What the app hears, and what it wants done.

use std::path::PathBuf;
use std::sync::Arc;

use super::copying::Clip;
use super::form::Slot;
use super::input::Input;
use super::list::PageRequest;
use super::palette::Wish;
use super::session::{Credential, Keeper};
use super::story::StoryEvent;
use super::unsaved::NotSaved;
use super::withdrawals::{Past, Refused, Snapshot};
use super::{Copied, CopyTrouble, NoBrowser};
use crate::contract::MoneyLines;
use crate::trade::withdrawal::{Agreement, Decision, Destination, Retyped};
use crate::trade::{
    Account, Charge, ChargeRequest, CheckoutDomain, CredentialKind, DayTotal, DomainChoice,
    Exchange, Failure, IdempotencyKey, JournalTrouble, LinkRequest, ListPage, Money, NoQuote,
    PaymentLink, Quote, Ticket, Untrusted, VaultTrouble, Withdrawal,
};

/// Something that happened.
#[derive(Debug)]
pub enum Msg {
    /// The program has started.
    Started,
    /// The person did something.
    Input(Input),
    /// A moment the model was waiting for has come.
    Pulse,
    /// A secret field has this length now.
    SecretEdited {
        /// Which field.
        slot: Slot,
        /// Its length in characters.
        len: usize,
    },
    /// A secret field took no more: what was typed last, or all that was pasted, is not in it.
    SecretFull(Slot),
    /// The vault was asked for both credentials.
    CredentialsRead {
        /// Where they are kept, or what is wrong.
        keeper: Keeper,
        /// For withdrawals.
        api_token: Credential,
        /// For links.
        jwt: Credential,
    },
    /// A login ended.
    LoggedIn {
        /// Which question.
        ticket: Ticket,
        /// What is held now, each by its kind.
        result: Result<Vec<(CredentialKind, Credential)>, Failure>,
    },
    /// A pasted JWT was kept, or not.
    JwtKept {
        /// Which question.
        ticket: Ticket,
        /// What is held now.
        result: Result<Credential, Failure>,
    },
    /// The vault was asked which lines of the contract were agreed to last.
    LinesRead(Result<Option<MoneyLines>, VaultTrouble>),
    /// What the seller agreed to is kept, or not.
    LinesAgreed {
        /// Which question.
        ticket: Ticket,
        /// Why it is not kept, if it is not.
        result: Result<(), VaultTrouble>,
    },
    /// The credentials are gone from the vault, or not.
    LoggedOut(Result<(), VaultTrouble>),
    /// The service listed the domains, or not.
    DomainsListed {
        /// Which question.
        ticket: Ticket,
        /// The list.
        result: Result<Vec<CheckoutDomain>, Failure>,
    },
    /// The domain that was chosen when the program ran last; `None` for none.
    DomainRead(Option<Untrusted>),
    /// The domain that is chosen now could not be written down, and why.
    DomainNotKept(String),
    /// A window of links.
    LinksLoaded {
        /// Which question.
        ticket: Ticket,
        /// The rows and the totals of their days.
        result: Result<(ListPage<PaymentLink>, Vec<DayTotal>), JournalTrouble>,
    },
    /// Asking for a link ended; the history has it already.
    LinkMade {
        /// Which question.
        ticket: Ticket,
        /// The link, or why there is none.
        result: Result<PaymentLink, Failure>,
    },
    /// The service made it, and the history could not write that down; then it is told as made.
    NotSaved(Box<NotSaved>),
    /// A window of direct payments.
    ChargesLoaded {
        /// Which question.
        ticket: Ticket,
        /// The rows.
        result: Result<ListPage<Charge>, JournalTrouble>,
    },
    /// Asking for a direct payment ended.
    ChargeMade {
        /// Which question.
        ticket: Ticket,
        /// The payment, or why there is none.
        result: Result<Charge, Failure>,
    },
    /// A fee preview ended.
    Quoted {
        /// Which question.
        ticket: Ticket,
        /// The quote, or why there is none.
        result: Result<Quote, NoQuote>,
    },
    /// A window of withdrawals, and all open ones.
    WithdrawalsLoaded {
        /// Which question.
        ticket: Ticket,
        /// The rows, every open one, and what other windows do.
        result: Result<Snapshot, JournalTrouble>,
    },
    /// The journal looked for what the review should mention.
    Reviewed {
        /// The review it was asked for.
        key: IdempotencyKey,
        /// What it found.
        past: Result<Past, JournalTrouble>,
    },
    /// The destinations that were paid to.
    DestinationsLoaded {
        /// Which question.
        ticket: Ticket,
        /// The most used first.
        result: Result<Vec<Destination>, JournalTrouble>,
    },
    /// An agreement is durable, or was refused by the journal.
    Prepared {
        /// Which.
        key: IdempotencyKey,
        /// The withdrawal, or why not.
        result: Result<Box<Withdrawal>, Refused>,
    },
    /// An attempt is durable and on its way.
    AttemptBegan {
        /// Which.
        key: IdempotencyKey,
        /// Which attempt.
        n: u32,
    },
    /// An attempt ended, and the journal has it.
    Settled(Box<Withdrawal>),
    /// An attempt did not begin, or its end could not be written.
    AttemptTrouble {
        /// Which.
        key: IdempotencyKey,
        /// What the journal has, where it can be read.
        withdrawal: Option<Box<Withdrawal>>,
        /// What is wrong.
        trouble: Failure,
    },
    /// A person's decision is durable, or not.
    Decided {
        /// Which.
        key: IdempotencyKey,
        /// The withdrawal, or what is wrong.
        result: Result<Box<Withdrawal>, Failure>,
    },
    /// An exchange ended, masked.
    Exchanged(Arc<Exchange>),
    /// This was copied, or not.
    Copied(Clip, Result<Copied, CopyTrouble>),
    /// The browser was asked, or could not be.
    Browsed(Result<(), NoBrowser>),
    /// The buyer's page, fetched or paid.
    BuyerPage {
        /// Which question.
        ticket: Ticket,
        /// The page.
        page: BuyerPage,
    },
    /// The sandbox says that a link was paid.
    SandboxLinkPaid {
        /// What for.
        description: Untrusted,
        /// How much.
        amount: Money,
    },
    /// A wish to the demo was granted.
    DemoDone(Wish),
    /// What a service on this machine proved to be, before anything of a journal is shown.
    Proven {
        /// Whether it is the sandbox; everything else is live.
        sandbox: bool,
        /// The directory of its journal.
        journal: Untrusted,
    },
    /// Another window wrote to the money journal, or its attempt ended.
    JournalChanged,
    /// Another journal is the live one, or could not become it.
    JournalPicked(Result<(), JournalTrouble>),
    /// Another window wrote to the history.
    HistoryChanged,
    /// The history was damaged: it was moved to this path, and a new one has begun.
    HistoryMovedAside(Untrusted),
    /// The system does not tell what other windows write, and why.
    NotWatching(String),
    /// The program was stopped, and runs again on a screen that others wrote on.
    Continued,
    /// These faults lie in wait in the demo's sandbox now.
    FaultsInWait(Vec<super::faults::Armed>),
    /// A wish to the demo could not be granted.
    DemoNotDone,
    /// The demo's story says something.
    Story(StoryEvent),
    /// The program is asked to end (a signal); true when the terminal is gone.
    Terminate(bool),
}

/// Something to be done in the world.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Ask the vault for both credentials.
    ReadCredentials,
    /// Ask the vault which lines of the contract were agreed to last.
    ReadLines,
    /// Keep the lines in force that steer money as agreed to.
    Agree(Ticket),
    /// Keep credentials in memory from now on.
    UseMemory,
    /// Log in with these values; secrets are taken from their slots by the fields' names.
    LogIn {
        /// The question.
        ticket: Ticket,
        /// The values that are no secrets, by field name.
        values: Vec<(Arc<str>, String)>,
        /// The secret fields: name and slot.
        secrets: Vec<(Arc<str>, Slot)>,
    },
    /// Keep what is in this slot as the JWT.
    KeepJwt {
        /// The question.
        ticket: Ticket,
        /// The slot.
        slot: Slot,
    },
    /// Wipe these slots.
    WipeSecrets(Vec<Slot>),
    /// Forget both credentials, in the vault too.
    LogOut,
    /// List the domains.
    ListDomains(Ticket),
    /// Look up which domain was chosen when the program ran last.
    ReadDomain,
    /// Write down which domain is chosen.
    KeepDomain(DomainChoice),
    /// Load a window of links.
    LoadLinks(PageRequest),
    /// Ask for a link.
    MakeLink {
        /// The question.
        ticket: Ticket,
        /// What is asked for, and what the history keeps.
        request: LinkRequest,
    },
    /// Load a window of direct payments.
    LoadCharges(PageRequest),
    /// Ask for a direct payment, with these bytes.
    MakeCharge {
        /// The question.
        ticket: Ticket,
        /// What the history keeps.
        request: ChargeRequest,
        /// The body, byte for byte.
        body: Arc<str>,
    },
    /// Ask what a withdrawal of this amount costs.
    Quote {
        /// The question.
        ticket: Ticket,
        /// The amount.
        amount: Money,
    },
    /// Nobody waits for the answer to this question any more.
    Cancel(Ticket),
    /// Load a window of withdrawals.
    LoadWithdrawals(PageRequest),
    /// Look in the journal for what the review should mention.
    LookUpPast(Box<Agreement>),
    /// Load the destinations that withdrawals of this account were paid to.
    LoadDestinations {
        /// The question.
        ticket: Ticket,
        /// Whose.
        account: Account,
    },
    /// Make an agreement durable.
    Prepare {
        /// What was agreed.
        agreement: Box<Agreement>,
        /// The amount as it was typed again, where the review named other withdrawals.
        retyped: Option<Retyped>,
    },
    /// Send a withdrawal: the cashier does it.
    Attempt(IdempotencyKey),
    /// Write a person's decision down.
    Decide {
        /// Which.
        key: IdempotencyKey,
        /// What.
        choice: Decision,
    },
    /// Make the journal in this directory the live one.
    PickJournal(PathBuf),
    /// Copy these exact bytes, and what they are.
    Copy(Clip, Untrusted),
    /// Open this address in the browser.
    Browse(Untrusted),
    /// Draw everything anew.
    Redraw,
    /// Fetch the buyer's page, or press its button.
    Buyer {
        /// The question.
        ticket: Ticket,
        /// The address.
        url: Untrusted,
        /// Whether the button is pressed.
        pay: bool,
    },
    /// Grant a wish to the demo.
    Demo(Wish),
    /// Leave the program.
    Leave,
}

/// What a buyer sees.
#[derive(Debug, Clone, PartialEq)]
pub enum BuyerPage {
    /// The checkout.
    Open {
        /// The shop's host.
        host: Untrusted,
        /// What is to be paid.
        amount: Money,
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
