//! Tests of consent. An API contract file can change which requests the app sends, so the seller
//! must read its settings and agree before anything is sent.

use super::*;
use crate::app::MoneyCommand::Attempt;
use crate::app::message::TaughtContract;
use crate::app::screens::consent::ConsentPage;
use crate::contract::{ContractLines, SettingValue, TaughtLine};

/// A malicious API contract file: the login request sends an attacker's e-mail address, and sends
/// the password in another field.
const STOLEN: &str = "confirmed = ['login.token']
[login]
body = ['email', 'password', 'thief']
field.email.name = 'contact'
field.password.name = 'memo'
field.thief = { name = 'email', kind = 'fixed', default = 'ladrao@mal.example' }
";
const HARMLESS: &str = "withdrawal.field.key.label.en = 'Key'";

fn contract(text: &str) -> Contract {
    Contract::with(&[("loja.toml", text)]).unwrap()
}
fn lines(text: &str) -> ContractLines {
    contract(text).lines()
}
impl App {
    /// Creates an app that uses this API contract file and has read the vault.
    fn with_file(text: &str) -> App {
        let mut app = App::with_contract(contract(text));
        app.answers(held(SELLER));
        app
    }

    /// Delivers the vault's contents: this API token, and no agreement to any API contract.
    fn answers(&mut self, api_token: Credential) -> Vec<Effect> {
        self.tell(Msg::ConsentRead(Ok(None)));
        let vault_status = VaultStatus::Kept(VaultKind::Keyring);
        self.tell(Msg::CredentialsRead { vault_status, api_token, jwt: held("seller-1") })
    }

    fn has_long_page(&mut self, lines: u16) {
        self.laid_out = Box::new(move |_| (Shown::ALL, Overflow { lines, page: 10 }));
    }

    fn page(&self) -> &ConsentPage {
        match self.top() {
            Layer::Consent(page) => page,
            other => panic!("no lines but {other:?}"),
        }
    }

    fn has_page(&self) -> bool {
        matches!(self.model.layers.last(), Some(Layer::Consent(_)))
    }

    /// Scrolls the consent page to its end and agrees.
    fn agrees(&mut self) -> Ticket {
        self.keys("PgDn");
        self.renders_frame();
        self.passes(500);
        let wanted = self.keys("Tab Enter");
        let [Effect::Agree(ticket)] = wanted[..] else { panic!("{wanted:?}") };
        ticket
    }
    /// Reports that the agreement is stored in the vault, and returns the resulting effects.
    fn is_stored(&mut self, ticket: Ticket) -> Vec<Effect> {
        self.tell(Msg::ConsentStored { ticket, result: Ok(()) })
    }

    fn has_details(&mut self) -> Withdrawal {
        let one = unknown(7, 1_000, &self.now);
        self.has_open(vec![one.clone()]);
        self.shows_details(one.clone());
        one
    }
}

fn is_request(effect: &Effect) -> bool {
    use Effect::*;
    let is_sent = matches!(effect, MakeLink { .. } | MakeCharge { .. } | Money(Attempt { .. }));
    is_sent || matches!(effect, LogIn { .. } | ListDomains(_) | Quote { .. })
}

#[test]
fn session_lists_domains_only_after_agreement() {
    let mut app = App::with_contract(contract(STOLEN));
    assert_eq!(app.answers(held(SELLER)), vec![]);
    assert_eq!(app.page().lines.len(), 6);
    let ticket = app.agrees();
    let wanted = app.is_stored(ticket);
    assert!(matches!(wanted[..], [Effect::ListDomains(_)]), "{wanted:?}");
    assert!(app.model.layers.is_empty());
    assert_eq!(app.model.notice, Some(Notice::good("said-consent-stored")));
}

#[test]
fn login_opens_only_after_agreement() {
    let mut app = App::with_contract(contract(STOLEN));
    assert_eq!(app.answers(Credential::Absent), vec![]);
    assert!(app.has_page());
    // The seller may close the consent page and browse, but the page opens again before any form.
    app.keys("Esc");
    assert!(app.model.layers.is_empty());
    app.keys("6 L");
    assert!(app.has_page());
    let ticket = app.agrees();
    // The JWT is already stored, so the domains are loaded.
    assert!(matches!(app.is_stored(ticket)[..], [Effect::ListDomains(_)]));
    assert!(matches!(app.top(), Layer::Login(_)));
    app.types("ana@loja.example");
    app.tell(Msg::SecretEdited { slot: "login/password".into(), len: 8 });
    assert!(matches!(app.keys("Ctrl-S")[..], [Effect::LogIn { .. }]));
}

