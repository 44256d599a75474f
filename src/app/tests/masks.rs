//! Tests of masking personal data. Masking changes only what the screen shows.

use super::*;
use crate::app::store::exchanges;

/// Returns the text of the whole screen without spaces.
fn shown(app: &App) -> String {
    let page = chrome::page(&app.model, app.model.size);
    format!("{:?}", page.items).replace(' ', "")
}

/// Creates an HTTP exchange whose request contains the buyer's name.
fn named() -> Exchange {
    Exchange {
        request_body: Some(r#"{"amount":10.10,"customer":{"name":"Bia"}}"#.into()),
        ..exchange(Operation::DirectPayment, 200, "")
    }
}

#[test]
fn mask_command_hides_and_shows_personal_data() {
    let mut app = App::open();
    app.reviews("10010");
    let key = "111.444.777-35";
    assert!(shown(&app).contains(key));
    assert_eq!(app.commands(Command::Mask(true)), []);
    assert!(!shown(&app).contains(key), "{}", shown(&app));
    assert!(shown(&app).contains("•••.444.777-••") && shown(&app).contains("MASCARADO"));
    app.commands(Command::Mask(false));
    assert!(shown(&app).contains(key) && !shown(&app).contains("MASCARADO"));
}

#[test]
fn run_started_masked_is_masked_from_first_frame() {
    let mut setup = App::closed().model.setup.clone();
    setup.masks = true;
    let fresh = App::closed().model;
    let masked = Model::new(setup, fresh.size, fresh.now.clone());
    assert!(masked.masks && masked.words().masks() && !fresh.words().masks());
}

#[test]
fn masked_destination_is_sent_unmasked() {
    let mut app = App::open();
    app.model.masks = true;
    app.types_withdrawal("10010");
    assert!(!shown(&app).contains("11144477735"), "{}", shown(&app));
    app.is_quoted();
    let agreement = app.submits();
    assert!(agreement.body.contains("\"pixKey\":\"11144477735\""), "{}", agreement.body);
    assert_eq!(agreement.destination.unwrap().pretty(), "111.444.777-35");
}

#[test]
fn a_request_that_is_copied_is_as_the_screen_shows_it() {
    let exchange = named();
    let copied = |say| exchanges::text(say, &exchange).raw().to_owned();
    assert!(copied(Catalogue::of(Lang::Pt)).contains(r#""name":"Bia""#));
    let masked = copied(Catalogue::masking(Lang::Pt));
    assert!(!masked.contains("Bia") && masked.contains("\"amount\": 10.10"), "{masked}");
}

#[test]
fn exchange_shows_personal_data_only_on_request() {
    let mut app = App::open();
    let exchange = named();
    app.exchanges(exchange);
    let copied = |app: &mut App| match &app.keys("y")[..] {
        [Effect::Copy(_, text)] => text.raw().to_owned(),
        other => panic!("{other:?}"),
    };
    app.keys("5 Enter");
    assert!(!shown(&app).contains("Bia") && !copied(&mut app).contains("Bia"));
    app.keys("m");
    assert!(shown(&app).contains("Bia") && copied(&mut app).contains("Bia"));
    app.keys("m");
    assert!(!shown(&app).contains("Bia"));
    // Pressing `m` reveals no personal data while masking is on.
    app.model.masks = true;
    app.keys("m");
    assert!(!shown(&app).contains("Bia"));
}

#[test]
fn addresses_and_headers_are_masked_like_bodies() {
    const CODE: &str = "3f0e6c1c-7c55-4a8e-9d5a-2f1b6f1e0c9a";
    let header = |name: &str, value: &str| (name.into(), value.into());
    let request_headers = vec![header("x-owner", "bia@loja.example"), header("x-code", CODE)];
    let url = "https://api.example/keys/11144477735".into();
    let exchange = Exchange { url, request_headers, ..named() };
    let shown = |say, hides_all| {
        Untrusted::masking(hides_all, || exchanges::text(say, &exchange).raw().to_owned())
    };
    let says = |text: &str| ["bia@loja", "11144477735", CODE].map(|value| text.contains(value));
    assert_eq!(says(&shown(Catalogue::of(Lang::Pt), false)), [true; 3]);
    let masking = Catalogue::masking(Lang::Pt);
    assert_eq!(says(&shown(masking, false)), [false, false, true]);
    assert_eq!(says(&shown(masking, true)), [false; 3]);
}

#[test]
fn typed_search_is_masked_even_without_results() {
    for pane in ["3", "4", "5"] {
        let mut app = App::open();
        app.model.masks = true;
        app.keys(&format!("{pane} /"));
        app.types("zulmira");
        let says = |text: &str, app: &App| shown(app).contains(text);
        assert!(!says("zulmira", &app) && says("•••••ra", &app), "{}", shown(&app));
        app.model.withdrawals.list.loaded = true;
        app.model.charges.loaded = true;
        app.model.requests.list.loaded = true;
        assert!(!says("zulmira", &app), "{}", shown(&app));
        app.model.masks = false;
        assert!(says("zulmira", &app));
    }
}
