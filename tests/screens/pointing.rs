//! Tests that a click acts on the item that the screen shows at the clicked position.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use balcao::app::chrome::page;
use balcao::app::screen::Focus;
use balcao::app::screens::Layer;
use balcao::app::store::commands::{Command, Item};
use balcao::app::store::frame_snapshot::FrameSnapshot;
use balcao::app::ui::action::Action;
use balcao::app::ui::geometry::MIN_SIZE;
use balcao::app::ui::input::{Input, Size};
use balcao::app::ui::{Area, Target};
use balcao::app::{Effect, Model, MoneyCommand, Msg, Pane, update};
use balcao::words::Lang;

use crate::models::{self, all, looked_at, model, screen, seen, stamp_of};

fn named(name: &str) -> Model {
    models::named(Lang::Pt, name)
}

/// Finds `text` on the screen. Returns the click target at its first letter.
fn click(name: &str, text: &str) -> Option<Target> {
    let model = named(name);
    let screen = screen(&model);
    let (row, line) = screen.lines().enumerate().find(|(_, line)| line.contains(text)).unwrap();
    let column = line.split(text).next().unwrap().chars().count();
    at(&model, u16::try_from(column).unwrap(), u16::try_from(row).unwrap())
}

/// Returns the click target at this column and row of the screen.
fn at(model: &Model, column: u16, row: u16) -> Option<Target> {
    let found =
        page(model, model.size).targets.into_iter().find(|(area, _)| area.contains(column, row));
    found.map(|(_, target)| target)
}

#[test]
fn a_click_on_a_pane_shows_it_from_anywhere() {
    for name in ["account", "login", "ask-found", "help"] {
        assert_eq!(click(name, "3 Saques"), Some(Target::Tab(Pane::Withdrawals)), "{name}");
        assert_eq!(click(name, "Conta"), Some(Target::Tab(Pane::Account)), "{name}");
    }
}

#[test]
fn a_click_on_a_row_is_that_row() {
    assert_eq!(click("domains-listed", "automático"), Some(Target::Row(0)));
    assert_eq!(click("domains-listed", "nova.localhost"), Some(Target::Row(3)));
    assert_eq!(click("domains-listed", "Um domínio fica"), None);
    assert_eq!(click("exchanges", "Taxa do saque"), Some(Target::Row(2)));
    assert_eq!(click("withdrawals", "Preparados"), None);
    assert_eq!(click("withdrawals", "R$ 250,00"), Some(Target::Row(3)));
    assert_eq!(click("palette", "ver as cobranças"), Some(Target::Row(3)));
    let labels = named("palette").store.setup.labels;
    let is_listed = |item: &&Item| !matches!(item.command, Command::Hint(_));
    let labels: Vec<_> = labels.of(Lang::Pt).iter().filter(is_listed).collect();
    let last = &labels.last().unwrap().label;
    let row = labels.len() as u64 - 1;
    assert_eq!(click("palette-end", last), Some(Target::Row(row)));
}

#[test]
fn a_click_on_a_field_or_a_button_is_that_one() {
    assert_eq!(click("login", "ana@loja.example"), Some(Target::Field(0)));
    assert_eq!(click("login", "Senha"), Some(Target::Field(1)));
    assert_eq!(click("jwt", "Salvar"), Some(Target::Submit));
    assert_eq!(click("login-refused", "O serviço diz"), None);
    assert_eq!(click("ask-copy-odd", "Não copiar"), Some(Target::Button(0)));
    assert_eq!(click("not-paid", "Ainda não sei"), Some(Target::Button(0)));
    assert_eq!(click("not-paid", "Não foi pago"), Some(Target::Button(1)));
    assert_eq!(click("not-paid", "Digite o valor"), None);
    assert_eq!(click("ask-copy-odd", "Copiar  "), Some(Target::Button(1)));
    assert_eq!(click("ask-copy-odd", "Copiar este"), None);
}

#[test]
fn the_parts_of_the_screen_fill_it_and_never_overlap() {
    for name in ["account", "banner-unknown"] {
        let model = named(name);
        for columns in 0..130 {
            for rows in 0..50 {
                let size = Size { columns, rows };
                let Some(areas) = model.areas(size) else {
                    assert!(columns < MIN_SIZE.columns || rows < MIN_SIZE.rows);
                    continue;
                };
                let parts = [
                    areas.header,
                    areas.tabs,
                    areas.rule,
                    areas.banner,
                    areas.body,
                    areas.notice,
                    areas.footer,
                ];
                let mut next = 0;
                for part in parts {
                    assert_eq!((part.x, part.y, part.width), (0, next, columns));
                    next = part.bottom();
                }
                assert_eq!(next, rows);
                assert!(areas.body.height >= 7, "{columns}x{rows}");
            }
        }
    }
}

#[test]
fn a_click_outside_the_screen_means_nothing() {
    let mut model = model(Lang::Pt);
    for (columns, rows) in [(80, 24), (0, 0), (60, 18)] {
        model.size = Size { columns, rows };
        assert_eq!(at(&model, 500, 500), None);
    }
    let area = Area { x: u16::MAX, y: u16::MAX, width: 9, height: 9 };
    assert!(!area.contains(0, 0));
}

