//! Tests of links and direct payments that may not have been created. The seller enters the URL or
//! Pix code that the service shows, or removes the record.

use std::collections::BTreeMap;

use super::*;
use crate::app::cx::CodeText;
use crate::app::screens::found_sale::FoundSale;

const URL: &str = "https://loja.example/checkout/link-7f3k2q";

/// A valid Pix code for R$ 49,90.
const CODE: &str = "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000\
    520400005303986540549.905802BR5911LOJA DA ANA6008BRASILIA62070503***6304CA90";

/// Like [`CODE`], but for R$ 50,90.
const OTHER_CODE: &str = "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000\
    520400005303986540550.905802BR5911LOJA DA ANA6008BRASILIA62070503***6304D44F";

fn refusal() -> Refusal {
    Refusal {
        status: 422,
        message: None,
        hint: None,
        retry_after: None,
    }
}

fn link_with_outcome(outcome: LinkOutcome) -> PaymentLink {
    PaymentLink {
        outcome,
        ..link(URL)
    }
}

pub(super) fn charge(outcome: ChargeOutcome) -> Charge {
    let request = ChargeRequest {
        account: seller(),
        amount: brl(4_990),
        description: "Boné".into(),
        customer: None,
        buyer: BTreeMap::new(),
    };
    Charge {
        id: RowId(1),
        at: Wall(0),
        request,
        outcome,
        paid: None,
        note: None,
        put_away: None,
        authors: SaleAuthors::default(),
    }
}

/// The outcome of a direct payment with a valid Pix code that expires at this time.
pub(super) fn outcome_with_code(expires: Option<&str>) -> ChargeOutcome {
    let pix_code = Some(CODE.into());
    let expires = expires.map(Into::into);
    ChargeOutcome::Created(CreatedCharge {
        id: None,
        status: None,
        pix_code,
        expires,
    })
}

fn created_outcome(code: &str, expires: &str) -> ChargeOutcome {
    let pix_code = Some(code.into());
    let expires = Some(expires.into());
    ChargeOutcome::Created(CreatedCharge {
        id: None,
        status: None,
        pix_code,
        expires,
    })
}

/// The message that the request for a payment link ended.
pub(super) fn link_made(ticket: Ticket, result: Result<PaymentLink, Failure>) -> Msg {
    let result = result.map(|link| Arc::new(Sale::Link(link)));
    Msg::SaleMade {
        ticket,
        operation: Operation::CreateLink,
        result,
    }
}

/// The message that the request for a direct payment ended.
pub(super) fn charge_made(ticket: Ticket, result: Result<Charge, Failure>) -> Msg {
    let result = result.map(|charge| Arc::new(Sale::Charge(charge)));
    Msg::SaleMade {
        ticket,
        operation: Operation::DirectPayment,
        result,
    }
}

/// Creates an app whose only link or direct payment is `sale`.
pub(super) fn app_with(sale: &Sale) -> App {
    let mut app = App::logged_in();
    if matches!(sale, Sale::Charge(_)) {
        app.press("4");
    }
    app.load_sale(sale);
    app
}

impl App {
    /// Delivers a list with `sale` as its only row.
    pub(super) fn load_sale(&mut self, sale: &Sale) {
        match sale {
            Sale::Link(link) => self.load_links(vec![link.clone()]),
            Sale::Charge(charge) => {
                let ticket = self.last_ticket();
                let page = page_of(vec![charge.clone()]);
                self.deliver(Msg::ChargesLoaded {
                    ticket,
                    result: Ok(page.into()),
                });
            }
        }
    }
}

fn unknown_sales() -> [Sale; 4] {
    [
        Sale::Link(link_with_outcome(LinkOutcome::Unknown)),
        Sale::Link(link_with_outcome(LinkOutcome::Refused(refusal()))),
        Sale::Charge(charge(ChargeOutcome::Unknown)),
        Sale::Charge(charge(ChargeOutcome::Refused(refusal()))),
    ]
}

