//! Tests that a text which is typed key by key, such as the row of a spreadsheet, confirms nothing.

use super::consent::HARMLESS;
use super::*;
use crate::app::cx::CodeText;
use crate::app::store::frame_snapshot::Terms;
use crate::app::store::payable::{Payable, PayableUse};
use crate::app::store::profiles::UnsavedWork;
use crate::app::ui::PageItem;

/// Rows of a spreadsheet and parts of such rows. `R$ 100,00` is the amount of every withdrawal
/// here.
const ROWS: [&str; 7] = [
    "A n a Tab 1 0 0 , 0 0 Enter",
    "A n a Tab Enter",
    "A n a Tab Tab Enter",
    "1 0 0 , 0 0 Enter Enter",
    "1 0 0 , 0 0 Tab Enter",
    "A n a Tab 1 0 0 , 0 0 Enter Tab Enter Tab Tab Enter",
    "A Ctrl-J Tab Enter Enter Tab Enter",
];

/// The time between two keys of a row, in milliseconds.
const KEY_GAPS_MS: [u64; 3] = [52, 150, 300];

/// Longer than any delay of a button, in milliseconds.
const LONG_MS: u64 = 5_000;

/// A dialog or a page with a confirming button.
struct Confirmable {
    app: App,
    /// True if the amount must be typed again.
    has_field: bool,
}

impl Confirmable {
    /// The keys that confirm, except the last one, Enter.
    fn first_keys(&self) -> &'static str {
        if self.has_field {
            "1 0 0 , 0 0 Tab"
        } else {
            "Tab"
        }
    }
}

fn confirmable(app: App) -> Confirmable {
    Confirmable {
        app,
        has_field: false,
    }
}

fn retyping(app: App) -> Confirmable {
    Confirmable {
        app,
        has_field: true,
    }
}

fn question(question: Question) -> Confirmable {
    let mut app = App::logged_in();
    let stamp = app.stamp();
    router::open(&mut app.model, Route::NewLink(None), &stamp);
    router::open(&mut app.model, Route::Ask(question), &stamp);
    confirmable(app)
}

/// Creates an app that shows a withdrawal of R$ 100,00 with an unknown outcome.
fn app_with_unknown() -> App {
    let mut app = App::logged_in();
    app.load_unknown_withdrawal(7, 10_000);
    app
}

fn not_paid() -> Confirmable {
    let mut app = app_with_unknown();
    app.pulse_after_ms(570_001);
    app.press("c N");
    retyping(app)
}

fn review() -> Confirmable {
    let mut app = App::logged_in();
    app.open_review("10000");
    confirmable(app)
}

/// A review beside another open withdrawal, so the amount must be typed again.
fn review_with_retype() -> Confirmable {
    let mut app = App::logged_in();
    app.load_unknown_withdrawal(7, 500);
    app.open_review("10000");
    retyping(app)
}

fn send() -> Confirmable {
    let mut app = app_with_unknown();
    app.press("s");
    app.deliver_no_similar_withdrawals(key(7));
    confirmable(app)
}

/// The dialog before sending, beside another withdrawal of the same amount, so the amount must be
/// typed again.
fn send_with_retype() -> Confirmable {
    let mut app = app_with_unknown();
    app.press("s");
    let similar = with_attempt(
        &unknown_withdrawal(99, 10_000, &app.now),
        &app.now,
        ACCEPTED,
    );
    let past = PastPayments {
        similar: vec![similar],
        known_destination: None,
    };
    app.deliver(Msg::Reviewed {
        key: key(7),
        past: Ok(past),
    });
    retyping(app)
}

fn consent() -> Confirmable {
    let mut app = App::with_file(HARMLESS);
    app.press("PgDn");
    app.render_frame();
    confirmable(app)
}

fn found() -> Confirmable {
    let mut app = app_with_unknown();
    app.press("f");
    confirmable(app)
}

fn discard() -> Confirmable {
    let (mut app, _) = App::with_outcome(Class::Throttled { retry_after: None });
    app.press("X");
    confirmable(app)
}

fn leave_in_flight() -> Confirmable {
    let mut app = App::logged_in();
    app.send_withdrawal("10000");
    app.press("Ctrl-C");
    confirmable(app)
}

