//! Tests of marking links and direct payments as paid, and of filtering the list of links.

use super::sales::{app_with, charge, outcome_with_code};
use super::*;

const URL: &str = "https://loja.example/checkout/link-7f3k2q";

/// A time before the start of the test's clock.
const PAST_TIME: &str = "1970-01-01T00:00:01Z";

/// A link and two direct payments that can be marked as paid. The second payment has expired.
fn markable_sales() -> [Sale; 3] {
    let charges =
        [None, Some(PAST_TIME)].map(|expires| Sale::Charge(charge(outcome_with_code(expires))));
    let [open, expired] = charges;
    [Sale::Link(link(URL)), open, expired]
}

fn paid_mark(at: Wall) -> Paid {
    Paid {
        at,
        source: PaidSource::Seller,
    }
}

/// The ticket and the paid filter of the request for links. The filter `Some(true)` means that only
/// links marked as paid are requested.
fn links_request(effects: &[Effect]) -> (Ticket, Option<bool>) {
    let [Effect::LoadLinks(request)] = effects else {
        panic!("{effects:?}")
    };
    (request.ticket, request.search.filter.paid)
}

fn mark_effects(sale: &Sale, paid: Option<Wall>) -> Vec<Effect> {
    vec![Effect::History(HistoryCommand::MarkPaid {
        sale: Box::new(sale.clone()),
        paid,
    })]
}

/// The paid mark of the link or direct payment whose details are shown.
fn shown_mark(app: &App) -> Option<Paid> {
    match app.top() {
        Layer::Link(details) => details.0.paid,
        Layer::Charge(details) => details.0.paid,
        other => panic!("no details but {other:?}"),
    }
}

#[test]
fn same_key_marks_row_paid_and_unmarks_it() {
    for sale in markable_sales() {
        for keys in ["p", "Enter p"] {
            let mut app = app_with(&sale);
            let now = app.model.now.wall;
            assert_eq!(app.press(keys), mark_effects(&sale, Some(now)));
            let marked = sale.clone().with_paid(Some(paid_mark(now)));
            let effects = app.deliver(Msg::MarkedPaid(Ok(Arc::new(marked.clone()))));
            assert_eq!(app.model.notice, Some(Notice::good("said-marked")));
            assert!(matches!(
                effects[..],
                [Effect::LoadLinks(_) | Effect::LoadCharges(_)]
            ));
            app.load_sale(&marked);
            assert_eq!(app.press("p"), mark_effects(&marked, None), "{keys}");
            app.deliver(Msg::MarkedPaid(Ok(Arc::new(sale.clone()))));
            assert_eq!(app.model.notice, Some(Notice::good("said-unmarked")));
        }
    }
}

#[test]
fn failed_mark_reported_and_not_shown() {
    for sale in markable_sales() {
        let mut app = app_with(&sale);
        app.press("Enter p");
        let full = JournalTrouble::Full("disk".into());
        assert_eq!(app.deliver(Msg::MarkedPaid(Err(full.clone()))), vec![]);
        assert_eq!(app.model.notice, Some(Notice::NotMarked(full)));
        assert_eq!(shown_mark(&app), None);
    }
}

#[test]
fn open_details_show_mark_from_other_window() {
    for sale in markable_sales() {
        let mut app = app_with(&sale);
        app.press("Enter");
        let mut other = sale.clone().with_paid(Some(paid_mark(Wall(7))));
        match &mut other {
            Sale::Link(link) => link.id = RowId(9),
            Sale::Charge(charge) => charge.id = RowId(9),
        }
        app.deliver(Msg::MarkedPaid(Ok(Arc::new(other))));
        assert_eq!(shown_mark(&app), None, "another row was marked");
        app.load_sale(&sale.with_paid(Some(paid_mark(Wall(5)))));
        assert_eq!(shown_mark(&app), Some(paid_mark(Wall(5))));
    }
}

#[test]
fn unconfirmed_or_unsaved_row_is_not_marked_paid() {
    let refusal = Refusal {
        status: 422,
        message: None,
        hint: None,
    };
    let links = [
        LinkOutcome::Unknown,
        LinkOutcome::NotSent,
        LinkOutcome::Refused(refusal.clone()),
    ];
    let links = links.map(|outcome| {
        Sale::Link(PaymentLink {
            outcome,
            ..link(URL)
        })
    });
    let charges = [
        ChargeOutcome::Unknown,
        ChargeOutcome::NotSent,
        ChargeOutcome::Refused(refusal),
    ];
    let charges = charges.map(|outcome| Sale::Charge(charge(outcome)));
    for sale in links.into_iter().chain(charges) {
        assert_eq!(app_with(&sale).press("p Enter p"), vec![], "{sale:?}");
    }
    for sale in markable_sales() {
        let mut app = app_with(&sale);
        app.deliver(Msg::NotSaved(Box::new(sale)));
        assert_eq!(app.press("p"), vec![]);
    }
}

