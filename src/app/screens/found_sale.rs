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
        let field = Field::text(FIELD, Label::Word(label), true, Untrusted::MAX_SHOWN);
        FoundSale {
            sent: SentForm::new(Form::new(vec![field])),
            sale,
        }
    }

    fn text_ids(&self) -> FormTextIds {
        match self.sale {
            Sale::Link(_) => FormTextIds {
                title: "found-link-title",
                hint: "found-link-hint",
                notice: "said-link-found",
            },
            Sale::Charge(_) => FormTextIds {
                title: "found-charge-title",
                hint: "found-charge-hint",
                notice: "said-charge-found",
            },
        }
    }

    /// The payment link or direct payment with the typed URL or Pix code; `None` if the field is
    /// empty.
    fn edited_sale(&self) -> Option<Sale> {
        let typed = self.sent.form.value(FIELD);
        (!typed.is_empty()).then(|| sales::with_payable(self.sale.clone(), typed.into()))
    }

    /// The reason why the typed URL or Pix code cannot be stored.
    fn find_fault(&self, store: &Store, sale: &Sale) -> Option<FieldError> {
        let text = Untrusted::from(self.sent.form.value(FIELD));
        if CopyTrouble::of(&text).is_some() {
            return Some(FieldError::Fault(FieldFault::ControlCharacter));
        }
        sales::warnings(store, sale)
            .into_iter()
            .find_map(|warning| match warning {
                PayableWarning::NotAnAddress | PayableWarning::NotWeb => {
                    Some(FieldError::NotAnAddress)
                }
                // The code was not copied completely, or it belongs to another payment.
                PayableWarning::Unreadable | PayableWarning::NotIntact => {
                    Some(FieldError::NotAPixCode)
                }
                PayableWarning::OtherAmount { .. } => Some(FieldError::OtherAmount),
                _ => None,
            })
    }
}

/// The text ids of the form: its title, its hint, and the notice after storing.
struct FormTextIds {
    title: &'static str,
    hint: &'static str,
    notice: &'static str,
}

impl Screen for FoundSale {
    fn info(&self) -> Info {
        let pane = match self.sale {
            Sale::Link(_) => Pane::Links,
            Sale::Charge(_) => Pane::Charges,
        };
        Info {
            submits: Some("keep"),
            ..Info::in_pane("found-sale", pane)
        }
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        let width = form_page::inner_width(area);
        let (amount, description) = self.sale.amount_and_description();
        let mut head = vec![Line::of(Role::Money, amount.to_string())];
        head.extend(wrapped(
            Role::Text,
            &Untrusted::shown_of(description),
            width,
        ));
        let status = self.sent.status_block(
            store.render_cx(),
            "found-sale-wait",
            Activity::Question,
            width,
        );
        let below = status.unwrap_or_else(|| {
            Block::cut(
                form_page::BELOW_PRIORITY,
                MIN_FAILURE_ROWS,
                advice_lines(store, self, width),
            )
        });
        let names = [self.text_ids().title, "found-sale-submit"];
        let form = FormPage::new(store.words(), names, &self.sent.form);
        let head = vec![Block::new(head)];
        FormPage {
            head,
            below: vec![below],
            ..form
        }
        .draw(store.words(), area, page);
    }

    body!(Sent(sent));

    fn act(&mut self, cx: &mut Cx, action: Action) {
        if action != Action::Submit || !self.sent.form.check() {
            return;
        }
        let Some(sale) = self.edited_sale() else {
            return;
        };
        match self.find_fault(cx.store, &sale) {
            Some(fault) => self.sent.form.fault(FIELD, fault),
            None => self.sent.begin(sales::record_found(cx, sale)),
        }
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        let ScreenEvent::Message(Msg::SaleFound { ticket, result }) = event else {
            return false;
        };
        if let Some(Ok(_)) = self.sent.answer(*ticket, result) {
            cx.store.notify(Notice::good(self.text_ids().notice));
            cx.close();
        }
        true
    }
}

/// Lays out the warnings about the typed URL or Pix code. Until it is readable, shows a hint where
/// to find it.
fn advice_lines(store: &Store, form: &FoundSale, width: usize) -> Vec<Line> {
    let words = store.words();
    let readable_sale = form.edited_sale().filter(|sale| {
        matches!(
            form.find_fault(store, sale),
            None | Some(FieldError::OtherAmount)
        )
    });
    let Some(sale) = readable_sale else {
        return wrapped(Role::Dim, &words.text(form.text_ids().hint), width);
    };
    let text = form.sent.form.value(FIELD).into();
    let warnings = sales::warnings(store, &sale);
    warnings
        .iter()
        .flat_map(|warning| point(warning.role(), &warning.describe(words, &text), width))
        .collect()
}
