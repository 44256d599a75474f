//! The routes by which a screen opens other screens, and its commands to the router.

use std::sync::Arc;

use crate::app::store::clip::Clip;
use crate::app::store::first_run::Answers;
use crate::app::store::passing::{Onward, Payable};
use crate::app::store::profiles::Losses;
use crate::app::store::story::SellerEvent;
use crate::app::store::withdrawals::QuoteState;
use crate::app::ui::Action;
use crate::app::{Effect, Pane, Stamp, Store};
use crate::trade::withdrawal::Agreement;
use crate::trade::{
    Account, Charge, Exchange, Failure, IdempotencyKey, PaymentLink, PixKey, Untrusted, Withdrawal,
};

/// A screen, by what it is about.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "a route is the name of its screen")]
pub enum Route {
    /// The login, and what made it necessary.
    Login(Option<Failure>),
    /// The paste of a JWT, and what made it necessary.
    Jwt(Option<Failure>),
    /// The form of a new link, or of the same one again.
    NewLink(Option<Box<PaymentLink>>),
    Link(Box<PaymentLink>),
    NewCharge,
    Charge(Box<Charge>),
    /// The form of a new withdrawal, and the destination of one that is repeated.
    NewWithdrawal(Option<Box<PixKey>>),
    /// The form with what was agreed before, and what is known of its fee.
    WithdrawAgain(Box<Agreement>, QuoteState),
    /// A withdrawal that was just handed to the cashier.
    Sending(Box<Withdrawal>),
    Withdrawal(Box<Withdrawal>),
    /// The question before a stored withdrawal is sent.
    Send(Box<Withdrawal>),
    Guide(IdempotencyKey),
    NotPaid(IdempotencyKey),
    Attempts(IdempotencyKey),
    /// The receipt of one that the service accepted.
    Receipt(Box<Withdrawal>),
    MakeLive,
    /// The form for what an account calls a destination.
    Nickname(Box<(Account, PixKey)>),
    /// The form for how much of a withdrawal arrived.
    Arrived(Box<Withdrawal>),
    /// The lines of the contract to agree to, and the step that waits for the agreement; without
    /// one a notice says that it is stored.
    Consent(Option<Box<ScreenCommand>>),
    Exchange(Arc<Exchange>),
    Qr(CodeText),
    /// The lines of the contract for an exchange like this one, to be taught.
    Teach(Arc<Exchange>),
    Help,
    Palette,
    Ask(Question),
    Buyer(Untrusted),
    /// The set-up of the first start, from these answers on.
    FirstRun(Box<Answers>),
    /// The profiles, one of which can take the place of this one.
    Profiles,
    /// The checkup of this computer, the settings and the service.
    Doctor,
}

impl Route {
    /// Returns true when the screen is there to have something created or paid.
    pub fn creates_or_pays(&self) -> bool {
        use Route::*;
        matches!(self, NewLink(_) | NewCharge | NewWithdrawal(_) | WithdrawAgain(..) | Send(_))
    }

    /// Returns true if the screen sends requests that the contract shapes, so that the contract is
    /// agreed to before it opens. A resend asks for itself.
    pub fn needs_consent(&self) -> bool {
        matches!(self, Route::Login(_)) || self.creates_or_pays() && !matches!(self, Route::Send(_))
    }
}

/// A text that is shown as a QR code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeText {
    /// The text.
    pub text: Untrusted,
    /// Its kind, for the notice when it is copied.
    pub clip: Clip,
}

/// A question that is asked before something is done.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "a field is its name")]
pub enum Question {
    /// Leave a form in which something was typed.
    DropForm,
    /// Leave the program while money is in flight.
    LeaveInFlight,
    /// Forget the credentials.
    LogOut,
    /// Hand an address or a code on in this way, though something about it is odd.
    PassOdd { to: Onward, payable: Box<Payable> },
    /// Retire a prepared withdrawal.
    Discard(IdempotencyKey),
    /// The seller found the withdrawal in the account.
    Found(IdempotencyKey),
    /// Keep credentials in memory, because there is no keyring.
    UseMemory,
    /// Leave the program, though something was typed.
    DropAndLeave,
    /// Go on with another profile, though this is lost.
    SwitchProfile { to: Arc<str>, losses: Losses },
}

