//! Tests of a request's details, which show its JSON as a tree that can be folded and searched.

use super::*;
use crate::app::store::exchanges::bodies::{Bodies, BodiesRequest};
use crate::app::ui::page::PageItem;

/// A reply to a fee preview. The app reads only its net amount and its fee.
const FEE: &str =
    r#"{"data": {"net_amount": 97.95, "fee_amount": 2.05, "note": "x"}, "name": "Bia"}"#;

fn on(operation: Operation, body: &str) -> App {
    let mut app = App::open();
    app.exchanges(exchange(operation, 200, body));
    press_and_read(&mut app, "5 Enter");
    app
}

/// Presses keys, and reads long bodies as the runtime does.
pub(super) fn press_and_read(app: &mut App, keys: &str) {
    for effect in app.keys(keys) {
        if let Effect::ReadBodies(asked) = effect {
            let bodies = Bodies::read(&asked.contract, &asked.exchanges);
            app.tell(Msg::BodiesRead(asked.ticket, bodies.into()));
        }
    }
}

/// Returns the lines of the screen, each trimmed.
pub(super) fn lines(app: &App) -> Vec<String> {
    let page = chrome::page(&app.model, app.model.size);
    let lines = page.items.iter().filter_map(|item| match item {
        PageItem::Lines(lines, _) => Some(lines),
        _ => None,
    });
    lines.flatten().map(|line| line.to_string().trim().to_owned()).collect()
}

fn has(app: &App, text: &str) -> bool {
    lines(app).iter().any(|line| line.contains(text))
}

#[test]
fn read_value_names_its_line_and_place() {
    let app = on(Operation::FeePreview, FEE);
    assert!(
        has(&app, "net_amount  97.95  ← o valor líquido · /data/net_amount"),
        "{:?}",
        lines(&app)
    );
    assert!(has(&app, "note  \"x\"") && !has(&app, "note  \"x\"  ←"));
}

#[test]
fn refused_reply_has_no_read_values() {
    let mut app = App::open();
    app.exchanges(exchange(Operation::FeePreview, 400, FEE));
    app.keys("5 Enter");
    assert!(has(&app, "net_amount  97.95") && !has(&app, "←"), "{:?}", lines(&app));
}

#[test]
fn object_is_folded_and_unfolded_at_the_cursor() {
    let mut app = on(Operation::FeePreview, FEE);
    let folded = "data  objeto com 3 membros …";
    app.keys("/");
    app.types("net");
    app.keys("Enter Left");
    assert!(has(&app, "net_amount"), "a value is not folded");
    for (keys, is_folded) in [("Left", true), ("Right", false), ("Enter", true), ("Enter", false)] {
        app.keys(keys);
        assert_eq!((has(&app, folded), has(&app, "net_amount")), (is_folded, !is_folded), "{keys}");
    }
}

#[test]
fn search_unfolds_its_hit_and_esc_leaves_it() {
    let mut app = on(Operation::FeePreview, FEE);
    app.keys("/");
    app.types("net");
    app.keys("Enter Left Left /");
    assert!(!has(&app, "fee_amount"));
    app.keys("Ctrl-U");
    app.types("fee");
    assert!(has(&app, "▌    fee_amount") || has(&app, "fee_amount"), "{:?}", lines(&app));
    app.keys("Esc");
    assert!(matches!(app.top(), Layer::Exchange(_)), "Esc leaves the search first");
    app.keys("Esc");
    assert!(app.model.layers.is_empty());
}

#[test]
fn masked_value_is_neither_shown_nor_found() {
    let mut app = on(Operation::FeePreview, FEE);
    assert!(!has(&app, "Bia") && has(&app, "name  \"•••\""), "{:?}", lines(&app));
    app.keys("m");
    assert!(has(&app, "name  \"Bia\""));
    app.keys("m /");
    let before = lines(&app);
    app.types("Bia");
    assert_eq!(before.len(), lines(&app).len());
    assert!(!has(&app, "\"Bia\""));
}