#[test]
fn forms_that_send_open_only_after_agreement() {
    for keys in ["1 n", "3 n", "4 n"] {
        let mut app = App::with_file(HARMLESS);
        app.keys("Esc");
        assert_eq!(app.keys(keys).iter().find(|effect| is_request(effect)), None);
        assert!(app.has_page(), "{keys}");
        let ticket = app.agrees();
        app.is_stored(ticket);
        let is_form = app.top().screen().form().is_some();
        assert!(is_form, "{keys}: {:?}", app.top());
    }
    let mut app = App::with_file(HARMLESS);
    assert_eq!(app.keys("Esc 2 r"), vec![]);
    assert!(app.has_page());
}

#[test]
fn vault_that_has_not_answered_opens_no_page() {
    let mut app = App::with_contract(contract(STOLEN));
    app.keys("1 n");
    assert!(matches!(app.top(), Layer::NewLink(_)));
    // The form opened before the vault was read, so the consent page opens above the form.
    app.answers(held(SELLER));
    assert!(app.has_page());
    let ticket = app.agrees();
    app.is_stored(ticket);
    assert!(matches!(app.top(), Layer::NewLink(_)));
}

#[test]
fn page_is_read_to_its_end_before_it_is_agreed_to() {
    let mut app = App::with_file(STOLEN);
    // Only the first half of the page has been visible, so the agree button cannot get the focus.
    app.passes(60_000);
    app.keys("Tab");
    assert!((app.page().buttons.focus == Focus::Back) && !app.page().is_read);
    app.keys("PgDn");
    assert!(!app.page().is_read, "no frame had its end yet");
    app.renders_frame();
    assert!(app.page().is_read);
    // The button is enabled half a second after the last line became visible.
    app.passes(499 - FOCUS_MS);
    assert_eq!(app.keys("Tab Enter"), vec![]);
    app.passes(1);
    let wanted = app.keys("Enter");
    assert!(matches!(wanted[..], [Effect::Agree(_)]), "{wanted:?}");
    assert_eq!(app.keys("Enter Enter"), vec![], "it is being stored");
}

#[test]
fn page_that_was_left_is_read_again_from_its_start() {
    let mut app = App::with_file(STOLEN);
    for way in ["Enter", "Esc"] {
        assert_eq!(app.keys(way), vec![]);
        assert!(!app.has_page());
        app.keys("3 n");
        assert!(!app.page().is_read);
    }
}

#[test]
fn lines_jumped_over_are_not_read() {
    let mut app = App::with_file(STOLEN);
    app.has_long_page(25);
    app.keys("End");
    assert_eq!(app.model.scroll, 25);
    assert!(!app.page().is_read);
    app.keys("Home PgDn PgDn");
    assert!(!app.page().is_read);
    app.keys("End");
    app.renders_frame();
    assert!(app.page().is_read);
}

#[test]
fn burst_of_keys_between_frames_reads_nothing() {
    let mut app = App::with_file(STOLEN);
    app.has_long_page(25);
    // No frame is rendered between these key presses.
    app.fixed_frame = Some(app.frame(2_000_000, 0));
    app.keys("PgDn PgDn PgDn PgDn");
    assert_eq!(app.model.scroll, 25);
    assert!(!app.page().is_read, "nobody saw what lies between");
    app.keys("Home");
    for n in 1..4 {
        app.fixed_frame = Some(app.frame(2_000_000 + n, 0));
        app.keys("PgDn");
    }
    app.fixed_frame = Some(app.frame(2_000_004, 0));
    app.renders_frame();
    assert!(app.page().is_read);
    // No frame has shown the focus on the button yet.
    app.passes(60_000);
    assert_eq!(app.keys("Tab Enter"), vec![]);
    app.fixed_frame = Some(app.frame(2_000_005, app.now.boot_ms));
    app.passes(149);
    assert_eq!(app.keys("Enter"), vec![]);
    app.passes(1);
    assert!(matches!(app.keys("Enter")[..], [Effect::Agree(_)]));
}

