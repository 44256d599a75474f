//! Tests of marking links and direct payments as paid, and of filtering the list of links.

use super::sales::{app_with, charge, with_code};
use super::*;

const URL: &str = "https://loja.example/checkout/link-7f3k2q";

/// A time before the start of the test's clock.
const BEFORE: &str = "1970-01-01T00:00:01Z";

/// Returns a link and two direct payments that can be marked as paid. The second payment has
/// expired.
fn markable() -> [Sale; 3] {
    let charges = [None, Some(BEFORE)].map(|expires| Sale::Charge(charge(with_code(expires))));
    let [open, expired] = charges;
    [Sale::Link(link(URL)), open, expired]
}

fn marked_at(at: Wall) -> Paid {
    Paid { at, source: PaidSource::Seller }
}

/// Returns the ticket of the request for links, and its filter by paid mark: `Some(true)` requests
/// only links marked as paid.
fn asked(wanted: &[Effect]) -> (Ticket, Option<bool>) {
    let [Effect::LoadLinks(ask)] = wanted else { panic!("{wanted:?}") };
    (ask.ticket, ask.search.filter.paid)
}

fn mark(sale: &Sale, paid: Option<Wall>) -> Vec<Effect> {
    vec![Effect::History(HistoryCommand::MarkPaid { sale: Box::new(sale.clone()), paid })]
}

/// Returns the paid mark of the link or direct payment whose details are shown.
fn shown_mark(app: &App) -> Option<Paid> {
    match app.top() {
        Layer::Link(details) => details.0.paid,
        Layer::Charge(details) => details.0.paid,
        other => panic!("no details but {other:?}"),
    }
}

#[test]
fn same_key_marks_row_paid_and_unmarks_it() {
    for sale in markable() {
        for keys in ["p", "Enter p"] {
            let mut app = app_with(&sale);
            let now = app.model.now.wall;
            assert_eq!(app.keys(keys), mark(&sale, Some(now)));
            let marked = sale.clone().with_paid(Some(marked_at(now)));
            let wanted = app.tell(Msg::MarkedPaid(Ok(Arc::new(marked.clone()))));
            assert_eq!(app.model.notice, Some(Notice::good("said-marked")));
            assert!(matches!(wanted[..], [Effect::LoadLinks(_) | Effect::LoadCharges(_)]));
            app.has_sale(&marked);
            assert_eq!(app.keys("p"), mark(&marked, None), "{keys}");
            app.tell(Msg::MarkedPaid(Ok(Arc::new(sale.clone()))));
            assert_eq!(app.model.notice, Some(Notice::good("said-unmarked")));
        }
    }
}

#[test]
fn failed_mark_reported_and_not_shown() {
    for sale in markable() {
        let mut app = app_with(&sale);
        app.keys("Enter p");
        let full = JournalTrouble::Full("disk".into());
        assert_eq!(app.tell(Msg::MarkedPaid(Err(full.clone()))), vec![]);
        assert_eq!(app.model.notice, Some(Notice::NotMarked(full)));
        assert_eq!(shown_mark(&app), None);
    }
}

#[test]
fn open_details_show_mark_from_other_window() {
    for sale in markable() {
        let mut app = app_with(&sale);
        app.keys("Enter");
        let mut other = sale.clone().with_paid(Some(marked_at(Wall(7))));
        match &mut other {
            Sale::Link(link) => link.id = RowId(9),
            Sale::Charge(charge) => charge.id = RowId(9),
        }
        app.tell(Msg::MarkedPaid(Ok(Arc::new(other))));
        assert_eq!(shown_mark(&app), None, "another row was marked");
        app.has_sale(&sale.with_paid(Some(marked_at(Wall(5)))));
        assert_eq!(shown_mark(&app), Some(marked_at(Wall(5))));
    }
}

#[test]
fn unconfirmed_or_unsaved_row_is_not_marked_paid() {
    let refusal = Refusal { status: 422, message: None, hint: None };
    let links = [LinkOutcome::Unknown, LinkOutcome::NotSent, LinkOutcome::Refused(refusal.clone())];
    let links = links.map(|outcome| Sale::Link(PaymentLink { outcome, ..link(URL) }));
    let charges = [ChargeOutcome::Unknown, ChargeOutcome::NotSent, ChargeOutcome::Refused(refusal)];
    let charges = charges.map(|outcome| Sale::Charge(charge(outcome)));
    for sale in links.into_iter().chain(charges) {
        assert_eq!(app_with(&sale).keys("p Enter p"), vec![], "{sale:?}");
    }
    for sale in markable() {
        let mut app = app_with(&sale);
        app.tell(Msg::NotSaved(Box::new(sale)));
        assert_eq!(app.keys("p"), vec![]);
    }
}

