//! The screens of the app, and [`Layer`], the type of a screen that is open over a pane.
//!
//! Only this module knows all screens. Screens open each other with a
//! [`Route`].

pub mod account;
pub mod buyer;
pub mod charges;
pub mod consent;
pub mod dialog;
pub mod doctor;
pub mod domains;
pub mod exchanges;
pub mod first_run;
pub mod found_sale;
pub mod help;
pub mod imports;
pub mod links;
pub mod list_export;
pub mod login;
pub mod make_live;
pub mod palette;
pub mod profiles;
pub mod qr;
pub mod reconcile;
pub mod report;
pub mod teach;
pub mod withdrawals;

use std::sync::Arc;

use super::screen::Screen;
use super::screen::sales::{SaleDetails, SalesPane};
use super::{Effect, Msg, Notice, Pane};
use crate::app::cx::{Cx, Route, ScreenCommand};
use crate::app::store::consent::{open_if_pending, pending};
use crate::app::store::teaching;
use crate::app::store::withdrawals::Refused;
use crate::app::store::withdrawals::rules::find_lock;
use crate::trade::withdrawal::Blocker;
use crate::trade::{ChargeRequest, Exchange, LinkRequest, Sale};
use exchanges::{Comparison, ExchangeDetails};
use withdrawals::{
    ArrivedForm, Attempts, Details, Draft, Flow, Guide, NicknameForm, NotPaidForm, Receipt,
    SendQuestion, UnitQuestion, WithdrawalsPane, send,
};

/// Defines [`Layer`]. The screens in the first list are boxed because they are large.
macro_rules! layers {
    ([$($boxed:ident($large:ty)),* $(,)?], [$($plain:ident($small:ty)),* $(,)?] $(,)?) => {
        /// A screen that is open over a pane. The topmost layer receives the keys.
        #[derive(Debug, Clone)]
        pub enum Layer {
            $($boxed(Box<$large>),)*
            $($plain($small),)*
        }

        impl Layer {
            pub fn screen(&self) -> &dyn Screen {
                match self {
                    $(Layer::$boxed(screen) => &**screen,)*
                    $(Layer::$plain(screen) => screen,)*
                }
            }

            pub fn screen_mut(&mut self) -> &mut dyn Screen {
                match self {
                    $(Layer::$boxed(screen) => &mut **screen,)*
                    $(Layer::$plain(screen) => screen,)*
                }
            }
        }

        $(impl From<$large> for Layer {
            fn from(screen: $large) -> Layer {
                Layer::$boxed(Box::new(screen))
            }
        })*

        $(impl From<$small> for Layer {
            fn from(screen: $small) -> Layer {
                Layer::$plain(screen)
            }
        })*
    };
}

layers! {
    [
        Login(login::LoginForm),
        Jwt(login::JwtForm),
        NewLink(links::NewLink),
        Note(links::NoteForm),
        ImportFile(imports::FileForm),
        ImportCheck(imports::CheckPage),
        Link(SaleDetails<LinkRequest>),
        NewCharge(charges::NewCharge),
        Charge(SaleDetails<ChargeRequest>),
        FoundSale(found_sale::FoundSale),
        Withdrawal(Details),
        Send(SendQuestion),
        NotPaid(NotPaidForm),
        Receipt(Receipt),
        MakeLive(make_live::MakeLive),
        Nickname(NicknameForm),
        Arrived(ArrivedForm),
        UnitDoubt(UnitQuestion),
        Consent(consent::ConsentPage),
        Teach(teach::Teaching),
        Dialog(dialog::Dialog),
        Buyer(buyer::Buyer),
        Reconcile(reconcile::Reconcile),
        Report(report::Report),
        ExportList(list_export::ExportForm),
        FirstRun(first_run::FirstRun),
    ],
    [
        Withdraw(Flow),
        Guide(Guide),
        Attempts(Attempts),
        Exchange(ExchangeDetails),
        Comparison(Comparison),
        Qr(qr::Qr),
        Help(help::Help),
        Palette(palette::Palette),
        Batch(imports::BatchPage),
        Profiles(profiles::ProfileList),
        Doctor(doctor::Doctor),
    ],
}

