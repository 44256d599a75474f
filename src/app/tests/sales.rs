//! Tests of links and direct payments that may not have been created. The seller enters the URL or
//! Pix code that the service shows, or removes the record.

use std::collections::BTreeMap;

use super::*;
use crate::app::screens::found_sale::FoundSale;

const URL: &str = "https://loja.example/checkout/link-7f3k2q";

/// A valid Pix code for R$ 49,90.
const CODE: &str = "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000\
    520400005303986540549.905802BR5911LOJA DA ANA6008BRASILIA62070503***6304CA90";

/// Like [`CODE`], but for R$ 50,90.
const DEARER: &str = "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000\
    520400005303986540550.905802BR5911LOJA DA ANA6008BRASILIA62070503***6304D44F";

fn refusal() -> Refusal {
    Refusal { status: 422, message: None, hint: None }
}

fn uncreated(outcome: LinkOutcome) -> PaymentLink {
    PaymentLink { outcome, ..link(URL) }
}

pub(super) fn charge(outcome: ChargeOutcome) -> Charge {
    let request = ChargeRequest {
        account: seller(),
        amount: brl(4_990),
        description: "Boné".into(),
        customer: None,
        buyer: BTreeMap::new(),
    };
    Charge { id: RowId(1), at: Wall(0), request, outcome, paid: None }
}

/// Returns the outcome of a direct payment with a valid Pix code that expires at this time.
pub(super) fn with_code(expires: Option<&str>) -> ChargeOutcome {
    let (pix_code, expires) = (Some(CODE.into()), expires.map(Into::into));
    ChargeOutcome::Created { id: None, status: None, pix_code, expires }
}

fn created(code: &str, expires: &str) -> ChargeOutcome {
    let (pix_code, expires) = (Some(code.into()), Some(expires.into()));
    ChargeOutcome::Created { id: None, status: None, pix_code, expires }
}

/// Creates an app whose only link or direct payment is `sale`.
pub(super) fn app_with(sale: &Sale) -> App {
    let mut app = App::open();
    if matches!(sale, Sale::Charge(_)) {
        app.keys("4");
    }
    app.has_sale(sale);
    app
}

impl App {
    /// Delivers a list with `sale` as its only row.
    pub(super) fn has_sale(&mut self, sale: &Sale) {
        match sale {
            Sale::Link(link) => self.has_links(vec![link.clone()]),
            Sale::Charge(charge) => {
                let (ticket, page) = (self.ticket(), page_of(vec![charge.clone()]));
                self.tell(Msg::ChargesLoaded { ticket, result: Ok(page) });
            }
        }
    }
}

fn unknown_ones() -> [Sale; 4] {
    [
        Sale::Link(uncreated(LinkOutcome::Unknown)),
        Sale::Link(uncreated(LinkOutcome::Refused(refusal()))),
        Sale::Charge(charge(ChargeOutcome::Unknown)),
        Sale::Charge(charge(ChargeOutcome::Refused(refusal()))),
    ]
}

fn form(app: &App) -> &FoundSale {
    match app.top() {
        Layer::FoundSale(form) => form,
        other => panic!("no form but {other:?}"),
    }
}

/// Delivers the result of creating this link or direct payment. This happens after the reply was
/// read again with a corrected API contract.
fn settles(app: &mut App, sale: &Sale) {
    app.model.notice = None;
    let ticket = app.ticket();
    app.tell(match sale.clone() {
        Sale::Link(link) => Msg::LinkMade { ticket, result: Ok(link) },
        Sale::Charge(charge) => Msg::ChargeMade { ticket, result: Ok(charge) },
    });
}

#[test]
fn sale_settled_while_no_screen_shows_it_is_announced() {
    let created = |code: Option<&str>| {
        let (id, pix_code) = (Some("ch-1".into()), code.map(Into::into));
        Sale::Charge(charge(ChargeOutcome::Created { id, pix_code, status: None, expires: None }))
    };
    for (sale, id) in [
        (Sale::Link(link(URL)), Some("said-link-ready")),
        (created(Some(CODE)), Some("said-charge-ready")),
        (created(None), None),
    ] {
        let mut app = app_with(&sale);
        app.keys("Enter");
        settles(&mut app, &sale);
        assert_eq!(said(&app), None, "the details show it: {:?}", app.top());
        app.keys("5");
        settles(&mut app, &sale);
        assert_eq!(said(&app), id.map(Notice::good).as_ref());
    }
}

#[test]
fn unknown_sale_found_by_pasted_address_or_code() {
    for sale in unknown_ones() {
        for place in ["", "Enter"] {
            let mut app = app_with(&sale);
            app.keys(&format!("{place} f"));
            let pasted = if matches!(sale, Sale::Link(_)) { URL } else { CODE };
            app.pastes(&format!(" {pasted}\n"));
            let wanted = app.keys("Ctrl-S");
            let [Effect::History(HistoryCommand::FoundSale { ticket, sale: found })] = &wanted[..]
            else {
                panic!("{sale:?} {place} {wanted:?}")
            };
            assert!(found.is_same(&sale));
            let payable = match &**found {
                Sale::Link(link) => link.url(),
                Sale::Charge(charge) => charge.pix_code(),
            };
            assert_eq!(payable, Some(&pasted.into()));
            let result = Ok(Arc::new((**found).clone()));
            let wanted = app.tell(Msg::SaleFound { ticket: *ticket, result });
            assert!(matches!(wanted[..], [Effect::LoadLinks(_) | Effect::LoadCharges(_)]));
            // The URL or Pix code can now be copied, in the list and in the details.
            let wanted = app.keys("y");
            let [Effect::Copy(_, text)] = &wanted[..] else { panic!("{place} {wanted:?}") };
            assert_eq!(text.raw(), pasted);
        }
    }
}