#[test]
fn marked_charge_is_called_paid_and_not_expired() {
    let expired = Sale::Charge(charge(with_code(Some(BEFORE))));
    for keys in ["", "Enter"] {
        let said = |sale: &Sale| {
            let mut app = app_with(sale);
            app.keys(keys);
            let page = format!("{:?}", chrome::page(&app.model, app.model.size).items);
            let words = ["links-marked", "charges-expired", "code-odd-title"];
            words.map(|id| page.contains(&*app.model.text(id)))
        };
        let is_open = keys == "Enter";
        assert_eq!(said(&expired), [false, true, is_open], "{keys}");
        let marked = expired.clone().with_paid(Some(marked_at(Wall(5))));
        assert_eq!(said(&marked), [true, false, false], "{keys}");
    }
}

#[test]
fn link_paid_in_the_sandbox_is_not_marked_too() {
    let mut app = App::open();
    let paid = Some(Paid { at: Wall(5), source: PaidSource::Sandbox });
    app.has_links(vec![PaymentLink { paid, ..link(URL) }]);
    assert_eq!(app.keys("p Enter p"), vec![]);
}

#[test]
fn filter_key_cycles_unmarked_marked_and_all() {
    let mut app = App::open();
    app.has_links(vec![link(URL)]);
    for filter in [Some(false), Some(true), None] {
        let wanted = app.keys("P");
        assert_eq!(asked(&wanted).1, filter);
        assert_eq!(app.model.links.filter.paid, filter);
    }
    // A search keeps the filter.
    app.keys("P /");
    let wanted = app.types("b");
    let [Effect::LoadLinks(ask)] = &wanted[..] else { panic!("{wanted:?}") };
    assert_eq!((ask.search.filter.paid, ask.search.terms.len()), (Some(false), 1));
}

#[test]
fn day_and_domain_filters_toggle_and_esc_clears_all() {
    let mut app = App::open();
    let at = app.now.wall;
    let first = PaymentLink { at, ..link(URL) };
    let mut named = PaymentLink { at: Wall(at.0 - 3 * 86_400_000), ..link(URL) };
    named.request.domain = Some("outra.example".into());
    app.has_links(vec![first, named.clone()]);
    app.keys("Down");
    let filter = |wanted: &[Effect]| match wanted {
        [Effect::LoadLinks(ask)] => {
            assert_eq!((ask.first, ask.search.utc_offset_s), (0, 0));
            ask.search.filter.clone()
        }
        other => panic!("{other:?}"),
    };
    let day = Some(named.at.local_day(0));
    let by_day = filter(&app.keys("D"));
    assert_eq!(by_day, LinkFilter { day, ..LinkFilter::default() });
    app.has_links(vec![named.clone()]);
    // The domain filter uses the host of the link's URL, not the domain that the seller chose.
    let domain = Some(DomainChoice::Named("loja.example".into()));
    let both = LinkFilter { day, domain: domain.clone(), paid: None };
    assert_eq!(filter(&app.keys("H")), both);
    // The key of an active filter removes it, whichever row the cursor is on.
    app.has_links(vec![]);
    assert_eq!(filter(&app.keys("D")), LinkFilter { domain, ..LinkFilter::default() });
    app.keys("P");
    assert!(filter(&app.keys("Esc")).is_open());
    assert_eq!(app.keys("Esc"), vec![], "nothing is left to take away");
}

#[test]
fn filtered_list_shows_sum_of_its_links() {
    let mut app = App::open();
    app.has_links(vec![link(URL)]);
    let (ticket, _) = asked(&app.keys("P"));
    let total = |count, centavos| LinksTotal { count, sum: brl(centavos) };
    let found = SearchTotals { paid: total(0, 0), unpaid: total(1, 4_990) };
    let rows: Arc<[PaymentLink]> = [link(URL)].into();
    let page = ListPage { rows, total: Some(1), first: 0 };
    let totals = LinkTotals { total: 1, found: Some(found), ..LinkTotals::default() };
    let result = Ok(LinksRead { page, totals: Some(totals) });
    app.tell(Msg::LinksLoaded { ticket, result });
    let page = chrome::page(&app.model, app.model.size);
    let text = format!("{:?}", page.items);
    assert!(text.contains("total R$\u{a0}49,90") || text.contains("total R$ 49,90"), "{text}");
}