impl Layer {
    /// Creates the screen for a route. Returns `None` if another screen, such as the login, must
    /// come first.
    pub fn of(cx: &mut Cx, route: Route) -> Option<Layer> {
        if route.needs_consent() && !pending(cx.store).is_empty() {
            open_if_pending(cx, Some(ScreenCommand::Open(route)));
            return None;
        }
        // While nothing may be sent, show the withdrawal that must be decided first, not a form.
        if matches!(route, Route::NewWithdrawal(_) | Route::WithdrawAgain(..))
            && let Some(Refused::Blocked(Blocker::Clash(blocking))) = find_lock(cx.store)
        {
            cx.open(Route::Withdrawal(blocking.other));
            cx.store.notify(Notice::warn("said-decide-first"));
            return None;
        }
        Some(match route {
            Route::Login(failure) => login::LoginForm::open(cx.store, failure).into(),
            Route::Jwt(failure) => login::JwtForm::open(failure).into(),
            Route::NewLink(template) => links::NewLink::open(cx, template.as_deref()).into(),
            Route::Note(link) => links::NoteForm::of(*link).into(),
            Route::Import => import_page(cx),
            Route::ImportCheck(file) => imports::CheckPage::of(file).into(),
            Route::Batch => imports::BatchPage::default().into(),
            Route::Link(link) => SaleDetails(*link).into(),
            Route::NewCharge(template) => charges::NewCharge::open(cx, template.as_deref()).into(),
            Route::Charge(charge) => SaleDetails(*charge).into(),
            Route::FoundSale(sale) => found_sale::FoundSale::of(*sale).into(),
            Route::NewWithdrawal(key) => withdrawal_form(Draft::open(cx, key.as_deref())),
            Route::WithdrawAgain(agreement, quote) => {
                withdrawal_form(Draft::from_agreement(cx, &agreement, quote))
            }
            Route::Sending(withdrawal) => Flow::begin_sending(cx.store, *withdrawal).into(),
            Route::Withdrawal(withdrawal) => {
                cx.store.withdrawals.show(&withdrawal);
                Details::of(*withdrawal).into()
            }
            Route::Send(withdrawal, purpose) => {
                cx.store.withdrawals.show(&withdrawal);
                send::open(cx, *withdrawal, purpose)?.into()
            }
            Route::Guide(key) => Guide { key, cursor: 0 }.into(),
            Route::NotPaid(key) => {
                NotPaidForm::open(cx.store, cx.store.withdrawals.find(key)?).into()
            }
            Route::Attempts(key) => Attempts(key).into(),
            Route::Receipt(withdrawal) => Receipt::of(*withdrawal).into(),
            Route::MakeLive => make_live::MakeLive::open().into(),
            Route::Nickname(destination) => NicknameForm::open(cx.store, *destination).into(),
            Route::Arrived {
                withdrawal,
                is_before_review,
            } => ArrivedForm::of(*withdrawal, is_before_review).into(),
            Route::UnitDoubt => UnitQuestion::open(cx.store)?.into(),
            Route::Consent(next_command) => {
                consent::ConsentPage::open(cx.store, next_command).into()
            }
            Route::Exchange(exchange) => ExchangeDetails::from(exchange).into(),
            Route::Comparison(exchanges) => Comparison::from(exchanges).into(),
            Route::Qr(code, sale) => qr::Qr { code, sale }.into(),
            Route::Teach(exchange, continues) => open_teaching(cx, exchange, continues)?.into(),
            Route::Help(actions) => help::Help {
                screen_actions: actions,
            }
            .into(),
            Route::Palette => palette::Palette::default().into(),
            Route::Ask(question) => dialog::Dialog::open(question, cx.store.now.boot_ms).into(),
            Route::Buyer(url) => buyer::Buyer::open(cx, url).into(),
            Route::FirstRun(answers) => first_run::FirstRun::open(cx, *answers).into(),
            Route::Profiles => profiles::ProfileList::open(cx.store).into(),
            Route::Doctor => doctor::Doctor::open(cx).into(),
            Route::Reconcile => reconcile::Reconcile::open(cx.store).into(),
            Route::Report => report::Report::open(cx).into(),
            Route::ExportList(list) => list_export::ExportForm::of(list).into(),
        })
    }

