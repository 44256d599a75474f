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

/// Opens the withdrawal form, and delivers the known destinations that it requests.
fn form_with(known: Vec<Destination>) -> App {
    let mut app = App::open();
    let wanted = app.keys("3 n");
    let asked = wanted.iter().find_map(|effect| match effect {
        Effect::Money(MoneyCommand::LoadDestinations { ticket, account }) => {
            Some((*ticket, account.clone()))
        }
        _ => None,
    });
    let (ticket, account) = asked.expect("asked for");
    assert_eq!(account, seller());
    app.tell(Msg::DestinationsLoaded { ticket, result: Ok(known) });
    app
}

fn offered(app: &App) -> Vec<&str> {
    app.draft().known.offered(&app.model.store).map(|known| known.key.as_str()).collect()
}

fn is_offered(app: &App) -> bool {
    app.offers(Action::NextKnown)
}

#[test]
fn choosing_one_fills_kind_and_key_exactly() {
    let mut app = form_with(three());
    assert!(!is_offered(&app), "while the amount is typed the figures stand there");
    app.types("10010");
    app.keys("Tab");
    assert!(is_offered(&app));
    app.keys("Ctrl-N Ctrl-N");
    assert_eq!(app.draft().form.value("key_kind"), "email");
    assert_eq!(app.draft().form.value("key"), "ana@loja.example");
    app.is_quoted();
    let agreement = app.submits();
    let body = r#"{"amount":100.10,"pixKeyType":"email","pixKey":"ana@loja.example"}"#;
    assert_eq!(&*agreement.body, body);
}

#[test]
fn they_go_round_in_both_directions() {
    let mut app = form_with(three());
    app.keys("Tab");
    for (keys, key) in [
        ("Ctrl-P", "+5511987654321"),
        ("Ctrl-N", "11144477735"),
        ("Ctrl-P Ctrl-P", "ana@loja.example"),
    ] {
        app.keys(keys);
        assert_eq!(app.draft().form.value("key"), key);
    }
}

#[test]
fn typing_narrows_them_with_or_without_points() {
    let mut app = form_with(three());
    app.keys("Tab");
    assert_eq!(offered(&app).len(), 3);
    app.types("444.7");
    assert_eq!(offered(&app), ["11144477735"]);
    app.types("9");
    assert!(offered(&app).is_empty() && !is_offered(&app));
    app.keys("Ctrl-N");
    assert_eq!(app.draft().form.value("key"), "444.79");
    app.keys("Ctrl-U");
    app.pastes("LOJA");
    assert_eq!(offered(&app), ["ana@loja.example"]);
    app.keys("Ctrl-N");
    assert_eq!(app.draft().form.value("key"), "ana@loja.example");
    assert_eq!(app.draft().known.chosen, Some(0));
    // After an edit, the Pix key is no longer the key of the chosen destination.
    app.types("x");
    assert_eq!(app.draft().known.chosen, None);
}

#[test]
fn typed_nickname_finds_its_destination() {
    let mut app = form_with(three());
    let named = |key: &str, name| {
        (seller(), PixKey::parse(PixKeyKind::Cpf, key).unwrap(), Nickname::parse(name).unwrap())
    };
    let all = [named("11144477735", "Tecidos Silva"), named("52998224725", "Tecelagem")];
    app.tell(Msg::NicknamesRead(Ok(Arc::new(all.into_iter().collect()))));
    app.types("10010");
    app.keys("Tab");
    app.types("téc");
    assert_eq!(offered(&app), ["11144477735"]);
    let page = |app: &App| format!("{:?}", chrome::page(&app.model, app.model.size).items);
    assert!(page(&app).contains("CPF 111.444.777-35 · Tecidos Silva"), "{}", page(&app));
    app.model.masks = true;
    assert!(!page(&app).contains("444.777-35"), "others look: {}", page(&app));
    app.keys("Ctrl-N");
    let form = &app.draft().form;
    assert_eq!((&*form.value("key_kind"), &*form.value("key")), ("cpf", "11144477735"));
}