fn found_sale_form(app: &App) -> &FoundSale {
    match app.top() {
        Layer::FoundSale(form) => form,
        other => panic!("no form but {other:?}"),
    }
}

/// Delivers the result of creating this link or direct payment. This happens after the reply was
/// read again with a corrected API contract.
fn deliver_created(app: &mut App, sale: &Sale) {
    app.model.notice = None;
    let ticket = app.last_ticket();
    app.deliver(match sale.clone() {
        Sale::Link(link) => link_made(ticket, Ok(link)),
        Sale::Charge(charge) => charge_made(ticket, Ok(charge)),
    });
}

#[test]
fn sale_settled_while_no_screen_shows_it_is_announced() {
    let created_charge = |code: Option<&str>| {
        let id = Some("ch-1".into());
        let pix_code = code.map(Into::into);
        Sale::Charge(charge(ChargeOutcome::Created(CreatedCharge {
            id,
            pix_code,
            status: None,
            expires: None,
        })))
    };
    for (sale, id) in [
        (Sale::Link(link(URL)), Some("said-link-ready")),
        (created_charge(Some(CODE)), Some("said-charge-ready")),
        (created_charge(None), None),
    ] {
        let mut app = app_with(&sale);
        app.press("Enter");
        deliver_created(&mut app, &sale);
        assert_eq!(
            shown_notice(&app),
            None,
            "the details show it: {:?}",
            app.top()
        );
        app.press("5");
        deliver_created(&mut app, &sale);
        assert_eq!(shown_notice(&app), id.map(Notice::good).as_ref());
    }
}

#[test]
fn unknown_sale_found_by_pasted_address_or_code() {
    for sale in unknown_sales() {
        for place in ["", "Enter"] {
            let mut app = app_with(&sale);
            app.press(&format!("{place} f"));
            let pasted = if matches!(sale, Sale::Link(_)) {
                URL
            } else {
                CODE
            };
            app.paste(&format!(" {pasted}\n"));
            let effects = app.press("Ctrl-S");
            let [
                Effect::History(HistoryCommand::FoundSale {
                    ticket,
                    sale: found,
                }),
            ] = &effects[..]
            else {
                panic!("{sale:?} {place} {effects:?}")
            };
            assert!(found.is_same(&sale));
            let payable = match &**found {
                Sale::Link(link) => link.url(),
                Sale::Charge(charge) => charge.pix_code(),
            };
            assert_eq!(payable, Some(&pasted.into()));
            let result = Ok(Arc::new((**found).clone()));
            let effects = app.deliver(Msg::SaleFound {
                ticket: *ticket,
                result,
            });
            assert!(matches!(
                effects[..],
                [Effect::LoadLinks(_) | Effect::LoadCharges(_)]
            ));
            // The URL or Pix code can now be copied, in the list and in the details.
            let effects = app.press("y");
            let [Effect::Copy(_, text)] = &effects[..] else {
                panic!("{place} {effects:?}")
            };
            assert_eq!(text.raw(), pasted);
        }
    }
}

#[test]
fn text_that_is_no_address_or_code_is_refused() {
    let damaged = CODE.replace("CA90", "CA91");
    for (sale, typed, error) in [
        (&unknown_sales()[0], "loja ana", FieldError::NotAnAddress),
        (
            &unknown_sales()[0],
            "ftp://loja.example/x",
            FieldError::NotAnAddress,
        ),
        (&unknown_sales()[2], URL, FieldError::NotAPixCode),
        (&unknown_sales()[2], OTHER_CODE, FieldError::OtherAmount),
        (&unknown_sales()[2], &*damaged, FieldError::NotAPixCode),
        (&unknown_sales()[2], "", FieldError::Missing),
    ] {
        let mut app = app_with(sale);
        app.press("f");
        app.paste(typed);
        assert_eq!(app.press("Ctrl-S"), vec![], "{typed}");
        assert_eq!(
            found_sale_form(&app).sent.form.fields[0].error,
            Some(error),
            "{typed}"
        );
    }
    // After the error was shown, a corrected text is checked again.
    let mut app = app_with(&unknown_sales()[0]);
    app.press("f");
    app.paste("loja ana");
    app.press("Ctrl-S Ctrl-U");
    app.paste(URL);
    assert!(matches!(
        app.press("Ctrl-S")[..],
        [Effect::History(HistoryCommand::FoundSale { .. })]
    ));
}

