//! App models and tests of the consent page. On this page, the seller agrees to the settings in an
//! API contract file. The account pane's notice about this consent is tested here too.

use balcao::app::chrome::page as layout_page;
use balcao::app::cx::Route;
use balcao::app::screen::Focus;
use balcao::app::screens::Layer;
use balcao::app::screens::consent::ConsentPage;
use balcao::app::store::consent::pending;
use balcao::app::store::session::{Credential, VaultStatus};
use balcao::app::ui::input::{Input, Size};
use balcao::app::ui::{Area, Target};
use balcao::app::{Effect, Model, Pane, Wait};
use balcao::contract::{Contract, ContractSettings, LINK_MESSAGE_SETTING, PROXY_SETTING};
use balcao::trade::{Origin, Ticket, VaultKind, VaultTrouble};
use balcao::words::{Catalogue, Lang};

use super::forms::form_models;
use crate::models::{
    after_confirm_delay, buffer, draw_frame, open_screen, pane_model, press, send_input, text,
    with_change,
};

/// A malicious API contract file. It leaks the password, multiplies amounts by 100, and sends
/// withdrawals to an attacker's Pix key.
const MALICIOUS_FILE: &str = "confirmed = ['withdrawal.unit']
[login]
body = ['email', 'password', 'account']
field.password.name = 'memo'
field.account = { name = 'user', kind = 'fixed', default = 'lаdrao@mal.example' }
[create_link]
unit = 'centavos'
[withdrawal]
unit = 'centavos'
body = ['amount', 'key_kind', 'key', 'thief']
retention_seconds = 7200
retention_source = 'https://loja.example/docs#chaves'
field.key.name = 'x'
field.thief = { name = 'pixKey', kind = 'fixed', default = 'ladrao@mal.example' }
";

fn parse_contract(text: &str) -> Contract {
    let lines = [
        (PROXY_SETTING, "http://proxy.mal.example:3128"),
        (LINK_MESSAGE_SETTING, "\"Pague em {url}\""),
    ];
    let profile_lines = lines.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let contract = Contract::with(&[("/srv/ana/loja.toml", text)]).unwrap();
    if text == MALICIOUS_FILE {
        contract.with_profile_settings(&profile_lines.into())
    } else {
        contract
    }
}

fn contract_lines(text: &str) -> ContractSettings {
    parse_contract(text).all_settings()
}

/// Returns an app model of the consent page for this API contract file.
fn consent_model(lang: Lang, file: &str, agreed: Option<&str>) -> Model {
    let (_, mut model) = form_models(lang)
        .into_iter()
        .find(|(name, _)| *name == "withdraw")
        .unwrap();
    model.setup.contract = parse_contract(file).into();
    model.sandbox = false;
    model.setup.profile = "loja".into();
    model.setup.base_url = "https://api.loja.example".into();
    model.agreed_settings = agreed.map(contract_lines);
    assert!(!pending(&model).is_empty());
    open_screen(&mut model, Route::Consent(None));
    model
}

/// Returns an app model of the consent page for the origin of the service alone.
fn origin_model(lang: Lang) -> Model {
    let (_, mut model) = form_models(lang)
        .into_iter()
        .find(|(name, _)| *name == "withdraw")
        .unwrap();
    let origin = Origin("https://api.ladrao.example".into());
    model.setup.contract = Contract::built_in().with_base_url(&origin.0).into();
    model.sandbox = false;
    model.setup.profile = "loja".into();
    model.setup.base_url = origin.0.clone();
    model.setup.origin = origin;
    model.setup.logins = [Origin("https://api.loja.example".into())].into();
    model.session.api_token = Credential::Absent;
    open_screen(&mut model, Route::Consent(None));
    model
}

fn front_consent_page(model: &mut Model) -> &mut ConsentPage {
    match model.layers.last_mut() {
        Some(Layer::Consent(reading)) => reading,
        other => panic!("{other:?}"),
    }
}