    /// True if both screens show the same item, such as one withdrawal, on the same kind of screen.
    /// A newly opened screen then replaces the older one.
    pub fn is_same(&self, other: &Layer) -> bool {
        use Layer::*;
        match (self, other) {
            (Dialog(one), Dialog(other)) => one.question == other.question,
            (Withdrawal(one), Withdrawal(other)) => {
                one.withdrawal.agreement.key == other.withdrawal.agreement.key
            }
            (Receipt(one), Receipt(other)) => {
                one.withdrawal.agreement.key == other.withdrawal.agreement.key
            }
            (Link(one), Link(other)) => one.0.is_same(&other.0),
            (Charge(one), Charge(other)) => one.0.is_same(&other.0),
            (Exchange(one), Exchange(other)) => one.exchange == other.exchange,
            (Comparison(one), Comparison(other)) => one.exchanges == other.exchanges,
            (Qr(one), Qr(other)) => one.code == other.code,
            // These forms are never the same: replacing the older form would lose its typed text.
            (
                NewLink(_) | NewCharge(_) | Withdraw(_) | FoundSale(_) | Note(_) | Nickname(_)
                | Arrived(_),
                _,
            ) => false,
            (
                Dialog(_) | Withdrawal(_) | Receipt(_) | Link(_) | Charge(_) | Exchange(_)
                | Comparison(_) | Qr(_),
                _,
            ) => false,
            (
                Help(_) | Palette(_) | Teach(_) | Buyer(_) | Profiles(_) | Doctor(_) | Guide(_)
                | NotPaid(_) | UnitDoubt(_) | Consent(_) | Send(_) | Attempts(_) | MakeLive(_)
                | Login(_) | Jwt(_) | FirstRun(_) | ImportFile(_) | ImportCheck(_) | Batch(_)
                | Reconcile(_) | Report(_) | ExportList(_),
                _,
            ) => self.is_same_kind(other),
        }
    }

    /// True if both screens are of the same kind, even if they show different items.
    pub fn is_same_kind(&self, other: &Layer) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }

    /// True if the message is about the payment link or direct payment on this screen. The screen
    /// is its form or its details.
    pub fn shows_sale(&self, msg: &Msg) -> bool {
        let Msg::SaleMade { ticket, result, .. } = msg else {
            return false;
        };
        match (self, result.as_deref()) {
            (Layer::NewLink(new), _) => new.sent.awaits(*ticket),
            (Layer::NewCharge(new), _) => new.sent.awaits(*ticket),
            (Layer::Link(details), Ok(Sale::Link(link))) => details.0.is_same(link),
            (Layer::Charge(details), Ok(Sale::Charge(charge))) => details.0.is_same(charge),
            _ => false,
        }
    }

    /// If both screens are consent pages with the same settings, copies from `other` how much the
    /// seller has read.
    pub fn resume_reading(&mut self, other: &Layer) {
        if let (Layer::Consent(page), Layer::Consent(other)) = (self, other) {
            page.resume_reading(other);
        }
    }

    /// True if the screen is the login form or the form for pasting a JWT. Such forms are not
    /// opened on top of each other.
    pub fn is_login(&self) -> bool {
        matches!(self, Layer::Login(_) | Layer::Jwt(_))
    }
}

fn open_teaching(cx: &mut Cx, exchange: Arc<Exchange>, continues: bool) -> Option<teach::Teaching> {
    match teaching::scope(cx.store, &exchange) {
        Ok(scope) => Some(teach::Teaching::open(cx, exchange, scope, continues)),
        Err(why_not) => {
            cx.store.notify(Notice::warn(why_not));
            None
        }
    }
}

/// The page of the batch that is being sent or has news, or else the form for a file.
fn import_page(cx: &mut Cx) -> Layer {
    if cx.store.imports.is_sending() || cx.store.imports.has_news {
        imports::BatchPage::default().into()
    } else {
        imports::FileForm::open(cx).into()
    }
}

fn withdrawal_form(draft: Draft) -> Layer {
    Flow::Form(Box::new(draft)).into()
}

impl Pane {
    /// The screen of this pane. The screen has no state of its own; its data is in the store.
    pub fn screen(self) -> Box<dyn Screen> {
        match self {
            Pane::Links => Box::new(SalesPane::<LinkRequest>::default()),
            Pane::Domains => Box::new(domains::DomainsPane),
            Pane::Withdrawals => Box::new(WithdrawalsPane),
            Pane::Charges => Box::new(SalesPane::<ChargeRequest>::default()),
            Pane::Exchanges => Box::new(exchanges::ExchangesPane),
            Pane::Account => Box::new(account::AccountPane),
        }
    }
}

/// The effects of closing these screens, from top to bottom.
pub fn close_effects(layers: Vec<Layer>) -> Vec<Effect> {
    layers
        .iter()
        .rev()
        .flat_map(|layer| layer.screen().close_effects())
        .collect()
}
