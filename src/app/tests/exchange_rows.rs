//! Tests of a request's details, which show its JSON as a tree that can be folded and searched.

use super::*;
use crate::app::store::exchanges::bodies::BodiesRequest;
use crate::app::ui::page::PageItem;

/// A reply to a fee preview. The app reads only its net amount and its fee.
const FEE_REPLY: &str =
    r#"{"data": {"net_amount": 97.95, "fee_amount": 2.05, "note": "x"}, "name": "Bia"}"#;

fn app_showing(operation: Operation, body: &str) -> App {
    let mut app = App::logged_in();
    app.deliver_exchange(exchange(operation, 200, body));
    press_and_read(&mut app, "5 Enter");
    app
}

/// Presses keys. If the app requests that a long body is read, reads it in place of the runtime.
pub(super) fn press_and_read(app: &mut App, keys: &str) {
    for effect in app.press(keys) {
        if let Effect::ReadBodies(request) = effect {
            let bodies = request.read();
            app.deliver(Msg::BodiesRead(request.ticket, bodies.into()));
        }
    }
}

/// The lines of the screen, each trimmed.
pub(super) fn lines(app: &App) -> Vec<String> {
    let page = chrome::page(&app.model, app.model.size);
    let lines = page.items.iter().filter_map(|item| match item {
        PageItem::Lines(lines, _) => Some(lines),
        _ => None,
    });
    lines
        .flatten()
        .map(|line| line.to_string().trim().to_owned())
        .collect()
}

fn shows_text(app: &App, text: &str) -> bool {
    lines(app).iter().any(|line| line.contains(text))
}

#[test]
fn read_value_names_its_line_and_place() {
    let app = app_showing(Operation::FeePreview, FEE_REPLY);
    assert!(
        shows_text(
            &app,
            "net_amount  97.95  ← o valor líquido · /data/net_amount"
        ),
        "{:?}",
        lines(&app)
    );
    assert!(shows_text(&app, "note  \"x\"") && !shows_text(&app, "note  \"x\"  ←"));
}

#[test]
fn refused_reply_has_no_read_values() {
    let mut app = App::logged_in();
    app.deliver_exchange(exchange(Operation::FeePreview, 400, FEE_REPLY));
    app.press("5 Enter");
    assert!(
        shows_text(&app, "net_amount  97.95") && !shows_text(&app, "←"),
        "{:?}",
        lines(&app)
    );
}

#[test]
fn object_is_folded_and_unfolded_at_the_cursor() {
    let mut app = app_showing(Operation::FeePreview, FEE_REPLY);
    let folded = "data  {...} 3 campos …";
    app.press("/");
    app.type_text("net");
    app.press("Enter Left");
    assert!(shows_text(&app, "net_amount"), "a value is not folded");
    for (keys, is_folded) in [
        ("Left", true),
        ("Right", false),
        ("Enter", true),
        ("Enter", false),
    ] {
        app.press(keys);
        assert_eq!(
            (shows_text(&app, folded), shows_text(&app, "net_amount")),
            (is_folded, !is_folded),
            "{keys}"
        );
    }
}

#[test]
fn search_unfolds_its_hit_and_esc_leaves_it() {
    let mut app = app_showing(Operation::FeePreview, FEE_REPLY);
    app.press("/");
    app.type_text("net");
    app.press("Enter Left Left /");
    assert!(!shows_text(&app, "fee_amount"));
    app.press("Ctrl-U");
    app.type_text("fee");
    assert!(
        shows_text(&app, "▌    fee_amount") || shows_text(&app, "fee_amount"),
        "{:?}",
        lines(&app)
    );
    app.press("Esc");
    assert!(
        matches!(app.top(), Layer::Exchange(_)),
        "Esc leaves the search first"
    );
    app.press("Esc");
    assert!(app.model.layers.is_empty());
}

#[test]
fn masked_value_is_neither_shown_nor_found() {
    let mut app = app_showing(Operation::FeePreview, FEE_REPLY);
    assert!(
        !shows_text(&app, "Bia") && shows_text(&app, "name  \"•••\""),
        "{:?}",
        lines(&app)
    );
    app.press("m");
    assert!(shows_text(&app, "name  \"Bia\""));
    app.press("m /");
    let before = lines(&app);
    app.type_text("Bia");
    assert_eq!(before.len(), lines(&app).len());
    assert!(!shows_text(&app, "\"Bia\""));
}

