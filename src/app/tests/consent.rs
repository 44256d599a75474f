//! Tests of consent. An API contract file can change which requests the app sends, so the seller
//! must read its settings and agree before anything is sent.

mod agreement;

use super::*;
use crate::app::MoneyCommand::Attempt;
use crate::app::message::TaughtContract;
use crate::app::screens::consent::ConsentPage;
use crate::contract::{ContractSettings, SettingValue, TaughtSetting};

/// A malicious contract file: its login sends an attacker's address, and renames the password.
const MALICIOUS: &str = "confirmed = ['login.token']
[login]
body = ['email', 'password', 'thief']
field.email.name = 'contact'
field.password.name = 'memo'
field.thief = { name = 'email', kind = 'fixed', default = 'ladrao@mal.example' }
";
pub(super) const HARMLESS: &str = "withdrawal.field.key.label.en = 'Key'";

fn contract(text: &str) -> Contract {
    Contract::with(&[("loja.toml", text)]).unwrap()
}
fn lines(text: &str) -> ContractSettings {
    contract(text).all_settings()
}
impl App {
    pub(super) fn with_file(text: &str) -> App {
        let mut app = App::with_contract(contract(text));
        app.deliver_vault(credential(SELLER));
        app
    }

    /// Delivers the vault's contents: this API token, and no consent to any API contract.
    fn deliver_vault(&mut self, api_token: Credential) -> Vec<Effect> {
        self.load_empty_lists();
        self.deliver(Msg::ConsentRead(Ok(None)));
        let vault_status = VaultStatus::Kept(VaultKind::Keyring);
        self.deliver(Msg::CredentialsRead {
            vault_status,
            api_token,
            jwt: credential("seller-1"),
        })
    }

