//! Tests of comparing two requests side by side.

use super::*;
use crate::app::ui::Line;
use crate::app::ui::page::PageItem;

/// Returns an app whose list of requests shows these HTTP exchanges, in this order.
fn with(newest_first: Vec<Exchange>) -> App {
    let mut app = App::open();
    for (n, exchange) in (0..).zip(newest_first.into_iter().rev()) {
        app.exchanges(Exchange { at: Wall(n), ..exchange });
    }
    app.keys("5 g");
    app
}

fn preview(body: &str) -> Exchange {
    exchange(Operation::FeePreview, 200, body)
}

/// Returns an app that shows the comparison of two replies with these bodies.
fn comparing(one: &str, other: &str) -> App {
    let mut app = with(vec![preview(one), preview(other)]);
    exchange_rows::press_and_read(&mut app, "x j x");
    assert!(matches!(app.top(), Layer::Comparison(_)), "{:?}", app.model.layers);
    app
}

/// Returns the lines of the screen, with repeated spaces collapsed.
fn lines(app: &App) -> Vec<String> {
    let page = chrome::page(&app.model, app.model.size);
    let lines = page.items.iter().filter_map(|item| match item {
        PageItem::Lines(lines, _) => Some(lines),
        _ => None,
    });
    let words = |line: &Line| line.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
    lines.flatten().map(words).collect()
}

#[track_caller]
fn shows(app: &App, wanted: &str) {
    let lines = lines(app);
    assert!(lines.iter().any(|line| line == wanted), "{wanted}: {lines:#?}");
}

#[test]
fn different_members_are_marked_in_place() {
    let one = r#"{"data": {"fee": 2.05, "same": [1]}, "old": null}"#;
    let other = r#"{"data": {"fee": 2.5, "new": "y", "same": [1]}}"#;
    let mut app = comparing(one, other);
    app.keys("G");
    shows(&app, "≠ data objeto com 2 membros objeto com 3 membros");
    shows(&app, "≠ fee 2.05 2.5");
    shows(&app, "≠ new — \"y\"");
    shows(&app, "same lista de 1 lista de 1");
    shows(&app, "0 1 1");
    shows(&app, "▌≠ old null —");
    shows(&app, "Comparação de duas requisições");
    shows(&app, "4 diferenças");
}

#[test]
fn masked_values_that_differ_are_said_to_differ() {
    let mut app = comparing(r#"{"name": "Bia", "id": "1"}"#, r#"{"name": "Ana", "id": "1"}"#);
    app.keys("G");
    shows(&app, "≠ name \"•••\" \"•••\" (diferente)");
    assert!(!lines(&app).iter().any(|line| line.contains("Bia") || line.contains("Ana")));
    app.keys("m");
    shows(&app, "≠ name \"Bia\" \"Ana\"");
    app.model.masks = true;
    app.keys("m j");
    assert!(!lines(&app).iter().any(|line| line.contains("Bia") || line.contains("Ana")));
    app.model.masks = false;
    let mut app = comparing(r#"{"name": "Bia"}"#, r#"{"name": "Bia"}"#);
    app.keys("G");
    shows(&app, "▌ name \"•••\" \"•••\"");
    shows(&app, "nenhuma diferença");
}

#[test]
fn status_headers_and_times_are_compared() {
    let took = Duration::from_millis(90);
    let refused = Exchange { took, ..exchange(Operation::FeePreview, 400, "<p>") };
    let failed = Exchange {
        reply: Err(Failure::NoAnswer(crate::trade::NoAnswer::Timeout)),
        request_headers: vec![("accept".into(), "a".into())],
        ..refused.clone()
    };
    let mut app = with(vec![refused, failed]);
    app.keys("x j x");
    shows(&app, "≠ accept — a");
    shows(&app, "≠ resultado 400 sem resposta");
    shows(&app, "tempo total 90 ms 90 ms");
    app.keys("G");
    shows(&app, "▌≠ <p> —");
}

#[test]
fn text_bodies_are_compared_by_line() {
    let mut app = comparing("um\ndois\ntrês", "um\n2");
    app.keys("G");
    shows(&app, "um um");
    shows(&app, "≠ dois 2");
    shows(&app, "▌≠ três —");
}

#[test]
fn keys_go_to_the_next_and_previous_difference() {
    let mut app = comparing(r#"{"a": 1, "b": 2, "c": 3}"#, r#"{"a": 0, "b": 2, "c": 0}"#);
    for (keys, row) in
        [("Right", "a 1 0"), ("Right", "c 3 0"), ("Left", "a 1 0"), ("Left", "c 3 0")]
    {
        app.keys(keys);
        shows(&app, &format!("▌≠ {row}"));
    }
    // Enter folds the rows. Going to a difference unfolds its rows again.
    app.keys("k k k Enter");
    assert!(!lines(&app).iter().any(|line| line.contains("3 0")));
    app.keys("Left");
    shows(&app, "▌≠ c 3 0");
}

#[test]
fn third_request_is_compared_with_the_marked_one() {
    let bodies = [r#"{"a": 1}"#, r#"{"a": 2}"#, r#"{"a": 3}"#];
    let mut app = with(bodies.map(preview).to_vec());
    app.keys("x");
    assert_eq!(app.model.notice, Some(Notice::WithKey("said-request-marked", Action::Compare)));
    assert!(lines(&app).iter().any(|line| line.contains("• Taxa do saque")), "{:#?}", lines(&app));
    app.keys("j x G");
    shows(&app, "▌≠ a 1 2");
    app.keys("Esc j x G");
    shows(&app, "▌≠ a 1 3");
    // The key `x` does the same in the details of the third request.
    app.keys("Esc Enter x G");
    shows(&app, "▌≠ a 1 3");
    // On the marked request itself, the key removes the mark.
    app.keys("Esc Esc g x");
    assert!(app.model.requests.marked.is_none() && app.model.layers.is_empty());
}

#[test]
fn comparison_of_2_mib_is_laid_out_once() {
    let entry = r#"{"host":"loja.example","note":"0123456789"},"#;
    let long = |last: &str| format!("[{}{last}]", entry.repeat(2 * 1024 * 1024 / entry.len()));
    let mut app = comparing(&long("1"), &long("2"));
    let address = |app: &App| match app.top() {
        Layer::Comparison(comparison) => comparison.rows_address(&app.model.store),
        other => panic!("{other:?}"),
    };
    let before = address(&app);
    for keys in ["j", "PgDn", "k", "G", "g", "Left", "Right", "/", "l", "k", "Esc"] {
        app.keys(keys);
        let page = chrome::page(&app.model, app.model.size);
        assert!(page.items.len() < 80, "{keys}: {} items", page.items.len());
    }
    assert_eq!(address(&app), before, "a key laid the rows out again");
    // The difference is below the last row of the comparison, so the key selects the row of the
    // body.
    app.keys("g Right");
    assert!(lines(&app).iter().any(|line| line.starts_with("▌≠ corpo lista")), "{:?}", lines(&app));
}
