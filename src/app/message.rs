//! The messages that `update` handles, and the effects that it returns.

use std::sync::Arc;

use strum::IntoStaticStr;

use super::{Copied, CopyTrouble, KioskEnd, NoBrowser, Size};
use crate::app::store::clip::Clip;
use crate::app::store::commands::Command;
use crate::app::store::exchanges::bodies::{Bodies, BodiesRequest};
use crate::app::store::first_run::{SetUpAnswer, SetUpCommand};
use crate::app::store::imports::{ImportCommand, ImportMsg};
use crate::app::store::list_export::{ExportFault, ExportedFile, ListExport};
use crate::app::store::profiles::SwitchRefusal;
use crate::app::store::recording::{RecordCommand, RecordingNews};
use crate::app::store::requests::RequestObject;
use crate::app::store::session::{Credential, VaultStatus};
use crate::app::store::setup::Look;
use crate::app::store::story::{SellerEvent, StoryEvent};
use crate::app::store::withdrawals::{PastPayments, Snapshot};
use crate::app::ui::form::Slot;
use crate::app::ui::input::Input;
use crate::app::ui::list::PageRequest;
use crate::contract::{ConfirmedSettings, Contract, ContractSettings, TaughtSetting};
use crate::statement::reconciliation::{ReconcileFault, Reconciliation};
use crate::trade::checkup::Checkup;
use crate::trade::report::{SalesReport, WithdrawalFigures};
use crate::trade::search::Period;
use crate::trade::withdrawal::{Agreement, Decision, Destination, NotDone, Retyped};
use crate::trade::{
    Account, ChargeRequest, CheckoutDomain, CredentialKind, DomainChoice, DomainList, Exchange,
    Failure, IdempotencyKey, JournalTrouble, KnownBuyer, KnownLink, LinkRequest, ListTotals,
    LostHistory, Money, Nickname, Nicknames, NoQuote, Operation, PaymentLink, PixKey, Quote,
    RequestQuery, RequestsPage, RowId, Sale, SalesPage, StatementMarks, Ticket, UndoneMarks,
    Untrusted, VaultTrouble, Wall, Withdrawal,
};
use crate::words::Lang;

