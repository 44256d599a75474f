//! The messages that the app hears, and the effects that it wants.

use std::sync::Arc;

use super::{Copied, CopyTrouble, NoBrowser, Size};
use crate::app::store::clip::Clip;
use crate::app::store::commands::Command;
use crate::app::store::first_run::{SetUpAnswer, SetUpCommand};
use crate::app::store::profiles::NotSwitched;
use crate::app::store::session::{Credential, Keeper};
use crate::app::store::story::{SellerEvent, StoryEvent};
use crate::app::store::unsaved::NotSaved;
use crate::app::store::withdrawals::{Past, Refused, Snapshot};
use crate::app::ui::form::Slot;
use crate::app::ui::input::Input;
use crate::app::ui::list::PageRequest;
use crate::contract::{ConfirmedLines, Contract, ContractLines, TaughtLine};
use crate::trade::checkup::Checkup;
use crate::trade::withdrawal::{Agreement, Decision, Destination, Retyped};
use crate::trade::{
    Account, Charge, ChargeRequest, CheckoutDomain, CredentialKind, DomainChoice, Exchange,
    Failure, IdempotencyKey, JournalTrouble, LinkRequest, LinkTotals, LinksRead, ListPage, Money,
    Nickname, Nicknames, NoQuote, PaymentLink, PixKey, Quote, Ticket, Untrusted, VaultTrouble,
    Wall, Withdrawal,
};