#[test]
fn body_of_2_mib_is_laid_out_once() {
    let entry = r#"{"host":"loja.example","state":"active","note":"0123456789"},"#;
    let body = format!("[{}{{}}]", entry.repeat(2 * 1024 * 1024 / entry.len()));
    let mut app = app_showing(Operation::Domains, &body);
    let rows = |app: &App| match app.top() {
        Layer::Exchange(details) => details.rows_address(&app.model.store),
        other => panic!("{other:?}"),
    };
    let before = rows(&app);
    for keys in [
        "j", "PgDn", "k", "G", "g", "Left", "Right", "/", "l", "o", "Down", "Enter", "Esc",
    ] {
        app.press(keys);
        let page = chrome::page(&app.model, app.model.size);
        assert!(page.items.len() < 80, "{keys}: {} items", page.items.len());
    }
    assert_eq!(rows(&app), before, "a key laid the rows out again");
    app.press("G");
    assert!(
        shows_text(&app, "só 2000 linhas são mostradas, com as fechadas"),
        "{:?}",
        lines(&app)
    );
    app.press("m");
    let after = rows(&app);
    assert_ne!(after, before, "the mask has changed");
    assert_eq!(rows(&app), after);
}

#[test]
fn long_body_is_read_by_the_runtime() {
    let entry = r#"{"net_amount":97.95},"#;
    let body = format!(
        r#"{{"net_amount": 97.95, "all": [{}{{}}]}}"#,
        entry.repeat(4_000)
    );
    let mut app = App::logged_in();
    app.deliver_exchange(exchange(Operation::FeePreview, 200, &*body));
    let body_request = |effects: Vec<Effect>| match &effects[..] {
        [Effect::ReadBodies(request)] => Some(request.clone()),
        _ => None,
    };
    let answer = |app: &mut App, request: &BodiesRequest| {
        let bodies = request.read().into();
        app.deliver(Msg::BodiesRead(request.ticket, bodies));
    };
    app.press("5");
    let first = body_request(app.press("Enter")).expect("a long body");
    assert!(
        shows_text(&app, "lendo uma resposta longa"),
        "{:?}",
        lines(&app)
    );
    assert_eq!(
        body_request(app.press("j G / x Esc m")),
        None,
        "it is asked for once"
    );
    // The API contract has changed. It may read other values, so the bodies are read again.
    app.model.setup.contract = Arc::new(Contract::built_in().with_taught(&[]).unwrap());
    let second = body_request(app.press("m")).expect("another contract");
    answer(&mut app, &first);
    assert!(
        shows_text(&app, "lendo uma resposta longa"),
        "the answer is for the earlier contract"
    );
    answer(&mut app, &second);
    app.press("g j");
    assert!(
        shows_text(&app, "net_amount  97.95  ← o valor líquido"),
        "{:?}",
        lines(&app)
    );
    assert_eq!(
        body_request(app.press("m m Left")),
        None,
        "it does not depend on the mask"
    );
    assert_eq!(app.press("Esc"), [], "nothing to cancel");
}

