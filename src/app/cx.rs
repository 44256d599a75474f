//! [`Cx`], the context passed to screens; [`Route`], the screens they can open; and
//! [`ScreenCommand`], their commands to the router.

use std::sync::Arc;

use crate::app::store::clip::Clip;
use crate::app::store::first_run::SetupAnswers;
use crate::app::store::imports::{CheckedFile, LinksToCreate};
use crate::app::store::list_export::ListKind;
use crate::app::store::payable::{Payable, PayableUse};
use crate::app::store::profiles::UnsavedWork;
use crate::app::store::story::SellerEvent;
use crate::app::store::withdrawals::{Purpose, QuoteState};
use crate::app::ui::Action;
use crate::app::ui::action::Actions;
use crate::app::{Effect, Pane, Stamp, Store};
use crate::contract::TaughtSetting;
use crate::trade::withdrawal::Agreement;
use crate::trade::{
    Account, BatchId, Charge, CredentialKind, Exchange, FailedLine, Failure, IdempotencyKey,
    Operation, PaymentLink, PixKey, Sale, Untrusted, Withdrawal,
};

/// A screen to open, with its initial values. Screens open each other by route, so they do not
/// depend on each other's types.
#[derive(Debug, Clone, PartialEq)]
pub enum Route {
    /// The login form, with the failure that made the login necessary, if any.
    Login(Option<Failure>),
    /// The form for pasting a JWT, with the failure that made it necessary, if any.
    Jwt(Option<Failure>),
    /// The form for a new payment link. `Some` prefills it with the values of an existing link.
    NewLink(Option<Box<PaymentLink>>),
    Link(Box<PaymentLink>),
    /// The form for the file of an import. While a batch is being sent, or if it has just ended,
    /// its page instead.
    Import,
    /// The page that shows what is in a file before its links are created.
    ImportCheck(Arc<CheckedFile>),
    /// The page of the batch that is being sent, or that was read last.
    Batch,
    /// The form for a new direct payment. `Some` prefills it with the values of an existing
    /// payment.
    NewCharge(Option<Box<Charge>>),
    Charge(Box<Charge>),
    /// The form for a payment link or direct payment that the service did create, although the
    /// request seemed to fail. The seller enters its URL or Pix code.
    FoundSale(Box<Sale>),
    /// The form for a new withdrawal. `Some` prefills the destination.
    NewWithdrawal(Option<Box<PixKey>>),
    /// The withdrawal form, prefilled from an earlier withdrawal. The second value is the initial
    /// state of its fee quote.
    WithdrawAgain(Box<Agreement>, QuoteState),
    /// The screen that shows the progress of a withdrawal while it is being sent.
    Sending(Box<Withdrawal>),
    Withdrawal(Box<Withdrawal>),
    /// The dialog that asks for confirmation before a stored withdrawal is sent.
    Send(Box<Withdrawal>, Purpose),
    Guide(IdempotencyKey),
    NotPaid(IdempotencyKey),
    Attempts(IdempotencyKey),
    /// The receipt of a withdrawal that the service has accepted.
    Receipt(Box<Withdrawal>),
    MakeLive,
    /// The form for the seller's note about a payment link.
    Note(Box<PaymentLink>),
    /// The form for the nickname of a destination.
    Nickname(Box<(Account, PixKey)>),
    /// The form for recording how much of a withdrawal arrived in the seller's bank account. Before
    /// a review, it also offers that nothing has arrived yet.
    Arrived {
        withdrawal: Box<Withdrawal>,
        is_before_review: bool,
    },
    /// The question which amount the service read.
    UnitDoubt,
    /// The consent page, where the seller agrees to changed settings of the API contract.
    /// Afterwards the given command runs; without a command, a notice confirms the agreement.
    Consent(Option<Box<ScreenCommand>>),
    Exchange(Arc<Exchange>),
    /// The side-by-side comparison of two HTTP exchanges.
    Comparison([Arc<Exchange>; 2]),
    /// The screen with a QR code. The second value is the payment link or direct payment of this
    /// code, if known.
    Qr(CodeText, Option<Box<Sale>>),
    /// The page where the seller corrects the API contract to match the reply in this HTTP
    /// exchange. The flag is true if the screen below made the request and continues with it.
    Teach(Arc<Exchange>, bool),
    /// The help about the keys. The actions are those of the screen from which the help was opened.
    Help(Actions),
    Palette,
    Ask(Question),
    Buyer(Untrusted),
    /// The set-up at the first start, resumed with the answers that were saved so far.
    FirstRun(Box<SetupAnswers>),
    /// The list of profiles that the user can switch to.
    Profiles,
    /// The checkup page, with findings about this computer, the settings and the service.
    Doctor,
    /// The page that compares a bank's statement with the sales.
    Reconcile,
    /// The figures of a period.
    Report,
    /// The form for exporting a list to a file.
    ExportList(ListKind),
}