/// A screen that was drawn: its language, its name, its app model, and the record of its last
/// frame.
type Looked = (Lang, &'static str, Model, Arc<FrameSnapshot>);

/// Returns every screen. Each dialog occurs a second time, with the focus on its confirm button.
/// All screens have been visible long enough to accept a confirmation.
fn looked_at_screens(lang: Lang, size: Size) -> Vec<Looked> {
    let mut screens = all(lang);
    let on_button = screens.clone().into_iter().filter_map(|(name, mut model)| {
        let screen = model.layers.last_mut()?.screen_mut();
        screen.buttons_mut()?.focus = Focus::Confirm;
        Some((name, model))
    });
    screens.extend(on_button);
    let looked_at = screens.into_iter().map(|(name, mut model)| {
        model.size = size;
        model.now.boot_ms += 60_000;
        let model = looked_at(model);
        let seen = seen(&model, 2);
        (lang, name, model, seen)
    });
    looked_at.collect()
}

/// Applies an input to a copy of the app model. Returns the copy, and the effects that the app
/// requests.
fn after(model: &Model, seen: &Arc<FrameSnapshot>, input: Input) -> (Model, Vec<Effect>) {
    let mut model = model.clone();
    let stamp = stamp_of(&model, seen.clone());
    let wanted = update(&mut model, Msg::Input(input), &stamp);
    (model, wanted)
}

/// Returns true if the effect is so serious that a click on a key hint must not cause it. Examples
/// are sending a withdrawal and logging out.
fn is_grave(effect: &Effect) -> bool {
    matches!(
        effect,
        Effect::Money(MoneyCommand::Attempt { .. })
            | Effect::Money(MoneyCommand::Prepare { .. })
            | Effect::Money(MoneyCommand::Decide { .. })
            | Effect::Money(MoneyCommand::LookUpPast(_))
            | Effect::Agree(_)
            | Effect::MakeLive(_)
            | Effect::UseMemory
            | Effect::LogOut
            | Effect::Leave
    )
}

/// Returns true if the next key press could be a confirmation.
fn asks(model: &Model) -> bool {
    match model.layers.last() {
        None => false,
        // The seller can agree to an API contract only after scrolling to its end.
        Some(Layer::Consent(page)) => page.may_be_agreed(model.now.boot_ms),
        Some(layer) => {
            layer.screen().buttons().is_some() && !layer.screen().info().confirms_by_click
        }
    }
}

/// Returns a column in each click target of the footer, and one column outside of all targets.
fn footer_columns(seen: &FrameSnapshot) -> Vec<u16> {
    let row = seen.size.rows - 1;
    let meant = |column| {
        let place = seen.targets.iter().position(|(area, _)| area.contains(column, row));
        (place, column)
    };
    let by_place: BTreeMap<_, _> = (0..seen.size.columns).map(meant).collect();
    by_place.into_values().collect()
}

/// Clicks on every click target in the footer of every screen at this terminal size.
fn click_in_every_footer(columns: u16, rows: u16) {
    let (size, row, mut clicks) = (Size { columns, rows }, rows - 1, 0);
    for (lang, name, model, seen) in
        Lang::ALL.iter().flat_map(|lang| looked_at_screens(*lang, size))
    {
        for column in footer_columns(&seen) {
            let (after, wanted) = after(&model, &seen, Input::Click { column, row });
            let at = format!("{name} in {}, {columns}x{rows}, column {column}", lang.tag());
            assert_eq!(wanted.iter().find(|effect| is_grave(effect)), None, "{at}");
            let is_led = asks(&after) && after.layers.len() > model.layers.len();
            let is_left = asks(&model) && after.layers.len() < model.layers.len();
            assert!(!is_led && !is_left, "{at}: a question comes or goes");
            clicks += 1;
        }
    }
    assert!(clicks > 1_000, "{clicks}");
}

#[test]
fn footer_clicks_are_harmless_at_60x18() {
    click_in_every_footer(60, 18);
}

#[test]
fn footer_clicks_are_harmless_at_80x24() {
    click_in_every_footer(80, 24);
}

#[test]
fn footer_clicks_are_harmless_at_200x60() {
    click_in_every_footer(200, 60);
}

#[test]
fn a_click_on_a_hint_does_what_its_key_does() {
    let mut clicked = BTreeSet::new();
    for (_, name, model, seen) in looked_at_screens(Lang::Pt, Size { columns: 200, rows: 60 }) {
        for (area, target) in &seen.targets {
            let Target::Hint(action) = *target else { continue };
            let pressed = Input::Key(model.setup.keys.keys(action)[0]);
            let click = Input::Click { column: area.right() - 1, row: area.y };
            let by_click = format!("{:?}", after(&model, &seen, click));
            let by_key = format!("{:?}", after(&model, &seen, pressed));
            assert_eq!(by_click, by_key, "{name}: {action:?}");
            clicked.insert(action.name());
        }
    }
    let expected = ["back", "copy", "new", "palette", "submit"];
    let missing: Vec<_> = expected.iter().filter(|name| !clicked.contains(*name)).collect();
    assert!(missing.is_empty(), "{missing:?} of {clicked:?}");
}

/// Finds this key hint in the footer. Returns the click target at its first letter.
fn hint(name: &str, text: &str) -> Option<Target> {
    let (model, lines) = (named(name), screen(&named(name)));
    let footer = lines.lines().last().unwrap();
    let before = footer.split_once(text).unwrap_or_else(|| panic!("{text}: {footer}")).0;
    at(&model, u16::try_from(before.chars().count()).unwrap(), 23)
}

#[test]
fn risky_key_hints_are_shown_but_not_clickable() {
    assert_eq!(hint("withdrawal-unknown", "s reenviar"), None);
    assert_eq!(hint("withdraw-shown", "Ctrl-S"), None);
    assert_eq!(hint("account", "O sair"), None);
    assert_eq!(hint("review", "Esc voltar"), None);
    assert_eq!(hint("links", "q fechar"), None, "a double click on \"voltar\" would leave");
    assert_eq!(hint("links", "n novo"), Some(Target::Hint(Action::New)));
    assert_eq!(hint("login", "Esc"), Some(Target::Hint(Action::Back)));
}
