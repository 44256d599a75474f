//! Tests of marking links and direct payments as paid, and of filtering the list of links.

use super::amounts::page_text;
use super::sales::{app_with, charge, outcome_with_code};
use super::*;
use crate::app::ui::{Line, PageItem, Role};

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
        retry_after: None,
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
            let page: Vec<_> = page_lines(&app).iter().map(Line::to_string).collect();
            let ids = ["links-marked", "charges-expired", "code-odd-title"];
            ids.map(|id| page.join("\n").contains(&*app.model.text(id)))
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
        ..LinkFilter::default()
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

/// Delivers the totals of the listed links, as if links of these accounts had been marked lately.
fn deliver_marking_accounts(app: &mut App, links: Vec<PaymentLink>, accounts: Vec<Account>) {
    let (ticket, _) = links_request(&app.press("r"));
    let page = ListPage {
        total: Some(links.len() as u64),
        rows: links.into(),
        first: 0,
    };
    let totals = None;
    let result = Ok(SalesPage { page, totals });
    app.deliver(Msg::LinksLoaded { ticket, result });
    let result = Ok(ListTotals {
        total: 3,
        marking_accounts: accounts,
        ..ListTotals::default()
    });
    app.deliver(Msg::SalesCounted { ticket, result });
}

/// All lines of the screen.
fn page_lines(app: &App) -> Vec<Line> {
    let items = chrome::page(&app.model, app.model.size).items;
    let lines = items.into_iter().map(|item| match item {
        PageItem::Lines(lines, _) => lines,
        _ => vec![],
    });
    lines.flatten().collect()
}

/// The second style of the description of a listed link.
fn description_style(app: &App, description: &str) -> Option<Role> {
    let lines = page_lines(app);
    let span = lines
        .iter()
        .flat_map(|line| &line.spans)
        .find(|span| span.text.contains(description));
    span.unwrap_or_else(|| panic!("no {description}")).over
}

#[test]
fn unpaid_link_is_bold_if_its_account_marks_links() {
    let mut app = App::logged_in();
    let mut other = link(URL);
    other.id = RowId(2);
    other.request.description = "De outra conta".into();
    other.request.account.identity = "bia".into();
    let mut under_cursor = link(URL);
    under_cursor.id = RowId(3);
    under_cursor.request.description = "Sob o cursor".into();
    let links = vec![under_cursor, link(URL), other];
    app.load_links(links.clone());
    assert_eq!(description_style(&app, "Boné"), None, "not known yet");
    deliver_marking_accounts(&mut app, links.clone(), vec![seller()]);
    assert_eq!(description_style(&app, "Boné"), Some(Role::Strong));
    assert_eq!(description_style(&app, "De outra conta"), None);
    // A search keeps what is known while its links are counted.
    app.press("/");
    app.type_text("b");
    assert_eq!(description_style(&app, "oné"), Some(Role::Strong));
    app.press("Esc");
    assert_eq!(description_style(&app, "Boné"), Some(Role::Strong));
    deliver_marking_accounts(&mut app, links, vec![]);
    assert_eq!(description_style(&app, "Boné"), None, "no mark in 30 days");
}

#[test]
fn only_the_sandbox_tells_that_a_link_is_unpaid() {
    let mut app = App::logged_in();
    let mut elsewhere = link(URL);
    elsewhere.request.account.origin = Origin("https://elsewhere.example".into());
    let unsent = PaymentLink {
        outcome: LinkOutcome::NotSent,
        ..link(URL)
    };
    let paid = Some(paid_mark(Wall(5)));
    let links = vec![
        link(URL),
        elsewhere,
        unsent,
        PaymentLink { paid, ..link(URL) },
    ];
    app.load_links(links.clone());
    let word = app.model.text("links-awaited");
    let count = |app: &App| page_text(app).matches(&word).count();
    assert_eq!(count(&app), 0, "{}", page_text(&app));
    app.deliver(Msg::SandboxPaidLinks([].into()));
    assert_eq!(count(&app), 1, "{}", page_text(&app));
}

#[test]
fn site_is_listed_where_not_the_usual_one_of_the_day() {
    let mut app = App::logged_in();
    let link_on = |id: i64, days_ago: i64, host: &str| {
        let url = format!("https://{host}/checkout/link-{id}");
        PaymentLink {
            id: RowId(id),
            at: Wall(app.now.wall.0 - days_ago * 86_400_000),
            ..link(&url)
        }
    };
    let links = vec![
        link_on(6, 0, "usual.example"),
        link_on(5, 0, "usual.example"),
        link_on(4, 0, "other.example"),
        link_on(3, 3, "other.example"),
        link_on(2, 3, "other.example"),
        link_on(1, 3, "usual.example"),
    ];
    app.load_links(links);
    for columns in [80, 99] {
        let size = Size { columns, rows: 24 };
        app.deliver(Msg::Input(Input::Resize(size)));
        let lines = page_lines(&app).into_iter().map(|line| line.to_string());
        let rows: Vec<_> = lines.filter(|line| line.contains("Boné")).collect();
        let sites = rows.iter().map(|row| row.contains(".example"));
        let sites: Vec<_> = sites.collect();
        assert_eq!(sites, [false, false, true, false, false, true], "{rows:#?}");
        assert!(rows[2].contains("other.example"), "{rows:#?}");
    }
}

#[test]
fn only_charges_that_can_be_paid_are_bold() {
    let now = App::logged_in().now.wall;
    let [past, future] = [-60_000, 3_600_000].map(|ms| Wall(now.0 + ms).rfc3339(0).unwrap());
    let paid = Some(Paid {
        at: now,
        source: PaidSource::Seller,
    });
    for (expires, paid, expected) in [
        (&future, None, (Role::Text, Some(Role::Strong))),
        (&past, None, (Role::Text, None)),
        (&future, paid, (Role::Dim, None)),
        (&past, paid, (Role::Dim, None)),
    ] {
        let mut under_cursor = charge(outcome_with_code(None));
        under_cursor.request.description = "Sob o cursor".into();
        let row = Charge {
            id: RowId(2),
            paid,
            ..charge(outcome_with_code(Some(expires)))
        };
        let mut app = App::logged_in();
        app.press("4");
        let ticket = app.last_ticket();
        let page = ListPage {
            rows: [under_cursor, row].into(),
            total: Some(2),
            first: 0,
        };
        let result = Ok(page.into());
        app.deliver(Msg::ChargesLoaded { ticket, result });
        let lines = page_lines(&app);
        let mut spans = lines.iter().flat_map(|line| &line.spans);
        let span = spans.find(|span| span.text.contains("Boné")).unwrap();
        assert_eq!(
            (span.role.unwrap(), span.over),
            expected,
            "{expires} {paid:?}"
        );
    }
}
