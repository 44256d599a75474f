//! The checkout page as the buyer sees it.
//!
//! Only the demo has this screen, because a browser may not be able to reach the demo's sandbox.

use crate::app::cx::{CodeText, Cx};
use crate::app::message::BuyerPage;
use crate::app::screen::{Actions, Info, Screen, ScreenEvent};
use crate::app::store::clip::Clip;
use crate::app::store::payable::{Payable, PayableUse, use_payable};
use crate::app::ui::panel::put_divider;
use crate::app::ui::parts::{
    boxed, button_line, dead_button_line, paragraph, title, waiting, wrapped,
};
use crate::app::ui::scrolled::Text;
use crate::app::ui::{Action, Area, Line, Page, Role, geometry};
use crate::app::{CopyTrouble, Effect, Msg, Store, Wait};
use crate::trade::Untrusted;
use crate::words::Catalogue;

#[derive(Debug, Clone, PartialEq)]
pub struct Buyer {
    pub url: Untrusted,
    /// The checkout page; `None` until it is loaded.
    pub page: Option<BuyerPage>,
    /// The pending request to load the page or to pay.
    pub wait: Option<Wait>,
}

impl Buyer {
    /// Opens the screen and requests the checkout page at this URL.
    pub fn open(cx: &mut Cx, url: Untrusted) -> Buyer {
        let mut buyer = Buyer {
            url,
            page: None,
            wait: None,
        };
        buyer.request_page(cx, false);
        buyer
    }

    /// Requests the checkout page. If `pay` is true, the demo also presses the page's pay button.
    fn request_page(&mut self, cx: &mut Cx, pay: bool) {
        let wait = cx.store.wait();
        self.wait = Some(wait);
        cx.perform(Effect::Buyer {
            ticket: wait.ticket,
            url: self.url.clone(),
            pay,
        })
    }

    /// True if the page has a pay button that can be pressed now.
    fn can_pay(&self, store: &Store) -> bool {
        let is_allowed = self.wait.is_none() && !store.setup.read_only;
        is_allowed && matches!(self.page, Some(BuyerPage::Open { paid: false, .. }))
    }
}

impl Screen for Buyer {
    fn info(&self) -> Info {
        let cancels = self.wait.map(|wait| wait.ticket);
        Info {
            wait: self.wait,
            cancels,
            ..Info::of("buyer")
        }
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        let words = store.words();
        let (area, panel) = geometry::with_panel(area, store.size);
        let badge = Line::of(Role::Badge, format!(" {} ", words.text("buyer-sandbox")));
        title(&words.text("buyer-title"), badge, area, page);
        let browser = area.split_top(2).1.middle(72, 14);
        let inside = boxed(&words.text("buyer-browser"), browser, page);
        // A box clears its rows, so the panel is drawn after it.
        if let Some(panel) = panel {
            put_divider(panel, page);
            let code = store.qr_code.built_code(&self.url);
            page.add_picture(code.and_then(|code| code.within(panel)));
        }
        let width = usize::from(inside.width);
        let mut lines = wrapped(
            Role::Accent,
            &Untrusted::without_masking(|| self.url.shown()),
            width,
        );
        lines.push(Line::of(Role::Rule, "─".repeat(width)));
        lines.extend(match &self.page {
            Some(page) => page_lines(words, self, page, width),
            None if self.wait.is_none() => wrapped(Role::Dim, &words.text("buyer-nothing"), width),
            None => Vec::new(),
        });
        if let Some(wait) = self.wait {
            let text_id = if self.page.is_some() {
                "buyer-paying"
            } else {
                "buyer-wait"
            };
            lines.push(waiting(store.render_cx(), &words.text(text_id), wait));
        }
        Text::compact(lines, inside).draw(store.render_cx(), page);
    }

    /// The QR code is beside the page if the terminal is large, so that an audience sees both.
    fn qr_text<'s>(&'s self, store: &'s Store) -> Option<&'s Untrusted> {
        let body = store.areas(store.size)?.body;
        geometry::with_panel(body, store.size).1?;
        CopyTrouble::of(&self.url).is_none().then_some(&self.url)
    }

    fn actions(&self, store: &Store, _: bool) -> Actions {
        let actions = [(self.can_pay(store), Action::Open), (true, Action::Copy)];
        Actions::offered_if(actions).word(Action::Open, "pay")
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        match action {
            Action::Copy => {
                let code = CodeText {
                    text: self.url.clone(),
                    clip: Clip::Address,
                };
                let payable = Payable::of_text(cx.store, &code);
                use_payable(cx, Some(payable), PayableUse::Copy);
            }
            Action::Open if self.can_pay(cx.store) => self.request_page(cx, true),
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

fn page_lines(words: &Catalogue, buyer: &Buyer, page: &BuyerPage, width: usize) -> Vec<Line> {
    let host_lines = |host: &Untrusted| wrapped(Role::Dim, &host.shown_within(width), width);
    match page {
        BuyerPage::Open {
            host,
            amount,
            description,
            paid,
        } => {
            let mut lines = host_lines(host);
            lines.extend(paragraph(
                Role::Text,
                &description.shown_within(width * 3),
                width,
            ));
            lines.push(Line::of(Role::Money, amount.to_string()));
            lines.push(Line::default());
            if *paid {
                lines.extend(wrapped(Role::Good, &words.text("buyer-paid"), width));
                lines.extend(paragraph(Role::Dim, &words.text("buyer-paid-hint"), width));
            } else {
                let pay = words.with("buyer-pay", &[("amount", &amount.to_string())]);
                lines.push(if buyer.wait.is_some() {
                    dead_button_line(&pay, width)
                } else {
                    button_line(&pay, true, width)
                });
            }
            lines
        }
        BuyerPage::Blocked { host } => {
            let blocked = paragraph(Role::Bad, &words.text("buyer-blocked"), width);
            [
                host_lines(host),
                blocked,
                wrapped(Role::Text, &words.text("buyer-blocked-why"), width),
            ]
            .concat()
        }
        BuyerPage::NotFound => [
            wrapped(Role::Bad, &words.text("buyer-not-found"), width),
            wrapped(Role::Text, &words.text("buyer-not-found-why"), width),
        ]
        .concat(),
    }
}