#[test]
fn window_that_shows_nothing_reads_nothing() {
    let mut app = App::with_contract(contract(STOLEN));
    app.laid_out = Box::new(|_| (Shown::ALL, Overflow::default()));
    app.answers(held(SELLER));
    assert!(!app.page().is_read);
    app.tell(Msg::Input(Input::Resize(Size { columns: 59, rows: 17 })));
    app.has_long_page(0);
    app.renders_frame();
    assert!(!app.page().is_read);
    app.tell(Msg::Input(Input::Resize(Size { columns: 60, rows: 18 })));
    app.renders_frame();
    assert!(app.page().is_read, "a page that has room is read when it is there");
}

#[test]
fn new_size_or_paste_makes_the_button_dead() {
    let mut app = App::with_file(STOLEN);
    app.keys("PgDn");
    app.passes(500);
    app.keys("Tab");
    app.pastes("\n");
    assert_eq!(app.keys("Enter"), vec![]);
    app.passes(500);
    app.tell(Msg::Input(Input::Resize(Size { columns: 60, rows: 20 })));
    assert_eq!(app.keys("Enter"), vec![]);
    app.passes(500);
    assert!(matches!(app.keys("Enter")[..], [Effect::Agree(_)]));
}

#[test]
fn half_read_page_begins_again_in_another_size() {
    let mut app = App::with_file(STOLEN);
    app.has_long_page(25);
    app.keys("PgDn PgDn");
    app.tell(Msg::Input(Input::Resize(Size { columns: 60, rows: 20 })));
    assert_eq!(app.model.scroll, 0);
    app.keys("End");
    assert!(!app.page().is_read);
}

#[test]
fn agreement_not_stored_leads_nowhere() {
    let mut app = App::with_file(STOLEN);
    let ticket = app.agrees();
    let result = Err(VaultTrouble::Locked);
    assert_eq!(app.tell(Msg::ConsentStored { ticket, result }), vec![]);
    assert_eq!(app.page().trouble, Some(VaultTrouble::Locked));
    assert!((app.page().buttons.focus == Focus::Back) && app.page().wait.is_none());
    assert_eq!(app.model.agreed_lines, None);
    // The page still counts as read, so pressing the button again is enough.
    app.passes(500);
    assert!(matches!(app.keys("Tab Enter")[..], [Effect::Agree(_)]));
}

#[test]
fn without_a_vault_the_seller_may_choose_memory() {
    let mut app = App::with_contract(contract(STOLEN));
    let vault_status = VaultStatus::Trouble(VaultTrouble::Absent);
    let (api_token, jwt) = (Credential::Absent, Credential::Absent);
    app.tell(Msg::CredentialsRead { vault_status, api_token: api_token.clone(), jwt: jwt.clone() });
    app.keys("PgDn");
    app.renders_frame();
    app.passes(500);
    assert_eq!(app.keys("Tab Enter"), vec![]);
    assert!(matches!(app.top(), Layer::Dialog(ask) if ask.question == Question::UseMemory));
    app.passes(500);
    assert_eq!(app.keys("Tab Enter"), vec![Effect::UseMemory]);
    let vault_status = VaultStatus::Kept(VaultKind::Memory);
    app.tell(Msg::ConsentRead(Ok(None)));
    app.tell(Msg::CredentialsRead { vault_status, api_token, jwt });
    // The seller read the page before the vault's dialog opened, so it still counts as read.
    assert!(app.page().is_read);
    app.passes(500);
    assert!(matches!(app.keys("Enter")[..], [Effect::Agree(_)]));
}

#[test]
fn agreement_whose_wait_was_left_opens_no_form() {
    let mut app = App::with_file(STOLEN);
    let ticket = app.agrees();
    assert_eq!(app.keys("Esc"), vec![Effect::Cancel(ticket)]);
    assert!(app.page().wait.is_none());
    // The agreement was stored before the cancellation took effect, so the page closes.
    assert!(matches!(app.is_stored(ticket)[..], [Effect::ListDomains(_)]));
    assert!(app.model.layers.is_empty());
    app.keys("3 n");
    app.draft();
}

#[test]
fn resend_needs_agreement_and_agreeing_sends_nothing() {
    let mut app = App::with_file(HARMLESS);
    let one = app.has_details();
    app.passes(app.model.setup.window.resend_after.as_millis() as u64);
    assert_eq!(app.keys("s"), vec![]);
    let ticket = app.agrees();
    let wanted = app.is_stored(ticket);
    assert!(matches!(wanted[..], [Effect::ListDomains(_)]), "{wanted:?}");
    assert!(matches!(app.top(), Layer::Withdrawal(_)));
    assert_eq!(app.model.notice, Some(Notice::good("said-consent-stored")));
    assert_eq!(app.resends(), attempt(one.agreement.key));
}

