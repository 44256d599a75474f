//! Tests of masking personal data. Masking changes only what the screen shows.

use super::*;
use crate::app::store::exchanges;
use crate::words::personal::service_text;

/// The text of the whole screen without spaces.
fn screen_text(app: &App) -> String {
    let page = chrome::page(&app.model, app.model.size);
    format!("{:?}", page.items).replace(' ', "")
}

/// Creates an HTTP exchange whose request contains the buyer's name.
fn exchange_with_name() -> Exchange {
    Exchange {
        request_body: Some(r#"{"amount":10.10,"customer":{"name":"Bia"}}"#.into()),
        ..exchange(Operation::DirectPayment, 200, "")
    }
}

#[test]
fn mask_command_hides_and_shows_personal_data() {
    let mut app = App::logged_in();
    app.open_review("10010");
    let key = "111.444.777-35";
    assert!(screen_text(&app).contains(key));
    assert_eq!(app.run_command(Command::Mask(true)), []);
    assert!(!screen_text(&app).contains(key), "{}", screen_text(&app));
    assert!(
        screen_text(&app).contains("•••.444.777-••") && screen_text(&app).contains("MASCARADO")
    );
    app.run_command(Command::Mask(false));
    assert!(screen_text(&app).contains(key) && !screen_text(&app).contains("MASCARADO"));
}

#[test]
fn run_started_masked_is_masked_from_first_frame() {
    let mut setup = App::new().model.setup.clone();
    setup.masks = true;
    let fresh = App::new().model;
    let masked = Model::new(setup, fresh.size, fresh.now.clone());
    assert!(masked.is_masked && masked.words().masks() && !fresh.words().masks());
}

#[test]
fn masked_destination_is_sent_unmasked() {
    let mut app = App::logged_in();
    app.model.is_masked = true;
    app.fill_withdrawal_form("10010");
    assert!(
        !screen_text(&app).contains("11144477735"),
        "{}",
        screen_text(&app)
    );
    app.deliver_quote();
    let agreement = app.submit_form();
    assert!(
        agreement.body.contains("\"pixKey\":\"11144477735\""),
        "{}",
        agreement.body
    );
    assert_eq!(agreement.destination.unwrap().pretty(), "111.444.777-35");
}

#[test]
fn copied_request_is_masked_like_the_screen() {
    let exchange = exchange_with_name();
    let copied_text = |catalogue| exchanges::text(catalogue, &exchange).raw().to_owned();
    assert!(copied_text(Catalogue::of(Lang::Pt)).contains(r#""name":"Bia""#));
    let masked = copied_text(Catalogue::masking(Lang::Pt));
    assert!(
        !masked.contains("Bia") && masked.contains("\"amount\": 10.10"),
        "{masked}"
    );
}

#[test]
fn exchange_shows_personal_data_only_on_request() {
    let mut app = App::logged_in();
    let exchange = exchange_with_name();
    app.deliver_exchange(exchange);
    let copied_text = |app: &mut App| match &app.press("y")[..] {
        [Effect::Copy(_, text)] => text.raw().to_owned(),
        other => panic!("{other:?}"),
    };
    app.press("5 Enter");
    assert!(!screen_text(&app).contains("Bia") && !copied_text(&mut app).contains("Bia"));
    app.press("m");
    assert!(screen_text(&app).contains("Bia") && copied_text(&mut app).contains("Bia"));
    app.press("m");
    assert!(!screen_text(&app).contains("Bia"));
    // While masking is on, the key `m`, which otherwise reveals personal data, reveals nothing.
    app.model.is_masked = true;
    app.press("m");
    assert!(!screen_text(&app).contains("Bia"));
}

#[test]
fn addresses_and_headers_are_masked_like_bodies() {
    const CODE: &str = "3f0e6c1c-7c55-4a8e-9d5a-2f1b6f1e0c9a";
    let header = |name: &str, value: &str| (name.into(), value.into());
    let request_headers = vec![
        header("x-owner", "bia@loja.example"),
        header("x-code", CODE),
    ];
    let url = "https://api.example/keys/11144477735".into();
    let exchange = Exchange {
        url,
        request_headers,
        ..exchange_with_name()
    };
    let text = |catalogue, hides_all| {
        Untrusted::masking(hides_all, || {
            exchanges::text(catalogue, &exchange).raw().to_owned()
        })
    };
    let contains_values =
        |text: &str| ["bia@loja", "11144477735", CODE].map(|value| text.contains(value));
    assert_eq!(
        contains_values(&text(Catalogue::of(Lang::Pt), false)),
        [true; 3]
    );
    let masking = Catalogue::masking(Lang::Pt);
    assert_eq!(contains_values(&text(masking, false)), [false, false, true]);
    assert_eq!(contains_values(&text(masking, true)), [false; 3]);
}

#[test]
fn typed_search_is_masked_even_without_results() {
    for pane in ["3", "4", "5"] {
        let mut app = App::logged_in();
        app.model.is_masked = true;
        app.press(&format!("{pane} /"));
        app.type_text("zulmira");
        let shows = |text: &str, app: &App| screen_text(app).contains(text);
        assert!(
            !shows("zulmira", &app) && shows("•••••ra", &app),
            "{}",
            screen_text(&app)
        );
        app.model.withdrawals.list.loaded = true;
        app.model.charges.list.loaded = true;
        app.model.requests.list.loaded = true;
        assert!(!shows("zulmira", &app), "{}", screen_text(&app));
        app.model.is_masked = false;
        assert!(shows("zulmira", &app));
    }
}

#[test]
fn captions_known_states_and_shop_name_stay_readable() {
    let mut app = App::logged_in();
    app.model.is_masked = true;
    app.model
        .story
        .notify(&"Os dados: CPF 111.444.777-35".into(), (1, 2));
    assert!(
        screen_text(&app).contains("CPF111.444.777-35"),
        "{}",
        screen_text(&app)
    );
    assert!(
        screen_text(&app).contains("lojadaana"),
        "{}",
        screen_text(&app)
    );
    let masking = Catalogue::masking(Lang::Pt);
    for (text, shown) in [
        ("PENDING", "PENDING"),
        ("in-progress", "in-progress"),
        ("pending Ana", "•••"),
        ("x", "•••"),
    ] {
        let text = service_text(masking, &text.into());
        assert_eq!(text.raw(), shown);
    }
}
