//! Tests of the report: its periods, its two replies, and a typed period.

use super::*;
use crate::app::message::ReportRequest;
use crate::trade::report::{SalesReport, WithdrawalFigures};
use crate::trade::search::Period;
use crate::trade::{LinksTotal, day_of};

/// Presses keys that load a report, and returns what was requested. Both parts are requested.
fn request(app: &mut App, keys: &str) -> ReportRequest {
    let effects = app.press(keys);
    let [
        Effect::LoadReport(request),
        Effect::Money(MoneyCommand::Report(other)),
    ] = effects[..]
    else {
        panic!("{effects:?}")
    };
    assert_eq!(request, other);
    request
}

fn days(first: &str, last: &str) -> Period {
    let [first, last] = [first, last].map(|day| day_of(day.parse().unwrap()));
    Period { first, last }
}

fn deliver(app: &mut App, ticket: Ticket, count: u64) {
    let mut sales = SalesReport::default();
    sales.links[0].made = LinksTotal {
        count,
        sum: Money::from_centavos(1_000),
    };
    let result = Ok(Box::new(sales));
    app.deliver(Msg::ReportLoaded { ticket, result });
    let mut figures = WithdrawalFigures::default();
    figures.open = count;
    let result = Ok([figures; 2]);
    app.deliver(Msg::WithdrawalsReported { ticket, result });
}

/// The number of links that the page shows, if any.
fn shown_links(app: &App) -> Option<u64> {
    match app.top() {
        Layer::Report(page) => page.shown_sales().map(|sales| sales.links[0].made.count),
        layer => panic!("{layer:?}"),
    }
}

#[test]
fn keys_go_to_other_periods_and_lengths() {
    let mut app = App::logged_in();
    let month = request(&mut app, "M");
    assert_eq!(month.days, days("2026-11-01", "2026-11-30"));
    assert_eq!(month.before, days("2026-10-01", "2026-10-31"));
    let before = request(&mut app, "Left");
    assert_eq!(before.days, month.before);
    let day = request(&mut app, "D");
    assert_eq!(day.days, days("2026-10-31", "2026-10-31"));
    let week = request(&mut app, "D");
    assert_eq!(week.days, days("2026-10-26", "2026-11-01"));
    assert_eq!(week.before, days("2026-10-19", "2026-10-25"));
    assert_eq!(
        request(&mut app, "Right").days,
        days("2026-11-02", "2026-11-08")
    );
    assert_eq!(app.press("Esc").len(), 1, "the request is cancelled");
    assert!(app.model.layers.is_empty());
}

#[test]
fn typed_period_is_read_like_a_search() {
    let mut app = App::logged_in();
    let month = request(&mut app, "M");
    deliver(&mut app, month.ticket, 1);
    assert!(app.press("/").is_empty());
    app.type_text("hm");
    assert!(app.press("Ctrl-S").is_empty(), "not understood");
    assert!(app.press("Esc").is_empty());
    assert_eq!(shown_links(&app), Some(1), "the report is still there");
    app.press("/");
    app.type_text("16/11-20/11");
    let typed = request(&mut app, "Ctrl-S");
    assert_eq!(typed.days, days("2026-11-16", "2026-11-20"));
    assert_eq!(typed.before, days("2026-11-11", "2026-11-15"));
    assert_eq!(
        request(&mut app, "Right").days,
        days("2026-11-21", "2026-11-25")
    );
}

#[test]
fn stale_figures_are_dropped_and_not_shown_for_other_days() {
    let mut app = App::logged_in();
    let month = request(&mut app, "M");
    deliver(&mut app, month.ticket.next(), 7);
    assert_eq!(shown_links(&app), None);
    deliver(&mut app, month.ticket, 2);
    assert_eq!(shown_links(&app), Some(2));
    let before = request(&mut app, "Left");
    assert_eq!(shown_links(&app), None, "these are another month's");
    deliver(&mut app, month.ticket, 9);
    assert_eq!(shown_links(&app), None);
    deliver(&mut app, before.ticket, 3);
    assert_eq!(shown_links(&app), Some(3));
    let effects = app.deliver(Msg::HistoryChanged);
    assert!(
        effects
            .iter()
            .any(|effect| matches!(effect, Effect::LoadReport(_)))
    );
}
