//! Tests of masking personal data. Masking affects only the screen.

use super::*;
use crate::app::store::exchanges;

/// Returns the text of the whole screen, without spaces.
fn shown(counter: &Counter) -> String {
    let page = around::page(&counter.model, counter.model.size);
    format!("{:?}", page.items).replace(' ', "")
}

/// Creates an exchange whose request names the buyer.
fn named() -> Exchange {
    Exchange {
        request_body: Some(r#"{"amount":10.10,"customer":{"name":"Bia"}}"#.into()),
        ..exchange(Operation::DirectPayment, 200, "")
    }
}

#[test]
fn mask_command_hides_and_shows_personal_data() {
    let mut counter = Counter::open();
    counter.reviews("10010");
    let key = "111.444.777-35";
    assert!(shown(&counter).contains(key));
    assert_eq!(counter.commands(Command::Mask(true)), []);
    assert!(!shown(&counter).contains(key), "{}", shown(&counter));
    assert!(shown(&counter).contains("•••.444.777-••") && shown(&counter).contains("MASCARADO"));
    counter.commands(Command::Mask(false));
    assert!(shown(&counter).contains(key) && !shown(&counter).contains("MASCARADO"));
}

#[test]
fn run_started_masked_is_masked_from_first_frame() {
    let mut setup = Counter::closed().model.setup.clone();
    setup.masks = true;
    let fresh = Counter::closed().model;
    let masked = Model::new(setup, fresh.size, fresh.now.clone());
    assert!(masked.masks && masked.words().masks() && !fresh.words().masks());
}

#[test]
fn masked_destination_is_sent_unmasked() {
    let mut counter = Counter::open();
    counter.model.masks = true;
    counter.types_withdrawal("10010");
    assert!(!shown(&counter).contains("11144477735"), "{}", shown(&counter));
    counter.is_quoted();
    let agreement = counter.submits();
    assert!(agreement.body.contains("\"pixKey\":\"11144477735\""), "{}", agreement.body);
    assert_eq!(agreement.destination.unwrap().pretty(), "111.444.777-35");
}

#[test]
fn a_request_that_is_copied_is_as_the_screen_shows_it() {
    let exchange = named();
    let copied = |say| exchanges::text(say, &exchange).raw().to_owned();
    assert!(copied(Words::of(Lang::Pt)).contains(r#""name":"Bia""#));
    let masked = copied(Words::masking(Lang::Pt));
    assert!(!masked.contains("Bia") && masked.contains("\"amount\": 10.10"), "{masked}");
}

#[test]
fn exchange_shows_personal_data_only_on_request() {
    let mut counter = Counter::open();
    let exchange = named();
    counter.exchanges(exchange);
    let copied = |counter: &mut Counter| match &counter.keys("y")[..] {
        [Effect::Copy(_, text)] => text.raw().to_owned(),
        other => panic!("{other:?}"),
    };
    counter.keys("5 Enter");
    assert!(!shown(&counter).contains("Bia") && !copied(&mut counter).contains("Bia"));
    counter.keys("m");
    assert!(shown(&counter).contains("Bia") && copied(&mut counter).contains("Bia"));
    counter.keys("m");
    assert!(!shown(&counter).contains("Bia"));
    // While masking is on, the key does not reveal personal data.
    counter.model.masks = true;
    counter.keys("m");
    assert!(!shown(&counter).contains("Bia"));
}

#[test]
fn typed_search_is_masked_even_without_results() {
    for pane in ["3", "4"] {
        let mut counter = Counter::open();
        counter.model.masks = true;
        counter.keys(&format!("{pane} /"));
        counter.types("zulmira");
        let says = |text: &str, counter: &Counter| shown(counter).contains(text);
        assert!(!says("zulmira", &counter) && says("•••••ra", &counter), "{}", shown(&counter));
        counter.model.withdrawals.list.loaded = true;
        counter.model.charges.loaded = true;
        assert!(!says("zulmira", &counter), "{}", shown(&counter));
        counter.model.masks = false;
        assert!(says("zulmira", &counter));
    }
}
