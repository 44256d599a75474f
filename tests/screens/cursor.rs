//! Tests the marking of a list's selected row: a bar, bold text and, in themes with colours, a
//! background colour. Screen readers find the row by the terminal's hidden cursor.

use std::sync::Arc;

use balcao::app::Model;
use balcao::app::ui::Role;
use balcao::app::ui::input::Size;
use balcao::app::ui::page::CursorPlace;
use balcao::view::{Painter, Theme};
use balcao::words::Lang;
use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};

use crate::models::{all_models, ascii, find_model, press, render_with_theme};

/// The maximum width of the empty margin at the right end of the selected row, in columns.
const MAX_MARGIN_COLUMNS: usize = 3;

/// Terminal sizes at which no details are shown beside a list.
const SIZES: [(u16, u16); 2] = [(80, 24), (60, 18)];

const SIZE: Size = Size {
    columns: 80,
    rows: 24,
};

/// The width of the column for the time, or for a short host. The item's state comes after it.
const FIRST_COLUMNS: usize = 18;

/// Finds the bar that marks the selected row. Returns the bar's column, and the row's cells from
/// there on.
fn find_cursor_row(row: &[Cell]) -> Option<(usize, &[Cell])> {
    let bar = row.iter().position(|cell| cell.symbol() == "▌")?;
    let border = row[bar..].iter().position(|cell| cell.symbol() == "│");
    Some((bar, &row[bar..border.map_or(row.len(), |end| bar + end)]))
}

/// Returns the selected row's cells between the bar and the item's state, such as `✓ pago`. The
/// state has its own style.
fn cells_before_state(cells: &[Cell]) -> &[Cell] {
    let text_end = cells
        .iter()
        .rposition(|cell| cell.symbol() != " ")
        .map_or(0, |last| last + 1);
    let is_gap = |pair: &[Cell]| pair.iter().all(|cell| cell.symbol() == " ");
    let gap = cells[..text_end].windows(2).rposition(is_gap);
    &cells[1..gap.filter(|at| *at > FIRST_COLUMNS).unwrap_or(text_end)]
}

/// Returns a message for each mistake in the marking of the selected row.
fn find_marking_faults(screen: &Buffer, background: Option<Color>) -> Vec<String> {
    let mut faults = Vec::new();
    for row in screen.content.chunks(screen.area.width.into()) {
        let text: String = row.iter().map(Cell::symbol).collect();
        let Some((_, cells)) = find_cursor_row(row) else {
            let has_background =
                background.is_some_and(|background| row.iter().any(|cell| cell.bg == background));
            faults.extend(has_background.then(|| format!("the ground of another row: {text}")));
            continue;
        };
        let letters = cells_before_state(cells)
            .iter()
            .filter(|cell| !" ↑↓".contains(cell.symbol()));
        let is_bold = |cell: &&Cell| {
            cell.modifier.contains(Modifier::BOLD) && !cell.modifier.contains(Modifier::DIM)
        };
        if !letters.clone().all(|cell| is_bold(&cell)) || letters.count() == 0 {
            faults.push(format!("without weight: {text}"));
        }
        // The background colour must cover the whole row. Only the margin at the right end may lack
        // it.
        let covers_row = |background| {
            let end = cells
                .iter()
                .position(|cell| cell.bg != background)
                .unwrap_or(cells.len());
            // The margin may contain arrows. They show that there are more rows above or below.
            let is_margin = |cell: &Cell| cell.bg != background && " ↑↓".contains(cell.symbol());
            cells.len() - end <= MAX_MARGIN_COLUMNS && cells[end..].iter().all(is_margin)
        };
        if !background.is_none_or(covers_row) {
            faults.push(format!("its ground ends before the row does: {text}"));
        }
    }
    faults
}

