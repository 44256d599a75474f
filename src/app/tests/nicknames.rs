//! Tests of nicknames for Pix keys. A nickname is shown beside the Pix key, never instead of it.

use super::*;
use crate::app::store::nicknames;
use crate::app::ui::form::Hint;

fn destination_text(app: &App, withdrawal: &Withdrawal) -> String {
    nicknames::destination_text(&app.model.store, &withdrawal.agreement)
}

fn nicknames_with(withdrawal: &Withdrawal, name: &str) -> Arc<Nicknames> {
    let agreement = &withdrawal.agreement;
    let key = agreement.destination.clone().unwrap();
    let name = Nickname::parse(name).unwrap();
    Arc::new(
        [(agreement.account.clone(), key, name)]
            .into_iter()
            .collect(),
    )
}

/// Creates an app with one withdrawal in its list.
fn app_with_withdrawal() -> (App, Withdrawal) {
    let mut app = App::logged_in();
    let sent = app.send_withdrawal("10010");
    let settled = with_attempt(&sent, &app.now.clone(), ACCEPTED);
    (
        App::with_decided_withdrawals(vec![settled.clone()]),
        settled,
    )
}

#[test]
fn nickname_shown_only_beside_key_of_its_account() {
    let (mut app, withdrawal) = app_with_withdrawal();
    let key = destination_text(&app, &withdrawal);
    assert!(!key.contains('·'), "{key}");
    app.deliver(Msg::NicknamesRead(Ok(nicknames_with(
        &withdrawal,
        "Conta PJ",
    ))));
    assert_eq!(
        destination_text(&app, &withdrawal),
        format!("{key} · Conta PJ")
    );
    let mut theirs = withdrawal;
    theirs.agreement.account.identity = "bia@loja.example".into();
    assert_eq!(destination_text(&app, &theirs), key);
    app.press("Enter");
    let page = format!("{:?}", chrome::page(&app.model, app.model.size).items);
    assert!(page.contains("Conta PJ"), "the details name it: {page}");
}

#[test]
fn form_shows_nickname_under_its_key() {
    let (mut app, withdrawal) = app_with_withdrawal();
    app.deliver(Msg::NicknamesRead(Ok(nicknames_with(
        &withdrawal,
        "Conta PJ",
    ))));
    let hint = |app: &App| app.draft().form.field("key").unwrap().hint.clone();
    app.press("d");
    assert_eq!(
        hint(&app),
        Nickname::parse("Conta PJ").map(Hint::Nickname),
        "repeated"
    );
    let page = format!("{:?}", chrome::page(&app.model, app.model.size).items);
    assert!(page.contains("você chama esta chave de Conta PJ"), "{page}");
    app.model.is_masked = true;
    let page = format!("{:?}", chrome::page(&app.model, app.model.size).items);
    assert!(!page.contains("Conta PJ"), "where others look: {page}");
    app.press("Tab Backspace");
    assert_eq!(hint(&app), None, "another key now");
    app.type_text("5");
    assert_eq!(
        hint(&app),
        Nickname::parse("Conta PJ").map(Hint::Nickname),
        "typed"
    );
}

#[test]
fn long_nickname_is_cut_before_its_key() {
    let (mut app, withdrawal) = app_with_withdrawal();
    let key = destination_text(&app, &withdrawal);
    app.deliver(Msg::NicknamesRead(Ok(nicknames_with(
        &withdrawal,
        "Conta PJ da loja rua Direita",
    ))));
    let within =
        |columns| nicknames::destination_within(&app.model.store, &withdrawal.agreement, columns);
    let key_width = key.chars().count();
    for columns in key_width..key_width + 40 {
        let text = within(columns);
        assert!(
            text.starts_with(&key) && text.chars().count() <= columns,
            "{columns}: {text}"
        );
        // If the nickname does not fit, it is cut and ends with `…`. If not even that fits, only
        // the Pix key is shown.
        let is_marked = text.ends_with('…') || text.ends_with("Direita") || *text == *key;
        assert!(is_marked, "{columns}: {text}");
    }
    assert_eq!(within(key_width + 7), format!("{key} · Con…"));
    assert!(
        within(key_width - 1).ends_with('…'),
        "a key that has no room says so"
    );
}

#[test]
fn nickname_is_stored_and_removed_when_emptied() {
    let (mut app, withdrawal) = app_with_withdrawal();
    app.press("a");
    app.type_text(" Conta PJ ");
    let effects = app.press("Ctrl-S");
    let [
        Effect::Nickname {
            ticket,
            account,
            key,
            name,
        },
    ] = &effects[..]
    else {
        panic!("{effects:?}")
    };
    assert_eq!(
        (account, key),
        (&withdrawal.agreement.account, destination(&withdrawal))
    );
    assert_eq!(name.as_ref().map(Nickname::as_str), Some("Conta PJ"));
    // A new nickname is shown only after it was stored.
    assert_eq!(
        destination_text(&app, &withdrawal),
        destination_text(&App::logged_in(), &withdrawal)
    );
    app.deliver(Msg::Nicknamed {
        ticket: *ticket,
        result: Ok(nicknames_with(&withdrawal, "Conta PJ")),
    });
    assert_eq!(app.model.notice, Some(Notice::good("said-nicknamed")));
    assert!(
        app.model.layers.is_empty() && destination_text(&app, &withdrawal).ends_with("Conta PJ")
    );
    // The details page offers the same form, with the current nickname in its field.
    app.press("Enter a");
    for _ in 0.."Conta PJ".len() {
        app.press("Backspace");
    }
    let effects = app.press("Ctrl-S");
    let [
        Effect::Nickname {
            ticket, name: None, ..
        },
    ] = &effects[..]
    else {
        panic!("{effects:?}")
    };
    app.deliver(Msg::Nicknamed {
        ticket: *ticket,
        result: Ok(Arc::default()),
    });
    assert_eq!(app.model.notice, Some(Notice::good("said-no-nickname")));
    assert!(matches!(app.top(), Layer::Withdrawal(_)));
}