/// An event that the app handles: the input of `update`.
///
/// `ticket` is the number of the request that the message answers. `key` is the idempotency key of
/// a withdrawal. `result` is the outcome.
#[derive(Debug, Clone, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Msg {
    /// The program has started.
    Started,
    /// The chosen theme and language were saved in the settings file, or could not be saved.
    LookSaved {
        look: Look,
        result: Result<(), String>,
    },
    /// The user pressed a key, clicked, pasted, scrolled or resized the terminal.
    Input(Input),
    /// The terminal got the focus, or lost it to another window.
    Focused(bool),
    /// The deadline that `next_pulse` returned has been reached.
    Pulse,
    /// The length of the text in a secret field changed. The text itself stays in the runtime.
    SecretEdited { slot: Slot, len: usize },
    /// A secret field is full: the last typed character, or the whole pasted text, was rejected.
    SecretFull(Slot),
    /// The API token and the JWT were read from the vault. `vault_status` is the kind of vault,
    /// such as a keyring, or the reason it failed.
    CredentialsRead {
        vault_status: VaultStatus,
        api_token: Credential,
        jwt: Credential,
    },
    /// A login request ended, with the new credentials or with a failure.
    LoggedIn {
        ticket: Ticket,
        result: Result<Vec<(CredentialKind, Credential)>, Failure>,
    },
    /// The vault could not store a credential, so the credential is kept in memory until the
    /// program ends.
    NotStored(VaultTrouble),
    /// A pasted JWT was stored in the vault, or could not be stored.
    JwtKept {
        ticket: Ticket,
        result: Result<Credential, Failure>,
    },
    /// The settings of the API contract that the seller last agreed to were read from the vault, or
    /// could not be read.
    ConsentRead(Result<Option<ContractSettings>, VaultTrouble>),
    /// A live reply, or the seller, confirmed that these settings of the API contract are right.
    SettingsConfirmed(ConfirmedSettings),
    /// The seller's corrections of the API contract took effect, or were refused for the given
    /// reason.
    Taught {
        ticket: Ticket,
        result: Result<TaughtContract, Untrusted>,
    },
    /// The settings of the API contract that the seller agreed to were stored in the vault, or
    /// could not be stored.
    ConsentStored {
        ticket: Ticket,
        result: Result<(), VaultTrouble>,
    },
    /// The credentials were deleted from the vault, or could not be deleted.
    LoggedOut(Result<(), VaultTrouble>),
    /// The service returned its list of checkout domains, or the request failed.
    DomainsListed {
        ticket: Ticket,
        result: Result<DomainList, Failure>,
    },
    /// The checkout domains of this account were recorded in the history database. `seen` contains
    /// each domain with the time when it entered its current state.
    DomainsNoted {
        account: Account,
        seen: Vec<(CheckoutDomain, Wall)>,
    },
    /// The checkout domain that was chosen in the previous run; `None` if no domain was chosen.
    DomainRead(Option<Untrusted>),
    /// The chosen checkout domain could not be saved, for this reason.
    DomainNotSaved(String),
    /// A page of the list of payment links was loaded.
    LinksLoaded {
        ticket: Ticket,
        result: Result<SalesPage<LinkRequest>, JournalTrouble>,
    },
    /// The totals of the payment links or direct payments that match the filter and search were
    /// counted.
    SalesCounted {
        ticket: Ticket,
        result: Result<ListTotals, JournalTrouble>,
    },
    /// The request to create a payment link or direct payment ended, and the history database
    /// contains the result. The message is also sent after the seller corrected the API contract,
    /// if an earlier reply can then be read.
    SaleMade {
        ticket: Ticket,
        operation: Operation,
        result: Result<Arc<Sale>, Failure>,
    },
    /// A payment link or direct payment was marked as paid, or the mark was removed. Contains the
    /// changed record.
    MarkedPaid(Result<Arc<Sale>, JournalTrouble>),
    /// A payment link or direct payment that may not exist at the service was removed from the
    /// history database.
    SaleRemoved(Result<Arc<Sale>, JournalTrouble>),
    /// A payment link was put away, or brought back to the list. Contains the changed record.
    PutAway(Result<Arc<Sale>, JournalTrouble>),
    /// The seller's note about a payment link was stored, or could not be stored. Contains the
    /// changed record.
    NoteSaved {
        ticket: Ticket,
        result: Result<Arc<Sale>, Failure>,
    },
    /// The URL or Pix code that the seller entered for a payment was stored, or could not be
    /// stored. Contains the changed payment link or direct payment.
    SaleFound {
        ticket: Ticket,
        result: Result<Arc<Sale>, Failure>,
    },
    /// A message about links that are created from a file.
    Import(ImportMsg),
    /// The files whose paths begin with the typed text were listed.
    PathCompleted {
        ticket: Ticket,
        completion: Completion,
    },
    /// The buyers of earlier direct payments were read from the history database.
    BuyersLoaded {
        ticket: Ticket,
        result: Result<Vec<KnownBuyer>, JournalTrouble>,
    },
    /// The descriptions of earlier payment links were read from the history database.
    KnownLinksLoaded {
        ticket: Ticket,
        result: Result<Vec<KnownLink>, JournalTrouble>,
    },
    /// A statement was compared with the history and the withdrawals, or could not be compared.
    /// Only the first matches of each kind are included.
    Reconciled {
        ticket: Ticket,
        result: Result<Arc<Reconciliation>, ReconcileFault>,
    },
    /// Sales were marked as paid from a statement. Contains the number of new marks.
    StatementMarked {
        ticket: Ticket,
        result: Result<u64, JournalTrouble>,
    },
    /// The marks of the newest statement were undone; `None` if there were none.
    StatementUndone {
        ticket: Ticket,
        result: Result<Option<UndoneMarks>, JournalTrouble>,
    },
    /// The service created a payment link or direct payment, but the history database could not
    /// record it. A `SaleMade` message follows.
    NotSaved(Box<Sale>),
    /// A page of the list of direct payments was loaded.
    ChargesLoaded {
        ticket: Ticket,
        result: Result<SalesPage<ChargeRequest>, JournalTrouble>,
    },
    /// The fee of a probe was asked for: of an amount that differs by one centavo from `amount`.
    /// The two answers are compared. [`Msg::Quoted`] follows.
    UnitProbed {
        amount: Money,
        quote: Box<Result<Quote, NoQuote>>,
        probe: Box<Result<Quote, NoQuote>>,
    },
    /// The request for a fee quote ended.
    Quoted {
        ticket: Ticket,
        result: Result<Quote, NoQuote>,
    },
    /// A page of the list of withdrawals was loaded, together with all open withdrawals (their
    /// outcome is unknown).
    WithdrawalsLoaded {
        ticket: Ticket,
        result: Result<Snapshot, JournalTrouble>,
    },
    /// The search for similar earlier withdrawals ended. The review screen shows them, for example
    /// one with the same amount and destination.
    Reviewed {
        key: IdempotencyKey,
        past: Result<PastPayments, JournalTrouble>,
    },
    /// The Pix keys of earlier withdrawals were loaded.
    DestinationsLoaded {
        ticket: Ticket,
        result: Result<Vec<Destination>, JournalTrouble>,
    },
    /// The nicknames of Pix keys were looked up in the history database.
    NicknamesRead(Result<Arc<Nicknames>, JournalTrouble>),
    /// The nickname of a Pix key was set or removed. The result contains this nickname.
    Nicknamed {
        ticket: Ticket,
        result: Result<Arc<Nicknames>, Failure>,
    },
    /// A confirmed withdrawal was written to the journal, or the journal refused it.
    Prepared {
        key: IdempotencyKey,
        result: Result<Box<Withdrawal>, NotDone>,
    },
    /// Send attempt number `n` was written to the withdrawal journal and is now being sent.
    AttemptBegan { key: IdempotencyKey, n: u32 },
    /// A send attempt ended, and the withdrawal journal recorded its result.
    Settled(Box<Withdrawal>),
    /// A send attempt did not begin, or its result could not be recorded. `withdrawal` is the state
    /// in the journal, if it can be read.
    AttemptTrouble {
        key: IdempotencyKey,
        withdrawal: Option<Box<Withdrawal>>,
        trouble: Failure,
    },
    /// The seller's decision about a withdrawal, such as "not paid" or an approval, was written to
    /// the journal, or could not be written.
    Decided {
        key: IdempotencyKey,
        result: Result<Box<Withdrawal>, Failure>,
    },
    /// An HTTP exchange with the service ended. Secrets in it are masked.
    Exchanged(Arc<Exchange>),
    /// The figures of links and direct payments for a report were computed.
    ReportLoaded {
        ticket: Ticket,
        result: Result<Box<SalesReport>, JournalTrouble>,
    },
    /// The figures of withdrawals for a report were computed: of its period, and of the one before.
    WithdrawalsReported {
        ticket: Ticket,
        result: Result<[WithdrawalFigures; 2], JournalTrouble>,
    },
    /// A page of the list of requests was loaded.
    RequestsLoaded {
        ticket: Ticket,
        result: Result<RequestsPage, JournalTrouble>,
    },
    /// The complete HTTP exchange of a stored request was loaded; `None` if it was deleted.
    ExchangeLoaded {
        id: RowId,
        result: Result<Option<Arc<Exchange>>, JournalTrouble>,
    },
    /// The runtime has read the bodies for the request with this ticket.
    BodiesRead(Ticket, Arc<Bodies>),
    /// The payment link, direct payment or withdrawal that a stored request belongs to was looked
    /// up; `None` if it no longer exists.
    ObjectFound {
        ticket: Ticket,
        result: Result<Option<RequestObject>, JournalTrouble>,
    },
    /// The text file and the picture of a receipt were saved at these paths, or saving failed with
    /// this system error.
    ReceiptSaved {
        ticket: Ticket,
        result: Result<[Untrusted; 2], String>,
    },
    /// The HAR file of a request was written to this path, or could not be written.
    RequestSaved(Result<Untrusted, String>),
    /// A QR code was written to this path as an image, or could not be written.
    QrSaved(Result<Untrusted, String>),
    /// A list was written to a file, or could not be written.
    ListExported {
        ticket: Ticket,
        result: Result<ExportedFile, ExportFault>,
    },
    /// The demo's bank statement was saved as a file at this path, or could not be saved.
    DemoStatementSaved(Result<Untrusted, String>),
    /// A text was copied to the clipboard, or could not be copied.
    Copied(Clip, Result<Copied, CopyTrouble>),
    /// A browser was started, or could not be started.
    Browsed(Result<(), NoBrowser>),
    /// The buyer's checkout page was fetched, or its pay button was pressed.
    BuyerPage { ticket: Ticket, page: BuyerPage },
    /// The checkup of this computer, the settings and the service ended, with this report.
    Examined {
        ticket: Ticket,
        checkup: Arc<Checkup>,
    },
    /// The payments reported by the sandbox were recorded in the history database. Contains the
    /// newly paid link if there is exactly one.
    SandboxPaymentsRecorded(Result<Option<Arc<Sale>>, JournalTrouble>),
    /// The sandbox reports the URLs of all payment links that were paid so far.
    SandboxPaidLinks(Arc<[Untrusted]>),
    /// The demo ran a command that was chosen in the command palette.
    DemoDone(Command),
    /// The program found out what kind of service it talks to. `sandbox` is true only for the
    /// sandbox; every other service counts as live. `journal` is the directory of the withdrawal
    /// journal. This message is sent before any message about the journal.
    Proven { sandbox: bool, journal: Untrusted },
    /// This much of the withdrawal journal has been verified. Until all of it is, no rows can be
    /// loaded. A short journal is verified without this message.
    JournalVerifying { percent: u8 },
    /// Another instance of the program wrote to the withdrawal journal, or finished sending.
    JournalChanged,
    /// The journal that this program uses became the journal for real money, in place of another
    /// journal, or the change failed.
    MadeLive {
        ticket: Ticket,
        result: Result<(), Failure>,
    },
    /// Another instance of the program wrote to the history database.
    HistoryChanged,
    /// The history database lacks the rows of an earlier one. `is_new` is true if the earlier one
    /// was found to be damaged in this run.
    HistoryLost { lost: LostHistory, is_new: bool },
    /// The program cannot watch for changes by its other instances, for this reason.
    NotWatching(String),
    /// The history cannot be shared with the team, for this reason.
    HistoryNotShared(String),
    /// The time zone in the variable `TZ` cannot be read, so all times are shown in UTC.
    ZoneUnreadable,
    /// The program was resumed after a suspension. Output of other programs may have overwritten
    /// the screen.
    Continued,
    /// The sandbox reports which simulated faults it will trigger in the next requests.
    FaultsArmed(Vec<crate::app::store::faults::ArmedFault>),
    /// The demo failed to run a command that was chosen in the command palette.
    DemoNotDone,
    /// A command of the first-run set-up ended, such as a test of the service address.
    SetUp { ticket: Ticket, answer: SetUpAnswer },
    /// Another profile was opened to replace the current one, or could not be opened.
    ProfileOpened {
        ticket: Ticket,
        result: Result<(), SwitchRefusal>,
    },
    /// An event of the demo's guided story.
    Story(StoryEvent),
    /// The recording into a file began, continues or ended.
    Recording(RecordingNews),
    /// A signal asks the program to quit. The value is true if the terminal was closed.
    Terminate(bool),
    /// The kiosk (a public demo) ends at once, for this reason. No dialog asks first, even while a
    /// withdrawal is being sent, because a kiosk moves no real money.
    KioskEnds(KioskEnd),
}