impl Route {
    /// True if the screen creates a payment link or direct payment, or sends a withdrawal.
    pub fn creates_or_pays(&self) -> bool {
        use Route::*;
        matches!(
            self,
            NewLink(_) | Import | NewCharge(_) | NewWithdrawal(_) | WithdrawAgain(..) | Send(..)
        )
    }

    /// True if the seller must agree to the API contract before this screen opens, because its
    /// requests depend on the contract. [`Route::Send`] is excluded: its screen checks the
    /// agreement itself.
    pub fn needs_consent(&self) -> bool {
        matches!(self, Route::Login(_))
            || self.creates_or_pays() && !matches!(self, Route::Send(..))
    }
}

/// A text that is shown as a QR code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeText {
    pub text: Untrusted,
    /// The kind of the text, such as an address. After the user has copied the text, a notice names
    /// this kind.
    pub clip: Clip,
}

/// A question that a confirmation dialog asks.
#[derive(Debug, Clone, PartialEq)]
pub enum Question {
    /// Close a form and lose the text that was typed into it?
    DropForm,
    /// Quit while a withdrawal is being sent?
    LeaveInFlight,
    /// Log out and delete the stored credentials?
    LogOut,
    /// Copy, open or show a payment URL or Pix code although there are warnings about it?
    UsePayable {
        to: PayableUse,
        payable: Box<Payable>,
    },
    /// Discard a stored withdrawal that the service has not accepted?
    Discard(IdempotencyKey),
    /// Record that the seller found the withdrawal in the bank account?
    Found(IdempotencyKey),
    /// Keep a created payment link, which stays valid, out of the list?
    PutAway(Box<PaymentLink>),
    /// Remove from the history database a sale that may not exist at the service?
    RemoveSale(Box<Sale>),
    /// Keep credentials only in memory, because no keyring is available?
    UseMemory,
    /// Send the request of an operation again with the `other` credential? The service has refused
    /// the credential that the API contract names.
    TryCredential {
        operation: Operation,
        other: CredentialKind,
        failure: Box<Failure>,
    },
    /// Does the service always accept a withdrawal with this status and no body? If so, these
    /// settings of the API contract are taught from the exchange.
    AlwaysEmpty {
        status: u16,
        lines: Vec<TaughtSetting>,
        exchange: Arc<Exchange>,
    },
    /// Create the links of a file?
    CreateLinks(Box<LinksToCreate>),
    /// Create the link of a line again, although it may exist already?
    SendLineAgain {
        batch: BatchId,
        line: Box<FailedLine>,
    },
    /// Skip the waiting lines of a batch?
    EndBatch { batch: BatchId, waiting: u64 },
    /// Stop the batch that is being sent, and quit?
    LeaveBatch,
    /// Quit and lose the text that was typed?
    DropAndLeave,
    /// Switch to another profile although something would be lost, such as typed text?
    SwitchProfile { to: Arc<str>, losses: UnsavedWork },
}

