//! The screens: the one place that names them all.

pub mod account;
pub mod buyer;
pub mod charges;
pub mod consent;
pub mod dialog;
pub mod doctor;
pub mod domains;
pub mod exchanges;
pub mod first_run;
pub mod help;
pub mod links;
pub mod login;
pub mod make_live;
pub mod palette;
pub mod profiles;
pub mod qr;
pub mod teach;
pub mod withdrawals;

use super::screen::Screen;
use super::{Effect, Notice, Pane};
use crate::app::cx::{Cx, Resume, Route};
use crate::app::store::consent::{come_first, pending};
use crate::app::store::teaching;
use exchanges::ExchangeDetails;
use withdrawals::{
    ArrivedForm, Attempts, Details, Draft, Flow, Guide, NicknameForm, Receipt, SendQuestion,
    Statement, WithdrawalsPane, send,
};

/// A screen that lies over a pane. The topmost layer has the keys.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "each is named as what it holds")]
pub enum Layer {
    Login(Box<login::LoginForm>),
    Jwt(Box<login::JwtForm>),
    NewLink(Box<links::NewLink>),
    Link(Box<links::LinkDetails>),
    NewCharge(Box<charges::NewCharge>),
    Charge(Box<charges::ChargeDetails>),
    Withdraw(Flow),
    Withdrawal(Box<Details>),
    Send(Box<SendQuestion>),
    Guide(Guide),
    NotPaid(Box<Statement>),
    Attempts(Attempts),
    Receipt(Box<Receipt>),
    MakeLive(Box<make_live::MakeLive>),
    Nickname(Box<NicknameForm>),
    Arrived(Box<ArrivedForm>),
    Consent(Box<consent::ConsentPage>),
    Exchange(ExchangeDetails),
    Qr(qr::Qr),
    Teach(Box<teach::Teaching>),
    Help(help::Help),
    Palette(palette::Palette),
    Dialog(Box<dialog::Dialog>),
    Buyer(Box<buyer::Buyer>),
    Profiles(profiles::ProfileList),
    FirstRun(Box<first_run::FirstRun>),
    Doctor(doctor::Doctor),
}

impl Layer {
    /// The screen it is.
    pub fn screen(&self) -> &dyn Screen {
        match self {
            Layer::Login(screen) => &**screen,
            Layer::Jwt(screen) => &**screen,
            Layer::NewLink(screen) => &**screen,
            Layer::Link(screen) => &**screen,
            Layer::NewCharge(screen) => &**screen,
            Layer::Charge(screen) => &**screen,
            Layer::Withdraw(screen) => screen,
            Layer::Withdrawal(screen) => &**screen,
            Layer::Send(screen) => &**screen,
            Layer::Guide(screen) => screen,
            Layer::NotPaid(screen) => &**screen,
            Layer::Attempts(screen) => screen,
            Layer::Receipt(screen) => &**screen,
            Layer::MakeLive(screen) => &**screen,
            Layer::Nickname(screen) => &**screen,
            Layer::Arrived(screen) => &**screen,
            Layer::Consent(screen) => &**screen,
            Layer::Exchange(screen) => screen,
            Layer::Qr(screen) => screen,
            Layer::Teach(screen) => &**screen,
            Layer::Help(screen) => screen,
            Layer::Palette(screen) => screen,
            Layer::Dialog(screen) => &**screen,
            Layer::Buyer(screen) => &**screen,
            Layer::Profiles(screen) => screen,
            Layer::FirstRun(screen) => &**screen,
            Layer::Doctor(screen) => screen,
        }
    }

    /// The same, to act on it.
    pub fn screen_mut(&mut self) -> &mut dyn Screen {
        match self {
            Layer::Login(screen) => &mut **screen,
            Layer::Jwt(screen) => &mut **screen,
            Layer::NewLink(screen) => &mut **screen,
            Layer::Link(screen) => &mut **screen,
            Layer::NewCharge(screen) => &mut **screen,
            Layer::Charge(screen) => &mut **screen,
            Layer::Withdraw(screen) => screen,
            Layer::Withdrawal(screen) => &mut **screen,
            Layer::Send(screen) => &mut **screen,
            Layer::Guide(screen) => screen,
            Layer::NotPaid(screen) => &mut **screen,
            Layer::Attempts(screen) => screen,
            Layer::Receipt(screen) => &mut **screen,
            Layer::MakeLive(screen) => &mut **screen,
            Layer::Nickname(screen) => &mut **screen,
            Layer::Arrived(screen) => &mut **screen,
            Layer::Consent(screen) => &mut **screen,
            Layer::Exchange(screen) => screen,
            Layer::Qr(screen) => screen,
            Layer::Teach(screen) => &mut **screen,
            Layer::Help(screen) => screen,
            Layer::Palette(screen) => screen,
            Layer::Dialog(screen) => &mut **screen,
            Layer::Buyer(screen) => &mut **screen,
            Layer::Profiles(screen) => screen,
            Layer::FirstRun(screen) => &mut **screen,
            Layer::Doctor(screen) => screen,
        }
    }

