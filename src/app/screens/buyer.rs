//! The checkout page as the buyer sees it, for demos no browser can reach.

mod show;

use crate::app::cx::Cx;
use crate::app::message::BuyerPage;
use crate::app::screen::{Actions, Info, Screen, ScreenEvent};
use crate::app::store::links;
use crate::app::ui::{Action, Area, Page};
use crate::app::{Effect, Msg, Store, Wait};
use crate::trade::Untrusted;

/// The checkout page as the buyer sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct Buyer {
    /// The address.
    pub url: Untrusted,
    /// The page, once it is here.
    pub page: Option<BuyerPage>,
    /// The question that is under way: for the page, or for the payment.
    pub wait: Option<Wait>,
}

impl Buyer {
    /// The page at this address, which is asked for.
    pub fn open(cx: &mut Cx, url: Untrusted) -> Buyer {
        let wait = cx.store.wait();
        cx.perform(Effect::Buyer { ticket: wait.ticket, url: url.clone(), pay: false });
        Buyer { url, page: None, wait: Some(wait) }
    }

    /// Returns true when the page has a button that can be pressed now.
    fn can_pay(&self, store: &Store) -> bool {
        let is_allowed = self.wait.is_none() && !store.setup.read_only;
        is_allowed && matches!(self.page, Some(BuyerPage::Open { paid: false, .. }))
    }
}

impl Screen for Buyer {
    fn info(&self) -> Info {
        let cancels = self.wait.map(|wait| wait.ticket);
        Info { wait: self.wait, cancels, ..Info::of("buyer") }
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        show::draw(store, store.words(), self, area, page);
    }

    fn actions(&self, store: &Store, _: bool) -> Actions {
        let offered = match self.can_pay(store) {
            true => vec![Action::Open, Action::Copy],
            false => vec![Action::Copy],
        };
        Actions::from(offered).word(Action::Open, "pay")
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        match action {
            Action::Copy => links::copy_shown(cx, &self.url),
            Action::Open if self.can_pay(cx.store) => {
                let wait = cx.store.wait();
                self.wait = Some(wait);
                cx.perform(Effect::Buyer { ticket: wait.ticket, url: self.url.clone(), pay: true })
            }
            _ => {}
        }
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        match event {
            ScreenEvent::Cancelled => {
                self.wait = None;
                cx.close();
            }
            ScreenEvent::Message(Msg::BuyerPage { ticket, page })
                if self.wait.is_some_and(|wait| wait.ticket == *ticket) =>
            {
                (self.page, self.wait) = (Some(page.clone()), None);
            }
            _ => return false,
        }
        true
    }
}
