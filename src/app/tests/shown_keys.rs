//! Tests of the keys that a demo shows to its audience.

use super::*;
use crate::app::store::shown_keys::ShownKeys;

/// Creates a demo that shows pressed keys on the screen, with a logged-in seller.
fn app_showing_keys() -> App {
    let mut app = App::logged_in();
    app.model.setup.demo = Some(DemoSetup {
        show_keys: true,
        ..DemoSetup::default()
    });
    app
}

impl App {
    /// The pressed keys that the screen shows now.
    fn badge(&self) -> String {
        self.model.shown_keys.now(self.model.now.boot_ms).join(" ")
    }
}

#[test]
fn last_keys_are_shown_for_two_seconds() {
    let mut app = app_showing_keys();
    app.press("3 Down");
    assert_eq!(app.badge(), "3 ↓");
    app.pulse_after_ms(1_500);
    app.press("Ctrl-K");
    assert_eq!(app.badge(), "3 ↓ Ctrl-K", "the two seconds begin again");
    assert_eq!(next_deadline(&app.model), Some(Duration::from_secs(2)));
    app.pulse_after_ms(2_000);
    assert_eq!(
        (app.badge().as_str(), next_deadline(&app.model)),
        ("", None)
    );
    app.type_text("camiseta azul");
    assert_eq!(app.badge(), "e t a Space a z u l", "the last eight");
}

#[test]
fn keys_of_secret_field_are_one_dot() {
    let mut app = app_showing_keys();
    let stamp = app.stamp();
    router::open(&mut app.model, Route::Login(None), &stamp);
    let Layer::Login(login) = app.model.layers.last_mut().unwrap() else {
        panic!()
    };
    login.sent.form.focus = 1;
    let slot = router::secret_focus(&app.model)
        .cloned()
        .expect("a secret field");
    for len in 1..4 {
        app.deliver(Msg::SecretEdited {
            slot: slot.clone(),
            len,
        });
    }
    assert_eq!(app.badge(), "•", "not even the number of letters");
    app.press("Tab");
    assert_eq!(app.badge(), "• Tab");
}

#[test]
fn letters_typed_while_login_waits_are_not_shown() {
    let mut app = app_showing_keys();
    let stamp = app.stamp();
    router::open(&mut app.model, Route::Login(None), &stamp);
    let Layer::Login(login) = app.model.layers.last_mut().unwrap() else {
        panic!()
    };
    login.sent.form.focus = 1;
    login.sent.begin(Wait::new(Ticket(1), 0));
    assert_eq!(
        router::secret_focus(&app.model),
        None,
        "the runtime does not keep these keys"
    );
    app.type_text("senha");
    assert_eq!(app.badge(), "•");
}

#[test]
fn other_runs_show_no_keys_and_need_no_deadline() {
    let mut app = App::logged_in();
    app.press("3 Down");
    app.model.setup.demo = Some(DemoSetup::default());
    app.press("1 Down");
    assert_eq!(
        app.model.shown_keys.now(app.now.boot_ms),
        ShownKeys::default().now(0)
    );
    assert_eq!(next_deadline(&app.model), None);
}