    /// Makes the screen of a route; none where something comes before it.
    pub fn of(cx: &mut Cx, route: Route) -> Option<Layer> {
        if route.needs_consent() && !pending(cx.store).is_empty() {
            come_first(cx, Resume::Open(route));
            return None;
        }
        let draft = |draft| Layer::Withdraw(Flow::Form(Box::new(draft)));
        Some(match route {
            Route::Login(why) => Layer::Login(Box::new(login::LoginForm::open(cx.store, why))),
            Route::Jwt(why) => Layer::Jwt(Box::new(login::JwtForm::open(why))),
            Route::NewLink(like) => {
                Layer::NewLink(Box::new(links::NewLink::open(cx, like.as_deref())))
            }
            Route::Link(link) => Layer::Link(Box::new(links::LinkDetails(*link))),
            Route::NewCharge => Layer::NewCharge(Box::new(charges::NewCharge::open(cx))),
            Route::Charge(charge) => Layer::Charge(Box::new(charges::ChargeDetails(*charge))),
            Route::NewWithdrawal(to) => draft(Draft::open(cx, to.as_deref())),
            Route::WithdrawAgain(agreement, quote) => draft(Draft::again(cx, &agreement, quote)),
            Route::Sending(withdrawal) => Layer::Withdraw(Flow::sending(cx.store, *withdrawal)),
            Route::Withdrawal(withdrawal) => {
                cx.store.withdrawals.show(&withdrawal);
                Layer::Withdrawal(Box::new(Details(*withdrawal)))
            }
            Route::Send(withdrawal) => {
                cx.store.withdrawals.show(&withdrawal);
                Layer::Send(Box::new(send::open(cx, *withdrawal)?))
            }
            Route::Guide(key) => Layer::Guide(Guide { key, cursor: 0 }),
            Route::NotPaid(key) => {
                let withdrawal = cx.store.withdrawals.find(key)?;
                Layer::NotPaid(Box::new(Statement::open(cx.store, withdrawal)))
            }
            Route::Attempts(key) => Layer::Attempts(Attempts(key)),
            Route::Receipt(of) => Layer::Receipt(Box::new(Receipt::of(*of))),
            Route::MakeLive => Layer::MakeLive(Box::new(make_live::MakeLive::open())),
            Route::Nickname(to) => Layer::Nickname(Box::new(NicknameForm::open(cx.store, *to))),
            Route::Arrived(of) => Layer::Arrived(Box::new(ArrivedForm::of(*of))),
            Route::Consent(then) => {
                Layer::Consent(Box::new(consent::ConsentPage::open(cx.store, then)))
            }
            Route::Exchange(exchange) => Layer::Exchange(ExchangeDetails(exchange)),
            Route::Qr(code) => Layer::Qr(qr::Qr(code)),
            Route::Teach(exchange) if !teaching::may_be_taught(cx.store, exchange.operation) => {
                cx.store.say(Notice::NotTaughtNow);
                return None;
            }
            Route::Teach(exchange) => {
                Layer::Teach(Box::new(teach::Teaching::open(cx.store, exchange)))
            }
            Route::Help => Layer::Help(help::Help),
            Route::Palette => Layer::Palette(palette::Palette::default()),
            Route::Ask(question) => Layer::Dialog(Box::new(dialog::Dialog::new(question))),
            Route::Buyer(url) => Layer::Buyer(Box::new(buyer::Buyer::open(cx, url))),
            Route::FirstRun(answers) => {
                Layer::FirstRun(Box::new(first_run::FirstRun::open(cx, *answers)))
            }
            Route::Profiles => Layer::Profiles(profiles::ProfileList::open(cx.store)),
            Route::Doctor => Layer::Doctor(doctor::Doctor::open(cx)),
        })
    }

    /// Returns true when both are one screen: it is moved to the front, and none is stacked twice.
    pub fn is_same(&self, other: &Layer) -> bool {
        use Layer::*;
        match (self, other) {
            (Dialog(one), Dialog(other)) => one.question == other.question,
            (Withdrawal(one), Withdrawal(other)) => one.0.agreement.key == other.0.agreement.key,
            (
                Help(_) | Palette(_) | Teach(_) | Buyer(_) | Profiles(_) | Doctor(_) | Guide(_)
                | NotPaid(_) | Consent(_) | Send(_) | Attempts(_) | MakeLive(_),
                _,
            ) => self.is_alike(other),
            _ => false,
        }
    }

    /// Returns true when both are the same screen, whatever they are about.
    pub fn is_alike(&self, other: &Layer) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }

    /// Goes on where another layer of the same terms was read to.
    pub fn go_on_from(&mut self, other: &Layer) {
        if let (Layer::Consent(page), Layer::Consent(other)) = (self, other) {
            page.go_on_from(other);
        }
    }

    /// Returns true when a seller logs in by it: one that was begun stays where it stands.
    pub fn is_login(&self) -> bool {
        matches!(self, Layer::Login(_) | Layer::Jwt(_))
    }
}

impl Pane {
    /// The screen it is; what it shows is in the store.
    pub fn screen(self) -> Box<dyn Screen> {
        match self {
            Pane::Links => Box::new(links::LinksPane),
            Pane::Domains => Box::new(domains::DomainsPane),
            Pane::Withdrawals => Box::new(WithdrawalsPane),
            Pane::Charges => Box::new(charges::ChargesPane),
            Pane::Exchanges => Box::new(exchanges::ExchangesPane),
            Pane::Account => Box::new(account::AccountPane),
        }
    }
}

/// The effects of every layer's going.
pub fn leaving(layers: Vec<Layer>) -> Vec<Effect> {
    layers.iter().rev().flat_map(|layer| layer.screen().leaving()).collect()
}