impl Question {
    /// True if answering yes cannot be undone. Such a question must not be answered by a click.
    pub fn is_irreversible(&self) -> bool {
        use Question::*;
        matches!(
            self,
            Discard(_)
                | Found(_)
                | RemoveSale(_)
                | LogOut
                | CreateLinks(_)
                | SendLineAgain { .. }
                | EndBatch { .. }
        )
    }
}

/// A command of a screen, such as to open another screen. The router runs it after the screen's
/// method has returned.
#[derive(Debug, Clone, PartialEq)]
pub enum ScreenCommand {
    /// Perform this effect in the runtime.
    Perform(Effect),
    /// Open another screen on top of this one.
    Open(Route),
    /// Replace this screen with another one.
    Replace(Route),
    /// Close the screen that issues this command.
    Close,
    /// Close the topmost screen. When this command runs, that may be another screen than the screen
    /// that issued it.
    CloseFront,
    /// Close every screen that shows only this withdrawal, because the withdrawal is being sent
    /// now.
    CloseAbout(IdempotencyKey),
    /// Switch to a pane, such as the list of withdrawals, unless an open screen would lose unsaved
    /// input.
    Show(Pane),
    /// Run an action as if its key had been pressed.
    Press(Action),
    /// Switch to another profile. A dialog asks first if something would be lost.
    SwitchProfile(Arc<str>),
}

/// The context passed to screens, for reading and changing the store, requesting effects, and
/// opening and closing screens.
///
/// Commands are collected here. The router runs them in order after the screen's method returns.
#[derive(Debug)]
pub struct Cx<'a> {
    /// The state that screens share.
    pub store: &'a mut Store,
    /// The clock readings and other external facts that arrived with the current message.
    pub stamp: &'a Stamp,
    /// True if the screen that uses this context is the front screen.
    pub is_front: bool,
    /// The commands issued so far, in order.
    pub commands: Vec<ScreenCommand>,
}

impl<'a> Cx<'a> {
    pub fn new(store: &'a mut Store, stamp: &'a Stamp, is_front: bool) -> Cx<'a> {
        Cx {
            store,
            stamp,
            is_front,
            commands: vec![],
        }
    }

    pub fn perform(&mut self, effect: Effect) {
        self.commands.push(ScreenCommand::Perform(effect));
    }

    /// Opens another screen on top of this one.
    pub fn open(&mut self, route: Route) {
        self.commands.push(ScreenCommand::Open(route));
    }

    /// Opens a dialog that asks a question.
    pub fn ask(&mut self, question: Question) {
        self.open(Route::Ask(question));
    }

    /// Replaces this screen with another one.
    pub fn replace_with(&mut self, route: Route) {
        self.commands.push(ScreenCommand::Replace(route));
    }

    pub fn close(&mut self) {
        self.commands.push(ScreenCommand::Close);
    }

    /// Goes back: closes the screen that is topmost when the command runs.
    pub fn close_front(&mut self) {
        self.commands.push(ScreenCommand::CloseFront);
    }

    /// Closes every screen that shows only this withdrawal.
    pub fn close_about(&mut self, key: IdempotencyKey) {
        self.commands.push(ScreenCommand::CloseAbout(key));
    }

    /// Switches to a pane, unless an open screen would lose unsaved input.
    pub fn show(&mut self, pane: Pane) {
        self.commands.push(ScreenCommand::Show(pane));
    }

    /// Runs an action as if its key had been pressed.
    pub fn press(&mut self, action: Action) {
        self.commands.push(ScreenCommand::Press(action));
    }

    /// Switches to another profile. A dialog asks first if something would be lost.
    pub fn switch_profile(&mut self, to: Arc<str>) {
        self.commands.push(ScreenCommand::SwitchProfile(to));
    }

    /// Reports an action of the seller to the demo's guided story, if the story is playing.
    pub fn tell_story(&mut self, event: SellerEvent) {
        if self.store.story.playing {
            self.perform(Effect::ReportToStory(event));
        }
    }
}
