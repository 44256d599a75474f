//! The form for a payment link or direct payment whose creation the service has not confirmed. The
//! seller found it at the service, and enters the link's URL or the Pix code.

use crate::app::cx::Cx;
use crate::app::screen::{Info, Screen, ScreenEvent, body};
use crate::app::store::clip::CopyTrouble;
use crate::app::store::notice::Notice;
use crate::app::store::payable_warnings::PayableWarning;
use crate::app::store::sales;
use crate::app::ui::block::Block;
use crate::app::ui::form::{Field, FieldError, Form, Label};
use crate::app::ui::form_page::{self, FormPage};
use crate::app::ui::parts::{point, wrapped};
use crate::app::ui::sent_form::{MIN_FAILURE_ROWS, SentForm};
use crate::app::ui::{Action, Area, Line, Page, Role};
use crate::app::{Msg, Pane, Store};
use crate::contract::FieldFault;
use crate::trade::{Sale, Untrusted};
use crate::words::failure::Activity;

const FIELD: &str = "payable";

#[derive(Debug, Clone)]
pub struct FoundSale {
    pub sent: SentForm,
    /// The payment link or direct payment as it is stored in the history database now.
    sale: Sale,
}

impl FoundSale {
    pub fn of(sale: Sale) -> FoundSale {
        let label = match sale {
            Sale::Link(_) => "field-address",
            Sale::Charge(_) => "field-pix-code",
        };
        let field = Field::text(FIELD, Label::Word(label), true, Untrusted::MOST_SHOWN);
        FoundSale { sent: SentForm::new(Form::new(vec![field])), sale }
    }

    /// Returns the texts of the form for a payment link or for a direct payment.
    fn ids(&self) -> FormWords {
        match self.sale {
            Sale::Link(_) => FormWords {
                title: "found-link-title",
                hint: "found-link-hint",
                said: "said-link-found",
            },
            Sale::Charge(_) => FormWords {
                title: "found-charge-title",
                hint: "found-charge-hint",
                said: "said-charge-found",
            },
        }
    }

    /// Returns the payment link or direct payment with the typed URL or Pix code; `None` if nothing
    /// was typed.
    fn found(&self) -> Option<Sale> {
        let typed = self.sent.form.value(FIELD);
        (!typed.is_empty()).then(|| sales::with_payable(self.sale.clone(), typed.into()))
    }

    /// Returns the reason why the typed URL or Pix code cannot be stored.
    fn fault(&self, store: &Store, found: &Sale) -> Option<FieldError> {
        let text = Untrusted::from(self.sent.form.value(FIELD));
        if CopyTrouble::of(&text).is_some() {
            return Some(FieldError::Fault(FieldFault::ControlCharacter));
        }
        sales::warnings(store, found).into_iter().find_map(|warning| match warning {
            PayableWarning::NotAnAddress | PayableWarning::NotWeb => Some(FieldError::NotAnAddress),
            // The code was not copied completely, or it belongs to another payment.
            PayableWarning::Unreadable | PayableWarning::NotIntact => Some(FieldError::NotAPixCode),
            PayableWarning::OtherAmount { .. } => Some(FieldError::OtherAmount),
            _ => None,
        })
    }
}

/// The text ids of a form: its title, its hint, and the notice after storing.
struct FormWords {
    title: &'static str,
    hint: &'static str,
    said: &'static str,
}

impl Screen for FoundSale {
    fn info(&self) -> Info {
        let pane = match self.sale {
            Sale::Link(_) => Pane::Links,
            Sale::Charge(_) => Pane::Charges,
        };
        Info { submits: Some("keep"), ..Info::in_pane("found-sale", pane) }
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        let width = form_page::inside(area);
        let (amount, description) = self.sale.what();
        let mut head = vec![Line::of(Role::Money, amount.to_string())];
        head.extend(wrapped(Role::Text, &Untrusted::shown_of(description), width));
        let told = self.sent.told(store.render_cx(), "found-sale-wait", Activity::Question, width);
        let below = told.unwrap_or_else(|| {
            Block::cut(form_page::BELOW, MIN_FAILURE_ROWS, advice(store, self, width))
        });
        let names = [self.ids().title, "found-sale-submit"];
        let form = FormPage::new(store.words(), names, &self.sent.form);
        let head = vec![Block::new(head)];
        FormPage { head, below: vec![below], ..form }.draw(store.words(), area, page);
    }

    body!(Sent(sent));

    fn act(&mut self, cx: &mut Cx, action: Action) {
        if action != Action::Submit || !self.sent.form.check() {
            return;
        }
        let Some(found) = self.found() else { return };
        match self.fault(cx.store, &found) {
            Some(fault) => self.sent.form.fault(FIELD, fault),
            None => self.sent.begin(sales::found(cx, found)),
        }
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        let ScreenEvent::Message(Msg::SaleFound { ticket, result }) = event else { return false };
        if let Some(Ok(_)) = self.sent.answer(*ticket, result) {
            cx.store.notify(Notice::good(self.ids().said));
            cx.close();
        }
        true
    }
}

/// Lays out the warnings about the typed URL or Pix code. Until it is readable, shows a hint where
/// to find it.
fn advice(store: &Store, form: &FoundSale, width: usize) -> Vec<Line> {
    let say = store.words();
    let is_read =
        |found: &Sale| matches!(form.fault(store, found), None | Some(FieldError::OtherAmount));
    let Some(found) = form.found().filter(is_read) else {
        return wrapped(Role::Dim, &say.text(form.ids().hint), width);
    };
    let text = form.sent.form.value(FIELD).into();
    let warnings = sales::warnings(store, &found);
    warnings.iter().flat_map(|one| point(one.role(), &one.describe(say, &text), width)).collect()
}