/// A task for the runtime: the output of `update`.
///
/// `ticket` is the number of the request, which is repeated in the message with the reply. `key` is
/// the idempotency key of a withdrawal.
#[derive(Debug, Clone, PartialEq, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Effect {
    /// Redraw the whole screen, because other programs may have overwritten it.
    Redraw,
    /// Stop this process, so that the shell shows its prompt.
    Suspend,
    /// Start or end the recording of the screens, or mark this moment in it.
    Record(RecordCommand),
    /// End the main loop. `Store::leaving` is already true.
    Leave,
    /// Run a command of the first-run set-up, such as a test of the service address.
    SetUp(SetUpCommand),
    /// Read the API token and the JWT from the vault.
    ReadCredentials,
    /// Read from the vault the settings of the API contract that the seller last agreed to.
    ReadConsent,
    /// Treat these settings of the API contract as confirmed, in this run and in later runs.
    Confirm(ConfirmedSettings),
    /// Store this HTTP exchange for later runs.
    KeepExchange(Arc<Exchange>),
    /// Compute the figures of links and direct payments for a report.
    LoadReport(ReportRequest),
    /// Load a page of the list of requests.
    LoadRequests(RequestQuery),
    /// Load the complete HTTP exchange of the stored request in this row.
    LoadExchange(RowId),
    /// Read these HTTP bodies as JSON trees. They are too long to be read within `update`.
    ReadBodies(BodiesRequest),
    /// Apply these corrected settings of the API contract, and save them for this profile. If the
    /// reply of `exchange` created a payment link or direct payment, read that reply again.
    Teach {
        ticket: Ticket,
        lines: Vec<TaughtSetting>,
        exchange: Arc<Exchange>,
    },
    /// Send the next request of this operation with this setting, which names another credential.
    /// If the service accepts that credential, save the setting as if it was taught.
    TryCredential(Operation, TaughtSetting),
    /// Store in the vault that the seller agrees to the current settings of the API contract.
    Agree(Ticket),
    /// Keep credentials only in memory from now on.
    UseMemory,
    /// Log in with these form values, keyed by field name. Secret fields are given only as slots,
    /// because the runtime keeps their text.
    LogIn {
        ticket: Ticket,
        values: Vec<(Arc<str>, String)>,
        secrets: Vec<(Arc<str>, Slot)>,
    },
    /// Store the text in this secret slot as the JWT.
    KeepJwt { ticket: Ticket, slot: Slot },
    /// Erase the secrets in these slots from memory.
    WipeSecrets(Vec<Slot>),
    /// Delete the API token and the JWT from memory and from the vault.
    LogOut,
    /// Request the service's list of checkout domains.
    ListDomains(Ticket),
    /// Record in the history database the checkout domains that the service listed for this
    /// account.
    NoteDomains {
        account: Account,
        listed: Vec<CheckoutDomain>,
    },
    /// Read the checkout domain that was chosen in the previous run.
    ReadDomain,
    /// Save the chosen checkout domain.
    KeepDomain(DomainChoice),
    /// Load a page of payment links.
    LoadLinks(PageRequest),
    /// Create a payment link. The request is written to the history database, with the seller's
    /// note, and then sent without the note.
    MakeLink {
        ticket: Ticket,
        request: LinkRequest,
        note: Option<String>,
    },
    /// List the files whose paths begin with the typed text.
    CompletePath { ticket: Ticket, typed: String },
    /// Perform a task of an import of links from a file.
    Import(ImportCommand),
    /// Record in the history database that the sandbox reported payments of these links. The
    /// resulting message contains the link `new`, which was just paid.
    RecordPaid {
        links: Arc<[Untrusted]>,
        new: Option<Untrusted>,
    },
    /// Run a command on the history database.
    History(HistoryCommand),
    /// Look up the nicknames of these Pix keys.
    ReadNicknames(Vec<(Account, PixKey)>),
    /// Set the nickname of a Pix key, or remove it if `name` is `None`.
    Nickname {
        ticket: Ticket,
        account: Account,
        key: PixKey,
        name: Option<Nickname>,
    },
    /// Load a page of direct payments.
    LoadCharges(PageRequest),
    /// Create a direct payment. The request is written to the history database, and `body` is sent
    /// unchanged, byte for byte.
    MakeCharge {
        ticket: Ticket,
        request: ChargeRequest,
        body: Arc<str>,
    },
    /// Request a fee quote for a withdrawal of this amount. If `has_probe` is true and the service
    /// answers, then also ask for the fee of an amount that differs by one centavo.
    Quote {
        ticket: Ticket,
        amount: Money,
        has_probe: bool,
    },
    /// Cancel the request with this ticket.
    Cancel(Ticket),
    /// Send a command to the money worker, the thread that sends withdrawals.
    Money(MoneyCommand),
    /// Make the journal that this program uses the journal for real money, in place of any other
    /// journal.
    MakeLive(Ticket),
    /// Copy this text to the clipboard unchanged, byte for byte.
    Copy(Clip, Untrusted),
    /// Export a recorded HTTP request, without its secrets and personal data.
    Export(RequestExport),
    /// Write the rows of a list to a new file.
    ExportList(Box<ListExport>),
    /// Save a receipt without overwriting existing files.
    SaveReceipt { ticket: Ticket, files: ReceiptFiles },
    /// Save the image (SVG) of a QR code to a new file.
    SaveQr(String),
    /// Open this URL in the browser.
    Browse(Untrusted),
    /// Fetch the buyer's checkout page. If `pay` is true, press its pay button.
    Buyer {
        ticket: Ticket,
        url: Untrusted,
        pay: bool,
    },
    /// Run the checkup of this computer, the settings and the service. `size` is the terminal size.
    Examine { ticket: Ticket, size: Size },
    /// Run a demo command that was chosen in the command palette.
    Demo(Command),
    /// Report an action of the seller to the demo's guided story.
    ReportToStory(SellerEvent),
    /// Draw with the theme of this name from now on.
    UseTheme(Arc<str>),
    /// Write the theme and language into the settings file.
    KeepLook(Look),
    /// Prepare another profile (a named group of settings) that will replace the current one.
    OpenProfile { ticket: Ticket, name: Arc<str> },
}