#[test]
fn text_that_is_no_address_or_code_is_refused() {
    let torn = CODE.replace("CA90", "CA91");
    for (sale, typed, error) in [
        (&unknown_ones()[0], "loja ana", FieldError::NotAnAddress),
        (&unknown_ones()[0], "ftp://loja.example/x", FieldError::NotAnAddress),
        (&unknown_ones()[2], URL, FieldError::NotAPixCode),
        (&unknown_ones()[2], DEARER, FieldError::OtherAmount),
        (&unknown_ones()[2], &*torn, FieldError::NotAPixCode),
        (&unknown_ones()[2], "", FieldError::Missing),
    ] {
        let mut app = app_with(sale);
        app.keys("f");
        app.pastes(typed);
        assert_eq!(app.keys("Ctrl-S"), vec![], "{typed}");
        assert_eq!(form(&app).sent.form.fields[0].error, Some(error), "{typed}");
    }
    // After the warnings were shown, a different text is checked again.
    let mut app = app_with(&unknown_ones()[0]);
    app.keys("f");
    app.pastes("loja ana");
    app.keys("Ctrl-S Ctrl-U");
    app.pastes(URL);
    assert!(matches!(app.keys("Ctrl-S")[..], [Effect::History(HistoryCommand::FoundSale { .. })]));
}

#[test]
fn pasted_address_shows_its_warnings_before_saving() {
    let mut app = app_with(&unknown_ones()[0]);
    app.keys("f");
    app.pastes("http://outra.example/x");
    let said = format!("{:?}", chrome::page(&app.model, app.model.size).items);
    assert!(said.contains(&*app.model.text("odd-http")), "{said}");
}

#[test]
fn sale_put_away_only_after_question() {
    let not_sent = Sale::Link(uncreated(LinkOutcome::NotSent));
    for sale in unknown_ones().into_iter().chain([not_sent]) {
        for place in ["", "Enter"] {
            let mut app = app_with(&sale);
            assert_eq!(app.keys(&format!("{place} X Enter")), vec![], "{sale:?}");
            let wanted = app.keys("X Tab Enter");
            assert_eq!(
                wanted,
                vec![Effect::History(HistoryCommand::RemoveSale(Box::new(sale.clone())))],
                "{place}"
            );
            let wanted = app.tell(Msg::SaleRemoved(Ok(Arc::new(sale.clone()))));
            assert!(matches!(wanted[..], [Effect::LoadLinks(_) | Effect::LoadCharges(_)]));
            assert_eq!(app.model.notice, Some(Notice::good("said-put-away")));
            assert!(app.model.layers.is_empty(), "{sale:?} {place}");
        }
    }
}

#[test]
fn created_sale_is_neither_found_nor_put_away() {
    for sale in [Sale::Link(link(URL)), Sale::Charge(charge(with_code(None)))] {
        for keys in ["f", "X", "Enter f", "Enter X"] {
            let mut app = app_with(&sale);
            assert_eq!(app.keys(keys), vec![]);
            let is_open = |layer: &Layer| matches!(layer, Layer::FoundSale(_) | Layer::Dialog(_));
            assert!(!app.model.layers.iter().any(is_open), "{keys}");
        }
    }
}

#[test]
fn failed_put_away_reported_and_row_kept() {
    let sale = unknown_ones()[0].clone();
    let mut app = app_with(&sale);
    app.keys("Enter X Tab Enter");
    let full = JournalTrouble::Full("disk".into());
    assert_eq!(app.tell(Msg::SaleRemoved(Err(full.clone()))), vec![]);
    assert_eq!(app.model.notice, Some(Notice::History(full)));
    assert!(matches!(app.top(), Layer::Link(_)));
}

#[test]
fn qr_code_of_charge_says_when_it_expires() {
    // The test's clock starts at 00:16:40, so this Pix code expires after a minute.
    let mut app = app_with(&Sale::Charge(charge(created(CODE, "1970-01-01T00:17:40Z"))));
    app.keys("Q");
    let has_expired = |app: &App| {
        format!("{:?}", chrome::page(&app.model, app.model.size).items).contains("Já venceu")
    };
    app.passes(59_999);
    app.tell(Msg::Pulse);
    assert!(!has_expired(&app));
    assert_eq!(next_deadline(&app.model), Some(Duration::from_millis(1)));
    app.passes(1);
    app.tell(Msg::Pulse);
    assert!(has_expired(&app));
}

#[test]
fn charge_of_no_loaded_row_asks_on_its_qr_code() {
    let mut app = app_with(&Sale::Charge(charge(created(DEARER, "2999-01-01T00:00:00Z"))));
    app.keys("Q Tab Enter");
    app.model.charges.page = page_of(vec![]);
    assert_eq!(app.keys("y"), vec![]);
    assert!(matches!(app.top(), Layer::Dialog(_)));
}

#[test]
fn qr_code_says_that_it_was_marked_as_paid() {
    let paid = Some(Paid { at: Wall(0), source: PaidSource::Seller });
    let expired = charge(created(CODE, "1970-01-01T00:00:00Z"));
    for (sale, keys) in [
        (Sale::Link(PaymentLink { paid, ..link(URL) }), "Q"),
        (Sale::Charge(Charge { paid, ..expired }), "Q Tab Enter"),
    ] {
        let mut app = app_with(&sale);
        app.keys(keys);
        let page = format!("{:?}", chrome::page(&app.model, app.model.size).items);
        assert!(page.contains("✓ marcado como pago"), "{page}");
    }
}
