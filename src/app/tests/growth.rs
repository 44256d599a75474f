//! Tests of long lists. The first rows are shown before all rows are counted. Further rows are
//! requested relative to a loaded row.

use super::*;
use crate::app::screen::Screen;
use crate::app::screen::sales::SalesPane;
use crate::app::ui::list::PageRequest;

fn page_request(effects: &[Effect]) -> &PageRequest {
    match effects {
        [.., Effect::LoadLinks(request)] => request,
        other => panic!("{other:?}"),
    }
}

fn rows(ids: std::ops::Range<i64>) -> Vec<PaymentLink> {
    let row = |id| PaymentLink {
        id: RowId(id),
        ..link("https://loja.example/x")
    };
    ids.rev().map(row).collect()
}

/// Delivers a page of rows whose total number is not known yet.
fn deliver_rows(app: &mut App, request: &PageRequest, rows: Vec<PaymentLink>) {
    let page = ListPage {
        rows: rows.into(),
        total: None,
        first: request.first,
    };
    let result = Ok(SalesPage { page, totals: None });
    app.deliver(Msg::LinksLoaded {
        ticket: request.ticket,
        result,
    });
}

fn deliver_total(app: &mut App, request: &PageRequest, total: u64) {
    let unpaid = LinksTotal {
        count: total,
        sum: brl(4_990),
    };
    let found = Some(SearchTotals {
        unpaid,
        ..SearchTotals::ZERO
    });
    let totals = ListTotals {
        total,
        found,
        ..ListTotals::default()
    };
    app.deliver(Msg::SalesCounted {
        ticket: request.ticket,
        result: Ok(totals),
    });
}

fn screen_text(app: &App) -> String {
    format!("{:?}", chrome::page(&app.model, app.model.size).items)
}

fn count_text(app: &App, n: u64) -> String {
    Catalogue::of(app.model.setup.lang).count("links-count", n, &[])
}

#[test]
fn rows_are_shown_before_their_totals() {
    let mut app = App::logged_in();
    app.press("/");
    let request = page_request(&app.type_text("b")).clone();
    deliver_rows(&mut app, &request, rows(1..201));
    assert_eq!(app.model.links.list.page.rows.len(), 200);
    assert_eq!(app.model.links.list.page.total, None);
    let text = screen_text(&app);
    assert!(
        text.contains("\"…\"") && !text.contains(&count_text(&app, 200)),
        "{text}"
    );
    deliver_total(&mut app, &request, 1_234);
    let text = screen_text(&app);
    assert!(
        text.contains(&count_text(&app, 1_234)) && !text.contains("\"…"),
        "{text}"
    );
    // Until the new count arrives, the old count is shown, marked with `…` as outdated.
    let request = page_request(&app.type_text("o")).clone();
    deliver_rows(&mut app, &request, rows(1..201));
    let text = screen_text(&app);
    assert!(
        text.contains(&format!("\"… {}", count_text(&app, 1_234))),
        "{text}"
    );
    deliver_total(&mut app, &request, 7);
    let text = screen_text(&app);
    assert!(
        text.contains(&count_text(&app, 7)) && !text.contains("\"…"),
        "{text}"
    );
}

#[test]
fn totals_of_an_older_text_are_dropped() {
    let mut app = App::logged_in();
    app.press("/");
    let first = page_request(&app.type_text("b")).clone();
    deliver_rows(&mut app, &first, rows(1..201));
    let second = page_request(&app.type_text("o")).clone();
    deliver_total(&mut app, &first, 1_234);
    assert_eq!(app.model.links.list.page.total, None);
    deliver_rows(&mut app, &second, rows(1..101));
    deliver_total(&mut app, &first, 1_234);
    assert_eq!(app.model.links.list.page.total, None);
    assert_eq!(app.model.links.totals(), None);
    deliver_total(&mut app, &second, 100);
    assert_eq!(app.model.links.list.page.total, Some(100));
}

#[test]
fn charges_are_shown_before_they_are_counted() {
    let mut app = App::logged_in();
    let effects = app.press("4");
    let Some(Effect::LoadCharges(request)) = effects.last() else {
        panic!("{effects:?}")
    };
    let ticket = request.ticket;
    let page = ListPage {
        total: None,
        ..ListPage::default()
    };
    app.deliver(Msg::ChargesLoaded {
        ticket,
        result: Ok(page.into()),
    });
    let seven = ListTotals {
        total: 7,
        ..ListTotals::default()
    };
    app.deliver(Msg::SalesCounted {
        ticket: Ticket(99),
        result: Ok(seven.clone()),
    });
    assert_eq!(app.model.charges.list.page.total, None);
    app.deliver(Msg::SalesCounted {
        ticket,
        result: Ok(seven),
    });
    assert_eq!(app.model.charges.list.page.total, Some(7));
}