#[test]
fn body_of_2_mib_is_laid_out_once() {
    let entry = r#"{"host":"loja.example","state":"active","note":"0123456789"},"#;
    let body = format!("[{}{{}}]", entry.repeat(2 * 1024 * 1024 / entry.len()));
    let mut app = on(Operation::Domains, &body);
    let rows = |app: &App| match app.top() {
        Layer::Exchange(details) => details.rows_address(&app.model.store),
        other => panic!("{other:?}"),
    };
    let before = rows(&app);
    for keys in ["j", "PgDn", "k", "G", "g", "Left", "Right", "/", "l", "o", "Down", "Enter", "Esc"]
    {
        app.keys(keys);
        let page = chrome::page(&app.model, app.model.size);
        assert!(page.items.len() < 80, "{keys}: {} items", page.items.len());
    }
    assert_eq!(rows(&app), before, "a key laid the rows out again");
    app.keys("G");
    assert!(has(&app, "só 2000 linhas são mostradas, com as fechadas"), "{:?}", lines(&app));
    app.keys("m");
    let after = rows(&app);
    assert_ne!(after, before, "the mask has changed");
    assert_eq!(rows(&app), after);
}

#[test]
fn long_body_is_read_by_the_runtime() {
    let entry = r#"{"net_amount":97.95},"#;
    let body = format!(r#"{{"net_amount": 97.95, "all": [{}{{}}]}}"#, entry.repeat(4_000));
    let mut app = App::open();
    app.exchanges(exchange(Operation::FeePreview, 200, &*body));
    let asked = |effects: Vec<Effect>| match &effects[..] {
        [Effect::ReadBodies(asked)] => Some(asked.clone()),
        _ => None,
    };
    let answer = |app: &mut App, asked: &BodiesRequest| {
        let bodies = Bodies::read(&asked.contract, &asked.exchanges).into();
        app.tell(Msg::BodiesRead(asked.ticket, bodies));
    };
    app.keys("5");
    let first = asked(app.keys("Enter")).expect("a long body");
    assert!(has(&app, "lendo uma resposta longa"), "{:?}", lines(&app));
    assert_eq!(asked(app.keys("j G / x Esc m")), None, "it is asked for once");
    // Another API contract may read other values, so the bodies are read again.
    app.model.setup.contract = Arc::new(Contract::built_in().taught(&[]).unwrap());
    let second = asked(app.keys("m")).expect("another contract");
    answer(&mut app, &first);
    assert!(has(&app, "lendo uma resposta longa"), "the answer is for the earlier contract");
    answer(&mut app, &second);
    app.keys("g j");
    assert!(has(&app, "net_amount  97.95  ← o valor líquido"), "{:?}", lines(&app));
    assert_eq!(asked(app.keys("m m Left")), None, "it does not depend on the mask");
    assert_eq!(app.keys("Esc"), [], "nothing to cancel");
}

#[test]
fn search_typed_while_a_body_is_read_finds_its_row() {
    let body = format!(r#"{{"all": [{}0], "end": 7}}"#, "0,".repeat(40_000));
    for text in ["end", "elsewhere"] {
        let mut app = App::open();
        app.exchanges(exchange(Operation::FeePreview, 200, &*body));
        app.keys("5");
        let [Effect::ReadBodies(asked)] = &app.keys("Enter")[..] else { panic!() };
        app.keys("/");
        app.types(text);
        assert!(
            has(&app, &format!("/ {text}")) && !has(&app, "não encontrado"),
            "{:?}",
            lines(&app)
        );
        let bodies = Bodies::read(&asked.contract, &asked.exchanges).into();
        app.tell(Msg::BodiesRead(asked.ticket, bodies));
        assert_eq!(has(&app, "▌  end  7"), text == "end", "{:?}", lines(&app));
        assert_eq!(has(&app, "não encontrado"), text != "end", "{:?}", lines(&app));
    }
}

#[test]
fn leaving_a_body_that_is_read_cancels_the_request() {
    let mut app = App::open();
    app.exchanges(exchange(Operation::FeePreview, 200, "[0]".repeat(40_000)));
    app.keys("5");
    let [Effect::ReadBodies(asked)] = &app.keys("Enter")[..] else { panic!() };
    assert_eq!(app.keys("Esc"), [Effect::Cancel(asked.ticket)]);
}

/// Returns an app with the cursor on the first row that contains the search text.
fn found(operation: Operation, body: &str, text: &str) -> App {
    let mut app = on(operation, body);
    app.keys("/");
    app.types(text);
    app.keys("Enter Esc");
    app
}

#[test]
fn cut_parts_of_a_body_are_marked() {
    let text = format!(r#"{{"note": "{}"}}"#, "x".repeat(2_240));
    let app = found(Operation::Domains, &text, "note");
    assert!(has(&app, "xx… mais 1.240 caracteres"), "{:?}", lines(&app));
    let deep = format!("{}7{}", "[".repeat(40), "]".repeat(40));
    let mut app = on(Operation::Domains, &deep);
    app.keys("G");
    assert!(has(&app, "0  lista de 1 … mais 1, que não é mostrado"), "{:?}", lines(&app));
}

#[test]
fn members_after_a_long_list_are_shown() {
    let body = format!(r#"{{"all": [{}{{}}], "next": "p2"}}"#, r#"{"n":1},"#.repeat(3_000));
    let mut app = found(Operation::Domains, &body, "all");
    assert!(has(&app, "all  lista de 3001 … mais"), "{:?}", lines(&app));
    app.keys("Left");
    assert!(has(&app, r#"next  "p2""#), "{:?}", lines(&app));
}

#[test]
fn search_without_a_hit_says_so_and_moves_nothing() {
    let mut app = found(Operation::FeePreview, FEE, "data");
    assert!(has(&app, "▌  data"), "{:?}", lines(&app));
    app.keys("/");
    app.types("note");
    assert!(has(&app, "▌    note") && !has(&app, "não encontrado"), "{:?}", lines(&app));
    app.types("z");
    assert!(has(&app, "▌  data") && has(&app, "não encontrado"), "{:?}", lines(&app));
    app.keys("Backspace");
    assert!(has(&app, "▌    note") && !has(&app, "não encontrado"), "{:?}", lines(&app));
}

#[test]
fn mask_key_keeps_the_cursor_and_the_folds() {
    let mut sent = exchange(Operation::FeePreview, 200, FEE);
    sent.request_headers.insert(0, ("x-owner".into(), "ana@loja.example ".repeat(30)));
    let mut app = App::open();
    app.exchanges(sent);
    app.keys("5 Enter /");
    app.types("data");
    app.keys("Enter Esc Left");
    for keys in ["", "m", "m"] {
        app.keys(keys);
        assert!(has(&app, "▌  data  objeto com 3 membros …"), "{keys}: {:?}", lines(&app));
    }
}

#[test]
fn values_are_masked_by_the_names_above_them() {
    let body = r#"{"a\": \"nome": "Ana Souza", "nomes": ["Ana Lima"], "itens": ["bolo"],
        "pessoa": {"primeiro": "Ana", "status": "ativa", "total": 10.5, "outros": ["Bia"]}}"#;
    let mut app = on(Operation::FeePreview, body);
    assert!(has(&app, "\"•••\"") && !has(&app, "Ana") && !has(&app, "Bia"), "{:?}", lines(&app));
    assert!(has(&app, "\"bolo\"") && has(&app, "\"ativa\"") && has(&app, "10.5"));
    app.keys("m");
    assert!(has(&app, "a\": \"nome  \"Ana Souza\""), "{:?}", lines(&app));
}

#[test]
fn values_of_a_body_that_broke_off_are_masked() {
    let app =
        on(Operation::Domains, r#"{"nome": "Ana Souza", "cliente": {"apelido": "Bia", "x": "y"#);
    assert!(has(&app, "\"nome\": \"•••\"") && !has(&app, "Ana"), "{:?}", lines(&app));
    assert!(!has(&app, "Bia"), "{:?}", lines(&app));
}