#[test]
fn known_key_keeps_its_kind_until_edited() {
    let mut app = form_with(vec![known(PixKeyKind::Cpf, "11988887763", 1)]);
    let kind = |app: &App| app.draft().form.value("key_kind");
    app.types("10010");
    app.keys("Tab Tab Right Right Shift-Tab Ctrl-N");
    assert_eq!(kind(&app), "cpf", "the kind comes with the key");
    app.keys("Tab Tab");
    app.types("loja");
    assert_eq!(kind(&app), "cpf", "editing another field does not matter");
    app.keys("Shift-Tab Shift-Tab Backspace");
    app.types("3");
    assert_eq!(kind(&app), "", "typed, the number may also be a phone");
}

#[test]
fn no_destinations_loaded_if_key_is_on_file() {
    let file = ("profile.toml", "withdrawal.body = ['amount']");
    let mut app = App::with_contract(Contract::own(&[file]).unwrap());
    app.log_in();
    let wanted = app.keys("3 n");
    assert!(
        !wanted
            .iter()
            .any(|effect| matches!(effect, Effect::Money(MoneyCommand::LoadDestinations { .. })))
    );
    app.types("10010");
    assert_eq!(app.keys("Ctrl-N"), vec![]);
    app.is_quoted();
    assert_eq!(app.submits().destination, None);
}

#[test]
fn a_kind_the_service_has_no_word_for_is_not_offered() {
    let mut app = App::open();
    app.keys("3 n");
    let ticket = app.ticket();
    let Some(Layer::Withdraw(Flow::Form(draft))) = app.model.layers.last_mut() else { panic!() };
    let kinds = draft.form.field_mut("key_kind").unwrap();
    let crate::app::ui::form::Entry::Choice { options, .. } = &mut kinds.entry else { panic!() };
    options.retain(|option| &*option.value != "cpf");
    app.tell(Msg::DestinationsLoaded { ticket, result: Ok(three()) });
    assert_eq!(offered(&app), ["ana@loja.example", "+5511987654321"]);
}

#[test]
fn stale_answer_and_broken_journal_offer_nothing() {
    let mut app = App::open();
    app.keys("3 n");
    let old = app.ticket();
    app.keys("Esc n");
    app.tell(Msg::DestinationsLoaded { ticket: old, result: Ok(three()) });
    assert!(offered(&app).is_empty());
    let ticket = app.ticket();
    let result = Err(JournalTrouble::Io("gone".into()));
    app.tell(Msg::DestinationsLoaded { ticket, result });
    assert!(offered(&app).is_empty());
}

fn offers_repeat(app: &App) -> bool {
    app.offers(Action::Repeat)
}

#[test]
fn repeat_copies_destination_but_not_amount() {
    let mut app = App::open();
    let sent = app.sends("10010");
    let accepted = attempted(&sent, &app.now.clone(), ACCEPTED);
    for way in ["d", "Enter d"] {
        let mut app = App::decided(vec![accepted.clone()]);
        assert!(offers_repeat(&app));
        app.keys(way);
        let form = &app.draft().form;
        assert_eq!(
            (form.value("key_kind"), form.value("key")),
            ("cpf".into(), "11144477735".into())
        );
        assert_eq!((form.money(), form.focus), (None, 0), "its amount is typed anew");
        assert!(!app.top().screen().was_typed(), "nothing is lost by leaving");
        // The repeated withdrawal gets a new idempotency key.
        app.types("5000");
        app.is_quoted();
        let agreement = app.submits();
        assert_eq!(agreement.amount, brl(5_000));
        assert_ne!(agreement.key, accepted.agreement.key);
        assert_eq!(agreement.destination, accepted.agreement.destination);
    }
}

#[test]
fn undecided_or_purged_withdrawal_not_repeatable() {
    let mut app = App::open();
    let sent = app.sends("10010");
    let unknown = attempted(&sent, &app.now.clone(), LOST);
    let mut purged = attempted(&sent, &app.now.clone(), ACCEPTED);
    purged.agreement.destination = None;
    for (name, one) in
        [("prepared", prepared(&sent.agreement)), ("unknown", unknown), ("purged", purged)]
    {
        let mut app = App::decided(vec![one]);
        assert!(!offers_repeat(&app), "{name}");
        app.keys("d");
        assert_eq!(app.model.layers.len(), 0, "{name}");
    }
}
