//! Tests of long lists: rows are shown before they are counted, and further rows are requested
//! relative to a loaded row.

use super::*;
use crate::app::screen::Screen;
use crate::app::screens::links::LinksPane;
use crate::app::ui::list::PageRequest;

fn asked(wanted: &[Effect]) -> &PageRequest {
    match wanted {
        [.., Effect::LoadLinks(ask)] => ask,
        other => panic!("{other:?}"),
    }
}

fn rows(ids: std::ops::Range<i64>) -> Vec<PaymentLink> {
    let row = |id| PaymentLink { id: RowId(id), ..link("https://loja.example/x") };
    ids.rev().map(row).collect()
}

/// Delivers a page of rows whose total number is not known yet.
fn shows(app: &mut App, ask: &PageRequest, rows: Vec<PaymentLink>) {
    let page = ListPage { rows: rows.into(), total: None, first: ask.first };
    let result = Ok(LinksRead { page, totals: None });
    app.tell(Msg::LinksLoaded { ticket: ask.ticket, result });
}

fn counts(app: &mut App, ask: &PageRequest, total: u64) {
    let unpaid = LinksTotal { count: total, sum: brl(4_990) };
    let found = Some(SearchTotals { unpaid, ..SearchTotals::NOTHING });
    let totals = LinkTotals { total, found, ..LinkTotals::default() };
    app.tell(Msg::LinksCounted { ticket: ask.ticket, result: Ok(totals) });
}

fn screen(app: &App) -> String {
    format!("{:?}", chrome::page(&app.model, app.model.size).items)
}

fn says(app: &App, n: u64) -> String {
    Catalogue::of(app.model.setup.lang).count("links-count", n, &[])
}

#[test]
fn rows_are_shown_before_their_totals() {
    let mut app = App::open();
    app.keys("/");
    let ask = asked(&app.types("b")).clone();
    shows(&mut app, &ask, rows(1..201));
    assert_eq!(app.model.links.list.page.rows.len(), 200);
    assert_eq!(app.model.links.list.page.total, None);
    let shown = screen(&app);
    assert!(shown.contains("\"…\"") && !shown.contains(&says(&app, 200)), "{shown}");
    counts(&mut app, &ask, 1_234);
    let shown = screen(&app);
    assert!(shown.contains(&says(&app, 1_234)) && !shown.contains("\"…"), "{shown}");
    // Until the new count arrives, the old count is shown with a mark (`…`).
    let ask = asked(&app.types("o")).clone();
    shows(&mut app, &ask, rows(1..201));
    let shown = screen(&app);
    assert!(shown.contains(&format!("\"… {}", says(&app, 1_234))), "{shown}");
    counts(&mut app, &ask, 7);
    let shown = screen(&app);
    assert!(shown.contains(&says(&app, 7)) && !shown.contains("\"…"), "{shown}");
}

#[test]
fn totals_of_an_older_text_are_dropped() {
    let mut app = App::open();
    app.keys("/");
    let first = asked(&app.types("b")).clone();
    shows(&mut app, &first, rows(1..201));
    let second = asked(&app.types("o")).clone();
    counts(&mut app, &first, 1_234);
    assert_eq!(app.model.links.list.page.total, None);
    shows(&mut app, &second, rows(1..101));
    counts(&mut app, &first, 1_234);
    assert_eq!(app.model.links.list.page.total, None);
    assert_eq!(app.model.links.totals(), None);
    counts(&mut app, &second, 100);
    assert_eq!(app.model.links.list.page.total, Some(100));
}

#[test]
fn charges_are_shown_before_they_are_counted() {
    let mut app = App::open();
    let wanted = app.keys("4");
    let Some(Effect::LoadCharges(ask)) = wanted.last() else { panic!("{wanted:?}") };
    let ticket = ask.ticket;
    let page = ListPage { total: None, ..ListPage::default() };
    app.tell(Msg::ChargesLoaded { ticket, result: Ok(page) });
    app.tell(Msg::ChargesCounted { ticket: Ticket(99), result: Ok(7) });
    assert_eq!(app.model.charges.page.total, None);
    app.tell(Msg::ChargesCounted { ticket, result: Ok(7) });
    assert_eq!(app.model.charges.page.total, Some(7));
}

