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

use crate::models::{
    self, after_confirm_delay, all_models, ascii, buffer, draw_frame, model, screen_text,
    stamp_with_frame, text, with_change,
};

fn portuguese_model(name: &str) -> Model {
    models::find_model(Lang::Pt, name)
}

/// Finds `text` on the screen. Returns the click target at its first letter.
fn target_at_text(name: &str, text: &str) -> Option<Target> {
    let model = portuguese_model(name);
    let screen = screen_text(&model);
    let (row, line) = screen
        .lines()
        .enumerate()
        .find(|(_, line)| line.contains(text))
        .unwrap();
    let column = line.split(text).next().unwrap().chars().count();
    target_at(
        &model,
        u16::try_from(column).unwrap(),
        u16::try_from(row).unwrap(),
    )
}

fn target_at(model: &Model, column: u16, row: u16) -> Option<Target> {
    let found = page(model, model.size)
        .targets
        .into_iter()
        .find(|(area, _)| area.contains(column, row));
    found.map(|(_, target)| target)
}

#[test]
fn a_click_on_a_pane_shows_it_from_anywhere() {
    for name in ["account", "login", "ask-found", "help"] {
        assert_eq!(
            target_at_text(name, "3 Saques"),
            Some(Target::Tab(Pane::Withdrawals)),
            "{name}"
        );
        assert_eq!(
            target_at_text(name, "Conta"),
            Some(Target::Tab(Pane::Account)),
            "{name}"
        );
    }
}

/// The number of open withdrawals is part of the tab, and so of its click area. It is left out
/// before any name is shortened.
#[test]
fn tab_counts_open_withdrawals_if_there_is_room() {
    let name = "withdrawals";
    let calm = portuguese_model("links");
    let mut open = calm.clone();
    open.withdrawals.open = portuguese_model(name).withdrawals.open.clone();
    open.withdrawals.open.truncate(1);
    let tabs = |model: &Model, columns| {
        let model = with_change(model.clone(), |model| model.size.columns = columns);
        let screen = text(&buffer(&model, columns, 24));
        screen.lines().nth(1).unwrap().trim().to_owned()
    };
    assert!(!tabs(&calm, 80).contains('·'), "{}", tabs(&calm, 80));
    let counted = tabs(&open, 80);
    assert!(counted.contains("3 Saques ·1   4 Cobranças"), "{counted}");
    for column in [24, 33, 34] {
        let target = target_at(&open, column, 1);
        assert_eq!(target, Some(Target::Tab(Pane::Withdrawals)), "{column}");
    }
    assert_eq!(target_at(&open, 38, 1), Some(Target::Tab(Pane::Charges)));
    for columns in MIN_SIZE.columns..=200 {
        let [calm, open] = [&calm, &open].map(|model| tabs(model, columns));
        let without_count = open.replace(" ·1", "");
        let spaceless = |text: &str| text.replace(' ', "");
        assert_eq!(spaceless(&without_count), spaceless(&calm), "{open}");
    }
    assert!(!tabs(&open, MIN_SIZE.columns).contains('·'));
    let plain = ascii(open.clone());
    assert!(
        tabs(&plain, 80).contains("3 Saques (1)"),
        "{}",
        tabs(&plain, 80)
    );
}

#[test]
fn click_targets_the_list_row() {
    assert_eq!(
        target_at_text("domains-listed", "automático"),
        Some(Target::Row(0))
    );
    assert_eq!(
        target_at_text("domains-listed", "nova.localhost"),
        Some(Target::Row(3))
    );
    assert_eq!(target_at_text("domains-listed", "Um domínio fica"), None);
    assert_eq!(
        target_at_text("exchanges", "Taxa do saque"),
        Some(Target::Row(2))
    );
    assert_eq!(target_at_text("withdrawals", "Preparados"), None);
    assert_eq!(
        target_at_text("withdrawals", "R$ 250,00"),
        Some(Target::Row(3))
    );
    assert_eq!(
        target_at_text("palette", "ver as cobranças"),
        Some(Target::Row(3))
    );
    let items = portuguese_model("palette").store.setup.labels;
    let is_listed = |item: &&Item| !matches!(item.command, Command::Hint(_));
    let items: Vec<_> = items.of(Lang::Pt).iter().filter(is_listed).collect();
    let last_label = &items.last().unwrap().label;
    let row = items.len() as u64 - 1;
    assert_eq!(
        target_at_text("palette-end", last_label),
        Some(Target::Row(row))
    );
}