#[test]
fn page_below_window_is_requested_by_row() {
    let mut app = App::logged_in();
    let request = page_request(&app.press("r")).clone();
    assert_eq!(request.place, PagePosition::Top);
    deliver_rows(&mut app, &request, rows(1_001..1_201));
    app.model.links.list.cursor = 199;
    let request = page_request(&app.press("j")).clone();
    let near = PagePosition::Near {
        id: RowId(1_001),
        position: 199,
        first: 100,
    };
    assert_eq!((request.place, request.first), (near, 100));
    deliver_rows(&mut app, &request, rows(901..1_101));
    assert_eq!(
        app.model.links.list.selected().map(|link| link.id),
        Some(RowId(1_000))
    );
    // A new search starts at the top of the list.
    app.press("/");
    assert_eq!(page_request(&app.type_text("b")).place, PagePosition::Top);
}

#[test]
fn end_key_requests_end_counted_or_not() {
    for total in [None, Some(1_000)] {
        let mut app = App::logged_in();
        let request = page_request(&app.press("r")).clone();
        deliver_rows(&mut app, &request, rows(801..1_001));
        if let Some(total) = total {
            deliver_total(&mut app, &request, total);
        }
        assert_eq!(page_request(&app.press("G")).place, PagePosition::End);
        // If the list's length is unknown, a cursor key pressed before the rows arrive requests the
        // end of the list again.
        if total.is_none() {
            assert_eq!(page_request(&app.press("k")).place, PagePosition::End);
        }
        let request = page_request(&app.press("G r")).clone();
        let page = ListPage {
            rows: rows(1..201).into(),
            total: Some(1_000),
            first: 800,
        };
        let result = Ok(SalesPage { page, totals: None });
        app.deliver(Msg::LinksLoaded {
            ticket: request.ticket,
            result,
        });
        assert_eq!(app.model.links.list.cursor, 999);
        assert_eq!(
            app.model.links.list.selected().map(|link| link.id),
            Some(RowId(1))
        );
    }
}

#[test]
fn list_stays_in_place_while_totals_are_counted() {
    let mut app = App::logged_in();
    app.deliver(Msg::Input(Input::Resize(Size {
        columns: 130,
        rows: 50,
    })));
    let request = page_request(&app.press("r")).clone();
    deliver_rows(&mut app, &request, rows(1..201));
    let top = |app: &App| {
        let area = app.model.areas(app.model.size).unwrap().body;
        SalesPane::<LinkRequest>::default()
            .rows(&app.model, area)
            .unwrap()
            .area
            .y
    };
    let before = top(&app);
    let now = app.model.now.wall;
    let figures = RecentTotals::on(now, app.model.setup.utc_offset_s).map(Box::new);
    assert!(figures.is_some());
    let totals = ListTotals {
        total: 200,
        figures,
        ..ListTotals::default()
    };
    app.deliver(Msg::SalesCounted {
        ticket: request.ticket,
        result: Ok(totals),
    });
    assert_eq!(top(&app), before);
}

#[test]
fn long_domain_list_keeps_first_seen_times() {
    let mut app = App::logged_in();
    let domain = |n: usize| CheckoutDomain {
        host: format!("loja-{n}.example").as_str().into(),
        state: DomainState::Active,
        is_default: false,
    };
    let mut listed: Vec<_> = (0..20_000).map(domain).collect();
    let mut first_seen_times = vec![];
    for _ in 0..2 {
        app.advance_ms(60_000);
        app.press("2 r");
        let ticket = app.model.domains.wait.unwrap().ticket;
        app.deliver(Msg::DomainsListed {
            ticket,
            result: Ok(listed.clone().into()),
        });
        let seen_since = &app.model.domains.first_seen;
        first_seen_times.push((seen_since.len(), seen_since[0].1, seen_since[19_999].1));
        listed.reverse();
    }
    assert_eq!(first_seen_times[0], first_seen_times[1]);
    // Column widths depend on the visible rows only, so a long name far below does not change them.
    listed.reverse();
    let before = screen_text(&app);
    listed[15_000].host = "x".repeat(200).as_str().into();
    app.model.domains.listed = Some(listed.into());
    assert_eq!(screen_text(&app), before);
}

#[test]
fn journal_that_is_verified_shows_percent_and_no_rows() {
    let mut app = App::logged_in();
    app.press("3");
    for percent in [43, 99] {
        app.deliver(Msg::JournalVerifying { percent });
        let text = screen_text(&app);
        assert!(
            text.contains(&format!("conferindo o registro: {percent}%")),
            "{text}"
        );
        assert!(app.model.withdrawals.list.page.rows.is_empty());
    }
    app.load_unknown_withdrawal(1, 100);
    assert!(!screen_text(&app).contains("conferindo"));
    let mut app = App::logged_in();
    app.press("3");
    app.deliver(Msg::JournalVerifying { percent: 43 });
    app.deliver_withdrawals(Err(JournalTrouble::Damaged("event 3".into())));
    assert!(!screen_text(&app).contains("conferindo"));
}