/// Something that happened: `ticket` is the question that it answers, `key` the withdrawal that it
/// is about, `result` what came of it.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "what the variants have in common is said above")]
pub enum Msg {
    /// The program has started.
    Started,
    /// The person did something.
    Input(Input),
    /// A moment the model was waiting for has come.
    Pulse,
    /// A secret field has this length now.
    SecretEdited { slot: Slot, len: usize },
    /// A secret field took no more: what was typed last, or all that was pasted, is not in it.
    SecretFull(Slot),
    /// The vault was asked for both credentials; `keeper` is where they are kept, or what is wrong.
    CredentialsRead { keeper: Keeper, api_token: Credential, jwt: Credential },
    /// A login ended.
    LoggedIn { ticket: Ticket, result: Result<Vec<(CredentialKind, Credential)>, Failure> },
    /// The vault did not take a credential, which is kept for this run alone.
    NotKept(VaultTrouble),
    /// A pasted JWT was kept, or not.
    JwtKept { ticket: Ticket, result: Result<Credential, Failure> },
    /// The vault returned the lines of the contract that were agreed to last, or failed.
    ConsentRead(Result<Option<ContractLines>, VaultTrouble>),
    /// These lines of the contract are confirmed from now on.
    LinesConfirmed(ConfirmedLines),
    /// Lines that the seller taught are in force, or not, and why.
    Taught { ticket: Ticket, result: Result<TaughtContract, Untrusted> },
    /// The vault stored the lines that the seller agreed to, or failed.
    ConsentStored { ticket: Ticket, result: Result<(), VaultTrouble> },
    /// The credentials are gone from the vault, or not.
    LoggedOut(Result<(), VaultTrouble>),
    /// The service listed the domains, or not.
    DomainsListed { ticket: Ticket, result: Result<Vec<CheckoutDomain>, Failure> },
    /// The history noted the domains of this account; since when each is seen in its state.
    DomainsNoted { account: Account, seen: Vec<(CheckoutDomain, Wall)> },
    /// The domain that was chosen when the program ran last; `None` for none.
    DomainRead(Option<Untrusted>),
    /// The domain that is chosen now could not be written down, and why.
    DomainNotKept(String),
    /// A window of links.
    LinksLoaded { ticket: Ticket, result: Result<LinksRead, JournalTrouble> },
    /// The totals of the links that were loaded for this question.
    LinksCounted { ticket: Ticket, result: Result<LinkTotals, JournalTrouble> },
    /// Asking for a link ended; the history has it already.
    LinkMade { ticket: Ticket, result: Result<PaymentLink, Failure> },
    /// A link was marked as paid, or the mark was taken away; as it is now.
    LinkMarked(Result<Box<PaymentLink>, JournalTrouble>),
    /// The service made it, and the history could not note that; the end of asking comes next.
    NotSaved(Box<NotSaved>),
    /// A window of direct payments.
    ChargesLoaded { ticket: Ticket, result: Result<ListPage<Charge>, JournalTrouble> },
    /// The number of all direct payments of this question.
    ChargesCounted { ticket: Ticket, result: Result<u64, JournalTrouble> },
    /// Asking for a direct payment ended.
    ChargeMade { ticket: Ticket, result: Result<Charge, Failure> },
    /// A fee preview ended.
    Quoted { ticket: Ticket, result: Result<Quote, NoQuote> },
    /// A window of withdrawals, and all open ones.
    WithdrawalsLoaded { ticket: Ticket, result: Result<Snapshot, JournalTrouble> },
    /// The journal looked for what the review should mention.
    Reviewed { key: IdempotencyKey, past: Result<Past, JournalTrouble> },
    /// The destinations that were paid to.
    DestinationsLoaded { ticket: Ticket, result: Result<Vec<Destination>, JournalTrouble> },
    /// The nicknames of destinations, as the history has them.
    NicknamesRead(Result<Arc<Nicknames>, JournalTrouble>),
    /// A destination was given a nickname, or lost it; all of them then.
    Nicknamed { ticket: Ticket, result: Result<Arc<Nicknames>, Failure> },
    /// An agreement is durable, or was refused by the journal.
    Prepared { key: IdempotencyKey, result: Result<Box<Withdrawal>, Refused> },
    /// An attempt is durable and on its way.
    AttemptBegan { key: IdempotencyKey, n: u32 },
    /// An attempt ended, and the journal has it.
    Settled(Box<Withdrawal>),
    /// An attempt did not begin, or its end could not be written; the withdrawal as the journal has
    /// it, where that can be read.
    AttemptTrouble { key: IdempotencyKey, withdrawal: Option<Box<Withdrawal>>, trouble: Failure },
    /// A person's decision is durable, or not.
    Decided { key: IdempotencyKey, result: Result<Box<Withdrawal>, Failure> },
    /// An exchange ended, masked.
    Exchanged(Arc<Exchange>),
    /// The files of a receipt stand at these paths, text and picture, or the system says why not.
    ReceiptSaved { ticket: Ticket, result: Result<[Untrusted; 2], String> },
    /// This was copied, or not.
    Copied(Clip, Result<Copied, CopyTrouble>),
    /// The browser was asked, or could not be.
    Browsed(Result<(), NoBrowser>),
    /// The buyer's page, fetched or paid.
    BuyerPage { ticket: Ticket, page: BuyerPage },
    /// An examination ended.
    Examined { ticket: Ticket, checkup: Arc<Checkup> },
    /// The sandbox says that the link at this address was paid just now.
    SandboxLinkPaid { url: Untrusted, description: Untrusted, amount: Money },
    /// The sandbox says which links were paid so far, by their addresses.
    SandboxPaidLinks(Arc<[Untrusted]>),
    /// A command to the demo was granted.
    DemoDone(Command),
    /// The proof of what a service on this machine is, and the directory of its journal; all but
    /// the sandbox is live. It comes before anything of a journal.
    Proven { sandbox: bool, journal: Untrusted },
    /// Another window wrote to the money journal, or its attempt ended.
    JournalChanged,
    /// The journal here is the live one, or could not become it.
    MadeLive { ticket: Ticket, result: Result<(), Failure> },
    /// Another window wrote to the history.
    HistoryChanged,
    /// The history was damaged: it was moved to this path, and a new one has begun.
    HistoryMovedAside(Untrusted),
    /// The system does not tell what other windows write, and why.
    NotWatching(String),
    /// The program was stopped, and runs again on a screen that others wrote on.
    Continued,
    /// These faults lie in wait in the demo's sandbox now.
    FaultsInWait(Vec<crate::app::store::faults::Armed>),
    /// A command to the demo could not be granted.
    DemoNotDone,
    /// The world's answer to a wish of the set-up.
    SetUp { ticket: Ticket, answer: SetUpAnswer },
    /// Another profile is ready to take the place of this one, or why it is not.
    ProfileOpened { ticket: Ticket, result: Result<(), NotSwitched> },
    /// The demo's story says something.
    Story(StoryEvent),
    /// The program is asked to end (a signal); true when the terminal is gone.
    Terminate(bool),
}