#[test]
fn looking_and_deciding_need_no_agreement() {
    let mut app = App::with_file(HARMLESS);
    app.has_details();
    app.keys("c");
    assert!(matches!(app.top(), Layer::Guide(_)));
    app.keys("Esc f");
    assert!(matches!(app.top(), Layer::Dialog(_)));
}

#[test]
fn lines_agreed_to_in_the_vault_are_not_asked_again() {
    let mut app = App::with_contract(contract(STOLEN));
    app.tell(Msg::ConsentRead(Ok(Some(lines(STOLEN)))));
    app.log_in();
    assert!(app.model.layers.is_empty());
    app.types_withdrawal("1000");
    app.is_quoted();
    app.submits();
}

#[test]
fn line_changed_since_then_comes_first_and_is_marked() {
    let file = format!("error.hint = []\n{STOLEN}token_header = 'X-Token'\n");
    let mut app = App::with_contract(contract(&file));
    app.tell(Msg::ConsentRead(Ok(Some(lines(&format!("error.hint = []\n{STOLEN}"))))));
    assert_eq!(app.model.layers.len(), 0, "the vault is still asked for the rest");
    let vault_status = VaultStatus::Kept(VaultKind::Keyring);
    let (api_token, jwt) = (held(SELLER), held("seller-1"));
    app.tell(Msg::CredentialsRead { vault_status, api_token, jwt });
    let page = app.page();
    let news: Vec<_> = page.lines.iter().filter(|line| line.changed_since_agreement).collect();
    assert_eq!((news.len(), &*news[0].name.shown()), (1, "login.token_header"));
    assert!(page.lines[0].changed_since_agreement && page.lines.len() == 8, "{:?}", page.lines);
}

#[test]
fn upgrade_that_changed_a_built_in_line_asks_again() {
    // The stored agreement is from an older version with another value of this built-in setting.
    let mut app = App::open();
    app.tell(Msg::ConsentRead(Ok(Some(lines("withdrawal.echo_amount = ['/value']")))));
    let changes = &app.page().lines;
    assert_eq!((changes.len(), &*changes[0].name.shown()), (1, "withdrawal.echo_amount"));
    assert_eq!(changes[0].old.as_ref().unwrap().shown(), "[\"/value\"]");
}

#[test]
fn built_in_and_demo_contracts_open_no_page() {
    let demo = ("demo.toml", "confirmed = ['withdrawal.echo_amount']\nwithdrawal.status = []");
    for contract in [Contract::built_in(), Contract::own(&[demo]).unwrap()] {
        let mut app = App::with_contract(contract);
        app.log_in();
        app.tell(Msg::ConsentRead(Err(VaultTrouble::Locked)));
        app.types_withdrawal("1000");
        app.is_quoted();
        app.submits();
    }
}

#[test]
fn page_follows_what_was_agreed_to_elsewhere() {
    let mut app = App::with_file(STOLEN);
    app.keys("PgDn");
    app.renders_frame();
    assert!(app.page().is_read);
    // The seller agreed to other settings in another instance of the program, so the page must be
    // read again.
    app.tell(Msg::ConsentRead(Ok(Some(lines(HARMLESS)))));
    assert_eq!(app.page().lines.len(), 7);
    assert!(!app.page().is_read);
    assert_eq!(app.model.scroll, 0);
    app.tell(Msg::ConsentRead(Ok(Some(lines(STOLEN)))));
    assert!(app.model.layers.is_empty());
}

#[test]
fn windows_follow_what_was_agreed_to() {
    let file = "[withdrawal]\nretention_seconds = 7200\nretention_source = 'https://x'";
    let short = "withdrawal.retention_seconds = 120";
    let mut app = App::with_file(file);
    let seconds = |app: &App| app.model.setup.window.retention.as_secs();
    assert_eq!(seconds(&app), 600);
    for (agreed, retention) in [(Some(short), 120), (None, 600), (Some(file), 7_200)] {
        app.tell(Msg::ConsentRead(Ok(agreed.map(lines))));
        assert_eq!(seconds(&app), retention);
    }
    app.tell(Msg::ConsentRead(Err(VaultTrouble::Hangs)));
    assert_eq!(seconds(&app), 600, "what cannot be read is nothing agreed to");
    let ticket = app.agrees();
    app.is_stored(ticket);
    assert_eq!(seconds(&app), 7_200);
}

