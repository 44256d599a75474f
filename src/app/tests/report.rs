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
    let figures = WithdrawalFigures {
        open: count,
        ..WithdrawalFigures::default()
    };
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
    assert_eq!(month.days, days("1970-01-01", "1970-01-31"));
    assert_eq!(month.before, days("1969-12-01", "1969-12-31"));
    let before = request(&mut app, "Left");
    assert_eq!(before.days, month.before);
    let day = request(&mut app, "D");
    assert_eq!(day.days, days("1969-12-31", "1969-12-31"));
    let week = request(&mut app, "D");
    assert_eq!(week.days, days("1969-12-29", "1970-01-04"));
    assert_eq!(week.before, days("1969-12-22", "1969-12-28"));
    let next = request(&mut app, "Right");
    assert_eq!(next.days, days("1970-01-05", "1970-01-11"));
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
    app.press("Backspace Backspace");
    app.type_text("01/01/1970");
    let typed = request(&mut app, "Ctrl-S");
    assert_eq!(typed.days, days("1970-01-01", "1970-01-01"));
    assert_eq!(typed.before, days("1969-12-31", "1969-12-31"));
    let next = request(&mut app, "Right");
    assert_eq!(next.days, days("1970-01-02", "1970-01-02"));
}

#[test]
fn stale_figures_are_not_shown_for_other_days() {
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
    let loads = |effect: &Effect| matches!(effect, Effect::LoadReport(_));
    assert!(app.deliver(Msg::HistoryChanged).iter().any(loads));
}

#[test]
fn both_parts_are_new_after_a_change() {
    let mut app = App::logged_in();
    let month = request(&mut app, "M");
    deliver(&mut app, month.ticket, 2);
    let effects = app.deliver(Msg::HistoryChanged);
    let reloads = effects.iter().find_map(|effect| match effect {
        Effect::LoadReport(request) => Some(request.ticket),
        _ => None,
    });
    deliver(&mut app, reloads.unwrap(), 3);
    let Layer::Report(page) = app.top() else {
        panic!("{:?}", app.top())
    };
    assert_eq!(page.shown_sales().unwrap().links[0].made.count, 3);
    assert_eq!(page.shown_withdrawals().unwrap()[0].open, 3);
}
