//! Tests of the service's origin: no password is sent to an origin to which the seller has not
//! agreed, and the login page names the origin that the profile used before.

use super::*;
use crate::app::chrome::page as layout_page;
use crate::app::screens::login::LoginForm;
use crate::app::ui::PageItem;
use crate::contract::{AgreedAtStart, ContractSettings, Preset};

const THIEF: &str = "https://api.ladrao.example";
const BEFORE: &str = "https://api.loja.example";

fn origin(text: &str) -> Origin {
    Origin(text.into())
}

/// The built-in contract, or this preset, at the thief's origin.
fn contract(preset: Option<&str>) -> Contract {
    let preset = preset.map(|name| Preset::named(name).unwrap());
    let files: Vec<_> = preset
        .iter()
        .map(|preset| (preset.file, preset.text))
        .collect();
    Contract::with(&files).unwrap().with_base_url(THIEF)
}

impl App {
    /// Creates an app whose profile has this origin. Nothing has been read yet.
    fn at(at: &str) -> App {
        let mut app = App::new();
        app.model.setup.origin = origin(at);
        app.model.setup.base_url = at.into();
        app
    }

    /// Creates an app with this contract at the thief's origin. The seller has not logged in, and
    /// has agreed to these settings.
    fn at_thief(contract: Contract, agreed: Option<ContractSettings>) -> App {
        let mut app = App::at(THIEF);
        app.model.setup.contract = contract.into();
        app.load_empty_lists();
        app.deliver(Msg::ConsentRead(Ok(agreed)));
        assert_eq!(app.read_empty_vault(), vec![]);
        app
    }

    fn read_empty_vault(&mut self) -> Vec<Effect> {
        let vault_status = VaultStatus::Kept(VaultKind::Keyring);
        let api_token = Credential::Absent;
        let jwt = Credential::Absent;
        self.deliver(Msg::CredentialsRead {
            vault_status,
            api_token,
            jwt,
        })
    }

    /// Fills in the open login form and submits it. Returns the effects.
    fn submit_login(&mut self) -> Vec<Effect> {
        self.type_text(SELLER);
        self.deliver(Msg::SecretEdited {
            slot: "login/password".into(),
            len: 8,
        });
        self.press("Ctrl-S")
    }

    fn login_form(&self) -> &LoginForm {
        match self.top() {
            Layer::Login(form) => form,
            other => panic!("{other:?}"),
        }
    }

    /// The text of the whole screen.
    fn text(&self) -> String {
        let mut rows = vec![String::new(); usize::from(self.model.size.rows)];
        for item in layout_page(&self.model, self.model.size).items {
            let PageItem::Lines(lines, area) = item else {
                continue;
            };
            for (line, y) in lines.iter().zip(usize::from(area.y)..) {
                let text: String = line.spans.iter().map(|span| &*span.text).collect();
                rows[y].push_str(&text);
            }
        }
        rows.join("\n")
    }
}

/// A payment link that was created at this origin.
fn link_at(at: &str) -> PaymentLink {
    let mut link = link("https://loja.example/p/1");
    link.request.account.origin = origin(at);
    link
}

fn is_login(effects: &[Effect]) -> bool {
    matches!(effects, [Effect::LogIn { .. }])
}

#[test]
fn origin_without_agreement_opens_page_before_login() {
    let mut app = App::at_thief(contract(None), None);
    app.model.setup.logins = [origin(BEFORE)].into();
    for keys in ["6", "Esc 6 L", "Esc 1 n", "Esc 3 n"] {
        let effects = app.press(keys);
        assert!(
            !effects
                .iter()
                .any(|effect| matches!(effect, Effect::LogIn { .. }))
        );
        let Layer::Consent(page) = app.top() else {
            panic!("{:?}", app.top())
        };
        assert!(page.is_pending && page.lines.len() == 1 && page.lines[0].is_base_url());
    }
    // The page names the earlier origin beside the new one.
    let Layer::Consent(page) = app.top() else {
        panic!()
    };
    let old = &page.lines[0].old;
    let new = &page.lines[0].new;
    let shown = |text: &Option<Untrusted>| text.as_ref().unwrap().shown();
    assert_eq!([shown(old), shown(new)], [BEFORE, THIEF]);
}

#[test]
fn agreed_or_typed_origin_opens_the_login() {
    let at_start = |agreed| contract(None).settings_agreed_at_start(agreed, &origin(THIEF));
    for agreed in [
        Some(contract(None).all_settings()),
        at_start(AgreedAtStart::BaseUrl),
    ] {
        let mut app = App::at_thief(contract(None), agreed);
        assert!(is_login(&app.submit_login()));
    }
}

#[test]
fn preset_that_was_added_opens_page_before_login() {
    let typed = contract(None).settings_agreed_at_start(AgreedAtStart::BaseUrl, &origin(THIEF));
    let chosen = contract(Some("centavos"))
        .settings_agreed_at_start(AgreedAtStart::FirstRun, &origin(THIEF));
    let app = App::at_thief(contract(Some("centavos")), typed);
    let Layer::Consent(page) = app.top() else {
        panic!("{:?}", app.top())
    };
    assert!(
        page.lines
            .iter()
            .any(|line| line.name.shown() == "withdrawal.unit")
    );
    let mut app = App::at_thief(contract(Some("centavos")), chosen.clone());
    assert!(is_login(&app.submit_login()));
    // Another preset shows the difference.
    let app = App::at_thief(contract(Some("snake-case")), chosen);
    let Layer::Consent(page) = app.top() else {
        panic!("{:?}", app.top())
    };
    let unit = page
        .lines
        .iter()
        .find(|line| line.name.shown() == "withdrawal.unit")
        .unwrap();
    assert!(unit.changed_since_agreement && unit.old.as_ref().unwrap().shown() == "\"centavos\"");
}