#[test]
fn selected_row_is_marked_in_every_theme() {
    let mut checked = 0;
    for theme_name in Theme::NAMES {
        let theme = Theme::named(theme_name).unwrap();
        let cursor_style = theme.style(Role::Cursor);
        let background = cursor_style.bg;
        assert_eq!(
            background.is_some(),
            !["default", "mono"].contains(&theme_name),
            "{theme_name}"
        );
        // The selected row is in reverse video in the `mono` theme, because much other text there
        // is also bold.
        let is_reversed = cursor_style.add_modifier.contains(Modifier::REVERSED);
        assert_eq!(is_reversed, theme_name == "mono", "{theme_name}");
        for (name, model) in all_models(Lang::Pt) {
            let ascii_model = ascii(model.clone());
            for (columns, rows) in SIZES {
                let screen = render_with_theme(&model, &theme, columns, rows);
                let faults = find_marking_faults(&screen, background);
                assert_eq!(
                    faults,
                    Vec::<String>::new(),
                    "{name} in {theme_name}, {columns}"
                );
                let ascii_screen = render_with_theme(&ascii_model, &theme, columns, rows);
                let rows = |screen: &Buffer| {
                    screen
                        .content
                        .chunks(columns.into())
                        .map(<[Cell]>::to_vec)
                        .collect::<Vec<_>>()
                };
                for (row, ascii_row) in rows(&screen).iter().zip(rows(&ascii_screen)) {
                    let Some((bar, _)) = find_cursor_row(row) else {
                        continue;
                    };
                    assert_eq!(
                        ascii_row[bar].symbol(),
                        ">",
                        "{name} in {theme_name}, {columns}"
                    );
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 40, "{checked}");
}

#[test]
fn row_without_bold_or_background_is_reported() {
    let theme = Theme::named("dark").unwrap();
    let background = theme.style(Role::Cursor).bg;
    let model = find_model(Lang::Pt, "withdrawals");
    let screen = render_with_theme(&model, &theme, 80, 24);
    let bar = screen
        .content
        .iter()
        .position(|cell| cell.symbol() == "▌")
        .unwrap();
    let mut not_bold = screen.clone();
    not_bold.content[bar + 1].modifier = Modifier::BOLD | Modifier::DIM;
    assert_eq!(find_marking_faults(&not_bold, background).len(), 1);
    let mut cut_background = screen;
    cut_background.content[bar + 40].bg = Color::Reset;
    assert_eq!(find_marking_faults(&cut_background, background).len(), 1);
}

/// Returns the place of the terminal's cursor at 80x24.
fn cursor_place(model: &Model) -> Option<CursorPlace> {
    Painter::default()
        .paint(model, &Arc::new(Theme::default()), SIZE)
        .cursor
}

/// Returns the row of the bar that marks the selected row of the front screen, if it is visible.
fn marked_row(model: &Model) -> Option<u16> {
    let screen = render_with_theme(model, &Theme::default(), SIZE.columns, SIZE.rows);
    let rows = (0..).zip(screen.content.chunks(SIZE.columns.into()));
    rows.filter(|(_, row)| find_cursor_row(row).is_some())
        .map(|(y, _)| y)
        .last()
}

/// Returns the row of the terminal's cursor if it is hidden.
fn hidden_cursor_row(model: &Model) -> Option<u16> {
    let place = cursor_place(model)?;
    assert!(!place.is_visible, "{place:?}");
    Some(place.cell.1)
}

#[test]
fn hidden_cursor_is_on_marked_row_of_every_list() {
    let mut marked = 0;
    for name in [
        "links",
        "withdrawals",
        "charges",
        "exchanges",
        "guide-unknown",
    ] {
        let mut model = find_model(Lang::Pt, name);
        for key in ["Up", "Down", "Down"] {
            press(&mut model, key);
            assert_eq!(
                hidden_cursor_row(&model),
                marked_row(&model),
                "{name} after {key}"
            );
            marked += usize::from(marked_row(&model).is_some());
        }
    }
    assert!(marked >= 12, "{marked}");
}

#[test]
fn visible_cursor_moves_from_search_to_marked_row() {
    let mut palette = find_model(Lang::Pt, "palette");
    let mut links = find_model(Lang::Pt, "links");
    press(&mut links, "/");
    for model in [&mut palette, &mut links] {
        let field = cursor_place(model).unwrap();
        assert!(field.is_visible);
        press(model, "Down");
        assert_eq!(hidden_cursor_row(model), marked_row(model));
        assert_ne!(hidden_cursor_row(model), Some(field.cell.1));
    }
    press(&mut palette, "a");
    assert!(cursor_place(&palette).unwrap().is_visible);
}

#[test]
fn screen_without_list_ignores_the_list_below() {
    let mut model = find_model(Lang::Pt, "links");
    press(&mut model, "?");
    assert_eq!(cursor_place(&model), None);
}
