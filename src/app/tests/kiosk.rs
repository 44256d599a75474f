//! Tests of the kiosk: what strangers may do in a demo, its limits and its end.

use super::*;
use crate::app::KioskEnd;
use crate::app::store::kiosk;

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
