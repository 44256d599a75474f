//! Tests of the kiosk, a demo for strangers: which actions are allowed, its limits and its end.

use super::*;
use crate::app::KioskEnd;
use crate::app::store::kiosk::{self, Limited};
use crate::app::ui::Role;

/// Creates a kiosk in which the seller is logged in.
fn kiosk_app() -> App {
    let mut app = App::logged_in();
    let kiosk = Some(Kiosk { for_room: false });
    app.model.setup.demo = Some(DemoSetup {
        starts_over: true,
        kiosk,
        ..DemoSetup::default()
    });
    app
}

#[test]
fn end_of_kiosk_leaves_at_once_and_says_why() {
    let mut app = kiosk_app();
    app.send_withdrawal("10000");
    assert!(app.model.withdrawals.in_flight.is_some());
    assert_eq!(app.deliver(Msg::KioskEnds(KioskEnd::Idle)), [Effect::Leave]);
    assert!(app.model.leaving);
    let farewell = kiosk::farewell(&app.model).unwrap();
    assert!(farewell.contains("10 minutos sem uso"), "{farewell}");
}

#[test]
fn farewell_thanks_visitors_and_only_them() {
    let mut app = kiosk_app();
    app.model.setup.lang = Lang::En;
    assert_eq!(app.press("q"), [Effect::Leave]);
    let farewell = kiosk::farewell(&app.model).unwrap();
    assert!(farewell.contains("Thank you"), "{farewell}");
    app.model.setup.demo = Some(DemoSetup::default());
    assert_eq!(
        kiosk::farewell(&app.model),
        None,
        "a trusted demo ends without a word"
    );
}

/// Uses up the kiosk's limit for this action.
fn reach_limit(app: &mut App, limited: Limited) {
    for _ in 0..limited.max_count() {
        assert!(kiosk::count_use(&mut app.model.store, limited));
    }
}

fn limit_notice(id: &'static str, limited: Limited) -> Option<Notice> {
    Some(Notice::KioskLimit(id, limited.max_count()))
}

#[test]
fn limit_of_links_and_charges_refuses_before_sending() {
    let mut app = kiosk_app();
    app.press("n");
    app.type_text("4990");
    app.press("Tab");
    app.type_text("Boné");
    reach_limit(&mut app, Limited::Sale);
    assert_eq!(app.press("Ctrl-S"), [], "the form was open before");
    assert_eq!(
        app.model.notice,
        limit_notice("said-kiosk-sales", Limited::Sale)
    );
    let Layer::NewLink(form) = app.top() else {
        panic!()
    };
    assert!(form.sent.wait.is_none());
    let mut app = kiosk_app();
    reach_limit(&mut app, Limited::Sale);
    for keys in ["1 n", "4 n"] {
        app.press(keys);
        assert!(app.model.layers.is_empty(), "{keys}");
        assert_eq!(
            app.model.notice,
            limit_notice("said-kiosk-sales", Limited::Sale)
        );
    }
    app.start_over();
    app.press("1 n");
    assert!(matches!(app.top(), Layer::NewLink(_)), "all new");
}

#[test]
fn limit_of_withdrawals_refuses_before_storing() {
    let mut app = kiosk_app();
    app.open_review("10000");
    reach_limit(&mut app, Limited::Withdrawal);
    assert_eq!(app.press("Tab Enter"), []);
    assert_eq!(
        app.model.notice,
        limit_notice("said-kiosk-withdrawals", Limited::Withdrawal)
    );
    assert!(app.model.withdrawals.preparing.is_none());
    app.press("Esc Esc Tab Enter");
    app.press("3 n");
    assert!(app.model.layers.is_empty(), "{:?}", app.model.layers);
}

#[test]
fn start_overs_and_clock_have_limits() {
    for (command, id, limited) in [
        (
            Command::StartOver,
            "said-kiosk-start-overs",
            Limited::StartOver,
        ),
        (Command::Forward, "said-kiosk-forward", Limited::Forward),
    ] {
        let mut app = kiosk_app();
        for _ in 0..limited.max_count() {
            assert_eq!(
                app.run_command(command.clone()),
                [Effect::Demo(command.clone())]
            );
            match command {
                Command::StartOver => app.start_over(),
                _ => app.deliver(Msg::DemoDone(command.clone())),
            };
        }
        assert_eq!(app.run_command(command.clone()), []);
        assert_eq!(app.model.notice, limit_notice(id, limited));
        app.model.setup.demo.as_mut().unwrap().kiosk = None;
        assert_eq!(
            app.run_command(command.clone()),
            [Effect::Demo(command)],
            "not in a plain demo"
        );
    }
    assert_eq!(
        kiosk::FORWARD * Limited::Forward.max_count(),
        Duration::from_secs(24 * 60 * 60)
    );
}

#[test]
fn keys_for_files_and_browser_copy_or_show_the_code() {
    let mut app = kiosk_app();
    let withdrawal = app.send_withdrawal("10000");
    app.settle(&withdrawal, ACCEPTED);
    app.press("v");
    let effects = app.press("e");
    assert!(
        matches!(&effects[..], [Effect::Copy(Clip::Receipt, _)]),
        "{effects:?}"
    );
    app.press("Esc Esc");
    app.load_links(vec![link("https://loja.example/x")]);
    for key in ["o", "W"] {
        app.press("1");
        assert_eq!(app.press(key), []);
        assert!(matches!(app.top(), Layer::Qr(_)), "{key}");
        assert_eq!(
            app.model.notice,
            Some(Notice::Plain(Role::Text, "said-kiosk-qr"))
        );
    }
    app.press("Esc !");
    assert!(app.model.layers.is_empty());
    assert_eq!(
        app.model.notice,
        Some(Notice::Plain(Role::Text, "said-kiosk-withheld"))
    );
}
