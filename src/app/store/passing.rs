//! Handing an address or a Pix code on to a buyer: copied, opened, shared, or shown as a QR code.
//!
//! Each way is a copy in the end, so each asks first where something about the text is odd.

use crate::app::cx::{CodeText, Cx, Question, Route};
use crate::app::store::clip::{self, Clip};
use crate::app::store::oddity::{Oddity, oddities, oddities_of, of_code};
use crate::app::store::story::SellerEvent;
use crate::app::store::{charges, links};
use crate::app::{CopyTrouble, Effect, Store};
use crate::trade::{Charge, PaymentLink, Untrusted};

/// The way in which an address or a code is handed on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Onward {
    /// It is copied.
    Copy,
    /// A message with it is copied.
    Message,
    /// The browser opens it.
    Browser,
    /// WhatsApp opens in the browser, with a message in which it stands.
    WhatsApp,
    /// It is shown as a QR code, which a camera reads.
    Qr,
}

/// An address or a Pix code that is paid, and what is odd about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Payable {
    /// The address or the code.
    pub code: CodeText,
    /// A message to the buyer with it.
    pub message: Untrusted,
    /// Everything that is odd about it.
    pub oddities: Vec<Oddity>,
}

impl Payable {
    /// The address of a link, if it has one.
    pub fn of_link(store: &Store, link: &PaymentLink) -> Option<Payable> {
        let text = link.url()?.clone();
        let message = links::message(store, link, &text);
        let code = CodeText { text, clip: Clip::Address };
        Some(Payable { code, message, oddities: oddities(store, link) })
    }

    /// The Pix code of a direct payment, if it has one.
    pub fn of_charge(store: &Store, charge: &Charge) -> Option<Payable> {
        let text = charge.pix_code()?.clone();
        let message = charges::message(store, charge, &text);
        let oddities = of_code(&text, Some(charge.request.amount));
        Some(Payable { code: CodeText { text, clip: Clip::PixCode }, message, oddities })
    }

    /// An address or a code of which only the text is known: the row that has it says what was
    /// asked for.
    pub fn of_text(store: &Store, code: &CodeText) -> Payable {
        let text = &code.text;
        let known = if code.clip == Clip::PixCode {
            let mut rows = store.charges.page.rows.iter();
            let charge = rows.find(|charge| charge.pix_code() == Some(text));
            charge.and_then(|charge| Payable::of_charge(store, charge))
        } else {
            let mut rows = store.links.list.page.rows.iter();
            let link = rows.find(|link| link.url() == Some(text));
            link.and_then(|link| Payable::of_link(store, link))
        };
        known.unwrap_or_else(|| {
            let oddities = match code.clip {
                Clip::PixCode => of_code(text, None),
                _ => oddities_of(store, text, None),
            };
            Payable { code: code.clone(), message: Untrusted::default(), oddities }
        })
    }

    /// Returns true when it is to be looked at before it is handed on.
    pub fn is_odd(&self) -> bool {
        CopyTrouble::of(&self.code.text).is_some() || !self.oddities.is_empty()
    }
}

/// Hands it on, exactly as it came or not at all; asks first where it is odd.
pub fn pass(cx: &mut Cx, payable: Option<Payable>, to: Onward) {
    let trouble = payable.as_ref().map(|payable| CopyTrouble::of(&payable.code.text));
    match (payable, trouble.flatten()) {
        (None, _) if to == Onward::Copy => cx.store.not_copied(CopyTrouble::Nothing),
        (None, _) => {}
        (Some(_), Some(trouble)) => cx.store.not_copied(trouble),
        (Some(payable), None) if payable.oddities.is_empty() => pass_on(cx, payable, to),
        (Some(payable), None) => cx.ask(Question::PassOdd { to, payable: Box::new(payable) }),
    }
}

/// Hands it on, once nothing about it is odd or the seller agreed to it.
pub fn pass_on(cx: &mut Cx, Payable { code, message, .. }: Payable, to: Onward) {
    match to {
        Onward::Copy => clip::copy(cx, code.clip, code.text),
        Onward::Message => clip::copy(cx, Clip::Message, message),
        Onward::Browser => browse(cx, code.text),
        Onward::WhatsApp => browse(cx, whatsapp(&message)),
        Onward::Qr => cx.open(Route::Qr(code)),
    }
}

fn browse(cx: &mut Cx, url: Untrusted) {
    cx.perform(Effect::Browse(url));
    cx.tell_story(SellerEvent::Copy);
}

/// The address that opens WhatsApp with a message, for the seller to choose to whom it goes.
fn whatsapp(message: &Untrusted) -> Untrusted {
    let text: String = url::form_urlencoded::byte_serialize(message.raw().as_bytes()).collect();
    // A form's blank is a plus, which is one to WhatsApp.
    format!("https://wa.me/?text={}", text.replace('+', "%20")).into()
}
