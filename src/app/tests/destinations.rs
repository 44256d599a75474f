//! Tests of the known destinations offered in the withdrawal form.

use super::*;
use crate::app::ui::form::Hint;

fn destination(kind: PixKeyKind, key: &str, count: u64) -> Destination {
    let key = PixKey::parse(kind, key).unwrap();
    Destination {
        key,
        count,
        last: Wall(900_000),
        last_amount: brl(100),
    }
}

fn three_destinations() -> Vec<Destination> {
    vec![
        destination(PixKeyKind::Cpf, "11144477735", 14),
        destination(PixKeyKind::Email, "ana@loja.example", 3),
        destination(PixKeyKind::Phone, "+5511987654321", 1),
    ]
}

/// Opens the withdrawal form, and delivers the known destinations that it requests.
fn form_with_destinations(known: Vec<Destination>) -> App {
    let mut app = App::logged_in();
    let effects = app.press("3 n");
    let request = effects.iter().find_map(|effect| match effect {
        Effect::Money(MoneyCommand::LoadDestinations { ticket, account }) => {
            Some((*ticket, account.clone()))
        }
        _ => None,
    });
    let (ticket, account) = request.expect("asked for");
    assert_eq!(account, seller());
    app.deliver(Msg::DestinationsLoaded {
        ticket,
        result: Ok(known),
    });
    app
}

fn offered_keys(app: &App) -> Vec<&str> {
    app.draft()
        .known_destinations
        .offered(&app.model.store)
        .map(|known| known.key.as_str())
        .collect()
}

fn offers_destinations(app: &App) -> bool {
    app.offers(Action::NextKnown)
}

#[test]
fn chosen_destination_fills_kind_and_key() {
    let mut app = form_with_destinations(three_destinations());
    assert!(
        !offers_destinations(&app),
        "while the amount is typed the figures stand there"
    );
    app.type_text("10010");
    app.press("Tab");
    assert!(offers_destinations(&app));
    app.press("Ctrl-N Ctrl-N");
    assert_eq!(app.draft().form.value("key_kind"), "email");
    assert_eq!(app.draft().form.value("key"), "ana@loja.example");
    app.deliver_quote();
    let agreement = app.submit_form();
    let body = r#"{"amount":100.10,"pixKeyType":"email","pixKey":"ana@loja.example"}"#;
    assert_eq!(&*agreement.body, body);
}

#[test]
fn destinations_cycle_in_both_directions() {
    let mut app = form_with_destinations(three_destinations());
    app.press("Tab");
    for (keys, key) in [
        ("Ctrl-P", "+5511987654321"),
        ("Ctrl-N", "11144477735"),
        ("Ctrl-P Ctrl-P", "ana@loja.example"),
    ] {
        app.press(keys);
        assert_eq!(app.draft().form.value("key"), key);
    }
}

#[test]
fn typed_text_filters_destinations() {
    let mut app = form_with_destinations(three_destinations());
    app.press("Tab");
    assert_eq!(offered_keys(&app).len(), 3);
    app.type_text("444.7");
    assert_eq!(offered_keys(&app), ["11144477735"]);
    app.type_text("9");
    assert!(offered_keys(&app).is_empty() && !offers_destinations(&app));
    app.press("Ctrl-N");
    assert_eq!(app.draft().form.value("key"), "444.79");
    app.press("Ctrl-U");
    app.paste("LOJA");
    assert_eq!(offered_keys(&app), ["ana@loja.example"]);
    app.press("Ctrl-N");
    assert_eq!(app.draft().form.value("key"), "ana@loja.example");
    assert_eq!(app.draft().known_destinations.chosen, Some(0));
    // After an edit, the Pix key is no longer the key of the chosen destination.
    app.type_text("x");
    assert_eq!(app.draft().known_destinations.chosen, None);
}