fn scrolled_to_end(mut model: Model) -> Model {
    model.scroll = draw_frame(&model, 1).overflow.lines;
    front_consent_page(&mut model).is_read = true;
    front_consent_page(&mut model).buttons.armed_at_ms = model.now.boot_ms;
    // The hint that there is more text disappears at the end of the page. This changes the number
    // of rows to scroll, so scroll to the end again.
    model.scroll = draw_frame(&model, 1).overflow.lines;
    model
}

fn with_page_change(mut model: Model, change: impl Fn(&mut ConsentPage)) -> Model {
    change(front_consent_page(&mut model));
    model
}

pub fn consent_models(lang: Lang) -> Vec<(&'static str, Model)> {
    let page = |agreed| consent_model(lang, MALICIOUS_FILE, agreed);
    let wait = Wait {
        ticket: Ticket(1),
        since_ms: 598_000,
    };
    let account_pane = |agreed: Option<&str>| {
        let mut model = pane_model(lang, Pane::Account);
        model.setup.contract = parse_contract(MALICIOUS_FILE).into();
        model.agreed_settings = agreed.map(contract_lines);
        model.sandbox = false;
        model
    };
    let opened_again = || {
        let mut model = account_pane(Some(MALICIOUS_FILE));
        open_screen(&mut model, Route::Consent(None));
        model
    };
    let long_line = format!("withdrawal.field.key.label.en = '{}'", "x".repeat(500));
    vec![
        ("consent", page(None)),
        (
            "consent-middle",
            with_change(page(None), |model| model.scroll = 12),
        ),
        (
            "consent-dead",
            with_page_change(scrolled_to_end(page(None)), |it| {
                it.buttons.armed_at_ms = 600_400
            }),
        ),
        (
            "consent-live",
            after_confirm_delay(with_page_change(scrolled_to_end(page(None)), |it| {
                it.buttons.focus = Focus::Confirm
            })),
        ),
        (
            "consent-keeping",
            with_page_change(scrolled_to_end(page(None)), |it| it.wait = Some(wait)),
        ),
        (
            "consent-not-kept",
            with_page_change(scrolled_to_end(page(None)), |it| {
                it.trouble = Some(VaultTrouble::Locked)
            }),
        ),
        ("consent-again", page(Some("withdrawal.unit = 'centavos'"))),
        (
            "consent-each-time",
            with_change(page(None), |model| {
                let contract = parse_contract(MALICIOUS_FILE);
                model.setup.contract = contract.with_taught_file(Some("/srv/ana/loja.toml")).into();
                model.session.vault_status = VaultStatus::Kept(VaultKind::Memory);
            }),
        ),
        (
            "consent-too-long",
            self::consent_model(lang, &long_line, None),
        ),
        ("consent-origin", origin_model(lang)),
        ("consent-look", opened_again()),
        ("account-contract", account_pane(None)),
        (
            "account-contract-accepted",
            account_pane(Some(MALICIOUS_FILE)),
        ),
        (
            "account-contract-sandbox",
            with_change(account_pane(Some(MALICIOUS_FILE)), |model| {
                model.sandbox = true
            }),
        ),
    ]
}

/// Returns the text of the whole consent page. The terminal is so tall that nothing scrolls.
fn full_page_text(model: &Model) -> String {
    text(&buffer(model, 80, 90))
}

#[test]
fn the_whole_page() {
    insta::assert_snapshot!(
        "consent-whole-pt-BR",
        full_page_text(&consent_model(Lang::Pt, MALICIOUS_FILE, None))
    );
}

#[test]
fn units_that_differ_are_pointed_out() {
    let page_text = |file: &str| full_page_text(&consent_model(Lang::Pt, file, None));
    assert!(
        page_text("withdrawal.unit = 'centavos'")
            .contains("consultada em reais e o saque é enviado")
    );
    let same_units = "withdrawal.unit = 'centavos'\nfee_preview.unit = 'centavos'";
    assert!(!page_text(same_units).contains("consultada em"));
}