/// The periods of a report.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ReportRequest {
    pub ticket: Ticket,
    pub days: Period,
    /// The days with which they are compared.
    pub before: Period,
    pub utc_offset_s: i32,
}

/// The format in which a recorded HTTP request is exported.
#[derive(Debug, Clone, PartialEq)]
pub enum RequestExport {
    /// Copy the request as a curl command with comments in this language.
    Curl(Arc<Exchange>, Lang),
    /// Save the request as a HAR file without overwriting existing files.
    Har(HarExport),
}

/// A request to save as a HAR file, with the appearance of the screen, which support needs.
#[derive(Debug, Clone, PartialEq)]
pub struct HarExport {
    pub exchange: Arc<Exchange>,
    /// The name of the file, without an extension.
    pub name: String,
    pub lang: Lang,
    pub theme: Option<Arc<str>>,
    pub size: Size,
}

/// A command to the money worker, the thread that owns the withdrawal journal and sends
/// withdrawals.
#[derive(Debug, Clone, PartialEq)]
pub enum MoneyCommand {
    /// Load a page of withdrawals.
    Load(Box<PageRequest>),
    /// Look up earlier withdrawals that the review screen should show for this agreement.
    LookUpPast(Box<Agreement>),
    /// Look up the withdrawal with this key, to show its details.
    Find { ticket: Ticket, key: IdempotencyKey },
    /// Load the Pix keys that this account has withdrawn to before.
    LoadDestinations { ticket: Ticket, account: Account },
    /// Compute the figures of withdrawals for a report.
    Report(ReportRequest),
    /// Write a confirmed withdrawal to the journal. `retyped` is the amount that the seller had to
    /// type again on the review screen, if any.
    Prepare {
        agreement: Box<Agreement>,
        retyped: Option<Retyped>,
    },
    /// Send the withdrawal with this key. `retyped` is the amount that the seller had to type again
    /// in the send dialog, if any.
    Attempt {
        key: IdempotencyKey,
        retyped: Option<Retyped>,
    },
    /// Record the seller's decision about a withdrawal in the journal.
    Decide {
        key: IdempotencyKey,
        choice: Decision,
    },
    /// Record the seller's approval of a withdrawal that another person of the team prepared.
    Approve { key: IdempotencyKey },
    /// Take the seller's approval of a withdrawal back.
    TakeApprovalBack { key: IdempotencyKey },
}