#[test]
fn typed_nickname_finds_its_destination() {
    let mut app = form_with_destinations(three_destinations());
    let named = |key: &str, name| {
        (
            seller(),
            PixKey::parse(PixKeyKind::Cpf, key).unwrap(),
            Nickname::parse(name).unwrap(),
        )
    };
    let entries = [
        named("11144477735", "Tecidos Silva"),
        named("52998224725", "Tecelagem"),
    ];
    app.deliver(Msg::NicknamesRead(Ok(Arc::new(
        entries.into_iter().collect(),
    ))));
    app.type_text("10010");
    app.press("Tab");
    app.type_text("téc");
    assert_eq!(offered_keys(&app), ["11144477735"]);
    let page = |app: &App| format!("{:?}", chrome::page(&app.model, app.model.size).items);
    assert!(
        page(&app).contains("CPF 111.444.777-35 · Tecidos Silva"),
        "{}",
        page(&app)
    );
    app.model.is_masked = true;
    assert!(
        !page(&app).contains("444.777-35"),
        "others look: {}",
        page(&app)
    );
    app.press("Ctrl-N");
    let form = &app.draft().form;
    assert_eq!(
        (&*form.value("key_kind"), &*form.value("key")),
        ("cpf", "11144477735")
    );
}

#[test]
fn known_key_keeps_its_kind_until_edited() {
    let mut app = form_with_destinations(vec![destination(PixKeyKind::Cpf, "11988887763", 1)]);
    let kind = |app: &App| app.draft().form.value("key_kind");
    app.type_text("10010");
    app.press("Tab Tab Right Right Shift-Tab Ctrl-N");
    assert_eq!(kind(&app), "cpf", "the kind comes with the key");
    app.press("Tab Tab");
    app.type_text("loja");
    assert_eq!(kind(&app), "cpf", "editing another field does not matter");
    app.press("Shift-Tab Shift-Tab Backspace");
    app.type_text("3");
    assert_eq!(
        kind(&app),
        "cpf",
        "typed, the number may also be a phone, but it was a CPF before"
    );
}

#[test]
fn digits_paid_as_cpf_are_taken_for_a_cpf() {
    let hint = |app: &App| app.draft().form.field("key_kind").unwrap().hint.clone();
    let page = |app: &App| format!("{:?}", chrome::page(&app.model, app.model.size).items);
    for typed in ["11988887763", "119.888.877-63"] {
        let mut app = form_with_destinations(vec![destination(PixKeyKind::Cpf, "11988887763", 1)]);
        app.type_text("10010");
        app.press("Tab");
        app.type_text(typed);
        assert_eq!(app.draft().form.value("key_kind"), "cpf");
    }
    let mut app = form_with_destinations(vec![destination(PixKeyKind::Cpf, "11988887763", 1)]);
    app.type_text("10010");
    app.press("Tab");
    app.type_text("11988887763");
    assert!(page(&app).contains("CPF, como em 01/01"), "{}", page(&app));
    // One key changes the kind.
    app.press("Tab Right");
    assert_ne!(app.draft().form.value("key_kind"), "cpf");
    assert_eq!(hint(&app), None);
    // A phone number that was used before is no reason to choose, and neither are other digits.
    for known in [
        vec![destination(PixKeyKind::Phone, "+5511988887763", 9)],
        vec![destination(PixKeyKind::Cpf, "11144477735", 9)],
        vec![],
    ] {
        let mut app = form_with_destinations(known);
        app.type_text("10010");
        app.press("Tab");
        app.type_text("11988887763");
        assert_eq!(app.draft().form.value("key_kind"), "");
        assert!(matches!(hint(&app), Some(Hint::ChooseKind(_))));
    }
}

#[test]
fn arrow_enters_the_suggestions_and_enter_picks() {
    let key = |app: &App| app.draft().form.value("key");
    let mut app = form_with_destinations(three_destinations());
    app.type_text("10010");
    // Walking through the form with arrows fills nothing in.
    app.press("Down Down Down");
    assert_eq!(
        (&*key(&app), app.draft().known_destinations.cursor),
        ("", Some(1))
    );
    app.press("Up");
    assert_eq!(app.draft().known_destinations.cursor, Some(0));
    app.press("Down Enter");
    assert_eq!(
        (&*key(&app), &*app.draft().form.value("key_kind")),
        ("ana@loja.example", "email")
    );
    assert_eq!(
        app.draft().form.focused().map(|field| &*field.id),
        Some("key_kind")
    );
    // Up leaves the list where it was entered. Typing and Tab leave it too.
    let mut app = form_with_destinations(three_destinations());
    app.press("Down Down Up");
    assert_eq!(app.draft().known_destinations.cursor, None);
    app.press("Down");
    app.type_text("4");
    assert_eq!(app.draft().known_destinations.cursor, None);
    app.press("Down Tab");
    assert_eq!(
        (&*key(&app), app.draft().known_destinations.cursor),
        ("4", None)
    );
}

