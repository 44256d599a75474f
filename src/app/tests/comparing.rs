//! Tests of comparing two requests side by side.

use super::*;
use crate::app::ui::Line;
use crate::app::ui::page::PageItem;

/// An app whose list of requests contains these HTTP exchanges, in this order.
fn app_with_exchanges(newest_first: Vec<Exchange>) -> App {
    let mut app = App::logged_in();
    for (n, exchange) in (0..).zip(newest_first.into_iter().rev()) {
        app.deliver_exchange(Exchange {
            at: Wall(n),
            ..exchange
        });
    }
    app.press("5 g");
    app
}

fn preview_exchange(body: &str) -> Exchange {
    exchange(Operation::FeePreview, 200, body)
}

/// An app that shows the comparison of two replies with these bodies.
fn app_comparing(first_body: &str, second_body: &str) -> App {
    let mut app = app_with_exchanges(vec![
        preview_exchange(first_body),
        preview_exchange(second_body),
    ]);
    exchange_rows::press_and_read(&mut app, "x j x");
    assert!(
        matches!(app.top(), Layer::Comparison(_)),
        "{:?}",
        app.model.layers
    );
    app
}

/// The lines of the screen, with repeated spaces collapsed.
fn lines(app: &App) -> Vec<String> {
    let page = chrome::page(&app.model, app.model.size);
    let lines = page.items.iter().filter_map(|item| match item {
        PageItem::Lines(lines, _) => Some(lines),
        _ => None,
    });
    let words = |line: &Line| {
        line.to_string()
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    };
    lines.flatten().map(words).collect()
}

#[track_caller]
fn assert_line(app: &App, expected: &str) {
    let lines = lines(app);
    assert!(
        lines.iter().any(|line| line == expected),
        "{expected}: {lines:#?}"
    );
}

#[test]
fn different_members_are_marked_in_place() {
    let first_body = r#"{"data": {"fee": 2.05, "same": [1]}, "old": null}"#;
    let second_body = r#"{"data": {"fee": 2.5, "new": "y", "same": [1]}}"#;
    let mut app = app_comparing(first_body, second_body);
    app.press("G");
    assert_line(&app, "≠ data {...} 2 campos {...} 3 campos");
    assert_line(&app, "≠ fee 2.05 2.5");
    assert_line(&app, "≠ new — \"y\"");
    assert_line(&app, "same lista de 1 lista de 1");
    assert_line(&app, "0 1 1");
    assert_line(&app, "▌≠ old null —");
    assert_line(&app, "Comparação de duas solicitações");
    assert_line(&app, "4 diferenças");
}

