//! Tests of links that the seller marked as paid, and of the filters.

use super::*;

const URL: &str = "https://loja.example/checkout/link-7f3k2q";

fn paid(at: Option<Wall>) -> PaymentLink {
    PaymentLink { paid: at.map(marked_at), ..link(URL) }
}

fn marked_at(at: Wall) -> LinkPaid {
    LinkPaid { at, source: PaidSource::Seller }
}

/// Returns the ticket of the request for rows, and the request's filter for the paid mark.
fn asked(wanted: &[Effect]) -> (Ticket, Option<bool>) {
    let [Effect::LoadLinks(ask)] = wanted else { panic!("{wanted:?}") };
    (ask.ticket, ask.search.filter.paid)
}

#[test]
fn same_key_marks_link_paid_and_unmarks_it() {
    for keys in ["p", "Enter p"] {
        let mut app = App::open();
        app.has_links(vec![link(URL)]);
        let now = app.model.now.wall;
        let marked = Effect::MarkLink { link: Box::new(link(URL)), paid: Some(now) };
        assert_eq!(app.keys(keys), vec![marked]);
        let wanted = app.tell(Msg::LinkMarked(Ok(Box::new(paid(Some(now))))));
        assert_eq!(app.model.notice, Some(Notice::good("said-marked")));
        let (ticket, _) = asked(&wanted);
        let rows: Arc<[PaymentLink]> = [paid(Some(now))].into();
        let page = ListPage { rows, total: Some(1), first: 0 };
        app.tell(Msg::LinksLoaded {
            ticket,
            result: Ok(LinksRead { page, ..LinksRead::default() }),
        });
        let unmarked = Effect::MarkLink { link: Box::new(paid(Some(now))), paid: None };
        assert_eq!(app.keys("p"), vec![unmarked], "{keys}");
        app.tell(Msg::LinkMarked(Ok(Box::new(paid(None)))));
        assert_eq!(app.model.notice, Some(Notice::good("said-unmarked")));
    }
}

#[test]
fn failed_mark_reported_and_not_shown() {
    let mut app = App::open();
    app.has_links(vec![link(URL)]);
    app.keys("Enter p");
    let full = JournalTrouble::Full("disk".into());
    assert_eq!(app.tell(Msg::LinkMarked(Err(full.clone()))), vec![]);
    assert_eq!(app.model.notice, Some(Notice::NotMarked(full)));
    let Layer::Link(details) = app.top() else { panic!() };
    assert_eq!(details.0.paid, None);
}

#[test]
fn open_details_show_mark_from_other_window() {
    let mut app = App::open();
    app.has_links(vec![link(URL)]);
    app.keys("Enter");
    let other = PaymentLink { id: RowId(9), ..paid(Some(Wall(7))) };
    app.tell(Msg::LinkMarked(Ok(Box::new(other))));
    let Layer::Link(details) = app.top() else { panic!() };
    assert_eq!(details.0.paid, None, "another link was marked");
    app.has_links(vec![paid(Some(Wall(5)))]);
    let Layer::Link(details) = app.top() else { panic!() };
    assert_eq!(details.0.paid, Some(marked_at(Wall(5))));
}

#[test]
fn unconfirmed_or_unsaved_link_is_not_marked_paid() {
    for outcome in [LinkOutcome::Unknown, LinkOutcome::NotSent] {
        let mut app = App::open();
        app.has_links(vec![PaymentLink { outcome, ..link(URL) }]);
        assert_eq!(app.keys("p Enter p"), vec![]);
    }
    let mut app = App::open();
    app.has_links(vec![link(URL)]);
    app.tell(Msg::NotSaved(Box::new(Sale::Link(link(URL)))));
    assert_eq!(app.keys("p"), vec![]);
}

#[test]
fn link_paid_in_the_sandbox_is_not_marked_too() {
    let mut app = App::open();
    let paid = Some(LinkPaid { at: Wall(5), source: PaidSource::Sandbox });
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
    // The domain filter uses the host of the link's URL, whichever domain the seller requested.
    let domain = Some(DomainChoice::Named("loja.example".into()));
    let both = LinkFilter { day, domain: domain.clone(), paid: None };
    assert_eq!(filter(&app.keys("H")), both);
    // If a filter is active, its key removes the filter, whichever row is under the cursor.
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
