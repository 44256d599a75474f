//! Tests of the kiosk, a demo for strangers: which actions are allowed, its limits and its end.

use super::*;
use crate::app::KioskEnd;
use crate::app::store::kiosk::{self, Limited};
use crate::app::ui::Role;

/// Creates a kiosk in which the seller is logged in.
fn opened() -> App {
    let mut app = App::open();
    let kiosk = Some(Kiosk { for_room: false });
    app.model.setup.demo = Some(DemoSetup { starts_over: true, kiosk, ..DemoSetup::default() });
    app
}

#[test]
fn end_of_kiosk_leaves_at_once_and_says_why() {
    let mut app = opened();
    app.sends("10000");
    assert!(app.model.withdrawals.in_flight.is_some());
    assert_eq!(app.tell(Msg::KioskEnds(KioskEnd::Idle)), [Effect::Leave]);
    assert!(app.model.leaving);
    let farewell = kiosk::farewell(&app.model).unwrap();
    assert!(farewell.contains("10 minutos sem uso"), "{farewell}");
}

#[test]
fn farewell_thanks_visitors_and_only_them() {
    let mut app = opened();
    app.model.setup.lang = Lang::En;
    assert_eq!(app.keys("q"), [Effect::Leave]);
    let farewell = kiosk::farewell(&app.model).unwrap();
    assert!(farewell.contains("Thank you"), "{farewell}");
    app.model.setup.demo = Some(DemoSetup::default());
    assert_eq!(kiosk::farewell(&app.model), None, "a trusted demo ends without a word");
}

/// Uses up the kiosk's limit for this action.
fn reach(app: &mut App, what: Limited) {
    for _ in 0..what.most() {
        assert!(kiosk::count(&mut app.model.store, what));
    }
}

fn limit(id: &'static str, what: Limited) -> Option<Notice> {
    Some(Notice::KioskLimit(id, what.most()))
}

#[test]
fn limit_of_links_and_charges_refuses_before_sending() {
    let mut app = opened();
    app.keys("n");
    app.types("4990");
    app.keys("Tab");
    app.types("Boné");
    reach(&mut app, Limited::Sale);
    assert_eq!(app.keys("Ctrl-S"), [], "the form was open before");
    assert_eq!(app.model.notice, limit("said-kiosk-sales", Limited::Sale));
    let Layer::NewLink(form) = app.top() else { panic!() };
    assert!(form.sent.wait.is_none());
    let mut app = opened();
    reach(&mut app, Limited::Sale);
    for keys in ["1 n", "4 n"] {
        app.keys(keys);
        assert!(app.model.layers.is_empty(), "{keys}");
        assert_eq!(app.model.notice, limit("said-kiosk-sales", Limited::Sale));
    }
    app.tell(Msg::DemoDone(Command::StartOver));
    app.keys("1 n");
    assert!(matches!(app.top(), Layer::NewLink(_)), "all new");
}

#[test]
fn limit_of_withdrawals_refuses_before_storing() {
    let mut app = opened();
    app.reviews("10000");
    reach(&mut app, Limited::Withdrawal);
    assert_eq!(app.keys("Tab Enter"), []);
    assert_eq!(app.model.notice, limit("said-kiosk-withdrawals", Limited::Withdrawal));
    assert!(app.model.withdrawals.preparing.is_none());
    app.keys("Esc Esc Tab Enter");
    app.keys("3 n");
    assert!(app.model.layers.is_empty(), "{:?}", app.model.layers);
}

#[test]
fn start_overs_and_clock_have_limits() {
    for (command, id, what) in [
        (Command::StartOver, "said-kiosk-start-overs", Limited::StartOver),
        (Command::Forward, "said-kiosk-forward", Limited::Forward),
    ] {
        let mut app = opened();
        for _ in 0..what.most() {
            assert_eq!(app.commands(command.clone()), [Effect::Demo(command.clone())]);
            app.tell(Msg::DemoDone(command.clone()));
        }
        assert_eq!(app.commands(command.clone()), []);
        assert_eq!(app.model.notice, limit(id, what));
        app.model.setup.demo.as_mut().unwrap().kiosk = None;
        assert_eq!(app.commands(command.clone()), [Effect::Demo(command)], "not in a plain demo");
    }
    assert_eq!(kiosk::FORWARD * Limited::Forward.most(), Duration::from_secs(24 * 60 * 60));
}

#[test]
fn keys_for_files_and_browser_copy_or_show_the_code() {
    let mut app = opened();
    let withdrawal = app.sends("10000");
    app.settles(&withdrawal, ACCEPTED);
    app.keys("v");
    let wanted = app.keys("e");
    assert!(matches!(&wanted[..], [Effect::Copy(Clip::Receipt, _)]), "{wanted:?}");
    app.keys("Esc Esc");
    app.has_links(vec![link("https://loja.example/x")]);
    for key in ["o", "W"] {
        app.keys("1");
        assert_eq!(app.keys(key), []);
        assert!(matches!(app.top(), Layer::Qr(_)), "{key}");
        assert_eq!(app.model.notice, Some(Notice::Plain(Role::Text, "said-kiosk-qr")));
    }
    app.keys("Esc !");
    assert!(app.model.layers.is_empty());
    assert_eq!(app.model.notice, Some(Notice::Plain(Role::Text, "said-kiosk-withheld")));
}
