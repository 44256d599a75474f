//! Tests of the periods and amounts that are read in a search text.

use super::*;
use crate::trade::Search;
use crate::trade::search::{Period, Reading};

const NO_WORDS: [&str; 0] = [];

fn screen_text(app: &App) -> String {
    format!("{:?}", chrome::page(&app.model, app.model.size).items)
}

/// The search of the last request for a page of a list.
fn last_search(effects: &[Effect]) -> &Search {
    match effects.last() {
        Some(Effect::LoadLinks(request) | Effect::LoadCharges(request)) => &request.search,
        Some(Effect::Money(MoneyCommand::Load(request))) => &request.search,
        Some(Effect::LoadRequests(query)) => &query.search,
        other => panic!("{other:?}"),
    }
}

fn words(search: &Search) -> Vec<&str> {
    search.terms.iter().map(|term| &*term.text).collect()
}

#[test]
fn period_is_read_and_shown_in_every_list() {
    for pane in ["1", "3", "4", "5"] {
        let mut app = App::logged_in();
        app.press(pane);
        app.press("/");
        let effects = app.type_text("janeiro de 1970");
        let search = last_search(&effects);
        let january = Period { first: 0, last: 30 };
        assert_eq!(search.reading.period, Some(january), "{pane}");
        assert_eq!(words(search), NO_WORDS, "{pane}");
        for context in ["search", "list"] {
            let screen = screen_text(&app);
            assert!(
                screen.contains("período: janeiro de 1970") && screen.contains("Ctrl-G"),
                "{pane} {context}: {screen}"
            );
            app.press("Enter");
        }
        app.press("Esc");
        let screen = screen_text(&app);
        assert!(!screen.contains("período:") && !screen.contains("Ctrl-G"));
    }
}

#[test]
fn requests_have_no_amounts_and_other_lists_have() {
    for (pane, has_amounts) in [("1", true), ("3", true), ("4", true), ("5", false)] {
        let mut app = App::logged_in();
        app.press(pane);
        app.press("/");
        let effects = app.type_text("R$ 50-80");
        let search = last_search(&effects);
        assert_eq!(!search.reading.is_empty(), has_amounts, "{pane}");
        assert_eq!(search.terms.is_empty(), has_amounts, "{pane}");
        let screen = screen_text(&app).replace('\u{a0}', " ");
        let text = "valor: de R$ 50,00 a R$ 80,00";
        assert_eq!(screen.contains(text), has_amounts, "{pane}: {screen}");
    }
}

#[test]
fn day_is_that_of_the_clock_and_shown_by_its_name() {
    let mut app = App::logged_in();
    app.press("/");
    let today = app.model.now.wall.local_day(app.model.setup.utc_offset_s);
    let effects = app.type_text("Yesterday");
    let period = last_search(&effects).reading.period;
    let yesterday = Period {
        first: today - 1,
        last: today - 1,
    };
    assert_eq!(period, Some(yesterday));
    assert!(screen_text(&app).contains("período: ontem"));
    app.press("Ctrl-U");
    app.type_text("7 dias");
    // The rows stay those of the days that were read, after midnight too.
    app.model.now.wall = app.model.now.wall.plus(Duration::from_secs(24 * 3_600));
    assert!(
        screen_text(&app).contains(" a ontem"),
        "{}",
        screen_text(&app)
    );
}

#[test]
fn key_turns_what_was_read_into_words() {
    for leaves_field in [false, true] {
        let mut app = App::logged_in();
        app.press("/");
        app.type_text("hoje boné >100");
        if leaves_field {
            app.press("Enter");
        }
        let effects = app.press("Ctrl-G");
        let search = last_search(&effects);
        assert_eq!(app.model.links.list.query.value(), "\"hoje\" boné \">100\"");
        assert_eq!(words(search), ["hoje", "boné", ">100"]);
        assert_eq!(search.reading, Reading::default());
        assert!(!screen_text(&app).contains("Ctrl-G"));
        assert_eq!(app.press("Ctrl-G"), vec![], "nothing more to do");
        // Without the quotes, the search text is read again.
        app.press("/ Ctrl-U");
        let effects = app.type_text("hoje");
        assert!(last_search(&effects).reading.period.is_some());
    }
}

#[test]
fn sums_beside_a_reading_are_of_the_found_links() {
    let mut app = App::logged_in();
    app.press("/");
    let effects = app.type_text(">40");
    let Some(Effect::LoadLinks(request)) = effects.last() else {
        panic!("{effects:?}")
    };
    let unpaid = LinksTotal {
        count: 1,
        sum: brl(4_990),
    };
    let totals = ListTotals {
        total: 1,
        found: Some(SearchTotals {
            unpaid,
            ..SearchTotals::ZERO
        }),
        ..ListTotals::default()
    };
    let page = page_of(vec![link("https://loja.example/x")]);
    app.deliver(Msg::LinksLoaded {
        ticket: request.ticket,
        result: Ok(SalesPage {
            page,
            totals: Some(totals),
        }),
    });
    let screen = screen_text(&app).replace('\u{a0}', " ");
    let text = "valor: acima de R$ 40,00 · 1 link · total R$ 49,90";
    assert!(screen.contains(text), "{screen}");
}
