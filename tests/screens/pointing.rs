//! A click means what is drawn under it.

use balcao::app::around::page;
use balcao::app::ui::geometry::LEAST;
use balcao::app::ui::input::Size;
use balcao::app::ui::{Area, Target};
use balcao::app::{Model, Pane};
use balcao::words::Lang;

use crate::models::{all, model, screen};

fn named(name: &str) -> Model {
    all(Lang::Pt).into_iter().find(|(other, _)| *other == name).unwrap().1
}

/// What a click on the first letter of this text means.
fn click(name: &str, text: &str) -> Option<Target> {
    let model = named(name);
    let screen = screen(&model);
    let (row, line) = screen.lines().enumerate().find(|(_, line)| line.contains(text)).unwrap();
    let column = line.split(text).next().unwrap().chars().count();
    at(&model, u16::try_from(column).unwrap(), u16::try_from(row).unwrap())
}

/// What a click on this cell means.
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
    assert_eq!(click("palette", "Ver as cobranças"), Some(Target::Row(3)));
    let labels = named("palette").store.setup.labels;
    let last = &labels.last().unwrap().label;
    let row = labels.len() as u64 - 1;
    assert_eq!(click("palette-end", last), Some(Target::Row(row)));
}

#[test]
fn a_click_on_a_field_or_a_button_is_that_one() {
    assert_eq!(click("login", "ana@loja.example"), Some(Target::Field(0)));
    assert_eq!(click("login", "Senha"), Some(Target::Field(1)));
    assert_eq!(click("jwt", "Guardar"), Some(Target::Submit));
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
                    assert!(columns < LEAST.columns || rows < LEAST.rows);
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
    for (columns, rows) in [(80, 24), (0, 0), (46, 14)] {
        model.size = Size { columns, rows };
        assert_eq!(at(&model, 500, 500), None);
    }
    let area = Area { x: u16::MAX, y: u16::MAX, width: 9, height: 9 };
    assert!(!area.contains(0, 0));
}