#[test]
fn pasted_address_shows_its_warnings_before_saving() {
    let mut app = app_with(&unknown_sales()[0]);
    app.press("f");
    app.paste("http://outra.example/x");
    let text = format!("{:?}", chrome::page(&app.model, app.model.size).items);
    assert!(text.contains(&*app.model.text("odd-http")), "{text}");
}

#[test]
fn sale_is_removed_only_after_question() {
    let not_sent = Sale::Link(link_with_outcome(LinkOutcome::NotSent));
    for sale in unknown_sales().into_iter().chain([not_sent]) {
        for place in ["", "Enter"] {
            let mut app = app_with(&sale);
            assert_eq!(app.press(&format!("{place} X Enter")), vec![], "{sale:?}");
            let effects = app.press("X Tab Enter");
            assert_eq!(
                effects,
                vec![Effect::History(HistoryCommand::RemoveSale(Box::new(
                    sale.clone()
                )))],
                "{place}"
            );
            let effects = app.deliver(Msg::SaleRemoved(Ok(Arc::new(sale.clone()))));
            assert!(matches!(
                effects[..],
                [Effect::LoadLinks(_) | Effect::LoadCharges(_)]
            ));
            assert_eq!(app.model.notice, Some(Notice::good("said-removed")));
            assert!(app.model.layers.is_empty(), "{sale:?} {place}");
        }
    }
}

#[test]
fn unknown_sale_of_others_is_not_removed_at_once() {
    let mut app = App::logged_in();
    app.model.withdrawals.team = Some(crate::trade::Team {
        status: crate::trade::TeamStatus::Connected,
        own_role: "bia".into(),
        needs_approval: false,
    });
    let mut sale = link_with_outcome(Outcome::Unknown);
    let mut is_offered = |role: &str, age_ms: i64| {
        sale.at = Wall(app.model.now.wall.0 - age_ms);
        sale.authors.created = Some(crate::trade::Author {
            role: role.into(),
            operator: role.into(),
            machine: "caixa".into(),
        });
        let actions = crate::app::store::sales::actions(&app.model.store, &sale);
        assert!(actions.contains(&Action::Found));
        actions.contains(&Action::Discard)
    };
    let day = 24 * 60 * 60 * 1_000;
    assert!(is_offered("bia", 0));
    assert!(!is_offered("ana", 0));
    assert!(!is_offered("ana", day - 1));
    assert!(is_offered("ana", day));
}

#[test]
fn created_sale_cannot_be_found_or_removed() {
    for sale in [
        Sale::Link(link(URL)),
        Sale::Charge(charge(outcome_with_code(None))),
    ] {
        for keys in ["f", "X", "Enter f", "Enter X"] {
            let mut app = app_with(&sale);
            assert_eq!(app.press(keys), vec![]);
            let is_open = |layer: &Layer| match layer {
                Layer::FoundSale(_) => true,
                Layer::Dialog(dialog) => !matches!(dialog.question, Question::PutAway(_)),
                _ => false,
            };
            assert!(!app.model.layers.iter().any(is_open), "{keys}");
        }
    }
}