#[test]
fn no_destinations_loaded_if_key_is_on_file() {
    let file = ("profile.toml", "withdrawal.body = ['amount']");
    let mut app = App::with_contract(Contract::from_program_files(&[file]).unwrap());
    app.log_in();
    let effects = app.press("3 n");
    assert!(
        !effects
            .iter()
            .any(|effect| matches!(effect, Effect::Money(MoneyCommand::LoadDestinations { .. })))
    );
    app.type_text("10010");
    assert_eq!(app.press("Ctrl-N"), vec![]);
    app.deliver_quote();
    assert_eq!(app.submit_form().destination, None);
}

#[test]
fn unsupported_key_kind_is_not_offered() {
    let mut app = App::logged_in();
    app.press("3 n");
    let ticket = app.last_ticket();
    let Some(Layer::Withdraw(Flow::Form(draft))) = app.model.layers.last_mut() else {
        panic!()
    };
    let kinds = draft.form.field_mut("key_kind").unwrap();
    let crate::app::ui::form::Entry::Choice { options, .. } = &mut kinds.entry else {
        panic!()
    };
    options.retain(|option| &*option.value != "cpf");
    app.deliver(Msg::DestinationsLoaded {
        ticket,
        result: Ok(three_destinations()),
    });
    assert_eq!(offered_keys(&app), ["ana@loja.example", "+5511987654321"]);
}

#[test]
fn stale_answer_and_broken_journal_offer_nothing() {
    let mut app = App::logged_in();
    app.press("3 n");
    let old = app.last_ticket();
    app.press("Esc n");
    app.deliver(Msg::DestinationsLoaded {
        ticket: old,
        result: Ok(three_destinations()),
    });
    assert!(offered_keys(&app).is_empty());
    let ticket = app.last_ticket();
    let result = Err(JournalTrouble::Io("gone".into()));
    app.deliver(Msg::DestinationsLoaded { ticket, result });
    assert!(offered_keys(&app).is_empty());
}

fn offers_repeat(app: &App) -> bool {
    app.offers(Action::Repeat)
}

#[test]
fn repeat_copies_destination_but_not_amount() {
    let mut app = App::logged_in();
    let sent = app.send_withdrawal("10010");
    let accepted = with_attempt(&sent, &app.now.clone(), ACCEPTED);
    for keys in ["d", "Enter d"] {
        let mut app = App::with_decided_withdrawals(vec![accepted.clone()]);
        app.prove_unit();
        assert!(offers_repeat(&app));
        app.press(keys);
        let form = &app.draft().form;
        assert_eq!(
            (form.value("key_kind"), form.value("key")),
            ("cpf".into(), "11144477735".into())
        );
        assert_eq!(
            (form.money(), form.focus),
            (None, 0),
            "its amount is typed anew"
        );
        assert!(
            !app.top().screen().was_typed(),
            "nothing is lost by leaving"
        );
        // The repeated withdrawal gets a new idempotency key.
        app.type_text("5000");
        app.deliver_quote();
        let agreement = app.submit_form();
        assert_eq!(agreement.amount, brl(5_000));
        assert_ne!(agreement.key, accepted.agreement.key);
        assert_eq!(agreement.destination, accepted.agreement.destination);
    }
}

#[test]
fn undecided_or_purged_withdrawal_not_repeatable() {
    let mut app = App::logged_in();
    let sent = app.send_withdrawal("10010");
    let with_unknown = with_attempt(&sent, &app.now.clone(), TIMED_OUT);
    let mut purged = with_attempt(&sent, &app.now.clone(), ACCEPTED);
    purged.agreement.destination = None;
    for (name, withdrawal) in [
        ("prepared", prepared_withdrawal(&sent.agreement)),
        ("unknown", with_unknown),
        ("purged", purged),
    ] {
        let mut app = App::with_decided_withdrawals(vec![withdrawal]);
        assert!(!offers_repeat(&app), "{name}");
        app.press("d");
        assert_eq!(app.model.layers.len(), 0, "{name}");
    }
}