#[test]
fn account_pane_shows_lines_agreed_to() {
    let mut app = App::with_contract(contract(STOLEN));
    app.tell(Msg::ConsentRead(Ok(Some(lines(STOLEN)))));
    app.log_in();
    app.keys("6 C");
    assert!(!app.page().is_pending && app.page().lines.len() == 6);
    app.keys("PgDn");
    app.passes(1_000);
    assert_eq!(app.keys("Tab Enter"), vec![]);
    let mut app = App::open();
    app.keys("6 C");
    assert!(app.model.layers.is_empty(), "the program's own contract has no such page");
}

#[test]
fn lines_too_long_to_read_have_no_button() {
    let file = format!("withdrawal.field.key.label.en = '{}'", "x".repeat(2_000));
    let mut app = App::with_file(&file);
    app.keys("PgDn");
    app.passes(500);
    assert_eq!(app.keys("Tab Enter"), vec![]);
    assert!(!app.model.layers.iter().any(|layer| layer.screen().wait().is_some()));
}

#[test]
fn refusal_of_the_client_reads_the_consent_again() {
    let not_agreed = || Failure::NotSent(NotSent::NotAgreed);
    let reads = |wanted: &[Effect]| wanted.contains(&Effect::ReadConsent);
    let mut app = App::open();
    let withdrawal = app.sends("10010");
    let withdrawal = attempted(&withdrawal, &app.now, Class::NotSent(NotSent::NotAgreed));
    assert!(reads(&app.tell(Msg::Settled(Box::new(withdrawal)))));
    let ticket = app.ticket();
    for refused in [
        Msg::LoggedIn { ticket, result: Err(not_agreed()) },
        Msg::DomainsListed { ticket, result: Err(not_agreed()) },
        Msg::LinkMade { ticket, result: Err(not_agreed()) },
        Msg::ChargeMade { ticket, result: Err(not_agreed()) },
        Msg::Quoted { ticket, result: Err(NoQuote::Failure(not_agreed())) },
    ] {
        assert!(reads(&app.tell(refused)));
    }
    // The consent page opens as soon as the vault has been read.
    app.tell(Msg::ConsentRead(Ok(Some(lines(HARMLESS)))));
    assert!(app.has_page());
}

#[test]
fn quote_is_asked_again_after_agreement() {
    let mut app = App::open();
    app.types_withdrawal("1000");
    let asked = app.rests(300);
    let [Effect::Quote { ticket, .. }] = asked[..] else { panic!("{asked:?}") };
    let not_agreed = NoQuote::Failure(Failure::NotSent(NotSent::NotAgreed));
    app.tell(Msg::Quoted { ticket, result: Err(not_agreed) });
    app.tell(Msg::ConsentRead(Ok(Some(lines(HARMLESS)))));
    let ticket = app.agrees();
    app.is_stored(ticket);
    app.draft();
    app.is_quoted();
}

#[test]
fn lines_that_are_taught_are_agreed_to() {
    let value = SettingValue::Texts(vec!["/sobra".into()]);
    let net = [TaughtLine { name: "fee_preview.net".into(), value }];
    for (text, agreed, is_asked) in
        [("", None, false), (STOLEN, Some(STOLEN), false), (STOLEN, None, true)]
    {
        let mut app = App::with_contract(contract(text));
        app.tell(Msg::ConsentRead(Ok(agreed.map(lines))));
        let before = app.model.setup.contract.clone();
        let agreed = Some(before.agreed_by_teaching(agreed.map(lines).as_ref(), &net));
        let contract = Arc::new(before.taught(&net).unwrap());
        let result = Ok(TaughtContract { contract, agreed, file: None });
        app.tell(Msg::Taught { ticket: Ticket(1), result });
        app.log_in();
        assert_eq!(app.has_page(), is_asked, "{text}");
        if is_asked {
            let is_taught = |line: &&crate::contract::LineChange| line.name.shown() == net[0].name;
            assert!(!app.page().lines.iter().find(is_taught).unwrap().changed_since_agreement);
        }
    }
}