#[test]
fn search_typed_while_a_body_is_read_finds_its_row() {
    let body = format!(r#"{{"all": [{}0], "end": 7}}"#, "0,".repeat(40_000));
    for text in ["end", "elsewhere"] {
        let mut app = App::logged_in();
        app.deliver_exchange(exchange(Operation::FeePreview, 200, &*body));
        app.press("5");
        let [Effect::ReadBodies(request)] = &app.press("Enter")[..] else {
            panic!()
        };
        app.press("/");
        app.type_text(text);
        assert!(
            shows_text(&app, &format!("/ {text}")) && !shows_text(&app, "não encontrado"),
            "{:?}",
            lines(&app)
        );
        let bodies = request.read().into();
        app.deliver(Msg::BodiesRead(request.ticket, bodies));
        assert_eq!(
            shows_text(&app, "▌  end  7"),
            text == "end",
            "{:?}",
            lines(&app)
        );
        assert_eq!(
            shows_text(&app, "não encontrado"),
            text != "end",
            "{:?}",
            lines(&app)
        );
    }
}

#[test]
fn leaving_a_body_that_is_read_cancels_the_request() {
    let mut app = App::logged_in();
    app.deliver_exchange(exchange(Operation::FeePreview, 200, "[0]".repeat(40_000)));
    app.press("5");
    let [Effect::ReadBodies(request)] = &app.press("Enter")[..] else {
        panic!()
    };
    assert_eq!(app.press("Esc"), [Effect::Cancel(request.ticket)]);
}

/// An app with the cursor on the first row that contains the search text.
fn app_with_search_hit(operation: Operation, body: &str, text: &str) -> App {
    let mut app = app_showing(operation, body);
    app.press("/");
    app.type_text(text);
    app.press("Enter Esc");
    app
}

#[test]
fn cut_parts_of_a_body_are_marked() {
    let text = format!(r#"{{"note": "{}"}}"#, "x".repeat(2_240));
    let app = app_with_search_hit(Operation::Domains, &text, "note");
    assert!(
        shows_text(&app, "xx… mais 1.240 caracteres"),
        "{:?}",
        lines(&app)
    );
    let deep = format!("{}7{}", "[".repeat(40), "]".repeat(40));
    let mut app = app_showing(Operation::Domains, &deep);
    app.press("G");
    assert!(
        shows_text(&app, "0  lista de 1 … mais 1, que não é mostrado"),
        "{:?}",
        lines(&app)
    );
}

#[test]
fn members_after_a_long_list_are_shown() {
    let body = format!(
        r#"{{"all": [{}{{}}], "next": "p2"}}"#,
        r#"{"n":1},"#.repeat(3_000)
    );
    let mut app = app_with_search_hit(Operation::Domains, &body, "all");
    assert!(
        shows_text(&app, "all  lista de 3001 … mais"),
        "{:?}",
        lines(&app)
    );
    app.press("Left");
    assert!(shows_text(&app, r#"next  "p2""#), "{:?}", lines(&app));
}

#[test]
fn search_without_a_hit_says_so_and_moves_nothing() {
    let mut app = app_with_search_hit(Operation::FeePreview, FEE_REPLY, "data");
    assert!(shows_text(&app, "▌  data"), "{:?}", lines(&app));
    app.press("/");
    app.type_text("note");
    assert!(
        shows_text(&app, "▌    note") && !shows_text(&app, "não encontrado"),
        "{:?}",
        lines(&app)
    );
    app.type_text("z");
    assert!(
        shows_text(&app, "▌  data") && shows_text(&app, "não encontrado"),
        "{:?}",
        lines(&app)
    );
    app.press("Backspace");
    assert!(
        shows_text(&app, "▌    note") && !shows_text(&app, "não encontrado"),
        "{:?}",
        lines(&app)
    );
}

#[test]
fn mask_key_keeps_the_cursor_and_the_folds() {
    let mut recorded = exchange(Operation::FeePreview, 200, FEE_REPLY);
    recorded
        .request_headers
        .insert(0, ("x-owner".into(), "ana@loja.example ".repeat(30)));
    let mut app = App::logged_in();
    app.deliver_exchange(recorded);
    app.press("5 Enter /");
    app.type_text("data");
    app.press("Enter Esc Left");
    for keys in ["", "m", "m"] {
        app.press(keys);
        assert!(
            shows_text(&app, "▌  data  {...} 3 campos …"),
            "{keys}: {:?}",
            lines(&app)
        );
    }
}

#[test]
fn values_are_masked_by_the_names_above_them() {
    let body = r#"{"a\": \"nome": "Ana Souza", "nomes": ["Ana Lima"], "itens": ["bolo"],
        "pessoa": {"primeiro": "Ana", "status": "ativa", "total": 10.5, "outros": ["Bia"]}}"#;
    let mut app = app_showing(Operation::FeePreview, body);
    assert!(
        shows_text(&app, "\"•••\"") && !shows_text(&app, "Ana") && !shows_text(&app, "Bia"),
        "{:?}",
        lines(&app)
    );
    assert!(
        shows_text(&app, "\"bolo\"") && shows_text(&app, "\"ativa\"") && shows_text(&app, "10.5")
    );
    app.press("m");
    assert!(
        shows_text(&app, "a\": \"nome  \"Ana Souza\""),
        "{:?}",
        lines(&app)
    );
}

#[test]
fn values_of_a_body_that_broke_off_are_masked() {
    let app = app_showing(
        Operation::Domains,
        r#"{"nome": "Ana Souza", "cliente": {"apelido": "Bia", "x": "y"#,
    );
    assert!(
        shows_text(&app, "\"nome\": \"•••\"") && !shows_text(&app, "Ana"),
        "{:?}",
        lines(&app)
    );
    assert!(!shows_text(&app, "Bia"), "{:?}", lines(&app));
}
