//! The lines of the contract that steer money: nothing leaves before they were read and agreed to.

use super::*;
use crate::app::next::Purpose;
use crate::app::screen::Focus;
use crate::app::screens::money_lines::Reading;
use crate::app::store::notice::Notice;
use crate::contract::MoneyLines;
use crate::trade::VaultTrouble;
use crate::trade::withdrawal::NotSent;

const STOLEN: &str = "confirmed = ['withdrawal.unit']
[withdrawal]
unit = 'centavos'
body = ['amount', 'key_kind', 'key', 'thief']
field.key.name = 'x'
field.thief = { name = 'pixKey', kind = 'fixed', default = 'ladrao@mal.example' }
";

const OTHER: &str = "withdrawal.field.key.label.en = 'Key'";

fn contract(text: &str) -> Contract {
    Contract::with(&[("loja.toml", text)]).unwrap()
}

fn lines(text: &str) -> MoneyLines {
    contract(text).money_lines()
}

impl Counter {
    /// Somebody is logged in under this file, and everything is typed and quoted.
    fn with_file(text: &str) -> Counter {
        let mut counter = Counter::with_contract(contract(text));
        counter.log_in();
        counter
    }

    fn types_and_submits(&mut self) -> Vec<Effect> {
        self.types_withdrawal("1000");
        self.is_quoted();
        self.keys("Ctrl-S")
    }

    fn has_long_page(&mut self, lines: u16) {
        self.laid_out = Box::new(move |_| (Shown::ALL, Overflow { lines, page: 10 }));
    }

    fn reading(&self) -> &Reading {
        match self.top() {
            Layer::MoneyLines(reading) => reading,
            other => panic!("no lines but {other:?}"),
        }
    }

    /// Reads to the end, and agrees.
    fn agrees(&mut self) -> Ticket {
        self.keys("PgDn");
        self.looks();
        self.passes(500);
        let wanted = self.keys("Tab Enter");
        let [Effect::Agree(ticket)] = wanted[..] else { panic!("{wanted:?}") };
        ticket
    }

    /// The vault kept it; what that leads to.
    fn is_kept(&mut self, ticket: Ticket) -> Vec<Effect> {
        self.tell(Msg::LinesAgreed { ticket, result: Ok(()) })
    }

    fn has_details(&mut self) -> Withdrawal {
        let one = unknown(7, 1_000, &self.now);
        self.has_open(vec![one.clone()]);
        self.has_in_front(one.clone());
        one
    }
}