#[test]
fn submitted_login_waits_for_vault_and_records() {
    let mut app = App::at(THIEF);
    app.press("6 L");
    assert_eq!(app.submit_login(), vec![]);
    assert_eq!(app.read_empty_vault(), vec![]);
    app.load_links(vec![]);
    assert!(app.login_form().submitted_ms.is_some() && app.text().contains("Consultando o cofre"));
    let ticket = app.model.next_ticket();
    app.model.charges.list.request_rows(ticket);
    let page = Ok(page_of(vec![]).into());
    assert_eq!(
        app.deliver(Msg::ChargesLoaded {
            ticket,
            result: page
        }),
        vec![]
    );
    assert!(is_login(&app.deliver_withdrawals(Ok(Snapshot::default()))));
}

#[test]
fn submitted_login_waits_two_seconds_for_records() {
    let mut app = App::at(THIEF);
    app.read_empty_vault();
    assert_eq!(app.submit_login(), vec![]);
    assert_eq!(app.press("Ctrl-S"), vec![], "the first submit counts");
    assert_eq!(app.pulse_after_ms(1_999), vec![]);
    assert!(is_login(&app.pulse_after_ms(1)));
    // An unread vault can still forbid the login, so it is always waited for.
    let mut app = App::at(THIEF);
    app.press("6 L");
    app.submit_login();
    assert_eq!(app.pulse_after_ms(60_000), vec![]);
    assert!(is_login(&app.read_empty_vault()));
}

#[test]
fn records_of_other_origin_stop_a_submitted_login() {
    let mut app = App::at(THIEF);
    app.read_empty_vault();
    assert_eq!(app.submit_login(), vec![]);
    app.load_links(vec![link_at(BEFORE)]);
    assert_eq!(app.pulse_after_ms(2_000), vec![]);
    let text = app.text();
    let row = |part: &str| {
        text.lines()
            .position(|line| line.contains(part))
            .expect(&text)
    };
    assert_eq!(row(BEFORE) + 1, row(&format!("Endereço agora    {THIEF}")));
    assert!(text.contains("O endereço do serviço mudou."), "{text}");
    // The seller has seen both origins, and decides.
    assert!(is_login(&app.press("Ctrl-S")));
}

#[test]
fn edited_form_is_not_submitted_later() {
    let mut app = App::at(THIEF);
    app.read_empty_vault();
    app.submit_login();
    app.type_text("x");
    app.load_empty_lists();
    assert!(app.login_form().sent.wait.is_none());
}

#[test]
fn only_an_origin_never_used_is_compared() {
    let withdrawal = |profile: &str| {
        let mut withdrawal = unknown_withdrawal(7, 100, &App::new().now);
        withdrawal.agreement.account.origin = origin(BEFORE);
        withdrawal.agreement.profile = profile.into();
        withdrawal
    };
    let other = OtherProfile {
        name: "outra".into(),
        origin: Some(origin(BEFORE)),
    };
    // For each case: earlier logins, links, the profile of a withdrawal, other profiles, and
    // whether the login page names the earlier origin.
    for (logins, links, profile, others, is_named) in [
        (vec![], vec![], None, vec![], false),
        (vec![BEFORE], vec![], None, vec![], true),
        (vec![BEFORE, THIEF], vec![], None, vec![], false),
        (vec![], vec![BEFORE], None, vec![], true),
        (vec![], vec![BEFORE, THIEF], None, vec![], false),
        (vec![], vec![BEFORE], None, vec![other.clone()], false),
        (vec![BEFORE], vec![], None, vec![other], true),
        (vec![], vec![], Some("default"), vec![], true),
        (vec![], vec![], Some("outra"), vec![], false),
    ] {
        let mut app = App::at(THIEF);
        app.model.setup.logins = logins.iter().map(|at| origin(at)).collect();
        app.model.setup.others = others.into();
        app.load_empty_lists();
        app.load_links(links.iter().map(|at| link_at(at)).collect());
        let rows: Vec<_> = profile.into_iter().map(withdrawal).collect();
        app.deliver_withdrawals(Ok(Snapshot {
            page: page_of(rows),
            ..Snapshot::default()
        }));
        app.read_empty_vault();
        let text = app.text();
        assert_eq!(
            text.contains("Endereço antes"),
            is_named,
            "{logins:?} {links:?} {profile:?}"
        );
    }
}

#[test]
fn header_shows_host_until_a_login_has_succeeded() {
    let first_row = |app: &App| app.text().lines().next().unwrap().to_owned();
    let mut app = App::at(THIEF);
    app.load_empty_lists();
    app.read_empty_vault();
    assert!(first_row(&app).contains("balcão · loja da ana · api.ladrao.example"));
    app.model.setup.title = "x".repeat(200).into();
    assert!(
        first_row(&app).contains("… · api.ladrao.example"),
        "{}",
        first_row(&app)
    );
    app.model.setup.title = "loja da ana".into();
    app.submit_login();
    let ticket = app.last_ticket();
    let credentials = vec![(CredentialKind::ApiToken, credential(SELLER))];
    app.deliver(Msg::LoggedIn {
        ticket,
        result: Ok(credentials),
    });
    assert!(!first_row(&app).contains("ladrao"), "{}", first_row(&app));
    // Logging out changes nothing: the service behind the title is known.
    app.deliver(Msg::LoggedOut(Ok(())));
    assert!(!first_row(&app).contains("ladrao"), "{}", first_row(&app));
}
