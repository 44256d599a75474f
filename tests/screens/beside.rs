//! Tests that a wide terminal shows the details of the selected item beside its list.

use balcao::app::cx::{Question, Route};
use balcao::app::ui::geometry;
use balcao::app::ui::input::Size;
use balcao::app::{Model, Pane};
use balcao::words::Lang;
use ratatui::buffer::Buffer;

use crate::models::{buffer, named, press, push, rested, text};
use crate::qr::read;

/// The names of the screens that show a list and the details of its items.
const LISTS: [&str; 4] = ["exchanges", "links", "charges", "withdrawals"];

fn at(name: &str, columns: u16, rows: u16) -> Model {
    let mut model = named(Lang::Pt, name);
    model.size = Size { columns, rows };
    rested(model)
}

/// Returns the text in these columns of the screen's body, as a string for each row.
fn cells(model: &Model, buffer: &Buffer, columns: std::ops::Range<u16>) -> Vec<String> {
    let body = model.areas(model.size).unwrap().body;
    let row = |y| columns.clone().map(|x| buffer[(x, y)].symbol()).collect::<String>();
    (body.y..body.bottom()).map(row).map(|line| line.trim_end().to_owned()).collect()
}

#[test]
fn enter_focuses_details_and_keeps_list_visible() {
    for name in LISTS {
        for (columns, rows) in [(120, 40), (200, 60)] {
            if (name, columns) == ("charges", 120) {
                // Skip this size, because the QR code of a direct payment does not fit beside the
                // list.
                continue;
            }
            let mut model = at(name, columns, rows);
            let beside = geometry::details(model.areas(model.size).unwrap().body).unwrap();
            let before = buffer(&model, columns, rows);
            press(&mut model, "Enter");
            assert_eq!(model.layers.len(), 1, "{name}");
            let after = buffer(&model, columns, rows);
            let list = |buffer: &Buffer| cells(&model, buffer, 0..beside.x);
            assert_eq!(list(&after), list(&before), "{name} at {columns}x{rows}");
            let title = |buffer: &Buffer| cells(&model, buffer, beside.x..columns)[1].clone();
            assert_eq!(title(&after), title(&before), "{name} at {columns}x{rows}");
            // Check that no row of the list is bold after Enter, because the focus is then on the
            // details.
            let bold = |buffer: &Buffer, columns: std::ops::Range<u16>| {
                let bold = ratatui::style::Modifier::BOLD;
                let body = model.areas(model.size).unwrap().body;
                let mut rows = body.y..body.bottom();
                rows.any(|y| columns.clone().any(|x| buffer[(x, y)].modifier.contains(bold)))
            };
            assert!(bold(&before, 0..beside.x), "{name}: the row under the cursor");
            assert!(!bold(&after, 0..beside.x), "{name}: the list is faded");
            assert!(bold(&after, beside.x..columns), "{name}: the details are not");
            press(&mut model, "Esc");
            assert_eq!(buffer(&model, columns, rows), before, "{name}: back again");
        }
    }
}

#[test]
fn details_of_another_row_or_pane_fill_the_body() {
    let mut model = at("links", 120, 40);
    press(&mut model, "Enter");
    let beside = geometry::details(model.areas(model.size).unwrap().body).unwrap();
    let list = |model: &Model| cells(model, &buffer(model, 120, 40), 0..beside.x).join("");
    assert!(list(&model).contains("10:42"));
    let mut other = model.clone();
    other.links.list.cursor = 1;
    assert!(!list(&other).contains("10:30"), "{}", list(&other));
    let mut elsewhere = model.clone();
    elsewhere.pane = Pane::Charges;
    assert!(!list(&elsewhere).contains("10:27"), "{}", list(&elsewhere));
    let mut narrow = model;
    narrow.size = Size { columns: 99, rows: 40 };
    assert!(geometry::details(narrow.areas(narrow.size).unwrap().body).is_none());
    assert!(!text(&buffer(&narrow, 99, 40)).contains("10:30"));
}

#[test]
fn dialog_over_details_keeps_list_and_details_visible() {
    let mut model = at("links", 120, 40);
    press(&mut model, "Enter");
    let details = text(&buffer(&model, 120, 40));
    let address = details.lines().find(|line| line.contains("http://")).unwrap().trim_end();
    push(&mut model, Route::Ask(Question::LogOut));
    let shown = text(&buffer(&model, 120, 40));
    assert!(shown.contains(&address[address.find("http").unwrap()..]), "{shown}");
    assert!(shown.contains("10:42") && shown.contains("10:30"), "{shown}");
}

#[test]
fn code_too_big_for_the_list_is_shown_in_details() {
    let roomy = [("charges", 120, 40)];
    for (name, columns, rows) in roomy {
        let mut model = at(name, columns, rows);
        let list = buffer(&model, columns, rows);
        let said = text(&list);
        assert!(said.contains("O QR Code não cabe ao lado"), "{name}: {said}");
        press(&mut model, "Enter");
        let model = rested(model);
        let details = buffer(&model, columns, rows);
        let said = text(&details);
        let code = read(&details).unwrap_or_else(|| panic!("{name} at {columns}x{rows}: {said}"));
        assert!(said.contains(&code[..40]), "{code} in {said}");
        let beside = said.lines().find(|line| line.contains("Criad")).unwrap();
        assert!(beside.contains('▀'), "{name} at {columns}x{rows}: {said}");
        assert!(!said.contains("não cabe"), "{name} at {columns}x{rows}: {said}");
        let mut model = model;
        press(&mut model, "Esc");
        assert_eq!(buffer(&rested(model), columns, rows), list, "{name}: back again");
    }
    // The list must stay visible if the details fit beside it, and must be hidden otherwise.
    for (name, columns, rows) in [("charges", 119, 40), ("charges", 120, 24), ("links", 120, 40)] {
        let mut model = at(name, columns, rows);
        press(&mut model, "Enter");
        let body = model.areas(model.size).unwrap().body;
        let said = text(&buffer(&rested(model), columns, rows));
        let has_list = said.contains("10:42") && said.contains(" ontem ");
        assert_eq!(has_list, geometry::details(body).is_some(), "{name} at {columns}: {said}");
    }
}

#[test]
fn wide_domain_list_shows_all_text_of_the_narrow_one() {
    let said = ["ainda não ativo: “pending_", "o serviço escolhe um domínio ativo"];
    for (columns, rows) in [(80, 24), (200, 60)] {
        let shown = text(&buffer(&at("domains-listed", columns, rows), columns, rows));
        assert!(said.iter().all(|said| shown.contains(said)), "{shown}");
    }
}