#[test]
fn click_targets_the_field_or_button() {
    assert_eq!(
        target_at_text("login", "ana@loja.example"),
        Some(Target::Field(0))
    );
    assert_eq!(target_at_text("login", "Senha"), Some(Target::Field(1)));
    assert_eq!(target_at_text("jwt", "Salvar"), Some(Target::Submit));
    assert_eq!(target_at_text("login-refused", "O serviço diz"), None);
    assert_eq!(
        target_at_text("ask-copy-odd", "Não copiar"),
        Some(Target::Button(0))
    );
    assert_eq!(
        target_at_text("not-paid", "Ainda não sei"),
        Some(Target::Button(0))
    );
    assert_eq!(
        target_at_text("not-paid", "Não foi pago"),
        Some(Target::Button(1))
    );
    assert_eq!(target_at_text("not-paid", "Digite o valor"), None);
    assert_eq!(
        target_at_text("ask-copy-odd", "Copiar ]"),
        Some(Target::Button(1))
    );
    assert_eq!(target_at_text("ask-copy-odd", "Copiar este"), None);
}

#[test]
fn the_parts_of_the_screen_fill_it_and_never_overlap() {
    for name in ["account", "banner-unknown"] {
        let model = portuguese_model(name);
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
        assert_eq!(target_at(&model, 500, 500), None);
    }
    let area = Area {
        x: u16::MAX,
        y: u16::MAX,
        width: 9,
        height: 9,
    };
    assert!(!area.contains(0, 0));
}

