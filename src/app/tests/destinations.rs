//! Tests of the known destinations offered in the withdrawal form.

use super::*;

fn known(kind: PixKeyKind, key: &str, count: u64) -> Destination {
    let key = PixKey::parse(kind, key).unwrap();
    Destination { key, count, last: Wall(900_000), last_amount: brl(100) }
}

fn three() -> Vec<Destination> {
    vec![
        known(PixKeyKind::Cpf, "11144477735", 14),
        known(PixKeyKind::Email, "ana@loja.example", 3),
        known(PixKeyKind::Phone, "+5511987654321", 1),
    ]
}

/// Opens the withdrawal form and answers its request for the known destinations.
fn form_with(known: Vec<Destination>) -> Counter {
    let mut counter = Counter::open();
    let wanted = counter.keys("3 n");
    let asked = wanted.iter().find_map(|effect| match effect {
        Effect::Money(MoneyCommand::LoadDestinations { ticket, account }) => {
            Some((*ticket, account.clone()))
        }
        _ => None,
    });
    let (ticket, account) = asked.expect("asked for");
    assert_eq!(account, seller());
    counter.tell(Msg::DestinationsLoaded { ticket, result: Ok(known) });
    counter
}

fn offered(counter: &Counter) -> Vec<&str> {
    counter.draft().known.offered().map(|known| known.key.as_str()).collect()
}

fn is_offered(counter: &Counter) -> bool {
    counter.offers(Action::NextKnown)
}

#[test]
fn choosing_one_fills_kind_and_key_exactly() {
    let mut counter = form_with(three());
    assert!(!is_offered(&counter), "while the amount is typed the figures stand there");
    counter.types("10010");
    counter.keys("Tab");
    assert!(is_offered(&counter));
    counter.keys("Ctrl-N Ctrl-N");
    assert_eq!(counter.draft().form.value("key_kind"), "email");
    assert_eq!(counter.draft().form.value("key"), "ana@loja.example");
    counter.is_quoted();
    let agreement = counter.submits();
    let body = r#"{"amount":100.10,"pixKeyType":"email","pixKey":"ana@loja.example"}"#;
    assert_eq!(&*agreement.body, body);
}

#[test]
fn they_go_round_in_both_directions() {
    let mut counter = form_with(three());
    counter.keys("Tab");
    for (keys, key) in [
        ("Ctrl-P", "+5511987654321"),
        ("Ctrl-N", "11144477735"),
        ("Ctrl-P Ctrl-P", "ana@loja.example"),
    ] {
        counter.keys(keys);
        assert_eq!(counter.draft().form.value("key"), key);
    }
}

#[test]
fn typing_narrows_them_with_or_without_points() {
    let mut counter = form_with(three());
    counter.keys("Tab Tab");
    assert_eq!(offered(&counter).len(), 3);
    counter.types("444.7");
    assert_eq!(offered(&counter), ["11144477735"]);
    counter.types("9");
    assert!(offered(&counter).is_empty() && !is_offered(&counter));
    counter.keys("Ctrl-N");
    assert_eq!(counter.draft().form.value("key"), "444.79");
    counter.keys("Ctrl-U");
    counter.pastes("LOJA");
    assert_eq!(offered(&counter), ["ana@loja.example"]);
    counter.keys("Ctrl-N");
    assert_eq!(counter.draft().form.value("key"), "ana@loja.example");
    assert_eq!(counter.draft().known.chosen, Some(0));
    // After an edit, the Pix key is no longer the chosen destination.
    counter.types("x");
    assert_eq!(counter.draft().known.chosen, None);
}

#[test]
fn no_destinations_loaded_if_key_is_on_file() {
    let file = ("profile.toml", "withdrawal.body = ['amount']");
    let mut counter = Counter::with_contract(Contract::own(&[file]).unwrap());
    counter.log_in();
    let wanted = counter.keys("3 n");
    assert!(
        !wanted
            .iter()
            .any(|effect| matches!(effect, Effect::Money(MoneyCommand::LoadDestinations { .. })))
    );
    counter.types("10010");
    assert_eq!(counter.keys("Ctrl-N"), vec![]);
    counter.is_quoted();
    assert_eq!(counter.submits().destination, None);
}

#[test]
fn a_kind_the_service_has_no_word_for_is_not_offered() {
    let mut counter = Counter::open();
    counter.keys("3 n");
    let ticket = counter.ticket();
    let Some(Layer::Withdraw(Flow::Form(draft))) = counter.model.layers.last_mut() else {
        panic!()
    };
    let kinds = draft.form.field_mut("key_kind").unwrap();
    let crate::app::ui::form::Entry::Choice { options, .. } = &mut kinds.entry else { panic!() };
    options.retain(|option| &*option.value != "cpf");
    counter.tell(Msg::DestinationsLoaded { ticket, result: Ok(three()) });
    assert_eq!(offered(&counter), ["ana@loja.example", "+5511987654321"]);
}

#[test]
fn stale_answer_and_broken_journal_offer_nothing() {
    let mut counter = Counter::open();
    counter.keys("3 n");
    let old = counter.ticket();
    counter.keys("Esc n");
    counter.tell(Msg::DestinationsLoaded { ticket: old, result: Ok(three()) });
    assert!(offered(&counter).is_empty());
    let ticket = counter.ticket();
    let result = Err(JournalTrouble::Io("gone".into()));
    counter.tell(Msg::DestinationsLoaded { ticket, result });
    assert!(offered(&counter).is_empty());
}

fn offers_repeat(counter: &Counter) -> bool {
    counter.offers(Action::Repeat)
}

#[test]
fn repeat_copies_destination_but_not_amount() {
    let mut counter = Counter::open();
    let sent = counter.sends("10010");
    let accepted = attempted(&sent, &counter.now.clone(), ACCEPTED);
    for way in ["d", "Enter d"] {
        let mut counter = Counter::decided(vec![accepted.clone()]);
        assert!(offers_repeat(&counter));
        counter.keys(way);
        let form = &counter.draft().form;
        assert_eq!(
            (form.value("key_kind"), form.value("key")),
            ("cpf".into(), "11144477735".into())
        );
        assert_eq!((form.money(), form.focus), (None, 0), "its amount is typed anew");
        assert!(!counter.top().screen().was_typed(), "nothing is lost by leaving");
        // The repeated withdrawal gets an idempotency key of its own.
        counter.types("5000");
        counter.is_quoted();
        let agreement = counter.submits();
        assert_eq!(agreement.amount, brl(5_000));
        assert_ne!(agreement.key, accepted.agreement.key);
        assert_eq!(agreement.destination, accepted.agreement.destination);
    }
}

#[test]
fn undecided_or_purged_withdrawal_not_repeatable() {
    let mut counter = Counter::open();
    let sent = counter.sends("10010");
    let unknown = attempted(&sent, &counter.now.clone(), LOST);
    let mut purged = attempted(&sent, &counter.now.clone(), ACCEPTED);
    purged.agreement.destination = None;
    for (name, one) in
        [("prepared", prepared(&sent.agreement)), ("unknown", unknown), ("purged", purged)]
    {
        let mut counter = Counter::decided(vec![one]);
        assert!(!offers_repeat(&counter), "{name}");
        counter.keys("d");
        assert_eq!(counter.model.layers.len(), 0, "{name}");
    }
}
