//! Tests that a wide terminal shows the details of the selected item beside its list.

use balcao::app::cx::{Question, Route};
use balcao::app::ui::geometry;
use balcao::app::ui::input::Size;
use balcao::app::{Model, Pane};
use balcao::words::Lang;
use ratatui::buffer::Buffer;

use crate::models::{buffer, find_model, open_screen, press, text, with_qr_code};
use crate::qr::read_qr_code;

/// The names of the screens that show a list and the details of its items.
const LIST_SCREENS: [&str; 4] = ["exchanges", "links", "charges", "withdrawals"];

fn sized_model(name: &str, columns: u16, rows: u16) -> Model {
    let mut model = find_model(Lang::Pt, name);
    model.size = Size { columns, rows };
    with_qr_code(model)
}

/// Returns the text in these columns of the screen's body, as a string for each row.
fn body_text(model: &Model, buffer: &Buffer, columns: std::ops::Range<u16>) -> Vec<String> {
    let body = model.areas(model.size).unwrap().body;
    let row = |y| {
        columns
            .clone()
            .map(|x| buffer[(x, y)].symbol())
            .collect::<String>()
    };
    (body.y..body.bottom())
        .map(row)
        .map(|line| line.trim_end().to_owned())
        .collect()
}

#[test]
fn enter_focuses_details_and_keeps_list_visible() {
    for name in LIST_SCREENS {
        for (columns, rows) in [(120, 40), (200, 60)] {
            if (name, columns) == ("charges", 120) {
                // Skip this size, because the QR code of a direct payment does not fit beside the
                // list.
                continue;
            }
            let mut model = sized_model(name, columns, rows);
            let details_area = geometry::details(model.areas(model.size).unwrap().body).unwrap();
            let before = buffer(&model, columns, rows);
            press(&mut model, "Enter");
            assert_eq!(model.layers.len(), 1, "{name}");
            let after = buffer(&model, columns, rows);
            let list = |buffer: &Buffer| body_text(&model, buffer, 0..details_area.x);
            assert_eq!(list(&after), list(&before), "{name} at {columns}x{rows}");
            let title =
                |buffer: &Buffer| body_text(&model, buffer, details_area.x..columns)[1].clone();
            assert_eq!(title(&after), title(&before), "{name} at {columns}x{rows}");
            // Check that no row of the list is bold after Enter, because the focus is then on the
            // details.
            let has_bold = |buffer: &Buffer, columns: std::ops::Range<u16>| {
                let bold = ratatui::style::Modifier::BOLD;
                let body = model.areas(model.size).unwrap().body;
                let mut rows = body.y..body.bottom();
                rows.any(|y| {
                    columns
                        .clone()
                        .any(|x| buffer[(x, y)].modifier.contains(bold))
                })
            };
            assert!(
                has_bold(&before, 0..details_area.x),
                "{name}: the row under the cursor"
            );
            assert!(
                !has_bold(&after, 0..details_area.x),
                "{name}: the list is faded"
            );
            assert!(
                has_bold(&after, details_area.x..columns),
                "{name}: the details are not"
            );
            press(&mut model, "Esc");
            assert_eq!(buffer(&model, columns, rows), before, "{name}: back again");
        }
    }
}

#[test]
fn details_of_another_row_or_pane_fill_the_body() {
    let mut model = sized_model("links", 120, 40);
    press(&mut model, "Enter");
    let details_area = geometry::details(model.areas(model.size).unwrap().body).unwrap();
    let list_text =
        |model: &Model| body_text(model, &buffer(model, 120, 40), 0..details_area.x).join("");
    assert!(list_text(&model).contains("10:42"));
    let mut other_row = model.clone();
    other_row.links.list.cursor = 1;
    assert!(
        !list_text(&other_row).contains("10:30"),
        "{}",
        list_text(&other_row)
    );
    let mut other_pane = model.clone();
    other_pane.pane = Pane::Charges;
    assert!(
        !list_text(&other_pane).contains("10:27"),
        "{}",
        list_text(&other_pane)
    );
    let mut narrow = model;
    narrow.size = Size {
        columns: 99,
        rows: 40,
    };
    assert!(geometry::details(narrow.areas(narrow.size).unwrap().body).is_none());
    assert!(!text(&buffer(&narrow, 99, 40)).contains("10:30"));
}

#[test]
fn dialog_over_details_keeps_list_and_details_visible() {
    let mut model = sized_model("links", 120, 40);
    press(&mut model, "Enter");
    let details = text(&buffer(&model, 120, 40));
    let address = details
        .lines()
        .find(|line| line.contains("http://"))
        .unwrap()
        .trim_end();
    open_screen(&mut model, Route::Ask(Question::LogOut));
    let screen = text(&buffer(&model, 120, 40));
    assert!(
        screen.contains(&address[address.find("http").unwrap()..]),
        "{screen}"
    );
    assert!(
        screen.contains("10:42") && screen.contains("10:30"),
        "{screen}"
    );
}

#[test]
fn code_too_big_for_the_list_is_shown_in_details() {
    let cases = [("charges", 120, 40)];
    for (name, columns, rows) in cases {
        let mut model = sized_model(name, columns, rows);
        let list = buffer(&model, columns, rows);
        let screen = text(&list);
        assert!(
            screen.contains("O QR Code não cabe ao lado"),
            "{name}: {screen}"
        );
        press(&mut model, "Enter");
        let model = with_qr_code(model);
        let details = buffer(&model, columns, rows);
        let screen = text(&details);
        let code = read_qr_code(&details)
            .unwrap_or_else(|| panic!("{name} at {columns}x{rows}: {screen}"));
        assert!(screen.contains(&code[..40]), "{code} in {screen}");
        let state_line = screen.lines().find(|line| line.contains("Criad")).unwrap();
        assert!(
            state_line.contains('▀'),
            "{name} at {columns}x{rows}: {screen}"
        );
        assert!(
            !screen.contains("não cabe"),
            "{name} at {columns}x{rows}: {screen}"
        );
        let mut model = model;
        press(&mut model, "Esc");
        assert_eq!(
            buffer(&with_qr_code(model), columns, rows),
            list,
            "{name}: back again"
        );
    }
    // The list must stay visible if the details fit beside it, and must be hidden otherwise.
    for (name, columns, rows) in [
        ("charges", 119, 40),
        ("charges", 120, 24),
        ("links", 120, 40),
    ] {
        let mut model = sized_model(name, columns, rows);
        press(&mut model, "Enter");
        let body = model.areas(model.size).unwrap().body;
        let screen = text(&buffer(&with_qr_code(model), columns, rows));
        let has_list = screen.contains("10:42") && screen.contains(" ontem ");
        assert_eq!(
            has_list,
            geometry::details(body).is_some(),
            "{name} at {columns}: {screen}"
        );
    }
}

#[test]
fn wide_domain_list_shows_all_text_of_the_narrow_one() {
    let texts = [
        "ainda não ativo: “pending_",
        "o serviço escolhe um domínio ativo",
    ];
    for (columns, rows) in [(80, 24), (200, 60)] {
        let screen = text(&buffer(
            &sized_model("domains-listed", columns, rows),
            columns,
            rows,
        ));
        assert!(texts.iter().all(|text| screen.contains(text)), "{screen}");
    }
}