#[test]
fn failed_save_is_shown_and_keeps_typed_text() {
    let (mut app, withdrawal) = app_with_withdrawal();
    app.press("a");
    app.type_text("Conta PJ");
    let effects = app.press("Ctrl-S");
    let [Effect::Nickname { ticket, .. }] = &effects[..] else {
        panic!("{effects:?}")
    };
    let full = Failure::Journal(JournalTrouble::Io("no space left on device".into()));
    app.deliver(Msg::Nicknamed {
        ticket: *ticket,
        result: Err(full),
    });
    let Layer::Nickname(form) = app.top() else {
        panic!()
    };
    assert_eq!(form.sent.form.value("nickname"), "Conta PJ");
    assert!(form.sent.failure.is_some());
    // Nicknames are in the history database, so an error there does not block withdrawals.
    assert!(app.model.withdrawals.trouble.is_none());
    assert!(!destination_text(&app, &withdrawal).contains("Conta PJ"));
}

#[test]
fn invisible_nickname_refused_and_nothing_sent() {
    let (mut app, withdrawal) = app_with_withdrawal();
    app.deliver(Msg::NicknamesRead(Ok(nicknames_with(
        &withdrawal,
        "Conta PJ",
    ))));
    app.press("a");
    // This character reverses the direction of the text after it, so nicknames may not contain it.
    app.type_text("\u{202e}");
    assert_eq!(app.press("Ctrl-S"), vec![]);
    let Layer::Nickname(form) = app.top() else {
        panic!()
    };
    assert!(form.sent.form.fields[0].error.is_some() && form.sent.wait.is_none());
}

#[test]
fn withdrawal_without_destination_takes_no_nickname() {
    let (_, mut withdrawal) = app_with_withdrawal();
    withdrawal.agreement.destination = None;
    let mut app = App::with_decided_withdrawals(vec![withdrawal]);
    assert_eq!(app.press("a Enter a"), vec![]);
    assert!(matches!(app.top(), Layer::Withdrawal(_)));
}

impl App {
    /// Delivers a list of withdrawals with final outcomes.
    fn load_decided(&mut self, rows: Vec<Withdrawal>) -> Vec<Effect> {
        self.deliver_withdrawals(Ok(Snapshot {
            page: page_of(rows),
            ..Snapshot::default()
        }))
    }
}

#[test]
fn nicknames_of_loaded_rows_are_looked_up_once() {
    let (_, withdrawal) = app_with_withdrawal();
    let mut app = App::logged_in();
    app.press("3");
    let effects = app.load_decided(vec![withdrawal.clone(), withdrawal.clone()]);
    let keys = vec![(
        withdrawal.agreement.account.clone(),
        destination(&withdrawal).clone(),
    )];
    assert_eq!(effects, vec![Effect::ReadNicknames(keys.clone())]);
    assert_eq!(app.load_decided(vec![withdrawal.clone()]), vec![]);
    // Another instance of the program may have changed the nickname.
    let effects = app.deliver(Msg::HistoryChanged);
    assert_eq!(effects, vec![Effect::ReadNicknames(keys)]);
    app.deliver(Msg::NicknamesRead(Ok(nicknames_with(
        &withdrawal,
        "Conta PJ",
    ))));
    assert!(destination_text(&app, &withdrawal).ends_with("Conta PJ"));
}

#[test]
fn typed_key_and_known_destinations_are_looked_up() {
    let mut app = App::logged_in();
    app.press("3 n");
    let ticket = app.last_ticket();
    let known = PixKey::parse(PixKeyKind::Email, "ana@loja.example").unwrap();
    let destination = Destination {
        key: known.clone(),
        count: 1,
        last: Wall(1),
        last_amount: brl(100),
    };
    let effects = app.deliver(Msg::DestinationsLoaded {
        ticket,
        result: Ok(vec![destination]),
    });
    assert_eq!(
        effects,
        vec![Effect::ReadNicknames(vec![(seller(), known)])]
    );
    app.press("Tab");
    let typed = PixKey::parse(PixKeyKind::Cpf, "11144477735").unwrap();
    let effects = app.paste("111.444.777-35");
    assert_eq!(
        effects,
        vec![Effect::ReadNicknames(vec![(seller(), typed)])]
    );
    let trouble = JournalTrouble::Io("no space left on device".into());
    assert_eq!(
        app.deliver(Msg::NicknamesRead(Err(trouble))),
        vec![],
        "not again and again"
    );
}

/// A list of many destinations must not fill the memory.
#[test]
fn number_of_kept_nicknames_is_bounded() {
    let (_, withdrawal) = app_with_withdrawal();
    let mut app = App::logged_in();
    for page in 0..30 {
        let to = |n: u64| {
            let mut withdrawal = withdrawal.clone();
            let key = format!("ana{page}x{n}@loja.example");
            withdrawal.agreement.destination = PixKey::parse(PixKeyKind::Email, &key).ok();
            withdrawal
        };
        app.load_decided((0..200).map(to).collect());
        assert!(app.model.nicknames.keys().count() <= 2_200);
    }
}

fn destination(withdrawal: &Withdrawal) -> &PixKey {
    withdrawal.agreement.destination.as_ref().unwrap()
}