#[test]
fn the_page_comes_before_the_review_and_is_read_to_its_end() {
    let mut counter = Counter::with_file(STOLEN);
    assert_eq!(counter.types_and_submits(), vec![]);
    assert_eq!(counter.reading().purpose, Purpose::Review);
    assert_eq!(counter.reading().changes.len(), 6);

    // Half of it was seen: there is no button to go to, and Enter presses the harmless one.
    counter.passes(60_000);
    counter.keys("Tab");
    assert!((counter.reading().buttons.focus == Focus::Back) && !counter.reading().is_read);
    counter.keys("PgDn");
    assert!(!counter.reading().is_read, "no frame had its end yet");
    counter.looks();
    assert!(counter.reading().is_read);
    // Whoever scrolls and presses in one breath has read nothing: half a second from that frame on.
    counter.passes(499 - FOCUS_MS);
    assert_eq!(counter.keys("Tab Enter"), vec![]);
    counter.passes(1);
    let wanted = counter.keys("Enter");
    let [Effect::Agree(ticket)] = wanted[..] else { panic!("{wanted:?}") };
    assert_eq!(counter.keys("Enter Enter"), vec![], "it is being kept");

    let wanted = counter.is_kept(ticket);
    let [Effect::LookUpPast(agreement)] = &wanted[..] else { panic!("{wanted:?}") };
    assert!(agreement.body.starts_with(r#"{"amount":1000,"#), "{}", agreement.body);
    assert_eq!(counter.review().agreement.key, agreement.key);
}

#[test]
fn the_harmless_button_and_the_way_back_lead_to_the_form_and_the_page_comes_again() {
    let mut counter = Counter::with_file(STOLEN);
    counter.types_and_submits();
    for way in ["Enter", "Esc"] {
        assert_eq!(counter.keys(way), vec![]);
        counter.draft();
        assert_eq!(counter.keys("Ctrl-S"), vec![]);
        assert!(!counter.reading().is_read, "it is read anew");
    }
}

#[test]
fn what_was_jumped_over_was_not_read() {
    let mut counter = Counter::with_file(STOLEN);
    counter.has_long_page(25);
    counter.types_and_submits();
    counter.keys("End");
    assert_eq!(counter.model.scroll, 25);
    assert!(!counter.reading().is_read);
    counter.keys("Home PgDn PgDn");
    assert!(!counter.reading().is_read);
    counter.keys("End");
    counter.looks();
    assert!(counter.reading().is_read);
}

#[test]
fn a_burst_of_keys_between_two_frames_reads_nothing_and_agrees_to_nothing() {
    let mut counter = Counter::with_file(STOLEN);
    counter.has_long_page(25);
    counter.types_and_submits();
    // The first page was drawn; nothing is drawn while these are heard.
    counter.eye = Some(counter.frame(2_000_000, 0));
    counter.keys("PgDn PgDn PgDn PgDn");
    assert_eq!(counter.model.scroll, 25);
    assert!(!counter.reading().is_read, "nobody saw what lies between");
    counter.keys("Home");
    for n in 1..4 {
        counter.eye = Some(counter.frame(2_000_000 + n, 0));
        counter.keys("PgDn");
    }
    counter.eye = Some(counter.frame(2_000_004, 0));
    counter.looks();
    assert!(counter.reading().is_read);
    // The focus was not seen on the button.
    counter.passes(60_000);
    assert_eq!(counter.keys("Tab Enter"), vec![]);
    counter.eye = Some(counter.frame(2_000_005, counter.now.boot_ms));
    counter.passes(149);
    assert_eq!(counter.keys("Enter"), vec![]);
    counter.passes(1);
    assert!(matches!(counter.keys("Enter")[..], [Effect::Agree(_)]));
}

#[test]
fn nothing_is_read_in_a_window_that_shows_nothing_of_it() {
    let mut counter = Counter::with_file(STOLEN);
    counter.laid_out = Box::new(|_| (Shown::ALL, Overflow::default()));
    counter.types_and_submits();
    assert!(!counter.reading().is_read);
    counter.tell(Msg::Input(Input::Resize(Size { columns: 45, rows: 13 })));
    counter.has_long_page(0);
    counter.looks();
    assert!(!counter.reading().is_read);
    counter.tell(Msg::Input(Input::Resize(Size { columns: 46, rows: 14 })));
    counter.looks();
    assert!(counter.reading().is_read, "a page that has room is read when it is there");
}

#[test]
fn another_size_and_a_paste_make_the_button_dead_again() {
    let mut counter = Counter::with_file(STOLEN);
    counter.types_and_submits();
    counter.keys("PgDn");
    counter.passes(500);
    counter.keys("Tab");
    counter.pastes("\n");
    assert_eq!(counter.keys("Enter"), vec![]);
    counter.passes(500);
    counter.tell(Msg::Input(Input::Resize(Size { columns: 60, rows: 20 })));
    assert_eq!(counter.keys("Enter"), vec![]);
    counter.passes(500);
    assert!(matches!(counter.keys("Enter")[..], [Effect::Agree(_)]));
}

#[test]
fn what_was_half_read_begins_again_in_another_size() {
    let mut counter = Counter::with_file(STOLEN);
    counter.has_long_page(25);
    counter.types_and_submits();
    counter.keys("PgDn PgDn");
    counter.tell(Msg::Input(Input::Resize(Size { columns: 60, rows: 20 })));
    assert_eq!(counter.model.scroll, 0);
    counter.keys("End");
    assert!(!counter.reading().is_read);
}

#[test]
fn what_is_not_kept_leads_nowhere_and_says_so() {
    let mut counter = Counter::with_file(STOLEN);
    counter.types_and_submits();
    let ticket = counter.agrees();
    let result = Err(VaultTrouble::Locked);
    assert_eq!(counter.tell(Msg::LinesAgreed { ticket, result }), vec![]);
    assert_eq!(counter.reading().trouble, Some(VaultTrouble::Locked));
    assert!((counter.reading().buttons.focus == Focus::Back) && counter.reading().wait.is_none());
    assert_eq!(counter.model.agreed_lines, None);
    // It was read: trying again is one key press, after a moment.
    counter.passes(500);
    assert!(matches!(counter.keys("Tab Enter")[..], [Effect::Agree(_)]));
}

#[test]
fn an_agreement_whose_waiting_was_left_goes_nowhere_by_itself() {
    let mut counter = Counter::with_file(STOLEN);
    counter.types_and_submits();
    let ticket = counter.agrees();
    assert_eq!(counter.keys("Esc"), vec![Effect::Cancel(ticket)]);
    assert!(counter.reading().wait.is_none());
    // It was kept all the same: there is nothing to agree to any more, and no review opens.
    assert_eq!(counter.is_kept(ticket), vec![]);
    counter.draft();
    assert!(matches!(counter.keys("Ctrl-S")[..], [Effect::LookUpPast(_)]));
}

#[test]
fn a_resend_needs_it_too_and_agreeing_sends_nothing() {
    let mut counter = Counter::with_file(OTHER);
    let one = counter.has_details();
    assert_eq!(counter.keys("s"), vec![]);
    assert_eq!(counter.reading().purpose, Purpose::Resend);
    let ticket = counter.agrees();
    assert_eq!(counter.is_kept(ticket), vec![]);
    assert!(matches!(counter.top(), Layer::Withdrawal(_)));
    assert_eq!(counter.model.notice, Some(Notice::LinesAgreed));
    let wait = counter.model.setup.window.resend_after;
    assert!(!wait.is_zero(), "what was agreed to says how long the attempt before is waited for");
    assert_eq!(counter.keys("s"), vec![]);
    counter.passes(wait.as_millis() as u64);
    assert_eq!(counter.resends(), vec![Effect::Attempt(one.agreement.key)]);
}

#[test]
fn looking_and_deciding_need_no_agreement() {
    let mut counter = Counter::with_file(OTHER);
    counter.has_details();
    counter.keys("c");
    assert!(matches!(counter.top(), Layer::Guide(_)));
    counter.keys("Esc f");
    assert!(matches!(counter.top(), Layer::Dialog(_)));
}

#[test]
fn what_the_vault_knows_to_be_agreed_to_is_not_asked_again() {
    let mut counter = Counter::with_file(STOLEN);
    counter.tell(Msg::LinesRead(Ok(Some(lines(STOLEN)))));
    assert!(matches!(counter.types_and_submits()[..], [Effect::LookUpPast(_)]));
}

#[test]
fn one_label_that_changed_since_then_is_asked_for_and_nothing_else() {
    let mut counter = Counter::with_file(&format!("{STOLEN}field.key.label.pt-BR = 'Chave'\n"));
    counter.tell(Msg::LinesRead(Ok(Some(lines(STOLEN)))));
    assert_eq!(counter.types_and_submits(), vec![]);
    let names: Vec<_> = counter.reading().changes.iter().map(|c| c.name.shown()).collect();
    assert_eq!(names, ["withdrawal.field.key.label.pt-BR"]);
}

#[test]
fn an_upgrade_that_changed_a_line_of_the_programs_own_asks_too() {
    // The program before this one had another line there.
    let mut counter = Counter::open();
    counter.tell(Msg::LinesRead(Ok(Some(lines("withdrawal.echo_amount = ['/value']")))));
    assert_eq!(counter.types_and_submits(), vec![]);
    let changes = &counter.reading().changes;
    assert_eq!((changes.len(), &*changes[0].name.shown()), (1, "withdrawal.echo_amount"));
    assert_eq!(changes[0].old.as_ref().unwrap().shown(), "[\"/value\"]");
}

#[test]
fn the_programs_own_contract_and_the_demos_are_agreed_to_by_nobody() {
    let demo = ("demo.toml", "confirmed = ['withdrawal.echo_amount']\nwithdrawal.status = []");
    for contract in [Contract::built_in(), Contract::own(&[demo]).unwrap()] {
        let mut counter = Counter::with_contract(contract);
        counter.log_in();
        counter.tell(Msg::LinesRead(Err(VaultTrouble::Locked)));
        assert!(matches!(counter.types_and_submits()[..], [Effect::LookUpPast(_)]));
    }
}

#[test]
fn what_is_heard_while_the_page_is_read_changes_the_page_or_takes_it_away() {
    let mut counter = Counter::with_file(STOLEN);
    counter.types_and_submits();
    counter.keys("PgDn");
    assert!(!counter.reading().is_read, "no frame had its end yet");
    counter.looks();
    assert!(counter.reading().is_read);
    // Other lines were agreed to, in another window: the page says other things now.
    counter.tell(Msg::LinesRead(Ok(Some(lines(OTHER)))));
    assert_eq!(counter.reading().changes.len(), 7);
    assert!(!counter.reading().is_read);
    assert_eq!(counter.model.scroll, 0);
    counter.tell(Msg::LinesRead(Ok(Some(lines(STOLEN)))));
    counter.draft();
}

#[test]
fn states_and_windows_follow_what_was_agreed_to() {
    let file = "[withdrawal]\nretention_seconds = 7200\nretention_source = 'https://x'";
    let short = "withdrawal.retention_seconds = 120";
    let mut counter = Counter::with_file(file);
    let seconds = |counter: &Counter| counter.model.setup.window.retention.as_secs();
    assert_eq!(seconds(&counter), 600);
    for (agreed, retention) in [(Some(short), 120), (None, 600), (Some(file), 7_200)] {
        counter.tell(Msg::LinesRead(Ok(agreed.map(lines))));
        assert_eq!(seconds(&counter), retention);
    }
    counter.tell(Msg::LinesRead(Err(VaultTrouble::Hangs)));
    assert_eq!(seconds(&counter), 600, "what cannot be read is nothing agreed to");
    counter.types_and_submits();
    let ticket = counter.agrees();
    counter.is_kept(ticket);
    assert_eq!(seconds(&counter), 7_200);
}

#[test]
fn the_account_pane_shows_the_lines_and_nothing_can_be_agreed_to_there() {
    let mut counter = Counter::with_file(STOLEN);
    counter.keys("6 C");
    assert_eq!(counter.reading().purpose, Purpose::Look);
    counter.keys("PgDn");
    counter.passes(1_000);
    assert_eq!(counter.keys("Tab Enter"), vec![]);
    counter.keys("Esc");
    // They are still to be seen when they are agreed to.
    counter.tell(Msg::LinesRead(Ok(Some(lines(STOLEN)))));
    counter.keys("C");
    assert_eq!(counter.reading().changes.len(), 6);
    let mut counter = Counter::open();
    counter.keys("6 C");
    assert!(counter.model.layers.is_empty(), "the program's own contract has no such page");
}

#[test]
fn lines_that_nobody_can_read_have_no_button() {
    let file = format!("withdrawal.field.key.label.en = '{}'", "x".repeat(2_000));
    let mut counter = Counter::with_file(&file);
    counter.types_and_submits();
    counter.keys("PgDn");
    counter.passes(500);
    assert_eq!(counter.keys("Tab Enter"), vec![]);
    assert!(!counter.model.layers.iter().any(|layer| layer.screen().wait().is_some()));
}

#[test]
fn a_wire_that_refuses_has_the_vault_asked_again() {
    let mut counter = Counter::open();
    let withdrawal = counter.sends("10010");
    let withdrawal = attempted(&withdrawal, &counter.now, Class::NotSent(NotSent::NotAgreed));
    let wanted = counter.tell(Msg::Settled(Box::new(withdrawal)));
    assert!(matches!(wanted[..], [Effect::ReadLines, Effect::LoadWithdrawals(_)]), "{wanted:?}");
    counter.tell(Msg::LinesRead(Ok(Some(lines(OTHER)))));
    assert_eq!(counter.keys("s"), vec![]);
    assert_eq!(counter.reading().purpose, Purpose::Resend);
}
