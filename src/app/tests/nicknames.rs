//! Tests of nicknames for Pix keys. A nickname is shown beside the Pix key, never instead of it.

use super::*;
use crate::app::store::nicknames;
use crate::app::ui::form::Hint;

fn named(app: &App, withdrawal: &Withdrawal) -> String {
    nicknames::to(&app.model.store, &withdrawal.agreement)
}

fn called(withdrawal: &Withdrawal, name: &str) -> Arc<Nicknames> {
    let agreement = &withdrawal.agreement;
    let key = agreement.destination.clone().unwrap();
    let name = Nickname::parse(name).unwrap();
    Arc::new([(agreement.account.clone(), key, name)].into_iter().collect())
}

/// Creates an app with one withdrawal in its list.
fn with_one() -> (App, Withdrawal) {
    let mut app = App::open();
    let sent = app.sends("10010");
    let class = ACCEPTED;
    let one = attempted(&sent, &app.now.clone(), class);
    (App::decided(vec![one.clone()]), one)
}

#[test]
fn nickname_shown_only_beside_key_of_its_account() {
    let (mut app, one) = with_one();
    let key = named(&app, &one);
    assert!(!key.contains('·'), "{key}");
    app.tell(Msg::NicknamesRead(Ok(called(&one, "Conta PJ"))));
    assert_eq!(named(&app, &one), format!("{key} · Conta PJ"));
    let mut theirs = one;
    theirs.agreement.account.identity = "bia@loja.example".into();
    assert_eq!(named(&app, &theirs), key);
    app.keys("Enter");
    let page = format!("{:?}", chrome::page(&app.model, app.model.size).items);
    assert!(page.contains("Conta PJ"), "the details name it: {page}");
}

#[test]
fn the_form_says_under_a_key_what_the_seller_calls_it() {
    let (mut app, one) = with_one();
    app.tell(Msg::NicknamesRead(Ok(called(&one, "Conta PJ"))));
    let hint = |app: &App| app.draft().form.field("key").unwrap().hint.clone();
    app.keys("d");
    assert_eq!(hint(&app), Nickname::parse("Conta PJ").map(Hint::Nickname), "repeated");
    let page = format!("{:?}", chrome::page(&app.model, app.model.size).items);
    assert!(page.contains("você chama esta chave de Conta PJ"), "{page}");
    app.model.masks = true;
    let page = format!("{:?}", chrome::page(&app.model, app.model.size).items);
    assert!(!page.contains("Conta PJ"), "where others look: {page}");
    app.keys("Tab Backspace");
    assert_eq!(hint(&app), None, "another key now");
    app.types("5");
    assert_eq!(hint(&app), Nickname::parse("Conta PJ").map(Hint::Nickname), "typed");
}

#[test]
fn a_long_nickname_is_cut_before_the_key_is() {
    let (mut app, one) = with_one();
    let key = named(&app, &one);
    app.tell(Msg::NicknamesRead(Ok(called(&one, "Conta PJ da loja rua Direita"))));
    let within = |room| nicknames::to_within(&app.model.store, &one.agreement, room);
    let whole = key.chars().count();
    for room in whole..whole + 40 {
        let shown = within(room);
        assert!(shown.starts_with(&key) && shown.chars().count() <= room, "{room}: {shown}");
        // A shortened nickname ends with `…`. If not even that fits, only the Pix key is shown.
        let is_marked = shown.ends_with('…') || shown.ends_with("Direita") || *shown == *key;
        assert!(is_marked, "{room}: {shown}");
    }
    assert_eq!(within(whole + 7), format!("{key} · Con…"));
    assert!(within(whole - 1).ends_with('…'), "a key that has no room says so");
}