/// A screen that was drawn: its language, its name, its app model, and the record of its last
/// frame.
type DrawnScreen = (Lang, &'static str, Model, Arc<FrameSnapshot>);

/// Returns every screen. Each dialog occurs a second time, with the focus on its confirm button.
/// All screens have been visible long enough to accept a confirmation.
fn drawn_screens(lang: Lang, size: Size) -> Vec<DrawnScreen> {
    let mut screens = all_models(lang);
    let on_button = screens.clone().into_iter().filter_map(|(name, mut model)| {
        let screen = model.layers.last_mut()?.screen_mut();
        screen.buttons_mut()?.focus = Focus::Confirm;
        Some((name, model))
    });
    screens.extend(on_button);
    let drawn = screens.into_iter().map(|(name, mut model)| {
        model.size = size;
        model.now.boot_ms += 60_000;
        let model = after_confirm_delay(model);
        let frame = draw_frame(&model, 2);
        (lang, name, model, frame)
    });
    drawn.collect()
}

/// Applies an input to a copy of the app model. Returns the copy, and the effects that the app
/// requests.
fn after_input(model: &Model, frame: &Arc<FrameSnapshot>, input: Input) -> (Model, Vec<Effect>) {
    let mut model = model.clone();
    let stamp = stamp_with_frame(&model, frame.clone());
    let effects = update(&mut model, Msg::Input(input), &stamp);
    (model, effects)
}

/// Returns true if the effect is so serious that a click on a key hint must not cause it. Examples
/// are sending a withdrawal and logging out.
fn is_serious(effect: &Effect) -> bool {
    matches!(
        effect,
        Effect::Money(MoneyCommand::Attempt { .. })
            | Effect::Money(MoneyCommand::Prepare { .. })
            | Effect::Money(MoneyCommand::Decide { .. })
            | Effect::Money(MoneyCommand::Approve { .. })
            | Effect::Money(MoneyCommand::LookUpPast(_))
            | Effect::Agree(_)
            | Effect::MakeLive(_)
            | Effect::UseMemory
            | Effect::LogOut
            | Effect::Leave
    )
}

/// Returns true if the next key press could be a confirmation.
fn awaits_confirmation(model: &Model) -> bool {
    match model.layers.last() {
        None => false,
        // The seller can agree to an API contract only after scrolling to its end.
        Some(Layer::Consent(page)) => page.can_agree(model.now.boot_ms),
        Some(layer) => {
            layer.screen().buttons().is_some() && !layer.screen().info().confirms_by_click
        }
    }
}

/// Returns a column in each click target of the footer, and a column that is in no target.
fn footer_columns(frame: &FrameSnapshot) -> Vec<u16> {
    let row = frame.size.rows - 1;
    let target_and_column = |column| {
        let target = frame
            .targets
            .iter()
            .position(|(area, _)| area.contains(column, row));
        (target, column)
    };
    let by_target: BTreeMap<_, _> = (0..frame.size.columns).map(target_and_column).collect();
    by_target.into_values().collect()
}

/// Clicks on every click target in the footer of every screen at this terminal size.
fn click_in_every_footer(columns: u16, rows: u16) {
    let size = Size { columns, rows };
    let row = rows - 1;
    let mut clicks = 0;
    for (lang, name, model, frame) in Lang::ALL.iter().flat_map(|lang| drawn_screens(*lang, size)) {
        for column in footer_columns(&frame) {
            let (after, effects) = after_input(&model, &frame, Input::Click { column, row });
            let context = format!(
                "{name} in {}, {columns}x{rows}, column {column}",
                lang.tag()
            );
            assert_eq!(
                effects.iter().find(|effect| is_serious(effect)),
                None,
                "{context}"
            );
            let opens_confirmation =
                awaits_confirmation(&after) && after.layers.len() > model.layers.len();
            let closes_confirmation =
                awaits_confirmation(&model) && after.layers.len() < model.layers.len();
            assert!(
                !opens_confirmation && !closes_confirmation,
                "{context}: a question comes or goes"
            );
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
    let mut clicked_actions = BTreeSet::new();
    for (_, name, model, frame) in drawn_screens(
        Lang::Pt,
        Size {
            columns: 200,
            rows: 60,
        },
    ) {
        for (area, target) in &frame.targets {
            let Target::Hint(action) = *target else {
                continue;
            };
            let pressed = Input::Key(model.setup.keys.keys(action)[0]);
            let click = Input::Click {
                column: area.right() - 1,
                row: area.y,
            };
            let by_click = format!("{:?}", after_input(&model, &frame, click));
            let by_key = format!("{:?}", after_input(&model, &frame, pressed));
            assert_eq!(by_click, by_key, "{name}: {action:?}");
            clicked_actions.insert(action.name());
        }
    }
    let expected = ["back", "copy", "new", "palette", "submit"];
    let missing: Vec<_> = expected
        .iter()
        .filter(|name| !clicked_actions.contains(*name))
        .collect();
    assert!(missing.is_empty(), "{missing:?} of {clicked_actions:?}");
}

/// Finds this key hint in the footer. Returns the click target at its first letter.
fn target_at_hint(name: &str, text: &str) -> Option<Target> {
    let model = portuguese_model(name);
    let lines = screen_text(&portuguese_model(name));
    let footer = lines.lines().last().unwrap();
    let before = footer
        .split_once(text)
        .unwrap_or_else(|| panic!("{text}: {footer}"))
        .0;
    target_at(&model, u16::try_from(before.chars().count()).unwrap(), 23)
}

#[test]
fn risky_key_hints_are_shown_but_not_clickable() {
    assert_eq!(target_at_hint("withdrawal-unknown", "s reenviar"), None);
    assert_eq!(target_at_hint("withdraw-shown", "Ctrl-S"), None);
    assert_eq!(target_at_hint("account", "O sair"), None);
    assert_eq!(target_at_hint("review", "Esc voltar"), None);
    assert_eq!(
        target_at_hint("links", "q fechar"),
        None,
        "a double click on \"voltar\" would leave"
    );
    assert_eq!(
        target_at_hint("links", "n novo"),
        Some(Target::Hint(Action::New))
    );
    assert_eq!(
        target_at_hint("login", "Esc"),
        Some(Target::Hint(Action::Back))
    );
}