fn use_payable() -> Confirmable {
    let code = CodeText {
        text: "https://loja.example/x".into(),
        clip: Clip::Address,
    };
    let payable = Payable {
        code,
        message: "".into(),
        warnings: vec![],
        sale: None,
    };
    question(Question::UsePayable {
        to: PayableUse::Copy,
        payable: Box::new(payable),
    })
}

fn put_away() -> Confirmable {
    question(Question::PutAway(Box::new(link("https://loja.example/x"))))
}

fn remove_sale() -> Confirmable {
    let sale = Sale::Link(link("https://loja.example/x"));
    question(Question::RemoveSale(Box::new(sale)))
}

fn switch_profile() -> Confirmable {
    question(Question::SwitchProfile {
        to: "loja-b".into(),
        losses: UnsavedWork::default(),
    })
}

fn try_credential() -> Confirmable {
    let failure = Box::new(unauthorized(CredentialKind::Jwt));
    let other = CredentialKind::ApiToken;
    question(Question::TryCredential {
        operation: Operation::Domains,
        other,
        failure,
    })
}

fn create_links() -> Confirmable {
    question(Question::CreateLinks(Box::new(imports::links_to_create())))
}

fn line_again() -> Confirmable {
    let line = Box::new(imports::unknown_line());
    let batch = BatchId(1);
    question(Question::SendLineAgain { batch, line })
}

fn leave_batch() -> Confirmable {
    let mut app = App::logged_in();
    app.begin_batch();
    app.press("Ctrl-C");
    confirmable(app)
}

type OpenConfirmable = fn() -> Confirmable;

/// Everything that can be confirmed. [`terms_name`] checks that nothing is missing.
const ALL: [(&str, OpenConfirmable); 22] = [
    ("review", review),
    ("review", review_with_retype),
    ("send", send),
    ("send", send_with_retype),
    ("not paid", not_paid),
    ("consent", consent),
    ("drop form", || question(Question::DropForm)),
    ("leave in flight", leave_in_flight),
    ("log out", || question(Question::LogOut)),
    ("use payable", use_payable),
    ("discard", discard),
    ("found", found),
    ("put away", put_away),
    ("remove sale", remove_sale),
    ("use memory", || question(Question::UseMemory)),
    ("try credential", try_credential),
    ("create links", create_links),
    ("line again", line_again),
    ("end batch", || {
        let batch = BatchId(1);
        question(Question::EndBatch { batch, waiting: 2 })
    }),
    ("leave batch", leave_batch),
    ("drop and leave", || question(Question::DropAndLeave)),
    ("switch profile", switch_profile),
];

/// The name of what is confirmed. Each name must be in [`ALL`].
fn terms_name(terms: &Terms) -> &'static str {
    let Terms::Question(question) = terms else {
        return match terms {
            Terms::Withdrawal { .. } => "review",
            Terms::Send { .. } => "send",
            Terms::NotPaid(_) => "not paid",
            Terms::Lines(_) => "consent",
            Terms::Amounts(_) => unreachable!("a form has no confirming button"),
            Terms::Question(_) => unreachable!(),
        };
    };
    match question {
        Question::DropForm => "drop form",
        Question::LeaveInFlight => "leave in flight",
        Question::LogOut => "log out",
        Question::UsePayable { .. } => "use payable",
        Question::Discard(_) => "discard",
        Question::Found(_) => "found",
        Question::PutAway(_) => "put away",
        Question::RemoveSale(_) => "remove sale",
        Question::UseMemory => "use memory",
        Question::TryCredential { .. } => "try credential",
        Question::AlwaysEmpty { .. } => "always empty",
        Question::CreateLinks(_) => "create links",
        Question::SendLineAgain { .. } => "line again",
        Question::EndBatch { .. } => "end batch",
        Question::LeaveBatch => "leave batch",
        Question::DropAndLeave => "drop and leave",
        Question::SwitchProfile { .. } => "switch profile",
    }
}

impl App {
    /// Presses keys with this time before each of them.
    fn press_slowly(&mut self, keys: &str, gap_ms: u64) -> Vec<Effect> {
        let press = |key: &str| {
            self.advance_ms(gap_ms);
            self.press(key)
        };
        keys.split(' ')
            .filter(|key| !key.is_empty())
            .flat_map(press)
            .collect()
    }

