//! Tests of consent: nothing is sent until the seller has read the contract lines and agreed to
//! them.

use super::*;
use crate::app::MoneyCommand::Attempt;
use crate::app::message::TaughtContract;
use crate::app::screens::consent::ConsentPage;
use crate::contract::{ContractLines, SettingValue, TaughtLine};

/// A malicious contract file. With it, the login sends the attacker's e-mail address, and sends the
/// password in another field.
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
impl Counter {
    /// Creates an app that uses this contract file and has received the vault's reply.
    fn with_file(text: &str) -> Counter {
        let mut counter = Counter::with_contract(contract(text));
        counter.answers(held(SELLER));
        counter
    }

    /// Delivers the vault's reply: it contains this API token, and the seller has not agreed to any
    /// contract lines.
    fn answers(&mut self, api_token: Credential) -> Vec<Effect> {
        self.tell(Msg::ConsentRead(Ok(None)));
        let keeper = Keeper::Kept(VaultKind::Keyring);
        self.tell(Msg::CredentialsRead { keeper, api_token, jwt: held("seller-1") })
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

    /// Reads the consent page to its end and agrees.
    fn agrees(&mut self) -> Ticket {
        self.keys("PgDn");
        self.looks();
        self.passes(500);
        let wanted = self.keys("Tab Enter");
        let [Effect::Agree(ticket)] = wanted[..] else { panic!("{wanted:?}") };
        ticket
    }
    /// Delivers the vault's reply that the agreement is stored. Returns the resulting effects.
    fn is_stored(&mut self, ticket: Ticket) -> Vec<Effect> {
        self.tell(Msg::ConsentStored { ticket, result: Ok(()) })
    }

    fn has_details(&mut self) -> Withdrawal {
        let one = unknown(7, 1_000, &self.now);
        self.has_open(vec![one.clone()]);
        self.has_in_front(one.clone());
        one
    }
}

fn is_request(effect: &Effect) -> bool {
    use Effect::*;
    let is_sent = matches!(effect, MakeLink { .. } | MakeCharge { .. } | Money(Attempt(_)));
    is_sent || matches!(effect, LogIn { .. } | ListDomains(_) | Quote { .. })
}

#[test]
fn session_lists_domains_only_after_agreement() {
    let mut counter = Counter::with_contract(contract(STOLEN));
    assert_eq!(counter.answers(held(SELLER)), vec![]);
    assert_eq!(counter.page().lines.len(), 6);
    let ticket = counter.agrees();
    let wanted = counter.is_stored(ticket);
    assert!(matches!(wanted[..], [Effect::ListDomains(_)]), "{wanted:?}");
    assert!(counter.model.layers.is_empty());
    assert_eq!(counter.model.notice, Some(Notice::good("said-consent-stored")));
}

#[test]
fn login_opens_only_after_agreement() {
    let mut counter = Counter::with_contract(contract(STOLEN));
    assert_eq!(counter.answers(Credential::Absent), vec![]);
    assert!(counter.has_page());
    // The seller may close the consent page and look around, but the page opens again before a form
    // does.
    counter.keys("Esc");
    assert!(counter.model.layers.is_empty());
    counter.keys("6 L");
    assert!(counter.has_page());
    let ticket = counter.agrees();
    // The JWT is already stored, so the domains are loaded.
    assert!(matches!(counter.is_stored(ticket)[..], [Effect::ListDomains(_)]));
    assert!(matches!(counter.top(), Layer::Login(_)));
    counter.types("ana@loja.example");
    counter.tell(Msg::SecretEdited { slot: "login/password".into(), len: 8 });
    assert!(matches!(counter.keys("Ctrl-S")[..], [Effect::LogIn { .. }]));
}

#[test]
fn forms_that_send_open_only_after_agreement() {
    for keys in ["1 n", "3 n", "4 n"] {
        let mut counter = Counter::with_file(HARMLESS);
        counter.keys("Esc");
        assert_eq!(counter.keys(keys).iter().find(|effect| is_request(effect)), None);
        assert!(counter.has_page(), "{keys}");
        let ticket = counter.agrees();
        counter.is_stored(ticket);
        let is_form = counter.top().screen().form().is_some();
        assert!(is_form, "{keys}: {:?}", counter.top());
    }
    let mut counter = Counter::with_file(HARMLESS);
    assert_eq!(counter.keys("Esc 2 r"), vec![]);
    assert!(counter.has_page());
}

#[test]
fn vault_that_has_not_answered_opens_no_page() {
    let mut counter = Counter::with_contract(contract(STOLEN));
    counter.keys("1 n");
    assert!(matches!(counter.top(), Layer::NewLink(_)));
    // The form opened before the vault replied, so the consent page opens above the form.
    counter.answers(held(SELLER));
    assert!(counter.has_page());
    let ticket = counter.agrees();
    counter.is_stored(ticket);
    assert!(matches!(counter.top(), Layer::NewLink(_)));
}

#[test]
fn page_is_read_to_its_end_before_it_is_agreed_to() {
    let mut counter = Counter::with_file(STOLEN);
    // A frame showed only half of the page, so the button to agree cannot get the focus.
    counter.passes(60_000);
    counter.keys("Tab");
    assert!((counter.page().buttons.focus == Focus::Back) && !counter.page().is_read);
    counter.keys("PgDn");
    assert!(!counter.page().is_read, "no frame had its end yet");
    counter.looks();
    assert!(counter.page().is_read);
    // The button is enabled half a second after the frame that showed the last line.
    counter.passes(499 - FOCUS_MS);
    assert_eq!(counter.keys("Tab Enter"), vec![]);
    counter.passes(1);
    let wanted = counter.keys("Enter");
    assert!(matches!(wanted[..], [Effect::Agree(_)]), "{wanted:?}");
    assert_eq!(counter.keys("Enter Enter"), vec![], "it is being stored");
}

#[test]
fn page_that_was_left_is_read_again_from_its_start() {
    let mut counter = Counter::with_file(STOLEN);
    for way in ["Enter", "Esc"] {
        assert_eq!(counter.keys(way), vec![]);
        assert!(!counter.has_page());
        counter.keys("3 n");
        assert!(!counter.page().is_read);
    }
}

#[test]
fn lines_jumped_over_are_not_read() {
    let mut counter = Counter::with_file(STOLEN);
    counter.has_long_page(25);
    counter.keys("End");
    assert_eq!(counter.model.scroll, 25);
    assert!(!counter.page().is_read);
    counter.keys("Home PgDn PgDn");
    assert!(!counter.page().is_read);
    counter.keys("End");
    counter.looks();
    assert!(counter.page().is_read);
}

#[test]
fn burst_of_keys_between_frames_reads_nothing() {
    let mut counter = Counter::with_file(STOLEN);
    counter.has_long_page(25);
    // All these keys arrive between the same two frames.
    counter.eye = Some(counter.frame(2_000_000, 0));
    counter.keys("PgDn PgDn PgDn PgDn");
    assert_eq!(counter.model.scroll, 25);
    assert!(!counter.page().is_read, "nobody saw what lies between");
    counter.keys("Home");
    for n in 1..4 {
        counter.eye = Some(counter.frame(2_000_000 + n, 0));
        counter.keys("PgDn");
    }
    counter.eye = Some(counter.frame(2_000_004, 0));
    counter.looks();
    assert!(counter.page().is_read);
    // No frame has shown the focus on the button yet.
    counter.passes(60_000);
    assert_eq!(counter.keys("Tab Enter"), vec![]);
    counter.eye = Some(counter.frame(2_000_005, counter.now.boot_ms));
    counter.passes(149);
    assert_eq!(counter.keys("Enter"), vec![]);
    counter.passes(1);
    assert!(matches!(counter.keys("Enter")[..], [Effect::Agree(_)]));
}

#[test]
fn window_that_shows_nothing_reads_nothing() {
    let mut counter = Counter::with_contract(contract(STOLEN));
    counter.laid_out = Box::new(|_| (Shown::ALL, Overflow::default()));
    counter.answers(held(SELLER));
    assert!(!counter.page().is_read);
    counter.tell(Msg::Input(Input::Resize(Size { columns: 59, rows: 17 })));
    counter.has_long_page(0);
    counter.looks();
    assert!(!counter.page().is_read);
    counter.tell(Msg::Input(Input::Resize(Size { columns: 60, rows: 18 })));
    counter.looks();
    assert!(counter.page().is_read, "a page that has room is read when it is there");
}

#[test]
fn new_size_or_paste_makes_the_button_dead() {
    let mut counter = Counter::with_file(STOLEN);
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
fn half_read_page_begins_again_in_another_size() {
    let mut counter = Counter::with_file(STOLEN);
    counter.has_long_page(25);
    counter.keys("PgDn PgDn");
    counter.tell(Msg::Input(Input::Resize(Size { columns: 60, rows: 20 })));
    assert_eq!(counter.model.scroll, 0);
    counter.keys("End");
    assert!(!counter.page().is_read);
}

#[test]
fn agreement_not_stored_leads_nowhere() {
    let mut counter = Counter::with_file(STOLEN);
    let ticket = counter.agrees();
    let result = Err(VaultTrouble::Locked);
    assert_eq!(counter.tell(Msg::ConsentStored { ticket, result }), vec![]);
    assert_eq!(counter.page().trouble, Some(VaultTrouble::Locked));
    assert!((counter.page().buttons.focus == Focus::Back) && counter.page().wait.is_none());
    assert_eq!(counter.model.agreed_lines, None);
    // The page still counts as read, so a second try needs only the button.
    counter.passes(500);
    assert!(matches!(counter.keys("Tab Enter")[..], [Effect::Agree(_)]));
}

#[test]
fn without_a_vault_the_seller_may_choose_memory() {
    let mut counter = Counter::with_contract(contract(STOLEN));
    let keeper = Keeper::Trouble(VaultTrouble::Absent);
    let (api_token, jwt) = (Credential::Absent, Credential::Absent);
    counter.tell(Msg::CredentialsRead { keeper, api_token: api_token.clone(), jwt: jwt.clone() });
    counter.keys("PgDn");
    counter.looks();
    counter.passes(500);
    assert_eq!(counter.keys("Tab Enter"), vec![]);
    assert!(matches!(counter.top(), Layer::Dialog(ask) if ask.question == Question::UseMemory));
    counter.passes(500);
    assert_eq!(counter.keys("Tab Enter"), vec![Effect::UseMemory]);
    let keeper = Keeper::Kept(VaultKind::Memory);
    counter.tell(Msg::ConsentRead(Ok(None)));
    counter.tell(Msg::CredentialsRead { keeper, api_token, jwt });
    // The page was read before the question about the vault, so it still counts as read.
    assert!(counter.page().is_read);
    counter.passes(500);
    assert!(matches!(counter.keys("Enter")[..], [Effect::Agree(_)]));
}

#[test]
fn agreement_whose_wait_was_left_opens_no_form() {
    let mut counter = Counter::with_file(STOLEN);
    let ticket = counter.agrees();
    assert_eq!(counter.keys("Esc"), vec![Effect::Cancel(ticket)]);
    assert!(counter.page().wait.is_none());
    // The agreement was stored although the request was cancelled, so the page closes.
    assert!(matches!(counter.is_stored(ticket)[..], [Effect::ListDomains(_)]));
    assert!(counter.model.layers.is_empty());
    counter.keys("3 n");
    counter.draft();
}

#[test]
fn resend_needs_agreement_and_agreeing_sends_nothing() {
    let mut counter = Counter::with_file(HARMLESS);
    let one = counter.has_details();
    counter.passes(counter.model.setup.window.resend_after.as_millis() as u64);
    assert_eq!(counter.keys("s"), vec![]);
    let ticket = counter.agrees();
    let wanted = counter.is_stored(ticket);
    assert!(matches!(wanted[..], [Effect::ListDomains(_)]), "{wanted:?}");
    assert!(matches!(counter.top(), Layer::Withdrawal(_)));
    assert_eq!(counter.model.notice, Some(Notice::good("said-consent-stored")));
    assert_eq!(counter.resends(), attempt(one.agreement.key));
}

#[test]
fn looking_and_deciding_need_no_agreement() {
    let mut counter = Counter::with_file(HARMLESS);
    counter.has_details();
    counter.keys("c");
    assert!(matches!(counter.top(), Layer::Guide(_)));
    counter.keys("Esc f");
    assert!(matches!(counter.top(), Layer::Dialog(_)));
}

#[test]
fn lines_agreed_to_in_the_vault_are_not_asked_again() {
    let mut counter = Counter::with_contract(contract(STOLEN));
    counter.tell(Msg::ConsentRead(Ok(Some(lines(STOLEN)))));
    counter.log_in();
    assert!(counter.model.layers.is_empty());
    counter.types_withdrawal("1000");
    counter.is_quoted();
    counter.submits();
}

#[test]
fn line_changed_since_then_comes_first_and_is_marked() {
    let file = format!("error.hint = []\n{STOLEN}token_header = 'X-Token'\n");
    let mut counter = Counter::with_contract(contract(&file));
    counter.tell(Msg::ConsentRead(Ok(Some(lines(&format!("error.hint = []\n{STOLEN}"))))));
    assert_eq!(counter.model.layers.len(), 0, "the vault is still asked for the rest");
    let keeper = Keeper::Kept(VaultKind::Keyring);
    let (api_token, jwt) = (held(SELLER), held("seller-1"));
    counter.tell(Msg::CredentialsRead { keeper, api_token, jwt });
    let page = counter.page();
    let news: Vec<_> = page.lines.iter().filter(|line| line.is_news).collect();
    assert_eq!((news.len(), &*news[0].name.shown()), (1, "login.token_header"));
    assert!(page.lines[0].is_news && page.lines.len() == 8, "{:?}", page.lines);
}

#[test]
fn upgrade_that_changed_a_built_in_line_asks_again() {
    // The agreement was made with an older version of the app, which had another built-in line.
    let mut counter = Counter::open();
    counter.tell(Msg::ConsentRead(Ok(Some(lines("withdrawal.echo_amount = ['/value']")))));
    let changes = &counter.page().lines;
    assert_eq!((changes.len(), &*changes[0].name.shown()), (1, "withdrawal.echo_amount"));
    assert_eq!(changes[0].old.as_ref().unwrap().shown(), "[\"/value\"]");
}

#[test]
fn built_in_and_demo_contracts_open_no_page() {
    let demo = ("demo.toml", "confirmed = ['withdrawal.echo_amount']\nwithdrawal.status = []");
    for contract in [Contract::built_in(), Contract::own(&[demo]).unwrap()] {
        let mut counter = Counter::with_contract(contract);
        counter.log_in();
        counter.tell(Msg::ConsentRead(Err(VaultTrouble::Locked)));
        counter.types_withdrawal("1000");
        counter.is_quoted();
        counter.submits();
    }
}

#[test]
fn page_follows_what_was_agreed_to_elsewhere() {
    let mut counter = Counter::with_file(STOLEN);
    counter.keys("PgDn");
    counter.looks();
    assert!(counter.page().is_read);
    // The seller agreed to other lines in another window, so the page changes and must be read
    // again.
    counter.tell(Msg::ConsentRead(Ok(Some(lines(HARMLESS)))));
    assert_eq!(counter.page().lines.len(), 7);
    assert!(!counter.page().is_read);
    assert_eq!(counter.model.scroll, 0);
    counter.tell(Msg::ConsentRead(Ok(Some(lines(STOLEN)))));
    assert!(counter.model.layers.is_empty());
}

#[test]
fn windows_follow_what_was_agreed_to() {
    let file = "[withdrawal]\nretention_seconds = 7200\nretention_source = 'https://x'";
    let short = "withdrawal.retention_seconds = 120";
    let mut counter = Counter::with_file(file);
    let seconds = |counter: &Counter| counter.model.setup.window.retention.as_secs();
    assert_eq!(seconds(&counter), 600);
    for (agreed, retention) in [(Some(short), 120), (None, 600), (Some(file), 7_200)] {
        counter.tell(Msg::ConsentRead(Ok(agreed.map(lines))));
        assert_eq!(seconds(&counter), retention);
    }
    counter.tell(Msg::ConsentRead(Err(VaultTrouble::Hangs)));
    assert_eq!(seconds(&counter), 600, "what cannot be read is nothing agreed to");
    let ticket = counter.agrees();
    counter.is_stored(ticket);
    assert_eq!(seconds(&counter), 7_200);
}

#[test]
fn account_pane_shows_lines_agreed_to() {
    let mut counter = Counter::with_contract(contract(STOLEN));
    counter.tell(Msg::ConsentRead(Ok(Some(lines(STOLEN)))));
    counter.log_in();
    counter.keys("6 C");
    assert!(!counter.page().is_pending && counter.page().lines.len() == 6);
    counter.keys("PgDn");
    counter.passes(1_000);
    assert_eq!(counter.keys("Tab Enter"), vec![]);
    let mut counter = Counter::open();
    counter.keys("6 C");
    assert!(counter.model.layers.is_empty(), "the program's own contract has no such page");
}

#[test]
fn lines_too_long_to_read_have_no_button() {
    let file = format!("withdrawal.field.key.label.en = '{}'", "x".repeat(2_000));
    let mut counter = Counter::with_file(&file);
    counter.keys("PgDn");
    counter.passes(500);
    assert_eq!(counter.keys("Tab Enter"), vec![]);
    assert!(!counter.model.layers.iter().any(|layer| layer.screen().wait().is_some()));
}

#[test]
fn refusal_of_the_client_reads_the_consent_again() {
    let not_agreed = || Failure::NotSent(NotSent::NotAgreed);
    let reads = |wanted: &[Effect]| wanted.contains(&Effect::ReadConsent);
    let mut counter = Counter::open();
    let withdrawal = counter.sends("10010");
    let withdrawal = attempted(&withdrawal, &counter.now, Class::NotSent(NotSent::NotAgreed));
    assert!(reads(&counter.tell(Msg::Settled(Box::new(withdrawal)))));
    let ticket = counter.ticket();
    for refused in [
        Msg::LoggedIn { ticket, result: Err(not_agreed()) },
        Msg::DomainsListed { ticket, result: Err(not_agreed()) },
        Msg::LinkMade { ticket, result: Err(not_agreed()) },
        Msg::ChargeMade { ticket, result: Err(not_agreed()) },
        Msg::Quoted { ticket, result: Err(NoQuote::Failure(not_agreed())) },
    ] {
        assert!(reads(&counter.tell(refused)));
    }
    // The consent page opens once the vault has replied.
    counter.tell(Msg::ConsentRead(Ok(Some(lines(HARMLESS)))));
    assert!(counter.has_page());
}

#[test]
fn quote_is_asked_again_after_agreement() {
    let mut counter = Counter::open();
    counter.types_withdrawal("1000");
    let asked = counter.rests(300);
    let [Effect::Quote { ticket, .. }] = asked[..] else { panic!("{asked:?}") };
    let not_agreed = NoQuote::Failure(Failure::NotSent(NotSent::NotAgreed));
    counter.tell(Msg::Quoted { ticket, result: Err(not_agreed) });
    counter.tell(Msg::ConsentRead(Ok(Some(lines(HARMLESS)))));
    let ticket = counter.agrees();
    counter.is_stored(ticket);
    counter.draft();
    counter.is_quoted();
}

#[test]
fn lines_that_are_taught_are_agreed_to() {
    let value = SettingValue::Texts(vec!["/sobra".into()]);
    let net = [TaughtLine { name: "fee_preview.net".into(), value }];
    for (text, agreed, is_asked) in
        [("", None, false), (STOLEN, Some(STOLEN), false), (STOLEN, None, true)]
    {
        let mut counter = Counter::with_contract(contract(text));
        counter.tell(Msg::ConsentRead(Ok(agreed.map(lines))));
        let before = counter.model.setup.contract.clone();
        let agreed = Some(before.agreed_by_teaching(agreed.map(lines).as_ref(), &net));
        let contract = Arc::new(before.taught(&net).unwrap());
        let result = Ok(TaughtContract { contract, agreed, file: None });
        counter.tell(Msg::Taught { ticket: Ticket(1), result });
        counter.log_in();
        assert_eq!(counter.has_page(), is_asked, "{text}");
        if is_asked {
            let is_taught = |line: &&crate::contract::LineChange| line.name.shown() == net[0].name;
            assert!(!counter.page().lines.iter().find(is_taught).unwrap().is_news);
        }
    }
}