#[test]
fn it_is_typed_kept_and_taken_away_by_an_empty_field() {
    let (mut app, one) = with_one();
    app.keys("a");
    app.types(" Conta PJ ");
    let wanted = app.keys("Ctrl-S");
    let [Effect::Nickname { ticket, account, key, name }] = &wanted[..] else {
        panic!("{wanted:?}")
    };
    assert_eq!((account, key), (&one.agreement.account, destination(&one)));
    assert_eq!(name.as_ref().map(Nickname::as_str), Some("Conta PJ"));
    // A new nickname is shown only after it was stored.
    assert_eq!(named(&app, &one), named(&App::open(), &one));
    app.tell(Msg::Nicknamed { ticket: *ticket, result: Ok(called(&one, "Conta PJ")) });
    assert_eq!(app.model.notice, Some(Notice::good("said-nicknamed")));
    assert!(app.model.layers.is_empty() && named(&app, &one).ends_with("Conta PJ"));
    // The details page offers the same form, with the current nickname in its field.
    app.keys("Enter a");
    for _ in 0.."Conta PJ".len() {
        app.keys("Backspace");
    }
    let wanted = app.keys("Ctrl-S");
    let [Effect::Nickname { ticket, name: None, .. }] = &wanted[..] else { panic!("{wanted:?}") };
    app.tell(Msg::Nicknamed { ticket: *ticket, result: Ok(Arc::default()) });
    assert_eq!(app.model.notice, Some(Notice::good("said-no-nickname")));
    assert!(matches!(app.top(), Layer::Withdrawal(_)));
}

#[test]
fn failed_save_is_shown_and_keeps_typed_text() {
    let (mut app, one) = with_one();
    app.keys("a");
    app.types("Conta PJ");
    let wanted = app.keys("Ctrl-S");
    let [Effect::Nickname { ticket, .. }] = &wanted[..] else { panic!("{wanted:?}") };
    let full = Failure::Journal(JournalTrouble::Io("no space left on device".into()));
    app.tell(Msg::Nicknamed { ticket: *ticket, result: Err(full) });
    let Layer::Nickname(form) = app.top() else { panic!() };
    assert_eq!(form.sent.form.value("nickname"), "Conta PJ");
    assert!(form.sent.failure.is_some());
    // Nicknames are in the history database, so an error there does not block withdrawals.
    assert!(app.model.withdrawals.trouble.is_none());
    assert!(!named(&app, &one).contains("Conta PJ"));
}

#[test]
fn invisible_nickname_refused_and_nothing_sent() {
    let (mut app, one) = with_one();
    app.tell(Msg::NicknamesRead(Ok(called(&one, "Conta PJ"))));
    app.keys("a");
    // This character reverses the direction of the text after it, so nicknames may not contain it.
    app.types("\u{202e}");
    assert_eq!(app.keys("Ctrl-S"), vec![]);
    let Layer::Nickname(form) = app.top() else { panic!() };
    assert!(form.sent.form.fields[0].error.is_some() && form.sent.wait.is_none());
}

#[test]
fn withdrawal_without_destination_takes_no_nickname() {
    let (_, mut one) = with_one();
    one.agreement.destination = None;
    let mut app = App::decided(vec![one]);
    assert_eq!(app.keys("a Enter a"), vec![]);
    assert!(matches!(app.top(), Layer::Withdrawal(_)));
}

#[test]
fn nicknames_reread_when_history_changes() {
    let mut app = App::open();
    let wanted = app.tell(Msg::HistoryChanged);
    assert!(wanted.contains(&Effect::ReadNicknames), "{wanted:?}");
}

#[test]
fn withdrawal_search_finds_destination_by_nickname() {
    let (mut app, one) = with_one();
    app.tell(Msg::NicknamesRead(Ok(called(&one, "Conta PJ"))));
    let mut asked = |typed: &str| {
        app.keys("/ Ctrl-U");
        let asks = app.types(typed).into_iter().filter_map(|effect| match effect {
            Effect::Money(MoneyCommand::Load(ask)) => Some(ask.search.terms),
            _ => None,
        });
        let terms = asks.last().unwrap_or_default();
        terms.into_iter().map(|term| term.destinations).collect::<Vec<_>>()
    };
    let it = || vec![(one.agreement.account.owner(), destination(&one).clone())];
    assert_eq!(asked("pj çont"), [it(), it()]);
    assert_eq!(asked("pf"), [vec![]]);
}

fn destination(withdrawal: &Withdrawal) -> &PixKey {
    withdrawal.agreement.destination.as_ref().unwrap()
}