#[test]
fn failed_removal_is_reported_and_keeps_row() {
    let sale = unknown_sales()[0].clone();
    let mut app = app_with(&sale);
    app.press("Enter X Tab Enter");
    let full = JournalTrouble::Full("disk".into());
    assert_eq!(app.deliver(Msg::SaleRemoved(Err(full.clone()))), vec![]);
    assert_eq!(app.model.notice, Some(Notice::History(full)));
    assert!(matches!(app.top(), Layer::Link(_)));
}

#[test]
fn qr_code_of_charge_says_when_it_expires() {
    // The test's clock starts at 00:16:40, so this Pix code expires after a minute.
    let mut app = app_with(&Sale::Charge(charge(created_outcome(
        CODE,
        "1970-01-01T00:17:40Z",
    ))));
    app.press("Q");
    let has_expired = |app: &App| {
        format!("{:?}", chrome::page(&app.model, app.model.size).items).contains("Já venceu")
    };
    app.advance_ms(59_999);
    app.deliver(Msg::Pulse);
    assert!(!has_expired(&app));
    assert_eq!(next_deadline(&app.model), Some(Duration::from_millis(1)));
    app.advance_ms(1);
    app.deliver(Msg::Pulse);
    assert!(has_expired(&app));
}

#[test]
fn qr_code_of_unlisted_charge_still_asks() {
    let mut app = app_with(&Sale::Charge(charge(created_outcome(
        OTHER_CODE,
        "2999-01-01T00:00:00Z",
    ))));
    app.press("Q Tab Enter");
    app.model.charges.list.page = page_of(vec![]);
    assert_eq!(app.press("y"), vec![]);
    assert!(matches!(app.top(), Layer::Dialog(_)));
}

#[test]
fn qr_code_says_that_it_was_marked_as_paid() {
    let paid = Some(Paid {
        at: Wall(0),
        source: PaidSource::Seller,
    });
    let expired = charge(created_outcome(CODE, "1970-01-01T00:00:00Z"));
    for (sale, keys) in [
        (Sale::Link(PaymentLink { paid, ..link(URL) }), "Q"),
        (Sale::Charge(Charge { paid, ..expired }), "Q Tab Enter"),
    ] {
        let mut app = app_with(&sale);
        app.press(keys);
        let page = format!("{:?}", chrome::page(&app.model, app.model.size).items);
        assert!(page.contains("✓ marcado como pago"), "{page}");
    }
}

#[test]
fn screen_of_the_same_item_opens_once() {
    let mut app = App::logged_in();
    let now = app.now.clone();
    let withdrawal = |n| Box::new(unknown_withdrawal(n, 100, &now));
    let sale = |id| {
        Box::new(PaymentLink {
            id: RowId(id),
            ..link(URL)
        })
    };
    let charge_of = |id| {
        Box::new(Charge {
            id: RowId(id),
            ..charge(ChargeOutcome::NotSent)
        })
    };
    let request = |n| {
        Arc::new(Exchange {
            at: Wall(n),
            ..exchange(Operation::Login, 200, "")
        })
    };
    let code = |text: &str| CodeText {
        text: text.into(),
        clip: Clip::Address,
    };
    for routes in [
        [1, 2].map(|n| Route::Withdrawal(withdrawal(n))),
        [1, 2].map(|n| Route::Receipt(withdrawal(n))),
        [1, 2].map(|id| Route::Link(sale(id))),
        [1, 2].map(|id| Route::Charge(charge_of(id))),
        [1, 2].map(|n| Route::Exchange(request(n))),
        [1, 2].map(|n| Route::Comparison([request(n), request(n + 1)])),
        [CODE, OTHER_CODE].map(|text| Route::Qr(code(text), None)),
    ] {
        app.model.layers.clear();
        let [first, second] = &routes;
        for (route, count) in [(first, 1), (first, 1), (second, 2), (first, 2)] {
            let stamp = app.stamp();
            router::open(&mut app.model, route.clone(), &stamp);
            assert_eq!(app.model.layers.len(), count, "{route:?}");
        }
    }
}