    /// True if a frame would show this text.
    fn draws(&self, is_match: impl Fn(&str) -> bool) -> bool {
        let page = chrome::page(&self.model, self.model.size);
        let mut lines = page.items.iter().flat_map(|item| match item {
            PageItem::Lines(lines, _) => &lines[..],
            _ => &[],
        });
        lines.any(|line| is_match(&line.to_string()))
    }

    /// True if the confirming button is drawn as active. An inactive button has round brackets.
    fn is_button_active(&self) -> bool {
        !self.draws(|line| line.starts_with("( "))
    }

    /// True if the screen says why the confirming button is inactive.
    fn says_why(&self) -> bool {
        let text = self.model.words().text("said-text-typed");
        self.draws(|line| line.contains(&text))
    }

    fn focus(&self) -> Option<Focus> {
        self.top().screen().focus()
    }
}

/// True for an effect that one of the confirmations in [`ALL`] causes.
fn is_confirmation(effect: &Effect) -> bool {
    use Effect::*;
    use MoneyCommand::{Approve, Attempt, Decide, Prepare};
    matches!(
        effect,
        Money(Prepare { .. } | Attempt { .. } | Decide { .. } | Approve { .. })
            | LogOut
            | Agree(_)
            | UseMemory
            | TryCredential(..)
            | Leave
            | Copy(..)
            | OpenProfile { .. }
            | Import(_)
            | History(HistoryCommand::PutAway { .. } | HistoryCommand::RemoveSale(_))
    )
}

#[test]
fn every_confirmation_is_tested() {
    for (name, open) in ALL {
        let app = open().app;
        assert_eq!(name, terms_name(&read_tracker::terms(&app.model).unwrap()));
    }
}

#[test]
fn typed_row_confirms_nothing() {
    // The row begins while each part of the dialog has the focus.
    let focus_keys = ["", "Tab", "Tab"];
    for (name, open) in ALL {
        let mut app = open().app;
        for first_keys in focus_keys {
            app.press_slowly(first_keys, LONG_MS);
            app.pulse_after_ms(LONG_MS);
            let before = (app.model.clone(), app.now.clone());
            let layers = app.model.layers.len();
            for (row, gap_ms) in ROWS
                .into_iter()
                .flat_map(|row| KEY_GAPS_MS.map(|gap| (row, gap)))
            {
                (app.model, app.now) = before.clone();
                let effects = app.press_slowly(row, gap_ms);
                let case = format!("{name}: {first_keys}, {row}, {gap_ms} ms: {effects:?}");
                assert!(!effects.iter().any(is_confirmation), "{case}");
                assert!(app.model.layers.len() + 1 >= layers, "{case}");
            }
            (app.model, app.now) = before;
        }
    }
}

#[test]
fn keys_of_a_person_confirm() {
    for (name, open) in ALL {
        let confirmable = open();
        let first_keys = confirmable.first_keys();
        let mut app = confirmable.app;
        let layers = app.model.layers.len();
        app.pulse_after_ms(LONG_MS);
        app.press_slowly(first_keys, 300);
        // A person waits for an active button, which gets active by itself.
        while !app.is_button_active() {
            let wait = next_deadline(&app.model).unwrap();
            app.pulse_after_ms(u64::try_from(wait.as_millis()).unwrap());
        }
        let effects = app.press_slowly("Enter", FOCUS_MS);
        let is_form_closed = app.model.layers.len() + 1 < layers;
        assert!(
            effects.iter().any(is_confirmation) || is_form_closed,
            "{name}: {effects:?}"
        );
    }
}

#[test]
fn character_without_use_gives_focus_back() {
    for (name, open) in ALL {
        let Confirmable { mut app, has_field } = open();
        app.pulse_after_ms(LONG_MS);
        app.press_slowly(if has_field { "Tab Tab" } else { "Tab" }, LONG_MS);
        app.pulse_after_ms(LONG_MS);
        assert_eq!(
            (app.focus(), app.says_why()),
            (Some(Focus::Confirm), false),
            "{name}"
        );
        app.press("x");
        assert_eq!(app.focus(), Some(Focus::Back), "{name}");
        assert!(!app.is_button_active() && app.says_why(), "{name}");
    }
}

