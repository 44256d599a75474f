//! Shares the URL of a payment link, or a Pix code, with a buyer. The program can copy it, open it
//! in a browser, put it into a message, or show it as a QR code.
//!
//! If there are warnings about the URL or Pix code, the seller must confirm each of these actions.

use std::sync::Arc;

use crate::app::cx::{CodeText, Cx, Question, Route};
use crate::app::store::clip::{self, Clip};
use crate::app::store::links;
use crate::app::store::payable_warnings::{PayableWarning, pix_code_warnings, url_warnings_of};
use crate::app::store::sales::SaleKind;
use crate::app::store::story::SellerEvent;
use crate::app::ui::Role;
use crate::app::{CopyTrouble, Effect, Notice, Store};
use crate::trade::{ChargeRequest, LinkRequest, PaymentLink, Sale, SaleOf, Untrusted};

/// A way to share the URL of a link, or a Pix code, with the buyer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PayableUse {
    /// Copy the URL or the Pix code to the clipboard.
    Copy,
    /// Copy a message to the buyer. The message contains the URL or Pix code.
    Message,
    /// Open the URL in the browser.
    Browser,
    /// Open WhatsApp in the browser with a message to the buyer. The message contains the URL or
    /// Pix code.
    WhatsApp,
    /// Open WhatsApp in the browser with a reminder of a payment link. A dialog always shows the
    /// text first.
    Remind,
    /// Show the URL or Pix code as a QR code.
    Qr,
}

/// The URL of a payment link, or a Pix code, and the warnings about it. The buyer uses it to pay.
#[derive(Debug, Clone, PartialEq)]
pub struct Payable {
    /// The URL or the Pix code.
    pub code: CodeText,
    /// The message to the buyer. It contains the URL or Pix code.
    pub message: Untrusted,
    /// All warnings about the URL or Pix code.
    pub warnings: Vec<PayableWarning>,
    /// The payment link or direct payment that the URL or Pix code belongs to, if it is known.
    pub sale: Option<Box<Sale>>,
}

impl Payable {
    /// Creates a `Payable` from a payment link or direct payment, or returns `None` if it has no
    /// URL or Pix code.
    pub fn of<R: SaleKind>(store: &Store, sale: &SaleOf<R>) -> Option<Payable> {
        let text = R::payable(sale)?.clone();
        Some(Payable {
            message: R::message(store, sale, &text),
            code: CodeText {
                text,
                clip: R::CLIP,
            },
            warnings: R::warnings(store, sale),
            sale: Some(Box::new(sale.clone().into())),
        })
    }

    /// Creates a `Payable` from the loaded link or direct payment with this URL or Pix code.
    fn of_loaded<R: SaleKind>(store: &Store, text: &Untrusted) -> Option<Payable> {
        let mut rows = R::state(store).list.page.rows.iter();
        Payable::of(store, rows.find(|sale| R::payable(sale) == Some(text))?)
    }

    pub fn of_sale(store: &Store, sale: &Sale) -> Option<Payable> {
        match sale {
            Sale::Link(link) => Payable::of(store, link),
            Sale::Charge(charge) => Payable::of(store, charge),
        }
    }

    /// Creates a `Payable` from a URL or Pix code. If a loaded link or direct payment has the same
    /// URL or Pix code, the warnings also check its domain or amount.
    pub fn of_text(store: &Store, code: &CodeText) -> Payable {
        let text = &code.text;
        let payable = match code.clip {
            Clip::PixCode => Payable::of_loaded::<ChargeRequest>(store, text),
            _ => Payable::of_loaded::<LinkRequest>(store, text),
        };
        payable.unwrap_or_else(|| {
            let warnings = match code.clip {
                Clip::PixCode => pix_code_warnings(text, None),
                _ => url_warnings_of(store, text, None),
            };
            Payable {
                code: code.clone(),
                message: Untrusted::default(),
                warnings,
                sale: None,
            }
        })
    }

    /// The address for the terminal to open when its text is clicked: a web address that is copied
    /// without a question. `None` if the terminal has no links, or if personal data is masked.
    pub fn link(&self, store: &Store) -> Option<Arc<str>> {
        let may_link = store.setup.links_addresses && !store.is_masked && !self.has_warnings();
        hyperlink(&self.code.text).filter(|_| may_link)
    }