/// Something to be done in the world: `ticket` is the question that its answer will bear, `key` the
/// withdrawal that it is about.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "what the variants have in common is said above")]
pub enum Effect {
    /// The loop draws everything again.
    Redraw,
    /// The loop ends: the model says so too.
    Leave,
    /// The set-up of the first start does this; it has a world of its own.
    SetUp(SetUpCommand),
    /// Ask the vault for both credentials.
    ReadCredentials,
    /// Read the lines of the contract that were agreed to last from the vault.
    ReadConsent,
    /// Count these lines of the contract as confirmed, now and at later starts.
    Confirm(ConfirmedLines),
    /// Put these lines of the contract in force, and write them down for this profile.
    Teach { ticket: Ticket, lines: Vec<TaughtLine> },
    /// Store the lines in force as agreed to.
    Agree(Ticket),
    /// Keep credentials in memory from now on.
    UseMemory,
    /// Log in with these values, by the names of their fields; the secrets are in their slots.
    LogIn { ticket: Ticket, values: Vec<(Arc<str>, String)>, secrets: Vec<(Arc<str>, Slot)> },
    /// Keep what is in this slot as the JWT.
    KeepJwt { ticket: Ticket, slot: Slot },
    /// Wipe these slots.
    WipeSecrets(Vec<Slot>),
    /// Forget both credentials, in the vault too.
    LogOut,
    /// List the domains.
    ListDomains(Ticket),
    /// Note the domains that were listed for this account.
    NoteDomains { account: Account, listed: Vec<CheckoutDomain> },
    /// Look up which domain was chosen when the program ran last.
    ReadDomain,
    /// Write down which domain is chosen.
    KeepDomain(DomainChoice),
    /// Load a window of links.
    LoadLinks(PageRequest),
    /// Ask for a link: the request as it is sent, and as the history keeps it.
    MakeLink { ticket: Ticket, request: LinkRequest },
    /// Mark a link as paid at this moment, or take the mark away.
    MarkLink { link: Box<PaymentLink>, paid: Option<Wall> },
    /// Read what destinations are called.
    ReadNicknames,
    /// Give a destination this nickname, or take its nickname away.
    Nickname { ticket: Ticket, account: Account, key: PixKey, name: Option<Nickname> },
    /// Load a window of direct payments.
    LoadCharges(PageRequest),
    /// Ask for a direct payment: the request as the history keeps it, and its body byte for byte.
    MakeCharge { ticket: Ticket, request: ChargeRequest, body: Arc<str> },
    /// Ask what a withdrawal of this amount costs.
    Quote { ticket: Ticket, amount: Money },
    /// Cancel the wait for the answer to this question.
    Cancel(Ticket),
    /// Something to be done by the money worker.
    Money(MoneyCommand),
    /// Make the journal here the live one.
    MakeLive(Ticket),
    /// Copy these exact bytes, and what they are.
    Copy(Clip, Untrusted),
    /// Save a receipt, beside everything that is there.
    SaveReceipt { ticket: Ticket, files: ReceiptFiles },
    /// Open this address in the browser.
    Browse(Untrusted),
    /// Fetch the buyer's page, or press its button to pay.
    Buyer { ticket: Ticket, url: Untrusted, pay: bool },
    /// Examine this computer, the settings and the service, in a window of this size.
    Examine { ticket: Ticket, size: Size },
    /// Grant a command to the demo.
    Demo(Command),
    /// Tell the demo's story what the seller did.
    TellStory(SellerEvent),
    /// Make another profile ready to take the place of this one.
    OpenProfile { ticket: Ticket, name: Arc<str> },
}

/// A command to the money worker, which has the money journal and the cashier.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "a field is its name")]
pub enum MoneyCommand {
    /// Load a window of withdrawals.
    Load(Box<PageRequest>),
    /// Look up the past withdrawals that a review of this agreement should mention.
    LookUpPast(Box<Agreement>),
    /// Load the destinations that withdrawals of this account were paid to.
    LoadDestinations { ticket: Ticket, account: Account },
    /// Make an agreement durable; the amount is typed again where others were named beside it.
    Prepare { agreement: Box<Agreement>, retyped: Option<Retyped> },
    /// Send a withdrawal: the cashier does it.
    Attempt(IdempotencyKey),
    /// Write a person's decision down.
    Decide { key: IdempotencyKey, choice: Decision },
}

/// The contract with the lines that the seller taught.
#[derive(Debug, Clone, PartialEq)]
pub struct TaughtContract {
    /// The contract that is in force now.
    pub contract: Arc<Contract>,
    /// The lines that are agreed to now.
    pub agreed: Option<ContractLines>,
    /// The file in which the lines stand; without one they count for this run alone.
    pub file: Option<Untrusted>,
}

/// A receipt as it is saved.
#[derive(Debug, Clone, PartialEq)]
pub struct ReceiptFiles {
    /// The name of both files, without their endings.
    pub name: String,
    /// The text.
    pub text: String,
    /// The picture.
    pub svg: String,
}

/// The page that a buyer sees, at the shop's host.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "a field is its name")]
pub enum BuyerPage {
    /// The checkout, and whether it was paid.
    Open { host: Untrusted, amount: Money, description: Untrusted, paid: bool },
    /// The checkout is blocked: its domain is not active.
    Blocked { host: Untrusted },
    /// There is no such page.
    NotFound,
}
