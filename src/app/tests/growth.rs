//! Tests of long lists: the rows are shown before they have been counted, and pages are located by
//! row.

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

/// Delivers a page of rows before the total number of rows is known.
fn shows(counter: &mut Counter, ask: &PageRequest, rows: Vec<PaymentLink>) {
    let page = ListPage { rows: rows.into(), total: None, first: ask.first };
    let result = Ok(LinksRead { page, totals: None });
    counter.tell(Msg::LinksLoaded { ticket: ask.ticket, result });
}

fn counts(counter: &mut Counter, ask: &PageRequest, total: u64) {
    let unpaid = LinksTotal { count: total, sum: brl(4_990) };
    let found = Some(FoundTotals { unpaid, ..FoundTotals::NOTHING });
    let totals = LinkTotals { total, found, ..LinkTotals::default() };
    counter.tell(Msg::LinksCounted { ticket: ask.ticket, result: Ok(totals) });
}

fn screen(counter: &Counter) -> String {
    format!("{:?}", around::page(&counter.model, counter.model.size).items)
}

fn says(counter: &Counter, n: u64) -> String {
    Words::of(counter.model.setup.lang).count("links-count", n, &[])
}

#[test]
fn rows_are_shown_before_their_totals() {
    let mut counter = Counter::open();
    counter.keys("/");
    let ask = asked(&counter.types("b")).clone();
    shows(&mut counter, &ask, rows(1..201));
    assert_eq!(counter.model.links.list.page.rows.len(), 200);
    assert_eq!(counter.model.links.list.page.total, None);
    let shown = screen(&counter);
    assert!(shown.contains("\"…\"") && !shown.contains(&says(&counter, 200)), "{shown}");
    counts(&mut counter, &ask, 1_234);
    let shown = screen(&counter);
    assert!(shown.contains(&says(&counter, 1_234)) && !shown.contains("\"…"), "{shown}");
    // Until the new count arrives, the old count is shown with a mark.
    let ask = asked(&counter.types("o")).clone();
    shows(&mut counter, &ask, rows(1..201));
    let shown = screen(&counter);
    assert!(shown.contains(&format!("\"… {}", says(&counter, 1_234))), "{shown}");
    counts(&mut counter, &ask, 7);
    let shown = screen(&counter);
    assert!(shown.contains(&says(&counter, 7)) && !shown.contains("\"…"), "{shown}");
}

#[test]
fn totals_of_an_older_text_are_dropped() {
    let mut counter = Counter::open();
    counter.keys("/");
    let first = asked(&counter.types("b")).clone();
    shows(&mut counter, &first, rows(1..201));
    let second = asked(&counter.types("o")).clone();
    counts(&mut counter, &first, 1_234);
    assert_eq!(counter.model.links.list.page.total, None);
    shows(&mut counter, &second, rows(1..101));
    counts(&mut counter, &first, 1_234);
    assert_eq!(counter.model.links.list.page.total, None);
    assert_eq!(counter.model.links.totals(), None);
    counts(&mut counter, &second, 100);
    assert_eq!(counter.model.links.list.page.total, Some(100));
}

#[test]
fn charges_are_shown_before_they_are_counted() {
    let mut counter = Counter::open();
    let wanted = counter.keys("4");
    let Some(Effect::LoadCharges(ask)) = wanted.last() else { panic!("{wanted:?}") };
    let ticket = ask.ticket;
    let page = ListPage { total: None, ..ListPage::default() };
    counter.tell(Msg::ChargesLoaded { ticket, result: Ok(page) });
    counter.tell(Msg::ChargesCounted { ticket: Ticket(99), result: Ok(7) });
    assert_eq!(counter.model.charges.page.total, None);
    counter.tell(Msg::ChargesCounted { ticket, result: Ok(7) });
    assert_eq!(counter.model.charges.page.total, Some(7));
}