/// A command to the history database of payment links and direct payments.
#[derive(Debug, Clone, PartialEq)]
pub enum HistoryCommand {
    /// Mark a payment link or direct payment as paid at this time, or remove the mark if `paid` is
    /// `None`.
    MarkPaid { sale: Box<Sale>, paid: Option<Wall> },
    /// Put a payment link away since this time, or bring it back if `since` is `None`.
    PutAway {
        link: Box<PaymentLink>,
        since: Option<Wall>,
    },
    /// Store the seller's note about a payment link, or remove it if `note` is `None`.
    SetNote {
        ticket: Ticket,
        link: Box<PaymentLink>,
        note: Option<String>,
    },
    /// Remove from the history database a payment link or direct payment that may not exist at the
    /// service.
    RemoveSale(Box<Sale>),
    /// Store a payment link or direct payment that the seller found at the service, with its URL or
    /// Pix code.
    FoundSale { ticket: Ticket, sale: Box<Sale> },
    /// Look up the payment link or direct payment with this row id, to show its details. Ignore a
    /// row that was created after `by`, because a newer history database may use the same row id
    /// for another item.
    Find {
        ticket: Ticket,
        operation: Operation,
        id: RowId,
        by: Wall,
    },
    /// Read the buyers of this account's earlier direct payments.
    LoadBuyers { ticket: Ticket, account: Account },
    /// Read the descriptions of this account's earlier payment links.
    LoadKnownLinks { ticket: Ticket, account: Account },
    /// Compare the statement in the file at this path with the history and the withdrawals.
    Reconcile { ticket: Ticket, path: Untrusted },
    /// Mark sales as paid that lines of a statement show.
    MarkFromStatement {
        ticket: Ticket,
        marks: StatementMarks,
    },
    /// Undo the marks of the newest statement.
    UndoStatement(Ticket),
}