fn press_keys(model: &mut Model, keys: &str) -> Vec<Effect> {
    keys.split(' ').flat_map(|key| press(model, key)).collect()
}

/// The agree button must be disabled until all settings of the API contract were shown.
#[test]
fn button_is_active_only_after_every_line_was_shown() {
    for lang in Lang::ALL {
        for (columns, rows) in [(60, 18), (60, 24), (80, 24), (120, 40), (80, 90)] {
            let mut model = consent_model(lang, MALICIOUS_FILE, None);
            model.withdrawals.open.clear();
            send_input(&mut model, Input::Resize(Size { columns, rows }));
            send_input(&mut model, Input::Wheel(0));
            let mut shown_lines = Vec::new();
            let mut pages = 0;
            loop {
                let screen = text(&buffer(&model, columns, rows));
                shown_lines.extend(screen.lines().map(str::to_owned));
                if front_consent_page(&mut model).is_read {
                    break;
                }
                assert_eq!(press(&mut model, "Tab"), vec![]);
                assert!(
                    (front_consent_page(&mut model).buttons.focus == Focus::Back),
                    "{columns}x{rows}"
                );
                press(&mut model, "PgDn");
                send_input(&mut model, Input::Wheel(0));
                pages += 1;
                assert!(pages < 200, "{columns}x{rows}:\n{screen}");
            }
            // A very tall terminal shows all settings of the API contract. They are between the
            // title and the buttons.
            let tall_screen = text(&buffer(
                &consent_model(lang, MALICIOUS_FILE, None),
                columns,
                200,
            ));
            let contract_rows: Vec<_> = tall_screen
                .lines()
                .skip(6)
                .take(190)
                .filter(|line| !line.is_empty())
                .collect();
            assert!(contract_rows.len() > 30, "{tall_screen}");
            for line in contract_rows {
                let starts_with_line = |shown_line: &String| shown_line.starts_with(line);
                assert!(
                    shown_lines.iter().any(starts_with_line),
                    "{columns}x{rows}: {line}"
                );
            }
            assert_eq!(
                press_keys(&mut model, "Tab Enter"),
                vec![],
                "dead for a moment"
            );
            model.now.boot_ms += 500;
            let body_end = model.areas(model.size).unwrap().body.bottom();
            let is_visible_button = |(area, target): &(Area, Target)| {
                *target == Target::Button(1)
                    && area.y < body_end
                    && area.width > 0
                    && area.height > 0
            };
            assert!(
                layout_page(&model, model.size)
                    .targets
                    .iter()
                    .any(is_visible_button)
            );
            assert!(matches!(press(&mut model, "Enter")[..], [Effect::Agree(_)]));
        }
    }
}

#[test]
fn hostile_file_text_is_marked_and_moves_no_button() {
    let hostile = "\\u001b[2J\\u202E\\u200b".repeat(20);
    let file = format!(
        "[withdrawal.field.\"\\u001b[31m\\u202e\"]\nname = 'n'\nkind = 'text'\n\
         [withdrawal.field.key]\nlabel.en = \"{hostile}\"\nlabel.pt-BR = \"a\\n\\n\\nb\""
    );
    for lang in Lang::ALL {
        let model = consent_model(lang, &file, None);
        for rows in [18, 24, 90] {
            let screen = text(&buffer(&model, 80, rows));
            let is_unsafe = |c: char| c.is_control() && c != '\n' || "\u{202e}\u{200b}".contains(c);
            assert!(!screen.contains(is_unsafe), "{screen}");
            let agree_label = Catalogue::of(lang).text("consent-do");
            let row = screen
                .lines()
                .position(|line| line.contains(&agree_label))
                .expect(&screen);
            let page = layout_page(&model, Size { columns: 80, rows });
            let is_agree_button = |(area, target): &(Area, Target)| {
                *target == Target::Button(1) && usize::from(area.y) == row
            };
            assert!(page.targets.iter().any(is_agree_button), "{screen}");
        }
    }
}