#[test]
fn page_below_the_window_is_asked_for_by_a_row() {
    let mut counter = Counter::open();
    let ask = asked(&counter.keys("r")).clone();
    assert_eq!(ask.place, PagePlace::Top);
    shows(&mut counter, &ask, rows(1_001..1_201));
    counter.model.links.list.cursor = 199;
    let ask = asked(&counter.keys("j")).clone();
    let near = PagePlace::Near { id: RowId(1_001), place: 199, first: 100 };
    assert_eq!((ask.place, ask.first), (near, 100));
    shows(&mut counter, &ask, rows(901..1_101));
    assert_eq!(counter.model.links.list.selected().map(|link| link.id), Some(RowId(1_000)));
    // A new search starts at the top, because it may find other rows.
    counter.keys("/");
    assert_eq!(asked(&counter.types("b")).place, PagePlace::Top);
}

#[test]
fn end_is_asked_for_by_key_counted_or_not() {
    for total in [None, Some(1_000)] {
        let mut counter = Counter::open();
        let ask = asked(&counter.keys("r")).clone();
        shows(&mut counter, &ask, rows(801..1_001));
        if let Some(total) = total {
            counts(&mut counter, &ask, total);
        }
        assert_eq!(asked(&counter.keys("G")).place, PagePlace::End);
        // A cursor key that is pressed before the rows arrive requests the end of the list again.
        if total.is_none() {
            assert_eq!(asked(&counter.keys("k")).place, PagePlace::End);
        }
        let ask = asked(&counter.keys("G r")).clone();
        let page = ListPage { rows: rows(1..201).into(), total: Some(1_000), first: 800 };
        let result = Ok(LinksRead { page, totals: None });
        counter.tell(Msg::LinksLoaded { ticket: ask.ticket, result });
        assert_eq!(counter.model.links.list.cursor, 999);
        assert_eq!(counter.model.links.list.selected().map(|link| link.id), Some(RowId(1)));
    }
}

#[test]
fn strip_keeps_its_rows_while_figures_are_counted() {
    let mut counter = Counter::open();
    counter.tell(Msg::Input(Input::Resize(Size { columns: 130, rows: 50 })));
    let ask = asked(&counter.keys("r")).clone();
    shows(&mut counter, &ask, rows(1..201));
    let top = |counter: &Counter| {
        let area = counter.model.areas(counter.model.size).unwrap().body;
        LinksPane.rows(&counter.model, area).unwrap().area.y
    };
    let before = top(&counter);
    let now = counter.model.now.wall;
    let figures = LinkFigures::on(now, counter.model.setup.utc_offset_s).map(Box::new);
    assert!(figures.is_some());
    let totals = LinkTotals { total: 200, figures, ..LinkTotals::default() };
    counter.tell(Msg::LinksCounted { ticket: ask.ticket, result: Ok(totals) });
    assert_eq!(top(&counter), before);
}

#[test]
fn domains_of_a_long_list_keep_their_moments() {
    let mut counter = Counter::open();
    let domain = |n: usize| CheckoutDomain {
        host: format!("loja-{n}.example").as_str().into(),
        state: DomainState::Active,
        is_default: false,
    };
    let mut listed: Vec<_> = (0..20_000).map(domain).collect();
    let mut moments = vec![];
    for _ in 0..2 {
        counter.passes(60_000);
        counter.keys("2 r");
        let ticket = counter.model.domains.wait.unwrap().ticket;
        counter.tell(Msg::DomainsListed { ticket, result: Ok(listed.clone()) });
        let seen = &counter.model.domains.seen_since;
        moments.push((seen.len(), seen[0].1, seen[19_999].1));
        listed.reverse();
    }
    assert_eq!(moments[0], moments[1]);
    // The column widths depend only on the visible rows, so a long name far below them has no
    // effect.
    listed.reverse();
    let before = screen(&counter);
    listed[15_000].host = "x".repeat(200).as_str().into();
    counter.model.domains.listed = Some(listed.into());
    assert_eq!(screen(&counter), before);
}