/// The API contract after the seller corrected it in the app.
#[derive(Debug, Clone, PartialEq)]
pub struct TaughtContract {
    pub contract: Arc<Contract>,
    /// The settings of the API contract that the seller has agreed to.
    pub agreed: Option<ContractSettings>,
    /// The file with the saved corrections; `None` if they apply only to this run.
    pub file: Option<Untrusted>,
}

/// The files of a receipt: a text file and a picture.
#[derive(Debug, Clone, PartialEq)]
pub struct ReceiptFiles {
    /// The name of both files, without an extension.
    pub name: String,
    pub text: String,
    pub svg: String,
}

/// The files that complete a typed path.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Completion {
    /// The path with all that the found files have in common.
    pub text: String,
    /// The first names that were found. A directory ends in `/`.
    pub names: Vec<Untrusted>,
    /// The number of names that were found.
    pub total: u64,
}

/// The checkout page as a buyer sees it.
#[derive(Debug, Clone, PartialEq)]
pub enum BuyerPage {
    /// The checkout is open for payment, or already paid.
    Open {
        host: Untrusted,
        amount: Money,
        description: Untrusted,
        paid: bool,
    },
    /// The checkout cannot be used because its domain is not active.
    Blocked { host: Untrusted },
    /// The service has no such page.
    NotFound,
}