#[test]
fn page_below_the_window_is_asked_for_by_a_row() {
    let mut app = App::open();
    let ask = asked(&app.keys("r")).clone();
    assert_eq!(ask.place, PagePlace::Top);
    shows(&mut app, &ask, rows(1_001..1_201));
    app.model.links.list.cursor = 199;
    let ask = asked(&app.keys("j")).clone();
    let near = PagePlace::Near { id: RowId(1_001), place: 199, first: 100 };
    assert_eq!((ask.place, ask.first), (near, 100));
    shows(&mut app, &ask, rows(901..1_101));
    assert_eq!(app.model.links.list.selected().map(|link| link.id), Some(RowId(1_000)));
    // A new search starts at the top of the list.
    app.keys("/");
    assert_eq!(asked(&app.types("b")).place, PagePlace::Top);
}

#[test]
fn end_is_asked_for_by_key_counted_or_not() {
    for total in [None, Some(1_000)] {
        let mut app = App::open();
        let ask = asked(&app.keys("r")).clone();
        shows(&mut app, &ask, rows(801..1_001));
        if let Some(total) = total {
            counts(&mut app, &ask, total);
        }
        assert_eq!(asked(&app.keys("G")).place, PagePlace::End);
        // If the list's length is unknown, a cursor key pressed before the rows arrive requests the
        // end of the list again.
        if total.is_none() {
            assert_eq!(asked(&app.keys("k")).place, PagePlace::End);
        }
        let ask = asked(&app.keys("G r")).clone();
        let page = ListPage { rows: rows(1..201).into(), total: Some(1_000), first: 800 };
        let result = Ok(LinksRead { page, totals: None });
        app.tell(Msg::LinksLoaded { ticket: ask.ticket, result });
        assert_eq!(app.model.links.list.cursor, 999);
        assert_eq!(app.model.links.list.selected().map(|link| link.id), Some(RowId(1)));
    }
}

#[test]
fn strip_keeps_its_rows_while_figures_are_counted() {
    let mut app = App::open();
    app.tell(Msg::Input(Input::Resize(Size { columns: 130, rows: 50 })));
    let ask = asked(&app.keys("r")).clone();
    shows(&mut app, &ask, rows(1..201));
    let top = |app: &App| {
        let area = app.model.areas(app.model.size).unwrap().body;
        LinksPane.rows(&app.model, area).unwrap().area.y
    };
    let before = top(&app);
    let now = app.model.now.wall;
    let figures = RecentTotals::on(now, app.model.setup.utc_offset_s).map(Box::new);
    assert!(figures.is_some());
    let totals = LinkTotals { total: 200, figures, ..LinkTotals::default() };
    app.tell(Msg::LinksCounted { ticket: ask.ticket, result: Ok(totals) });
    assert_eq!(top(&app), before);
}

#[test]
fn domains_of_a_long_list_keep_their_moments() {
    let mut app = App::open();
    let domain = |n: usize| CheckoutDomain {
        host: format!("loja-{n}.example").as_str().into(),
        state: DomainState::Active,
        is_default: false,
    };
    let mut listed: Vec<_> = (0..20_000).map(domain).collect();
    let mut moments = vec![];
    for _ in 0..2 {
        app.passes(60_000);
        app.keys("2 r");
        let ticket = app.model.domains.wait.unwrap().ticket;
        app.tell(Msg::DomainsListed { ticket, result: Ok(listed.clone()) });
        let seen = &app.model.domains.seen_since;
        moments.push((seen.len(), seen[0].1, seen[19_999].1));
        listed.reverse();
    }
    assert_eq!(moments[0], moments[1]);
    // Column widths depend on the visible rows only, so a long name far below does not change them.
    listed.reverse();
    let before = screen(&app);
    listed[15_000].host = "x".repeat(200).as_str().into();
    app.model.domains.listed = Some(listed.into());
    assert_eq!(screen(&app), before);
}