    fn set_page_overflow(&mut self, lines: u16) {
        self.text_layout = Box::new(move |_| (VisibleLines::ALL, Overflow { lines, page: 10 }));
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

    fn agree(&mut self) -> Ticket {
        self.press("PgDn");
        self.render_frame();
        self.advance_ms(QUIET_MS);
        let effects = self.press("Tab Enter");
        let [Effect::Agree(ticket)] = effects[..] else {
            panic!("{effects:?}")
        };
        ticket
    }
    fn store_consent(&mut self, ticket: Ticket) -> Vec<Effect> {
        self.deliver(Msg::ConsentStored {
            ticket,
            result: Ok(()),
        })
    }

    fn open_details_of_unknown(&mut self) -> Withdrawal {
        let withdrawal = unknown_withdrawal(7, 1_000, &self.now);
        self.load_open_withdrawals(vec![withdrawal.clone()]);
        self.open_details(withdrawal.clone());
        withdrawal
    }
}

fn is_request(effect: &Effect) -> bool {
    use Effect::*;
    let is_sent = matches!(
        effect,
        MakeLink { .. } | MakeCharge { .. } | Money(Attempt { .. })
    );
    is_sent || matches!(effect, LogIn { .. } | ListDomains(_) | Quote { .. })
}

#[test]
fn session_lists_domains_only_after_agreement() {
    let mut app = App::with_contract(contract(MALICIOUS));
    assert_eq!(app.deliver_vault(credential(SELLER)), vec![]);
    assert_eq!(app.page().lines.len(), 6);
    let ticket = app.agree();
    let effects = app.store_consent(ticket);
    assert!(
        matches!(effects[..], [Effect::ListDomains(_)]),
        "{effects:?}"
    );
    assert!(app.model.layers.is_empty());
    assert_eq!(app.model.notice, Some(Notice::good("said-consent-stored")));
}

#[test]
fn login_opens_only_after_agreement() {
    let mut app = App::with_contract(contract(MALICIOUS));
    assert_eq!(app.deliver_vault(Credential::Absent), vec![]);
    assert!(app.has_page());
    // The seller may close the consent page and browse, but the page opens again before any form.
    app.press("Esc 6 L");
    assert!(app.has_page());
    let ticket = app.agree();
    // The JWT is already stored, so the domains are loaded.
    assert!(matches!(
        app.store_consent(ticket)[..],
        [Effect::ListDomains(_)]
    ));
    assert!(matches!(app.top(), Layer::Login(_)));
    app.type_text("ana@loja.example");
    app.deliver(Msg::SecretEdited {
        slot: "login/password".into(),
        len: 8,
    });
    assert!(matches!(app.press("Ctrl-S")[..], [Effect::LogIn { .. }]));
}

#[test]
fn forms_that_send_open_only_after_agreement() {
    for keys in ["1 n", "3 n", "4 n"] {
        let mut app = App::with_file(HARMLESS);
        app.press("Esc");
        assert_eq!(
            app.press(keys).iter().find(|effect| is_request(effect)),
            None
        );
        assert!(app.has_page(), "{keys}");
        let ticket = app.agree();
        app.store_consent(ticket);
        let is_form = app.top().screen().form().is_some();
        assert!(is_form, "{keys}: {:?}", app.top());
    }
    let mut app = App::with_file(HARMLESS);
    assert_eq!(app.press("Esc 2 r"), vec![]);
    assert!(app.has_page());
}

#[test]
fn unread_vault_opens_no_page() {
    let mut app = App::with_contract(contract(MALICIOUS));
    app.press("1 n");
    assert!(matches!(app.top(), Layer::NewLink(_)));
    // The form opened before the vault was read, so the consent page opens above the form.
    app.deliver_vault(credential(SELLER));
    assert!(app.has_page());
    let ticket = app.agree();
    app.store_consent(ticket);
    assert!(matches!(app.top(), Layer::NewLink(_)));
}

#[test]
fn page_must_be_read_to_its_end_before_agreeing() {
    let mut app = App::with_file(MALICIOUS);
    // Only the first half of the page has been visible, so the agree button cannot get the focus.
    app.advance_ms(60_000);
    app.press("Tab");
    assert!((app.page().buttons.focus == Focus::Back) && !app.page().is_read);
    app.press("PgDn");
    assert!(!app.page().is_read, "no frame had its end yet");
    app.render_frame();
    assert!(app.page().is_read);
    // The button is enabled half a second after the last line became visible.
    app.advance_ms(499 - FOCUS_MS);
    assert_eq!(app.press("Tab Enter"), vec![]);
    app.advance_ms(1);
    let effects = app.press("Enter");
    assert!(matches!(effects[..], [Effect::Agree(_)]), "{effects:?}");
    assert_eq!(app.press("Enter Enter"), vec![], "it is being stored");
}

#[test]
fn closed_page_is_read_again_from_start() {
    let mut app = App::with_file(MALICIOUS);
    for way in ["Enter", "Esc"] {
        assert_eq!(app.press(way), vec![]);
        assert!(!app.has_page());
        app.press("3 n");
        assert!(!app.page().is_read);
    }
}

#[test]
fn skipped_lines_are_not_read() {
    let mut app = App::with_file(MALICIOUS);
    app.set_page_overflow(25);
    app.press("End");
    assert_eq!(app.model.scroll, 25);
    assert!(!app.page().is_read);
    app.press("Home PgDn PgDn");
    assert!(!app.page().is_read);
    app.press("End");
    app.render_frame();
    assert!(app.page().is_read);
}

#[test]
fn burst_of_keys_between_frames_reads_nothing() {
    let mut app = App::with_file(MALICIOUS);
    app.set_page_overflow(25);
    app.fixed_frame = Some(app.snapshot_frame(2_000_000, 0));
    app.press("PgDn PgDn PgDn PgDn");
    assert_eq!(app.model.scroll, 25);
    assert!(!app.page().is_read, "nobody saw what lies between");
    app.press("Home");
    for n in 1..4 {
        app.fixed_frame = Some(app.snapshot_frame(2_000_000 + n, 0));
        app.press("PgDn");
    }
    app.fixed_frame = Some(app.snapshot_frame(2_000_004, 0));
    app.render_frame();
    assert!(app.page().is_read);
    // No frame has shown the focus on the button yet.
    app.advance_ms(60_000);
    assert_eq!(app.press("Tab Enter"), vec![]);
    app.fixed_frame = Some(app.snapshot_frame(2_000_005, app.now.boot_ms));
    app.advance_ms(149);
    assert_eq!(app.press("Enter"), vec![]);
    app.advance_ms(1);
    assert!(matches!(app.press("Enter")[..], [Effect::Agree(_)]));
}

#[test]
fn window_that_shows_nothing_reads_nothing() {
    let mut app = App::with_contract(contract(MALICIOUS));
    app.text_layout = Box::new(|_| (VisibleLines::ALL, Overflow::default()));
    app.deliver_vault(credential(SELLER));
    assert!(!app.page().is_read);
    app.deliver(Msg::Input(Input::Resize(Size {
        columns: 59,
        rows: 17,
    })));
    app.set_page_overflow(0);
    app.render_frame();
    assert!(!app.page().is_read);
    app.deliver(Msg::Input(Input::Resize(Size {
        columns: 60,
        rows: 18,
    })));
    app.render_frame();
    assert!(
        app.page().is_read,
        "a page that has room is read when it is there"
    );
}

#[test]
fn resize_or_paste_disables_button() {
    let mut app = App::with_file(MALICIOUS);
    app.press("PgDn");
    app.advance_ms(500);
    app.press("Tab");
    app.paste("\n");
    assert_eq!(app.press("Enter"), vec![]);
    app.advance_ms(500);
    app.deliver(Msg::Input(Input::Resize(Size {
        columns: 60,
        rows: 20,
    })));
    assert_eq!(app.press("Enter"), vec![]);
    app.advance_ms(500);
    assert!(matches!(app.press("Enter")[..], [Effect::Agree(_)]));
}

#[test]
fn half_read_page_starts_over_after_resize() {
    let mut app = App::with_file(MALICIOUS);
    app.set_page_overflow(25);
    app.press("PgDn PgDn");
    app.deliver(Msg::Input(Input::Resize(Size {
        columns: 60,
        rows: 20,
    })));
    assert_eq!(app.model.scroll, 0);
    app.press("End");
    assert!(!app.page().is_read);
}

#[test]
fn agreement_not_stored_leads_nowhere() {
    let mut app = App::with_file(MALICIOUS);
    let ticket = app.agree();
    let result = Err(VaultTrouble::Locked);
    assert_eq!(app.deliver(Msg::ConsentStored { ticket, result }), vec![]);
    assert_eq!(app.page().trouble, Some(VaultTrouble::Locked));
    assert!((app.page().buttons.focus == Focus::Back) && app.page().wait.is_none());
    assert_eq!(app.model.agreed_settings, None);
    // The page still counts as read, so pressing the button again is enough.
    app.advance_ms(500);
    assert!(matches!(app.press("Tab Enter")[..], [Effect::Agree(_)]));
}

#[test]
fn without_a_vault_the_seller_may_choose_memory() {
    let mut app = App::with_contract(contract(MALICIOUS));
    let vault_status = VaultStatus::Trouble(VaultTrouble::Absent);
    let api_token = Credential::Absent;
    let jwt = Credential::Absent;
    app.deliver(Msg::CredentialsRead {
        vault_status,
        api_token: api_token.clone(),
        jwt: jwt.clone(),
    });
    app.press("PgDn");
    app.render_frame();
    app.advance_ms(500);
    assert_eq!(app.press("Tab Enter"), vec![]);
    assert!(matches!(app.top(), Layer::Dialog(ask) if ask.question == Question::UseMemory));
    app.advance_ms(500);
    assert_eq!(app.press("Tab Enter"), vec![Effect::UseMemory]);
    let vault_status = VaultStatus::Kept(VaultKind::Memory);
    app.deliver(Msg::ConsentRead(Ok(None)));
    app.deliver(Msg::CredentialsRead {
        vault_status,
        api_token,
        jwt,
    });
    // The seller read the page before the vault's dialog opened, so it still counts as read.
    assert!(app.page().is_read);
    app.advance_ms(500);
    assert!(matches!(app.press("Enter")[..], [Effect::Agree(_)]));
}

#[test]
fn cancelled_agreement_wait_opens_no_form() {
    let mut app = App::with_file(MALICIOUS);
    let ticket = app.agree();
    assert_eq!(app.press("Esc"), vec![Effect::Cancel(ticket)]);
    assert!(app.page().wait.is_none());
    // The vault stored the agreement before the request was cancelled, so the page closes.
    assert!(matches!(
        app.store_consent(ticket)[..],
        [Effect::ListDomains(_)]
    ));
    assert!(app.model.layers.is_empty());
    app.press("3 n");
    app.draft();
}

#[test]
fn resend_needs_agreement_and_agreeing_sends_nothing() {
    let mut app = App::with_file(HARMLESS);
    let withdrawal = app.open_details_of_unknown();
    app.advance_ms(app.model.setup.window.resend_after.as_millis() as u64);
    assert_eq!(app.press("s"), vec![]);
    let ticket = app.agree();
    let effects = app.store_consent(ticket);
    assert!(
        matches!(effects[..], [Effect::ListDomains(_)]),
        "{effects:?}"
    );
    assert!(matches!(app.top(), Layer::Withdrawal(_)));
    assert_eq!(app.model.notice, Some(Notice::good("said-consent-stored")));
    assert_eq!(app.resend(), attempt_effects(withdrawal.agreement.key));
}

#[test]
fn looking_and_deciding_need_no_agreement() {
    let mut app = App::with_file(HARMLESS);
    app.open_details_of_unknown();
    app.press("c");
    assert!(matches!(app.top(), Layer::Guide(_)));
    app.press("Esc f");
    assert!(matches!(app.top(), Layer::Dialog(_)));
}

#[test]
fn stored_agreement_is_not_requested_again() {
    let mut app = App::with_contract(contract(MALICIOUS));
    app.deliver(Msg::ConsentRead(Ok(Some(lines(MALICIOUS)))));
    app.log_in();
    assert!(app.model.layers.is_empty());
    app.fill_withdrawal_form("1000");
    app.deliver_quote();
    app.submit_form();
}

#[test]
fn line_changed_since_agreement_is_first_and_marked() {
    let file = format!("error.hint = []\n{MALICIOUS}token_header = 'X-Token'\n");
    let mut app = App::with_contract(contract(&file));
    app.deliver(Msg::ConsentRead(Ok(Some(lines(&format!(
        "error.hint = []\n{MALICIOUS}"
    ))))));
    assert_eq!(
        app.model.layers.len(),
        0,
        "the vault is still asked for the rest"
    );
    let vault_status = VaultStatus::Kept(VaultKind::Keyring);
    let api_token = credential(SELLER);
    let jwt = credential("seller-1");
    app.deliver(Msg::CredentialsRead {
        vault_status,
        api_token,
        jwt,
    });
    let page = app.page();
    let changed: Vec<_> = page
        .lines
        .iter()
        .filter(|line| line.changed_since_agreement)
        .collect();
    assert_eq!(
        (changed.len(), &*changed[0].name.shown()),
        (1, "login.token_header")
    );
    assert!(
        page.lines[0].changed_since_agreement && page.lines.len() == 8,
        "{:?}",
        page.lines
    );
}

#[test]
fn upgrade_that_changed_a_built_in_line_asks_again() {
    // The stored consent is from an older version of the app, in which this built-in setting had
    // another value.
    let mut app = App::logged_in();
    app.deliver(Msg::ConsentRead(Ok(Some(lines(
        "withdrawal.echo_amount = ['/value']",
    )))));
    let changes = &app.page().lines;
    assert_eq!(
        (changes.len(), &*changes[0].name.shown()),
        (1, "withdrawal.echo_amount")
    );
    assert_eq!(changes[0].old.as_ref().unwrap().shown(), "[\"/value\"]");
}

#[test]
fn built_in_and_demo_contracts_open_no_page() {
    let demo = (
        "demo.toml",
        "confirmed = ['withdrawal.echo_amount']\nwithdrawal.status = []",
    );
    for contract in [
        Contract::built_in(),
        Contract::from_program_files(&[demo]).unwrap(),
    ] {
        let mut app = App::with_contract(contract);
        app.log_in();
        app.deliver(Msg::ConsentRead(Err(VaultTrouble::Locked)));
        app.fill_withdrawal_form("1000");
        app.deliver_quote();
        app.submit_form();
    }
}

#[test]
fn agreement_in_other_instance_changes_page() {
    let mut app = App::with_file(MALICIOUS);
    app.press("PgDn");
    app.render_frame();
    assert!(app.page().is_read);
    // The seller agreed to other settings in another instance, so the page must be read again.
    app.deliver(Msg::ConsentRead(Ok(Some(lines(HARMLESS)))));
    assert_eq!(app.page().lines.len(), 7);
    assert!(!app.page().is_read);
    assert_eq!(app.model.scroll, 0);
    app.deliver(Msg::ConsentRead(Ok(Some(lines(MALICIOUS)))));
    assert!(app.model.layers.is_empty());
}

#[test]
fn agreed_lines_set_resend_window() {
    let file = "[withdrawal]\nretention_seconds = 7200\nretention_source = 'https://x'";
    let short = "withdrawal.retention_seconds = 120";
    let mut app = App::with_file(file);
    let seconds = |app: &App| app.model.setup.window.retention.as_secs();
    assert_eq!(seconds(&app), 600);
    for (agreed, retention) in [(Some(short), 120), (None, 600), (Some(file), 7_200)] {
        app.deliver(Msg::ConsentRead(Ok(agreed.map(lines))));
        assert_eq!(seconds(&app), retention);
    }
    app.deliver(Msg::ConsentRead(Err(VaultTrouble::Hangs)));
    assert_eq!(
        seconds(&app),
        600,
        "what cannot be read is nothing agreed to"
    );
    let ticket = app.agree();
    app.store_consent(ticket);
    assert_eq!(seconds(&app), 7_200);
}

#[test]
fn account_pane_shows_agreed_lines() {
    let mut app = App::with_contract(contract(MALICIOUS));
    app.deliver(Msg::ConsentRead(Ok(Some(lines(MALICIOUS)))));
    app.log_in();
    app.press("6 C");
    assert!(!app.page().is_pending && app.page().lines.len() == 6);
    app.press("PgDn");
    app.advance_ms(1_000);
    assert_eq!(app.press("Tab Enter"), vec![]);
    let mut app = App::logged_in();
    app.press("6 C");
    assert!(
        app.model.layers.is_empty(),
        "the program's own contract has no such page"
    );
}

#[test]
fn lines_too_long_to_read_have_no_button() {
    let file = format!("withdrawal.field.key.label.en = '{}'", "x".repeat(2_000));
    let mut app = App::with_file(&file);
    app.press("PgDn");
    app.advance_ms(500);
    assert_eq!(app.press("Tab Enter"), vec![]);
    assert!(
        !app.model
            .layers
            .iter()
            .any(|layer| layer.screen().wait().is_some())
    );
}

#[test]
fn refusal_of_the_client_reads_the_consent_again() {
    let not_agreed = || Failure::NotSent(NotSent::NotAgreed);
    let reads = |effects: &[Effect]| effects.contains(&Effect::ReadConsent);
    let mut app = App::logged_in();
    let withdrawal = app.send_withdrawal("10010");
    let withdrawal = with_attempt(&withdrawal, &app.now, Class::NotSent(NotSent::NotAgreed));
    assert!(reads(&app.deliver(Msg::Settled(Box::new(withdrawal)))));
    let ticket = app.last_ticket();
    for refusal in [
        Msg::LoggedIn {
            ticket,
            result: Err(not_agreed()),
        },
        Msg::DomainsListed {
            ticket,
            result: Err(not_agreed()),
        },
        link_made(ticket, Err(not_agreed())),
        charge_made(ticket, Err(not_agreed())),
        Msg::Quoted {
            ticket,
            result: Err(NoQuote::Failure(not_agreed())),
        },
    ] {
        assert!(reads(&app.deliver(refusal)));
    }
    // The consent page opens as soon as the vault has been read.
    app.deliver(Msg::ConsentRead(Ok(Some(lines(HARMLESS)))));
    assert!(app.has_page());
}

#[test]
fn quote_is_requested_again_after_agreement() {
    let mut app = App::logged_in();
    app.fill_withdrawal_form("1000");
    let effects = app.pulse_after_ms(300);
    let [Effect::Quote { ticket, .. }] = effects[..] else {
        panic!("{effects:?}")
    };
    let not_agreed = NoQuote::Failure(Failure::NotSent(NotSent::NotAgreed));
    app.deliver(Msg::Quoted {
        ticket,
        result: Err(not_agreed),
    });
    app.deliver(Msg::ConsentRead(Ok(Some(lines(HARMLESS)))));
    let ticket = app.agree();
    app.store_consent(ticket);
    app.draft();
    app.deliver_quote();
}

#[test]
fn taught_lines_count_as_agreed() {
    let value = SettingValue::Texts(vec!["/sobra".into()]);
    let net = [TaughtSetting {
        name: "fee_preview.net".into(),
        value,
    }];
    for (text, agreed, is_asked) in [
        ("", None, false),
        (MALICIOUS, Some(MALICIOUS), false),
        (MALICIOUS, None, true),
    ] {
        let mut app = App::with_contract(contract(text));
        app.deliver(Msg::ConsentRead(Ok(agreed.map(lines))));
        let before = app.model.setup.contract.clone();
        let agreed = Some(before.agreed_after_teaching(agreed.map(lines).as_ref(), &net));
        let contract = Arc::new(before.with_taught(&net).unwrap());
        let result = Ok(TaughtContract {
            contract,
            agreed,
            file: None,
        });
        app.deliver(Msg::Taught {
            ticket: Ticket(1),
            result,
        });
        app.log_in();
        assert_eq!(app.has_page(), is_asked, "{text}");
        if is_asked {
            let is_taught =
                |line: &&crate::contract::SettingChange| line.name.shown() == net[0].name;
            assert!(
                !app.page()
                    .lines
                    .iter()
                    .find(is_taught)
                    .unwrap()
                    .changed_since_agreement
            );
        }
    }
}