#[test]
fn button_inactive_until_a_second_without_keys() {
    for (gap_ms, is_confirmed) in [(999, false), (1_000, true)] {
        let mut app = review_with_retype().app;
        app.press_slowly("1 0 0 , 0 0", 300);
        app.pulse_after_ms(900);
        // The Tab restarts the second.
        app.press("Tab");
        app.pulse_after_ms(gap_ms);
        assert_eq!(app.is_button_active(), is_confirmed, "{gap_ms}");
        assert_eq!(app.says_why(), !is_confirmed, "{gap_ms}");
        assert_eq!(
            app.press("Enter").iter().any(is_confirmation),
            is_confirmed,
            "{gap_ms}"
        );
        if !is_confirmed {
            // So does an Enter that comes too early.
            app.pulse_after_ms(999);
            assert!(!app.is_button_active() && app.says_why());
            app.pulse_after_ms(1);
            assert!(app.press("Enter").iter().any(is_confirmation));
        }
    }
}

#[test]
fn app_wakes_once_when_button_gets_active() {
    let mut app = question(Question::LogOut).app;
    app.pulse_after_ms(LONG_MS);
    assert_eq!(next_deadline(&app.model), None);
    app.press("x");
    assert_eq!(
        next_deadline(&app.model),
        Some(Duration::from_millis(1_000))
    );
    app.pulse_after_ms(1_000);
    assert!(app.is_button_active() && !app.says_why());
    assert_eq!(next_deadline(&app.model), None);
}

#[test]
fn typed_text_in_list_sets_no_deadline() {
    let mut app = App::logged_in();
    app.press("z");
    assert_eq!(next_deadline(&app.model), None);
    assert!(!app.says_why());
}

#[test]
fn keys_that_read_are_no_text() {
    let mut app = consent().app;
    app.press("F1");
    app.press("Esc");
    app.press_slowly("Tab", LONG_MS);
    app.press("Up Down k j PgUp PgDn Space Home End g G Ctrl-L");
    for input in [Input::Wheel(1), Input::Resize(app.model.size)] {
        app.deliver(Msg::Input(input));
    }
    assert_eq!((app.focus(), app.says_why()), (Some(Focus::Confirm), false));
    app.pulse_after_ms(500);
    assert!(matches!(app.press("Enter")[..], [Effect::Agree(_)]));
}

#[test]
fn wheel_and_resize_do_not_restart_the_second() {
    let mut app = consent().app;
    app.press("x");
    app.pulse_after_ms(900);
    for input in [Input::Wheel(1), Input::Resize(app.model.size)] {
        app.deliver(Msg::Input(input));
    }
    app.pulse_after_ms(100);
    assert!(!app.says_why());
    app.press("x");
    app.pulse_after_ms(900);
    app.press("PgDn");
    app.pulse_after_ms(999);
    assert!(app.says_why(), "each key restarts it");
    app.press("F1 Esc");
    app.pulse_after_ms(999);
    assert!(app.says_why(), "so do the keys of a help page over it");
}

#[test]
fn text_begun_before_dialog_confirms_nothing() {
    for gap_ms in KEY_GAPS_MS {
        // The last letter of a name opens the dialog.
        let mut app = app_with_unknown();
        app.press_slowly("L u z s", gap_ms);
        app.deliver_no_similar_withdrawals(key(7));
        assert!(matches!(app.top(), Layer::Send(_)));
        let effects = app.press_slowly("Tab Enter Enter", gap_ms);
        assert!(
            !effects.iter().any(is_confirmation),
            "{gap_ms}: {effects:?}"
        );
        // A row fills in the form and opens the review, and the next row is empty.
        let mut app = App::logged_in();
        app.fill_withdrawal_form("10000");
        app.deliver_quote();
        let effects = app.press_slowly("Enter Enter Enter", gap_ms);
        let [Effect::Money(MoneyCommand::LookUpPast(agreement))] = &effects[..] else {
            panic!("{effects:?}")
        };
        app.deliver_no_similar_withdrawals(agreement.key);
        let effects = app.press_slowly("Tab Enter Tab Enter", gap_ms);
        assert!(
            !effects.iter().any(is_confirmation),
            "{gap_ms}: {effects:?}"
        );
    }
}

#[test]
fn unpastable_key_ends_text_outside_dialogs() {
    let mut app = App::logged_in();
    app.fill_withdrawal_form("10000");
    app.deliver_quote();
    let agreement = app.submit_form();
    app.deliver_no_similar_withdrawals(agreement.key);
    assert!(!app.says_why());
    app.pulse_after_ms(500);
    expect_prepare(app.press("Tab Enter"));
}