#[test]
fn differing_masked_values_are_marked_different() {
    let mut app = app_comparing(
        r#"{"name": "Bia", "id": "1"}"#,
        r#"{"name": "Ana", "id": "1"}"#,
    );
    app.press("G");
    assert_line(&app, "≠ name \"•••\" \"•••\" (diferente)");
    assert!(
        !lines(&app)
            .iter()
            .any(|line| line.contains("Bia") || line.contains("Ana"))
    );
    app.press("m");
    assert_line(&app, "≠ name \"Bia\" \"Ana\"");
    app.model.is_masked = true;
    app.press("m j");
    assert!(
        !lines(&app)
            .iter()
            .any(|line| line.contains("Bia") || line.contains("Ana"))
    );
    app.model.is_masked = false;
    let mut app = app_comparing(r#"{"name": "Bia"}"#, r#"{"name": "Bia"}"#);
    app.press("G");
    assert_line(&app, "▌ name \"•••\" \"•••\"");
    assert_line(&app, "nenhuma diferença");
}

#[test]
fn status_headers_and_times_are_compared() {
    let took = Duration::from_millis(90);
    let refused_exchange = Exchange {
        took,
        ..exchange(Operation::FeePreview, 400, "<p>")
    };
    let failed = Exchange {
        reply: Err(Failure::NoAnswer(crate::trade::NoAnswer::Timeout)),
        request_headers: vec![("accept".into(), "a".into())],
        ..refused_exchange.clone()
    };
    let mut app = app_with_exchanges(vec![refused_exchange, failed]);
    app.press("x j x");
    assert_line(&app, "≠ accept — a");
    assert_line(&app, "≠ resultado 400 sem resposta");
    assert_line(&app, "tempo total 90 ms 90 ms");
    app.press("G");
    assert_line(&app, "▌≠ <p> —");
}

#[test]
fn text_bodies_are_compared_by_line() {
    let mut app = app_comparing("um\ndois\ntrês", "um\n2");
    app.press("G");
    assert_line(&app, "um um");
    assert_line(&app, "≠ dois 2");
    assert_line(&app, "▌≠ três —");
}

#[test]
fn keys_go_to_the_next_and_previous_difference() {
    let mut app = app_comparing(r#"{"a": 1, "b": 2, "c": 3}"#, r#"{"a": 0, "b": 2, "c": 0}"#);
    for (keys, row) in [
        ("Right", "a 1 0"),
        ("Right", "c 3 0"),
        ("Left", "a 1 0"),
        ("Left", "c 3 0"),
    ] {
        app.press(keys);
        assert_line(&app, &format!("▌≠ {row}"));
    }
    // Enter folds (hides) the rows. Moving to a difference in hidden rows unfolds them again.
    app.press("k k k Enter");
    assert!(!lines(&app).iter().any(|line| line.contains("3 0")));
    app.press("Left");
    assert_line(&app, "▌≠ c 3 0");
}

#[test]
fn third_request_is_compared_with_the_marked_one() {
    let bodies = [r#"{"a": 1}"#, r#"{"a": 2}"#, r#"{"a": 3}"#];
    let mut app = app_with_exchanges(bodies.map(preview_exchange).to_vec());
    app.press("x");
    assert_eq!(
        app.model.notice,
        Some(Notice::WithKey("said-request-marked", Action::Compare))
    );
    assert!(
        lines(&app)
            .iter()
            .any(|line| line.contains("• Taxa do saque")),
        "{:#?}",
        lines(&app)
    );
    app.press("j x G");
    assert_line(&app, "▌≠ a 1 2");
    app.press("Esc j x G");
    assert_line(&app, "▌≠ a 1 3");
    // The key `x` also compares from the details of the third request.
    app.press("Esc Enter x G");
    assert_line(&app, "▌≠ a 1 3");
    // On the marked request itself, the key removes the mark.
    app.press("Esc Esc g x");
    assert!(app.model.requests.marked.is_none() && app.model.layers.is_empty());
}

#[test]
fn comparison_of_2_mib_is_laid_out_once() {
    let entry = r#"{"host":"loja.example","note":"0123456789"},"#;
    let long = |last: &str| format!("[{}{last}]", entry.repeat(2 * 1024 * 1024 / entry.len()));
    let mut app = app_comparing(&long("1"), &long("2"));
    let address = |app: &App| match app.top() {
        Layer::Comparison(comparison) => comparison.rows_address(&app.model.store),
        other => panic!("{other:?}"),
    };
    let before = address(&app);
    for keys in [
        "j", "PgDn", "k", "G", "g", "Left", "Right", "/", "l", "k", "Esc",
    ] {
        app.press(keys);
        let page = chrome::page(&app.model, app.model.size);
        assert!(page.items.len() < 80, "{keys}: {} items", page.items.len());
    }
    assert_eq!(address(&app), before, "a key laid the rows out again");
    // The only difference is in a row that is not shown, so the key selects the row of the whole
    // body.
    app.press("g Right");
    assert!(
        lines(&app)
            .iter()
            .any(|line| line.starts_with("▌≠ corpo lista")),
        "{:?}",
        lines(&app)
    );
}