impl Question {
    /// Returns true when a yes decides something that no key takes back: a click does not say it.
    pub fn decides(&self) -> bool {
        matches!(self, Question::Discard(_) | Question::Found(_) | Question::LogOut)
    }
}

/// A command of a screen, which the router runs once the screen has returned.
#[derive(Debug, Clone, PartialEq)]
pub enum ScreenCommand {
    /// Perform an effect.
    Perform(Effect),
    /// Open another screen in front.
    Open(Route),
    /// Put another screen in the place of this one.
    Become(Route),
    /// Close this screen.
    Close,
    /// Close the screen that is in front then.
    CloseFront,
    /// Close every screen that is about this withdrawal only: it is being sent.
    CloseAbout(IdempotencyKey),
    /// Show a pane, if nothing is lost by it.
    Show(Pane),
    /// Press an action, as if by its key.
    Press(Action),
    /// Switch to another profile; a loss is asked about first.
    SwitchProfile(Arc<str>),
}

impl ScreenCommand {
    /// Returns true when the screen that gave the command is closed by it.
    pub fn closes(&self) -> bool {
        matches!(self, ScreenCommand::Close | ScreenCommand::CloseAbout(_))
    }
}

/// The context in which a screen acts: it reads and changes the store, requests effects, and opens
/// and closes screens.
///
/// Commands are collected and run in their order once the screen has returned, so that `update`
/// stays pure.
#[derive(Debug)]
pub struct Cx<'a> {
    /// The state that screens share.
    pub store: &'a mut Store,
    /// The stamp of the message.
    pub stamp: &'a Stamp,
    /// True when the screen that acts is in front.
    pub is_front: bool,
    /// The commands so far.
    pub commands: Vec<ScreenCommand>,
}

impl<'a> Cx<'a> {
    /// A context without commands.
    pub fn new(store: &'a mut Store, stamp: &'a Stamp, is_front: bool) -> Cx<'a> {
        Cx { store, stamp, is_front, commands: vec![] }
    }

    /// Requests an effect.
    pub fn perform(&mut self, effect: Effect) {
        self.commands.push(ScreenCommand::Perform(effect));
    }

    /// Opens another screen in front.
    pub fn open(&mut self, route: Route) {
        self.commands.push(ScreenCommand::Open(route));
    }

    /// Asks a question in front.
    pub fn ask(&mut self, question: Question) {
        self.open(Route::Ask(question));
    }

    /// Puts another screen in the place of this one.
    pub fn replace_with(&mut self, route: Route) {
        self.commands.push(ScreenCommand::Become(route));
    }

    /// Closes this screen.
    pub fn close(&mut self) {
        self.commands.push(ScreenCommand::Close);
    }

    /// Closes the screen that is in front then.
    pub fn close_front(&mut self) {
        self.commands.push(ScreenCommand::CloseFront);
    }

    /// Closes every screen that is about this withdrawal only.
    pub fn close_about(&mut self, key: IdempotencyKey) {
        self.commands.push(ScreenCommand::CloseAbout(key));
    }

    /// Shows a pane, if nothing is lost by it.
    pub fn show(&mut self, pane: Pane) {
        self.commands.push(ScreenCommand::Show(pane));
    }

    /// Presses an action, as if by its key.
    pub fn press(&mut self, action: Action) {
        self.commands.push(ScreenCommand::Press(action));
    }

    /// Switches to another profile.
    pub fn switch_profile(&mut self, to: Arc<str>) {
        self.commands.push(ScreenCommand::SwitchProfile(to));
    }

    /// Tells the demo's story what the seller did, while it is played.
    pub fn tell_story(&mut self, what: SellerEvent) {
        if self.store.story.playing {
            self.perform(Effect::TellStory(what));
        }
    }
}
