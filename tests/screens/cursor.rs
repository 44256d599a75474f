//! Tests the marking of a list's selected row: a bar, bold text and, in themes with colours, a
//! background colour.

use balcao::app::ui::Role;
use balcao::view::Theme;
use balcao::words::Lang;
use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};

use crate::models::{all, ascii, named, painted};

/// The maximum width of the empty margin at the right end of the selected row, in columns.
const MARGIN: usize = 3;

/// Terminal sizes at which a list fills the screen. A dialog then hides the list.
const SIZES: [(u16, u16); 2] = [(80, 24), (60, 18)];

/// The total width of the columns for the time and the amount. The item's state comes after them.
const AMOUNT: usize = 20;

/// Finds the bar that marks the selected row. Returns the bar's column, and the row's cells from
/// there on.
fn under_cursor(row: &[Cell]) -> Option<(usize, &[Cell])> {
    let bar = row.iter().position(|cell| cell.symbol() == "▌")?;
    let border = row[bar..].iter().position(|cell| cell.symbol() == "│");
    Some((bar, &row[bar..border.map_or(row.len(), |end| bar + end)]))
}

/// Returns the selected row's cells between the bar and the item's state. The state keeps its own
/// style.
fn words(cells: &[Cell]) -> &[Cell] {
    let ends = cells.iter().rposition(|cell| cell.symbol() != " ").map_or(0, |last| last + 1);
    let is_gap = |two: &[Cell]| two.iter().all(|cell| cell.symbol() == " ");
    let gap = cells[..ends].windows(2).rposition(is_gap);
    &cells[1..gap.filter(|at| *at > AMOUNT).unwrap_or(ends)]
}

/// Returns a message for each mistake in the marking of the selected row.
fn complaints(screen: &Buffer, ground: Option<Color>) -> Vec<String> {
    let mut found = Vec::new();
    for row in screen.content.chunks(screen.area.width.into()) {
        let text: String = row.iter().map(Cell::symbol).collect();
        let Some((_, cells)) = under_cursor(row) else {
            let has_ground = ground.is_some_and(|ground| row.iter().any(|cell| cell.bg == ground));
            found.extend(has_ground.then(|| format!("the ground of another row: {text}")));
            continue;
        };
        let ink = words(cells).iter().filter(|cell| !" ↑↓".contains(cell.symbol()));
        let is_heavy = |cell: &&Cell| {
            cell.modifier.contains(Modifier::BOLD) && !cell.modifier.contains(Modifier::DIM)
        };
        if !ink.clone().all(|cell| is_heavy(&cell)) || ink.count() == 0 {
            found.push(format!("without weight: {text}"));
        }
        // The background colour must cover the whole row. Only the margin at the right end may lack
        // it.
        let on_ground = |ground| {
            let end = cells.iter().position(|cell| cell.bg != ground).unwrap_or(cells.len());
            // The margin may contain arrows. They show that there are more rows above or below.
            let is_margin = |cell: &Cell| cell.bg != ground && " ↑↓".contains(cell.symbol());
            cells.len() - end <= MARGIN && cells[end..].iter().all(is_margin)
        };
        if !ground.is_none_or(on_ground) {
            found.push(format!("its ground ends before the row does: {text}"));
        }
    }
    found
}

#[test]
fn cursor_row_is_unmistakable_in_every_theme() {
    let mut seen = 0;
    for theme_name in Theme::NAMES {
        let theme = Theme::named(theme_name).unwrap();
        let cursor = theme.style(Role::Cursor);
        let ground = cursor.bg;
        assert_eq!(ground.is_some(), ["dark", "light"].contains(&theme_name), "{theme_name}");
        // The selected row is in reverse video in the `mono` theme, because much other text there
        // is also bold.
        let is_reversed = cursor.add_modifier.contains(Modifier::REVERSED);
        assert_eq!(is_reversed, theme_name == "mono", "{theme_name}");
        for (name, model) in all(Lang::Pt) {
            let plain = ascii(model.clone());
            for (columns, rows) in SIZES {
                let screen = painted(&model, &theme, columns, rows);
                let found = complaints(&screen, ground);
                assert_eq!(found, Vec::<String>::new(), "{name} in {theme_name}, {columns}");
                let plain = painted(&plain, &theme, columns, rows);
                let rows = |screen: &Buffer| {
                    screen.content.chunks(columns.into()).map(<[Cell]>::to_vec).collect::<Vec<_>>()
                };
                for (row, plain) in rows(&screen).iter().zip(rows(&plain)) {
                    let Some((bar, _)) = under_cursor(row) else { continue };
                    assert_eq!(plain[bar].symbol(), ">", "{name} in {theme_name}, {columns}");
                    seen += 1;
                }
            }
        }
    }
    assert!(seen > 40, "{seen}");
}

#[test]
fn a_row_without_its_weight_or_ground_is_found() {
    let theme = Theme::named("dark").unwrap();
    let ground = theme.style(Role::Cursor).bg;
    let model = named(Lang::Pt, "withdrawals");
    let screen = painted(&model, &theme, 80, 24);
    let bar = screen.content.iter().position(|cell| cell.symbol() == "▌").unwrap();
    let mut thin = screen.clone();
    thin.content[bar + 1].modifier = Modifier::BOLD | Modifier::DIM;
    assert_eq!(complaints(&thin, ground).len(), 1);
    let mut short = screen;
    short.content[bar + 40].bg = Color::Reset;
    assert_eq!(complaints(&short, ground).len(), 1);
}
