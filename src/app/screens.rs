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
use super::{Effect, Notice, Pane, Store, store};
use crate::app::next::{Next, Route, Step};
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

/// A screen that wants something as soon as it is open.
fn opened<T>((screen, next): (T, Next), layer: fn(Box<T>) -> Layer) -> (Layer, Next) {
    (layer(Box::new(screen)), next)
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

    /// Makes the screen of a route, and what it wants first; none where something comes before it.
    pub fn of(store: &mut Store, route: Route) -> (Option<Layer>, Next) {
        if route.needs_consent()
            && let Some(page) = store::consent::come_first(store, || Step::Open(route.clone()))
        {
            return (None, page);
        }
        let alone = |layer| (layer, Next::none());
        let draft = |draft| Layer::Withdraw(Flow::Form(draft));
        let (layer, next) = match route {
            Route::Login(why) => alone(Layer::Login(Box::new(login::LoginForm::open(store, why)))),
            Route::Jwt(why) => alone(Layer::Jwt(Box::new(login::JwtForm::open(why)))),
            Route::NewLink(like) => {
                opened(links::NewLink::open(store, like.as_deref()), Layer::NewLink)
            }
            Route::Link(link) => alone(Layer::Link(Box::new(links::LinkDetails(*link)))),
            Route::NewCharge => opened(charges::NewCharge::open(store), Layer::NewCharge),
            Route::Charge(charge) => {
                alone(Layer::Charge(Box::new(charges::ChargeDetails(*charge))))
            }
            Route::NewWithdrawal(to) => opened(Draft::open(store, to.as_deref()), draft),
            Route::WithdrawAgain(agreement, quote) => {
                opened(Draft::again(store, &agreement, quote), draft)
            }
            Route::Sending(withdrawal) => alone(Layer::Withdraw(Flow::sending(store, *withdrawal))),
            Route::Withdrawal(withdrawal) => {
                store.withdrawals.show(&withdrawal);
                (Layer::Withdrawal(Box::new(Details(*withdrawal))), Next::none())
            }
            Route::Send(withdrawal) => {
                store.withdrawals.show(&withdrawal);
                match send::open(store, *withdrawal) {
                    Ok((question, next)) => (Layer::Send(Box::new(question)), next),
                    Err(next) => return (None, next),
                }
            }
            Route::Guide(key) => alone(Layer::Guide(Guide { key, cursor: 0 })),
            Route::NotPaid(key) => match store.withdrawals.find(key) {
                Some(one) => alone(Layer::NotPaid(Box::new(Statement::open(store, one)))),
                None => return (None, Next::none()),
            },
            Route::Attempts(key) => alone(Layer::Attempts(Attempts(key))),
            Route::Receipt(of) => alone(Layer::Receipt(Box::new(Receipt::of(*of)))),
            Route::MakeLive => alone(Layer::MakeLive(Box::new(make_live::MakeLive::open()))),
            Route::Nickname(to) => alone(Layer::Nickname(Box::new(NicknameForm::open(store, *to)))),
            Route::Arrived(of) => alone(Layer::Arrived(Box::new(ArrivedForm::of(*of)))),
            Route::Consent(then) => {
                alone(Layer::Consent(Box::new(consent::ConsentPage::open(store, then))))
            }
            Route::Exchange(exchange) => alone(Layer::Exchange(ExchangeDetails(exchange))),
            Route::Qr(code) => alone(Layer::Qr(qr::Qr(code))),
            Route::Teach(exchange) => match teaching::may_be_taught(store, exchange.operation) {
                true => alone(Layer::Teach(Box::new(teach::Teaching::open(store, exchange)))),
                false => return (None, Step::Say(Notice::NotTaughtNow).into()),
            },
            Route::Help => alone(Layer::Help(help::Help)),
            Route::Palette => alone(Layer::Palette(palette::Palette::default())),
            Route::Ask(question) => alone(Layer::Dialog(Box::new(dialog::Dialog::new(question)))),
            Route::Buyer(url) => opened(buyer::Buyer::open(store, url), Layer::Buyer),
            Route::FirstRun(answers) => {
                opened(first_run::FirstRun::open(store, *answers), Layer::FirstRun)
            }
            Route::Profiles => alone(Layer::Profiles(profiles::ProfileList::open(store))),
            Route::Doctor => {
                let (page, next) = doctor::Doctor::open(store);
                (Layer::Doctor(page), next)
            }
        };
        (Some(layer), next)
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