#[test]
fn marked_charge_is_called_paid_and_not_expired() {
    let expired = Sale::Charge(charge(outcome_with_code(Some(PAST_TIME))));
    for keys in ["", "Enter"] {
        let has_texts = |sale: &Sale| {
            let mut app = app_with(sale);
            app.press(keys);
            let page = format!("{:?}", chrome::page(&app.model, app.model.size).items);
            let ids = ["links-marked", "charges-expired", "code-odd-title"];
            ids.map(|id| page.contains(&*app.model.text(id)))
        };
        let is_open = keys == "Enter";
        assert_eq!(has_texts(&expired), [false, true, is_open], "{keys}");
        let marked = expired.clone().with_paid(Some(paid_mark(Wall(5))));
        assert_eq!(has_texts(&marked), [true, false, false], "{keys}");
    }
}

#[test]
fn link_paid_in_the_sandbox_is_not_marked_too() {
    let mut app = App::logged_in();
    let paid = Some(Paid {
        at: Wall(5),
        source: PaidSource::Sandbox,
    });
    app.load_links(vec![PaymentLink { paid, ..link(URL) }]);
    assert_eq!(app.press("p Enter p"), vec![]);
}

#[test]
fn filter_key_cycles_unmarked_marked_and_all() {
    let mut app = App::logged_in();
    app.load_links(vec![link(URL)]);
    for filter in [Some(false), Some(true), None] {
        let effects = app.press("P");
        assert_eq!(links_request(&effects).1, filter);
        assert_eq!(app.model.links.filter.paid, filter);
    }
    // A search keeps the filter.
    app.press("P /");
    let effects = app.type_text("b");
    let [Effect::LoadLinks(request)] = &effects[..] else {
        panic!("{effects:?}")
    };
    assert_eq!(
        (request.search.filter.paid, request.search.terms.len()),
        (Some(false), 1)
    );
}

#[test]
fn day_and_domain_filters_toggle_and_esc_clears_all() {
    let mut app = App::logged_in();
    let at = app.now.wall;
    let first = PaymentLink { at, ..link(URL) };
    let mut named = PaymentLink {
        at: Wall(at.0 - 3 * 86_400_000),
        ..link(URL)
    };
    named.request.domain = Some("outra.example".into());
    app.load_links(vec![first, named.clone()]);
    app.press("Down");
    let filter = |effects: &[Effect]| match effects {
        [Effect::LoadLinks(request)] => {
            assert_eq!((request.first, request.search.utc_offset_s), (0, 0));
            request.search.filter.clone()
        }
        other => panic!("{other:?}"),
    };
    let day = Some(named.at.local_day(0));
    let by_day = filter(&app.press("D"));
    assert_eq!(
        by_day,
        LinkFilter {
            day,
            ..LinkFilter::default()
        }
    );
    app.load_links(vec![named.clone()]);
    // The domain filter uses the host of the link's URL, not the domain that the seller chose.
    let domain = Some(DomainChoice::Named("loja.example".into()));
    let both = LinkFilter {
        day,
        domain: domain.clone(),
        paid: None,
    };
    assert_eq!(filter(&app.press("H")), both);
    // The key of an active filter removes it, whichever row the cursor is on.
    app.load_links(vec![]);
    assert_eq!(
        filter(&app.press("D")),
        LinkFilter {
            domain,
            ..LinkFilter::default()
        }
    );
    app.press("P");
    assert!(filter(&app.press("Esc")).is_open());
    assert_eq!(app.press("Esc"), vec![], "nothing is left to take away");
}

#[test]
fn filtered_list_shows_sum_of_its_links() {
    let mut app = App::logged_in();
    app.load_links(vec![link(URL)]);
    let (ticket, _) = links_request(&app.press("P"));
    let total = |count, centavos| LinksTotal {
        count,
        sum: brl(centavos),
    };
    let found = SearchTotals {
        paid: total(0, 0),
        unpaid: total(1, 4_990),
    };
    let rows: Arc<[PaymentLink]> = [link(URL)].into();
    let page = ListPage {
        rows,
        total: Some(1),
        first: 0,
    };
    let totals = ListTotals {
        total: 1,
        found: Some(found),
        ..ListTotals::default()
    };
    let result = Ok(SalesPage {
        page,
        totals: Some(totals),
    });
    app.deliver(Msg::LinksLoaded { ticket, result });
    let page = chrome::page(&app.model, app.model.size);
    let text = format!("{:?}", page.items);
    assert!(
        text.contains("total R$\u{a0}49,90") || text.contains("total R$ 49,90"),
        "{text}"
    );
}