    /// True if the seller should check the URL or Pix code before sharing it.
    pub fn has_warnings(&self) -> bool {
        CopyTrouble::of(&self.code.text).is_some() || !self.warnings.is_empty()
    }
}

/// The longest address that is a link. Terminals ignore longer ones.
const MAX_LINK_BYTES: usize = 1_024;

/// An http or https address in the form of the escape sequence for links (OSC 8), in which other
/// bytes than printable ASCII, and `;`, are percent-encoded.
fn hyperlink(address: &Untrusted) -> Option<Arc<str>> {
    let text = address.raw();
    let url = url::Url::parse(text).ok()?;
    let is_web = matches!(url.scheme(), "http" | "https") && url.has_host();
    let mut link = String::new();
    for byte in text.bytes() {
        match byte {
            b';' | ..=b' ' | 0x7f.. => link.push_str(&format!("%{byte:02X}")),
            byte => link.push(char::from(byte)),
        }
    }
    (is_web && link.len() < MAX_LINK_BYTES).then(|| link.into())
}

/// Shares a URL or Pix code with the buyer. If there are warnings, a dialog asks the seller first.
/// A text that the screen cannot show exactly is not shared.
pub fn use_payable(cx: &mut Cx, payable: Option<Payable>, to: PayableUse) {
    let trouble = payable
        .as_ref()
        .map(|payable| CopyTrouble::of(&payable.code.text));
    match (payable, trouble.flatten()) {
        (None, _) if to == PayableUse::Copy => cx.store.not_copied(CopyTrouble::Nothing),
        (None, _) => {}
        (Some(_), Some(trouble)) => cx.store.not_copied(trouble),
        (Some(payable), None) if payable.warnings.is_empty() && to != PayableUse::Remind => {
            perform_use(cx, payable, to);
        }
        (Some(payable), None) => cx.ask(Question::UsePayable {
            to,
            payable: Box::new(payable),
        }),
    }
}

/// Shows the reminder of a payment link, and asks whether to open WhatsApp with it.
pub fn remind(cx: &mut Cx, link: &PaymentLink) {
    let payable = Payable::of(cx.store, link);
    use_payable(cx, payable, PayableUse::Remind);
}

/// Opens WhatsApp with the reminder that the dialog showed, in the language of the screen.
fn send_reminder(cx: &mut Cx, url: &Untrusted, sale: Option<&Sale>) {
    if let Some(Sale::Link(link)) = sale {
        let note = link.note.as_deref().unwrap_or_default();
        let text = links::reminder(cx.store, link, url, note);
        browse(cx, whatsapp(&text.into()));
    }
}

/// Shares a URL or Pix code without a question. Either there are no warnings about it, or the
/// seller has accepted them.
pub fn perform_use(cx: &mut Cx, payable: Payable, to: PayableUse) {
    let Payable {
        code,
        message,
        sale,
        ..
    } = payable;
    let is_kiosk = cx.store.setup.kiosk().is_some();
    match to {
        // A kiosk does not start a browser. It shows a QR code instead, which the visitor can scan
        // with a phone.
        PayableUse::Browser | PayableUse::WhatsApp | PayableUse::Remind if is_kiosk => {
            cx.store.notify(Notice::Plain(Role::Text, "said-kiosk-qr"));
            cx.tell_story(SellerEvent::Copy);
            cx.open(Route::Qr(code, sale));
        }
        PayableUse::Copy => clip::copy(cx, code.clip, code.text),
        PayableUse::Message => clip::copy(cx, Clip::Message, message),
        PayableUse::Browser => browse(cx, code.text),
        PayableUse::WhatsApp => browse(cx, whatsapp(&message)),
        PayableUse::Remind => send_reminder(cx, &code.text, sale.as_deref()),
        PayableUse::Qr => cx.open(Route::Qr(code, sale)),
    }
}

fn browse(cx: &mut Cx, url: Untrusted) {
    cx.perform(Effect::Browse(url));
    cx.tell_story(SellerEvent::Copy);
}

/// The URL that opens WhatsApp with a message. The seller then chooses the recipient in WhatsApp.
fn whatsapp(message: &Untrusted) -> Untrusted {
    let text: String = url::form_urlencoded::byte_serialize(message.raw().as_bytes()).collect();
    // Form encoding turns a space into `+`, but WhatsApp would show a plus sign.
    format!("https://wa.me/?text={}", text.replace('+', "%20")).into()
}
